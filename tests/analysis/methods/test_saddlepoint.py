"""The paired bootstrap without resampling, against exact values and against resamples."""

import numpy as np
import pytest

from analysis.methods import saddlepoint
from replicability.checks import InputError
from replicability.stats import metrics, resampling
from replicability.stats.exact import ideal_bootstrap


def ratios(numerator, denominator):
    return np.stack([np.asarray(numerator, float), np.asarray(denominator, float)], -1)[:, None]


def sentences(n, seed, lead=0.02):
    """Words right of two systems in sentences of different lengths, and the words."""
    rng = np.random.default_rng(seed)
    words = rng.integers(1, 40, n)
    easy = rng.beta(9, 1, n)
    return rng.binomial(words, easy), rng.binomial(words, easy * (1 - lead)), words


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("n", "tolerance"), [(40, 0.005), (200, 0.001)])
def test_ratios_agree_with_the_exact_bootstrap(n, tolerance, seed):
    a, b, words = sentences(n, seed)
    difference, p = saddlepoint.bootstrap_pvalues(
        ratios(a, words), ratios(b, words), np.ones((1, n), bool)
    )
    assert difference[0] == pytest.approx((a - b).sum() / words.sum(), abs=1e-12)
    alternative = "greater" if difference[0] > 0 else "less"
    exact = ideal_bootstrap(a - b, words, alternative=alternative).probability
    assert p[0] == pytest.approx(exact, abs=tolerance)


def test_small_pvalues_keep_their_relative_accuracy():
    a, b, words = sentences(200, 3, lead=0.1)
    p = saddlepoint.bootstrap_pvalues(ratios(a, words), ratios(b, words), np.ones((1, 200)))[1][0]
    exact = ideal_bootstrap(a - b, words).probability
    assert exact < 1e-6
    assert p == pytest.approx(exact, rel=0.02)


def spans(n, seed):
    """Correct, guessed and gold spans of four types, of two systems that share the gold spans."""
    rng = np.random.default_rng(seed)
    gold = rng.poisson(0.5, (n, 4))
    sides = []
    for skill in (0.9, 0.88):
        correct = rng.binomial(gold, skill)
        sides.append(np.stack([correct, correct + rng.poisson(0.06, (n, 4)), gold], axis=-1))
    return sides


def macro_f1(totals):
    return metrics.f1(totals.reshape(*totals.shape[:-1], 4, 3)).mean(axis=-1)


def test_f1_agrees_with_resampling():
    a, b = spans(400, 1)
    f1 = [np.stack([2 * s[..., 0], s[..., 1] + s[..., 2]], axis=-1) for s in (a, b)]
    everything = np.ones((1, 400), bool)
    for sides, sums, metric in (
        ([s.sum(axis=1, keepdims=True) for s in f1], [s.sum(axis=1) for s in (a, b)], metrics.f1),
        (f1, [s.reshape(400, -1) for s in (a, b)], macro_f1),
    ):
        difference, p = saddlepoint.bootstrap_pvalues(*sides, everything)
        alternative = "greater" if difference[0] > 0 else "less"
        drawn = resampling.bootstrap(
            *sums, metric, n_resamples=5000, rng=1, alternative=alternative
        )
        assert p[0] == pytest.approx(drawn.pvalue, abs=4 * drawn.standard_error + 0.002)


def test_samples_are_tested_as_if_alone():
    a, b, words = sentences(300, 8)
    samples = np.random.default_rng(0).random((20, 300)) < 0.4
    together = saddlepoint.bootstrap_pvalues(ratios(a, words), ratios(b, words), samples)
    for k, sample in enumerate(samples):
        sides = [ratios(x[sample], words[sample]) for x in (a, b)]
        alone = saddlepoint.bootstrap_pvalues(*sides, np.ones((1, sample.sum())))
        assert together[0][k] == pytest.approx(alone[0][0], rel=1e-9)
        assert together[1][k] == pytest.approx(alone[1][0], rel=1e-6)


def test_a_table_for_each_sample_is_the_same_as_one_for_all():
    a, b, words = sentences(100, 4)
    samples = np.random.default_rng(1).random((5, 100)) < 0.7
    one = ratios(a, words), ratios(b, words)
    each = [np.tile(x, (5, 1, 1, 1)) for x in one]
    np.testing.assert_allclose(
        saddlepoint.bootstrap_pvalues(*each, samples),
        saddlepoint.bootstrap_pvalues(*one, samples),
        rtol=1e-6,
    )


def test_systems_can_be_exchanged():
    a, b, words = sentences(150, 5)
    one, other = ratios(a, words), ratios(b, words)
    forward = saddlepoint.bootstrap_pvalues(one, other, np.ones((1, 150)))
    back = saddlepoint.bootstrap_pvalues(other, one, np.ones((1, 150)))
    assert forward[0][0] == pytest.approx(-back[0][0])
    assert forward[1][0] == pytest.approx(back[1][0], rel=1e-6)


def test_identical_systems_certain_wins_and_no_difference():
    right, nothing = ratios([1] * 9, [1] * 9), ratios([0] * 9, [1] * 9)
    everything = np.ones((1, 9))
    assert saddlepoint.bootstrap_pvalues(right, right, everything)[1][0] == 1
    assert saddlepoint.bootstrap_pvalues(right, nothing, everything)[1][0] == 0
    a, b = ratios([1, 0] * 50, [1] * 100), ratios([0, 1] * 50, [1] * 100)
    assert saddlepoint.bootstrap_pvalues(a, b, np.ones((1, 100)))[1][0] == pytest.approx(0.5)


def test_a_sample_without_a_denominator_has_no_pvalue():
    a, b = ratios([1, 0, 1], [1, 0, 1]), ratios([0, 0, 1], [1, 0, 1])
    samples = np.array([[True, True, True], [False, True, False]])
    difference, p = saddlepoint.bootstrap_pvalues(a, b, samples)
    assert difference[0] == 0.5
    assert np.isnan([difference[1], p[1]]).all()


def test_it_is_calibrated_where_nothing_is_to_be_found():
    a, b, words = sentences(120, 6, lead=0.0)
    exchanged = np.random.default_rng(2).random((1000, 120, 1, 1)) < 0.5
    one, other = ratios(a, words), ratios(b, words)
    sides = np.where(exchanged, other, one), np.where(exchanged, one, other)
    p = 2 * saddlepoint.bootstrap_pvalues(*sides, np.ones((1000, 120)))[1]
    assert (p <= 0.05).mean() == pytest.approx(0.05, abs=0.02)


@pytest.mark.parametrize(
    ("a", "samples", "message"),
    [
        (np.ones((3, 2)), np.ones((1, 3)), r"a has shape \(3, 2\) and samples have shape \(1, 3\)"),
        (np.ones((3, 1, 2)), np.ones((1, 4)), r"\(k, n\) samples of the same n items"),
        (np.full((3, 1, 2), np.nan), np.ones((1, 3)), "a contains a number that is not finite"),
    ],
)
def test_bad_input_is_refused(a, samples, message):
    with pytest.raises(InputError, match=message):
        saddlepoint.bootstrap_pvalues(a, a, samples)
