"""What taggers gave, word by word: who is right, on which words."""

import sys

import numpy as np
import pandas as pd
import pytest
from corpora import CONLLU, TWO_COLUMNS

from analysis import paths
from replicability.checks import InputError

sys.path.insert(0, str(paths.ROOT / "scripts"))
import compare_tags
import conll


def compared(write, tmp_path, train="", **tagged):
    gold = write("gold.tsv", TWO_COLUMNS)
    parts = [f"{name}={write(name, text)}" for name, text in tagged.items()]
    options = ["--gold", str(gold), "--train", str(write("train.tsv", train or "dog\tNN\n"))]
    for name in ("outcomes", "tags"):
        options += [f"--{name}", str(tmp_path / f"{name}.parquet")]
    return compare_tags.main([*parts, *options, "--words", "--finite", "NN"])


GOOD = "the\tDT\n#\tX\ndog\tNN\n\nit\tPRP\nbarks\tVBZ\n"
POOR = "the\tDT\n#\tX\ndog\tVB\n\nit\tPRP\nbarks\tVBZ\n"


def test_words_are_counted_by_sentence_novelty_and_who_is_right(write, tmp_path):
    assert compared(write, tmp_path, Good=GOOD, Poor=POOR) == 0
    table = pd.read_parquet(tmp_path / "outcomes.parquet")
    assert table.columns.tolist() == ["instance", "unknown", "words", "Good", "Poor"]
    assert table["words"].dtype == np.uint16
    rows = set(table.itertuples(index=False, name=None))
    assert rows == {
        ("a", False, 1, True, False),
        ("a", True, 1, True, True),
        ("a", True, 1, False, False),
        ("b", True, 2, True, True),
    }


def test_gold_tags_are_shown_where_taggers_differ_and_words_where_they_differ_on_half(
    write, tmp_path
):
    assert compared(write, tmp_path, Good=GOOD, Poor=POOR) == 0
    table = pd.read_parquet(tmp_path / "tags.parquet")
    assert table["position"].dtype == table["words"].dtype == np.uint16
    assert table.astype(object).where(table.notna(), None).to_numpy().tolist() == [
        ["a", 0, 1, None, None, False, "DT", "DT"],
        ["a", 0, 1, None, None, False, "X", "X"],
        ["a", 3, 1, None, "NN", True, "NN", "VB"],
    ]
    wild = "the\tA\n#\tB\ndog\tNN\n\nit\tPRP\nbarks\tVBZ\n"
    assert compared(write, tmp_path, Good=GOOD, Poor=wild) == 0
    table = pd.read_parquet(tmp_path / "tags.parquet")
    assert table["word"].fillna("").tolist() == ["", "the", "#"]


def test_neither_the_gold_tags_nor_the_order_of_undisputed_words_can_be_read_off():
    words, gold = [*"abcdef"], ["X", "Y", "X", "Y", "X", "Z"]
    for order in ([0, 1, 2, 3, 4, 5], [2, 3, 0, 1, 4, 5], [1, 0, 3, 2, 4, 5]):
        sentence = conll.Sentence("s", [], words, [gold[i] for i in order], [])
        tags = {"one": [sentence.tags], "two": [[*sentence.tags[:-1], "X"]]}
        table = compare_tags.differing([sentence], tags, words=True, finite=["Y"])
        assert table[["position", "words", "finite", "one"]].to_numpy().tolist() == [
            [0, 3, False, "X"],
            [0, 2, True, "Y"],
            [6, 1, False, "Z"],
        ]
        assert table["gold"].tolist() == [None, None, "Z"]


def test_a_treebank_is_compared_with_two_columns(write):
    gold = write("gold.conllu", CONLLU)
    text = "In\tADP\ndem\tDET\nHaus\tNOUN\n\nJa\tX\n"
    name, tags = compare_tags.read(f"T={write('out.tsv', text)}", conll.read(gold), gold)
    assert (name, tags) == ("T", [["ADP", "DET", "NOUN"], ["X"]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            GOOD.replace("dog", "cat"),
            "Good, line 3 has the word 'cat', but .*gold.tsv, line 4 has",
        ),
        (
            GOOD.replace("barks\tVBZ\n", ""),
            "line 5 ends a sentence of 1 words, and that in .* has 2",
        ),
        (
            GOOD.replace("\n\n", "\n"),
            "Good, line 5 ends a sentence of 5 words, and .*after each sent",
        ),
        (
            GOOD.partition("\n\n")[0],
            "Good has 1 sentences, but .* has 2; Good must tag every sentence",
        ),
        (
            GOOD.replace("DT", ""),
            "Good, line 1 has the word 'the' and the tag ''; neither may be empty",
        ),
        ("", "Good has no words"),
    ],
)
def test_a_tagger_that_changes_the_text_is_a_sentence(write, text, message):
    gold = write("gold.tsv", TWO_COLUMNS)
    with pytest.raises(InputError, match=message):
        compare_tags.read(f"Good={write('Good', text)}", conll.read(gold), gold)


def test_a_tagger_that_writes_nothing_is_a_sentence(write, tmp_path):
    gold = write("gold.tsv", TWO_COLUMNS)
    with pytest.raises(
        InputError, match=r"T did not write .*missing; its command must .* {output}"
    ):
        compare_tags.read(f"T={tmp_path / 'missing'}", conll.read(gold), gold)
    with pytest.raises(InputError, match="'=x' does not name a tagger and a file; write NAME=FILE"):
        compare_tags.read("=x", conll.read(gold), gold)
