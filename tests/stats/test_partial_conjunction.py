import warnings

import numpy as np
import pytest
from families import ALPHAS, ties
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from analysis.methods import simulation
from replicability import checks
from replicability.stats import multiple_testing, partial_conjunction, sums
from replicability.stats.families import least_alpha

EXAMPLE = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]

families = hnp.arrays(
    float,
    st.tuples(st.integers(1, 4), st.integers(1, 9)),
    elements=st.one_of(
        st.floats(0, 1), st.sampled_from([0.0, 1.0, 0.05, 0.01, 1e-300, 1e-12, 0.5])
    ),
)
methods = pytest.mark.parametrize("method", partial_conjunction.METHODS)


def test_under_which_dependence_a_method_is_valid():
    # Dror et al. (2017), Section 4.1; Benjamini and Heller (2008), Section 3: Bonferroni whatever
    # the dependence, Simes if positive (PRDS), Fisher and Stouffer for independent p-values only
    valid = {
        "count": (),
        "bonferroni": ("independent", "positive", "dependent"),
        "simes": ("independent", "positive"),
        "fisher": ("independent",),
        "stouffer": ("independent",),
        "fisher_bonferroni": ("independent",),
    }
    for name, kinds in valid.items():
        assert partial_conjunction.ESTIMATORS[name].valid_under == kinds
    recommended = {
        kind: partial_conjunction.recommended_method(kind)
        for kind in partial_conjunction.DEPENDENCE
    }
    assert recommended == {
        "independent": "fisher",
        "positive": "bonferroni",
        "dependent": "bonferroni",
    }


@pytest.mark.parametrize(
    ("method", "dependence"),
    [
        ("simes", "dependent"),
        ("fisher", "positive"),
        ("fisher", "dependent"),
        ("stouffer", "positive"),
        ("stouffer", "dependent"),
        ("fisher_bonferroni", "positive"),
    ],
)
def test_a_method_that_is_not_valid_warns(method, dependence):
    sentence = (
        f"^The method '{method}' is not valid for datasets that are declared '{dependence}': k-hat "
        "may exceed the true number with a probability above alpha. For example, with 100 true "
        "null hypotheses and correlation .2, Fisher's k-hat exceeds 0 in about 30% of families at "
        "alpha = .05. Use 'bonferroni'.$"
    )
    with pytest.warns(partial_conjunction.DependenceWarning, match=sentence):
        partial_conjunction.partial_conjunction_pvalues(EXAMPLE, method, dependence=dependence)


# Reference values, in R 4.2:
#   p <- sort(c(.168, .297, .357, .019, .218, .001)); n <- length(p)
#   raw <- list(
#     bonferroni = sapply(1:n, function(u) (n - u + 1) * p[u]),
#     simes = sapply(1:n, function(u) min((n - u + 1) / (1:(n - u + 1)) * p[u:n])),
#     fisher = sapply(1:n, function(u) pchisq(-2 * sum(log(p[u:n])), 2 * (n - u + 1),
#                                             lower.tail = FALSE)),
#     stouffer = sapply(1:n, function(u) pnorm(sum(qnorm(p[u:n], lower.tail = FALSE))
#                                              / sqrt(n - u + 1), lower.tail = FALSE)))
#   lapply(raw, function(x) format(cummax(pmin(1, x)), digits = 10))
REFERENCE = {
    "bonferroni": [0.006, 0.095, 0.672, 0.672, 0.672, 0.672],
    "simes": [0.006, 0.095, 0.357, 0.357, 0.357, 0.357],
    "fisher": [
        0.001023656271,
        0.039898136462,
        0.195976031588,
        0.274218798859,
        0.343962596799,
        0.357,
    ],
    "stouffer": [
        0.0007196311312,
        0.017480215551,
        0.0933672606586,
        0.1662515472153,
        0.2623656330989,
        0.357,
    ],
    # by bisection in decimals of 60 digits: m min(q), or the a with 1 - below(a) = a if it is less,
    #   below <- function(a) sum((-1)^(0:m) * choose(m, 0:m) * (a / m)^(0:m)
    #                            * pgamma(-sum(log(q)) - 0:m * log(m / a), m))
    "fisher_bonferroni": [0.006, 0.095, 0.298051369676, 0.353390463711] + 2 * [0.394998173504],
}


