"""All pairs in blocks as a user meets them: in a copy of the checkout, through snakemake."""

import pytest
from checkouts import copy, snakemake, with_pairs

from replicability import cli

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def family(tmp_path_factory):
    """Return a checkout with scores of four systems, and the command that compares them."""
    return with_pairs(copy(tmp_path_factory.mktemp("pairs")))


def pairs(checkout, *arguments):
    """Run the target with the copy's settings."""
    return snakemake(checkout, "pairs", *arguments, "--config", "pairs=config/small.yaml")


def test_jobs_give_the_bytes_of_one_command(family, monkeypatch, capsys):
    checkout, command = family
    found = pairs(checkout)
    assert found.returncode == 0, found.stderr
    folder = checkout / "results" / "pairs" / "small"
    blocks = sorted(path.name for path in (folder / "blocks").iterdir())
    assert blocks == ["1_of_3.parquet", "2_of_3.parquet", "3_of_3.parquet"]
    monkeypatch.chdir(checkout)
    assert cli.main(command) == 0
    assert (folder / "family.json").read_text(encoding="utf-8") == capsys.readouterr().out


def test_a_number_of_blocks_that_is_none_is_refused(family):
    checkout, _ = family
    path = checkout / "config" / "small.yaml"
    settings = path.read_text(encoding="utf-8").replace("n_blocks: 3", "n_blocks: 0")
    path.write_text(settings, encoding="utf-8")
    found = pairs(checkout)
    assert found.returncode
    assert "the number of blocks must be a whole number of at least 1" in found.stderr
