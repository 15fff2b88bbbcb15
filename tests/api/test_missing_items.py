"""Items that a system lacks: refused with counts, left out, or counted as wrong."""
# ruff: noqa: E501

import json
import shutil

import hypothesis
import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import strategies as st

import replicability as rep
from replicability import cli
from replicability.cli.new import EXAMPLES
from replicability.core import evaluation, findings
from replicability.io.study import read_study

KEYS = ["dataset", "instance"]
WHOLE = pd.DataFrame(
    {
        "dataset": ["news"] * 10 + ["law"] * 6,
        "instance": [f"i{k}" for k in (*range(10), *range(6))],
        "ours": [1.0] * 8 + [0, 0] + [1, 1, 0, 1, 1, 0],
        "base": [0.0] * 6 + [1, 1, 0, 1] + [0, 1, 1, 0, 0, 0],
    }
)
GAPS = WHOLE.assign(
    ours=WHOLE["ours"].mask(WHOLE.index.isin([1, 12])), base=WHOLE["base"].mask(WHOLE.index == 7)
)
"""Of news ours lacks i1 and base i7, of law ours lacks i2."""

AB = {"a": "ours", "b": "base"}
COUNTS = {"missing_a": [1, 1], "missing_b": [1, 0]}
BY_HAND = {"drop": ([6, 4], [2, 1], [8, 5]), "wrong": ([7, 4], [2, 2], [10, 6])}
"""Policy -> sums of the scores of ours and of base, and items, on news and law."""


def long(frame):
    return frame.melt(KEYS, var_name="system", value_name="score")


def sides(frame):
    rows = long(frame).dropna()
    return [rows[rows["system"] == name].drop(columns="system") for name in ("ours", "base")]


def ways(frame, folder):
    """Lay out the same scores in every way that Python reads."""
    frame.to_csv(folder / "wide.csv", index=False)
    long(frame).dropna().to_csv(folder / "long.csv", index=False)
    files = [folder / "ours.csv", folder / "base.csv"]
    folders = [folder / "ours", folder / "base"]
    for side, file, place in zip(sides(frame), files, folders, strict=True):
        side.to_csv(file, index=False)
        place.mkdir()
        for name, part in side.groupby("dataset"):
            part.drop(columns="dataset").to_csv(place / f"{name}.csv", index=False)
    return {
        "wide": (frame,),
        "long": (long(frame),),
        "rows left out": (long(frame).dropna().sample(frac=1, random_state=3),),
        "two frames": sides(frame),
        "wide file": (folder / "wide.csv",),
        "long file": (folder / "long.csv",),
        "two files": files,
        "folders": folders,
    }


@pytest.mark.parametrize("policy", BY_HAND)
def test_every_way_gives_the_scores_by_hand(policy, tmp_path):
    a, b, n = map(np.array, BY_HAND[policy])
    for way, data in ways(GAPS, tmp_path).items():
        found = rep.compare(*data, **AB, missing=policy)
        table = found.table.set_index("dataset").loc[["news", "law"]]
        assert table["n"].tolist() == n.tolist(), way
        np.testing.assert_allclose(table["score_a"], a / n, err_msg=way)
        np.testing.assert_allclose(table["score_b"], b / n, err_msg=way)
        for column, counts in COUNTS.items():
            assert table[column].tolist() == counts, way
        said = [note for note in found.notes if "on 'news' (1 for ours, 1 for base)" in note]
        assert len(said) == 1 and "1 of 6 on 'law' (1 for ours)" in said[0], way
        assert said[0] in found.method
        assert found.to_dict()["missing"] == policy
        again = rep.Result.from_dict(json.loads(json.dumps(found.to_dict())))
        assert again.notes == found.notes and again.table.equals(found.table)


def test_every_way_refuses_by_default_with_counts(tmp_path):
    for way, data in ways(GAPS, tmp_path).items():
        with pytest.raises(rep.InputError) as caught:
            rep.compare(*data, **AB)
        message = str(caught.value)
        assert "missing='drop'" in message, way
        if way in ("wide", "long", "wide file"):
            assert "row 1" in message or "line 3" in message, way
        else:
            assert (
                "1 for ours on 'law'" in message and "1 for ours, 1 for base on 'news'" in message
            ), way


