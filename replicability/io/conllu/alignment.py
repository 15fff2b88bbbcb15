"""Alignment of the words of a system to those of the gold standard."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from replicability import checks
from replicability.io.conllu.treebank import SPACES


class _Word(NamedTuple):
    """A word where multi-word tokens make the alignment sequential."""

    place: int
    start: int
    end: int
    multiword: bool
    form: str


def align(gold, system):
    """Align the words of a system to those of the gold standard, as Zeman et al. (2018) do.

    Words outside multi-word tokens align when they have the same span of the text. Where either
    side has a multi-word token, the words of the region align by a longest common subsequence of
    their lower-cased forms.

    Parameters
    ----------
    gold, system : Treebank
        Both sides.

    Returns
    -------
    ndarray of int64, shape (gold words,)
        Index of the system's word, -1 where there is none.

    Raises
    ------
    InputError
        If the texts differ.
    """
    _same_text(gold, system)
    partner = np.full(len(gold), -1)
    g, s = np.flatnonzero(gold.multiword < 0), np.flatnonzero(system.multiword < 0)
    starting = np.full(len(gold.text), -1)
    starting[system.start[s]] = s
    found = starting[gold.start[g]]
    equal = (found >= 0) & (system.end[found] == gold.end[g])
    partner[g[equal]] = found[equal]
    if len(g) < len(gold) or len(s) < len(system):
        _align_between(gold, system, partner, g[equal], found[equal])
    return partner


def _align_between(gold, system, partner, g, s):
    """Align the words of multi-word tokens, which lie between words g and s of equal spans.

    The official procedure walks through both sides and always meets at such a pair, so that the
    words between two pairs are aligned on their own; mostly they are the same on both sides.
    """
    bounds = [
        np.stack([np.append(0, pairs + 1), np.append(pairs, len(side))])
        for side, pairs in ((gold, g), (system, s))
    ]
    (g_start, g_stop), (s_start, s_stop) = bounds
    tokens = sum(
        inside[stop] - inside[start]
        for (start, stop), side in zip(bounds, (gold, system), strict=True)
        for inside in [np.append(0, np.cumsum(side.multiword >= 0))]
    )
    open_ = (g_stop > g_start) & (s_stop > s_start) & (tokens > 0)
    alike = open_ & (g_stop - g_start == s_stop - s_start)
    length = (g_stop - g_start)[alike]
    if len(length):
        offset = np.cumsum(length) - length
        step = np.arange(length.sum())
        i = np.repeat(g_start[alike] - offset, length) + step
        j = np.repeat(s_start[alike] - offset, length) + step
        same = (
            (gold.start[i] == system.start[j])
            & (gold.end[i] == system.end[j])
            & ((gold.multiword[i] < 0) == (system.multiword[j] < 0))
            & pc.equal(gold.form.take(pa.array(i)), system.form.take(pa.array(j))).to_numpy(
                zero_copy_only=False
            )
        )
        equal = np.logical_and.reduceat(same, offset)
        chosen = np.repeat(equal, length)
        partner[i[chosen]] = j[chosen]
        open_[np.flatnonzero(alike)[equal]] = False

    gaps = [bound[:, open_] for bound in bounds]
    for left, right in zip(_words(gold, *gaps[0]), _words(system, *gaps[1]), strict=True):
        for word, other in _walk(left, right):
            partner[word.place] = other.place


def _words(treebank, start, stop):
    """Return the words of each gap as a list."""
    length = stop - start
    index = np.repeat(start - (np.cumsum(length) - length), length) + np.arange(length.sum())
    columns = (index, treebank.start[index], treebank.end[index], treebank.multiword[index] >= 0)
    forms = treebank.form.take(pa.array(index)).to_pylist()
    remove = dict.fromkeys(map(ord, SPACES))
    words = [
        _Word(*values, (form if values[-1] else form.translate(remove)).lower())
        for *values, form in zip(*(column.tolist() for column in columns), forms, strict=True)
    ]
    cuts = np.append(0, np.cumsum(length)).tolist()
    return [words[a:b] for a, b in pairwise(cuts)]


def _walk(gold, system):
    """Return the aligned pairs of words between two pairs of equal spans."""
    pairs, i, j = [], 0, 0
    while i < len(gold) and j < len(system):
        if gold[i].multiword or system[j].multiword:
            (a, i), (b, j) = _region(gold, system, i, j)
            pairs += _common_subsequence(gold[a:i], system[b:j])
        elif gold[i].start <= system[j].start:
            i += 1
        else:
            j += 1
    return pairs


def _region(gold, system, i, j):
    """Return the first word and the stop, on each side, of the region that begins at i and j.

    It begins with a multi-word token and grows while a multi-word token of either side reaches
    beyond it; words that do not end inside are not in it.
    """
    if gold[i].multiword:
        end = gold[i].end
        j += not system[j].multiword and system[j].start < gold[i].start
    else:
        end = system[j].end
        i += gold[i].start < system[j].start
    a, b = i, j

    def within(words, k):
        return k < len(words) and (
            words[k].start < end if words[k].multiword else words[k].end <= end
        )

    while within(gold, i) or within(system, j):
        if i < len(gold) and (j == len(system) or gold[i].start <= system[j].start):
            word, i = gold[i], i + 1
        else:
            word, j = system[j], j + 1
        if word.multiword:
            end = max(end, word.end)
    return (a, i), (b, j)


def _common_subsequence(gold, system):
    """Return the pairs of a longest common subsequence of forms.

    Of several the one is taken that the official script takes: equal words pair at once, and a
    gold word is passed over before a word of the system.
    """
    n, m = len(gold), len(system)
    longest = [[0] * (m + 1) for _ in range(n + 1)]
    for i in reversed(range(n)):
        for j in reversed(range(m)):
            if gold[i].form == system[j].form:
                longest[i][j] = longest[i + 1][j + 1] + 1
            else:
                longest[i][j] = max(longest[i + 1][j], longest[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < n and j < m:
        if gold[i].form == system[j].form:
            pairs.append((gold[i], system[j]))
            i, j = i + 1, j + 1
        elif longest[i][j] == longest[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _same_text(gold, system):
    """Check that both sides segment the same text."""
    if gold.text == system.text:
        return
    pairs = zip(gold.text, system.text, strict=False)
    shorter = min(len(gold.text), len(system.text))
    index = next((i for i, (ours, theirs) in enumerate(pairs) if ours != theirs), shorter)
    (here, ours), (there, theirs) = (_place(side, index) for side in (system, gold))
    raise checks.InputError(
        f"{system.path}, {here} has {ours}, but {gold.path}, {there} has {theirs}. The texts "
        "differ, so words cannot be aligned; make both files from the same text (white space "
        "may differ)."
    )


def _place(treebank, index):
    """Return the line of a character and what follows, for a message."""
    if index == len(treebank.text):
        return "at its end,", "no more characters"
    word = np.searchsorted(treebank.start, index, side="right") - 1
    return f"line {treebank.line[word]}", repr(treebank.text[index : index + 20])
