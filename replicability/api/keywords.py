"""Keywords of public functions: what is said of them, and what of those that there are not."""

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from replicability import checks
from replicability.io import declared, families
from replicability.io.declared import KEYS, OF_PAIRS, READING

P = ParamSpec("P")
R = TypeVar("R")


def public(function: Callable[P, R]) -> Callable[P, R]:
    """Describe the keywords of a function, refuse unknown ones, and spell messages as keywords."""
    signature = inspect.signature(function).parameters
    known = [name for name, of in signature.items() if of.kind is not of.VAR_KEYWORD]
    known += READING if "reading" in signature else ()

    @functools.wraps(function)
    def called(*args: P.args, **given: P.kwargs) -> R:
        for key in given:
            if key not in known:
                if "systems" in signature and key in OF_PAIRS:
                    with checks.spelling("{}=".format):
                        raise checks.InputError(families.of_two(key))
                near = checks.nearest(key, known)
                raise TypeError(f"{function.__qualname__}() has no argument {key!r}{near}")
        with checks.spelling("{}=".format if "systems" in signature else _argument):
            return function(*args, **given)

    if function.__doc__ and declared.PLACE in function.__doc__:
        kinds = {key: signature[key].annotation for key in signature if key in KEYS}
        kinds = {key: inspect.formatannotation(kind) for key, kind in kinds.items()}
        called.__doc__ = declared.described(function.__doc__, kinds)
    return called


def _argument(key: str) -> str:
    """Name a key of a study as the argument, or the two, that take its place."""
    return "a= and b=" if key == "systems" else f"{key}="
