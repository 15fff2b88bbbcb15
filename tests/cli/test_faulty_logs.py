"""Faults of runs, of logs of Inspect and of lm-evaluation-harness, in the form of `test_faults`.

A row of `FAULTS` is a name, the case it breaks, how, and what comes out: a regular expression for
the message, or a function of the evaluated tables of the whole case and of the broken one.
"""

# ruff: noqa: E501 - a row of the table of faults is a line
import functools
import io
import json
import re
import zipfile

import faults
import numpy as np
import pytest
from test_faults import edit, evaluated, keys, log, move, prepare, put, same

RUNS = "dataset,id,system,seed,score\n" + "".join(
    f"{dataset},{i},{system},{seed},{int((i + seed) % step > 0)}\n"
    for dataset in ("news", "blogs")
    for i in range(1, 6)
    for system, seeds, step in (("A", 2, 4), ("B", 3, 2))
    for seed in range(1, seeds + 1)
)
LONG_KEYS = {"dataset": "dataset", "instance": "id", "system": "system", "score": "score"}
STAMP = "2026-01-31T12-00-00+00-00"


def sample(number, value, epoch=1, **more):
    """Return a sample of Inspect."""
    return {
        "id": number, "epoch": epoch, "input": f"q{number}", "target": "x", "messages": [],
        "scores": {"match": {"value": value, "answer": "x"}}, **more,
    }  # fmt: skip


def inspect(values, task="qa", model="A", epochs=1, **more):
    """Return the text of a log of Inspect."""
    samples = [sample(i, v, e) for e in range(1, epochs + 1) for i, v in enumerate(values, 1)]
    return json.dumps(
        {
            "version": 2,
            "status": "success",
            "eval": {"task": task, "task_version": 0, "task_args": {}, "model": model},
            "results": {"total_samples": len(samples)},
            "samples": samples,
        }
        | more
    )


def archive(text, leave_out=(), cut=None, more=()):
    """Store a log as .eval, without some members, cut off, or with other ones."""

    def store(path):
        content = json.loads(text)
        stored = io.BytesIO()
        with zipfile.ZipFile(stored, "w", zipfile.ZIP_DEFLATED) as members:
            for one in content.pop("samples"):
                members.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
            for name, said in (("header.json", json.dumps(content)), *more):
                if name not in leave_out:
                    members.writestr(name, said)
        path.write_bytes(stored.getvalue()[:cut])

    return store


def changed(file, change):
    """Change the content of a file of JSON."""

    def stored(files, block):
        content = json.loads(files[file])
        change(content)
        files[file] = json.dumps(content)

    return stored


def each(file, change):
    """Change each sample of a log."""
    return changed(file, lambda content: [change(one) for one in content["samples"]])


def both(*changes):
    """Make several changes."""

    def change(files, block):
        for one in changes:
            one(files, block)

    return change


def columns(*names):
    """The table has these columns, too."""
    return lambda whole, broken: np.testing.assert_equal(set(names) <= set(broken), True)


A, B = f"a/{STAMP}_qa_x.json", f"b/{STAMP}_qa_y.json"
A2, B2 = f"a/{STAMP}_math_x.json", f"b/{STAMP}_math_y.json"
TEXT_A, TEXT_B = inspect("CCCI"), inspect("ICII", model="B")
TWICE = inspect("CCI", "math", epochs=2), inspect("IIC", "math", "B", epochs=2)
GSM, IFEVAL = (
    "samples_gsm8k_2026-01-31T12-00-00.5.jsonl",
    "samples_ifeval_2026-01-31T12-00-00.5.jsonl",
)
RESULTS = "results_2026-01-31T12-00-00.5.json"


def harness(right, lists):
    """Return the logs of a task with two filters and of one with lists."""
    both_filters = "".join(
        json.dumps({"doc_id": i, "filter": name, "metrics": ["exact_match"], "exact_match": value})
        + "\n"
        for name in ("strict-match", "flexible-extract")
        for i, value in enumerate(right)
    )
    listed = "".join(
        json.dumps(
            {
                "doc_id": i,
                "filter": "none",
                "metrics": ["loose", "strict"],
                "loose": 1.0,
                "strict": x,
            }
        )
        + "\n"
        for i, x in enumerate(lists)
    )
    return {GSM: both_filters, IFEVAL: listed}


