"""Sums from labels and scores: one row of numbers per item."""

import numpy as np

from replicability import checks


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
    gold, predicted = sentences(gold, predicted)
    return as_array(
        [(_agreements(g, p), len(g)) for g, p in zip(gold, predicted, strict=True)], columns=2
    )


def score_sums(scores):
    """Turn one score per item into sums for the metric "mean".

    Parameters
    ----------
    scores : array_like, shape (n,)
        Finite scores.

    Returns
    -------
    ndarray of float64, shape (n, 2)
        (score, 1) of each item.

    Raises
    ------
    InputError
        If a score is NaN or infinite, or there is not one number per item.
    """
    scores = np.asarray(scores, dtype=float)
    if scores.ndim != 1:
        raise checks.InputError(
            f"The scores have the shape {scores.shape}; pass one number for each item."
        )
    bad = np.flatnonzero(~np.isfinite(scores))
    if bad.size:
        raise checks.InputError(
            f"The score of item {bad[0]} is {scores[bad[0]]}; give every item a "
            "finite score, or leave it out for both systems."
        )
    return np.column_stack([scores, np.ones(len(scores))])


def as_array(rows, columns):
    """Return rows as an array of floats, also where there are none."""
    return np.array(rows, dtype=float).reshape(-1, columns)


def _agreements(gold, predicted):
    return sum(g == p for g, p in zip(gold, predicted, strict=True))


def check_lengths(gold, predicted):
    """Refuse outputs of other items than the gold ones, by their number."""
    if len(gold) != len(predicted):
        raise checks.InputError(
            f"The number of gold items is {len(gold)}, but the number of predicted items "
            f"is {len(predicted)}; score every system on all items, in the same order."
        )


def sentences(gold, predicted):
    """Check the lengths; return both as sentences, single labels as sentences of one word."""
    check_lengths(gold, predicted)
    if len(gold) and (isinstance(gold[0], str) or np.ndim(gold[0]) == 0):
        gold, predicted = [[label] for label in gold], [[label] for label in predicted]
    for index, (g, p) in enumerate(zip(gold, predicted, strict=True)):
        if len(g) != len(p):
            raise checks.InputError(
                f"Sentence {index} has {len(g)} gold labels and {len(p)} predicted labels; "
                "pass one label for each word of the gold tokenization."
            )
    return gold, predicted
