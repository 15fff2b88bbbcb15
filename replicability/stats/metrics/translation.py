"""Translations and other generated text: what sacrebleu counts of each segment, and its scores."""

import functools

import numpy as np

from replicability import checks
from replicability.stats.metrics.ngrams import BETA, CHARACTERS, WORDS
from replicability.stats.metrics.sums import as_array, check_lengths

SENTENCE = "sentence_"
"""Prefix of metrics that average a score over segments."""

CORPUS = ("chrf", "chrf++", "bleu", "neg_ter")
"""Corpus metrics, computed from totals over the segments."""

OF_SENTENCES = tuple(f"{SENTENCE}{name}" for name in CORPUS[:3])
"""Metrics that average the scores of sentences."""


@functools.cache
def tokenizers():
    """List the tokenizers that sacrebleu knows.

    Returns tuple of str. Their names.

    Raises `InputError`: if sacrebleu is not installed.
    """
    return tuple(_metrics("BLEU").BLEU.TOKENIZERS)


def scorer(metric, tokenize=None, references=None):
    """Return what scores translations.

    `metric`: one of `CORPUS` or `OF_SENTENCES`. `tokenize`: tokenizer of BLEU, one of `tokenizers`;
    default "13a". `references` (sequence of sequence of str): r references, with one string per
    segment each, whose n-grams are counted once for all systems.

    Returns sacrebleu.metrics.base.Metric. With sacrebleu's defaults.

    Raises `InputError`: if sacrebleu or what the tokenizer needs is not installed, there is no such
    metric or tokenizer, or the metric has none.
    """
    checks.choice("metric", metric, (*CORPUS, *OF_SENTENCES))
    found, of_sentences = _metrics(metric), metric.startswith(SENTENCE)
    name = metric.removeprefix(SENTENCE)
    if tokenize and name != "bleu":
        raise checks.InputError(
            f"{checks.named('tokenize')} chooses BLEU's tokenizer, but the metric is "
            f"{metric!r}; leave {checks.named('tokenize')} out."
        )
    if name == "neg_ter":
        return found.TER(references=references)
    if name != "bleu":
        words = WORDS if name == "chrf++" else 0
        return found.CHRF(CHARACTERS, words, BETA, references=references)
    if tokenize:
        checks.choice("tokenize", tokenize, tokenizers())
    try:
        return found.BLEU(
            force=True, tokenize=tokenize, effective_order=of_sentences, references=references
        )
    except Exception as error:  # what a tokenizer lacks, it says in many ways
        said = " ".join(str(error).split()).rstrip(".") or type(error).__name__
        raise checks.InputError(
            f"The tokenizer {tokenize!r} cannot be loaded ({said}); install the packages that it "
            f"needs, or choose another tokenizer with {checks.named('tokenize')}."
        ) from None


def segment_sums(scorer, outputs, references=None):
    """Count what the score of a corpus is computed from.

    `scorer` (sacrebleu.metrics.base.Metric): as `scorer` returns it. `outputs` (sequence of str):
    detokenised output, one string per segment. `references` (sequence of sequence of str): r
    references, with one string per segment each; by default those of the scorer.

    Returns ndarray of float64, shape (n, c). A row for each segment, for the metric of totals
    `ngrams.bleu`, `ngrams.chrf` or `ngrams.chrf_plus`; of TER the edits times -100, and the length
    of the reference, whose ratio is minus sacrebleu's score.

    Examples
    --------
    >>> segment_sums(scorer("bleu"), ["the cat sat"], [["the cat sat down"]])
    array([[3., 4., 3., 2., 1., 0., 3., 2., 1., 0.]])
    """
    rows = np.array(scorer._extract_corpus_statistics(outputs, references), dtype=float)
    return rows * (-100, 1) if rows.shape[1] == 2 else rows


def sentence_scores(scorer, outputs, references=None):
    """Score each segment by itself, as ``sacrebleu --sentence-level`` does.

    `scorer`, `outputs`, `references`: as for `segment_sums`.

    Returns ndarray of float64, shape (n,). The scores.
    """
    return scores_of_sums(scorer, segment_sums(scorer, outputs, references))


def scores_of_sums(scorer, sums):
    """Score each segment by what was counted of it.

    `scorer` (sacrebleu.metrics.base.Metric): as `scorer` returns it for one of `OF_SENTENCES`.
    `sums` (array_like of float, shape (n, c)): as `segment_sums` returns them.

    Returns ndarray of float64, shape (n,). The scores, those of `sentence_scores`.
    """
    return np.array([scorer._aggregate_and_compute([row]).score for row in np.asarray(sums)])


def signature(scorer, metric):
    """Say how a metric was computed, as sacrebleu does.

    `scorer` (sacrebleu.metrics.base.Metric): one that has counted something. `metric`: its name.

    Returns str. Name and signature, such as
    ``BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp| version:2.6.0``; what is negative or a mean
    of sentences is said before it.
    """
    base = metric.removeprefix(SENTENCE)
    names = {"bleu": "BLEU", "chrf": f"chrF{BETA}", "chrf++": f"chrF{BETA}++", "neg_ter": "-TER"}
    begin = "mean of sentences' " if base != metric else ""
    return f"{begin}{names[base]}|{scorer.get_signature()}"


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
    found = _metrics("bleu").BLEU
    for name in options:
        checks.choice("option", name, ("lowercase", "tokenize", "trg_lang"))
    check_lengths(hypotheses, references)
    scorer = found(effective_order=True, **options)  # statistics do not depend on the order
    rows = []
    for index, (output, reference) in enumerate(zip(hypotheses, references, strict=True)):
        texts = [reference] if isinstance(reference, str) else list(reference)
        if not texts:
            raise checks.InputError(f"Segment {index} has no reference translation; leave it out.")
        score = scorer.sentence_score(output, texts)
        rows.append([score.sys_len, score.ref_len, *score.counts, *score.totals])
    return as_array(rows, columns=10)


def _metrics(name):
    """Import sacrebleu, which nothing else needs."""
    try:
        from sacrebleu import metrics
        from sacrebleu.metrics import BLEU  # noqa: F401 - an import of its own may fail
    except ImportError:
        what = name.removeprefix(SENTENCE).removeprefix("neg_").upper().replace("CHRF", "chrF")
        raise checks.InputError(
            f"{what} is computed with sacrebleu, which is not installed; run pip install sacrebleu."
        ) from None
    return metrics
