"""Every registered test has committed sizes, and every test of repeats committed powers."""

import pandas as pd
import pytest

from analysis import paths
from replicability.io.declared import OF_BOTH, OF_FOLDS, OF_JUDGED, OF_SPLITS
from replicability.stats import paired

SIMULATED = paths.ROOT / "data" / "simulations"
OF_RUNS = "unpaired runs"
OF_REPEATS = {OF_RUNS, OF_SPLITS, *OF_FOLDS, *OF_BOTH, OF_JUDGED}

TITLES = {
    "McNemar": "mcnemar",
    "sign test": "sign_test",
    "Wilcoxon": "wilcoxon",
    "paired t": "paired_t",
    "sign-flip": "sign_flip",
    "bootstrap": "paired_bootstrap",
    "rating bootstrap": "rating_bootstrap",
    "Steiger": "steiger",
    "Williams": "williams",
    "Meng": "meng",
}
"""Title in the table of sizes, up to a comma -> test."""


@pytest.fixture(scope="module")
def simulated():
    names = ("repeats", "crossed", "judged")
    return pd.concat([pd.read_csv(SIMULATED / f"{name}.csv") for name in names])


@pytest.fixture(scope="module")
def sized(simulated):
    titles = pd.read_csv(paths.ROOT / "tables" / "test_sizes.csv")["test"].str.partition(",")[0]
    with_margins = pd.read_csv(SIMULATED / "margins.csv").dropna(subset="size")
    return {
        *simulated.loc[simulated["gain"] == 0, "test"],
        *with_margins["test"],
        *map(TITLES.get, titles),
    }


@pytest.mark.parametrize("test", [*paired.TESTS, OF_RUNS])
def test_every_registered_test_has_a_committed_size(test, sized):
    assert test in sized


@pytest.mark.parametrize("test", sorted(OF_REPEATS))
def test_every_test_of_repeats_has_sizes_and_powers_at_both_levels(test, simulated):
    of = simulated[simulated["test"] == test]
    for alpha in (0.05, 0.005):
        at = of[of["alpha"] == alpha]
        size, power = at[at["gain"] == 0], at[at["gain"] > 0]
        assert size["repetitions"].min() >= 250 and power["repetitions"].min() >= 60
        rates = [part["rejected"].sum() / part["repetitions"].sum() for part in (size, power)]
        assert rates[0] < rates[1]
