import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from analysis import published
from analysis.sogaard2014 import figures as sogaard_figures
from analysis.sogaard2014 import many_metrics
from analysis.sogaard2014 import tables as sogaard_tables
from analysis.sogaard2014.many_metrics import HALVES, WHOLE, WHOLE_OR_HALF, Choice
from replicability import checks

QUARTERS = tuple((0.0, share / 4) for share in (1, 2, 3, 4))
shares = st.floats(0.001, 0.999)


# --- p-values -------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 9), st.integers(2, 9), st.integers(0, 2**32), st.floats(-1e4, 1e4))
def test_two_sample_pvalues_are_those_of_scipy(n, m, seed, shift):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(shift, 1, (3, n)), rng.normal(shift, 2, (3, m))
    expected = stats.ttest_ind(a, b, axis=-1).pvalue
    np.testing.assert_allclose(many_metrics.two_sample_pvalues(a, b), expected, rtol=1e-6)


def test_two_sample_pvalue_by_the_formula():
    # t = -2 / sqrt(5/3 * (1/4 + 1/4)), 6 degrees of freedom; R: 2 * pt(-sqrt(4.8), 6) = 0.0709878
    t = 2 / np.sqrt(5 / 3 / 2)
    expected = 2 * integrate.quad(stats.t(6).pdf, t, np.inf)[0]
    found = many_metrics.two_sample_pvalues([1, 2, 3, 4], [3, 4, 5, 6])
    assert found == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([1], [1, 2], "The samples have 1 and 2 values; a t-test needs at least two in each"),
        ([1, 1], [2, 2], "no variance or contain a NaN"),
        ([1, np.nan], [2, 3], "no variance or contain a NaN"),
    ],
)
def test_samples_that_cannot_be_tested(a, b, message):
    with pytest.raises(checks.InputError, match=message):
        many_metrics.two_sample_pvalues(a, b)


@pytest.mark.parametrize("choice", [Choice("a", 2, 0.6, HALVES), Choice("b", subsamples=QUARTERS)])
def test_pvalues_are_uniform_where_there_is_no_difference(choice):
    pvalues = many_metrics.simulate(choice, 20, 20_000, 1)
    assert pvalues.shape == (20_000, choice.n_tests)
    for column in pvalues.T:
        assert stats.kstest(column, "uniform").pvalue > 1e-4


def test_the_first_draws_do_not_depend_on_how_many_follow():
    choice = Choice("a", 2, 0.5)
    short, long = (many_metrics.simulate(choice, 10, n, 3) for n in (700, 1500))
    np.testing.assert_array_equal(short, long[:700])
    assert (many_metrics.simulate(choice, 10, 700, 4) != short).all()
    assert (long[:500] != long[1000:]).all()


def test_a_seed_sequence_is_left_as_it_was():
    child = np.random.SeedSequence(7)
    first, again = (many_metrics.simulate(Choice("a"), 10, 10, child) for _ in range(2))
    np.testing.assert_array_equal(first, again)


def test_an_effect_is_on_the_first_metric_alone_with_the_power_of_the_t_test():
    choice = Choice("a", 2, subsamples=HALVES, effect=0.5)
    np.testing.assert_array_equal(choice.is_effect, [True, True, False, False])
    assert not Choice("a", 2).is_effect.any()
    share = (many_metrics.simulate(choice, 100, 20_000, 5) <= 0.05).mean(axis=0)
    # R: power.t.test(n = 50, delta = .5)$power + the other tail, by the noncentral t distribution
    critical, noncentral = stats.t.isf(0.025, 98), stats.nct(98, 0.5 * np.sqrt(25))
    power = noncentral.sf(critical) + noncentral.cdf(-critical)
    np.testing.assert_allclose(share, [power, power, 0.05, 0.05], atol=0.015)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Choice("a", 0), "The number of metrics of a choice is 0"),
        (lambda: Choice("a", copy=1), "correlation of a metric and its copy is 1, but must be in"),
        (lambda: Choice("a", subsamples=()), "a has no subsample"),
        (lambda: Choice("a", subsamples=((0.5, 0.5),)), "goes from 0.5 to 0.5"),
        (lambda: Choice("a", effect=np.nan), "The effect of a choice is nan"),
        (
            lambda: many_metrics.noise_correlation(0),
            "noise is 0, but must be a finite number above 0",
        ),
        (lambda: many_metrics.other_readings(2), "noise is 2, but the share of values"),
        (lambda: many_metrics.simulate(Choice("a"), 1, 5, 1), "n_instances is 1; pass a whole"),
        (lambda: many_metrics.simulate(Choice("a"), 9, 0, 1), "n_repetitions is 0"),
        (
            lambda: many_metrics.simulate(Choice("sizes", subsamples=QUARTERS), 4, 5, 1),
            "sizes: with 4 items, a subsample has only 1 of them; raise n_instances or the share",
        ),
        (lambda: many_metrics.copies((1, 0), 9, 9, 1), "noise goes from 1 to 0"),
        (
            lambda: many_metrics.any_significant(Choice("a", effect=1), 0.05),
            "a has effect 1, but the probability assumes true nulls",
        ),
        (lambda: many_metrics.any_significant(Choice("a"), 5), "alpha is 5"),
    ],
)
def test_a_mistake_is_named(make, message):
    with pytest.raises(checks.InputError, match=message):
        make()


