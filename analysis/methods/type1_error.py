r"""Does a test of one dataset keep its level? Simulations in which the null hypothesis is true.

=======================  ===================================================================
model                    scores, all of which draw both systems from one law but `uneven`
=======================  ===================================================================
`binary`                 right or wrong; the systems differ on a fifth of the items
`counts`                 words right in each sentence
`sentence_accuracies`    share of words right in each sentence: many ties, many ones
`normal`                 normal, the systems correlated
`uneven`                 words right, with equal means but unlike errors: no symmetry
`ratings`                normal ratings that agree equally well, .6, with gold ratings
`close_ratings`          the same with .8
=======================  ===================================================================

`MODELS` maps each name to its function ``(n, n_repetitions, rng) -> Scores``; `rejection_rates`
runs one test of `paired.TESTS` on many draws of a model, `rejection_table` a list of cases.
Every test is one-sided: it rejects "A is not better" where p <= alpha.
"""

import contextlib
import zlib
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from scipy import special, stats
from tqdm import tqdm

from replicability import checks
from replicability.stats import correlation, paired

CHUNK_REPETITIONS = 1000
"""Repetitions drawn at once: part of what a seed means, so never change it."""

BEYOND = 3
"""Standard errors of the nominal level within which a rate is "nominal"."""


@dataclass(frozen=True)
class Scores:
    """Scores of two systems on simulated datasets.

    Attributes
    ----------
    a, b : ndarray, shape (n_repetitions, n)
        One dataset per row.
    gold : ndarray, shape (n_repetitions, n), or None
        Gold ratings, if the scores are ratings.
    """

    a: np.ndarray
    b: np.ndarray
    gold: np.ndarray | None = None


# --- models in which the null hypothesis is true --------------------------------------------------


def binary(n, n_repetitions, rng):
    """Draw right and wrong answers of two systems that are right equally often.

    `n`: number of items. `n_repetitions`: number of datasets. `rng`: source of random numbers.

    Returns Scores. 0 or 1. Only A is right with probability .1, only B with .1, both with .7, none
    with .1.
    """
    u = rng.random((n_repetitions, n))
    a = (u < 0.8).astype(float)
    b = ((u < 0.7) | ((u >= 0.8) & (u < 0.9))).astype(float)
    return Scores(a, b)


def counts(n, n_repetitions, rng):
    """Draw how many words of each sentence two systems get right.

    Returns Scores. Whole numbers. A sentence has 1 + Poisson(9) words and a difficulty, Beta(18, 2)
    with mean .9; given both, the systems are independent and follow one binomial law.
    """
    _, a, b = _sentences(n, n_repetitions, rng)
    return Scores(a, b)


def sentence_accuracies(n, n_repetitions, rng):
    """Draw the accuracies of two taggers on each sentence.

    Returns Scores. In [0, 1]: the words right of `counts`, divided by the words of the sentence.
    """
    words, a, b = _sentences(n, n_repetitions, rng)
    return Scores(a / words, b / words)


def normal(n, n_repetitions, rng):
    """Draw normal scores with a correlation of one half.

    Returns Scores. Means 0, variances 1; the differences are standard normal.
    """
    a, b, shared = rng.standard_normal((3, n_repetitions, n))
    return Scores((a + shared) / np.sqrt(2), (b + shared) / np.sqrt(2))


def uneven(n, n_repetitions, rng):
    """Draw words right for two systems with equal means but unlike errors.

    Returns Scores. Of 10 words A gets 4 wrong in a tenth of the sentences, B gets 1 wrong in four
    tenths. The means are equal, 9.6, and nothing else: the null hypothesis of a test of means is
    true, that of a test of symmetry (Wilcoxon, sign test, sign-flip) is not.
    """
    u, v = rng.random((2, n_repetitions, n))
    return Scores(10.0 - 4.0 * (u < 0.1), 10.0 - (v < 0.4))


def ratings(n, n_repetitions, rng):
    """Draw gold ratings and two systems that agree equally with them, and with each other.

    Returns Scores. Normal ratings with all three correlations .6.
    """
    return _ratings(n, n_repetitions, rng, 0.6)


def close_ratings(n, n_repetitions, rng):
    """Draw ratings as `ratings` does, but closer to each other.

    Returns Scores. Normal ratings with all three correlations .8.
    """
    return _ratings(n, n_repetitions, rng, 0.8)


MODELS = {
    "binary": binary,
    "counts": counts,
    "sentence_accuracies": sentence_accuracies,
    "normal": normal,
    "uneven": uneven,
    "ratings": ratings,
    "close_ratings": close_ratings,
}
"""Name -> model."""


def _sentences(n, n_repetitions, rng):
    words = 1 + rng.poisson(9, (n_repetitions, n))
    easiness = rng.beta(18, 2, (n_repetitions, n))
    a, b = rng.binomial(words, easiness, (2, n_repetitions, n)).astype(float)
    return words, a, b


