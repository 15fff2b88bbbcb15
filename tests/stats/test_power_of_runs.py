"""Power over new items and new runs: the law of the p-values of the crossed t."""

import numpy as np
import pytest

from replicability.checks import InputError
from replicability.stats import paired
from replicability.stats.power_of_runs import Crossed, Runs, pooled

LEVELS = (0.05, 0.025, 0.005)


def simulated(n, sd, runs, gain, count=1_500):
    """Draw scores from the model, and test each; the p-values.

    In R, a p-value is that of ``crossed_t`` in ``tests/stats/test_crossed.py``; the model is
    ``a[i, j] = x[i] + u[j] + rnorm(1, 0, sd_rest)``.
    """
    rng, shape = np.random.default_rng(1), (n, runs.number)
    found = []
    for _ in range(count):
        items = rng.normal(size=(n, 1))
        noise = [
            rng.normal(scale=runs.sd, size=runs.number) + rng.normal(scale=runs.sd_rest, size=shape)
            for _ in range(runs.sides)
        ]
        a = items + gain + rng.normal(scale=sd, size=(n, 1)) + noise[0]
        b = items + noise[1] if runs.sides == 2 else np.broadcast_to(items, shape)
        found.append(paired.crossed_t(a, b, paired_runs=runs.paired).pvalue)
    return np.array(found)


CASES = {
    "few runs": (50, 1.0, Runs(4, 0.1, 0.5), 0.4),
    "noisy runs": (50, 1.0, Runs(3, 0.3, 0.5), 0.8),
    "two runs": (30, 1.0, Runs(2, 0.2, 0.3), 1.5),
    "raters": (100, 0.5, Runs(5, 0.1, 1.0, paired=True), 0.2),
    "no difference": (40, 1.0, Runs(3, 0.2, 0.5), 0.0),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_law_is_that_of_the_test(case):
    n, sd, runs, gain = case
    law = Crossed((n,), (sd,), (runs,), gain)
    seen = simulated(*case)
    drawn = law.draw(4_000, np.random.SeedSequence(1))[:, 0]
    for level, power in zip(LEVELS, law.power(LEVELS)[0], strict=True):
        error = np.sqrt(max(power * (1 - power), 0.002))
        assert abs(np.mean(seen <= level) - power) < 4 * error / np.sqrt(len(seen)) + 0.005
        assert abs(np.mean(drawn <= level) - power) < 4 * error / np.sqrt(len(drawn)) + 0.005


def test_more_of_anything_helps_and_noise_of_runs_bounds_what_items_can_do():
    def power(n, number, gain=0.3):
        return Crossed((n,), (1.0,), (Runs(number, 0.2, 0.5),), gain).power([0.025])[0, 0]

    assert power(50, 3) < power(100, 3) < power(100, 6) < power(100, 6, 0.4)
    assert power(10**6, 3) - power(10**5, 3) < 0.001
    assert power(10**6, 3) < 0.5 < power(1_000, 12)


def test_without_noise_of_runs_many_of_them_are_a_paired_t():
    from scipy import stats

    law = Crossed((40,), (1.0,), (Runs(5_000, 0.0),), 0.4)
    t = stats.t.ppf(0.95, 39)
    assert law.power([0.05])[0, 0] == pytest.approx(stats.nct.sf(t, 39, 0.4 * 40**0.5), abs=0.003)


def test_claims_with_margins_and_their_ends():
    runs = (Runs(8, 0.05, 0.3),)
    not_worse = Crossed((400,), (0.5,), runs, 0.0, low=-0.2)
    better = Crossed((400,), (0.5,), runs, 0.2)
    np.testing.assert_allclose(not_worse.power(LEVELS), better.power(LEVELS))
    equivalent = Crossed((400,), (0.5,), runs, 0.0, low=-0.2, high=0.2)
    assert (equivalent.power(LEVELS) <= not_worse.power(LEVELS)).all()
    drawn = equivalent.draw(4_000, np.random.SeedSequence(2))[:, 0]
    assert np.mean(drawn <= 0.05) == pytest.approx(equivalent.power([0.05])[0, 0], abs=0.03)


def test_the_law_of_a_dataset_does_not_depend_on_the_others():
    runs = (Runs(3, 0.1), Runs(4, 0.2, 0.1))
    both = Crossed((50, 60), (1.0, 0.5), runs, [0.1, 0.2])
    one = Crossed((50,), (1.0,), runs[:1], 0.1)
    np.testing.assert_array_equal(both.power(LEVELS)[:1], one.power(LEVELS))
    seeds = (np.random.SeedSequence(3) for _ in range(2))
    first, second = (law.draw(50, seed)[:, 0] for law, seed in zip((both, one), seeds, strict=True))
    np.testing.assert_array_equal(first, second)


def test_runs_are_pooled_by_their_variances():
    found = pooled([Runs(3, 0.3, 0.0), Runs(5, 0.4, 1.0)], [1, 1])
    assert found.number == 3
    assert (found.sd**2, found.sd_rest**2) == pytest.approx((0.125, 0.5))


@pytest.mark.parametrize("sd", [-1, np.nan, np.inf, "x"])
def test_a_standard_deviation_is_none(sd):
    with pytest.raises((InputError, TypeError)):
        Runs(3, sd)
