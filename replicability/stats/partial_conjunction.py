r"""Counting: on how many of n datasets is A better than B, with confidence 1 - alpha?

A family is the p-values :math:`p_1, \dots, p_n` of one comparison on n datasets, each p-value that
of the null hypothesis "A is not better than B" on its dataset. The partial-conjunction null
hypothesis :math:`H_0^{u/n}` says that fewer than u of the n alternatives are true. Its p-value
combines the n - u + 1 largest p-values with a local test of their intersection. Each module of
`local_tests` says how, and when that is valid; the result is clipped at 1.

Families are independent rows of a batch: every function takes an `axis`. The hypothesis for u is
rejected where a p-value is at most alpha divided by its factor, such as n - u + 1, in floating
point; what is exactly on the boundary counts. `families.least_alpha` turns the comparison round.

References
----------
Dror, Baumer, Bogomolov and Reichart (2017), Equations 2 to 4 and Section 7. Benjamini and Heller
(2008), Biometrics 64(4), 1215-1222.
"""

import functools
import warnings
from collections.abc import Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replicability import checks
from replicability.stats import arguments
from replicability.stats.estimators import DEPENDENCE, ESTIMATORS, METHODS
from replicability.stats.families import chunks, compute


class DependenceWarning(UserWarning):
    """The method is not valid under the declared dependence of the datasets."""


def recommended_method(dependence: str) -> str:
    """Name the combination method that the paper recommends (Section 4.1).

    Parameters
    ----------
    dependence : {"independent", "positive", "dependent"}
        How the datasets depend on each other; "dependent" when the kind of dependence is unknown.
        Two datasets are independent when they share no sample and neither is made from the other
        (footnote 4).

    Returns
    -------
    str
        "fisher" for independent datasets, "bonferroni" otherwise.

    Raises
    ------
    InputError
        If `dependence` is unknown.
    """
    checks.choice("dependence", dependence, DEPENDENCE)
    return "fisher" if dependence == "independent" else "bonferroni"


def partial_conjunction_pvalues(
    pvalues: ArrayLike,
    method: str = "bonferroni",
    *,
    dependence: str | None = None,
    axis: int = -1,
) -> NDArray[np.float64]:
    r"""Partial-conjunction p-values :math:`p_*^{u/n}` for u = 1, ..., n (Equations 2 to 4).

    Parameters
    ----------
    pvalues : array_like
        p-values in [0, 1]; ``shape[axis]`` is the number n of datasets. A p-value of 0 is accepted
        and taken at its word; if it came from B resamples, it means p <= 1/(B+1): replace it first.
    method : str, default "bonferroni"
        How the n - u + 1 largest p-values are combined, one of `METHODS`, which are modules
        of `local_tests`.
    dependence : {"independent", "positive", "dependent"}, optional
        The declared dependence between the datasets. A method that is not valid under it is still
        computed, with a `DependenceWarning`.
    axis : int, default -1
        The axis that runs over the datasets of one family.

    Returns
    -------
    ndarray of float64
        Same shape as `pvalues`; along `axis` the p-values for u = 1, ..., n, clipped at 1 and with
        the running maximum taken, hence not decreasing.

    Raises
    ------
    InputError
        If a p-value is NaN, infinite, not a number or outside [0, 1], the family is empty, or a
        name is unknown.

    Notes
    -----
    Each :math:`p^{u/n}` is a valid p-value under the condition that its module states. Tails are
    computed from the survival side, so that they keep their relative accuracy down to about 1e-300.
    Every method sorts once; "simes" looks only at the lower convex hull of the sorted p-values.

    Examples
    --------
    >>> p = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]
    >>> partial_conjunction_pvalues(p, "bonferroni").round(3)
    array([0.006, 0.095, 0.672, 0.672, 0.672, 0.672])
    >>> partial_conjunction_pvalues(p, "fisher").round(3)
    array([0.001, 0.04 , 0.196, 0.274, 0.344, 0.357])
    """
    values = arguments.pvalues(pvalues, axis)
    of_block = functools.partial(rising, _method(method, dependence))
    return np.moveaxis(compute(of_block, values, np.empty(values.shape)), -1, axis)


