"""Split a corpus into training, development and test sentences.

    python scripts/split_corpus.py FILE ... --seed N --shares TRAIN DEV TEST --into FOLDER
    python scripts/split_corpus.py FILE ... --standard --shares TRAIN DEV TEST --into FOLDER
    python scripts/split_corpus.py TRAIN DEV TEST --standard --given --into FOLDER

The files are CoNLL-U, or have two columns (word, tab, tag). A random split permutes the sentences.
The standard split is the one that is given, or keeps documents whole. The folder receives
``train.conll``, ``dev.conll``, ``gold.conll``, ``test.conll``, which is the gold file without tags,
and ``sizes.csv``, in each of them sentences in the order of the corpus.
"""

import argparse
import itertools
import sys
from pathlib import Path

import conll
import numpy as np
import pandas as pd

from analysis import command
from replicability import checks
from replicability.io import files

PARTS = ("train", "dev", "test")
"""Parts of a split, in the order of the shares."""


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", type=Path, nargs="+", help="the corpus")
    parser.add_argument("--standard", action="store_true", help="keep documents whole")
    parser.add_argument("--given", action="store_true", help="the files are train, dev and test")
    parser.add_argument("--seed", type=int, default=0, help="seed of a random split")
    parser.add_argument("--shares", type=float, nargs=3, default=(0.8, 0.1, 0.1), metavar="SHARE")
    parser.add_argument("--into", type=Path, required=True, help="folder to write to")
    options = parser.parse_args(arguments)
    corpus, sizes = read(options.files)
    if not options.standard:
        part = random_split(len(corpus), options.shares, options.seed)
    elif options.given:
        part = np.repeat(np.arange(len(sizes)), sizes)
    else:
        part = standard_split(*documents(corpus), options.shares)
    check(part, options.shares, options.files[0])
    publish(corpus, part, options.into)


# --- reading -------------------------------------------------------------------------------------


def read(files):
    """Read a corpus, and give its sentences names of their own.

    `files` (sequence of Path): files that `conll.read` reads, of one form.

    Returns list of conll.Sentence: the sentences of all files; where a ``sent_id`` is missing or
    there twice, all are named anew, s1, s2, ... list of int: number of sentences of each file.

    Raises `InputError`: if a file is malformed, or the files are of two forms.
    """
    found = [conll.read(file) for file in files]
    forms = [_columns(sentences[0]) for sentences in found]
    for file, form in zip(files, forms, strict=True):
        if form != forms[0]:
            raise checks.InputError(
                f"{file} has {form} columns, but {files[0]} has {forms[0]}; all files of a corpus "
                "need the same format."
            )
    corpus = list(itertools.chain.from_iterable(found))
    names = conll.names(corpus)
    if names != [sentence.name for sentence in corpus]:
        corpus = [_renamed(*pair) for pair in zip(corpus, names, strict=True)]
    return corpus, [len(sentences) for sentences in found]


def _columns(sentence):
    return sentence.lines[-1].count("\t") + 1


def _renamed(sentence, name):
    """Name a sentence in its comments too."""
    others = [
        line
        for line in sentence.lines
        if not (_is_comment(line) and _comment(line)[0] == "sent_id")
    ]
    return sentence._replace(name=name, lines=[f"# sent_id = {name}", *others])


def documents(corpus):
    """Say which document and category each sentence belongs to.

    `corpus` (sequence of conll.Sentence): the comment ``# newdoc`` begins a document, and
    ``# category = `` names its category; without any such comment each sentence is a document.

    Returns document, category : ndarray of int64, shape (sentences,). Numbers from 0, in the order
    of the corpus.
    """
    new, category, known = [], [], {"": 0}
    current = ""
    for sentence in corpus:
        keys = dict(map(_comment, itertools.takewhile(_is_comment, sentence.lines)))
        starts = any(key.split()[0] == "newdoc" for key in keys if key)
        current = keys.get("category", "" if starts else current)
        new.append(starts)
        category.append(known.setdefault(current, len(known)))
    whole = np.cumsum(new) if any(new) else np.arange(len(corpus))
    return whole, np.array(category)


def _is_comment(line):
    return line.startswith("#") and "\t" not in line


