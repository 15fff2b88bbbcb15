"""What language models answer on MMLU-Pro: right, wrong, or nothing that could be extracted.

    python scripts/leaderboards/mmlu_pro.py FOLDER --output FILE

FOLDER holds the repository of the benchmark. FILE gets the questions on which all models can be
compared; with ``_answers`` after its stem it gets every answer of every model, and with
``_letters`` how many answers an output has.
"""

import re
import string
import sys

import answers
import numpy as np
import pandas as pd

from replicability import checks

FILES = "eval_results/model_outputs_*_5shots.zip"
"""Answers of a model, below the repository."""

LEFT_OUT = ("DeepSeek-Coder-V2",)
"""Models without a comparable file: this one lacks a seventh of the questions."""

MOST_LACKING = 0.01
"""Share of the questions that the file of a model may lack."""

LETTERS = string.ascii_uppercase[:10]
"""Names of the options, of which a question has at most so many."""

ANSWER = re.compile(r"answer is \(?([A-J])\)?")
"""What the benchmark's own scripts look for; they take the first that an output has."""

OUTPUT = ("model_outputs", "generated_text")
"""Names that files give to the output of a model."""


def outcomes(folder):
    """Say what each model answers on each question.

    `folder`: the repository of the benchmark.

    Returns dict of str to DataFrame. Under "" the questions on which all models can be compared:
    ``dataset`` (discipline), ``instance`` (number of the question) and for each model 1 where it is
    right. Under "_answers" all questions, with their ``source``, why they are ``left_out`` ("" if
    they are compared), and for each model its code as `coded` has it, null where its file lacks the
    question. Under "_letters", as `lettered` returns them, of every ``system``.

    Raises `InputError`: if files are missing or not as expected, a model answers a question twice
    or lacks many, or two files put a question into different disciplines or sources.
    """
    read = {}
    for path in answers.found(folder, FILES):
        model = short(path.name)
        if model not in LEFT_OUT:
            read[model] = coded(path)
    together = pd.concat(read, names=["model", "instance"])
    of_question = together.groupby(level="instance")
    questions = of_question[["category", "src"]].first()
    for field in questions:
        _refuse_differing(of_question, field)
    _refuse_lacking(together, len(questions))
    left_out = _left_out(together, len(read))
    codes = pd.DataFrame({model: file["code"] for model, file in read.items()}, questions.index)
    items = pd.DataFrame(
        {
            "dataset": questions["category"],
            "instance": questions.index.astype(str),
            "source": questions["src"].str.partition("-")[0],
            "left_out": left_out,
        }
    )
    letters = pd.concat({model: lettered(file) for model, file in read.items()}, names=["system"])
    chosen = left_out == ""
    right = {model: (codes.loc[chosen, model] == 1).astype(int) for model in codes}
    return {
        "": answers.wide(items.loc[chosen, ["dataset", "instance"]], right),
        "_answers": answers.wide(items, codes),
        "_letters": letters.reset_index(),
    }


def short(name):
    """Return the name of a model, without what only some files put around it.

    Examples
    --------
    >>> short("model_outputs_Meta-Llama-3_1-70B_5shots.zip")
    'Llama-3.1-70B'
    """
    model = re.fullmatch(r"model_outputs_(?:Meta-)?(.*?)(?:-hf)?_5shots\.zip", name)[1]
    return model.replace("3_1", "3.1")


def coded(path):
    """Read the answers of a model, one row per question, by its number.

    ``answer`` is the key; ``code`` is 1 for right, 0 for wrong, and minus the number of options
    where no letter could be extracted; ``letters`` are all that the output gives as answers, and
    ``otherwise`` the letter that was extracted if it gives none.
    """
    rows = []
    for number, record in enumerate(answers.read_zipped(path), 1):
        place = f"{path}, entry {number}"
        row = {
            key: answers.field(place, record, key, kind)
            for key, kind in {
                "question_id": int,
                "category": str,
                "src": str,
                "question": str,
                "options": list,
                "answer": str,
                "pred": str | None,
            }.items()
        }
        given, key, options = row.pop("pred"), row["answer"], tuple(row["options"])
        for letter in filter(None, (given, key)):
            if letter not in LETTERS or len(letter) != 1:
                raise checks.InputError(f"{place}: {letter!r} is not a letter from A to J.")
        code = -len(options) if given is None else int(given == key)
        output = next((name for name in OUTPUT if name in record), OUTPUT[0])
        letters = ANSWER.findall(answers.field(place, record, output, str | None) or "")
        last = "" if letters else given or ""
        found = {"options": options, "code": code, "letters": letters, "otherwise": last}
        rows.append(row | found)
    answers.refuse_repeats(path, [row["question_id"] for row in rows])
    return pd.DataFrame(rows).set_index("question_id").rename_axis("instance")


def lettered(file):
    """Count the ``outputs`` of a model, and those whose ``first`` and ``last`` answer is right.

    By ``dataset``, number of ``answers`` in an output, and the letter extracted ``otherwise``.
    """
    given = file[["category", "letters", "answer"]]
    ends = [(a[:1] == [key], a[-1:] == [key]) for _, a, key in given.itertuples(index=False)]
    counted = pd.DataFrame(ends, given.index, columns=["first", "last"]).assign(
        dataset=file["category"],
        answers=file["letters"].str.len(),
        otherwise=file["otherwise"],
        outputs=1,
    )
    sums = counted.groupby(["dataset", "answers", "otherwise"])[["outputs", "first", "last"]].sum()
    return sums.astype("int16")


def _refuse_differing(of_question, field):
    """Refuse a question that two files put into different disciplines, or sources."""
    differing = of_question[field].nunique()
    if (differing > 1).any():
        number = differing.idxmax()
        found = of_question[field].unique()[number]
        raise checks.InputError(
            f"Question {number}: {field!r} is {' in one file and '.join(map(repr, found))} in "
            "another; fetch the source again (data/README.md)."
        )


def _refuse_lacking(together, n):
    """Refuse a model whose file lacks many questions."""
    lacking = n - together.groupby(level="model", sort=False).size()
    if (lacking > MOST_LACKING * n).any():
        raise checks.InputError(
            f"The file of {lacking.idxmax()} lacks {lacking.max():,} of {n:,} questions, more than "
            f"{MOST_LACKING:.0%}; fetch the source again, or leave the model out (LEFT_OUT)."
        )


def _left_out(together, models):
    """Say why a question is not compared: not all were asked it alike, or it stands twice."""
    of_question = together.groupby(level="instance")
    differs = of_question[["answer", "options", "question"]].nunique().gt(1)
    first = of_question[["question", "options"]].first()
    first["options"] = first["options"].map(lambda options: tuple(sorted(options)))
    reasons = {
        "lacking": of_question.size() < models,
        "key": differs["answer"],
        "text": differs[["options", "question"]].any(axis=1),
        "copy": first.duplicated(),
    }
    found = np.select(list(reasons.values()), list(reasons), "")
    return pd.Series(found, differs.index)


if __name__ == "__main__":
    sys.exit(answers.run(outcomes, __doc__))