def rising(method: str, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the partial-conjunction p-values of checked families.

    Parameters
    ----------
    method : str
        One of `METHODS`.
    values : ndarray of float64, shape (m, n)
        Families of p-values in [0, 1].

    Returns
    -------
    ndarray of float64, shape (m, n)
        As `partial_conjunction_pvalues`, which checks its arguments and uses all processors.
    """
    combine: Any = ESTIMATORS[method].combine
    combined = np.minimum(combine(values, values.shape[-1]), 1)
    falls = (combined[:, 1:] < combined[:, :-1]).any()
    return np.maximum.accumulate(combined, axis=-1, out=combined) if falls else combined


@overload
def k_hat(
    pvalues: Sequence[float],
    alpha: float = 0.05,
    method: str = "bonferroni",
    *,
    dependence: str | None = None,
) -> int: ...
@overload
def k_hat(
    pvalues: ArrayLike,
    alpha: float = 0.05,
    method: str = "bonferroni",
    *,
    dependence: str | None = None,
    axis: int = -1,
) -> Any: ...


def k_hat(
    pvalues: ArrayLike,
    alpha: float = 0.05,
    method: str = "bonferroni",
    *,
    dependence: str | None = None,
    axis: int = -1,
) -> Any:
    r"""Lower confidence bound on the number of datasets on which A is better (Equation 4).

    Parameters
    ----------
    pvalues, method, dependence, axis
        As for `partial_conjunction_pvalues`.
    alpha : float, default 0.05
        Bound on the probability that k-hat exceeds the true number, in (0, 1).

    Returns
    -------
    ndarray of int64, or int for a single family
        :math:`\hat k = \max\{u : p_*^{u/n} \le \alpha\}`, 0 if there is none; shape of `pvalues`
        without `axis`.

    Raises
    ------
    InputError
        As `partial_conjunction_pvalues`, and if alpha is outside (0, 1).

    Notes
    -----
    :math:`P(\hat k > k) \le \alpha` when the method is valid for the datasets' dependence
    (Benjamini and Heller 2008, Theorem 4). With "bonferroni", k-hat equals the number of
    hypotheses that Holm's procedure rejects. With "bonferroni" and "simes" it is the number of
    `partial_conjunction_pvalues` that are at most alpha, to the last bit; a p-value of exactly
    ``alpha / n`` counts for every n.

    Fisher's and Stouffer's statistics are compared with critical values and Simes's bound is found
    by bisection, so that no n p-values are computed; where the hypothesis for u = 1 stands, which
    needs no order, the family is not sorted.

    Examples
    --------
    >>> p = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]
    >>> k_hat(p, 0.05, "bonferroni"), k_hat(p, 0.05, "fisher")
    (1, 2)
    """
    values = arguments.pvalues(pvalues, axis)
    alpha = checks.alpha(alpha)
    count: Any = ESTIMATORS[_method(method, dependence)].count
    counts = np.empty(values.shape[:-1], dtype=np.int64)
    for source, target in chunks(values, counts):
        target[...] = count(source, alpha)
    return counts if counts.ndim else int(counts)


@overload
def k_count(pvalues: Sequence[float], alpha: float = 0.05) -> int: ...
@overload
def k_count(pvalues: ArrayLike, alpha: float = 0.05, *, axis: int = -1) -> Any: ...


def k_count(pvalues: ArrayLike, alpha: float = 0.05, *, axis: int = -1) -> Any:
    r"""Number of datasets with p <= alpha: common practice, without a guarantee (Section 4.3).

    Parameters
    ----------
    pvalues, axis
        As for `partial_conjunction_pvalues`.
    alpha : float, default 0.05
        Level of each single test, in (0, 1).

    Returns
    -------
    ndarray of int64, or int for a single family
        :math:`\hat k_{count} = \#\{i : p_i \le \alpha\}`.

    Raises
    ------
    InputError
        As `k_hat`.

    Notes
    -----
    No bound on :math:`P(\hat k_{count} > k)` holds: with n independent true null hypotheses it is
    :math:`1 - (1 - \alpha)^n`.

    Examples
    --------
    >>> k_count([0.168, 0.297, 0.357, 0.019, 0.218, 0.001])
    2
    """
    values = arguments.pvalues(pvalues, axis)
    count: Any = ESTIMATORS["count"].count
    counts = count(values, checks.alpha(alpha))
    return counts if np.ndim(counts) else int(counts)


def estimate(
    pvalues: ArrayLike, alpha: float = 0.05, method: str = "bonferroni", *, axis: int = -1
) -> Any:
    """Estimate the number of datasets on which A is better, by `k_hat` or `k_count`.

    Parameters
    ----------
    pvalues, alpha, axis
        As for `k_hat`.
    method : str, default "bonferroni"
        A key of `ESTIMATORS`: "count" or a combination method.

    Returns
    -------
    ndarray of int64, or int for a single family
        The estimates.

    Raises
    ------
    InputError
        As `k_hat`.

    Examples
    --------
    >>> [estimate([0.04, 0.04, 0.001], 0.05, method) for method in ("count", "bonferroni")]
    [3, 1]
    """
    if checks.choice("method", method, ESTIMATORS) == "count":
        return k_count(pvalues, alpha, axis=axis)
    return k_hat(pvalues, alpha, method, axis=axis)


def one_sided(pvalues: Any, differences: Any) -> Any:
    """Turn two-sided p-values into those of "A is not better than B".

    Parameters
    ----------
    pvalues : array_like
        Two-sided p-values in [0, 1].
    differences : array_like
        Score of A minus score of B, of the same shape; only the sign counts.

    Returns
    -------
    ndarray of float64
        p/2 where A is ahead, 1 - p/2 elsewhere; swap the sign for the other direction.

    Raises
    ------
    InputError
        If a p-value is not valid, a difference is no finite number, or the shapes differ.

    Notes
    -----
    Valid for tests whose two-sided p-value is twice the smaller one-sided one. Equal scores favour
    neither system: they get 1 - p/2 in both directions.

    Examples
    --------
    >>> one_sided([0.02, 0.02], [1.5, -1.5])
    array([0.01, 0.99])
    """
    values = arguments.pvalues(pvalues)
    differences = arguments.numbers("differences", differences)
    if values.shape != differences.shape:
        raise checks.InputError(
            f"The p-values have the shape {values.shape}, but the differences have the shape "
            f"{differences.shape}; pass one difference for each p-value."
        )
    return np.where(differences > 0, values / 2, 1 - values / 2)


def _method(method, dependence):
    """Check the names and warn if the method is not valid under the declared dependence."""
    checks.choice("method", method, METHODS)
    if dependence is None:
        return method
    checks.choice("dependence", dependence, DEPENDENCE)
    if dependence not in ESTIMATORS[method].valid_under:
        warnings.warn(
            f"The method {method!r} is not valid for datasets that are declared {dependence!r}: "
            "k-hat may exceed the true number with a probability above alpha. For example, with "
            "100 true null hypotheses and correlation .2, Fisher's k-hat exceeds 0 in about 30% of "
            f"families at alpha = .05. Use {recommended_method(dependence)!r}.",
            DependenceWarning,
            stacklevel=3,
        )
    return method
