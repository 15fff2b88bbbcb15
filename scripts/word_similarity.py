"""Compare two sets of word vectors with human ratings of the similarity of word pairs.

    python scripts/word_similarity.py --pairs EN-*.txt --w2v FILE --glove FILE
                                      --output FILE.parquet --coverage FILE.csv

Output has one row for each pair whose words both have a vector in both sets:

========  =====  ==============================================================================
dataset   str    name of the word-pair set in the paper's Table 5, in its order
instance  str    number of the line in the upstream file, from 1
gold      float  rank of the human rating among these pairs, equal ratings sharing their mean
W2V       float  cosine of the word2vec vectors of the two words, with 6 decimals
GloVe     float  cosine of their GloVe vectors, with 6 decimals
========  =====  ==============================================================================

Ranks carry neither a word nor a rating of the upstream file, and Spearman's correlation with them
is the one with the ratings. A set with fewer covered pairs than Steiger's test takes is left out
with a sentence; its line in the coverage file remains.

References
----------
Faruqui and Dyer (2014), ACL demonstrations, for the collection of word-pair sets. Dror et al.
(2017), Section 6, for the comparison.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from scipy import stats

from analysis import command
from replicability import checks
from replicability.io import files, instances
from replicability.stats.gold_ratings import RATED_ITEMS

DATASETS = {
    "EN-WS-353-ALL": "WS353",
    "EN-WS-353-SIM": "WS353-SIM",
    "EN-WS-353-REL": "WS353-REL",
    "EN-MC-30": "MC-30",
    "EN-RG-65": "RG-65",
    "EN-RW-STANFORD": "RW",
    "EN-MEN-TR-3k": "MEN",
    "EN-MTurk-287": "MTurk-287",
    "EN-MTurk-771": "MTurk-771",
    "EN-YP-130": "YP-130",
    "EN-SIMLEX-999": "SimLex999",
    "EN-VERB-143": "Verb-143",
}
"""Upstream file without its ending -> name in the paper's Table 5, in its order."""

DECIMALS = 6
"""Decimals of a cosine."""


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=Path, nargs="+", required=True, help="word-pair sets")
    parser.add_argument("--w2v", type=Path, required=True, help="word2vec vectors")
    parser.add_argument("--glove", type=Path, required=True, help="GloVe vectors")
    parser.add_argument("--output", type=Path, required=True, help="Parquet file for the pairs")
    parser.add_argument("--coverage", type=Path, required=True, help="CSV file for the counts")
    options = parser.parse_args(arguments)
    vectors = {"W2V": read_vectors(options.w2v), "GloVe": read_vectors(options.glove)}
    table, coverage = score(options.pairs, vectors)
    instances.write(table, options.output)
    write_text(options.coverage, [coverage.to_csv(index=False)])


def score(paths, vectors):
    """Score the covered pairs of word-pair sets.

    `paths` (sequence of Path): upstream files; each is named as a key of `DATASETS`, with any
    ending. `vectors` (dict of str to DataFrame): system -> its vectors, as `read_vectors` returns
    them.

    Returns `table` (DataFrame): columns dataset, instance, gold and one per system; one row per
    covered pair. `coverage` (DataFrame): columns dataset, pairs, covered; one row per file.

    Raises `InputError`: if a file is not in `DATASETS`, is given twice or cannot be read, or every
    set has fewer than `gold_ratings.RATED_ITEMS` covered pairs.
    """
    files = {}
    for path in paths:
        dataset = DATASETS[checks.choice("Word-pair set", path.stem, DATASETS)]
        if dataset in files:
            raise checks.InputError(
                f"{path} and {files[dataset]} are both files of {dataset}; pass only one."
            )
        files[dataset] = path
    tables, coverage = [], []
    for dataset in filter(files.__contains__, DATASETS.values()):
        pairs = read_pairs(files[dataset])
        scored = cosines(pairs, vectors)
        coverage.append((dataset, len(pairs), len(scored)))
        if len(scored) < RATED_ITEMS:
            print(
                f"{files[dataset]}: {dataset} is left out, because {len(scored)} of its "
                f"{len(pairs)} pairs are covered, but a test needs {RATED_ITEMS}.",
                file=sys.stderr,
            )
            continue
        scored.insert(0, "dataset", dataset)
        tables.append(scored)
    if not tables:
        raise checks.InputError(
            f"No word-pair set has {RATED_ITEMS} pairs whose words have vectors in both files; "
            "make the vectors with these sets as vocabulary."
        )
    coverage = pd.DataFrame(coverage, columns=["dataset", "pairs", "covered"])
    return pd.concat(tables, ignore_index=True), coverage


