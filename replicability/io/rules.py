"""The rules that values keep, at every door: from types to checks, sentences and a JSON schema.

A rule is written next to a type:
``Annotated[int, Rule("a seed must be a whole number of at least 0", ge=0)]``. The types are
pydantic's, which is loaded when a value is checked: to list the options of a command takes none of
it, and half of the time.
"""

import functools
import operator
import os
import typing
from collections.abc import Mapping
from typing import Any

MOST_LETTERS = 200
"""Maximum length of a value quoted in a message."""


class Rule:
    """What a value is, in the words that messages quote.

    `text`: such as "a seed must be a whole number of at least 0". `choices`: returns the values
    that there are, where a registry lists them. `unique`: whether the entries of a list are
    different.
    `**limits`: limits as pydantic's core schema calls them, such as ``ge=0``.
    """

    def __init__(self, text, choices=None, unique=False, **limits):
        self.text, self.choices, self.unique, self.limits = text, choices, unique, limits

    def __get_pydantic_core_schema__(self, source, handler):
        """Return the type with its limits."""
        from pydantic_core import core_schema

        if self.choices:
            return core_schema.no_info_plain_validator_function(self._chosen)
        schema = handler(source) | self.limits
        if schema["type"] == "tuple":
            schema["strict"] = False  # a list is one, too
        if self.unique:
            schema = core_schema.no_info_after_validator_function(_distinct, schema)
        return schema

    def __get_pydantic_json_schema__(self, schema, handler):
        """Return the type with its rule as description."""
        found = {"enum": list(self.choices())} if self.choices else handler(schema)
        unique = {"uniqueItems": True} if self.unique else {}
        return found | unique | {"description": self.text}

    def _chosen(self, value):
        if not (isinstance(value, str) and value in self.choices()):
            raise ValueError
        return value


def _distinct(values):
    """Refuse entries that are there twice."""
    if len(set(values)) < len(values):
        raise ValueError
    return values


class Block:
    """A mapping of keys; the docstring of a subclass is its rule.

    A subclass annotates its keys, or names the dataclass that does as `fields`, with those of it
    that are `left_out`. Keys that are not `needed` may be left out by users.
    """

    fields: Any = None
    left_out: tuple = ()
    needed: tuple = ()
    others = False
    """Whether there are keys beside these."""

    @classmethod
    def types(cls):
        """Return key -> its type."""
        found = hints(cls.fields or cls)
        return {key: hint for key, hint in found.items() if key not in cls.left_out}

    @classmethod
    def model(cls, *more):
        """Return the model of pydantic, perhaps with keys that are checked elsewhere."""
        import pydantic

        keys = {
            key: (hint, ... if key in cls.needed else None) for key, hint in cls.types().items()
        }
        config = pydantic.ConfigDict(extra="allow" if cls.others else "forbid", strict=True)
        keys |= dict.fromkeys(more, (Any, None))
        return pydantic.create_model(cls.__name__, __config__=config, __doc__=cls.__doc__, **keys)

    @classmethod
    def __get_pydantic_core_schema__(cls, source, handler):
        """Return the schema of the keys."""
        return handler.generate_schema(cls.model())


def hints(kind):
    """Return field -> type, of a class all that have a rule, or are declared with a `Key`."""
    found = typing.get_type_hints(kind, include_extras=True)
    found = {name: _given(hint) for name, hint in found.items()}
    said = getattr(kind, "__dataclass_fields__", {})
    return {
        name: hint
        for name, hint in found.items()
        if hasattr(hint, "__metadata__") or (name in said and said[name].metadata)
    }


def _given(hint):
    """Return a type without None, which stands for what is not given, and without Any."""
    some = tuple(one for one in typing.get_args(hint) if one not in (type(None), Any))
    return functools.reduce(operator.or_, some) if some != typing.get_args(hint) else hint


def adapter(hint):
    """Return what checks values of a type, and writes its JSON schema."""
    import pydantic

    if isinstance(hint, type) and issubclass(hint, pydantic.BaseModel):
        return pydantic.TypeAdapter(hint)
    return pydantic.TypeAdapter(hint, config=pydantic.ConfigDict(strict=True))


