import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replicability.checks import InputError
from replicability.stats import exact
from replicability.stats.exact import (
    ABSOLUTE_BOUND,
    RELATIVE_BOUND,
    CannotMeetBound,
    bootstrap_tail,
    flip_tail,
    ideal_bootstrap,
)
from replicability.stats.exact.lattice import (
    find_lattice,
    integer_at_least,
    least_sum,
    near_lattice,
)
from replicability.stats.exact.plane import Plane, raised
from replicability.stats.exact.units import in_common_units


def sums_at_least(values, draws, threshold):
    """Share of the n^m ordered draws whose sum is at least the threshold, ties within rounding."""
    sums = [math.fsum(draw) for draw in itertools.product(values, repeat=draws)]
    return np.mean(np.array(sums) >= threshold - 1e-12)


def flips_at_least(values, threshold):
    """Share of the 2^n signs whose sum is at least the threshold, ties within rounding."""
    signs = np.array(list(itertools.product((-1, 1), repeat=len(values))))
    return np.mean(signs @ np.asarray(values, dtype=float) >= threshold - 1e-12)


def ratios_at_least(d, w, draws):
    """Share of the n^m resamples with sum d* W >= 2 D sum w*, in whole numbers."""
    index = np.array(list(itertools.product(range(len(d)), repeat=draws)))
    d, w = np.array(d), np.array(w)
    return np.mean(w.sum() * d[index].sum(1) >= 2 * d.sum() * w[index].sum(1))


def values_of(kind, n, rng):
    match kind:
        case "integers":
            return rng.integers(-3, 4, n).astype(float)
        case "twentieths":
            return rng.integers(-9, 10, n) / 20
        case "shifted":
            return rng.integers(-9, 10, n) / 7 - 0.123
        case "real":
            return rng.normal(size=n)
        case "real and zeros":
            return np.where(rng.random(n) < 0.5, 0.0, rng.normal(size=n))
        case "equal":
            return np.full(n, rng.normal())


