"""Columns of words or items: lines of cells, with blank lines between sentences."""

from replicability import checks
from replicability.checks import InputError
from replicability.io.matching import listed_differences
from replicability.io.text import read_text, shown


def blocks(path):
    """Return the groups of lines between blank lines.

    Returns list of list of (int, str). Each line with its number, from 1.

    Raises `InputError`: as `replicability.io.text.read_text`.
    """
    blocks, block = [], []
    for number, text in enumerate(read_text(path).split("\n"), 1):
        if text.strip():
            block.append((number, text))
        elif block:
            blocks.append(block)
            block = []
    return [*blocks, block] if block else blocks


def check_same(files, rows, side, match="identifier"):
    """Check that a system's file has the gold sentences, word by word.

    `files` (dict of str to Path): "gold", "a" and "b" -> file, for the message. `rows` (dict of str
    to list of list of (int, str, str)): "gold", "a" and "b" -> sentences of (line, word, tag).
    `side` ({"a", "b"}): the system. `match` ({"identifier", "place"}): whether words that differ
    are refused, or listed.

    Returns tuple of str. A sentence on the words that differ, if there are any.

    Raises `InputError`: if the numbers of sentences or of words in one differ, or a word does that
    counts.
    """
    theirs, ours = files["gold"], files[side]
    differing = []
    for number, (gold, found) in enumerate(zip(rows["gold"], rows[side], strict=False), 1):
        for (line, word, _), (line_, word_, _) in zip(gold, found, strict=False):
            if word != word_ and match == "place":
                differing.append(f"line {line_} has {word_!r} instead of {word!r}")
            elif word != word_:
                raise InputError(
                    f"{shown(ours)}, line {line_} has the word {word_!r}, but {shown(theirs)}, "
                    f"line {line} has {word!r}. Both files must have the same words in the same "
                    "order. Copy the gold word where only the spelling differs, or match words by "
                    f"position with {checks.given('match', 'place')}."
                )
        if len(gold) != len(found):
            raise InputError(
                f"{shown(ours)}, line {found[0][0]}: sentence {number} has {len(found)} words, "
                f"but it has {len(gold)} in {shown(theirs)}, line {gold[0][0]}; both files must "
                "have the same sentences and words."
            )
    if len(rows["gold"]) != len(rows[side]):
        raise InputError(
            f"{shown(ours)} has {len(rows[side])} sentences, but {shown(theirs)} has "
            f"{len(rows['gold'])}; write the same sentences into both files, separated by blank "
            "lines."
        )
    return listed_differences(f"{shown(ours)} and {shown(theirs)}", "word", differing)
