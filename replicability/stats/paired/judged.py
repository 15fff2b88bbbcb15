"""Test of a mean of human scores, which a judge predicts for all items: few are labelled."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import arguments
from replicability.stats.intervals import ConfidenceInterval
from replicability.stats.paired.crossed import NO_SPREAD, banerjee
from replicability.stats.paired.entry import Test
from replicability.stats.paired.means import hall_t
from replicability.stats.paired.pairs import scored
from replicability.stats.paired.result import Result, direction, less_margin, sided
from replicability.stats.skewed import off_the_mode, raised, skewness

LEAST_LABELLED = 30
"""Minimum number of items with people's labels."""

LEAST_CORRECTED = 10
"""Minimum number of labels that differ from the judge's for the judge's scores to be used."""


def prediction_powered(a, b, *, margin=0.0, alternative="greater", confidence_level=0.95):
    r"""Test a mean difference by human scores of some items and a judge's scores of all.

    Parameters
    ----------
    a, b : array_like, shape (n, 2)
        For each item the judge's score and people's; NaN where people scored neither system.
    margin, alternative, confidence_level
        As for `wilcoxon`.

    Returns
    -------
    Result
        The effect is the difference by human judgement, the statistic the effect less the margin
        over its standard error. Wins, ties and losses are the judge's. If no score varies, the
        p-value is 1 and the interval infinite.

    Raises
    ------
    InputError
        As `wilcoxon`; if people scored fewer than `LEAST_LABELLED` items, or one system only.

    Notes
    -----
    Prediction-powered inference for the difference of an item (Angelopoulos et al. 2023), with a
    weight of the judge that makes the variance least (PPI++): with the judge's difference
    :math:`f` and people's :math:`y`, n labelled items and N others, the effect is
    :math:`\bar\lambda \bar f_N + \overline{(y_i - \lambda_i f_i)}_n`. It is right however biased
    the judge is, **if the labelled items are a random sample of all items.**

    The authors use one weight for all items, and the normal law. That rejects in up to 12% of
    simulated studies at level 5% if scores are skewed and 30 items are labelled. Here the weight of
    an item is estimated from the others, so that the effect has no bias. The two means have their
    own degrees of freedom (Banerjee 1960), and t is corrected for skewness as in
    `mean_difference`. If people correct the judge on fewer than `LEAST_CORRECTED` labelled items,
    its bias is not known well enough, and human scores are tested alone. They are, too, if all
    items are labelled or the judge's scores do not vary. Sizes and powers are in
    `data/simulations/judged.csv`.

    **Losses that are large and rare need more labels**: if A loses much on one item in 20, 30
    labels show none of these losses in 21% of samples, and no test of their mean can see them.

    References
    ----------
    Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), Science 382, 669-674.
    Angelopoulos, Duchi and Zrnic (2023), PPI++, arXiv:2311.01453.
    Banerjee (1960), Sankhya 22, 351-358.

    Examples
    --------
    >>> people = [0, 1, 1] * 10 + [math.nan] * 60
    >>> a, b = [[1, y] for y in people], [[k % 2, 0 * y] for k, y in enumerate(people)]
    >>> round(prediction_powered(a, b).effect, 3)
    0.667
    """
    checks.alternative(alternative)
    confidence_level = checks.confidence_level(confidence_level)
    margin = checks.finite("margin", margin)
    both = _scores("A", a), _scores("B", b)
    fit = _fit(*both)
    t, excess = 0.0, fit.effect - margin
    largest = max(float(np.nanmax(np.abs(side))) for side in both)
    how = f"{fit.how}; p = 1 because no score varies"
    one, width = 1.0, math.inf
    if (error := math.sqrt(sum(fit.variances))) > NO_SPREAD * largest:
        t, how = excess / error, fit.how
        sign = direction(alternative, excess)
        one = sided(fit.pvalue(sign * t, sign), alternative, excess)
        quantiles = special.stdtrit(fit.degrees, 0.5 + confidence_level / 2)
        width = math.sqrt(sum(fit.variances * quantiles**2))
    pairs = scored("prediction_powered", both[0][:, 0], both[1][:, 0])
    return Result(
        "prediction_powered",
        t,
        one,
        alternative,
        fit.effect,
        ConfidenceInterval(fit.effect - width, fit.effect + width, confidence_level),
        len(both[0]),
        less_margin(how, margin),
        0.0,
        pairs.wins,
        pairs.n - pairs.wins - pairs.losses,
        pairs.losses,
        fit.scores,
    )


@dataclass(frozen=True)
class Fit:
    """The effect by human judgement, and what it owes to labelled items and to others.

    Attributes
    ----------
    scores : tuple of float
        Of A and of B.
    weight : float
        Of the judge, in [0, 1].
    variances, degrees : ndarray of float64
        Variance of the effect by the labelled items, and by the others if the judge has a weight;
        and their degrees of freedom.
    skew : tuple of float
        Skewness of the items' influences, as estimated and raised for few labelled items.
    n, labelled : int
        Number of items, and of those that people scored.
    why : str
        Why the judge has no weight; "" if it has one.
    """

    scores: tuple
    weight: float
    variances: np.ndarray
    degrees: np.ndarray
    skew: tuple
    n: int
    labelled: int
    why: str

    @property
    def effect(self):
        """Score of A less that of B."""
        return self.scores[0] - self.scores[1]

    @property
    def how(self):
        """How the p-value is computed."""
        if self.why:
            return f"t-test of human scores of {self.labelled:,} items, because {self.why}"
        return (
            f"t over {self.labelled:,} labelled and {self.n - self.labelled:,} other items, with a "
            f"weight of {self.weight:.2f} for the judge"
        )

    def pvalue(self, t, sign):
        """Return the largest one-sided p-value of t, without and with Hall's correction."""
        found = []
        for skew in (0.0, *self.skew):
            moved = hall_t(t, sign * skew, self.n)
            p = banerjee(abs(moved) * math.sqrt(sum(self.variances)), self.variances, self.degrees)
            found.append(p if moved >= 0 else 1 - p)
        return max(found)


