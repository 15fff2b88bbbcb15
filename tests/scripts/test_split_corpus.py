"""Random splits: reading and splitting corpora, taggers' outputs, and the rule from end to end."""

import itertools
import re
import sys
import zipfile

import numpy as np
import pandas as pd
import pytest
import yaml
from checkouts import copy, run, snakemake
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import workflow
from replicability.checks import InputError
from replicability.io import paths

pytest.importorskip("pycrfsuite", reason="the extra 'outcomes' is not installed")
pytest.importorskip("nltk", reason="the extra 'outcomes' is not installed")

sys.path.insert(0, str(paths.ROOT / "scripts"))
import compare_tags
import conll
import nltk_corpora
import split_corpus
import tag
import taggers

SHARES = (0.8, 0.1, 0.1)
NLTK = "nltk/nltk_data/5db857e6f7df11eabb5e5665836db9ec8df07e28/packages/corpora"

TWO_COLUMNS = """\
# sent_id = a
the\tDT
#\t#
dog\tNN

# sent_id = b
it\tPRP
barks\tVBZ
"""

CONLLU = """\
# newdoc id = d
# sent_id = a
# text = Im Haus
1-2\tIm\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tIn\tin\tADP\tAPPR\t_\t3\tcase\t_\t_
2\tdem\tder\tDET\tART\t_\t3\tdet\t_\t_
3\tHaus\tHaus\tNOUN\tNN\tCase=Dat\t0\troot\t_\tGloss=house
3.1\tist\tsein\tAUX\t_\t_\t_\t_\t_\t_

# sent_id = b
1\tJa\tja\tINTJ\tITJ\t_\t0\troot\t_\t_
"""


def corpus(n, documents=1, categories=1):
    """Return a file with two columns of n sentences, with documents in categories."""
    lines = []
    for i in range(n):
        if i * documents % n < documents:
            document = i * documents // n
            lines += [f"# newdoc id = d{document}", f"# category = c{document % categories}"]
        lines += [f"# sent_id = d{i * documents // n}/{i}", f"w{i % 7}\tA", f"v{i % 5}\tB", ""]
    return "\n".join([*lines, ""])


# --- corpora of NLTK


def archive(path, members):
    with zipfile.ZipFile(path, "w") as file:
        for name, text in members.items():
            file.writestr(name, text)
    return path


def test_the_penn_treebank_loses_its_traces(tmp_path):
    tree = "( (S (NP-SBJ (-NONE- *)) (VP (VB Go) (ADVP (RB now))) (. .)) )\n"
    path = archive(
        tmp_path / "treebank.zip",
        {
            "treebank/combined/wsj_0002.mrg": tree,
            "treebank/combined/wsj_0001.mrg": tree * 2,
            "treebank/combined/README": "no tree",
            "treebank/raw/wsj_0001": "no tree",
        },
    )
    text, words, left_out = nltk_corpora.convert(path)
    sentence = "Go\tVB\nnow\tRB\n.\t.\n\n"
    assert text == (
        f"# newdoc id = wsj_0001\n# sent_id = wsj_0001/1\n{sentence}# sent_id = wsj_0001/2\n"
        f"{sentence}# newdoc id = wsj_0002\n# sent_id = wsj_0002/1\n{sentence}"
    )
    assert (words, left_out) == (9, 0)


def test_masc_loses_items_without_a_word_or_a_tag(tmp_path):
    path = archive(
        tmp_path / "masc_tagged.zip",
        {
            "masc_tagged/categories.txt": "spoken/b.txt telephone\n",
            "masc_tagged/spoken/b.txt": "Hi_uh snake_case_NN _-\n\nU.\nbye_UH\n",
            "masc_tagged/written/a.txt": "So_RB\n",
        },
    )
    text, words, left_out = nltk_corpora.convert(path)
    assert text == (
        "# newdoc id = spoken/b\n# category = telephone\n# sent_id = spoken/b/1\nHi\tUH\n"
        "snake_case\tNN\n\n# sent_id = spoken/b/3\nbye\tUH\n\n"
        "# newdoc id = written/a\n# sent_id = written/a/1\nSo\tRB\n\n"
    )
    assert (words, left_out) == (4, 2)


@pytest.mark.parametrize(
    ("name", "sentences", "words", "left_out"),
    [("treebank.zip", 3914, 94084, 0), ("masc_tagged.zip", 34530, 592447, 89)],
)
def test_the_archives_have_the_known_sizes(mirror, name, sentences, words, left_out):
    text, *counts = nltk_corpora.convert(mirror("nltk_data") / NLTK / name)
    assert text.count("\n# sent_id = ") == sentences
    assert counts == [words, left_out]


