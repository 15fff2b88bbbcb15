"""Time the way from a user's files to the evaluated table, and the memory it takes.

Run as ``python benchmarks/own_comparison.py``: makes files in a temporary folder, evaluates each
comparison in a process of its own and prints a Markdown table. The logs and the CSV table hold 57
datasets of 14,000 documents for two systems; the Parquet table holds 5 million documents for two.
"""

import json
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

from replicability.core import evaluation
from replicability.io import study

TASKS, DOCUMENTS = 57, 14_000
LARGE, LARGE_DATASETS = 5_000_000, 50
SYSTEMS = ("ours", "theirs")
LONG = {"dataset": "dataset", "instance": "instance", "system": "system", "score": "score"}


def scores(rng):
    """Yield task, system, accuracy and 0 or 1 for each document."""
    for task in range(TASKS):
        for system, accuracy in zip(SYSTEMS, (0.66, 0.65), strict=True):
            yield f"task_{task:02}", system, (rng.random(DOCUMENTS) < accuracy).astype(int)


def logs(folder, rng):
    """Write logs as of lm-evaluation-harness; return the comparison."""
    text = "What is the capital of the country in which the river rises, and when was it founded? "
    for task, system, right in scores(rng):
        lines = [
            json.dumps(
                {
                    "doc_id": i,
                    "doc": {"question": f"{i}. {text}", "choices": ["A", "B", "C", "D"]},
                    "target": "2",
                    "arguments": {"gen_args_0": {"arg_0": text, "arg_1": " A"}},
                    "resps": [[["-1.25", "False"]], [["-2.5", "True"]]],
                    "filtered_resps": [["-1.25", "False"], ["-2.5", "True"]],
                    "filter": "none",
                    "metrics": ["acc"],
                    "doc_hash": f"{i:064x}",
                    "acc": float(score),
                }
            )
            for i, score in enumerate(right.tolist())
        ]
        (folder / system).mkdir(exist_ok=True)
        path = folder / system / f"samples_{task}_2024-05-01T12-00-00.123456.jsonl"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    files = dict(zip("ab", (str(folder / system) for system in SYSTEMS), strict=True))
    return {"format": "lm_eval", "files": files}


def table(folder, rng):
    """Write a CSV table with one row per document and system; return the comparison."""
    blocks = [
        pd.DataFrame({"instance": range(DOCUMENTS), "score": right}).assign(
            dataset=task, system=system
        )
        for task, system, right in scores(rng)
    ]
    pd.concat(blocks).to_csv(folder / "scores.csv", index=False)
    return {"file": str(folder / "scores.csv"), "columns": LONG}


def large(folder, rng):
    """Write a Parquet table of 10 million rows in random order; return the comparison."""
    documents = rng.permutation(LARGE)
    order = [documents, rng.permutation(LARGE)]
    index = np.concatenate(order)
    columns = {
        "dataset": pa.array([f"dataset {i}" for i in range(LARGE_DATASETS)]).take(
            pa.array(index % LARGE_DATASETS)
        ),
        "instance": pa.array([f"doc-{i}" for i in index.tolist()]),
        "system": pa.array(SYSTEMS).take(pa.array(np.repeat([0, 1], LARGE))),
        "score": pa.array((rng.random(2 * LARGE) < 0.65).astype(float)),
    }
    pq.write_table(pa.table(columns), folder / "scores.parquet")
    return {"file": str(folder / "scores.parquet"), "columns": LONG}


CASES = {
    "logs of lm-evaluation-harness": logs,
    "long CSV table": table,
    "long Parquet table": large,
}


def measure(block):
    """Evaluate a comparison in this process; print rows, seconds and peak memory."""
    comparison = study.Comparison(
        name="own",
        section=study.SECTION,
        title="own",
        systems=SYSTEMS,
        dependence="independent",
        **block,
    )
    start = time.perf_counter()
    found = evaluation.evaluate(comparison)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps([len(found), int(2 * found["n"].sum()), seconds, peak, found["test"][0]]))


def main():
    """Print the table."""
    print("| files | bytes | datasets | scores | test | seconds | peak memory |")
    print("| --- | ---: | ---: | ---: | --- | ---: | ---: |")
    for name, make in CASES.items():
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            block = make(folder, np.random.default_rng(1))
            size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
            command = [sys.executable, __file__, json.dumps(block)]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        count, n, seconds, peak, test = json.loads(output)
        print(
            f"| {name} | {size / 1e6:,.0f} MB | {count} | {n:,} | {test} | {seconds:.1f} "
            f"| {peak / 2**30:.2f} GiB |",
            flush=True,
        )


if __name__ == "__main__":
    measure(json.loads(sys.argv[1])) if len(sys.argv) > 1 else main()
