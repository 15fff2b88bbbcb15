"""Time series: what a reader would quote, by a second route from the committed accuracies."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis import paths
from analysis.leaderboards import boards, resamples
from analysis.numbers import config_leaderboards_time_series
from analysis.studies import read_study
from replicability.core.all_pairs import Pairs

STUDY = read_study("config/leaderboards.yaml")
TABLES = paths.ROOT / "tables" / "leaderboards"


def made(name):
    return pd.read_csv(TABLES / f"time_series_{name}.csv", keep_default_na=False)


@pytest.fixture(scope="module")
def accuracies():
    return pd.read_parquet(paths.ROOT / "data" / "outcomes" / "time_series.parquet")


@pytest.fixture(scope="module")
def sizes():
    file = paths.PUBLISHED / "dau2019" / "sizes.csv"
    return pd.read_csv(file, comment="#").set_index("dataset")


@pytest.fixture(scope="module")
def shares():
    (family,) = [f for f in STUDY.families if f.section == "time_series"]
    return pd.Series(family.repeats["test_share"]).sort_index()


@pytest.fixture(scope="module")
def pvalues(accuracies, shares):
    """Return one-sided p-values of all ordered pairs by the formula of Nadeau and Bengio."""
    scores = accuracies.iloc[:, 2:].to_numpy().reshape(112, 30, 40)
    found = np.ones((40, 40, 112))
    for place, (own, share) in enumerate(zip(scores, shares, strict=True)):
        d = own[:, :, None] - own[:, None, :]
        error = np.sqrt((1 / 30 + share / (1 - share)) * d.var(axis=0, ddof=1))
        spread = error > 1e-12
        t = np.divide(d.mean(axis=0), error, out=np.zeros((40, 40)), where=spread)
        found[..., place] = np.where(spread, stats.t.sf(t, 29), 1)
    return found


def holm(p, level):
    """Say which hypotheses Holm's procedure rejects; their number is k-hat by Bonferroni."""
    order = np.argsort(p, kind="stable")
    rejected = np.zeros(len(p), bool)
    rejected[order] = np.cumprod(p[order] * np.arange(len(p), 0, -1) <= level)
    return rejected


def test_classifiers_and_datasets_are_all_that_are_complete(accuracies, shares):
    (family,) = [f for f in STUDY.families if f.section == "time_series"]
    assert family.columns["scores"] == list(accuracies.columns[2:])
    assert list(accuracies["dataset"].unique()) == list(shares.index)
    assert accuracies.groupby("dataset")["resample"].nunique().eq(30).all()


def test_shares_and_groups_are_those_of_the_archive(sizes, shares):
    own = sizes.loc[shares.index]
    np.testing.assert_allclose(shares, own["test"] / (own["test"] + own["train"]), atol=5.1e-5)
    kinds = own.groupby("type").groups
    wanted = {kind.lower(): sorted(names) for kind, names in kinds.items() if len(names) > 1}
    for comparison in STUDY.section("time_series"):
        groups = {kind.lower(): sorted(names) for kind, names in comparison.groups.items()}
        assert groups.items() <= wanted.items()
        assert comparison.repeats["test_share"] == shares.to_dict()


def test_accuracies_are_whole_numbers_but_for_four_classifiers_on_one_dataset(accuracies, sizes):
    counts = accuracies.iloc[:, 2:].mul(accuracies["dataset"].map(sizes["test"]), axis=0)
    broken = (counts - counts.round()).abs() > 1e-4
    assert set(accuracies["dataset"][broken.any(axis=1)]) == {"Chinatown"}
    assert list(broken.columns[broken.any()]) == ["EE", "PF", "ResNet", "TS-CHIEF"]
    assert config_leaderboards_time_series.numbers()["on_chinatown"] == {343: 36, 345: 4}


@pytest.mark.parametrize(("pair", "k"), [(("HC2", "MR-Hydra"), 4), (("HC2", "HC1"), 2)])
def test_p_values_and_names_of_the_chosen_pairs(accuracies, pvalues, pair, k):
    a, b = (list(accuracies.columns[2:]).index(name) for name in pair)
    table, p = made("datasets").set_index("dataset"), pvalues[a, b]
    shown = table[f"p-val ({','.join(pair)})"].astype(float)
    np.testing.assert_allclose(shown, p, rtol=0.051, atol=5.1e-5)
    named = holm(p, 0.05)
    assert named.sum() == k
    assert list(table.index[table[f"named {' vs '.join(pair)}"] != ""]) == list(table.index[named])
    rows = made("readings").set_index(["comparison", "resamples are"])
    row = rows.loc[" vs ".join(pair), "splits with the test parts of the datasets"]
    assert (row["significant one by one"], row["k-hat"]) == ((p <= 0.05).sum(), k)


