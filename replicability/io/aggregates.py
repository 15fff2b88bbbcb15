"""Results that are summed up: one number for each dataset, from which no p-value can come."""

import json
import re

import numpy as np
import pyarrow.compute as pc

from replicability import checks
from replicability.checks import InputError
from replicability.io import cells, delimited
from replicability.io import headers as headers_
from replicability.io.text import shown

FEW = 15
"""Number of numeric columns below which they are considered means."""

MANY = 200
"""Number of items above which a table is not considered a leaderboard."""

OUTPUTS = "use the underlying outputs or logs, or give one p-value for each dataset"
"""What to do instead."""

_AVERAGE = re.compile(
    r"(macro|micro)?\W*(avg|average|mean|overall)\W*(score|accuracy|acc)?\W*", re.IGNORECASE
)
_TOTAL = re.compile(
    r"(grand |sub)?totals?|aggregated?|gesamt|durchschnitt|mittelwert|moyenne|promedio|平均|合计",
    re.IGNORECASE,
)
_ALL = {"all", "sum", "all datasets", "all tasks", "all languages"}
"""Names of rows that aggregate other rows."""


def refuse(path, content):
    """Refuse a JSON document that sums up the scores of items.

    `path`: the file, for the message. `content`: what it holds.

    Raises `InputError`: if it is what lm-evaluation-harness, HELM, MTEB, Every Eval Ever or a
    leaderboard writes beside the scores of items, or in place of them.
    """
    for is_one, what, instead in _KNOWN:
        if is_one(content):
            if n := _experiments(content):
                raise InputError(
                    f"{shown(path)} holds an MTEB result with the scores of {n} "
                    f"experiment{'s' * (n != 1)}. Each experiment trains the classifier on a "
                    "different sample and tests it on the same items. Experiments are runs, not "
                    "items, so they show how a score varies with training, not with items; "
                    f"{_PREDICTED}."
                )
            raise InputError(sentence(path, what, instead))


