"""What is read of HELM, Every Eval Ever, lists and matrices, against another way to it."""

import itertools
import json

import numpy as np
import pandas as pd
import pytest
from comparisons import declare

import replicability as rep
from analysis import paths
from replicability.cli import new
from replicability.core import all_pairs, evaluation
from replicability.io import formats, study
from replicability.stats import paired


def comparison(kind, files, **changes):
    files = {side: str(path) for side, path in files.items()}
    usual = {"name": "mine", "section": study.SECTION, "format": kind, "files": files}
    return declare(**(usual | changes))


def sides(folder, name=""):
    return {side: folder / f"{side}{name}" for side in "ab"}


# --- HELM ----------------------------------------------------------------------------------------


def helm(rng, n, trials, order):
    """Write statistics of items in several train trials."""
    values = rng.random((trials, n)).round(3)
    entries = [
        {
            "instance_id": f"id{i}",
            "train_trial_index": t,
            "stats": [
                {"name": {"name": "f1_score", "split": split}, "count": 2, "sum": 2 * values[t, i]}
                for split in ("test" if i % 3 else "valid",)
            ],
        }
        for t in range(trials)
        for i in order
    ]
    return values, entries


def test_train_trials_are_averaged_and_instances_matched(store):
    rng = np.random.default_rng(5)
    (a, text_a), (b, text_b) = (helm(rng, 12, 3, rng.permutation(12)) for _ in range(2))
    name = "per_instance_stats.json"
    folder = store({f"a/qa,model=a/{name}": text_a, f"b/qa,model=b/{name}": text_b})
    for split, rows in (("", range(12)), ("valid", range(12))):
        wanted = [i for i in rows if bool(i % 3) == (split == "")]
        (found,) = formats.read(comparison("helm", sides(folder), metric="f1_score", filter=split))
        assert found.name == "qa"
        order = [int(i.removeprefix("id")) for i in found.identifiers.to_pylist()]
        assert sorted(order) == wanted
        np.testing.assert_allclose(found.a, a.mean(axis=0)[order])
        np.testing.assert_allclose(found.b, b.mean(axis=0)[order])


@pytest.mark.parametrize(
    ("run", "dataset"),
    [
        ("mmlu:subject=law,method=x,model=openai_gpt2", "mmlu:subject=law,method=x"),
        ("mmlu-subject=law,model=o-a_b.c,method=x", "mmlu-subject=law,method=x"),
        ("boolq:model=x,model_deployment=y", "boolq"),
        ("boolq-model=x", "boolq"),
        ("boolq", "boolq"),
    ],
)
def test_a_run_is_called_without_its_model(store, run, dataset):
    _, text = helm(np.random.default_rng(1), 4, 1, range(4))
    folder = store({f"{s}/{run}/per_instance_stats.json": text for s in "ab"})
    (found,) = formats.read(comparison("helm", sides(folder), metric="f1_score"))
    assert found.name == dataset


# --- lists ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["right", "wrong"])
@pytest.mark.parametrize("way", ["number", "file", "json"])
def test_lists_give_mcnemar_of_what_is_right(store, kind, way):
    rng = np.random.default_rng(8)
    everything = [f"i{n}" for n in range(40)]
    right = {side: rng.random(40) < share for side, share in (("a", 0.7), ("b", 0.4))}
    key = {"right": "resolved", "wrong": "unresolved"}[kind]
    listed = {
        side: [i for i, hit in zip(everything, hits, strict=True) if hit == (kind == "right")]
        for side, hits in right.items()
    }
    files = {f"{side}.json": {key: ids, "total_instances": 40} for side, ids in listed.items()}
    if way != "json":
        files = {f"{side}.json": "\n".join(ids) for side, ids in listed.items()}
    folder = store(files | {"all.txt": "\n".join(everything)})
    items = {"number": 40, "file": str(folder / "all.txt"), "json": 0}[way]
    told = comparison("ids", sides(folder, ".json"), items=items, lists=kind)
    table = evaluation.evaluate(told)
    wins, losses = (right["a"] & ~right["b"]).sum(), (right["b"] & ~right["a"]).sum()
    assert table["n"].tolist() == [40]
    assert table["p_value"][0] == paired.mcnemar_counts(wins, losses, 40).pvalue
    np.testing.assert_allclose(
        table[["score_a", "score_b"]].iloc[0], [right[s].mean() for s in "ab"]
    )


def test_lists_of_several_datasets(store):
    lists = {"a/x.txt": "1\n2\n", "a/y.txt": "1\n", "b/x.txt": "1\n", "b/y.txt": "2\n"}
    folder = store(lists | {"all/x.txt": "1\n2\n3\n", "all/y.txt": "1\n2\n"})
    for items in ({"x": 3, "y": 2}, str(folder / "all")):
        table = evaluation.evaluate(comparison("ids", sides(folder), items=items))
        assert (table["dataset"].tolist(), table["n"].tolist()) == (["x", "y"], [3, 2])
        assert table["score_a"].tolist() == [2 / 3, 1 / 2]
    told = comparison("ids", sides(folder), items={"x": 3, "y": 2})
    assert told.paths == (str(folder / "a"), str(folder / "b"))
    told = comparison("ids", sides(folder), items=str(folder / "all"))
    assert told.paths[-1] == str(folder / "all")


