import re

import numpy as np
import pandas as pd
import pytest
from claims import claim
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from replicability import forensics


@pytest.mark.parametrize(
    ("published", "probability", "verdict"),
    [
        ("0.050", 0.05, forensics.WITHIN_MONTE_CARLO_ERROR),
        ("0.070", 0.05, forensics.WITHIN_MONTE_CARLO_ERROR),
        ("0.021", 0.05, forensics.CONTRADICTED),
        ("0.001", 0.0012, forensics.WITHIN_MONTE_CARLO_ERROR),
    ],
)
def test_monte_carlo(published, probability, verdict):
    assert forensics.monte_carlo(claim(published), probability, 1000).grade == verdict


def test_monte_carlo_says_how_far():
    found = forensics.monte_carlo(claim("0.021"), 0.05, 1000)
    # (0.021 - 0.05) / sqrt(0.05 * 0.95 / 1000) = -4.2
    assert "with 1,000 repetitions, an estimate has a standard error of 0.0069" in found.sentence
    assert "4.2 standard errors below it" in found.sentence
    above = forensics.monte_carlo(claim("0.064"), 0.05, 1000).sentence
    assert "2.0 standard errors above it" in above
    equal = forensics.monte_carlo(claim("0.0501"), 0.05, 1000).sentence
    assert "less than 0.1 standard errors from it" in equal
    assert (
        "simulated" in forensics.monte_carlo(claim("0.02"), 0.05, 10, standard_error=0.1).sentence
    )


def test_value():
    assert forensics.value(claim("0.994"), 0.99408, "why").grade == forensics.REPRODUCED
    assert forensics.value(claim("0.994"), 0.9931, "why").grade == forensics.CONTRADICTED


def test_simulated_table_prefers_the_exact_probability():
    printed = pd.DataFrame(
        {
            "example": ["x", "x"],
            "quantity": ["P(k_count > k)", "P(k_fisher > k)"],
            "printed": ["0.5", "0.2"],
        }
    )
    rows = pd.DataFrame(
        {
            "example": ["x", "x"],
            "estimator": ["count", "fisher"],
            "exact": [0.5, np.nan],
            "large": [0.9, 0.2],
            "large_error": [0.01, 0.01],
            "large_above_one": [0.1, 0.1],
        }
    )
    count, fisher = forensics.simulated_table("p", "s", printed, rows, 1000)
    assert (count.recomputed, fisher.recomputed) == ("0.5000", "0.2000")
    assert "exact" in count.sentence
    assert "simulated" in fisher.sentence


@pytest.mark.parametrize(
    ("published", "operation", "texts", "exact", "verdict"),
    [
        ("0.0128", "difference", ["0.9774", "0.9646"], False, forensics.REPRODUCED),
        ("0.0129", "difference", ["0.9774", "0.9646"], False, forensics.WITHIN_ROUNDING),
        ("0.0131", "difference", ["0.9774", "0.9646"], False, forensics.CONTRADICTED),
        ("6", "difference", ["9", "3"], True, forensics.REPRODUCED),
        ("5", "difference", ["9", "3"], True, forensics.CONTRADICTED),
        ("33.3%", "share", ["1", "1", "1"], True, forensics.REPRODUCED),
        ("2.5", "mean", ["2", "3"], True, forensics.REPRODUCED),
        ("20", "ratio", ["0.05", "0.0025"], True, forensics.REPRODUCED),
        ("12", "product", ["4", "3"], True, forensics.REPRODUCED),
    ],
)
def test_derived(published, operation, texts, exact, verdict):
    assert forensics.derived(claim(published), operation, texts, exact=exact).grade == verdict


def test_a_number_that_was_cut_off_is_said_to_be():
    assert "if it was truncated" in forensics.value(claim("1.9%"), 0.0199, "why").sentence
    assert "truncated" not in forensics.value(claim("1.8%"), 0.0199, "why").sentence
    assert "truncated" not in forensics.value(claim("1.9%"), 0.02001, "why").sentence
    assert "truncated" not in forensics.value(claim("1.9%"), 0.0205, "why").sentence
    assert "truncated" not in forensics.value(claim("1.9%"), 0.0184, "why").sentence
    assert "truncated" not in forensics.value(claim(">1/2"), 0.5, "why").sentence


def test_a_contradicted_estimate_names_the_event_that_fits():
    found = forensics.monte_carlo(claim("0.963"), 0.994, 1000, readings={"x": 0.9629, "y": 0.5})
    assert found.grade == forensics.CONTRADICTED
    assert found.sentence.endswith(
        "Another reading: x has probability 0.9629, which fits the printed value."
    )


