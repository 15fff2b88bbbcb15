"""The script that scores the sample of DependAble, on small files and on ones with faults."""

import sys

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import paths
from replicability import checks

sys.path.insert(0, str(paths.ROOT / "scripts" / "leaderboards"))
import dependable

LAYOUT = "{}\t{}\t_\t_\t_\t_\t{}\t{}\t_\t_"
"""A line: number, form, and at the places of the tool head and relation."""

GOLD = [
    [("A", 2, "det"), ("cat", 3, "nsubj"), ("sat", 0, "root"), (".", 3, "punct")],
    # "left" depends on "cat" across "sat", on which "cat" depends: no walk meets 1 2 3 4 in order.
    [("cat", 2, "nsubj"), ("sat", 0, "root"), ("left", 1, "acl"), ("/.", 2, "punct")],
]
WALKED = [0, 2, 1, 3]
"""The words of the second sentence as a walk through its tree meets them."""


def lines(sentences):
    """Write sentences as a file of the sample."""
    rows = [
        "\n".join(LAYOUT.format(i, *word) for i, word in enumerate(sentence, 1))
        for sentence in sentences
    ]
    return "\n\n".join(rows) + "\n"


@pytest.fixture
def sample(write):
    """Return a function that writes gold trees and parsers, right but for those that are given."""

    def call(gold=GOLD, **parsers):
        for name in dependable.PARSERS:
            write(name, lines(parsers.get(name, gold)))
        return write("gold", lines(gold)).parent

    return call


def counts(made, system, dataset):
    """Return words, right, symbols and symbols right of the one sentence of a dataset."""
    rows = made[(made["system"] == system) & (made["dataset"] == dataset)]
    return rows[["words", "right", "symbols", "symbols_right"]].to_numpy().tolist()


def test_heads_and_relations_are_counted(sample):
    wrong = [[("A", 3, "det"), ("cat", 3, "dobj"), ("sat", 0, "root"), (".", 2, "punct")], GOLD[1]]
    made = dependable.outcomes(sample(mate=wrong))
    assert counts(made, "Mate", "Chinese broadcast (UAS)") == [[4, 2, 1, 0]]
    assert counts(made, "Mate", "Chinese broadcast (LAS)") == [[4, 1, 1, 0]]
    assert counts(made, "Mate", "Reliable Sources (LAS)") == [[4, 4, 1, 1]]
    assert made.groupby(["dataset", "instance", "system"]).size().max() == 1
    assert (made.dtypes.iloc[3:] == "uint16").all()


def test_a_parser_without_relations_has_no_las(sample):
    bare = [[(form, head, "_") for form, head, _ in sentence] for sentence in GOLD]
    made = dependable.outcomes(sample(ltdt=bare)).set_index("system")["dataset"]
    assert set(made["LTDP"]) == {"Chinese broadcast (UAS)", "Reliable Sources (UAS)"}
    assert len(set(made["Mate"])) == 4


def test_words_in_the_order_of_the_gold_tree_are_scored_by_place_and_matched(sample):
    place = {0: 0} | {old + 1: new for new, old in enumerate(WALKED, 1)}
    walked = [(form, place[head], label) for form, head, label in (GOLD[1][i] for i in WALKED)]
    made = dependable.outcomes(sample(ltdt=[GOLD[0], walked]))
    by_place = sum(a[1] == b[1] for a, b in zip(GOLD[1], walked, strict=True))
    assert by_place < 4
    assert counts(made, "LTDP", "Reliable Sources (UAS)") == [[4, by_place, 1, 0]]
    assert counts(made, "LTDP, words matched", "Reliable Sources (UAS)") == [[4, 4, 1, 1]]
    assert set(made["system"]) == {*dependable.PARSERS.values(), "LTDP, words matched"}


