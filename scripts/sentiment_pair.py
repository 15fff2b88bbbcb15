"""Train sentiment classifiers on one domain and score them, review by review, on another.

    python scripts/sentiment_pair.py --setting reviews --source NAME --target NAME --seed N
                                     --labelled DIR --unlabelled DIR --output OUT.parquet
                                     [--texts N] [--systems NAME ...]
    python scripts/sentiment_pair.py --setting features --source NAME --target NAME --seed N
                                     --features DIR --output OUT.parquet [--systems NAME ...]

The unlabelled reviews are those that scripts/sentiment_text.py writes; --texts takes the first N
of each domain. The output has one row for each system and test review: instance, system, correct
(0 or 1), by system, then in the order of the files. One line of accuracies goes to the terminal.
The bytes depend on data and seed alone: linear algebra runs on one thread. The package `sentiment`
says what the systems are.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sentiment import reviews
from sentiment.classification import SYSTEMS, predict
from sentiment.features import Pair, reviews_pair
from sentiment.settings import Settings
from threadpoolctl import threadpool_limits

from analysis import command
from replicability import checks
from replicability.io import instances

FOLDERS = {"reviews": ("labelled", "unlabelled"), "features": ("features",)}
"""Setting -> options that name its folders."""


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--setting", required=True, help="reviews or features")
    parser.add_argument("--source", required=True, help="domain to train on")
    parser.add_argument("--target", required=True, help="domain to test on")
    parser.add_argument("--seed", type=int, required=True, help="seed, at least 0")
    parser.add_argument("--labelled", type=Path, help="folder of <domain>/positive.parsed, ...")
    parser.add_argument("--unlabelled", type=Path, help="folder of <domain>.txt, ...")
    parser.add_argument("--texts", type=int, help="unlabelled reviews per domain (default: all)")
    parser.add_argument("--systems", nargs="+", default=SYSTEMS, help="systems (default: all)")
    parser.add_argument("--features", type=Path, help="folder of <domain>_train.svmlight, ...")
    parser.add_argument("--output", type=Path, required=True, help="Parquet file to write")
    options = parser.parse_args(arguments)
    check(options)
    with threadpool_limits(limits=1):
        table = score(options, Settings())
    instances.write(table, options.output)
    accuracies = table.groupby("system", sort=False)["correct"].mean()
    line = [f"{options.source} -> {options.target}, {options.setting}:"]
    line += [f"{system} {accuracy:.4f}" for system, accuracy in accuracies.items()]
    print(*line)


def check(options):
    """Refuse options that do not fit together.

    Parameters
    ----------
    options : argparse.Namespace
        The command line.

    Raises
    ------
    InputError
        If a setting, domain or system is unknown, the domains are one, a number is too small, or
        an option is missing or not used.
    """
    checks.choice("--setting", options.setting, FOLDERS)
    check_pair(options)
    for system in options.systems:
        checks.choice("--systems", system, SYSTEMS)
    if options.texts is not None:
        checks.at_least("--texts", options.texts, 1)
        if options.setting != "reviews":
            raise checks.InputError(f"--setting {options.setting} does not use --texts N.")
    for setting, names in FOLDERS.items():
        for name in names:
            if (getattr(options, name) is not None) != (setting == options.setting):
                verb = "needs" if setting == options.setting else "does not use"
                raise checks.InputError(f"--setting {options.setting} {verb} --{name} DIR.")


def check_pair(options):
    """Refuse domains that are unknown or one, and a negative seed.

    `options`: source, target, seed.

    Raises `InputError`: if one of them is wrong.
    """
    for name in ("source", "target"):
        checks.choice(f"--{name}", getattr(options, name), reviews.DOMAINS)
    if options.source == options.target:
        raise checks.InputError(
            f"--source and --target are both {options.source!r}; pass two different domains."
        )
    checks.at_least("--seed", options.seed, 0)


def score(options, settings):
    """Train and score the systems of a setting.

    `options`: the command line, checked. `settings` (Settings): hyperparameters.

    Returns DataFrame. Columns instance, system, correct.
    """
    pair, names, labels = (read_reviews if options.setting == "reviews" else read_features)(
        options, settings
    )
    parts = [
        pd.DataFrame({"instance": names, "system": system, "correct": predicted == labels})
        for system, predicted in predict(pair, settings, options.seed, options.systems)
    ]
    return pd.concat(parts, ignore_index=True).astype({"correct": np.uint8})


def read_reviews(options, settings):
    """Read a pair of the reviews setting.

    `options`: source, target, labelled, unlabelled, texts. `settings` (Settings): thresholds of
    frequency.

    Returns `pair` (Pair): features. `names` (list of str): instances of the target. `labels`
    (ndarray of bool): their labels.
    """
    _, source, source_labels = reviews.read_labelled(options.labelled, options.source)
    names, target, labels = reviews.read_labelled(options.labelled, options.target)
    unlabelled = [
        reviews.read_unlabelled(options.unlabelled, domain, options.texts)
        for domain in (options.source, options.target)
    ]
    pair = reviews_pair(source, source_labels, target, *unlabelled, settings)
    return pair, names, labels


def read_features(options, settings):
    """Read a pair of the features setting.

    `options`: source, target, features. `settings` (Settings): not used; all published features are
    kept.

    Returns `pair` (Pair): features. `names` (list of str): instances of the target, such as
    ``s000123`` for line 123. `labels` (ndarray of bool): their labels.
    """
    source, source_labels = reviews.read_features(options.features, options.source, "train")
    unlabelled, _ = reviews.read_features(options.features, options.target, "train")
    target, labels = reviews.read_features(options.features, options.target, "test")
    pair = Pair(
        labels=source_labels,
        source=source,
        target=target,
        shared_source=source,
        shared_target=target,
        unlabelled_source=source,
        unlabelled_target=unlabelled,
    )
    return pair, [f"s{line:06d}" for line in range(1, len(labels) + 1)], labels


if __name__ == "__main__":
    sys.exit(main())
