"""Score the outputs of named-entity taggers against gold tags, as the CoNLL 2003 task does.

    python scripts/score_spans.py --gold FILE --system NAME=FILE [--system NAME=FILE ...]
                                  --output OUT.parquet

A file has one tag a line ("O", "I-PER", ...) and a blank line after each sentence. The output has
one row per system, in the order given, and sentence: its number, its words, for each type the
correct, guessed and gold spans, and the spans that are correct if their type does not matter.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from score_treebank import named
from tqdm import tqdm

from analysis import command
from replicability import checks
from replicability.io import instances, text
from replicability.stats import metrics

TYPES = ("LOC", "MISC", "ORG", "PER")
"""Types of entities of the shared task."""

COUNTS = ("correct", "guessed", "gold")
"""Counts of spans of each type, as in `replicability.stats.metrics.f1`."""

COLUMNS = ["words", *(f"{kind.lower()}_{count}" for kind in TYPES for count in COUNTS), "untyped"]
"""Columns of counts; spans that are correct but for their type are in ``untyped``, too."""


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--gold", type=Path, required=True, help="gold tags")
    parser.add_argument(
        "--system",
        action="append",
        required=True,
        metavar="NAME=FILE",
        help="tags of a system; repeat the option for each system",
    )
    parser.add_argument("--output", type=Path, required=True, help="Parquet file to write")
    options = parser.parse_args(arguments)
    instances.write(score(options.gold, named(options.system)), options.output)


def score(gold, systems):
    """Count the spans of systems in every sentence.

    `gold`: the gold tags. `systems` (dict of str to Path): name -> tags of the same words.

    Returns DataFrame. Columns instance and system (str) and `COLUMNS` (uint16).

    Raises `InputError`: if a file cannot be read, has other sentences than the gold file, or a tag
    that is none.
    """
    reference = sentences(gold)
    names = [str(number) for number in range(1, len(reference) + 1)]
    frames = []
    for name, file in tqdm(systems.items(), unit="system", disable=None):
        found = sentences(file)
        refuse_other_words(gold, reference, file, found)
        rows = [counts(*pair) for pair in zip(reference, found, strict=True)]
        frame = pd.DataFrame(np.array(rows, dtype=np.uint16), columns=COLUMNS)
        frame.insert(0, "instance", names)
        frame.insert(1, "system", name)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def counts(gold, tags):
    """Count the words and spans of one sentence.

    `gold`, `tags` (list of str): a tag for each word.

    Returns list of int. `COLUMNS`.

    Raises `InputError`: if a tag has no known prefix, or a type that is none of `TYPES`.

    Examples
    --------
    >>> dict(zip(COLUMNS, counts(["I-PER", "O", "I-LOC"], ["I-ORG", "O", "I-LOC"])))["untyped"]
    2
    """
    true, found = metrics.spans(gold), metrics.spans(tags)
    for *_, kind in true | found:
        checks.choice("the type of a span", kind, TYPES)
    row = [len(gold)]
    for kind in TYPES:
        pair = [{span for span in spans if span[2] == kind} for spans in (true, found)]
        row += [len(pair[0] & pair[1]), len(pair[1]), len(pair[0])]
    return [*row, len({span[:2] for span in true} & {span[:2] for span in found})]


def sentences(path):
    """Read tags.

    `path`: one tag a line, blank lines between sentences.

    Returns list of list of str. The tags of each sentence.

    Raises `InputError`: if the file is missing, not UTF-8 or empty, or a line has more than a tag.
    """
    lines = [line.strip() for line in text.read_text(path).split("\n")]
    for number, line in enumerate(lines, 1):
        if len(line.split()) > 1:
            raise checks.InputError(
                f"{text.shown(path)}, line {number} is {line[:60]!r}; each line must be one tag or "
                "blank."
            )
    found = [block.split() for block in "\n".join(lines).split("\n\n")]
    return [tags for tags in found if tags]


def refuse_other_words(gold, reference, file, found):
    """Refuse tags that do not belong to the words of the gold tags.

    `gold`, `file`: both files, for the message. `reference`, `found` (list of list of str): their
    tags.

    Raises `InputError`: if the numbers of sentences, or of tags in one, differ.
    """
    if len(reference) != len(found):
        raise checks.InputError(
            f"{text.shown(file)} has {len(found)} sentences, but {text.shown(gold)} has "
            f"{len(reference)}; pass tags of the same text."
        )
    for number, (expected, tags) in enumerate(zip(reference, found, strict=True), 1):
        if len(expected) != len(tags):
            raise checks.InputError(
                f"Sentence {number} has {len(tags)} tags in {text.shown(file)}, but "
                f"{len(expected)} in {text.shown(gold)}; pass tags of the same text."
            )


if __name__ == "__main__":
    sys.exit(main())
