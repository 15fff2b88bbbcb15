"""Outcomes of the parsers of CoNLL 2018: sentences, blocks and systems, and the committed file."""

import sys

import pandas as pd
import pytest

from analysis import paths
from replicability.io import delimited

sys.path.insert(0, str(paths.ROOT / "scripts" / "leaderboards"))
import conll2018

COMMITTED = paths.ROOT / "data" / "outcomes"


def scores(n, **systems):
    """Return scores of n sentences, in which a system is right on its number of words."""
    rows = [(f"s{i}", name, 9, las) for name, las in systems.items() for i in range(n, 0, -1)]
    return pd.DataFrame(rows, columns=["instance", "system", "words", "las"])


@pytest.fixture
def parts(tmp_path):
    """Return arguments for two treebanks of 11 and 2 sentences, one system on the second alone."""
    made = {"A": scores(11, **{"x-18": 3, "b": 4}), "B": scores(2, **{"b": 5, "x-18": 6, "c": 7})}
    for name, table in made.items():
        table.to_parquet(tmp_path / f"{name}.parquet")
    return [f"{name}={tmp_path / name}.parquet" for name in made]


def test_sentences_stand_in_the_order_of_the_file_in_blocks_of_ten(parts, tmp_path):
    assert conll2018.main([*parts, "--output", str(tmp_path / "out.parquet")]) == 0
    made = pd.read_parquet(tmp_path / "out.parquet")
    assert list(made.columns) == ["dataset", "block", "instance", "words", "b", "x"]
    assert made["instance"].tolist() == [f"s{i}" for i in (*range(11, 0, -1), 2, 1)]
    assert made["block"].tolist() == [1] * 10 + [2] + [1, 1]
    assert made[["b", "x"]].drop_duplicates().to_numpy().tolist() == [[4, 3], [5, 6]]


def test_treebanks_without_a_common_system_are_refused(tmp_path, capsys):
    for name, system in (("A", "x"), ("B", "y")):
        scores(1, **{system: 1}).to_parquet(tmp_path / name)
    parts = [f"{name}={tmp_path / name}" for name in "AB"]
    assert conll2018.main([*parts, "--output", str(tmp_path / "out")]) == 1
    assert "No system has outputs on all treebanks" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_committed_counts_add_up_to_those_of_whole_treebanks():
    made = pd.read_parquet(COMMITTED / "conll2018.parquet")
    totals = delimited.read_table(COMMITTED / "treebanks.csv").query("edition == '2018'")
    totals["system"] = totals["system"].str.removesuffix("-18").str.replace("conll18-", "")
    on_all = totals.groupby("system")["treebank"].nunique() == totals["treebank"].nunique()
    assert set(made.columns[4:]) == set(on_all.index[on_all])
    las = totals.pivot_table("las", "treebank", "system", aggfunc=lambda x: int(x.iloc[0]))
    summed = made.groupby("dataset")[list(made.columns[4:])].sum()
    assert sorted(map(tuple, summed.to_numpy())) == sorted(
        map(tuple, las[summed.columns].to_numpy())
    )
    assert made.groupby(["dataset", "block"]).size().max() == conll2018.BLOCK
    assert (made.iloc[:, 4:].max(axis=1) <= made["words"]).all()
