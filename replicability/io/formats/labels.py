"""Two columns: an identifier and its label, or a word and its label in sentences."""

import re

import numpy as np
import pyarrow as pa

from replicability.checks import InputError
from replicability.io import cells, datasets, matching, missing, words
from replicability.io.datasets import SIDES
from replicability.io.formats import Format
from replicability.io.instances import Dataset
from replicability.io.text import shown
from replicability.stats.metrics import accuracy_sums

# fmt: off
_ITEMS = frozenset({
    "doc", "document", "example", "form", "guid", "id", "ids", "idx", "identifier", "index",
    "input", "instance", "item", "key", "line", "name", "no", "nr", "number", "passage", "question",
    "query", "review", "sample", "segment", "sent", "sentence", "text", "title", "token", "tweet",
    "uid", "utterance", "word",
})
_LABELS = frozenset({
    "annotation", "category", "chunk", "class", "deprel", "emotion", "feats", "gold", "intent",
    "label", "labels", "lemma", "model", "ner", "output", "polarity", "pos", "pred", "predicted",
    "prediction", "rating", "sentiment", "stance", "system", "tag", "tags", "target", "topic",
    "truth", "upos", "xpos",
})
# fmt: on


def _read(comparison):
    """Compare labels with gold, item by item or sentence by sentence."""
    found = []
    for dataset, files in datasets.find(comparison).items():
        rows = {side: _two_columns(path) for side, path in files.items()}
        _refuse_header(files, rows)
        by_sentence = any(len(sentences) > 1 for sentences in rows.values())
        compare = _tagged if by_sentence else _labelled
        found.append(compare(comparison, dataset, files, rows))
    return found


def _two_columns(path):
    """Return the sentences of a file, each a list of (line, identifier or word, label)."""
    sentences = []
    for sentence in words.blocks(path):
        rows = []
        for line, text in sentence:
            cells = [cell.strip() for cell in text.split("\t")]
            if len(cells) != 2 or not all(cells):
                raise InputError(
                    f"{shown(path)}, line {line} is {text[:60]!r}, but each line must consist "
                    "of an identifier or a word, one tab, and a label; correct this line."
                )
            rows.append((line, *cells))
        sentences.append(rows)
    return sentences


def _refuse_header(files, rows):
    """Refuse first lines that name columns, which would be items that all have right."""
    firsts = {side: sentences[0][0] for side, sentences in rows.items()}
    if len({first[1] for first in firsts.values()}) == 1 and all(map(_is_header, rows.values())):
        line, first, second = firsts["gold"]
        raise InputError(
            f"{shown(files['gold'])}, line {line} looks like a header ({first!r}, {second!r}); "
            "delete it from all three files, because label files have no header."
        )


def _is_header(sentences):
    """Tell whether the first line of a file names its columns.

    It does if both cells are made of words that are usual there; or if its label stands on no other
    line, and its identifier has no digit while all others have one.
    """
    (_, first, second), *others = (row for sentence in sentences for row in sentence)
    items, labels = (set(re.split(r"[\W_]+", cell.casefold())) for cell in (first, second))
    if items <= _ITEMS and labels <= _LABELS:
        return True
    return (
        len(others) > 1
        and all(label != second for _, _, label in others)
        and not re.search(r"\d", first)
        and all(re.search(r"\d", identifier) for _, identifier, _ in others)
    )


def _labelled(comparison, dataset, files, rows):
    """Return whether the label of each item is right."""
    labels = {side: [row[2] for row in rows[side][0]] for side in SIDES}
    who = dict(zip(SIDES, (matching.GOLD, *comparison.systems), strict=True))
    identifiers = {side: [row[1] for row in rows[side][0]] for side in SIDES}
    sides = [(who[side], shown(files[side]), identifiers[side]) for side in SIDES]
    differences = lacked = ()
    if comparison.match == "place":
        (gold, *orders), differences = matching.by_place(sides)
    else:
        sides, labels, lacked = _without_missing(comparison, dataset, sides, labels)
        gold, *orders = matching.match(dataset, sides)
    reference = np.array(labels["gold"], dtype=object)[gold]
    a, b = (
        (np.array(labels[side], dtype=object)[order] == reference).astype(float)
        for side, order in zip("ab", orders, strict=True)
    )
    ids = pa.array(sides[0][2])
    return Dataset(dataset, ids, a, b, "accuracy", differences=differences, missing=lacked)


def _without_missing(comparison, dataset, sides, labels):
    """Leave out what a system lacks of gold, or give it no label: sides, labels, what is lacked."""
    known = dict.fromkeys(sides[0][2])
    lacked = tuple(tuple(known.keys() - set(ids)) for *_, ids in sides[1:])
    if comparison.missing == missing.REFUSE or not any(lacked):
        return sides, labels, ()
    missing.refuse(comparison, dataset, known, lacked)
    gone = set().union(*lacked) if comparison.missing == missing.DROP else set()
    read, kept = [], {}
    for (who, file, ids), side, absent in zip(sides, SIDES, ((), *lacked), strict=True):
        rows = [row for row, name in enumerate(ids) if name not in gone]
        added = list(absent) if comparison.missing == missing.WRONG else []
        read.append((who, file, [ids[row] for row in rows] + added))
        kept[side] = [labels[side][row] for row in rows] + [None] * len(added)
    return read, kept, lacked


def _tagged(comparison, dataset, files, rows):
    """Count the right labels of each sentence."""
    tags = {side: [[row[2] for row in sentence] for sentence in rows[side]] for side in SIDES}
    differences = ()
    for side in "ab":
        differences += words.check_same(files, rows, side, comparison.match)
    a, b = (accuracy_sums(tags["gold"], tags[side]) for side in "ab")
    return Dataset(dataset, cells.by_place(len(a)), a, b, "accuracy", differences=differences)


FORMAT = Format(
    name="labels",
    title="identifiers or words with labels",
    instance="an item, or a sentence",
    read=_read,
    needs_gold=True,
    metrics=("accuracy",),
    options=("metric", "match", "missing"),
)
