"""Faults of families, from tables and from files of each system, in the form of `test_faults`.

A row of `FAULTS` is a name, the case it breaks, how, and what comes out: a regular expression for
the message, or a function of the pairs of the whole case and of the broken one.
"""

# ruff: noqa: E501 - a row of the table of faults is a line
import copy
import io

import faults
import numpy as np
import pandas as pd
import pytest
import yaml
from test_faults import FOLDERS, LABELS, LOGS, LONG, SPANS, edit, keys, move, put, recode

from replicability import cli
from replicability.core import all_pairs
from replicability.io.study import read_study

WIDE = (
    pd.read_csv(io.StringIO(LONG))
    .pivot_table("score", ["dataset", "id"], "system", sort=False)
    .assign(C=[0, 1] * 12, n=1)
    .astype(int)
    .reset_index()
    .to_csv(index=False)
)
THREE = {"a": "a.txt", "b": "b.txt", "c": "c.txt"}
TABLES = FOLDERS | {
    name.replace("b/", "c/"): text for name, text in FOLDERS.items() if "b/" in name
}
TABLE = {"dataset": "dataset", "instance": "id"}

# case -> keys of its block, and its files
CASES = {
    "long": (
        {"file": "s.csv", "columns": TABLE | {"system": "system", "score": "score"}},
        {"s.csv": LONG + "".join(row.replace(",A,", ",C,") + "\n" for row in LONG.splitlines() if ",A," in row)},
    ),
    "wide": ({"file": "w.csv", "columns": TABLE | {"scores": ["A", "B", "C"]}}, {"w.csv": WIDE}),
    "folders": (
        {"format": "folders", "files": {s: s for s in "abc"}, "columns": {"instance": "id", "score": "score"}},
        TABLES,
    ),
    "labels": (
        {"format": "labels", "files": {"gold": "gold.txt"} | THREE},
        {f"{k}.txt": text for k, text in {**LABELS, "c": LABELS["b"]}.items()},
    ),
    "spans": (
        {"format": "spans", "files": {"gold": "gold.txt"} | THREE},
        {f"{k}.txt": text for k, text in {**SPANS, "c": SPANS["b"]}.items()},
    ),
    "lm_eval": (
        {"format": "lm_eval", "files": {s: s for s in "abc"}},
        LOGS | {name.replace("b/", "c/"): text for name, text in LOGS.items() if "b/" in name},
    ),
}  # fmt: skip


def same(whole, broken):
    """The fault makes no difference."""
    assert broken.systems == whole.systems
    np.testing.assert_array_equal(broken.pvalues, whole.pvalues)


def log_of(system):
    return next(name for name in CASES["lm_eval"][1] if name.startswith(f"{system}/samples_arc"))


def nothing(files, block):
    """Take all files of C away."""
    for name in [name for name in files if name.startswith("c/")]:
        del files[name]


