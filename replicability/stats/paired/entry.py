"""What a test of one dataset is given, in one entry."""

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass

from replicability import checks

TAKES = {
    "outcomes": "right or wrong for each item",
    "scores": "a score for each item",
    "sums": "a score, or the sums of a metric, for each item",
    "ratings": "ratings by both systems, and gold ratings",
    "runs": "a score for each item in each run",
    "judged": "a judge's score for each item, and human scores for some items",
}
"""Maps the input of a test to its description."""


MARGINS = {
    "exact": "It supports a margin, with an exact p-value",
    "asymptotic": "It supports a margin, with an approximate p-value:",
    "": "It does not support a margin:",
}
"""Maps the validity of a margin to the words before its conditions."""


@dataclass(frozen=True)
class Test:
    """A test of one dataset.

    Attributes
    ----------
    function : callable
        ``function(a, b, *, alternative, confidence_level, ...)``, which returns a `Result`. Its
        name is that of the test, its keyword-only arguments are the options of the test: with
        `gold` it is given gold ratings, with `rng` the seed of a dataset, and with `metric` the
        metric of the sums.
    title : str
        Its name in a sentence, such as "the sign test".
    takes : str
        What the systems bring, a key of `TAKES`.
    metrics : str
        What can be compared with it.
    pvalue : str
        How the p-value is computed: whether it is exact.
    valid_under : str
        What it assumes, as a clause.
    use : str
        When, or why, to use it, as a clause.
    bootstrap : bool
        Whether it draws items with replacement, so that they represent the population; few
        items mislead it.
    signed : bool
        Whether its one-sided p-value lies below 1/2 where the score of A is the higher one, and
        above where that of B is. Tests of ranks and signs need not follow the means.
    margin : str
        How it carries a margin, a key of `MARGINS`; "" for a test that carries none.
    margin_note : str
        What it then assumes, or why it carries none and what does, as a clause.
    both : callable, optional
        ``both(a, b, ...)``, with the options that decide the p-value: those of "greater" and of
        "less", to the last bit those of `function`, in less time than two calls of it.
    matrix : callable, optional
        ``matrix(scores, ...)`` of s systems, shape (s, n), with the same options: the p-values that
        `both` gives for all ordered pairs, shape (s, s), 1 on the diagonal.
    floor : callable, optional
        ``floor(n_differing, **options)``: the smallest one-sided p-value that the test can give on
        so many items on which the systems differ, whatever their scores; None if it can give
        any.
    """

    function: Callable
    title: str
    takes: str
    metrics: str
    pvalue: str
    valid_under: str
    use: str
    bootstrap: bool = False
    signed: bool = True
    margin: str = ""
    margin_note: str = ""
    both: Callable | None = None
    matrix: Callable | None = None
    floor: Callable | None = None

    __test__ = False  # no class of tests, in spite of its name

    def __post_init__(self):
        checks.choice("takes", self.takes, TAKES)
        checks.choice("margin", self.margin, MARGINS)

    @property
    def name(self):
        """Its name in a study and on the command line."""
        return self.function.__name__

    @property
    def options(self):
        """Names of its keyword-only arguments."""
        return tuple(parameter.name for parameter in self._keywords())

    @property
    def needed(self):
        """Names of the options that have no default."""
        return tuple(p.name for p in self._keywords() if p.default is p.empty)

    def quick(self, options):
        """Say whether `both` takes these options."""
        return self.both is not None and set(options) <= {p.name for p in _keywords(self.both)}

    def _keywords(self):
        return _keywords(self.function)


def floor_of_flips(n_differing, *, n_resamples=None, **options):
    """Return the share of one way to flip all signs, or of the data among the resamples.

    `n_differing`: number of items on which the systems differ. `n_resamples`: number of resamples;
    all :math:`2^n` flips by default. `**options`: other options of a test, which do not matter.

    Returns float. :math:`2^{-n}`, or 1/(B + 1) of B resamples.
    """
    return 2.0**-n_differing if n_resamples is None else 1 / (n_resamples + 1)


@functools.cache
def _keywords(function):
    """List the keyword-only parameters of a function."""
    parameters = inspect.signature(function).parameters.values()
    return tuple(p for p in parameters if p.kind is p.KEYWORD_ONLY)
