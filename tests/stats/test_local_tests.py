"""Fisher's sum beside Bonferroni's test: exactly its level, and never less than Bonferroni's."""

import itertools
import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, special

from replicability.stats import closed_testing, multiple_testing
from replicability.stats.closed_testing import bound, curve, names
from replicability.stats.critical_values import beside_bonferroni
from replicability.stats.local_tests import evidence

METHOD = "fisher_bonferroni"
FEW = [0.0002, 0.0005, 0.6, 0.75, 0.9, 0.97, 0.99, 0.8, 0.95, 0.7]
"""Two small p-values; on most of the ten datasets B is ahead."""


def rejected(p, alpha):
    """Whether the intersection of all hypotheses of a family falls; families are rows."""
    f = beside_bonferroni(p.shape[-1], alpha)[-1]
    return (p.min(axis=-1) <= alpha / p.shape[-1]) | (-np.log(p).sum(axis=-1) >= f)


# The level


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.2, 1e-6])
def test_of_two_datasets_the_sum_is_a_logarithm(alpha):
    """With d = 2x - f <= x, the corner X_1 + X_2 >= f of the square below x = ln(2/alpha) has the
    probability e^{-2x} ((d - 1) e^d + 1), and alpha^2/4 = e^{-2x} is unused: d = 1."""
    found = beside_bonferroni(2, alpha)[1]
    assert found == pytest.approx(2 * math.log(2 / alpha) - 1, rel=1e-11)


@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_the_level_of_three_datasets_by_integration(alpha):
    f = beside_bonferroni(3, alpha)[2]
    x = math.log(3 / alpha)

    def last(first, second):  # P(X_3 below x and f - first - second), with both densities
        most = max(min(x, f - first - second), 0)
        return math.exp(-first - second) * -math.expm1(-most)

    below = integrate.dblquad(last, 0, x, 0, x, epsabs=1e-9)[0]
    assert 1 - below == pytest.approx(alpha, abs=1e-7)


def tail(m, x):
    """P(gamma of shape m >= x) in decimals."""
    return (-x).exp() * sum(x**j / math.factorial(j) for j in range(m)) if x > 0 else Decimal(1)


@pytest.mark.parametrize("m", [2, 3, 10, 57])
@pytest.mark.parametrize("alpha", [0.5, 0.05, 0.05 / 306, 1e-12])
def test_the_level_in_eighty_decimals(m, alpha):
    """P(min p <= alpha/m) + P(sum >= f, all p > alpha/m), the unused level spent to 1 in 10^9."""
    f = Decimal(float(beside_bonferroni(m, alpha)[-1]))
    with localcontext() as context:
        context.prec = 80
        level = Decimal(alpha)
        single = level / m
        unused = level - (1 - (1 - single) ** m)
        spent = sum(
            (-1) ** k * math.comb(m, k) * single**k * tail(m, f + k * single.ln())
            for k in range(m + 1)
        )
        assert 0 <= 1 - spent / unused < Decimal("1e-9")


@pytest.mark.parametrize("m", [1, 2, 3, 10, 57])
def test_the_level_of_uniform_pvalues(m):
    rng = np.random.default_rng([1932, m])
    share = np.mean([rejected(rng.random((40_000, m)), 0.05).mean() for _ in range(5)])
    assert abs(share - 0.05) < 4 * math.sqrt(0.05 * 0.95 / 200_000)


LAWS = {
    "rare": {0.02: 0.02, 1.0: 0.98},
    "at a third of the level": {0.05 / 3: 0.05 / 3, 1.0: 1 - 0.05 / 3},
    "at its tenth": {0.005: 0.005, 1.0: 0.995},
    "three discordant items": {1 / 8: 1 / 8, 4 / 8: 3 / 8, 7 / 8: 3 / 8, 1.0: 1 / 8},
    "four sign flips": {j / 16: 1 / 16 for j in range(1, 17)},
    "moderate": {0.2: 0.2, 0.45: 0.25, 1.0: 0.55},
}
"""p-value -> its probability where the null hypothesis is true; P(p <= x) <= x in each."""


def level(law, n, rejects):
    """P(the intersection of n null hypotheses falls), over all families up to their order."""
    values, shares = np.array(list(law)), np.array(list(law.values()))
    chosen = list(itertools.combinations_with_replacement(range(len(values)), n))
    counts = [np.bincount(one, minlength=len(values)) for one in chosen]
    ways = [math.factorial(n) / math.prod(map(math.factorial, map(int, c))) for c in counts]
    probabilities = ways * np.prod(shares ** np.array(counts), axis=1)
    return probabilities[rejects(values[np.array(chosen)])].sum()


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("n", [2, 3, 5, 10])
def test_the_level_of_discrete_pvalues(law, n):
    n = min(n, 5) if len(LAWS[law]) > 4 else n
    assert level(LAWS[law], n, lambda p: rejected(p, 0.05)) <= 0.05
    assert level(LAWS[law], n, lambda p: bound(p, None, 0.05, METHOD) > 0) <= 0.05


def test_conditional_fisher_is_not_valid_for_discrete_pvalues():
    """Given p <= tau, p is .02 for sure, and p/tau = .04: one of them is enough."""
    found = level(LAWS["rare"], 10, lambda p: bound(p, None, 0.05, "conditional_fisher") > 0)
    assert found == pytest.approx(1 - 0.98**10)
    assert found > 0.18