HARNESS = {
    f"{side}/{name}": text
    for side, right, lists in (
        ("a", (1, 1, 0), [[True], [True, True], [True]]), ("b", (0, 1, 0), [[True], [True, False], [False]]),
    )
    for name, text in harness(right, lists).items()
}  # fmt: skip
FILES = {"files": {"a": "a", "b": "b"}}

# case -> keys of its block, and its files
CASES = {
    "runs": ({"file": "s.csv", "columns": LONG_KEYS | {"run": "seed"}}, {"s.csv": RUNS}),
    "inspect": ({"format": "inspect_ai", **FILES}, {A: TEXT_A, B: TEXT_B, A2: TWICE[0], B2: TWICE[1]}),
    "archives": ({"format": "inspect_ai", **FILES}, {"a/qa.eval": archive(TEXT_A), "b/qa.eval": archive(TEXT_B)}),
    "harness": (
        {"format": "lm_eval", **FILES, "metric": {"ifeval": "strict"}, "filter": {"gsm8k": "strict-match"}}, HARNESS,
    ),
}  # fmt: skip
ROW = "news,3,A,2"

FAULTS = [
    # runs
    ("a run that lacks an item", "runs", edit("s.csv", "news,3,B,2,1\n", ""),
     r"s\.csv: 1 item of 'news' is not in every run of B \(for example, '3' is not in run '2'\); score every item in every run"),
    ("instances that two runs lack", "runs", both(edit("s.csv", "news,3,B,2,1\n", ""), edit("s.csv", "news,4,B,1,1\n", ""), edit("s.csv", "news,4,B,3,1\n", "")),
     r"2 items of 'news' are not in every run of B \(for example, '3'"),
    ("an item twice in a run", "runs", edit("s.csv", "news,3,A,2,", "news,3,A,1,"),
     r"s\.csv: item '3' of 'news' occurs more than once in the run '1' of A; give every run its own name"),
    ("a run without a name", "runs", edit("s.csv", "news,3,A,2,", "news,3,A,,"), r"s\.csv, line \d+: the run is empty"),
    ("runs without their column", "runs", keys(columns=LONG_KEYS),
     r"occur more than once among the items of A; give every item of a dataset its own identifier; if these rows are runs of a system, such as seeds, specify the column that identifies the runs with columns: \{run: seed\}"),
    ("a column of runs that is missing", "runs", keys(columns=LONG_KEYS | {"run": "sead"}), r"column 'sead' is not one of .*did you mean 'seed'\?"),
    ("runs of a wide table that occur twice", "runs", keys(columns={"dataset": "dataset", "instance": "id", "scores": ["score", "seed"], "run": "system"}),
     r"item '1' of 'news' occurs more than once in the run 'A' of A; give every run its own name"),
    ("runs in one dataset only", "runs", lambda files, block: files.update({"s.csv": "".join(
        line for line in RUNS.splitlines(True) if not (line.startswith("blogs") and ",A,2," in line))}), columns("runs_a", "spread_a")),
    ("runs called otherwise", "runs", lambda files, block: files.update({"s.csv": re.sub(r"(\d),([AB]),(\d),", r"\1,\2,run \3,", RUNS)}), same),
    ("sizes that differ between runs", "runs", both(
        lambda files, block: files.update({"s.csv": "".join(
            line.strip() + (",size" if number == 0 else f",{2 + (line.startswith(ROW))}") + "\n"
            for number, line in enumerate(RUNS.splitlines()))}),
        keys(columns=LONG_KEYS | {"run": "seed", "size": "size"})),
     r"s\.csv: item '3' of 'news' has the size 3 in one run of A and 2 in another, but its size must not differ between runs"),
    ("units that differ between runs", "runs", both(
        lambda files, block: files.update({"s.csv": "".join(
            line.strip() + (",u" if number == 0 else f",u{int(line.startswith(ROW))}") + "\n"
            for number, line in enumerate(RUNS.splitlines()))}), keys(unit="u")),
     r"s\.csv: item '3' of 'news' belongs to the unit 'u\d' in one row and to 'u\d' in another"),
    ("mcnemar of means over runs", "runs", keys(test="mcnemar"), r"Score \d of system [AB] is 0\.\d+, but mcnemar"),
    ("runs of p-values", "runs", keys(columns={"dataset": "dataset", "p_value": "score", "run": "seed"}), r"the columns .* are not a valid combination"),
    # Inspect
    ("a log cut off", "inspect", lambda files, block: files.update({A: TEXT_A[:-40]}), r"_qa_x\.json "
    r".*; copy or create it again"),
    ("a log that is empty", "inspect", put(A, ""), r"_qa_x\.json is empty|has no log|lacks"),
    ("an archive cut off", "archives", put("a/qa.eval", archive(TEXT_A, cut=300)), r"a/qa\.eval is not a complete \.eval archive \(File is not a zip file\); copy"),
    ("an archive that is text", "archives", put("a/qa.eval", "no archive"), r"a/qa\.eval is not a complete \.eval archive"),
    ("an archive that was not finished", "archives", put("b/qa.eval", archive(TEXT_B, leave_out=["header.json"])), r"b/qa\.eval has no header\.json, .*`inspect eval-retry`"),
    ("a sample that is cut off", "archives", put("a/qa.eval", archive(TEXT_A, more=[("samples/9_epoch_1.json", '{"id": 9')])), r"a/qa\.eval, samples/9_epoch_1\.json"),
    ("an archive without samples", "archives", put("a/qa.eval", archive(inspect(""))), r"a/qa\.eval has results but no samples, and a p-value cannot be computed from a mean alone"),
    ("a damaged archive", "archives", put("a/qa.eval", lambda path: (archive(TEXT_A)(path), path.write_bytes(path.read_bytes().replace(b"PK\x03\x04", b"PK\x00\x00", 1)))),
     r"a/qa\.eval is not a complete \.eval archive \(.*\); copy or create it again"),
    ("results only", "inspect", changed(A, lambda log: log.pop("samples")), r"_qa_x\.json has "
    r"results but no samples, and a p-value cannot be computed from a mean alone; let Inspect store"),
    ("a cancelled log", "inspect", changed(B, lambda log: log.update(status="cancelled")), r"_qa_y\.json has the status 'cancelled', so samples may be missing, .*`inspect eval-retry`"),
    ("a log that ended in an error", "inspect", changed(B, lambda log: log.update(status="error")), r"has the status 'error'"),
    ("a log that is not at its end", "inspect", changed(B, lambda log: log.update(status="started")), r"has the status 'started'"),
    ("fewer samples than were run", "inspect", changed(A, lambda log: log["samples"].pop()), r"_qa_x\.json says that 4 samples were run, but holds 3; give the complete log"),
    ("a sample that failed", "inspect", changed(A, lambda log: log["samples"][1].update(scores={}, error={"message": "RuntimeError"})),
     r"1 of 4 samples were not scored by 'match', such as '2' \(1 sample ended in an error\); run them again with `inspect eval-retry`"),
    ("a log without scores", "inspect", each(A, lambda one: one.update(scores={})), r"_qa_x\.json has no scores; score it with `inspect score`"),
    ("scores that are no mapping", "inspect", each(A, lambda one: one.update(scores=[1])), r"_qa_x\.json has no scores"),
    ("scores by another key", "inspect", each(A, lambda one: one.update(score=one.pop("scores"))), r"_qa_x\.json has no scores"),
    ("a value that means nothing", "inspect", edit(A, '"value": "I"', '"value": "B"'), r"the "
    r"score of sample '4' by 'match' is 'B', but it must be a finite number, or one of C, P, I, "
    r"N, true"),
    ("a value that is not a number", "inspect", edit(A, '"value": "I"', '"value": NaN'), r"the score of sample '4' by 'match' is nan"),
    ("a value that is null", "inspect", edit(A, '"value": "I"', '"value": null'), r"the score of sample '4' by 'match' is None"),
    ("a value that is a list", "inspect", edit(A, '"value": "I"', '"value": [1, 0]'), r"the score of sample '4' by 'match' is \[1, 0\]"),
    ("an unknown scorer", "inspect", keys(metric="mach"), r"json: scorer 'mach' is not one of match; did you mean 'match'\?"),
    ("a scorer for an unknown task", "inspect", keys(metric={"qaa": "match"}), r"metric of the task 'qaa' is not one of math, qa; did you mean 'qa'\?"),
    ("several scorers", "inspect", each(A, lambda one: one["scores"].update(judge={"value": 1})), r"_qa_x\.json has the scorers match, judge; choose one with metric: match or metric: judge, for all tasks or for each"),
    ("several scorers, one of which is named", "inspect", both(each(A, lambda one: one["scores"].update(judge={"value": 1})), keys(metric={"qa": "match"})), same),
    ("other scorers for A and B", "inspect", each(B, lambda one: one.update(scores={"judge": {"value": 1}})), r"'qa' is scored by 'match' in .* and by 'judge' in .*; use .* to choose a scorer that both files have"),
    ("a scorer of which less is better", "inspect", both(*(each(f, lambda one: one.update(scores={"perplexity": {"value": 1}})) for f in (A, B))),
     r"a lower 'perplexity' is better"),
    ("a sample for one only", "inspect", changed(B, lambda log: (log["samples"].pop(), log["results"].clear())), r"_qa_y\.json: item '4' of 'qa' is missing for B; score both"),
    ("a key twice in a sample", "archives", put("a/qa.eval", archive(TEXT_A, more=[("samples/9_epoch_1.json", '{"id": 9, "scores": {}, "id": 8}')])), r"a/qa\.eval, samples/9_epoch_1\.json is not .*\(an object has the key 'id' twice\)"),
    ("a key twice in a score", "inspect", edit(A, '"id": 2,', '"id": 2, "input": {"x": 1, "x": 2},'), r"_qa_x\.json is not .*\(an object has the key '(x|input)' twice\)"),
    ("a key twice in a header", "inspect", edit(A, '"status": ', '"status": "error", "status": '), r"_qa_x\.json is not .*\(an object has the key 'status' twice\)"),
    ("a key twice in results", "harness", put(f"a/{RESULTS}", '{"model_name": "x", "model_name": "y"}'), r"results_.*\.json is not .*\(an object has the key 'model_name' twice\)"),
    ("a sample twice", "inspect", edit(A, '"id": 2,', '"id": 1,'), r"_qa_x\.json: item '1' of 'qa' occurs more than once in the run '1' of A"),
    ("an epoch that lacks a sample", "inspect", changed(A2, lambda log: (log["samples"].pop(), log["results"].clear())), r"_math_x\.json: 1 item of 'math' is not in every run of A \(for example, '3' is not in run '2'\)"),
    ("a sample without id", "inspect", edit(A, '"id": 2,', '"name": 2,'), r"_qa_x\.json: a sample has no 'id', which is needed to match samples"),
    ("samples that are no objects", "inspect", changed(A, lambda log: log.update(samples=[1, 2, 3, 4])), r"_qa_x\.json: a sample has no 'id'"),
    ("other questions under the same ids", "inspect", edit(B, '"input": "q2"', '"input": "Q2"'), r"_qa_y\.json: sample '2' of 'qa' has a different input than in .*; run both models on the same samples"),
    ("inputs of several messages", "inspect", both(*(each(f, lambda one: one.update(input=[{"role": "user", "content": "?"}])) for f in (A, B))), same),
    ("two versions of a task", "inspect", edit(B, '"task_version": 0', '"task_version": 1'), r"'qa' has the versions 0, 1 in the logs to be compared; run both"),
    ("two models in a folder", "inspect", edit(A, '"model": "A"', '"model": "C"'), r"/a has logs of several models, A, C; put the logs of each model into a separate folder"),
    ("a task for one only", "inspect", move(B2), r"b lacks 'math'\. Every dataset"),
    ("two logs of a task", "inspect", put(f"a/{STAMP}_qa_z.json", TEXT_A), r"/a has several logs of 'qa', among them .*_qa_x\.json and .*_qa_z\.json; keep one .* set the key 'run' to file"),
    ("two logs of a task that are runs", "inspect", both(put(f"a/{STAMP}_qa_z.json", TEXT_A), keys(columns={"run": "file"})), columns("runs_a", "spread_b")),
    ("a column of runs in logs", "inspect", keys(columns={"run": "epoch"}), r"the key 'run' is 'epoch', but logs have no columns; write columns: \{run: file\} if"),
    ("no eval in a log", "inspect", both(keys(files={"a": A, "b": B}), put(A, '{"status": "success"}')), r"_qa_x\.json "
    r"is not an Inspect log, because it has no key 'eval'"),
    ("a log that is a list", "inspect", both(keys(files={"a": A, "b": B}), put(A, "[1]")), r"_qa_x\.json "
    r"is not an Inspect log"),
    ("a folder without logs", "inspect", keys(files={"a": "folder", "b": "b"}), r"/folder contains no Inspect logs \(\.eval or \.json\)"),
    ("logs of Inspect in the format folders", "inspect", keys(format="folders", columns={"instance": "id", "score": "value"}),
     r"/a holds Inspect logs, which the format 'folders' does not support; write format: inspect_ai"),
    ("other files beside logs", "inspect", put("a/notes.json", '{"model": "A"}'), same),
    ("samples in another order", "inspect", changed(A, lambda log: log["samples"].reverse()), same),
    ("true and false", "inspect", lambda files, block: files.update({A: TEXT_A.replace('"C"', "true").replace('"I"', "false")}), same),
    # lm-evaluation-harness
    ("a metric of an unknown task", "harness", keys(metric={"ifevl": "strict"}), r"metric of the task or group 'ifevl' is not one of gsm8k, ifeval; did you mean 'ifeval'\?"),
    ("a filter of an unknown task", "harness", keys(filter={"gsm": "strict-match"}), r"filter of the task or group 'gsm' is not one of"),
    ("a filter that a task does not have", "harness", keys(filter={"gsm8k": "strict"}), r"filter 'strict' is not one of strict-match, flexible-extract; did you mean"),
    ("no filter for the task with two", "harness", keys(filter=None), r"has the filters strict-match, flexible-extract; choose one with filter: strict-match or filter: flexible-extract"),
    ("one filter for all", "harness", keys(filter="strict-match"), same),
    ("no metric for the task with lists", "harness", keys(metric=None), columns("metric")),
    ("an empty mapping", "harness", keys(metric={}), r"metric is \{\}, but"),
    ("a metric that is a number", "harness", keys(metric={"ifeval": 1}), r"metric\.?.* is (1|\{'ifeval': 1\}), but"),
    ("a list beside numbers", "harness", edit(f"a/{IFEVAL}", "[true, true]", "1.0"), r"'strict' is a list in some documents and a number in others"),
    ("a list of numbers", "harness", edit(f"a/{IFEVAL}", "[true, true]", "[0.5, 1]"), r"line 2: 'strict' is \[0\.5, 1\]"),
    ("an empty list", "harness", edit(f"a/{IFEVAL}", "[true, true]", "[]"), r"line 2: 'strict' is \[\], but"),
    ("results that are cut off", "harness", put(f"a/{RESULTS}", '{"results": '), r"results_.*\.json .*, or move it elsewhere"),
    ("results that are a list", "harness", put(f"a/{RESULTS}", "[]"), same),
    ("results with groups of other tasks", "harness", put(f"a/{RESULTS}", '{"group_subtasks": {"mmlu": ["mmlu_law"], "x": null}}'), same),
    ("a metric that the results call an error", "harness", put(f"a/{RESULTS}", '{"higher_is_better": {"ifeval": {"strict": false}}}'),
     r"lower value of 'strict' .*, according to the results file next to it"),
    ("runs of which one has other filters", "harness", both(put(f"a/again/{GSM}", log(1, 0, 1).replace('"acc"', '"exact_match"')), keys(columns={"run": "file"})),
     r"differ in their filter or in the form of their values, although .*; run all of them with the same settings"),
    ("runs of which one has fewer documents", "harness", both(put(f"a/again/{GSM}", "".join(
        line for line in HARNESS[f"a/{GSM}"].splitlines(True) if '"doc_id": 2' not in line)), keys(columns={"run": "file"})),
     r"1 item of 'gsm8k' is not in every run of A \(for example, '2'"),
    ("runs of lists", "harness", both(put(f"a/again/{IFEVAL}", HARNESS[f"a/{IFEVAL}"]), keys(columns={"run": "file"})), columns("runs_a")),
]  # fmt: skip


whole = faults.whole(functools.partial(prepare, cases=CASES), evaluated)


@pytest.mark.parametrize("case", CASES)
def test_every_case_is_whole(whole, case):
    assert whole(case)["p_value"].between(0, 1).all()
    assert (whole(case)["score_a"] > whole(case)["score_b"]).any()


@faults.each(FAULTS)
def test_fault(tmp_path, whole, case, change, expected):
    study_file = prepare(tmp_path, case, change, cases=CASES)
    faults.check(expected, lambda: whole(case), lambda: evaluated(study_file))


def test_the_names_of_faults_differ():
    names = [row[0] for row in FAULTS]
    assert len(names) == len(set(names)) >= 60