def _ratings(n, n_repetitions, rng, agreement):
    common = rng.standard_normal((n_repetitions, n))
    own = rng.standard_normal((3, n_repetitions, n))
    gold, a, b = np.sqrt(agreement) * common + np.sqrt(1 - agreement) * own
    return Scores(a, b, gold)


# --- rejection rates ------------------------------------------------------------------------------


@dataclass(frozen=True)
class RejectionRates:
    """How often a test rejected a true null hypothesis.

    Attributes
    ----------
    test, model : str
        Names in `paired.TESTS` and `MODELS`.
    n : int
        Number of items of a dataset.
    n_repetitions : int
        Number of datasets.
    alphas : tuple of float
        Nominal levels.
    rates : tuple of float
        For each level the share of datasets with p <= alpha.
    standard_errors : tuple of float
        Binomial standard errors of the rates.
    """

    test: str
    model: str
    n: int
    n_repetitions: int
    alphas: tuple
    rates: tuple
    standard_errors: tuple


def rejection_rates(test, model, n, n_repetitions, seed, alphas=(0.05, 0.01), **options):
    """Estimate how often a test rejects a true null hypothesis.

    `test`: a key of `paired.TESTS`. `model`: a key of `MODELS`. `n`: number of items, at least 2.
    `n_repetitions`: number of datasets, at least 1. `seed`: entropy of a
    `numpy.random.SeedSequence`; every (test, model, n) has a child of its own, so that the result
    depends on nothing else. Variants of a test see the same datasets. `alphas` (sequence of float):
    nominal levels, each in (0, 1). `**options`: options of the test, as for `paired.run`.

    Returns RejectionRates. Rates and their standard errors.

    Raises `InputError`: if a name, number, level or option is not valid, or the test needs gold
    ratings and the model has none, or the reverse.

    Notes
    -----
    McNemar's test, the sign test, the t-test and the tests of correlations are computed for all
    datasets at once, others one by one. A dataset that a test refuses, such as one with constant
    differences for the t-test, is not rejected.

    Examples
    --------
    >>> found = rejection_rates("mcnemar", "binary", 50, 1000, 2017)
    >>> [rate <= alpha for rate, alpha in zip(found.rates, found.alphas)]
    [True, True]
    """
    takes = paired.lookup(test).options
    checks.choice("model", model, MODELS)
    n, n_repetitions = (
        checks.at_least("n", n, 2),
        checks.at_least("n_repetitions", n_repetitions, 1),
    )
    alphas = tuple(checks.alpha(value) for value in alphas)
    for name in ("alternative", "gold", "rng"):
        if name in options:
            raise checks.InputError(
                f"rejection_rates sets the option {name!r} itself; leave it out."
            )
    key = (zlib.crc32(test.encode()), zlib.crc32(model.encode()), n)
    drawn, resampled = np.random.SeedSequence(seed, spawn_key=key).spawn(2)
    rng = np.random.default_rng(drawn)
    rejected = np.zeros(len(alphas), dtype=np.int64)
    for start in range(0, n_repetitions, CHUNK_REPETITIONS):
        scores = MODELS[model](n, min(CHUNK_REPETITIONS, n_repetitions - start), rng)
        if start == 0:
            _check(test, model, scores, takes, options)
        if test in _AT_ONCE:
            p = _AT_ONCE[test](scores, **options)
        else:
            p = one_by_one(_greater(test), test, scores, resampled, options)
        rejected += np.count_nonzero(p <= np.array(alphas)[:, None], axis=1)
    rates = rejected / n_repetitions
    errors = np.sqrt(rates * (1 - rates) / n_repetitions)
    return RejectionRates(
        test, model, n, n_repetitions, alphas, tuple(rates.tolist()), tuple(errors.tolist())
    )


def verdict(rate, alpha, n_repetitions):
    """Judge a rejection rate by a z-test against the nominal level.

    `rate`: share of datasets on which the true null hypothesis was rejected. `alpha`: nominal
    level, in (0, 1). `n_repetitions`: number of datasets.

    Returns {"nominal", "conservative", "anti-conservative"}. "nominal" within `BEYOND` standard
    errors of the nominal level, which by chance is missed about once in 400 times.

    Examples
    --------
    >>> verdict(0.06, 0.05, 1000), verdict(0.06, 0.05, 10_000), verdict(0.0, 0.05, 1000)
    ('nominal', 'anti-conservative', 'conservative')
    """
    alpha = checks.alpha(alpha)
    z = (rate - alpha) / np.sqrt(
        alpha * (1 - alpha) / checks.at_least("n_repetitions", n_repetitions, 1)
    )
    if abs(z) <= BEYOND:
        return "nominal"
    return "anti-conservative" if z > 0 else "conservative"


@dataclass(frozen=True)
class Case:
    """A test on a model, with a name for readers.

    Attributes
    ----------
    title : str
        Name of the test and its options.
    test, model : str
        Names in `paired.TESTS` and `MODELS`.
    options : dict
        Options of the test.
    """

    title: str
    test: str
    model: str
    options: dict = field(default_factory=dict)


