"""Bounds for every group of datasets, against all intersections and against k-hat."""

import functools
import itertools

import numpy as np
import pytest
from closure import agrees, by_enumeration, families
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special, stats

from analysis.studies import read_study
from replicability.checks import InputError
from replicability.core import evaluation
from replicability.stats import (
    closed_testing,
    critical_values,
    local_tests,
    multiple_testing,
    paired,
    partial_conjunction,
    sums,
)
from replicability.stats.closed_testing import bound, curve, names

PAPER = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]
DEFINED = (
    *("bonferroni", "simes", "fisher", "stouffer"),
    *("fisher_bonferroni", "truncated_fisher", "conditional_fisher"),
)
"""Local tests that `rejects` states; each further one is stated in a test of its own."""


def rejects(p, alpha, method, tau=0.5):
    """Local test of the intersection of all hypotheses in p, straight from its definition."""
    m = len(p)
    if method == "bonferroni":
        return min(p) <= alpha / m
    if method == "simes":
        return any(x <= alpha * rank / m for rank, x in enumerate(sorted(p), 1))
    if method == "fisher":
        return stats.chi2.sf(-2 * np.log(p).sum(), 2 * m) <= alpha
    if method == "fisher_bonferroni":
        return min(p) <= alpha / m or -np.log(p).sum() >= beside_bonferroni(m, alpha)
    if method == "stouffer":
        return stats.norm.sf(stats.norm.isf(p).sum() / np.sqrt(m)) <= alpha
    kept = [x for x in p if x <= tau]
    if not kept:
        return False
    if method == "conditional_fisher":
        return stats.chi2.sf(-2 * np.log(np.divide(kept, tau)).sum(), 2 * len(kept)) <= alpha
    return truncated_tail(-np.log(kept).sum(), m, tau) <= alpha


@functools.cache
def beside_bonferroni(m, alpha):
    """f with P(S >= f or min p <= alpha/m) = alpha, by P(N large) P(S < f | none is large)."""
    x = np.log(m / alpha)

    def below(f):  # P(S < f, no p-value <= alpha/m), in fractions of exp(-kx)
        k = np.arange(m + 1)
        terms = (-1.0) ** k * special.binom(m, k) * np.exp(-k * x)
        return (terms * stats.gamma.cdf(f - k * x, m)).sum()

    if m == 1:
        return np.inf
    return optimize.brentq(lambda f: 1 - below(f) - alpha, 0, m * x, xtol=1e-13)


def truncated_tail(sum_of_logs, m, tau):
    """Zaykin et al. (2002): P(W >= w) as a mixture over the number of p-values at most tau."""
    r = np.arange(1, m + 1)
    at_least = stats.gamma.sf(sum_of_logs + r * np.log(tau), r)
    return (stats.binom.pmf(r, m, tau) * at_least).sum()


@pytest.mark.long
@pytest.mark.parametrize("method", DEFINED)
@pytest.mark.parametrize("n", [1, 2, 3, 5, 7])
def test_every_set_curve_and_name_agree_with_all_intersections(method, n):
    rng = np.random.default_rng([2011, n])
    levels, taus = itertools.cycle([0.05, 0.2, 0.01]), itertools.cycle([0.5, 0.3])
    for p, alpha, tau in zip(families(rng, n, 12), levels, taus, strict=False):
        agrees(p, method, alpha, functools.partial(rejects, method=method, tau=tau), tau=tau)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fisher", "truncated_fisher", "simes"])
def test_twelve_datasets_agree_with_all_intersections(method):
    rng = np.random.default_rng(12)
    p = families(rng, 12, 3)[1]
    d = by_enumeration(p, functools.partial(rejects, method=method), 0.05)
    for _ in range(30):
        chosen = np.flatnonzero(rng.uniform(size=12) < 0.5)
        if chosen.size:
            assert bound(p, chosen, 0.05, method) == d(chosen.tolist())


COUNTED = [name for name in closed_testing.METHODS if local_tests.load()[name].count]


