"""Embeddings: what a reader would quote, by a second route from the committed accuracies."""

import itertools

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy import stats

from analysis import paths
from analysis.leaderboards import experiments

TABLES = paths.ROOT / "tables" / "leaderboards"
STUDY = yaml.safe_load((paths.CONFIG / "outcomes" / "embeddings.yaml").read_text(encoding="utf-8"))
GEMINI, QWEN = "gemini-embedding-001", "gte-Qwen2-7B-instruct"


def made(name):
    return pd.read_csv(TABLES / f"embeddings_{name}.csv", keep_default_na=False, thousands=",")


@pytest.fixture(scope="module")
def accuracies():
    return pd.read_parquet(paths.ROOT / "data" / "outcomes" / "embeddings.parquet")


@pytest.fixture(scope="module")
def scores(accuracies):
    """Return accuracies: ndarray, shape (models, datasets, experiments)."""
    return accuracies.iloc[:, 2:].to_numpy().T.reshape(103, 195, 10)


@pytest.fixture(scope="module")
def pvalues(scores):
    """Return one-sided p-values of Welch's t of all ordered pairs."""
    mean, square = scores.mean(axis=2), scores.var(axis=2, ddof=1) / 10
    error = square[:, None] + square
    degrees = 9 * error**2 / (square[:, None] ** 2 + square**2)
    return stats.t.sf((mean[:, None] - mean) / np.sqrt(error), degrees)


def holm(p, level):
    """Count the hypotheses that Holm's procedure rejects: k-hat by Bonferroni."""
    ordered = np.sort(p)
    return int(np.cumprod(ordered * np.arange(len(p), 0, -1) <= level).sum())


def test_models_datasets_and_groups_are_those_of_the_outcomes(accuracies):
    (family,) = STUDY["families"]
    assert family["columns"]["scores"] == list(accuracies.columns[2:])
    names = list(accuracies["dataset"].unique())
    for comparison in STUDY["comparisons"]:
        assert sorted(itertools.chain(*comparison["groups"].values())) == sorted(names)
        assert comparison["claim_covers"] == family["claim_covers"] == "runs"
    assert accuracies.groupby("dataset")["experiment"].apply(list).map(len).eq(10).all()


def test_pairs_are_those_of_the_rule(scores, accuracies):
    names, means = np.array(accuracies.columns[2:]), scores.mean(axis=2)
    ranks = stats.rankdata(-means.round(9), axis=0).mean(axis=1)
    by_rank, by_mean = names[ranks.argsort()], names[(-means.mean(axis=1)).argsort()]
    first, second = (comparison["systems"] for comparison in STUDY["comparisons"])
    assert first == list(by_rank[:2]) == list(by_mean[:2])
    assert second == [by_rank[2], by_mean[2]]


@pytest.mark.parametrize("place", [0, 1])
def test_counts_of_the_chosen_pairs(accuracies, pvalues, place):
    comparison = STUDY["comparisons"][place]
    a, b = (list(accuracies.columns[2:]).index(name) for name in comparison["systems"])
    counts = holm(pvalues[a, b], 0.025), holm(pvalues[b, a], 0.025)
    assert counts == ((127, 4), (5, 8))[place]
    row = made("readings").set_index(["comparison", "test"]).loc[comparison["title"], "Welch's t"]
    assert (row["first better on"], row["second better on"]) == counts


def test_all_pairs_by_a_second_route(pvalues):
    level = 0.05 / (103 * 102)
    k = np.array([[holm(p, level) for p in row] for row in pvalues])
    most, least = (f(k, k.T)[np.triu_indices(103, 1)] for f in (np.maximum, np.minimum))
    pairs = made("tests").set_index("test")["pairs"]
    assert pairs["k-hat"] == (most > 0).sum()
    assert pairs["k-hat of both"] == (least > 0).sum()
    assert pairs["k-hat, half"] == (most >= 97.5).sum()
    (summary,) = made("pairs").to_dict("records")
    assert (summary["both"], summary["neither"]) == ((least > 0).sum(), (most == 0).sum())


def test_pairs_by_a_test_for_any_spread(scores, pvalues):
    mean, error = scores.mean(axis=2), scores.var(axis=2, ddof=1) / 10
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (mean[:, None] - mean) / np.sqrt(error[:, None] + error)
    cautious = stats.t.sf(t, 9)
    assert (cautious >= pvalues - 1e-15)[t > 0].all()
    table = made("spread")
    for (_, row), found in zip(table.iterrows(), (pvalues, cautious), strict=True):
        smallest = np.nanmin(np.where(np.isnan(found), 1, found), axis=2)
        better = smallest * 195 <= 0.05 / (103 * 102)
        first, second = (of[np.triu_indices(103, 1)] for of in (better, better.T))
        assert row["pairs that differ"] == (first | second).sum()
        assert row["each is better"] == (first & second).sum()
    assert table["times the level"].tolist() == [15.4, 1]


def test_permutations_are_those_of_scipy():
    rng = np.random.default_rng(3)
    a, b = rng.normal(0.8, 1, 5).round(3), rng.normal(0, 1, 5).round(3)
    found = stats.permutation_test(
        (a, b), lambda x, y: x.mean() - y.mean(), alternative="greater", n_resamples=np.inf
    )
    assert experiments.permutation(a, b) == pytest.approx(found.pvalue, rel=1e-12)
    assert experiments.permutation(b, a) > 0.5


@pytest.mark.parametrize("test", experiments.TESTS)
def test_no_p_value_is_below_the_smallest_one_and_it_is_reached(test):
    a, b = np.arange(20, 26) / 3, np.arange(6) / 7
    p, least = experiments.TESTS[test](a, b), experiments.floor(test, 6)
    assert p == pytest.approx(least) if least else p < 1e-4
    assert experiments.TESTS[test](np.full(6, 0.5), np.full(6, 0.5)) == pytest.approx(1, abs=0.51)


def test_numbers_of_experiments_that_are_enough():
    needed = 0.025 / 195
    assert experiments.enough(experiments.PERMUTATION, needed) == 8
    assert experiments.enough(experiments.FLIPS, needed) == 13
    table = made("by_number").set_index("experiments")
    assert (table.loc[:7, experiments.PERMUTATION] == 0).all()
    assert table.loc[8, experiments.PERMUTATION] > 0
    assert (table[experiments.FLIPS] == 0).all()


def test_noise_by_a_second_route(scores, accuracies):
    names = list(accuracies.columns[2:])
    a, b = 100 * scores[names.index(GEMINI)], 100 * scores[names.index(QWEN)]
    within = np.mean([x.var(ddof=1) + y.var(ddof=1) for x, y in zip(a, b, strict=True)])
    leads = a.mean(axis=1) - b.mean(axis=1)
    row = made("noise").iloc[0]
    assert row["between experiments"] == pytest.approx(within**0.5, abs=0.005)
    assert row["standard error"] == pytest.approx((within / 10) ** 0.5, abs=0.005)
    own = np.sqrt(np.var(leads, ddof=1) - within / 10)
    assert row["between datasets"] == pytest.approx(own, abs=0.005)


def test_experiments_with_one_number_go_together(accuracies):
    found = experiments.go_together(accuracies)
    assert found.median() > 0.2
    rng = np.random.default_rng(1)
    mixed = accuracies.copy()
    models = mixed.columns[2:]
    own = mixed[models].to_numpy().reshape(195, 10, 103)
    mixed[models] = rng.permuted(own, axis=1).reshape(1950, 103)
    assert abs(experiments.go_together(mixed).median()) < 0.02
