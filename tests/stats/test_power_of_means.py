"""Power of the test of a mean difference, with and without a margin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from replicability.checks import InputError
from replicability.stats import paired, power
from replicability.stats.power_of_means import (
    MEAN_DIFFERENCE_ERRORS,
    Means,
    mean_difference_error,
)


def means(n, sd, gain, low=0.0, high=np.inf):
    return Means(power.Scores([n], [sd], [gain]), low, high)


@pytest.mark.parametrize(("n", "alpha"), [(10, 0.05), (20, 0.0025), (40, 0.005), (300, 0.05)])
def test_power_is_that_of_the_draws(n, alpha):
    laws = means(n, 1.0, 2.5 / np.sqrt(n))
    drawn = laws.draw(100_000, np.random.SeedSequence(8)) <= alpha
    assert laws.power(alpha)[0, 0] == pytest.approx(drawn.mean(), abs=4 * 0.5 / np.sqrt(1e5))


@pytest.mark.long
@pytest.mark.parametrize(("n", "gain"), [(25, 0.5), (60, 0.3)])
def test_power_is_that_of_the_test_of_a_comparison(n, gain):
    rng = np.random.default_rng(2)
    found = [
        paired.mean_difference(rng.normal(gain, 1, n), np.zeros(n), n_resamples=999, rng=1).pvalue
        for _ in range(400)
    ]
    share = np.mean(np.array(found) <= 0.05)
    assert means(n, 1.0, gain).power(0.05)[0, 0] == pytest.approx(share, abs=4 * 0.025)


def test_the_level_is_kept_and_approached():
    sizes = [10, 30, 100, 10_000]
    at_the_end = Means(power.Scores(sizes, 0.7, 0.02), 0.02).power([0.05, 0.005])
    assert (at_the_end <= [0.0501, 0.00501]).all()
    assert at_the_end[-1] == pytest.approx([0.05, 0.005], rel=0.03)


def test_many_items_have_the_power_of_students_t():
    # 1 - pt(qt(.95, 999), 999, .05 * sqrt(1000)), in R .4741
    students = stats.nct.sf(stats.t.ppf(0.95, 999), 999, 0.05 * np.sqrt(1000))
    assert means(1000, 1.0, 0.05).power(0.05)[0, 0] == pytest.approx(students, abs=0.003)


def test_two_one_sided_tests_by_owens_integral():
    # both t-tests of 10,000 items reject: a normal integral
    n, margin, gain = 10_000, 0.03, 0.005
    limit = special.ndtri(0.95)
    above, below = (np.sqrt(n) * (margin + sign * gain) - limit for sign in (1, -1))
    expected = special.ndtr(above) - special.ndtr(-below)
    found = means(n, 1.0, gain, -margin, margin).power(0.05)[0, 0]
    assert found == pytest.approx(expected, abs=0.003)


@given(
    n=st.integers(2, 3000),
    gain=st.floats(-1, 1),
    margin=st.floats(0.01, 2),
    alpha=st.floats(1e-6, 0.5),
)
def test_a_claim_with_two_ends_has_less_power_than_with_one(n, gain, margin, alpha):
    both = means(n, 1.0, gain, -margin, margin).power(alpha)[0, 0]
    first = means(n, 1.0, gain, -margin).power(alpha)[0, 0]
    second = means(n, 1.0, -gain, -margin).power(alpha)[0, 0]
    assert 0 <= both <= min(first, second) + 1e-9 <= 1 + 1e-9
    assert means(n, 1.0, gain, -margin).power(alpha / 2)[0, 0] <= first + 1e-12


def test_systems_in_each_others_place_have_the_same_law():
    one, other = means(50, 1.0, 0.1, -0.3, 0.4), means(50, 1.0, -0.1, -0.4, 0.3)
    np.testing.assert_allclose(one.power([0.05, 0.3]), other.power([0.05, 0.3]), atol=1e-12)


def test_below_the_floor_of_sign_flips_nothing_is_shown():
    assert means(8, 0.1, 5.0).power(0.05 / 20)[0, 0] == 0
    assert (means(8, 0.1, 5.0).draw(100, np.random.SeedSequence(0)) >= 0.5**8).all()


def test_errors_are_those_of_the_next_smaller_dataset_and_level():
    assert mean_difference_error(250, 0.01) == MEAN_DIFFERENCE_ERRORS[100, 0.0025]
    assert mean_difference_error(1000, 0.05) == MEAN_DIFFERENCE_ERRORS[300, 0.05]
    assert np.isnan(mean_difference_error(19)).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: means(10, 0.0, 0.1), "deviation of differences must be above 0"),
        (lambda: means(10, 1.0, 0.1, np.nan), "low is NaN; pass a number"),
        (lambda: means(10, 1.0, 0.1).power(1), "alpha is 1"),
        (lambda: mean_difference_error(0), "n_instances is 0"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)