# --- matrices ------------------------------------------------------------------------------------


def scores():
    rng = np.random.default_rng(2)
    rows = itertools.product(("x", "y"), "ABC", range(9))
    table = pd.DataFrame(rows, columns=["set", "system", "id"])
    table["score"] = rng.random(len(table)).round(2)
    return table[(table["set"] == "x") | (table["id"] < 6)]


def test_a_matrix_gives_what_a_long_table_gives(tmp_path):
    long = scores()
    long.to_csv(tmp_path / "long.csv", index=False)
    matrix = long.pivot_table("score", ["system", "set"], "id")
    matrix.reset_index().sort_values("set").to_csv(tmp_path / "m.csv", index=False)
    (tmp_path / "sets").mkdir()
    for name, rows in long.groupby("set"):
        one = rows.pivot_table("score", "system", "id").reset_index()
        one.to_csv(tmp_path / "sets" / f"{name}.csv", index=False)
    columns = {"dataset": "set", "instance": "id", "system": "system", "score": "score"}
    ways = [
        ("long.csv", columns),
        ("m.csv", {"system": "system", "dataset": "set"}),
        ("sets", {"system": "system"}),
    ]
    expected, *others = (
        evaluation.evaluate(
            comparison("table", {}, file=str(tmp_path / name), columns=columns_)
        ).rows
        for name, columns_ in ways
    )
    for table in others:
        pd.testing.assert_frame_equal(table, expected)


def test_a_family_from_a_matrix(write, tmp_path):
    long = scores()
    matrix = long.pivot_table("score", ["system", "set"], "id").reset_index()
    matrix.to_csv(tmp_path / "m.csv", index=False)
    long.to_csv(tmp_path / "long.csv", index=False)
    head = "study: s\nalphas: [0.05]\nfamilies:\n- {name: all, dependence: dependent, "
    tables = []
    for name, columns in (
        ("m.csv", "{system: system, dataset: set}"),
        ("long.csv", "{dataset: set, instance: id, system: system, score: score}"),
    ):
        path = write("s.yaml", f"{head}file: {tmp_path / name}, columns: {columns}}}")
        (family,) = study.read_study(path).families
        tables.append(all_pairs.compare(family))
    assert tables[0].systems == tables[1].systems
    np.testing.assert_array_equal(tables[0].pvalues, tables[1].pvalues)


# --- parts ---------------------------------------------------------------------------------------


def test_parts_of_a_table_are_datasets(write, tmp_path):
    long = scores().assign(length=lambda t: np.where(t["id"] % 2, "long", "short"))
    long.to_csv(tmp_path / "t.csv", index=False)
    head = "study: s\nalphas: [0.05]\ncomparisons:\n- {name: c, systems: [A, B], "
    head += f"dependence: dependent, file: {tmp_path / 't.csv'}, by: length, columns: "
    both = "instance: id, system: system, score: score"
    crossed = study.read_study(write("s.yaml", f"{head}{{dataset: set, {both}}}}}")).comparisons[0]
    found = {d.name: d for d in formats.read(crossed)}
    assert list(found) == ["x / short", "x / long", "y / short", "y / long"]
    for (name, length), rows in long.groupby(["set", "length"]):
        wide = rows.pivot_table("score", "id", "system")
        np.testing.assert_allclose(found[f"{name} / {length}"].a, wide["A"])
        np.testing.assert_allclose(found[f"{name} / {length}"].b, wide["B"])
    unique = long.assign(id=long["set"] + long["id"].astype(str))
    unique.to_csv(tmp_path / "t.csv", index=False)
    alone = study.read_study(write("s.yaml", f"{head}{{{both}}}}}")).comparisons[0]
    assert alone.columns["dataset"] == "length"
    assert [d.name for d in formats.read(alone)] == ["short", "long"]


GOLD = "A B-PER\nB I-PER\nc O\n\nD B-LOC\nE B-PER\n"
OURS = GOLD.replace("E B-PER", "E B-LOC")
THEIRS = GOLD.replace("B I-PER", "B O").replace("D B-LOC", "D O")


