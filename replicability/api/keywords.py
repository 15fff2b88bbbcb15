"""Keywords of public functions: what is said of them, and what of those that there are not."""

import functools
import inspect
import textwrap
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from replicability import checks
from replicability.io.declared import KEYS, READING

P = ParamSpec("P")
R = TypeVar("R")

PLACE = "    {keywords}\n"
"""Line of a docstring in whose place its keywords are described."""


def public(function: Callable[P, R]) -> Callable[P, R]:
    """Describe the keywords of a function, refuse unknown ones, and spell messages as keywords."""
    signature = inspect.signature(function).parameters
    known = [*signature, *READING] if "reading" in signature else [*signature]

    @functools.wraps(function)
    def called(*args: P.args, **given: P.kwargs) -> R:
        for key in given:
            if key not in known:
                near = checks.nearest(key, known)
                raise TypeError(f"{function.__qualname__}() has no argument {key!r}{near}")
        with checks.spelling(_argument):
            return function(*args, **given)

    if function.__doc__ and PLACE in function.__doc__:
        texts = [_described(key, signature[key]) for key in signature if key in KEYS]
        called.__doc__ = function.__doc__.replace(PLACE, textwrap.indent("".join(texts), "    "))
    return called


def _described(key: str, parameter: inspect.Parameter) -> str:
    """Describe a keyword as numpydoc has it."""
    said = KEYS[key]
    kind = ", ".join(map(repr, said.values))
    kind = f"{{{kind}}}" if kind else inspect.formatannotation(parameter.annotation)
    text = f"{said.meaning} By default: {said.left_out}."
    lines = textwrap.fill(text, 92, initial_indent="    ", subsequent_indent="    ")
    return f"{key} : {kind.removesuffix(' | None')}, optional\n{lines}\n"


def _argument(key: str) -> str:
    """Name a key of a study as the argument, or the two, that take its place."""
    return "a= and b=" if key == "systems" else f"{key}="
