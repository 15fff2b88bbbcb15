"""The corrected resampled t-test: scores on overlapping splits of the same data."""

import math
from dataclasses import replace

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats.paired import limits
from replicability.stats.paired.entry import Test
from replicability.stats.paired.pairs import scored
from replicability.stats.paired.result import less_margin, sided

NO_SPREAD = 2.0**-40
"""Share of the largest difference below which a spread is taken for rounding."""


def resampled_t(a, b, *, test_share, margin=0.0, alternative="greater", confidence_level=0.95):
    r"""Corrected resampled t-test of a mean over random splits of the same data.

    Parameters
    ----------
    a, b : array_like, shape (J,)
        One score per split, on at least two splits.
    test_share : float
        Share of the data in the test part of a split, in (0, 1): 0.1 in ten-fold cross-validation.
    margin, alternative, confidence_level
        As for `wilcoxon`.

    Returns
    -------
    Result
        The statistic is t with J - 1 degrees of freedom, the interval Student's with the corrected
        variance. If the difference is the same on every split, there is no variance to compare
        with: the p-value is 1, and the interval is what so few independent splits allow.

    Raises
    ------
    InputError
        As `wilcoxon`; if there are fewer than two splits, or the share is not in (0, 1).

    Notes
    -----
    Splits share training and test items, so :math:`s^2 / J` underestimates the variance of the
    mean. The test replaces 1/J by :math:`1/J + n_{test}/n_{train}` (Nadeau and Bengio 2003, Section
    3), as if two splits were correlated by the share of the test part. The true correlation depends
    on the learner. In our simulations (`data/simulations/repeats.csv`) the test kept its level
    where `keeps_level` says so. With smaller, overlapping test parts it rejected in up to 9% of
    studies instead of 5%, for the nearest neighbour.

    Repeated k-fold cross-validation uses the same test with a share of 1/k (Bouckaert and Frank
    2004), and 5x2 cross-validation with 1/2 and its ten splits. Alpaydin's F test has no one-sided
    p-value. The null hypothesis is about systems trained on samples of this size.

    References
    ----------
    Nadeau and Bengio (2003), Machine Learning 52, 239-281.
    Bouckaert and Frank (2004), PAKDD, LNCS 3056, 3-12.

    Examples
    --------
    >>> round(resampled_t([0.8, 0.7, 0.9, 0.8], [0.5, 0.6, 0.7, 0.6], test_share=1 / 9).pvalue, 4)
    0.014
    """
    checks.alternative(alternative)
    confidence_level = checks.confidence_level(confidence_level)
    margin = checks.finite("margin", margin)
    pairs = scored("resampled_t", a, b)
    factor = math.sqrt(variance_factor(pairs.n, test_share))
    t, error = map(float, _studentised(pairs.scores[0] - pairs.scores[1], factor, margin))
    n, side = pairs.n, {"greater": -t, "less": t, "two-sided": -abs(t)}[alternative]
    p = sided(float(special.stdtr(n - 1, side)), alternative, t) if error else 1.0
    how = f"corrected t with {n - 1} degrees of freedom, test share {test_share:.4g}"
    how = how if error else f"{how}; 1, because the difference is the same on every split"
    how = less_margin(how, margin)
    result = pairs.result("resampled_t", t, p, alternative, confidence_level, how)
    if error:
        width = error * float(special.stdtrit(n - 1, 0.5 + confidence_level / 2))
        interval = limits.around(pairs, width, width, confidence_level)
    else:
        interval = limits.without_spread(pairs, factor**-2, confidence_level)
    return replace(result, confidence_interval=interval)


def variance_factor(n, test_share):
    """Return the corrected factor of the variance, in which 1/n is too small.

    Parameters
    ----------
    n : int
        Number of splits, at least 2.
    test_share : float
        Share of the data in the test part, in (0, 1).

    Returns
    -------
    float
        1/n + test_share / (1 - test_share).

    Raises
    ------
    InputError
        If there are fewer than two splits, or the share is not in (0, 1).

    Examples
    --------
    >>> variance_factor(4, 0.5)
    1.25
    """
    if n < 2:
        raise checks.InputError(
            "There is one split, which shows no variance; give the scores of at least two."
        )
    share = checks.finite("test_share", test_share)
    if not 0 < share < 1:
        raise checks.InputError(
            f"test_share is {share:g}, but a share of the data lies strictly between 0 and 1, such "
            "as 0.1 in ten-fold cross-validation."
        )
    return 1 / n + share / (1 - share)


def keeps_level(n, test_share):
    """Say whether the test kept its level in our simulations for all learners.

    Parameters
    ----------
    n : int
        Number of splits.
    test_share : float
        Share of the data in the test part.

    Returns
    -------
    bool
        True for a single cross-validation, whose test parts do not overlap, and for test parts of
        half of the data or more.

    Examples
    --------
    >>> keeps_level(10, 0.1), keeps_level(100, 0.1), keeps_level(30, 0.5)
    (True, False, True)
    """
    return test_share >= 0.5 or n * test_share <= 1 + 1e-9


def _studentised(differences, factor, margin=0.0):
    """Return t and the standard error over the last axis; both are 0 without a variance.

    Sums are the same in any order of the splits, and with the systems swapped.
    """
    values = np.sort(differences, axis=-1) - margin
    largest, n = np.abs(values).max(axis=-1), values.shape[-1]
    values = values / np.where(largest > 0, largest, 1)[..., None]
    mean = (values + values[..., ::-1]).sum(axis=-1) / 2 / n
    squares = (values - mean[..., None]) ** 2
    spread = np.sqrt((squares + squares[..., ::-1]).sum(axis=-1) / 2 / (n - 1))
    error = np.where(spread > NO_SPREAD, factor * spread, 0.0)
    return np.divide(mean, error, out=np.zeros_like(mean), where=error > 0), largest * error


def _matrix(scores, *, test_share):
    """Return the p-values of all ordered pairs."""
    factor = math.sqrt(variance_factor(scores.shape[1], test_share))
    found = np.ones((len(scores),) * 2)
    for own, row in zip(scores, found, strict=True):
        t, error = _studentised(own - scores, factor)
        row[error > 0] = special.stdtr(scores.shape[1] - 1, -t[error > 0])
    return found


TESTS = (
    Test(
        resampled_t,
        title="the corrected resampled t-test",
        takes="scores",
        metrics="scores of whole splits, such as accuracies of cross-validation folds",
        pvalue="approximate, by Student's t with a corrected variance",
        valid_under="the rows are random splits of the same data, and two splits are correlated "
        "by no more than the share of their test parts",
        use="each row is a resample or a cross-validation fold, and rows share their items",
        margin="asymptotic",
        margin_note="as without a margin",
        matrix=_matrix,
    ),
)
"""The test of this module, for `registry.TESTS`."""
