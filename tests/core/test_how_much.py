"""The overall difference in words, with the interval that the comparison allows."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from comparisons import declare
from scipy import stats

import replicability as rep
from replicability.core import evaluation, findings
from replicability.core.findings.overall import RESTS_ON
from replicability.core.tested import Tested
from replicability.stats import overall as estimation

RULES = declare(dependence="independent", score="accuracy (%)")


def table(differences, errors=None, names=None):
    d = np.asarray(differences, dtype=float)
    made = Tested(pd.DataFrame({"dataset": names or [f"d{i}" for i in range(len(d))],
                                "p_value": 0.5, "score_a": 50 + d, "score_b": 50.0}))  # fmt: skip
    if errors is None:
        return made
    half = stats.t.ppf(0.975, 399) * np.asarray(errors, dtype=float)
    return made.assign(difference=d, low=d - half, high=d + half, standard_error=errors, n=400)


def test_the_sentence_says_mean_interval_signs_and_range():
    found = findings.overall(RULES, table([2.5, -1.25, 0, 6], [1, 1, 0.5, 1], list("wxyz")))
    # R: v <- sum(c(1, 1, .5, 1)^2)/16; df <- 16^2*v^2/(sum(c(1, 1, .5, 1)^4)/399)
    # 1.8125 + c(-1, 1)*qt(.975, df)*sqrt(v)  ->  0.928378566 2.696621434
    assert (found.low, found.high) == pytest.approx((0.928378566, 2.696621434), abs=1e-9)
    assert str(found) == (
        "Over all 4 datasets, A is ahead of B by 1.81 points on average (95% interval [+0.93, "
        "+2.70]): ahead on 2 datasets, level on 1, behind on 1, from -1.25 on x to +6.00 on z. The "
        "interval assumes independent datasets."
    )


@pytest.mark.parametrize(
    ("differences", "words"),
    [
        ([1, 2], "A is ahead of B by 1.50 points on average: ahead on every dataset, from +1.00"),
        ([-1, -2], "A is behind B by 1.50 points on average: behind on every dataset, from -2.00"),
        ([-1, 1], "A and B score the same on average: ahead on 1 dataset, behind on 1, from -1.00"),
        ([0, 0], "A and B score the same on average: level on every dataset. There is no"),
        ([3, 3], "A is ahead of B by 3.00 points on average: ahead on every dataset. There is no"),
    ],
)  # fmt: skip
def test_signs_and_range_without_intervals(differences, words):
    found = findings.overall(RULES, table(differences))
    assert str(found).startswith(f"Over both datasets, {words}")
    assert str(found).endswith(". There is no interval, because an interval requires item scores.")
    assert (found.low, found.high, found.standard_error, found.dependence) == (None,) * 4


def test_without_scores_nothing_is_said():
    assert findings.overall(RULES, table([1, 2])[["dataset", "p_value"]]) is None


def test_of_one_dataset_the_interval_is_its_own():
    found = findings.overall(RULES, one := table([2], [1.0]).assign(low=0.1, high=3.5))
    assert (found.low, found.high) == (0.1, 3.5)
    assert str(found) == (
        "On the only dataset, A is ahead of B by 2.0 points (95% interval [+0.1, +3.5])."
    )
    assert len(one) == 1


@pytest.mark.parametrize(
    ("dependence", "says", "ratio"),
    [("independent", "The interval assumes independent datasets.", 1 / math.sqrt(3)),
     ("positive", "The interval is valid under any dependence, and therefore wide.", 1),
     ("dependent", "The interval is valid under any dependence, and therefore wide.", 1)],
)  # fmt: skip
def test_the_interval_follows_the_dependence(dependence, says, ratio):
    found = findings.overall(replace(RULES, dependence=dependence), table([1, 2, 3], [0.3] * 3))
    assert found.standard_error == pytest.approx(0.3 * ratio)
    assert says in str(found)


def test_an_interval_that_a_dataset_lacks_is_lacking():
    found = findings.overall(RULES, table([1, 2], [0.3, math.inf]))
    assert not found.has_interval
    assert found.interval == ""
    assert str(found).endswith(
        "There is no interval, because the difference on at least one dataset has no interval."
    )


@pytest.mark.parametrize(
    ("error", "shown"),
    [(120, "+1234 [+1067, +1401]"), (0.012, "+1234.000 [+1233.983, +1234.017]"),
     (3e-9, "+1234.0000000000 [+1233.9999999958, +1234.0000000042]")],
)  # fmt: skip
def test_numbers_have_the_digits_that_the_interval_allows(error, shown):
    found = findings.overall(RULES, table([1234, 1234], [error] * 2))
    assert f"{found.signed(found.difference)} {found.interval}" == shown


def test_a_small_loss_is_not_a_signed_zero():
    found = findings.overall(RULES, table([-0.001, 0.0005], [1, 1]))
    assert found.signed(-0.0004) == "0.0"
    assert "A and B score the same on average" in str(found)


def test_the_order_of_the_datasets_has_no_part():
    made = table([2, -1, 4, 0], [1, 2, 1, 3])
    turned = replace(made, rows=made.rows[::-1])
    assert findings.overall(RULES, made) == findings.overall(RULES, turned)


@pytest.fixture
def sharing(tmp_path):
    """Three datasets over the same 30 questions, whose differences go together."""
    rng = np.random.default_rng(1)
    common = rng.integers(0, 4, 30)
    rows = [(name, f"q{i}", common[i] + rng.integers(0, 2), 1)
            for name in ("en", "de", "zh") for i in range(30)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["dataset", "instance", "a", "b"])
    frame.to_csv(tmp_path / "t.csv", index=False)
    columns = {"dataset": "dataset", "instance": "instance", "scores": ["a", "b"]}
    read = {"file": str(tmp_path / "t.csv"), "columns": columns, "test": "sign_flip"}
    return frame, replace(RULES, dependence="dependent", score="points", **read)


def test_shared_units_are_added_up_before_they_are_squared(sharing):
    frame, comparison = sharing
    made = evaluation.evaluate(replace(comparison, shared=True))
    means = (frame["a"] - frame["b"]).groupby(frame["instance"]).mean()
    reference = stats.ttest_1samp(means, 0).confidence_interval()
    found = findings.overall(replace(comparison, shared=True), made)
    assert found.standard_error == pytest.approx(stats.sem(means), rel=1e-9)
    assert found.low <= reference.low and found.high >= reference.high
    assert found.high - found.low < 1.1 * (reference.high - reference.low)
    assert "The interval accounts for the units that datasets share." in str(found)
    unknown = findings.overall(comparison, evaluation.evaluate(comparison))
    independent = replace(comparison, dependence="independent")
    narrow = findings.overall(independent, evaluation.evaluate(comparison))
    assert narrow.standard_error < found.standard_error < unknown.standard_error


def test_of_shares_in_per_cent_everything_is_in_points(sharing):
    _, comparison = sharing
    shared = replace(comparison, shared=True)
    plain, points = (
        findings.overall(one, evaluation.evaluate(one))
        for one in (shared, replace(shared, score="score (%)"))
    )
    for name in ("difference", "low", "high", "standard_error"):
        assert getattr(points, name) == pytest.approx(100 * getattr(plain, name), rel=1e-12)
    assert (plain.unit, points.unit) == ("", " points")


def test_every_dependence_is_said():
    assert tuple(RESTS_ON) == estimation.DEPENDENCE


def compared(outcomes, **options):
    """Compare what A and B score on the same items of each dataset."""
    scores = {name: np.transpose(pairs) for name, pairs in outcomes.items()}
    return rep.compare(scores, a="A", b="B", dependence="independent", **options).overall


def test_twelve_items_leave_a_doubt_and_the_limits_are_in_range():
    """All of 12 items won, or all but one; the p-value excludes 0 if the interval does."""
    for wins in (12, 11):
        pairs = [(1, 0)] * wins + [(1, 1)] * (12 - wins)
        for datasets in (1, 3):
            found = compared({f"d{i}": pairs for i in range(datasets)})
            assert 0 < found.low < found.difference <= found.high <= 1
            assert found.high - found.low > 0.15
            assert found.caution == ""  # exact for each dataset, in either test
            with_margin = {"claim": "better_by", "margin": 0.1, "test": "tango"}
            assert compared({f"d{i}": pairs for i in range(datasets)}, **with_margin).caution == ""
    lost = compared({"x": [(0, 1)] * 12, "y": [(0, 0)] * 12})
    assert -1 <= lost.low < -0.5 < lost.high < 0


CAUTIONS = {
    "few": ([10, 12], 0, "because there are only 22 items in total."),
    "few and skewed": (
        [10, 12],
        3,
        "because there are only 22 items in total and the differences are ",
    ),
    "skewed": ([40, 30], 3, "because the differences are skewed."),
    "many": ([40, 30], 0, None),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CAUTIONS)
def test_a_caution_names_few_items_and_skewed_differences(case):
    sizes, skew, says = CAUTIONS[case]
    outcomes = {}
    for n in sizes:
        even = stats.norm.ppf((np.arange(n) + 0.5) / n)
        outcomes[f"d{n}"] = [(np.exp(skew * x / 2) if skew else x, 0.0) for x in even]
    found = compared(outcomes, test="sign_flip")
    if says is None:
        assert found.caution == "" and str(found).endswith("independent datasets.")
    else:
        assert found.caution.startswith("The coverage of the interval may be below 95%, " + says)
        assert str(found).endswith("independent datasets. " + found.caution)


def test_a_caution_follows_a_single_dataset_and_counts_units():
    found = findings.overall(RULES, table([2], [1.0]).assign(n=9))
    assert str(found).endswith(
        "(95% interval [0.0, +4.0]). The coverage of the interval may be below 95%, because there "
        "are only 9 items in total."
    )
    found = findings.overall(RULES, table([2, 1], [1.0, 1]).assign(units=7))
    assert found.caution.endswith("because there are only 14 units in total.")
    assert findings.overall(RULES, table([2, 1], [1.0, math.inf]).assign(n=5)).caution == ""
    assert findings.overall(RULES, table([2, 1])).caution == ""
