"""Corpora of NLTK: what is read and what is left out."""

import sys
import zipfile

import pytest

from analysis import paths
from replicability.checks import InputError

pytest.importorskip("nltk", reason="the group 'outcomes' is not installed")

sys.path.insert(0, str(paths.ROOT / "scripts"))
import nltk_corpora

NLTK = "nltk/nltk_data/5db857e6f7df11eabb5e5665836db9ec8df07e28/packages/corpora"


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
