"""The choices of the paper's Section 6.2, and what may stand behind a notebook that shows them."""

import subprocess
import sys

import pytest

from analysis import checks, correlation, recommendation, scoring
from analysis.checks import InputError
from analysis.recommendation import kind_of, recommend
from analysis.significance import TESTS


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
        ("counts", scoring.METRICS["bleu"], "paired_bootstrap"),
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
        ("count", None, "did you mean 'counts'"),
        ("counts", "ua", "did you mean 'uas'"),
        ("binary", "spearman", "Metric 'spearman' does not go with scores of kind 'binary'"),
        ("ratings", "uas", "does not go with scores of kind 'ratings'"),
    ],
)
def test_no_recommendation(kind, metric, message):
    with pytest.raises(InputError, match=message):
        recommend(kind, metric)


def test_every_metric_has_a_recommendation():
    for metric in scoring.METRICS:
        assert recommend("counts", metric).test in TESTS


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ([1, 0], [0, 0], "binary"),
        ([True, False], [False, False], "binary"),
        ([3, 0], [1, 1], "counts"),
        ([[3, 4], [1, 2]], [[2, 4], [1, 2]], "counts"),
        ([0.5, 1], [1, 0], "real"),
        ([-1, 2], [1, 0], "real"),
    ],
)
def test_kind_of(a, b, kind):
    assert kind_of(a, b) == kind


def test_kind_of_ratings():
    assert kind_of([1, 2, 4, 3], [1, 3, 2, 4], gold=[1, 2, 3, 4]) == "ratings"
    with pytest.raises(InputError, match="have 3, 4 and 4 values"):
        kind_of([1, 2, 4, 3], [1, 3, 2, 4], gold=[1, 2, 3])


def test_names_are_those_of_the_metrics():
    named = (*recommendation.ACCURACIES, *recommendation.SUMMED)
    assert sorted(named) == sorted(scoring.METRICS)
    assert recommendation.CORRELATIONS == correlation.KINDS


def test_a_metric_of_another_name_is_a_metric_of_sums():
    assert recommend("counts", scoring.Metric("mine", scoring.f1)).test == "paired_bootstrap"


@pytest.mark.parametrize("kind", recommendation.SCORE_KINDS)
def test_one_or_two_sentences_without_the_engines(kind):
    """A notebook that shows the sentence does not run again when an engine is edited."""
    code = (
        "import sys; from analysis import recommendation; "
        f"print(recommendation.recommend({kind!r})); "
        "print(*sorted(name for name in sys.modules if name.startswith('analysis.')), "
        "*{'scipy', 'pandas'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    sentence, modules = run.stdout.splitlines()
    assert sentence == str(recommend(kind)) and sentence.count(". ") == 1
    assert modules == f"{checks.__name__} {recommendation.__name__}"
