"""What made each committed file is written beside it, and is still true."""

import hashlib
import json

from analysis import paths
from replicability.io import provenance

CODE = ("study.py", "declared.py")


def test_a_record_names_what_it_was_made_from(tmp_path):
    made = tmp_path / "t.csv"
    made.write_text("a\n1\n", encoding="utf-8")
    source = paths.ROOT / "data" / "sources.csv"
    record = json.loads(
        provenance.record(
            paths.ROOT / "notebooks" / "audit.ipynb",
            {"alpha": 0.05},
            [source, *(paths.ROOT / "replicability/io" / file for file in CODE), source],
            {paths.ROOT / "tables" / "t.csv": made},
        )
    )
    assert record["notebook"] == "notebooks/audit.ipynb"
    assert record["parameters"] == {"alpha": 0.05}
    assert record["data"] == {"data/sources.csv": hashlib.sha256(source.read_bytes()).hexdigest()}
    assert record["outputs"] == {"tables/t.csv": hashlib.sha256(b"a\n1\n").hexdigest()}
    assert set(record["versions"]) == {*provenance.PACKAGES, "replicability"}


def test_what_lies_above_the_checkout_is_not_named(tmp_path):
    assert provenance.portable(tmp_path / "mine.csv") == "mine.csv"
    assert provenance.portable("data/sources.csv") == "data/sources.csv"
