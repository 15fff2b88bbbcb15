"""Which test? The choices of the paper's Section 6.2, with reason and assumptions.

=========  =======================================  ==================  ========================
scores     what they are, for each instance         test                in the paper
=========  =======================================  ==================  ========================
binary     right or wrong                           `mcnemar`           sentiment classification
counts     units right and units, to be summed      `paired_bootstrap`  dependency parsing
real       a number, such as a sentence's accuracy  `wilcoxon`          POS tagging
ratings    similarity, beside gold ratings          `steiger`           word similarity
=========  =======================================  ==================  ========================

One choice is not the paper's: where instances are few for the level at which p-values are compared
(`few_instances`), `sign_flip` takes the place of the bootstrap.

The tests themselves are in `replicability.stats.paired`, under the same names; reasons and
assumptions are those of their entries there.
"""

import bisect
from dataclasses import dataclass

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import arguments, gold_ratings, paired

SCORE_KINDS = ("binary", "counts", "real", "ratings")
"""Kinds of scores, as right or wrong, units right of units, real numbers, and similarity."""

ACCURACIES = ("accuracy", "oov_accuracy", "exact_match", "mean")
"""Metrics that are a mean of accuracies, in which each instance has its own."""

SUMMED = ("uas", "las", "recall", "precision", "f1", "bleu", "chrf", "chrf++", "neg_ter")
"""Metrics that are computed from sums over a dataset."""

CORRELATIONS = ("spearman", "pearson")
"""Metrics of ratings."""

INFLATION = 1.1
"""The bootstrap is recommended if it rejects a true hypothesis at most 1.1 times alpha often."""


