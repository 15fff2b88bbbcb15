"""A script whose disk is full or read-only says so in a sentence, and loses nothing."""

import hashlib
import re
from types import SimpleNamespace

import gather
import gather_treebanks
import nbformat
import pandas as pd
import publish_outcomes
import pytest
import reproduce
import run_notebook
import score_treebank
import versions

STUDY = """study: mine
alphas: [0.05]
comparisons:
  - name: c
    title: C
    systems: [A, B]
    dependence: dependent
    columns: {dataset: dataset, p_value: p}
"""
TREE = "1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\truns\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
SENTENCES = {
    "instance": ["1"], "document": ["1"], "system": ["A"], "words": [2], "upos": [2], "uas": [1],
    "las": [1], "unknown": [0], "unknown_upos": [0],
}  # fmt: skip


def by_gather(tmp_path, folder, monkeypatch):
    pd.DataFrame(SENTENCES).to_parquet(tmp_path / "part.parquet")
    return gather.main(
        [f"one={tmp_path / 'part.parquet'}", "--output", str(folder / "made.parquet")]
    )


def by_gather_treebanks(tmp_path, folder, monkeypatch):
    entry = {"treebank": "x", "edition": 2018, "language": "X", "domains": {"": "x"}}
    monkeypatch.setattr(
        gather_treebanks.workflow, "outcome_choices", lambda _: {"treebanks": [entry]}
    )
    pd.DataFrame(SENTENCES).to_parquet(tmp_path / "2018_x.parquet")
    pd.DataFrame(SENTENCES).to_csv(tmp_path / "2018_x.csv")
    return gather_treebanks.main("choices.yaml", tmp_path, folder)


def by_publish_outcomes(tmp_path, folder, monkeypatch):
    (tmp_path / "made.csv").write_text("new", encoding="utf-8")
    return publish_outcomes.main([str(tmp_path / "made.csv"), "--into", str(folder)])


def by_fetch(tmp_path, folder, monkeypatch):
    fetch = pytest.importorskip("fetch", reason="the group 'outcomes' is not installed")
    (tmp_path / "held").mkdir(exist_ok=True)
    (tmp_path / "held" / "made.txt").write_text("new", encoding="utf-8")
    row = {"source": "s", "path": "made.txt", "address": "", "bytes": 3,
           "sha256": hashlib.sha256(b"new").hexdigest()}  # fmt: skip
    monkeypatch.setattr(fetch.sources, "rows", lambda _: pd.DataFrame([row]))
    command = ["s", "--into", str(folder), "--listing", str(tmp_path / "s.sha256")]
    return fetch.main([*command, "--mirror", str(tmp_path / "held")])


def by_run_notebook(tmp_path, folder, monkeypatch):
    code = """from analysis import paths
from replicability.io import files
paths.enter_checkout()
(files.outputs(outputs, "tables") / "made.csv").write_text("new")"""
    cells = [nbformat.v4.new_code_cell("outputs = 'results/lab'"), nbformat.v4.new_code_cell(code)]
    cells[0].metadata["tags"] = ["parameters"]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, tmp_path / "made.ipynb")
    command = [
        tmp_path / "made.ipynb",
        "--executed",
        folder / "made.ipynb",
        "--outputs",
        folder / "made.csv",
    ]
    return run_notebook.main([*map(str, command)])


def by_reproduce(tmp_path, folder, monkeypatch):
    study_file = tmp_path / "study.yaml"
    study_file.write_text(f"{STUDY}    file: {tmp_path / 'p.csv'}\n", encoding="utf-8")
    (tmp_path / "p.csv").write_text("dataset,p\none,0.01\ntwo,0.6\n", encoding="utf-8")
    monkeypatch.setattr(reproduce, "ROOT", folder)
    monkeypatch.setattr(reproduce, "ROOM", 1000)
    process = SimpleNamespace(wait=lambda: 0)
    monkeypatch.setattr(reproduce, "snakemake", lambda *_: process)
    return reproduce.main(str(study_file), "all")


def by_score_treebank(tmp_path, folder, monkeypatch):
    (tmp_path / "made.conllu").write_text(f"# sent_id = 1\n{TREE}", encoding="utf-8")
    command = ["--gold", tmp_path / "made.conllu", "--system", f"A={tmp_path / 'made.conllu'}"]
    command += ["--scores", folder / "made.parquet", "--totals", folder / "made.csv"]
    return score_treebank.main([*map(str, command)])


def by_versions(tmp_path, folder, monkeypatch):
    monkeypatch.setattr(versions, "PACKAGES", ["numpy"])
    return versions.main(str(folder / "made.csv"))


# who writes -> what it makes
WRITERS = {
    by_gather: ["made.parquet"],
    by_gather_treebanks: ["parsing.parquet", "tagging.parquet", "treebanks.csv"],
    by_publish_outcomes: ["made.csv"],
    by_fetch: ["made.txt"],
    by_run_notebook: ["made.csv", "made.ipynb"],
    by_reproduce: ["results/.lock"],
    by_score_treebank: ["made.parquet", "made.csv"],
    by_versions: ["made.csv"],
}
SAID = r"(no space left on device|read-only file system|permission denied)"


@pytest.mark.slow
@pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)
def test_a_disk_that_refuses_is_a_sentence_and_nothing_is_lost(
    tmp_path, disk, write, monkeypatch, capsys
):
    for name in WRITERS[write]:
        (disk.folder / name).parent.mkdir(exist_ok=True)
        (disk.folder / name).write_text("old" if name != "results/.lock" else "")
    before = disk.files()
    disk.close()
    assert write(tmp_path, disk.folder, monkeypatch) == 1
    said = capsys.readouterr().err
    assert re.search(
        rf"^\S*({'|'.join(map(re.escape, WRITERS[write]))}) could not be \w+: .*{SAID}", said, re.I
    )
    assert said.count("\n") == 1
    assert disk.files() == before
    disk.open()
    assert write(tmp_path, disk.folder, monkeypatch) == 0
    after = disk.files()
    assert after.keys() == before.keys()
    assert all(after[name] != before[name] for name in after if name != "results/.lock")
