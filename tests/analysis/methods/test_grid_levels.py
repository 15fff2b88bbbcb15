"""How often statements about datasets by metrics are false: the simulation and its table."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis import paths
from analysis.methods import grid_levels
from replicability.stats import multiple_testing

COMMITTED = pd.read_csv(paths.ROOT / "data" / "simulations" / "grids.csv")


def test_the_committed_table_has_every_setting():
    n = len(grid_levels.WHERE) * len(grid_levels.KINDS) * len(grid_levels.CORRELATIONS)
    assert len(COMMITTED) == n * len(grid_levels.METHODS)
    keys = ["where", "kind", "metrics", "datasets", "method"]
    assert not COMMITTED.duplicated(keys).any()
    made = grid_levels.table(1, 3)
    pd.testing.assert_frame_equal(made[keys], COMMITTED[keys])


@pytest.mark.parametrize("method", grid_levels.METHODS)
def test_false_statements_are_as_rare_as_promised(method):
    rows = COMMITTED[COMMITTED["method"] == method]
    error = np.sqrt(0.05 * 0.95 / rows["studies"])
    assert (rows["false"] <= 0.05 + 3.5 * error).all()
    assert rows["false"].mean() <= 0.05 + 3 * error.iloc[0] / np.sqrt(len(rows))


def test_flips_show_more_than_bonferroni_where_metrics_are_alike():
    alike = COMMITTED[(COMMITTED["metrics"] == 0.9) & (COMMITTED["kind"] == "normal")]
    wide = alike.pivot_table("cells", "where", "method")
    assert (wide["max_t"] >= wide["bonferroni"] - 0.05).all()


def test_scores_have_their_gains_and_correlations():
    gains = np.array([[0.5, 0], [0, -0.5]])
    rng = np.random.default_rng(1)
    drawn = np.concatenate([grid_levels.scores(gains, "normal", 0.9, 0.6, rng) for _ in range(200)])
    np.testing.assert_allclose(drawn.mean(axis=0), gains, atol=0.05)
    found = np.corrcoef(drawn.reshape(-1, 4).T)
    expected = np.kron([[1, 0.6], [0.6, 1]], [[1, 0.9], [0.9, 1]])
    np.testing.assert_allclose(found, expected, atol=0.03)


def test_bonferroni_is_holms_procedure_on_the_t_tests_of_scipy(monkeypatch):
    drawn = []
    scores = grid_levels.scores
    monkeypatch.setattr(
        grid_levels, "scores", lambda *args: drawn.append(scores(*args)) or drawn[-1]
    )
    gains = np.full((6, 3), 0.45)
    gains[0] = 0
    for seed in np.random.SeedSequence(5).spawn(3):
        found = grid_levels._study(gains, "normal", 0.5, 0.3, seed)["bonferroni"]
        p = stats.ttest_1samp(drawn[-1], 0, alternative="greater").pvalue
        named = multiple_testing.identify(p.ravel(), 0.025).reshape(6, 3)
        assert found[1:] == [named.all(axis=1).sum(), named.any(axis=1).sum(), named.sum()]
