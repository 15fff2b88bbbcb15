"""Faults of workbooks, Arrow, JSON, logs of evaluations and lists, in the form of `test_faults`.

A row of `FAULTS` is a name, the case it breaks, how, and what comes out: a regular expression for
the message, or a function of the evaluated tables of the whole case and of the broken one.
"""

# ruff: noqa: E501 - a row of the table of faults is a line
import functools
import io
import json

import faults
import numpy as np
import pandas as pd
import pytest
import python_calamine
import workbook
from test_faults import LONG, SPANS, edit, evaluated, keys, move, prepare, put, same

import replicability as rep
from replicability import cli

TABLE = pd.read_csv(io.StringIO(LONG))
ROWS = [list(TABLE.columns), *TABLE.astype(object).to_numpy().tolist()]
LINES = "".join(json.dumps(dict(zip(ROWS[0], row, strict=True))) + "\n" for row in ROWS[1:])
LONG_KEYS = {"dataset": "dataset", "instance": "id", "system": "system", "score": "score"}


def book(change=None, *more, **options):
    """Store the long table as a workbook, changed."""

    def store(path):
        rows = [list(row) for row in ROWS]
        workbook.write(path, (change(rows) or rows) if change else rows, *more, **options)

    return store


def cell(row, column, value):
    """Change a cell of the workbook."""

    def change(rows):
        rows[row][column] = value

    return change


