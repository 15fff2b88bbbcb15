"""The command that scores parsers on a treebank."""

import importlib.util
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("s", ROOT / "scripts" / "score_treebank.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def sentence(*words):
    """Write one sentence, each word "FORM UPOS HEAD DEPREL"."""
    rows = [word.split(" ") for word in words]
    return "".join(
        f"{i}\t{form}\t_\t{upos}\t_\t_\t{head}\t{deprel}\t_\t_\n"
        for i, (form, upos, head, deprel) in enumerate(rows, 1)
    )


FIRST = sentence("Dogs NOUN 2 nsubj", "bark VERB 0 root")
SECOND = sentence("Wait VERB 0 root", "! PUNCT 1 punct")
GOLD = f"# sent_id = one\n{FIRST}\n# sent_id = two\n{SECOND}\n"
# The same text as "Dogs bark Wait!" with two words merged: nothing of the first sentence aligns,
# and the head of the exclamation mark is right.
MERGED = f"{sentence('Dogsbark NOUN 0 root')}\n{SECOND}\n"
TAGGED = GOLD.replace("NOUN", "PROPN").replace("punct", "dep")


@pytest.fixture
def run(script, write, tmp_path):
    """Return a function that runs the command on files and returns its status."""

    def call(gold, vocabulary=None, **systems):
        arguments = ["--gold", str(write("gold.conllu", gold))]
        if vocabulary is not None:
            arguments += ["--vocabulary", str(write("forms.txt", vocabulary))]
        for name, text in systems.items():
            arguments += ["--system", f"{name}={write(f'{name}.conllu', text)}"]
        scores, totals = tmp_path / "made" / "scores.parquet", tmp_path / "made" / "totals.csv"
        return script.main([*arguments, "--scores", str(scores), "--totals", str(totals)])

    return call


def test_scores_and_totals(run, tmp_path, capfd):
    assert run(GOLD, tagged=TAGGED, merged=MERGED) == 0
    scores = pd.read_parquet(tmp_path / "made" / "scores.parquet")
    expected = [
        ("one", "", "tagged", 2, 1, 2, 2),
        ("two", "", "tagged", 2, 2, 2, 1),
        ("one", "", "merged", 2, 0, 0, 0),
        ("two", "", "merged", 2, 2, 2, 2),
    ]
    assert list(scores.itertuples(index=False, name=None)) == expected
    assert [*scores.columns] == ["instance", "document", "system", "words", "upos", "uas", "las"]
    assert (scores.dtypes.iloc[3:] == "uint16").all()
    assert (tmp_path / "made" / "totals.csv").read_text() == (
        "system,gold_words,system_words,upos,uas,las\ntagged,4,4,3,4,3\nmerged,4,3,2,2,2\n"
    )
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == [
        "scores.parquet",
        "totals.csv",
    ]
    assert capfd.readouterr() == ("", "")


def test_sentences_have_the_documents_of_the_gold_standard(run, tmp_path):
    documents = GOLD.replace("# sent_id = two", "# newdoc id = b\n# sent_id = two")
    assert documents != GOLD
    assert run(documents, tagged=TAGGED) == 0
    scores = pd.read_parquet(tmp_path / "made" / "scores.parquet")
    assert scores["document"].tolist() == ["d1", "b"]


def test_unknown_words_are_counted_with_a_vocabulary(run, tmp_path):
    assert run(GOLD, "bark\n!\nwait\n", tagged=TAGGED, merged=MERGED) == 0
    scores = pd.read_parquet(tmp_path / "made" / "scores.parquet")
    assert [*scores.columns[-2:]] == ["unknown", "unknown_upos"]
    assert scores["unknown"].tolist() == [1, 1, 1, 1]  # Dogs; Wait, which is not wait
    assert scores["unknown_upos"].tolist() == [0, 1, 0, 1]
    assert (scores.dtypes.iloc[3:] == "uint16").all()
    header = (tmp_path / "made" / "totals.csv").read_text().partition("\n")[0]
    assert header == "system,gold_words,system_words,upos,uas,las"


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        (GOLD, GOLD.replace("Dogs", "Cats"), "so words cannot be aligned"),
        (GOLD, GOLD[:-1], "ends in the middle of a sentence"),
        (
            GOLD.replace("= two", "= one"),
            GOLD,
            "2 sentences with the sent_id 'one'; give each its own",
        ),
    ],
)
def test_one_bad_input_makes_no_output(run, tmp_path, capsys, gold, system, message):
    assert run(gold, good=gold, bad=system) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (["a=b", "a=c"], "--system 'a' is given twice; give each its own name."),
        (["b.conllu"], "--system is 'b.conllu'; write NAME=FILE"),
        (["=b"], "--system is '=b'; write NAME=FILE"),
    ],
)
def test_bad_names_are_refused(script, tmp_path, capsys, pairs, message):
    arguments = [argument for pair in pairs for argument in ("--system", pair)]
    out = ["--scores", str(tmp_path / "a"), "--totals", str(tmp_path / "b")]
    assert script.main(["--gold", "gold.conllu", *arguments, *out]) == 1
    assert message in capsys.readouterr().err
