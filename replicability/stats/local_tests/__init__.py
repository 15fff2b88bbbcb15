"""The registry of local tests: one module of this package for each.

A local test rejects the intersection of a set of null hypotheses. Closed testing by it counts and
names datasets and bounds any group of them (`closed_testing`); some of them give p-values of "at
least u datasets", too (`partial_conjunction`). A module has the name of its test in a study and in
``--method``, and one `LocalTest`, its ``LOCAL_TEST``; there is no other list of local tests. What a
study may say, the help of the command line, titles, methods paragraphs, colours, the lists of the
docs and the tests are made from these entries.

Tests by the smallest p-value take their shortcuts from `step_down`, those by sums from `sums`.
"""

import functools
import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass

DEPENDENCE = ("independent", "positive", "dependent")
"""Kinds of dependence between the datasets, from the strongest assumption to the weakest."""

PVALUES, FLIPS, DRAWS = "p-values", "joint sign flips", "draws"
"""Input of a local test: p-values, `flips.Flips` of shared units, or `discrete.Draws`."""

NAMES = tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))
"""Names of all local tests, found without loading them."""


@dataclass(frozen=True, kw_only=True)
class Estimator:
    """An estimator of the number of datasets on which A is better, and how it is shown.

    Attributes
    ----------
    name : str
        Its name as a `method`, in a study and on the command line.
    title : str
        Its name in a legend or a sentence.
    colour, marker, line : str
        How figures draw it, in matplotlib's words.
    valid_under : tuple of str
        The kinds of `DEPENDENCE` between the datasets under which it exceeds the true number with
        probability alpha at most; none for a count without a guarantee.
    count : callable, optional
        ``count(pvalues, alpha)``: families of shape (m, n) to their m estimates.
    combine : callable, optional
        ``combine(pvalues, n)``: families of shape (m, n) to the combinations of their n - u + 1
        largest p-values, u = 1, ..., n, before clipping and the running maximum.
    with_holm : bool, default False
        Whether its count holds together with the names by Holm's procedure: both are wrong only if
        the one test of the true null hypotheses rejects them (closed testing).
    printed : bool, default False
        Whether the command line prints its count beside the others.
    """

    name: str
    title: str
    colour: str
    marker: str
    line: str = "-"
    valid_under: tuple = ()
    count: Callable | None = None
    combine: Callable | None = None
    with_holm: bool = False
    printed: bool = False


@dataclass(frozen=True, kw_only=True)
class LocalTest(Estimator):
    """A local test: what it computes, when it is valid, and how it is shown and cited.

    The functions take p-values in [0, 1], families along the last axis. A test that takes flips or
    draws has none of them; `joint` computes it.

    Attributes
    ----------
    cited : tuple of str
        How a methods paragraph cites it, and the reference.
    meaning : str
        What a methods paragraph adds in brackets, where title and reference do not say what it is.
    assumes : str
        For the docs, when it is valid, where that is more than `valid_under` says.
    strong, weak : str
        For the docs, what evidence it sees best, and worst.
    takes : str
        `PVALUES`, `FLIPS` or `DRAWS`.
    planned_by : str
        Of a test that takes flips or draws, the form by which `power_of_counts` plans it.
    bound : callable, optional
        ``bound(pvalues, inside, alpha, tau)``: lower bounds for the set of a mask.
    curve : callable, optional
        ``curve(pvalues, alpha, tau)``, p-values ascending: bounds for the 1, ..., n smallest.
    rejected : callable, optional
        ``rejected(pvalues, alpha, tau)``: whether each dataset is named.
    adjusted : callable, optional
        ``adjusted(pvalues)``: the least alpha at which each dataset is named, at most 1; None where
        there is no closed form.
    many : bool, default False
        Whether it bounds groups of any number of datasets at once, without a search of sums.
    place : int, default 100
        Place among the tests that take the same; by name where places are equal.
    """

    cited: tuple[str, str]
    strong: str
    weak: str
    assumes: str = ""
    meaning: str = ""
    takes: str = PVALUES
    planned_by: str = ""
    bound: Callable | None = None
    curve: Callable | None = None
    rejected: Callable | None = None
    adjusted: Callable | None = None
    many: bool = False
    place: int = 100


@functools.cache
def load():
    """Load every local test.

    Returns dict of str to LocalTest. Name -> entry, those that take p-values first; not to be
    changed.
    """
    found = [importlib.import_module(f"{__name__}.{name}").LOCAL_TEST for name in NAMES]
    kinds = (PVALUES, FLIPS, DRAWS)
    found.sort(key=lambda test: (kinds.index(test.takes), test.place, test.name))
    return {test.name: test for test in found}
