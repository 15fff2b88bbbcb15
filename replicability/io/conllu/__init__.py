"""CoNLL-U files, and the agreement of a parser's output with the gold standard on each word.

`agreement` counts what the evaluation of the CoNLL 2018 shared task counts (Zeman et al. 2018,
section 3; UPOS, UAS and LAS of its script ``conll18_ud_eval.py`` 1.2), whatever the segmentation of
the system; `read` refuses the files that it refuses. A file is read into arrays: its fields are
slices between the tabs and newlines of its bytes, and a column is encoded once for every different
value.

References
----------
Zeman, D., Hajič, J., Popel, M., Potthast, M., Straka, M., Ginter, F., Nivre, J. and Petrov, S.
(2018). CoNLL 2018 shared task: Multilingual parsing from raw text to universal dependencies.
Proceedings of the CoNLL 2018 Shared Task, 1-21.
"""

import codecs
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from replicability import checks

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
"""Columns of a CoNLL-U file."""

SPACES = (
    "\u0020\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u202f\u205f\u3000"
)
"""Characters of the Unicode category Zs, which are removed from surface forms."""

METRICS = ("aligned", "upos", "uas", "las")
"""What is counted on each gold word: whether it is aligned, and so right by each metric."""

_ID, _FORM, _UPOS, _HEAD, _DEPREL = (
    COLUMNS.index(name) for name in ("ID", "FORM", "UPOS", "HEAD", "DEPREL")
)
_BAD, _WORD, _RANGE, _EMPTY = range(4)
_ID_PATTERN = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)
_SENT_ID = re.compile(rb"#\s*sent_id\s*=\s*(.*\S)")


@dataclass(frozen=True, eq=False)
class Treebank:
    """The syntactic words of a CoNLL-U file; arrays of shape (words,) unless said otherwise.

    Attributes
    ----------
    path : str
        The file.
    text : str
        Characters of all tokens without white space.
    start, end : ndarray of int64
        The token of the word is ``text[start:end]``; the words of a multi-word token share it.
    form : pyarrow.LargeStringArray
        FORM as it is in the file.
    multiword : ndarray of int64
        Number of the word's multi-word token, -1 if it is in none.
    upos, deprel : ndarray of int32
        Indices into `upos_labels` and `deprel_labels`.
    upos_labels, deprel_labels : tuple of str
        Different values; relations are without their subtype.
    head : ndarray of int64
        Index of the head among all words, -1 for the root of a sentence.
    sentence : ndarray of int64
        Number of the sentence, from 0.
    line : ndarray of int64
        Line in the file, from 1.
    first_word : ndarray of int64, shape (sentences,)
        Index of the first word of every sentence.
    sent_id : tuple of str
        Name of every sentence; s1, s2, ... by its number if the file has none.
    """

    path: str
    text: str
    start: np.ndarray
    end: np.ndarray
    form: pa.LargeStringArray
    multiword: np.ndarray
    upos: np.ndarray
    upos_labels: tuple
    deprel: np.ndarray
    deprel_labels: tuple
    head: np.ndarray
    sentence: np.ndarray
    line: np.ndarray
    first_word: np.ndarray
    sent_id: tuple

    def __len__(self):
        return len(self.head)


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


# --- reading -------------------------------------------------------------------------------------


def read(path):
    """Read a CoNLL-U file.

    Parameters
    ----------
    path : str or Path
        The file, in UTF-8. Comments, empty nodes such as 8.1 and line ends of any kind are allowed.

    Returns
    -------
    Treebank
        Its words.

    Raises
    ------
    InputError
        If the file is missing, empty, truncated or not UTF-8, a line has not ten columns, an ID is
        not the next one, a multi-word token does not precede its words, a form is empty, a HEAD is
        no word of the sentence, or a sentence is not a tree with one root.
    """
    path = str(path)
    data = _load(path)
    fields, first, begin, blank, comment = _lines(path, data)
    rows, kind, low, high = _ids(path, fields, first, np.flatnonzero(~(blank | comment)))

    is_word, is_range = kind == _WORD, kind == _RANGE
    line = rows[is_word]
    ended = np.cumsum(blank)
    sentence = ended[line]
    size = np.bincount(sentence, minlength=ended[-1])
    _refuse(path, np.flatnonzero(blank), size == 0, "ends a sentence without words; leave it out.")
    first_word = np.cumsum(size) - size

    identifier = low[is_word]
    expected = np.arange(len(line)) - first_word[sentence] + 1
    _refuse(
        path,
        line,
        identifier != expected,
        lambda i: (
            f"has ID {identifier[i]} where {expected[i]} is the next; number the words of a "
            "sentence from 1."
        ),
    )
    following = np.cumsum(is_word)[is_range]
    inside = ended[rows[is_range]]
    multiword = _multiword(
        path,
        rows[is_range],
        (low[is_range], high[is_range]),
        following,
        (first_word[inside], size[inside]),
        len(line),
    )

    is_token = is_range.copy()
    is_token[is_word] = multiword < 0
    text, length = _surface(path, fields, first, rows[is_token])
    token = (np.cumsum(is_token) - 1)[is_word]
    end = np.cumsum(length)[token]

    upos, upos_labels = _codes(fields, first[line] + _UPOS)
    deprel, deprel_labels = _without_subtypes(*_codes(fields, first[line] + _DEPREL))
    head = _heads(path, fields, first, line, sentence, first_word, size)
    return Treebank(
        path=path,
        text=text,
        start=end - length[token],
        end=end,
        form=pc.ascii_rtrim(fields.take(pa.array(first[line] + _FORM)), characters="\t"),
        multiword=multiword,
        upos=upos,
        upos_labels=tuple(upos_labels),
        deprel=deprel,
        deprel_labels=tuple(deprel_labels),
        head=head,
        sentence=sentence,
        line=line + 1,
        first_word=first_word,
        sent_id=_sent_ids(data, begin[comment], ended[comment], len(size)),
    )


