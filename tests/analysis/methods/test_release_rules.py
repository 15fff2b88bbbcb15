import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis import paths
from analysis.methods import release_rules
from replicability.core import release
from replicability.core.procedure import Procedure
from replicability.stats import paired

SIZES = np.array([40, 100, 250, 400])
COMMITTED = paths.ROOT / "data" / "simulations" / "releases.csv"


def test_the_draws_have_the_drops_that_are_said():
    rng = np.random.default_rng(1)
    for change, (many, drop) in release_rules.CHANGES.items():
        wins, losses = release_rules.draw(SIZES, 0.1, change, 20_000, rng)
        n_worse = many if isinstance(many, int) else round(many * len(SIZES))
        drops = ((losses - wins) / SIZES).mean(axis=0)
        assert drops.mean() == pytest.approx(n_worse / len(SIZES) * drop, abs=0.001)
        assert ((wins + losses) / SIZES).mean() == pytest.approx(0.1, abs=0.001)


def test_the_rules_agree_with_their_definitions():
    rng = np.random.default_rng(2)
    for change in release_rules.CHANGES:
        drawn = release_rules.draw(SIZES, 0.2, change, 60, rng)
        found, ship = release_rules.verdicts(*drawn, SIZES)
        for place, (wins, losses) in enumerate(zip(*drawn, strict=True)):
            p = np.array(
                [
                    stats.binomtest(int(b), int(a + b), 0.5, alternative="greater").pvalue
                    for a, b in zip(wins, losses, strict=True)
                ]
            )
            drops = (losses - wins) / SIZES
            assert found["worst"][place] == any((p <= 0.05) & (drops >= 0.005))
            assert found["bonferroni"][place] == (min(p) * 4 <= 0.05)
            within = [
                paired.tango_counts(int(a), int(b), int(n), margin=-release_rules.MARGIN).pvalue
                for a, b, n in zip(wins, losses, SIZES, strict=True)
            ]
            closed = Procedure(tuple("abcd"), 0.05, "bonferroni", p)
            decided = release.verdict(release.Policy(), release.Evidence(closed, np.array(within)))
            assert found["gate"][place] == (decided == release.BLOCK)
            assert ship[place] == (decided == release.SHIP)


def test_a_table_has_the_same_bytes_and_a_row_for_each_rule():
    suites = {"small": [40, 60], "large": [300] * 5}
    one, two = (release_rules.table(suites, 50, 3) for _ in range(2))
    pd.testing.assert_frame_equal(one, two)
    assert len(one) == 2 * 3 * 4 * 5


def test_gates_keep_their_level_in_the_committed_table():
    rates = pd.read_csv(COMMITTED)
    nothing = rates[rates["worse"] == "nothing"]
    limit = 0.05 + 3 * np.sqrt(0.05 * 0.95 / nothing["releases"])
    blocked = nothing["blocked"] / nothing["releases"]
    gates = nothing["rule"].isin(["gate", "independent", "bonferroni"])
    assert (blocked <= limit)[gates].all()
    assert (blocked > limit)[nothing["rule"] == "worst"].all()
    # a drop of more than the margin somewhere must not ship
    worse = rates[rates["worse"].isin(["one by 5 points", "half by 3 points"])]
    shipped = worse["shipped"] / worse["releases"]
    assert (shipped <= 0.06)[worse["rule"].isin(["gate", "independent"])].all()


def test_the_committed_table_can_be_made_again():
    rates = pd.read_csv(COMMITTED)
    sizes = pd.read_csv(paths.ROOT / "data" / "suite_sizes.csv")
    suites = {suite: part["items"].tolist() for suite, part in sizes.groupby("suite")}
    again = release_rules.table(suites, int(rates["releases"].iloc[0]), 2026)
    pd.testing.assert_frame_equal(again, rates)
