"""How likely is a significant finding to be true?

Valid if the ratio of true over null relations, the probabilities of errors and the bias are the
same in all studies, and these are independent (Ioannidis 2005, PLoS Medicine 2, e124).
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from replicability import checks


def positive_predictive_value(
    ratio: float, alpha: ArrayLike, beta: float, bias: float = 0.0
) -> Any:
    r"""Return the probability that a significant finding is true (Ioannidis 2005).

    `ratio`: R, true over null relations among those that are tested, above 0. `alpha` (float or
    array_like): probability of a false positive, in [0, 1]; arrays are allowed. `beta`: probability
    of a false negative, in (0, 1). `bias`: u, share of the analyses that would find nothing and are
    reported as findings, in [0, 1).

    Returns float or ndarray. :math:`c / (c + u + (1 - u)\alpha)` with
    :math:`c = (1 - \beta + u\beta)R`. Without bias, :math:`(1 - \beta)R / (R - \beta R + \alpha)`.

    Raises `InputError`: if an argument is out of its range.

    Examples
    --------
    >>> float(positive_predictive_value(0.1, 0.05, 0.5))
    0.5
    """
    true = _true_positives(ratio, beta, bias)
    alpha = np.asarray(alpha, float)
    if not np.all((alpha >= 0) & (alpha <= 1)):
        raise checks.InputError(f"alpha is {alpha.tolist()!r}, but must be between 0 and 1.")
    return true / (true + bias + (1 - bias) * alpha)


def cut_off(ratio: float, beta: float, target: float = 0.95, bias: float = 0.0) -> float:
    """Return the largest level at which findings are true with a given probability.

    `ratio`, `beta`, `bias`: as for `positive_predictive_value`. `target`: positive predictive value
    that is wanted, in (0, 1).

    Returns float. The level, at most 1; NaN where no level reaches the target, because of the bias
    alone.

    Raises `InputError`: if an argument is out of its range.

    Examples
    --------
    >>> round(cut_off(0.1, 0.5), 6)
    0.002632
    """
    true = _true_positives(ratio, beta, bias)
    target = checks.confidence_level(target, "target")
    alpha = (true * (1 - target) / target - bias) / (1 - bias)
    return min(alpha, 1.0) if alpha > 0 else float("nan")


def share_of_positives(ratio: float, alpha: Any, beta: float, bias: float = 0.0) -> Any:
    r"""Return the share of all tested relations that are reported as findings.

    `ratio`, `alpha`, `beta`, `bias`: as for `positive_predictive_value`.

    Returns float. :math:`(c + u + (1 - u)\alpha) / (R + 1)`: the chance of a true relation is R /
    (R + 1).

    Raises `InputError`: if an argument is out of its range.

    Examples
    --------
    >>> round(share_of_positives(0.1, 0.05, 0.5), 4)
    0.0909
    """
    true = _true_positives(ratio, beta, bias)
    return (true + bias + (1 - bias) * checks.alpha(alpha)) / (ratio + 1)


def _true_positives(ratio, beta, bias):
    """Return the expected true findings per null relation."""
    if not checks.finite("ratio", ratio) > 0:
        raise checks.InputError(
            f"ratio is {ratio!r}, but the ratio of true over null relations must be above 0."
        )
    if not 0 <= checks.finite("bias", bias) < 1:
        raise checks.InputError(f"bias is {bias!r}, but must be a share in [0, 1).")
    beta = checks.alpha(beta)
    return (1 - beta + bias * beta) * ratio
