"""What is committed, as documents name it: tables, outcomes, printed numbers, settings."""

import ast
import functools
import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import yaml

from analysis import paths, verdicts
from analysis.audited import audited
from analysis.dror2017 import audit
from analysis.dror2017 import claims as stated
from analysis.leaderboards import boards
from analysis.studies import read_study
from replicability.core import all_pairs, evaluation, findings


@functools.cache
def table(name):
    """Read a table below ``tables/``, its numbers as numbers."""
    return pd.read_csv(paths.ROOT / "tables" / f"{name}.csv", thousands=",")


@functools.cache
def outcomes(name):
    """Read a file of ``data/outcomes/``."""
    file = paths.ROOT / "data" / "outcomes" / name
    return pd.read_parquet(file) if name.endswith(".parquet") else pd.read_csv(file)


@functools.cache
def printed(paper, item):
    """Read an item of ``data/published/``, its numbers as numbers."""
    return pd.read_csv(paths.PUBLISHED / paper / f"{item}.csv", thousands=",")


@functools.cache
def settings(name):
    """Read a file of ``config/``."""
    return yaml.safe_load((paths.CONFIG / f"{name}.yaml").read_text(encoding="utf-8"))


@functools.cache
def parameter(notebook, name):
    """Return the default of a parameter of a notebook."""
    cells = json.loads((paths.ROOT / f"notebooks/{notebook}.ipynb").read_text("utf-8"))["cells"]
    source = next(
        "".join(cell["source"])
        for cell in cells
        if "parameters" in cell.get("metadata", {}).get("tags", [])
    )
    values = {node.target.id: ast.literal_eval(node.value) for node in ast.parse(source).body}
    return values[name]


@functools.cache
def both_systems(title):
    """Bound both systems of a published comparison: if two-sided, if one-sided for the leader."""
    column = audit.columns_of(paths.CONFIG / "paper.yaml")[title]
    return tuple(audit.both_systems(column, 0.05).bounds.values())


@functools.cache
def family(name):
    """Compare all pairs of a family of the open study."""
    found = {f.name: f for f in read_study("config/open.yaml").families}[name]
    return all_pairs.compare(found)


@functools.cache
def neighbouring_parsers(alpha=0.05):
    """Count the neighbours in the official ranking of the parsers by what is shown of them."""
    compared, ranking = family("parsers"), printed("zeman2018", "ranking")
    names = ranking["system"].str.removesuffix("-18").replace("conll18-baseline", "baseline")
    ranking = ranking.assign(system=names)[names.isin(compared.systems)]
    means = ranking["las"].astype(float).to_numpy()
    board = boards.Board("", tuple(ranking["system"]), means, compared, alpha)
    shown = board.shown(neighbours=True)
    total = sum(shown.values())
    return shown | {"total": total, "differ": total - shown["neither"]}


def comparison(study, name, **changes):
    """Read a comparison of a study, perhaps with other keys."""
    found = {c.name: c for c in read_study(f"config/{study}.yaml").comparisons}[name]
    return replace(found, **changes)


@functools.cache
def result(study, name, **changes):
    """Evaluate a comparison of a study, perhaps with other keys."""
    return evaluation.evaluate(comparison(study, name, **changes))


def claims(name, alpha, **changes):
    """Return what is found about a comparison of the open study, perhaps by another method."""
    return findings.find(comparison("open", name, **changes), result("open", name), alpha)


@functools.cache
def verdict(claim, column="recomputed"):
    """Return a cell of `tables/audit.csv`, in the row of a claim."""
    (cell,) = table("audit").set_index("claim").loc[[claim], column]
    return cell


@functools.cache
def agreed(title):
    """Say of each printed count and list of names of a comparison whether it agrees: claim -> bool.

    `title`: of the comparison, with which the claims of `tables/audit.csv` begin.
    """
    rows = table("audit").set_index("claim")
    rows = rows[rows.index.str.contains(f"^{re.escape(title)}(?:,.*k-hat|: datasets)")]
    return rows["verdict"] == "agrees"