FAULTS = [
    ("two systems in the table", "long", put("s.csv", LONG), r"s\.csv: the family 'all' has 2 systems \(A, B\), but needs three or more; to compare two systems, declare"),
    ("a system that is not there", "long", keys(systems=["A", "B", "D"]), r"s\.csv: system 'D' is not one of A, B, C"),
    ("a row that one system lacks", "long", edit("s.csv", "news,5,C,0\n", ""), r"s\.csv: item '5' of 'news' is missing for C"),
    ("a dataset that one system lacks", "long", edit("s.csv", "blogs,1,C", "Blogs,1,C"), r"'blogs' and 'Blogs' differ only in case"),
    ("against none", "long", keys(against="D"), r"against 'D' is not one of A, B, C"),
    ("groups", "long", keys(groups={"x": ["news"]}), "'groups' applies to two systems"),
    ("a claim", "long", keys(claim="not_worse"), "'claim' applies to two systems"),
    ("the paper's pair", "long", keys(procedure="paper"), "'procedure' applies to two systems"),
    ("shared units, declared independent", "long", keys(shared=True), r"declared independent, .* leave one of the two out"),
    ("no unit is shared", "long", keys(shared={"test set": ["news"]}, dependence="dependent"), r"No two datasets share a unit"),
    ("too few flips", "long", keys(shared=True, dependence="dependent", n_flips=100), r"100 flips "
    r"cannot give a significant result at alpha = 0\.05 \(divided by 6 ordered pairs\).*at least 120"),
    ("a method that needs shared units", "long", keys(method="joint"), r"The method 'joint' needs"),
    ("a method for independent datasets", "long", keys(method="fisher", dependence="dependent"), r"'fisher'"),
    ("a unit that is no column", "long", keys(unit="question"), r"s\.csv: column 'question' is not one of"),
    ("a test of single items of units", "long", keys(unit="id", test="wilcoxon"), r"'wilcoxon' needs a score for each item"),
    ("neither systems nor scores", "long", keys(columns=TABLE), r"the columns dataset, instance are not a valid combination"),
    ("two columns of scores", "wide", keys(columns=TABLE | {"scores": ["A", "B"]}), r"the scores of a family must be a list of three or more different columns"),
    ("a column twice", "wide", keys(columns=TABLE | {"scores": ["A", "B", "B"]}), r"the scores of a family must be a list of three or more different columns"),
    ("a column that is not there", "wide", keys(columns=TABLE | {"scores": ["A", "B", "D"]}), r"w\.csv: column 'D' is not one of"),
    ("a name for each column", "wide", keys(systems=["A", "B", "C"]), same),
    ("a name too many", "wide", keys(systems=["A", "B", "C", "D"]), r"there are 3 columns of scores and 4 systems"),
    ("a word among scores", "wide", edit("w.csv", "news,3,1,0,0,1", "news,3,1,0,x,1"), r"w\.csv, line 4: the score in 'C' is 'x'"),
    ("an empty score", "wide", edit("w.csv", "news,3,1,0,0,1", "news,3,1,0,,1"), r"w\.csv, line 4: the score in 'C' is ''"),
    ("a table that is not there", "wide", keys(file="p.csv"), r"p\.csv does not exist; did you mean 'w\.csv'\?"),
    ("a size below a score", "wide", keys(columns=TABLE | {"scores": ["A", "B", "id"], "instance": "id", "size": "n"}), r"the column 'id' is used for two roles"),
    ("an item twice", "wide", edit("w.csv", "news,4,", "news,3,"), r"'3' of 'news' occurs more than once"),
    ("both systems and columns", "wide", keys(columns=TABLE | {"scores": ["A", "B", "C"], "system": "n"}), r"the columns dataset, instance, scores, system are not a valid combination"),
    ("files of two systems", "folders", keys(files={"a": "a", "b": "b"}), r"there are files for only 2 systems \(a, b\), but a family needs three or more; to compare two systems, declare a comparison"),
    ("a file for two systems", "folders", keys(files={"a": "a", "b": "b", "c": "b"}), r"the systems b and c have the same file '\S+'; give a separate file or folder for each"),
    ("a folder that is not there", "folders", keys(files={"a": "a", "b": "b", "c": "d"}), r"d does not exist"),
    ("a folder without files", "folders", nothing, r"c does not exist"),
    ("gold without need", "folders", keys(files={"a": "a", "b": "b", "c": "c", "gold": "g"}), r"the format 'folders' has scores and needs no gold files; remove the key gold from files"),
    ("a system without a file", "folders", keys(systems=["a", "b", "d"]), r"files of the system 'd' is not one of a, b, c"),
    ("against a system without a file", "folders", keys(against="d"), r"files of the system 'd' is not one of a, b, c"),
    ("three of four", "folders", keys(systems=["a", "b", "c"]), same),
    ("a dataset that one folder lacks", "folders", move("c/news.csv"), r"c lacks 'news'"),
    ("a dataset that one folder has more", "folders", put("c/law.csv", "id,score\nx0,1\n"), r"a lacks 'law'"),
    ("an item that one file lacks", "folders", edit("c/news.csv", "x1,0.5\n", ""), r"'x1' of 'news' is missing for c"),
    ("a score that is a word", "folders", edit("c/blogs.csv", "x1,0.25", "x1,good"), r"c/blogs\.csv, line 3: the score is 'good'"),
    ("no columns", "folders", keys(columns=None), r"the format 'folders' needs the key 'columns', which is missing"),
    ("both file and files", "folders", keys(file="s.csv"), r"the key 'file'.* 'folders'"),
    ("files as a list", "folders", keys(files=["a", "b", "c"]), r"the files of a family must map each system, and gold if needed, to a file or folder"),
    ("a format misspelt", "folders", keys(format="folder"), r"families\[0\]: format 'folder' .*did you mean 'folders'\?"),
    ("a unit in folders", "folders", keys(unit="question"), r"'question' is a column of a table, but the format is 'folders'"),
    ("no gold", "labels", keys(files=THREE), r"the format 'labels' holds outputs, which must be compared with gold files; specify these under files"),
    ("gold alone is no system", "labels", keys(files={"gold": "gold.txt", "a": "a.txt", "b": "b.txt"}), r"there are files for only 2 systems \(a, b\)"),
    ("an item that one system lacks", "labels", edit("c.txt", "d3\tpos\n", ""), r"'d3' of 'gold' is missing for c"),
    ("a word that one system has changed", "spans", edit("c.txt", "Oslo", "Rome"), r"c\.txt, line 5 has the word 'Rome', but \S+gold\.txt, line 5 has 'Oslo'"),
    ("a metric of another format", "spans", keys(metric="bleu"), r"metric 'bleu' is not one of f1"),
    ("shared units of F1", "spans", keys(shared=True, dependence="dependent"), r"a\.txt, \S+b\.txt and \S+c\.txt: No two datasets share a unit"),
    ("logs in Latin-1", "labels", recode("c.txt", "latin-1", "d4", "dé4"), r"c\.txt.* not UTF-8"),
    ("a log of another version of the task", "lm_eval", edit(log_of("c"), '"doc_id": 3', '"doc_id": 7'), r"'7' of 'arc_easy' is missing for a, which has '3' instead"),
    ("a log that is cut", "lm_eval", lambda files, block: files.update({log_of("c"): files[log_of("c")][:-30]}), r"samples_arc_easy\S+, line 4"),
    ("a task that one model lacks", "lm_eval", move(log_of("c")), r"c lacks 'arc_easy'"),
    ("a metric that is not there", "lm_eval", keys(metric="f1"), r"samples_arc_easy\S+, line 1 has no 'f1'; every line of a log must have it"),
]  # fmt: skip


