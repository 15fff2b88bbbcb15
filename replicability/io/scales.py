"""Whether the scores of systems can be on one scale, of which a higher value is better.

A metric of which a lower value is better is known by its name; scores of two files in different
units, or of which one is turned round, by the values that each system has over all datasets.
"""

import re
from dataclasses import dataclass

import numpy as np

from replicability import checks
from replicability.checks import InputError

# fmt: off
LOWER_IS_BETTER = frozenset({
    "bpb", "bpc", "bpw", "brier", "cer", "crps", "deletions", "distance", "divergence", "ece",
    "eer", "entropy", "error", "errors", "fid", "fpr", "fvd", "hallucination", "hallucinations",
    "hter", "insertions", "latency", "logloss", "loss", "lpips", "mae", "mape", "mase", "mcd",
    "mse", "msle", "nll", "nrmse", "perplexity", "ppl", "regret", "rmsd", "rmse", "smape",
    "substitutions", "surprisal", "ter", "toxicity", "violations", "wer",
})
"""Words in the name of a metric whose lower values are better."""

ALONE = frozenset(
    {"cost", "der", "err", "mer", "per", "runtime", "seconds", "ser", "time", "ttft", "wil"}
)
"""Words that, without others, name a metric whose lower values are better."""

TURNED = frozenset({
    "acc", "accuracy", "correct", "correction", "corrected", "detection", "f1", "free", "inverse",
    "minus", "neg", "negated", "negative", "precision", "recall", "reduction", "right",
})
"""Words that reverse the direction again, such as in "negative loss"."""
# fmt: on

LOWER_PHRASES = (
    *("bits per", "cross entropy", "negative log likelihood", "negative loglikelihood"),
    *("neg log likelihood", "neg loglikelihood", "equal error rate", "word error rate"),
)
"""Such names of several words."""

FACTOR = 10
"""Ratio of scores above which two systems are considered to have different units."""

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def lower_is_better(name):
    """Tell whether a name is that of a metric of which a lower value is better.

    `name`: name of a metric, a column or a score, in any case; a unit may stand beside it.

    Returns bool. Whether one of its words is in `LOWER_IS_BETTER`, its only word is in `ALONE`, or
    it has one of `LOWER_PHRASES`, and none of the other words is in `TURNED`.

    Examples
    --------
    >>> [lower_is_better(name) for name in ("word_perplexity", "WER (%)", "evalLoss", "neg_loss")]
    [True, True, True, False]
    """
    words = re.findall(r"[a-z0-9]+", _CAMEL.sub(" ", name).casefold())
    text = " ".join(words)
    for phrase in LOWER_PHRASES:
        if phrase in text:
            return not TURNED & set(text.replace(phrase, "").split())
    return text in ALONE or (bool(LOWER_IS_BETTER & set(words)) and not TURNED & set(words))


def of_systems(headers):
    """Return the words that the headers of the scores of all systems have.

    `headers` (sequence of str): headers of columns, such as "wer_ours" and "wer_base".

    Returns str. Such as "wer"; "" if they have no word in common.
    """
    words = [re.findall(r"[a-z0-9]+", _CAMEL.sub(" ", header).casefold()) for header in headers]
    return " ".join(word for word in words[0] if all(word in other for other in words[1:]))


class LowerIsBetter(InputError):
    """A metric of which a lower value is better by its name, and nobody says so."""


def refuse_lower(place, name, declared=None):
    """Refuse a metric of which a lower value is better, by its name, if nobody says so.

    `place`: where it is named, for the message. `name`: as in `lower_is_better`. `declared`:
    whether a higher value is declared to be better.

    Raises `LowerIsBetter`: if it is one, and nothing is declared.
    """
    if declared is None and lower_is_better(name):
        raise LowerIsBetter(
            f"{place}: the name suggests that a lower {name!r} is better; declare this with "
            f"{checks.given('higher_is_better', 'False')}, or, if a higher one is better, write "
            f"{checks.given('higher_is_better', 'True')}."
        )


@dataclass(frozen=True)
class _Range:
    """What the scores of a system are like."""

    low: float
    high: float
    binary: bool
    whole: bool
    signs: bool
    typical: float
    mean: float


@np.errstate(over="ignore")
def _range(scores):
    positive = scores[scores > 0]
    return _Range(
        low=float(scores.min()),
        high=float(scores.max()),
        binary=bool(np.isin(scores, (0, 1)).all()),
        whole=bool((scores == np.rint(scores)).all()),
        signs=bool(np.isin(scores, (-1, 1)).all()),
        typical=float(np.median(positive)) if positive.size else 0.0,
        mean=float(scores.mean()),
    )


def refuse_units(systems, scores):
    """Refuse scores of which one system's are shares and another's per cent, or another multiple.

    `systems`: sequence of str. `scores` (sequence of ndarray of float64, shape (n,)): scores of
    each, on the same items.

    Raises `InputError`: if those of one system lie in [0, 1] and are not all 0, and those of
    another, none of which is negative, are at least `FACTOR` in the middle of those that are not 0,
    or reach it and have more than twice `FACTOR` times the mean.
    """
    if max(side.max() for side in scores) < FACTOR:
        return
    ranges = [_range(side) for side in scores]
    for share, low in zip(systems, ranges, strict=True):
        if low.low < 0 or not 0 < low.high <= 1:
            continue
        for cent, high in zip(systems, ranges, strict=True):
            if high.low < 0 or high.high < FACTOR:
                continue
            if high.typical >= FACTOR or high.mean > 2 * FACTOR * low.mean:
                raise InputError(
                    f"The scores of {share} lie in [0, 1], but those of {cent} reach "
                    f"{high.high:g}; score both systems on the same scale."
                )


def refuse_different(systems, scores):
    """Refuse scores that cannot be of one metric, by all values that the systems have.

    `systems`, `scores`: as in `refuse_units`, of all datasets together; of scores with sizes, the
    numerators.

    Raises `InputError`: if no score of one system is negative and none of another positive; those
    of one are 0 and 1, and those of another -1 and 1, or numbers beyond 1 that are not whole; or
    those of one are shares in [0, 1], and those of another whole numbers beyond 1.
    """
    ranges = [_range(side) for side in scores]
    for one, first in zip(systems, ranges, strict=True):
        for other, second in zip(systems, ranges, strict=True):
            fault = _difference(first, second)
            if fault:
                raise InputError(
                    f"The scores of {one} {fault[0]}, but those of {other} {fault[1]}; score both "
                    f"systems with the same metric{fault[2]}."
                )


def _difference(one, other):
    """Say what two systems' scores are like, and what to do, if they are not of one metric."""
    if one.low >= 0 and other.high <= 0 and one.high > 0 > other.low:
        return (
            f"are never negative (up to {one.high:g})",
            f"are never positive (down to {other.low:g})",
            " and sign (if zero has no meaning on their scale, add the same number to all scores)",
        )
    if one.binary and one.low == 0 and other.signs and other.low == -1:
        return "are 0 and 1", "are -1 and 1", ", with 0 for wrong and 1 for right"
    if one.binary and one.high == 1 and not other.whole and other.high > 1:
        return "are 0 and 1", f"are other numbers, from {other.low:g} to {other.high:g}", ""
    shares = one.low >= 0 and one.high <= 1 and not one.whole
    if shares and other.low >= 0 and other.whole and other.high > 1:
        return "are shares in [0, 1]", f"are whole numbers up to {other.high:g}", ""
    return None