def test_a_damaged_or_unknown_archive_is_a_sentence(tmp_path, write):
    with pytest.raises(InputError, match=r"'mascs\.zip' is not one of treebank\.zip"):
        nltk_corpora.convert(write("mascs.zip", "x"))
    with pytest.raises(InputError, match=r"treebank\.zip cannot be read: .*; fetch it again\.$"):
        nltk_corpora.convert(write("treebank.zip", "no archive"))
    with pytest.raises(InputError, match=r"categories\.txt.*; fetch it again"):
        nltk_corpora.convert(archive(tmp_path / "masc_tagged.zip", {}))


# --- splits


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
        ({"a.tsv": "x\tX\n"}, [], "a.tsv: the 1 sentences leave the part 'dev' empty; give more"),
        ({"a.tsv": "x\tX\n\n" * 9}, ["--standard", "--shares", ".99", "0", ".01"], "'test' empty"),
        (
            {"a.tsv": "x\tX\n", "b.conllu": CONLLU},
            [],
            "b.conllu has 10 columns and .*a.tsv has 2; give all files of a corpus one form",
        ),
        ({"a.tsv": "x\tX\ny\n"}, [], "a.tsv, line 2 has 1 columns .* a word has 10 .* or 2"),
        ({"a.tsv": "x\t_\n"}, [], "a.tsv, line 1 has the word 'x' and the tag '_'; give it both"),
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


# --- what taggers gave


def compared(write, tmp_path, train="", **tagged):
    gold = write("gold.tsv", TWO_COLUMNS)
    parts = [f"{name}={write(name, text)}" for name, text in tagged.items()]
    options = ["--gold", str(gold), "--train", str(write("train.tsv", train or "dog\tNN\n"))]
    for name in ("outcomes", "tags"):
        options += [f"--{name}", str(tmp_path / f"{name}.parquet")]
    return compare_tags.main([*parts, *options, "--words"])


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


def test_tags_are_shown_where_taggers_differ_and_words_where_they_differ_on_half(write, tmp_path):
    assert compared(write, tmp_path, Good=GOOD, Poor=POOR) == 0
    table = pd.read_parquet(tmp_path / "tags.parquet")
    assert table["instance"].unique().tolist() == ["a"]
    assert table["position"].tolist() == [1, 2, 3]
    assert table["position"].dtype == np.uint16
    assert table["gold"].tolist() == ["DT", "#", "NN"]
    assert table["Poor"].tolist() == ["DT", "X", "VB"]
    assert table["word"].isna().all()
    wild = "the\tA\n#\tB\ndog\tNN\n\nit\tPRP\nbarks\tVBZ\n"
    assert compared(write, tmp_path, Good=GOOD, Poor=wild) == 0
    table = pd.read_parquet(tmp_path / "tags.parquet")
    assert table["word"].tolist() == ["the", "#", "dog"]


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
            "Good, line 3 has the word 'cat' where .*gold.tsv, line 4 has",
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
            "Good has 1 sentences and .* has 2; Good must tag every sentence",
        ),
        (GOOD.replace("DT", ""), "Good, line 1 has the word 'the' and the tag ''; give it both"),
        ("", "Good has no words"),
    ],
)
def test_a_tagger_that_changes_the_text_is_a_sentence(write, text, message):
    gold = write("gold.tsv", TWO_COLUMNS)
    with pytest.raises(InputError, match=message):
        compare_tags.read(f"Good={write('Good', text)}", conll.read(gold), gold)


def test_a_tagger_that_writes_nothing_is_a_sentence(write, tmp_path):
    gold = write("gold.tsv", TWO_COLUMNS)
    with pytest.raises(InputError, match=r"T wrote no .*missing; its command writes .* {output}"):
        compare_tags.read(f"T={tmp_path / 'missing'}", conll.read(gold), gold)
    with pytest.raises(InputError, match="'=x' names no tagger and file; write NAME=FILE"):
        compare_tags.read("=x", conll.read(gold), gold)


# --- the taggers as a command


@pytest.mark.parametrize("name", ["collins", "crf", "perceptron", "svm"])
def test_passes_are_those_that_are_asked_for(write, name):
    train = write("train.tsv", corpus(20))
    test = write("test.tsv", "w1\t_\nv1\t_\n\nv2\t_\n")
    text = tag.run(name, train, test, seed=1, passes=2)
    assert [len(s.words) for s in conll.read(write("out.tsv", text))] == [2, 1]
    assert text == tag.run(name, train, test, seed=1, passes=2)