# --- probabilities --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("looks", "expected"),
    # Armitage, McPherson and Rowe (1969), J. R. Stat. Soc. A 132(2), Table 2: level .05, known sd
    [(1, 0.05), (2, 0.083), (3, 0.107), (4, 0.126), (5, 0.142)],
)
def test_looks_at_growing_data(looks, expected):
    sizes = tuple((0.0, (look + 1) / looks) for look in range(looks))
    found = many_metrics.any_significant(Choice("looks", subsamples=sizes), 0.05)
    assert found == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize("rho", [0.1, 0.7, 0.995])
def test_a_copy_by_conditioning_on_the_metric(rho):
    critical = stats.norm.isf(0.025)

    def both_inside(x):
        law = stats.norm(rho * x, np.sqrt(1 - rho**2))
        return stats.norm.pdf(x) * (law.cdf(critical) - law.cdf(-critical))

    expected = 1 - integrate.quad(both_inside, -critical, critical)[0]
    assert many_metrics.any_significant(Choice("c", copy=rho), 0.05) == pytest.approx(
        expected, abs=1e-5
    )


@given(st.integers(1, 9), shares)
def test_independent_tests_by_the_binomial_distribution(metrics, level):
    choice = Choice("m", metrics, subsamples=HALVES)
    assert many_metrics.is_exact(choice)
    expected = stats.binom(2 * metrics, level).sf(0)
    assert many_metrics.any_significant(choice, level) == pytest.approx(expected, rel=1e-9)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 3), st.none() | st.floats(0.05, 0.99), st.sampled_from([WHOLE, HALVES]))
def test_the_probability_lies_between_one_test_and_the_union_bound(metrics, copy, subsamples):
    choice = Choice("c", metrics, copy, subsamples)
    found = many_metrics.any_significant(choice, 0.01)
    assert 0.01 - 1e-5 <= found <= 0.01 * choice.n_tests + 1e-5


def test_less_correlation_makes_significance_more_likely():
    found = [many_metrics.any_significant(Choice("c", copy=rho), 0.05) for rho in (0.9, 0.5, 0)]
    assert found == sorted(found)
    assert found[-1] == pytest.approx(0.0975)


@pytest.mark.parametrize(
    "choice",
    [
        Choice("all", 2, 0.6, WHOLE_OR_HALF),
        Choice("singular", subsamples=(*HALVES, *WHOLE)),
        Choice("sizes", subsamples=QUARTERS),
    ],
    ids=lambda choice: choice.name,
)
def test_the_limit_for_large_samples_by_simulation(choice):
    n = 20_000
    z = np.zeros((n, choice.metrics, len(choice.correlation)))
    values, noise = np.random.default_rng(6).standard_normal((2, n, choice.metrics, 8))
    copies = [values] if choice.copy is None else [values, _mixed(values, noise, choice.copy)]
    for c, copy in enumerate(copies):
        for s, (start, stop) in enumerate(choice.subsamples):
            part = copy[:, :, round(8 * start) : round(8 * stop)]
            z[:, :, c * len(choice.subsamples) + s] = part.sum(axis=-1) / np.sqrt(part.shape[-1])
    correlation = np.corrcoef(z[:, 0].T)
    np.testing.assert_allclose(correlation, choice.correlation, atol=0.03)
    share = (np.abs(z) > stats.norm.isf(0.025)).any(axis=(1, 2)).mean()
    expected = many_metrics.any_significant(choice, 0.05)
    assert abs(share - expected) < 4.5 * np.sqrt(expected * (1 - expected) / n)


