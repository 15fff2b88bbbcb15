"""CoNLL 2018: what a reader would quote, by a second route from the committed counts."""

import itertools
import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis import paths
from analysis.studies import read_study

STUDY = read_study("config/leaderboards.yaml")
TABLES = paths.ROOT / "tables" / "leaderboards"


def made(name):
    return pd.read_csv(TABLES / f"conll18_{name}.csv", keep_default_na=False)


@pytest.fixture(scope="module")
def counts():
    return pd.read_parquet(paths.ROOT / "data" / "outcomes" / "conll2018.parquet")


def flipped(differences):
    """Return the exact p-value of sign flips, by the distribution of the sum in whole numbers."""
    total, ways = sum(differences), {0: 1}
    for size in map(abs, differences):
        after = {}
        for value, n in ways.items():
            for sign in (size, -size):
                after[value + sign] = after.get(value + sign, 0) + n
        ways = after
    at_least = sum(n for value, n in ways.items() if value >= total)
    return float(Fraction(at_least, 2 ** len(differences)))


def pvalues(counts, a, b):
    sums = counts.groupby(["dataset", "block"], sort=False)[[a, b]].sum().astype(int)
    parts = (sums[a] - sums[b]).groupby(level="dataset", sort=False)
    return {name: flipped(part.tolist()) for name, part in parts}


def test_pairs_follow_the_official_ranking():
    ranking = pd.read_csv(paths.PUBLISHED / "zeman2018" / "ranking.csv", comment="#")
    first = [name.removesuffix("-18") for name in ranking["system"].head(3)]
    assert [c.systems for c in STUDY.section("conll2018")] == [*itertools.pairwise(first)]


def test_systems_of_the_family_are_all_that_have_outputs_everywhere(counts):
    (family,) = [f for f in STUDY.families if f.section == "conll2018"]
    assert family.columns["scores"] == list(counts.columns[4:])


@pytest.mark.parametrize("pair", [("HIT-SCIR", "TurkuNLP"), ("TurkuNLP", "UDPipe-Future")])
def test_pvalues_are_those_of_flipped_blocks(counts, pair):
    shown = made("datasets").set_index("dataset")[f"p-val ({','.join(pair)})"]
    for name, p in pvalues(counts, *pair).items():
        assert float(shown[name]) == pytest.approx(p, rel=0.051, abs=5e-5 if p > 1e-4 else 0), name


@pytest.mark.parametrize("pair", [("Uppsala", "NLP-Cube"), ("LATTICE", "CEA-LIST")])
def test_neighbours_are_named_by_closed_testing_as_a_family_of_their_own(counts, pair):
    """All sets of treebanks would be too many; a name is at least one by Holm's procedure."""
    row = made("neighbours").set_index(["higher", "lower"]).loc[pair]
    level = 0.05 / (2 * 22)
    for (a, b), side in ((pair, "higher"), (pair[::-1], "lower")):
        p = pd.Series(pvalues(counts, a, b)).sort_values()
        holm = (p.to_numpy() <= level / np.arange(len(p), 0, -1)).cumprod().astype(bool)
        named = set(filter(None, row[f"{side} named on"].split(", ")))
        assert named >= set(p.index[holm])
        assert len(named) <= row[f"{side} better on"]
        fisher = [stats.combine_pvalues(p[u:], method="fisher").pvalue for u in range(len(p))]
        most = sum(np.cumprod(np.minimum(fisher, p * np.arange(len(p), 0, -1)) <= level))
        assert row[f"{side} better on"] <= most


def test_tables_agree_with_the_names_of_all_pairs():
    behind = json.loads((TABLES / "conll18_plane_parsers.json").read_text(encoding="utf-8"))
    named = np.array(
        [[one or [0] * len(behind["datasets"]) for one in row] for row in behind["named"]]
    )
    jointly, order = named == 2, behind["systems"]
    assert made("ranking")["system"].tolist() == order
    upper, lower = np.triu_indices(len(order), 1)
    by = made("by_dataset").set_index("treebank")
    for place, name in enumerate(behind["datasets"]):
        assert by["higher"][name] == jointly[upper, lower, place].sum()
        assert by["lower"][name] == jointly[lower, upper, place].sum()
    some = jointly.any(axis=2)
    (pairs,) = made("pairs").to_dict("records")
    assert pairs["lower"] + pairs["both"] == len(made("upsets")) >= some[lower, upper].sum()
    assert pairs["neither"] <= (~some & ~some.T)[upper, lower].sum()
