"""Correlations of matched differences and within units: permutations, references, simulation."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse, stats

from replicability.checks import InputError
from replicability.stats.measured import intraclass_correlation, matched_correlation

# Shrout and Fleiss (1979), Table 2: six targets, each rated by four judges
TARGETS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def drawn(kind, size, rng):
    """Draw independent differences: bell-shaped, tied, rare, skewed or with a long tail."""
    if kind == "normal":
        return rng.standard_normal(size)
    if kind == "ties":
        return rng.choice([-1.0, 0, 1], p=[0.25, 0.5, 0.25], size=size)
    if kind == "rare":
        return rng.choice([-1.0, 0, 1], p=[0.05, 0.9, 0.05], size=size)
    if kind == "one-sided":
        return rng.choice([0.0, 1], p=[0.9, 0.1], size=size)
    return rng.exponential(size=size) if kind == "skewed" else rng.standard_t(3, size)


KINDS = ("normal", "ties", "rare", "one-sided", "skewed", "tails")


# --- matched differences -------------------------------------------------------------------------


def test_the_average_is_that_of_pearsons_correlations_over_the_items_that_both_have():
    rng = np.random.default_rng(1)
    x = rng.standard_normal((30, 4))
    x[:8, 0] = x[20:, 1] = x[5:9, 3] = np.nan
    found = matched_correlation(x)
    pairs = {}
    for j, k in itertools.combinations(range(4), 2):
        both = ~np.isnan(x[:, j] + x[:, k])
        pairs[j, k] = both.sum() - 1, stats.pearsonr(x[both, j], x[both, k])[0]
    weights, r = np.array(list(pairs.values())).T
    assert found.correlation == pytest.approx(np.average(r, weights=weights))
    assert found.standard_error == pytest.approx(weights.sum() ** -0.5)
    assert (found.n_items, found.n_pairs) == (30, 6)
    weight, correlation = pairs[found.largest.datasets]
    assert found.largest.correlation == pytest.approx(correlation)
    assert found.largest.standard_error == pytest.approx(weight**-0.5)


def test_of_ranks_it_is_kendalls_coefficient_of_concordance():
    x = np.argsort(np.random.default_rng(2).random((12, 5)), axis=0).astype(float)
    w = stats.friedmanchisquare(*x).statistic / (5 * 11)
    assert matched_correlation(x).correlation == pytest.approx((5 * w - 1) / 4)


@pytest.mark.parametrize(
    "columns", [[[3, 1, 0, 0, -1], [5, 0, 1, 2, 0]], [[0, 1, 1, 2], [0, 0, 1, 4], [-1, 0, 2, 3]]]
)
def test_its_error_and_skewness_are_those_of_all_permutations(columns):
    n, pairs = len(columns[0]), list(itertools.combinations(range(len(columns)), 2))
    centred = [[Fraction(v) - Fraction(sum(c), n) for v in c] for c in columns]
    squares = [sum(v * v for v in c) for c in centred]
    sums = []
    for order in itertools.product(itertools.permutations(range(n)), repeat=len(columns) - 1):
        turned = [centred[0], *([c[i] for i in p] for c, p in zip(centred[1:], order, strict=True))]
        sums.append(
            sum(
                float(sum(a * b for a, b in zip(turned[j], turned[k], strict=True)))
                / float(squares[j] * squares[k]) ** 0.5
                for j, k in pairs
            )
            / len(pairs)
        )
    found = matched_correlation(np.transpose(columns))
    assert np.mean(sums) == pytest.approx(0, abs=1e-15)
    assert found.standard_error == pytest.approx(np.std(sums))
    # Wilson and Hilferty (1931), with the skewness of all permutations
    z, skewness = found.correlation / np.std(sums), abs(stats.skew(sums))
    root = 6 / skewness * ((1 + skewness * z / 2) ** (1 / 3) - 1) + skewness / 6
    assert z > 0
    assert stats.skew(sums) > 0
    assert found.deviate == pytest.approx(min(root, z))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n", "datasets"), [(10, 2), (250, 2), (40, 20), (20, 30)])
def test_three_standard_errors_are_exceeded_as_rarely_as_of_a_normal_deviate(kind, n, datasets):
    rng = np.random.default_rng(3)
    found = [matched_correlation(drawn(kind, (n, datasets), rng)) for _ in range(600)]
    found = [f for f in found if f is not None]
    exceeded = [abs(f.deviate) > 3 for f in found]
    assert stats.binom.sf(sum(exceeded) - 1, len(exceeded), 2 * stats.norm.sf(3)) > 0.001
    pairs = [f.largest.deviate > 3 for f in found]
    assert stats.binom.sf(sum(pairs) - 1, len(pairs), stats.norm.sf(3)) > 0.001


@pytest.mark.parametrize("rho", [0.3, 0.5, 0.8])
def test_dependence_is_found_with_forty_items(rho):
    rng = np.random.default_rng(4)
    for _ in range(50):
        latent = rho**0.5 * rng.standard_normal((40, 1))
        x = np.trunc(1.5 * (latent + (1 - rho) ** 0.5 * rng.standard_normal((40, 8))))
        assert matched_correlation(np.clip(x, -1, 1)).deviate > 3


def test_one_pair_is_found_among_many():
    x = np.random.default_rng(5).standard_normal((60, 20))
    x[:, 13] += 2 * x[:, 4]
    found = matched_correlation(x)
    assert found.deviate < 3 < found.largest.deviate
    assert found.largest.datasets == (4, 13)


def test_neither_order_nor_scale_nor_shift_matters():
    rng = np.random.default_rng(6)
    x = rng.standard_normal((25, 5))
    x[rng.random(x.shape) < 0.2] = np.nan
    found = matched_correlation(x)
    changed = x[rng.permutation(25)][:, [4, 2, 0, 1, 3]] * [1e-200, 1, 7, 1e200, 3] + [
        0,
        5,
        0,
        0,
        1,
    ]
    other = matched_correlation(changed)
    for name in ("correlation", "standard_error", "deviate", "n_items", "n_pairs"):
        assert getattr(other, name) == pytest.approx(getattr(found, name), rel=1e-9)
    laid = sparse.csr_array((x[~np.isnan(x)], np.nonzero(~np.isnan(x))), shape=x.shape)
    assert matched_correlation(laid) == found
    negative = matched_correlation(x * [1, -1, 1, -1, 1])
    assert -1 <= negative.correlation <= 1


@pytest.mark.parametrize(
    "differences",
    [
        np.zeros((0, 3)),
        np.arange(10.0)[:, None],
        [[1, np.nan], [2, np.nan], [np.nan, 3], [np.nan, 4]],  # no item is in both
        [[1, 2], [2, 1], [3, 3]],  # too few
        np.column_stack([np.arange(20.0), np.ones(20)]),  # one does not vary
        np.column_stack(
            [np.arange(20.0), 0.3 - np.tile([0.1, 0.1 + 2**-56], 10)]
        ),  # but by rounding
    ],
)
def test_nothing_is_measured_where_nothing_matches(differences):
    assert matched_correlation(differences) is None


def test_a_few_large_differences_in_one_place_are_no_evidence():
    x = np.zeros((45, 2))
    x[[3, 7], 0] = x[[3, 8], 1] = 1
    found = matched_correlation(x)
    assert found.correlation > 3 * found.standard_error  # 9 of 100 permutations have it
    assert found.deviate < 3


@pytest.mark.parametrize(
    ("differences", "message"),
    [
        ([1, 2, 3], r"differences has the shape \(3,\) and the type int64; pass a matrix of"),
        ([["a", "b"]], "numbers with one row for each item"),
        ([[1.0, np.inf], [2, 1]], r"differences contains infinity or NaN; pass finite numbers\."),
    ],
)
def test_wrong_differences_are_refused(differences, message):
    with pytest.raises(InputError, match=message):
        matched_correlation(differences)


# --- within units --------------------------------------------------------------------------------


def test_the_intraclass_correlation_against_a_published_one():
    # psych::ICC(t(matrix(...)))$results["Single_raters_absolute", ] in R: ICC1 0.1657, F 1.795
    found = intraclass_correlation(np.ravel(TARGETS), np.repeat(range(6), 4))
    assert found.correlation == pytest.approx(0.1657, abs=5e-5)
    assert found.design_effect == pytest.approx(1 + 3 * 0.1657, abs=2e-4)
    assert (found.n_items, found.n_units, found.size) == (24, 6, 4)


def test_of_uneven_units_it_follows_from_the_f_ratio():
    rng = np.random.default_rng(7)
    sizes = np.array([1, 1, 2, 5, 9, 30])
    units = np.repeat(list("abcdef"), sizes)
    x = rng.standard_normal(48) + 0.4 * rng.standard_normal(6).repeat(sizes)
    f = stats.f_oneway(*(x[units == unit] for unit in "abcdef")).statistic
    size = (48 - (sizes**2).sum() / 48) / 5
    found = intraclass_correlation(x, units)
    assert found.correlation == pytest.approx((f - 1) / (f - 1 + size))
    assert found.size == (sizes**2).sum() / 48


@pytest.mark.parametrize("sizes", [(2, 2, 2), (1, 2, 4), (3, 3)])
def test_its_error_is_that_of_all_permutations(sizes):
    x = np.array([3, 1, 0, 0, -1, 2, 7])[: sum(sizes)]
    n, k = len(x), len(sizes)
    centred = [Fraction(int(v)) - Fraction(int(x.sum()), n) for v in x]
    scale = sum(v * v for v in centred) / (n - 1)
    stops = np.cumsum(sizes)
    between = []
    for order in itertools.permutations(centred):
        parts = [order[stop - size : stop] for stop, size in zip(stops, sizes, strict=True)]
        between.append(sum(sum(part) ** 2 / len(part) for part in parts) / scale)
    assert sum(between) / len(between) == k - 1
    variance = sum(b * b for b in between) / len(between) - (k - 1) ** 2
    size = (n - sum(s * s for s in sizes) / n) / (k - 1)
    found = intraclass_correlation(x, np.repeat(range(k), sizes))
    first_order = (1 / (k - 1) + 1 / (n - k)) / size
    assert found.standard_error == pytest.approx(float(variance) ** 0.5 * first_order)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("sizes", "datasets"),
    [([6] * 10, 1), ([6] * 10, 6), ([20] * 3, 1), ([2] * 30, 1), ([1, 1, 2, 3, 5, 8, 13, 30], 2)],
)
def test_units_that_play_no_part_are_found_as_rarely_as_a_normal_deviate(kind, sizes, datasets):
    rng = np.random.default_rng(8)
    units = np.tile(np.repeat(range(len(sizes)), sizes), datasets)
    places = np.repeat(range(datasets), sum(sizes))
    found = (
        intraclass_correlation(drawn(kind, len(units), rng), units, places) for _ in range(600)
    )
    exceeded = [abs(f.deviate) > 3 for f in found if f is not None]
    assert stats.binom.sf(sum(exceeded) - 1, len(exceeded), 2 * stats.norm.sf(3)) > 0.001


@pytest.mark.parametrize("uneven", [False, True])
def test_passages_are_found(uneven):
    rng = np.random.default_rng(9)
    for _ in range(50):
        sizes = rng.integers(1, 12, 60) if uneven else np.repeat(6, 60)  # ten in each of six
        units, places = np.repeat(range(60), sizes), np.repeat(np.arange(60) // 10, sizes)
        latent = 0.4**0.5 * rng.standard_normal(60)[units]
        x = np.trunc(1.5 * (latent + 0.6**0.5 * rng.standard_normal(len(units))))
        found = intraclass_correlation(x, units, places)
        assert found.deviate > 3
        assert found.design_effect > 1.5


def test_rows_that_repeat_are_alike_and_halves_are_not():
    x = np.random.default_rng(10).standard_normal(20)
    thrice = intraclass_correlation(np.repeat(x, 3), np.repeat(range(20), 3))
    assert (thrice.correlation, thrice.design_effect) == (pytest.approx(1), pytest.approx(3))
    opposite = intraclass_correlation(np.column_stack([x, -x]).ravel(), np.repeat(range(20), 2))
    assert opposite.correlation == pytest.approx(-1)
    assert opposite.deviate < -3


def test_a_name_in_two_datasets_is_two_units_and_no_order_matters():
    rng = np.random.default_rng(11)
    x, units, places = rng.standard_normal(60), np.tile(range(10), 6), np.repeat(["b", "a"], 30)
    found = intraclass_correlation(x, units, places)
    apart = intraclass_correlation(
        x, [f"{p}{u}" for p, u in zip(places, units, strict=True)], places
    )
    assert apart == found
    assert found.n_units == 20
    order = rng.permutation(60)
    other = intraclass_correlation(1e-90 * x[order] + 1e-91, units[order], places[order])
    assert other.correlation == pytest.approx(found.correlation)
    assert other.deviate == pytest.approx(found.deviate)


@pytest.mark.parametrize(
    ("x", "units"),
    [
        ([], []),
        ([1.0, 2, 3], "aab"),
        ([1.0, 2, 3, 4], "aaaa"),
        ([1.0, 2, 3, 4], "abcd"),
        ([1.0] * 6, "aabbcc"),
    ],
)
def test_nothing_is_measured_without_items_that_differ_in_and_between_units(x, units):
    assert intraclass_correlation(x, list(units)) is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0, 2, 3], "ab"), r"units and datasets have the shapes \(3,\), \(\), \(3,\)"),
        (([1.0, 2, 3], [1, 2]), r"have the shapes \(3,\), \(2,\), \(3,\)"),
        (([1.0, np.nan], [1, 2]), "differences"),
    ],
)
def test_wrong_items_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        intraclass_correlation(*arguments)
