"""Score the translations of one language pair of WMT24 by chrF and BLEU.

    python scripts/leaderboards/translation.py FOLDER --pair en-ja [--tokenize char]
        --segments OUT.parquet --documents OUT.parquet --corpora OUT.parquet

The folder has the sources, references, metadata and system-outputs of all pairs; the systems with
outputs for every pair are scored against the first reference, an empty output as it is. A row is a
segment, with its number (``instance``), ``document`` and ``domain``; a document, with its
``segments``; or a system, with its ``chrf`` and ``bleu`` of the pair as a corpus. Segments and
documents have for each system chrF under its name and BLEU under "BLEU" and its name, in hundredths
of a point, and ``size``, which is 100 points. A document is scored as a corpus.
"""

import argparse
import sys
from pathlib import Path

import answers
import numpy as np
import pandas as pd
from tqdm import tqdm

from analysis import command
from replicability import checks
from replicability.io import instances, text
from replicability.stats import metrics
from replicability.stats.metrics import translation

REFERENCE = "refA"
"""The reference of every pair; German has a second one."""

CANARY = "canary"
"""Begins the first line of every file, by which training data that hold it can be found."""

SIZE = 10_000
"""Hundredths of a point in the highest score."""

LEVELS = ("segments", "documents", "corpora")
"""What is scored."""

PREFIXES = {"chrf": "", "bleu": "BLEU "}
"""Metric -> what stands before the names of systems."""


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="folder with the texts of all language pairs")
    parser.add_argument("--pair", required=True, help="languages, such as en-cs")
    parser.add_argument("--tokenize", help="sacrebleu's tokenizer for BLEU; default 13a")
    for level in LEVELS:
        parser.add_argument(f"--{level}", type=Path, required=True, help="Parquet file to write")
    options = parser.parse_args(arguments)
    tables = score(options.folder, options.pair, options.tokenize)
    for level, table in zip(LEVELS, tables, strict=True):
        instances.write(table, getattr(options, level))


def score(folder, pair, tokenize=None):
    """Score all systems on a language pair.

    `folder`: the texts. `pair`: languages, such as "en-cs". `tokenize`: tokenizer of BLEU.

    Returns `segments`, `documents`, `corpora` (DataFrame): as the module says; scores of segments
    and documents are integers of 16 bits.

    Raises `InputError`: if a file is missing, has another number of lines than the source, no
    canary or a second one, a reference is empty, pairs with one source language have different
    sources, or no system has outputs for all pairs.
    """
    source = _segments(folder / "sources" / f"{pair}.txt")
    _refuse_other_sources(folder, pair, source)
    reference = folder / "references" / f"{pair}.{REFERENCE}.txt"
    gold = _like(source, reference)
    for number, line in enumerate(gold, 1):
        if not line.strip():
            raise checks.InputError(
                f"{reference}: segment {number} has no reference, so its translations cannot be "
                "scored; fetch the source again (data/README.md)."
            )
    segments = _documents(folder / "metadata" / f"{pair}.jsonl", len(source))
    places, names = pd.factorize(segments["document"])
    first = segments.drop_duplicates("document").drop(columns="instance")
    documents = first.assign(segments=np.bincount(places).astype(np.int16))
    outputs = {
        system: _like(source, folder / "system-outputs" / pair / f"{system}.txt")
        for system in systems_everywhere(folder)
    }
    corpora = pd.DataFrame({"system": list(outputs)})
    for metric, prefix in PREFIXES.items():
        words = tokenize if metric == "bleu" else None
        scorer = translation.scorer(f"sentence_{metric}", words, references=[gold])
        of_corpora = []
        for system, lines in tqdm(outputs.items(), desc=pair, unit="system", disable=None):
            sums = translation.segment_sums(scorer, lines)
            of_documents = np.zeros((len(names), sums.shape[1]))
            np.add.at(of_documents, places, sums)
            header = f"{prefix}{system}"
            segments[header] = _hundredths(translation.scores_of_sums(scorer, sums))
            documents[header] = _hundredths(metrics.METRICS[metric](of_documents))
            of_corpora.append(float(metrics.METRICS[metric](sums.sum(axis=0))))
        corpora[metric] = of_corpora
    for table in (segments, documents):
        table.insert(table.columns.get_loc("domain") + 1, "size", np.int16(SIZE))
    return segments, documents, corpora


def _hundredths(points):
    return np.rint(np.asarray(points) * SIZE / 100).astype(np.int16)


def systems_everywhere(folder):
    """List the systems with outputs for every language pair.

    `folder`: the texts.

    Returns list of str. Names, sorted.

    Raises `InputError`: if there is none.
    """
    pairs = answers.found(folder / "system-outputs", "*")
    systems = set.intersection(*({path.stem for path in pair.glob("*.txt")} for pair in pairs))
    if not systems:
        raise checks.InputError(
            f"{folder / 'system-outputs'}: no system has outputs for all {len(pairs)} language "
            "pairs; fetch the source again (data/README.md)."
        )
    return sorted(systems)


def _segments(path):
    """Return the lines of a file without the canary, which must be the first."""
    lines = text.read_text(path).removesuffix("\n").split("\n")
    marked = [i for i, line in enumerate(lines, 1) if line.casefold().startswith(CANARY)]
    if marked != [1]:
        raise checks.InputError(
            f"{path} should have its canary in the first line only, but has it in "
            f"{'no line' if not marked else f'lines {marked}'}; segments would be mismatched."
        )
    return lines[1:]


def _like(source, path):
    """Return the segments of a file that has as many as the source."""
    lines = _segments(path)
    if len(lines) != len(source):
        raise checks.InputError(
            f"{path} has {len(lines):,} segments, but the source has {len(source):,}; each line of "
            "a pair's files is a segment, so fetch the source again (data/README.md)."
        )
    return lines


def _refuse_other_sources(folder, pair, source):
    """Refuse pairs whose sources are in one language, and not the same."""
    language = pair.partition("-")[0]
    for path in answers.found(folder / "sources", f"{language}-*.txt"):
        if _segments(path) != source:
            raise checks.InputError(
                f"The segments of {path} differ from those of {pair}.txt, but pairs from one "
                "language are assumed to share segments; declare in config/leaderboards.yaml which "
                "do."
            )


def _documents(path, n):
    """Return number, document and domain of each segment."""
    records = answers.read_lines(path)
    if len(records) != n + 1:
        raise checks.InputError(
            f"{path} has {len(records):,} lines, but there are {n:,} segments and the canary; "
            "fetch the source again (data/README.md)."
        )
    places = [(f"{path}, line {i}", record) for i, record in enumerate(records, 1)][1:]
    keys = {"document": "docid", "domain": "domain"}
    columns = {
        name: [answers.field(place, record, key, str) for place, record in places]
        for name, key in keys.items()
    }
    return pd.DataFrame({"instance": np.arange(1, n + 1, dtype=np.int16), **columns})


if __name__ == "__main__":
    sys.exit(main())
