"""All pairs in blocks as a user meets them: in a copy of the checkout, through snakemake."""

import numpy as np
import pandas as pd
import pytest
from checkouts import copy, snakemake

from replicability import cli

pytestmark = pytest.mark.long

SETTINGS = """\
name: small
scores: [scores.csv]
arguments: [--dependent, --test, sign_flip]
n_blocks: 3
"""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """Return a checkout with scores of four systems, and settings."""
    target, rng = copy(tmp_path_factory.mktemp("pairs")), np.random.default_rng(7)
    scores = {f"m{k}": rng.integers(0, 2 + k, 60) for k in range(4)}
    table = pd.DataFrame({"dataset": ["news", "law"] * 30, "instance": range(60), **scores})
    table.to_csv(target / "scores.csv", index=False)
    (target / "config" / "small.yaml").write_text(SETTINGS, encoding="utf-8")
    return target


def pairs(checkout, *arguments):
    """Run the target with the copy's settings."""
    return snakemake(checkout, "pairs", *arguments, "--config", "pairs=config/small.yaml")


def test_jobs_give_the_bytes_of_one_command(checkout, monkeypatch, capsys):
    found = pairs(checkout)
    assert found.returncode == 0, found.stderr
    folder = checkout / "results" / "pairs" / "small"
    blocks = sorted(path.name for path in (folder / "blocks").iterdir())
    assert blocks == ["1_of_3.parquet", "2_of_3.parquet", "3_of_3.parquet"]
    monkeypatch.chdir(checkout)
    assert cli.main(["family", "scores.csv", "--dependent", "--test", "sign_flip", "--json"]) == 0
    assert (folder / "family.json").read_text(encoding="utf-8") == capsys.readouterr().out


def test_a_number_of_blocks_that_is_none_is_refused(checkout):
    path = checkout / "config" / "small.yaml"
    path.write_text(SETTINGS.replace("n_blocks: 3", "n_blocks: 0"), encoding="utf-8")
    found = pairs(checkout)
    assert found.returncode and "a number of blocks is a whole number, 1 or more" in found.stderr
