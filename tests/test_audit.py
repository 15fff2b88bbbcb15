import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import audit, checks, data, replicability


@pytest.mark.parametrize(
    ("text", "low", "value", "high"),
    [
        ("0.0099", 0.00985, 0.0099, 0.00995),
        ("1.12e-08", 1.115e-08, 1.12e-08, 1.125e-08),
        ("1,000", 999.5, 1000, 1000.5),
        ("2e-5", 1.5e-5, 2e-5, 2.5e-5),
        ("0.0", 0, 0, 0.05),
        ("12", 11.5, 12, 12.5),
    ],
)
def test_printed_interval(text, low, value, high):
    found = audit.printed_interval(text)
    assert (found.low, found.value, found.high) == pytest.approx((low, value, high), rel=1e-12)


def test_a_printed_zero_is_as_small_as_the_finest_digit_of_its_column():
    low, high = audit.printed_pvalues(["0", "0.0420", "1.5e-7"])
    np.testing.assert_allclose(low, [0, 0.04195, 1.45e-7])
    np.testing.assert_allclose(high, [0.5e-8, 0.04205, 1.55e-7])


@given(
    values=st.lists(st.integers(1, 99), min_size=1, max_size=4),
    estimator=st.sampled_from(["count", *replicability.METHODS]),
    shift=st.lists(st.floats(-0.5, 0.5), min_size=4, max_size=4),
)
def test_no_pvalues_that_round_to_the_printed_ones_leave_the_range(values, estimator, shift):
    texts = [f"0.{value:02d}" for value in values]
    inside = [(value + s) / 100 for value, s in zip(values, shift, strict=False)]
    k = (
        replicability.k_count(inside)
        if estimator == "count"
        else replicability.k_hat(inside, 0.05, estimator)
    )
    assert audit.count("t", "c", str(k), texts, 0.05, estimator).verdict != audit.CONTRADICTED


@pytest.mark.parametrize(
    ("published", "verdict"),
    [("1", audit.REPRODUCED), ("2", audit.CONTRADICTED), ("0", audit.CONTRADICTED)],
)
def test_a_count_that_follows_or_does_not(published, verdict):
    found = audit.count("Table 1", "A-B", published, ["0.001", "0.30"], 0.05, "bonferroni")
    assert found.verdict == verdict
    assert found.recomputed == "1"


def test_a_count_within_rounding():
    found = audit.count("Table 1", "A-B", "0", ["0.05"], 0.05, "count")
    assert found.verdict == audit.WITHIN_ROUNDING
    assert found.recomputed == "1 (0 to 1 with rounding)"


def test_the_one_count_of_table_1_that_differs_by_enumeration():
    # A second route: the smallest and the largest p-values that round to each printed one.
    texts = list(data.read_published("dror2017", "table4")["p-value"])
    printed = data.read_published("dror2017", "table1").set_index(["comparison", "alpha"])
    published = printed.loc[("AE-SCL-SR-MSDA", "0.05"), "k_fisher"]
    low, high = audit.printed_pvalues(texts)
    corners = [
        np.where(choice, low, high) for choice in itertools.product([True, False], repeat=12)
    ]
    found = replicability.k_hat(np.array(corners), 0.05, "fisher")
    verdict = audit.count("Table 1", "", published, texts, 0.05, "fisher")
    assert {verdict.recomputed} == {str(k) for k in found}
    assert int(published) not in found
    assert verdict.verdict == audit.CONTRADICTED


def test_marks():
    datasets, texts = ["p", "q", "r"], ["0.001", "0.025", "0.5"]
    judge = lambda names: audit.marks("t", "c", names, datasets, texts, 0.05).verdict  # noqa: E731
    assert judge(["p", "q"]) == audit.REPRODUCED
    assert judge(["p"]) == audit.WITHIN_ROUNDING
    assert judge(["p", "r"]) == audit.CONTRADICTED
    assert judge([]) == audit.CONTRADICTED


def test_marks_columns_are_judged_once_per_mark_in_use():
    levels = {"*": 0.05, "+": 0.01}
    found = audit.marks_column("t", "A-B", ["p", "q"], ["0.001", "0.9"], ["*", ""], levels)
    assert [verdict.claim for verdict in found] == ["A-B: marked *"]
    assert found[0].verdict == audit.REPRODUCED


@pytest.mark.parametrize(
    ("published", "probability", "verdict"),
    [
        ("0.050", 0.05, audit.WITHIN_MONTE_CARLO_ERROR),
        ("0.070", 0.05, audit.WITHIN_MONTE_CARLO_ERROR),
        ("0.021", 0.05, audit.CONTRADICTED),
        ("0.001", 0.0012, audit.WITHIN_MONTE_CARLO_ERROR),
    ],
)
def test_monte_carlo(published, probability, verdict):
    assert audit.monte_carlo("s", "c", published, probability, 1000).verdict == verdict


def test_monte_carlo_says_how_far():
    found = audit.monte_carlo("s", "c", "0.021", 0.05, 1000)
    # (0.021 - 0.05) / sqrt(0.05 * 0.95 / 1000) = -4.2
    assert "1,000 repetitions have a standard error of 0.0069" in found.sentence
    assert "-4.2 of them away" in found.sentence
    assert "simulated" in audit.monte_carlo("s", "c", "0.02", 0.05, 10, standard_error=0.1).sentence


def test_value():
    assert audit.value("s", "c", "0.994", 0.99408, "why").verdict == audit.REPRODUCED
    assert audit.value("s", "c", "0.994", 0.9931, "why").verdict == audit.CONTRADICTED


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
        }
    )
    count, fisher = audit.simulated_table("s", printed, rows, 1000)
    assert (count.recomputed, fisher.recomputed) == ("0.5000", "0.2000")
    assert "exact" in count.sentence
    assert "simulated" in fisher.sentence


def test_totals_have_every_verdict():
    verdicts = audit.table([audit.value("s", "c", "1", 1, "why")])
    assert audit.totals(verdicts).to_dict("list") == {
        "verdict": list(audit.VERDICTS),
        "numbers": [1, 0, 0, 0],
    }


def test_bad_input_by_message():
    with pytest.raises(
        checks.InputError, match=r"'n\.s\.' is not a printed number such as 0\.0979"
    ):
        audit.printed_interval("n.s.")