@pytest.mark.parametrize("method", REFERENCE)
def test_partial_conjunction_pvalues_against_r(method):
    found = partial_conjunction.partial_conjunction_pvalues(EXAMPLE, method)
    np.testing.assert_allclose(found, REFERENCE[method], rtol=1e-9)
    default = partial_conjunction.partial_conjunction_pvalues(EXAMPLE)
    np.testing.assert_allclose(default, REFERENCE["bonferroni"], rtol=1e-9)


def test_tails_keep_their_relative_accuracy():
    # R: pchisq(-2 * sum(log(rep(1e-7, 3))), 6, lower.tail = FALSE)
    found = partial_conjunction.partial_conjunction_pvalues([1e-7] * 3, "fisher")
    assert found[0] == pytest.approx(1.2184228203e-18, rel=1e-9)


@pytest.mark.parametrize(
    ("method", "k"),
    [("bonferroni", 1), ("simes", 1), ("fisher", 2), ("stouffer", 2), ("fisher_bonferroni", 1)],
)
def test_k_hat_of_the_worked_example(method, k):
    assert partial_conjunction.k_hat(EXAMPLE, 0.05, method) == k


@pytest.mark.parametrize("alpha", ALPHAS)
@methods
def test_a_tie_with_alpha_rejects(method, alpha):
    above = np.nextafter(alpha, 1)
    assert partial_conjunction.k_hat([alpha], alpha, method) == 1
    assert partial_conjunction.k_hat([above], alpha, method) == 0
    assert partial_conjunction.k_hat([1e-300, alpha], alpha, method) == 2
    assert partial_conjunction.k_hat([1e-300, above], alpha, method) == 1
    assert partial_conjunction.k_count([alpha, above, 1.0], alpha) == 1
    batch = np.array([[1.0, alpha], [above, 1.0], [alpha, 0.0]])
    assert partial_conjunction.k_count(batch, alpha).tolist() == [1, 0, 2]


def test_k_count_has_axes_and_gives_one_family_an_int():
    values = np.array([[0.01, 0.05, 0.06], [0.9, 0.2, 0.04]])
    assert partial_conjunction.k_count(values).tolist() == [2, 1]
    assert partial_conjunction.k_count(values, axis=0).tolist() == [1, 1, 1]
    assert type(partial_conjunction.k_count(values[0])) is int


@pytest.mark.slow
@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("method", ["bonferroni", "simes"])
def test_alpha_over_n_is_counted_whatever_n_is(method, alpha):
    for n in range(1, 1001):
        batch = np.ones((2, n))
        batch[:, n // 2] = alpha / n, np.nextafter(alpha / n, 1)
        assert partial_conjunction.k_hat(batch, alpha, method).tolist() == [1, 0], n
    batch = alpha / np.arange(1.0, 1001)  # all n boundaries at once
    assert partial_conjunction.k_hat(batch, alpha, method) == 1000


def test_stouffer_counts_at_a_tie():
    # quantiles that add up to 0, the critical value at alpha = 1/2, exactly
    for values, k in (([0.5, 0.5, 0.5], 3), ([0.25, 0.75], 1), ([0.25, 0.75, 0.5], 1)):
        assert partial_conjunction.k_hat(values, 0.5, "stouffer") == k, values
        assert partial_conjunction.partial_conjunction_pvalues(values, "stouffer")[0] == 0.5
    assert partial_conjunction.k_hat([0.25, 0.75, 0.5000001], 0.5, "stouffer") == 0


def test_simes_counts_all_at_alpha_and_fractions_of_it():
    # binary fractions, so that every product is exact: 4/4, 3/4, 2/4 and 1/4 of the level
    for values, k in (
        ([4, 4, 4, 4], 4),
        ([0, 3, 3, 3, 5], 2),
        ([3, 3, 3, 5], 1),
        ([2, 2, 5, 5], 1),
        ([1, 5, 5, 5], 1),
        ([3, 3, 3.01, 5], 0),
    ):
        assert partial_conjunction.k_hat(np.array(values) / 64, 1 / 16, "simes") == k, values


@pytest.mark.slow
@given(
    values=hnp.arrays(float, 50, elements=st.floats(1e-290, 1)),
    factor=hnp.arrays(float, 50, elements=st.floats(1, 1e6)),
)
def test_least_alpha_is_the_smallest_number(values, factor):
    alpha = least_alpha(values, factor)
    assert (values <= alpha / factor).all()
    assert (values > np.nextafter(alpha, 0) / factor).all()
    np.testing.assert_allclose(alpha, values * factor, rtol=3e-16)


@pytest.mark.slow
@methods
@given(values=families, alpha=st.sampled_from([0.01, 0.05, 0.2, 0.5]))
def test_k_hat_counts_the_partial_conjunction_pvalues(method, values, alpha):
    combined = partial_conjunction.partial_conjunction_pvalues(values, method)
    expected = np.count_nonzero(combined <= alpha, axis=-1)
    found = partial_conjunction.k_hat(values, alpha, method)
    if method in ("fisher", "stouffer"):  # sums of logarithms may tie in the last bits
        near = np.abs(combined[..., :-1] - alpha) < 1e-12
        found = np.where(near.any(-1), expected, found)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["bonferroni", "simes"])
