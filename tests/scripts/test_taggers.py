import os
import random
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("pycrfsuite", reason="the group 'outcomes' is not installed")
pytest.importorskip("nltk", reason="the group 'outcomes' is not installed")
pytest.importorskip("spacy", reason="the group 'outcomes' is not installed")

from analysis import paths
from replicability.checks import InputError

sys.path.insert(0, str(paths.ROOT / "scripts"))
import taggers
import train_tagger
from taggers import convolutional, features

CONLLU = """\
# sent_id = a
# text = Im Haus
1-2\tIm\t_\t_\t_\t_\t_\t_\t_\t_
1\tIn\tin\tADP\t_\t_\t3\tcase\t_\t_
2\tdem\tder\tDET\t_\t_\t3\tdet\t_\t_
3\tHaus\tHaus\tNOUN\t_\t_\t0\troot\t_\t_
3.1\tist\tsein\tAUX\t_\t_\t_\t_\t_\t_

# sent_id b 2
1\tJa\tja\tINTJ\t_\t_\t0\troot\t_\t_
"""
SENTENCES = {"a": [("In", "ADP"), ("dem", "DET"), ("Haus", "NOUN")], "b 2": [("Ja", "INTJ")]}


NETWORKS = ["spacy", "spacy-small"]
each_tagger = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long) if name in NETWORKS else name
        for name in sorted(taggers.TAGGERS)
    ],
)


def word(number, form="a", tag="X"):
    return f"{number}\t{form}\t_\t{tag}\t_\t_\t_\t_\t_\t_\n"


def corpus(n, seed):
    """Sentences of an artificial language whose endings give the tags away."""
    endings = {"DET": "e", "NOUN": "um", "VERB": "at", "ADV": "iter"}
    rng = random.Random(seed)
    return [
        [(f"{rng.choice('bcdfg')}{rng.choice('aeiou')}l{end}", tag) for tag, end in endings.items()]
        for _ in range(n)
    ]


def ambiguous(n, seed):
    """Sentences of words that say little about their tags."""
    rng = random.Random(seed)
    return [
        [(rng.choice("abcdefghij"), rng.choice("XXYZ")) for _ in range(rng.choice([3, 6]))]
        for _ in range(n)
    ]


def two_columns(sentences):
    return "\n".join("".join(f"{w}\t{tag}\n" for w, tag in sentence) for sentence in sentences)


def words_of(sentences):
    return [[w for w, _ in sentence] for sentence in sentences]


# --- reading


def test_conllu_gives_the_syntactic_words(write):
    assert taggers.tagged_sentences(write("a.conllu", CONLLU)) == SENTENCES


def test_two_columns_give_the_same_sentences(write):
    path = write("a.tsv", two_columns(SENTENCES.values()))
    assert taggers.tagged_sentences(path) == {"s1": SENTENCES["a"], "s2": SENTENCES["b 2"]}


def test_ends_of_lines_and_repeated_blank_lines_do_not_matter(tmp_path):
    path = tmp_path / "a.conllu"
    text = "\ufeff" + CONLLU.rstrip().replace("\n\n", "\n\n\n").replace("\n", "\r\n")
    path.write_bytes(text.encode())
    assert taggers.tagged_sentences(path) == SENTENCES


@pytest.mark.parametrize("second", ["", "# sent_id = a\n"], ids=["missing", "repeated"])
def test_sentences_are_numbered_where_names_do_not_tell_them_apart(write, second):
    path = write("a.conllu", f"# sent_id = a\n{word(1)}\n{second}{word(1)}")
    assert list(taggers.tagged_sentences(path)) == ["s1", "s2"]


def test_the_hash_sign_may_be_a_word(write):
    path = write("a.tsv", "# a comment\n#\tSYM\n#tag\tX\n#comment\n")
    assert taggers.tagged_sentences(path) == {"s1": [("#", "SYM"), ("#tag", "X")]}