def _mixed(values, noise, rho):
    return rho * values + np.sqrt(1 - rho**2) * noise


def test_rates_agree_with_theory_and_k_hat_keeps_its_promise():
    choices = [*many_metrics.published_choices(), *many_metrics.other_readings()]
    rows = many_metrics.rates(choices, [0.05, 0.01], 100, 1000, 5000, 9)
    for simulated, theory in (("large", "theory"), ("k_hat", "k_hat_theory")):
        error = np.sqrt(rows[theory] * (1 - rows[theory]) / 5000)
        assert (np.abs(rows[simulated] - rows[theory]) < 4.5 * error + 0.003).all()
    np.testing.assert_array_equal(rows["k_hat"], rows["holm"])
    assert (rows["k_hat_theory"] <= rows["alpha"] + 1e-5).all()
    assert (rows["theory"] >= rows["alpha"] - 1e-5).all()


def test_rates_of_fewer_draws_are_those_of_the_first():
    choice = Choice("m", 2)
    (child,) = np.random.SeedSequence(9).spawn(1)
    rows = many_metrics.rates([choice], [0.05], 30, 1000, 3000, 9)
    pvalues = many_metrics.simulate(choice, 30, 1000, child)
    assert rows["small"].item() == (pvalues.min(axis=1) <= 0.05).mean()


def test_k_hat_and_holm_keep_their_level_where_there_is_something_to_find():
    choice = Choice("m", 2, subsamples=HALVES, effect=0.5)
    rows = many_metrics.overstatement(choice, 0.05, 100, 5000, 9).set_index("estimator")
    assert (rows["k"] == 2).all()
    assert rows.loc["bonferroni", "above"] <= 0.05
    assert rows.loc["bonferroni", "false_name"] <= 0.05
    assert rows.loc["count", "false_name"] == pytest.approx(0.0975, abs=0.015)
    assert rows.loc["count", "mean"] > rows.loc["bonferroni", "mean"] > 1


def test_the_correlation_of_metrics_tells_about_p_only_if_the_noise_varies():
    same = many_metrics.copies((0.1, 0.1), 100, 4000, 1)
    varied = many_metrics.copies((0, 1), 100, 4000, 1)
    assert same["correlation"].mean() == pytest.approx(
        many_metrics.noise_correlation(0.1), abs=1e-3
    )
    assert stats.pearsonr(same["correlation"], same["p_value"]).pvalue > 1e-3
    assert stats.pearsonr(varied["correlation"], varied["p_value"]).pvalue < 1e-10


def test_copies_are_correlated_as_numpy_says():
    n = 50
    found = many_metrics.copies((0.5, 0.5), n, 1, 3)["correlation"].item()
    rng = np.random.default_rng(3)
    metric = rng.standard_normal((2, 1, n))
    rng.uniform(0.5, 0.5, 1)
    copy = metric + 0.5 * rng.standard_normal((2, 1, n))
    assert found == pytest.approx(np.corrcoef(metric.ravel(), copy.ravel())[0, 1])


# --- the published settings -----------------------------------------------------------------------


def printed(item):
    return published.read_published("sogaard2014", item).set_index("quantity")["printed"]


def test_every_published_rate_belongs_to_a_choice():
    names = {choice.name for choice in many_metrics.published_choices()}
    rates = [name for name in printed("section3_toy_examples").index if ": P(p <" in name]
    assert {name.partition(":")[0] for name in rates} == names - {"sample sizes"}
    for reading in many_metrics.other_readings():
        assert reading.name.partition(" (")[0] in names


def test_the_published_choices_have_the_published_settings():
    toy = printed("section3_toy_examples")
    choices = {choice.name: choice for choice in many_metrics.published_choices()}
    assert choices["metric or distorted copy"].copy == many_metrics.noise_correlation(
        float(toy["noise of the distorted copy"])
    )
    assert choices["metric and covariate"].metrics == int(toy["metrics to choose from"])
    assert len(choices["covariate"].subsamples) == int(toy["subsamples to choose from"])
    assert choices["sample sizes"].n_tests == int(toy["sample sizes to choose from"])