def leads(name, study="open"):
    """Return by how much the first system of a comparison leads on each dataset."""
    return result(study, name).rows.set_index("dataset")["difference"]


def ahead(name, study="open"):
    """Say for each dataset whether the first system of a comparison leads."""
    return leads(name, study) > 0


def unclear(name, study="open"):
    """Say for each dataset whether the interval of the difference includes zero."""
    rows = result(study, name).rows.set_index("dataset")
    return (rows["low"] <= 0) & (rows["high"] >= 0)


@functools.cache
def bounds_of(name, jointly=False):
    """Read a matrix of pairs: on at least which share of the datasets does the row win?"""
    cells = table(name).set_index(table(name).columns[0])
    datasets = amount(cells.index.name)
    bound = cells.map(lambda cell: amount(cell, int(jointly)) if isinstance(cell, str) else np.nan)
    return bound / datasets


def raised(name):
    """Return the share of the bounds in a matrix that correcting for all pairs raises."""
    alone, corrected = (bounds_of(name, kind).to_numpy() for kind in (False, True))
    return (corrected > alone)[~np.isnan(alone)].mean()


def lowered(name):
    """Return the share of the positive bounds in a matrix that correcting for all pairs lowers."""
    alone, corrected = (bounds_of(name, kind).to_numpy() for kind in (False, True))
    return (corrected < alone)[alone > 0].mean()


def far_below(name, jointly=False):
    """Return the bounds of a matrix for systems ranked at least half of all places below."""
    found = bounds_of(name, jointly).to_numpy()
    return np.array([found[i, j] for i, j in np.ndindex(found.shape) if j - i >= len(found) // 2])


def beside(name, jointly=False):
    """Return the bounds of a matrix for neighbours, for the one that is ranked higher."""
    return np.diagonal(bounds_of(name, jointly).to_numpy(), 1)


@functools.cache
def measured(pattern):
    """Return what the group of a pattern matches in `benchmarks/scale.md`, as a number."""
    text = (paths.ROOT / "benchmarks" / "scale.md").read_text(encoding="utf-8")
    return amount(re.search(pattern, text, re.MULTILINE)[1])


@functools.cache
def page(document):
    """Run the code of a page, and return the names that it gives."""
    text = (paths.ROOT / document).read_text(encoding="utf-8")
    given = {}
    for block in re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        exec(block, given)
    return given


def amount(cell, place=0):
    """Return a number in a cell, such as 16 in "15 of 16" at place 1 and .08 in "8%"."""
    found = re.findall(r"[-−+]?[\d,]*\.?\d+(?:e-\d+)?%?", str(cell))[place]
    value = float(found.replace("−", "-").replace(",", "").rstrip("%"))
    return value / 100 if found.endswith("%") else value


def names(cell):
    """Return the entries of a cell that lists names."""
    return [name.strip() for name in cell.split(",")] if isinstance(cell, str) else []


READERS = {
    f.__name__: f
    for f in (
        *(table, outcomes, printed, settings, parameter, verdict, agreed, measured, amount, names),
        *(leads, ahead, unclear, bounds_of, raised, lowered, far_below, beside),
        *(audited, stated.judged, verdicts.share, verdicts.times, verdicts.word),
        *(len, abs, round, min, max, sum, sorted, int, float),
    )
}
"""Functions that every document may name."""


def above_level(rates, scores, tests):
    """Count the tests of Spearman's correlation that exceed .05 for some number of items."""
    rows = [rates.loc[(scores, f"{test}, Spearman", 0.05)] for test in tests]
    return sum(row.astype(str).str.endswith("+").any() for row in rows)


def size_of_tests(rates, scores, tests):
    """Return the mean size of tests of Spearman's correlation over all numbers of items, at .05."""
    rows = [rates.loc[(scores, f"{test}, Spearman", 0.05)] for test in tests]
    return np.mean([amount(cell) for row in rows for cell in row.filter(like="n = ").dropna()])
