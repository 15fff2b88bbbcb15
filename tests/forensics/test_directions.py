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
    assert (found.grade, found.kind) == (verdict, forensics.DIRECTION)


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
    if test in ("wilcoxon", "sign_test"):
        assert found.verdict == forensics.DEPENDS
        assert found.readings.startswith("“better” means a higher score: contradicted; ")
        assert found.readings.endswith("by a one-sided test: agrees")
    else:
        assert found.verdict == forensics.CONTRADICTED
        assert "A one-sided p-value for A would exceed 1/2." in found.sentence
        assert found.sentence.endswith("the p-value favours B, which is ahead.")


def test_direction_column_judges_small_p_values_only():
    at = ["0.01", "0.6", "<0.001"], ["2", "2", "1"], ["1", "1", "2"], "AB", 0.05
    found = forensics.direction_column("p", "t", "xyz", *at, "steiger")
    assert [v.claim for v in found] == [
        "A better than B on x (p <= 0.05)",
        "A better than B on z (p <= 0.05)",
    ]
    assert [v.verdict for v in found] == [forensics.AGREES, forensics.CONTRADICTED]


def test_one_sided_pvalues_of_a_test_fit():
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(30, 25))
    p = stats.ttest_1samp(scores, 0, axis=1, alternative="greater").pvalue
    a, texts = [f"{mean:.9f}" for mean in scores.mean(axis=1)], [f"{x:.6f}" for x in p]
    sides = forensics.infer_side(texts, a, ["0"] * 30, "paired_t").set_index("side")["possible"]
    assert sides.to_dict() == {"greater": True, "less": False, "leader": False, "two-sided": True}
    found = forensics.direction_column("p", "t", range(30), texts, a, ["0"] * 30, "AB", 0.05)
    assert {v.grade for v in found} <= {forensics.REPRODUCED}