# --- how likely is a finding to be true? ----------------------------------------------------------


def test_published_positive_predictive_values():
    section = printed("section4")
    for quantity, level in (("PPV at alpha = 0.05", 0.05), ("PPV at alpha = 0.01", 0.01)):
        top, _, bottom = section[quantity].partition("/")
        expected = float(top) / float(bottom or 1)
        assert many_metrics.positive_predictive_value(0.1, level, 0.5) == pytest.approx(expected)
    assert many_metrics.cut_off(0.1, 0.5) == pytest.approx(0.05 * 0.05 / 0.95)


# --- tables and figures ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rows():
    rows = many_metrics.rates(many_metrics.published_choices()[:2], [0.05, 0.01], 20, 200, 400, 1)
    return rows.assign(published=[".8e-2", "10.0e-2", "", "9.75e-2"])


def test_the_table_shows_what_is_printed_and_how_far_it_is_from_theory(rows):
    table = sogaard_tables.many_metrics(rows, 200, 400)
    assert list(table["published"]) == ["0.8%", "10.0%", "", "9.75%"]
    assert list(table["basis"]) == ["exact", "exact", "large samples", "large samples"]
    expected = (0.10 - 0.01) / np.sqrt(0.01 * 0.99 / 200)
    assert table["SE apart"][1] == f"{expected:+.1f}"
    assert table["SE apart"][0].startswith("−2.")
    assert table["SE apart"][2] == ""


def test_the_table_of_section4_says_where_no_cut_off_exists():
    levels = {"PPV at alpha = 0.05": 0.05, "PPV at alpha = 0.2": 0.2}
    numbers = many_metrics.section4(0.1, 0.5, 0.05, levels, 0.95, [0.0, 0.1])
    table = sogaard_tables.predictive_values(numbers, printed("section4")).set_index("quantity")
    assert list(table.loc["PPV at alpha = 0.05"]) == ["50%", "0.5", "0.275"]
    assert table.loc["PPV at alpha = 0.2", "published"] == ""
    assert list(table.loc["proposed cut-off"]) == ["0.0025", "0.002632", "none"]


def test_the_figure_of_choices_draws_each_rate_where_it_is(rows):
    numbers = rows.assign(published=pd.to_numeric(rows["published"]))
    figure = sogaard_figures.many_metrics(numbers, 400)
    (axis,) = figure.axes
    part = numbers[numbers["alpha"] == 0.05]
    for line, column in zip(axis.lines, ("published", "large", "k_hat"), strict=False):
        np.testing.assert_array_equal(line.get_xdata().astype(float), part[column])
    assert f"in up to {part['large'].max():.0%} of draws" in figure.get_suptitle()


def test_the_figure_of_predictive_values_marks_the_cut_off():
    grid = np.array([0.001, 0.01, 0.1])
    figure = sogaard_figures.predictive_value(
        grid, {0.0: [0.9, 0.8, 0.3]}, {0.05: 0.5}, 0.95, 0.0026
    )
    (axis,) = figure.axes
    assert "α = 0.0026 for 95%" in axis.texts[0].get_text()
    assert axis.texts[1].get_text() == "α = 0.05: 50.0%"
    without = sogaard_figures.predictive_value(grid, {0.1: [0.3, 0.2, 0.1]}, {}, 0.95, np.nan)
    assert not without.axes[0].texts


# --- tables ---------------------------------------------------------------------------------------


def test_the_published_rate_stands_beside_every_reading_of_a_choice():
    rows = pd.DataFrame({"choice": ["one", "one (other)", "two"], "alpha": [0.05, 0.01, 0.05]})
    item = pd.DataFrame(
        {"quantity": ["one: P(p < 0.05)", "one: P(p < 0.01)"], "printed": ["4.8e-2", ".8e-2"]}
    )
    found = many_metrics.with_published(rows, item)
    assert found["published"].tolist() == ["4.8e-2", ".8e-2", ""]
    assert "published" not in rows


def test_overstatement_has_names_for_people_and_four_decimals():
    found = many_metrics.overstatement(Choice("both", 2, effect=0.5), 0.05, 20, 300, 1)
    table = sogaard_tables.overstatement(found)
    assert table["estimator"].tolist() == ["k_count", "k_bonferroni"]
    assert table["mean estimate"].tolist() == found["mean"].round(4).tolist()
    assert [name for name in table if "_" in name] == []
