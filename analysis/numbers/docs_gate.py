"""Numbers of docs/gate.md."""

import pandas as pd

from analysis import paths


def numbers():
    """Return what the fields of the document may name."""
    rates = pd.read_csv(paths.ROOT / "data" / "simulations" / "releases.csv")
    unchanged = rates[rates["worse"] == "nothing"]
    by_rule = (unchanged["blocked"] / unchanged["releases"]).groupby(unchanged["rule"])
    worse = rates[(rates["worse"] != "nothing") & ~rates["rule"].isin(["worst", "mean"])]
    blocked = (worse["blocked"] / worse["releases"]).groupby(worse["rule"]).min()
    return {
        "seldom_blocked": (blocked < 0.5).all(),
        "suites": rates["suite"].nunique(),
        "most": by_rule.max(),
        "least": by_rule.min(),
        "releases": rates["releases"].iloc[0],
    }
