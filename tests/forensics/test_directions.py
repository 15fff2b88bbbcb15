import numpy as np
import pytest
from claims import claim
from scipy import stats

from replicability import forensics
from replicability.stats import paired


@pytest.mark.parametrize(
    ("a", "b", "digit", "verdict"),
    [
        ("0.7", "0.6", None, forensics.REPRODUCED),
        ("0.6", "0.7", None, forensics.CONTRADICTED),
        ("0.6", "0.6", None, forensics.WITHIN_ROUNDING),
        ("0.6", "0.601", 0.001, forensics.CONTRADICTED),
    ],
)
def test_direction(a, b, digit, verdict):
    found = forensics.direction(claim("0.01"), a, b, ("A", "B"), digit=digit)
    assert (found.verdict, found.kind) == (verdict, forensics.DIRECTION)


def test_a_wilcoxon_test_can_favour_the_system_with_the_lower_mean():
    # The premise of what is said of tests of ranks: +.02 on most sentences, -.10 on the others.
    rng = np.random.default_rng(5)
    difference = np.where(rng.random(400) < 0.8, 0.02, -0.10)
    difference += rng.normal(scale=1e-4, size=400)
    assert difference.mean() < 0
    assert paired.wilcoxon(difference, np.zeros(400)).pvalue < 0.05


@pytest.mark.parametrize("test", paired.TESTS)
def test_what_a_lower_score_says_of_the_p_value_depends_on_the_test(test):
    found = forensics.direction(claim("0.01"), "0.6", "0.7", ("A", "B"), test)
    assert found.verdict == forensics.CONTRADICTED  # by the scores, whatever the test
    of_scores = test not in ("wilcoxon", "sign_test")
    assert ("A one-sided p-value for A lies above 1/2 there." in found.sentence) == of_scores
    assert ("the p-value itself is not contradicted" in found.sentence) != of_scores
    assert found.sentence.endswith("Another reading: the p-value speaks for B, the system ahead.")


@pytest.mark.parametrize(
    ("p", "a", "b", "verdict"),
    [
        ("0.4", "2", "1", forensics.REPRODUCED),
        ("0.6", "2", "1", forensics.CONTRADICTED),
        ("0.4", "1", "2", forensics.CONTRADICTED),
        ("0.6", "1", "2", forensics.REPRODUCED),
        ("0.5", "1", "2", forensics.REPRODUCED),
        ("0.50", "1", "1", forensics.REPRODUCED),
        ("0.6", "0.70", "0.70", forensics.REPRODUCED),
        ("0.6", "0.7049", "0.70", forensics.WITHIN_ROUNDING),
    ],
)
def test_side(p, a, b, verdict):
    found = forensics.side(claim(p), a, b, ("A", "B"), "mcnemar")
    assert (found.verdict, found.kind) == (verdict, forensics.DIRECTION)
    assert forensics.side(claim(p), a, b, ("A", "B"), "wilcoxon").verdict == forensics.UNCHECKED


def test_direction_column_judges_each_p_value_once():
    at = ["0.01", "0.6", "<0.001"], ["2", "2", "1"], ["1", "1", "2"], "AB", 0.05
    found = forensics.direction_column("p", "t", "xyz", *at, "steiger")
    assert [v.claim for v in found] == [
        "A better than B on x (p <= 0.05)",
        "one-sided p-value of A against B on y",
        "A better than B on z (p <= 0.05)",
    ]
    assert [v.verdict for v in found] == [
        forensics.REPRODUCED,
        forensics.CONTRADICTED,
        forensics.CONTRADICTED,
    ]
    small = forensics.direction_column("p", "t", "xyz", *at)
    assert [v.claim for v in small] == [found[0].claim, found[2].claim]


@pytest.mark.parametrize(
    ("p", "test", "verdict", "words"),
    [
        (["0.1", "0.9"], "mcnemar", forensics.REPRODUCED, ""),
        (["0.1", "0.2"], "mcnemar", forensics.CONTRADICTED, "the smaller of both"),
        (["0.8", "0.2"], "mcnemar", forensics.CONTRADICTED, "two-sided p-values"),
        (["0.1", "0.2"], "wilcoxon", forensics.UNCHECKED, "ranks or signs and no mean"),
        (["0.1", "0.9"], "wilcoxon", forensics.REPRODUCED, ""),
    ],
)
def test_one_sided(p, test, verdict, words):
    found = forensics.one_sided(claim("one-sided"), p, ["2", "1"], ["1", "2"], ("A", "B"), test)
    assert found.verdict == verdict
    assert words in found.sentence


def test_one_sided_pvalues_of_a_test_pass():
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(30, 25))
    p = stats.ttest_1samp(scores, 0, axis=1, alternative="greater").pvalue
    a, texts = [f"{mean:.9f}" for mean in scores.mean(axis=1)], [f"{x:.6f}" for x in p]
    at = texts, a, ["0"] * 30, ("A", "B")
    assert forensics.one_sided(claim("one-sided"), *at, "paired_t").verdict == forensics.REPRODUCED
    found = forensics.direction_column("p", "t", range(30), *at, 0.05, "paired_t")
    assert {v.verdict for v in found} == {forensics.REPRODUCED}
