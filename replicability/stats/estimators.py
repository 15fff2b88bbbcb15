"""What is asked of an estimator of the number of datasets, in one entry."""

from collections.abc import Callable
from dataclasses import dataclass

DEPENDENCE = ("independent", "positive", "dependent")
"""Kinds of dependence between the datasets, the weakest assumption last."""


@dataclass(frozen=True)
class Estimator:
    """An estimator of the number of datasets on which A is better.

    Attributes
    ----------
    name : str
        Its name as a `method`, in a study and on the command line.
    title : str
        Its name in a legend or a sentence.
    count : callable
        ``count(pvalues, alpha)``: families of shape (m, n) to their m estimates.
    colour, marker, line : str
        How figures draw it, in matplotlib's words.
    valid_under : tuple of str
        The kinds of `DEPENDENCE` between the datasets under which it exceeds the true number with
        probability alpha at most; none for a count without a guarantee.
    combine : callable, optional
        ``combine(pvalues, n)``: families of shape (m, n) to the combinations of their n - u + 1
        largest p-values, u = 1, ..., n, before clipping and the running maximum. A combination
        method has one.
    joint : bool, default False
        Whether its count holds together with the names by Holm's procedure: both are wrong only if
        the one test of the true null hypotheses rejects them (closed testing).
    printed : bool, default True
        Whether the command line prints its count beside the others.
    """

    name: str
    title: str
    count: Callable
    colour: str
    marker: str
    line: str = "-"
    valid_under: tuple = ()
    combine: Callable | None = None
    joint: bool = False
    printed: bool = True
