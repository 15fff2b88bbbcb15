"""The remedies of Søgaard et al. (2014), Section 5: several datasets, several metrics.

Against selection bias they test across datasets, as Søgaard (2013) does (`across_datasets`);
`across_published` does so for the tables of Dror et al. (2017). Against poor metrics they report
all: "If System A improves over System B wrt. most metrics, we obtain significance against the
odds": `agreement` measures the odds, which are those of a coin only for independent metrics.
`over_measures` counts datasets and metrics together, as footnote 3 of Dror et al. (2017) allows.
"""

import numpy as np
import pandas as pd

import replicability as rep
from analysis.methods import across_datasets
from analysis.published import read_published
from replicability.show.tables import pvalue
from replicability.stats.over_datasets import over_datasets

COMPARED = (
    ("table2", "Mate", "SpaCy", 100),
    ("table2", "Mate", "Redshift", 100),
    ("table3", "MIMICK", "Char→Tag", 100),
    ("table4", "AE-SCL-SR", "MSDA", 1),
)
"""Table of Dror et al. (2017), systems, and the score of a system without errors."""


def across_published():
    """Test the error reductions that Dror et al. (2017) print, across datasets.

    Returns DataFrame. One row per comparison of Tables 2 to 4, of which scores are accuracies: the
    estimated error reduction by a Gumbel distribution and by Hodges and Lehmann, and p-values.
    """
    rows = []
    for item, a, b, best in COMPARED:
        table = read_published("dror2017", item)
        errors = [best - table[system].astype(float).to_numpy() for system in (a, b)]
        reduction = 1 - errors[0] / errors[1]
        fitted = across_datasets.gumbel(reduction)
        over = over_datasets(reduction, np.zeros(len(reduction)))
        rows.append(
            {
                "comparison": f"{a}-{b}",
                "datasets": len(table),
                "error reduction (Gumbel)": f"{100 * fitted.mean:.1f}%",
                "p (Gumbel, χ²)": pvalue(float(fitted.pvalue)),
                "p (Gumbel, exact)": pvalue(
                    float(across_datasets.exact_pvalue(fitted.ratio, len(table)))
                ),
                "error reduction (centre)": f"{100 * over.centre:.1f}%",
                "p (Wilcoxon)": pvalue(over.wilcoxon),
                "p (sign test)": pvalue(over.sign_test),
            }
        )
    return pd.DataFrame(rows)


def agreement(pairs, n_draws, seed):
    """Measure how often one system leads by every metric where the two do not differ.

    `pairs` (sequence of free_choice.Pair): one per dataset, of one task. `n_draws`: draws of each
    dataset, in each of which the outputs on every sentence are exchanged with probability one half.
    `seed`: source of random numbers.

    Returns DataFrame. One row per dataset: ``dataset``, ``all`` (share of draws in which one system
    is ahead by all metrics) and ``most`` (by more than half of them). Draws with equal scores count
    for neither.
    """
    rows = []
    children = np.random.SeedSequence(seed).spawn(len(pairs))
    for pair, child in zip(pairs, children, strict=True):
        flips = np.random.default_rng(child).integers(0, 2, (n_draws, len(pair))).astype(float)
        leads = np.array([np.sign(_differences(flips, pair.a[m], pair.b[m])) for m in pair.a])
        ahead, behind = (leads > 0).sum(axis=0), (leads < 0).sum(axis=0)
        most = np.maximum(ahead, behind)
        rows.append(
            {
                "dataset": pair.dataset,
                "all": np.mean(most == len(leads)),
                "most": np.mean(most > len(leads) / 2),
            }
        )
    return pd.DataFrame(rows)


def odds(pairs, n_draws, seed):
    """Summarise `agreement` by task, beside what independent metrics would give.

    `pairs`: task -> pairs. Returns DataFrame. One row per task.
    """
    rows = []
    for task, found in pairs.items():
        metrics, shares = list(found[0].a), agreement(found, n_draws, seed)
        rows.append(
            {
                "task": task,
                "metrics": ", ".join(metrics),
                "domains": len(shares),
                "ahead by all": f"{shares['all'].mean():.2f}",
                "lowest": f"{shares['all'].min():.2f}",
                "highest": f"{shares['all'].max():.2f}",
                "if independent": f"{2.0 ** (1 - len(metrics)):.2f}",
            }
        )
    return pd.DataFrame(rows)


def over_measures(full, systems, alpha):
    """Count datasets and metrics together, in both directions, by the public interface.

    `full`: as `free_choice.scores` returns it: a row for each dataset and metric, of any task.
    `systems` (sequence of str): A and B. `alpha`: level of both directions together.

    Returns DataFrame. One row per system: ``better``, ``cells`` (hypotheses: datasets times
    metrics), ``k̂``, the bound for each metric, all of which hold together, and ``named`` (cells)
    on ``datasets``. Metrics of the same outputs are dependent, so that the local test is
    Bonferroni's.
    """
    cells = [f"{row.dataset}, {row.metric}" for row in full.itertuples()]
    groups = {
        metric: [cell for cell, of in zip(cells, full["metric"], strict=True) if of == metric]
        for metric in full["metric"].unique()
    }
    rows = []
    for system, sign in zip(systems, (1, -1), strict=True):
        ahead = sign * full["difference"] >= 0
        p = np.where(ahead, full["p_value"], 1 - full["p_value"])
        found = rep.count(
            dict(zip(cells, p, strict=True)), groups=groups, dependence="dependent", alpha=alpha / 2
        )
        rows.append(
            {
                "better": system,
                "cells": len(cells),
                "k̂": found.k,
                **found.bounds(),
                "named": len(found.named),
                "datasets": len({name.rpartition(", ")[0] for name in found.named}),
            }
        )
    return pd.DataFrame(rows)


def _differences(flips, a, b):
    """Return the difference of a metric in each draw."""
    totals = [
        np.einsum("dn,nrc->drc", flips, one) + np.einsum("dn,nrc->drc", 1 - flips, other)
        for one, other in ((a, b), (b, a))
    ]
    first, second = ((of[..., 0] / of[..., 1]).mean(axis=-1) for of in totals)
    return np.where(np.isclose(first, second, rtol=0, atol=1e-12), 0.0, first - second)
