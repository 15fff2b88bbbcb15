"""What made each committed file is written beside it, and is still true."""

import hashlib
import json

import pytest

from analysis import paths
from replicability.io import provenance

RECORDS = sorted(paths.ROOT.glob("tables/**/provenance/*.json"))


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_every_committed_figure_and_table_has_one_record():
    made = [file for path in RECORDS for file in read(path)["outputs"]]
    shown = [p for folder in ("figures", "tables") for p in (paths.ROOT / folder).rglob("*.*")]
    committed = {provenance.portable(path) for path in shown if path.parent.name != "provenance"}
    kept = [file for file in made if not file.startswith("results/")]
    assert sorted(kept) == sorted(committed)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_files_are_those_of_the_record(path):
    record = read(path)
    assert record["notebook"] == f"notebooks/{path.stem}.ipynb"
    files = record["data"] | record["outputs"]
    for file, digest in files.items():
        if not file.startswith("results/"):
            assert provenance.digest(paths.ROOT / file) == digest, file


def test_a_record_names_what_it_was_made_from(tmp_path):
    made = tmp_path / "t.csv"
    made.write_text("a\n1\n", encoding="utf-8")
    source = paths.ROOT / "data" / "sources.csv"
    record = json.loads(
        provenance.record(
            paths.ROOT / "notebooks" / "audit.ipynb",
            {"alpha": 0.05},
            [source, paths.ROOT / "replicability" / "io" / "study.py", source],
            {paths.ROOT / "tables" / "t.csv": made},
        )
    )
    assert record["notebook"] == "notebooks/audit.ipynb"
    assert record["parameters"] == {"alpha": 0.05}
    assert record["data"] == {"data/sources.csv": hashlib.sha256(source.read_bytes()).hexdigest()}
    assert record["outputs"] == {"tables/t.csv": hashlib.sha256(b"a\n1\n").hexdigest()}
    assert set(record["versions"]) == {"Python", *provenance.PACKAGES, "replicability"}


def test_what_lies_above_the_checkout_is_not_named(tmp_path):
    assert provenance.portable(tmp_path / "mine.csv") == "mine.csv"
    assert provenance.portable("data/sources.csv") == "data/sources.csv"
