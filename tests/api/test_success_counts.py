"""Successes in trials, which are not paired: two layouts, one answer; what is refused."""

import json
import re

import pandas as pd
import pytest
from scipy import stats

import replicability as rep
from replicability import cli

WIDE = pd.DataFrame(
    {
        "task": ["pick", "place", "push"],
        "n_ours": [50, 50, 50],
        "successes_ours": [40, 30, 20],
        "n_base": [50, 50, 60],
        "successes_base": [20, 28, 12],
    }
)
OF_WIDE = {
    "dataset": "task",
    "successes": ["successes_ours", "successes_base"],
    "trials": ["n_ours", "n_base"],
}
LONG = pd.concat(
    [
        WIDE[["task", f"n_{name}", f"successes_{name}"]]
        .set_axis(["task", "n", "successes"], axis=1)
        .assign(system=name)
        for name in ("ours", "base")
    ]
)
OF_LONG = {"dataset": "task", "successes": "successes", "trials": "n"}


def test_both_layouts_have_one_answer():
    wide = rep.compare(WIDE, a="ours", b="base", **OF_WIDE)
    long = rep.compare(LONG.sample(frac=1, random_state=3), a="ours", b="base", **OF_LONG)
    one, two = (r.table.sort_values("dataset", ignore_index=True) for r in (wide, long))
    pd.testing.assert_frame_equal(one, two)
    for row, counts in zip(wide.table.itertuples(), WIDE.itertuples(), strict=True):
        x, n, y, m = counts.successes_ours, counts.n_ours, counts.successes_base, counts.n_base
        cells = [[x, y], [n - x, m - y]]
        expected = stats.boschloo_exact(cells, alternative="greater").pvalue
        assert row.p_value == pytest.approx(expected, rel=1e-9)
        assert (row.score_a, row.score_b, row.n) == (x / n, y / m, n + m)
        assert row.low < row.difference < row.high
    assert wide.named == ["pick"]
    assert not {"wins", "ties", "losses"} & set(wide.table)


def test_the_result_says_that_trials_are_unpaired():
    result = rep.compare(WIDE, a="ours", b="base", **OF_WIDE)
    assert any("unpaired" in note and "trials are independent" in note for note in result.notes)
    assert "not paired" in str(result.read) and "unpaired" in result.method
    assert "Boschloo (1970)" in result.method and "310 trials" in result.method
    assert "unpaired" in result.page()
    assert rep.Result.from_dict(json.loads(json.dumps(result.to_dict()))) == result


def test_swapping_the_systems_swaps_the_directions():
    forth = rep.compare(LONG, a="ours", b="base", **OF_LONG).table
    back = rep.compare(LONG, a="base", b="ours", **OF_LONG).table
    assert forth["p_value"].tolist() == back["p_reverse"].tolist()
    assert forth["p_reverse"].tolist() == back["p_value"].tolist()
    assert forth["difference"].tolist() == (-back["difference"]).tolist()


def test_some_tasks_one_direction_and_one_number_of_trials():
    some = rep.compare(LONG, a="ours", b="base", datasets=["pick", "push"], **OF_LONG)
    assert list(some.datasets) == ["pick", "push"]
    one = rep.compare(LONG, a="ours", b="base", alternative="greater", **OF_LONG)
    assert "at least +" in str(one.overall) and one.k == 2
    same = WIDE.assign(n_base=50).drop(columns="n_ours")
    shared = rep.compare(same, a="ours", b="base", **OF_WIDE | {"trials": "n_base"})
    assert shared.table["n"].tolist() == [100] * 3


def test_scores_of_trials_are_kept():
    scores = rep.Scores.from_frame(LONG, a="ours", b="base", **OF_LONG)
    frame = scores.to_frame().rename(columns={"trials": "n"})
    again = rep.Scores.from_frame(frame, successes="successes", trials="n")
    assert rep.compare(again).table.equals(rep.compare(scores).table)
    assert "310 trials" in repr(scores)


REFUSED = {
    "more successes than trials": (WIDE.assign(n_base=1), {}, "has 20 successes in 1 trial,"),
    "no trials": (WIDE.assign(n_ours=0, successes_ours=0), {}, "at least one trial"),
    "a share": (WIDE.assign(successes_ours=0.5), {}, "is 0.5, but it must be a whole number"),
    "an empty cell": (WIDE.assign(n_base=[None, 50, 50]), {}, "the number of trials is nan"),
    "a negative number": (WIDE.assign(successes_ours=-1), {}, "is -1, but"),
    "a task twice": (WIDE.assign(task=["a", "a", "b"]), {}, "'a' occurs twice for 'ours'"),
    "a task without a name": (WIDE.assign(task=["a", None, "b"]), {}, "dataset is empty"),
    "no trials named": (
        WIDE,
        {"trials": None},
        r"without trials=; add trials=, for example trials=\['n_ours', 'n_b",
    ),
    "no successes named": (WIDE, {"successes": None}, "trials= cannot be used without successes="),
    "two and one": (
        WIDE,
        {"successes": "successes_ours"},
        "the number of columns is 1 for successes= and 2 for trials=",
    ),
    "no tasks": (WIDE, {"dataset": None}, "no column 'dataset'"),
    "a score": (WIDE, {"score": "n_ours"}, "score= applies to item scores"),
    "a test": (WIDE, {"test": "mcnemar"}, "test= applies to items"),
    "shared units": (WIDE, {"shared": True}, "shared= applies to items"),
    "a method of flips": (WIDE, {"method": "joint"}, "the table counts successes in trials"),
    "a lower score": (WIDE, {"higher_is_better": False}, "higher_is_better="),
    "an unknown task": (WIDE, {"datasets": ["x"]}, "'x' is not one of pick"),
    "one system": (LONG[LONG["system"] == "ours"], OF_LONG, "has 1 system"),
    "a task of one system": (LONG.iloc[:-1], OF_LONG, "'base' has no trials on the task 'push'"),
    "a row twice": (pd.concat([LONG, LONG.iloc[:1]]), OF_LONG, "'pick' occurs twice for 'ours'"),
}


@pytest.mark.parametrize(("frame", "given", "said"), REFUSED.values(), ids=REFUSED)
def test_refusals(frame, given, said):
    systems = {"a": "ours", "b": "base"} if frame is WIDE or "n_ours" in frame else {}
    with pytest.raises(rep.InputError) as found:
        rep.compare(frame, **{**OF_WIDE, **systems, **given})
    assert re.search(said, found.value.spelled("{}=".format))


def test_tables_of_their_own_and_families_are_refused():
    with pytest.raises(rep.InputError, match="one table with both systems"):
        rep.compare(LONG, LONG, **OF_LONG)


@pytest.mark.parametrize("frame", [WIDE, LONG], ids=["wide", "long"])
def test_check_names_the_columns(frame, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    frame.to_csv("t.csv", index=False)
    found = rep.check("t.csv")
    assert [way.command for way in found.can] == ["compare"]
    assert {"successes", "trials", "dataset"} <= set(found.can[0].keywords)
    assert cli.main(["check", "t.csv"]) == 0
    assert "--successes" in capsys.readouterr().out


def test_a_row_that_sums_up_the_tasks_is_refused():
    total = LONG[LONG["task"] == LONG["task"].iloc[0]].assign(task="Average")
    with pytest.raises(rep.InputError, match="'Average' is an aggregate of the other rows"):
        rep.compare(pd.concat([LONG, total]), a="ours", b="base", **OF_LONG)
