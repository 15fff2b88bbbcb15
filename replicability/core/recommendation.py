"""Which test? A test of what the sentence says, and the one that the paper chose.

A sentence about means needs a test of means. `recommend` names it, `in_the_paper` the choice of
the paper's Section 6.2:

=========  =====================================  =======================  ==================
scores     what they are, for each item           `recommend`              `in_the_paper`
=========  =====================================  =======================  ==================
binary     right or wrong                         `mcnemar`                `mcnemar`
counts     units right and units, to be summed    `mean_difference`        `paired_bootstrap`
real       a number, such as an accuracy          `mean_difference`        `wilcoxon`
ratings    similarity, beside gold ratings        `correlation_jackknife`  `steiger`
=========  =====================================  =======================  ==================

The bootstrap and Steiger's test reject too often, and Wilcoxon's test compares ranks. The tests
are in `replicability.stats.paired`; reasons and assumptions are those of their entries there.
"""

import bisect
from dataclasses import dataclass

import numpy as np
from scipy import special

from replicability import checks
from replicability.io.declared import OF_BOTH, OF_FOLDS, OF_JUDGED, OF_SPLITS
from replicability.stats import arguments, gold_ratings, paired

SCORE_KINDS = ("binary", "counts", "real", "ratings")
"""Kinds of scores: right or wrong, counts of correct units, real numbers, and ratings."""

ACCURACIES = ("accuracy", "oov_accuracy", "exact_match", "mean")
"""Metrics that average a separate accuracy of each item."""

SUMMED = (
    "uas",
    "las",
    "recall",
    "precision",
    "f1",
    "macro_f1",
    "bleu",
    "chrf",
    "chrf++",
    "neg_ter",
)
"""Metrics computed from sums over the items of a dataset."""

CORRELATIONS = ("spearman", "pearson")
"""Metrics of ratings."""

INFLATION = 1.1
"""Maximum ratio of the bootstrap's type I error rate to alpha."""


@dataclass(frozen=True)
class Recommendation:
    """A test, and why to use it.

    Attributes
    ----------
    test : str
        Its name in `paired.TESTS`.
    section : str
        Where the paper chooses it: the section and the task; "" if it does not.
    why : str
        The reason, a clause.
    assumes : str
        What the test assumes, a clause.
    """

    test: str
    section: str
    why: str
    assumes: str

    def __str__(self):
        where = f" ({self.section})" if self.section else ""
        return f"Use {self.test}, because {self.why}{where}. It assumes that {self.assumes}."


def _advice(name, section=""):
    """Recommend a test for the reason and with the assumptions that its entry has."""
    test = paired.TESTS[name]
    return Recommendation(name, section, test.use, test.valid_under)


_MCNEMAR = _advice("mcnemar", "Section 6.2, sentiment classification")
_BOOTSTRAP = _advice("paired_bootstrap", "Section 6.2, dependency parsing")
_WILCOXON = _advice("wilcoxon", "Section 6.2, POS tagging")
_STEIGER = _advice("steiger", "Section 6.2, word similarity")
_MEAN = _advice("mean_difference")
_CORRELATION = _advice("correlation_jackknife")
_CARRIES = {
    "mcnemar": (
        "exact_unconditional",
        "both systems are right or wrong on the same items, and the difference between their "
        "accuracies is compared with a margin",
    ),
}
_BY_KIND = dict(zip(SCORE_KINDS, (_MCNEMAR, _BOOTSTRAP, _WILCOXON, _STEIGER), strict=True))


