"""Put together the unlabelled reviews of every domain from which sentiment classifiers adapt.

    python scripts/sentiment_text.py --labelled DIR --fdu DIR --hatn DIR --seed N --output DIR
                                     --counts COUNTS.csv

For each domain, ``<domain>.txt`` has one review a line, in an order drawn at random, so that the
first lines are a sample of all: those of FDU-MTL (unlabelled) and of HATN (labels dropped), less
every text that is also, but for tokenisation, a title or a cut, a labelled review of any domain,
and less repetitions within the domain. COUNTS has the columns ``domain``, ``fdu`` and ``hatn``
(reviews that were read), ``labelled`` and ``repeated`` (those left out) and ``reviews`` (those that
remain).
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sentiment import reviews
from sentiment.features import Shelf, distinct
from tqdm import tqdm

from analysis import command
from replicability import checks
from replicability.io import files


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--labelled", type=Path, required=True, help="folder of <domain>/*.parsed")
    parser.add_argument("--fdu", type=Path, required=True, help="folder of <domain>.task.unlabel")
    parser.add_argument("--hatn", type=Path, required=True, help="folder of <domain>/review_*")
    parser.add_argument("--seed", type=int, required=True, help="seed for the order of the reviews")
    parser.add_argument("--output", type=Path, required=True, help="folder for <domain>.txt")
    parser.add_argument("--counts", type=Path, required=True, help="CSV file of counts to write")
    options = parser.parse_args(arguments)
    checks.at_least("--seed", options.seed, 0)
    counts = write(options)
    print(counts.to_string(index=False))


def write(options):
    """Write the reviews of all domains, and their counts.

    `options`: the command line.

    Returns DataFrame. The counts.
    """
    labelled = Shelf(
        text
        for domain in reviews.DOMAINS
        for text in reviews.read_labelled(options.labelled, domain)[1]
    )
    rows = []
    for domain in tqdm(reviews.DOMAINS, "domains", leave=False, disable=None):
        fdu = reviews.read_lines(options.fdu / reviews.FDU[domain])
        hatn = [
            text
            for name in reviews.HATN
            for text in reviews.read_lines(options.hatn / domain / name)
        ]
        rng = np.random.default_rng(np.random.SeedSequence((options.seed, len(rows))))
        found, counts = gather([*fdu, *hatn], labelled, rng)
        with files.replacing(options.output / f"{domain}.txt") as part:
            part.write_text("".join(f"{text}\n" for text in found), encoding="utf-8")
        rows.append({"domain": domain, "fdu": len(fdu), "hatn": len(hatn), **counts})
    table = pd.DataFrame(rows)
    with files.replacing(options.counts) as part:
        table.to_csv(part, index=False, lineterminator="\n")
    return table


def gather(texts, labelled, rng):
    """Leave out what is labelled or repeated, and draw an order.

    `texts` (list of str): reviews of a domain. `labelled` (Shelf): the labelled reviews. `rng`
    (numpy.random.Generator): of the order.

    Returns `texts` (list of str): what remains. `counts` (dict): how many are ``labelled``,
    ``repeated``, and remain (``reviews``).
    """
    others = [text for text in texts if not labelled.has(text)]
    kept = distinct(others)
    counts = {
        "labelled": len(texts) - len(others),
        "repeated": len(others) - len(kept),
        "reviews": len(kept),
    }
    return [kept[i] for i in rng.permutation(len(kept))], counts


if __name__ == "__main__":
    sys.exit(main())
