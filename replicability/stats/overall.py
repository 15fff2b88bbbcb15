r"""The overall difference: the mean over datasets of the difference of scores, with an interval.

All n datasets count alike, whatever their sizes (the macro mean). They are fixed: the interval says
how the mean would vary with other units of the same datasets, and nothing about other datasets.
With the standard error :math:`s_j` of dataset j, which has :math:`m_j` units,

=============  ====================================  ==================================
dependence     variance of the mean                  quantile
=============  ====================================  ==================================
independent    :math:`\sum_j s_j^2 / n^2`            Student's t, degrees of freedom by
                                                     Welch and Satterthwaite
shared         :math:`\sum_{jk} c_{jk} / n^2`, by    the same, where datasets that are
               unit                                  linked by units go together
unknown        at most :math:`(\sum_j s_j)^2/n^2`    of each dataset its own
=============  ====================================  ==================================

Covariances by unit are those of the jackknife: a unit that is in several datasets moves the mean by
the sum of what it moves in each (its linearised influence), and only such sums are squared. Where
nothing is known of the dependence, the inequality of Cauchy and Schwarz bounds the variance: the
standard errors add up, so that the limits are the means of the datasets' limits.

References
----------
Efron and Stein (1981), Annals of Statistics 9(3), 586-596. Satterthwaite (1946), Biometrics
Bulletin 2(6), 110-114.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import sparse, special
from scipy.sparse import csgraph

from replicability import checks
from replicability.stats import arguments
from replicability.stats.intervals import ConfidenceInterval

DEPENDENCE = ("independent", "shared", "unknown")
"""What is known of the dependence between the differences of datasets."""


@dataclass(frozen=True, eq=False)
class Covariance:
    """How the differences of datasets vary together, by the units that they share.

    Attributes
    ----------
    values : ndarray of float64, shape (n, n)
        Covariances; on the diagonal the squared standard errors.
    linked : ndarray of int64, shape (n,)
        Number of the set of datasets to which each belongs: those in different sets share nothing,
        also not by way of others.
    """

    values: np.ndarray
    linked: np.ndarray


@dataclass(frozen=True)
class Overall:
    """The mean of the differences of n datasets.

    Attributes
    ----------
    effect : float
        The mean.
    standard_error : float
        Its standard error, or a bound on it where the dependence is unknown; infinite if that of a
        dataset is.
    confidence_interval : ConfidenceInterval
        Two-sided limits.
    dependence : str
        One of `DEPENDENCE`: on what they rest.
    """

    effect: float
    standard_error: float
    confidence_interval: ConfidenceInterval
    dependence: str


def overall(
    differences,
    standard_errors,
    units,
    *,
    dependence="independent",
    covariance=None,
    confidence_level=0.95,
):
    """Average differences over datasets, each with the same weight.

    Parameters
    ----------
    differences : array_like, shape (n,)
        Difference of the scores on each dataset, A less B; finite.
    standard_errors : array_like, shape (n,)
        Standard errors of them, by units, 0 or more; infinite where one is undefined.
    units : array_like of int, shape (n,)
        Numbers of units of which the standard errors come, at least one each.
    dependence : {"independent", "shared", "unknown"}
        What is known of the dependence between the datasets.
    covariance : Covariance, optional
        Needed with "shared", and only there.
    confidence_level : float, default 0.95
        Level of the interval, in (0, 1).

    Returns
    -------
    Overall
        The mean with its interval, which for one dataset is Student's t interval of that dataset.

    Raises
    ------
    InputError
        If a value is not as described, or shapes differ.

    Notes
    -----
    Valid where each difference is close to normal or there are many datasets, and its standard
    error comes from independent units. For independent datasets coverage is close to nominal from
    some ten units each; few units whose differences are zero but for rare ones make it smaller. For
    datasets of unknown dependence it is at least nominal, and near 1 if they are independent.

    The result does not depend on the order of the datasets.

    Examples
    --------
    >>> found = overall([0.02, 0.04, -0.01], [0.01, 0.02, 0.01], [200, 150, 300])
    >>> round(found.effect, 6), round(found.standard_error, 6)
    (0.016667, 0.008165)
    >>> bounded = overall([0.02, 0.04, -0.01], [0.01, 0.02, 0.01], [200, 150, 300],
    ...                   dependence="unknown")
    >>> round(bounded.standard_error, 6)
    0.013333
    """
    level = checks.confidence_level(confidence_level)
    checks.choice("dependence", dependence, DEPENDENCE)
    d, s, m = _checked(differences, standard_errors, units)
    if (covariance is not None) != (dependence == "shared"):
        raise checks.InputError(
            "The dependence 'shared' needs a covariance by units, and no other dependence has one; "
            f"it is {dependence!r}, {'without' if covariance is None else 'with'} one."
        )
    n, upper = len(d), 0.5 + level / 2
    effect = math.fsum(d) / n
    if not np.isfinite(s).all():
        error = width = math.inf
    elif dependence == "unknown":
        error = math.fsum(s) / n
        width = math.fsum(s * _quantile(m - 1, upper)) / n
    else:
        variances, freedom = s**2, m - 1
        if dependence == "shared":
            variances, freedom = _linked(covariance, s, m)
        error = math.sqrt(max(math.fsum(variances), 0)) / n
        width = error * _quantile(_satterthwaite(variances, freedom), upper) if error else 0.0
    interval = ConfidenceInterval(effect - width, effect + width, level)
    return Overall(effect, error, interval, dependence)


def covariance(influences):
    """Return the covariances of differences whose datasets share units.

    Parameters
    ----------
    influences : sparse array or array_like, shape (u, n)
        How each unit moves the difference of each dataset, as `paired.Difference` has it: squares
        of a column add up to the squared standard error. 0 where a dataset has no such unit.

    Returns
    -------
    Covariance
        Sums of products by unit.

    Raises
    ------
    InputError
        If influences are not finite, or not those of units in rows and datasets in columns.

    Examples
    --------
    >>> covariance([[1.0, 2.0, 0.0], [1.0, 0.0, 3.0], [0, 0, 0]]).values.tolist()
    [[2.0, 2.0, 3.0], [2.0, 4.0, 0.0], [3.0, 0.0, 9.0]]
    >>> covariance([[1.0, 2.0, 0.0], [0, 0, 3.0]]).linked.tolist()
    [0, 0, 1]
    """
    if np.ndim(influences) != 2 or 0 in np.shape(influences):
        raise checks.InputError(
            f"influences have the shape {np.shape(influences)}; pass units in rows and datasets in "
            "columns."
        )
    by_unit = sparse.csr_array(influences, dtype=float)
    if not np.isfinite(by_unit.data).all():
        raise checks.InputError(
            "An influence is not finite; leave out datasets whose difference has no standard error."
        )
    products = (by_unit.T @ by_unit).toarray()
    occurs = abs(by_unit).sign()
    _, linked = csgraph.connected_components(occurs.T @ occurs, directed=False)
    return Covariance((products + products.T) / 2, linked)


def _checked(differences, standard_errors, units):
    """Return differences, standard errors and numbers of units, one of each for a dataset."""
    d = arguments.numbers("differences", differences)
    s = arguments.floats("standard_errors", standard_errors, "standard_errors must be numbers.")
    m = arguments.numbers("units", units)
    if not d.shape == s.shape == m.shape == (d.size,) or not d.size:
        raise checks.InputError(
            f"differences, standard_errors and units have the shapes {d.shape}, {s.shape} and "
            f"{m.shape}; pass one of each for every dataset."
        )
    if not (s >= 0).all():
        raise checks.InputError(
            f"A standard error is {s[~(s >= 0)][0]:g}; it is 0 or more, or infinite where there is "
            "none."
        )
    if not (m >= 1).all() or (m != np.rint(m)).any():
        raise checks.InputError("A number of units is not whole or below 1; count them.")
    return d, np.where(m == 1, math.inf, s), m


def _linked(covariance, s, m):
    """Return the variances of the sums over linked datasets, and their degrees of freedom."""
    values, linked = covariance.values, covariance.linked
    if values.shape != (len(s),) * 2 or not np.allclose(np.diag(values), s**2, rtol=1e-6):
        raise checks.InputError(
            "The covariance is not that of these datasets: its diagonal holds other standard "
            "errors; make it of the same units, in the same order of datasets."
        )
    sets = [np.flatnonzero(linked == number) for number in np.unique(linked)]
    variances = [max(math.fsum(values[np.ix_(chosen, chosen)].ravel()), 0.0) for chosen in sets]
    return np.array(variances), np.array([m[chosen].min() - 1 for chosen in sets])


def _satterthwaite(variances, freedom):
    """Return the degrees of freedom of a sum of variances, of which one is above 0."""
    shares = variances / math.fsum(variances)
    return 1 / math.fsum(shares**2 / freedom)


def _quantile(freedom, probability):
    return special.stdtrit(freedom, probability)
