"""Shares of simulated studies in which a test rejects, from committed tables."""

import numpy as np
import pandas as pd

from analysis import paths


def rates(name):
    """Read a table of simulations, with the share of rejections as ``rate``."""
    table = pd.read_csv(paths.ROOT / "data" / "simulations" / name)
    return table.assign(rate=table["rejected"] / table["repetitions"])


def above(table):
    """Return by how many standard errors rates are above their level."""
    alpha = table["alpha"]
    return (table["rate"] - alpha) / np.sqrt(alpha * (1 - alpha) / table["repetitions"])


def agree(again, committed, keys):
    """Tell whether a smaller simulation gives the committed rates, up to chance."""
    both = again.merge(committed, on=keys, suffixes=("_again", ""))
    n, rejected = both["repetitions_again"], both["rejected_again"]
    pooled = (rejected + both["rejected"]) / (n + both["repetitions"])
    error = np.sqrt(pooled * (1 - pooled) / n) + 1e-12
    near = (rejected / n - both["rate"]).abs() <= 4 * error + 2 / n
    return len(both) == len(again) and near.all()
