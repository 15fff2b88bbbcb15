"""Power of claims with a margin about right and wrong answers."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from replicability.checks import InputError
from replicability.stats import paired, power
from replicability.stats.critical_wins import least_count
from replicability.stats.paired.unconditional import exact_unconditional_counts
from replicability.stats.power_of_margins import Margins, interval


def margins(n, share, gain, low, high=math.inf):
    return Margins(power.Outcomes([n], [share], [gain]), low, high)


@pytest.mark.parametrize(
    ("n", "share", "gain", "low", "high"),
    [
        (12, 0.5, 0.2, 0.1, math.inf),
        (15, 0.3, 0.0, -0.2, math.inf),
        (25, 0.2, 0.05, -0.3, 0.35),
        (9, 1.0, 1.0, 0.4, math.inf),
        (30, 0.2, -0.1, -math.inf, 0.15),
    ],
)
def test_power_by_enumeration_of_all_outcomes(n, share, gain, low, high):
    levels = np.array([0.3, 0.05, 0.01])
    win, loss = (share + gain) / 2, (share - gain) / 2
    expected = np.zeros(3)
    for wins in range(n + 1):
        for losses in range(n + 1 - wins):
            chance = stats.multinomial.pmf(
                [wins, losses, n - wins - losses], n, [win, max(loss, 0), 1 - share]
            )
            z = [paired.tango_statistics(wins, losses, n, low)] if low > -math.inf else []
            z += [-paired.tango_statistics(wins, losses, n, high)] if high < math.inf else []
            expected += chance * (special.ndtr(-min(z)) <= levels)
    found = margins(n, share, gain, low, high).power(levels)[0]
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert 0 < expected[0] < 1 or gain == 1


@pytest.mark.parametrize(("low", "high"), [(0.02, math.inf), (-0.03, math.inf), (-0.06, 0.06)])
def test_draws_have_the_same_law(low, high):
    laws = margins(400, 0.15, 0.01, low, high)
    drawn = laws.draw(40_000, np.random.SeedSequence(5)) <= 0.05
    assert laws.power(0.05)[0, 0] == pytest.approx(drawn.mean(), abs=4 * 0.5 / 200)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "share", "gain", "low"), [(60, 0.2, 0.0, -0.1), (100, 0.2, 0.1, 0.02)]
)
def test_the_exact_test_has_nearly_this_power(n, share, gain, low):
    laws = margins(n, share, gain, low)
    wins, losses = laws.truth.outcomes(400, np.random.SeedSequence(1))
    drawn, place = np.unique(np.stack([wins[:, 0], losses[:, 0]]), axis=1, return_inverse=True)
    exact = [exact_unconditional_counts(*pair, n, margin=low).pvalue for pair in drawn.T]
    shares = (np.array(exact)[place.ravel(), None] <= [0.05, 0.0025]).mean(axis=0)
    tango = (laws.draw(400, np.random.SeedSequence(1)) <= [0.05, 0.0025]).mean(axis=0)
    np.testing.assert_allclose(tango, shares, atol=0.04)


@given(d=st.integers(0, 80), more=st.integers(0, 200), margin=st.floats(-0.9, 0.9))
def test_tangos_statistic_grows_with_the_wins(d, more, margin):
    wins = np.arange(d + 1)
    z = paired.tango_statistics(wins, d - wins, max(1, d + more), margin)
    assert (np.diff(z) >= -1e-9).all()


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 45)), min_size=1))
def test_least_counts_by_search(pairs):
    most, first = np.array(pairs).T
    found = least_count(lambda counts: counts >= first, most)
    np.testing.assert_array_equal(found, np.minimum(first, most + 1))


@pytest.mark.parametrize(
    ("claim", "margin", "ends"),
    [
        ("better", None, (0.0, math.inf)),
        ("better_by", 0.02, (0.02, math.inf)),
        ("not_worse", 0.02, (-0.02, math.inf)),
        ("equivalent", 0.02, (-0.02, 0.02)),
    ],
)
def test_a_claim_is_an_interval_of_gains(claim, margin, ends):
    assert interval(claim, margin) == ends


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: margins(10, 0.2, 0.1, 1.0), "The margin is 1, but a margin in accuracy"),
        (lambda: margins(10, 0.2, 0.1, np.nan), "low[0] is nan; pass a finite number"),
        (lambda: margins(10, 0.2, 0.3, 0.1), "it cannot exceed the share of"),
        (lambda: margins(10, 0.2, 0.1, 0.1).power(0), "alpha is 0"),
        (lambda: interval("better_by"), "margin is 0.0, but must be above 0 for every claim; for"),
        (lambda: interval("best", 0.1), "claim 'best' is not one of"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)
