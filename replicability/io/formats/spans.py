"""Spans, such as names: the word first and its tag last, in IOB, IOBES or BILOU."""

import dataclasses
import re

import pyarrow as pa

from replicability import checks
from replicability.checks import InputError
from replicability.io import cells, datasets, words
from replicability.io.datasets import SIDES
from replicability.io.formats import Format
from replicability.io.instances import Dataset
from replicability.io.text import shown
from replicability.stats.metrics import span_sums

_TAG = re.compile(r"O|[BIESLU](-\S+)?")


def _read(comparison):
    """Count the right, guessed and gold spans of each sentence, all or those of each type."""
    if comparison.by:
        checks.choice(f"{comparison.source}: {checks.named('by')}", comparison.by, ("type",))
    whole = dataclasses.replace(comparison, datasets=()) if comparison.by else comparison
    found, places = [], datasets.find(whole)
    for dataset, files in places.items():
        rows = {side: _word_and_tag(path) for side, path in files.items()}
        tags = {side: [[row[2] for row in sentence] for sentence in rows[side]] for side in SIDES}
        differences = ()
        for side in "ab":
            differences += words.check_same(files, rows, side, comparison.match)
        ids = cells.by_place(len(tags["gold"]))
        if not comparison.by:
            found.append(_dataset(dataset, ids, tags, differences))
        elif len(places) == 1:
            found += [_dataset(kind, ids, _only(tags, kind), differences) for kind in _kinds(tags)]
        else:
            ids = pa.array([f"{dataset} {number}" for number in ids.to_pylist()])
            found += [
                _dataset(f"{dataset} / {kind}", ids, _only(tags, kind), differences)
                for kind in _kinds(tags)
            ]
    return datasets.chosen(comparison, found)


def _dataset(name, ids, tags, differences):
    """Put the sums of both systems beside each other."""
    a, b = (span_sums(tags["gold"], tags[side]) for side in "ab")
    return Dataset(name, ids, a, b, "f1", differences=differences)


def _kinds(tags):
    """List the types of gold spans; a type that only a system has is in no dataset."""
    return sorted({tag[2:] for sentence in tags["gold"] for tag in sentence if tag[1:2] == "-"})


def _only(tags, kind):
    """Leave out the tags of other types."""
    return {
        side: [[tag if tag[2:] == kind else "O" for tag in sentence] for sentence in sentences]
        for side, sentences in tags.items()
    }


def _word_and_tag(path):
    """Return the sentences of a file, each a list of (line, word, tag)."""
    sentences = []
    for sentence in words.blocks(path):
        rows = []
        for line, text in sentence:
            cells = text.split()
            if len(cells) < 2:
                raise InputError(
                    f"{shown(path)}, line {line} is {text[:60]!r}, but each line must consist of "
                    "a word and, in the last column, a tag, separated by spaces or tabs; correct "
                    "this line."
                )
            if not _TAG.fullmatch(cells[-1]):
                raise InputError(
                    f"{shown(path)}, line {line}: the tag is {cells[-1]!r}; write 'O', or "
                    "B, I, E, S, L or U with a type such as 'B-PER'."
                )
            rows.append((line, cells[0], cells[-1]))
        sentences.append(rows)
    return sentences


def _recognises(path):
    """Tell whether a file, or the first of a folder, has words with tags of spans on its lines."""
    file = datasets.first(path)
    if file.suffix.lower() in (".csv", ".json", ".jsonl") or not file.is_file():
        return False
    try:
        with file.open("rb") as stream:
            head, _, rest = stream.read(HEAD).decode(errors="replace").rpartition("\n")
    except OSError:
        return False
    lines = [line.split() for line in (head or rest).split("\n") if line.strip()]
    tagged = all(len(cells) > 1 and _TAG.fullmatch(cells[-1]) for cells in lines)
    return tagged and any(cells[-1][1:2] == "-" for cells in lines)


HEAD = 2**20
"""Number of bytes read to recognise a file with tags."""


FORMAT = Format(
    name="spans",
    title="IOB files",
    instance="a sentence",
    read=_read,
    recognises=_recognises,
    needs_gold=True,
    metrics=("f1",),
    options=("metric", "by", "match"),
)