def _load(path):
    """Return the bytes of a file in UTF-8 without a byte-order mark, newlines as line ends."""
    try:
        data = Path(path).read_bytes().removeprefix(codecs.BOM_UTF8)
    except OSError as error:
        raise checks.InputError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        _strings(np.array([0, len(data)]), data).validate(full=True)
    except pa.ArrowInvalid:
        raise checks.InputError(_not_utf8(path, data)) from None
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data if data.endswith(b"\n") else data + b"\n"


def _not_utf8(path, data):
    """Say where a file is not UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        wrong = data[error.start]
    return f"{path}, line {number} is not UTF-8 (byte 0x{wrong:02x}); convert the file to UTF-8."


def _strings(offsets, data):
    """Return the strings between offsets in bytes, which are not copied."""
    return pa.LargeStringArray.from_buffers(
        len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(data)
    )


def _lines(path, data):
    """Split a file into fields, and say which of them begins a line, where, and what line it is.

    Each field ends in its separator. Lines are numbered from 0.
    """
    buffer = np.frombuffer(data, np.uint8)
    # Tab is 9 and newline is 10; what is below 9 wraps around.
    offsets = np.append(0, np.flatnonzero(buffer - np.uint8(9) < 2))
    last = np.flatnonzero(buffer[offsets[1:]] == ord("\n"))
    offsets[1:] += 1
    fields = _strings(offsets, data)
    first = np.concatenate([[0], last[:-1] + 1])
    begin = offsets[first]
    blank, comment = buffer[begin] == ord("\n"), buffer[begin] == ord("#")
    content = ~(blank | comment)

    if not content.any():
        raise checks.InputError(f"{path} is empty; a treebank has at least one sentence.")
    final = np.flatnonzero(~comment)[-1]
    if content[final]:
        raise checks.InputError(
            f"{path}, line {final + 1} ends the file in the middle of a sentence; a blank line "
            "ends each sentence, also the last."
        )
    number = np.arange(len(first))
    after = np.concatenate([[False], content[:-1]])
    _refuse(path, number, comment & after, "is a comment inside a sentence; put it before.")
    _refuse(path, number, blank & ~after, "ends a sentence without words; leave it out.")
    columns = last - first + 1
    _refuse(
        path,
        number,
        content & (columns != len(COLUMNS)),
        lambda i: f"has {columns[i]} columns; a word has {len(COLUMNS)}, separated by tabs.",
    )
    return fields, first, begin, blank, comment


def _ids(path, fields, first, rows):
    """Return the lines of words and multi-word tokens: number, kind, first and last ID."""
    codes, labels = _codes(fields, first[rows] + _ID)
    parsed = np.array([_identifier(label) for label in labels])
    kind, low, high = parsed[codes].T
    _refuse(
        path,
        rows,
        kind == _BAD,
        lambda i: (
            f"has ID {labels[codes[i]]!r}; an ID is a number such as 3, a range such as 3-4 "
            "or an empty node such as 3.1."
        ),
    )
    kept = kind != _EMPTY
    return rows[kept], kind[kept], low[kept], high[kept]


def _identifier(label):
    """Return the kind of an ID, and the first and last word it means."""
    if "." in label:
        return _EMPTY, 0, 0
    match = _ID_PATTERN.fullmatch(label)
    if not match:
        return _BAD, 0, 0
    low, high = match.groups()
    return (_WORD, int(low), int(low)) if high is None else (_RANGE, int(low), int(high))


def _multiword(path, rows, ids, following, bounds, n_words):
    """Return for each word the number of its multi-word token, -1 outside of them."""
    (low, high), (first_word, size) = ids, bounds
    stop = following + high - low + 1
    previous = np.concatenate([[0], stop[:-1]])
    _refuse(
        path,
        rows,
        (low != following - first_word + 1) | (high < low) | (high > size) | (following < previous),
        lambda i: (
            f"has the multi-word token {low[i]}-{high[i]}; a range stands before its first "
            "word, ends in its sentence and does not overlap another."
        ),
    )
    edges = np.zeros(n_words + 1, np.int64)
    edges[following] += 1
    starts = np.cumsum(edges[:-1])
    edges[stop] -= 1
    return np.where(np.cumsum(edges[:-1]) > 0, starts - 1, -1)


def _surface(path, fields, first, rows):
    """Return the characters of all tokens, and the number of them in each."""
    forms = fields.take(pa.array(first[rows] + _FORM))
    text = _joined(forms)
    if any(space in text for space in SPACES):
        forms = pc.replace_substring_regex(forms, pattern=f"[{SPACES}]", replacement="")
        text = _joined(forms)
    length = pc.utf8_length(forms).to_numpy() - 1
    _refuse(path, rows, length == 0, "has an empty FORM; a token has at least one character.")
    return text, length


def _joined(forms):
    """Join strings that each end in a tab, without the tabs."""
    _, offsets, characters = forms.buffers()
    stop = np.frombuffer(offsets, np.int64)[len(forms)]
    return characters.slice(0, stop).to_pybytes().translate(None, b"\t").decode()


def _heads(path, fields, first, line, sentence, first_word, size):
    """Return the index of each word's head, -1 for roots; a sentence is a tree with one root."""
    codes, labels = _codes(fields, first[line] + _HEAD)
    value = np.array(
        [int(label[:10]) if label.isascii() and label.isdigit() else -1 for label in labels]
    )[codes]
    _refuse(
        path,
        line,
        value < 0,
        lambda i: f"has HEAD {labels[codes[i]]!r}; a head is the ID of a word, or 0.",
    )
    _refuse(
        path,
        line,
        value > size[sentence],
        lambda i: f"has HEAD {labels[codes[i]]} outside the sentence of {size[sentence[i]]} words.",
    )
    head = np.where(value > 0, first_word[sentence] + value - 1, -1)
    _refuse(path, line, _unrooted(head, size.max()), "is on or below a cycle of heads; break it.")
    root = value == 0
    roots = np.bincount(sentence[root], minlength=len(size))
    _refuse(
        path,
        line,
        root & (roots[sentence] > 1),
        lambda i: f"is one of {roots[sentence[i]]} roots of its sentence; a sentence has one.",
    )
    return head