def test_a_mistake_on_the_command_line_of_a_tagger_is_a_sentence(write, tmp_path, capsys):
    train = write("train.tsv", corpus(3))
    options = ["--train", str(train), "--test", str(train), "--output", str(tmp_path / "out")]
    for arguments, message in (
        (["--tagger", "svn", "--seed", "1"], "'svn' is not one of"),
        (["--tagger", "svm", "--seed", "-1"], "--seed is -1"),
        (["--tagger", "svm", "--seed", "1", "--passes", "0"], "--passes is 0"),
        (["--tagger", "tnt", "--seed", "1", "--passes", "2"], "tnt does not pass over the"),
    ):
        assert tag.main([*arguments, *options]) == 1
        assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_training_by_crfsuite_does_not_depend_on_what_was_trained_before():
    sentences = [[(f"w{i % 9}", "AB"[i % 2]), (f"v{i * i % 11}", "CDE"[i % 3])] for i in range(60)]
    first = taggers.train_collins(sentences, 1)
    taggers.train_collins(sentences, 2)
    assert taggers.train_collins(sentences, 1) == first


# --- the settings


def choices(write, **changes):
    content = {
        "seed": 1,
        "splits": 2,
        "shares": {"train": 0.8, "dev": 0.1, "test": 0.1},
        "corpora": [{"name": "A", "files": [str(write("a.tsv", TWO_COLUMNS))]}],
        "taggers": [
            {"name": "one", "command": "one {train} {test} {output}"},
            {"name": "two", "command": "two {test} > {output}"},
        ],
    }
    return workflow.split_choices(write("splits.yaml", yaml.safe_dump({**content, **changes})))


ONE = {"name": "one", "command": "one {train} {test} {output}"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"split": 3}, "unknown key 'split' in the file; did you mean 'splits'"),
        ({"splits": 0}, "splits is 0, but the number of random splits is a whole number from 1"),
        ({"splits": "20"}, "splits is '20', but"),
        ({"seed": -1}, "seed is -1"),
        ({"shares": {"train": 0.8, "dev": 0.1, "test": 0.2}}, "the shares sum to 1.1; choose"),
        ({"shares": {"train": 0.8, "test": 0.2}}, "the key 'dev' is missing in shares"),
        (
            {"shares": {"train": 1, "dev": 0, "test": 0}},
            "shares.* is .*, but a share lies strictly",
        ),
        ({"corpora": []}, "corpora is .*at least one corpus"),
        ({"corpora": [{"name": "A"}]}, "corpus 'A' has no source; give it one of nltk, files"),
        (
            {"corpora": [{"name": "A", "nltk": "treebank.zip", "files": ["x"]}]},
            "corpus 'A' has nltk and files; give it one of",
        ),
        ({"corpora": [{"name": "A", "files": ["data/READNE.md"]}]}, "did you mean 'README.md'"),
        ({"corpora": [{"name": "A", "nltk": "treebnk.zip"}]}, "one of treebank.zip, masc_tagged.z"),
        ({"corpora": [{"name": "A B", "nltk": "treebank.zip"}]}, "'A B', but a name is letters"),
        (
            {"corpora": [{"name": name, "nltk": "treebank.zip"} for name in ("PTB", "ptb")]},
            "corpora: 'PTB' and 'ptb' are the same name; rename one",
        ),
        (
            {
                "corpora": [
                    {
                        "name": "A",
                        "standard": {"train": "README.md", "dev": "README.md", "test": "LICENSE"},
                    }
                ]
            },
            "names one file for two parts",
        ),
        ({"taggers": [ONE]}, "taggers is .*at least two taggers"),
        ({"taggers": [ONE, ONE]}, "taggers: 'one' and 'one' are the same name"),
        ({"taggers": [ONE, {**ONE, "name": "gold"}]}, "'gold' has the name of a column"),
        (
            {"taggers": [ONE, {"name": "two", "command": "two {trian} {test} {output}"}]},
            "unknown placeholder {trian}; known are {python}, {train}",
        ),
        (
            {"taggers": [ONE, {"name": "two", "command": "two {train} {test}"}]},
            "tagger 'two': the command lacks {output}, the file that it writes",
        ),
        (
            {"taggers": [ONE, {"name": "two", "command": "two {train} > {output}"}]},
            "tagger 'two': the command lacks {test}, the file with the words to tag",
        ),
        (
            {"taggers": [ONE, {"name": "two", "command": "awk '{ {test} {output}"}]},
            "tagger 'two': the command cannot be read",
        ),
        (
            {"taggers": [ONE, {"name": "two", "command": "two.py {test} {output}"}]},
            "tagger 'two': write {python} before two.py",
        ),
    ],
)
def test_wrong_settings_are_a_sentence(write, changes, message):
    with pytest.raises(InputError, match=r"(?s)" + message.replace("{", r"\{")):
        choices(write, **changes)


