"""Keep a history of speed: the time of each operation over that of a reference operation.

Run as ``python benchmarks/history.py [--check] [--append]``. Times are of the processor, the best
of `REPEATS`, and are divided by the time of `reference` on the same machine, so that rows of
different machines can be compared. ``--append`` adds a row for each operation to
``benchmarks/history.csv``; ``--check`` ends with the exit status 1 if an operation takes more than
`SLOWER` times its last row.
"""

import argparse
import csv
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

import replicability as rep

HISTORY = Path(__file__).with_name("history.csv")
HEADERS = ("version", "operation", "ratio")
REPEATS, SLOWER = 5, 2.0


def reference():
    """Sort a million numbers and count in Python: the unit of all ratios."""
    np.sort(np.random.default_rng(0).random(1_000_000))
    return sum(i % 7 for i in range(500_000))


def wide(n_systems, n_datasets, n_items):
    """Make right and wrong answers."""
    rng = np.random.default_rng(1)
    n = n_datasets * n_items
    frame = pd.DataFrame({"dataset": np.repeat([f"d{i}" for i in range(n_datasets)], n_items)})
    frame["instance"] = np.arange(n)
    for i in range(n_systems):
        frame[f"s{i}"] = (rng.random(n) < 0.6 + 0.01 * i).astype(int)
    return frame


PAIR, FAMILY = wide(2, 20, 2_000), wide(10, 20, 250)
DECIMALS = PAIR.head(2_000).assign(s0=np.random.default_rng(2).random(2_000).round(2))
PVALUES = np.random.default_rng(3).random(10_000)
TABLE = pd.DataFrame(
    {"dataset": list("abcdefgh"), "ours": ["91.2"] * 8, "base": ["89.0"] * 8, "p": ["0.021"] * 8}
)

OPERATIONS = {
    "compare 40,000 right or wrong answers": lambda: rep.compare(PAIR, a="s1", b="s0"),
    "compare 2,000 decimals": lambda: rep.compare(DECIMALS, a="s1", b="s0"),
    "all pairs of 10 systems, 5,000 items": lambda: rep.all_pairs(FAMILY),
    "count 10,000 p-values": lambda: rep.count(PVALUES),
    "audit a table": lambda: rep.audit(TABLE, scores=["ours", "base"], items=500, test="mcnemar"),
}


def seconds(operation):
    """Return the least time of the processor that an operation took."""
    found = []
    for _ in range(REPEATS):
        start = time.process_time()
        operation()
        found.append(time.process_time() - start)
    return min(found)


def seconds_of_import():
    """Return the least time of the processor that the import takes in a fresh process."""
    found = {}
    for code in ("pass", "import replicability"):
        times = []
        for _ in range(4 * REPEATS):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, "-c", code], check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        found[code] = min(times)
    return max(found["import replicability"] - found["pass"], 0.0)


def measured():
    """Return the ratio of each operation: operation -> ratio."""
    unit = seconds(reference)
    found = {name: seconds(operation) / unit for name, operation in OPERATIONS.items()}
    return found | {"import": seconds_of_import() / unit}


def last(file=HISTORY):
    """Return the last ratio of each operation in a history."""
    with file.open(encoding="utf-8", newline="") as lines:
        return {row["operation"]: float(row["ratio"]) for row in csv.DictReader(lines)}


def slower(found, before):
    """List the operations that take more than `SLOWER` times what they took."""
    return [name for name, ratio in found.items() if ratio > SLOWER * before.get(name, np.inf)]


def main(arguments=None):
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare with the last rows")
    parser.add_argument("--append", action="store_true", help="add rows to the history")
    options = parser.parse_args(arguments)
    before = last() if HISTORY.is_file() else {}
    found = measured()
    for name, ratio in found.items():
        was = f"{before[name]:.3f}" if name in before else "-"
        print(f"{name}: {ratio:.3f} (last {was})")
    if options.append:
        new = not HISTORY.is_file()
        with HISTORY.open("a", encoding="utf-8", newline="") as lines:
            writer = csv.writer(lines, lineterminator="\n")
            writer.writerows([HEADERS] * new)
            writer.writerows((rep.__version__, name, f"{r:.3f}") for name, r in found.items())
    worse = slower(found, before) if options.check else []
    for name in worse:
        print(f"{name} takes more than {SLOWER:g} times as long as before", file=sys.stderr)
    return int(bool(worse))


if __name__ == "__main__":
    sys.exit(main())
