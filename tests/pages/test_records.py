"""What made each committed figure and table is written beside it, and is still true."""

import json

import pytest
from checkouts import committed

from analysis import paths
from replicability.io import provenance

RECORDS = committed("tables", "provenance/*.json")


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_every_committed_figure_and_table_has_one_record():
    made = [file for path in RECORDS for file in read(path)["outputs"]]
    shown = [path for folder in ("figures", "tables") for path in committed(folder)]
    there = {provenance.portable(path) for path in shown if path.parent.name != "provenance"}
    kept = [file for file in made if not file.startswith("results/")]
    assert sorted(kept) == sorted(there)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_files_are_those_of_the_record(path):
    record = read(path)
    study = record["parameters"].get("study", "").removeprefix("config/").removesuffix(".yaml")
    folders = "notebooks", f"results/{study}/sections"
    assert record["notebook"] in [f"{folder}/{path.stem}.ipynb" for folder in folders]
    assert ("made_from" in record) == record["notebook"].startswith("results/")
    assert all((paths.ROOT / source).is_file() for source in record.get("made_from", ()))
    files = record["data"] | record["outputs"]
    for file, digest in files.items():
        if not file.startswith("results/"):
            assert provenance.digest(paths.ROOT / file) == digest, file
