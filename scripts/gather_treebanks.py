"""Put the scores of all treebanks together, by English domain and by language.

    python scripts/gather_treebanks.py config/outcomes.yaml FOLDER OUTPUT

FOLDER holds EDITION_TREEBANK.parquet and .csv as `score_treebank.py` writes them; OUTPUT gets
parsing.parquet, tagging.parquet and treebanks.csv. Treebanks with domains, which go to
parsing.parquet, are scored with a vocabulary. A system is called by its team in the tables of
instances, the same in both editions, and by the name of its outputs in treebanks.csv.
"""

import sys
from pathlib import Path

import pandas as pd

from analysis import command, workflow
from replicability import checks
from replicability.io import files, instances

BASELINE = "baseline"


@command.status
def main(choices, folder, output):
    """Gather; return the exit status."""
    treebanks = workflow.outcome_choices(choices)["treebanks"]
    totals, parsing, tagging = [], [], []
    for entry in treebanks:
        stem = Path(folder) / f"{entry['edition']}_{entry['treebank']}"
        counts = pd.read_csv(stem.with_suffix(".csv"))
        counts.insert(0, "edition", entry["edition"])
        counts.insert(1, "treebank", entry["treebank"])
        totals.append(counts)
        scores = pd.read_parquet(stem.with_suffix(".parquet"))
        scores["system"] = scores["system"].map(team)
        if "domains" in entry:
            parsing.append(by_domain(entry, scores))
        if "language" in entry:
            tagging.append(scores.assign(dataset=entry["language"]))
    for key, tables in (("domains", parsing), ("language", tagging)):
        if not tables:
            raise checks.InputError(
                f"{choices}: no treebank has the key {key!r}; add the key to at least one treebank."
            )
    output = Path(output)
    keys = ["dataset", "instance", "system", "words"]
    counts = ["upos", "uas", "las", "unknown", "unknown_upos"]
    places = ["dataset", "document", "instance", "system", "words"]
    instances.write(pd.concat(parsing)[[*places, *counts]], output / "parsing.parquet")
    instances.write(pd.concat(tagging)[[*keys, "upos"]], output / "tagging.parquet")
    with files.replacing(output / "treebanks.csv") as part:
        pd.concat(totals).to_csv(part, index=False, lineterminator="\n")


def team(name):
    """Return the team that made the outputs of a name.

    `name`: folder of the outputs, such as "Stanford-18" or "conll17-baseline".

    Returns str. Such as "Stanford" or "baseline".
    """
    return BASELINE if name.endswith(BASELINE) else name.removesuffix("-18")


def by_domain(entry, scores):
    """Name the domain of each sentence of a treebank.

    `entry`: a treebank of config/outcomes.yaml with ``domains``: beginning of a sent_id -> domain.
    `scores`: sentences, their sent_id in ``instance``.

    Returns DataFrame. `scores` with the column ``dataset``, domains in the order of the entry.

    Raises `InputError`: if a sent_id begins like no domain.
    """
    domain = pd.Series(pd.NA, index=scores.index, dtype="str")
    for beginning, name in entry["domains"].items():
        domain[domain.isna() & scores["instance"].str.startswith(beginning)] = name
    if domain.isna().any():
        first = scores["instance"][domain.isna()].iloc[0]
        raise checks.InputError(
            f"{entry['treebank']}: the sent_id {first!r} does not begin with a domain listed in "
            f"config/outcomes.yaml ({', '.join(entry['domains'])}); add its domain there."
        )
    order = pd.Categorical(domain, list(dict.fromkeys(entry["domains"].values())))
    return scores.assign(dataset=domain).iloc[order.argsort(kind="stable")]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
