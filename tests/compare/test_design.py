"""Designs: what a suite can show, from numbers and from pilots."""

import math

import numpy as np
import pyarrow as pa
import pytest

from replicability.checks import InputError
from replicability.compare import design
from replicability.compare import design_wording as wording
from replicability.io.instances import Dataset
from replicability.stats import power, power_of_counts

TWENTY = design.suite([500] * 20, discordant=0.15)


def binary(name, wins, losses, n, units=None):
    """Make outcomes with so many wins of A and of B."""
    a, b = np.zeros(n), np.zeros(n)
    a[:wins], b[wins : wins + losses] = 1, 1
    rows = pa.array([str(i) for i in range(n)])
    return Dataset(name, rows, a, b, units=None if units is None else pa.array(units))


def test_the_table_has_the_reference_numbers():
    table = design.table(TWENTY, [0.03], factors=(1, 2, 4)).set_index("factor")
    assert table["instances"].tolist() == ["500", "1,000", "2,000"]
    np.testing.assert_allclose(table["count"], [9.8, 15.3, 19.2], atol=0.1)
    np.testing.assert_allclose(table["bonferroni"], [2.5, 7.9, 18.0], atol=0.1)
    np.testing.assert_allclose(table["k_hat"], [11.7, 16.5, 19.3], atol=0.15)
    assert (table["any"] > 0.99).all()


def test_more_instances_and_larger_gains_show_more():
    table = design.table(design.suite([30, 80, 200], discordant=0.3, dependence="dependent"))
    for column in ("count", "bonferroni", "any"):
        cells = table.pivot_table(index="factor", columns="gain", values=column)
        assert (cells.diff()[1:] > 0).all(axis=None)
        assert (cells.diff(axis=1).iloc[:, 1:] > 0).all(axis=None)


@pytest.mark.parametrize(
    ("dependence", "method"),
    [("independent", "fisher"), ("positive", "simes"), ("dependent", "bonferroni")],
)
def test_the_dependence_chooses_the_method(dependence, method):
    assert design.suite([100], discordant=0.2, dependence=dependence).method == method


def test_a_pilot_of_right_and_wrong_gives_its_discordant_share():
    planned, seen = design.pilot([binary("x", 12, 6, 98), binary("y", 0, 0, 48)])
    assert planned.binary
    assert planned.sizes == (98, 48)
    assert planned.spread == pytest.approx((19 / 100, 1 / 50))
    assert seen["gain"].tolist() == pytest.approx([6 / 98, 0])
    # half of the smallest discordant share remains possible
    assert design.gains_of(planned) == (0.01,)


def test_a_pilot_of_larger_units_has_fewer_instances_by_the_design_effect():
    units = np.repeat([str(i) for i in range(20)], 5)
    # all five instances of a unit are alike: it says no more than one instance
    wins = np.repeat([1.0] * 6 + [0.0] * 14, 5)
    rows = pa.array([str(i) for i in range(100)])
    whole = Dataset("x", rows, wins, np.zeros(100), units=pa.array(units))
    planned, seen = design.pilot([whole])
    assert planned.binary
    assert seen["instances"].tolist() == [100]
    assert planned.sizes[0] == pytest.approx(20, abs=1)


def test_a_pilot_of_other_scores_gives_a_standard_deviation():
    rng = np.random.default_rng(1)
    a, b = rng.normal(0.3, 1, 400), rng.normal(0, 1, 400)
    planned, _ = design.pilot([Dataset("x", pa.array([str(i) for i in range(400)]), a, b)])
    assert not planned.binary
    assert planned.spread[0] == pytest.approx(np.std(a - b, ddof=1), rel=0.01)
    assert design.gains_of(planned) == pytest.approx(
        np.multiply(planned.spread[0], (0.1, 0.2, 0.3))
    )


def test_a_pilot_of_sums_has_gains_in_points():
    rng = np.random.default_rng(1)
    size = rng.integers(5, 20, 60).astype(float)
    right = rng.binomial(size.astype(int), 0.8).astype(float)
    wrong = rng.binomial(size.astype(int), 0.7).astype(float)
    sums = (np.column_stack([right, size]), np.column_stack([wrong, size]))
    planned, seen = design.pilot([Dataset("x", pa.array([str(i) for i in range(60)]), *sums)])
    assert (planned.binary, planned.shares) == (False, True)
    assert design.gains_of(planned) == design.GAINS
    assert seen["gain"][0] == pytest.approx((right.sum() - wrong.sum()) / size.sum())


def test_least_gains_reach_their_power():
    found = design.least_gains(TWENTY).set_index("shown")["gain"]
    assert found.index.tolist() == [1, 10, 20]
    assert found.is_monotonic_increasing
    step = TWENTY.most / 2**design.HALVINGS
    for k, gain in found.items():
        assert TWENTY.law(gain).at_least(k) >= 0.8
        assert TWENTY.law(gain - 2 * step).at_least(k) < 0.8 + 0.02


