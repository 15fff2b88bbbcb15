"""Train word2vec vectors (CBOW) on reviews and keep those of the words of word-pair sets.

    python scripts/train_word2vec.py --text FILE ... --vocabulary EN-*.txt --size 50 --seed N
                                     --output FILE.parquet

Each line of a text is one review: what follows its last tab, or the whole line. A word is a run of
the letters a to z, lower-cased, with hyphens between letters; everything else splits words, so that
"don't" is "don" and "t" and text in any extension of ASCII is read alike. Output has a column word
and one column v1, v2, ... per dimension (float32), sorted by word.

The settings are the defaults of the word2vec tool for CBOW with negative sampling, except for ten
epochs instead of five, because the text is small; they were fixed before any similarity was
computed. One thread trains on the reviews in the order of the files, and equal counts are ordered
by spelling, so that the vectors depend on the text, size and seed alone.

References
----------
Mikolov, Chen, Corrado and Dean (2013), ICLR workshop, for CBOW. Mikolov, Sutskever, Chen, Corrado
and Dean (2013), NIPS, for negative sampling and the subsampling of frequent words.
"""

import argparse
import re
import sys
import zlib
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import threadpoolctl
from gensim.models import Word2Vec
from word_similarity import check_file, read_words

from analysis import command
from replicability import checks
from replicability.io import instances

SETTINGS = {
    "sg": 0,
    "cbow_mean": 1,
    "window": 5,
    "negative": 5,
    "ns_exponent": 0.75,
    "sample": 1e-3,
    "min_count": 5,
    "alpha": 0.025,
    "min_alpha": 1e-4,
}
"""Settings of gensim's Word2Vec."""

EPOCHS = 10
"""Passes over the text."""

WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
"""A word of a lower-cased text."""

LONGEST = 10_000
"""Words after which a review is cut in two; gensim reads no further in one sentence."""


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--text", type=Path, nargs="+", required=True, help="one review per line")
    parser.add_argument("--vocabulary", type=Path, nargs="+", required=True, help="word-pair sets")
    parser.add_argument("--size", type=int, required=True, help="dimensions of a vector")
    parser.add_argument("--seed", type=int, required=True, help="seed for random numbers")
    parser.add_argument("--output", type=Path, required=True, help="Parquet file for the vectors")
    options = parser.parse_args(arguments)
    checks.at_least("size", options.size)
    checks.at_least("seed", options.seed, 0)
    vocabulary = read_words(options.vocabulary)
    vectors = train(list(read_reviews(options.text)), vocabulary, options.size, options.seed)
    instances.write(vectors, options.output)
    print(f"{len(vectors)} of {len(vocabulary)} words have a vector.")


def train(reviews, vocabulary, size, seed):
    """Train vectors and keep those of a vocabulary.

    `reviews` (sequence of list of str): the words of each review. `vocabulary` (iterable of str):
    words to keep. `size`: dimensions of a vector. `seed`: seed of the initial vectors and of the
    sampling.

    Returns DataFrame. Columns word (str, sorted) and v1, ..., v`size` (float32); a row for each
    word of the vocabulary that the reviews have at least ``SETTINGS["min_count"]`` times.

    Raises `InputError`: if there is no such word.
    """
    counts = Counter(word for review in reviews for word in review)
    kept = sorted(word for word in vocabulary if counts[word] >= SETTINGS["min_count"])
    if not kept:
        raise checks.InputError(
            f"No word of the vocabulary occurs {SETTINGS['min_count']} times in the text; pass "
            "more text or different word-pair sets."
        )
    model = Word2Vec(
        vector_size=size,
        seed=int(np.random.SeedSequence(seed).generate_state(1)[0]),
        workers=1,
        sorted_vocab=0,
        hashfxn=word_hash,
        **SETTINGS,
    )
    order = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    with threadpoolctl.threadpool_limits(1):
        model.build_vocab_from_freq(dict(order), corpus_count=len(reviews))
        model.train(reviews, total_examples=len(reviews), epochs=EPOCHS)
    vectors = pd.DataFrame(model.wv[kept], columns=[f"v{i}" for i in range(1, size + 1)])
    vectors.insert(0, "word", kept)
    return vectors


def read_reviews(paths):
    """Read the words of reviews.

    `paths` (sequence of Path): texts with one review per line, after its last tab if it has one.

    Yields list of str. The words of a review; one longer than `LONGEST` comes in parts.

    Raises `InputError`: if a file is missing or has no word.
    """
    for path in paths:
        check_file(path)
        empty = True
        with path.open(encoding="ascii", errors="replace") as lines:
            for line in lines:
                review = words(line.rpartition("\t")[2])
                for start in range(0, len(review), LONGEST):
                    empty = False
                    yield review[start : start + LONGEST]
        if empty:
            raise checks.InputError(f"{path} has no words; pass a file with text, or leave it out.")


def words(text):
    """Split a text into words.

    `text`: a text.

    Returns list of str. Its words, lower-cased.

    Examples
    --------
    >>> words("It's an up-to-date 7-Zip -- don't miss it!")
    ['it', 's', 'an', 'up-to-date', 'zip', 'don', 't', 'miss', 'it']
    """
    return [sys.intern(word) for word in WORD.findall(text.lower())]


def word_hash(word):
    """Hash a word alike in every process, unlike `hash`.

    `word`: a word.

    Returns int. CRC-32 of its UTF-8 bytes.
    """
    return zlib.crc32(word.encode())


if __name__ == "__main__":
    sys.exit(main())
