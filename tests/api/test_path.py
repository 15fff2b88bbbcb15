"""How many functions a data frame passes on its way to a `Result`, and in which order.

A stop is a function of `api`, `core` or `io` that is given the data (a frame, a table, scores, what
was tested), returns data or numbers made of it, and calls on to another such function. Functions
that only check, those at the end of the way, and those of `stats` and `checks` are no stops: they
are understood by their names. A climb is a stop in a higher layer than its caller, or in a module
that the way has left before. Change the path if you can shorten it; make it longer for a reason.
"""

import sys

import numpy as np
import pandas as pd
import pytest

import replicability as rep

LAYERS = ("io", "core", "api")
MOST = 15
INNER = ("<locals>", "<lambda>", "<genexpr>")
NO_DATA = ("Question", "Test", "Recommendation", "Format", "Claim")


def holds_data(value):
    """Tell whether a value holds data: arrays, tables, or anything that the library makes of it."""
    if isinstance(value, dict):
        return any(map(holds_data, value.values()))
    if isinstance(value, list | tuple):
        return any(map(holds_data, value))
    kind = type(value)
    own = kind.__module__.startswith("replicability") and kind.__name__ not in NO_DATA
    return own or kind.__module__.split(".")[0] in ("numpy", "pandas", "pyarrow")


def has_numbers(value):
    if isinstance(value, dict):
        return any(map(has_numbers, value.values()))
    if isinstance(value, list | tuple):
        return any(map(has_numbers, value))
    return isinstance(value, float)


class Call:
    """One call of a function: its module, whether it makes data of data, and what it calls."""

    def __init__(self, frame):
        code, module = frame.f_code, frame.f_globals.get("__name__", "")
        self.name, self.module, self.calls = code.co_qualname, module, []
        generated = code.co_filename.startswith("<")
        special = self.name.endswith("__") and not self.name.endswith("__init__")
        parts = module.split(".")
        self.layer = parts[1] if len(parts) > 1 else ""
        self.is_inner = generated or special or any(part in self.name for part in INNER)
        arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + 2]
        self.is_given = any(holds_data(frame.f_locals.get(name)) for name in arguments)
        self.makes = self.name.endswith("__init__")

    @property
    def outer(self):
        """What it calls, through functions that are part of others."""
        for call in self.calls:
            yield from call.outer if call.is_inner or call.layer == "" else [call]

    @property
    def passes(self):
        return self.layer in LAYERS and self.is_given and self.makes


def trace(function):
    """Return the calls of the library that a function makes."""
    root = Call(sys._getframe())
    stack = [(root, None)]

    def watch(frame, event, value):
        if not frame.f_globals.get("__name__", "").startswith("replicability"):
            return
        if event == "call":
            call = Call(frame)
            stack[-1][0].calls.append(call)
            stack.append((call, frame))
        elif event == "return" and stack[-1][1] is frame:
            call, _ = stack.pop()
            call.makes = call.makes or holds_data(value) or has_numbers(value)

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        function()
    finally:
        sys.setprofile(before)
    return root


def walk(call, above=(), stops=None, climbs=None):
    """Return the stops in their order, and the climbs among them."""
    stops, climbs = {} if stops is None else stops, [] if climbs is None else climbs
    for stop in call.outer:
        if not stop.passes or not any(inside.passes for inside in stop.outer):
            continue
        key, left = (stop.module, stop.name), [module for module, _ in stops]
        if key not in stops:
            if above:
                higher = LAYERS.index(stop.layer) > LAYERS.index(above[-1].split(".")[1])
                again = stop.module in left and stop.module not in (above[-1], left[-1])
                if higher or again:
                    climbs.append(key)
            stops[key] = None
        walk(stop, (*above, stop.module), stops, climbs)
    return list(stops), climbs


def scores(kind):
    """Return scores of two systems on two datasets, a column for each system."""
    rng, parts = np.random.default_rng(0), []
    for dataset, n in (("news", 60), ("law", 50)):
        ours, base = rng.normal([[0.5], [0.0]], 1.0, (2, n))
        if kind == "binary":
            ours, base = (ours > 0) * 1.0, (base > 0) * 1.0
        names = {"dataset": dataset, "instance": [f"{dataset} {i}" for i in range(n)]}
        parts.append(pd.DataFrame({**names, "ours": ours, "base": base}))
    return pd.concat(parts, ignore_index=True)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("kind", ["binary", "real"])
def test_a_data_frame_reaches_its_result_in_few_stops(kind, wide):
    frame = scores(kind)
    if not wide:
        keys = {"id_vars": ["dataset", "instance"], "var_name": "system", "value_name": "score"}
        frame = frame.melt(**keys)
    rep.compare(frame)  # what is loaded at the first call is no part of the way
    stops, climbs = walk(trace(lambda: rep.compare(frame)))
    shown = "\n".join(f"{module}.{name}" for module, name in stops)
    assert stops[0] == ("replicability.api.calls", "compare"), shown
    assert ("replicability.core.evaluation", "evaluate") in stops, shown
    assert stops[-1] == ("replicability.core.findings.finding", "find"), shown
    assert len(stops) <= MOST, shown
    assert not climbs, climbs