def test_critical_sums_grow_with_the_size_and_fall_with_the_level():
    levels = (1e-12, 1e-6, 0.001, 0.01, 0.025, 0.05, 0.1, 0.3, 0.6, 0.9, 0.999)
    critical = np.array([beside_bonferroni(200, alpha) for alpha in levels])
    assert np.isinf(critical[:, 0]).all()
    assert (np.diff(critical[:, 1:], axis=1) > 0).all()
    assert (np.diff(critical[:, 1:], axis=0) < 0).all()


def test_fishers_part_has_a_level_of_its_own_that_falls_with_the_size():
    sizes = np.arange(2, 201)
    shares = special.gammaincc(sizes, beside_bonferroni(200, 0.05)[1:]) / 0.05
    assert (np.diff(shares) < 0).all()
    assert shares[0] == pytest.approx(0.2507, abs=5e-5)
    assert shares[-1] > 0.025


@pytest.mark.parametrize("alpha", [1e-200, 1e-300, 0.9999999])
def test_levels_at_the_ends_give_no_nan(alpha):
    critical = beside_bonferroni(50, alpha)
    assert (critical > 0).all()
    assert bound([0.0, 1.0], None, alpha, METHOD) == 1


# Never less than Bonferroni


def never_less(p, alpha):
    """Check every set of a family against Bonferroni's bound, and the names against Holm's."""
    n = len(p)
    found = names(p, alpha, METHOD)
    assert (found >= multiple_testing.identify(p, alpha)).all()
    assert (curve(p, alpha, METHOD) >= curve(p, alpha)).all()
    for size in range(1, n + 1):
        for chosen in itertools.combinations(range(n), size):
            least = bound(p, list(chosen), alpha, METHOD)
            assert least >= max(bound(p, list(chosen), alpha), found[list(chosen)].sum())


def test_a_dataset_is_not_lost_where_b_is_ahead_on_most():
    assert names(FEW, 0.05, METHOD).tolist() == [True] * 2 + [False] * 8
    assert bound(FEW, None, 0.05, METHOD) == 2
    assert bound(FEW, None, 0.05, "fisher") == 1
    assert not names(FEW, 0.05, "fisher").any()


@pytest.mark.slow
@given(data=st.data())
def test_no_set_has_a_lower_bound_than_bonferronis(data):
    n = data.draw(st.integers(1, 6))
    alpha = data.draw(st.sampled_from([0.05, 0.01, 0.3]))
    near = [f(alpha / m, e) for m in range(1, n + 1) for f, e in ((min, 1), (np.nextafter, 1))]
    value = st.one_of(st.floats(0, 1), st.sampled_from([0, 1, *near]))
    never_less(data.draw(st.lists(value, min_size=n, max_size=n)), alpha)


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 10, 29, 57])
@pytest.mark.parametrize("alpha", [0.05, 0.025, 0.05 / 306])
def test_many_families_name_and_count_at_least_what_holm_names(n, alpha):
    rng = np.random.default_rng([1979, n])
    shift = rng.choice([-2.0, 0, 1, 3], size=(2_000, n), p=[0.3, 0.2, 0.2, 0.3])
    p = special.ndtr(-rng.normal(size=(2_000, n)) - shift)
    assert (names(p, alpha, METHOD) >= multiple_testing.identify(p, alpha)).all()
    assert (curve(p, alpha, METHOD) >= curve(p, alpha)).all()


def test_weak_evidence_on_all_datasets_counts():
    assert bound([0.02] * 20, None, 0.05, METHOD) > 10 > bound([0.02] * 20) == 0


# Monotone


@pytest.mark.parametrize("n", [2, 5, 8])
def test_smaller_pvalues_never_say_less(n):
    rng = np.random.default_rng([5, n])
    p = rng.random((300, n)) ** rng.choice([1, 3, 6], size=(300, 1))
    smaller = np.where(rng.random(p.shape) < 0.5, p * rng.random(p.shape), p)
    inside = np.arange(n) < (n + 1) // 2
    for alpha in (0.05, 0.2):
        assert (names(smaller, alpha, METHOD) >= names(p, alpha, METHOD)).all()
        for subset in (None, inside):
            assert (bound(smaller, subset, alpha, METHOD) >= bound(p, subset, alpha, METHOD)).all()
            assert (bound(p, subset, 0.3, METHOD) >= bound(p, subset, alpha, METHOD)).all()


def test_two_thousand_datasets():
    rng = np.random.default_rng(2000)
    p = rng.random(2_000) ** rng.choice([1, 6], 2_000)
    found = names(p, 0.05, METHOD)
    bounds = curve(p, 0.05, METHOD)
    assert bounds[-1] == bound(p, None, 0.05, METHOD) > bound(p)
    assert (found >= names(p)).all()
    half = bound(p, np.arange(2_000) < 1_000, 0.05, METHOD)
    assert found[:1_000].sum() <= half <= bounds[-1]


# Evidence


@pytest.mark.parametrize(
    "method", [m for m in closed_testing.METHODS if m not in ("bonferroni", "simes")]
)
def test_evidence_falls_with_the_pvalue(method):
    p = np.array([0, 1e-9, 0.01, 0.05, 0.2, 0.5, 0.9, 1])
    found = evidence(p, 0.05, method)
    assert (np.diff(found.terms[found.kept]) <= 0).all()
    assert (found.critical > 0).all()
    assert found.critical.shape == p.shape