@given(tied=ties())
def test_k_hat_counts_the_partial_conjunction_pvalues_at_ties(method, tied):
    values, alpha = tied
    combined = partial_conjunction.partial_conjunction_pvalues(values, method)
    np.testing.assert_array_equal(
        partial_conjunction.k_hat(values, alpha, method),
        np.count_nonzero(combined <= alpha, axis=-1),
    )


@given(tied=ties())
def test_bonferroni_counts_what_holm_identifies_at_ties(tied):
    values, alpha = tied
    np.testing.assert_array_equal(
        partial_conjunction.k_hat(values, alpha),
        multiple_testing.identify(values, alpha).sum(axis=-1),
    )


@pytest.mark.slow
@methods
@given(values=families)
def test_partial_conjunction_pvalues_are_pvalues_that_do_not_fall(method, values):
    before = values.copy()
    found = partial_conjunction.partial_conjunction_pvalues(values, method)
    assert np.all((found >= 0) & (found <= 1))
    assert np.all(np.diff(found, axis=-1) >= 0)
    np.testing.assert_array_equal(values, before)


@pytest.mark.slow
@methods
@given(values=families, seed=st.integers(0, 2**32 - 1))
def test_order_of_the_datasets_does_not_matter(method, values, seed):
    shuffled = np.random.default_rng(seed).permutation(values, axis=-1)
    np.testing.assert_allclose(
        partial_conjunction.partial_conjunction_pvalues(shuffled, method),
        partial_conjunction.partial_conjunction_pvalues(values, method),
        rtol=1e-12,
    )


@pytest.mark.slow
@methods
@given(values=families, factor=st.floats(0, 1))
def test_smaller_pvalues_never_lower_k_hat(method, values, factor):
    less = values * factor
    assert np.all(
        partial_conjunction.k_hat(less, 0.05, method)
        >= partial_conjunction.k_hat(values, 0.05, method)
    )


@given(values=families, alpha=st.sampled_from([0.01, 0.05, 0.2]))
def test_bonferroni_counts_what_holm_identifies(values, alpha):
    counted = partial_conjunction.k_hat(values, alpha, "bonferroni")
    identified = multiple_testing.identify(values, alpha, "holm").sum(axis=-1)
    np.testing.assert_array_equal(counted, identified)


@given(values=families)
def test_simes_counts_at_least_what_bonferroni_counts(values):
    assert np.all(
        partial_conjunction.k_hat(values, 0.05, "simes") >= partial_conjunction.k_hat(values, 0.05)
    )


def by_definition(pvalues):
    """Simes's p-values and Hommel's adjusted ones from all ranks and all sizes."""
    n, ordered = len(pvalues), np.sort(pvalues)
    ranks = np.arange(1.0, n + 1)
    simes = [
        least_alpha(ordered[n - m :], m / ranks[:m]).min() for m in range(n, 0, -1)
    ]  # of the m largest
    simes = np.maximum.accumulate(np.minimum(simes, 1))
    above = [*simes[::-1], 0.0]  # the largest of more than m
    hommel = [
        min(max(above[m], least_alpha(p, float(m))) for m in range(1, n + 1)) for p in pvalues
    ]
    return simes, np.minimum(hommel, 1)