@pytest.mark.parametrize("method", COUNTED)
@pytest.mark.parametrize("n", [1, 2, 6, 20, 57])
def test_of_all_datasets_it_is_k_hat(method, n):
    p = families(np.random.default_rng(n), n, 400)
    for alpha in (0.05, 0.01):
        k_hat = partial_conjunction.k_hat(p, alpha, method)
        np.testing.assert_array_equal(bound(p, None, alpha, method), k_hat)
        np.testing.assert_array_equal(curve(p, alpha, method)[:, -1], k_hat)


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.1])
@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_of_all_datasets_simess_is_k_hat_to_the_last_bit(n, alpha):
    edges = np.array([alpha / (m / rank) for m in range(1, n + 1) for rank in range(1, m + 1)])
    near = np.concatenate([edges, np.nextafter(edges, 0), np.nextafter(edges, 1), edges * 1.2])
    p = np.random.default_rng(n).choice(near, (2_000, n))
    k_hat = partial_conjunction.k_hat(p, alpha, "simes")
    np.testing.assert_array_equal(bound(p, None, alpha, "simes"), k_hat)
    np.testing.assert_array_equal(curve(p, alpha, "simes")[:, -1], k_hat)


@pytest.mark.parametrize(
    ("method", "p", "tau"),
    [("truncated_fisher", [0.01, 0.5], 0.5), ("conditional_fisher", [0.02, 0.5], 0.5)],
)
def test_a_p_value_of_tau_is_evidence(method, p, tau):
    local_test = functools.partial(rejects, method=method, tau=tau)
    agrees(np.array(p), method, 0.05, local_test, tau=tau)


def test_a_p_value_at_its_level_is_small_enough_to_name():
    p = [0.05 / 11, 0.006, *[0.9] * 10]  # eleven times the first over .05 is rounded up from 1
    assert np.ceil(11 * p[0] / 0.05) == 2
    assert names(p, 0.05, "simes").tolist() == [True] + [False] * 11
    assert multiple_testing.adjusted_pvalues(p, "hommel")[0] <= 0.05


@pytest.mark.parametrize(("method", "procedure"), [("bonferroni", "holm"), ("simes", "hommel")])
def test_names_are_those_of_the_procedure(method, procedure):
    p = families(np.random.default_rng(3), 9, 500)
    expected = multiple_testing.identify(p, 0.05, procedure)
    np.testing.assert_array_equal(names(p, 0.05, method), expected)


@pytest.mark.parametrize("method", closed_testing.METHODS)
@given(data=st.data())
def test_bounds_of_sets_fit_together(method, data):
    """Of S united with T at least the bound of S, at most that and |T|, and disjoint sets add."""
    n = data.draw(st.integers(2, 9))
    p = data.draw(st.lists(st.floats(0, 1), min_size=n, max_size=n))
    cut = data.draw(st.integers(1, n - 1))
    order = data.draw(st.permutations(range(n)))
    first, second = order[:cut], order[cut:]
    d = [bound(p, s, 0.05, method) for s in (first, second, order)]
    assert d[0] + d[1] <= d[2] <= d[0] + len(second)
    assert bound(p, sorted(first), 0.05, method) == d[0]
    assert names(p, 0.05, method).sum() <= d[2]


@pytest.mark.parametrize("method", closed_testing.METHODS)
def test_results_do_not_depend_on_the_order_or_the_batch(method):
    rng = np.random.default_rng(5)
    p = families(rng, 8, 40)
    order = rng.permutation(8)
    inside = np.arange(8) < 3
    together = bound(p, inside, 0.05, method)
    np.testing.assert_array_equal(together, [bound(row, inside, 0.05, method) for row in p])
    np.testing.assert_array_equal(
        together, bound(p[:, order].T, inside[order], 0.05, method, axis=0)
    )
    np.testing.assert_array_equal(
        names(p[:, order], 0.05, method), names(p, 0.05, method)[:, order]
    )
    np.testing.assert_array_equal(curve(p.T, 0.05, method, axis=0).T, curve(p, 0.05, method))


