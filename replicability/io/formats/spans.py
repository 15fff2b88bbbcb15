"""Spans, such as names: the word first and its tag last, in IOB, IOBES or BILOU."""

import re

from replicability.checks import InputError
from replicability.io import cells, datasets, words
from replicability.io.datasets import SIDES
from replicability.io.formats import Format
from replicability.io.instances import Dataset
from replicability.io.text import shown
from replicability.stats.metrics import span_sums

_TAG = re.compile(r"O|[BIESLU](-\S+)?")


def _read(comparison):
    """Count the right, guessed and gold spans of each sentence."""
    found = []
    for dataset, files in datasets.find(comparison).items():
        rows = {side: _word_and_tag(path) for side, path in files.items()}
        tags = {side: [[row[2] for row in sentence] for sentence in rows[side]] for side in SIDES}
        for side in "ab":
            words.check_same(files, rows, side)
        a, b = (span_sums(tags["gold"], tags[side]) for side in "ab")
        found.append(Dataset(dataset, cells.by_place(len(a)), a, b, "f1"))
    return found


def _word_and_tag(path):
    """Return the sentences of a file, each a list of (line, word, tag)."""
    sentences = []
    for sentence in words.blocks(path):
        rows = []
        for line, text in sentence:
            cells = text.split()
            if len(cells) < 2:
                raise InputError(
                    f"{shown(path)}, line {line} is {text[:60]!r}; a line is a word, blanks or "
                    "tabs, and a tag in the last column."
                )
            if not _TAG.fullmatch(cells[-1]):
                raise InputError(
                    f"{shown(path)}, line {line}: the tag is {cells[-1]!r}, but a tag is 'O', or "
                    "B, I, E, S, L or U with a type such as 'B-PER'; correct it."
                )
            rows.append((line, cells[0], cells[-1]))
        sentences.append(rows)
    return sentences


FORMAT = Format(
    name="spans",
    title="IOB files",
    instance="a sentence",
    read=_read,
    needs_gold=True,
    metrics=("f1",),
    options=("metric",),
)
