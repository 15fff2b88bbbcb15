r"""Measures of dependence: of matched differences, and of the items of one unit.

Two datasets are independent if nothing links their items. Where an item occurs in both, the
correlation of its two differences shows whether it links them. Items of one passage are independent
if the passage says nothing about their differences; the intraclass correlation shows whether it
does. Both are zero on average if items are permuted within their datasets, whatever the scores, and
the first moments of these permutations are known exactly: no resamples are drawn.

==========================  ====================================  ===============================
function                    what is permuted                      exact moments
==========================  ====================================  ===============================
`matched_correlation`       items of each dataset                 mean, variance; third (all items
                                                                  in all datasets)
`intraclass_correlation`    items over the units of a dataset     mean, variance
==========================  ====================================  ===============================

A sum of squares is skewed, the more so the fewer items there are, and a few large differences have
long tails. A ratio of an estimate to its standard error is therefore turned into a normal deviate:
by Wilson and Hilferty's cube root for the skewness, by Student's t for tails that are left.

References
----------
Pitman (1937), Supplement to the Journal of the Royal Statistical Society 4(2), 225-232, for the
moments of a correlation. Welch (1937), Biometrika 29, 21-52, for the analysis of variance. Wilson
and Hilferty (1931), PNAS 17(12), 684-688. Ridout, Demetrio and Firth (1999), Biometrics 55(1),
137-148, for the estimator. Kish (1965), Survey Sampling, for the design effect.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse, special

from replicability import checks
from replicability.stats import arguments

FEWEST = 4
"""Minimum number of items, shared or per dataset, for measuring dependence."""

CHUNK_CELLS = 2**20
"""Number of cells of differences multiplied at a time."""

CONSTANT = 1e-9
"""Relative size below which a standard deviation is attributed to rounding."""


@dataclass(frozen=True)
class Pair:
    """The correlation of the matched differences of two datasets.

    Attributes
    ----------
    datasets : tuple of int
        Places of the two, from 0.
    correlation, standard_error : float
        Pearson's correlation over the items that both have; its standard error under independence.
    deviate : float
        As in `MatchedCorrelation`, after Bonferroni's correction for all pairs; 0 or more.
    """

    datasets: tuple
    correlation: float
    standard_error: float
    deviate: float


@dataclass(frozen=True)
class MatchedCorrelation:
    """The average correlation of matched differences over pairs of datasets.

    Attributes
    ----------
    correlation : float
        Average of Pearson's correlations, each weighted by its number of items less one.
    standard_error : float
        Its standard error if the datasets are independent.
    deviate : float
        Standard normal if the datasets are independent: the average over its standard error,
        corrected for skewness and tails.
    n_items : int
        Items that occur in two datasets or more.
    n_pairs : int
        Pairs of datasets that share items on which both differ.
    largest : Pair
        The pair with the largest deviate.
    """

    correlation: float
    standard_error: float
    deviate: float
    n_items: int
    n_pairs: int
    largest: Pair


@dataclass(frozen=True)
class IntraclassCorrelation:
    """How alike the differences of one unit are, compared with those of different units.

    Attributes
    ----------
    correlation : float
        The estimate from the analysis of variance, at most 1.
    standard_error : float
        Its standard error if items are independent of their units.
    deviate : float
        Standard normal then: the sum of squares between units, standardised and corrected for
        skewness.
    n_items, n_units : int
        What was measured, over all datasets.
    size : float
        Items that the unit of an item has, on average.
    """

    correlation: float
    standard_error: float
    deviate: float
    n_items: int
    n_units: int
    size: float

    @property
    def design_effect(self):
        """How many times larger the variance of a mean is than that of as many single items."""
        return 1 + (self.size - 1) * self.correlation


def matched_correlation(differences):
    r"""Average the correlations of matched differences over all pairs of datasets.

    `differences` (array_like or sparse matrix, shape (u, n)): score of A minus score of B of each
    item on each dataset, or how each item moves their difference; NaN, or nothing in a sparse
    matrix, where a dataset lacks the item.

    Returns MatchedCorrelation or None. None if no two datasets share `FEWEST` items on which both
    differ.

    Raises `InputError`: if differences are infinite, not numbers, or not a matrix.

    Notes
    -----
    Valid if the items of a dataset are exchangeable, whatever their differences: then the
    correlation :math:`r_{jk}` of two independent datasets with :math:`n_{jk}` items in common has
    mean 0 and variance :math:`1/(n_{jk} - 1)`. No two pairs of datasets are correlated, since the
    mean over the permutations of one dataset is 0 whatever the order of the others. So the average
    with the weights :math:`n_{jk} - 1` has the standard error
    :math:`[\sum (n_{jk} - 1)]^{-1/2}`, exactly. Its third moment adds those of the pairs (Pitman
    1937) to :math:`6/(n - 1)^2` for each three datasets, an approximation where three do not share
    all their items.

    The deviate exceeds 3 in absolute value in .1 to .4% of simulated families of independent
    datasets (normal: .27%), where the ratio itself does in up to 2%: 10 to 250 items, 2 to 30
    datasets, bell-shaped, tied, rare, skewed or long-tailed differences.

    Examples
    --------
    >>> found = matched_correlation([[1, 1], [0, 1], [-1, -1], [0, 0], [1, 0], [-1, -1]])
    >>> round(found.correlation, 3), round(found.standard_error, 3), found.n_items
    (0.75, 0.447, 6)
    """
    matrix = _standardised(_matrix(differences))
    matrix = matrix[np.diff(matrix.indptr) > 1]
    if not matrix.nnz:
        return None
    shared, powers, products = _sums(matrix)
    with np.errstate(invalid="ignore", divide="ignore"):
        correlations, *moments = _of_pairs(shared, powers, products)
    measured = np.triu((shared >= FEWEST) & np.isfinite(correlations), 1)
    if not measured.any():
        return None
    n, r = shared[measured], correlations[measured]
    weights = n - 1
    skewness, kurtosis = (moment[measured] for moment in moments)
    third = (n - 2) / (n * weights**0.5) * skewness
    fourth = 3 * weights**2 / (n**2 - 1) - 3 + (n - 2) * (n - 3) / (n * (n**2 - 1)) * kurtosis
    total = weights.sum()
    per_item = np.diff(matrix.indptr)
    triangles = special.comb(per_item, 3).sum() * (1 - 1 / len(per_item))
    of_pairs = (weights**1.5 * third).sum() / total**1.5
    tails = (weights**2 * fourth).sum() / total**2 - 1.5 * of_pairs**2
    average = (weights * r).sum() / total
    deviate = _deviates(average * total**0.5, of_pairs + 6 * triangles / total**1.5, tails)
    alone = _deviates(r * weights**0.5, third, fourth - 1.5 * third**2)
    at = int(alone.argmax())
    jointly = min(special.log_ndtr(-alone[at]) + np.log(len(r)), np.log(0.5))
    places = tuple(int(place[at]) for place in np.nonzero(measured))
    largest = Pair(
        places, float(r[at]), float(weights[at] ** -0.5), float(abs(special.ndtri_exp(jointly)))
    )
    error = float(total**-0.5)
    return MatchedCorrelation(float(average), error, float(deviate), len(per_item), len(r), largest)


def intraclass_correlation(differences, units, datasets=None):
    r"""Measure how alike the differences of one unit are, over all datasets together.

    `differences` (array_like, shape (m,)): score of A minus score of B of each item, or how each
    item moves their difference. `units` (array_like, shape (m,)): the unit of each item, such as
    its passage; one value in two datasets is two units. `datasets` (array_like, shape (m,)): the
    dataset of each item; by default there is one.

    Returns IntraclassCorrelation or None. Of the datasets with `FEWEST` items and more, two units
    and more, and a unit with two items and more, if differences vary; None if there is no such
    dataset.

    Raises `InputError`: if differences are not finite, or the lengths differ.

    Notes
    -----
    The estimate is :math:`(B - W)/(B + (m_0 - 1) W)` for the mean squares B between and W within
    units, of differences that are divided by their standard deviation on each dataset, where
    :math:`m_0` is the size of a unit, corrected for unequal ones (Ridout et al. 1999). The variance
    of the sum of squares between units is that of permutations of the items over the places,

    .. math:: k_4 (\sum 1/m_g - k^2/n) + 2 (k - 1)(n - k) k_{22}/(n - 1)

    with Fisher's k-statistics, exactly, for k units of :math:`m_g` items. Its skewness is that of
    the beta distribution with the same mean and variance (Welch 1937), and the standard error is
    to first order.

    Valid as a test if items are exchangeable where units play no part. It does not tell units that
    were drawn, such as passages, from fixed parts of a dataset, such as kinds of questions: only in
    the former are items dependent.

    Examples
    --------
    >>> found = intraclass_correlation([1, 1, 0, 0, 1, 1, -1, -1], list("aabbccdd"))
    >>> found.correlation, found.design_effect, round(found.deviate, 1)
    (1.0, 2.0, 2.0)
    """
    x, homes, codes = _coded(differences, units, datasets)
    codes = _numbered(homes * (codes.max(initial=0) + 1) + codes)
    sizes = np.bincount(codes)
    of = np.zeros(len(sizes), int)
    of[codes] = homes
    n, (k2, k3, k4), x = _of_datasets(x, homes)
    squares = np.bincount(codes, x) ** 2 / sizes
    k, between, own, inverse, cubes, fourths = (
        np.bincount(of, weights, len(n))
        for weights in (
            *(None, squares, sizes**2, 1 / sizes),
            *((sizes - 1) / sizes**power for power in (2, 3)),
        )
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        between, skewness, kurtosis = between / k2, k3**2 / k2**3, k4 / k2**2
        variance = kurtosis * (inverse - k**2 / n)
        variance += 2 * (k - 1) * (n - k) * (1 - kurtosis / n) / (n + 1)
        third, fourth = 4 * cubes * skewness, 8 * fourths * kurtosis**2
    measured = (n >= FEWEST) & (k > 1) & (k < n) & (k2 > 0) & (variance > 0)
    if not measured.any():
        return None
    given = (n, k, own, between, variance, third, fourth)
    return _pooled(*(value[measured] for value in given))


def _matrix(differences):
    """Return differences as a sparse matrix, with an entry for each item that a dataset has."""
    if sparse.issparse(differences):
        matrix = sparse.csr_array(differences, dtype=float)
    else:
        values = np.asarray(differences)
        if values.ndim != 2 or values.dtype.kind not in "iufb":
            raise checks.InputError(
                f"differences has the shape {values.shape} and the type {values.dtype}; pass a "
                "matrix of numbers with one row for each item and one column for each dataset."
            )
        places = np.nonzero(~np.isnan(values.astype(float)))
        matrix = sparse.csr_array((values[places].astype(float), places), shape=values.shape)
    if not np.isfinite(matrix.data).all():
        raise checks.InputError("differences contains infinity or NaN; pass finite numbers.")
    return matrix


def _standardised(matrix):
    """Return differences less their mean, over their standard deviation; without constant ones."""
    size = matrix.shape[1]
    n = np.maximum(np.bincount(matrix.indices, minlength=size), 1)
    largest = np.zeros(size)
    np.maximum.at(largest, matrix.indices, np.abs(matrix.data))
    largest = np.where(largest > 0, largest, 1)
    values = matrix.data / largest[matrix.indices]
    values -= (np.bincount(matrix.indices, values, size) / n)[matrix.indices]
    spread = np.sqrt(np.bincount(matrix.indices, values**2, size) / n)
    kept = (spread > CONSTANT)[matrix.indices]
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))[kept]
    columns = matrix.indices[kept]
    return sparse.csr_array((values[kept] / spread[columns], (rows, columns)), shape=matrix.shape)


def _sums(matrix):
    """Return over the items that two datasets share: numbers, sums of powers, sums of products."""
    n = matrix.shape[1]
    there = sparse.csr_array(
        (np.ones_like(matrix.data), matrix.indices, matrix.indptr), shape=matrix.shape
    )
    shared, powers, products = np.zeros((n, n)), np.zeros((4, n, n)), np.zeros((n, n))
    rows = max(1, CHUNK_CELLS // n)
    for start in range(0, matrix.shape[0], rows):
        x, present = (part[start : start + rows].toarray() for part in (matrix, there))
        shared += present.T @ present
        products += x.T @ x
        power = present
        for place in powers:
            power = power * x
            place += power.T @ present
    return shared, powers, products


def _of_pairs(shared, powers, products):
    """Return correlations, and the products of skewness and of excess kurtosis of each pair."""
    n, (s1, s2, s3, s4) = shared, powers
    mean = s1 / n
    m2 = s2 - n * mean**2
    m3 = s3 - 3 * mean * s2 + 2 * n * mean**3
    m4 = s4 - 4 * mean * s3 + 6 * mean**2 * s2 - 3 * n * mean**4
    m2 = np.where(m2 > CONSTANT * s2, m2, np.nan)
    k2, k3, k4 = _k_statistics(n, m2, m3, m4)
    skewness, kurtosis = k3 / k2**1.5, k4 / k2**2
    correlations = (products - n * mean * mean.T) / np.sqrt(m2 * m2.T)
    return correlations, skewness * skewness.T, kurtosis * kurtosis.T


def _k_statistics(n, m2, m3, m4):
    """Return Fisher's k-statistics from the sums of powers of n deviations from their mean."""
    k4 = n * ((n + 1) * m4 - 3 * (n - 1) / n * m2**2) / ((n - 1) * (n - 2) * (n - 3))
    return m2 / (n - 1), n * m3 / ((n - 1) * (n - 2)), k4