@pytest.mark.parametrize("method", closed_testing.METHODS)
def test_p_values_of_zero_one_and_alpha(method):
    assert bound([0.0] * 4, None, 0.05, method) == 4
    assert bound([1.0] * 4, None, 0.05, method) == 0
    assert bound([1 / 32], None, 1 / 32, method, tau=1) == 1
    assert bound([np.nextafter(1 / 32, 1)], None, 1 / 32, method, tau=1) == 0
    proved = method != "stouffer"  # its quantiles of 0 and 1 have no sum
    assert names([0.0, 1.0], 0.05, method).tolist() == [proved, False]


def test_conditional_fisher_leaves_out_where_b_is_ahead():
    p = [0.02] * 6 + [0.999] * 6
    counts = {method: bound(p, None, 0.05, method) for method in closed_testing.METHODS}
    assert counts["conditional_fisher"] == max(counts.values()) > counts["fisher"]


@pytest.mark.parametrize("tau", [0.05, 0.3, 0.5, 1])
def test_critical_values_of_truncated_sums(tau):
    critical = critical_values.truncated(12, 0.05, tau)
    for m, value in enumerate(critical, 1):
        tail = truncated_tail(value, m, tau)
        assert tail <= 0.05 * (1 + 1e-9)
        if value > -np.log(tau):
            assert tail == pytest.approx(0.05, rel=1e-8)
    if tau == 1:
        np.testing.assert_allclose(critical, special.gammainccinv(np.arange(1, 13), 0.05))


@pytest.mark.parametrize("method", closed_testing.METHODS)
def test_the_confidence_holds_for_all_sets_at_once(method):
    """Of 5 true null hypotheses and 5 effects no set may be promised more than it has."""
    rng = np.random.default_rng(2017)
    z = rng.normal(size=(4000, 10)) + np.repeat([0, 3], 5)
    p = stats.norm.sf(z)
    nulls = np.arange(10) < 5
    wrong = bound(p, nulls, 0.05, method) > 0
    order = np.argsort(p, axis=-1)
    truth = np.cumsum(~nulls[order], axis=-1)
    wrong |= (curve(p, 0.05, method) > truth).any(axis=-1)
    assert wrong.mean() <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 4000)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: bound(PAPER, []), "subset is empty; pass at least one dataset."),
        (lambda: bound(PAPER, [6]), "subset contains 6, which is not the index of a dataset; pass"),
        (lambda: bound(PAPER, [-1]), "subset contains -1, which is not the index of a dataset"),
        (lambda: bound(PAPER, [1, 1]), "subset is [1, 1], which contains a dataset twice; pass"),
        (lambda: bound(PAPER, [True]), "subset is a mask with the shape (1,), but the number of"),
        (lambda: bound(PAPER, [0.5]), "is [0.5]; pass a mask, or indices of datasets from 0 to 5."),
        (lambda: bound(PAPER, [False] * 6), "subset is empty"),
        (lambda: bound(PAPER, method="hommel"), "'hommel' is not one of bonferroni, fisher"),
        (lambda: bound(PAPER, method="truncated_fisher", tau=0), "tau is 0, but must be between"),
        (lambda: curve(PAPER, method="conditional_fisher", tau=2), "tau is 2"),
        (lambda: names(PAPER, 1), "alpha"),
        (lambda: bound([0.5, np.nan]), "pvalues[1] is nan"),
    ],
)
def test_bad_input_is_a_sentence(call, sentence):
    with pytest.raises(InputError) as error:
        call()
    assert sentence in str(error.value)


WINS = [20, 28, 69, 44, 65, 54, 86, 66, 83, 64, 99, 22, 117, 122, 122, 40, 65, 25, 20, 32, 67, 53]
WINS += [181, 185, 120, 113, 19]
LOSSES = [9, 46, 10, 22, 40, 59, 30, 51, 27, 32, 12, 8, 1, 7, 2, 21, 5, 42, 23, 35, 5, 5, 8, 7, 18]
LOSSES += [4, 44]
"""BIG-Bench Hard, 27 tasks: questions that code-davinci-002 gets right only with a chain of
thought, and only without (outputs of Suzgun et al. 2022, whose accuracies they give)."""


