"""The overall difference, against R, by its properties, and its coverage."""

import math

import numpy as np
import pytest
from scipy import sparse, stats

from replicability import checks
from replicability.stats import paired
from replicability.stats.overall import Covariance, covariance, overall

D, S, M = [0.021, 0.043, -0.008, 0.015], [0.010, 0.021, 0.009, 0.030], [200, 12, 300, 5]

# Three datasets over the same six units: one sample of six unit means.
SIX = np.array([[1, 0, 2], [0, 0, 1], [2, 1, 0], [1, 1, 1], [3, 2, 1], [0, 1, 1]], dtype=float)


def limits(found):
    return [found.confidence_interval.low, found.confidence_interval.high]


def influences(columns):
    """Lay out the influences of datasets over the same units."""
    made = [paired.difference(column, np.zeros(len(column))) for column in columns.T]
    return np.column_stack([one.influences for one in made]), made


def of_units(columns, **options):
    """Average the means of columns over shared units."""
    laid_out, made = influences(columns)
    effects, errors = ([getattr(x, name) for x in made] for name in ("effect", "standard_error"))
    options |= {"dependence": "shared", "covariance": covariance(laid_out)}
    return overall(effects, errors, [len(columns)] * len(made), **options)


def test_independent_datasets_against_r():
    # R: v <- sum(s^2)/16; df <- sum(s^2)^2/sum(s^4/(m-1)); mean(d) + c(-1, 1)*qt(.975, df)*sqrt(v)
    found = overall(D, S, M)
    assert found.effect == pytest.approx(0.01775, rel=1e-13)
    assert found.standard_error == pytest.approx(0.00975320460156558, rel=1e-13)
    assert limits(found) == pytest.approx([-0.00383744753862919, 0.03933744753862919], rel=1e-9)


def test_unknown_dependence_against_r():
    # R: h <- mean(qt(.975, m-1)*s); c(mean(s), mean(d) + c(-1, 1)*h)
    found = overall(D, S, M, dependence="unknown")
    assert found.standard_error == pytest.approx(0.0175, rel=1e-13)
    assert limits(found) == pytest.approx([-0.0239862434954917, 0.0594862434954917], rel=1e-9)


def test_datasets_over_the_same_units_are_one_sample_of_unit_means():
    # R: t.test(rowMeans(SIX)): estimate, stderr, conf.int
    r = stats.ttest_1samp(SIX.mean(axis=1), 0)
    found = of_units(SIX)
    assert found.effect == pytest.approx(1)
    assert found.standard_error == pytest.approx(SIX.mean(axis=1).std(ddof=1) / math.sqrt(6))
    assert limits(found) == pytest.approx(list(r.confidence_interval()), rel=1e-12)


def test_without_shared_units_covariances_change_nothing():
    rng = np.random.default_rng(1)
    made = [paired.difference(x, 0 * x) for x in (rng.normal(size=m) for m in (9, 20, 33))]
    laid_out = sparse.block_diag([one.influences[:, None] for one in made])
    given = [[getattr(x, name) for x in made] for name in ("effect", "standard_error")]
    one = overall(*given, [9, 20, 33])
    other = overall(*given, [9, 20, 33], dependence="shared", covariance=covariance(laid_out))
    assert limits(one) == pytest.approx(limits(other), rel=1e-12)


@pytest.mark.parametrize("dependence", ["independent", "unknown", "shared"])
@pytest.mark.parametrize(
    ("a", "b"),
    [([3, 4, 1, 2, 2], [2, 2, 2, 1, 0]), ([1, 1, 1, 0], [0, 0, 1, 1]), ([1] * 12, [0] * 12)],
)
def test_of_one_dataset_it_is_its_own_interval(dependence, a, b):
    made = [paired.difference(a, b)]
    one = with_limits(made, dependence=dependence)
    assert one.effect == made[0].effect
    expected = [made[0].confidence_interval.low, made[0].confidence_interval.high]
    assert limits(one) == pytest.approx(expected, rel=1e-13)


def with_limits(made, **options):
    """Average differences with their own limits."""
    columns = [[getattr(x, name) for x in made] for name in ("effect", "standard_error")]
    given = [[getattr(x.confidence_interval, end) for x in made] for end in ("low", "high")]
    if options.get("dependence") == "shared":
        options["covariance"] = covariance(np.column_stack([x.influences for x in made]))
    return overall(*columns, [len(x.influences) for x in made], limits=given, **options)


