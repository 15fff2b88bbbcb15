"""Which calls each model gets right on the Berkeley Function Calling Leaderboard.

    python scripts/leaderboards/function_calling.py FOLDER --output FILE

FOLDER holds a folder for each model, with a file for each category: a line of totals, then a line
for each item that the model fails. Items are numbered from 1, so that the others are right.
"""

import sys
from collections import defaultdict

import answers
import pandas as pd

from replicability import checks

ENDING = "_score.json"
"""End of the name of a file, after its category."""


def outcomes(folder):
    """Say for each item which models get it right.

    `folder`: holds ``MODEL/CATEGORY_score.json``.

    Returns DataFrame. One row per item: ``dataset`` (category), ``instance`` (number), ``question``
    (number of its question among all different ones; missing where the files do not have it), and
    for each model 1 where it is right, models in alphabetical order.

    Raises `InputError`: if a file is not as `read`, a model lacks a category, or two models differ
    in the number of items of a category or in the question of an item.
    """
    failed, sizes, questions = defaultdict(set), {}, {}
    for path, totals, records in read(folder):
        model, category = model_of(path), named(path)
        _agree(path, sizes, category, totals["total_count"], "items")
        failed[model].update((category, record["id"]) for record in records)
        failed[model].add(category)
        for record in records:
            if (question := _question(record)) is not None:
                place = (category, record["id"])
                _agree(f"{path}, item {record['id']}", questions, place, question, "question")
    items = [(name, i) for name, n in sorted(sizes.items()) for i in range(1, n + 1)]
    for model, places in failed.items():
        if lacking := sorted(set(sizes) - places):
            raise checks.InputError(f"{folder}: {model} has no file for {lacking[0]!r}.")
    table = pd.DataFrame(items, columns=["dataset", "instance"])
    number, _ = pd.factorize(pd.Series([questions.get(item) for item in items]))
    table["question"] = pd.Series(number, dtype="Int16").where(number >= 0)
    right = {model: [item not in places for item in items] for model, places in failed.items()}
    return answers.wide(table, right)


def read(folder):
    """Read all files, and check each against itself.

    `folder`: as for `outcomes`.

    Yields `path` (Path): a file. `totals` (dict): its first line: ``accuracy``, ``correct_count``,
    ``total_count``. `records` (list of dict): the items that are failed, each with an ``id`` from 1
    to the total.

    Raises `InputError`: if there is no file, one is no JSON or lacks a field, names another model
    or category, holds an item twice or with a number that is none, or has other than total -
    correct items.
    """
    for path in answers.found(folder, f"*/*{ENDING}"):
        totals, *records = answers.read_lines(path) or [None]
        correct, total = (
            answers.field(path, totals, key, int) for key in ("correct_count", "total_count")
        )
        answers.field(path, totals, "accuracy", (int, float))
        for line, record in enumerate(records, 2):
            _check(f"{path}, line {line}", path, record, total)
        answers.refuse_repeats(path, [record["id"] for record in records])
        if len(records) != total - correct:
            raise checks.InputError(
                f"{path} lists {len(records)} failed items, but reports {correct} of {total} "
                "right; it is unclear which items are right."
            )
        yield path, totals, records


def named(path):
    """Return the category of a file, as datasets are named here."""
    return path.name.removesuffix(ENDING).replace("_function", "").replace("_", " ")


def model_of(path):
    """Return the model of a file, whose folder has an underscore for the slash after a maker."""
    return path.parent.name.replace("_", "/")


def _check(place, path, record, total):
    """Check one failed item."""
    number = answers.field(place, record, "id", int)
    if not 1 <= number <= total:
        raise checks.InputError(f"{place}: item {number} is not between 1 and {total}.")
    expected = {
        "model_name": path.parent.name,
        "test_category": path.name.removesuffix(ENDING),
        "error_type": answers.field(place, record, "error_type", str),
        "valid": False,
    }
    for key, value in expected.items():
        if answers.field(place, record, key, (str, bool)) != value:
            raise checks.InputError(
                f"{place}: {key!r} is {record[key]!r:.60}, but should be {value!r} according to "
                "the path of the file."
            )


def _question(record):
    """Return the question of an item; None where the record has none."""
    prompt = record.get("prompt")
    return str(prompt["question"]).strip() if isinstance(prompt, dict) else None


def _agree(place, known, key, value, what):
    """Keep the first value of a key, and refuse another one."""
    if known.setdefault(key, value) != value:
        raise checks.InputError(
            f"{place}: the {what} ({value!r:.60}) differs from that of another model "
            f"({known[key]!r:.60}); the models were not asked the same."
        )


if __name__ == "__main__":
    sys.exit(answers.run(outcomes, __doc__))
