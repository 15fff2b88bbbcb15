"""Numbers of docs/metrics.md."""

import pandas as pd

from analysis import paths


def numbers():
    """Return what the fields of the document may name."""
    rows = pd.read_csv(paths.ROOT / "data" / "simulations" / "grids.csv")
    by_method = rows.groupby("method")["false"]
    return {
        "cells": len(rows),
        "methods": rows["method"].nunique(),
        "studies": rows["studies"].iloc[0],
        "mean": lambda method: by_method.mean()[method],
        "most": lambda method: by_method.max()[method],
    }