def refuse_text(path, text):
    """Refuse a file by its text, as `refuse` does; what is not JSON is none.

    `path`: the file, for the message. `text` (str or bytes): what it holds.

    Raises `InputError`: as `refuse`.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return
    refuse(path, content)


def refuse_headers(path, headers):
    """Refuse a table with a row for each system whose columns are means.

    `path`: the table, for the message. `headers` (sequence of str): headers of what are said to be
    items.

    Raises `InputError`: if one of them is that of an average.
    """
    for header in headers:
        if _AVERAGE.fullmatch(header.strip()):
            raise InputError(
                sentence(path, f"a leaderboard (its column {header!r} is an average)", OUTPUTS)
            )
    refuse_benchmarks(path, headers)


def refuse_benchmarks(path, instances):
    """Refuse items that are called as benchmarks are.

    `path`: the table, for the message. `instances` (sequence of str): different identifiers.

    Raises `InputError`: if at least two of them, and at least half, are `headers.BENCHMARKS`.
    """
    if len(instances) > MANY:
        return
    found = headers_.benchmarks(instances)
    if len(found) >= 2 and 2 * len(found) >= len(instances):
        raise InputError(
            sentence(
                path,
                f"a leaderboard (of benchmarks such as {found[0]!r} and {found[1]!r})",
                OUTPUTS,
            )
        )


def refuse_averages(path, instances):
    """Refuse an item that is called as a row which sums up the others.

    `path`: the table, for the message. `instances` (pyarrow.Array): different identifiers.

    Raises `InputError`: if one of them is that of an average or a total.
    """
    found = pc.match_substring_regex(
        instances, f"^({_AVERAGE.pattern}|{_TOTAL.pattern})$", ignore_case=True
    )
    if pc.any(found).as_py():
        raise InputError(
            f"{shown(path)}: the item {instances.filter(found)[0].as_py()!r} seems to be an "
            "aggregate of the other items; leave its row out, or rename it if it is an item."
        )


def refuse_counts(path, known, instance=""):
    """Refuse a table that counts successes in trials, of tasks and not of items, if nobody says so.

    `path`: the table, for the message. `known` (sequence of str): its headers. `instance`: header
    of the items; "" if there is none.

    Raises `InputError`: if one header is that of successes, another that of trials, and items are
    not named, or called as datasets are.
    """
    right, tried = counted(known)
    tasks = headers_.noun(instance, ("name",)) in headers_.TELLING
    if not (right and tried) or (instance and not tasks):
        return
    named = f"specify the column of items with {checks.named('instance')}"
    remedy = f"rename the column {instance!r}" if instance else named
    raise InputError(
        f"{shown(path)} seems to count successes in trials (columns {right[0]!r} and "
        f"{tried[0]!r}). If each row is a task, specify its columns with "
        f"{columns('successes', right)} {columns('trials', tried)} to compare unpaired success "
        f"rates; if each row is an item, {remedy}."
    )


def counted(known):
    """Return the headers of successes, and those of trials in the same order, by their words.

    `known` (sequence of str): the headers of a table.

    Returns list of str, list of str. One of each, or one for each of two systems; both empty unless
    there are both.

    Examples
    --------
    >>> counted(["task", "n_base", "n_ours", "successes_ours", "successes_base"])
    (['successes_ours', 'successes_base'], ['n_ours', 'n_base'])
    """
    words = {header: set(re.findall(r"[^\W_]+", header.casefold())) for header in known}
    right = [header for header, of in words.items() if of & _SUCCESSES][:2]
    tried = [header for header, of in words.items() if of & _TRIALS and not of & _SUCCESSES]
    if not (right and tried):
        return [], []
    alike = [max(tried, key=lambda t: len(words[t] & words[r])) for r in right]
    return right, alike if len(set(alike)) == len(right) else tried[: len(right)]


def columns(role, found):
    """Name a role and its headers, one or several, in the message of an `InputError`."""
    return checks.given(role, repr(found[0]) if len(found) == 1 else found)


_SUCCESSES = frozenset({"success", "successes", "succeeded", "solved", "passed", "passes", "wins"})

_TRIALS = frozenset({"n", "trial", "trials", "episodes", "attempts", "rollouts", "total", "runs"})


def refuse_few(path, items, scores):
    """Refuse a table with a row for each system that has a few columns of means.

    `path`: the table, for the message. `items`: number of the columns. `scores` (ndarray of
    float64): their numbers.

    Raises `InputError`: if there are fewer than `FEW` items, and scores are not all right or wrong.
    """
    if items < FEW and not np.isin(scores, (0, 1)).all():
        what = f"a row for each system and only {items} column{'s' * (items != 1)} of numbers"
        instead = f"{OUTPUTS}; if the columns are items, write a row for each item"
        raise InputError(sentence(path, what, instead))


def refuse_rows(table, free, scores, identified):
    """Refuse a table with a row for each benchmark, task or the like.

    `table` (str or Table): a table with a column of scores for each system. `free` (sequence of
    str): headers without a role. `scores` (sequence of str): headers of the scores. `identified`:
    whether a column of items is named.

    Raises `InputError`: if no column of items is named, the scores are not all right or wrong, and
    another column has a different name in every row: it is called as what tells datasets apart, or
    names benchmarks, or it is not called as items are, and there are fewer than `FEW` rows, or up
    to `MANY` most of whose names are a few words without digits.
    """
    names = [header for header in free if header not in scores]
    if identified or not names:
        return
    read = delimited.columns(table, {header: header for header in (*names, *scores)})
    different = [header for header in names if 1 < read.num_rows == len(read[header].unique())]
    told = [header for header in different if _tells(header, read[header].to_pylist())]
    if not told:
        return
    if all(np.isin(cells.numbers(table, read[side], "score"), (0, 1)).all() for side in scores):
        return
    header = told[0]
    what = f"a row for each {header.strip().casefold()}"
    named = checks.given("instance", repr(header))
    instead = (
        f"{OUTPUTS}; if the values of the column {header!r} are items, specify it with {named}"
    )
    raise InputError(sentence(table, what, instead))


_WORDS = re.compile(r"[^\W\d_]+([ _-][^\W\d_]+){0,2}")


def _tells(header, values):
    """Tell whether a column, all of whose values differ, names datasets and no items."""
    noun = headers_.noun(header, ("name",))
    if noun in headers_.TELLING or headers_.noun(header) in ("metric", "name"):
        return True
    if len(values) <= MANY and 2 * len(headers_.benchmarks(map(str, values))) >= len(values):
        return True
    if headers_.of_units([header]) or not all(isinstance(v, str) and v.strip() for v in values):
        return False
    if len(values) < FEW:
        return not any(re.fullmatch(r"[\W\d_]*", value) for value in values)
    words = [value for value in values if _WORDS.fullmatch(value.strip())]
    return len(values) <= MANY and 2 * len(words) > len(values)


def refuse_average(path, names):
    """Refuse a row that sums up the others, and is called as an average.

    `path`: the table, for the message. `names` (sequence of str): names of datasets that have a
    single row.

    Raises `InputError`: if one of them is that of an average.
    """
    for name in names:
        called = name.strip().casefold()
        if _AVERAGE.fullmatch(called) or _TOTAL.fullmatch(called) or called in _ALL:
            raise InputError(
                f"{shown(path)}: the row {name!r} is an aggregate of the other rows, not a "
                "dataset; leave it out."
            )


def refuse_single(path, names, sizes):
    """Refuse datasets that have a single item each, which is then a mean.

    `path`: the table, for the message. `names` (sequence of str): names of the datasets. `sizes`
    (sequence of int): number of items of each dataset.

    Raises `InputError`: if there are several datasets, and all have one item, or one that has one
    is called as an average.
    """
    if len(sizes) > 1:
        refuse_average(path, [n for n, size in zip(names, sizes, strict=True) if size == 1])
    if len(sizes) > 1 and set(sizes) == {1}:
        raise InputError(
            sentence(
                path,
                "a table with one row for each dataset and system",
                "use the underlying outputs or logs, with a row for each item",
                ": this is",
            )
        )


def sentence(path, what, instead, verb=" holds"):
    """Say why summed-up results give no p-value, and what to do.

    `what`: what it is, a noun. `instead`: a clause. `verb`: what is between path and noun.

    Returns str. The sentence.
    """
    return (
        f"{shown(path)}{verb} {what}. P-values cannot be computed from one number for each "
        f"dataset; {instead}."
    )


_PREDICTED = (
    "store each model's predictions (with prediction_folder of mteb.evaluate), and compare them "
    "item by item"
)


def _experiments(content):
    """Return the number of experiments of a result of MTEB, 0 if it says nothing of them."""
    scores = content.get("scores") if isinstance(content, dict) else None
    splits = scores.values() if isinstance(scores, dict) else ()
    parts = [part for of in splits if isinstance(of, list) for part in of]
    found = [part.get("scores_per_experiment") for part in parts if isinstance(part, dict)]
    return max((len(of) for of in found if isinstance(of, list)), default=0)


def _has(*keys):
    return lambda content: isinstance(content, dict) and all(key in content for key in keys)


def _is_helm(content):
    """Tell whether a document is HELM's stats.json: statistics, but not of an item."""
    first = content[0] if isinstance(content, list) and content else None
    return isinstance(first, dict) and isinstance(first.get("name"), dict) and "count" in first


_KNOWN = (
    (
        _has("results", "configs"),
        "the aggregated results of lm-evaluation-harness",
        "run it with --log_samples, and give the folder that contains samples_<task>_<time>.jsonl",
    ),
    (
        _is_helm,
        "HELM's stats.json",
        ("give the folder of the run, which contains per_instance_stats.json"),
    ),
    (
        _has("evaluation_results", "schema_version"),
        "an aggregated record of Every Eval Ever",
        "give the file that its detailed_evaluation_results list, which ends in _samples.jsonl",
    ),
    (
        _has("mteb_version", "scores"),
        "an MTEB result",
        _PREDICTED,
    ),
    (
        _has("leaderboards"),
        "a leaderboard",
        "use each system's outputs, or the list of the items that it got right",
    ),
)
"""Recognised kinds of results: their test, their name, and what to use instead."""
