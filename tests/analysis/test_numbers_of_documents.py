"""What is said of documents as units, by a second route from the raw files."""

from collections import defaultdict

import numpy as np
import pandas as pd
import pytest

from analysis import paths, sources

PARSING = paths.ROOT / "data" / "outcomes" / "parsing.parquet"


@pytest.fixture(scope="module")
def documents(mirror):
    """Return the document of each sentence of EWT, as the gold treebank has it."""
    rows = sources.rows("conll2018_en_ewt")["path"]
    (gold,) = rows[rows.str.contains("00-gold-standard")]
    found, document = {}, None
    for line in (mirror("conll2018_en_ewt") / gold).read_text(encoding="utf-8").splitlines():
        if line.startswith("# newdoc id = "):
            document = line.removeprefix("# newdoc id = ")
        elif line.startswith("# sent_id = "):
            found[line.removeprefix("# sent_id = ")] = document
    return found


def test_sentences_of_ewt_name_their_document(documents):
    assert all(name.rsplit("-", 1)[0] == document for name, document in documents.items())
    domains = defaultdict(set)
    for document in documents.values():
        domains[document.partition("-")[0]].add(document)
    assert {name: len(domains[name]) for name in ("answers", "weblog")} == {
        "answers": 69,
        "weblog": 14,
    }


def _error(right, words):
    """Return the jackknife's standard error of a ratio of sums."""
    left_out = (right.sum() - right) / (words.sum() - words)
    n = len(right)
    return np.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum())


def test_the_variance_by_documents_beside_that_by_sentences(documents):
    made = pd.read_parquet(PARSING).query("system in ('TurkuNLP', 'UDPipe-Future')")
    wide = made[made["dataset"].str.startswith("EWT")].astype({"las": int, "words": int})
    keys = ["dataset", "instance", "words"]
    wide = wide.pivot_table(index=keys, columns="system", values="las", aggfunc="sum")
    rows = wide["TurkuNLP"].sub(wide["UDPipe-Future"]).rename("right").reset_index()
    rows["document"] = rows["instance"].map(documents)
    effects = {}
    for dataset, part in rows.groupby("dataset"):
        whole = part.groupby("document")[["right", "words"]].sum()
        ratio = _error(whole["right"], whole["words"]) / _error(part["right"], part["words"])
        effects[dataset] = round(ratio**2, 1)
    assert effects.pop("EWT weblog") == 2.6
    assert (min(effects.values()), max(effects.values())) == (0.7, 1.2)
