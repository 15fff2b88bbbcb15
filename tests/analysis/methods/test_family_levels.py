"""How often statements about all pairs are false: the simulation and its table."""

import numpy as np
import pandas as pd
import pytest

from analysis import paths
from analysis.methods import family_levels

COMMITTED = pd.read_csv(paths.ROOT / "data" / "simulations" / "families.csv")
KEYS = ["where", "kind", "correlation", "method"]


def test_the_committed_table_has_every_setting():
    settings = len(family_levels.GAINS) * len(family_levels.KINDS)
    settings *= len(family_levels.CORRELATIONS)
    assert len(COMMITTED) == settings * len(family_levels.METHODS)
    assert not COMMITTED.duplicated(KEYS).any()


@pytest.mark.slow
def test_the_table_is_made_anew_with_the_same_settings():
    made = family_levels.table(1, 3)
    pd.testing.assert_frame_equal(made[KEYS], COMMITTED[KEYS])


@pytest.mark.parametrize("method", family_levels.METHODS)
def test_false_statements_are_as_rare_as_promised(method):
    rows = COMMITTED[COMMITTED["method"] == method]
    error = np.sqrt(0.05 * 0.95 / rows["studies"])
    assert (rows["false"] <= 0.05 + 3 * error).all()
    for _, cells in rows.groupby("where"):
        assert cells["false"].mean() <= 0.05 + 3 * error.iloc[0] / np.sqrt(len(cells))


def test_joint_statements_show_at_least_what_bonferroni_over_pairs_shows():
    shown = COMMITTED.pivot_table(["counted", "pairs", "named"], KEYS[:3], "method")
    for column in ("counted", "pairs", "named"):
        assert (shown[column]["joint"] >= shown[column]["bonferroni"]).all()
        assert shown[column]["joint"].mean() > shown[column]["bonferroni"].mean()


def test_scores_have_their_gains_and_correlation():
    gains = np.array([[0.5, 0], [0, -0.5]])
    rng = np.random.default_rng(1)
    drawn = [family_levels.scores(gains, "normal", 0.6, rng) for _ in range(300)]
    drawn = np.concatenate(drawn, axis=1)
    np.testing.assert_allclose(drawn.mean(axis=1), gains, atol=0.04)
    np.testing.assert_allclose(np.corrcoef(drawn[0].T), [[1, 0.6], [0.6, 1]], atol=0.02)
    assert set(np.unique(family_levels.scores(gains, "right or wrong", 0.6, rng))) == {0, 1}


def test_a_procedure_that_ignores_the_pairs_is_caught(monkeypatch):
    """Each pair at the level of all of them is wrong in far more than 5% of studies."""
    monkeypatch.setattr(family_levels, "ALPHA", 0.6)
    gains = np.zeros((family_levels.SYSTEMS, family_levels.DATASETS))
    found = [
        family_levels._study(gains, "normal", 0.0, seed)["bonferroni"][0]
        for seed in np.random.SeedSequence(4).spawn(60)
    ]
    assert np.mean(found) > 0.2


def test_of_one_dataset_bonferroni_is_that_over_all_pairs(monkeypatch):
    """p-values by other flips, corrected for the 12 ordered pairs."""
    drawn, scores = [], family_levels.scores
    monkeypatch.setattr(
        family_levels, "scores", lambda *args: drawn.append(scores(*args)) or drawn[-1]
    )
    gains = np.array([[1.2], [0.0], [0.0], [-1.2]])
    rng = np.random.default_rng(1)
    for seed in np.random.SeedSequence(6).spawn(3):
        _, counted, pairs, named = family_levels._study(gains, "normal", 0.0, seed)["bonferroni"]
        s = drawn[-1][..., 0]
        d = (s[:, np.newaxis] - s[np.newaxis])[family_levels.COMPARED]
        signs = rng.choice([-1, 1], size=(40_000, d.shape[1]))
        p = (signs @ d.T >= d.sum(axis=1)).mean(axis=0)
        assert (np.abs(p - 0.05 / 12) > 0.001).all(), "no p-value is close to its level"
        assert counted == pairs == named == (p <= 0.05 / 12).sum() > 0
