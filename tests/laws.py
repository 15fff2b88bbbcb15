"""Laws that hold for generated scores: how these are drawn, laid out, shuffled and stored."""

import contextlib
import io
import json
import tempfile
from pathlib import Path

import hypothesis
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import workbook
from hypothesis import strategies as st
from pyarrow import feather, parquet

from replicability import cli

NAMES = ("news", "law", "talks", "web")
SYSTEMS = ("ours", "base", "third")
AB = {"a": "ours", "b": "base"}

KINDS = {
    "right or wrong": (0, 1, 1),
    "whole numbers": (0, 9, 1),
    "two digits": (0, 100, 100),
    "parts of sizes": (0, 9, 1),
}
"""Kind of scores -> least and largest whole number, and what they are divided by."""


PHASES = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
"""No search for the smallest failing example, which takes minutes: the first one is small."""


def holds(*strategies, few=12, each=(None,)):
    """Check a law on few examples, and, where there is time, on twenty times as many.

    The first argument of the law is one of `each`, if there are some.
    """

    def decorate(law):
        @pytest.mark.parametrize("one", each)
        @pytest.mark.parametrize(
            "examples", [few, pytest.param(20 * few, marks=pytest.mark.long, id="many")]
        )
        def checked(examples, one):
            @hypothesis.settings(max_examples=examples, phases=PHASES)
            @hypothesis.given(st.tuples(*strategies))
            def drawn(values):
                law(*values) if one is None else law(one, *values)

            drawn()

        return checked

    return decorate


@st.composite
def frames(draw, kinds=tuple(KINDS), systems=SYSTEMS[:2], units=None):
    """Draw scores of systems on one to four datasets, with a column for each system."""
    kind = draw(st.sampled_from(kinds))
    units = draw(st.booleans()) if units is None else units
    low, high, over = KINDS[kind]
    high = min(high, draw(st.sampled_from([2, 5, 100])))  # few values have ties
    lead = draw(st.integers(0, 2))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    parts = []
    for name in draw(st.permutations(NAMES))[: draw(st.integers(1, 4))]:
        n = int(rng.integers(8, 15))
        part = pd.DataFrame({"dataset": name, "instance": [f"i{k}" for k in range(n)]})
        for place, system in enumerate(systems):
            scores = rng.integers(low, high + 1, n)
            if place == 0 and name != NAMES[0]:
                scores = np.minimum(scores + lead * (high // 2 + 1), high)
            part[system] = scores / over if over > 1 else scores
        if kind == "parts of sizes":
            part["size"] = rng.integers(9, 13, n)
        if units:
            part["unit"] = [f"u{k // 2}" for k in range(n)]
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


ORDERS = st.randoms(use_true_random=False)


def roles(frame):
    """Return the keywords that name columns which are not found by their headers alone."""
    return {key: key for key in ("size", "unit") if key in frame}


def long(frame):
    """Lay the systems below each other."""
    kept = [header for header in frame if header not in SYSTEMS]
    return frame.melt(kept, var_name="system", value_name="score")


def side(frame, system):
    """Return the scores of one system."""
    others = [name for name in SYSTEMS if name in frame and name != system]
    return frame.drop(columns=others).rename(columns={system: "score"})


def shuffled(frame, order):
    """Return the rows in another order."""
    places = list(range(len(frame)))
    order.shuffle(places)
    return frame.iloc[places].reset_index(drop=True)


ASKED = ("version", "command", "provenance", "read", "written")
"""Keys that do not speak of what was found."""


def said(answer):
    """Return all that an answer says but where it comes from."""
    found = answer if isinstance(answer, dict) else answer.to_dict()
    return json.dumps({key: value for key, value in found.items() if key not in ASKED})


FILES = {
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "jsonl": lambda frame, path: path.write_text(
        "".join(f"{json.dumps(row)}\n" for row in frame.to_dict("records"))
    ),
    "parquet": lambda frame, path: parquet.write_table(arrow(frame), path),
    "feather": lambda frame, path: feather.write_feather(arrow(frame), path),
    "xlsx": lambda frame, path: workbook.write(
        path, [list(frame), *frame.astype(object).to_numpy().tolist()]
    ),
}
"""How a table is written, by the end of its name."""

FRAMES = {
    "arrow": lambda frame: arrow(frame),
    "batches": lambda frame: pa.Table.from_batches(arrow(frame).to_batches(max_chunksize=3)),
    "nullable": lambda frame: frame.convert_dtypes(),
    "objects": lambda frame: frame.astype(object),
    "categories": lambda frame: frame.astype({"dataset": "category"}),
    "index": lambda frame: frame.set_index(["dataset", "instance"]),
    "records": lambda frame: frame.to_dict("records"),
}
"""How else a frame is held in memory."""


def arrow(frame):
    return pa.Table.from_pandas(frame, preserve_index=False)


@contextlib.contextmanager
def written(*frames, end="csv"):
    """Write tables to files, called after the systems, for as long as they are read."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{name}.{end}") for name in SYSTEMS[: len(frames)]]
        for frame, path in zip(frames, paths, strict=True):
            FILES[end](frame, path)
        yield paths


def printed(*arguments, codes=(0,)):
    """Return what a command prints as JSON."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        assert cli.main([*map(str, arguments), "--json"]) in codes
    return json.loads(out.getvalue())
