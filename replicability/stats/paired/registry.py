r"""The tests of one dataset, by name: is system A better than system B on the same items?

All properties of a test are in its entry, next to its function: see `entry.Test`. The
schema of studies, ``replicability tests``, the recommendations, the reports and the list in
``docs/choosing.md`` are made from `TESTS`. To add a test, write a function that returns a `Result`
and add its entry to the tuple at the end of its module.

One vocabulary: `alternative` is "greater" (A is better), "less" or "two-sided"; `n_resamples` of
None asks for the exact p-value; `rng` is whatever `numpy.random.default_rng` takes;
`confidence_level` is the coverage of the interval beside the p-value. A higher score is better.

Four promises hold for every test. Swapping A and B swaps "greater" and "less" to the last bit.
Identical systems give p = 1. The order of the items plays no part, not even in Monte Carlo:
items are sorted first. No input is changed. A two-sided p-value is twice the one-sided p-value
in the direction of the observed difference, at most 1, and 1 where there is no difference; only
McNemar's mid-p value is a little below 1 where wins and losses are equally many.
"""

import itertools
import warnings

import numpy as np

from replicability import checks
from replicability.stats.paired import (
    binary,
    crossed,
    jackknife,
    judged,
    means,
    proportions,
    ranks,
    ratings,
    resampled,
    splits,
    unconditional,
)

_MODULES = (
    *(means, resampled, ranks, binary, unconditional, proportions, jackknife, ratings, splits),
    crossed,
    judged,
)

TESTS = {test.name: test for module in _MODULES for test in module.TESTS}
"""Name in a study -> test."""

RENAMED = {"level": "confidence_level"}
"""Maps the old name of an option to its new name."""


def run(name, a, b, **options):
    """Run the test of a name.

    Parameters
    ----------
    name : str
        A key of `TESTS`.
    a, b : array_like
        Scores of the systems, as the test takes them.
    **options
        Keyword arguments of the test, its `options`.

    Returns
    -------
    Result
        The outcome.

    Raises
    ------
    InputError
        If the name or an option is unknown, a necessary option is missing, or as the test.

    Warns
    -----
    FutureWarning
        If an option is given by its old name, of `RENAMED`.

    Examples
    --------
    >>> run("sign_test", [3, 5, 4, 6], [1, 2, 4, 5]).pvalue
    0.125
    """
    test, options = _asked(name, options)
    return test.function(a, b, **options)


def both(name, a, b, **options):
    """Return the p-values of "A is better" and of "B is better" by the test of a name.

    Parameters
    ----------
    name, a, b, **options
        As for `run`; an alternative is none of the options.

    Returns
    -------
    tuple of float
        To the last bit what `run` gives for the alternatives "greater" and "less".

    Raises
    ------
    InputError
        As `run`.

    Examples
    --------
    >>> both("sign_test", [3, 5, 4, 6], [1, 2, 4, 5])
    (0.125, 1.0)
    """
    test, options = _asked(name, options)
    if not test.quick(options):
        sides = (test.function(a, b, alternative=side, **options) for side in ("greater", "less"))
        return tuple(result.pvalue for result in sides)
    return tuple(map(float, test.both(a, b, **options)))


def matrix(name, scores, **options):
    """Return the p-values of all ordered pairs of systems by the test of a name.

    Parameters
    ----------
    name : str
        A key of `TESTS`.
    scores : array_like, shape (s, n)
        Scores of s systems on n items.
    **options
        As for `both`.

    Returns
    -------
    ndarray, shape (s, s)
        To the last bit what `both` gives for the system of the row as A and that of the column as
        B; 1 on the diagonal.

    Raises
    ------
    InputError
        As `both`.

    Examples
    --------
    >>> matrix("mcnemar", [[1, 1, 1, 0], [0, 1, 0, 0]])
    array([[1.  , 0.25],
           [1.  , 1.  ]])
    """
    test, options = _asked(name, options)
    if test.matrix is not None:
        return test.matrix(np.asarray(scores, float), **options)
    pvalues = np.ones((len(scores), len(scores)))
    for i, j in itertools.combinations(range(len(scores)), 2):
        pvalues[i, j], pvalues[j, i] = both(name, scores[i], scores[j], **options)
    return pvalues


def floor(name, n_differing, **options):
    r"""Return the smallest p-value that the test of a name can give.

    Parameters
    ----------
    name : str
        A key of `TESTS`.
    n_differing : int
        Number of items on which the systems differ, wins and losses together; with a margin,
        those whose difference is not the margin. Not negative.
    **options
        Options of the test, as for `run`; those that it needs may be left out.

    Returns
    -------
    float
        The smallest p-value, for "A is better" or "B is better"; twice as much for two-sided ones,
        at most 1. 0 for a test that can give any; 1 if no item differs.

    Raises
    ------
    InputError
        If the name or an option is unknown, or the number is negative or not whole.

    Notes
    -----
    If A wins all n items on which the systems differ, one of :math:`2^n` ways to flip the signs
    reaches the observed difference, and no test of signs, ranks or flips can give less than
    :math:`2^{-n}`; what is approximated by a normal law has another bound. With B resamples it is
    1/(B + 1). Where the floor lies above the level of a test, no data can reject.

    Examples
    --------
    >>> floor("sign_flip", 10)
    0.0009765625
    >>> floor("paired_bootstrap", 10), floor("paired_bootstrap", 10, n_resamples=999)
    (0.0, 0.001)
    """
    test, options = _asked(name, options, complete=False)
    checks.at_least("n_differing", n_differing, 0)
    if options.get("n_resamples") is not None:
        checks.resamples(options["n_resamples"])
    sides = 2 if checks.alternative(options.get("alternative", "greater")) == "two-sided" else 1
    if not n_differing:
        return 1.0
    smallest = 0.0 if test.floor is None else float(test.floor(n_differing, **options))
    return min(1.0, sides * smallest)


def _asked(name, options, complete=True):
    """Return the entry of a test, and its options by their names of now."""
    test = lookup(name)
    options = _by_new_names(options)
    for option in options:
        if option not in test.options:
            raise checks.InputError(
                f"The test {name!r} has no option {option!r}; its options are "
                f"{', '.join(test.options)}{checks.nearest(option, test.options)}"
            )
    for option in test.needed:
        if complete and option not in options:
            raise checks.InputError(
                f"The test {name!r} needs the option {option!r}; pass it, or choose another test."
            )
    return test, options


def lookup(name):
    """Return the entry of a test.

    Parameters
    ----------
    name : str
        A key of `TESTS`.

    Returns
    -------
    Test
        Its entry.

    Raises
    ------
    InputError
        If the name is unknown.
    """
    return TESTS[checks.choice("test", name, TESTS)]


def _by_new_names(options):
    """Return the options by the names that they have now, and say which was given by its old."""
    found = {}
    for option, value in options.items():
        name = RENAMED.get(option, option)
        if name in options and name != option:
            raise checks.InputError(
                f"The options {option!r} and {name!r} mean the same thing; pass only {name!r}."
            )
        if name != option:
            warnings.warn(
                f"The option {option!r} has been renamed to {name!r}; write {name!r}.",
                FutureWarning,
                stacklevel=4,
            )
        found[name] = value
    return found