def test_big_bench_hard():
    """R 4.2.2, from the same numbers:

    p <- mapply(function(x, n) binom.test(x, n, alternative = "greater")$p.value,
                wins, wins + losses)
    sum(p.adjust(p, "holm") <= .05)                                          # 15
    khat <- function(f) sum(cummax(sapply(1:27, function(u) f(sort(p)[u:27]))) <= .05)
    khat(function(q) min(q * length(q) / seq_along(q)))                       # 17
    khat(function(q) pchisq(-2 * sum(log(q)), 2 * length(q), lower.tail = FALSE))  # 18
    """
    p = paired.mcnemar_pvalues(WINS, LOSSES, alternative="greater")
    for method, count in {"bonferroni": 15, "simes": 17, "fisher": 18}.items():
        assert bound(p, None, 0.05, method) == count
        assert curve(p, 0.05, method)[-1] == count
    assert names(p).sum() == 15


@pytest.mark.parametrize(
    ("comparison", "column", "counts"),
    [
        ("hitscir_lattice", "p_value", {"bonferroni": 16, "fisher": 16, "conditional_fisher": 17}),
        ("aesclsr_msda_reviews", "p_reverse", {"fisher": 11, "conditional_fisher": 11}),
    ],
)
def test_where_b_is_ahead_on_some_datasets_of_the_open_study(comparison, column, counts):
    """In R, from p: q <- p[p <= .5] / .5, then khat of q as above, with length(q) for 27."""
    study = read_study("config/open.yaml")
    (chosen,) = [c for c in study.comparisons if c.name == comparison]
    p = evaluation.evaluate(chosen)[column].to_numpy()
    for method, count in counts.items():
        assert bound(p, None, 0.05, method) == count


def test_a_hundred_and_fifty_families_agree_with_all_intersections():
    """Fisher's shortcut for sets, by the test that `rejects` states, for up to 7 datasets."""
    rng = np.random.default_rng(150)
    for _ in range(150):
        n = int(rng.integers(2, 8))
        p = families(rng, n, 1)[0]
        chosen = rng.choice(n, int(rng.integers(1, n + 1)), replace=False)
        d = by_enumeration(p, functools.partial(rejects, method="fisher"), 0.05)
        assert bound(p, chosen, 0.05, "fisher") == d(chosen.tolist())


@pytest.mark.long
@pytest.mark.parametrize("method", closed_testing.METHODS)
@given(data=st.data())
def test_the_order_of_datasets_and_of_families_does_not_matter(method, data):
    n = data.draw(st.integers(1, 8))
    row = st.lists(st.floats(0, 1), min_size=n, max_size=n)
    p = np.array(data.draw(st.lists(row, min_size=1, max_size=4)))
    order = np.array(data.draw(st.permutations(range(n))))
    lines = np.array(data.draw(st.permutations(range(len(p)))))
    inside = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n))) | (order == 0)
    turned = p[lines][:, order]
    np.testing.assert_array_equal(
        bound(turned, inside[order], 0.05, method), bound(p, inside, 0.05, method)[lines]
    )
    np.testing.assert_array_equal(
        names(turned, 0.05, method), names(p, 0.05, method)[lines][:, order]
    )
    np.testing.assert_array_equal(curve(turned, 0.05, method), curve(p, 0.05, method)[lines])


def test_blocks_of_families_do_not_matter(monkeypatch):
    p = families(np.random.default_rng(6), 7, 50)
    found = bound(p, [0, 2, 5], 0.05, "fisher")
    monkeypatch.setattr(sums, "_CELLS", 1)
    np.testing.assert_array_equal(bound(p, [0, 2, 5], 0.05, "fisher"), found)