LOW, HIGH = [0.0, -0.01, -0.026, -0.1], [0.05, 0.1, 0.011, 0.07]


def test_limits_of_datasets_against_r():
    # R: d <- c(.021, .043, -.008, .015); s <- c(.01, .021, .009, .03); m <- c(200, 12, 300, 5)
    #    e <- c(.05, .1, .011, .07) - d; t <- qt(.975, m - 1); f <- sum(s^2)^2/sum(s^4/(m - 1))
    #    q <- qt(.975, f); x <- pmax(e - t*s, pmin(e - pmin(t, q)*s, 0))
    #    mean(d) + (q*sqrt(sum(s^2)) + sum(s^2*x)/sum(s^2))/4
    s, m, up = np.array(S), np.array(M), np.array(HIGH) - D
    t, total = stats.t.ppf(0.975, m - 1), (s**2).sum()
    q = stats.t.ppf(0.975, total**2 / (s**4 / (m - 1)).sum())
    x = np.maximum(up - t * s, np.minimum(up - np.minimum(t, q) * s, 0))
    high = np.mean(D) + (q * math.sqrt(total) + (s**2 * x).sum() / total) / 4
    found = overall(D, S, M, limits=(LOW, HIGH))
    assert found.confidence_interval.high == pytest.approx(high, rel=1e-12)
    assert found.standard_error == overall(D, S, M).standard_error
    assert limits(overall(D, S, M, limits=(LOW, HIGH), dependence="unknown")) == pytest.approx(
        [np.mean(LOW), np.mean(HIGH)], rel=1e-12
    )


@pytest.mark.parametrize("none", [math.nan, math.inf])
def test_no_interval_where_a_dataset_has_no_limit(none):
    for dependence in ("independent", "unknown"):
        found = overall(D, S, M, limits=(LOW, [*HIGH[:3], none]), dependence=dependence)
        assert found.confidence_interval.high == math.inf
        assert math.isfinite(found.standard_error)


def test_students_limits_are_the_default():
    width = stats.t.ppf(0.975, np.array(M) - 1) * S
    for dependence in ("independent", "unknown"):
        plain = overall(D, S, M, dependence=dependence)
        given = overall(D, S, M, limits=(D - width, D + width), dependence=dependence)
        assert limits(given) == pytest.approx(limits(plain), rel=1e-12)


def random_datasets(rng, number):
    """Make right-or-wrong, skewed and constant scores of few items, over the same ones."""
    n, made = int(rng.integers(2, 25)), []
    for _ in range(number):
        kind = rng.integers(4)
        a, b = rng.integers(0, 2, (2, n)) if kind < 2 else rng.random((2, n)) ** 3
        if kind == 1:
            a = np.ones(n)
        made.append(paired.difference(b + 0.0 if kind == 3 else a, b))
    return made


@pytest.mark.slow
@pytest.mark.parametrize("dependence", ["independent", "unknown", "shared"])
def test_limits_are_in_range_and_have_a_width(dependence):
    """They are inside the means of the datasets' limits, mirrored, and in any order the same."""
    rng = np.random.default_rng(11)
    for _ in range(150):
        made = random_datasets(rng, rng.integers(1, 6))
        found = with_limits(made, dependence=dependence)
        low, high = limits(found)
        ends = np.array([(x.confidence_interval.low, x.confidence_interval.high) for x in made]).T
        means = [math.fsum(side) / len(made) for side in ends]
        assert -1 <= means[0] <= low <= found.effect <= high <= means[1] <= 1
        assert low < high
        turned = with_limits(made[::-1], dependence=dependence)
        assert limits(turned) == pytest.approx([low, high], rel=1e-9, abs=1e-12)
        if dependence != "shared":
            given = [[-x.effect for x in made], [x.standard_error for x in made],
                     [len(x.influences) for x in made]]  # fmt: skip
            back = overall(*given, limits=-ends[::-1], dependence=dependence)
            assert limits(back) == pytest.approx([-high, -low], abs=1e-12)


def test_twelve_wins_out_of_twelve_leave_a_doubt():
    won = paired.difference([1] * 12, [0] * 12)
    for dependence in ("independent", "shared", "unknown"):
        low, high = limits(with_limits([won] * 3, dependence=dependence))
        assert low <= won.confidence_interval.low + 0.4 and high == 1
        assert low < 0.85