def test_settings_that_are_no_mapping_are_a_sentence(write):
    with pytest.raises(InputError, match="the settings of random splits are a mapping of keys"):
        workflow.split_choices(write("splits.yaml", "- 1\n"))


# --- the rule

FREQUENT = """\
import sys
from collections import Counter

train, test, output = sys.argv[1:]
words = [line.split("\\t") for line in open(train, encoding="utf-8") if "\\t" in line]
column = 3 if len(words[0]) == 10 else 1
common = Counter(cells[column].strip() for cells in words).most_common(1)[0][0]
with open(output, "w", encoding="utf-8") as file:
    for line in open(test, encoding="utf-8"):
        cells = line.rstrip("\\n").split("\\t")
        if len(cells) > 1:
            cells[column] = common
        file.write("\\t".join(cells) + "\\n")
"""


PIPE = r"cat {test} | sed -e 's/_$/A/' -e 's/\t_\t_\t/\t_\tNOUN\t/' > {output}"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return a checkout in which two taggers have run on two corpora of its own."""
    checkout = copy(tmp_path_factory.mktemp("splits"))
    (checkout / "frequent.py").write_text(FREQUENT, encoding="utf-8")
    (checkout / "small.tsv").write_text(corpus(40, documents=10), encoding="utf-8")
    sentence = "# sent_id = {0}\n1\tw{0}\t_\t{1}\t_\t_\t0\troot\t_\t_\n\n"
    treebank = "".join(sentence.format(i, "NOUN" if i % 3 else "VERB") for i in range(20))
    (checkout / "small.conllu").write_text(treebank, encoding="utf-8")
    settings = {
        "seed": 7,
        "splits": 1,
        "shares": {"train": 0.8, "dev": 0.1, "test": 0.1},
        "corpora": [
            {"name": "two", "files": ["small.tsv"]},
            {"name": "UD", "files": ["small.conllu"]},
        ],
        "taggers": [
            {"name": "frequent", "command": "{python} frequent.py {train} {test} {output}"},
            {
                "name": "pipe",
                "command": PIPE,
            },
        ],
    }
    (checkout / "config" / "tiny.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    found = snakemake(checkout, "random_splits", "--config", "splits=config/tiny.yaml")
    assert found.returncode == 0, found.stderr
    return checkout


@pytest.mark.long
def test_the_rule_makes_three_tables(finished):
    folder = finished / "results" / "splits" / "tiny"
    table = pd.read_parquet(folder / "splits.parquet")
    assert table.columns.tolist() == [
        *("dataset", "split", "instance", "unknown", "words", "frequent", "pipe")
    ]
    assert table["split"].dtype == np.uint8
    assert table["dataset"].unique().tolist() == ["two", "UD"]
    sizes = pd.read_csv(folder / "splits_sizes.csv")
    assert sizes.columns.tolist() == ["dataset", "split", "part", "sentences", "tokens"]
    tests = sizes[sizes["part"] == "test"]
    counted = table.groupby(["dataset", "split"], sort=False)
    assert counted["words"].sum().tolist() == tests["tokens"].tolist() == [8, 8, 2, 2]
    assert counted["instance"].nunique().tolist() == tests["sentences"].tolist() == [4, 4, 2, 2]
    tags = pd.read_parquet(folder / "splits_tags.parquet")
    assert tags.columns.tolist() == [
        *("dataset", "instance", "position", "word", "gold", "frequent", "pipe")
    ]
    assert tags["word"].isna().all()


@pytest.mark.long
def test_the_random_split_is_that_of_its_seed(finished):
    seed = np.random.SeedSequence(7).spawn(2)[1].generate_state(1)[0]
    part = split_corpus.random_split(20, SHARES, int(seed))
    table = pd.read_parquet(finished / "results" / "splits" / "tiny" / "splits.parquet")
    chosen = table[(table["dataset"] == "UD") & (table["split"] == 1)]
    assert chosen["instance"].tolist() == np.flatnonzero(part == 2).astype(str).tolist()


@pytest.mark.long
def test_a_finished_run_has_nothing_to_do_and_a_stopped_one_does_the_rest(finished):
    arguments = ["--dry-run", "random_splits", "--config", "splits=config/tiny.yaml"]
    found = snakemake(finished, *arguments)
    assert "Nothing to be done" in found.stdout + found.stderr
    for file in ("two/1/pipe.tagged", "two/1/outcomes.parquet", "splits.parquet"):
        (finished / "results" / "splits" / "tiny" / file).unlink()
    found = snakemake(finished, *arguments)
    text = found.stdout + found.stderr
    assert re.search(r"^tag_split +1$", text, re.MULTILINE)
    assert not re.search(r"^split_corpus ", text, re.MULTILINE)