@dataclass(frozen=True)
class Recommendation:
    """A test, and why to use it.

    Attributes
    ----------
    test : str
        Its name in `paired.TESTS`.
    section : str
        Where the paper chooses it, or another in its place: the section and the task.
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
        return f"Use {self.test}: {self.why} ({self.section}). It assumes that {self.assumes}."


def _advice(name, section):
    """Recommend a test for the reason and with the assumptions that its entry has."""
    test = paired.TESTS[name]
    return Recommendation(name, section, test.use, test.valid_under)


_MCNEMAR = _advice("mcnemar", "Section 6.2, sentiment classification")
_BOOTSTRAP = _advice("paired_bootstrap", "Section 6.2, dependency parsing")
_WILCOXON = _advice("wilcoxon", "Section 6.2, POS tagging")
_STEIGER = _advice("steiger", "Section 6.2, word similarity")
_CARRIES = {
    "mcnemar": (
        "tango",
        "both systems are right or wrong on the same instances, and the difference of their "
        "accuracies is compared with a margin",
    ),
    "wilcoxon": (
        "sign_flip",
        "a margin is compared with the mean difference, which wilcoxon tests only if differences "
        "are symmetric",
    ),
    "steiger": ("rating_bootstrap", "the difference of two correlations is compared with a margin"),
}
_BY_KIND = dict(zip(SCORE_KINDS, (_MCNEMAR, _BOOTSTRAP, _WILCOXON, _STEIGER), strict=True))


def bootstrap_inflation(n_instances, alpha=0.05):
    r"""How many times as often as alpha the bootstrap rejects a true null hypothesis.

    Parameters
    ----------
    n_instances : int
        Number n of instances, at least 2.
    alpha : float, default 0.05
        Level at which the p-value is compared, in (0, 1).

    Returns
    -------
    float
        Rejection rate of the one-sided bootstrap of a mean of normal differences, over alpha.

    Raises
    ------
    InputError
        If `n_instances` is no whole number of at least 2, or alpha is outside (0, 1).

    Notes
    -----
    The bootstrap takes the variance of the instances, a sum of squares over n, for that of the
    population, and its law for normal. It is then a z-test that rejects where Student's t with
    n - 1 degrees of freedom is at least :math:`z_\alpha \sqrt{(n-1)/n}`; below about 30 instances
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
    """Return the number of instances below which the bootstrap is not recommended.

    Parameters
    ----------
    alpha : float, default 0.05
        Level at which the p-value is compared. For n datasets it is the level of the claim over n,
        with which k-hat by Bonferroni and Holm's procedure compare the smallest p-value.

    Returns
    -------
    int
        The least number with a `bootstrap_inflation` of at most `INFLATION`.

    Raises
    ------
    InputError
        If alpha is outside (0, 1).

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


def recommend(scores_kind, metric=None, *, sizes=(), alpha=0.05, with_margin=False):
    """Name the test that the paper chooses for scores of a kind (Section 6.2).

    Parameters
    ----------
    scores_kind : {"binary", "counts", "real", "ratings"}
        Right or wrong on each instance; units right and units in each, such as words of a sentence;
        a real number for each; ratings of similarity beside gold ratings. `kind_of` tells it.
    metric : str or metrics.Metric, optional
        The metric to compare: a metric of any name, or a name in `ACCURACIES`, `SUMMED` or
        `CORRELATIONS`.
    sizes : sequence of int, optional
        Number of instances of each dataset. If one is below ``few_instances(alpha / len(sizes))``,
        `sign_flip` takes the place of the bootstrap on all.
    alpha : float, default 0.05
        Level of the claim about the datasets together, in (0, 1).
    with_margin : bool, default False
        Whether the test has to carry a margin. Of those that do not, or compare something else with
        it than the mean, another takes the place.

    Returns
    -------
    Recommendation
        Test, reason and assumptions; its `str` is two sentences.

    Raises
    ------
    InputError
        If the kind or the name is unknown, the metric cannot be computed from such scores, a size
        is no whole number of at least 1, or alpha is outside (0, 1).

    Notes
    -----
    Without a metric the kind decides. Accuracies and means of sentences are tested by Wilcoxon's
    test, as the paper does for tagging: pass it right/words of each sentence. Any other metric,
    such as attachment scores, F1 and BLEU, is tested by the paired bootstrap.

    Examples
    --------
    >>> print(recommend("binary"))  # doctest: +NORMALIZE_WHITESPACE
    Use mcnemar: both systems are right or wrong on the same instances, so that the outcomes are
    paired and binary (Section 6.2, sentiment classification). It assumes that the instances are
    independent.
    >>> recommend("counts", "uas").test, recommend("real", "accuracy").test
    ('paired_bootstrap', 'wilcoxon')
    >>> recommend("counts", "accuracy").test, recommend("ratings", "spearman").test
    ('wilcoxon', 'steiger')
    >>> recommend("counts", sizes=[40, 500]).test, recommend("counts", sizes=[100, 500]).test
    ('sign_flip', 'paired_bootstrap')
    >>> recommend("binary", with_margin=True).test, recommend("real", with_margin=True).test
    ('tango', 'sign_flip')
    """
    checks.choice("scores_kind", scores_kind, SCORE_KINDS)
    level = checks.alpha(alpha) / max(1, len(sizes))
    fewest = min((checks.at_least("size", size) for size in sizes), default=None)
    chosen = _chosen(scores_kind, metric)
    if with_margin and chosen.test in _CARRIES:
        test, why = _CARRIES[chosen.test]
        entry, place = paired.TESTS[test], f"in place of {chosen.test}, {chosen.section}"
        return Recommendation(test, place, why, f"{entry.valid_under}; {entry.margin_note}")
    if chosen is not _BOOTSTRAP or fewest is None or fewest >= few_instances(level):
        return chosen
    return Recommendation(
        "sign_flip",
        f"in place of {_BOOTSTRAP.test}, {_BOOTSTRAP.section}",
        f"the metric is computed from sums over a dataset, and {fewest} instances are fewer than "
        f"the {few_instances(level)} that the bootstrap takes at the level {level:.2g}",
        paired.TESTS["sign_flip"].valid_under,
    )


def _chosen(scores_kind, metric):
    """Return the paper's choice."""
    if metric is None:
        return _BY_KIND[scores_kind]
    if isinstance(metric, str):
        checks.choice("metric", metric, (*ACCURACIES, *SUMMED, *CORRELATIONS))
    name = getattr(metric, "name", metric)
    if (name in CORRELATIONS) != (scores_kind == "ratings"):
        raise checks.InputError(
            f"Metric {name!r} does not go with scores of kind {scores_kind!r}; ratings are "
            f"compared by {' or '.join(CORRELATIONS)}, and only they."
        )
    if name in CORRELATIONS:
        return _STEIGER
    if name in ACCURACIES:
        return _MCNEMAR if scores_kind == "binary" else _WILCOXON
    return _BOOTSTRAP


def kind_of(a, b, gold=None):
    """Tell the kind of scores.

    Parameters
    ----------
    a, b : array_like, shape (n,) or (n, c)
        Scores of the systems, or the sums of a metric for each instance.
    gold : array_like, shape (n,), optional
        Gold ratings of the same items.

    Returns
    -------
    {"binary", "counts", "real", "ratings"}
        "ratings" with gold ratings; "counts" for sums and for whole numbers not below zero that
        are not all 0 or 1.

    Raises
    ------
    InputError
        If scores differ in length, are missing or infinite; with gold ratings, also if there are
        fewer than 4 items or the ratings of one are all equal.

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
