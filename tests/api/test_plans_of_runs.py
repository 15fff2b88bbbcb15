"""Plans of runs and items, from numbers and from pilots, through every door."""

import json

import numpy as np
import pandas as pd
import pytest

import replicability as rep
from replicability import cli


def frame(n=120, runs=4, sd=0.3, datasets="xyz"):
    """Make scores of two systems whose runs differ more than their items."""
    rng = np.random.default_rng(2)
    rows = []
    for dataset in datasets:
        items = rng.normal(size=n)
        for system, gain in (("ours", 0.1), ("base", 0.0)):
            for seed in range(runs):
                score = items + gain + rng.normal(scale=sd) + rng.normal(scale=0.2, size=n)
                rows += [(dataset, i, system, seed, x) for i, x in enumerate(score.round(4))]
    return pd.DataFrame(rows, columns=["dataset", "item", "system", "seed", "score"])


GIVEN = {"run": "seed", "instance": "item", "dependence": "independent"}


@pytest.fixture(scope="module")
def pilot():
    return rep.compare(frame(), a="ours", b="base", claim_covers="both", **GIVEN)


def test_a_pilot_lends_its_runs_and_their_noise(pilot):
    plan = rep.design(pilot=pilot, gains=[0.5])
    assert [runs.number for runs in plan.suite.runs] == [4] * 3
    table = pilot.table
    for runs, n, sd, error in zip(
        plan.suite.runs, plan.suite.sizes, plan.suite.spread, table["standard_error"], strict=True
    ):
        expected, _ = runs.variances(n, sd)
        assert np.sqrt(expected.sum()) == pytest.approx(error, rel=1e-6)
    assert "4 runs of each system" in plan.sentences[0]
    assert not any("wins and no losses" in sentence for sentence in plan.sentences)


def test_runs_help_where_they_are_the_noise(pilot):
    plan = rep.design(pilot=pilot, gains=[0.5])
    rows = plan.runs.set_index(["runs", "instances"])["k_hat"]
    assert rows["8", "120"] > rows["4", "480"] + 0.3
    assert plan.sentences[1] == (
        "More runs help more than more items: the expected k-hat is "
        f"{rows['8', '120']:.1f} with twice as many runs (8 runs of each system), and "
        f"{rows['4', '240']:.1f} with twice as many items (240)."
    )
    more = rep.design(pilot=pilot, gains=[0.5], runs=8)
    assert more.table["k_hat"][1] == rows["8", "120"]


def test_what_could_have_been_found_allows_for_runs(pilot):
    (said,) = [note for note in pilot.notes if "expected lower bound was" in note]
    averaged = rep.compare(frame(), a="ours", b="base", claim_covers="items", **GIVEN)
    assert rep.design(pilot=averaged, gains=[0.3]).suite.law(0.3).mean > 2.5
    assert "1 of 3 datasets" in said or "about 0 of 3" in said


def test_a_target_takes_runs_where_items_do_not_help(pilot):
    plan = rep.design(pilot=pilot, gains=[0.5], reach=3)
    assert plan.needs.everywhere is None
    assert f"but {plan.needs.runs} runs of each system are." in plan.sentences[-1]
    enough = rep.design(pilot=pilot, gains=[0.5], reach=3, runs=plan.needs.runs)
    assert enough.needs.enough
    assert not rep.design(pilot=pilot, gains=[0.5], reach=3, runs=plan.needs.runs - 1).needs.enough


def test_every_door_plans_the_same(pilot, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame().to_csv("p.csv", index=False)
    study = """
study: s
alphas: [0.05]
comparisons:
  - name: c
    title: t
    systems: [ours, base]
    dependence: independent
    claim_covers: both
    file: p.csv
    columns: {dataset: dataset, instance: item, system: system, run: seed, score: score}
"""
    (tmp_path / "s.yaml").write_text(study)
    given = ["design", "--pilot", "s.yaml", "--gain", "0.5", "--runs", "6", "--json"]
    assert cli.main(given) == 0
    command = json.loads(capsys.readouterr().out)
    python = rep.design(pilot=pilot, gains=[0.5], runs=6).to_dict()
    assert command == json.loads(json.dumps(python))


def test_numbers_alone_in_python_and_on_the_command_line(capsys):
    plan = rep.design(500, datasets=4, sd=0.5, gains=[0.1], runs=3, sd_runs=0.05)
    given = "--datasets 4 --items 500 --sd 0.5 --gain 0.1 --runs 3 --sd-runs 0.05 --json"
    assert cli.main(["design", *given.split()]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(plan.to_dict()))
    assert "tab:design_runs" in plan.to_latex()
    assert "standard error" in plan.page()


REFUSED = {
    "no noise": ({"runs": 3}, "otherwise, leave runs= and sd_runs= out"),
    "no number": ({"sd_runs": 0.1}, "To plan runs, give runs="),
    "one run": ({"runs": 1, "sd_runs": 0.1}, "runs= is 1; pass a number from 2 to 10,000"),
    "half a run": ({"runs": 2.5, "sd_runs": 0.1}, "runs= is 2.5"),
    "below 0": ({"runs": 3, "sd_runs": -0.1}, "sd_runs= is -0.1"),
    "clusters": ({"runs": 3, "sd_runs": 0.1, "design_effect": 2}, "but not design_effect="),
}


@pytest.mark.parametrize(("given", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(given, said):
    with pytest.raises(rep.InputError, match=said):
        rep.design(500, datasets=4, sd=0.5, **given)


def test_pilots_that_say_nothing_about_more_runs_or_items(pilot):
    averaged = rep.compare(frame(), a="ours", b="base", claim_covers="items", **GIVEN)
    with pytest.raises(rep.InputError, match=r"covers only its own runs; .* claim_covers='both'"):
        rep.design(pilot=averaged, runs=8)
    with pytest.raises(rep.InputError, match="leave out sd_runs=, or leave out the pilot"):
        rep.design(pilot=pilot, sd_runs=1)
    bare = frame(n=1).drop(columns="item")
    given = {"run": "seed", "claim_covers": "runs", "dependence": "independent"}
    with pytest.raises(
        rep.InputError, match="runs without items, which do not show the effect of adding items"
    ):
        rep.design(pilot=rep.compare(bare, a="ours", b="base", **given))
    splits = {"kind": "splits", "column": "seed", "test_share": 0.5}
    folds = rep.compare(bare, a="ours", b="base", repeats=splits, dependence="independent")
    with pytest.raises(
        rep.InputError, match="scores for splits, which do not show the effect of adding items"
    ):
        rep.design(pilot=folds)
