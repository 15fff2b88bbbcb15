"""Spans such as names: their ends and types from tags, as conlleval reads them."""

from replicability import checks
from replicability.stats.metrics.sums import as_array, sentences

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
    gold_tags, tags = sentences(gold_tags, tags)
    rows = []
    for index, (gold, guess) in enumerate(zip(gold_tags, tags, strict=True)):
        true, found = _spans(gold, index), _spans(guess, index)
        rows.append((len(true & found), len(found), len(true)))
    return as_array(rows, columns=3)


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
            f"Tag {place} {where}is {tag!r}; a tag must be 'O', or a prefix "
            f"({', '.join(_PREFIXES)}) and a type, joined by '-', such as 'B-PER'."
        )
    return _PREFIXES[prefix], kind
