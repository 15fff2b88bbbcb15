"""The gate of repeated runs and of splits: what the verdict covers, and what it needs."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import replicability as rep
from replicability.checks import InputError
from replicability.stats import paired

RUNS = {"column": "seed", "kind": "runs"}
SPLITS = {"column": "fold", "kind": "splits", "test_share": 0.1}
ONE = {"systems": ["v1", "v2"], "margin": 0.02}


def by_run(seeds=5, column="seed", lost=0.0, spread=0.005, names=("news", "law")):
    """Return the score of both systems in each run, on two datasets."""
    rng = np.random.default_rng(4)
    rows = [
        (name, seed, 0.8 + spread * rng.normal(), 0.8 - lost + spread * rng.normal())
        for name in names
        for seed in range(seeds)
    ]
    return pd.DataFrame(rows, columns=["dataset", column, "v1", "v2"])


def of_items(seeds=4, items=60, seed=1):
    """Return right or wrong for each run and item, where runs of a system differ."""
    rng = np.random.default_rng(seed)
    rows = [
        (name, item, run, *(rng.random(2) < 0.7).astype(int))
        for name in ("news", "law")
        for item in range(items)
        for run in range(seeds)
    ]
    return pd.DataFrame(rows, columns=["dataset", "id", "seed", "v1", "v2"])


@pytest.mark.parametrize("covers", ["items", "runs", "both"])
def test_p_values_are_those_of_compare(covers):
    frame = of_items()
    asked = {"repeats": RUNS, "instance": "id", "claim_covers": covers}
    found = rep.gate(frame, systems=["v1", "v2"], margin=0.1, **asked)
    worse = rep.compare(frame, a="v1", b="v2", alternative="greater", **asked)
    within = rep.compare(frame, a="v2", b="v1", claim="not_worse", margin=0.1, **asked)
    assert found.table["p_worse"].tolist() == worse.table["p_value"].tolist()
    assert found.table["p_not_worse"].tolist() == within.table["p_value"].tolist()
    assert found.items == ("items" if covers == "both" else covers)
    assert found.to_dict()["claim_covers"] == covers


def test_the_three_verdicts_about_new_runs():
    asked = {**ONE, "repeats": RUNS, "claim_covers": "runs"}
    found = rep.gate(by_run(), **asked)
    assert (found.verdict, found.flips) == ("SHIP", ())
    assert "The verdict is about new runs on these items (runs compared: 5 of v1 and" in str(found)
    assert found.table["n"].tolist() == [10, 10]
    found = rep.gate(by_run(lost=0.05), **asked)
    assert (found.verdict, found.regressed) == ("BLOCK", ["news", "law"])
    found = rep.gate(by_run(spread=0.05), **asked)
    assert found.verdict == "CANNOT TELL"
    assert "collect more runs of both systems: " in str(found)
    assert "runs" in found.to_markdown() and "<details>" not in found.to_markdown()


def test_a_policy_says_what_was_repeated():
    policy = {"margin": 0.02, "repeats": RUNS, "claim_covers": "runs"}
    found = rep.gate(by_run(), systems=["v1", "v2"], policy=policy)
    assert str(found) == str(rep.gate(by_run(), **ONE, repeats=RUNS, claim_covers="runs"))
    with pytest.raises(InputError, match="the key 'column' is missing in repeats"):
        rep.gate(by_run(), systems=["v1", "v2"], policy=policy | {"repeats": {"kind": "seeds"}})


def test_two_runs_of_each_can_never_ship():
    """1/6 is the smallest p-value of the permutations of 2 and 2 runs, whatever the scores."""
    found = rep.gate(by_run(seeds=2, spread=1e-4), **ONE, repeats=RUNS, claim_covers="runs")
    assert found.verdict == "CANNOT TELL"
    assert found.power == 0
    assert (found.table["items_needed"] >= 6).all()  # 3 and 3, of which the smallest is 1/20
    assert any("There are too few runs" in note for note in found.notes)


def normal(raters=False, spread=0.01, lost=0.0, items=80, column="seed"):
    """Return scores of every run of both systems on every item; raters are the same for both."""
    rng = np.random.default_rng(11)
    rows = []
    for name in ("news", "law"):
        own = rng.normal(0.7, 0.1, items)
        shared = rng.normal(0, spread, 4)
        for run in range(4):
            sides = shared[[run, run]] if raters else rng.normal(0, spread, 2)
            noise = rng.normal(0, 0.01, (2, items))
            rows += [
                (name, item, run, own[item] + sides[0] + x, own[item] + sides[1] + y - lost)
                for item, (x, y) in enumerate(noise.T)
            ]
    return pd.DataFrame(rows, columns=["dataset", "id", column, "v1", "v2"])


BOTH = {"systems": ["v1", "v2"], "margin": 0.05, "instance": "id", "claim_covers": "both"}


def test_the_three_verdicts_about_new_items_and_new_runs():
    found = rep.gate(normal(), **BOTH, repeats=RUNS)
    assert found.verdict == "SHIP"
    assert "about new items and new runs (runs compared: 4 of v1 and 4 of v2)" in str(found)
    assert rep.gate(normal(lost=0.2), **BOTH, repeats=RUNS).verdict == "BLOCK"
    found = rep.gate(normal(spread=0.06), **BOTH, repeats=RUNS)
    assert found.verdict == "CANNOT TELL"
    assert "Plan more runs and items with `replicability design --pilot`." in str(found)
    assert found.table["items_needed"].isna().all()
    more = rep.gate(normal(spread=0.06, items=400), **BOTH, repeats=RUNS)
    assert more.power < found.power + 0.1 < 0.5  # items do not remove the noise of runs
    raters = {"column": "rater", "kind": "raters"}
    found = rep.gate(normal(raters=True, spread=0.2, column="rater"), **BOTH, repeats=raters)
    assert found.verdict == "SHIP" and "new raters (raters compared: 4 of v1" in str(found)
    these = {**BOTH, "claim_covers": "items"}
    found = rep.gate(normal(raters=True, column="rater"), **these, repeats=raters)
    assert "about these raters only; to cover new raters, set claim_covers: both." in str(found)


def test_the_power_of_a_gate_over_items_and_runs_is_that_of_its_test():
    """Simulated: normal items, runs and noise with the standard deviations of the pilot."""
    found = rep.gate(normal(spread=0.03), **BOTH, repeats=RUNS)
    law, rng, studies = found.law, np.random.default_rng(5), 400
    runs, n, sd = law.runs[0], law.n_items[0], law.sd[0]
    shipped = 0
    for _ in range(studies):
        sides = [
            runs.sd * rng.normal(size=(1, 4)) + runs.sd_rest * rng.normal(size=(n, 4))
            for _ in range(2)
        ]
        sides[0] = sides[0] + sd * rng.normal(size=(n, 1))
        shipped += paired.crossed_t(*sides, margin=-0.05).pvalue <= found.level
    power = found.table["power"][0]
    assert abs(shipped / studies - power) <= 3 * np.sqrt(power * (1 - power) / studies) + 0.02


def test_the_mean_over_new_items_and_new_runs():
    found = rep.gate(normal(), **BOTH, repeats=RUNS, ship="overall")
    assert found.verdict == "SHIP" and found.times_items is None
    tables = [own for _, own in normal().groupby("dataset", sort=False)]
    sides = [
        [own.pivot_table(side, "id", "seed").to_numpy() for side in ("v2", "v1")] for own in tables
    ]
    limits = [paired.crossed_t(*own, confidence_level=0.9).confidence_interval for own in sides]
    assert found.evidence.mean.low == pytest.approx(np.mean([one.low for one in limits]), abs=1e-9)
    unclear = rep.gate(normal(spread=0.06), **BOTH, repeats=RUNS, ship="overall")
    assert unclear.verdict == "CANNOT TELL" and unclear.times_items is None
    assert "Plan more runs" in str(unclear) and unclear.page() and unclear.to_markdown()


def test_seeds_alone_are_seldom_blocked():
    """Each run has an effect of its own: a claim about new runs keeps its level, simulated."""
    studies, blocked = 200, 0
    rng = np.random.default_rng(8)
    for _ in range(studies):
        frame = by_run(seeds=4).assign(v1=rng.normal(size=8), v2=rng.normal(size=8))
        asked = {"systems": ["v1", "v2"], "margin": 0.1, "repeats": RUNS, "claim_covers": "runs"}
        blocked += rep.gate(frame, **asked).verdict == "BLOCK"
    assert blocked / studies <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / studies)


def test_the_mean_over_splits_has_the_corrected_error():
    frame = by_run(10, "fold")
    found = rep.gate(frame, **ONE, ship="overall", repeats=SPLITS)
    # R, for each dataset (Nadeau and Bengio 2003): sqrt((1 / 10 + 1 / 9) * var(v2 - v1))
    errors = [
        np.sqrt((1 / 10 + 1 / 9) * np.var(own["v2"] - own["v1"], ddof=1))
        for _, own in frame.groupby("dataset", sort=False)
    ]
    assert found.evidence.mean.error == pytest.approx(np.mean(errors))  # under any dependence
    widths = stats.t.ppf(0.95, 9) * np.array(errors)
    low = (frame["v2"] - frame["v1"]).mean() - widths.mean()
    assert found.evidence.mean.low == pytest.approx(low)


def test_more_splits_are_not_what_is_needed():
    found = rep.gate(by_run(10, "fold", spread=0.2), **ONE, repeats=SPLITS)
    assert found.verdict == "CANNOT TELL"
    assert "More splits of the same data would add little" in str(found)
    assert found.table["items_needed"].isna().all() and found.items == "splits"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({}, "identifies repeats, such as seeds or folds"),
        ({"repeats": RUNS}, "one score for each run and no item column"),
        ({"claim_covers": "runs"}, "identifies repeats, such as seeds or folds"),
        ({"repeats": RUNS, "claim_covers": "seeds"}, "'seeds' is not one of items, runs, both"),
        ({"repeats": RUNS, "claim_covers": "runs", "test": "paired_t"}, "applies to items"),
        ({"repeats": RUNS, "claim_covers": "both"}, "and no item column"),
    ],
)
def test_what_is_refused(asked, message):
    with pytest.raises(InputError, match=message):
        rep.gate(by_run(), **ONE, **asked)
    with pytest.raises(
        InputError, match="has 1 run, but at least two are needed to estimate the variance"
    ):
        rep.gate(by_run(seeds=1), **ONE, repeats=RUNS, claim_covers="runs")
