"""Score AE-SCL-SR on a pair of domains with its parts switched off, one at a time.

    python scripts/sentiment_parts.py --source NAME --target NAME --seed N --fewer N
                                      --labelled DIR --unlabelled DIR --output OUT.parquet

The output has one row for each part and test review: instance, system (the part), correct (0 or 1).
Seeds are those of scripts/sentiment_pair.py, so that only the part differs from AE-SCL-SR there.
"""

import argparse
import sys
from itertools import compress
from pathlib import Path

import numpy as np
import pandas as pd
from sentiment.ae_scl_sr import glorot, held_out, pivot_embeddings, train_encoder
from sentiment.classification import classify, seeds_of
from sentiment.features import appended, most_frequent
from sentiment.pivots import select_pivots
from sentiment.settings import Settings
from sentiment_pair import check_pair, read_reviews
from threadpoolctl import threadpool_limits

from analysis import command
from replicability import checks
from replicability.io import instances

LEARNT = "decoder learnt, no word vectors"
ALONE = "without the reviews' own features"
ENCODER = "fewer texts for the encoder"
VECTORS = "fewer texts for the word vectors"
CAPPED = "inputs cut to the most frequent"


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--source", required=True, help="domain to train on")
    parser.add_argument("--target", required=True, help="domain to test on")
    parser.add_argument("--seed", type=int, required=True, help="seed, at least 0")
    parser.add_argument("--fewer", type=int, required=True, help="unlabelled reviews per domain")
    parser.add_argument("--labelled", type=Path, required=True, help="folder of <domain>/*.parsed")
    parser.add_argument("--unlabelled", type=Path, required=True, help="folder of <domain>.txt")
    parser.add_argument("--output", type=Path, required=True, help="Parquet file to write")
    options = parser.parse_args(arguments)
    options.texts = None
    check_pair(options)
    checks.at_least("--fewer", options.fewer, 1)
    with threadpool_limits(limits=1):
        table = score(options, Settings())
    instances.write(table, options.output)
    print(f"{options.source} -> {options.target}:")
    print(table.groupby("system", sort=False)["correct"].mean().round(4).to_string())


def score(options, settings):
    """Train and score AE-SCL-SR without each part.

    `options`: the command line. `settings` (Settings): hyperparameters.

    Returns DataFrame. Columns instance, system, correct.
    """
    pair, names, labels = read_reviews(options, settings)
    parts = [
        pd.DataFrame({"instance": names, "system": part, "correct": predicted == labels})
        for part, predicted in predict(pair, settings, seeds_of(options.seed)[1], options.fewer)
    ]
    return pd.concat(parts, ignore_index=True).astype({"correct": np.uint8})


def predict(pair, settings, seed, fewer):
    """Label the target reviews of a pair by AE-SCL-SR without each of its parts.

    `pair` (Pair): texts of both domains, with names and words. `settings` (Settings):
    hyperparameters. `seed`: as `ae_scl_sr` has it. `fewer`: unlabelled reviews of a domain, beside
    the labelled ones of the source, where only so many are used.

    Yields `part` (str): what is switched off. `labels` (ndarray of bool, shape (n_target,)): labels
    of the target.
    """
    pivots, inputs = select_pivots(pair, settings.ae_pivots, settings)
    names = [pair.names[pivot] for pivot in pivots]
    all_texts, few = np.ones(len(pair.texts), dtype=bool), first(pair, fewer)
    frequent = np.intersect1d(inputs, most_frequent(pair.unlabelled, settings.msda_features))

    def vectors(chosen):
        texts = list(compress(pair.texts, chosen))
        return pivot_embeddings(texts, names, settings.ae_dimensions, settings.min_embedded, seed)

    def encoder(decoder, chosen=all_texts, inputs=inputs, **how):
        X = pair.unlabelled[chosen]
        present, rng = X[:, pivots].toarray() > 0, np.random.default_rng(seed)
        weights = train_encoder(
            X[:, inputs], present, held_out(X.shape[0]), decoder, settings, rng, **how
        )[:-1]
        return lambda shared: shared[:, inputs] @ weights

    decoder = vectors(all_texts)
    represent = encoder(decoder)
    alone = represent(pair.shared_source), represent(pair.shared_target)
    yield ALONE, classify(alone[0], pair.labels, alone[1], settings)
    for part, represent in (
        (LEARNT, encoder(glorot(decoder.shape, seed), learns_decoder=True)),
        (ENCODER, encoder(decoder, few)),
        (VECTORS, encoder(vectors(few))),
        (CAPPED, encoder(decoder, inputs=frequent)),
    ):
        source, target = appended(pair, represent)
        yield part, classify(source, pair.labels, target, settings)


def first(pair, n_texts):
    """Choose the labelled texts of the source and the first unlabelled ones of both domains.

    `pair` (Pair): texts of both domains. `n_texts`: unlabelled texts of a domain.

    Returns ndarray of bool, shape (n,). Which texts of ``pair.unlabelled``.
    """
    n_source, n_labelled = pair.unlabelled_source.shape[0], len(pair.labels)
    chosen = np.zeros(n_source + pair.unlabelled_target.shape[0], dtype=bool)
    chosen[: min(n_labelled + n_texts, n_source)] = True
    chosen[n_source : n_source + n_texts] = True
    return chosen


if __name__ == "__main__":
    sys.exit(main())
