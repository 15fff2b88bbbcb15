"""Several metrics: the odds that they agree, and datasets and metrics counted together."""

import numpy as np
import pandas as pd
import pytest

from analysis.sogaard2014 import remedies
from analysis.sogaard2014.free_choice import Pair
from replicability.stats import multiple_testing, partial_conjunction


def pair(metrics, n=400, same=False, seed=1):
    """Systems with accuracies by several metrics, independent or all the same."""
    rng = np.random.default_rng(seed)
    sides = [{}, {}]
    for metric in metrics:
        for side in sides:
            right = rng.integers(0, 11, n).astype(float)
            side[metric] = np.stack([right, np.full(n, 10.0)], axis=1)[:, None, :]
    if same:
        sides = [dict.fromkeys(metrics, side[metrics[0]]) for side in sides]
    return Pair("d", ("A", "B"), np.full(n, 10), *sides)


@pytest.mark.parametrize(("metrics", "expected"), [("xy", 0.5), ("xyz", 0.25), ("xyzw", 0.125)])
def test_independent_metrics_agree_as_coins_do(metrics, expected):
    found = remedies.agreement([pair(list(metrics))], 3000, 5)
    assert (
        abs(found["all"].item() - expected) < 4 * np.sqrt(expected * (1 - expected) / 3000) + 0.01
    )


def test_one_metric_under_three_names_always_agrees():
    found = remedies.agreement([pair(list("xyz"), same=True)], 500, 5)
    assert found["all"].item() > 0.98  # draws with equal scores count for neither


def test_cells_are_counted_by_bonferroni():
    rng = np.random.default_rng(2)
    full = pd.DataFrame(
        [(d, m, rng.normal(), rng.random() ** 4 / 2) for d in "abcdef" for m in ("TA", "LAS")],
        columns=["dataset", "metric", "difference", "p_value"],
    )
    found = remedies.over_measures(full, ["A", "B"], 0.1).set_index("better")
    for system, sign in (("A", 1), ("B", -1)):
        ahead = sign * full["difference"] >= 0
        p = np.where(ahead, full["p_value"], 1 - full["p_value"])
        assert found["k̂"][system] == partial_conjunction.k_hat(p, 0.05)
        named = multiple_testing.identify(p, 0.05)
        assert found["named"][system] == named.sum()
        assert found["datasets"][system] == full["dataset"][named].nunique()
        assert found["TA"][system] + found["LAS"][system] <= found["k̂"][system]


def test_error_reductions_of_the_published_tables():
    found = remedies.across_published().set_index("comparison")
    # 1 - (100 - 90.73) / (100 - 90.19) and so on; mean .0752, as R's optim has the Gumbel mean
    assert found["error reduction (Gumbel)"]["Mate-Redshift"] == "7.5%"
    assert found["p (Gumbel, χ²)"]["Mate-Redshift"] == "8.8e-06"
    assert float(found["p (Wilcoxon)"]["Mate-Redshift"]) == 0.0156
