"""Whether code-davinci-002 is right on BIG-Bench Hard, with chain of thought and directly.

    python scripts/leaderboards/big_bench_hard.py FOLDER --output FILE

FOLDER holds the repository of Suzgun et al. (2023). Questions are matched by their place, since
some stand twice; the accuracies that the authors computed must follow from the answers.
"""

import re
import sys

import answers
import pandas as pd

from replicability import checks

OUTPUTS = "code-davinci-002-outputs/code-davinci-002"
"""Where the outputs lie, without the way of prompting."""

TAIL = "_few_shot_template_0-255000.json"
"""What follows the name of a task in the name of its file."""

PROMPTS = {"chain of thought": "cot", "direct": "direct"}
"""Way of prompting -> name of its folder."""

ANSWER = "answer is"
"""What the answer of a chain of thought follows."""

QUESTION = re.compile(r"\nQ: (?:(?!\nQ: ).)*\Z", re.DOTALL)
"""The last question of a prompt, after the examples."""

HINT = " Let's think step by step."
"""What follows the question where a chain of thought is asked for."""


def outcomes(folder):
    """Say for each question which way of prompting answers it right.

    `folder`: the repository of the benchmark.

    Returns DataFrame. One row per question: ``dataset`` (task), ``instance`` (its place), ``chain
    of thought`` and ``direct`` (1 for right), ``ended`` (1 where the chain of thought comes to an
    answer).

    Raises `InputError`: if a file is missing or not as expected, the two files of a task differ in
    their questions, or an accuracy of the authors does not follow from the answers.
    """
    tasks = {way: _tasks(folder, way) for way in PROMPTS}
    first, second = tasks.values()
    if alone := sorted(set(first) ^ set(second)):
        raise checks.InputError(
            f"{folder}: task {alone[0]!r} has outputs for only one way of prompting; fetch the "
            "source again (data/README.md)."
        )
    return pd.concat([_task(name, first[name], second[name]) for name in first], ignore_index=True)


def _tasks(folder, way):
    """List the files of one way of prompting: task -> file."""
    files = answers.found(folder, f"{OUTPUTS}-{PROMPTS[way]}/*{TAIL}")
    return {path.name.removesuffix(TAIL): path for path in files}


def _task(name, *files):
    """Lay out the questions of a task, of which each way of prompting has a file."""
    chain, direct = (_read(path) for path in files)
    if len(chain) != len(direct):
        raise checks.InputError(
            f"{files[0]} has {len(chain)} outputs, but {files[1]} has {len(direct)}; both should "
            "answer the same questions."
        )
    differ = (chain[["question", "target"]] != direct[["question", "target"]]).any(axis=1)
    if differ.any():
        raise checks.InputError(
            f"{files[0]} and {files[1]} differ in the question or target of output "
            f"{differ.idxmax() + 1}; both should answer the same questions in the same order."
        )
    right = {way: table["right"] for way, table in zip(PROMPTS, (chain, direct), strict=True)}
    places = pd.RangeIndex(1, len(chain) + 1).astype("int16")
    items = pd.DataFrame({"dataset": name.replace("_", " "), "instance": places})
    return answers.wide(items, {**right, "ended": chain["ended"]})


def _read(path):
    """Read question, target and whether the answer is right, one row per output."""
    outputs = answers.field(path, answers.read_json(path), "outputs", list)
    rows = [_row(f"{path}, output {i}", output) for i, output in enumerate(outputs, 1)]
    table = pd.DataFrame(rows, columns=["question", "target", "right", "ended"])
    metrics = path.with_name(path.name.replace(".json", "_eval_metrics.jsonl"))
    printed = next(iter(answers.read_lines(metrics)), None)
    accuracy = answers.field(metrics, printed, "accuracy", (int, float))
    found = 100 * table["right"].mean()
    if not abs(found - accuracy) < 1e-6:
        raise checks.InputError(
            f"{path}: {found:.6g}% of the answers are right, but {metrics.name} says "
            f"{accuracy:.6g}; this module no longer scores as the authors do."
        )
    return table


def _row(place, output):
    """Read one output."""
    prompt, said, target = (
        answers.field(place, output, key, str) for key in ("input", "prediction", "target")
    )
    question = QUESTION.search(prompt)
    if question is None:
        raise checks.InputError(f"The input of {place} has no question 'Q: ...'.")
    answer = said.split(ANSWER)[-1].strip().removesuffix(".").strip()
    return question[0].removesuffix(HINT), target, answer == target, ANSWER in said


if __name__ == "__main__":
    sys.exit(answers.run(outcomes, __doc__))