def test_an_estimate_far_away_says_which_other_event_does_not_fit():
    found = forensics.monte_carlo(claim("0.943"), 0.9616, 1000, readings={"x": 0.858, "y": 0.943})
    assert found.grade == forensics.WITHIN_MONTE_CARLO_ERROR
    chance = stats.binomtest(943, 1000, 0.9616).pvalue
    expected = "An estimate at least this far off occurs with probability"
    assert f"{expected} {chance:.4f}." in found.sentence
    assert "x has probability 0.8580, which does not fit the printed value." in found.sentence
    assert found.sentence.endswith(
        "Another reading: y has probability 0.9430, which fits the printed value."
    )
    near = forensics.monte_carlo(claim("0.955"), 0.9616, 1000, readings={"x": 0.858})
    assert "x has" not in near.sentence


@pytest.mark.parametrize(
    ("share", "p", "verdict"),
    [
        ("100%", "<0.001", forensics.REPRODUCED),
        ("0%", "0.083", forensics.REPRODUCED),
        ("100%", "0.050", forensics.WITHIN_ROUNDING),  # 0.0495 to 0.0505
        ("36%", "0.049", forensics.UNCHECKED),
        ("90%", "0.4", forensics.CONTRADICTED),
        ("100%", "0.4", forensics.CONTRADICTED),
    ],
)
def test_repeated_test(share, p, verdict):
    assert forensics.repeated_test(claim(share), p, 0.05, 100).grade == verdict


def test_a_bootstrap_near_the_cut_off_gives_a_share_between_none_and_all():
    # The premise: true p a little above .05, 1,000 resamples; .049 is the mean of ten runs.
    rng = np.random.default_rng(8)
    p = rng.binomial(1000, 0.0522, size=(2000, 10)) / 1000
    near = np.abs(p.mean(axis=1) - 0.049) <= 0.0005
    assert near.any()
    positive = rng.binomial(1000, 0.0522, size=(2000, 100)) < 50
    assert (positive.sum(axis=1) == 36).any()
    sentence = forensics.repeated_test(claim("50%"), "0.083", 0.05, 100).sentence
    (most,) = re.findall(r"up to ([\d,]+) resamples", sentence)
    most = int(most.replace(",", ""))
    # A true p that gives half and a printed p of .083 within 3.3 standard errors, or not.
    for resamples, fits in ((most, True), (4 * most, False)):
        assert (3.5 * np.sqrt(0.083 * 0.917 / resamples) > (0.083 - 0.05)) == fits


@pytest.mark.slow
@given(st.floats(-0.999, 0.999), st.floats(0.001, 0.5))
def test_either_of_two_lies_between_one_test_and_two_independent_ones(rho, level):
    found = forensics.either_of_two(level, rho)
    assert level - 1e-9 <= found <= forensics.at_least_one(level, 2) + 1e-9


def test_either_of_two_by_the_bivariate_normal_distribution():
    c = stats.norm.isf(0.025)
    normal = stats.multivariate_normal(cov=[[1, 0.6], [0.6, 1]])
    inside = normal.cdf([c, c], lower_limit=[-c, -c])
    assert forensics.either_of_two(0.05, 0.6) == pytest.approx(1 - inside, abs=1e-6)


@pytest.mark.parametrize("n", [6, 9, 10, 13])
def test_signed_rank_by_scipy(n):
    rng = np.random.default_rng(n)
    for _ in range(20):
        scores = rng.choice([-1.0, 1.0], size=n) * (1 + np.arange(n))
        for method, correction, law in (
            ("exact", False, "exactly"),
            ("asymptotic", False, "by the normal approximation"),
            ("asymptotic", True, "with a correction for continuity"),
        ):
            statistic, p = stats.wilcoxon(scores, method=method, correction=correction)
            found = forensics.signed_rank(claim(f"{p:.12f}"), n)
            assert found.grade == forensics.REPRODUCED
            if p < 1:
                assert f"A rank sum of {statistic:.0f} over {n} datasets" in found.sentence
                assert f" {law}" in found.sentence
    assert forensics.signed_rank(claim("0.1400"), 10).grade == forensics.IMPOSSIBLE


def test_extreme():
    printed = pd.DataFrame({"a": ["0.2", "<0.001"], "b": ["0.03", "0.4"]})
    assert forensics.extreme(printed, ["a", "b"], "largest") == ["0.2", "0.4"]
