import json
import zipfile

import numpy as np
import pytest
from comparisons import declare

import replicability as rep
from replicability import checks
from replicability.core import evaluation
from replicability.io import formats, inspect_logs


def sample(number, value, epoch=1, scorer="match", **more):
    """Return a sample with the fields that Inspect writes."""
    score = {"value": value, "answer": "x", "explanation": "x"}
    return {
        "id": number, "epoch": epoch, "input": f"question {number}", "target": "x",
        "messages": [{"role": "user", "content": "?"}], "scores": {scorer: score}, "events": [],
    } | more  # fmt: skip


def content(samples, task="qa", model="org/a-1.5", **more):
    """Return a log."""
    return {
        "version": 2,
        "status": "success",
        "eval": {"task": task, "task_version": 0, "task_args": {}, "model": model},
        "results": {"total_samples": len(samples), "completed_samples": len(samples)},
        "samples": samples,
    } | more


@pytest.fixture
def stored(tmp_path):
    """Return a function that stores a log as .eval or .json, by the ending of its name."""

    def stored(name, log):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".json":
            path.write_text(json.dumps(log), encoding="utf-8")
            return path
        head = {key: value for key, value in log.items() if key != "samples"}
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for one in log["samples"]:
                member = f"samples/{one['id']}_epoch_{one['epoch']}.json"
                archive.writestr(member, json.dumps(one))
            archive.writestr("_journal/start.json", "{}")
            archive.writestr("summaries.json", "[]")
            archive.writestr("header.json", json.dumps(head))
        return path

    return stored


def compared(a, b, **more):
    files = {"a": str(a), "b": str(b)}
    return declare(name="mine", section="", format="inspect_ai", files=files, **more)


@pytest.mark.parametrize("ending", ["eval", "json"])
def test_both_forms_of_a_log_say_the_same(stored, ending):
    values = ["C", "I", "P", "N", True, 0.25, "0.5", 1]
    order = [5, 2, 7, 0, 1, 3, 6, 4]  # an archive has samples as they came to an end
    a = stored(f"a.{ending}", content([sample(i, values[i]) for i in order]))
    b = stored(f"b.{ending}", content([sample(i, "I") for i in range(8)], model="org/b"))
    (found,) = formats.read(compared(a, b))
    assert (found.name, found.measure, found.runs) == ("qa", "match", None)
    assert found.identifiers.to_pylist() == [str(i) for i in range(8)]
    assert found.a.tolist() == [1, 0, 0.5, 0, 1, 0.25, 0.5, 1]
    assert found.b.tolist() == [0] * 8
    assert inspect_logs.model(a) == "org/a-1.5"


def test_epochs_are_runs(stored):
    rng = np.random.default_rng(1)
    right = {
        side: rng.random((epochs, 30)) < p for side, epochs, p in (("a", 3, 0.8), ("b", 4, 0.4))
    }
    logs = {}
    for side, drawn in right.items():
        samples = [
            sample(i, "C" if drawn[epoch, i] else "I", epoch + 1)
            for i in range(30)
            for epoch in range(len(drawn))
        ]
        logs[side] = stored(f"{side}.eval", content(samples, model=side))
    row = evaluation.evaluate(compared(**logs)).rows.iloc[0]
    assert (row["n"], row["runs_a"], row["runs_b"], row["metric"]) == (30, 3, 4, "match")
    for side, drawn in right.items():
        assert row[f"score_{side}"] == pytest.approx(drawn.mean())
        assert row[f"spread_{side}"] == pytest.approx(drawn.mean(axis=1).std(ddof=1))


def test_logs_of_one_task_are_told_apart_by_their_arguments(stored):
    def log(subject, model, shots=0):
        arguments = {"subject": subject, "shots": shots}
        about = {"task": "mmlu", "task_version": 1, "task_args": arguments, "model": model}
        return content([sample(1, "C"), sample(2, "I")], eval=about)

    for name, log_ in (
        ("a/1.json", log("law", "a")),
        ("a/2.json", log("logic", "a")),
        ("b/1.eval", log("law", "b", 5)),  # by which the systems differ, not the datasets
        ("b/deep/2.eval", log("logic", "b", 5)),
    ):
        path = stored(name, log_)
    folder = path.parents[2]
    found = formats.read(compared(folder / "a", folder / "b"))
    assert [dataset.name for dataset in found] == ["mmlu (subject=law)", "mmlu (subject=logic)"]
    (said,) = found[0].otherwise
    assert (
        "with different task arguments: A with shots=0, B with shots=5. Different arguments" in said
    )
    assert found[1].otherwise == (said,)
    notes = rep.compare(folder / "a", folder / "b", a="A", b="B").notes
    assert notes.count(said) == 1


