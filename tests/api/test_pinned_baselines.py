"""Pinned baselines: one system's scores in a file, and later runs that are compared with them."""

import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import replicability as rep
from replicability import cli
from replicability.checks import InputError

EXAMPLE = Path(rep.__file__).parent / "cli" / "example"


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """Write tables of a system in use, of the same again, and of a new one that is worse."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    base = pd.DataFrame({"dataset": np.repeat(["news", "law"], 300), "id": np.arange(600)})
    base["score"] = (rng.random(600) < 0.7).astype(int)
    worse = base.assign(score=base["score"] * (rng.random(600) < 0.8))
    for name, frame in {"base": base, "same": base.iloc[::-1], "worse": worse}.items():
        frame.to_csv(f"{name}.csv", index=False)
    return tmp_path


TABLE = {"instance": "id"}


def test_a_pinned_baseline_decides_as_its_run(runs):
    assert rep.pin("base.csv", "b.parquet", **TABLE) == runs / "b.parquet"
    for new in ("base.csv", "same.csv", "worse.csv"):
        found = rep.gate("b.parquet", new, margin=0.05, **TABLE)
        if new != "base.csv":
            expected = rep.gate("base.csv", new, margin=0.05, **TABLE)
            assert (found.verdict, found.regressed) == (expected.verdict, expected.regressed)
            one, two = (
                g.table.sort_values("dataset", ignore_index=True) for g in (found, expected)
            )
            pd.testing.assert_frame_equal(one, two)
            assert set(found.flips) == set(expected.flips)
    assert found.systems == ("baseline", "worse")
    named = rep.gate("b.parquet", "worse.csv", margin=0.05, systems=["v1", "v2"], **TABLE)
    assert named.systems == ("v1", "v2")


def test_the_same_input_gives_the_same_bytes(runs):
    first = rep.pin("base.csv", "b.parquet", **TABLE).read_bytes()
    assert rep.pin("base.csv", "c.parquet", **TABLE).read_bytes() == first
    assert rep.pin("base.csv", "b.parquet", **TABLE).read_bytes() == first


def test_data_frames_are_pinned_and_compared_as_their_files(runs):
    base, worse = (pd.read_csv(f"{name}.csv") for name in ("base", "worse"))
    rep.pin(base, "frame.parquet", **TABLE)
    rep.pin("base.csv", "file.parquet", **TABLE)
    systems = ["v1", "v2"]
    found, direct = (
        rep.gate(pinned, new, margin=0.05, systems=systems, **TABLE)
        for pinned, new in (("frame.parquet", worse), ("file.parquet", "worse.csv"))
    )
    assert str(found) == str(direct)
    pd.testing.assert_frame_equal(found.table, direct.table)
    with pytest.raises(InputError, match="The data frame does not have the same items as"):
        rep.gate("frame.parquet", worse.iloc[3:], margin=0.05, **TABLE)


@pytest.mark.parametrize("kind", ["lm_eval", "inspect_ai", "helm", "nemo_evaluator"])
def test_logs_are_pinned(kind, tmp_path):
    found = sorted(path for path in (EXAMPLE / kind).glob("*") if path.is_dir())
    if len(found) < 2:
        pytest.skip(f"there is no example of {kind} with a folder for each system")
    old, new = found[:2]
    rep.pin(old, tmp_path / "b.parquet")
    pinned = rep.gate(tmp_path / "b.parquet", new, margin=0.1)
    direct = rep.gate(old, new, margin=0.1)
    pd.testing.assert_frame_equal(pinned.table, direct.table)
    assert pinned.verdict == direct.verdict


def test_changed_items_are_noticed(tmp_path):
    shutil.copytree(EXAMPLE / "lm_eval" / "baseline", tmp_path / "old")
    shutil.copytree(EXAMPLE / "lm_eval" / "ours", tmp_path / "new")
    rep.pin(tmp_path / "old", tmp_path / "b.parquet")
    contents = pq.read_table(tmp_path / "b.parquet")["content"]
    log = next((tmp_path / "new").rglob("samples_news*.jsonl"))
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    rows[1]["doc_hash"] = "another"
    rows[1]["doc"] = {"text": "another"}
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert contents.null_count == 0
    with pytest.raises(InputError, match=r"of news 1 changed \(such as '1'\)"):
        rep.gate(tmp_path / "b.parquet", tmp_path / "new", margin=0.1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.iloc[3:], r"of news 3 missing \(such as '0', '1', '2'\)"),
        (lambda f: f.assign(id=f["id"].replace(7, 7000)), "of news 1 missing .* and 1 new"),
        (lambda f: f[f["dataset"] == "news"], ": dataset law is missing"),
        (lambda f: f.replace({"dataset": {"law": "laws"}}), "; dataset laws is new"),
    ],
)
def test_other_items_are_refused(runs, change, message, capsys):
    rep.pin("base.csv", "b.parquet", **TABLE)
    before = Path("b.parquet").read_bytes()
    change(pd.read_csv("base.csv")).to_csv("other.csv", index=False)
    with pytest.raises(InputError, match=message):
        rep.gate("b.parquet", "other.csv", margin=0.05, **TABLE)
    given = ["--instance", "id", "--margin", "0.05", "--save", "b.parquet"]
    assert cli.main(["gate", "b.parquet", "other.csv", *given[:-2], "--save", "n.parquet"]) == 3
    assert "pin a new baseline" in capsys.readouterr().err
    assert cli.main(["gate", "b.parquet", "other.csv", *given]) == 3
    assert Path("b.parquet").read_bytes() == before and not Path("n.parquet").exists()


def test_what_is_read_otherwise_is_refused(runs):
    rep.pin("base.csv", "b.parquet", **TABLE)
    with pytest.raises(InputError, match="direction 'higher is better'"):
        rep.gate("b.parquet", "worse.csv", margin=0.05, higher_is_better=False, **TABLE)
    table = pq.read_table("b.parquet")
    key = b"replicability.baseline"
    said = json.loads(table.schema.metadata[key]) | {"layout": 0}
    pq.write_table(table.replace_schema_metadata({key: json.dumps(said)}), "old.parquet")
    with pytest.raises(InputError, match="pinned with layout 0"):
        rep.gate("old.parquet", "worse.csv", margin=0.05, **TABLE)
    rep.pin(EXAMPLE / "lm_eval" / "ours", "logs.parquet")
    with pytest.raises(InputError, match="format 'lm_eval'"):
        rep.gate("logs.parquet", "worse.csv", margin=0.05, **TABLE)


def test_what_cannot_be_pinned(runs):
    rep.pin("base.csv", "b.parquet", **TABLE)
    frame = pd.read_csv("base.csv")
    for given, message in (
        (("b.parquet", "c.parquet"), "is a baseline; pass the scores of a run"),
        (("base.csv", "c.csv"), "name it c.parquet"),
        (("none.csv", "c.parquet"), "none.csv"),
        ((frame["score"].to_numpy(), "c.parquet"), "needs items with identifiers"),
    ):
        with pytest.raises(InputError, match=message):
            rep.pin(*given, **TABLE)
    with pytest.raises(InputError, match="needs items with identifiers"):
        rep.gate("b.parquet", frame["score"].to_numpy(), margin=0.1, **TABLE)
    assert not Path("c.parquet").exists()


def test_the_command_line_pins_and_compares(runs, capsys):
    given = ["--instance", "id"]
    assert cli.main(["gate", "base.csv", "--save", "b.parquet", *given]) == 0
    assert "b.parquet" in capsys.readouterr().out
    assert cli.main(["gate", "b.parquet", "same.csv", "--margin", "0.05", *given]) == 0
    again = ["--margin", "0.05", "--save", "w.parquet", "--json", *given]
    assert cli.main(["gate", "b.parquet", "worse.csv", *again]) == 1
    assert Path("w.parquet").read_bytes() == rep.pin("worse.csv", "x.parquet", **TABLE).read_bytes()
    assert cli.main(["gate", "base.csv", "--systems", "a", "b", "--save", "x.parquet"]) == 3
    assert "--save pins one system" in capsys.readouterr().err


def test_the_policy_says_how_a_baseline_is_read(runs):
    Path("gate.yaml").write_text("margin: 0.05\nhigher_is_better: false\n")
    given = ["--instance", "id", "--policy", "gate.yaml"]
    assert cli.main(["gate", "base.csv", "--save", "b.parquet", *given]) == 0
    assert cli.main(["gate", "b.parquet", "same.csv", *given]) == 0
    found = rep.gate("b.parquet", "worse.csv", policy="gate.yaml", **TABLE)
    assert (found.verdict, found.regressed) == ("SHIP", [])  # fewer are fewer errors


def test_scores_with_sizes_are_pinned(runs):
    for name in ("base", "worse"):
        pd.read_csv(f"{name}.csv").assign(words=2).to_csv(f"{name}.csv", index=False)
    sized = {**TABLE, "size": "words", "margin": 0.05}
    rep.pin("base.csv", "b.parquet", size="words", **TABLE)
    pinned, direct = (rep.gate(old, "worse.csv", **sized) for old in ("b.parquet", "base.csv"))
    pd.testing.assert_frame_equal(pinned.table, direct.table)
    with pytest.raises(InputError, match="metric 'score with sizes'"):
        rep.gate("b.parquet", "worse.csv", margin=0.05, **TABLE)


def test_other_arguments_of_a_task_are_noticed(tmp_path):
    old, new = (tmp_path / name for name in ("old", "new"))
    for place in (old, new):
        shutil.copytree(EXAMPLE / "inspect_ai" / "ours", place)
    rep.pin(old, tmp_path / "b.parquet")
    assert rep.gate(tmp_path / "b.parquet", new, margin=0.5).verdict == "SHIP"
    log = next(new.rglob("*.json"))
    content = json.loads(log.read_text())
    content["eval"]["task_args"] = {"shots": 5}
    log.write_text(json.dumps(content))
    with pytest.raises(
        InputError, match=r"The prompts or task settings of .* differ from those of .*such as"
    ):
        rep.gate(tmp_path / "b.parquet", new, margin=0.5)
    with pytest.raises(
        InputError, match=r"were run with different task arguments: .*shots=5.* The change affects"
    ):
        rep.gate(old, new, margin=0.5)
    for base in (tmp_path / "b.parquet", old):
        assert rep.gate(base, new, margin=0.5, other_prompts=True).verdict == "SHIP"


def helm(folder, model, prompts, shots=5):
    """Write a run of HELM with its items and its specification."""
    place = folder / f"law-model={model}"
    place.mkdir(parents=True)
    rng = np.random.default_rng(len(prompts))
    stats = [
        {"instance_id": key, "train_trial_index": 0, "stats": [
            {"name": {"name": "exact_match", "split": "test"}, "count": 1, "sum": int(value)}
        ]}
        for key, value in zip(prompts, rng.random(len(prompts)) < 0.7, strict=True)
    ]  # fmt: skip
    (place / "per_instance_stats.json").write_text(json.dumps(stats))
    instances = [{"id": i, "input": {"text": t}, "references": []} for i, t in prompts.items()]
    (place / "instances.json").write_text(json.dumps(instances))
    spec = {"adapter_spec": {"model": model, "max_train_instances": shots}}
    (place / "run_spec.json").write_text(json.dumps(spec))
    return folder


PROMPTS = {f"id{n}": f"Question {n}" for n in range(40)}


def test_what_instances_of_helm_hold_is_pinned(tmp_path):
    old = helm(tmp_path / "old", "v1", PROMPTS)
    rep.pin(old, tmp_path / "b.parquet")
    new = helm(tmp_path / "new", "v2", PROMPTS)
    assert rep.gate(tmp_path / "b.parquet", new, margin=0.1).verdict != "BLOCK"
    for name, changed, said in (
        ("text", PROMPTS | {"id3": "Another"}, r"of law 1 changed \(such as 'id3'\)"),
        (
            "shots",
            PROMPTS,
            r"The prompts or task settings of .* 40 items of law \(such as 'id0', 'id1'",
        ),
    ):
        run = helm(tmp_path / name, "v2", changed, shots=0 if name == "shots" else 5)
        with pytest.raises(InputError, match=said):
            rep.gate(tmp_path / "b.parquet", run, margin=0.1)


def test_runs_of_helm_on_other_prompts_are_refused(tmp_path):
    old = helm(tmp_path / "old", "v1", PROMPTS)
    other = helm(tmp_path / "new", "v2", PROMPTS | {"id3": "Another"})
    for ask in (rep.compare, lambda *given: rep.gate(*given, margin=0.1)):
        with pytest.raises(InputError, match="item 'id3' of 'law' has a different input"):
            ask(old, other)
    for broken in ("[", "{}", '[{"id": 1}]', "[1]"):
        next(other.rglob("instances.json")).write_text(broken)
        with pytest.raises(InputError, match="is incomplete, or was not written by helm-run"):
            rep.compare(old, other)


def test_other_settings_of_helm_are_noted(tmp_path):
    old, new = (helm(tmp_path / name, name, PROMPTS, shots=n) for name, n in (("x", 5), ("y", 0)))
    noted = "x with max_train_instances=5, y with max_train_instances=0"
    assert noted in "\n".join(rep.compare(old, new, a="x", b="y").notes)


def test_a_verdict_about_averaged_runs_says_so(runs):
    seeds = [pd.read_csv("base.csv").assign(seed=seed) for seed in range(3)]
    for name in ("old", "new"):
        pd.concat(seeds).to_csv(f"{name}.csv", index=False)
    repeats = {"column": "seed", "kind": "runs"}
    found = rep.gate("old.csv", "new.csv", margin=0.05, repeats=repeats, **TABLE)
    said = "(3 of old and 3 of new). The verdict is about these runs only; to cover new runs, set"
    assert said in str(found)
    assert "The verdict is about" not in str(rep.gate("base.csv", "same.csv", margin=0.05, **TABLE))


def with_prompts(folder, prompt):
    """Copy logs of lm-evaluation-harness, with the hash that it gives the prompt of a document."""
    shutil.copytree(EXAMPLE / "lm_eval" / "ours", folder)
    for log in folder.glob("samples_*.jsonl"):
        rows = [json.loads(line) for line in log.read_text().splitlines()]
        rows = [row | {"prompt_hash": f"{prompt}{row['doc_id']}"} for row in rows]
        log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_other_prompts_are_refused_unless_they_are_accepted(tmp_path, capsys):
    old, new = (
        with_prompts(tmp_path / name, prompt) for name, prompt in (("v1", "x"), ("v2", "y"))
    )
    same = with_prompts(tmp_path / "v3", "x")
    pinned = rep.pin(old, tmp_path / "b.parquet")
    for base, said in (
        (old, "different prompts"),
        (pinned, "The prompts or task settings of .* differ from those of "),
    ):
        assert rep.gate(base, same, margin=0.5).verdict == "SHIP"
        with pytest.raises(InputError, match=f"{said}.* accept it with other_prompts="):
            rep.gate(base, new, margin=0.5)
        given = ["gate", str(base), str(new), "--margin", "0.5"]
        assert cli.main(given) == 3
        assert "accept it with --other-prompts" in capsys.readouterr().err
        assert cli.main([*given, "--other-prompts"]) == 0
    noted = "The systems were given different prompts, which may explain a difference in scores"
    found = rep.gate(old, new, margin=0.5, policy={"other_prompts": True})
    assert noted in "\n".join(found.notes)
    assert noted in found.to_markdown() and noted in found.page()
    assert noted in "\n".join(rep.compare(old, new).notes)
    assert noted not in rep.gate(old, same, margin=0.5).to_markdown()


def test_runs_are_pinned_for_a_claim_about_new_ones(runs):
    rng = np.random.default_rng(7)
    for name in ("old", "new"):
        frame = pd.read_csv("base.csv")
        seeds = [
            frame.assign(seed=seed, score=(rng.random(600) < 0.7).astype(int)) for seed in range(4)
        ]
        pd.concat(seeds).to_csv(f"{name}.csv", index=False)
    read = {**TABLE, "repeats": {"column": "seed", "kind": "runs"}}
    rep.pin("old.csv", "b.parquet", **read)
    for covers in ("items", "runs"):
        asked = {"margin": 0.08, "claim_covers": covers, **read}
        pinned, direct = (rep.gate(old, "new.csv", **asked) for old in ("b.parquet", "old.csv"))
        pd.testing.assert_frame_equal(pinned.table, direct.table)
        assert pinned.verdict == direct.verdict
    assert "about new runs on these items (runs compared: 4 of baseline and 4 of new" in str(pinned)
