"""The choices of the paper's Section 6.2, and what may stand behind a notebook that shows them."""

import numpy as np
import pytest
from scipy import stats

from replicability.checks import InputError
from replicability.core import recommendation
from replicability.core.recommendation import in_the_paper, kind_of, recommend
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
def test_the_choice_of_the_paper(kind, metric, test):
    advice = in_the_paper(kind, metric)
    assert advice.test == test and test in TESTS
    sentence = str(advice)
    assert sentence.startswith(f"Use {test}, because ") and sentence.endswith(".")
    assert "Section 6.2" in sentence and "assumes" in sentence


@pytest.mark.parametrize(
    ("kind", "metric", "message"),
    [
        ("count", None, "^scores_kind 'count' is not one of .*did you mean 'counts'"),
        ("counts", "ua", "^metric 'ua' is not one of .*did you mean 'uas'"),
        (
            "binary",
            "spearman",
            "^The metric 'spearman' cannot be used for scores of kind 'binary'; choose spearman or "
            r"pearson for ratings, and another metric for other scores\.$",
        ),
        ("ratings", "uas", "cannot be used for scores of kind 'ratings'"),
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


@pytest.mark.long
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
    ("kind", "metric", "test", "with_margin"),
    [
        ("binary", None, "mcnemar", None),
        ("binary", "accuracy", "mcnemar", None),
        ("binary", "f1", "mean_difference", "mean_difference"),
        ("counts", "uas", "mean_difference", "mean_difference"),
        ("counts", metrics.METRICS["bleu"], "mean_difference", "mean_difference"),
        ("real", "accuracy", "mean_difference", "mean_difference"),
        ("ratings", "spearman", "correlation_jackknife", "correlation_jackknife"),
    ],
)
def test_a_claim_about_means_gets_a_test_of_means(kind, metric, test, with_margin):
    assert recommend(kind, metric).test == test
    carrying = recommend(kind, metric, with_margin=True)
    assert TESTS[carrying.test].margin
    assert carrying.test == with_margin or with_margin is None


def test_no_default_compares_something_else_than_the_score():
    for kind in recommendation.SCORE_KINDS:
        assert TESTS[recommend(kind).test].signed


def test_the_bootstrap_says_from_how_many_items_on_it_may_be_used():
    at = [recommendation.few_instances(level) for level in (0.05, 0.05 / 20)]
    assert f"({at[0]} at .05, {at[1]} at .05/20; more if" in str(in_the_paper("counts"))


@pytest.mark.parametrize(
    ("call", "message"),
    [
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
    with pytest.raises(InputError, match=r"^kind_of needs one score for each item"):
        kind_of([[[1]]], [[[1]]])
    with pytest.raises(InputError, match=r"ratings of A and ratings of B differ \(3, 4 and 4\)"):
        kind_of([1, 2, 4, 3], [1, 3, 2, 4], gold=[1, 2, 3])


def test_names_are_those_of_the_metrics():
    named = (*recommendation.ACCURACIES, *recommendation.SUMMED)
    assert sorted(named) == sorted(metrics.METRICS)
    assert recommendation.CORRELATIONS == gold_ratings.KINDS


def test_a_metric_of_another_name_is_a_metric_of_sums():
    assert in_the_paper("counts", metrics.Metric("mine", metrics.f1)).test == "paired_bootstrap"


@pytest.mark.parametrize("kind", recommendation.SCORE_KINDS)
def test_two_sentences_with_the_words_of_the_entry(kind):
    advice = recommend(kind)
    entry = TESTS[advice.test]
    assert (advice.why, advice.assumes) == (entry.use, entry.valid_under)
    assert str(advice).count(". ") == 1
    assert entry.use in str(advice) and entry.valid_under in str(advice)
