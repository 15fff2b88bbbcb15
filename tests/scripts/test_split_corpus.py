"""Corpora that are split at random and by documents."""

import itertools
import re
import sys

import numpy as np
import pandas as pd
import pytest
import yaml
from checkouts import run
from corpora import CONLLU, TWO_COLUMNS, corpus
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import paths, workflow

sys.path.insert(0, str(paths.ROOT / "scripts"))
import conll
import split_corpus

SHARES = (0.8, 0.1, 0.1)


@given(
    n=st.integers(30, 400),
    shares=st.sampled_from([(0.8, 0.1, 0.1), (0.5, 0.25, 0.25), (0.9, 0.0, 0.1)]),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=50, deadline=None)
def test_a_random_split_has_the_shares_of_a_permutation(n, shares, seed):
    part = split_corpus.random_split(n, shares, seed)
    # The slices of the permuted sentences, one part after the other.
    order = np.random.default_rng(np.random.SeedSequence(seed)).permutation(n)
    first = int(n * shares[0] + 0.5)
    second = int(n * (shares[0] + shares[1]) + 0.5)
    for number, piece in enumerate((order[:first], order[first:second], order[second:])):
        assert set(np.flatnonzero(part == number)) == set(piece.tolist())


def test_splits_with_different_seeds_differ_and_the_first_do_not_depend_on_their_number(write):
    content = yaml.safe_load((paths.CONFIG / "splits.yaml").read_text(encoding="utf-8"))
    few, many = (
        workflow.split_choices(write(f"{n}.yaml", yaml.safe_dump({**content, "splits": n})))
        for n in (2, 5)
    )
    assert many["seeds"][:3] == few["seeds"]
    assert len(set(many["seeds"])) == 6
    one, other = (split_corpus.random_split(50, SHARES, seed) for seed in few["seeds"][1:])
    assert (one != other).any()


@given(
    sizes=st.lists(st.integers(1, 30), min_size=1, max_size=40),
    categories=st.integers(1, 3),
)
@settings(max_examples=50, deadline=None)
def test_the_standard_split_keeps_documents_whole_and_in_order(sizes, categories):
    document = np.repeat(np.arange(len(sizes)), sizes)
    category = document % categories
    part = split_corpus.standard_split(document, category, SHARES)
    assert all(len(set(part[document == one])) == 1 for one in set(document))
    for kind in set(category):
        inside = part[category == kind]
        assert (np.diff(inside) >= 0).all()
        # A boundary is missed by at most half of the longest document.
        slack = max(sizes) / 2
        for number, bound in ((0, 0.8), (1, 0.9)):
            assert abs((inside <= number).sum() - bound * len(inside)) <= slack + 1e-6


def test_the_standard_split_counts_each_category_off():
    document = np.repeat(np.arange(20), 5)
    part = split_corpus.standard_split(document, document % 2, SHARES)
    assert np.bincount(part[::5]).tolist() == [16, 2, 2]
    assert part[::5][-4:].tolist() == [1, 1, 2, 2]


def split(folder, *arguments):
    """Run the command and return its status and the sentences of the four files."""
    status = split_corpus.main([*map(str, arguments), "--into", str(folder)])
    return status, {
        name: conll.read(folder / f"{name}.conll", tagged=name != "test")
        for name in ("train", "dev", "gold", "test")
    }


def test_parts_are_disjoint_exhaustive_and_counted(tmp_path, write):
    path = write("corpus.tsv", corpus(60, documents=20))
    for arguments in (["--seed", 1], ["--standard"]):
        status, files = split(tmp_path / "split", path, *arguments)
        assert status == 0
        parts = [[s.name for s in files[name]] for name in ("train", "dev", "gold")]
        assert sorted(itertools.chain(*parts)) == sorted(s.name for s in conll.read(path))
        sizes = pd.read_csv(tmp_path / "split" / "sizes.csv")
        assert sizes["sentences"].tolist() == [len(part) for part in parts] == [48, 6, 6]
        assert sizes["tokens"].tolist() == [96, 12, 12]
        assert sizes["part"].tolist() == ["train", "dev", "test"]
    assert {s.name.partition("/")[0] for s in files["gold"]}.isdisjoint(
        s.name.partition("/")[0] for s in files["train"] + files["dev"]
    )