def test_logs_are_runs_where_that_is_said(stored):
    for side, seeds in (("a", 2), ("b", 3)):
        for seed in range(seeds):
            samples = [sample(i, "C" if (i + seed) % 2 else "I") for i in range(6)]
            path = stored(f"{side}/{seed}.json", content(samples, model=side))
    folder = path.parents[1]
    block = compared(folder / "a", folder / "b")
    with pytest.raises(checks.InputError, match=r"several logs of 'qa', among them 0\.json and"):
        formats.read(block)
    (found,) = formats.read(compared(folder / "a", folder / "b", columns={"run": "file"}))
    assert found.a.tolist() == [0.5] * 6
    np.testing.assert_allclose(found.b, [1 / 3, 2 / 3] * 3)
    assert (len(found.runs.a), len(found.runs.b)) == (2, 3)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [("match", [1, 0]), ("judge/helpful", [0.5, 0.25]), ({"qa": "judge/short"}, [1, 1])],
)
def test_a_scorer_is_chosen(stored, metric, expected):
    def log(model):
        return content(
            [
                sample(i, value) | {"scores": {
                    "match": {"value": value},
                    "judge": {"value": {"helpful": helpful, "short": True}},
                }}
                for i, (value, helpful) in enumerate((("C", 0.5), ("I", 0.25)))
            ],
            model=model,
        )  # fmt: skip

    files = stored("a.json", log("a")), stored("b.eval", log("b"))
    with pytest.raises(checks.InputError, match="the scorers match, judge/helpful, judge/short;"):
        formats.read(compared(*files))
    (found,) = formats.read(compared(*files, metric=metric))
    assert found.a.tolist() == expected


def test_logs_are_recognised_by_what_they_hold(stored, tmp_path):
    log = stored("model/deep/2026_qa.json", content([sample(1, "C")]))
    assert formats.guess(log) == formats.guess(tmp_path / "model") == "inspect_ai"
    assert formats.guess(stored("other/x.eval", content([sample(1, "C")]))) == "inspect_ai"
    assert formats.guess(tmp_path / "other") == "inspect_ai"
    assert formats.guess(stored("plain/x.json", {"status": "success"})) == "table"
    assert formats.guess(tmp_path / "plain") == "folders"
    assert formats.guess(tmp_path / "missing.json") == "table"


def test_a_model_is_named_where_there_is_one(stored, tmp_path):
    for name in ("x", "y"):
        stored(f"logs/{name}.json", content([sample(1, "C")], model=name))
    assert inspect_logs.model(tmp_path / "logs" / "x.json") == "x"
    assert inspect_logs.model(tmp_path / "logs") == ""
    with pytest.raises(
        checks.InputError, match="logs of several models, x, y; put the logs of each"
    ):
        formats.read(compared(tmp_path / "logs", tmp_path / "logs" / "x.json"))


def test_a_compression_that_is_not_known_is_a_sentence(stored, monkeypatch):
    log = stored("a.eval", content([sample(1, "C")]))

    def unknown(*arguments, **options):
        raise NotImplementedError("That compression method is not supported")

    monkeypatch.setattr(zipfile.ZipFile, "open", unknown)
    with pytest.raises(checks.InputError, match=r"convert it to \.json with `inspect log convert"):
        inspect_logs.read(log)


def test_samples_in_parts(stored, tmp_path):
    """Newer archives hold a sample in parts, and long texts apart, by their numbers."""
    texts = [f"a long question, number {n}, " * 9 for n in range(4)]

    def parts(name, values, asked):
        path = tmp_path / name
        with zipfile.ZipFile(path, "w") as archive:
            for n, value in enumerate(values):
                folder = f"samples/set/{n}_epoch_1"
                given = sample(f"set/{n}", value, input="attachment://2")
                head = {k: v for k, v in given.items() if k not in ("messages", "events")}
                archive.writestr(f"{folder}/sample.json", json.dumps(head))
                archive.writestr(f"{folder}/attachments/0.json", json.dumps(["x", "y"]))
                archive.writestr(f"{folder}/attachments/2.json", json.dumps([asked[n]]))
                for more in ("messages/0", "events/0", "events/stats", "skeleton", "metadata"):
                    archive.writestr(f"{folder}/{more}.json", "[]")
            log = content([0] * len(values), model=name)
            log = {key: value for key, value in log.items() if key != "samples"}
            archive.writestr("header.json", json.dumps(log))
        return path

    a, b = parts("a.eval", "CCIC", texts), parts("b.eval", "ICII", texts)
    (found,) = formats.read(compared(a, b))
    assert (found.a.tolist(), found.b.tolist()) == ([1, 1, 0, 1], [0, 1, 0, 0])
    whole = [sample(f"set/{n}", value, input=texts[n]) for n, value in enumerate("ICII")]
    (mixed,) = formats.read(compared(a, stored("whole.json", content(whole))))
    assert mixed.b.tolist() == found.b.tolist()
    other = parts("other.eval", "ICII", [*texts[:3], "another"])
    with pytest.raises(checks.InputError, match="sample 'set/3' of 'qa' has a different input"):
        formats.read(compared(a, other))


def test_invalidated_samples_are_refused(stored):
    a, b = (content([sample(i, "C") for i in range(4)], model=side) for side in "ab")
    files = stored("a.json", a), stored("b.eval", b | {"invalidated": True})
    with pytest.raises(checks.InputError, match=r"has the status 'invalidated'.*eval-retry"):
        formats.read(compared(*files))
