"""The words of a CoNLL-U file as arrays.

A file is read into arrays: its fields are slices between the tabs and newlines of its bytes, and a
column is encoded once for every different value.
"""

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

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

_ID, _FORM, _UPOS, _HEAD, _DEPREL = (
    COLUMNS.index(name) for name in ("ID", "FORM", "UPOS", "HEAD", "DEPREL")
)
_BAD, _WORD, _RANGE, _EMPTY = range(4)
_ID_PATTERN = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)
_SENT_ID = re.compile(rb"#\s*sent_id\s*=\s*(.*\S)")
_NEW_DOCUMENT = re.compile(rb"#\s*newdoc(?:\s+id\s*=\s*(.*\S))?\s*")


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
    document : tuple of str
        Name of every sentence's document; d1, d2, ... by its number if the comment ``# newdoc`` has
        no id, or the document begins with the file, and "" if the file names no documents.
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
    document: tuple

    def __len__(self):
        return len(self.head)


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

    is_word = kind == _WORD
    line, ended = rows[is_word], np.cumsum(blank)
    sentence = ended[line]
    size = np.bincount(sentence, minlength=blank.sum())
    rule = "ends a sentence without words; delete the sentence."
    _refuse(path, np.flatnonzero(blank), size == 0, rule)
    first_word = np.cumsum(size) - size
    given, expected = low[is_word], np.arange(len(line)) - first_word[sentence] + 1
    _refuse(
        path,
        line,
        given != expected,
        lambda i: (
            f"has ID {given[i]}, but the next ID is {expected[i]}; number the words of each "
            "sentence from 1."
        ),
    )
    multiword = _multiword(path, rows, (kind, low, high), ended, (first_word, size))
    text, start, end = _tokens(path, fields, first, (rows, is_word), multiword)
    upos, upos_labels = _codes(fields, first[line] + _UPOS)
    deprel, deprel_labels = _without_subtypes(*_codes(fields, first[line] + _DEPREL))
    head = _heads(path, fields, first, line, sentence, first_word, size)
    return Treebank(
        path=path,
        text=text,
        start=start,
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
        document=_documents(data, begin[comment], ended[comment], len(size)),
    )


def _load(path):
    """Return the bytes of a file in UTF-8 without a byte-order mark, newlines as line ends."""
    try:
        data = Path(path).read_bytes().removeprefix(codecs.BOM_UTF8)
    except OSError as error:
        raise checks.InputError(
            f"{path} cannot be read ({error.strerror}); check its permissions, or choose another "
            "file."
        ) from None
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
        raise checks.InputError(f"{path} is empty; give a treebank with at least one sentence.")
    final = np.flatnonzero(~comment)[-1]
    if content[final]:
        raise checks.InputError(
            f"{path} ends in the middle of a sentence, at line {final + 1}; write a blank line "
            "after each sentence, including the last."
        )
    number = np.arange(len(first))
    after = np.concatenate([[False], content[:-1]])
    _refuse(
        path,
        number,
        comment & after,
        "is a comment inside a sentence; move it before the sentence.",
    )
    _refuse(path, number, blank & ~after, "is blank, but no sentence ends there; delete it.")
    columns = last - first + 1
    _refuse(
        path,
        number,
        content & (columns != len(COLUMNS)),
        lambda i: f"has {columns[i]} columns, but a word needs {len(COLUMNS)}, separated by tabs.",
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
            f"has ID {labels[codes[i]]!r}, but an ID must be a number such as 3, a range such as "
            "3-4 or an empty node such as 3.1."
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


def _multiword(path, rows, ids, ended, sentences):
    """Return for each word the number of its multi-word token, -1 outside of them."""
    kind = ids[0]
    is_range, n_words = kind == _RANGE, np.count_nonzero(kind == _WORD)
    rows, low, high = (column[is_range] for column in (rows, *ids[1:]))
    following = np.cumsum(kind == _WORD)[is_range]
    first_word, size = (column[ended[rows]] for column in sentences)
    stop = following + high - low + 1
    previous = np.concatenate([[0], stop[:-1]])
    _refuse(
        path,
        rows,
        (low != following - first_word + 1) | (high < low) | (high > size) | (following < previous),
        lambda i: (
            f"has the multi-word token {low[i]}-{high[i]}, but a range must come before its first "
            "word, end in its sentence and not overlap another range."
        ),
    )
    edges = np.zeros(n_words + 1, np.int64)
    edges[following] += 1
    starts = np.cumsum(edges[:-1])
    edges[stop] -= 1
    return np.where(np.cumsum(edges[:-1]) > 0, starts - 1, -1)


def _tokens(path, fields, first, lines, multiword):
    """Return the characters of all tokens, and where the token of each word starts and ends."""
    rows, is_word = lines
    is_token = ~is_word
    is_token[is_word] = multiword < 0
    rows = rows[is_token]
    forms = fields.take(pa.array(first[rows] + _FORM))
    text = _joined(forms)
    if any(space in text for space in SPACES):
        forms = pc.replace_substring_regex(forms, pattern=f"[{SPACES}]", replacement="")
        text = _joined(forms)
    length = pc.utf8_length(forms).to_numpy() - 1
    _refuse(path, rows, length == 0, "has an empty FORM, but a token needs at least one character.")
    token = (np.cumsum(is_token) - 1)[is_word]
    end = np.cumsum(length)[token]
    return text, end - length[token], end


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
        lambda i: f"has HEAD {labels[codes[i]]!r}, but a head must be the ID of a word, or 0.",
    )
    _refuse(
        path,
        line,
        value > size[sentence],
        lambda i: f"has HEAD {labels[codes[i]]}, but its sentence has {size[sentence[i]]} words.",
    )
    head = np.where(value > 0, first_word[sentence] + value - 1, -1)
    _refuse(
        path,
        line,
        _unrooted(head, size.max()),
        "is part of a cycle of heads, or depends on one; correct the heads.",
    )
    root = value == 0
    roots = np.bincount(sentence[root], minlength=len(size))
    _refuse(
        path,
        line,
        root & (roots[sentence] > 1),
        lambda i: (
            f"is one of {roots[sentence[i]]} roots of its sentence, but a sentence must have "
            "exactly one."
        ),
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


def _documents(data, begin, sentence, n_sentences):
    """Return the names of the documents of sentences, which begin at comments."""
    starts = {}
    for start, number in zip(begin.tolist(), sentence.tolist(), strict=True):
        if data.startswith(b"newdoc", start + 2) or data.startswith(b"newdoc", start + 1):
            match = _NEW_DOCUMENT.fullmatch(data, start, data.index(b"\n", start))
            if match and number < n_sentences:
                starts[number] = match[1]
    if not starts:
        return ("",) * n_sentences
    starts = {0: None} | starts
    ends = [*list(starts)[1:], n_sentences]
    names = [
        name.decode() if name else f"d{number}"
        for number, name in enumerate(starts.values(), start=1)
    ]
    return tuple(
        name
        for name, first, end in zip(names, starts, ends, strict=True)
        for _ in range(end - first)
    )


def _refuse(path, rows, bad, rule):
    """Raise an error that names the first bad line; `rule` is its predicate, or makes it."""
    if bad.any():
        i = int(bad.argmax())
        text = rule if isinstance(rule, str) else rule(i)
        raise checks.InputError(f"{path}, line {rows[i] + 1} {text}")