def test_a_small_dataset_is_not_lost_in_large_ones():
    """Nothing was seen on two items, so that the mean may be off by a third of what they allow."""
    small = paired.difference([1, 1], [1, 1])
    rng = np.random.default_rng(12)
    large = [paired.difference(*rng.integers(0, 2, (2, 2000))) for _ in range(2)]
    found = with_limits([small, *large])
    low, high = limits(found)
    assert high - found.effect > 0.9 * small.confidence_interval.high / 3
    assert found.effect - low > 0.9 * small.confidence_interval.high / 3


def test_datasets_that_are_copies_have_the_interval_of_one():
    rng = np.random.default_rng(13)
    for a, b in ((rng.exponential(size=15), np.zeros(15)), rng.integers(0, 2, (2, 15))):
        one = paired.difference(a, b)
        expected = [one.confidence_interval.low, one.confidence_interval.high]
        found = with_limits([one] * 4, dependence="shared")
        assert limits(found) == pytest.approx(expected, rel=1e-9)


def test_corrections_fade_with_the_number_of_independent_datasets():
    """Third cumulants add: of n alike datasets the mean has a correction of 1/n."""
    one = paired.difference(np.random.default_rng(14).exponential(size=40), np.zeros(40))
    student = overall([one.effect], [one.standard_error], [40]).confidence_interval
    correction = one.confidence_interval.high - student.high
    for n in (2, 10):
        columns = [one.effect] * n, [one.standard_error] * n, [40] * n
        bare = overall(*columns).confidence_interval.high
        assert limits(with_limits([one] * n))[1] - bare == pytest.approx(correction / n)


def test_the_order_of_datasets_and_units_has_no_part():
    rng = np.random.default_rng(2)
    order = rng.permutation(4)
    for dependence in ("independent", "unknown"):
        there = overall(D, S, M, dependence=dependence)
        turned = (np.asarray(x)[order] for x in (D, S, M))
        assert overall(*turned, dependence=dependence) == there
    there, back = of_units(SIX), of_units(SIX[rng.permutation(6)][:, [2, 0, 1]])
    assert limits(back) == pytest.approx(limits(there), rel=1e-13)


def test_a_dataset_that_is_there_twice_adds_nothing():
    assert limits(of_units(SIX[:, [0, 0]])) == pytest.approx(limits(of_units(SIX[:, :1])))
    once = overall(D, S, M, dependence="unknown")
    assert limits(overall(2 * D, 2 * S, 2 * M, dependence="unknown")) == pytest.approx(limits(once))
    apart = overall(2 * D, 2 * S, 2 * M)
    assert apart.standard_error == pytest.approx(overall(D, S, M).standard_error / math.sqrt(2))


def test_opposite_influences_of_shared_units_cancel():
    """No variance of the mean is seen: its limits are then those under any dependence."""
    columns = np.column_stack([SIX[:, 0], -SIX[:, 0]])
    turned = of_units(columns)
    assert (turned.effect, turned.standard_error) == (0, 0)
    _, made = influences(columns)
    columns = [[getattr(x, name) for x in made] for name in ("effect", "standard_error")]
    unknown = overall(*columns, [6, 6], dependence="unknown")
    assert limits(turned) == pytest.approx(limits(unknown), rel=1e-12)


@pytest.mark.slow
def test_the_bound_is_the_widest_of_all_dependences():
    rng = np.random.default_rng(3)
    for _ in range(200):
        columns = rng.normal(size=(rng.integers(2, 9), rng.integers(1, 6)))
        _, made = influences(columns)
        errors = [one.standard_error for one in made]
        given = ([one.effect for one in made], errors, [len(columns)] * len(made))
        bounded = overall(*given, dependence="unknown")
        for other in (of_units(columns), overall(*given)):
            assert other.standard_error <= bounded.standard_error * (1 + 1e-12)


def test_no_interval_where_a_dataset_has_none():
    for given in ((D, [0.01, math.inf, 0.1, 0.1], M), (D, S, [200, 1, 300, 5])):
        for dependence in ("independent", "unknown"):
            found = overall(*given, dependence=dependence)
            assert (found.standard_error, *limits(found)) == (math.inf, -math.inf, math.inf)
            assert found.effect == pytest.approx(0.01775)


def test_datasets_without_any_difference_have_an_interval_of_no_width():
    found = overall([0.0, 0.0], [0, 0], [10, 20])
    assert (found.effect, *limits(found)) == (0, 0, 0)