KINDS = ("integers", "twentieths", "shifted", "real", "real and zeros", "equal")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("at_a_tie", [True, False])
def test_bootstrap_tail_is_the_share_of_all_draws(kind, at_a_tie):
    rng = np.random.default_rng(KINDS.index(kind))
    for n, m in itertools.product(range(1, 6), range(1, 6)):
        values = values_of(kind, n, rng)
        threshold = math.fsum(rng.choice(values, m)) if at_a_tie else rng.normal()
        tail = bootstrap_tail(values, m, threshold)
        assert tail.probability == pytest.approx(sums_at_least(values, m, threshold), abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("at_a_tie", [True, False])
def test_flip_tail_is_the_share_of_all_signs(kind, at_a_tie):
    rng = np.random.default_rng(10 + KINDS.index(kind))
    for n in range(1, 9):
        values = values_of(kind, n, rng)
        threshold = math.fsum(values) if at_a_tie else rng.normal()
        tail = flip_tail(values, threshold)
        assert tail.probability == pytest.approx(flips_at_least(values, threshold), abs=1e-12)


def test_eight_instances_and_eight_draws():
    rng = np.random.default_rng(8)
    for values in (values_of("integers", 8, rng), np.append(values_of("real", 3, rng), [0] * 5)):
        d = values - 2 * values.mean()
        sums = np.zeros(1)
        for _ in range(8):  # merge equal sums: 8^8 ordered draws are many, not their sums
            sums = np.add.outer(sums, d).ravel() if sums.size < 8**4 else sums
        sums = np.sort(sums)  # the sums of four draws
        assert sums.size == 8**4
        at_least = sums.size - np.searchsorted(sums, -sums - 1e-12)
        expected = at_least.sum() / 8**8
        assert ideal_bootstrap(values).probability == pytest.approx(expected, abs=1e-12)


def test_ratio_of_sums_is_the_share_of_all_resamples():
    rng = np.random.default_rng(3)
    for trial in range(60):
        n, m = (int(x) for x in rng.integers(2, 6, 2))
        d, w = rng.integers(-3, 4, n), rng.integers(trial % 2, 6, n)
        w[0] += 1
        for direction, alternative in ((1, "greater"), (-1, "less")):
            tail = ideal_bootstrap(d, w, size=m, alternative=alternative)
            expected = ratios_at_least(d * direction, w, m)
            assert tail.probability == pytest.approx(expected, abs=1e-11), (d, w, m)
        tail = ideal_bootstrap(d / 2, w * 0.25, size=m)  # a common step changes nothing
        assert tail.probability == pytest.approx(ratios_at_least(d, w, m), abs=1e-11)


def exact_tail(counts, draws, bound):
    """Trinomial tail P(sum >= bound) of draws from {-1, 0, 1}, in whole numbers."""
    coefficients = [1]
    for _ in range(draws):
        longer = [0] * (len(coefficients) + 2)
        for place, coefficient in enumerate(coefficients):
            for step, count in enumerate(counts):
                longer[place + step] += count * coefficient
        coefficients = longer
    return Fraction(sum(coefficients[bound + draws :]), sum(counts) ** draws)


@pytest.mark.parametrize(
    ("counts", "draws", "bound"),
    [
        ((30, 60, 10), 100, 0),
        ((10, 70, 20), 100, 20),
        ((10, 70, 20), 100, 21),
        ((10, 70, 20), 100, -15),
        ((90, 9, 1), 150, 60),
        ((90, 9, 1), 150, 120),
        ((90, 9, 1), 150, 147),  # about 1e-290
        ((90, 9, 1), 150, 149),
        ((90, 9, 1), 150, 150),  # 1e-300
        ((1, 9, 90), 150, -149),
        ((1, 0, 1), 200, 2),
        ((999, 0, 1), 90, 88),
    ],
)
def test_trinomial_tail_keeps_its_relative_accuracy(counts, draws, bound):
    values = np.repeat([-1, 0, 1], counts)
    exact = exact_tail(counts, draws, bound)
    tail = bootstrap_tail(values, draws, bound)
    assert tail.method == "lattice"
    assert tail.probability == pytest.approx(float(exact), rel=2e-11, abs=0)
    assert tail.complement == pytest.approx(float(1 - exact), rel=2e-11, abs=0)
    assert abs(Fraction(tail.probability) - exact) <= tail.error + np.spacing(tail.probability)


@pytest.mark.parametrize(("n", "bound"), [(100, 10), (900, 100), (900, 880), (990, 988), (64, 64)])
def test_binomial_tail_of_equal_flips(n, bound):
    exact = Fraction(sum(math.comb(n, j) for j in range((n + bound + 1) // 2, n + 1)), 2**n)
    for scale in (1, 0.05, 3):
        tail = flip_tail(np.full(n, scale), bound * scale)
        assert tail.probability == pytest.approx(float(exact), rel=2e-11, abs=0)


@pytest.mark.long
def test_ten_million_replicates():
    # Every replicate draws 24 of 24 instances; the same resamples serve three statistics.
    rng = np.random.default_rng(2012)
    n, chunk, chunks = 24, 100_000, 100
    real = rng.normal(0.25, 1, n)
    w = rng.poisson(12, n) + 1
    d = rng.binomial(w, 0.55) - rng.binomial(w, 0.5)
    combined = (w.sum() * d - 2 * d.sum() * w).astype(np.int32)
    shifted = real - 2 * real.mean()
    hits = np.zeros(3, dtype=np.int64)
    for _ in range(chunks):
        index = rng.integers(n, size=(n, chunk), dtype=np.uint16)
        sums = np.zeros((3, chunk))
        for row in index:
            sums[0] += shifted.take(row)
            sums[1] += combined.take(row)
        signs = rng.integers(2**n, size=chunk, dtype=np.uint32)
        for place, value in enumerate(real):
            sums[2] += np.where(signs >> place & 1, value, -value)
        sums[2] -= real.sum() - 1e-9
        hits += (sums >= 0).sum(axis=1)
    replicates = chunk * chunks
    tails = [ideal_bootstrap(real), ideal_bootstrap(d, w), flip_tail(real, real.sum())]
    for count, tail in zip(hits, tails, strict=True):
        p = tail.probability
        assert 0.001 < p < 0.5
        assert abs(count / replicates - p) <= 5 * math.sqrt(p * (1 - p) / replicates)


def test_inversion_agrees_with_generating_functions_within_its_bound(monkeypatch):
    # Taken as real values, whole numbers are a hard case: only a wide bound can be proved.
    rng = np.random.default_rng(4)
    values, bounds = rng.integers(-4000, 4100, 300), (-50_000, 0, 90_000, 250_000)
    lattice = [(bootstrap_tail(values, 300, c), flip_tail(values, c)) for c in bounds]
    for name in ("find_lattice", "near_lattice"):
        monkeypatch.setattr(exact.tails, name, lambda *arguments, **options: None)
    monkeypatch.setattr("replicability.stats.exact.tail.RELATIVE_BOUND", 0.1)
    for c, references in zip(bounds, lattice, strict=True):
        inverted = bootstrap_tail(values, 300, c - 0.5), flip_tail(values, c - 1)
        for tail, reference in zip(inverted, references, strict=True):
            assert (tail.method, reference.method) == ("inversion", "lattice")
            assert abs(tail.probability - reference.probability) <= tail.error
            small = min(reference.probability, reference.complement)
            assert min(tail.probability, tail.complement) == pytest.approx(small, rel=1e-4)


@pytest.mark.slow
def test_inversion_keeps_its_bound_where_enumeration_decides(monkeypatch):
    rng = np.random.default_rng(5)
    cases = [
        (bootstrap_tail, (rng.normal(size=14), 14, rng.normal() * 3), "_FEW_ATOMS")
        for _ in range(4)
    ]
    cases += [(flip_tail, (rng.normal(size=30), rng.normal() * 5), "_FEW_FLIPS") for _ in range(6)]
    inverted = 0
    for tail_of, arguments, limit in cases:
        enumerated = tail_of(*arguments)
        assert enumerated.method == "lattice"
        with monkeypatch.context() as patch:
            patch.setattr(exact.tails, limit, 0)
            tail = tail_of(*arguments)
        inverted += tail.method == "inversion"
        assert abs(tail.probability - enumerated.probability) <= tail.error
    assert inverted >= 6


def test_ratio_agrees_with_its_values_on_their_own_lattice():
    rng = np.random.default_rng(6)
    for n in (60, 400):
        w = rng.integers(1, 4, n)
        d = rng.integers(-1, 2, n) * rng.integers(0, 2, n)
        d[: n // 20] = 1
        combined = w.sum() * d - 2 * d.sum() * w
        plane, line = ideal_bootstrap(d, w), bootstrap_tail(combined, n)
        assert plane.method == line.method == "lattice"
        assert plane.probability == pytest.approx(line.probability, rel=1e-9)


@pytest.mark.parametrize("n", [300, 2000])
def test_ratio_by_few_nodes_agrees_with_all_of_them(n, monkeypatch):
    rng = np.random.default_rng(7)
    w = rng.poisson(6, n) + 1
    d = rng.binomial(w, 0.3) - rng.binomial(w, 0.27)
    box = []
    original = Plane.sum_box
    monkeypatch.setattr(
        Plane, "sum_box", lambda self, *p: box.append(original(self, *p)) or box[-1]
    )
    tail = ideal_bootstrap(d, w)
    monkeypatch.setattr(Plane, "sum_box", lambda self, *p: None)
    whole = ideal_bootstrap(d, w)
    assert n == 300 or box[0] is not None
    assert tail.probability == pytest.approx(whole.probability, rel=1e-10)
    assert abs(tail.probability - whole.probability) <= tail.error + whole.error


@pytest.mark.parametrize("periods", [(20, 40), (21, 41), (24, 33)])
@pytest.mark.parametrize("bound", [-3, 0, 5])
def test_all_nodes_of_even_and_odd_periods_give_the_sum_over_the_half_plane(periods, bound):
    x, y = np.array([-1, 0, 1, 2]), np.array([3, 1, 5, 2])
    shares, draws, tilt, a, b = np.array([0.4, 0.3, 0.2, 0.1]), 4, 0.3, 3, -1
    found = Plane(x, y, shares, draws, tilt, a, b, bound).oriented()
    expected = 0.0
    for drawn in itertools.product(range(4), repeat=draws):
        drawn = list(drawn)
        excess = a * x[drawn].sum() + b * y[drawn].sum() - bound
        if excess >= 0:
            expected += shares[drawn].prod() * np.exp(-tilt * excess)
    total, absolute = found.sum_whole(*periods)
    assert total == pytest.approx(expected, rel=1e-12)
    assert absolute >= total * (1 - 1e-12)


@pytest.mark.parametrize("exponent", [1, 2, 7, 64, 215])
def test_powers_by_squaring(exponent):
    values = np.exp(1j * np.linspace(0, 6, 50)) * np.linspace(0.5, 1, 50)
    before = values.copy()
    np.testing.assert_allclose(raised(values, exponent), values**exponent, rtol=1e-12)
    np.testing.assert_array_equal(values, before)


def test_values_of_a_ratio_without_their_integers_stay_within_the_bound():
    # d - 2 delta w in floating point: discrete, on no common step; the exact answer is known.
    rng = np.random.default_rng(8)
    for n in (200, 1000):
        w = rng.poisson(8, n) + 1
        d = rng.binomial(w, 0.30) - rng.binomial(w, 0.29)
        exact = ideal_bootstrap(d, w).probability
        try:
            tail = bootstrap_tail(d - 2 * d.sum() / w.sum() * w, n)
        except CannotMeetBound:
            continue
        assert abs(tail.probability - exact) <= tail.error + 1e-12


def test_integers_with_noise_stay_within_the_bound():
    rng = np.random.default_rng(9)
    integers = np.rint(rng.normal(5, 200, 1500))
    exact = bootstrap_tail(integers, 1500, 20_000)
    noisy = integers + rng.normal(0, 1e-9, 1500)
    try:
        tail = bootstrap_tail(noisy, 1500, 19_999.5)
    except CannotMeetBound:
        return
    assert abs(tail.probability - exact.probability) <= tail.error


def test_cannot_meet_bound_says_why():
    values = np.append(np.random.default_rng(0).normal(size=6), np.zeros(300))
    with pytest.raises(CannotMeetBound, match=r"which exceeds both 1e-09 and .* Monte Carlo"):
        ideal_bootstrap(values)
    assert flip_tail(values, values.sum()).method == "lattice"  # six signs are enumerated


@pytest.mark.parametrize("n", [100, 1000])
@pytest.mark.parametrize("kind", ["integers", "real", "ratio"])
def test_swapping_the_systems_swaps_the_directions(n, kind):
    rng = np.random.default_rng(n)
    d = rng.integers(-2, 3, n) if kind != "real" else rng.normal(0.05, 1, n)
    w = rng.integers(2, 9, n) if kind == "ratio" else None
    assert ideal_bootstrap(d, w) == ideal_bootstrap(-d, w, alternative="less")
    greater, less = ideal_bootstrap(d, w), ideal_bootstrap(d, w, alternative="less")
    assert (greater.probability < 0.5) == (d.sum() > 0)
    assert (less.probability < 0.5) == (d.sum() < 0)


def test_order_does_not_matter():
    rng = np.random.default_rng(11)
    d, w = rng.integers(-2, 3, 500), rng.integers(1, 9, 500)
    order = rng.permutation(500)
    assert ideal_bootstrap(d, w) == ideal_bootstrap(d[order], w[order])
    real = rng.normal(size=500)
    assert ideal_bootstrap(real).probability == pytest.approx(
        ideal_bootstrap(real[order]).probability, rel=1e-10
    )


def test_inputs_stay_as_they_are():
    d, w = np.array([1.5, -0.5, 0.25, 0.0]), np.array([1.0, 2.0, 3.0, 4.0])
    before = d.copy(), w.copy()
    ideal_bootstrap(d, w)
    flip_tail(d, 1.0)
    assert (d == before[0]).all()
    assert (w == before[1]).all()


@pytest.mark.parametrize("weights", [None, [1, 2, 3], [0.5, 0.7, 0.1]])
def test_identical_systems_have_p_one(weights):
    assert ideal_bootstrap([0, 0, 0], weights).probability == 1
    assert flip_tail([0, 0, 0], 0).probability == 1


def test_a_better_by_the_same_everywhere_never_reaches_twice_its_difference():
    assert ideal_bootstrap([0.3] * 50).probability == 0
    assert ideal_bootstrap([0.3] * 50, alternative="less").probability == 1
    assert flip_tail([0.3] * 50, 50 * 0.3).probability == 2.0**-50


def test_the_observed_sum_counts_however_it_was_added_up():
    rng = np.random.default_rng(12)
    for digits in (1, 2, 3):
        values = np.round(rng.normal(0.1, 1, 40), digits)
        tails = {
            flip_tail(values, threshold).probability
            for threshold in (math.fsum(values), values.sum(), sum(values), values.mean() * 40)
        }
        assert len(tails) == 1


@pytest.mark.parametrize("scale", [2.0**-900, 2.0**200, 2.0**1000])
def test_scale_does_not_matter(scale):
    values = np.random.default_rng(15).normal(size=200)
    assert bootstrap_tail(values * scale, 50, 9 * scale) == bootstrap_tail(values, 50, 9)
    assert flip_tail(values * scale, 9 * scale) == flip_tail(values, 9)


def test_few_draws_of_many_values():
    values = np.random.default_rng(16).normal(size=400)
    pairs = np.add.outer(values, values).ravel()
    assert bootstrap_tail(values, 2, 1.0).probability == pytest.approx(np.mean(pairs >= 1))
    triples = [np.mean(pairs >= 1 - value) for value in values]
    assert bootstrap_tail(values, 3, 1.0).probability == pytest.approx(np.mean(triples))


def test_thousand_draws_from_a_single_value():
    assert bootstrap_tail([0.1], 1000, 100).probability == 1
    assert bootstrap_tail([0.1], 1000, 100.001).probability == 0


def test_large_samples_and_small_samples_of_them():
    rng = np.random.default_rng(13)
    d = rng.choice([-1, 0, 1], 200_000, p=[0.1, 0.799, 0.101])
    tail = ideal_bootstrap(d)
    spread = math.sqrt(len(d)) * d.std()
    normal = 0.5 * math.erfc((d.sum() - 0.5) / spread / math.sqrt(2))
    assert tail.probability == pytest.approx(normal, rel=1e-3)
    assert ideal_bootstrap(d, size=500).probability > tail.probability
    assert ideal_bootstrap(d, size=1).probability == pytest.approx(np.mean(d > 0), rel=1e-12)


def test_tails_below_the_smallest_float_are_zero():
    rng = np.random.default_rng(14)
    for values in (rng.normal(1, 1, 3000), rng.integers(0, 5, 3000)):
        tail = ideal_bootstrap(values)
        assert tail.probability == 0
        assert tail.error < 1e-300
        assert tail.complement == 1


numbers = st.one_of(
    st.lists(st.integers(-5, 5), min_size=1, max_size=40),
    st.lists(st.integers(-100, 100).map(lambda k: k / 20), min_size=1, max_size=40),
    st.lists(st.floats(-10, 10, allow_subnormal=False), min_size=1, max_size=10),
)


@pytest.mark.slow
@settings(deadline=None, max_examples=80, derandomize=True)
@given(values=numbers, draws=st.integers(1, 30), threshold=st.integers(-40, 40))
def test_tails_are_probabilities_that_add_up(values, draws, threshold):
    for tail_of, arguments in ((bootstrap_tail, (draws, threshold)), (flip_tail, (threshold,))):
        try:
            tail = tail_of(values, *arguments)
        except CannotMeetBound:
            continue
        assert 0 <= tail.probability <= 1
        assert 0 <= tail.complement <= 1
        assert tail.probability + tail.complement == pytest.approx(1, abs=1e-15)
        small = min(tail.probability, tail.complement)
        assert tail.error <= max(ABSOLUTE_BOUND, RELATIVE_BOUND * small)


@settings(deadline=None, max_examples=60, derandomize=True)
@given(
    values=st.lists(st.integers(-5, 5), min_size=1, max_size=40),
    draws=st.integers(1, 60),
    threshold=st.integers(-40, 40),
    scale=st.sampled_from([1, 0.1, 1 / 3, 7.25]),
)
def test_reflection_shift_and_scale(values, draws, threshold, scale):
    values = np.array(values)
    tail = bootstrap_tail(values, draws, threshold)
    reflected = bootstrap_tail(-values, draws, -threshold + 1)
    assert reflected.complement == pytest.approx(tail.probability, rel=1e-10, abs=1e-300)
    moved = bootstrap_tail((values + 3) * scale, draws, (threshold + 3 * draws) * scale)
    assert moved.probability == pytest.approx(tail.probability, rel=1e-10, abs=1e-300)
    flips = flip_tail(values * scale, threshold * scale)
    assert flips.probability == pytest.approx(flip_tail(values, threshold).probability, rel=1e-10)
    assert flips.probability == pytest.approx(
        flip_tail(values, -threshold + 1).complement, rel=1e-10
    )


@settings(deadline=None, max_examples=40, derandomize=True)
@given(
    values=st.lists(st.integers(-4, 4), min_size=2, max_size=30),
    draws=st.integers(1, 40),
    threshold=st.integers(-20, 20),
)
def test_generating_function_in_whole_numbers(values, draws, threshold):
    low = min(values)
    counts = np.bincount(np.array(values) - low).astype(object)
    power = np.array([1], dtype=object)
    for _ in range(draws):
        power = np.convolve(power, counts)
    first = max(threshold - draws * low, 0)
    exact = Fraction(int(sum(power[first:])), len(values) ** draws)
    tail = bootstrap_tail(values, draws, threshold)
    assert tail.probability == pytest.approx(float(exact), rel=1e-11, abs=1e-300)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bootstrap_tail([1, math.nan], 3), r"values\[1\] is nan.*leave this item out"),
        (lambda: bootstrap_tail([], 3), r"values has the shape \(0,\); pass a non-empty sequence"),
        (lambda: bootstrap_tail([[1, 2]], 3), r"shape \(1, 2\)"),
        (lambda: bootstrap_tail(["a"], 3), "sequence of numbers"),
        (lambda: bootstrap_tail([1, 2], 0), "size is 0.*at least 1"),
        (lambda: bootstrap_tail([1, 2], 1.5), "size is 1.5"),
        (lambda: bootstrap_tail([1, 2], True), "size is True"),
        (lambda: bootstrap_tail([1, 2], 3, math.inf), "threshold is inf"),
        (lambda: flip_tail([1, 2], noise=-1), "noise is -1, but must be at least 0; pass the"),
        (lambda: bootstrap_tail([1, 2], 3, noise=math.nan), "noise is nan"),
        (lambda: ideal_bootstrap([1, 2], noise=-0.1), "noise is -0.1"),
        (lambda: flip_tail([1, -math.inf], 0), r"values\[1\] is -inf"),
        (lambda: flip_tail([1, 2], "x"), "threshold is 'x'"),
        (lambda: ideal_bootstrap([1, math.nan]), r"differences\[1\] is nan"),
        (lambda: ideal_bootstrap([1, 2], [1]), r"weights and differences differ in length \(1 and"),
        (lambda: ideal_bootstrap([1, 2], [1, -1]), "weights"),
        (lambda: ideal_bootstrap([1, 2], [0, 0]), "weights must be at least 0, and at least one"),
        (lambda: ideal_bootstrap([1, 2], size=-1), "size is -1"),
        (lambda: ideal_bootstrap([1, 2], alternative="two-sided"), "'two-sided' is not one of"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(call, message):
    with pytest.raises(InputError, match=message):
        call()


# --- what is called exact, against whole numbers -------------------------------------------------


def draws_at_least(integers, draws, bound):
    """Exact P(sum >= bound) of draws from whole numbers, by a power of one whole number."""
    low = int(min(integers))
    width = (len(integers) ** draws).bit_length() + 1  # of a coefficient of the generating function
    law = sum(1 << (int(k) - low) * width for k in integers) ** draws
    tail = law >> max(bound - draws * low, 0) * width
    return Fraction(tail % ((1 << width) - 1), len(integers) ** draws)  # the sum of its digits


def signs_at_least(integers, bound):
    """Exact P(sum >= bound) of whole numbers with random signs, half of them sorted."""
    halves = []
    for half in (integers[::2], integers[1::2]):
        sums = np.zeros(1, dtype=np.int64)
        for k in half:
            sums = np.concatenate([sums - k, sums + k])
        halves.append(np.sort(sums))
    below = np.searchsorted(halves[1], bound - halves[0], side="left")
    return Fraction(int((len(halves[1]) - below).sum()), 2 ** len(integers))


def assert_within(tail, exact):
    """The tail is proved and within its error of a fraction."""
    assert tail.proved
    for value, truth in ((tail.probability, exact), (tail.complement, 1 - exact)):
        assert abs(Fraction(value) - truth) <= Fraction(tail.error) + Fraction(np.spacing(value))


def as_single(values):
    return np.asarray(values).astype(np.float32).astype(float)


STORED = {
    "tenths": lambda k: k / 10,
    "hundredths": lambda k: k / 100,
    "thirds": lambda k: k / 3,
    "sevenths": lambda k: k / 7,
    "twelfths": lambda k: k / 4 / 3,
    "small": lambda k: k / 10 * 1e-12,
    "large": lambda k: k / 100 * 1e12,
    "single tenths": lambda k: as_single(k / 10),
    "single thirds": lambda k: as_single(k / 3),
    "small single": lambda k: as_single(k * 1e-13),
}
"""Ways in which scores that are whole numbers of some unit come as floats."""


def whole_numbers(rng, n, reach):
    """Whole numbers with ties, zeros, and now and then an outlier."""
    match rng.integers(4):
        case 0:
            k = rng.integers(-reach, reach + 1, n)
        case 1:
            k = np.rint(rng.normal(reach / 10, reach / 3, n)).astype(int)
        case 2:
            k = rng.integers(-1, 2, n) * rng.integers(1, reach + 1)
        case 3:
            k = rng.integers(-3, 4, n)
            k[0] = rng.integers(reach // 2, reach + 1)
    k[rng.integers(n)] += 1
    return k


@pytest.mark.long
@pytest.mark.parametrize("kind", STORED)
def test_bootstrap_of_stored_numbers_is_exact(kind):
    rng = np.random.default_rng([1, list(STORED).index(kind)])
    for trial in range(300):
        n = int(rng.integers(2, 24))
        draws = n if trial % 3 else int(rng.integers(1, 24))
        k = whole_numbers(rng, n, int(rng.choice([3, 10, 40, 100])))
        tail = ideal_bootstrap(STORED[kind](k), size=draws)
        assert_within(tail, draws_at_least(k, draws, -(-2 * draws * int(k.sum()) // n)))
        same = ideal_bootstrap(k, size=draws)
        assert tail == same or "single" in kind  # few of them are no lattice beyond doubt
        assert tail.probability == pytest.approx(same.probability, rel=1e-12, abs=1e-300)


@pytest.mark.slow
@pytest.mark.parametrize("kind", STORED)
def test_flips_of_stored_numbers_are_exact(kind):
    rng = np.random.default_rng([2, list(STORED).index(kind)])
    for trial in range(150):
        n = int(rng.integers(1, 24)) if trial % 10 else int(rng.integers(30, 36))
        k = whole_numbers(rng, n, int(rng.choice([3, 10, 100, 1000])))
        tail = flip_tail(STORED[kind](k))
        assert_within(tail, signs_at_least(k, k.sum()))
        same = flip_tail(k)
        assert tail == same or "single" in kind
        assert tail.probability == pytest.approx(same.probability, rel=1e-12, abs=1e-300)


@pytest.mark.slow
@pytest.mark.parametrize("kind", STORED)
def test_ratios_of_stored_numbers_are_exact(kind):
    rng = np.random.default_rng([3, list(STORED).index(kind)])
    for _ in range(40):
        n, draws = (int(x) for x in rng.integers(2, 6, 2))
        k, w = whole_numbers(rng, n, 5), rng.integers(1, 9, n)
        tail = ideal_bootstrap(STORED[kind](k), STORED[kind](w), size=draws)
        assert_within(tail, Fraction(ratios_at_least(k, w, draws)).limit_denominator(n**draws))
        assert tail == ideal_bootstrap(k, w, size=draws)


@pytest.mark.slow
def test_few_long_lattices_are_exact():
    rng = np.random.default_rng(20)
    for kind in ("tenths", "thirds", "single tenths"):
        for n in (16, 20, 30):
            k = whole_numbers(rng, n, 600)
            tail = ideal_bootstrap(STORED[kind](k))
            assert_within(tail, draws_at_least(k, n, 2 * int(k.sum())))


@pytest.mark.long
@pytest.mark.parametrize("noise", [2.0**-12, 2.0**-24, 2.0**-34])
def test_signs_close_to_a_lattice_are_exact_or_refused(noise):
    rng = np.random.default_rng([4, int(-np.log2(noise))])
    for trial in range(100):
        n = int(rng.integers(33, 36)) if trial % 10 == 0 else int(rng.integers(2, 26))
        reach = int(rng.choice([10, 100, 300, 3000]))
        k = rng.integers(-reach, reach + 1, n) * 2**40 + rng.integers(-9, 10, n) * int(
            noise * 2**40
        )
        threshold = (
            int(k.sum()) if trial % 2 else int(rng.normal() * reach * np.sqrt(n)) * 2**40 + 2**39
        )
        try:
            tail = flip_tail(k * 2.0**-40, threshold * 2.0**-40)
        except CannotMeetBound:
            continue
        assert_within(tail, signs_at_least(k, threshold))


@pytest.mark.long
def test_draws_close_to_a_lattice_are_exact_or_refused():
    rng = np.random.default_rng(21)
    answered = 0
    for trial in range(40):
        n, reach = int(rng.integers(17, 22)), int(rng.choice([10, 20, 30]))
        k, noise = rng.integers(-reach, reach + 1, n), rng.integers(0, 2, n)
        fine = 2 * n + 1  # sums of k and of the noise side by side in one whole number
        values = k + noise * 2.0**-24
        step = Fraction(2) if trial % 2 else Fraction(1, 2)
        bound = math.floor(n * k.mean()) + step
        try:
            tail = bootstrap_tail(values, n, float(bound))
        except CannotMeetBound:
            continue
        answered += 1
        exact = draws_at_least(k * fine + noise, n, math.ceil(bound * fine))
        assert_within(tail, exact)
    assert answered


@pytest.mark.slow
@pytest.mark.parametrize("outlier", [1e4, 1e5, 1.5e6, 1e7, 1e9])
def test_an_outlier_costs_no_accuracy(outlier):
    rng = np.random.default_rng(int(outlier))
    for _ in range(60):
        n = int(rng.integers(2, 24))
        k = rng.integers(-3, 4, n)
        k[0] = int(outlier) + rng.integers(3)
        assert_within(flip_tail(k), signs_at_least(k, k.sum()))
        if outlier < 1e5 and n < 9:
            tail = ideal_bootstrap(k)
            assert_within(tail, draws_at_least(k, n, 2 * int(k.sum())))


def test_tenths_do_not_turn_a_decision():
    # The sum of the resample is at least twice the observed one in tenths as in whole numbers.
    k = [177, -45, 94, 88, -66, 72, -50, 55, -111, -61, 99, 2, 108, 54, 128, -132, 95, 80, -4, 18]
    exact = draws_at_least(k, 20, 2 * sum(k))
    assert float(exact) == pytest.approx(0.05009503037, abs=1e-11)
    assert_within(ideal_bootstrap([x / 10 for x in k]), exact)


def test_differences_of_stored_scores_are_whole_numbers():
    rng = np.random.default_rng(23)
    for unit, reach in ((10, 1000), (100, 10_000), (3, 500), (70, 7000)):
        a, b = rng.integers(0, reach, (2, 80))
        for store in (np.asarray, as_single):
            scores = in_common_units(store(a / unit), store(b / unit))
            assert (scores.a - scores.b == a - b).all()
            assert not scores.noises
    real = rng.normal(size=(2, 50))
    scores = in_common_units(*real)
    assert (scores.a == real[0]).all() and (scores.b == real[1]).all() and scores.noises


def test_a_threshold_that_rounding_hides_is_not_put_on_the_lattice():
    # 0.1 and 0.2 in 3 * 10^14 draws: rounding adds up to more than a quarter of a step.
    assert integer_at_least(Fraction(10), 0.2) == 10
    assert integer_at_least(Fraction(21, 2), 0.2) == 11
    assert integer_at_least(Fraction(10), 0.3) is None
    lattice = find_lattice(np.array([0.1, 0.2]))
    assert least_sum(3.3e12, 3 * 10**13, lattice) is not None
    assert least_sum(3.3e13, 3 * 10**14, lattice) is None


def test_continuous_values_say_that_their_error_is_an_estimate():
    rng = np.random.default_rng(24)
    for n in (60, 300):
        values = rng.normal(0.1, 1, n)
        for tail in (ideal_bootstrap(values), flip_tail(values)):
            assert (tail.proved, tail.how) == (False, "estimate (inversion)")
        assert ideal_bootstrap(np.round(values, 2)).how == "exact (lattice)"


@pytest.mark.parametrize("scale", [1e308, 2.0**-1060])
def test_sums_beyond_the_floats_are_scaled(scale):
    d, w = np.array([1.0, 1.0, -1.0, 0.5]), np.array([1.0, 0.5, 1.0, 1.0])
    assert ideal_bootstrap(d * scale) == ideal_bootstrap(d)
    assert ideal_bootstrap(d, w * scale) == ideal_bootstrap(d, w)
    assert flip_tail(d * scale) == flip_tail(d)
    assert bootstrap_tail(d * scale, 4) == bootstrap_tail(d, 4)


@pytest.mark.slow
@pytest.mark.parametrize("n", [35, 60])
@pytest.mark.parametrize("outlier", [1e4, 1e6, 1e8])
def test_an_outlier_among_many_is_exact_or_refused(n, outlier):
    k = np.append(np.random.default_rng(n).integers(-3, 4, n), int(outlier))
    law = math.prod(1 + (1 << 2 * n * abs(int(v))) for v in k[:-1])  # coefficients below 2^(2n)
    bound = (int(k[:-1].sum()) + int(np.abs(k[:-1]).sum())) // 2
    exact = Fraction((law >> 2 * n * bound) % ((1 << 2 * n) - 1), 2 ** (n + 1))
    try:
        assert_within(flip_tail(k), exact)
    except CannotMeetBound:
        assert outlier == 1e8


# --- long lattices -------------------------------------------------------------------------------


def signs_of_many_at_least(integers, bound):
    """Exact P(sum >= bound) of whole numbers with random signs, by a whole number of all sums."""
    width, law = len(integers) + 1, 1
    for k in sorted(map(abs, map(int, integers))):
        law += law << k * width
    plus = -(-(bound + int(np.abs(integers).sum())) // 2)
    tail = law >> max(plus, 0) * width
    return Fraction(tail % ((1 << width) - 1), 2 ** len(integers))


def long_lattice(kind, rng):
    """Values whose sum has 80,000 to three million states, and no smooth law."""
    match kind:
        case "spread":
            return rng.integers(-60_000, 60_001, 50)
        case "many of one divisor":
            k = rng.integers(-30, 31, 60) * 1000
            k[:4] += 1
            return k
        case "eighty thousand":
            k = rng.integers(-15, 16, 100) * 100
            k[:3] += 1
            return k
        case "outliers":
            k = rng.integers(-3, 4, 55)
            k[:3] = 900_001, -300_000, 1_700_000
            return k
        case "heavy tails":
            return np.rint(rng.standard_cauchy(60) * 3000).clip(-300_000, 300_000).astype(int)


LONG = ("spread", "many of one divisor", "eighty thousand", "outliers", "heavy tails")


@pytest.mark.long
@pytest.mark.parametrize("kind", LONG)
def test_signs_on_long_lattices_are_exact(kind):
    k = long_lattice(kind, np.random.default_rng([30, LONG.index(kind)]))
    total = int(np.abs(k).sum())
    assert 80_000 < total < 4e6
    for bound in (int(k.sum()), total // 3, -total // 5):
        tail = flip_tail(k, bound)
        assert_within(tail, signs_of_many_at_least(k, bound))
        assert tail.method == "lattice"
        assert tail.error <= 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("kind", LONG)
def test_convolved_blocks_agree_with_whole_numbers_and_direct_products(kind, monkeypatch):
    k = long_lattice(kind, np.random.default_rng([31, LONG.index(kind)]))
    k = k[:30] if kind == "spread" else k
    bound = int(np.abs(k).sum()) // 4
    law_tail = exact.inversion.law_tail
    monkeypatch.setattr(exact.inversion, "_sum_nodes", every_node)
    monkeypatch.setattr(exact.laws, "LARGE", 0)
    truth = signs_of_many_at_least(k, bound)
    for wave in (1e12, 1e-12):  # the work of a wave decides between blocks and products
        monkeypatch.setattr(exact.laws, "_WAVE", wave)
        points, counts = np.unique(np.abs(k[k != 0]), return_counts=True)
        plus = -(-(bound + int(np.abs(k).sum())) // 2)
        tail = law_tail(exact.laws.Flips(points, counts, plus))
        assert_within(tail, truth)
        assert tail.probability == pytest.approx(float(truth), rel=1e-11)


def every_node(law, s, period, size, subtract):
    return exact.inversion._sum_whole(law, s, 2 * math.pi / period, period)


@pytest.mark.slow
def test_draws_on_long_lattices_are_exact(monkeypatch):
    """Sums of three values are few, and their probabilities fractions."""
    monkeypatch.setattr(exact.inversion, "_sum_nodes", every_node)
    rng = np.random.default_rng(32)
    for far in (300, 20_000, 100_000):
        draws = int(rng.integers(20, 50))
        points = np.array([0, *np.sort(rng.integers(1, far, 2))])
        counts = rng.integers(1, 30, 3).tolist()
        for share in (0.2, 0.4, 0.7):
            bound = int(share * draws * points[2])
            ways = sum(
                math.comb(draws, i)
                * math.comb(draws - i, j)
                * (counts[1] ** i * counts[2] ** j * counts[0] ** (draws - i - j))
                for i in range(draws + 1)
                for j in range(draws + 1 - i)
                if i * int(points[1]) + j * int(points[2]) >= bound
            )
            law = exact.laws.Draws(points, np.array(counts) / sum(counts), draws, bound)
            tail = exact.inversion.law_tail(law)
            truth = Fraction(ways, sum(counts) ** draws)
            assert_within(tail, truth)
            assert tail.probability == pytest.approx(float(truth), rel=1e-11)


@pytest.mark.slow
def test_ten_million_states_are_convolved_and_more_are_not():
    rng = np.random.default_rng(33)
    k = rng.integers(-30, 31, 400) * 1500
    k[:4] += 1
    assert 8e6 < np.abs(k).sum() < 1e7
    tail = flip_tail(k)
    assert (tail.method, tail.proved) == ("lattice", True)
    assert tail.error < 1e-10
    # all but four are multiples, so that the sum of these decides
    assert tail.probability == pytest.approx(flip_tail(np.rint(k / 1500)).probability, abs=0.02)
    few = np.append(rng.integers(-3, 4, 60), 10**8)
    with pytest.raises(CannotMeetBound):
        ideal_bootstrap(few)


def test_what_values_may_be_off_by():
    values = [0.1 + 1e-9, 0.2, -0.3, 0.4, 0.1, 0.2 - 1e-9]
    whole = [1, 2, -3, 4, 1, 2]
    assert flip_tail(values).probability != flip_tail(whole).probability
    assert flip_tail(values, noise=1e-8).probability == flip_tail(whole).probability
    tail = ideal_bootstrap(values, noise=1e-8)
    assert tail.probability == pytest.approx(ideal_bootstrap(whole).probability, rel=1e-12)
    real = np.random.default_rng(34).normal(size=12)
    assert flip_tail(real, noise=1e-12).proved
    doubtful = flip_tail(real, noise=0.01)
    assert not doubtful.proved
    assert doubtful.probability >= flip_tail(real).probability
    assert doubtful.error > abs(doubtful.probability - flip_tail(real).probability) / 10
    weights = np.arange(1.0, 13)
    assert not ideal_bootstrap(real, weights, noise=0.01).proved


@pytest.mark.slow
def test_continuous_values_are_on_no_lattice():
    rng = np.random.default_rng(22)
    laws = (
        rng.normal,
        lambda size: rng.random(size) * 1e9,
        lambda size: rng.exponential(size=size) * 1e-9,
        lambda size: as_single(rng.normal(size=size)),
        lambda size: as_single(rng.random(size)) - as_single(rng.random(size)),
    )
    for trial in range(300):
        n = (4, 6, 10, 30, 100, 1000)[trial % 6]
        for law in laws:
            values = np.unique(law(size=n))
            assert find_lattice(values) is None
            assert find_lattice(values, anchored=True) is None
            if n > 6:
                assert near_lattice(values, anchored=False) is None
                assert near_lattice(values, anchored=True) is None