def _unrooted(head, longest):
    """Say which words reach no root, by doubling the steps taken towards it."""
    n = len(head)
    ancestor = np.append(np.where(head < 0, n, head), n)
    for _ in range(int(longest).bit_length()):
        if (ancestor == n).all():
            break
        ancestor = ancestor[ancestor]
    return ancestor[:-1] != n


def _codes(fields, index):
    """Encode a column: the code of each field, and the different values."""
    encoded = fields.take(pa.array(index)).dictionary_encode()
    return encoded.indices.to_numpy(), [label[:-1] for label in encoded.dictionary.to_pylist()]


def _without_subtypes(codes, labels):
    """Merge the codes of relations that differ in their subtype only."""
    universal = [label.partition(":")[0] for label in labels]
    merged = {label: code for code, label in enumerate(dict.fromkeys(universal))}
    return np.array([merged[label] for label in universal], np.int32)[codes], [*merged]


def _sent_ids(data, begin, sentence, n_sentences):
    """Return the names of sentences, which comments give."""
    names = [f"s{number}" for number in range(1, n_sentences + 1)]
    for start, number in zip(begin.tolist(), sentence.tolist(), strict=True):
        if data.startswith(b"sent_id", start + 2) or data.startswith(b"sent_id", start + 1):
            match = _SENT_ID.match(data, start, data.index(b"\n", start))
            if match and number < n_sentences:
                names[number] = match[1].decode()
    return tuple(names)


def _refuse(path, rows, bad, rule):
    """Raise an error that names the first bad line; `rule` is its predicate, or makes it."""
    if bad.any():
        i = int(bad.argmax())
        text = rule if isinstance(rule, str) else rule(i)
        raise checks.InputError(f"{path}, line {rows[i] + 1} {text}")


# --- alignment -----------------------------------------------------------------------------------


class _Word(NamedTuple):
    """A word where multi-word tokens make the alignment sequential."""

    index: int
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
            partner[word.index] = other.index


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
        f"{system.path}, {here} has {ours} where {gold.path}, {there} has {theirs}: the sentences "
        "do not align; both files segment the same text, white space aside."
    )


def _place(treebank, index):
    """Return the line of a character and what follows, for a message."""
    if index == len(treebank.text):
        return "at its end,", "no more characters"
    word = np.searchsorted(treebank.start, index, side="right") - 1
    return f"line {treebank.line[word]}", repr(treebank.text[index : index + 20])


# --- scores --------------------------------------------------------------------------------------


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