def test_a_line_separator_of_unicode_does_not_end_a_line(write):
    path = write("a.tsv", "a\u2028b\tX\n")
    assert taggers.tagged_sentences(path) == {"s1": [("a\u2028b", "X")]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tX\nb X\n", "bad.txt, line 2 has 1 tab-separated columns, but the first.* has 2"),
        ("a\tX\n\n" + word(1), "line 3 has 10 tab-separated columns, but the first word has 2"),
        ("a X\n", "line 1 has 1 tab-separated columns; every word of a file needs 10"),
        ("a\tX\ty\n", "line 1 has 3 tab-separated columns; every word of a file needs 10"),
        ("a\tX\n \n", "line 2 has 1 tab-separated columns"),
        (word(1) + word(3), "line 2 has the ID '3' instead of 2"),
        (word(1) + word(1), "line 2 has the ID '1' instead of 2; .* blank line"),
        (word("x"), "line 1 has the ID 'x' instead of 1"),
        (word(1, tag="_"), "line 1 has the word 'a' and the tag '_'; neither may be empty"),
        ("a\t\n", "line 1 has the word 'a' and the tag ''; neither may be empty"),
        ("\tX\n", "line 1 has the word '' and the tag 'X'; neither may be empty"),
        ("# nothing\n\n", "bad.txt has no words"),
        ("", "bad.txt has no words"),
    ],
)
def test_a_malformed_file_is_refused_with_its_line(write, text, message):
    with pytest.raises(InputError, match=message):
        taggers.tagged_sentences(write("bad.txt", text))


def test_a_file_that_is_not_utf8_or_not_there_is_refused(tmp_path):
    (tmp_path / "latin.tsv").write_bytes("a\tX\né\tX\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.tsv: byte 4 is not UTF-8"):
        taggers.tagged_sentences(tmp_path / "latin.tsv")
    with pytest.raises(InputError, match=r"none\.tsv cannot be read: No such file"):
        taggers.tagged_sentences(tmp_path / "none.tsv")


@pytest.mark.parametrize(("words", "sentences"), [(1, 1), (4, 1), (5, 2), (8, 2)])
def test_training_takes_the_first_whole_sentences(words, sentences):
    data = corpus(2, seed=1)
    assert taggers.first_words(data, words, "f") == data[:sentences]


def test_too_few_training_words_are_refused():
    with pytest.raises(
        InputError, match=r"f\.conllu has only 8 words, but 9 are requested; .* request 8\."
    ):
        taggers.first_words(corpus(2, seed=1), 9, "f.conllu")


# --- taggers


@each_tagger
def test_a_regular_language_is_learnt(name):
    tagger = taggers.TAGGERS[name]
    model = tagger.train(corpus(200, seed=1), seed=1)
    test = corpus(50, seed=2)
    assert tagger.tag(model, words_of(test)) == [[tag for _, tag in s] for s in test]


@each_tagger
def test_sentences_of_one_word_and_of_none_are_tagged(name):
    tagger = taggers.TAGGERS[name]
    model = tagger.train([[("a", "X")], [("b", "Y")], [("a", "X")]], seed=1)
    assert tagger.tag(model, [["a"], [], ["b"]]) == [["X"], [], ["Y"]]


@each_tagger
def test_training_leaves_its_input_and_the_global_generator_alone(name):
    data, same = ambiguous(30, seed=1), ambiguous(30, seed=1)
    states = random.getstate(), repr(np.random.get_state())  # noqa: NPY002
    taggers.TAGGERS[name].train(data, seed=1)
    assert data == same
    assert (random.getstate(), repr(np.random.get_state())) == states  # noqa: NPY002


@each_tagger
def test_the_state_of_the_global_generator_does_not_matter(name):
    tagger, found = taggers.TAGGERS[name], []
    for state in (1, 2):
        random.seed(state)
        np.random.seed(state)  # noqa: NPY002
        model = tagger.train(ambiguous(100, seed=1), seed=3)
        found.append(tagger.tag(model, words_of(ambiguous(100, seed=2))))
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["perceptron", "spacy-small"])
def test_the_seed_matters_where_something_is_drawn(name):
    tagger, found = taggers.TAGGERS[name], []
    for seed in (1, 2):
        model = tagger.train(ambiguous(100, seed=1), seed)
        found.append(tagger.tag(model, words_of(ambiguous(100, seed=2))))
    assert found[0] != found[1]


