"""Results of promptfoo, ``results.json``: tests by providers and prompts.

The file that a version writes has a list of results, at the top or below ``results``; JSON Lines
have a result on each line, in the order in which the calls ended.
"""

import json
from collections import Counter

from replicability.checks import InputError
from replicability.io.documents import Document

_ERROR = 2
"""Code by which promptfoo marks a call that failed with an error."""

_ROLES = ("dataset", "system", "provider", "prompt", "instance", "repeat", "score", "success",
          "assertion_score")  # fmt: skip
"""Reserved column names; variables and named scores with these names are renamed."""

_TURNS = "_conversation"
"""Variable in which promptfoo keeps earlier turns of a conversation."""


def _results(content):
    """Return the list of results, which stands in an object of its own in newer versions."""
    found = content.get("results")
    return found.get("results") if isinstance(found, dict) else found


def _recognises(content):
    results = _results(content)
    first = results[0] if isinstance(results, list) and results else None
    return isinstance(first, dict) and "success" in first and isinstance(first.get("prompt"), dict)


def _rows(file, content):
    """Return a row for each result: the system, the test, whether it passed, and its scores."""
    results = _results(content)
    for number, result in enumerate(results, 1):
        if not (isinstance(result, dict) and isinstance(result.get("success"), bool)):
            raise InputError(
                f"{file}, result {number} does not say whether it succeeded; recreate the file "
                "with promptfoo eval --output results.json."
            )
    who = [
        (_called(r.get("provider"), "label", "id"), _called(r.get("prompt"), "label", "display"))
        for r in results
    ]
    cells = [(*names, r.get("testIdx"), r.get("promptIdx")) for r, names in _zip(results, who)]
    _refuse_alike(file, cells)
    last = {cell: number for number, cell in enumerate(cells)}
    kept = [  # a call that failed and was made again is written twice
        (number, result, names)
        for number, (result, names) in enumerate(_zip(results, who))
        if not (_failed(result) and last[cells[number]] > number)
    ]
    tests = {number: _test(result) for number, result, _ in kept}
    alike = Counter(name for name, _ in set(tests.values()))
    several = {key: len(set(column)) > 1 for key, column in
               zip(("provider", "prompt"), zip(*who, strict=True), strict=True)}  # fmt: skip
    plain = all(_failed(r) or r.get("score") in (None, r["success"]) for _, r, _ in kept)
    found, seen = [], Counter()
    for number, result, names in kept:
        row = {"dataset": "tests"}
        row |= {_free("vars", key): v for key, v in _given(result).items() if _plain(v)}
        if all(several.values()):
            row |= dict(zip(several, names, strict=True))
        else:
            row["system"] = names[1] if several["prompt"] else names[0] or names[1]
        name, whole = tests[number]
        row["instance"] = name if alike[name] == 1 else whole
        seen[names, whole] += 1
        row["repeat"] = seen[names, whole]
        values = {"success": result["success"], "assertion_score": result.get("score")}
        values = {"score": result["success"]} if plain else values
        named = {_free("named", key): v for key, v in (result.get("namedScores") or {}).items()}
        values |= {key: value for key, value in named.items() if key not in row}
        row |= dict.fromkeys(values) if _failed(result) else values
        found.append((f"result {number + 1}", row))
    if max(seen.values()) == 1:
        found = [(place, {k: v for k, v in row.items() if k != "repeat"}) for place, row in found]
    return found


def _refuse_alike(file, cells):
    """Refuse two columns of promptfoo's table that have one name, as they would be one system."""
    columns = {}
    for *cell, column in cells:
        if columns.setdefault(tuple(cell), column) != column:
            called = " with the prompt ".join(f"{name!r}" for name in cell[:2])
            raise InputError(
                f"{file} has several providers or prompts with the same name, {called}; give each "
                "its own label in the configuration, and run promptfoo eval again."
            )


def _test(result):
    """Return a name of a test, by its variables, and the text of all that tells it from others."""
    given, case = _given(result), result.get("testCase") or {}
    whole = [given, case.get("description"), case.get("assert")]
    if not given:  # then a prompt is the whole test
        whole.append(_called(result.get("prompt"), "raw"))
    alone = next(iter(given.values())) if len(given) == 1 else None
    return str(alone) if alone is not None and _plain(alone) else _text(given), _text(whole)


def _given(result):
    """Return the variables of a test, which those of a result hold together with outputs."""
    given = (result.get("testCase") or {}).get("vars") or result.get("vars") or {}
    return {key: value for key, value in given.items() if key != _TURNS}


def _called(value, *keys):
    """Return a name, or of an object the first that it has."""
    if isinstance(value, dict):
        value = next((value[key] for key in keys if value.get(key)), "")
    return str(value or "")


def _failed(result):
    """Tell whether the call ended in an error, of which older versions give no reason."""
    if "failureReason" in result:
        return result["failureReason"] == _ERROR
    answered = result.get("gradingResult") or (result.get("response") or {}).get("output")
    return bool(result.get("error")) and not answered


def _free(kind, key):
    return f"{kind}.{key}" if key in _ROLES else key


def _plain(value):
    return isinstance(value, str | int | float)


def _text(value):
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _zip(*columns):
    return zip(*columns, strict=True)


DOCUMENT = Document("promptfoo results", _recognises, _rows)
