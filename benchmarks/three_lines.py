"""Time three lines of Python in a fresh process: from a data frame to sentence, LaTeX and figure.

Run as ``python benchmarks/three_lines.py [PYTHON]``, where PYTHON is an interpreter of another
environment that has autorank, if it is to be timed beside it. Both get the same 29 datasets of
2,850 instances for two systems: this package every instance, autorank what it takes, the mean of
each dataset. Prints a Markdown table; a time is the best of `REPEATS`, imports included.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

DATASETS, INSTANCES, REPEATS = 29, 2_850, 3

OURS = """
import pandas as pd
import replicability as rep
result = rep.compare(pd.read_csv("scores.csv"), a="ours", b="base")
print(result)
result.to_latex()
result.figure().savefig("figure.png")
"""

THEIRS = """
import matplotlib
matplotlib.use("agg")
import pandas as pd
import autorank
from autorank import autorank as rank, create_report, latex_table, plot_stats
data = pd.read_csv("scores.csv").groupby("dataset")[["ours", "base"]].mean()
result = rank(data, alpha=0.05, verbose=False)
create_report(result)
latex_table(result)
plot_stats(result).figure.savefig("figure.png")
"""


def frame():
    """Make the scores."""
    rng = np.random.default_rng(0)
    accuracies = rng.uniform(0.5, 0.9, DATASETS)
    parts = [
        pd.DataFrame(
            {
                "dataset": f"dataset_{place:02}",
                "instance": np.arange(INSTANCES),
                "ours": (rng.random(INSTANCES) < accuracy + 0.02).astype(int),
                "base": (rng.random(INSTANCES) < accuracy).astype(int),
            }
        )
        for place, accuracy in enumerate(accuracies)
    ]
    return pd.concat(parts)


def seconds(python, code, folder):
    """Return the best time of a fresh process that runs code in a folder."""
    best = np.inf
    for _ in range(REPEATS):
        start = time.perf_counter()
        subprocess.run([python, "-c", code], cwd=folder, check=True, capture_output=True)
        best = min(best, time.perf_counter() - start)
    return best


def main(others):
    ways = [("replicability, every instance", sys.executable, OURS)]
    ways += [("autorank, means of datasets", python, THEIRS) for python in others]
    print("| from a CSV file to sentence, LaTeX and figure | seconds |\n| --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        frame().to_csv(Path(folder) / "scores.csv", index=False)
        for name, python, code in ways:
            print(f"| {name} | {seconds(python, code, folder):.1f} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
