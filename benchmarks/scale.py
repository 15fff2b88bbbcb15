"""Time the simulations at scale and the count from millions of p-values, with their peak memory.

Run as ``python benchmarks/scale.py [--families N] [--pvalues N] [--output FILE]``: prints Markdown
tables and, with ``--output``, writes them. ``benchmarks/scale.md`` was made with ``--families
100000000``. Times are of the processor, in the process and what it started, so that they hold on a
machine that does other work too; each job has one core, where no other work is done they are those
of the clock. Memory is the largest resident set of a process.
"""

import argparse
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import yaml
from scipy import stats

from analysis import paths
from analysis.methods import shards, simulation
from replicability.stats import partial_conjunction

SETTINGS = paths.CONFIG / "simulations.yaml"
PACKAGES = ("numpy", "scipy", "pyarrow", "snakemake")
MILLION = 1_000_000
JOBS = (1, 2, 10, 20, 100)
LEFT_OUT = (".git", ".venv", ".snakemake", "results", "__pycache__", ".hypothesis", "*.staging")
ALPHA = 0.05
SORTED = tuple(name for name in partial_conjunction.METHODS if name != "fisher_bonferroni")
"""Methods that take little more than sorting, for millions of p-values."""


def main():
    """Print every table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--families", type=int, default=MILLION, help="families of each example")
    parser.add_argument("--pvalues", type=int, default=10 * MILLION, help="p-values of one family")
    parser.add_argument("--output", type=Path, help="Markdown file to write")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        blocks = [
            machine(),
            *simulations(Path(temporary), options.families),
            one_family(Path(temporary), options.pvalues),
            order(options.pvalues),
        ]
    text = "\n\n".join(["# Scale", "Made by `benchmarks/scale.py`.", *blocks]) + "\n"
    print(text, end="")
    if options.output:
        part = options.output.with_name(f"{options.output.name}.part")
        part.write_text(text, encoding="utf-8")
        part.replace(options.output)


def machine():
    """Say what ran."""
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in PACKAGES)
    return (
        f"{os.cpu_count()} cores, {platform.machine()}; Python {platform.python_version()}, "
        f"{versions}."
    )


LAUNCHER = """
import json, os, resource, subprocess, sys
status = subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print()
print(json.dumps([status, used.ru_utime + used.ru_stime, used.ru_maxrss]))
"""
"""Starts a process from a small one: a peak counts from that of the process that started it."""


def measure(arguments, folder=paths.ROOT):
    """Run Python; return seconds of the processor, peak MiB, and what it printed."""
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment["PYTHONPATH"] = str(folder)
    command = [sys.executable, *map(str, arguments)]
    found = subprocess.run(
        [sys.executable, "-S", "-c", LAUNCHER, *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    printed, _, last = found.stdout.rstrip().rpartition("\n")
    status, used, peak = json.loads(last)
    if status:
        raise SystemExit(f"{' '.join(command)} failed")
    return used, peak / (2**20 if sys.platform == "darwin" else 2**10), printed


def table(header, rows):
    """Lay out a Markdown table, the first column to the left."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


# --- simulations ---------------------------------------------------------------------------------


def simulations(folder, n_families):
    """Run each example in one process; say what it took, what n jobs take, and what came out."""
    content = yaml.safe_load(SETTINGS.read_text(encoding="utf-8"))
    runs, found = {}, {}
    for example in content["examples"]:
        tiny = simulate(folder, content | {"n_families": 1, "n_shards": 1}, example)
        full = simulate(folder, content | {"n_families": n_families, "n_shards": 1}, example)
        runs[example] = (full, (full[0] - tiny[0]) / n_families * MILLION)
        groups = [simulation.Group(*group) for group in content["examples"][example]]
        found[example] = shards.read_frequencies(folder / f"{example}.csv", groups)
    start = job_start(folder, content)
    measured = [
        [example, f"{n_families:,}", f"{used:,.0f} s", f"{million:.2f} s", f"{peak:,.0f} MiB"]
        for example, ((used, peak, _), million) in runs.items()
    ]
    n_million = content["n_families"] / MILLION
    each = [[start + n_million / n * million for _, million in runs.values()] for n in JOBS]
    cost = [
        [n, *(f"{seconds:,.0f} s" for seconds in row), f"{n * sum(row) / 3600:.2f} h"]
        for n, row in zip(JOBS, each, strict=True)
    ]
    settings = shards.read_settings(SETTINGS)
    return (
        "## Simulations\n\nFamilies of 100 hypotheses, one process of `scripts/simulations.py` on "
        "one core, three estimators.",
        table(
            ["example", "families", "processor time", "for a million families", "peak memory"],
            measured,
        ),
        f"What {content['n_families']:,} families of an example take in n jobs of one core each, "
        f"all at once: the time for a million, multiplied and divided by n, and {start:.1f} s for "
        "the start of each job (`snakemake` and the script with one family, measured).",
        table(["jobs", *runs, "cores' time, all examples"], cost),
        "What came out: share of families in which an estimator exceeds the true number, 0.",
        table(
            ["example", "estimator", "share", "standard error", "exact", "deviation (errors)"],
            [
                [
                    row.example,
                    row.estimator,
                    f"{row.above:.6f}",
                    f"{row.standard_error:.6f}",
                    *(
                        ("unknown", "")
                        if math.isnan(row.exact)
                        else (f"{row.exact:.6f}", f"{row.deviation:+.1f}")
                    ),
                ]
                for row in shards.at_scale(settings, found).itertuples()
            ],
        ),
    )