def cosines(pairs, vectors):
    r"""Cosine of the angle between the vectors of the words of each covered pair.

    `pairs`: columns first, second and rating, as `read_pairs` returns them. `vectors` (dict of str
    to DataFrame): system -> its vectors.

    Returns DataFrame. Columns instance (row of `pairs` from 1, as str), gold (mid-rank of the
    rating among the covered pairs, from 1) and one per system,
    :math:`u \cdot v / (\lVert u \rVert \lVert v \rVert)` in [-1, 1], rounded.
    """
    covered = np.ones(len(pairs), dtype=bool)
    for frame in vectors.values():
        covered &= (pairs["first"].isin(frame.index) & pairs["second"].isin(frame.index)).to_numpy()
    rows = pairs[covered]
    columns = {
        "instance": (np.flatnonzero(covered) + 1).astype(str),
        "gold": stats.rankdata(rows["rating"]),
    }
    for system, frame in vectors.items():
        u, v = (frame.loc[rows[word]].to_numpy(dtype=float) for word in ("first", "second"))
        norms = np.linalg.norm(u, axis=1) * np.linalg.norm(v, axis=1)
        columns[system] = np.round((u * v).sum(axis=1) / norms, DECIMALS) + 0.0
    return pd.DataFrame(columns)


# Files


def read_pairs(path):
    """Read a word-pair set.

    `path`: UTF-8 text; each line is two words and the mean human rating, split by tabs.

    Returns DataFrame. Columns first, second (str, lower-cased) and rating (float); one row per
    line.

    Raises `InputError`: if the file is missing, not UTF-8 or empty, a line has not three columns or
    lacks a word, or a rating is not a finite number; the message gives the line.
    """
    rows = []
    for number, line in enumerate(read_lines(path), 1):
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 3 or not all(cells):
            raise checks.InputError(
                f"{path}, line {number}: {line.strip()!r} does not have the three tab-separated "
                "columns word, word and rating; complete the line."
            )
        first, second, rating = cells
        rows.append((first.lower(), second.lower(), _number(rating)))
        if not np.isfinite(rows[-1][2]):
            raise checks.InputError(
                f"{path}, line {number}: the rating {rating!r} is not a finite number; correct it."
            )
    return pd.DataFrame(rows, columns=["first", "second", "rating"])


def read_words(paths):
    """List the words of word-pair sets.

    `paths` (sequence of Path): files that `read_pairs` takes.

    Returns list of str. The different words, lower-cased and sorted.

    Raises `InputError`: as `read_pairs`.
    """
    pairs = pd.concat([read_pairs(path) for path in paths])
    return sorted({*pairs["first"], *pairs["second"]})


def read_vectors(path):
    """Read word vectors.

    `path`: Parquet file (ending ``.parquet``) with a column word and one column per dimension, or
    UTF-8 text with a word and its numbers in each line, split by blanks.

    Returns DataFrame of float64, shape (n, dimensions). Vectors; the index holds the words.

    Raises `InputError`: if the file is missing, empty or of another format, vectors differ in
    length, a word is there twice, or a vector is zero or not of finite numbers.
    """
    read = _read_parquet if path.suffix == ".parquet" else _read_text
    return check_vectors(path, *read(path))


