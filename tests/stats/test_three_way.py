"""Three bounds at once: the systems differ, A is better, B is better."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from analysis.published import read_published
from replicability import forensics
from replicability.checks import InputError
from replicability.stats import paired
from replicability.stats.three_way import ThreeWay, of_equality, three_way


def by_all_sets(pvalues, ahead, alpha):
    """The same bounds from the definition: every set on which the leader is not better."""
    n, kept = len(pvalues), []
    for size in range(n + 1):
        for chosen in itertools.combinations(range(n), size):
            p = np.array(pvalues)[list(chosen)]
            if not size or special.gammaincc(size, -np.log(p).sum()) > alpha:
                kept.append(set(chosen))

    def least(where):
        return min(len(where - chosen) for chosen in kept)

    a, b = ({i for i in range(n) if side * ahead[i] > 0} for side in (1, -1))
    return ThreeWay(least(set(range(n))), least(a), least(b))


@given(st.lists(st.tuples(st.floats(1e-4, 1), st.sampled_from([-1, 1])), min_size=1, max_size=7))
@settings(max_examples=60, deadline=None)
def test_fisher_by_every_set(cells):
    pvalues, ahead = map(list, zip(*cells, strict=True))
    assert three_way(pvalues, ahead, dependence="independent") == by_all_sets(pvalues, ahead, 0.05)


# R 4.3: p <- c(.001, .01, .02); for the sets of Fisher's method, pchisq(-2 * sum(log(p)), 2 *
# length(p), lower = FALSE): all .0000305, the two largest .00190, the largest .02; so all three.
def test_reference_values():
    found = three_way([0.001, 0.01, 0.02], [1, 1, -1], dependence="independent")
    assert found == ThreeWay(3, 2, 1)
    # Holm at .025 on .0005, .005, .99: .0005 <= .0083, .005 <= .0125; on .9995, .995, .01: .01 >
    # .0083, so B has none
    assert three_way([0.001, 0.01, 0.02], [1, 1, -1]) == ThreeWay(2, 2, 0)


@pytest.mark.parametrize("dependence", ["independent", "dependent"])
@given(
    cells=st.lists(st.tuples(st.floats(0, 1), st.floats(-1, 1)), min_size=1, max_size=9),
    sided=st.sampled_from(["two", "leader", "one"]),
)
@settings(max_examples=60, deadline=None)
def test_properties(dependence, cells, sided):
    pvalues, ahead = map(np.array, zip(*cells, strict=True))
    found = three_way(pvalues, ahead, sided=sided, dependence=dependence)
    assert found.differ >= found.a + found.b
    if sided != "one":
        assert found.a <= (ahead > 0).sum()
        assert found.b <= (ahead < 0).sum()
        turned = three_way(pvalues, -ahead, sided=sided, dependence=dependence)
        assert turned == ThreeWay(found.differ, found.b, found.a)
    else:
        turned = three_way(1 - pvalues, ahead, sided=sided, dependence=dependence)
    strict = three_way(pvalues, ahead, 0.01, sided=sided, dependence=dependence)
    assert strict.differ <= found.differ


def wrong(bounds, theta):
    """Whether a bound is above the truth."""
    truth = (theta != 0).sum(), (theta > 0).sum(), (theta < 0).sum()
    return any(b > t for b, t in zip((bounds.differ, bounds.a, bounds.b), truth, strict=True))


MEANS = {
    "all equal": np.zeros(8),
    "nearly equal": np.array([1e-3] * 4 + [-1e-3] * 4),
    "half differ": np.array([4.0, 4.0, -4.0, -4.0, 0, 0, 0, 0]),
    "weak and strong": np.array([3.0, 3.0, 3.0, -0.3, -0.3, 0.3, 0, 0]),
    "against the leader": np.array([0.5] * 8),
}


@pytest.mark.parametrize("theta", MEANS.values(), ids=list(MEANS))
@pytest.mark.parametrize("sided", ["two", "leader", "one"])
def test_all_three_hold_together_for_independent_datasets(theta, sided):
    rng = np.random.default_rng(20)
    z = theta + rng.normal(size=(1500, 8))
    upper = stats.norm.sf(z)
    p = {"two": 2 * np.minimum(upper, 1 - upper), "leader": np.minimum(upper, 1 - upper)}.get(
        sided, upper
    )
    errors = [
        wrong(three_way(row, lead, sided=sided, dependence="independent"), theta)
        for row, lead in zip(p, z, strict=True)
    ]
    assert np.mean(errors) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1500)


@pytest.mark.parametrize("rho", [0.0, 0.9])
@pytest.mark.parametrize("theta", MEANS.values(), ids=list(MEANS))
def test_all_three_hold_together_for_dependent_datasets(theta, rho):
    rng = np.random.default_rng(21)
    shared = rng.normal(size=(1500, 1)) * np.where(np.arange(8) % 2, 1, -1)  # opposite signs, too
    z = theta + np.sqrt(rho) * shared + np.sqrt(1 - rho) * rng.normal(size=(1500, 8))
    p = 2 * stats.norm.sf(abs(z))
    errors = [wrong(three_way(row, lead), theta) for row, lead in zip(p, z, strict=True)]
    assert np.mean(errors) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1500)


def test_discrete_mcnemar_and_small_t_tests_keep_the_level():
    rng = np.random.default_rng(22)
    theta, errors = np.array([0.0] * 6 + [1.0, -1.0]), {"mcnemar": [], "t": []}
    for _ in range(800):
        wins = rng.binomial(40, np.where(theta == 0, 0.5, np.where(theta > 0, 0.8, 0.2)))
        p = paired.mcnemar_pvalues(wins, 40 - wins, alternative="two-sided")
        errors["mcnemar"].append(
            wrong(three_way(p, 2 * wins - 40, dependence="independent"), theta)
        )
        data = theta[:, None] + rng.normal(size=(8, 5))
        p = stats.ttest_1samp(data, 0, axis=1).pvalue
        errors["t"].append(wrong(three_way(p, data.mean(1), dependence="independent"), theta))
    for name, found in errors.items():
        assert np.mean(found) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 800), name


def test_reading_one_sided_values_as_two_sided_would_be_wrong():
    rng = np.random.default_rng(23)
    z = rng.normal(size=(400, 20))
    p = stats.norm.sf(abs(z))  # one-sided for the leader
    found = [
        wrong(three_way(row, lead, dependence="independent"), np.zeros(20))
        for row, lead in zip(p, z, strict=True)
    ]
    assert np.mean(found) > 0.9


def test_mimick_and_char2tag_under_both_readings():
    table = read_published("dror2017", "table3")
    at = table["p-value"], table["MIMICK"], table["Char→Tag"], ("MIMICK", "Char→Tag")
    found = forensics.bound_both(*at, dependence="independent")
    assert list(found.bounds.values()) == [ThreeWay(16, 6, 7), ThreeWay(9, 3, 4)]
    assert str(found) == (
        "MIMICK and Char→Tag differ on at least 9 of 23 datasets (16 if the p-values are "
        "two-sided); MIMICK is better on at least 3 (6) and Char→Tag on at least 4 (7) "
        "(closed testing, Fisher; simultaneous 95% confidence)."
    )
    holm = forensics.bound_both(*at)
    assert list(holm.bounds.values()) == [ThreeWay(6, 3, 3)] * 2
    assert "(16" not in str(holm)


def test_ties_count_only_as_differing():
    found = three_way([0.001, 0.002], [0, 1], dependence="independent")
    assert found == ThreeWay(2, 1, 0)
    assert three_way([0.001, 0.002], [0, 1]) == ThreeWay(1, 1, 0)


def test_p_values_of_equality():
    assert of_equality([0.6, 0.2], "leader").tolist() == [1.0, 0.4]
    assert of_equality([0.6, 0.2], "one") == pytest.approx([0.8, 0.4])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: three_way([0.1], [1, 2]), r"pvalues has the shape \(1,\) and ahead has the shape"),
        (lambda: three_way([0.1], [np.nan]), "score difference that is not NaN"),
        (lambda: three_way([1.1], [1]), r"pvalues\[0\] is 1.1"),
        (lambda: three_way([0.1], [1], sided="both"), "'both'"),
        (lambda: three_way([0.1], [1], dependence="some"), "'some'"),
        (lambda: three_way([0.1], [1], dependence="independent", method="f"), "'f'"),
        (lambda: forensics.bound_both(["0.1"], ["1"], ["2"], "AB", sided="three"), "'three'"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InputError, match=message):
        call()
