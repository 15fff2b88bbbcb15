"""The choices of the paper's Section 6.2, and what may stand behind a notebook that shows them."""

import numpy as np
import pytest
from scipy import stats

from replicability.checks import InputError
from replicability.compare import recommendation
from replicability.compare.recommendation import kind_of, recommend
from replicability.stats import exact, gold_ratings, metrics
from replicability.stats.paired import TESTS


@pytest.mark.parametrize(
    ("kind", "metric", "test"),
    [
        ("binary", None, "mcnemar"),
        ("counts", None, "paired_bootstrap"),
        ("real", None, "wilcoxon"),
        ("ratings", None, "steiger"),
        # the four tasks of Section 6.2
        ("counts", "uas", "paired_bootstrap"),
        ("counts", "accuracy", "wilcoxon"),
        ("binary", "accuracy", "mcnemar"),
        ("ratings", "spearman", "steiger"),
        ("counts", "f1", "paired_bootstrap"),
        ("real", "las", "paired_bootstrap"),
        ("real", "mean", "wilcoxon"),
        ("counts", metrics.METRICS["bleu"], "paired_bootstrap"),
        ("counts", metrics.METRICS["accuracy"], "wilcoxon"),
    ],
)
def test_recommendation(kind, metric, test):
    advice = recommend(kind, metric)
    assert advice.test == test and test in TESTS
    sentence = str(advice)
    assert sentence.startswith(f"Use {test}: ") and sentence.endswith(".")
    assert "Section 6.2" in sentence and "assumes" in sentence


@pytest.mark.parametrize(
    ("kind", "metric", "message"),
    [
        ("count", None, "^scores_kind 'count' is not one of .*did you mean 'counts'"),
        ("counts", "ua", "^metric 'ua' is not one of .*did you mean 'uas'"),
        (
            "binary",
            "spearman",
            "^Metric 'spearman' does not go with scores of kind 'binary'; ratings are compared by "
            r"spearman or pearson, and only they\.$",
        ),
        ("ratings", "uas", "does not go with scores of kind 'ratings'"),
    ],
)
def test_no_recommendation(kind, metric, message):
    with pytest.raises(InputError, match=message):
        recommend(kind, metric)


@pytest.mark.parametrize(
    ("alpha", "inflation"),
    [  # R: pt(qnorm(alpha) * sqrt((n - 1) / n), n - 1) / alpha
        (0.05, {10: 1.5308703, 30: 1.1666106, 100: 1.0488745}),
        (0.05 / 20, {10: 5.1837300, 30: 1.9833387, 100: 1.2540278}),
        (0.05 / 100, {10: 12.2855561, 30: 3.0324128, 100: 1.4612114}),
    ],
)
def test_inflation_of_the_bootstrap(alpha, inflation):
    for n, times in inflation.items():
        assert recommendation.bootstrap_inflation(n, alpha) == pytest.approx(times, rel=1e-7)
        bound = stats.norm.isf(alpha) * np.sqrt((n - 1) / n)
        reference = stats.t(n - 1).sf(bound) / alpha
        assert recommendation.bootstrap_inflation(n, alpha) == pytest.approx(reference, rel=1e-9)


def test_inflation_of_the_bootstrap_itself():
    n, n_repetitions = 30, 10_000
    rng = np.random.default_rng(13)
    p = np.ones(n_repetitions)
    for index in range(n_repetitions):
        d = rng.standard_normal(n)
        if d.mean() > 1.3 * d.std() / np.sqrt(n):  # else p is above every level
            p[index] = exact.ideal_bootstrap(d).probability
    for alpha in (0.05, 0.05 / 20):
        expected = alpha * recommendation.bootstrap_inflation(n, alpha)
        error = np.sqrt(expected * (1 - expected) / n_repetitions)
        assert np.mean(p <= alpha) == pytest.approx(expected, abs=4 * error)


@pytest.mark.parametrize(
    ("alpha", "n"),
    [(0.05, 50), (0.025, 81), (0.01, 134), (0.05 / 15, 219), (0.05 / 20, 244), (0.0005, 418)],
)
def test_few_instances(alpha, n):
    assert recommendation.few_instances() == 50
    assert recommendation.bootstrap_inflation(50) == recommendation.bootstrap_inflation(50, 0.05)
    assert recommendation.few_instances(alpha) == n
    inflation = [recommendation.bootstrap_inflation(size, alpha) for size in range(2, 600)]
    assert inflation == sorted(inflation, reverse=True)
    assert inflation[n - 3] > recommendation.INFLATION >= inflation[n - 2]


