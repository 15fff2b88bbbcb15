"""How well each embedding model of MTEB does on each classification task, in each experiment.

    python scripts/leaderboards/embeddings.py ARCHIVE --output FILE

ARCHIVE is a tar archive of the results of MTEB: a JSON file for each model, revision and task.
Models and tasks are chosen by the rules of config/outcomes/embeddings.yaml.
"""

import collections
import json
import sys
import tarfile

import answers
import pandas as pd

from replicability import checks

SPLIT = "test"
"""Part of the data whose scores are used."""

EXPERIMENTS = 10
"""Training samples of each model and task."""

TASKS = 200
"""Tasks and languages that most models have."""

BASELINES = ("baseline-random-encoder",)
"""What is no embedding model."""

DIGITS = 6
"""Digits of an accuracy; most of the files have no more."""


def outcomes(archive):
    """Lay the accuracies of all chosen models side by side.

    `archive`: the results.

    Returns DataFrame. One row per task and experiment: ``dataset``, ``experiment`` and the accuracy
    of each model, in [0, 1].

    Raises `InputError`: if the archive cannot be read, a model has a task twice, a score is no
    accuracy, or no model is left.
    """
    found = _read(archive)
    models = collections.defaultdict(set)
    for model, task in found:
        models[task].add(model)
    tasks = sorted(models, key=lambda task: (-len(models[task]), task))[:TASKS]
    chosen = set.intersection(*map(models.get, tasks)) - {*BASELINES} if tasks else set()
    if not chosen:
        raise checks.InputError(f"{archive}: no model has all {TASKS} tasks.")
    revisions = {task: {found[model, task][0] for model in chosen} for task in tasks}
    columns = {
        model: pd.concat(
            {
                task: pd.Series(found[model, task][1]).round(DIGITS)
                for task in sorted(tasks)
                if len(revisions[task]) == 1
            }
        )
        for model in sorted(chosen)
    }
    return pd.DataFrame(columns).rename_axis(index=["dataset", "experiment"]).reset_index()


def _read(archive):
    """Read the archive: dict of (model, task) -> (revision of the data, accuracies)."""
    found = {}
    try:
        with tarfile.open(archive) as opened:
            for member in opened:
                if member.name.endswith(".json"):
                    content = json.loads(opened.extractfile(member).read())
                    _add(found, f"{archive}, {member.name}", content)
    except (OSError, EOFError, ValueError, tarfile.TarError) as error:
        raise checks.InputError(
            f"{archive} is not a complete archive of JSON files ({error}); fetch the source again "
            "(data/README.md)."
        ) from None
    return found


def _add(found, place, content):
    """Add the accuracies of a file, where all experiments have one."""
    model = place.split("/")[-3].split("__")[-1]
    name = answers.field(place, content, "task_name", str).removesuffix("Classification")
    scores = answers.field(place, content, "scores", dict)
    for row in scores.get(SPLIT, ()):
        each = [one.get("accuracy") for one in row.get("scores_per_experiment") or ()]
        if len(each) != EXPERIMENTS or None in each:
            continue
        wrong = [score for score in each if not 0 <= score <= 1]
        if wrong:
            raise checks.InputError(f"{place}: {wrong[0]!r} is not an accuracy between 0 and 1.")
        subset = row["hf_subset"]
        task = name if subset == "default" else f"{name} ({subset})"
        if (model, task) in found:
            raise checks.InputError(
                f"{place}: {model!r} has {task!r} twice; it is unclear which one counts."
            )
        found[model, task] = content.get("dataset_revision"), each


if __name__ == "__main__":
    sys.exit(answers.run(outcomes, __doc__))
