"""Train a part-of-speech tagger on the first words of a file and score it on another.

    python scripts/train_tagger.py --tagger NAME --train FILE --test FILE [--words 5000] --seed N
                                   --output OUT.parquet

Both files are CoNLL-U, or have two columns (word, tab, tag) with a blank line after each sentence.
The output has one row for each sentence of the test file: its name, the tagger, and the numbers of
words, of words tagged correctly, of words whose form is not among the training words, and of those
tagged correctly.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import taggers
from tqdm import tqdm

from analysis import command
from replicability import checks
from replicability.io import instances

COUNTS = ("words", "correct", "unknown", "unknown_correct")
"""Columns of the output that count words."""


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tagger", required=True, help=", ".join(taggers.TAGGERS))
    parser.add_argument("--train", type=Path, required=True, help="training sentences")
    parser.add_argument("--test", type=Path, required=True, help="test sentences")
    parser.add_argument("--words", type=int, default=5000, help="minimum number of training words")
    parser.add_argument("--seed", type=int, required=True, help="seed of the training")
    parser.add_argument("--output", type=Path, required=True, help="Parquet file to write")
    options = parser.parse_args(arguments)
    table = run(options.tagger, options.train, options.test, options.words, options.seed)
    instances.write(table, options.output)


def run(name, train, test, words, seed):
    """Train a tagger and count what it gets right.

    `name`: one of `taggers.TAGGERS`. `train`, `test`: files that `taggers.tagged_sentences` reads.
    `words`: training takes the first whole sentences with at least this many words. `seed`: seed of
    the training.

    Returns DataFrame. Columns ``instance`` and ``system`` (str), and ``words``, ``correct``,
    ``unknown``, ``unknown_correct`` (uint16); one row per test sentence.

    Raises `InputError`: if the tagger is unknown, a number is out of range, a file is malformed or
    the training file is too short.
    """
    tagger = taggers.TAGGERS[checks.choice("--tagger", name, taggers.TAGGERS)]
    checks.at_least("--words", words)
    checks.at_least("--seed", seed, 0)
    training = list(taggers.tagged_sentences(train).values())
    training = taggers.first_words(training, words, train)
    gold = taggers.tagged_sentences(test)
    model = tagger.train(training, seed)
    unseen = ([word for word, _ in sentence] for sentence in gold.values())
    bar = tqdm(unseen, desc=name, total=len(gold), unit=" sentences", disable=None, leave=False)
    tags = tagger.tag(model, bar)
    known = {word for sentence in training for word, _ in sentence}
    counts = count(gold.values(), tags, known)
    if counts.max() > np.iinfo(np.uint16).max:
        raise checks.InputError(
            f"{test} has a sentence of {counts.max()} words; put a blank line after each sentence."
        )
    table = pd.DataFrame(counts.astype(np.uint16), columns=COUNTS)
    table.insert(0, "instance", list(gold))
    table.insert(1, "system", name)
    return table


def count(gold, tags, known):
    """Count words, and words tagged correctly, in each sentence.

    Parameters
    ----------
    gold : iterable of list of (str, str)
        Words with their correct tags.
    tags : iterable of list of str
        The tags that a tagger gave.
    known : set of str
        Forms of the training words; a test word is unknown if its form, with its case, is not here.

    Returns
    -------
    ndarray of int64, shape (n, 4)
        `COUNTS` of each sentence.
    """
    rows = []
    for sentence, guesses in zip(gold, tags, strict=True):
        right = np.array([tag == guess for (_, tag), guess in zip(sentence, guesses, strict=True)])
        unknown = np.array([word not in known for word, _ in sentence])
        rows.append((len(sentence), right.sum(), unknown.sum(), (right & unknown).sum()))
    return np.array(rows)


if __name__ == "__main__":
    sys.exit(main())