def prepare(folder, case, change=None):
    """Write the study of a case and its files; paths in it are absolute."""
    block, files = copy.deepcopy(CASES[case])
    block = {"name": "all", "dependence": "independent", **block}
    if change:
        change(files, block)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    if isinstance(block.get("file"), str):
        block["file"] = str(folder / block["file"])
    if isinstance(block.get("files"), dict):
        block["files"] = {system: str(folder / name) for system, name in block["files"].items()}
    study = folder / "study.yaml"
    content = {"study": "mine", "alphas": [0.05], "families": [block]}
    study.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return study


def evaluated(study_file):
    (family,) = read_study(study_file).families
    return all_pairs.compare(family)


whole = faults.whole(prepare, evaluated)


@pytest.mark.parametrize("case", CASES)
def test_every_case_is_whole(whole, case):
    found = whole(case)
    assert len(found.systems) == 3
    assert ((found.pvalues >= 0) & (found.pvalues <= 1)).all()
    assert (found.pvalues < 1).any()


@faults.each(FAULTS)
def test_fault(tmp_path, whole, case, change, expected):
    study_file = prepare(tmp_path, case, change)
    faults.check(expected, lambda: whole(case), lambda: evaluated(study_file))


def test_there_are_many_faults():
    names = [row[0] for row in FAULTS]
    assert len(names) == len(set(names)) >= 50


def test_run_says_what_is_wrong_and_writes_nothing(tmp_path, capsys):
    study_file = prepare(tmp_path, "folders", move("c/news.csv"))
    assert cli.main(["run", str(study_file), "--into", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert "lacks 'news'" in said
    assert "Traceback" not in said
    assert not (tmp_path / "out").exists()
