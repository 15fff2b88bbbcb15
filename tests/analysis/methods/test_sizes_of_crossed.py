"""The committed sizes and powers of claims about new items and new runs."""

import numpy as np
import pandas as pd
import pytest

from analysis import paths
from analysis.methods import crossed

COMMITTED = paths.ROOT / "data" / "simulations" / "crossed.csv"
RATERS_SKEWED = "skewed items and runs"


@pytest.fixture(scope="module")
def rates():
    table = pd.read_csv(COMMITTED)
    return table.assign(rate=table["rejected"] / table["repetitions"])


def above(rates):
    """Return by how many standard errors sizes are above their level."""
    alpha = rates["alpha"]
    return (rates["rate"] - alpha) / np.sqrt(alpha * (1 - alpha) / rates["repetitions"])


def test_the_level_is_kept_where_a_test_is_called_valid(rates):
    null = rates[rates["gain"] == 0]
    assert above(null[null["test"] == "crossed_t"]).max() <= 3
    flips = null[(null["test"] == "hierarchical_flip") & (null["population"] != RATERS_SKEWED)]
    assert above(flips).max() <= 3


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
    both = again.merge(rates, on=keys, suffixes=("_again", ""))
    assert len(both) == len(again)
    found = both["rejected_again"] / both["repetitions_again"]
    pooled = (both["rejected_again"] + both["rejected"]) / (
        both["repetitions_again"] + both["repetitions"]
    )
    error = np.sqrt(pooled * (1 - pooled) / both["repetitions_again"]) + 1e-12
    assert (np.abs(found - both["rate"]) <= 4 * error + 2 / both["repetitions_again"]).all()
