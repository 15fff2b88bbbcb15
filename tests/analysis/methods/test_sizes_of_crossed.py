"""The committed sizes and powers of claims about new items and new runs."""

import pytest
import sizes

from analysis.methods import crossed

RATERS_SKEWED = "skewed items and runs"


@pytest.fixture(scope="module")
def rates():
    return sizes.rates("crossed.csv")


def test_the_level_is_kept_where_a_test_is_called_valid(rates):
    null = rates[rates["gain"] == 0]
    assert sizes.above(null[null["test"] == "crossed_t"]).max() <= 3
    flips = null[(null["test"] == "hierarchical_flip") & (null["population"] != RATERS_SKEWED)]
    assert sizes.above(flips).max() <= 3


def test_what_is_not_valid_rejects_too_often(rates):
    null = rates[(rates["gain"] == 0) & (rates["alpha"] == 0.05)]
    largest = null.groupby("test")["rate"].max()
    assert largest[crossed.AVERAGED] > 0.15
    assert largest["two_way_bootstrap"] > 0.1
    assert (null.loc[null["test"] == crossed.MIXED, "repetitions"] == 50).all()


def test_power_grows_with_runs(rates):
    shown = rates[(rates["gain"] > 0) & (rates["alpha"] == 0.05) & (rates["test"] == "crossed_t")]
    power = shown[shown["population"] == "items and runs"].groupby("design")["rate"].min()
    assert power["2 and 2 runs"] < power["3 and 3 runs"] < power["10 and 10 runs"]
    assert power["10 and 10 runs"] > 0.75


def test_a_small_simulation_again(rates):
    designs, populations = (crossed.Design(3, 3),), ("items and runs", "right or wrong")
    again = crossed.table(120, 7, (20,), designs, populations)
    again = again[again["test"] != crossed.MIXED]
    keys = ["design", "population", "items", "gain", "test", "alpha"]
    assert sizes.agree(again, rates, keys)
