"""Monte Carlo against enumeration, exact distributions and plain loops."""

import itertools
import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from replicability.checks import InputError
from replicability.stats import metrics, samplers
from replicability.stats.resampling import MonteCarlo, bootstrap, bootstrap_statistic, flip

MEAN = metrics.METRICS["mean"]
F1 = metrics.METRICS["f1"]
N_RESAMPLES = 20_000


def total(totals):
    return totals


def spans(n, seed):
    """Span counts of two systems on n sentences."""
    rng = np.random.default_rng(seed)
    gold = rng.poisson(3, n)
    return tuple(
        np.column_stack([rng.binomial(gold, share), gold + rng.poisson(0.5, n), gold])
        for share in (0.8, 0.75)
    )


def close(result, exact, sigmas=5):
    """Whether the share of exceedances agrees with a probability within Monte-Carlo error."""
    share = result.exceedances / result.n_resamples
    error = math.sqrt(exact * (1 - exact) / result.n_resamples)
    return abs(share - exact) <= sigmas * error + 1e-12


def enumerated_bootstrap(a, b, value, size):
    """P(delta* >= 2 delta) over all n**size resamples, in plain Python."""
    n = len(a)
    delta = value(a.sum(axis=0)) - value(b.sum(axis=0))
    hits = 0
    for index in itertools.product(range(n), repeat=size):
        index = list(index)
        resampled = value(a[index].sum(axis=0)) - value(b[index].sum(axis=0))
        hits += not resampled < 2 * delta - 1e-12
    return hits / n**size


def enumerated_flip(a, b, value):
    """P(delta* >= delta) over all 2**n swaps, in plain Python."""
    delta = value(a.sum(axis=0)) - value(b.sum(axis=0))
    hits = 0
    for swap in itertools.product([False, True], repeat=len(a)):
        swap = np.array(swap)[:, None]
        swapped = value(np.where(swap, b, a).sum(axis=0)) - value(np.where(swap, a, b).sum(axis=0))
        hits += not swapped < delta - 1e-12
    return hits / 2 ** len(a)


def test_result():
    result = MonteCarlo(exceedances=9, n_resamples=999)
    assert result.pvalue == 10 / 1000
    assert result.standard_error == pytest.approx(math.sqrt(0.01 * 0.99 / 999))
    assert MonteCarlo(0, 99).pvalue == 1 / 100
    assert MonteCarlo(99, 99).pvalue == 1


# Enumeration


@pytest.mark.slow
@pytest.mark.parametrize("size", [None, 3, 6])
@pytest.mark.parametrize("value", [F1, metrics.METRICS["precision"]])
def test_bootstrap_enumerated(value, size):
    a, b = spans(5, 3)
    exact = enumerated_bootstrap(a, b, value, size or 5)
    assert 0 < exact < 1
    assert close(bootstrap(a, b, value, n_resamples=N_RESAMPLES, size=size, rng=1), exact)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_bootstrap_of_ratio_enumerated(seed):
    rng = np.random.default_rng(seed)
    words = rng.integers(1, 6, 5)
    a, b = (np.column_stack([rng.binomial(words, share), words]) for share in (0.8, 0.6))
    exact = enumerated_bootstrap(a, b, metrics.ratio, 5)
    for value in (metrics.METRICS["accuracy"], metrics.ratio):  # difference only; both systems
        assert close(bootstrap(a, b, value, n_resamples=N_RESAMPLES, rng=seed), exact)


def test_bootstrap_of_one_total_enumerated():
    a, b = np.array([3.5, 1.25, 4.0, 2.0]), np.array([2.0, 1.5, 3.25, 2.0])
    exact = enumerated_bootstrap(a, b, total, 4)
    assert close(bootstrap(a, b, total, n_resamples=N_RESAMPLES, rng=1), exact)


def test_undefined_resamples_count_against_the_claim():
    a, b = np.array([[1, 1], [0, 0], [0, 0]]), np.array([[0, 1], [0, 0], [0, 0]])
    # Without the first instance, 0/0: 8 of 27 resamples. Otherwise delta* = 1 < 2.
    for value in (metrics.METRICS["oov_accuracy"], metrics.ratio):
        assert close(bootstrap(a, b, value, n_resamples=N_RESAMPLES, rng=1), 8 / 27)