def test_case_and_escapes_do_not_matter(sample):
    escaped = [[(f.upper().replace("/", "~"), h, r) for f, h, r in s] for s in GOLD]
    made = dependable.outcomes(sample(ltdt=escaped, gn13=GOLD))
    assert counts(made, "LTDP", "Reliable Sources (UAS)") == [[4, 4, 1, 1]]


@given(st.lists(st.integers(0, 8), min_size=1, max_size=8))
def test_a_walk_meets_each_word_of_a_tree_once_and_no_subtree_is_torn(heads):
    sentence = [("x", head, "dep") for head in heads]
    order = dependable.in_order(sentence)
    below = {0}
    while more := {i for i, h in enumerate(heads, 1) if h in below} - below:
        below |= more
    assert sorted(order) == sorted(i - 1 for i in below - {0})
    for top in below - {0}:
        inside = {top}
        while more := {i for i, h in enumerate(heads, 1) if h in inside} - inside:
            inside |= more
        met = [place for place, i in enumerate(order) if i + 1 in inside]
        assert met == list(range(met[0], met[0] + len(inside)))


@pytest.mark.parametrize("form", [".", "--", "``", "''", "[", "\\", "$", "%", "..."])
def test_symbols(form):
    assert dependable.SYMBOL.fullmatch(form)


@pytest.mark.parametrize("form", ["a.", "1", "'s", "é", ""])
def test_no_symbols(form):
    assert not dependable.SYMBOL.fullmatch(form)


def changed(old, new):
    """Return a function that replaces text in a file."""
    return lambda text: text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        ("mate", lambda _: "\n\n", "mate is empty; recreate the file"),
        (
            "mate",
            changed("\tnsubj\t_\t_", ""),
            "mate, line 2 has 7 tab-separated columns, but a word needs at least 8",
        ),
        ("mate", changed("\n\n", "\n"), "line 5 has the number '1' instead of 5; end each"),
        (
            "mate",
            changed("\t3\tnsubj", "\t-1\tnsubj"),
            "line 2 has the head '-1'; a head must be a num",
        ),
        (
            "mate",
            changed("\t3\tnsubj", "\t_\tnsubj"),
            "line 2 has the head '_'; a head must be a number",
        ),
        ("yara", changed("cat", "dog"), "yara, sentence 1, differ from the gold standard"),
        (
            "yara",
            lambda t: t.partition("\n\n")[0],
            "yara has 1 sentences, but the gold standard has 2;",
        ),
        ("gold", changed("\tnsubj", "\t_"), "gold, sentence 1 has a word without a relation"),
        (
            "gold",
            changed("\t0\troot", "\t2\troot"),
            "gold, sentence 1 is not a tree: its heads form a",
        ),
        (
            "gold",
            changed("\t0\troot", "\t9\troot"),
            "gold, sentence 1 is not a tree: its heads form a",
        ),
        ("gold", changed("/.", "."), "should contain a programme without the marks /-,"),
        ("gold", lambda t: "\n\n".join(reversed(t.strip().split("\n\n"))), "the sample has change"),
    ],
)
def test_faults_are_said(sample, capsys, file, change, message):
    folder = sample()
    output = folder / "made.parquet"
    path = folder / file
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    arguments = [str(folder), "--output", str(output)]
    assert dependable.answers.run(dependable.outcomes, "x", arguments) == 1
    said = capsys.readouterr().err
    assert message in said and said.count("\n") == 1
    assert not output.exists()


def test_a_missing_parser_is_said(sample):
    folder = sample()
    (folder / "turbo").unlink()
    with pytest.raises(checks.InputError, match="turbo"):
        dependable.outcomes(folder)


def test_the_committed_file_is_what_the_script_makes(mirror):
    (folder,) = (mirror("dependable") / "emorynlp" / "dependable").glob("*/dat")
    kept = pd.read_parquet(paths.ROOT / "data" / "outcomes" / "dependable.parquet")
    pd.testing.assert_frame_equal(dependable.outcomes(folder), kept, check_dtype=False)