def bootstrap_inflation(n_instances, alpha=0.05):
    r"""How many times as often as alpha the bootstrap rejects a true null hypothesis.

    `n_instances`: number n of items, at least 2. `alpha`: level at which the p-value is compared,
    in (0, 1).

    Returns float. Rejection rate of the one-sided bootstrap of a mean of normal differences, over
    alpha.

    Raises `InputError`: if `n_instances` is no whole number of at least 2, or alpha is outside (0,
    1).

    Notes
    -----
    The bootstrap takes the variance of the items, a sum of squares over n, for that of the
    population, and its law for normal. It is then a z-test that rejects where Student's t with
    n - 1 degrees of freedom is at least :math:`z_\alpha \sqrt{(n-1)/n}`; below about 30 items
    it rejects a little more often still. Differences that are skewed do worse.

    Examples
    --------
    >>> [round(bootstrap_inflation(n, 0.05), 2) for n in (10, 30, 100)]
    [1.53, 1.17, 1.05]
    >>> [round(bootstrap_inflation(n, 0.05 / 20), 2) for n in (10, 30, 100)]
    [5.18, 1.98, 1.25]
    """
    n, alpha = checks.at_least("n_instances", n_instances, 2), checks.alpha(alpha)
    return float(special.stdtr(n - 1, special.ndtri(alpha) * np.sqrt((n - 1) / n)) / alpha)


def few_instances(alpha=0.05):
    """Return the number of items below which the bootstrap rejects too often.

    `alpha`: level at which the p-value is compared. For n datasets it is the level of the claim
    over n, with which k-hat by Bonferroni and Holm's procedure compare the smallest p-value.

    Returns int. The least number with a `bootstrap_inflation` of at most `INFLATION`.

    Raises `InputError`: if alpha is outside (0, 1).

    Examples
    --------
    >>> few_instances(0.05), few_instances(0.05 / 20)
    (50, 244)
    """
    most = 2
    while bootstrap_inflation(most, alpha) > INFLATION:
        most *= 2
    sizes = range(2, most + 1)
    falling = bisect.bisect_left(sizes, -INFLATION, key=lambda n: -bootstrap_inflation(n, alpha))
    return sizes[falling]


def recommend(scores_kind, metric=None, *, with_margin=False):
    """Name the test of a claim about a mean, a metric or a correlation.

    `scores_kind` ({"binary", "counts", "real", "ratings"}): right or wrong on each item; units
    right and units in each, such as words of a sentence; a real number for each; ratings of
    similarity beside gold ratings. `kind_of` tells it. `metric` (str or metrics.Metric): the metric
    to compare: a metric of any name, or a name in `ACCURACIES`, `SUMMED` or `CORRELATIONS`.
    `with_margin`: whether the test has to carry a margin.

    Returns Recommendation. Test, reason and assumptions; its `str` is two sentences.

    Raises `InputError`: if the kind or the name is unknown, or the metric cannot be computed from
    such scores.

    Examples
    --------
    >>> print(recommend("binary"))  # doctest: +NORMALIZE_WHITESPACE
    Use mcnemar, because the outcomes are paired and binary: each system is either right or wrong on
    each item (Section 6.2, sentiment classification). It assumes that the items are independent.
    >>> recommend("counts", "uas").test, recommend("ratings", "spearman").test
    ('mean_difference', 'correlation_jackknife')
    """
    chosen = {_MCNEMAR: _MCNEMAR, _STEIGER: _CORRELATION}.get(
        in_the_paper(scores_kind, metric), _MEAN
    )
    if with_margin and chosen.test in _CARRIES:
        test, why = _CARRIES[chosen.test]
        entry = paired.TESTS[test]
        return Recommendation(test, "", why, entry.valid_under)
    return chosen