@pytest.mark.parametrize("alpha", [0.5, 0.4, 0.9, 1e-15, 1e-300])
def test_few_instances_at_odd_levels(alpha):
    n = recommendation.few_instances(alpha)
    assert recommendation.bootstrap_inflation(n, alpha) <= recommendation.INFLATION
    assert n == 2 or recommendation.bootstrap_inflation(n - 1, alpha) > recommendation.INFLATION


@pytest.mark.parametrize(
    ("sizes", "alpha", "test"),
    [
        ([50], 0.05, "paired_bootstrap"),
        ([49], 0.05, "sign_flip"),
        ([81, 10_000], 0.05, "paired_bootstrap"),
        ([10_000, 80], 0.05, "sign_flip"),
        ([244] * 20, 0.05, "paired_bootstrap"),
        ([244] * 21, 0.05, "sign_flip"),
        ([244] * 20, 0.01, "sign_flip"),
        ([134], 0.01, "paired_bootstrap"),
        ([1], 0.05, "sign_flip"),
        ([], 0.05, "paired_bootstrap"),
    ],
)
def test_few_instances_are_flipped(sizes, alpha, test):
    advice = recommend("counts", "f1", sizes=sizes, alpha=alpha)
    assert advice.test == test and test in TESTS
    if test == "sign_flip":
        assert f" {min(sizes)} instances are fewer than the " in str(advice)
        assert str(recommendation.few_instances(alpha / len(sizes))) in str(advice)
        assert "in place of paired_bootstrap, Section 6.2" in str(advice)
    for kind, other in (("binary", "mcnemar"), ("real", "wilcoxon"), ("ratings", "steiger")):
        assert recommend(kind, sizes=sizes).test == other


def test_the_sentence_on_few_instances():
    assert str(recommend("counts", sizes=[40, 300, 500])) == (
        "Use sign_flip: the metric is computed from sums over a dataset, and 40 instances are "
        "fewer than the 102 that the bootstrap takes at the level 0.017 (in place of "
        "paired_bootstrap, Section 6.2, dependency parsing). It assumes that the outputs of both "
        "systems are exchangeable on each instance under the null hypothesis."
    )


def test_the_numbers_in_the_sentence_are_those_of_the_rule():
    at = [recommendation.few_instances(level) for level in (0.05, 0.05 / 20)]
    assert f"({at[0]} at .05, {at[1]} at .05/20)" in str(recommend("counts"))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: recommend("counts", sizes=[0]), "size is 0"),
        (lambda: recommend("counts", sizes=[True]), "size is True"),
        (lambda: recommend("counts", alpha=5), "alpha is 5"),
        (lambda: recommendation.few_instances(0), "alpha is 0"),
        (lambda: recommendation.bootstrap_inflation(1), "n_instances is 1; .* at least 2"),
    ],
)
def test_bad_input_by_message(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_every_metric_has_a_recommendation():
    for metric in metrics.METRICS:
        assert recommend("counts", metric).test in TESTS


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ([1, 0], [0, 0], "binary"),
        ([True, False], [False, False], "binary"),
        ([3, 0], [1, 1], "counts"),
        ([[3, 4], [1, 2]], [[2, 4], [1, 2]], "counts"),
        ([[0.5, 4], [1, 2]], [[2, 4], [1, 2]], "counts"),
        ([0.5, 1], [1, 0], "real"),
        ([-1, 2], [1, 0], "real"),
    ],
)
def test_kind_of(a, b, kind):
    assert kind_of(a, b) == kind


def test_kind_of_ratings():
    assert kind_of([1, 2, 4, 3], [1, 3, 2, 4], gold=[1, 2, 3, 4]) == "ratings"
    with pytest.raises(InputError, match=r"^kind_of takes one score for each instance"):
        kind_of([[[1]]], [[[1]]])
    with pytest.raises(InputError, match="have 3, 4 and 4 values"):
        kind_of([1, 2, 4, 3], [1, 3, 2, 4], gold=[1, 2, 3])


def test_names_are_those_of_the_metrics():
    named = (*recommendation.ACCURACIES, *recommendation.SUMMED)
    assert sorted(named) == sorted(metrics.METRICS)
    assert recommendation.CORRELATIONS == gold_ratings.KINDS


def test_a_metric_of_another_name_is_a_metric_of_sums():
    assert recommend("counts", metrics.Metric("mine", metrics.f1)).test == "paired_bootstrap"


@pytest.mark.parametrize("kind", recommendation.SCORE_KINDS)
def test_two_sentences_with_the_words_of_the_entry(kind):
    advice = recommend(kind)
    entry = TESTS[advice.test]
    assert (advice.why, advice.assumes) == (entry.use, entry.valid_under)
    assert str(advice).count(". ") == 1
    assert entry.use in str(advice) and entry.valid_under in str(advice)
