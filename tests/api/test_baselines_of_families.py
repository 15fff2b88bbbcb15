"""Several systems against a baseline: counts, mean differences with joint intervals, a forest."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import replicability as rep
from replicability.checks import InputError


def scores(gains, n=40, datasets=("news", "law"), seed=3):
    """Return scores of a baseline and of systems that are better by a gain, as a long table."""
    rng = np.random.default_rng(seed)
    rows = []
    for dataset in datasets:
        base = rng.normal(size=n)
        for system, gain in {"base": 0.0, **gains}.items():
            block = {"item": range(n), "score": base + gain + rng.normal(size=n)}
            rows.append(pd.DataFrame(block).assign(dataset=dataset, system=system))
    return pd.concat(rows, ignore_index=True)


GAINS = {"good": 1.2, "bad": -1.2, "same": 0.0}
TABLE = scores(GAINS)


def test_it_is_the_family_of_all_pairs_with_the_baseline():
    found = rep.against(TABLE, "base", instance="item", dependence="independent")
    whole = rep.all_pairs(TABLE, against="base", instance="item", dependence="independent")
    assert found.to_dict() == whole.to_dict()
    rows = found.summary.set_index("system")
    assert rows.loc["good", ["k", "k_worse"]].tolist() == [2, 0]
    assert rows.loc["bad", ["k", "k_worse"]].tolist() == [0, 2]
    assert rows.loc["same", ["k", "k_worse"]].tolist() == [0, 0]
    assert found.counts().loc["good", "bad"] is pd.NA
    assert found.matrix().loc[0, found.systems[1]] == "" or found.systems[1] == "base"
    assert (
        "1 of 3 systems is significantly better than base on at least one of 2 datasets, and 1 on "
        "at least half of the datasets." in found.sentences
    )


def test_intervals_of_one_dataset_are_those_of_the_t_distribution():
    """In R, with differences of zero skewness: t.test(d, conf.level = 1 - 0.05/3)$conf.int."""
    half = np.array([0.5, 1.0, 1.5, 2.5, 4.0])
    d = np.concatenate([1 + half, 1 - half])
    df = pd.DataFrame({"base": np.zeros(10), "a": d, "b": -d, "c": 2 * d})
    rows = rep.against(df, "base", instance=None).summary.set_index("system")
    error = d.std(ddof=1) / np.sqrt(10)
    assert rows.loc["a", "difference"] == pytest.approx(1)
    quantile = 2.9333  # qt(1 - 0.05/6, 9)
    width = rows.loc["a", "high"] - rows.loc["a", "low"]
    assert width >= 2 * quantile * error * (1 - 1e-4)
    assert rows.loc["b", "low"] == pytest.approx(-rows.loc["a", "high"])
    assert rows.loc["c", "high"] == pytest.approx(2 * rows.loc["a", "high"])


def test_intervals_are_wider_the_more_systems_are_compared():
    widths = []
    for systems in (("base", "good", "bad"), ("base", "good", "bad", "same")):
        found = rep.against(TABLE, "base", systems=systems, instance="item")
        row = found.summary.set_index("system").loc["good"]
        widths.append(row["high"] - row["low"])
    assert widths[0] < widths[1]


def test_a_lower_score_that_is_better_turns_differences():
    turned = TABLE.assign(score=-TABLE["score"])
    more, less = (
        rep.against(df, "base", instance="item", higher_is_better=higher).summary
        for df, higher in ((TABLE, True), (turned, False))
    )
    columns = ["system", "k", "k_worse", "difference", "low", "high"]
    pd.testing.assert_frame_equal(more[columns], less[columns])


def test_the_mean_over_datasets_uses_the_units_that_they_share():
    shared = scores(GAINS, datasets=("news", "law", "talks"))
    apart, together = (
        rep.against(shared, "base", instance="item", **how).summary.set_index("system")
        for how in ({}, {"shared": True})
    )
    assert together.loc["good", "difference"] == apart.loc["good", "difference"]
    assert together.loc["good", "high"] < apart.loc["good", "high"]


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 70])
def test_the_forest_has_a_row_for_each_system(n):
    many = scores({f"system {i}": i / n for i in range(n)}, n=10)
    drawn = rep.against(many, "base", instance="item").forest()
    labels = [label.get_text() for label in drawn.axes[0].get_yticklabels()]
    assert len(labels) == n
    assert "base" not in labels
    plt.close(drawn)


@pytest.mark.parametrize(
    ("data", "baseline", "sentence"),
    [
        (TABLE, "bass", "bass"),
        (TABLE[(TABLE["system"] != "good") | (TABLE["dataset"] != "law")], "base", "law"),
        (TABLE[TABLE["system"].isin(["base", "good"])], "base", "to compare two systems, declare"),
    ],
)
def test_bad_input_is_a_sentence(data, baseline, sentence):
    with pytest.raises(InputError, match=sentence):
        rep.against(data, baseline, instance="item")


def test_without_a_baseline_there_is_no_forest():
    with pytest.raises(InputError, match="against"):
        rep.all_pairs(TABLE, instance="item").forest()


def test_identical_systems_differ_by_nothing():
    twin = TABLE[TABLE["system"] == "base"].assign(system="twin")
    found = rep.against(pd.concat([TABLE, twin]), "base", instance="item")
    row = found.summary.set_index("system").loc["twin"]
    assert (row["k"], row["k_worse"], row["difference"]) == (0, 0, 0)
