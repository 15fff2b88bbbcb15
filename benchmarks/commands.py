"""Time what a user waits for: whole commands, from the start of the process to its end.

Run as ``python benchmarks/commands.py [--repeats N] [--peer PYTHON]``: makes files in a temporary
folder, runs each command in a process of its own, in turns, and prints a Markdown table of median
seconds, with the processor's seconds of the fastest turn and their ratio to the peer's. ``--peer``
is a Python that has autorank; it ranks the systems of the family by their means on the datasets,
with report, LaTeX and figure, which is what it does of the same question; without it the row is
left out.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import yaml

ROOT = Path(__file__).resolve().parents[1]
DATASETS, ITEMS = 29, 83_000
SYSTEMS = 18
MANY = 1_000

PEER = """
import sys
import matplotlib
matplotlib.use("Agg")
import pandas as pd
from autorank import autorank, create_report, latex_table, plot_stats
result = autorank(pd.read_csv(sys.argv[1], index_col=0), alpha=0.05, verbose=False)
create_report(result)
latex_table(result)
plot_stats(result).figure.savefig(sys.argv[1] + ".png")
"""


def names(n):
    """Return the dataset of each of n items."""
    return pa.array([f"dataset {i:02}" for i in range(DATASETS)]).take(
        pa.array(np.arange(n) * DATASETS // n)
    )


def pair(folder, rng):
    """Write two CSV files with the items of two systems."""
    for system, accuracy in (("ours", 0.75), ("theirs", 0.72)):
        columns = {"dataset": names(ITEMS), "instance": np.arange(ITEMS)}
        frame = pa.table(columns | {"score": (rng.random(ITEMS) < accuracy) * 1}).to_pandas()
        frame.to_csv(folder / f"{system}.csv", index=False)


def many(folder, rng):
    """Write a study of many p-values with scores."""
    frame = {"dataset": [f"dataset {i}" for i in range(MANY)], "p": rng.beta(0.4, 1, MANY)}
    frame |= {side: 100 * rng.random(MANY).round(3) for side in ("a", "b")}
    pd.DataFrame(frame).round(6).to_csv(folder / "p.csv", index=False)
    columns = {"dataset": "dataset", "p_value": "p", "scores": ["a", "b"]}
    study(folder, "many", [block("ours_theirs", ["ours", "theirs"], "p.csv", columns)])


def family(folder, rng):
    """Write a study of all systems on all items, one row for each, and their means."""
    frames, accuracies = [], np.linspace(0.6, 0.8, SYSTEMS)
    systems = [f"system {i:02}" for i in range(SYSTEMS)]
    for system, accuracy in zip(systems, accuracies, strict=True):
        scores = (rng.random(ITEMS) < accuracy).astype(float)
        rows = pa.array(np.full(ITEMS, system))
        columns = {"dataset": names(ITEMS), "instance": np.arange(ITEMS), "system": rows}
        frames.append(pa.table(columns | {"score": scores}))
    table = pa.concat_tables(frames)
    pq.write_table(table, folder / "long.parquet")
    means = table.to_pandas().pivot_table("score", "dataset", "system")
    means.to_csv(folder / "means.csv")
    columns = {name: name for name in ("dataset", "instance", "system", "score")}
    pairs = [(systems[-1], systems[i]) for i in (0, 9, 16)]
    blocks = [block(f"pair{i}", list(p), "long.parquet", columns) for i, p in enumerate(pairs)]
    study(folder, "family", blocks, [block("all", [], "long.parquet", columns)])


def block(name, systems, file, columns):
    """Return a block of a study."""
    return {
        "name": name,
        "title": name,
        "systems": systems,
        "dependence": "dependent",
        "file": file,
        "columns": columns,
    }


def study(folder, name, comparisons, families=()):
    """Write a study whose files lie in its folder."""
    for part in (*comparisons, *families):
        part["file"] = str(folder / part["file"])
    families = [{key: x for key, x in part.items() if x} for part in families]
    content = {"study": name, "alphas": [0.05, 0.01], "comparisons": comparisons}
    content |= {"families": families} if families else {}
    (folder / f"{name}.yaml").write_text(yaml.safe_dump(content, sort_keys=False))


def timed(command, folder):
    """Run a command; return its seconds by the clock and of the processor."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, used


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--peer", help="a Python that has autorank")
    options = parser.parse_args()
    ours = [sys.executable, "-m", "replicability"]
    cases = {
        "the example study, `run`": [*ours, "run", str(ROOT / "config" / "example.yaml")],
        f"{ITEMS:,} items, `compare`": [*ours, "compare", "ours.csv", "theirs.csv"],
        f"{MANY:,} p-values, `run`": [*ours, "run", "many.yaml"],
        f"{SYSTEMS} systems, {SYSTEMS * ITEMS:,} rows, `run`": [*ours, "run", "family.yaml"],
    }
    if options.peer:
        cases[f"{SYSTEMS} systems, means, autorank"] = [options.peer, "peer.py", "means.csv"]
    print("| what | seconds | of the processor | ratio |")
    print("| --- | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for make in (pair, many, family):
            make(folder, np.random.default_rng(1))
        (folder / "peer.py").write_text(PEER)
        turns = [[timed(c, folder) for c in cases.values()] for _ in range(options.repeats)]
    turns = dict(zip(cases, zip(*turns, strict=True), strict=True))
    peer = min(used for _, used in list(turns.values())[-1]) if options.peer else np.nan
    for name, found in turns.items():
        seconds, used = zip(*found, strict=True)
        print(f"| {name} | {np.median(seconds):.1f} | {min(used):.1f} | {min(used) / peer:.2f} |")


if __name__ == "__main__":
    main()