def test_spans_of_each_type(store):
    folder = store({"gold.txt": GOLD, "a.txt": OURS, "b.txt": THEIRS})
    files = {side: folder / f"{side}.txt" for side in ("gold", "a", "b")}
    found = formats.read(comparison("spans", files, metric="f1", by="type"))
    assert [d.name for d in found] == ["LOC", "PER"]
    # right, guessed and gold spans of each sentence, counted by hand
    np.testing.assert_array_equal(found[0].a, [[0, 0, 0], [1, 2, 1]])
    np.testing.assert_array_equal(found[0].b, [[0, 0, 0], [0, 0, 1]])
    np.testing.assert_array_equal(found[1].a, [[1, 1, 1], [0, 0, 1]])
    np.testing.assert_array_equal(found[1].b, [[0, 1, 1], [1, 1, 1]])


def test_types_of_spans_in_several_files(store):
    texts = {"gold": GOLD, "a": OURS, "b": THEIRS}
    folder = store({f"{side}/{n}.txt": text for side, text in texts.items() for n in ("k", "m")})
    files = {side: folder / side for side in texts}
    told = comparison("spans", files, metric="f1", by="type", datasets=("k / PER", "m / LOC"))
    found = formats.read(told)
    assert [d.name for d in found] == ["k / PER", "m / LOC"]
    assert found[0].identifiers.to_pylist() == ["k 1", "k 2"]


# --- recognition ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "path", "kind"),
    [
        ({"r/law,model=a/per_instance_stats.json": []}, "r", "helm"),
        ({"r/law,model=a/per_instance_stats.json": []}, "r/law,model=a", "helm"),
        ({"r/per_instance_stats.json": []}, "r/per_instance_stats.json", "helm"),
        ({"e/o/1_samples.jsonl": '{"schema_version": "0.3.0"}\n'}, "e", "every_eval_ever"),
        ({"1_samples.jsonl": '{"schema_version": 0}\n'}, "1_samples.jsonl", "every_eval_ever"),
        ({"1_samples.jsonl": '{"id": 1}\n'}, "1_samples.jsonl", "table"),
        ({"samples_arc.jsonl": '{"schema_version": "0.3.0"}\n'}, "samples_arc.jsonl", "lm_eval"),
        ({"a.json": {"resolved": []}}, "a.json", "ids"),
        ({"l/a.json": {"resolved_ids": ["x"], "total_instances": 3}}, "l", "ids"),
        ({"a.json": {"results": {}, "configs": {}}}, "a.json", "table"),
        ({"a.json": "{"}, "a.json", "table"),
        ({"a.jsonl": '{"dataset": "x"}\n'}, "a.jsonl", "table"),
    ],
)  # fmt: skip
def test_what_is_recognised(store, files, path, kind):
    assert formats.guess(store(files) / path) == kind


def test_the_example_of_every_eval_ever_keeps_to_its_schema():
    needed = {"schema_version", "evaluation_id", "model_id", "evaluation_name", "sample_id"}
    needed |= {"interaction_type", "input", "output", "answer_attribution", "evaluation"}
    found = list((new.EXAMPLES / "every_eval_ever").rglob("*_samples.jsonl"))
    assert found
    for path in found:
        for line in path.read_text(encoding="utf-8").splitlines():
            assert needed <= set(json.loads(line)), paths.ROOT / path


def test_runs_of_helm_name_their_model(tmp_path):
    runs = ("law,model=openai_gpt2", "a:model=openai_gpt2,x=1", "b,model=meta_llama", "c")
    for run in runs:
        (tmp_path / run).mkdir()
        (tmp_path / run / "per_instance_stats.json").write_text("[]", encoding="utf-8")
    named = formats.get("helm").system
    assert [named(tmp_path / run) for run in runs] == ["openai_gpt2"] * 2 + ["meta_llama", ""]
    assert named(tmp_path / runs[0] / "per_instance_stats.json") == "openai_gpt2"
    assert named(tmp_path) == ""


SHOTS = {
    "the same": (5, 5, ""),
    "others": (
        0,
        5,
        "A with num_fewshot=0, B with num_fewshot=5. Different arguments may explain a difference",
    ),
    "of one system": (5, None, ""),
}


@pytest.mark.parametrize(("a", "b", "said"), SHOTS.values(), ids=SHOTS)
def test_other_numbers_of_shots_are_told(tmp_path, a, b, said):
    for side, shots in (("a", a), ("b", b)):
        (tmp_path / side).mkdir()
        rows = [{"doc_id": n, "doc": {"q": n}, "acc": float(n % 3 > 0)} for n in range(12)]
        (tmp_path / side / "samples_arc_2026-01-31T12-00-00.000000.jsonl").write_text(
            "".join(json.dumps(row) + "\n" for row in rows)
        )
        if shots is not None:
            (tmp_path / side / "results_2026-01-31T12-00-00.000000.json").write_text(
                json.dumps({"n-shot": {"arc": shots}, "results": {}, "configs": {}})
            )
    notes = " ".join(rep.compare(tmp_path / "a", tmp_path / "b", a="A", b="B").notes)
    assert ("run with different task arguments" in notes) == bool(said)
    assert said in notes
