"""CoNLL-U: the words of each sentence that a parser or tagger has right."""

import numpy as np
import pyarrow as pa

from replicability.io import conllu, datasets
from replicability.io.formats import Format
from replicability.io.instances import Dataset
from replicability.io.text import check_text


def _read(comparison):
    name = {"upos": "accuracy"}.get(comparison.metric, comparison.metric)
    found = []
    for dataset, files in datasets.find(comparison).items():
        gold = _treebank(files["gold"])
        a, b = (
            _right(gold, conllu.agreement(gold, _treebank(files[side])), comparison.metric)
            for side in "ab"
        )
        found.append(Dataset(dataset, pa.array(gold.sent_id), a, b, name))
    return found


def _treebank(path):
    check_text(path)
    return conllu.read(path)


def _right(gold, agreement, metric):
    counts = conllu.per_sentence(gold, agreement)
    return np.column_stack([counts[metric], counts["words"]]).astype(float)


FORMAT = Format(
    name="conllu",
    title="CoNLL-U",
    instance="a sentence",
    read=_read,
    recognises=lambda path: datasets.first(path).suffix == ".conllu",
    needs_gold=True,
    metrics=("las", "uas", "upos"),
    options=("metric",),
)
