"""Score the outputs of parsers against a gold treebank, as the CoNLL 2018 shared task does.

    python scripts/score_treebank.py --gold FILE --system NAME=FILE [--system NAME=FILE ...]
                                     [--vocabulary FILE.txt]
                                     --scores OUT.parquet --totals OUT.csv

The scores have one row per system, in the order given, and gold sentence: its sent_id, the name of
its document ("" where the gold standard names none), its number of words and of words whose UPOS,
head (uas), head and relation (las) are right; with a vocabulary, also its number of unknown words,
those whose form is not in it, and of unknown words whose UPOS is right. The totals have one row per
system; the official F1 score is 2 * correct / (gold_words + system_words). Both files are made only
if every input is read.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from tqdm import tqdm

from analysis import command
from replicability import checks
from replicability.io import conllu, files, instances, text

COUNTS = ("words", "upos", "uas", "las")
"""Counts in the columns of the scores, of each gold sentence."""

UNKNOWN = ("unknown", "unknown_upos")
"""Further counts where there is a vocabulary."""


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--gold", type=Path, required=True, help="gold standard, CoNLL-U")
    parser.add_argument(
        "--system",
        action="append",
        required=True,
        metavar="NAME=FILE",
        help="CoNLL-U output of a system; repeat the option for each system",
    )
    parser.add_argument("--vocabulary", type=Path, help="known forms, one per line")
    parser.add_argument("--scores", type=Path, required=True, help="Parquet file to write")
    parser.add_argument("--totals", type=Path, required=True, help="CSV file to write")
    options = parser.parse_args(arguments)
    vocabulary = options.vocabulary and text.read_text(options.vocabulary).split("\n")
    scores, totals = score(options.gold, named(options.system), vocabulary)
    with files.replacing(options.totals) as part:
        totals.to_csv(part, index=False, lineterminator="\n")
        instances.write(scores, options.scores)


def named(pairs):
    """Return the file of each system.

    `pairs` (sequence of str): NAME=FILE of each system.

    Returns dict of str to Path. Name -> file, in the order given.

    Raises `InputError`: if a pair has no name or no file, or a name is given twice.
    """
    files = {}
    for pair in pairs:
        name, _, file = pair.partition("=")
        if not (name and file):
            raise checks.InputError(
                f"--system is {pair!r}; write NAME=FILE, such as udpipe=en.conllu."
            )
        if name in files:
            raise checks.InputError(f"--system {name!r} is given twice; give each its own name.")
        files[name] = Path(file)
    return files


def score(gold, systems, vocabulary=None):
    """Score systems on one treebank.

    `gold`: the gold standard. `systems` (dict of str to Path): name -> output. `vocabulary`
    (sequence of str): the known forms; a word is unknown if its FORM, with its case, is not among
    them.

    Returns `scores` (DataFrame): columns instance, document and system (str), words, upos, uas, las
    (uint16); with a vocabulary, also unknown, unknown_upos (uint16). `totals` (DataFrame): columns
    system, gold_words, system_words, upos, uas, las.

    Raises `InputError`: if a file is refused, the texts differ or two gold sentences have the same
    sent_id.
    """
    treebank = conllu.read(gold)
    check_names(treebank)
    columns = [*COUNTS, *(() if vocabulary is None else UNKNOWN)]
    unknown = pc.invert(pc.is_in(treebank.form, pa.array(vocabulary or [], pa.large_string())))
    unknown = unknown.to_numpy(zero_copy_only=False)
    scores, totals = [], []
    for name, file in tqdm(systems.items(), unit="system", disable=None):
        agreement = conllu.agreement(treebank, conllu.read(file))
        counts = conllu.per_sentence(treebank, agreement)
        for column, words in zip(UNKNOWN, (unknown, unknown & agreement.upos), strict=True):
            counts[column] = np.add.reduceat(words, treebank.first_word, dtype=np.int64)
        scores.append(np.stack([counts[column] for column in columns], axis=1))
        right = [int(counts[column].sum()) for column in COUNTS[1:]]
        totals.append([name, len(treebank), agreement.system_words, *right])
    frame = pd.DataFrame(np.concatenate(scores), columns=columns).astype(np.uint16)
    n_sentences = len(treebank.sent_id)
    frame.insert(0, "instance", list(treebank.sent_id) * len(systems))
    frame.insert(1, "document", list(treebank.document) * len(systems))
    frame.insert(2, "system", np.repeat([*systems], n_sentences))
    header = ["system", "gold_words", "system_words", *COUNTS[1:]]
    return frame, pd.DataFrame(totals, columns=header)


def check_names(treebank):
    """Check that sentences can be told apart, and fit into the columns.

    `treebank` (Treebank): the gold standard.

    Raises `InputError`: if a sent_id occurs twice or a sentence has more than 65,535 words.
    """
    (name, number), *_ = Counter(treebank.sent_id).most_common(1)
    if number > 1:
        raise checks.InputError(
            f"{treebank.path} has {number} sentences with the sent_id {name!r}; give each its own."
        )
    longest = np.diff(treebank.first_word, append=len(treebank)).max()
    if longest > np.iinfo(np.uint16).max:
        raise checks.InputError(
            f"{treebank.path} has a sentence of {longest} words, but at most 65535 are supported."
        )


if __name__ == "__main__":
    sys.exit(main())
