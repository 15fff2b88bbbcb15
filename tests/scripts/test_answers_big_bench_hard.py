"""Outcomes of BIG-Bench Hard: what is read, and what is refused."""

import json
import re
import sys

import pandas as pd
import pytest

from analysis import paths

sys.path.insert(0, str(paths.ROOT / "scripts" / "leaderboards"))
import answers
import big_bench_hard

QUESTIONS = ("1 + 1 =", "2 + 2 =", "1 + 1 =")
TARGETS = ("2", "4", "2")
CHAINS = ("One and one. So the answer is 2.", "I count: 1, 2, 3", "So the answer is 3.")
DIRECT = ("2", " 4", "3")
EXAMPLES = {
    "cot": "Q: 0 =\nA: Let's think step by step.\nSo the answer is 0.",
    "direct": "Q: 0 =\nA: 0",
}
HINT = {"cot": "\nA: Let's think step by step.", "direct": "\nA:"}


def output(way, question, said, target):
    prompt = f"Count.\n\n{EXAMPLES[way]}\n\nQ: {question}{HINT[way]}"
    return {"input": prompt, "prediction": said, "target": target}


@pytest.fixture
def repository(tmp_path):
    """Return a function that writes a task's two files, perhaps changed, and returns the folder."""

    def make(task="adding", change=lambda contents: None, accuracy=None):
        said = {"cot": CHAINS, "direct": DIRECT}
        contents = {
            way: [output(way, *row) for row in zip(QUESTIONS, said[way], TARGETS, strict=True)]
            for way in said
        }
        change(contents)
        for way, outputs in contents.items():
            folder = tmp_path / f"{big_bench_hard.OUTPUTS}-{way}"
            folder.mkdir(parents=True, exist_ok=True)
            name = folder / f"{task}{big_bench_hard.TAIL}"
            name.write_text(json.dumps({"canary": "", "outputs": outputs}), encoding="utf-8")
            right = {"cot": 100 / 3, "direct": 200 / 3}[way] if accuracy is None else accuracy
            metrics = name.with_name(name.name.replace(".json", "_eval_metrics.jsonl"))
            metrics.write_text(json.dumps({"accuracy": right}) + "\n", encoding="utf-8")
        return tmp_path

    return make


def run(folder, output):
    return answers.run(big_bench_hard.outcomes, "", [str(folder), "--output", str(output)])


def test_answers_are_read_as_the_authors_read_them(repository, tmp_path):
    assert run(repository("adding_numbers"), tmp_path / "o.parquet") == 0
    made = pd.read_parquet(tmp_path / "o.parquet")
    assert made["dataset"].unique().tolist() == ["adding numbers"]
    assert made["instance"].tolist() == [1, 2, 3]  # by place: the first question stands twice
    assert made["chain of thought"].tolist() == [1, 0, 0]
    assert made["direct"].tolist() == [1, 1, 0]
    assert made["ended"].tolist() == [1, 0, 1]


def other_question(contents):
    contents["direct"][1]["input"] = contents["direct"][1]["input"].replace("2 + 2", "2 + 3")


def other_target(contents):
    contents["direct"][1]["target"] = "5"


def other_order(contents):
    contents["cot"][:2] = contents["cot"][1::-1]


def one_less(contents):
    del contents["direct"][2]


def no_question(contents):
    contents["cot"][0]["input"] = "1 + 1 ="


def no_target(contents):
    del contents["cot"][2]["target"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            other_question,
            "differ in the question or target of output 2; both should answer the same",
        ),
        (other_target, "differ in the question or target of output 2; both should answer the same"),
        (other_order, "differ in the question or target of output 1; both should answer the same"),
        (one_less, "has 3 outputs, but .* has 2; both should answer the same questions"),
        (no_question, r"The input of .*output 1 has no question 'Q: \.\.\.'"),
        (no_target, "output 3 has no 'target'; the layout has changed"),
    ],
)
def test_files_that_do_not_fit_are_refused(repository, tmp_path, capsys, change, message):
    def changed(contents):
        change(contents)

    folder = repository(change=changed)
    if change in (one_less, other_target):  # what the authors would have computed
        path = next(folder.glob(f"{big_bench_hard.OUTPUTS}-direct/*_eval_metrics.jsonl"))
        path.write_text(json.dumps({"accuracy": 100.0 if change is one_less else 100 / 3}) + "\n")
    assert run(folder, tmp_path / "o.parquet") == 1
    assert re.search(message, capsys.readouterr().err)
    assert not (tmp_path / "o.parquet").exists()


def test_an_accuracy_that_does_not_follow_is_refused(repository, tmp_path, capsys):
    assert run(repository(accuracy=34.0), tmp_path / "o.parquet") == 1
    said = capsys.readouterr().err
    assert "33.3333% of the answers are right, but adding_few_shot" in said
    assert "says 34; this module no longer scores as the authors do." in said


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda p: p.write_text('{"outputs": ['), "is not JSON .* fetch the source again"),
        (lambda p: p.write_text('{"results": []}'), "has no 'outputs'; the layout has changed"),
        (
            lambda p: p.write_text('{"outputs": [], "outputs": []}'),
            "'outputs' occurs twice",
        ),
        (lambda p: p.unlink(), "task 'adding' has outputs for only one way of prompting"),
    ],
)
def test_a_damaged_file_is_a_sentence(repository, tmp_path, capsys, damage, message):
    folder = repository()
    repository("taking")
    damage(folder / f"{big_bench_hard.OUTPUTS}-cot" / f"adding{big_bench_hard.TAIL}")
    assert run(folder, tmp_path / "o.parquet") == 1
    assert re.search(message, capsys.readouterr().err)


def test_metrics_without_an_accuracy_are_a_sentence(repository, tmp_path, capsys):
    folder = repository()
    for path in folder.glob(f"{big_bench_hard.OUTPUTS}-*/*_eval_metrics.jsonl"):
        path.write_text("{}\n")
    assert run(folder, tmp_path / "o.parquet") == 1
    assert "has no 'accuracy'; the layout has changed" in capsys.readouterr().err


def test_an_empty_folder_is_a_sentence(tmp_path, capsys):
    assert run(tmp_path, tmp_path / "o.parquet") == 1
    assert "has no file code-davinci-002-outputs" in capsys.readouterr().err
