"""All pairs in blocks: the bytes of one command, and what is refused."""

import json

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from replicability import cli

RNG = np.random.default_rng(36)
SKILLS = (0.9, 0.7, 0.6, 0.5, 0.2)
SYSTEMS = [f"m{k}" for k in range(len(SKILLS))]
ITEMS = {"dataset": np.repeat(["news", "law", "web"], 30), "instance": np.tile(np.arange(30), 3)}
TABLES = {
    "right": {name: RNG.random(90) < share for name, share in zip(SYSTEMS, SKILLS, strict=True)},
    "real": {name: RNG.normal(share, 1, 90) for name, share in zip(SYSTEMS, SKILLS, strict=True)},
    "counts": {
        name: RNG.binomial(9, share, 90) for name, share in zip(SYSTEMS, SKILLS, strict=True)
    },
}
WAYS = {
    "McNemar's test, a product of matrices": ("right", "--dependent"),
    "draws of each pair": ("right", "--independent"),
    "the t-test": ("real", "--dependent"),
    "the bootstrap of a ratio": ("counts", "--size", "words", "--option", "n_resamples=300"),
    "sign flips": ("counts", "--test", "sign_flip", "--option", "n_resamples=300", "--seed", "4"),
    "signed ranks": ("counts", "--test", "wilcoxon"),
    "with one system": ("right", "--against", "m2"),
    "shared items, without joint flips": ("right", "--shared", "--method", "bonferroni"),
    "trials": ("trials", "--successes", "right", "--trials", "tried"),
}


@pytest.fixture
def family(tmp_path, monkeypatch, capsys):
    """Return what the command prints, or the sentence that refuses it."""
    monkeypatch.chdir(tmp_path)
    for name, columns in TABLES.items():
        table = pd.DataFrame(ITEMS | {s: np.asarray(of) * 1 for s, of in columns.items()})
        table.assign(words=9).to_csv(f"{name}.csv", index=False)
        if name != "counts":
            table.to_csv(f"{name}.csv", index=False)
    tasks = [(s, t, 8 * k + t, 50) for k, s in enumerate(SYSTEMS) for t in range(4)]
    pd.DataFrame(tasks, columns=["system", "dataset", "right", "tried"]).to_csv(
        "trials.csv", index=False
    )

    def family(table, *arguments, status=0):
        assert cli.main(["family", f"{table}.csv", *arguments]) == status
        found = capsys.readouterr()
        return found.err.splitlines()[-1] if status else found.out

    return family


def in_blocks(family, of, *asked):
    """Write the blocks, and return their files."""
    files = [f"blocks/{k}_of_{of}.parquet" for k in range(1, of + 1)]
    for k, file in enumerate(files, 1):
        family(*asked, "--block", f"{k}/{of}", "--into", file)
    return files


@pytest.mark.slow
@pytest.mark.parametrize("asked", WAYS.values(), ids=WAYS)
def test_blocks_give_the_bytes_of_one_command(family, asked):
    whole = family(*asked, "--json")
    for of in (1, 4):
        files = in_blocks(family, of, *asked)
        assert family(*asked, "--json", "--blocks", *files) == whole
        assert family(*asked, "--json", "--blocks", *files[::-1]) == whole


