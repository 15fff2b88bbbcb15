"""Results that are summed up: one number for each dataset, from which no p-value can come."""

import json
import re

from replicability.checks import InputError
from replicability.io.text import shown

_AVERAGE = re.compile(
    r"(macro|micro)?\W*(avg|average|mean|overall)\W*(score|accuracy|acc)?\W*", re.IGNORECASE
)


def refuse(path, content):
    """Refuse a JSON document that sums up the scores of instances.

    Parameters
    ----------
    path : str or Path
        The file, for the message.
    content : object
        What it holds.

    Raises
    ------
    InputError
        If it is what lm-evaluation-harness, HELM, MTEB, Every Eval Ever or a leaderboard writes
        beside the scores of instances, or in place of them.
    """
    for is_one, what, instead in _KNOWN:
        if is_one(content):
            raise InputError(sentence(path, what, instead))


def refuse_text(path, text):
    """Refuse a file by its text, as `refuse` does; what is not JSON is none.

    Parameters
    ----------
    path : str or Path
        The file, for the message.
    text : str or bytes
        What it holds.

    Raises
    ------
    InputError
        As `refuse`.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return
    refuse(path, content)


def refuse_headers(path, headers):
    """Refuse a table with a row for each system whose columns are means.

    Parameters
    ----------
    path : str or Path
        The table, for the message.
    headers : sequence of str
        Headers of what are said to be instances.

    Raises
    ------
    InputError
        If one of them is that of an average.
    """
    for header in headers:
        if _AVERAGE.fullmatch(header.strip()):
            raise InputError(
                sentence(
                    path,
                    f"a leaderboard (its column {header!r} is an average)",
                    "take the outputs or logs from which it was made",
                )
            )


def refuse_single(path, sizes):
    """Refuse datasets that have a single instance each, which is then a mean.

    Parameters
    ----------
    path : str or Path
        The table, for the message.
    sizes : sequence of int
        Number of instances of each dataset.

    Raises
    ------
    InputError
        If there are several datasets, and all have one instance.
    """
    if len(sizes) > 1 and set(sizes) == {1}:
        raise InputError(
            sentence(
                path,
                "a table with one row for each dataset and system",
                "take the outputs or logs from which it was made, with a row for each instance",
            )
        )


def sentence(path, what, instead):
    """Say why summed-up results give no p-value, and what to do.

    Parameters
    ----------
    path : str or Path
        The file.
    what : str
        What it is, a noun.
    instead : str
        A clause.

    Returns
    -------
    str
        The sentence.
    """
    return (
        f"{shown(path)} holds {what}: it has one number for each dataset and no instances, so that "
        f"no p-value can come from it; {instead}."
    )


def _has(*keys):
    return lambda content: isinstance(content, dict) and all(key in content for key in keys)


def _is_helm(content):
    """Tell whether a document is HELM's stats.json: statistics, but not of an instance."""
    first = content[0] if isinstance(content, list) and content else None
    return isinstance(first, dict) and isinstance(first.get("name"), dict) and "count" in first


_KNOWN = (
    (
        _has("results", "configs"),
        "the results of lm-evaluation-harness, summed up",
        "run it with --log_samples, and name the folder with its samples_<task>_<time>.jsonl",
    ),
    (_is_helm, "HELM's stats.json", "name the folder of the run, with its per_instance_stats.json"),
    (
        _has("evaluation_results", "schema_version"),
        "a record of Every Eval Ever, summed up",
        "name the file that its detailed_evaluation_results name, which ends in _samples.jsonl",
    ),
    (
        _has("mteb_version", "scores"),
        "a result of MTEB",
        "run the task with the predictions stored, and score each query or pair",
    ),
    (
        _has("leaderboards"),
        "a leaderboard",
        "take the outputs of each system, or the list of the instances that it has right",
    ),
)
"""For each kind whether a document is one, what it is, and what to do instead."""
