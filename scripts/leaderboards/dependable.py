"""What nine dependency parsers have right on each sentence of the sample of DependAble.

    python scripts/leaderboards/dependable.py FOLDER --output FILE

FOLDER holds the sample of Choi, Tetreault and Stent (2015): gold trees and a file of each parser.
Scored as by their tool: all words count, symbols too, and words are matched by their place.
"""

import re
import sys

import answers
import pandas as pd

from replicability import checks
from replicability.io import text

PARSERS = {
    "clearnlp": "ClearNLP",
    "gn13": "GN13",
    "ltdt": "LTDP",
    "mate": "Mate",
    "rbg": "RBG",
    "redshift": "Redshift",
    "spacy": "SpaCy",
    "turbo": "Turbo",
    "yara": "Yara",
}
"""Name of the file of each parser -> its name."""

UNLABELLED = "_"
"""Relation where a parser gives none."""

COLUMNS = {"id": 0, "form": 1, "head": 6, "relation": 7}
"""Places of what is read in a line, by the settings of the tool; tabs separate the columns."""

PROGRAMMES = ("Chinese broadcast", "Reliable Sources")
"""The two programmes that the sample consists of, in their order."""

STOPS = {"/.", "/?", "/-"}
"""How the second programme's transcript writes the end of a sentence, and the first's does not."""

SYMBOL = re.compile(r"""['!"#$%&\\()*+,\-./:;<=>?@\[\]^_`{|}~]+""")
"""What the tool takes for a symbol, which its users may leave out."""

MATCHED = "words matched"
"""What follows the name of a parser whose words are matched by the order in which it has them."""


def outcomes(folder):
    """Count for each sentence the words with the right head, and with the right relation, too.

    `folder`: holds ``gold`` and the files of `PARSERS`.

    Returns DataFrame. One row per score (UAS, LAS), system and sentence: ``dataset`` (programme and
    score), ``instance`` (number of the sentence), ``system``, ``words``, those of them that are
    ``right``, those that are ``symbols``, and ``symbols_right``. A parser without relations has no
    LAS; one whose file has sentences in another order than the gold trees has rows by place, as in
    the tool, and others with its words matched.

    Raises `InputError`: if a file is missing or not in the layout, a gold head or relation is
    missing, a parser has other sentences, or the programmes do not follow one another.
    """
    gold = read(folder / "gold")
    _refuse_gold(folder / "gold", gold)
    kept = _programmes(folder / "gold", gold)
    frames = []
    for file, name in PARSERS.items():
        parsed = read(folder / file)
        matched = match(folder / file, gold, parsed)
        frames += _scored(gold, parsed, kept, name)
        if matched != parsed:
            frames += _scored(gold, matched, kept, f"{name}, {MATCHED}")
    return pd.concat(frames, ignore_index=True)


def read(path):
    """Read the sentences of a file: for each word form, head (a number, 0 for a root), relation."""
    sentences = [[]]
    for number, line in enumerate(text.read_text(path).splitlines(), 1):
        if line.strip():
            word = _word(f"{path}, line {number}", line.split("\t"), len(sentences[-1]) + 1)
            sentences[-1].append(word)
        elif sentences[-1]:
            sentences.append([])
    return [sentence for sentence in sentences if sentence]


def _word(place, fields, expected):
    if len(fields) <= max(COLUMNS.values()):
        raise checks.InputError(
            f"{place} has {len(fields)} tab-separated columns, but a word needs at least "
            f"{max(COLUMNS.values()) + 1}."
        )
    identifier, form, head, relation = (fields[place] for place in COLUMNS.values())
    if identifier != str(expected):
        raise checks.InputError(
            f"{place} has the number {identifier!r} instead of {expected}; end each sentence with "
            "a blank line."
        )
    if not (head.isascii() and head.isdigit()):
        raise checks.InputError(
            f"{place} has the head {head!r}; a head must be a number, 0 for a root."
        )
    return form, int(head), relation


