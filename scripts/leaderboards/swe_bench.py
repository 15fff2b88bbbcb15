"""Which issues each model resolves on the SWE-bench leaderboard 'bash-only'.

    python scripts/leaderboards/swe_bench.py FOLDER --output FILE

FOLDER holds the repository of the leaderboards' site. All models work in one scaffold; those that
come without a list of issues are left out.
"""

import re
import sys

import answers
import pandas as pd

from replicability import checks

FILE = "data/leaderboards.json"
"""The leaderboards, below the repository."""

BOARD = "bash-only"
"""The leaderboard whose entries say which issues were resolved."""

ISSUE = re.compile(r"(?P<owner>.+)__(?P<name>.+)-(?P<number>\d+)")
"""Identifier of an issue, such as django__django-11099."""


def outcomes(folder):
    """Say for each issue which models resolve it.

    `folder`: the repository of the leaderboards' site.

    Returns DataFrame. One row per issue: ``dataset`` (repository), ``instance`` (number of its pull
    request) and for each model 1 where it is resolved, in the order of the leaderboard.

    Raises `InputError`: if the file is missing or not as expected, a model stands twice or lacks
    issues that others have, or an identifier is none.
    """
    (path,) = answers.found(folder, FILE)
    boards = answers.field(path, answers.read_json(path), "leaderboards", list)
    of_name = {answers.field(path, board, "name", str): board for board in boards}
    results = answers.field(path, of_name.get(BOARD, {}), "results", list)
    resolved = dict(_lists(f"{path}, {BOARD!r}", results))
    issues = sorted(next(iter(resolved.values())), key=_place)
    for model, found in resolved.items():
        if differ := sorted(set(issues) ^ set(found)):
            raise checks.InputError(
                f"{path}: {model} and {next(iter(resolved))} differ in {len(differ)} issues, such "
                f"as {differ[0]!r}; all lists should have the same issues."
            )
    items = pd.DataFrame(map(_place, issues), columns=["dataset", "instance"])
    right = {model: [found[issue] for issue in issues] for model, found in resolved.items()}
    return answers.wide(items, right)


def short(name):
    """Return the name of a model without dates and settings in brackets."""
    return re.sub(r" \([^()]*\)", "", name)


def _lists(place, results):
    """Read which issues each model resolves, if it says so, one after the other."""
    names = [short(answers.field(place, result, "name", str)) for result in results]
    answers.refuse_repeats(place, names)
    listed = [result.get("per_instance_details") for result in results]
    if not any(listed):
        raise checks.InputError(f"{place}: no model has a list of issues.")
    for name, issues in zip(names, listed, strict=True):
        if issues:
            yield (
                name,
                {
                    issue: answers.field(f"{place}, {name}, {issue}", details, "resolved", bool)
                    for issue, details in issues.items()
                },
            )


def _place(issue):
    """Return repository and number of an issue."""
    parts = ISSUE.fullmatch(issue)
    if parts is None:
        raise checks.InputError(
            f"{issue!r} does not name a repository and an issue, as 'django__django-11099' does."
        )
    return f"{parts['owner']}/{parts['name']}", int(parts["number"])


if __name__ == "__main__":
    sys.exit(answers.run(outcomes, __doc__))
