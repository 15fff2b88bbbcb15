"""Answers of language models on MMLU-Pro: made archives read, and refused where they are faulty."""

import json
import sys
import zipfile

import pandas as pd
import pytest

from analysis import paths

sys.path.insert(0, str(paths.ROOT / "scripts" / "leaderboards"))

import mmlu_pro

MODELS = ("Meta-Llama-3-70B", "Meta-Llama-3_1-8B", "Llama-2-7b-hf")


def question(number, pred, **changes):
    """Return an entry of a file: a question with three options, of which B is right."""
    return {
        "question_id": number,
        "question": f"What is {number}?",
        "options": ["x", "y", str(number)],
        "answer": "B",
        "answer_index": 1,
        "category": "law",
        "src": "ori_mmlu-jurisprudence",
        "pred": pred,
        "generated_text": "" if pred is None else f"The answer is ({pred}).",
    } | changes


@pytest.fixture
def folder(tmp_path):
    """Return a function that writes the archives of three models, some of them changed."""

    def write(changed=None, n=4):
        (tmp_path / "eval_results").mkdir(exist_ok=True)
        for model in MODELS:
            entries = [question(number, "B") for number in range(1, n + 1)]
            entries = (changed or {}).get(model, lambda found: found)(entries)
            path = tmp_path / "eval_results" / f"model_outputs_{model}_5shots.zip"
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr(f"model_outputs_{model}_5shots.json", json.dumps(entries))
                archive.writestr("__MACOSX/._model.json", "no JSON")
        return tmp_path

    return write


def entry(i, **changes):
    """Return a change of the i-th entry of a file."""
    return lambda found: [e | changes if k == i else e for k, e in enumerate(found)]


def run(folder):
    return mmlu_pro.answers.run(
        mmlu_pro.outcomes, mmlu_pro.__doc__, [str(folder), "--output", str(folder / "made.parquet")]
    )


def test_right_wrong_and_nothing_extracted(folder):
    changed = {"Meta-Llama-3-70B": entry(0, pred=None), "Llama-2-7b-hf": entry(1, pred="J")}
    root = folder(changed)
    assert run(root) == 0
    made = pd.read_parquet(root / "made.parquet")
    assert made.columns[2:].tolist() == ["Llama-2-7b", "Llama-3-70B", "Llama-3.1-8B"]
    assert made["Llama-3-70B"].tolist() == [0, 1, 1, 1]
    assert made["Llama-2-7b"].tolist() == [1, 0, 1, 1]
    every = pd.read_parquet(root / "made_answers.parquet")
    assert every["Llama-3-70B"].tolist() == [-3, 1, 1, 1]
    assert every["source"].unique().tolist() == ["ori_mmlu"]
    assert (every["left_out"] == "").all()


@pytest.mark.parametrize(
    ("model", "change", "why"),
    [
        ("Meta-Llama-3-70B", entry(2, answer="A"), "key"),
        ("Meta-Llama-3-70B", entry(2, options=["x", "z", "3"]), "text"),
        ("Llama-2-7b-hf", entry(2, question="What is three?"), "text"),
        ("Llama-2-7b-hf", lambda found: [e for e in found if e["question_id"] != 3], "lacking"),
    ],
)
def test_a_question_that_is_not_alike_for_all_is_not_compared(
    folder, monkeypatch, model, change, why
):
    monkeypatch.setattr(mmlu_pro, "MOST_LACKING", 0.25)
    root = folder({model: change})
    assert run(root) == 0
    assert pd.read_parquet(root / "made.parquet")["instance"].tolist() == ["1", "2", "4"]
    every = pd.read_parquet(root / "made_answers.parquet")
    assert every["left_out"].tolist() == ["", "", why, ""]
    assert every["Llama-3.1-8B"].tolist() == [1, 1, 1, 1]


def test_of_copies_the_first_is_compared_whatever_the_order_of_their_options(folder):
    copy = entry(3, question="What is 1?", options=["1", "y", "x"])
    root = folder(dict.fromkeys(MODELS, copy))
    assert run(root) == 0
    assert pd.read_parquet(root / "made.parquet")["instance"].tolist() == ["1", "2", "3"]
    every = pd.read_parquet(root / "made_answers.parquet")
    assert every["left_out"].tolist() == ["", "", "", "copy"]


