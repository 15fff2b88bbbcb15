"""CoNLL-U files, and the agreement of a parser's output with the gold standard on each word.

`agreement` counts what the evaluation of the CoNLL 2018 shared task counts (Zeman et al. 2018,
section 3; UPOS, UAS and LAS of its script ``conll18_ud_eval.py`` 1.2), whatever the segmentation of
the system; `read` refuses the files that it refuses.

References
----------
Zeman, D., Hajič, J., Popel, M., Potthast, M., Straka, M., Ginter, F., Nivre, J. and Petrov, S.
(2018). CoNLL 2018 shared task: Multilingual parsing from raw text to universal dependencies.
Proceedings of the CoNLL 2018 Shared Task, 1-21.
"""

from replicability.io.conllu.alignment import align
from replicability.io.conllu.scores import METRICS, Agreement, agreement, f1, per_sentence
from replicability.io.conllu.treebank import COLUMNS, SPACES, Treebank, read

__all__ = [
    "COLUMNS",
    "METRICS",
    "SPACES",
    "Agreement",
    "Treebank",
    "agreement",
    "align",
    "f1",
    "per_sentence",
    "read",
]
