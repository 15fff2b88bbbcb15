"""BLEU and chrF of a corpus: the scores of totals over segments, as sacrebleu computes them."""

import math

import numpy as np

CHARACTERS = 6
"""Maximum length of the character n-grams of chrF."""

WORDS = 2
"""Maximum length of the additional word n-grams of chrF++."""

BETA = 2
"""Weight of recall relative to precision in chrF."""

_LOG, _EXP = (np.frompyfunc(function, 1, 1) for function in (math.log, math.exp))
_SUM = np.frompyfunc(lambda *four: sum(four), 4, 1)  # compensated from Python 3.12 on


def bleu(totals):
    """Corpus BLEU with sacrebleu's defaults: four orders, exponential smoothing.

    Parameters
    ----------
    totals : array_like, shape (..., 10)
        Totals of `bleu_sums`: length of the output, length of the reference, matched n-grams and
        all n-grams of the output for n = 1, ..., 4.

    Returns
    -------
    ndarray of float64, shape (...)
        BLEU in [0, 100], the same number as the score of ``sacrebleu.corpus_bleu``: each step is
        that of sacrebleu, with the logarithm and the sum of Python, which numpy's may miss by a
        last digit.
    """
    totals = np.asarray(totals, dtype=float)
    length, reference = totals[..., 0], totals[..., 1]
    matched, grams = totals[..., 2:6], totals[..., 6:10]
    missing = matched == 0
    defined = (grams > 0).all(axis=-1) & ~missing.all(axis=-1) & (length > 0)
    halvings = np.cumsum(missing, axis=-1)  # the i-th order without a match counts 1 / 2**i
    numerator, denominator = np.where(missing, 1, matched), np.where(missing, 2.0**halvings, 1)
    denominator = denominator * np.where(defined[..., None], grams, 1)
    logs = _LOG(100 * numerator / denominator).astype(float)
    total = np.asarray(_SUM(logs[..., 0], logs[..., 1], logs[..., 2], logs[..., 3])).astype(float)
    precision = _exp(total / 4)
    ratio = reference / np.where(defined, length, 1)
    brevity = np.where(length < reference, _exp(np.minimum(1 - ratio, 0)), 1.0)
    return np.where(defined, brevity * precision, 0.0)


def _exp(x):
    return np.asarray(_EXP(x)).astype(float)


def chrf(totals):
    """Corpus chrF with sacrebleu's defaults: six orders of characters, recall counts twice.

    Parameters
    ----------
    totals : array_like, shape (..., 18)
        Totals of n-grams of the output, of the reference, and of both, for each order.

    Returns
    -------
    ndarray of float64, shape (...)
        chrF in [0, 100], the same number as the score of ``sacrebleu.corpus_chrf``.

    Notes
    -----
    Popovic (2015), WMT. Precision and recall are averaged over the orders that the output and the
    reference both have.
    """
    return _f_score(totals, CHARACTERS)


def chrf_plus(totals):
    """Corpus chrF++ with sacrebleu's defaults: `chrf` with two orders of words besides.

    Parameters
    ----------
    totals : array_like, shape (..., 24)
        As for `chrf`, the orders of words behind those of characters.

    Returns
    -------
    ndarray of float64, shape (...)
        chrF++ in [0, 100], the same number as ``sacrebleu.corpus_chrf(..., word_order=2)``.

    Notes
    -----
    Popovic (2017), WMT.
    """
    return _f_score(totals, CHARACTERS + WORDS)


def _f_score(totals, orders):
    """Average precision and recall over orders, in the order of sacrebleu's steps."""
    totals = np.asarray(totals, dtype=float)
    precision = recall = used = 0.0
    for order in range(orders):
        output, reference, matched = (totals[..., 3 * order + i] for i in range(3))
        defined = (output > 0) & (reference > 0)
        precision = precision + np.where(defined, matched / np.where(defined, output, 1), 0.0)
        recall = recall + np.where(defined, matched / np.where(defined, reference, 1), 0.0)
        used = used + defined
    precision, recall = precision / np.maximum(used, 1), recall / np.maximum(used, 1)
    some = precision + recall > 0
    score = (1 + BETA**2) * precision * recall
    return 100 * np.where(some, score / np.where(some, BETA**2 * precision + recall, 1), 0.0)