def rejection_table(cases, sample_sizes, n_repetitions, seed, alphas=(0.05, 0.01)):
    """Tabulate rejection rates by test and sample size.

    `cases`: at least one. `sample_sizes`: numbers of items.

    Returns DataFrame. One row per case, sample size and level: ``title``, ``test``, ``model``,
    ``n``, ``n_repetitions``, ``alpha``, ``rate``, ``standard_error``, ``verdict``.

    Raises `InputError`: as `rejection_rates`, and if there is no case or no sample size.
    """
    cells, rows = crossed(cases, sample_sizes), []
    for case, n in tqdm(
        cells, desc="simulating tests", unit="cell", delay=1, leave=False, disable=None
    ):
        found = rejection_rates(
            case.test, case.model, n, n_repetitions, seed, alphas, **case.options
        )
        for alpha, rate, error in zip(
            found.alphas, found.rates, found.standard_errors, strict=True
        ):
            rows.append(
                {
                    "title": case.title,
                    "test": case.test,
                    "model": case.model,
                    "n": n,
                    "n_repetitions": n_repetitions,
                    "alpha": alpha,
                    "rate": rate,
                    "standard_error": error,
                    "verdict": verdict(rate, alpha, n_repetitions),
                }
            )
    return pd.DataFrame(rows)


def crossed(cases, sample_sizes):
    """Return each case with each sample size, or refuse that there is none."""
    cells = [(case, checks.at_least("n", n, 2)) for case in cases for n in sample_sizes]
    if not cells:
        raise checks.InputError(
            "There is nothing to tabulate; pass at least one case and one sample size."
        )
    return cells


def _check(test, model, scores, takes, options):
    """Check that test and model go together, and the options by running the test itself."""
    if ("gold" in takes) != (scores.gold is not None):
        has = "needs gold ratings" if "gold" in takes else "takes no gold ratings"
        raise checks.InputError(
            f"Test {test!r} {has}, so it does not fit model {model!r}; choose another model."
        )
    gold = {} if scores.gold is None else {"gold": scores.gold[0]}
    paired.run(test, scores.a[0], scores.b[0], **gold, **options)


# --- p-values of all datasets --------------------------------------------------------------------


def one_by_one(pvalue, test, scores, resampled, options):
    """Return the p-value of each dataset by a function ``(a, b, **options) -> float``.

    `test`: a name in `paired.TESTS`; if it draws, each dataset has a child of the seed `resampled`.
    """
    draws = "rng" in paired.lookup(test).options
    p = np.ones(len(scores.a))
    for index, (a, b) in enumerate(zip(scores.a, scores.b, strict=True)):
        given = options | ({} if scores.gold is None else {"gold": scores.gold[index]})
        given |= {"rng": resampled.spawn(1)[0]} if draws else {}
        p[index] = pvalue(a, b, **given)
    return p


def _greater(test):
    """Return a function that gives the p-value of "A is better", 1 where the test refuses."""
    function = paired.lookup(test).function

    def pvalue(a, b, **given):
        with contextlib.suppress(checks.InputError):
            return function(a, b, alternative="greater", **given).pvalue
        return 1

    return pvalue


def _count_signs(scores, variant="exact", **_):
    wins = np.count_nonzero(scores.a > scores.b, axis=1)
    losses = np.count_nonzero(scores.a < scores.b, axis=1)
    return paired.mcnemar_pvalues(wins, losses, variant=variant)


def _paired_t(scores, **_):
    d = scores.a - scores.b
    n = d.shape[1]
    mean, error = d.mean(axis=1), d.std(axis=1, ddof=1) / np.sqrt(n)
    varies = np.ptp(d, axis=1) > 0
    return np.where(varies, special.stdtr(n - 1, -mean / np.where(varies, error, 1)), 1.0)


def _correlations(function):
    def pvalues(scores, kind="spearman", **_):
        gold, a, b = (_standardised(x, kind) for x in (scores.gold, scores.a, scores.b))
        r = np.array([np.vecdot(gold, a), np.vecdot(gold, b), np.vecdot(a, b)])
        r = np.clip(r, -1, 1)
        bounds = correlation.possible_r_kh(r[0], r[1])
        fine = (bounds.low < r[2]) & (r[2] < bounds.high) & (np.abs(r) < 1 - 1e-12).all(axis=0)
        p = np.ones(len(fine))
        p[fine] = function(*r[:, fine], a.shape[1]).pvalue
        return p

    return pvalues


def _standardised(values, kind):
    """Centre and scale each row, or its ranks, to length 1."""
    if kind == "spearman":
        values = stats.rankdata(values, axis=1)
    values = values - values.mean(axis=1, keepdims=True)
    return values / np.linalg.norm(values, axis=1, keepdims=True)


_AT_ONCE = {
    "mcnemar": _count_signs,
    "sign_test": _count_signs,
    "paired_t": _paired_t,
    "steiger": _correlations(correlation.steiger1980),
    "williams": _correlations(correlation.williams1959),
    "meng": _correlations(correlation.meng1992),
}
"""Test -> p-values of all datasets at once; equal to those of `paired.run` on each."""