def simulate(folder, content, example):
    """Simulate all families of an example in one process."""
    settings = folder / "settings.yaml"
    settings.write_text(yaml.safe_dump(content), encoding="utf-8")
    output = ["--output", folder / f"{example}.csv"]
    return measure(["scripts/simulations.py", "shard", settings, example, 0, *output])


def job_start(folder, content):
    """Return the processor time of a job of the workflow that has next to nothing to simulate."""
    copy = folder / "checkout"
    shutil.copytree(paths.ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
    tiny = yaml.safe_dump(content | {"n_families": 1, "n_shards": 1})
    (copy / "config" / "simulations.yaml").write_text(tiny, encoding="utf-8")
    shard = f"results/simulations/{content['name']}/shards/{next(iter(content['examples']))}/0_of_1"
    return measure(["-m", "snakemake", f"{shard}.csv", "--cores", 1], copy)[0]


# --- one family of millions of p-values ----------------------------------------------------------


def one_family(folder, n):
    """Count from a Parquet file; check the counts against another way."""
    rng = np.random.default_rng(1)
    pvalues = rng.random(n)
    pvalues[: n // 2] **= 8
    file = folder / "pvalues.parquet"
    pq.write_table(pa.table({"p_value": pvalues}), file)
    command = ["-m", "replicability", "pvalues", "--independent", "--json"]
    start = measure([*command, "0.01"])
    found = measure([*command, file, "--column", "p_value"])
    (finding,) = json.loads(found[-1])["findings"]
    if finding["k_hat"] != otherwise(pvalues):
        raise SystemExit(f"the two ways differ: {finding['k_hat']} and {otherwise(pvalues)}")
    rows = [
        [what, f"{used:.1f} s", f"{peak:,.0f} MiB"]
        for what, (used, peak, _) in (
            ("start of the program, with one p-value", start),
            (f"{n:,} p-values, {file.stat().st_size / 1e6:.0f} MB", found),
        )
    ]
    return (
        "## One family of millions of p-values\n\n`python -m replicability pvalues FILE.parquet "
        "--column p_value`: count, Bonferroni, Simes and Fisher in one pass over the file. The "
        "three k-hats equal those of sums in extended precision and of steps one at a time.\n\n"
        + table(["what", "processor time", "peak memory"], rows)
    )


def otherwise(pvalues):
    """Return k-hat by the definitions, from sums in extended precision."""
    n = len(pvalues)
    ordered = np.sort(pvalues)
    sizes = np.arange(n, 0, -1)
    holm = ordered > ALPHA / sizes
    sums = np.cumsum(-np.log(ordered[::-1].astype(np.longdouble)))
    fisher = (2 * sums < stats.chi2.isf(ALPHA, 2 * np.arange(1, n + 1)))[::-1]
    # Simes rejects for u if j - u + 1 >= (n - u + 1) p_(j) / alpha for a j >= u; for given j that
    # holds where u (1 - p / alpha) <= j + 1 - (n + 1) p / alpha.
    share = ordered[ordered < ALPHA] / ALPHA
    j = np.arange(1, len(share) + 1)
    most = np.minimum(np.floor((j + 1 - (n + 1) * share) / (1 - share)), j)
    return {
        "bonferroni": int(holm.argmax()) if holm.any() else n,
        "fisher": int(fisher.argmax()) if fisher.any() else n,
        "simes": int(max(most.max(initial=0), 0)),
    }


def order(n):
    """Say how the time of k-hat grows with the number of p-values."""
    rows = []
    for size in (n // 100, n // 10, n):
        pvalues = np.random.default_rng(2).random(size)
        pvalues[: size // 2] **= 8
        functions = {"sort": lambda p: np.sort(p)} | {
            method: lambda p, m=method: partial_conjunction.k_hat(p, ALPHA, m) for method in SORTED
        }
        rows.append([f"{size:,}"])
        for function in functions.values():
            start = time.process_time()
            function(pvalues)
            rows[-1].append(f"{(time.process_time() - start) * 1e3:,.0f} ms")
    header = [
        "p-values",
        "numpy.sort",
        *(f"k_hat {method}" for method in SORTED),
    ]
    return (
        "`partial_conjunction.k_hat` of one family, half of it under the null hypothesis; the "
        "first call for a size also computes its critical values.\n\n" + table(header, rows)
    )


if __name__ == "__main__":
    main()