def test_scale_and_sign_carry_over():
    there, back = overall(D, S, M), overall(-100 * np.array(D), 100 * np.array(S), M)
    assert limits(back) == pytest.approx([-100 * x for x in limits(there)[::-1]], rel=1e-12)


def covered(draw, dependence, repetitions=4000):
    """Return the share of intervals at 95% by Student's limits that hold the truth, which is 0."""
    hits = 0
    for _ in range(repetitions):
        columns = draw()
        errors = [c.std(ddof=1) / math.sqrt(len(c)) for c in columns]
        covariances = None
        if dependence == "shared":
            together = np.column_stack(columns)
            m = len(together)
            covariances = covariance((together - together.mean(axis=0)) / math.sqrt(m * (m - 1)))
        found = overall([c.mean() for c in columns], errors, [len(c) for c in columns],
                        dependence=dependence, covariance=covariances)  # fmt: skip
        low, high = limits(found)
        hits += low <= 0 <= high
    return hits / repetitions


SIZES = [10, 10, 12, 30, 100]


@pytest.mark.long
def test_coverage_of_normal_differences():
    """At 4,000 repetitions the standard error of a coverage of 95% is .0034."""
    rng = np.random.default_rng(4)
    scales = [3, 1, 1, 2, 0.5]

    def independent():
        return [scale * rng.normal(size=m) for m, scale in zip(SIZES, scales, strict=True)]

    def shared():
        common = rng.normal(size=(12, 1))
        return list((common + rng.normal(size=(12, 5))).T)

    assert 0.94 < covered(independent, "independent") < 0.965
    assert 0.94 < covered(shared, "shared") < 0.96
    assert covered(shared, "unknown", 1000) > 0.95
    assert covered(shared, "independent", 1000) < 0.85  # what the units are needed for


@pytest.mark.slow
def test_coverage_of_right_and_wrong():
    """Ten datasets of 40 pairs, 15% of them discordant."""
    rng = np.random.default_rng(5)

    def pairs():
        return [rng.choice([-1, 0, 1], size=40, p=[0.075, 0.85, 0.075]) for _ in range(10)]

    assert 0.935 < covered(pairs, "independent", 2000) < 0.965


def held(draw, truth, dependence="independent", repetitions=400):
    """Return the share of intervals with the datasets' own limits that hold the truth."""
    hits = 0
    for _ in range(repetitions):
        low, high = limits(with_limits(draw(), dependence=dependence))
        hits += low <= truth <= high
    return hits / repetitions


def skewed(rng, sizes, kind):
    """Draw datasets with differences of mean 0 to either side."""
    made = []
    for n in sizes:
        b = rng.normal(size=n)
        d = rng.exponential(1, n) - 1 if kind == "exp" else rng.lognormal(0, 1.5, n) - math.e**1.125
        made.append(paired.difference(b - d, b))
    return made


@pytest.mark.long
@pytest.mark.parametrize(
    ("sizes", "kind"),
    [([10] * 3, "exp"), ([40] * 3, "lognormal"), ([20] * 10 + [200] * 4, "lognormal"),
     ([10, 200, 200], "exp")],
)  # fmt: skip
def test_coverage_under_skew(sizes, kind):
    """Student's limits cover .93, .87, .86 and .92; the standard error of a coverage is .011."""
    rng = np.random.default_rng(15)
    assert held(lambda: skewed(rng, sizes, kind), 0) > 0.95


@pytest.mark.long
@pytest.mark.parametrize(
    ("sizes", "discordant", "gain"),
    [([40] * 2, 0.05, 0.0), ([20] * 3, 0.1, 0.08), ([100] * 3, 0.03, 0.03), ([12] * 12, 0.1, 0.1),
     ([12, 20, 40, 100], 0.1, 0.08)],
)  # fmt: skip
def test_coverage_of_few_discordant_items(sizes, discordant, gain):
    rng = np.random.default_rng(16)
    odds = [(discordant - gain) / 2, 1 - discordant, (discordant + gain) / 2]

    def draw():
        d = [rng.choice([-1, 0, 1], size=n, p=odds) for n in sizes]
        return [paired.difference(x == 1, x == -1) for x in d]

    for dependence in ("independent", "unknown"):
        assert held(draw, gain, dependence, 250) > 0.95


@pytest.mark.slow
def test_coverage_of_skewed_differences_over_shared_units():
    """Correlated over datasets by .5; Student's limits cover .92."""
    rng = np.random.default_rng(17)

    def draw():
        z = math.sqrt(0.5) * (rng.normal(size=(1, 20)) + rng.normal(size=(3, 20)))
        d = -np.log(stats.norm.sf(z)) - 1
        return [paired.difference(x + b, b) for x in d for b in [rng.normal(size=20)]]

    assert held(draw, 0, "shared") > 0.95


