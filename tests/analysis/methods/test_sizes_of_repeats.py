"""The committed sizes of tests of splits and of runs."""

import numpy as np
import pytest
import sizes

from analysis.methods import repeats
from replicability.core import cautions
from replicability.stats import paired, two_samples


@pytest.fixture(scope="module")
def rates():
    return sizes.rates("repeats.csv").query("gain == 0")


def test_the_level_is_kept_where_the_test_of_splits_is_called_valid(rates):
    corrected = rates[rates["test"].isin([repeats.CORRECTED, repeats.FOLDS])]
    valid = np.array([paired.keeps_level(row.n, row.test_share) for row in corrected.itertuples()])
    assert valid.any() and not valid.all()
    assert sizes.above(corrected[valid]).max() <= 3
    worst = corrected.loc[~valid & (corrected["alpha"] == 0.05), "rate"].max()
    assert 0.05 < worst == pytest.approx(cautions.OVERLAPPING, abs=0.005)


def test_the_f_test_rejects_too_often(rates):
    folds = rates[rates["test"] == repeats.ALPAYDIN]
    assert set(folds["scheme"]) == {"5 x 2-fold"} and len(folds) == 8
    worst = folds.loc[folds["alpha"] == 0.05, "rate"].max()
    assert worst == pytest.approx(cautions.OF_ALPAYDIN, abs=0.005)


def test_splits_as_items_reject_far_too_often(rates):
    overlapping = rates[rates["test"].isin(repeats.NAIVE) & (rates["n"] >= 30)]
    assert overlapping.loc[overlapping["alpha"] == 0.05, "rate"].min() > 0.2


def test_the_level_is_kept_where_runs_have_one_distribution(rates):
    runs = rates[rates["test"] == "unpaired runs"]
    alike = runs["population"].isin(["normal", "exponential"])
    exact = runs["scheme"].isin([f"{n} and {m} runs" for n, m in repeats.RUNS if n + m <= 15])
    assert sizes.above(runs[alike & (exact | (runs["population"] == "normal"))]).max() <= 3
    assert two_samples.floor(3, 3) > 0.005
    few = runs[(runs["scheme"] == "3 and 3 runs") & (runs["alpha"] == 0.005)]
    assert not few["rejected"].any()


def test_power_with_a_gain():
    table = sizes.rates("repeats.csv").query("gain > 0 and alpha == 0.05")
    power = table["rejected"] / table["repetitions"]
    of = power.groupby([table["test"], table["scheme"]]).min()
    assert of["unpaired runs"].min() > 0.7
    for folds in ("10", "5"):  # repeats of a cross-validation add power
        repeated = of[repeats.FOLDS, f"{folds} x {folds}-fold"]
        assert repeated > of[repeats.FOLDS, f"{folds}-fold"] + 0.2
    assert of[repeats.CORRECTED].drop("30 resamples, four fifths").min() > 0.3


@pytest.mark.parametrize("scheme", ["10-fold", "30 resamples, half", "5 x 2-fold"])
def test_a_small_simulation_again(rates, scheme):
    schemes = {scheme: repeats.SCHEMES[scheme]}
    again = repeats.table(150, 7, (100,), schemes).query("gain == 0")
    keys = ["scheme", "population", "items", "gain", "test", "alpha"]
    assert sizes.agree(again, rates, keys)


def test_learners_are_equal_and_test_parts_as_they_are_said():
    rng = np.random.default_rng(1)
    for scheme in repeats.SCHEMES.values():
        tests = repeats.tests_of(scheme, 100, rng)
        assert tests.shape == (max(scheme.folds, 1) * scheme.n_repeats, 100)
        assert tests.mean() == pytest.approx(scheme.test_share, abs=0.004)
        if scheme.folds:
            assert (tests.sum(axis=0) == scheme.n_repeats).all()
    y = np.arange(60) % 2
    x = rng.normal(size=(60, 3)) + y[:, None]
    part = repeats.tests_of(repeats.SCHEMES["5-fold"], 60, rng)
    for learner in repeats.LEARNERS.values():
        assert 0.5 < learner(x, y, part).mean() <= 1