def _comment(line):
    key, _, value = line.lstrip("#").partition("=")
    return key.strip(), value.strip()


# --- splitting -----------------------------------------------------------------------------------


def random_split(n, shares, seed):
    """Split sentences at random.

    `n`: number of sentences. `shares` (sequence of float): shares of the parts, with the sum 1.
    `seed`: seed of the permutation.

    Returns ndarray of int64, shape (n,). Number of the part of each sentence, an index into
    `PARTS`; the sizes of the parts are the shares of `n`, their cumulated sums rounded.
    """
    order = np.random.default_rng(np.random.SeedSequence(seed)).permutation(n)
    bounds = np.floor(np.cumsum(shares)[:-1] * n + 0.5)
    part = np.empty(n, np.int64)
    part[order] = np.searchsorted(bounds, np.arange(n), side="right")
    return part


def standard_split(document, category, shares):
    """Split a corpus in its own order, documents kept whole and categories alike.

    `document`, `category` (ndarray of int64, shape (n,)): document and category of each sentence,
    from `documents`. `shares` (sequence of float): shares of the parts, with the sum 1.

    Returns ndarray of int64, shape (n,). Number of the part of each sentence. The sentences of a
    category are counted off in the order of the corpus, and a document belongs where its middle
    falls: into the first 80%, say, or the next 10%. On the Wall Street Journal the standard split
    of Collins (2002) is one by sections in their order (00-18, 19-21, 22-24).
    """
    bounds = np.cumsum(shares)[:-1]
    part = np.empty(len(document), np.int64)
    for kind in np.unique(category):
        inside = np.flatnonzero(category == kind)
        _, number, size = np.unique(document[inside], return_inverse=True, return_counts=True)
        middle = (np.cumsum(size) - size / 2) / len(inside)
        part[inside] = np.searchsorted(bounds, middle, side="right")[number]
    return part


def check(part, shares, name):
    """Refuse a split with an empty part.

    Parameters
    ----------
    part : ndarray of int64, shape (n,)
        Number of the part of each sentence.
    shares : sequence of float
        A part with the share 0 may be empty.
    name : str or Path
        The corpus, for the message.

    Raises
    ------
    InputError
        If a part has no sentence.
    """
    for number, (label, share) in enumerate(zip(PARTS, shares, strict=True)):
        if share > 0 and not (part == number).any():
            raise checks.InputError(
                f"{name}: with {len(part)} sentences, the part {label!r} is empty; pass more "
                "sentences or documents, or the files of a standard split."
            )


# --- writing -------------------------------------------------------------------------------------


def publish(corpus, part, folder):
    """Write the files of a split, each all or nothing.

    `corpus` (sequence of conll.Sentence): the sentences. `part` (ndarray of int64, shape (n,)):
    number of the part of each sentence. `folder`: where they go.
    """
    parts = [
        [sentence for sentence, own in zip(corpus, part, strict=True) if own == number]
        for number in range(len(PARTS))
    ]
    counts = [(len(sentences), sum(len(s.words) for s in sentences)) for sentences in parts]
    sizes = pd.DataFrame(counts, columns=["sentences", "tokens"])
    sizes.insert(0, "part", PARTS)
    texts = dict(zip(("train", "dev", "gold"), map(_text, parts), strict=True))
    texts["test"] = _text(map(_untagged, parts[-1]))
    made = {f"{name}.conll": text for name, text in texts.items()}
    made["sizes.csv"] = sizes.to_csv(index=False, lineterminator="\n")
    for name, text in made.items():
        with files.replacing(folder / name) as place:
            place.write_text(text, encoding="utf-8")


def _text(sentences):
    return "".join("\n".join([*sentence.lines, "", ""]) for sentence in sentences)


def _untagged(sentence):
    """Blank every column but the number and the form of a word."""
    columns, numbers = _columns(sentence), 2 if _columns(sentence) == 10 else 1
    lines = [
        "\t".join(line.split("\t")[:numbers] + ["_"] * (columns - numbers))
        if "\t" in line
        else line
        for line in sentence.lines
    ]
    return sentence._replace(lines=lines)


if __name__ == "__main__":
    sys.exit(main())