def test_a_split_is_the_same_in_every_process(tmp_path, write):
    path = write("corpus.tsv", corpus(60))
    arguments = [str(path), "--seed", "3", "--into"]
    split_corpus.main([*arguments, str(tmp_path / "here")])
    found = run(paths.ROOT, "scripts/split_corpus.py", *arguments, str(tmp_path / "there"))
    assert found.returncode == 0, found.stderr
    for file in (tmp_path / "here").iterdir():
        assert file.read_bytes() == (tmp_path / "there" / file.name).read_bytes()


def test_the_test_file_has_words_and_no_tags(tmp_path, write):
    train = write("train.tsv", "x\tX\n")
    dev = write("dev.tsv", "y\tX\n")
    test = write("test.tsv", TWO_COLUMNS)
    _, files = split(tmp_path / "two", train, dev, test, "--standard", "--given")
    assert (tmp_path / "two" / "test.conll").read_text(encoding="utf-8") == (
        "# sent_id = s3\nthe\t_\n#\t_\ndog\t_\n\n# sent_id = s4\nit\t_\nbarks\t_\n\n"
    )
    assert [s.tags for s in files["gold"]] == [["DT", "#", "NN"], ["PRP", "VBZ"]]


def test_a_treebank_keeps_its_lines_in_training_and_loses_its_annotation_for_the_test(
    tmp_path, write
):
    path = write("all.conllu", CONLLU)
    one = write("one.conllu", CONLLU.replace("= a", "= c").replace("= b", "= e"))
    two = write("two.conllu", CONLLU.replace("= a", "= f").replace("= b", "= g"))
    split(tmp_path / "ud", path, one, two, "--standard", "--given")
    assert (tmp_path / "ud" / "train.conll").read_text(encoding="utf-8") == CONLLU + "\n"
    test = (tmp_path / "ud" / "test.conll").read_text(encoding="utf-8").split("\n")
    blank = "\t".join("_" * 8)
    assert test[:8] == [
        "# newdoc id = d",
        "# sent_id = f",
        "# text = Im Haus",
        f"1-2\tIm\t{blank}",
        f"1\tIn\t{blank}",
        f"2\tdem\t{blank}",
        f"3\tHaus\t{blank}",
        f"3.1\tist\t{blank}",
    ]


def test_without_documents_each_sentence_is_one(tmp_path, write):
    text = "\n".join(f"w{i}\tX\n" for i in range(20))
    _, files = split(tmp_path / "split", write("corpus.tsv", text), "--standard")
    assert [len(files[name]) for name in ("train", "dev", "gold")] == [16, 2, 2]
    assert files["gold"][0].name == "s19"


@pytest.mark.parametrize(
    ("files", "arguments", "message"),
    [
        ({"a.tsv": "x\tX\n"}, [], "a.tsv: with 1 sentences, the part 'dev' is empty; pass more"),
        (
            {"a.tsv": "x\tX\n\n" * 9},
            ["--standard", "--shares", ".99", "0", ".01"],
            "'test' is empty",
        ),
        (
            {"a.tsv": "x\tX\n", "b.conllu": CONLLU},
            [],
            "b.conllu has 10 columns, but .*a.tsv has 2; all files of a corpus need the same form",
        ),
        (
            {"a.tsv": "x\tX\ny\n"},
            [],
            "a.tsv, line 2 has 1 tab-separated columns.* needs 10 .* or 2",
        ),
        (
            {"a.tsv": "x\t_\n"},
            [],
            "a.tsv, line 1 has the word 'x' and the tag '_'; neither may be empty",
        ),
        ({"a.tsv": "\n"}, [], "a.tsv has no words"),
    ],
)
def test_a_corpus_that_cannot_be_split_is_a_sentence(
    tmp_path, write, capsys, files, arguments, message
):
    places = [str(write(name, text)) for name, text in files.items()]
    assert split_corpus.main([*places, *arguments, "--into", str(tmp_path / "split")]) == 1
    assert re.search(message, capsys.readouterr().err)
    assert not (tmp_path / "split").exists()