def test_all_pairs_by_a_second_route(accuracies, pvalues, shares):
    level = 0.05 / (40 * 39)
    upper = np.triu_indices(40, 1)
    k = np.array([[holm(p, level).sum() for p in row] for row in pvalues])
    large = shares.to_numpy() >= 0.5
    kept = np.array([[holm(p[large], level).any() for p in row] for row in pvalues])
    most, least = np.maximum(k, k.T)[upper], np.minimum(k, k.T)[upper]
    pairs = made("tests").set_index("test")["pairs"]
    assert pairs["k-hat"] == (most > 0).sum()
    assert pairs["k-hat of both"] == (least > 0).sum()
    assert pairs["k-hat, 10%"] == (most >= 11.2).sum()
    assert pairs["k-hat, half"] == (most >= 56).sum() == 0
    assert pairs["k-hat, large test parts"] == (kept | kept.T)[upper].sum()


def test_tests_of_mean_ranks_by_a_second_route(accuracies):
    means = accuracies.groupby("dataset").mean().drop(columns="resample")
    ranks = means.round(9).rank(axis=1, ascending=False).mean().to_numpy()
    upper = np.triu_indices(40, 1)
    beyond = np.abs(ranks[:, None] - ranks)[upper] / np.sqrt(40 * 41 / (6 * 112)) * np.sqrt(2)
    x = np.linspace(-9, 9, 20_001)
    within = [  # the distribution of the range of 40 normal variables
        40 * np.trapezoid(stats.norm.pdf(x) * (stats.norm.cdf(x + q) - stats.norm.cdf(x)) ** 39, x)
        for q in beyond
    ]
    columns = means.to_numpy().T
    wilcoxon = [
        stats.wilcoxon((columns[a] - columns[b]).round(11)).pvalue
        for a, b in zip(*upper, strict=True)
    ]
    pairs = made("tests").set_index("test")["pairs"]
    assert pairs["mean ranks (Nemenyi)"] == np.greater_equal(within, 0.95).sum()
    assert pairs["signed ranks (Wilcoxon, Holm)"] == holm(np.array(wilcoxon), 0.05).sum()


def test_critical_differences_are_those_of_demsar():
    # Demšar (2006), Table 5(a): q_.05 is 1.960 for two classifiers, 2.569 for four, 3.164 for ten.
    for s, q in ((2, 1.960), (4, 2.569), (10, 3.164)):
        expected = q * np.sqrt(s * (s + 1) / (6 * 14))
        assert resamples.critical_difference(s, 14, 0.05) == pytest.approx(expected, rel=4e-4)


@pytest.fixture
def board():
    """Return three systems on four datasets: A beats B on two of them and C on all."""
    scores = np.array([[9, 9, 9, 5.0], [8, 8, 8, 6.0], [1, 1, 1, 1.0]])
    p = np.ones((3, 3, 4))
    p[0, 1, :2], p[0, 2], p[1, 0, 3] = 1e-9, 1e-9, 1e-9
    pairs = Pairs(("A", "B", "C"), tuple("wxyz"), scores, p, method="bonferroni")
    return boards.lay_out(pairs, 0.05)


def test_tests_of_a_small_board(board):
    shares = {"w": 0.9, "x": 0.2, "y": 0.5, "z": 0.4}
    table = resamples.tests(board, shares).set_index("test")
    assert table["pairs"][["k-hat", "k-hat of both", "k-hat, half"]].tolist() == [2, 1, 2]
    assert table["neighbours"]["k-hat"] == 1
    assert "of 2 datasets" in table["claim"]["k-hat, large test parts"]
    assert table["pairs"]["mean ranks (Nemenyi)"] == 1  # A and C, whose ranks differ by 1.75
    leader = resamples.leader(board).set_index("system")
    assert leader.loc["B", ["leader better on", "leader worse on"]].tolist() == [2, 1]
    assert leader["Nemenyi"].tolist() == ["no difference", "differs"]


def test_the_figure_says_what_it_shows(board):
    figure = resamples.draw(board, "parsers")
    assert figure.get_suptitle() == (
        "By mean rank, A differs from 1 of 2 parsers;\n"
        "on at least one dataset it is significantly better than 2 and worse than 1"
    )
    plt.close(figure)
