"""Time the open study: from outcomes to tables and, given the upstream files, the rebuild.

Run as ``python benchmarks/open_study.py [MIRROR]``: works in a copy of the checkout and prints a
Markdown table. MIRROR is a folder owner/repository/commit/path of the files in data/sources.csv;
with it, all systems are scored on the four English treebanks and then everything is rebuilt.
"""

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from analysis import paths

LEFT_OUT = (".git", ".venv", ".snakemake", "results", "__pycache__", ".hypothesis", "*.staging")
ENGLISH = [
    f"results/outcomes/treebanks/2018_en_{t}.parquet" for t in ("ewt", "gum", "pud", "lines")
]


def main(mirror=None):
    """Time the steps in a copy of the checkout and print them."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "checkout"
        shutil.copytree(paths.ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
        rows = [("open study, from outcomes to figures and tables", run(copy, []))]
        if mirror:
            found = ["--config", f"mirror={Path(mirror).absolute()}"]
            fetch = [f"results/raw/conll2018_en_{t}.sha256" for t in ("ewt", "gum", "pud", "lines")]
            rows.append(
                ("check and link the files of four English treebanks", run(copy, fetch + found))
            )
            rows.append(("score all systems on them", run(copy, ENGLISH + found)))
            rows.append(
                ("rebuild of all outcomes, training included", run(copy, ["outcomes", *found]))
            )
            made = sorted((copy / "data/outcomes").glob("*.[cp]*"))
            same = [
                filecmp.cmp(f, paths.ROOT / "data/outcomes" / f.name, shallow=False) for f in made
            ]
            rows.append(
                (f"files that came out identical: {sum(same)} of {len(same)}", float("nan"))
            )
    print("| step | seconds |\n| --- | ---: |")
    for step, seconds in rows:
        print(f"| {step} | {'' if seconds != seconds else f'{seconds:.0f}'} |")


def run(folder, arguments):
    """Run Snakemake on the open study; return the seconds it took."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "snakemake", *arguments, "--configfile=config/open.yaml"]
    environment = os.environ | {"PYTHONPATH": str(folder)}
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    return time.perf_counter() - start


if __name__ == "__main__":
    main(*sys.argv[1:])
