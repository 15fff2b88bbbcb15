"""One rule of when scores agree: every p-value against whole numbers and fractions."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replicability.stats.exact.units import differences, in_common_units
from replicability.stats.paired import run

# --- brute force ---------------------------------------------------------------------------------


def flips_at_least(d):
    """Share of all signs whose sum is at least that of the fractions."""
    sums = Counter({Fraction(0): 1})
    for x in d:
        sums = _moved(sums, x) + _moved(sums, -x)
    return Fraction(sum(n for s, n in sums.items() if s >= sum(d)), 2 ** len(d))


def resamples_at_least(d):
    """Share of all resamples whose sum is at least twice that of the fractions."""
    sums = Counter({Fraction(0): 1})
    for _ in d:
        sums = sum((_moved(sums, x) for x in d), Counter())
    return Fraction(sum(n for s, n in sums.items() if s >= 2 * sum(d)), len(d) ** len(d))


def ranks_at_least(d):
    """Share of all signs whose sum of ranks is at least that of the fractions, zeros left out."""
    d = [x for x in d if x]
    sizes = [abs(x) for x in d]
    ranks = [Fraction(2 * sum(y < x for y in sizes) + 1 + sizes.count(x), 2) for x in sizes]
    return flips_at_least([r if x > 0 else -r for r, x in zip(ranks, d, strict=True)])


def _moved(sums, x):
    return Counter({s + x: n for s, n in sums.items()})


BRUTE_FORCE = {
    "sign_flip": flips_at_least,
    "paired_bootstrap": resamples_at_least,
    "wilcoxon": ranks_at_least,
}


def assert_exact(a, b, d):
    """Every test gives the p-value of the fractions d, and says that it is exact."""
    for test, share in BRUTE_FORCE.items():
        if test == "paired_bootstrap" and not 2 <= len(d) <= 7:
            continue
        result = run(test, a, b)
        assert result.pvalue == pytest.approx(float(share(d)), abs=1e-12), (test, a, b)
        assert result.how.startswith("exact"), (test, a, b)
        assert result.wins == sum(x > 0 for x in d)
        assert result.losses == sum(x < 0 for x in d)


# --- how scores are stored -----------------------------------------------------------------------


def single(values):
    return np.asarray(values).astype(np.float32)


def half(values):
    return np.asarray(values).astype(np.float16)


STORED = {
    "hundredths": lambda k: k / 100,
    "times .1": lambda k: k * 0.1,
    "sevenths": lambda k: k / 7,
    "float32 tenths": lambda k: single(k / 10),
    "float32 hundredths": lambda k: single(k / 100),
    "float32 hundredths as float64": lambda k: single(k / 100).astype(float),
    "float32 thirds": lambda k: single(k / 3),
    "float32 subtracted": lambda k: np.float32(1) - single((130 - k) / 100),
    "float16 hundredths": lambda k: half(k / 100),
    "float16 tenths as float64": lambda k: half(k / 10).astype(float),
    "1e6 and tenths": lambda k: 1e6 + k / 10,
    "1e7 and thirds": lambda k: 1e7 + k / 3,
    "1e5 and thousandths": lambda k: 1e5 + k / 1000,
    "-1e6 and tenths": lambda k: k * 0.1 - 1e6,
    "1000 and tenths in float32": lambda k: single(1000 + k / 10),
    "a third and tenths": lambda k: 1 / 3 + k / 10,
    "1e-12": lambda k: k / 10 * 1e-12,
    "1e12": lambda k: k / 100 * 1e12,
    "1e-13 in float32": lambda k: single(k * 1e-13),
    "1e-320": lambda k: k * 1e-320,
    "1024ths": lambda k: k / 1024,
    "5.5": lambda k: k * 5.5,
}
"""Name -> how scores that are whole numbers of some unit, up to 130 of them, come as floats."""


@pytest.mark.long
@pytest.mark.parametrize("kind", STORED)
def test_stored_scores_have_the_pvalue_of_whole_numbers(kind):
    rng = np.random.default_rng([1, list(STORED).index(kind)])
    for trial in range(25):
        n, reach = int(rng.integers(1, 11)), (3, 10, 100)[trial % 3]
        b = rng.integers(0, reach + 1, n)
        a = b + rng.integers(0, 5, n) - np.minimum(b, 2)
        a[0], b[0] = 100, 73  # enough digits to see the precision
        assert_exact(STORED[kind](a), STORED[kind](b), [int(x) for x in a - b])


@pytest.mark.parametrize("kind", STORED)
@pytest.mark.parametrize("options", [{}, {"n_resamples": 300, "rng": 4}])
def test_many_stored_scores_have_the_bits_of_whole_numbers(kind, options):
    rng = np.random.default_rng([2, list(STORED).index(kind)])
    for n in (12, 40, 150):
        b = rng.integers(0, 127, n)
        a = np.clip(b + rng.integers(-3, 5, n), 0, None)
        for test in ("sign_flip", "paired_bootstrap", "wilcoxon", "sign_test"):
            more = {} if test in ("wilcoxon", "sign_test") else options
            stored, whole = (run(test, f(a), f(b), **more) for f in (STORED[kind], np.asarray))
            assert (stored.pvalue, stored.how) == (whole.pvalue, whole.how)
            assert (stored.wins, stored.losses) == (whole.wins, whole.losses)


@pytest.mark.parametrize("kind", ["hundredths", "1e6 and tenths", "float32 hundredths"])
@pytest.mark.parametrize("options", [{}, {"n_resamples": 300, "rng": 4}])
def test_margins_of_stored_scores_have_the_bits_of_whole_numbers(kind, options):
    rng = np.random.default_rng(3)
    unit = 0.1 if "tenths" in kind else 0.01
    for n in (12, 150):
        b = rng.integers(0, 30, n)
        a = b + rng.integers(0, 5, n) - np.minimum(b, 2)
        for test in ("sign_flip", "paired_bootstrap"):
            stored = run(test, STORED[kind](a), STORED[kind](b), margin=2 * unit, **options)
            assert stored.pvalue == run(test, a, b, margin=2, **options).pvalue
        stored = run("wilcoxon", STORED[kind](a), STORED[kind](b), margin=2 * unit)
        assert stored.pvalue == run("wilcoxon", a, b, margin=2).pvalue


@pytest.mark.parametrize("mixed", [(single, np.asarray), (np.asarray, half), (single, half)])
def test_each_system_may_have_a_precision_of_its_own(mixed):
    rng = np.random.default_rng(5)
    for n in (5, 10, 60):
        b = rng.integers(0, 95, n)
        a = b + rng.integers(0, 5, n) - np.minimum(b, 2)
        first, second = mixed
        for test in ("sign_flip", "wilcoxon", "sign_test"):
            stored = run(test, first(a / 100), second(b / 100))
            assert stored.pvalue == run(test, a, b).pvalue
            assert stored.how == run(test, a, b).how


@pytest.mark.slow
@pytest.mark.parametrize(
    ("offset", "store"), [(0, np.asarray), (1000, np.asarray), (0, single), (99, single)]
)
def test_differing_denominators_tie_as_fractions_do(offset, store):
    rng = np.random.default_rng([6, offset])
    for _ in range(40):
        n, largest = int(rng.integers(2, 11)), 30 if offset < 99 or store is np.asarray else 8
        q = rng.integers(1, largest + 1, n)
        a, b = rng.integers(0, q + 1), rng.integers(0, q + 1)
        d = [Fraction(int(x - y), int(z)) for x, y, z in zip(a, b, q, strict=True)]
        assert_exact(store(offset + a / q), store(offset + b / q), d)


@pytest.mark.parametrize("spread", [1.0, 1000.0])
def test_differences_on_a_step_of_scores_that_are_on_none(spread):
    rng = np.random.default_rng(7)
    for _ in range(30):
        n = int(rng.integers(3, 11))
        k, base = rng.integers(-5, 6, n), rng.random(n) * spread
        k[0] = 4
        assert_exact(base + k / 10, base, [int(x) for x in k])


@pytest.mark.slow
@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    pairs=st.lists(st.tuples(*[st.integers(0, 60)] * 2), min_size=4, max_size=9),
    per_unit=st.sampled_from([10, 100, 1000, 3, 7]),
    offset=st.sampled_from([0, 1, 100, 1e4, 1e5, 1e6, -1e6]),
    scale=st.sampled_from([1, 1e-12, 1e12, 0.3]),
)
def test_step_offset_and_scale_change_nothing(pairs, per_unit, offset, scale):
    a, b = np.array(pairs).T
    d = [int(x) for x in a - b]
    scores = ((offset + x / per_unit) * scale for x in (a, b))
    scores = [np.asarray(x, float) for x in scores]
    assert_exact(*scores, d)


# --- what rounding hides -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "store",
    [
        lambda k: single(1e6 + k / 10),
        lambda k: single(1e6 + k / 10).astype(float),
        lambda k: single(2e6 + k / 3),
        lambda k: 1e12 + k / 10_000,
    ],
)
def test_scores_that_rounding_hides_are_not_called_exact(store):
    rng = np.random.default_rng(8)
    for n in (8, 20):
        a, b = rng.integers(0, 30, (2, n))
        a[:2], b[:2] = [1, 5], [0, 6]
        for test in ("sign_flip", "paired_bootstrap", "wilcoxon", "sign_test"):
            result = run(test, store(a), store(b))
            assert result.how.startswith("estimate")
            assert 0 <= result.pvalue <= 1


def test_fractions_that_half_precision_hides_are_exact_or_not_called_so():
    rng = np.random.default_rng(9)
    called = Counter()
    for _ in range(60):
        q = rng.integers(5, 31, 10)
        a, b = rng.integers(0, q + 1), rng.integers(0, q + 1)
        d = [Fraction(int(x - y), int(z)) for x, y, z in zip(a, b, q, strict=True)]
        for test in ("sign_flip", "wilcoxon"):
            result = run(test, half(a / q), half(b / q))
            is_exact = result.how.startswith("exact")
            called[is_exact] += 1
            if is_exact:
                assert result.pvalue == pytest.approx(float(BRUTE_FORCE[test](d)), abs=1e-12)
    assert min(called.values()) > 10


def test_sums_a_little_short_of_the_threshold_are_not_called_exact():
    d = np.array([1.0, 1.0, -1.0, 0.5]) + np.array([0, 3e-7, 0, 0]) + 1e9
    result = run("sign_flip", d, np.full(4, 1e9))
    assert result.how.startswith("estimate")


@pytest.mark.parametrize("kind", [half, single, np.asarray])
def test_continuous_scores_are_taken_at_their_word(kind):
    """Scores so dense that neighbours agree within their rounding do not all become ties."""
    rng = np.random.default_rng(10)
    a, b = rng.normal(0.5, 0.1, (2, 1500))
    a += 0.01
    for test in ("wilcoxon", "sign_test", "sign_flip"):
        stored, given = run(test, kind(a), kind(b)), run(test, a, b)
        assert stored.pvalue == pytest.approx(given.pvalue, rel=0.2)
        assert stored.ties <= 15
    a, b = a[:40], b[:40]
    assert run("wilcoxon", kind(a), kind(b)).how.startswith("exact") == (kind is not half)


def test_sixteenths_are_no_rounded_decimals():
    rng = np.random.default_rng(11)
    for unit in (2, 16, 256, 1024):
        k = rng.integers(0, unit + 1, (2, 30))
        stored, whole = run("wilcoxon", *k / unit), run("wilcoxon", *k)
        assert (stored.pvalue, stored.how) == (whole.pvalue, whole.how)
        assert run("sign_flip", *k / unit).pvalue == run("sign_flip", *k).pvalue


def test_one_unit_of_the_last_place_decides_nothing_by_itself():
    assert run("sign_test", [0.1 + 0.2, 0.7], [0.3, 0.1]).ties == 1
    assert run("sign_test", [1e6 + 1e-6], [1e6]).wins == 1
    assert run("sign_test", [1000.5], [1000.0]).wins == 1
    sixteenth = run("sign_test", np.full(20, 1e6 + 1 / 16), np.full(20, 1e6))
    assert (sixteenth.wins, sixteenth.pvalue) == (20, 2.0**-20)


def test_a_total_of_zero_in_tenths_is_zero():
    """The float sum of these tenths is 1e-16, which would make a two-sided p-value of 0.4."""
    k = np.array([2, -4, -6, -5, -6, 19])
    assert math.fsum(k / 10) != 0
    for test in ("paired_bootstrap", "sign_flip"):
        assert run(test, k / 10, 0 * k, alternative="two-sided").pvalue == 1


def test_the_rule_itself():
    scores = in_common_units(half([0.45, 0.36, 0.06]), half([0.41, 0.37, 0.1]))
    assert scores.a.tolist() == [45, 36, 6] and scores.b.tolist() == [41, 37, 10]
    found = differences(scores, np.ones(3))
    assert found.levels.tolist() == [4, -1, -4] and found.resolved and found.noise == 0
    scores = in_common_units([0.1, 0.3], [0.0, 0.0], 0.05)
    assert (scores.a.tolist(), scores.margin) == ([10, 30], 5)
    scores = in_common_units([1, 2], [0, 0], math.e)
    assert (scores.a - scores.b) / scores.margin == pytest.approx([1 / math.e, 2 / math.e])


def test_whatever_the_order_and_the_direction():
    rng = np.random.default_rng(12)
    for kind, n in itertools.product(("float16 hundredths", "1e6 and tenths"), (6, 30)):
        a, b = (STORED[kind](x) for x in rng.integers(0, 99, (2, n)))
        order = rng.permutation(n)
        for test in ("sign_flip", "paired_bootstrap", "wilcoxon"):
            result = run(test, a, b)
            assert result.pvalue == run(test, b, a, alternative="less").pvalue
            assert result.pvalue == run(test, a[order], b[order]).pvalue