def test_every_pair_is_in_one_block_of_nearly_the_same_size(family):
    for of in (1, 2, 3, 7, 10):
        files = in_blocks(family, of, "right")
        pairs = [set(pq.read_table(f, columns=["a", "b"]).to_pandas().itertuples()) for f in files]
        pairs = [tuple(row[1:]) for part in pairs for row in part]
        assert sorted(pairs) == [(a, b) for a in range(5) for b in range(a + 1, 5)]
        assert {10 // of, -(-10 // of)} >= {pq.read_metadata(f).num_rows for f in files}


def test_a_block_has_the_same_bytes_again_and_says_what_it_holds(family, tmp_path):
    asked = "right", "--block", "2/3", "--json", "--into"
    first, again = (json.loads(family(*asked, f"{name}.parquet")) for name in "xy")
    assert first == {"block": 2, "of": 3, "n": 3, "pairs": 10, "file": "x.parquet"}
    assert again["file"] == "y.parquet"
    assert (tmp_path / "x.parquet").read_bytes() == (tmp_path / "y.parquet").read_bytes()
    said = family(*asked[:3], "--into", "x.parquet")
    assert said.strip() == "Wrote block 2 of 3 to x.parquet (3 of 10 pairs)."


def test_alpha_and_dependence_are_chosen_when_the_blocks_are_read(family):
    files = in_blocks(family, 2, "real")
    asked = "real", "--alpha", "0.2", "--independent", "--json"
    assert family(*asked, "--blocks", *files) == family(*asked)


def test_blocks_that_do_not_fit_are_refused(family, tmp_path):
    def refused(*files, asked=("right",)):
        return family(*asked, "--blocks", *files, status=1)

    one, two, three = in_blocks(family, 3, "right")
    assert refused(one, three) == (
        "Block 2 of 3 is missing; compute every missing block with --block, such as --block 2/3."
    )
    assert refused(three).startswith("Blocks 1 and 2 of 3 are missing;")
    again = refused(one, two, three, two)
    assert again == f"{two} and {two} contain the same block; name each block only once."
    (half,) = in_blocks(family, 2, "right")[:1]
    assert "is one of 2 blocks, but" in refused(one, two, half)
    for asked in (("real",), ("right", "--seed", "1"), ("right", "--datasets", "news", "law")):
        message = refused(one, two, three, asked=asked)
        said = f"{one} was computed from other scores, settings or package versions;"
        assert message.startswith(said)
    other = pd.read_csv("right.csv")
    other.loc[0, "m0"] = 1 - other.loc[0, "m0"]
    other.to_csv("other.csv", index=False)
    assert "from other scores" in family("other", "--blocks", one, two, three, status=1)
    pq.write_table(pq.read_table(two).slice(1), two)
    assert refused(one, two, three) == f"{two} is incomplete; compute it again with --block."
    for content in (b"", b"PAR1", (tmp_path / one).read_bytes()[:-9]):
        (tmp_path / "cut.parquet").write_bytes(content)
        assert refused(one, "cut.parquet").startswith("cut.parquet is not a block of pairs;")
    pd.DataFrame({"a": [1]}).to_parquet("table.parquet")
    for file in ("table.parquet", "missing.parquet"):
        assert refused(file) == (
            f"{file} is not a block of pairs; name files that were written with --block."
        )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--block", "1/2"], "--block K/N and --into FILE go together"),
        (["--into", "x.parquet"], "--block K/N and --into FILE go together"),
        (
            ["--block", "0/2", "--into", "x"],
            "--block is '0/2', but must have the form K/N, block K of N; write, for example, 3/16.",
        ),
        (["--block", "3/2", "--into", "x"], "--block is '3/2', but must have the form K/N, block"),
        (["--block", "two", "--into", "x"], "--block is 'two', but must have the form K/N, block"),
        (["--block", "1/11", "--into", "x"], "pairs of systems cannot be divided into 11 blocks"),
        (["--block", "1/2", "--into", "x", "--csv", "y"], "use --csv in the command that reads"),
        (
            ["--block", "1/2", "--into", "x", "--shared"],
            "one set of joint sign flips for all pairs, which cannot be split into blocks",
        ),
    ],
)
def test_a_block_that_cannot_be_is_refused(family, tmp_path, arguments, message):
    assert message in family("right", *arguments, status=1)
    assert not (tmp_path / "x").exists()


def test_pairs_of_runs_have_no_blocks(family):
    runs = pd.DataFrame(ITEMS | {name: TABLES["real"][name] for name in SYSTEMS})
    runs.drop(columns="instance").assign(seed=ITEMS["instance"]).to_csv("runs.csv", index=False)
    asked = "--run", "seed", "--claim-covers", "runs"
    assert json.loads(family("runs", *asked, "--json"))["systems"]
    for more in (["--block", "1/2", "--into", "x"], ["--blocks", "x"]):
        message = family("runs", *asked, *more, status=1)
        assert "comparisons of runs take only seconds and cannot be split into blocks" in message


def test_joint_flips_are_not_read_from_blocks(family):
    files = in_blocks(family, 2, "right")
    message = family("right", "--shared", "--blocks", *files, status=1)
    assert "the method 'joint' uses one set of joint sign flips for all pairs" in message