ODD = ["thành phố", "a\u00a0b", "\u200b", "İ", "ẞ ß", "Σ", "a\u0301", "don't", "😀", "http://a.b?c"]
"""Words with blanks, or that a tokenizer, lower case or a normal form would change."""


@each_tagger
def test_words_are_taken_as_they_are_given_and_tags_are_opaque(name):
    tagger = taggers.TAGGERS[name]
    tags = ["NOUN", "!", "!NOUN", "-", "_X", "''", "1", "a b", "NN|SYM", "é"]
    sentence = list(zip(ODD, tags, strict=True))
    model = tagger.train([sentence, *([pair] for pair in sentence)] * 20, seed=1)
    assert tagger.tag(model, [ODD, ODD[:1]]) == [tags, tags[:1]]


@each_tagger
def test_a_word_that_was_never_seen_has_a_tag_that_was(name):
    tagger = taggers.TAGGERS[name]
    model = tagger.train(corpus(20, seed=1), seed=1)
    [found] = tagger.tag(model, [["zz", "Zz-9", "日本", " "]])
    assert len(found) == 4
    if name != "tnt":  # which says Unk where it has no word with the suffix
        assert set(found) <= {"DET", "NOUN", "VERB", "ADV"}


@each_tagger
def test_one_sentence_with_one_tag_is_enough_to_train_or_is_refused(name):
    tagger = taggers.TAGGERS[name]
    if name == "svm":
        with pytest.raises(InputError, match=r"All 1 training words have the tag 'X'; .* two"):
            tagger.train([[("a", "X")]], seed=1)
        return
    assert tagger.tag(tagger.train([[("a", "X")]], seed=1), [["a", "a"]]) == [["X", "X"]]


def test_the_two_sizes_of_the_network_are_those_stated():
    sizes = {}
    for name in ("spacy", "spacy-small"):
        model = taggers.TAGGERS[name].train(corpus(3, seed=1), seed=1).get_pipe("tagger").model
        tok2vec = model.get_ref("tok2vec")
        layers = [node for node in tok2vec.walk() if node.name == "expand_window"]
        sizes[name] = (tok2vec.get_dim("nO"), len(layers))
    assert sizes == {"spacy": (96, 4), "spacy-small": (64, 2)}


def test_the_network_has_the_defaults_of_its_package_but_for_the_averages():
    from spacy.pipeline.tagger import DEFAULT_TAGGER_MODEL

    model = convolutional.train(corpus(3, seed=1), seed=1, passes=1)
    component = model.config["components"]["tagger"]
    assert component["model"]["tok2vec"] == DEFAULT_TAGGER_MODEL["tok2vec"]
    plain = type(model)().config["training"]["optimizer"]
    assert model.config["training"]["optimizer"] == {**plain, "use_averages": True}


def test_features_are_those_documented():
    first, second = features.word_features(["Ja", "U-2"])
    assert first == [
        "bias", "word=Ja", "lower=ja", "prefix1=J", "prefix2=Ja", "suffix1=a", "suffix2=Ja",
        "upper", "title", "word-2=<s>", "word-1=<s>", "word+1=U-2", "word+2=</s>",
        "word-1,word=<s>\tJa", "word,word+1=Ja\tU-2",
    ]  # fmt: skip
    assert {"prefix3=U-2", "digit", "upper", "hyphen", "capitals", "word-1=Ja"} <= set(second)
    assert not any(feature.startswith("prefix4") for feature in second)


# --- the script


def run(write, output, *options, train=None, test=None):
    train = train or write("train.tsv", two_columns(ambiguous(100, seed=1)))
    test = test or write("test.tsv", two_columns(ambiguous(100, seed=2)))
    arguments = ["--train", train, "--test", test, "--output", output, *options]
    return train_tagger.main([str(argument) for argument in arguments])