def test_small_sets_kept_merged_and_dropped_are_three_suites():
    planned = design.suite([10, 10, 10, 10, 400, 500], discordant=0.2, dependence="dependent")
    rows = design.small_sets(planned, 0.1).set_index("suite")
    assert rows["datasets"].to_dict() == {"kept": 6, "merged": 3, "dropped": 2}
    merged = power_of_counts.k_hat(power.Outcomes([400, 500, 40], 0.2, 0.1)).mean
    assert rows.loc["merged", "k_hat"] == pytest.approx(merged)
    assert wording.small_sets(planned, 0.1).startswith("Merge the 4 small sets")


def test_small_sets_that_show_as_much_are_kept():
    planned = design.suite([90, 90, 90, 200], discordant=0.5, dependence="dependent")
    assert wording.small_sets(planned, 0.35).startswith("Keep the 3 small sets")


def test_sets_that_can_never_be_named_are_dropped():
    planned = design.suite([4] * 40 + [400, 450, 500], discordant=0.2, dependence="dependent")
    said = wording.small_sets(planned, 0.05)
    assert said.startswith(("Drop the 40 small sets", "Merge the 40 small sets"))


def test_without_small_sets_there_is_nothing_to_merge():
    assert design.small_sets(TWENTY, 0.03) is None
    assert wording.small_sets(TWENTY, 0.03).startswith("There are no small sets")


def test_the_floor_of_the_reference_in_words():
    planned = design.suite([40] * 20, discordant=0.3)
    assert wording.floor(planned).startswith(
        "With 40 instances, the first of 20 datasets needs 9 instances won and none lost"
    )


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ([8] * 20, "No dataset has as many, so that none can ever be named."),
        ([8, *[100] * 19], "1 dataset has fewer instances than that, whatever the result."),
        ([8, 7, *[100] * 18], "2 datasets have fewer instances than that"),
    ],
)
def test_the_floor_says_which_datasets_cannot_pass_it(sizes, said):
    assert said in wording.floor(design.suite(sizes, discordant=0.5))


def test_a_gain_that_cannot_be_shown_is_said():
    said = wording.least(design.suite([8] * 20, discordant=0.5, dependence="dependent"))
    assert said.startswith("No gain that is possible is enough for 1 of 20 datasets")


def test_every_sentence_is_there_for_one_dataset():
    said = wording.sentences(design.suite([200], discordant=0.2))
    assert "the only dataset needs 5 instances won" in said[1]
    assert "points for the dataset" in said[2]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: design.suite([100]), "Give either the key 'discordant'"),
        (lambda: design.suite([100], discordant=0.2, sd=1), "Give either the key 'discordant'"),
        (lambda: design.suite([], discordant=0.2), "pass one number for each of n datasets"),
        (lambda: design.suite([0], discordant=0.2), "a dataset without instances shows nothing"),
        (lambda: design.suite([10, 20, 30], discordant=[0.1, 0.2]), "has 2 numbers for 3 datasets"),
        (lambda: design.suite([10], discordant=20), "write 0.15 for 15%"),
        (lambda: design.suite([10], sd=0), "a standard deviation of differences is above 0"),
        (lambda: design.suite([10], discordant=0.2, alpha=1), "alpha is 1"),
        (lambda: design.suite([10], discordant=0.2, dependence="loose"), "loose"),
        (
            lambda: design.suite([10], discordant=0.2, method="joint"),
            "'joint' is not one of bonferroni",
        ),
        (
            lambda: design.suite([10], discordant=0.2, dependence="dependent", method="fisher"),
            "is valid for datasets that are independent",
        ),
        (lambda: design.suite([10] * 1001, discordant=0.2), "There are 1,001 datasets; plan at mo"),
        (lambda: design.table(TWENTY, [0.2]), "both systems differ on a share of 0.15"),
    ],
)
def test_what_a_plan_refuses(call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)


def test_what_a_pilot_refuses():
    rows = pa.array(["1", "2", "3"])
    rated = Dataset("x", rows, np.arange(3.0), np.arange(3.0), gold=np.arange(3.0))
    with pytest.raises(InputError, match="A pilot with gold ratings compares correlations"):
        design.pilot([rated])
    with pytest.raises(InputError, match="of the pilot has 1 unit, of which no spread"):
        design.pilot([binary("x", 1, 0, 1)])
    alike = Dataset("x", rows, np.arange(3.0), np.arange(3.0) - 0.5)
    with pytest.raises(InputError, match="the same difference on every unit"):
        design.pilot([alike])


def test_points_are_written_as_people_do():
    assert [design.points(gain) for gain in (0.01, 0.025, 0.1)] == [
        "1 point",
        "2.5 points",
        "10 points",
    ]
    assert design.points(1.2345, shares=False) == "1.23"
    assert math.isnan(float(design.points(math.nan, shares=False)))