def test_answers_in_an_output_are_counted(folder):
    said = "The answer is (A). The answer is H. So the answer is (B)."
    root = folder({"Meta-Llama-3-70B": entry(0, pred="A", generated_text=said)})
    assert run(root) == 0
    letters = pd.read_parquet(root / "made_letters.parquet").set_index(["system", "answers"])
    assert letters.loc[("Llama-3-70B", 3), ["outputs", "first", "last"]].tolist() == [1, 0, 1]
    assert letters.loc[("Llama-3-70B", 1), ["outputs", "first", "last"]].tolist() == [3, 3, 3]
    assert letters["outputs"].sum() == 12
    assert (letters["otherwise"] == "").all()


def test_a_letter_that_was_extracted_otherwise_is_kept(folder):
    changed = {"Meta-Llama-3-70B": entry(0, pred="G", generated_text="I give up.")}
    root = folder(changed)
    assert run(root) == 0
    letters = pd.read_parquet(root / "made_letters.parquet").query("answers == 0")
    assert letters[["system", "otherwise", "outputs"]].to_numpy().tolist() == [
        ["Llama-3-70B", "G", 1]
    ]


def test_a_model_that_gave_no_output_has_no_answers(folder):
    def later(found):
        gone = [{k: v for k, v in e.items() if k != "generated_text"} for e in found]
        return [e | {"model_outputs": None} for e in gone]

    root = folder({"Llama-2-7b-hf": later})
    assert run(root) == 0
    letters = pd.read_parquet(root / "made_letters.parquet").query("system == 'Llama-2-7b'")
    assert letters[["answers", "outputs"]].to_numpy().tolist() == [[0, 4]]


def without(key):
    return lambda found: [{k: v for k, v in e.items() if k != key} for e in found]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda found: [*found, "None"], "entry 5 has no 'question_id'; the layout has changed"),
        (without("pred"), "entry 1 has no 'pred'; the layout has changed"),
        (without("generated_text"), "entry 1 has no 'model_outputs'; the layout has changed"),
        (entry(1, options="x"), "entry 2: 'options' is 'x', which has an unexpected type"),
        (entry(1, pred=3), "entry 2: 'pred' is 3, which has an unexpected type"),
        (entry(1, pred="K"), "entry 2: 'K' is not a letter from A to J."),
        (entry(1, answer="AB"), "entry 2: 'AB' is not a letter from A to J."),
        (entry(1, question_id=1), "1 occurs twice; it is unclear which one counts."),
        (
            lambda found: found[:2],
            "The file of Llama-3-70B lacks 2 of 4 questions, more than 1%; fetch the source again, "
            "or leave the model out (LEFT_OUT).",
        ),
        (
            entry(1, category="math"),
            "Question 2: 'category' is 'law' in one file and 'math' in another; fetch the "
            "source again",
        ),
    ],
)
def test_a_faulty_file_is_refused_in_a_sentence(folder, capsys, change, message):
    root = folder({"Meta-Llama-3-70B": change})
    assert run(root) == 1
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
    assert not list(root.glob("made*"))


def test_a_truncated_archive_is_refused(folder, capsys):
    path = folder() / "eval_results" / "model_outputs_Meta-Llama-3-70B_5shots.zip"
    path.write_bytes(path.read_bytes()[:-40])
    assert run(path.parents[1]) == 1
    assert f"{path} is not a complete zip archive" in capsys.readouterr().err


def test_a_folder_without_archives_is_refused(tmp_path, capsys):
    assert run(tmp_path) == 1
    assert f"{tmp_path} has no file {mmlu_pro.FILES}" in capsys.readouterr().err


def test_the_model_that_is_left_out_is_not_read(folder):
    root = folder()
    for name in mmlu_pro.LEFT_OUT:
        (root / "eval_results" / f"model_outputs_{name}_5shots.zip").write_bytes(b"no archive")
    assert run(root) == 0