def on_lines(n):
    """Families of which several p-values decide together, or nearly so."""
    line, rng = np.arange(1, n + 1) / n, np.random.default_rng(n)
    for power in (0.5, 1, 1.01, 2):
        yield line**power
        for ulps in (1, 3, 30):
            yield rng.permutation(
                np.minimum(line**power * (1 + rng.integers(-ulps, ulps, n) * 2.0**-52), 1)
            )
    yield 0.05 * line
    yield line - np.arange(1, n + 1) ** 2 * 2.0**-51 / n  # bends down by less than rounding
    yield np.where(line < 0.7, line**3, 1)  # a convex run that ends in ties
    yield np.floor(rng.random(n) * 5) / 5
    yield 10.0 ** -rng.integers(0, 290, n)
    yield 0.05 / rng.integers(1, n + 1, n)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 3, 8, 9, 40, 101])
def test_simes_and_hommel_are_those_of_all_ranks_to_the_last_bit(n):
    families = np.array(list(on_lines(n)))
    simes = partial_conjunction.partial_conjunction_pvalues(families, "simes")
    hommel = multiple_testing.adjusted_pvalues(families, "hommel")
    for family, *found in zip(families, simes, hommel, strict=True):
        np.testing.assert_array_equal(found, by_definition(family))


def test_blocks_on_several_threads_give_the_bytes_of_one_block(monkeypatch):
    values = np.random.default_rng(5).random((300, 7)) ** 3
    compute = [
        lambda: partial_conjunction.partial_conjunction_pvalues(values, "simes"),
        lambda: multiple_testing.adjusted_pvalues(values, "hommel"),
    ]
    whole = [made() for made in compute]
    monkeypatch.setattr("replicability.stats.families.CHUNK_VALUES", 50)
    for made, expected in zip(compute, whole, strict=True):
        np.testing.assert_array_equal(made(), expected)


@methods
def test_axis_and_batch_shape(method):
    values = np.random.default_rng(1).random((2, 3, 5)) ** 4
    rows = partial_conjunction.k_hat(values, 0.05, method)
    assert rows.shape == (2, 3)
    np.testing.assert_array_equal(
        partial_conjunction.k_hat(np.moveaxis(values, -1, 0), 0.05, method, axis=0), rows
    )
    single = partial_conjunction.k_hat(values[1, 2], 0.05, method)
    assert isinstance(single, int)
    assert single == rows[1, 2]
    moved = partial_conjunction.partial_conjunction_pvalues(
        np.moveaxis(values, -1, 0), method, axis=0
    )
    np.testing.assert_array_equal(
        np.moveaxis(moved, 0, -1), partial_conjunction.partial_conjunction_pvalues(values, method)
    )


@methods
def test_chunks_do_not_matter(method, monkeypatch):
    values = np.random.default_rng(2).random((500, 7)) ** 3
    whole = partial_conjunction.k_hat(values, 0.05, method)
    monkeypatch.setattr("replicability.stats.families.CHUNK_VALUES", 21)
    np.testing.assert_array_equal(partial_conjunction.k_hat(values, 0.05, method), whole)


@methods
def test_an_empty_batch_gives_an_empty_answer(method):
    assert partial_conjunction.k_hat(np.empty((0, 5)), 0.05, method).shape == (0,)


@pytest.mark.parametrize(
    ("method", "rho", "n_families"), [("fisher", 0, 40_000), ("simes", 0.5, 40_000)]
)
def test_k_hat_exceeds_k_no_more_often_than_alpha(method, rho, n_families):
    groups = [simulation.Group(6, rho, effect=2.5), simulation.Group(10, rho)]
    found = simulation.distribution(groups, n_families, 5, 0.05, [method])
    assert found.overestimated(method) <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / n_families)
    assert found.overestimated(method) > 0  # the bound is not vacuous


@given(values=families, seed=st.integers(0, 2**32 - 1))
def test_one_sided_pvalues_of_both_directions_add_up_to_one(values, seed):
    differences = np.random.default_rng(seed).normal(size=values.shape)
    greater = partial_conjunction.one_sided(values, differences)
    np.testing.assert_allclose(greater + partial_conjunction.one_sided(values, -differences), 1)
    np.testing.assert_allclose(2 * np.minimum(greater, 1 - greater), values, atol=1e-15)


def test_one_sided_against_a_test_that_has_all_three():
    # scipy: the z test of a mean, in its three alternatives
    z = np.array([-2.2, -0.3, 0.1, 1.9])
    two_sided = 2 * stats.norm.sf(abs(z))
    np.testing.assert_allclose(partial_conjunction.one_sided(two_sided, z), stats.norm.sf(z))