@pytest.mark.parametrize("value", [F1, metrics.METRICS["precision"]])
@pytest.mark.parametrize("seed", [0, 4])
def test_flip_enumerated(value, seed):
    a, b = spans(9, seed)
    exact = enumerated_flip(a, b, value)
    assert close(flip(a, b, value, n_resamples=N_RESAMPLES, rng=1), exact)


def test_statistic_enumerated():
    data = np.array([[1, 2, 1], [2, 1, 4], [3, 3, 3], [4, 5, 2], [5, 4, 5]])
    delta = stats.spearmanr(data[:, 0], data[:, 1])[0] - stats.spearmanr(data[:, 0], data[:, 2])[0]
    index = np.array(list(itertools.product(range(5), repeat=5)))
    x, a, b = (stats.rankdata(data[index, column], axis=1) for column in range(3))
    with np.errstate(invalid="ignore"):
        drawn = [
            np.array([np.corrcoef(p, q)[0, 1] if np.ptp(p) and np.ptp(q) else np.nan for p, q in z])
            for z in (zip(a, x, strict=True), zip(b, x, strict=True))
        ]
    exact = np.mean(~(drawn[0] - drawn[1] < 2 * delta - 1e-9))
    result = bootstrap_statistic(data, metrics.spearman_difference, n_resamples=N_RESAMPLES, rng=1)
    assert close(result, exact)


# Every sampler against a distribution that is known


