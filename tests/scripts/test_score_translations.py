"""Scores of WMT24: what is read, what is scored, and what is refused."""

import json
import re
import sys

import numpy as np
import pandas as pd
import pytest
import sacrebleu

from analysis import paths

sys.path.insert(0, str(paths.ROOT / "scripts" / "leaderboards"))
import translation

CANARY = "CANARY GUID 26b5"
SOURCE = ["One dog barks.", "It is loud.", "The end."]
REFERENCE = ["Ein Hund bellt.", "Er ist laut.", "Das Ende der Geschichte."]
OUTPUTS = {
    "alpha": ["Ein Hund bellt.", "Es ist laut.", ""],
    "beta": ["Der Hund bellt laut.", "Er ist sehr laut.", "Ende der Geschichte."],
}
DOCUMENTS = ["a", "a", "b"]


@pytest.fixture
def folder(tmp_path):
    """Return a folder of two language pairs in the layout of the task."""
    for pair in ("en-de", "en-is"):
        write(tmp_path / f"sources/{pair}.txt", SOURCE)
        write(tmp_path / f"references/{pair}.refA.txt", REFERENCE)
        records = [{"domain": "news", "docid": name} for name in DOCUMENTS]
        lines = [json.dumps(r) for r in [{"domain": "canary", "docid": "canary"}, *records]]
        write(tmp_path / f"metadata/{pair}.jsonl", lines, first=None)
        for system, lines in OUTPUTS.items():
            write(tmp_path / f"system-outputs/{pair}/{system}.txt", lines)
    write(tmp_path / "system-outputs/en-de/only-here.txt", REFERENCE)
    return tmp_path


def write(path, lines, first=CANARY):
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join([first, *lines] if first else lines)
    path.write_text(text + "\n", encoding="utf-8")


def run(folder, *more):
    made = {level: folder / f"{level}.parquet" for level in translation.LEVELS}
    outputs = [word for level, path in made.items() for word in (f"--{level}", str(path))]
    return translation.main([str(folder), "--pair", "en-de", *more, *outputs]), made


def test_segments_documents_and_corpora_are_scored_by_sacrebleu(folder):
    status, made = run(folder)
    assert status == 0
    segments, documents, corpora = (pd.read_parquet(path) for path in made.values())
    columns = ["alpha", "beta", "BLEU alpha", "BLEU beta"]
    assert list(segments) == ["instance", "document", "domain", "size", *columns]
    assert list(documents) == ["document", "domain", "size", "segments", *columns]
    assert (segments.dtypes[["instance", "size", *columns]] == "int16").all()
    assert segments["instance"].tolist() == [1, 2, 3]
    assert segments["document"].tolist() == DOCUMENTS
    assert documents["segments"].tolist() == [2, 1]
    for system, lines in OUTPUTS.items():
        pairs = [*zip(lines, REFERENCE, strict=True)]
        chrf = [100 * sacrebleu.sentence_chrf(line, [gold]).score for line, gold in pairs]
        bleu = [100 * sacrebleu.sentence_bleu(line, [gold]).score for line, gold in pairs]
        np.testing.assert_array_equal(segments[system], np.rint(chrf))
        np.testing.assert_array_equal(segments[f"BLEU {system}"], np.rint(bleu))
        whole = sacrebleu.corpus_chrf(lines[:2], [REFERENCE[:2]]).score
        assert documents[system].tolist()[0] == round(100 * whole)
        row = corpora.set_index("system").loc[system]
        assert row["chrf"] == sacrebleu.corpus_chrf(lines, [REFERENCE]).score
        assert row["bleu"] == sacrebleu.corpus_bleu(lines, [REFERENCE]).score
    assert segments["alpha"].iloc[2] == 0


def test_the_tokenizer_is_that_of_bleu_alone(folder):
    _, made = run(folder)
    words = pd.read_parquet(made["segments"])
    _, made = run(folder, "--tokenize", "char")
    characters = pd.read_parquet(made["segments"])
    assert words["beta"].equals(characters["beta"])
    assert not words["BLEU beta"].equals(characters["BLEU beta"])


def test_equal_input_gives_equal_bytes(folder):
    first = [path.read_bytes() for path in run(folder)[1].values()]
    assert [path.read_bytes() for path in run(folder)[1].values()] == first


@pytest.mark.parametrize(
    ("file", "lines", "first", "message"),
    [
        (
            "system-outputs/en-de/alpha.txt",
            ["x", "y"],
            CANARY,
            "2 segments, but the source has 3; each",
        ),
        ("system-outputs/en-de/alpha.txt", ["x", "y", "z"], None, "has it in no line; segments w"),
        ("sources/en-de.txt", ["x", CANARY, "z"], CANARY, r"has it in lines \[1, 3\]"),
        ("references/en-de.refA.txt", ["x", " ", "z"], CANARY, "segment 2 has no reference, so"),
        ("sources/en-is.txt", ["x", "y", "z"], CANARY, "differ from those of en-de.txt, but pairs"),
        (
            "metadata/en-de.jsonl",
            ['{"domain": "a", "docid": "b"}'],
            None,
            "1 lines, but there are 3",
        ),
        ("metadata/en-de.jsonl", ["{}"] * 4, None, "line 2 has no 'docid'; the layout has changed"),
        ("metadata/en-de.jsonl", ["{"] * 4, None, "line 1 is not JSON"),
    ],
)
def test_what_is_refused(folder, capsys, file, lines, first, message):
    write(folder / file, lines, first)
    status, made = run(folder)
    assert status == 1
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert re.search(message, said), said
    assert not any(path.exists() for path in made.values())


def test_a_file_that_is_missing_is_named(folder, capsys):
    (folder / "references/en-de.refA.txt").unlink()
    assert run(folder)[0] == 1
    assert "en-de.refA.txt" in capsys.readouterr().err


def test_systems_must_have_outputs_for_all_pairs(folder, capsys):
    for system in OUTPUTS:
        (folder / f"system-outputs/en-is/{system}.txt").unlink()
    assert run(folder)[0] == 1
    assert "no system has outputs for all 2 language pairs" in capsys.readouterr().err
