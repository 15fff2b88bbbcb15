import itertools

import numpy as np
import pytest
from closure import by_enumeration
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from replicability.checks import InputError
from replicability.core import release
from replicability.core.procedure import Procedure
from replicability.core.release import BLOCK, CANNOT_TELL, SHIP, Evidence, Mean, Policy

PVALUES = st.lists(
    st.sampled_from([1e-6, 0.001, 0.004, 0.01, 0.02, 0.024, 0.03, 0.049, 0.05, 0.2, 0.6, 1.0]),
    min_size=1,
    max_size=10,
)
COMBINED = {
    "bonferroni": lambda p: min(1, len(p) * min(p)),
    "fisher": lambda p: stats.combine_pvalues(p, "fisher").pvalue,
    "simes": lambda p: min(len(p) * value / rank for rank, value in enumerate(sorted(p), 1)),
}


def evidence(worse, not_worse, level, method="bonferroni", mean=None):
    names = tuple(f"d{place}" for place in range(len(worse)))
    closed = Procedure(names, level, method, np.array(worse))
    return Evidence(closed, np.array(not_worse), method, mean)


@given(p=PVALUES, data=st.data(), method=st.sampled_from(sorted(COMBINED)))
def test_verdicts_agree_with_all_intersections(p, data, method):
    n = len(p)
    q = data.draw(
        st.lists(st.sampled_from([1e-4, 0.01, 0.024, 0.03, 0.3, 1.0]), min_size=n, max_size=n)
    )
    policy = Policy(
        ship=data.draw(st.sampled_from(["every", *range(1, n + 1)])),
        block=data.draw(st.integers(1, n)),
        guarded=tuple(data.draw(st.sets(st.sampled_from([f"d{j}" for j in range(n)]), max_size=1))),
    )
    level = policy.level(0.05, n)
    combine = COMBINED[method]
    at_least = by_enumeration(p, lambda some, alpha: combine(some) <= alpha * (1 + 1e-12), level)
    shown = at_least(range(n))
    worse = {f"d{j}" for j in range(n) if at_least([j])}
    sets = itertools.combinations(q, n - policy.needs(n) + 1)
    ships = all(combine(some) <= level * (1 + 1e-12) for some in sets)
    expected = (
        BLOCK
        if worse & set(policy.guarded)
        else SHIP
        if ships
        else BLOCK
        if shown >= policy.block
        else CANNOT_TELL
    )
    known = evidence(p, q, level, method)
    assert known.n_worse == shown
    assert set(known.regressed) == worse
    assert release.verdict(policy, known) == expected


@pytest.mark.parametrize(
    "policy, n, level",
    [
        (Policy(), 5, 0.05),  # SHIP is wrong only if one is worse, and then BLOCK is right
        (Policy(block=2), 5, 0.025),
        (Policy(ship=4, block=2), 5, 0.05),
        (Policy(ship=4, block=3), 5, 0.025),
        (Policy(ship="overall"), 5, 0.05),
        (Policy(ship="overall", block=2), 5, 0.025),
        (Policy(), 1, 0.05),
    ],
)
def test_the_level_is_halved_where_both_verdicts_could_be_wrong(policy, n, level):
    assert policy.level(0.05, n) == level
    needed = policy.needs(n)
    fewest = 1 if needed is None else n - needed + 1  # datasets that are worse where SHIP is wrong
    both = any(worse >= fewest and worse < policy.block for worse in range(n + 1))
    assert (level < 0.05) == both


@pytest.mark.parametrize("block, shifts, alpha", [(1, "none", 0.05), (2, "one", 0.05)])
@pytest.mark.parametrize("related", [0.0, 0.9])
def test_verdicts_keep_their_level_at_the_border(block, shifts, alpha, related):
    """Wrong verdicts where exactly block - 1 datasets are worse, by just the margin."""
    n, studies, margin, policy = 4, 4000, 3.0, Policy(block=block)
    rng = np.random.default_rng(5)
    level = policy.level(alpha, n)
    shared = rng.normal(size=(studies, 1)) * np.sqrt(related)
    z = shared + rng.normal(size=(studies, n)) * np.sqrt(1 - related)
    z[:, 0] -= margin * (shifts == "one")
    wrong = 0
    for worse, not_worse in zip(stats.norm.cdf(z), stats.norm.sf(z + margin), strict=True):
        found = release.verdict(policy, evidence(worse, not_worse, level))
        # "none": a SHIP is right, a BLOCK wrong; "one": both are wrong
        wrong += found == BLOCK or (found == SHIP and shifts == "one")
    assert wrong / studies <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / studies)