def check_vectors(source, words, numbers):
    """Make a table of word vectors that have a direction.

    `source`: where they are from, for the message. `words` (sequence of str, length n): the words.
    `numbers` (array_like, shape (n, dimensions)): their vectors.

    Returns DataFrame of float64, shape (n, dimensions). Vectors; the index holds the words.

    Raises `InputError`: if a word is there twice, or a vector is zero or not of finite numbers; the
    message gives the row, which is the line of a text.
    """
    frame = pd.DataFrame(np.asarray(numbers, dtype=float), index=pd.Index(words, dtype=str))
    wrong = [
        ("occurs twice; keep one of its rows", frame.index.duplicated()),
        (
            "has a vector with numbers that are not finite",
            ~np.isfinite(frame).all(axis=1).to_numpy(),
        ),
        ("has a vector of zeros, which has no direction", ~frame.any(axis=1).to_numpy()),
    ]
    for what, rows in wrong:
        if rows.any():
            row = int(np.argmax(rows))
            raise checks.InputError(f"{source}, row {row + 1}: the word {words[row]!r} {what}.")
    return frame


def parse_vectors(source, lines):
    """Parse lines of a word and its numbers.

    `source`: where they are from, for the message. `lines` (iterable of str): the lines.

    Returns `words` (list of str, length n): the words. `numbers` (list of list of float, shape (n,
    dimensions)): their vectors.

    Raises `InputError`: if a line has no number, one that is none, or not as many as the first
    line.
    """
    words, numbers = [], []
    for number, line in enumerate(lines, 1):
        word, *cells = line.split() or [""]
        vector = [_number(cell) for cell in cells]
        if not vector or not np.isfinite(vector).all():
            raise checks.InputError(
                f"{source}, line {number}: {line.strip()[:40]!r} is not a word and the finite "
                "numbers of its vector, separated by spaces; make the file again."
            )
        if numbers and len(vector) != len(numbers[0]):
            raise checks.InputError(
                f"{source}, line {number}: the vector of {word!r} has {len(vector)} numbers, but "
                f"that of line 1 has {len(numbers[0])}; all vectors of a file need the same length."
            )
        words.append(word)
        numbers.append(vector)
    return words, numbers


def read_lines(path):
    """Read the lines of a UTF-8 text.

    Returns list of str. The lines with their ends.

    Raises `InputError`: if the file is missing, not UTF-8 or empty.
    """
    check_file(path)
    try:
        with path.open(encoding="utf-8") as file:
            lines = list(file)
    except UnicodeDecodeError as error:
        raise checks.InputError(
            f"{path} is not UTF-8 (byte {error.start}); save it as UTF-8."
        ) from None
    if not lines:
        raise checks.InputError(f"{path} is empty; fetch or make it again.")
    return lines


def check_file(path):
    """Refuse a path where there is no file.

    `path`: the path.

    Raises `InputError`: if it is not a file.
    """
    if not path.is_file():
        raise checks.InputError(f"{path} is not a file; correct the path.")


def write_text(path, lines):
    """Write lines to a file, all or nothing.

    `path`: the file; its folder is made if it is missing. `lines` (iterable of str): lines with
    their ends.

    Raises `InputError`: as `replicability.io.files.replacing`.
    """
    with files.replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        file.writelines(lines)


def _read_text(path):
    return parse_vectors(path, read_lines(path))


def _read_parquet(path):
    check_file(path)
    try:
        frame = pd.read_parquet(path)
    except pa.ArrowException as error:
        raise checks.InputError(f"{path} is not a Parquet file: {error}; make it again.") from None
    numeric = frame.columns.drop("word", errors="ignore")
    if (
        "word" not in frame
        or frame.empty
        or not len(numeric)
        or not all(map(pd.api.types.is_float_dtype, frame[numeric].dtypes))
    ):
        raise checks.InputError(
            f"{path} needs a column 'word' and a column of floats for each dimension, "
            f"but has {len(frame)} rows of {', '.join(map(str, frame.columns[:4]))}; make it again."
        )
    return frame["word"].tolist(), frame[numeric].to_numpy()


def _number(text):
    """Return the number in a text, NaN if it holds none."""
    try:
        return float(text)
    except ValueError:
        return np.nan


if __name__ == "__main__":
    sys.exit(main())