@each_tagger
def test_counts_of_known_and_unknown_words(write, tmp_path, name):
    train = write("train.tsv", two_columns([[("a", "X"), ("b", "Y")]] * 20 + [[("c", "Z")]]))
    one = "# sent_id = one\n" + word(1) + word(2, "b", "X")
    two = "# sent_id = two\n" + word(1, "A", "Y") + word(2, "b", "Y") + word(3, "c", "Z")
    test = write("test.conllu", f"{one}\n{two}")
    options = ["--tagger", name, "--words", 39, "--seed", 1]
    assert run(write, tmp_path / "out.parquet", *options, train=train, test=test) == 0
    table = pd.read_parquet(tmp_path / "out.parquet")
    assert dict(table.dtypes.astype(str)) == {
        "instance": "str", "system": "str", "words": "uint16", "correct": "uint16",
        "unknown": "uint16", "unknown_correct": "uint16",
    }  # fmt: skip
    assert table["instance"].tolist() == ["one", "two"]
    assert set(table["system"]) == {name}
    assert table["words"].tolist() == [2, 3]
    assert table["unknown"].tolist() == [0, 2]  # "A", and "c" beyond the first 40 words
    assert table["correct"][0] == 1
    assert table["correct"][1] == 1 + table["unknown_correct"][1]


def test_counts_follow_the_tags():
    gold = [[("a", "X"), ("b", "Y"), ("c", "Z")], [("d", "X")]]
    found = train_tagger.count(gold, [["X", "X", "Z"], ["X"]], known={"a", "b"})
    assert found.tolist() == [[3, 2, 1, 1], [1, 1, 1, 1]]


@each_tagger
def test_another_process_gives_the_same_bytes(write, tmp_path, name):
    options = ["--tagger", name, "--words", "400", "--seed", "5"]
    assert run(write, tmp_path / "here.parquet", *options) == 0
    command = [
        sys.executable, paths.ROOT / "scripts" / "train_tagger.py", *options,
        "--train", "train.tsv", "--test", "test.tsv", "--output", "there.parquet",
    ]  # fmt: skip
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONHASHSEED": "2017"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""  # no progress bar where there is no terminal
    here, there = ((tmp_path / f"{place}.parquet").read_bytes() for place in ("here", "there"))
    assert here == there


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tagger", "crff", "--seed", 1], "--tagger 'crff' is not one of crf, .* mean 'crf'?"),
        (["--tagger", "tnt", "--seed", -1], "--seed is -1"),
        (["--tagger", "tnt", "--seed", 1, "--words", 0], "--words is 0; pass a whole number"),
        (["--tagger", "tnt", "--seed", 1], "train.tsv has only .* words, but 5000 are requested"),
    ],
)
def test_a_mistake_is_a_sentence_and_nothing_is_written(write, tmp_path, capsys, options, message):
    assert run(write, tmp_path / "out.parquet", *options) == 1
    found = capsys.readouterr().err
    assert re.search(message, found)
    assert "Traceback" not in found
    assert not list(tmp_path.glob("out.parquet*"))


def test_a_sentence_that_is_too_long_to_count_is_refused(write, tmp_path, capsys):
    test = write("long.tsv", "a\tX\n" * 65_536)
    options = ["--tagger", "tnt", "--words", 9, "--seed", 1]
    assert run(write, tmp_path / "out.parquet", *options, test=test) == 1
    assert "long.tsv has a sentence of 65536 words" in capsys.readouterr().err


# --- a treebank


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("crf", 0.85, 0.89), ("perceptron", 0.82, 0.85), ("tnt", 0.83, 0.87)],
)
def test_danish(mirror, tmp_path, name, low, high):
    folder = mirror("UD_Danish-DDT") / "UniversalDependencies" / "UD_Danish-DDT"
    (train,), (test,) = (folder.glob(f"*/da-ud-{part}.conllu") for part in ("dev", "test"))
    table = train_tagger.run(name, train, test, 5000, seed=2017)
    assert len(table) == 322
    # Counted with awk: lines "^[0-9]+\t" of the test file, and those of them whose second column is
    # in none of the first 5,008 such lines of the training file (its first 269 sentences).
    assert table["words"].sum() == 5884
    assert table["unknown"].sum() == 1946
    assert low < table["correct"].sum() / 5884 < high