def plain(value):
    """Return a value in the types of YAML: lists, dictionaries with text as keys, Python's numbers.

    A whole number in a list is the name of a dataset, a group or a column.
    """
    from replicability import checks

    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):  # a scalar, an array, an index or a column
        value = value.tolist()
    elif isinstance(value, tuple | set | frozenset | type({}.keys()) | type({}.values())):
        value = list(value)
    if isinstance(value, list):
        return [str(entry) if checks.is_whole(entry) else plain(entry) for entry in value]
    return value


def fault(checked, value, place=""):
    """Say which rule a value breaks.

    `checked` (TypeAdapter): its type, as `adapter` returns it. `value`: the value, as `plain`
    returns it. `place`: what the user calls it.

    Returns str. A sentence about the fault that is nearest to the value as a whole; "" if there is
    none.
    """
    import pydantic

    try:
        checked.validate_python(value)
    except pydantic.ValidationError as error:
        faults = [_Fault(value, **found) for found in error.errors(include_url=False)]
    else:
        return ""
    inner = [found.path for found in faults]
    faults = [found for found in faults if found.whole or not any(map(found.holds, inner))]
    # a key is missing because another is misspelt
    first = min(faults, key=lambda found: (len(found.path), found.type != "extra_forbidden"))
    return first.sentence(checked.json_schema(), place)


class _Fault:
    """A fault that pydantic has found, and where: of what is walked, names of types are none."""

    def __init__(self, value, loc, type, **_):
        self.path, self.type, self.key = [], type, loc[-1] if loc else ""
        self.of_keys = type in ("missing", "extra_forbidden") and isinstance(self.key, str)
        self.whole = self.of_keys or self.key == "[key]"
        for part in loc[: len(loc) - self.of_keys]:
            try:
                value = value[part]
            except (LookupError, TypeError):
                continue
            self.path.append(part)
        if self.key == "[key]":
            value = self.path.pop()
        self.value = value

    def holds(self, path):
        """Tell whether a path leads further into this value."""
        return len(path) > len(self.path) and path[: len(self.path)] == self.path

    def sentence(self, schema, place):
        """Say which value breaks which rule, and what is near."""
        from replicability import checks

        parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.path)
        where = "".join(parts).removeprefix(".")
        if place:
            where = f"In {place}, {where}" if where else place
        node = _walk(schema, self.path, schema.get("$defs", {}))
        if self.of_keys and self.type == "missing":
            return f"the key {self.key!r} is missing in {where or 'the file'}."
        if self.of_keys:
            near = checks.nearest(self.key, node["properties"])
            return f"unknown key {self.key!r} in {where or 'the file'}{near}"
        if self.key == "[key]":
            node = node.get("propertyNames", {"description": "a name must be text"})
        if "enum" in node:
            outer, _, key = where.strip(checks.MARK).rpartition(".")
            near = checks.or_any(str(self.value), node["enum"])
            return (
                f"{outer}{': ' * bool(outer)}{key} {short(self.value)} is not one of "
                f"{checks.listed(node['enum'])}{near}"
            )
        return f"{where or 'the file'} is {short(self.value)}, but {node['description']}."


def _walk(node, path, defs):
    """Return the schema of what a path leads to, {} if it leads nowhere."""
    found = [node, *node.get("anyOf", ())]
    found += [defs[part["$ref"].rpartition("/")[2]] for part in found if "$ref" in part]
    if not path:
        return {key: entry for part in reversed(found) for key, entry in part.items()}
    first, *rest = path
    for part in found:
        if isinstance(first, int):
            items = part.get("prefixItems", ())
            child = items[first] if first < len(items) else part.get("items")
        else:
            child = part.get("properties", {}).get(first) or part.get("additionalProperties")
            child = child or next(iter(part.get("patternProperties", {}).values()), None)
        if isinstance(child, dict) and (walked := _walk(child, rest, defs)):
            return walked
    return {}


def short(value):
    """Write a value in a message, at most `MOST_LETTERS` of it."""
    from replicability import checks

    return " ".join(checks.cut(value, MOST_LETTERS).split())
