"""What the study of WMT25 finds, which its scores cannot be distributed with.

    python scripts/leaderboards/wmt25_grids.py STUDY --scores FILE --output FILE

Comparisons of metrics are also asked without the shared documents: as if each language pair had
documents of its own (``_apart``), and as if nothing were known of them (``_unknown``).
"""

import argparse
import dataclasses
import json
import sys
from pathlib import Path

from analysis import command
from replicability import read_study
from replicability.api import grid, result
from replicability.core import evaluation
from replicability.core.grid import of_metric
from replicability.io import files

COLUMNS = (
    *("dataset", "metric", "n", "units", "design_effect", "score_a", "score_b", "difference"),
    *("low", "high", "standard_error", "p_value", "p_reverse"),
    *("adjusted_p_value", "adjusted_p_reverse"),
)
"""Numbers of each language pair and metric that are kept."""

ALONE = 0.05
"""Level of each metric alone."""

DIGITS = 5
"""Significant digits of them."""


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("study", help="the study")
    parser.add_argument("--scores", required=True, help="the scores of its comparisons")
    parser.add_argument("--output", type=Path, required=True, help="JSON file to write")
    options = parser.parse_args(arguments)
    found = grids(options.study, options.scores)
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in found)
    files.write(options.output.absolute(), f"[\n{lines}\n]\n")


def grids(study, scores):
    """Ask every comparison of the study of the scores in a file; returns dictionaries."""
    asked = read_study(study)
    made = []
    for comparison in asked.comparisons:
        own = dataclasses.replace(comparison, file=scores)
        for block in (own, *_otherwise(own)):
            made.append(_kept(grid.asked(block, asked.alphas).to_dict()))
            print(block.name, file=sys.stderr, flush=True)
    first = dataclasses.replace(asked.comparisons[0], file=scores, n_flips=None)
    made[0]["alone"] = {metric: _alone(first, metric) for metric in first.metrics}
    return made


def _alone(comparison, metric):
    """Return on how many language pairs A is better, and B, by one metric alone at 95%."""
    own = of_metric(comparison, metric)
    found = result.decide(own, evaluation.evaluate(own), [ALONE], declared=True)
    return [found.k, found.k_worse]


def _otherwise(comparison):
    """Return the same question without the shared documents; none of those about favour."""
    if "favours" in comparison.name:
        return []
    columns = comparison.columns | {"instance": "own_instance"}
    apart = {"dependence": "independent", "unit": "own_document", "columns": columns}
    return [
        dataclasses.replace(comparison, name=f"{comparison.name}_apart", shared={}, **apart),
        dataclasses.replace(comparison, name=f"{comparison.name}_unknown", shared={}),
    ]


def _kept(answer):
    """Return what is kept of a grid: no path, no version, and rounded numbers."""
    del answer["version"]
    cells = {name: _rounded(answer["cells"][name]) for name in COLUMNS if name in answer["cells"]}
    return answer | {
        "cells": cells,
        "provenance": {},
        "read": {**answer["read"], "source": "WMT25"},
    }


def _rounded(values):
    return [float(f"{v:.{DIGITS}g}") if isinstance(v, float) else v for v in values]


if __name__ == "__main__":
    sys.exit(main())