def test_ship_goes_before_block_where_nothing_is_guarded():
    known = evidence([0.001, 0.9], [0.001, 0.001], 0.05)
    assert release.verdict(Policy(), known) == SHIP
    assert release.verdict(Policy(guarded=("d0",)), known) == BLOCK
    assert release.verdict(Policy(guarded=("d1",)), known) == SHIP


def test_the_mean_decides():
    for low, expected in ((-0.01, SHIP), (-0.02, CANNOT_TELL), (-0.1, CANNOT_TELL)):
        known = evidence([0.5, 0.6], [0.5, 0.5], 0.05, mean=Mean(0.01, 0.01, low, 0.02))
        assert release.verdict(Policy(ship="overall"), known) == expected


def test_powers_agree_with_simulation():
    rng = np.random.default_rng(1)
    z = rng.normal(size=200_000)
    for ratio in (0.5, 2.0, 4.0):
        simulated = np.mean(stats.norm.sf(z + ratio) <= 0.05)
        assert release.powers([1.0], [ratio], 0.05)[0] == pytest.approx(simulated, abs=0.004)
    # R: pbinom(1, 3, 0.9, lower.tail = FALSE) is .972
    assert release.power([0.9] * 3, 2) == pytest.approx(0.972)
    # under any dependence: failures together, so that two of three fail with .15 at most
    assert release.power_bounds([0.9] * 3, 2) == pytest.approx((0.85, 1.0))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=4), st.data())
def test_no_dependence_goes_beyond_the_bounds(each, data):
    """All joint laws of datasets: the extremes of a linear program over their 2^n outcomes."""
    n, needed = len(each), data.draw(st.integers(1, len(each)))
    low, high = release.power_bounds(each, needed)
    assert low - 1e-12 <= release.power(each, needed) <= high + 1e-12
    outcomes = np.array([*itertools.product((0, 1), repeat=n)])
    shown = (outcomes.sum(axis=1) >= needed).astype(float)
    for sign, bound in ((1, low), (-1, high)):
        found = optimize.linprog(
            sign * shown,
            A_eq=np.vstack([outcomes.T, np.ones(2**n)]),
            b_eq=[*each, 1],
            bounds=(0, 1),
        )
        assert sign * found.fun == pytest.approx(bound, abs=1e-6)


@pytest.mark.parametrize("difference", [-0.2, -0.05, 0.0, 0.1])
def test_so_many_items_settle_it(difference):
    items, error, margin, level = 400, 0.05, 0.08, 0.05
    n = release.items_needed([items], [error], [difference], [margin], level)[0]
    rng = np.random.default_rng(2)
    error = error * np.sqrt(items / n)
    seen = difference + error * rng.normal(size=50_000)
    within, worse = stats.norm.sf((seen + margin) / error), stats.norm.cdf(seen / error)
    shown = max(np.mean(within <= level), np.mean(worse <= level))
    assert shown == pytest.approx(0.8, abs=0.02)


def test_a_difference_of_the_margin_is_settled_as_worse():
    # within the margin it can never be shown, but worse it can
    found = release.items_needed([100, 100], [0.1, 0.1], [-0.1, 0.0], [0.1, 0.1], 0.05)
    assert found == pytest.approx([619, 619])  # 100 (1.6449 + .8416)^2, rounded up
    assert np.isinf(release.items_needed([100], [0.1], [0.0], [1e-300], 0.05))[0]


@pytest.mark.parametrize(
    "policy, message",
    [
        (
            Policy(ship=4),
            "requires 4 datasets, but the systems are compared on 3; give a number from 1",
        ),
        (Policy(block=9), "requires 9 datasets, but the systems are compared on 3"),
        (Policy(guarded=("d7",)), "must_not_regress: dataset 'd7' is not one of"),
    ],
)
def test_a_policy_that_cannot_be_met(policy, message):
    with pytest.raises(InputError, match=message):
        policy.check(["d0", "d1", "d2"])


@pytest.mark.parametrize("difference", [-0.01, 0.0, 0.02])
def test_so_many_times_the_items_ship_by_the_mean(difference):
    error, margin, level = 0.03, 0.04, 0.05
    times = release.times_needed(Mean(difference, error, -1.0, margin), level)
    z = np.random.default_rng(3).normal(size=50_000)
    seen = difference + error / np.sqrt(times) * z
    low = seen - stats.norm.ppf(1 - level) * error / np.sqrt(times)
    assert np.mean(low + margin > 0) == pytest.approx(0.8, abs=0.01)
    assert np.isinf(release.times_needed(Mean(-margin, error, -1.0, margin), level))


def test_so_few_runs_reach_a_level():
    # R: sapply(2:4, function(n) 1 / choose(2 * n, n)) is .1667 .05 .0143
    assert [release.fewest_runs(level) for level in (0.17, 0.05, 0.049, 0.0143)] == [4, 6, 8, 8]