@pytest.mark.parametrize(
    ("n", "size"),
    [(17, 17), (100, 100), (700, 700), (3000, 3000), (60, 150), (400, 130), (900, 40)],
)
def test_weights_are_multinomial(n, size):
    """The number of draws from a set of k rows is binomial, and all draws sum to the size."""
    rng = np.random.default_rng(0)
    columns = np.column_stack([np.arange(n) < n // 3, np.arange(n) == 0, np.ones(n), np.arange(n)])
    task = samplers.bootstrap_sampler(columns.astype(float), size)
    assert isinstance(task, samplers._Poissonised)
    drawn = task(rng, 8192)
    assert (drawn[:, 2] == size).all()
    for column, k in ((0, n // 3), (1, 1)):
        expected = stats.binom(size, k / n)
        values, counts = np.unique(drawn[:, column], return_counts=True)
        density = expected.pmf(values)
        likely = density * len(drawn) >= 10
        observed = np.append(counts[likely], counts[~likely].sum())
        theory = np.append(density[likely], 1 - density[likely].sum()) * len(drawn)
        usable = theory > 1
        chi = ((observed - theory)[usable] ** 2 / theory[usable]).sum()
        assert stats.chi2.sf(chi, usable.sum() - 1) > 1e-5
    mean = (n - 1) / 2 * size
    assert abs(drawn[:, 3].mean() - mean) < 5 * math.sqrt(size * (n**2 - 1) / 12 / len(drawn))


@pytest.mark.parametrize("rate", [0.3046875, 0.75, 0.99609375])
def test_poisson_numbers(rate):
    tables = samplers._poisson_tables(rate)
    numbers = samplers._poisson_numbers(np.random.default_rng(1), 1_600_000, tables)
    expected = stats.poisson(rate).pmf(np.arange(7)) * numbers.size
    observed = np.bincount(numbers, minlength=30)[:7]
    assert stats.chi2.sf(((observed - expected) ** 2 / expected).sum(), 6) > 1e-5


def test_poisson_tables_hold_the_exact_probabilities():
    """Adding up the levels gives back the Poisson probabilities."""
    poisson = samplers._poisson_tables(0.875)
    share, probabilities = 1.0, np.zeros(21)
    for table in poisson.tables:
        filled = table[table != samplers._PENDING]
        probabilities += np.bincount(filled.view(np.uint8), minlength=21) / 4 * share / 2**16
        share *= 1 - len(filled) / 2**16
    rest = np.repeat(np.diff(poisson.cumulative, prepend=0), 4) / 4
    probabilities += share * np.bincount(poisson.words.view(np.uint8), rest, minlength=21)
    np.testing.assert_allclose(probabilities, stats.poisson(0.875).pmf(np.arange(21)), atol=1e-14)


def test_few_distinct_rows():
    rng = np.random.default_rng(5)
    a, b = rng.random(2000) < 0.52, rng.random(2000) < 0.5
    differences = a.astype(int) - b
    sampler = samplers.bootstrap_sampler(differences[:, None].astype(float), 2000)
    assert isinstance(sampler, samplers._Multinomial)
    result = bootstrap(a, b, total, n_resamples=100_000, rng=1)
    steps = [np.mean(differences == step) for step in (-1, 0, 1)]
    power = np.ones(1)  # distribution of the sum of 2,000 draws, by repeated squaring
    base = np.array(steps)
    for bit in bin(2000)[:1:-1]:
        power = np.convolve(power, base) if bit == "1" else power
        base = np.convolve(base, base)
    assert close(result, power[2000 + 2 * differences.sum() :].sum())
    wins, losses = np.sum(differences == 1), np.sum(differences == -1)
    exact = stats.binom.sf(wins - 1, wins + losses, 0.5)
    assert close(flip(a, b, total, n_resamples=100_000, rng=1), exact)


def test_flip_of_many_distinct_rows():
    """The sum of n flipped signs times 2**i is uniform."""
    a = np.concatenate([2.0 ** np.arange(12), np.full(200, 3.0)])
    b = np.concatenate([np.zeros(12), np.full(200, 3.0)])
    changes = samplers.flip_sampler((b - a)[:12, None])
    assert isinstance(changes, samplers._Bits)
    drawn = -changes(np.random.default_rng(0), 40_960)[:, 0]
    observed = np.bincount((drawn // 64).astype(int), minlength=64)
    assert stats.chi2.sf(((observed - 640) ** 2 / 640).sum(), 63) > 1e-5
    assert (flip(a, b, total, n_resamples=5000, rng=0).exceedances) < 10  # exact: 1 / 4096


# An independent plain loop


def test_bootstrap_agrees_with_a_loop():
    a, b = spans(300, 8)
    rng = np.random.default_rng(99)
    counts_a, counts_b = a.tolist(), b.tolist()

    def score(rows):
        correct, guessed, gold = map(sum, zip(*rows, strict=True))
        precision, recall = correct / guessed, correct / gold
        return 2 * precision * recall / (precision + recall)

    delta = score(counts_a) - score(counts_b)
    hits, loops = 0, 1500
    for _ in range(loops):
        drawn = rng.choice(300, 300).tolist()
        hits += (
            score([counts_a[i] for i in drawn]) - score([counts_b[i] for i in drawn]) >= 2 * delta
        )
    result = bootstrap(a, b, F1, n_resamples=N_RESAMPLES, rng=1)
    p = (hits + 1) / (loops + 1)
    assert abs(result.pvalue - p) < 5 * math.sqrt(p * (1 - p) / loops)


def test_bleu_path():
    rng = np.random.default_rng(1)
    words = list("abcdefghij")
    references = [" ".join(rng.choice(words, 12)) for _ in range(120)]

    def corrupt(text, share):
        return " ".join(
            rng.choice(words) if rng.random() < share else word for word in text.split()
        )

    a, b = (
        metrics.bleu_sums([corrupt(r, share) for r in references], references)
        for share in (0.2, 0.22)
    )
    result = bootstrap(a, b, metrics.METRICS["bleu"], n_resamples=4000, rng=1)
    index = rng.integers(0, 120, (4000, 120))
    delta = metrics.bleu(a.sum(axis=0)) - metrics.bleu(b.sum(axis=0))
    drawn = metrics.bleu(a[index].sum(axis=1)) - metrics.bleu(b[index].sum(axis=1))
    p = np.mean(drawn >= 2 * delta)
    assert abs(result.pvalue - p) < 5 * math.sqrt(2 * p * (1 - p) / 4000)
    assert flip(a, b, metrics.METRICS["bleu"], n_resamples=4000, rng=1).pvalue < 1


# Seeds, workers, rows, direction


def calls():
    a, b = spans(150, 2)
    ratings = np.random.default_rng(0).normal(size=(80, 3))
    data = metrics.rating_codes(ratings[:, 0], ratings @ [1, 1, 0], ratings @ [1, 0, 1.2])
    return {
        "bootstrap": lambda **k: bootstrap(a, b, F1, n_resamples=3000, **k),
        "flip": lambda **k: flip(a, b, F1, n_resamples=3000, **k),
        "statistic": lambda **k: bootstrap_statistic(
            data, metrics.spearman_difference, n_resamples=3000, **k
        ),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bootstrap", "flip", "statistic"])
def test_seeds_and_workers(name):
    call = calls()[name]
    one = call(rng=7)
    assert call(rng=7) == one
    assert call(rng=7, workers=2) == one
    assert call(rng=np.random.SeedSequence(7)) == one
    assert call(rng=7, progress=False) == one
    assert len({call(rng=seed).exceedances for seed in range(5)}) > 1
    generator = np.random.default_rng(7)
    assert call(rng=generator) == one
    assert len({one.exceedances, *(call(rng=generator).exceedances for _ in range(4))}) > 1
    sequence = np.random.SeedSequence(3)
    call(rng=sequence)
    assert sequence.n_children_spawned == 0


def test_row_order_is_irrelevant():
    a, b = spans(150, 2)
    order = np.random.default_rng(0).permutation(150)
    for test in (bootstrap, flip):
        first = test(a, b, F1, n_resamples=N_RESAMPLES, rng=1)
        second = test(a[order], b[order], F1, n_resamples=N_RESAMPLES, rng=1)
        assert abs(first.pvalue - second.pvalue) < 7 * first.standard_error


@pytest.mark.parametrize("test", [bootstrap, flip])
@pytest.mark.parametrize("value", [F1, metrics.METRICS["precision"]])
def test_direction_swaps_exactly(test, value):
    a, b = spans(60, 5)
    forward = test(a, b, value, n_resamples=2000, rng=3)
    assert test(b, a, value, n_resamples=2000, rng=3, alternative="less") == forward
    assert test(a, b, value, n_resamples=2000, rng=3, alternative="less") == test(
        b, a, value, n_resamples=2000, rng=3
    )


def test_direction_of_statistic():
    data = np.random.default_rng(0).normal(size=(50, 3))
    swapped = data[:, [0, 2, 1]]
    for alternative, other in (("greater", "less"), ("less", "greater")):
        assert bootstrap_statistic(
            data, metrics.spearman_difference, n_resamples=500, rng=1, alternative=alternative
        ) == bootstrap_statistic(
            swapped, metrics.spearman_difference, n_resamples=500, rng=1, alternative=other
        )


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_identical_systems_give_one(alternative):
    a, _ = spans(40, 1)
    scores = np.random.default_rng(0).normal(size=40)
    for test in (bootstrap, flip):
        for sums, value in ((a, F1), (scores, total), (metrics.score_sums(scores), MEAN)):
            result = test(sums, sums, value, n_resamples=200, rng=1, alternative=alternative)
            assert result.pvalue == 1
    same = np.column_stack([scores, a[:, 0], a[:, 0]])
    result = bootstrap_statistic(
        same, metrics.spearman_difference, n_resamples=200, rng=1, alternative=alternative
    )
    assert result.pvalue == 1


def test_ties_of_rounded_scores_count():
    """Ten differences of .1: delta* is 2 delta only if drawn so; sums of .1 are not exact."""
    a, b = np.array([0.7, 0.3, 0.1, 0.4]), np.array([0.6, 0.2, 0.2, 0.3])
    exact = enumerated_bootstrap(np.rint(10 * a), np.rint(10 * b), total, 4)
    for value, x, y in (
        (total, a, b),
        (MEAN, metrics.score_sums(a), metrics.score_sums(b)),
    ):
        assert close(bootstrap(x, y, value, n_resamples=N_RESAMPLES, rng=2), exact)
    assert close(
        flip(a, b, total, n_resamples=N_RESAMPLES, rng=2),
        enumerated_flip(np.rint(10 * a)[:, None], np.rint(10 * b)[:, None], lambda t: t[0]),
    )


def test_input_is_not_changed():
    a, b = spans(100, 1)
    data = np.random.default_rng(0).normal(size=(30, 3))
    copies = a.copy(), b.copy(), data.copy()
    bootstrap(a, b, F1, n_resamples=100, rng=1)
    flip(a, b, F1, n_resamples=100, rng=1)
    bootstrap_statistic(data, metrics.spearman_difference, n_resamples=100, rng=1)
    for now, then in zip((a, b, data), copies, strict=True):
        np.testing.assert_array_equal(now, then)


def test_size_of_one_and_single_resample():
    a, b = np.array([2.0, 3.0]), np.array([1.0, 1.0])
    assert bootstrap(a, b, total, n_resamples=1, size=1, rng=0).n_resamples == 1


@pytest.mark.slow
def test_memory_is_bounded():
    """Large n, and large m of a small n: far below 300 MiB beside the input."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 200_000))
    tracemalloc.start()
    bootstrap(a, b, total, n_resamples=64, rng=1)
    flip(a, b, total, n_resamples=64, rng=1)
    bootstrap(a[:100], b[:100], total, n_resamples=4, size=300_000, rng=1)
    bootstrap(a, b, total, n_resamples=1024, size=5_000, rng=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 150 * 2**20


# Bad input


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sums_b": np.ones((4, 3))}, r"has the shape \(5, 3\), but sums_b has the shape \(4, 3\)"),
        ({"sums_a": np.ones((5, 3, 2)), "sums_b": np.ones((5, 3, 2))}, "one row of statistics"),
        ({"sums_a": np.ones((0, 3)), "sums_b": np.ones((0, 3))}, "one row of statistics"),
        ({"sums_a": np.full((5, 3), np.nan)}, r"sums_a\[0, 0\] is nan; give every item"),
        ({"sums_b": np.full((5, 3), np.inf)}, r"sums_b\[0, 0\] is inf"),
        ({"alternative": "two-sided"}, "'two-sided' is not one of greater, less"),
        ({"n_resamples": 0}, "n_resamples is 0"),
        ({"n_resamples": 10.5}, "n_resamples is 10.5"),
        ({"workers": 0}, "workers is 0"),
        (
            {"value": lambda t: t[..., 0] * np.nan},
            "The difference between the systems is nan, because the metric is not defined on this",
        ),
        ({"value": lambda t: t[..., 0], "workers": 2, "n_resamples": 5000}, "use workers=1"),
    ],
)
@pytest.mark.parametrize("test", [bootstrap, flip])
def test_bad_input(test, change, message):
    a, b = spans(5, 1)
    arguments = {"sums_a": a, "sums_b": b, "value": F1, "n_resamples": 10, "rng": 1} | change
    with pytest.raises(InputError, match=message):
        test(**arguments)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"data": np.ones((0, 3))}, "data has no items"),
        ({"data": np.array([[1.0, np.nan, 2.0], [1, 2, 3]])}, r"data\[0, 1\] is nan"),
        ({"data": np.ones((4, 3))}, "The difference between the systems is nan, because the"),
        ({"size": 0}, "size is 0"),
        ({"alternative": 1}, "alternative 1 is not one of greater, less"),
        (
            {"statistic": lambda data: data.sum()},
            "must return one number for each resample; compute",
        ),
    ],
)
def test_bad_input_of_statistic(change, message):
    data = np.random.default_rng(0).normal(size=(10, 3))
    arguments = {"data": data, "statistic": metrics.spearman_difference, "n_resamples": 10}
    with pytest.raises(InputError, match=message):
        bootstrap_statistic(**arguments | change)


def test_bad_size():
    with pytest.raises(InputError, match="size is -1; pass a whole number"):
        bootstrap([1, 2], [0, 1], total, n_resamples=10, size=-1)


# Properties

counts = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12
)


@settings(max_examples=40, deadline=None)
@given(counts, st.integers(0, 3), st.sampled_from([bootstrap, flip]))
def test_properties(rows, seed, test):
    correct_a, correct_b, extra = np.array(rows).T
    gold = np.maximum(correct_a, correct_b)
    a = np.column_stack([correct_a, correct_a + extra, gold])
    b = np.column_stack([correct_b, correct_b, gold])
    forward = test(a, b, F1, n_resamples=200, rng=seed)
    backward = test(a, b, F1, n_resamples=200, rng=seed, alternative="less")
    assert 1 / 201 <= forward.pvalue <= 1
    assert test(b, a, F1, n_resamples=200, rng=seed) == backward
    if metrics.f1(a.sum(axis=0)) == metrics.f1(b.sum(axis=0)) and test is flip:
        # The distribution is symmetric about zero: both tails hold at least half of it.
        assert min(forward.pvalue, backward.pvalue) > 0.25