def test_a_normal_quantile_would_cover_too_little():
    rng = np.random.default_rng(6)
    few = [rng.normal(size=(2000, 5)) for _ in range(2)]
    effect = sum(x.mean(axis=1) for x in few) / 2
    error = np.sqrt(sum(x.var(axis=1, ddof=1) / 5 for x in few)) / 2
    assert (np.abs(effect) <= stats.norm.ppf(0.975) * error).mean() < 0.93
    ours = [
        overall([x[i].mean() for x in few], [x[i].std(ddof=1) / math.sqrt(5) for x in few], [5, 5])
        for i in range(2000)
    ]
    held = [found.confidence_interval for found in ours]
    assert 0.94 < np.mean([c.low <= 0 <= c.high for c in held]) < 0.97


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (([], [], []), "have the shapes"),
        (([1, 2], [1], [3, 3]), "pass one of each for every dataset"),
        (([[1, 2]], [[1, 1]], [[3, 3]]), "pass one of each for every dataset"),
        (([1, math.nan], [1, 1], [3, 3]), "differences[1] is nan"),
        (([1, math.inf], [1, 1], [3, 3]), "differences[1] is inf"),
        (([1, 2], [1, -1], [3, 3]), "A standard error is -1, but it must be at least 0; pass"),
        (([1, 2], [1, math.nan], [3, 3]), "A standard error is nan, but it must be at least 0;"),
        (
            ([1, 2], [1, 1], [3, 0]),
            "The number of units of a dataset is below 1 or not a whole number",
        ),
        (
            ([1, 2], [1, 1], [3, 2.5]),
            "The number of units of a dataset is below 1 or not a whole number",
        ),
        (([1, 2], ["a", 1], [3, 3]), "standard_errors must be a sequence of numbers, one for each"),
    ],
)
def test_bad_input_is_refused(given, message):
    with pytest.raises(checks.InputError) as caught:
        overall(*given)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dependence": "positive"}, "dependence 'positive' is not one of independent, shared"),
        ({"dependence": "shared"}, "The dependence is 'shared', but no covariance was passed"),
        ({"covariance": Covariance(np.eye(4), np.arange(4))}, "which takes no covariance"),
        (
            {"dependence": "shared", "covariance": Covariance(np.eye(4), np.arange(4))},
            "The diagonal of the covariance does not match",
        ),
        (
            {"dependence": "shared", "covariance": Covariance(np.eye(3), np.arange(3))},
            "The diagonal of the covariance does not match",
        ),
        ({"confidence_level": 1.0}, "confidence_level"),
        ({"limits": (D, D[:3])}, "limits have the shapes"),
        ({"limits": ([0.03] * 4, [0.1] * 4)}, "The difference 0.021 is not between its limits"),
        ({"limits": (["a"] * 4, D)}, "limits must be two sequences of numbers, the lower limits"),
        ({"limits": (LOW, [-1.0] * 4)}, "is not between its limits 0 and -1"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(checks.InputError, match=message):
        overall(D, S, M, **options)


@pytest.mark.parametrize(
    ("influences", "message"),
    [([], "units in rows and datasets in"), ([1.0, 2.0], "units in rows and datasets in"),
     ([[1.0, math.inf]], "An influence value is infinite or NaN; leave out datasets whose")],
)  # fmt: skip
def test_bad_influences_are_refused(influences, message):
    with pytest.raises(checks.InputError, match=message):
        covariance(influences)


def test_squares_of_influences_add_up_to_that_of_the_standard_error():
    rng = np.random.default_rng(7)
    a, b = rng.integers(0, 9, size=(2, 50, 3))
    for given in ({"a": a[:, 0], "b": b[:, 0]}, {"a": a + 1, "b": b + 1, "metric": "f1"}):
        found = paired.difference(given.pop("a"), given.pop("b"), **given)
        assert math.fsum(found.influences**2) == pytest.approx(found.standard_error**2, rel=1e-12)
        assert math.fsum(found.influences) == pytest.approx(0, abs=1e-12)
    plain = paired.difference(a[:, 0], b[:, 0])
    d = a[:, 0] - b[:, 0]
    assert np.corrcoef(plain.influences, d)[0, 1] == pytest.approx(1)
