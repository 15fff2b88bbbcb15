"""The taggers as a command."""

import sys

import pytest
from corpora import corpus

from analysis import paths

pytest.importorskip("pycrfsuite", reason="the group 'outcomes' is not installed")
pytest.importorskip("nltk", reason="the group 'outcomes' is not installed")

sys.path.insert(0, str(paths.ROOT / "scripts"))
import conll
import tag
from taggers import crfsuite


@pytest.mark.parametrize("name", ["collins", "crf", "perceptron", "spacy-small", "svm"])
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
        (["--tagger", "tnt", "--seed", "1", "--passes", "2"], "tnt does not train in passes"),
    ):
        assert tag.main([*arguments, *options]) == 1
        assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_training_by_crfsuite_does_not_depend_on_what_was_trained_before():
    sentences = [[(f"w{i % 9}", "AB"[i % 2]), (f"v{i * i % 11}", "CDE"[i % 3])] for i in range(60)]
    first = crfsuite.train_collins(sentences, 1)
    crfsuite.train_collins(sentences, 2)
    assert crfsuite.train_collins(sentences, 1) == first
