"""Three or more systems: one answer through Python, the command line and a study."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

import replicability as rep
from replicability import cli
from replicability.core import all_pairs
from replicability.io.study import read_study

RNG = np.random.default_rng(5)
SYSTEMS = ("large", "ours", "base")
ITEMS = pd.DataFrame(
    {"dataset": np.repeat(["news", "law", "web"], 20), "instance": [f"i{k}" for k in range(20)] * 3}
)
TABLE = ITEMS.assign(
    **{
        name: (RNG.uniform(size=60) < share).astype(int)
        for name, share in zip(SYSTEMS, (0.95, 0.6, 0.3), strict=True)
    }
)
LONG = TABLE.melt(["dataset", "instance"], var_name="system", value_name="score")
COLUMNS = {"dataset": "dataset", "instance": "instance", "scores": list(SYSTEMS)}

ASKED = {
    "all pairs": ({}, []),
    "against one": ({"against": "base"}, ["--against", "base"]),
    "independent": ({"dependence": "independent"}, ["--independent"]),
    "a test": ({"test": "sign_flip"}, ["--test", "sign_flip"]),
    "an option": (
        {"test": "sign_flip", "options": {"n_resamples": 499}, "seed": 3},
        ["--test", "sign_flip", "--option", "n_resamples=499", "--seed", "3"],
    ),
    "shared items": ({"shared": True, "n_flips": 2000}, ["--shared", "--flips", "2000"]),
    "a lower score is better": ({"higher_is_better": False}, ["--lower-is-better"]),
    "some datasets": ({"datasets": ["news", "law"]}, ["--datasets", "news", "law"]),
}
"""Keywords, which are keys of a study, too, and flags."""


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Return what the command prints on standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    TABLE.to_csv("t.csv", index=False)

    def run(*arguments):
        assert cli.main(["family", *map(str, arguments)]) == 0
        return capsys.readouterr()

    return run


@pytest.fixture
def refused(run, capsys):
    def refused(*arguments):
        assert cli.main(["family", *map(str, arguments)]) == 1
        return capsys.readouterr().err.strip()

    return refused


def of_study(keywords, path="t.csv"):
    """Return the pairs of a family that a study declares."""
    block = {"name": "f", "title": "f", "systems": list(SYSTEMS), "file": path, "columns": COLUMNS}
    block = {"dependence": "dependent", **block, **keywords}
    content = {"study": "s", "alphas": [0.05], "families": [block]}
    Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    (family,) = read_study("s.yaml").families
    return all_pairs.compare(family)


@pytest.mark.parametrize(("keywords", "flags"), ASKED.values(), ids=ASKED)
def test_three_doors_give_one_answer(run, keywords, flags):
    python = rep.all_pairs(TABLE, **keywords).to_dict()
    command = json.loads(run("t.csv", *flags, "--json").out)
    for key in python.keys() - {"provenance", "read", "dependence"}:
        assert command[key] == python[key], key
    study = of_study(keywords)
    assert list(study.systems) == python["systems"]
    found = rep.all_pairs(TABLE, **keywords)
    np.testing.assert_array_equal(study.pvalues, found.pairs.pvalues)
    level = 0.05 / study.n_pairs
    pd.testing.assert_frame_equal(study.counts_of_compared(level), found.counts())


def test_every_way_to_the_scores_gives_one_answer(run, tmp_path):
    LONG.to_csv("long.csv", index=False)
    for system in SYSTEMS:
        side = LONG[LONG["system"] == system].drop(columns="system")
        side.to_csv(f"{system}.csv", index=False)
        side.to_json(f"{system}.jsonl", orient="records", lines=True)
        (tmp_path / system).mkdir()
        for name, part in side.groupby("dataset", sort=False):
            part.drop(columns="dataset").to_csv(f"{system}/{name}.csv", index=False)
    ways = {
        "a column each": ["t.csv"],
        "a row each": ["long.csv"],
        "files": [f"{system}.csv" for system in SYSTEMS],
        "lines": [f"{system}.jsonl" for system in SYSTEMS],
        "folders": list(SYSTEMS),
    }
    answers = {name: json.loads(run(*files, "--json").out) for name, files in ways.items()}
    for name, answer in answers.items():
        assert answer["systems"] == list(SYSTEMS), name
        pairs = [{**row, "named": sorted(row["named"])} for row in answer["pairs"]]
        expected = [
            {**row, "named": sorted(row["named"])} for row in answers["a column each"]["pairs"]
        ]
        assert pairs == expected, name
    files = ways["files"]
    assert rep.all_pairs(files).to_dict()["pairs"] == answers["files"]["pairs"]
    assert list(answers["files"]["provenance"]["files"]) == sorted(files)


def test_systems_are_chosen_or_renamed(run, refused):
    TABLE.assign(last=0).to_csv("four.csv", index=False)
    chosen = json.loads(run("four.csv", "--systems", "last", *SYSTEMS[:2], "--json").out)
    assert set(chosen["systems"]) == {"last", *SYSTEMS[:2]}
    for system in SYSTEMS:
        LONG[LONG["system"] == system].drop(columns="system").to_csv(f"{system}.csv", index=False)
    files = [f"{system}.csv" for system in SYSTEMS]
    renamed = json.loads(run(*files, "--systems", "x", "y", "z", "--against", "z", "--json").out)
    assert renamed["systems"] == ["x", "y", "z"]
    assert {(row["a"], row["b"]) for row in renamed["pairs"]} == {
        ("x", "z"), ("z", "x"), ("y", "z"), ("z", "y"),
    }  # fmt: skip
    assert "in the same order, but the number of names is 2" in refused(*files, "--systems", *"xy")
    assert "--systems names 'x' twice" in refused(*files, "--systems", *"xxy")


def test_the_answer_fits_a_terminal(run):
    for flags in ([], ["--against", "base"], ["--independent"]):
        said = run("t.csv", *flags)
        assert max(map(len, said.out.splitlines())) <= 88
        assert max(len(x) for x in said.out.split("system ", 1)[1].splitlines()[:4]) <= 80
        assert said.err.startswith("Read t.csv as a table with a column for each system: 3 systems")


def test_the_table_has_the_numbers_of_the_summary(run):
    found = rep.all_pairs(TABLE, against="base")
    assert list(found.summary.columns) == [
        "system",
        "score",
        "k",
        "k_worse",
        "named",
        "named_worse",
        "difference",
        "low",
        "high",
    ]
    assert list(found.summary["system"]) == ["large", "ours"]
    for row in found.summary.itertuples():
        assert row.k == found.counts().loc[row.system, "base"]
        assert row.named == found.named(row.system, "base")
    rows = [line.split() for line in run("t.csv", "--against", "base").out.splitlines()]
    large = next(row for row in rows if row[:1] == ["large"] and row[1] != "is")
    mean, difference, low, high, k = found.summary.loc[
        0, ["score", "difference", "low", "high", "k"]
    ]
    assert large[1:4] == [f"{mean:.3f}", f"{difference:+.3f}", f"[{low:+.3f},"]
    assert large[4:7] == [f"{high:+.3f}]", f"{k:.0f}", "0"]
    every = rep.all_pairs(TABLE)
    better = every.counts().to_numpy() > 0
    assert list(every.summary["better_than"]) == list(better.sum(axis=1))
    assert list(every.summary["worse_than"]) == list(better.sum(axis=0))


def test_scores_are_shown_as_they_were_read():
    up, down = rep.all_pairs(TABLE), rep.all_pairs(TABLE, higher_is_better=False)
    assert up.systems == down.systems[::-1]
    means = TABLE[list(SYSTEMS)].groupby(TABLE["dataset"]).mean().mean()
    for found in (up, down):
        shown = found.summary.set_index("system")["score"]
        pd.testing.assert_series_equal(shown[list(SYSTEMS)], means, check_names=False)


def test_files_are_written(run, refused, tmp_path):
    flags = ["--html", "p.html", "--csv", "c.csv", "--latex", "t.tex", "--figure", "f.svg"]
    said = run("t.csv", *flags)
    assert "Wrote" in said.out
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert "replicability" in page and "What was read" in page
    counts = pd.read_csv("c.csv", index_col="A")
    assert (counts == rep.all_pairs(TABLE).counts().astype(int)).all(axis=None)
    assert "\\toprule" in (tmp_path / "t.tex").read_text() and (tmp_path / "f.svg").exists()
    assert "is one of the inputs" in refused("t.csv", "--csv", "t.csv")
    assert rep.all_pairs("t.csv").report("q.html").exists()
    assert "rep.all_pairs(data" in rep.all_pairs(TABLE).page()


REFUSED = {
    "two systems": (["two.csv"], r"two\.csv has 2 columns of numbers that may be scores, but a"),
    "two files": (["two.csv", "t.csv"], "A family needs at least three systems, but you passed 2"),
    "a stranger": (["t.csv", "--against", "x"], r"against 'x' is not one of large, ours, base"),
    "two levels": (["t.csv", "--alpha", "0.05", "--alpha", "0.01"], "a family of systems uses"),
    "no file": (["nothing.csv"], r"nothing\.csv does not exist"),
    "the same file": (["t.csv", "t.csv", "two.csv"], r"t\.csv"),
    "a loss": (["wer.csv"], r"a lower 'wer' is better; .*--lower-is-better"),
    "p-values": (["p.csv"], r"seems to hold p-values \(column 'p'\)"),
    "words": (["words.csv"], r"has no columns of numbers that may be scores"),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_compared_is_refused(refused, arguments, said):
    TABLE.drop(columns="base").to_csv("two.csv", index=False)
    TABLE.rename(columns={s: f"wer_{s}" for s in SYSTEMS}).to_csv("wer.csv", index=False)
    rng = np.random.default_rng(1)
    shares = pd.DataFrame(rng.uniform(size=(20, 3)), columns=["ours", "base", "p"])
    shares.assign(language=[f"l{k}" for k in range(20)]).to_csv("p.csv", index=False)
    pd.DataFrame({"x": ["a", "b"], "y": ["c", "d"]}).to_csv("words.csv", index=False)
    with pytest.raises(rep.InputError, match=said):
        raise rep.InputError(refused(*arguments))


def test_compare_points_to_the_command(run, capsys):
    assert cli.main(["compare", "t.csv"]) == 1
    assert "the command family, or all_pairs() in Python, compares" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["compare", "t.csv", "t.csv", "t.csv"])
    said = " ".join(capsys.readouterr().err.split())
    assert "compare takes two systems; use family to compare all pairs of three or more" in said
