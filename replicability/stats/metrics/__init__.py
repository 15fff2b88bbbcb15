r"""Scoring: from the outputs of a system to the sums that a metric is made of.

Most metrics of a dataset are functions of totals over its instances (sentences, documents, items).
A function ``..._sums`` makes one row of numbers per instance; a `Metric` maps totals of such rows
to the number that is published. The tests of one dataset work on rows and metric alone:

===================  ===========================================  ======================
rows from            columns                                      metrics
===================  ===========================================  ======================
`accuracy_sums`      correct, words                               accuracy
`per_sentence`       ratio of the columns above, 1                mean
`attachment_sums`    correct, words (for each of UAS, LAS)        uas, las
`recall_sums`        correct, gold words                          recall
`exact_match_sums`   exact, 1                                     exact_match
`oov_sums`           correct unknown words, unknown words         oov_accuracy
`score_sums`         score, 1                                     mean
`span_sums`          correct, guessed, gold spans                 f1, precision
`bleu_sums`          lengths, matched and all n-grams             bleu
===================  ===========================================  ======================

A metric whose denominator is the same for both systems on every instance has
``common_denominator=True``; its resampling distributions can be computed instead of sampled.
Spearman's correlation is no function of sums: `rating_codes` and `spearman_difference` serve the
instances.

References
----------
Tjong Kim Sang and De Meulder (2003), CoNLL, and their conlleval for spans. Post (2018), WMT, for
sacrebleu. Dror et al. (2017), Section 6, for the metrics of the four tasks.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

from replicability import checks

# Metrics of totals


@dataclass(frozen=True)
class Metric:
    """A number that is published about a system, as a function of totals; higher is better.

    Attributes
    ----------
    name : str
        Name in configurations and tables.
    value : callable
        Totals of shape (..., c) to the metric of shape (...). Calling the metric does the same.
    common_denominator : bool
        Whether the metric is the first total over the second, and the second column depends on the
        instance and not on the system.
    """

    name: str
    value: Callable
    common_denominator: bool = False

    def __call__(self, totals):
        """Return ``value(totals)``."""
        return self.value(totals)


def ratio(totals):
    """First total over the second.

    Parameters
    ----------
    totals : array_like, shape (..., 2)
        Totals of (numerator, denominator).

    Returns
    -------
    ndarray of float64, shape (...)
        The ratio; NaN where the denominator is zero.
    """
    totals = np.asarray(totals, dtype=float)
    return _quotient(totals[..., 0], totals[..., 1], np.nan)


def precision(totals):
    """Share of the guessed spans that are correct.

    Parameters
    ----------
    totals : array_like, shape (..., 3)
        Totals of (correct, guessed, gold) spans.

    Returns
    -------
    ndarray of float64, shape (...)
        Precision; 0 if nothing is guessed, as in conlleval.
    """
    totals = np.asarray(totals, dtype=float)
    return _quotient(totals[..., 0], totals[..., 1], 0.0)


def f1(totals):
    """Harmonic mean of the precision and recall of spans.

    Parameters
    ----------
    totals : array_like, shape (..., 3)
        Totals of (correct, guessed, gold) spans.

    Returns
    -------
    ndarray of float64, shape (...)
        F1 in [0, 1]; 0 if there is neither a guessed nor a gold span, as in conlleval.
    """
    totals = np.asarray(totals, dtype=float)
    return _quotient(2 * totals[..., 0], totals[..., 1] + totals[..., 2], 0.0)


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


METRICS = {
    metric.name: metric
    for metric in (
        Metric("accuracy", ratio, common_denominator=True),
        Metric("uas", ratio, common_denominator=True),
        Metric("las", ratio, common_denominator=True),
        Metric("recall", ratio, common_denominator=True),
        Metric("exact_match", ratio, common_denominator=True),
        Metric("oov_accuracy", ratio, common_denominator=True),
        Metric("mean", ratio, common_denominator=True),
        Metric("precision", precision),
        Metric("f1", f1),
        Metric("bleu", bleu),
    )
}
"""Name -> metric of totals."""


def metric(name):
    """Return a metric by name.

    Parameters
    ----------
    name : str
        A key of `METRICS`.

    Returns
    -------
    Metric
        The metric.

    Raises
    ------
    InputError
        If there is none of that name; the message names the nearest.
    """
    return METRICS[checks.choice("metric", name, METRICS)]


def _quotient(numerator, denominator, otherwise):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominator == 0, otherwise, numerator / denominator)


# Sums from labels


def accuracy_sums(gold, predicted):
    """Count correct labels and words.

    Parameters
    ----------
    gold, predicted : sequence of labels, or sequence of sequences of labels
        One label per item, or one sequence of labels per sentence.

    Returns
    -------
    ndarray of float64, shape (n, 2)
        (correct, words) of each sentence, or (correct, 1) of each item.

    Raises
    ------
    InputError
        If the numbers of sentences, or of labels in one, differ; the message gives the first index.

    Examples
    --------
    >>> accuracy_sums([["DT", "NN"], ["VB"]], [["DT", "VB"], ["VB"]])
    array([[1., 2.],
           [1., 1.]])
    """
    gold, predicted = _sentences(gold, predicted)
    return _array(
        [(_agreements(g, p), len(g)) for g, p in zip(gold, predicted, strict=True)], columns=2
    )


def per_sentence(sums):
    """Turn (correct, words) into the accuracy of each sentence, to be averaged over sentences.

    Parameters
    ----------
    sums : array_like, shape (n, 2)
        Numerators and denominators of each sentence.

    Returns
    -------
    ndarray of float64, shape (n, 2)
        (ratio, 1) of each sentence, for the metric "mean".

    Raises
    ------
    InputError
        If a sentence has the denominator 0.
    """
    sums = np.asarray(sums, dtype=float)
    empty = np.flatnonzero(sums[:, 1] == 0)
    if empty.size:
        raise checks.InputError(
            f"Sentence {empty[0]} has nothing to count, so that its accuracy is not defined; leave "
            "it out for both systems."
        )
    return score_sums(sums[:, 0] / sums[:, 1])


@dataclass(frozen=True)
class Attachment:
    """Sums for the attachment scores of a parser.

    Attributes
    ----------
    uas : ndarray of float64, shape (n, 2)
        (words with the correct head, words) of each sentence.
    las : ndarray of float64, shape (n, 2)
        (words with the correct head and relation, words) of each sentence.
    """

    uas: np.ndarray
    las: np.ndarray


def attachment_sums(gold_heads, heads, gold_relations, relations):
    """Count words with the correct head, and with the correct head and relation.

    Parameters
    ----------
    gold_heads, heads : sequence of sequences of int
        Position of the head of each word, sentence by sentence.
    gold_relations, relations : sequence of sequences of str
        Relation of each word to its head.

    Returns
    -------
    Attachment
        Sums for UAS and for LAS.

    Raises
    ------
    InputError
        If the four differ in the number of sentences, or of words in one.
    """
    for other in (heads, gold_relations, relations):
        _sentences(gold_heads, other)
    gold = [list(zip(*pair, strict=True)) for pair in zip(gold_heads, gold_relations, strict=True)]
    guess = [list(zip(*pair, strict=True)) for pair in zip(heads, relations, strict=True)]
    both = [(_agreements(g, p), len(g)) for g, p in zip(gold, guess, strict=True)]
    return Attachment(accuracy_sums(gold_heads, heads), _array(both, columns=2))


def recall_sums(correct, gold):
    """Pair the correct words of each instance with its gold words.

    Parameters
    ----------
    correct : array_like, shape (n,)
        Number of gold words that the system found (and labelled correctly).
    gold : array_like, shape (n,)
        Number of gold words, the same for every system.

    Returns
    -------
    ndarray of float64, shape (n, 2)
        (correct, gold) of each instance.

    Raises
    ------
    InputError
        If the lengths differ or a number is not between 0 and the number of gold words.
    """
    correct, gold = np.asarray(correct, dtype=float), np.asarray(gold, dtype=float)
    _same_length(correct, gold)
    bad = np.flatnonzero(~((correct >= 0) & (correct <= gold)))
    if bad.size:
        raise checks.InputError(
            f"Instance {bad[0]} has {correct[bad[0]]:g} correct of {gold[bad[0]]:g} gold words; "
            "the first lies between 0 and the second."
        )
    return np.column_stack([correct, gold])


def exact_match_sums(gold, predicted):
    """Mark the instances whose whole output is correct.

    Parameters
    ----------
    gold, predicted : sequence
        One label, answer or sequence of labels per instance.

    Returns
    -------
    ndarray of float64, shape (n, 2)
        (1 if equal else 0, 1) of each instance.

    Raises
    ------
    InputError
        If the numbers of instances differ.
    """
    _same_length(gold, predicted)
    equal = [_plain(g) == _plain(p) for g, p in zip(gold, predicted, strict=True)]
    return score_sums(np.array(equal, dtype=float))


def oov_sums(gold, predicted, known):
    """Count correct labels and words among the words that are not in the training vocabulary.

    Parameters
    ----------
    gold, predicted : sequence of sequences of labels
        Labels of each word, sentence by sentence.
    known : sequence of sequences of bool
        Whether each word is in the vocabulary, as from `known_words`.

    Returns
    -------
    ndarray of float64, shape (n, 2)
        (correct unknown words, unknown words) of each sentence; both may be zero.

    Raises
    ------
    InputError
        If the three differ in the number of sentences, or of words in one.
    """
    gold, predicted = _sentences(gold, predicted)
    _, known = _sentences(gold, known)
    rows = []
    for triple in zip(gold, predicted, known, strict=True):
        unknown = [(g, p) for g, p, k in zip(*triple, strict=True) if not k]
        rows.append((sum(g == p for g, p in unknown), len(unknown)))
    return _array(rows, columns=2)


def known_words(sentences, vocabulary):
    """Tell which words are in a vocabulary.

    Parameters
    ----------
    sentences : sequence of sequences of str
        The words.
    vocabulary : container of str
        The words of the training data; a set makes this fast.

    Returns
    -------
    list of list of bool
        Whether each word is in the vocabulary.
    """
    return [[word in vocabulary for word in sentence] for sentence in sentences]


def score_sums(scores):
    """Turn one score per instance into sums for the metric "mean".

    Parameters
    ----------
    scores : array_like, shape (n,)
        Finite scores.

    Returns
    -------
    ndarray of float64, shape (n, 2)
        (score, 1) of each instance.

    Raises
    ------
    InputError
        If a score is NaN or infinite, or there is not one number per instance.
    """
    scores = np.asarray(scores, dtype=float)
    if scores.ndim != 1:
        raise checks.InputError(
            f"The scores have shape {scores.shape}; pass one number for each instance."
        )
    bad = np.flatnonzero(~np.isfinite(scores))
    if bad.size:
        raise checks.InputError(
            f"The score of instance {bad[0]} is {scores[bad[0]]}; score every instance with a "
            "finite number, or leave it out for both systems."
        )
    return np.column_stack([scores, np.ones(len(scores))])


# Spans

_PREFIXES = {"B": "B", "I": "I", "E": "E", "S": "S", "L": "E", "U": "S"}


def span_sums(gold_tags, tags):
    """Count correct, guessed and gold spans, as conlleval does.

    Parameters
    ----------
    gold_tags, tags : sequence of sequences of str
        Tags of each word ("O", "B-PER", ...), sentence by sentence; the two may use different
        schemes.

    Returns
    -------
    ndarray of float64, shape (n, 3)
        (correct, guessed, gold) of each sentence; a span is correct if start, end and type are.

    Raises
    ------
    InputError
        If the numbers of sentences, or of tags in one, differ, or a tag has no known prefix.

    Examples
    --------
    >>> span_sums([["B-PER", "I-PER", "O", "B-LOC"]], [["I-PER", "I-PER", "O", "I-ORG"]])
    array([[1., 2., 2.]])
    """
    gold_tags, tags = _sentences(gold_tags, tags)
    rows = []
    for index, (gold, guess) in enumerate(zip(gold_tags, tags, strict=True)):
        true, found = _spans(gold, index), _spans(guess, index)
        rows.append((len(true & found), len(found), len(true)))
    return _array(rows, columns=3)


def spans(tags):
    """Return the spans of one sentence by the rules of conlleval.

    Parameters
    ----------
    tags : sequence of str
        "O", or a prefix and a type joined by "-"; prefixes as in IOB1, IOB2, IOBES and BILOU.

    Returns
    -------
    set of (int, int, str)
        First word, last word and type of each span.

    Raises
    ------
    InputError
        If a tag has no known prefix.

    Notes
    -----
    A span starts at B and S, at I or E after O, E or S, and wherever the type changes; it ends
    before the next start or O, and after E or S. In IOB1, where B only parts neighbours of one
    type, and in IOB2, where I never starts a span, these rules read the tags as meant, and they
    read what a system wrote against its scheme in the same way as conlleval: I at the start of a
    sentence starts a span.

    Examples
    --------
    >>> sorted(spans(["I-PER", "B-PER", "I-PER", "I-LOC", "O"]))
    [(0, 0, 'PER'), (1, 2, 'PER'), (3, 3, 'LOC')]
    """
    return _spans(tags, None)


def _spans(tags, sentence):
    found, start, before, before_type = set(), None, "O", ""
    for place, tag in enumerate(tags):
        prefix, kind = _prefix(tag, place, sentence)
        starts = prefix in "BS" or (
            prefix in "IE" and (before in "OES" or kind != before_type)  # after O the type is ""
        )
        if start is not None and (starts or prefix == "O"):
            found.add((start, place - 1, before_type))
            start = None
        if starts:
            start = place
        before, before_type = prefix, kind
    if start is not None:
        found.add((start, len(tags) - 1, before_type))
    return found


def _prefix(tag, place, sentence):
    if tag == "O":
        return "O", ""
    prefix, _, kind = str(tag).partition("-")
    if prefix not in _PREFIXES:
        where = f"of sentence {sentence} " if sentence is not None else ""
        raise checks.InputError(
            f"Tag {place} {where}is {tag!r}; a tag is 'O', or a prefix of {', '.join(_PREFIXES)} "
            "and a type joined by '-', such as 'B-PER'."
        )
    return _PREFIXES[prefix], kind


# BLEU


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
    from sacrebleu.metrics import BLEU

    for name in options:
        checks.choice("option", name, ("lowercase", "tokenize", "trg_lang"))
    _same_length(hypotheses, references)
    scorer = BLEU(effective_order=True, **options)  # statistics do not depend on the order
    rows = []
    for index, (output, reference) in enumerate(zip(hypotheses, references, strict=True)):
        texts = [reference] if isinstance(reference, str) else list(reference)
        if not texts:
            raise checks.InputError(f"Segment {index} has no reference; leave it out.")
        score = scorer.sentence_score(output, texts)
        rows.append([score.sys_len, score.ref_len, *score.counts, *score.totals])
    return _array(rows, columns=10)


# Spearman's correlation, a function of the instances


def rating_codes(gold, a, b):
    """Replace ratings by the places of their values in order, which Spearman's correlation keeps.

    Parameters
    ----------
    gold, a, b : array_like, shape (n,)
        Gold ratings and the ratings by systems A and B of the same items.

    Returns
    -------
    ndarray of int32, shape (n, 3)
        Columns gold, A and B; equal ratings have equal codes. Resampling these is much faster than
        resampling the ratings.

    Raises
    ------
    InputError
        If the lengths differ or a rating is NaN or infinite.
    """
    gold, a, b = (score_sums(ratings)[:, 0] for ratings in (gold, a, b))
    _same_length(gold, a)
    _same_length(gold, b)
    codes = [np.unique(ratings, return_inverse=True)[1] for ratings in (gold, a, b)]
    return np.column_stack(codes).astype(np.int32)


def spearman(x, y):
    """Spearman's rank correlation with average ranks of ties.

    Parameters
    ----------
    x, y : array_like, shape (..., n)
        Paired ratings.

    Returns
    -------
    ndarray of float64, shape (...)
        Correlation in [-1, 1]; NaN where either side is constant.
    """
    return _correlation(_centred_ranks(np.asarray(x)), _centred_ranks(np.asarray(y)))


def spearman_difference(data):
    """Spearman's correlation of A with gold minus that of B with gold.

    Parameters
    ----------
    data : array_like, shape (..., n, 3)
        Columns gold, A and B, best from `rating_codes`.

    Returns
    -------
    ndarray of float64, shape (...)
        The difference; NaN where a column is constant.
    """
    data = np.asarray(data)
    gold, a, b = (_centred_ranks(data[..., column]) for column in range(3))
    return _correlation(a, gold) - _correlation(b, gold)


def _correlation(x, y):
    with np.errstate(invalid="ignore", divide="ignore"):
        squares = np.vecdot(x, x) * np.vecdot(y, y)
        return np.vecdot(x, y) / np.sqrt(squares)


def _centred_ranks(values):
    """Return average ranks minus their mean."""
    n = values.shape[-1]
    small = values.dtype.kind in "iu" and values.size
    if not small or values.min() < 0 or values.max() > 4 * n + 1000:
        return stats.rankdata(values, axis=-1) - (n + 1) / 2
    # Small whole numbers are ranked by counting, without sorting.
    rows = values.reshape(-1, n)
    k = int(values.max()) + 1
    codes = rows + k * np.arange(len(rows))[:, None]
    counts = np.bincount(codes.ravel(), minlength=k * len(rows)).reshape(len(rows), k)
    ranks = np.cumsum(counts, axis=1) - (counts - 1) / 2 - (n + 1) / 2
    return ranks.ravel().take(codes).reshape(values.shape)


# Input


def _array(rows, columns):
    return np.array(rows, dtype=float).reshape(-1, columns)


def _agreements(gold, predicted):
    return sum(g == p for g, p in zip(gold, predicted, strict=True))


def _plain(item):
    """Return sequences in a form that compares by value."""
    return tuple(item) if isinstance(item, list | tuple | np.ndarray) else item


def _same_length(gold, predicted):
    if len(gold) != len(predicted):
        raise checks.InputError(
            f"There are {len(gold)} gold and {len(predicted)} predicted instances; score every "
            "system on all instances, in the same order."
        )


def _sentences(gold, predicted):
    """Check the lengths; return both as sentences, single labels as sentences of one word."""
    _same_length(gold, predicted)
    if len(gold) and (isinstance(gold[0], str) or np.ndim(gold[0]) == 0):
        gold, predicted = [[label] for label in gold], [[label] for label in predicted]
    for index, (g, p) in enumerate(zip(gold, predicted, strict=True)):
        if len(g) != len(p):
            raise checks.InputError(
                f"Sentence {index} has {len(g)} gold and {len(p)} predicted labels; give each word "
                "of the gold segmentation one label."
            )
    return gold, predicted