def _fit(a, b):
    """Estimate the effect, the weight of the judge and the variances."""
    labelled, judge, people = _labelled(a, b), a[:, 0] - b[:, 0], (a - b)[:, 1]
    n, others = int(labelled.sum()), int((~labelled).sum())
    why, weights = "", np.zeros(n)
    corrected = int(np.count_nonzero(people[labelled] != judge[labelled]))
    if others < 2:
        why = "people scored all items"
    elif np.ptp(judge) == 0:
        why = "the judge's difference does not vary"
    elif corrected < LEAST_CORRECTED:
        why = f"people corrected the judge on only {corrected} of these items"
    else:
        f, y = (_centred(values[labelled]) for values in (judge, people))
        spread = math.fsum(_centred(judge) ** 2) / (len(judge) - 1) * (1 + n / others)
        covariances = (math.fsum(f * y) - n / (n - 1) * f * y) / (n - 1)
        weights = np.clip(covariances / spread, 0.0, 1.0)
        why = (
            ""
            if weights.any()
            else ("the judge's differences do not correlate positively with people's")
        )
    weight = _mean(weights)
    parts = [people[labelled] - weights * judge[labelled], weight * judge[~labelled]]
    used = slice(1 if why else 2)
    degrees = np.array([n - (1.0 if why else 2.0), others - 1.0])[used]
    influences = [_centred(part) / len(part) for part in parts[used]]
    variances = [
        math.fsum(part**2) * len(part) / f for part, f in zip(influences, degrees, strict=True)
    ]
    together = np.concatenate(influences)
    skew = skewness(together) * math.sqrt(len(judge) / len(together))
    scores = tuple(
        _mean(side[labelled, 1] - weights * side[labelled, 0]) + weight * _mean(side[~labelled, 0])
        for side in (a, b)
    )
    return Fit(
        scores,
        weight,
        np.array(variances),
        degrees,
        (skew, raised(skew, off_the_mode(parts[0]))),
        len(judge),
        n,
        why,
    )


def judged_error(a, b):
    """Return the standard error of a difference by human judgement.

    Parameters
    ----------
    a, b
        As for `prediction_powered`.

    Returns
    -------
    float

    Raises
    ------
    InputError
        As `prediction_powered`.
    """
    return math.sqrt(sum(_fit(_scores("A", a), _scores("B", b)).variances))


def _scores(who, scores):
    """Check the judge's and human scores of a system."""
    array = np.array(scores, float) if np.size(scores) else np.zeros((0, 0))
    if array.ndim != 2 or array.shape[1] != 2:
        shape = " x ".join(map(str, array.shape))
        raise checks.InputError(
            f"System {who} has scores with the shape {shape}, but each item needs two scores, one "
            "by the judge and one by people; pass an array with these two columns."
        )
    arguments.numbers(f"the judge's scores of {who}", array[:, 0])
    arguments.numbers(f"human scores of {who}", array[~np.isnan(array[:, 1]), 1])
    return array


def _labelled(a, b):
    """Tell which items people scored, which are the same for both systems and enough."""
    if len(a) != len(b):
        raise checks.InputError(
            f"A has {len(a):,} items and B has {len(b):,}, but both systems need the same items; "
            "give each item a score for A and a score for B."
        )
    of_a, of_b = ~np.isnan(a[:, 1]), ~np.isnan(b[:, 1])
    alone = np.count_nonzero(of_a != of_b)
    if alone:
        raise checks.InputError(
            f"People scored only one of the systems on {alone:,} of {len(a):,} items; give human "
            "scores for both systems on these items, or for neither system."
        )
    n = int(of_a.sum())
    if n < LEAST_LABELLED:
        raise checks.InputError(
            f"People scored {n:,} of {len(a):,} items, but to correct a judge they must score at "
            f"least {LEAST_LABELLED}, drawn at random; have people score more items, or compare "
            "only the judge's scores."
        )
    return of_a


def _mean(values):
    """Average, the same in any order; 0 of nothing."""
    return math.fsum(values) / max(len(values), 1)


def _centred(values):
    return values - _mean(values)


TESTS = (
    Test(
        prediction_powered,
        title="the prediction-powered t-test",
        takes="judged",
        metrics="a judge's score for each item, and human scores for some items",
        pvalue="approximate",
        valid_under="the items that people scored are a random sample of all items",
        use="people scored some of the items, and their scores correct the judge's scores of all "
        "items",
        margin="asymptotic",
        margin_note="the assumptions are the same as without a margin",
    ),
)
"""The test of this module, for `registry.TESTS`."""
