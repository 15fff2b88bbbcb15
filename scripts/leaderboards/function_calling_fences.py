"""Which answers the Berkeley Function Calling Leaderboard cannot read for the fence around them.

    python scripts/leaderboards/function_calling_fences.py FOLDER --output FILE

FOLDER is that of function_calling.py. An answer in a code fence (three backticks) is not decoded,
and fails, although the calls within may be those that are asked for.
"""

import ast
import json
import re
import sys

import answers
import function_calling
import pandas as pd

UNDECODED = ("ast_decoder:decoder_failed", "executable_decoder:decoder_failed")
"""Types of error of an answer that cannot be read as calls."""

FENCED = re.compile(r"\s*```(?P<language>[^\n`]*)\n(?P<inside>.*?)```\s*", re.DOTALL)
"""A whole answer that stands in one fence or several, with the language of the first."""

COLUMNS = ("fenced", "json", "calls", "match")
"""What is said of an answer, 0 or 1."""


def fences(folder):
    """List the answers that could not be decoded, and what is found in a fence around them.

    `folder`: holds ``MODEL/CATEGORY_score.json``.

    Returns DataFrame. One row per answer: ``dataset``, ``instance``, ``system``; whether the whole
    answer is ``fenced``, its fence says ``json``, what it holds are ``calls`` in the form that is
    asked for, and these ``match`` an answer that counts as right (`matches`).

    Raises `InputError`: as `function_calling.read`, or if an answer or what counts as right is
    missing.
    """
    rows = []
    for path, _, records in function_calling.read(folder):
        for record in records:
            if record["error_type"] in UNDECODED:
                place = f"{path}, item {record['id']}"
                key = (function_calling.named(path), record["id"], function_calling.model_of(path))
                rows.append((*key, *_found(place, record)))
    table = pd.DataFrame(rows, columns=["dataset", "instance", "system", *COLUMNS])
    table = table.astype(dict.fromkeys(COLUMNS, "Int8"))
    return table.sort_values(["system", "dataset", "instance"], ignore_index=True)


def calls_in(text):
    """Read calls such as ``[area(base=10, height=5), math.sqrt(x=2)]``: name and arguments.

    None if the text is anything else, or an argument has no name or is no literal. A single word
    without quotes stands for itself.
    """
    text = text.strip()
    try:
        node = ast.parse(text if text.startswith("[") else f"[{text}]", mode="eval").body
        if not isinstance(node, ast.List) or not node.elts:
            return None
        return [_call(call) for call in node.elts]
    except (SyntaxError, TypeError, ValueError, RecursionError):
        return None


def matches(calls, possible):
    """Say whether calls are those that are asked for, to the letter and in any order.

    `possible` has for each call its name, perhaps with a number after it ("area_2"), and of each
    argument the values that count as right; "" says that it may be left out. The leaderboard takes
    more: letters of either case, whole numbers for others.
    """
    left = list(calls)
    for wanted in possible:
        place = next((i for i, call in enumerate(left) if _is(call, *wanted)), None)
        if place is None:
            return False
        left.pop(place)
    return not left


def _found(place, record):
    """Return what is said of an answer."""
    answer = answers.field(place, record, "model_result_raw", (str, list, dict))
    fence = FENCED.fullmatch(answer) if isinstance(answer, str) else None
    if fence is None:
        return 0, 0, 0, 0
    calls = calls_in(fence["inside"])
    match = calls is not None and matches(calls, _possible(place, record))
    return 1, int(fence["language"].strip() == "json"), int(calls is not None), int(match)


def _possible(place, record):
    """Return what counts as right: possible answers, or the calls whose results are compared."""
    if "possible_answer" in record:
        return list(answers.field(place, record, "possible_answer", dict).items())
    truth = answers.field(place, record, "prompt", dict).get("ground_truth")
    calls = calls_in(", ".join(truth)) if truth else None
    if calls is None:  # REST, whose results are looked at instead
        return [("", {})]
    return [(name, {key: [value] for key, value in given.items()}) for name, given in calls]


def _is(call, wanted, arguments):
    """Say whether a call is one that is asked for."""
    name, given = call
    return (
        re.fullmatch(rf"{re.escape(name)}(_\d+)?", wanted) is not None
        and given.keys() <= arguments.keys()
        and all(
            _same(given[key], values) if key in given else "" in values
            for key, values in arguments.items()
        )
    )


def _same(value, values):
    written = json.dumps(value)
    return any(json.dumps(other) == written for other in values)


def _call(node):
    """Return name and arguments of a call; ValueError if it is none, or they are no literals."""
    if not isinstance(node, ast.Call) or node.args or any(k.arg is None for k in node.keywords):
        raise ValueError
    values = {keyword.arg: keyword.value for keyword in node.keywords}
    given = {
        name: value.id if isinstance(value, ast.Name) else ast.literal_eval(value)
        for name, value in values.items()
    }
    json.dumps(given)  # TypeError if it is nothing that JSON has
    return ast.unparse(node.func), given


if __name__ == "__main__":
    sys.exit(answers.run(fences, __doc__))