def _refuse_gold(path, gold):
    """Refuse gold sentences that are no trees with relations."""
    for number, sentence in enumerate(gold, 1):
        if UNLABELLED in {relation for _, _, relation in sentence}:
            raise checks.InputError(f"{path}, sentence {number} has a word without a relation.")
        if len(in_order(sentence)) != len(sentence):
            raise checks.InputError(
                f"{path}, sentence {number} is not a tree: its heads form a cycle or are out of "
                "range."
            )


def _programmes(path, gold):
    """Name the programme of each sentence."""
    second = [not STOPS.isdisjoint(form for form, _, _ in sentence) for sentence in gold]
    if second != sorted(second) or len(set(second)) != len(PROGRAMMES):
        raise checks.InputError(
            f"{path} should contain a programme without the marks "
            f"{checks.enumerated(sorted(STOPS))}, and then one with a mark in each sentence; the "
            "sample has changed, so adapt this module."
        )
    return [PROGRAMMES[mark] for mark in second]


def in_order(sentence):
    """List the places of words, from 0, as an in-order walk through the tree meets them.

    First what depends on a word from the left, then the word, then what depends on it from the
    right. Words that no root is above are not met.
    """
    below = [[] for _ in range(len(sentence) + 1)]
    for place, (_, head, _) in enumerate(sentence, 1):
        if head <= len(sentence):
            below[head].append(place)
    found, stack = [], [(0, True)]
    while stack:
        place, closed = stack.pop()
        if not closed:
            found.append(place - 1)
            continue
        steps = [(child, True) for child in below[place] if child < place]
        steps += [(place, False)] * (place > 0)
        steps += [(child, True) for child in below[place] if child > place]
        stack += reversed(steps)
    return found


def match(path, gold, parsed):
    """Put the words of a parser that stand as `in_order` has the gold tree's into their order.

    Other words are refused; case and the escape of "/" by "~" do not count.
    """
    if len(parsed) != len(gold):
        raise checks.InputError(
            f"{path} has {len(parsed)} sentences, but the gold standard has {len(gold)}; both need "
            "the same sentences."
        )
    found = []
    for number, (right, ours) in enumerate(zip(gold, parsed, strict=True), 1):
        expected, forms = _forms(right), _forms(ours)
        order = in_order(right)
        if forms == expected:
            found.append(ours)
        elif forms == [expected[place] for place in order]:
            found.append(_back(ours, order))
        else:
            raise checks.InputError(
                f"The words of {path}, sentence {number}, differ from the gold standard; both need "
                "the same sentences."
            )
    return found


def _forms(sentence):
    return [form.casefold().replace("~", "/") for form, _, _ in sentence]


def _back(sentence, order):
    """Put words that stand in an order back to their places; heads that lie outside stay there."""
    place = {0: 0} | {new: old + 1 for new, old in enumerate(order, 1)}
    placed = dict(zip(order, sentence, strict=True))
    return [
        (form, place.get(head, head), relation)
        for form, head, relation in (placed[i] for i in range(len(sentence)))
    ]


def _scored(gold, parsed, programmes, system):
    """Count what is right in each sentence; the frame of LAS is only there with relations."""
    scores = {"UAS": slice(1, 2)}
    if any(relation != UNLABELLED for sentence in parsed for _, _, relation in sentence):
        scores["LAS"] = slice(1, 3)
    frames = []
    for score, compared in scores.items():
        counts = [_counts(right, ours, compared) for right, ours in zip(gold, parsed, strict=True)]
        frame = pd.DataFrame(counts, columns=["words", "right", "symbols", "symbols_right"])
        frame = frame.astype("uint16")
        frame.insert(0, "dataset", [f"{programme} ({score})" for programme in programmes])
        frame.insert(1, "instance", [str(number) for number in range(1, len(gold) + 1)])
        frame.insert(2, "system", system)
        frames.append(frame)
    return frames


def _counts(right, ours, compared):
    same = [a[compared] == b[compared] for a, b in zip(right, ours, strict=True)]
    symbol = [SYMBOL.fullmatch(form) is not None for form, _, _ in right]
    both = sum(a and b for a, b in zip(same, symbol, strict=True))
    return len(right), sum(same), sum(symbol), both


if __name__ == "__main__":
    sys.exit(answers.run(outcomes, __doc__))
