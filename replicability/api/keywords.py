"""Keywords of functions: one that there is not is refused, with the nearest that there is."""

import functools
import inspect
from collections.abc import Callable, Collection, Iterable
from typing import ParamSpec, TypeVar

from replicability import checks

P = ParamSpec("P")
R = TypeVar("R")


def suggesting(function: Callable[P, R]) -> Callable[P, R]:
    """Let a TypeError for an unknown keyword name the nearest one."""
    known = inspect.signature(function).parameters

    @functools.wraps(function)
    def called(*args: P.args, **given: P.kwargs) -> R:
        refuse_unknown(function.__name__, given, known)
        return function(*args, **given)

    return called


def refuse_unknown(name: str, given: Iterable[str], known: Collection[str]) -> None:
    """Refuse keywords that a function does not have."""
    for key in given:
        if key not in known:
            near = checks.nearest(key, known)
            raise TypeError(f"{name}() has no argument {key!r}{near}")
