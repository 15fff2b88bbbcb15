"""Results of promptfoo, ``results.json``: tests by providers and prompts."""

import json
from collections import Counter

from replicability.checks import InputError
from replicability.io.documents import Document

_ERROR = 2
"""promptfoo's reason of a failure that is no failed assertion: the call ended in an error."""

_ROLES = ("system", "instance", "score", "success", "assertion_score", "repeat")


def _results(content):
    """Return the list of results, which stands in an object of its own in newer versions."""
    found = content.get("results")
    return found.get("results") if isinstance(found, dict) else found


def _recognises(content):
    results = _results(content)
    first = results[0] if isinstance(results, list) and results else None
    return isinstance(first, dict) and {"success", "provider"} <= set(first)


def _rows(file, content):
    """Return a row for each result: the system, the test, whether it passed, and its scores."""
    results, seen, names = _results(content), Counter(), {}
    for number, result in enumerate(results, 1):
        if not (isinstance(result, dict) and isinstance(result.get("success"), bool)):
            raise InputError(
                f"{file}, result {number} does not say whether it is a success; write the file "
                "anew with promptfoo eval --output results.json."
            )
    providers = [_called(result.get("provider"), "label", "id") for result in results]
    prompts = [
        _called(r.get("prompt"), "label", "raw") or str(r.get("promptIdx", "")) for r in results
    ]
    several = {name: len(set(column)) > 1 for name, column in
               (("provider", providers), ("prompt", prompts))}  # fmt: skip
    plain = all(_failed(r) or r.get("score") in (None, r["success"]) for r in results)
    found = []
    for number, (result, *who) in enumerate(zip(results, providers, prompts, strict=True), 1):
        case = result.get("testCase") or {}
        given = result.get("vars") or case.get("vars") or {}
        test = _text([given, case.get("description"), case.get("assert")])
        row = {"dataset": "tests"}
        row |= {f"vars.{k}" if k in _ROLES else k: v for k, v in given.items() if _plain(v)}
        if all(several.values()):
            row |= dict(zip(several, who, strict=True))
        else:
            row["system"] = who[several["prompt"]]
        row["instance"] = names.setdefault(test, _name(given, names.values()))
        seen[*who, test] += 1
        row["repeat"] = seen[*who, test]
        values = {"success": result["success"], "assertion_score": result.get("score")}
        values = {"score": result["success"]} if plain else values
        values |= {k: v for k, v in (result.get("namedScores") or {}).items() if k not in row}
        row |= dict.fromkeys(values) if _failed(result) else values
        found.append((f"result {number}", row))
    if max(seen.values()) == 1:
        found = [(place, {k: v for k, v in row.items() if k != "repeat"}) for place, row in found]
    return found


def _called(value, *keys):
    """Return a name, or of an object the first that it has."""
    if isinstance(value, dict):
        value = next((value[key] for key in keys if value.get(key)), "")
    return str(value or "")


def _failed(result):
    return result.get("failureReason") == _ERROR


def _plain(value):
    return isinstance(value, str | int | float)


def _text(value):
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _name(given, taken):
    """Name a test by its variables, with a number if others have the same."""
    alone = next(iter(given.values())) if len(given) == 1 else None
    name = str(alone) if alone is not None and _plain(alone) else _text(given)
    same = sum(other == name or other.startswith(f"{name} (test ") for other in taken)
    return f"{name} (test {same + 1})" if same else name


DOCUMENT = Document("results of promptfoo", _recognises, _rows)