def _coded(differences, units, datasets):
    """Return differences, and whole numbers for datasets and units."""
    x = arguments.numbers("differences", differences)
    datasets = np.zeros(len(x)) if datasets is None else datasets
    shapes = [np.shape(given) for given in (x, units, datasets)]
    if len(set(shapes)) != 1:
        listed = checks.listed([str(shape) for shape in shapes])
        raise checks.InputError(
            f"differences, units and datasets have the shapes {listed}; pass one unit and one "
            "dataset for each difference."
        )
    return x, _numbered(np.asarray(datasets)), _numbered(np.asarray(units))


def _numbered(values):
    """Number values, equal ones alike, from 0 on; without sorting where they are small numbers."""
    whole = values.dtype.kind in "iu" and len(values) and values.min() >= 0
    if not whole or values.max() > CHUNK_CELLS + len(values):
        return np.unique(values, return_inverse=True)[1]
    there = np.zeros(values.max() + 1, bool)
    there[values] = True
    return (np.cumsum(there) - 1)[values]


def _of_datasets(x, homes):
    """Return sizes and k-statistics of the datasets, and x less their means over the largest."""
    n = np.bincount(homes)
    x = x - (np.bincount(homes, x) / n)[homes]
    largest = np.zeros(len(n))
    np.maximum.at(largest, homes, np.abs(x))
    x = x / np.where(largest > 0, largest, 1)[homes]
    with np.errstate(invalid="ignore", divide="ignore"):
        m2, m3, m4 = (np.bincount(homes, power) for power in (x * x, x * x * x, (x * x) ** 2))
        return n, _k_statistics(n, m2, m3, m4), x