def test_equal_scores_favour_neither_system():
    assert partial_conjunction.one_sided([0.02], [0.0]) == pytest.approx(0.99)


def test_a_zero_among_ones_is_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert partial_conjunction.k_hat([0.0, 0.0, 1.0], 0.05, "fisher") == 2
        assert partial_conjunction.k_hat([0.0, 1.0, 0.5], 0.05, "stouffer") == 0


def test_fisher_on_dependent_datasets_warns_with_the_size_of_the_problem():
    with pytest.warns(partial_conjunction.DependenceWarning, match="about 30%") as caught:
        partial_conjunction.k_hat(EXAMPLE, 0.05, "fisher", dependence="dependent")
    assert caught[0].filename == __file__
    found = simulation.distribution([simulation.Group(100, 0.2)], 20_000, 3, 0.05, ["fisher"])
    assert found.overestimated("fisher") == pytest.approx(0.30, abs=0.015)


@pytest.mark.parametrize("dependence", partial_conjunction.DEPENDENCE)
def test_the_recommended_method_is_valid_and_does_not_warn(dependence):
    method = partial_conjunction.recommended_method(dependence)
    assert dependence in partial_conjunction.ESTIMATORS[method].valid_under
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        partial_conjunction.k_hat(EXAMPLE, 0.05, method, dependence=dependence)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: partial_conjunction.k_hat(EXAMPLE, method="fischer"),
            "^method 'fischer' .*'fisher'",
        ),
        (lambda: partial_conjunction.k_hat(EXAMPLE, alpha=5), "alpha is 5"),
        (lambda: partial_conjunction.k_hat([0.2, 1.2]), r"pvalues\[1\] is 1.2"),
        (lambda: partial_conjunction.k_count([0.2, np.nan]), r"pvalues\[1\] is nan"),
        (
            lambda: partial_conjunction.k_hat(EXAMPLE, dependence="none"),
            "dependence 'none' is not one of",
        ),
        (
            lambda: partial_conjunction.recommended_method("depends"),
            "^dependence 'depends' is not one of .*did you mean 'dependent'",
        ),
        (
            lambda: partial_conjunction.one_sided([0.1, 0.2], [1.0]),
            r"but the differences have the shape \(1,\); pass one difference for each p-value\.$",
        ),
        (lambda: partial_conjunction.one_sided([0.1], [np.nan]), r"^differences\[0\] is nan"),
    ],
)
def test_bad_input_by_message(call, message):
    with pytest.raises(checks.InputError, match=message):
        call()


@pytest.mark.parametrize("method", ["fisher", "stouffer"])
@pytest.mark.parametrize("alpha", [0.05, 0.45, 0.9])  # of the last the mean that rejects rises
@pytest.mark.parametrize("n", [64, 65, 150, 301])
def test_many_datasets_are_counted_as_the_sums_one_by_one(method, alpha, n):
    rng = np.random.default_rng(n)
    p = rng.random((60, n)) ** rng.choice([0.3, 1, 3, 8], size=(60, n))
    p[:5, : n // 2], p[3:8, n // 3] = 0, 1
    ordered = np.sort(p, axis=-1)
    sizes = np.arange(n, 0, -1)
    with np.errstate(all="ignore"):
        if method == "fisher":
            terms, critical = -np.log(ordered), stats.chi2.isf(alpha, 2 * sizes) / 2
        else:
            terms, critical = -stats.norm.ppf(ordered), stats.norm.isf(alpha) * np.sqrt(sizes)
        rejected = np.cumsum(terms[:, ::-1], axis=-1)[:, ::-1] >= critical
    rejected[:, -1] = ordered[:, -1] <= alpha
    expected = np.logical_and.accumulate(rejected, axis=-1).sum(axis=-1)
    np.testing.assert_array_equal(partial_conjunction.k_hat(p, alpha, method), expected)


def test_minus_zero_is_the_p_value_zero():
    assert partial_conjunction.k_hat([-0.0, 0.0, 0.5]) == 2


def test_halves_without_a_family_are_not_gone_into(monkeypatch):
    calls = []
    scan = sums._leading_sums
    monkeypatch.setattr(sums, "_leading_sums", lambda *given: calls.append(1) or scan(*given))
    p = np.random.default_rng(1).random(10_000) ** 4
    partial_conjunction.k_hat(p, method="fisher")
    assert len(calls) <= 2 * np.log2(len(p))
