"""YAML files of the compendium, checked against JSON Schema."""

import functools
import sys
from pathlib import Path

from replicability import checks
from replicability.checks import InputError
from replicability.io.text import load_yaml, shown


def load_checked(path, schema, **enumerations):
    """Load a YAML file and check it against a schema.

    `path`, `schema`: YAML files; a relative path starts at the current folder. `**enumerations`
    (iterable of str): name in the ``$defs`` of the schema -> the values that it allows, which a
    registry lists.

    Returns dict. The content of the first.

    Raises `InputError`: if the file is missing or not YAML, a key is unknown, missing or given
    twice, or a value breaks the rule in the schema.
    """
    content, rules = load_yaml(path), _loaded(Path(schema).absolute())
    defined = rules.get("$defs", {})
    chosen = {name: defined[name] | {"enum": list(values)} for name, values in enumerations.items()}
    check(shown(path), content, rules | {"$defs": defined | chosen})
    return content


_loaded = functools.cache(load_yaml)
"""Load a schema, which takes longer than most studies."""


def check(file, content, rules):
    """Check what a file holds against a schema.

    `file`: name of the file, for messages. `content`: what it holds. `rules`: JSON Schema (draft
    2020-12) with a `description` of each rule.

    Raises `InputError`: if a key is unknown or missing, or a value breaks a rule.
    """
    jsonschema = _jsonschema()
    draft = jsonschema.Draft202012Validator
    # By the standard 1000.0 is an integer; here a count is one of Python's.
    types = draft.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    validator = jsonschema.validators.extend(draft, type_checker=types)(rules)
    error = jsonschema.exceptions.best_match(validator.iter_errors(content))
    if error is not None:
        raise InputError(f"{file}: {_sentence(error)}")


def _jsonschema():
    """Import jsonschema without the grammar of IRIs, a second that no rule of ours needs."""
    grammar = "rfc3987_syntax"
    hidden = grammar not in sys.modules
    if hidden:
        sys.modules[grammar] = None
    try:
        import jsonschema  # a fifth of a second that only reading a study needs
    finally:
        if hidden:
            del sys.modules[grammar]
    return jsonschema


def _sentence(error):
    """Say which key breaks which rule of the schema, and what is near."""
    place = error.json_path.removeprefix("$").removeprefix(".") or "the file"
    if error.validator == "additionalProperties":
        known = list(error.schema["properties"])
        unknown = next(key for key in error.instance if key not in known)
        return f"unknown key {unknown!r} in {place}{checks.nearest(unknown, known)}"
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        return f"the key {missing!r} is missing in {place}; add it."
    if error.validator == "enum":
        near = checks.nearest(str(error.instance), error.validator_value)
        allowed = ", ".join(error.validator_value)
        where, _, key = place.rpartition(".")
        return (
            f"{where + ': ' if where else ''}{key} {error.instance!r} is not one of {allowed}{near}"
        )
    return f"{place} is {error.instance!r}, but {error.schema['description']}."
