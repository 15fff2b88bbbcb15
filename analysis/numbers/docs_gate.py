"""Numbers of docs/gate.md."""

import pandas as pd

from analysis import paths


def numbers():
    """Return what the fields of the document may name."""
    rates = pd.read_csv(paths.ROOT / "data" / "simulations" / "releases.csv")
    unchanged = rates[rates["worse"] == "nothing"]
    by_rule = (unchanged["blocked"] / unchanged["releases"]).groupby(unchanged["rule"])
    return {
        "suites": rates["suite"].nunique(),
        "most": by_rule.max(),
        "least": by_rule.min(),
        "releases": rates["releases"].iloc[0],
    }