def in_the_paper(scores_kind, metric=None):
    """Name the test that the paper chooses for scores of a kind (Section 6.2).

    `scores_kind`, `metric`: as for `recommend`.

    Returns Recommendation. Test, reason and assumptions.

    Raises `InputError`: as `recommend`.

    Notes
    -----
    Without a metric the kind decides. Accuracies and means of sentences are tested by Wilcoxon's
    test, as the paper does for tagging: pass it right/words of each sentence. Any other metric,
    such as attachment scores, F1 and BLEU, is tested by the paired bootstrap.

    Examples
    --------
    >>> in_the_paper("counts", "uas").test, in_the_paper("real", "accuracy").test
    ('paired_bootstrap', 'wilcoxon')
    """
    checks.choice("scores_kind", scores_kind, SCORE_KINDS)
    if metric is None:
        return _BY_KIND[scores_kind]
    if isinstance(metric, str):
        checks.choice("metric", metric, (*ACCURACIES, *SUMMED, *CORRELATIONS))
    name = getattr(metric, "name", metric)
    if (name in CORRELATIONS) != (scores_kind == "ratings"):
        raise checks.InputError(
            f"The metric {name!r} cannot be used for scores of kind {scores_kind!r}; choose "
            f"{' or '.join(CORRELATIONS)} for ratings, and another metric for other scores."
        )
    if name in CORRELATIONS:
        return _STEIGER
    if name in ACCURACIES:
        return _MCNEMAR if scores_kind == "binary" else _WILCOXON
    return _BOOTSTRAP


def kind_of(a, b, gold=None):
    """Tell the kind of scores.

    `a`, `b` (array_like, shape (n,) or (n, c)): scores of the systems, or the sums of a metric for
    each item. `gold` (array_like, shape (n,)): gold ratings of the same items.

    Returns {"binary", "counts", "real", "ratings"}. "ratings" with gold ratings; "counts" for sums
    and for whole numbers not below zero that are not all 0 or 1.

    Raises `InputError`: if scores differ in length, are missing or infinite; with gold ratings,
    also if there are fewer than 4 items or the ratings of one are all equal.

    Examples
    --------
    >>> kind_of([1, 0, 1], [0, 0, 1]), kind_of([3, 0, 1], [2, 2, 1]), kind_of([0.5, 1], [1, 1])
    ('binary', 'counts', 'real')
    """
    if gold is not None:
        gold_ratings.checked(gold, a, b)
        return "ratings"
    a, b = arguments.scores("kind_of", a, b)
    scores = np.concatenate([a, b])
    if scores.ndim == 2:
        return "counts"
    if np.isin(scores, (0, 1)).all():
        return "binary"
    return "counts" if (scores >= 0).all() and (scores == np.rint(scores)).all() else "real"


def kind_of_dataset(dataset):
    """Tell the kind of the scores of a dataset, one of `SCORE_KINDS`.

    Means over runs of whole numbers, such as right and wrong, are counts over the number of runs.
    """
    if dataset.gold is not None:
        ratings = (side[:, 0] if side.ndim == 2 else side for side in (dataset.a, dataset.b))
        return kind_of(*ratings, dataset.gold)
    kind = kind_of(dataset.a, dataset.b)
    counted = kind == "real" and dataset.runs is not None and dataset.runs.whole
    return "counts" if counted else kind


def most_general(kinds):
    """Return the most general of kinds of scores: ratings, numbers, sums, or right and wrong.

    Examples
    --------
    >>> most_general({"binary", "real"}), most_general({"binary"})
    ('real', 'binary')
    """
    return next(kind for kind in ("ratings", "real", "counts", "binary") if kind in kinds)


def explain(test, scores_kind, metric=None, *, with_margin=False):
    """Say why a test is used, or what the paper uses for such scores.

    `test`: name of the test. `scores_kind`, `metric`, `with_margin`: as for `recommend`.

    Returns str. One or two sentences.

    Examples
    --------
    >>> explain("sign_test", "real")
    'Test: sign_test, as requested; for such scores, the paper uses wilcoxon.'
    """
    paper = in_the_paper(scores_kind, metric)
    if test in (OF_SPLITS, *OF_FOLDS, *OF_BOTH, OF_JUDGED):
        entry = paired.lookup(test)
        return f"Test: {test}, because {entry.use}. It assumes that {entry.valid_under}."
    for choice in (recommend(scores_kind, metric, with_margin=with_margin), paper):
        if test == choice.test:
            where = f" ({choice.section})" if choice.section else ""
            return f"Test: {test}, because {choice.why}{where}. It assumes that {choice.assumes}."
    return f"Test: {test}, as requested; for such scores, the paper uses {paper.test}."
