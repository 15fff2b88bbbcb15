"""Corpus BLEU: the statistics of each segment, and the score of their totals."""

import numpy as np

from replicability import checks
from replicability.stats.metrics.sums import as_array, check_lengths


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
        BLEU in [0, 100], equal to the score of ``sacrebleu.corpus_bleu``.
    """
    totals = np.asarray(totals, dtype=float)
    length, reference = totals[..., 0], totals[..., 1]
    matched, grams = totals[..., 2:6], totals[..., 6:10]
    missing = matched == 0
    halvings = np.cumsum(missing, axis=-1)  # the i-th order without a match counts 1 / 2**i
    with np.errstate(divide="ignore", invalid="ignore"):
        precisions = np.where(missing, 0.5**halvings, matched) / grams
        brevity = np.minimum(1 - reference / length, 0)
        score = 100 * np.exp(brevity + np.log(precisions).mean(axis=-1))
    return np.where((grams > 0).all(axis=-1) & ~missing.all(axis=-1), score, 0.0)


def bleu_sums(hypotheses, references, **options):
    """Collect the statistics of corpus BLEU from sacrebleu.

    Parameters
    ----------
    hypotheses : sequence of str
        Detokenised output, one string per segment.
    references : sequence of str, or sequence of sequences of str
        One reference per segment, or several.
    **options
        How `sacrebleu.metrics.BLEU` reads text: `lowercase`, `tokenize`, `trg_lang`.

    Returns
    -------
    ndarray of float64, shape (n, 10)
        Length of the output, length of the closest reference, matched n-grams for n = 1, ..., 4 and
        all n-grams of the output for n = 1, ..., 4, of each segment.

    Raises
    ------
    InputError
        If the numbers of segments differ, a segment has no reference, or an option is unknown.

    Examples
    --------
    >>> bleu_sums(["the cat sat"], ["the cat sat down"])
    array([[3., 4., 3., 2., 1., 0., 3., 2., 1., 0.]])
    """
    try:
        from sacrebleu.metrics import BLEU  # which nothing else needs
    except ImportError:
        raise checks.InputError(
            "BLEU is counted by sacrebleu, which is not installed; install it with pip install "
            "sacrebleu."
        ) from None
    for name in options:
        checks.choice("option", name, ("lowercase", "tokenize", "trg_lang"))
    check_lengths(hypotheses, references)
    scorer = BLEU(effective_order=True, **options)  # statistics do not depend on the order
    rows = []
    for index, (output, reference) in enumerate(zip(hypotheses, references, strict=True)):
        texts = [reference] if isinstance(reference, str) else list(reference)
        if not texts:
            raise checks.InputError(f"Segment {index} has no reference; leave it out.")
        score = scorer.sentence_score(output, texts)
        rows.append([score.sys_len, score.ref_len, *score.counts, *score.totals])
    return as_array(rows, columns=10)
