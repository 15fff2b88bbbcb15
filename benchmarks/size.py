"""Measure what the bare library needs on disk, and what reading costs without pyarrow.

Run as ``python benchmarks/size.py [--output FILE]``. Sizes are of the installed files of the
declared packages and of all that these need; times are of the processor.
"""

import argparse
import tempfile
from importlib import metadata
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.csv
import pyarrow.parquet
from history import seconds
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LIMIT = 350
"""Megabytes that the bare library should need at most."""

ROWS = 400_000


def needed():
    """Return the distributions that the library needs without extras: name -> distribution."""
    found, left = {}, ["replicability"]
    while left:
        name = canonicalize_name(left.pop())
        if name in found:
            continue
        found[name] = metadata.distribution(name)
        asked = map(Requirement, found[name].requires or ())
        left += [r.name for r in asked if not r.marker or r.marker.evaluate({"extra": ""})]
    return found


def size(distribution):
    """Return the megabytes of a distribution's files, without compiled Python."""
    files = [distribution.locate_file(file) for file in distribution.files or ()]
    kept = [file for file in files if file.suffix != ".pyc" and file.is_file()]
    return sum(file.stat().st_size for file in kept) / 1e6


def size_of_library():
    """Return the megabytes of the library itself, which may be installed as a link to a folder."""
    import replicability

    folder = Path(replicability.__file__).parent
    files = [f for f in folder.rglob("*") if f.is_file() and f.suffix != ".pyc"]
    return sum(file.stat().st_size for file in files) / 1e6


def reading(folder):
    """Time reading a table with and without pyarrow: way -> seconds."""
    rng = np.random.default_rng(0)
    names = [f"item-{i}" for i in range(ROWS)]
    frame = pd.DataFrame({"dataset": np.repeat(list("abcdefgh"), ROWS // 8), "instance": names})
    frame["ours"], frame["base"] = rng.random(ROWS).round(4), rng.random(ROWS).round(4)
    frame.to_csv(folder / "t.csv", index=False)
    frame.to_parquet(folder / "t.parquet")
    return {
        "CSV by pyarrow": seconds(lambda: pyarrow.csv.read_csv(folder / "t.csv")),
        "CSV by pandas": seconds(
            lambda: pd.read_csv(folder / "t.csv", engine="c", dtype={"instance": object})
        ),
        "Parquet by pyarrow": seconds(lambda: pyarrow.parquet.read_table(folder / "t.parquet")),
    }


def table(header, rows):
    """Lay out a Markdown table, the first column to the left."""
    lines = [header, ("---", "---:"), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def main():
    """Print both tables, and write them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, help="Markdown file to write")
    options = parser.parse_args()
    sizes = {name: size(part) for name, part in needed().items()}
    sizes["replicability"] = size_of_library()
    total = sum(sizes.values())
    large = sorted((name for name in sizes if sizes[name] >= 1), key=sizes.get, reverse=True)
    with tempfile.TemporaryDirectory() as folder:
        times = reading(Path(folder))
    without = total - sizes["pyarrow"]
    blocks = [
        "# How large is the bare library?",
        f"It needs {total:.0f} MB, more than {LIMIT}. Without pyarrow it would need {without:.0f}, "
        "but could read no Parquet, Arrow and Feather files, and no frames of other libraries. "
        f"Reading {ROWS:,} rows of CSV would take {times['CSV by pandas']:.2f} for "
        f"{times['CSV by pyarrow']:.2f} seconds of the processor. Made by `benchmarks/size.py`.",
        table(("package", "MB"), [(name, f"{sizes[name]:.0f}") for name in large]),
        table(("way to read", "seconds"), [(way, f"{t:.3f}") for way, t in times.items()]),
    ]
    text = "\n\n".join(blocks) + "\n"
    print(text, end="")
    if options.output:
        options.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
