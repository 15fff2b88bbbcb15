"""The corrected t-test of a mean over random splits of the same data."""

import numpy as np
from scipy import stats

from replicability import checks
from replicability.checks import InputError
from replicability.stats import arguments


def resampled_t(differences, ratio):
    r"""Test the mean difference over random splits by the corrected resampled t-test.

    `differences`: difference of accuracies on each of J random splits, at least two. `ratio`: test
    instances per training instance of a split, above 0.

    Returns float. Two-sided p-value of "the mean over all such splits is 0"; 1 if no split shows a
    difference.

    Raises `InputError`: if there are fewer than two differences, one is not finite, or the ratio is
    not above 0.

    Notes
    -----
    :math:`t = \bar d / \sqrt{(1/J + n_{test}/n_{train}) s^2}` with J - 1 degrees of freedom (Nadeau
    and Bengio 2003, Section 3): splits share sentences, so that :math:`s^2 / J` alone is too small
    a variance of the mean. The correction is a heuristic: it takes the correlation of two splits to
    be the share of the test part, n_test / (n_test + n_train).

    Examples
    --------
    >>> round(resampled_t([0.3, 0.1, 0.2, 0.2], ratio=1 / 8), 4)
    0.028
    """
    differences = arguments.vector("differences", differences)
    if len(differences) < 2:
        raise InputError("There is one difference; its variance needs at least two splits.")
    if not checks.finite("ratio", ratio) > 0:
        raise InputError(f"ratio is {ratio!r}; it is a number of test over training, above 0.")
    mean, count = differences.mean(), len(differences)
    if not differences.any():
        return 1.0
    error = np.sqrt((1 / count + ratio) * differences.var(ddof=1))
    t = np.abs(mean) / error if error else np.inf
    return float(2 * stats.t.sf(t, count - 1))