def _pooled(n, k, own, between, variance, third, fourth):
    """Estimate one correlation from the sums of squares of all datasets, of variance 1 each.

    `k` are numbers of units, `own` the sums of their squared sizes, and `between` the sums of
    squares between units, with their variance under permutations. `third` and `fourth` are what
    products of two items of a unit add to their cumulants where differences are not normal.
    """
    above, below = (k - 1).sum(), (n - k).sum()
    size = (n - own / n).sum() / above
    outer, inner = between.sum() / above, (n - 1 - between).sum() / below
    error = variance.sum() ** 0.5
    mean = (k - 1) / (n - 1)
    beta = _beta_skewness(mean, variance / (n - 1) ** 2) * variance**1.5
    of_products = third.sum() / error**3
    tails = fourth.sum() / error**4 - 1.5 * of_products**2
    skewness = beta.sum() / error**3 + of_products
    deviate = _deviates((between - (k - 1)).sum() / error, skewness, tails)
    return IntraclassCorrelation(
        float((outer - inner) / (outer + (size - 1) * inner)),
        float(error * (1 / above + 1 / below) / size),
        float(deviate),
        int(n.sum()),
        int(k.sum()),
        float(own.sum() / n.sum()),
    )


def _beta_skewness(mean, variance):
    """Return the skewness of the beta distribution with a mean and a variance."""
    both = np.maximum(mean * (1 - mean) / variance - 1, CONSTANT)
    return 2 * (1 - 2 * mean) * np.sqrt(both + 1) / ((both + 2) * np.sqrt(mean * (1 - mean)))


def _deviates(ratio, skewness, tails=0.0):
    """Turn ratios to a standard error into normal deviates that are no further from zero.

    `skewness` is theirs under the null hypothesis; `tails` is the kurtosis that a gamma
    distribution of that skewness leaves unexplained.
    """
    sign, size = np.where(ratio < 0, -1.0, 1.0), np.abs(ratio)
    skewed = np.maximum(sign * skewness, 1e-6)
    roots = 6 / skewed * (np.cbrt(1 + skewed * size / 2) - 1) + skewed / 6
    found = np.minimum(roots, size)
    df = 4 + 6 / np.maximum(tails, 1e-3)
    quantiles = -special.ndtri(special.stdtr(df, -found * np.sqrt(df / (df - 2))))
    return sign * np.where(np.asarray(tails) > 0, np.minimum(quantiles, found), found)
