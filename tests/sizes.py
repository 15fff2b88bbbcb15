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