def cut(write):
    """Store a file without its last third."""

    def store(path):
        write(path)
        content = path.read_bytes()
        path.write_bytes(content[: len(content) * 2 // 3])

    return store


def feather(change=lambda table: table, **options):
    """Store the long table as Feather, changed."""
    return lambda path: change(TABLE).to_feather(path, **options)


def stats(*values, trial=0, metric="exact_match", split="test", shift=0, **more):
    """List entries of HELM."""
    return [
        {
            "instance_id": f"id{i + shift}",
            "train_trial_index": trial,
            "stats": [
                {"name": {"name": "num_references", "split": split}, "count": 1, "sum": 2},
                {"name": {"name": metric, "split": split, **more}, "count": 1, "sum": value},
            ],
        }
        for i, value in enumerate(values)
    ]


def sample(model, *scores, name="arc", **more):
    """Write samples of Every Eval Ever."""
    lines = (
        {
            "schema_version": "0.3.0", "model_id": model, "evaluation_name": name,
            "sample_id": f"q{i}", "sample_hash": f"h{i}",
            "evaluation": {"score": score, "is_correct": bool(score)}, **more,
        }
        for i, score in enumerate(scores)
    )  # fmt: skip
    return "".join(json.dumps(line) + "\n" for line in lines)


OURS, THEIRS = "law,model=a", "law,model=b"
A_STATS, B_STATS = (f"{s}/{run}/per_instance_stats.json" for s, run in (("a", OURS), ("b", THEIRS)))
A_EEE, B_EEE = "a/1_samples.jsonl", "b/2_samples.jsonl"
MATRIX = "model,q1,q2,q3,q4\nA,1,1,0,1\nB,0,1,0,1\n"
ALL = "x1\nx2\nx3\nx4\nx5\n"

# case -> keys of its block, and its files
CASES = {
    "workbook": ({"file": "s.xlsx", "columns": LONG_KEYS}, {"s.xlsx": book()}),
    "feather": ({"file": "s.feather", "columns": LONG_KEYS}, {"s.feather": feather()}),
    "lines": ({"file": "s.jsonl", "columns": LONG_KEYS}, {"s.jsonl": LINES}),
    "helm": (
        {"format": "helm", "files": {"a": "a", "b": "b"}},
        {A_STATS: json.dumps(stats(1, 1, 0, 1)), B_STATS: json.dumps(stats(0, 1, 0, 1))},
    ),
    "eee": (
        {"format": "every_eval_ever", "files": {"a": "a", "b": "b"}},
        {A_EEE: sample("org/a", 1, 1, 0), B_EEE: sample("org/b", 0, 1, 0)},
    ),
    "lists": (
        {"format": "ids", "files": {"a": "a.txt", "b": "b.txt"}, "items": 5},
        {"a.txt": "x1\nx2\nx3\n", "b.txt": "x2\n"},
    ),
    "resolved": (
        {"format": "ids", "files": {"a": "a.json", "b": "b.json"}},
        {"a.json": '{"total_instances": 5, "resolved_ids": ["x1", "x2"]}',
         "b.json": '{"total_instances": 5, "resolved_ids": ["x2"]}'},
    ),
    "matrix": ({"file": "m.csv", "columns": {"system": "model"}}, {"m.csv": MATRIX}),
    "long table": (
        {"file": "s.csv", "columns": {"dataset": "task", "instance": "q", "system": "model", "score": "score"}},
        {"s.csv": "task,model,q,score\n" + "".join(f"{d},{s},{i},{(i + (s == 'A')) % 3}\n" for d in ("arc", "boolq") for s in "AB" for i in range(4))},
    ),
    "spans": (
        {"format": "spans", "dependence": "dependent", "match": "place",
         "files": {"gold": "gold.txt", "a": "a.txt", "b": "b.txt"}},
        {f"{side}.txt": text for side, text in SPANS.items()},
    ),
    "parts": (
        {"format": "folders", "files": {"a": "a.csv", "b": "b.csv"}, "by": "domain",
         "columns": {"instance": "id", "score": "score"}},
        {f"{side}.csv": "id,domain,score\n" + "".join(f"i{i},{'xy'[i % 2]},{score}\n" for i, score in enumerate(scores))
         for side, scores in (("a", (1, 1, 0, 1)), ("b", (0, 1, 0, 1)))},
    ),
}  # fmt: skip


def content(file, change):
    """Change the JSON of a file."""

    def apply(files, block):
        found = json.loads(files[file])
        files[file] = json.dumps(change(found) or found)

    return apply


def both(*changes):
    """Change several things."""
    return lambda files, block: [change(files, block) for change in changes]


def scores_a(*expected):
    """The scores of A are those."""
    return lambda whole, broken: np.testing.assert_allclose(broken["score_a"], expected)


def datasets(*expected):
    """The datasets are those."""
    return lambda whole, broken: [broken["dataset"].tolist()] == [list(expected)] or pytest.fail()


def differences(*expected):
    """What differs is listed."""

    def check(whole, broken):
        found = broken.differences
        assert len(found) == len(expected)
        assert all(text in line for text, line in zip(expected, found, strict=True))

    return check


LAST = len(ROWS)
WHY = r"P-values cannot be computed from one number for each dataset; "

FAULTS = [
    # workbooks
    ("a workbook cut off", "workbook", put("s.xlsx", cut(book())), r"s\.xlsx is not a workbook, "
    r"or is incomplete \(.*\); save it again\.$"),
    ("a text called a workbook", "workbook", put("s.xlsx", LONG), r"s\.xlsx is not a workbook, or "
    r"is incomplete"),
    ("a workbook of no bytes", "workbook", put("s.xlsx", ""), r"s\.xlsx is not a workbook, or is "
    r"incomplete"),
    ("an empty sheet", "workbook", put("s.xlsx", book(lambda rows: [[None]])), r"s\.xlsx has no "
    r"cells; keep one sheet"),
    ("an empty sheet beside", "workbook", put("s.xlsx", book(None, [[None], [""]])), same),
    ("two sheets", "workbook", put("s.xlsx", book(None, [["note"]])), r"s\.xlsx has cells in the "
    r"sheets 'Sheet1', 'Sheet2'; keep one sheet, .*or export that sheet as CSV\.$"),
    ("merged header cells", "workbook", put("s.xlsx", book(lambda rows: cell(0, 1, None)(rows), merged=["A1:B1"])),
     r"s\.xlsx, sheet 'Sheet1': the cell B1 has no header, or is merged with another; give each column one header"),
    ("a title above the headers", "workbook", put("s.xlsx", book(lambda rows: [["Results of 2025"], *rows])), r"the cell B2 is 'id', but its column has no header; .*titles above it"),
    ("a note beside the table", "workbook", put("s.xlsx", book(lambda rows: [*rows[:3], [*rows[3], None, "?"], *rows[4:]])), r"the cell F4 is '\?', but its column has no header"),
    ("header only in a workbook", "workbook", put("s.xlsx", book(lambda rows: rows[:1])), r"s\.xlsx has no rows below its headers"),
    ("empty rows in a workbook", "workbook", put("s.xlsx", book(lambda rows: [[None], *rows[:4], [None] * 4, *rows[4:]])), same),
    ("an empty score in a workbook", "workbook", put("s.xlsx", book(cell(3, 3, None))), r"s\.xlsx, sheet 'Sheet1', row 4: the score is nan"),
    ("an empty identifier in a workbook", "workbook", put("s.xlsx", book(cell(3, 1, " "))), r"sheet 'Sheet1', row 4: the instance is empty, but every row needs one; fill it in"),
    ("a word among scores in a workbook", "workbook", put("s.xlsx", book(cell(3, 3, "right"))), r"row 4: the score is 'right'"),
    ("an error in a cell", "workbook", put("s.xlsx", book(cell(3, 3, "#N/A"))), r"row 4: the score is nan"),
    ("a number as text in a workbook", "workbook", put("s.xlsx", book(cell(2, 3, str(ROWS[2][3])))), same),
    ("identifiers as text in one row", "workbook", put("s.xlsx", book(cell(2, 1, str(ROWS[2][1])))), same),
    ("an identifier twice in a workbook", "workbook", put("s.xlsx", book(cell(2, 1, ROWS[1][1]))), r"s\.xlsx: '1' of 'news' occurs more than once"),
    ("a header twice in a workbook", "workbook", put("s.xlsx", book(lambda rows: [[*row, row[3]] for row in rows])), r"s\.xlsx: 2 columns are called 'score'; give each its own header"),
    ("a workbook without its ending", "workbook", both(move("s.xlsx", "s.csv"), keys(file="s.csv")), r"s\.csv "
    r"is a ZIP archive, .* give the file a name that ends in \.xlsx"),
    # Arrow
    ("Feather cut off", "feather", put("s.feather", cut(feather())), r"s\.feather is not an Arrow \(Feather\) table \(.*\); recreate the file"),
    ("text called Feather", "feather", put("s.feather", LONG), r"s\.feather is not an Arrow \(Feather\) table"),
    ("Parquet called Feather", "feather", put("s.feather", TABLE.to_parquet), r"s\.feather is not an Arrow"),
    ("the first version of Feather", "feather", put("s.feather", b"FEA1\0\0\0\0FEA1"), r"s\.feather is stored in version 1 of Feather; recreate the file in version 2"),
    ("Feather called CSV", "feather", both(move("s.feather", "s.csv"), keys(file="s.csv")), r"s\.csv "
    r"is an Arrow \(Feather\) table; give it a name that ends in \.arrow or \.feather"),
    ("Feather without rows", "feather", put("s.feather", feather(lambda t: t[:0])), r"s\.feather has no rows below its headers"),
    ("NaN in Feather", "feather", put("s.feather", feather(lambda t: t.assign(score=t["score"].where(t.index != 2)))), r"s\.feather, row 3: the score is nan"),
    ("lists in Feather", "feather", put("s.feather", feather(lambda t: t.assign(score=[[1.0]] * len(t)))), r"the column read as 'score' holds list<.*>, which is neither"),
    # lines of JSON
    ("lines cut off", "lines", put("s.jsonl", LINES[:-9]), rf"s\.jsonl, line {LAST - 1} is not "
    r"JSON, or is incomplete \(.*\); recreate the file"),
    ("a line that is a list", "lines", put("s.jsonl", LINES.replace("\n", "\n[1]\n", 1)), r"s\.jsonl, line 2 is '\[1\]', but each line of the file must be a JSON object"),
    ("blank lines in JSON", "lines", edit("s.jsonl", "\n", "\n\n"), same),
    ("a list of objects", "lines", both(lambda files, block: files.update({"s.json": f"[{LINES.strip().replace(chr(10), ',')}]"}), keys(file="s.json")), same),
    ("a list that is cut off", "lines", put("s.jsonl", "[" + LINES.replace("\n", ",")), r"s\.jsonl "
    r"is not JSON, or is incomplete"),
    ("an empty list", "lines", put("s.jsonl", "[]"), r"s\.jsonl has no rows; write an object for each"),
    ("a list of numbers", "lines", put("s.jsonl", "[1, 2]"), r"s\.jsonl: entry 1 is 1, but a table in JSON must be a list of objects"),
    ("one object", "lines", put("s.jsonl", '{\n"news": {"A": [1, 0]}}'), r"s\.jsonl: column 'dataset' is not one of key 1, key 2, key 3, score"),
    ("one object that is not a table", "lines", put("s.jsonl", '{\n"news": {"A": "right"}}'), r"s\.jsonl is one JSON object, but a table in JSON must have an object for each row"),
    ("a key that is missing in a line", "lines", edit("s.jsonl", '"id": 3, "system": "A", "score": 1', '"id": 3, "system": "A"', 1), r"s\.jsonl, line 3: the score is nan"),
    ("null for an identifier", "lines", edit("s.jsonl", '"id": 3, "system": "A"', '"id": null, "system": "A"', 1), r"s\.jsonl, line 3: the instance is empty"),
    ("NaN in lines of JSON", "lines", edit("s.jsonl", '"score": 1', '"score": NaN', 1), r"s\.jsonl, line \d+: the score is nan"),
    ("a word among scores in JSON", "lines", edit("s.jsonl", '"score": 1', '"score": "right"', 1), r"s\.jsonl, line \d+: the score is 'right'"),
    ("true among numbers in JSON", "lines", edit("s.jsonl", '"score": 1', '"score": true', 1), r"the score is 'true', .*write 1 and 0, or only true and"),
    ("a list for a score in JSON", "lines", edit("s.jsonl", '"score": 1', '"score": [1]', 1), r"s\.jsonl, line \d+: 'score' is \[1\], which is neither text nor a number; choose another column"),
    ("half a character in JSON", "lines", edit("s.jsonl", '"dataset": "news"', '"dataset": "\\ud800"', 1), r"s\.jsonl, line 1: 'dataset' is '\\ud800', which is not valid Unicode"),
    ("a key misspelt in JSON", "lines", edit("s.jsonl", "score", "scroe"), r"column 'score' .*did you mean 'scroe'\?"),
    # HELM
    ("runs without the model in their names", "helm", both(move(A_STATS, "a/law/per_instance_stats.json"), move(B_STATS, "b/law/per_instance_stats.json")), same),
    ("colons in names of runs", "helm", both(move(A_STATS, "a/law:model=x/per_instance_stats.json"), move(B_STATS, "b/law:model=y,model_deployment=z/per_instance_stats.json")), same),
    ("statistics cut off", "helm", lambda files, block: files.update({A_STATS: files[A_STATS][:-20]}), r"per_instance_stats\.json"),
    ("no statistics", "helm", put(A_STATS, "[]"), r"has no entries, but needs one for each item"),
    ("HELM's stats.json", "helm", both(put(A_STATS, json.dumps(stats(1)[0]["stats"]))), rf"holds HELM's stats\.json\. {WHY}give the folder of the run"),
    ("a folder with stats.json alone", "helm", move(A_STATS, "a/x/stats.json"), r"/a contains no per_instance_stats\.json; give one model's folder"),
    ("no such metric", "helm", keys(metric="exact_mach"), r"has no metric 'exact_mach' \(did you mean 'exact_match'\?\); choose one with the key 'metric'"),
    ("no metric by default", "helm", edit(A_STATS, "exact_match", "rouge_l"), r"has no metric 'exact_match' \(it has num_references, rouge_l\); choose one with"),
    ("no such split", "helm", keys(filter="dev"), r"split 'dev' is not one of test"),
    ("another split for B", "helm", edit(B_STATS, '"test"', '"valid"'), r"has the split 'test', but .* has 'valid'; run both models on the same items"),
    ("two splits, neither test", "helm", content(A_STATS, lambda c: stats(1, split="valid") + stats(1, split="dev")), r"has the splits dev, valid; choose one with filter: dev or filter: valid"),
    ("train trials", "helm", content(A_STATS, lambda c: c + stats(0, 1, 0, 1, trial=1)), scores_a(2.5 / 4)),
    ("a train trial of some items", "helm", content(A_STATS, lambda c: c + stats(0, trial=1)), r"item 'id1' is in only 1 of 2 train trials; run all of them on the same items"),
    ("an item twice in a trial", "helm", content(A_STATS, lambda c: c + stats(0)), r"'id0' occurs more than once in train trial 0; keep one of its entries"),
    ("an item for one model only", "helm", content(A_STATS, lambda c: c[:3]), r"'id3' of 'law' is missing for A; score both systems on the same items"),
    ("perturbed items", "helm", content(A_STATS, lambda c: [*c, *({**e, "perturbation": {"name": "typos"}} for e in stats(0, 0, 0, 0))]), same),
    ("an entry without an identifier", "helm", content(A_STATS, lambda c: c[0].pop("instance_id") and None), r"entry 1 has no text under 'instance_id'"),
    ("an entry without statistics", "helm", content(A_STATS, lambda c: c[0].pop("stats") and None), r"entry 1 has no list called 'stats'"),
    ("a statistic without a name", "helm", content(A_STATS, lambda c: c[0]["stats"][0].pop("name") and None), r"entry 1 has the statistic .*, but the 'name' of a statistic must be"),
    ("a statistic of no values", "helm", content(A_STATS, lambda c: c[1]["stats"][1].update(count=0)), r"entry 2: 'exact_match' has the sum 1 and the count 0, so its mean is not a finite number; leave"),
    ("a metric of which less is better", "helm", keys(metric="perplexity"), r"a lower 'perplexity' is better"),
    ("two models in a folder", "helm", put("a/law,model=c/per_instance_stats.json", json.dumps(stats(1))), r"/a has two runs of 'law', in 'law,model=a' and 'law,model=c'; keep only one model's runs"),
    # Every Eval Ever
    ("another schema", "eee", edit(A_EEE, "0.3.0", "0.1.0"), r"1_samples\.jsonl, line 1: the schema_version is '0\.1\.0', but only version 0\.3 can be read; convert"),
    ("no schema", "eee", edit(B_EEE, "schema_version", "version"), r"2_samples\.jsonl, line 1: the schema_version is None, but only version 0\.3"),
    ("samples cut off", "eee", lambda files, block: files.update({A_EEE: files[A_EEE][:-9]}), r"1_samples\.jsonl, line 3"),
    ("a sample without an identifier", "eee", edit(A_EEE, '"sample_id": "q1"', '"sample_id": 1'), r"line 2: 'sample_id' is 1, but it must be text in every sample"),
    ("a sample without a score", "eee", edit(A_EEE, '"score": 0, ', ""), r"line 3: the score under 'evaluation' is None"),
    ("NaN as a score of a sample", "eee", edit(A_EEE, '"score": 0', '"score": NaN'), r"line 3: the score under 'evaluation' is nan"),
    ("a sample twice", "eee", edit(A_EEE, '"q1"', '"q0"'), r"'q0' of 'arc' occurs more than once"),
    ("a sample for one model only", "eee", put(B_EEE, sample("org/b", 0, 1)), r"'q2' of 'arc' is missing for B"),
    ("another version of the data", "eee", edit(B_EEE, '"h1"', '"g1"'), r"2_samples\.jsonl, line 2: sample 'q1' of 'arc' differs from the one in .*1_samples\.jsonl, line 2 \(in its sample_hash\)"),
    ("samples of two models", "eee", edit(A_EEE, "org/a", "org/c", 1), r"line 2 comes from the model 'org/a', but .*line 1 comes from 'org/c'; give a file or folder with"),
    ("samples of two metrics", "eee", put(A_EEE, sample("m", 1, 1, 0, evaluation_result_id="acc") + sample("m", 1, evaluation_result_id="f1")),
     r"line 4 belongs to the result 'f1' and .*line 1 to the result 'acc' of the same evaluation, so their metrics differ"),
    ("an evaluation for one model only", "eee", put("a/3_samples.jsonl", sample("org/a", 1, name="boolq")), r"/b lacks 'boolq'"),
    ("a record without samples", "eee", move(A_EEE, "a/1.json"), r"/a contains no file whose name ends in _samples\.jsonl; give one model's folder"),
    ("a record for samples", "eee", both(put("a.json", '{"schema_version": "0.3.0", "evaluation_results": []}'), keys(files={"a": "a.json", "b": "b"})),
     rf"a\.json holds an aggregated record of Every Eval Ever\. {WHY}give the file that"),
    ("a record that says that less is better", "eee", put("a/1.json", json.dumps({"evaluation_results": [{"evaluation_name": "arc", "metric_config": {"lower_is_better": True}}]})),
     r"1_samples\.jsonl: 1\.json says that a lower score is better in 'arc'; declare this with higher_is_better: false"),
    ("a score that is unknown by the record beside it", "eee",
     both(put("a/1_samples.jsonl", sample("org/a", 1, -1, 0, 1)), put("a/1.json", json.dumps({"evaluation_results": [{"evaluation_name": "arc", "metric_config": {"lower_is_better": False, "score_type": "levels", "has_unknown_level": True}}]}))),
     r"a/1_samples\.jsonl, line 2: the score of 'q1' is -1, which means 'unknown' in 'arc', according to 1\.json; leave the sample out"),
    ("a broken record beside samples", "eee", put("a/1.json", "{"), r"1\.json is not an Every Eval "
    r"Ever record, or is incomplete"),
    # lists of identifiers
    ("no number of items", "lists", keys(items=None), r"a list does not say how many items there are, .*; set the key 'items' to the total number of items, or to a file"),
    ("fewer items than are listed", "lists", keys(items=2), r"'own' has 2 items, but the lists name 3 different items; correct the number, or the lists"),
    ("an identifier twice in a list", "lists", edit("a.txt", "x3", "x1"), r"a\.txt, line 3: 'x1' is listed a second time after line 1; keep one"),
    ("a table for a list", "lists", edit("a.txt", "x3", "x3,1"), r"a\.txt, line 3 is 'x3,1', but each line must be one identifier; for a table with a column of scores, use the format 'table'"),
    ("an empty list of identifiers", "lists", put("b.txt", "\n"), r"b\.txt is empty"),
    ("all identifiers in a file", "lists", both(put("all.txt", ALL), keys(items="all.txt")), same),
    ("all identifiers with their datasets", "lists", both(put("all.txt", "x1\td1\nx2\td2\nx3\td2\nx4\td1\n"), keys(items="all.txt")), datasets("d1", "d2")),
    ("a dataset of a list that is not there", "lists", both(put("all.txt", "x1\td1\nx2\td2\nx3\td2\n"), keys(items="all.txt", datasets=["d3"])), r"dataset 'd3' is not one of d1, d2"),
    ("a listed identifier that is unknown", "lists", both(put("all.txt", ALL.replace("x3", "x33")), keys(items="all.txt")), r"a\.txt lists 'x3', which is not among the items in .*all\.txt \(did you mean '.*'\?\); correct one"),
    ("an identifier twice among all", "lists", both(put("all.txt", ALL + "x1\n"), keys(items="all.txt")), r"all\.txt, line 6: 'x1' is listed a second time after line 1"),
    ("three cells among all", "lists", both(put("all.txt", ALL + "x6\tb\tc\n"), keys(items="all.txt")), r"all\.txt, "
    r"line 6 is .*, but each line must consist of an identifier and, if there are several datasets, a tab"),
    ("some datasets among all", "lists", both(put("all.txt", ALL + "x6\tb\n"), keys(items="all.txt")), r"no dataset is given for 'x1', 'x2', 'x3' and 2 more, but other items have one"),
    ("blank lines in a list", "lists", edit("a.txt", "\n", "\n\n"), same),
    ("no resolved items", "resolved", edit("a.json", "resolved_ids", "ids"), r"a\.json has no list of the items that are right; add one under resolved, .* or solved, or use the key 'lists' to say which items the file lists"),
    ("wrong where right is listed", "resolved", keys(lists="wrong"), r"a\.json has no list of the items that are wrong"),
    ("different numbers of items", "resolved", edit("b.json", "5", "6"), r"a\.json says that there are 5 items, but .*b\.json says that there are 6; run both systems"),
    ("another number in the study", "resolved", keys(items=7), r"the lists say that there are 5 items, but the key 'items' is 7; leave the key 'items' out, or correct it"),
    ("a number of items that is none", "resolved", edit("a.json", "5", '"5"'), r"a\.json: the "
    r"total number of items is '5', but it must be a whole number of at least 1"),
    ("an identifier that is none", "resolved", edit("a.json", '"x1"', "null"), r"a\.json, entry 1 is None, but the identifier of an item"),
    ("a list of resolved items cut off", "resolved", put("a.json", '{"resolved": ["x1"'), r"a\.json"),
    ("a leaderboard of lists", "resolved", put("a.json", '{"leaderboards": []}'), rf"a\.json holds a leaderboard\. {WHY}use each system's outputs"),
    ("a bare list", "resolved", both(put("a.json", '["x1", "x2"]'), put("b.json", '["x2"]'), keys(items=5)), same),
    # a row for each system
    ("a leaderboard", "matrix", put("m.csv", "model,Average ⬆️,arc,boolq\nA,70.5,61,80\nB,60.5,51,70\n"),
     rf"m\.csv holds a leaderboard \(its column 'Average .*' is an average\)\. {WHY}use the underlying outputs or logs"),
    ("no item", "matrix", put("m.csv", "model\nA\nB\n"), r"m\.csv has no columns other than model"),
    ("an empty cell of an item", "matrix", edit("m.csv", "B,0,1,0,1", "B,0,,0,1"), r"m\.csv, line 3: the score of item 'q2' is ''"),
    ("a word for a score of an item", "matrix", edit("m.csv", "B,0,1", "B,0,x"), r"m\.csv, line 3: the score of item 'q2' is 'x'"),
    ("a system in two rows", "matrix", edit("m.csv", "B,0", "A,0"), r"m\.csv, line 3: 'A' has a second row for the dataset 'own', but each system may have only one"),
    ("a row without a system", "matrix", edit("m.csv", "B,0", ",0"), r"m\.csv, line 3: the system is empty"),
    ("no row for a system", "matrix", edit("m.csv", "B,0", "C,0"), r"system 'B' is not one of A, C"),
    ("an item twice", "matrix", edit("m.csv", "q2", "q1"), r"m\.csv: 2 columns are called 'q1'"),
    ("units of items", "matrix", keys(unit="passage"), r"the key 'unit' specifies a column that "
    r"describes items, but each row is a system"),
    ("parts of items", "matrix", keys(by="passage"), r"the key 'by' specifies a column that describes items, "
    r"but each row is a system"),
    ("one number for each dataset", "long table", put("s.csv", "task,model,q,score\narc,A,1,70\narc,B,1,60\nboolq,A,1,80\nboolq,B,1,81\n"),
     rf"s\.csv: this is a table with one row for each dataset and system\. {WHY}use the underlying outputs or logs"),
    # parts, and matching by place
    ("types that are said to be independent", "spans", keys(by="type", dependence="independent"), r"the datasets are span types in the same sentences, so they are not independent; declare them dependent"),
    ("parts of spans that are no types", "spans", keys(by="tag"), r"the key 'by' 'tag' is not one of type"),
    ("types of spans", "spans", keys(by="type"), datasets("LOC", "PER")),
    ("an unknown type", "spans", keys(by="type", datasets=["PERS"]), r"dataset 'PERS' is not one of LOC, PER; did you mean 'PER'\?"),
    ("other words by position", "spans", edit("b.txt", "ran", "Ran"), differences(r"differ in 1 word: line 3 has 'Ran' instead of 'ran'")),
    ("the same words by position", "spans", edit("b.txt", "ran", "ran"), differences()),
    ("other words by position, too many", "spans", edit("b.txt", "ran O\n", ""), r"sentence 1 has 2 words, but it has 3 in"),
    ("other words without asking", "spans", both(edit("b.txt", "ran", "Ran"), keys(match=None)), r"line "
    r"3 has the word 'Ran'.*, or match words by position with match: place"),
    ("no such way to match", "spans", keys(match="order"), r"match 'order' is not one of identifier, place"),
    ("parts of formats that have none", "lists", keys(by="type"), r"the key 'by'.* 'ids'"),
    ("parts by a column", "parts", keys(), datasets("x", "y")),
    ("no such column of parts", "parts", keys(by="domains"), r"column 'domains' is not one of .*did you mean 'domain'\?"),
    ("an item of two parts", "parts", edit("b.csv", "i2,x", "i2,y"), r"b\.csv: item 'i2' belongs to the dataset 'y', but in .*a\.csv it belongs to 'x'; correct one of the two"),
    ("identifiers that differ, by position", "parts", both(edit("b.csv", "i2", "j2"), keys(match="place")), differences("differ in 1 identifier: item 3 is 'j2' instead of 'i2'")),
    ("numbers that differ, by position", "parts", both(edit("b.csv", "i3,y,1\n", ""), keys(match="place")), r"b\.csv "
    r"has 3 items, but .*a\.csv has 4; to match by position, score the same"),
    # what is summed up
    *((f"aggregated: {name}", "parts", put("a.csv", json.dumps(text)), rf"a\.csv holds {what}\. {WHY}{instead}") for name, text, what, instead in (
        ("lm-evaluation-harness", {"results": {"arc": {"acc,none": 0.5}}, "configs": {}}, "the "
        "aggregated results of lm-evaluation-harness", "run it with --log_samples"),
        ("MTEB", {"mteb_version": "1.2", "scores": {"test": [{"main_score": 0.5}]}}, "an MTEB result", "store each model's predictions"),
        ("Every Eval Ever", {"schema_version": "0.3.0", "evaluation_results": []}, "an "
        "aggregated record of Every Eval Ever", "give the file"),
        ("HELM", stats(1)[0]["stats"], r"HELM's stats\.json", "give the folder of the run"),
    )),
    ("experiments of MTEB", "parts", put("a.csv", json.dumps({"mteb_version": "1", "scores": {"test": [{"main_score": 0.5, "scores_per_experiment": [{"f1": 0.5}] * 10}]}})), r"a\.csv holds an MTEB result with the scores of 10 experiments\. .* Experiments are runs, not items, .*; store each model's predictions"),
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
    assert len(names) == len(set(names))


def test_a_workbook_that_is_cut_off_is_a_sentence_on_the_terminal(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("a.xlsx", "b.xlsx"):
        cut(book())(tmp_path / name)
    assert cli.main(["compare", "a.xlsx", "b.xlsx"]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith("a.xlsx is not a workbook, or is incomplete")


def test_a_faulty_workbook_is_read_once(tmp_path, monkeypatch):
    calls, rows = [], [["dataset", "ours", "base"], ["x", 1, 0, 7]]
    workbook.write(tmp_path / "s.xlsx", rows)
    load = python_calamine.load_workbook
    monkeypatch.setattr(python_calamine, "load_workbook", lambda x: calls.append(x) or load(x))
    found = rep.check(tmp_path / "s.xlsx")
    assert "its column has no header; give the column a header" in str(found)
    assert len(calls) == 1
    workbook.write(tmp_path / "s.xlsx", [[*rows[0], "third one"], rows[1]])
    assert "has no header" not in str(rep.check(tmp_path / "s.xlsx"))
    assert len(calls) == 2