@pytest.mark.parametrize("policy", ["drop", "wrong"])
def test_the_three_doors_give_one_answer(policy, tmp_path, capsys):
    path = tmp_path / "t.csv"
    GAPS.to_csv(path, index=False)
    found = rep.compare(GAPS, **AB, missing=policy)
    assert (
        cli.main(["compare", str(path), "--systems", "ours", "base", "--json", "--missing", policy])
        == 0
    )
    said = json.loads(capsys.readouterr().out)
    columns = {"dataset": "dataset", "instance": "instance", "scores": ["ours", "base"]}
    block = {"name": "c", "systems": ["ours", "base"], "dependence": "dependent", "missing": policy}
    content = {
        "study": "s",
        "alphas": [0.05],
        "comparisons": [block | {"file": str(path), "columns": columns}],
    }
    (tmp_path / "s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    (comparison,) = read_study(tmp_path / "s.yaml").comparisons
    table = evaluation.evaluate(comparison)
    assert said["sentences"] == [found.sentence] == [str(findings.find(comparison, table, 0.05))]
    assert table.missing in said["notes"] and table.missing in found.notes


SMALL = st.lists(
    st.tuples(*[st.sampled_from([0.0, 1.0, np.nan])] * 2), min_size=4, max_size=24
).filter(lambda rows: any(not np.isnan(row).any() for row in rows))


@hypothesis.settings(deadline=None, max_examples=40)
@hypothesis.given(SMALL, st.randoms(use_true_random=False))
def test_to_drop_is_to_leave_out_before(rows, random):
    gaps = pd.DataFrame(rows, columns=["ours", "base"])
    gaps.insert(0, "instance", [f"i{k}" for k in range(len(rows))])
    kept = gaps.dropna()
    hypothesis.assume(len(kept) > 1)
    before = rep.compare(kept, **AB).table
    order = random.sample(range(2 * len(gaps)), 2 * len(gaps))
    mixed = gaps.melt("instance", var_name="system", value_name="score").iloc[order]
    for data in (gaps, mixed):
        after = rep.compare(data, **AB, missing="drop").table
        pd.testing.assert_frame_equal(after[before.columns], before)


@hypothesis.settings(deadline=None, max_examples=40)
@hypothesis.given(SMALL)
def test_to_count_as_wrong_is_to_write_zeros_before(rows):
    gaps = pd.DataFrame(rows, columns=["ours", "base"])
    hypothesis.assume(gaps.notna().any().all())
    gaps.insert(0, "instance", [f"i{k}" for k in range(len(rows))])
    before = rep.compare(gaps.fillna(0), **AB).table
    for data in (gaps, gaps.melt("instance", var_name="system", value_name="score")):
        after = rep.compare(data, **AB, missing="wrong").table
        pd.testing.assert_frame_equal(after[before.columns], before)


def test_where_a_lower_score_is_better_one_is_wrong():
    errors = GAPS.assign(ours=1 - GAPS["ours"], base=1 - GAPS["base"])
    found = rep.compare(errors, **AB, missing="wrong", higher_is_better=False).table
    right = rep.compare(GAPS, **AB, missing="wrong").table
    np.testing.assert_allclose(found["difference"], right["difference"])
    np.testing.assert_allclose(found["p_value"], right["p_value"])


def test_of_scores_with_sizes_none_of_the_size_is_right():
    sized = GAPS.assign(ours=GAPS["ours"] * 3, base=GAPS["base"] * 2, size=[4, 5] * 8)
    found = rep.compare(sized, **AB, size="size", missing="wrong").table
    filled = rep.compare(sized.fillna(0), **AB, size="size").table
    pd.testing.assert_frame_equal(found[filled.columns], filled)
    rows = sized.melt([*KEYS, "size"], var_name="system", value_name="score").dropna()
    of_rows = rep.compare(rows, **AB, size="size", missing="wrong").table
    np.testing.assert_allclose(of_rows["p_value"], filled["p_value"])


def test_an_item_that_no_run_has_is_missing():
    runs = pd.concat([long(WHOLE).assign(run=run) for run in ("s1", "s2")])
    lacking = runs[~((runs["system"] == "ours") & (runs["instance"] == "i1"))]
    dropped = rep.compare(lacking, **AB, run="run", missing="drop").table
    before = rep.compare(runs[runs["instance"] != "i1"], **AB, run="run").table
    pd.testing.assert_frame_equal(dropped[before.columns], before)
    zeros = runs.assign(score=runs["score"].mask(~runs.index.isin(lacking.index), 0))
    zeros.loc[(zeros["system"] == "ours") & (zeros["instance"] == "i1"), "score"] = 0
    wrong = rep.compare(lacking, **AB, run="run", missing="wrong").table
    filled = rep.compare(zeros, **AB, run="run").table
    pd.testing.assert_frame_equal(
        wrong[filled.columns].sort_values("dataset", ignore_index=True),
        filled.sort_values("dataset", ignore_index=True),
    )


@pytest.mark.parametrize("policy", ["drop", "wrong"])
def test_a_family_leaves_out_what_any_system_lacks(policy, tmp_path):
    third = GAPS.assign(third=(WHOLE["ours"] * WHOLE["base"]).mask(WHOLE.index == 3))
    whole = third.dropna() if policy == "drop" else third.fillna(0)
    found = rep.all_pairs(third, missing=policy)
    before = rep.all_pairs(whole)
    np.testing.assert_array_equal(found.pairs.pvalues, before.pairs.pvalues)
    rows = third.melt(KEYS, var_name="system", value_name="score").dropna()
    of_rows = rep.all_pairs(rows, missing=policy)
    assert of_rows.notes[0] == found.notes[0]
    assert "on 'news' (1 for ours, 1 for base, 1 for third)" in found.notes[0]
    np.testing.assert_allclose(of_rows.pairs.pvalues, before.pairs.pvalues)
    for system, part in rows.groupby("system"):
        for name, one in part.groupby("dataset"):
            (tmp_path / system).mkdir(exist_ok=True)
            one[["instance", "score"]].to_csv(tmp_path / system / f"{name}.csv", index=False)
    folders = {name: tmp_path / name for name in ("ours", "base", "third")}
    of_files = rep.all_pairs(folders, missing=policy)
    assert "1 for ours, 1 for base, 1 for third" in of_files.notes[0]
    order = [of_files.systems.index(name) for name in found.systems]
    columns = [of_files.pairs.datasets.index(name) for name in found.pairs.datasets]
    pvalues = of_files.pairs.pvalues[np.ix_(order, order, columns)]
    np.testing.assert_allclose(pvalues, found.pairs.pvalues)


REFUSED = {
    "a policy that there is not": (GAPS, {"missing": "dorp"}, r"missing 'dorp' is not one of refuse, drop, wrong"),
    "a dataset of one system": (GAPS.assign(base=GAPS["base"].where(GAPS["dataset"] == "law")), {"missing": "drop"}, r"base "
    r"has no score on 'news', and a whole dataset can be neither left out nor counted as wrong"),
    "nothing that is left": (
        GAPS.assign(ours=GAPS["ours"].where(GAPS.index % 2 == 0), base=GAPS["base"].where(GAPS.index % 2 == 1)),
        {"missing": "drop"}, r"no item of 'news', 'law' has a score for every system",
    ),
    "graded scores that would be wrong": (GAPS.assign(base=GAPS["base"] * 0.5), {"missing": "wrong"}, r"cannot be counted as wrong, because the score 0\.5 is neither 0 nor 1 and has no size"),
    "a cell that is text": (GAPS.assign(base=GAPS["base"].map({0: "0", 1: "1"}).fillna("x")), {"missing": "drop"}, r"the score in 'base' is 'x'"),
    "an infinite score": (GAPS.fillna({"base": np.inf}), {"missing": "drop"}, r"the score in 'base' is inf"),
    "an item twice": (pd.concat([long(GAPS), long(GAPS).tail(1)]), {"missing": "drop"}, r"'i5' of 'law' occurs more than once"),
    "ratings": (GAPS.assign(gold=1.0), {"gold": "gold", "missing": "wrong", "metric": "correlation"}, r"ratings are neither right nor wrong"),
}  # fmt: skip


@pytest.mark.parametrize(("frame", "keywords", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_settled_is_refused(frame, keywords, message):
    with pytest.raises(rep.InputError, match=message):
        rep.compare(frame, **AB, **keywords)


def test_places_and_arrays_have_no_missing_items(tmp_path):
    places = ways(WHOLE, tmp_path)["folders"]
    with pytest.raises(
        rep.InputError,
        match=r"missing= applies to items for which a system has no score, but these items cannot be found if items are matched by position",
    ):
        rep.compare(*places, match="place", missing="drop")
    with pytest.raises(
        rep.InputError, match=r"missing= sets how a table is read, but the scores are an array"
    ):
        rep.compare([1, 0, 1], [0, 0, 1], missing="drop")


def _lines(key):
    """Keep the lines of a log whose identifier is not that of an item."""

    def without(text, item):
        lines = [line for line in text.splitlines() if line]
        return "\n".join(line for line in lines if json.loads(line)[key] != item) + "\n"

    return without


def _labels(text, item):
    return "".join(line + "\n" for line in text.splitlines() if line.split("\t")[0] != item)


def _entries(text, item):
    return json.dumps([entry for entry in json.loads(text) if entry["instance_id"] != item])


def _samples(text, item):
    log = json.loads(text)
    log["samples"] = [sample for sample in log["samples"] if str(sample["id"]) != item]
    return json.dumps(log | {"results": {}})


LOGS = {
    "labels": _labels,
    "lm_eval": _lines("doc_id"),
    "every_eval_ever": _lines("sample_id"),
    "nemo_evaluator": _lines("problem_idx"),
    "helm": _entries,
    "inspect_ai": _samples,
}
"""Format -> how an item is taken out of the text of one of its files."""


def cut(kind, folder, item, sides):
    """Copy the example of a format, and take an item of the news out of the files of sides."""
    shutil.copytree(EXAMPLES / kind, folder, dirs_exist_ok=True)
    for side in sides:
        for path in [p for p in (folder / side).rglob("*") if p.is_file()]:
            text = path.read_text(encoding="utf-8")
            if "news" in f"{path.relative_to(folder)}{text[:2000]}":
                path.write_text(LOGS[kind](text, item), encoding="utf-8")
    gold = {"gold": folder / "gold"} if kind == "labels" else {}
    return {"data": folder / "ours", "other": folder / "baseline", "format": kind, **gold}


@pytest.mark.parametrize("kind", LOGS)
def test_items_that_a_log_lacks(kind, tmp_path):
    whole = rep.Scores.of(*_given(cut(kind, tmp_path / "whole", None, [])))
    (news,) = [dataset for dataset in whole.datasets if dataset.name == "news"]
    item = news.identifiers[3].as_py()
    item = int(item) if kind in ("lm_eval", "nemo_evaluator") else item
    lacking = cut(kind, tmp_path / "lacking", item, ["baseline"])
    with pytest.raises(
        rep.InputError, match=r"missing for baseline.*\(missing: 1 for baseline on 'news'\)"
    ):
        rep.compare(**lacking)
    sides = ["ours", "baseline", *(["gold"] if kind == "labels" else [])]
    before = rep.compare(**cut(kind, tmp_path / "before", item, sides)).table
    dropped = rep.compare(**lacking, missing="drop").table
    pd.testing.assert_frame_equal(dropped[before.columns], before)
    assert dropped.set_index("dataset").loc["news", "missing_b"] == 1
    wrong = rep.compare(**lacking, missing="wrong").table.set_index("dataset").loc["news"]
    expected = [news.a.mean(), (news.b.sum() - news.b[3]) / len(news)]
    np.testing.assert_allclose(wrong[["score_a", "score_b"]].astype(float), expected)


def _given(keywords):
    reading = {key: value for key, value in keywords.items() if key not in ("data", "other")}
    return keywords["data"], keywords["other"], reading
