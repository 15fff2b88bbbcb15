r"""The tests of one dataset: is system A better than system B, both run on the same instances?

=====================  ===================================================  ======================
name                   what it takes                                        p-value
=====================  ===================================================  ======================
`paired_bootstrap`     a score, or the sums of a metric, for each instance  exact or Monte Carlo
`sign_flip`            the same                                             exact or Monte Carlo
`wilcoxon`             a score for each instance                            exact up to 50, normal
`sign_test`            the same                                             exact
`paired_t`             the same                                             exact for normal scores
`mcnemar`              0 (wrong) or 1 (right) for each instance             exact, mid-p or normal
`steiger`              ratings of the systems and gold ratings              normal
`williams`             the same                                             t
`meng`                 the same                                             normal
`rating_bootstrap`     the same                                             Monte Carlo
=====================  ===================================================  ======================

One vocabulary: `alternative` is "greater" (A is better), "less" or "two-sided"; `n_resamples` of
None asks for the exact p-value; `rng` is whatever `numpy.random.default_rng` takes; `level` is the
coverage of the interval beside the p-value. A higher score is better.

Four promises hold for every test. Swapping A and B swaps "greater" and "less" to the last bit.
Identical systems give p = 1. The order of the instances plays no part, not even in Monte Carlo:
instances are sorted first. No input is changed. A two-sided p-value is twice the one-sided p-value
in the direction of the observed difference, at most 1, and 1 where there is no difference; only
McNemar's mid-p value is a little below 1 where wins and losses are equally many.

`TESTS` maps each name to its function, and `run` calls one by its name. To add a test, write a
function ``test(a, b, *, alternative, ...)`` that returns a `Result`, and add its line to `TESTS`.
"""

import inspect

from replicability import checks
from replicability.stats.paired.binary import mcnemar
from replicability.stats.paired.ranks import paired_t, sign_test, wilcoxon
from replicability.stats.paired.ratings import meng, rating_bootstrap, steiger, williams
from replicability.stats.paired.resampled import paired_bootstrap, sign_flip


def run(name, a, b, **options):
    """Run the test of a name.

    Parameters
    ----------
    name : str
        A key of `TESTS`.
    a, b : array_like
        Scores of the systems, as the test takes them.
    **options
        Keyword arguments of the test; `options_of` lists them.

    Returns
    -------
    Result
        The outcome.

    Raises
    ------
    InputError
        If the name or an option is unknown, a necessary option is missing, or as the test.

    Examples
    --------
    >>> run("sign_test", [3, 5, 4, 6], [1, 2, 4, 5]).pvalue
    0.125
    """
    checks.choice("test", name, TESTS)
    allowed = options_of(name)
    for option in options:
        if option not in allowed:
            raise checks.InputError(
                f"Test {name!r} has no option {option!r}, but takes {', '.join(allowed)}"
                f"{checks.nearest(option, allowed)}"
            )
    for option, parameter in inspect.signature(TESTS[name]).parameters.items():
        needed = parameter.kind is parameter.KEYWORD_ONLY and parameter.default is parameter.empty
        if needed and option not in options:
            raise checks.InputError(
                f"Test {name!r} needs the option {option!r}; pass it, or choose another test."
            )
    return TESTS[name](a, b, **options)


def options_of(name):
    """List the options of a test.

    Parameters
    ----------
    name : str
        A key of `TESTS`.

    Returns
    -------
    tuple of str
        Names of its keyword arguments.

    Raises
    ------
    InputError
        If the name is unknown.
    """
    checks.choice("test", name, TESTS)
    parameters = inspect.signature(TESTS[name]).parameters.values()
    return tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)


TESTS = {
    "paired_bootstrap": paired_bootstrap,
    "sign_flip": sign_flip,
    "wilcoxon": wilcoxon,
    "sign_test": sign_test,
    "paired_t": paired_t,
    "mcnemar": mcnemar,
    "steiger": steiger,
    "williams": williams,
    "meng": meng,
    "rating_bootstrap": rating_bootstrap,
}
"""Name in a configuration -> test."""
