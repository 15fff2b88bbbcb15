"""Compare the tags that taggers gave with gold tags.

    python scripts/compare_tags.py --gold FILE NAME=FILE ...
    python scripts/compare_tags.py --gold FILE NAME=FILE ... --train FILE --outcomes OUT.parquet
    python scripts/compare_tags.py --gold FILE NAME=FILE ... --tags OUT.parquet [--words]
        [--finite TAG ...]

All files are CoNLL-U, or have two columns (word, tab, tag). Without a file to write, the command
checks that a tagger tagged the words of the gold file, all of them, in their order.
"""

import argparse
import sys
from pathlib import Path

import conll
import numpy as np
import pandas as pd

from analysis import command
from replicability import checks
from replicability.io import instances


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tagged", nargs="+", help="NAME=FILE")
    parser.add_argument("--gold", type=Path, required=True, help="sentences with gold tags")
    parser.add_argument("--train", type=Path, help="training sentences, for --outcomes")
    parser.add_argument("--outcomes", type=Path, help="file to write: right words of each tagger")
    parser.add_argument("--tags", type=Path, help="file to write: tags on which taggers differ")
    parser.add_argument("--words", action="store_true", help="show disputed words, for --tags")
    parser.add_argument("--finite", nargs="+", default=(), help="tags of finite verbs, for --tags")
    options = parser.parse_args(arguments)
    gold = conll.read(options.gold)
    tags = dict(read(part, gold, options.gold) for part in options.tagged)
    if options.outcomes:
        known = {word for s in conll.read(options.train) for word in s.words}
        instances.write(outcomes(gold, tags, known), options.outcomes)
    if options.tags:
        instances.write(differing(gold, tags, options.words, options.finite), options.tags)


def read(part, gold, place):
    """Read what a tagger wrote, and check that it tagged the words of the gold file.

    `part`: ``NAME=FILE``. `gold` (list of conll.Sentence): the sentences of the gold file. `place`:
    the gold file, for messages.

    Returns str: name of the tagger. list of list of str: one tag for each word of each sentence.

    Raises `InputError`: if the file is missing or malformed, a word has no tag, or a sentence or a
    word is missing, changed or not in the gold file.
    """
    name, _, file = part.partition("=")
    if not (name and file):
        raise checks.InputError(f"{part!r} does not name a tagger and a file; write NAME=FILE.")
    if not Path(file).is_file():
        raise checks.InputError(
            f"{name} did not write {file}; its command must write the tagged sentences to "
            f"{{output}}."
        )
    found = conll.read(file)
    for own, due in zip(found, gold, strict=False):
        if own.words != due.words:
            raise checks.InputError(_difference(name, file, own, place, due))
    if len(found) != len(gold):
        raise checks.InputError(
            f"{file} has {len(found)} sentences, but {place} has {len(gold)}; {name} must tag "
            "every sentence in the order of {test}, with a blank line after each sentence."
        )
    return name, [sentence.tags for sentence in found]


def _difference(name, file, own, place, due):
    """Say where a tagged sentence departs from the one that was due."""
    same = (a == b for a, b in zip(own.words, due.words, strict=False))
    first = next((i for i, equal in enumerate(same) if not equal), None)
    if first is None:
        return (
            f"{file}, line {own.numbers[-1]} ends a sentence of {len(own.words)} words, and that "
            f"in {place}, line {due.numbers[-1]} has {len(due.words)}; {name} must tag every word, "
            "with a blank line after each sentence."
        )
    return (
        f"{file}, line {own.numbers[first]} has the word {own.words[first]!r}, but {place}, line "
        f"{due.numbers[first]} has {due.words[first]!r}; {name} must return the words of "
        "{test} unchanged, one per line."
    )


def outcomes(gold, tags, known):
    """Count the words on which the same taggers are right.

    `gold` (list of conll.Sentence): sentences with gold tags. `tags` (dict of str to list of list
    of str): tagger -> tags of each sentence. `known` (set of str): forms of the training words; a
    test word is unknown if its form, with its case, is not here.

    Returns DataFrame. Columns ``instance`` (str), ``unknown`` (bool), ``words`` (uint16), and one
    of bool for each tagger; one row for each sentence, `unknown` and pattern of right and wrong
    that occurs.

    Raises `InputError`: if a sentence has more words than 16 bits count.
    """
    table = _by_word(gold, tags)
    if len(table) and table["position"].max() > np.iinfo(np.uint16).max:
        raise checks.InputError("A sentence has more than 65,535 words; split it.")
    right = table[[*tags]].eq(table["gold"], axis=0)
    keys = pd.DataFrame({"sentence": table["sentence"], "unknown": ~table["word"].isin(known)})
    counted = keys.join(right).groupby(["sentence", "unknown", *tags]).size()
    counted = counted.rename("words").astype(np.uint16).reset_index()
    names = np.array(conll.names(gold), object)
    counted.insert(0, "instance", names[counted.pop("sentence")])
    return counted[["instance", "unknown", "words", *tags]]


def differing(gold, tags, words=False, finite=()):
    """List the words on which two taggers differ, and count the others of their sentences.

    The gold tags of a sentence cannot be read off: those of the words on which all taggers agree
    are not here, and the order of these words is not either.

    `gold` (list of conll.Sentence): sentences with gold tags. `tags` (dict of str to list of list
    of str): tagger -> tags of each sentence. `words`: whether words on which taggers differ are
    shown, of sentences in which all agree on at most half. `finite` (sequence of str): tags of
    finite verbs.

    Returns DataFrame. Columns ``instance`` (str), ``position`` (uint16, from 1; 0 where all taggers
    agree), ``words`` (uint16), ``word`` and ``gold`` (str, missing where all taggers agree),
    ``finite`` (bool, whether the gold tag is one of a finite verb) and one of str for each tagger.
    One row for each word on which two taggers differ; of the other words in the same sentence, one
    row for each tag and value of ``finite``.
    """
    table = _by_word(gold, tags)
    given = table[[*tags]]
    agreed = given.eq(given.iloc[:, 0], axis=0).all(axis=1)
    share = agreed.groupby(table["sentence"]).transform("mean")
    table["finite"] = table["gold"].isin(finite)
    table["word"] = table["word"].where(words & ~agreed & (share <= 0.5), "")
    table["gold"] = table["gold"].mask(agreed, "")
    table["position"] = table["position"].mask(agreed, 0).astype(np.uint16)
    keys = ["sentence", "position", "word", "gold", "finite", *tags]
    found = table[share < 1].groupby(keys).size().astype(np.uint16).rename("words").reset_index()
    found[["word", "gold"]] = found[["word", "gold"]].astype(object).replace("", None)
    names = np.array(conll.names(gold), object)
    found.insert(0, "instance", names[found.pop("sentence")])
    return found[["instance", "position", "words", "word", "gold", "finite", *tags]]


def _by_word(gold, tags):
    """Return one row per word: number of its sentence, position, word, gold tag, tags."""
    sizes = [len(sentence.words) for sentence in gold]
    table = pd.DataFrame(
        {
            "sentence": np.repeat(np.arange(len(gold)), sizes),
            "position": np.concatenate([np.arange(1, size + 1) for size in sizes]),
            "word": [word for sentence in gold for word in sentence.words],
            "gold": [tag for sentence in gold for tag in sentence.tags],
        }
    )
    return table.assign(**{name: [t for s in given for t in s] for name, given in tags.items()})


if __name__ == "__main__":
    sys.exit(main())
