"""What a system has right on each gold word, and its sums."""

from dataclasses import dataclass

import numpy as np

from replicability.io.conllu.alignment import align

METRICS = ("aligned", "upos", "uas", "las")
"""What is scored on each gold word: alignment, or alignment and the correct annotation."""


@dataclass(frozen=True, eq=False)
class Agreement:
    """What a system has right on each gold word; a word that is not aligned is wrong.

    Attributes
    ----------
    aligned, upos, uas, las : ndarray of bool, shape (gold words,)
        Whether the word is aligned, and if so its UPOS, its head, its head and its relation right.
    system_words : int
        Number of words of the system.
    """

    aligned: np.ndarray
    upos: np.ndarray
    uas: np.ndarray
    las: np.ndarray
    system_words: int


def agreement(gold, system):
    """Say on which gold words a system is right, as the CoNLL 2018 shared task does.

    A head is right if the system's head of the aligned word is aligned to the gold head, or both
    are roots; relations are compared without their subtype.

    Parameters
    ----------
    gold, system : Treebank
        Both sides.

    Returns
    -------
    Agreement
        One Boolean for each gold word and metric.

    Raises
    ------
    InputError
        If the texts differ.
    """
    partner = align(gold, system)
    aligned = partner >= 0
    g = np.flatnonzero(aligned)
    s = partner[g]
    # The last entry is that of head -1, the root.
    gold_word = np.full(len(system) + 1, -2)
    gold_word[s] = g
    gold_word[-1] = -1
    upos, uas, las = np.zeros((3, len(gold)), bool)
    upos[g] = gold.upos[g] == _recoded(system.upos, system.upos_labels, gold.upos_labels)[s]
    uas[g] = gold.head[g] == gold_word[system.head[s]]
    las[g] = gold.deprel[g] == _recoded(system.deprel, system.deprel_labels, gold.deprel_labels)[s]
    return Agreement(aligned, upos, uas, las & uas, len(system))


def _recoded(codes, labels, reference):
    """Encode labels by their place in another tuple of labels, -1 for those not in it."""
    place = {label: code for code, label in enumerate(reference)}
    return np.array([place.get(label, -1) for label in labels])[codes]


def per_sentence(gold, agreement):
    """Count what is right in each gold sentence.

    Parameters
    ----------
    gold : Treebank
        The gold standard.
    agreement : Agreement
        Of a system with it.

    Returns
    -------
    dict of str to ndarray of int64, shape (sentences,)
        Numbers of gold words (``words``) and of those that are right by each of `METRICS`.
    """
    counts = {"words": np.diff(gold.first_word, append=len(gold))}
    for metric in METRICS:
        right = getattr(agreement, metric)
        counts[metric] = np.add.reduceat(right, gold.first_word, dtype=np.int64)
    return counts


def f1(correct, gold_words, system_words):
    """Return the F1 score, the harmonic mean of precision and recall.

    Parameters
    ----------
    correct, gold_words, system_words : array_like of int
        Numbers of words: right ones, all of the gold standard, all of the system.

    Returns
    -------
    float or ndarray of float64
        ``2 * correct / (gold_words + system_words)``, between 0 and 1.
    """
    return 2 * np.asarray(correct) / (np.asarray(gold_words) + np.asarray(system_words))
