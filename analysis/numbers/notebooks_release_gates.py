"""Numbers of notebooks/release_gates.ipynb."""

import pandas as pd

from analysis import paths
from analysis.methods import releases
from analysis.methods.release_rules import ALPHA, MARGIN
from analysis.numbers.committed import parameter


def numbers():
    """Return what the fields of the document may name."""
    rates = releases.errors_of(parameter("release_gates", "simulations"))
    spans = rates.groupby(["worse", "rule"])["wrong"].agg(["min", "max"])
    tenth = rates[rates["discordant"] == 0.1]
    blocked = (1 - tenth["wrong"]).groupby([tenth["worse"], tenth["rule"]]).agg(["min", "max"])
    by_rule = rates.pivot_table(
        index=["suite", "discordant", "worse"], columns="rule", values="blocked"
    )
    unchanged = rates[(rates["worse"] == "nothing") & (rates["rule"] == "gate")]
    gates = rates[rates["rule"].isin(["gate", "independent"])]
    needs = releases.needs(rates).query("`items changed` == '10%'")
    sizes = pd.read_csv(paths.ROOT / "data" / "suite_sizes.csv").groupby("suite")["items"].mean()
    return {
        "alpha": ALPHA,
        "margin": MARGIN,
        "wanted": releases.WANTED,
        "low": lambda change, rule: spans.loc[(change, rule), "min"],
        "high": lambda change, rule: spans.loc[(change, rule), "max"],
        "block_low": lambda change, rule: blocked.loc[(change, rule), "min"],
        "block_high": lambda change, rule: blocked.loc[(change, rule), "max"],
        "same": (by_rule["gate"] == by_rule["bonferroni"]).all(),
        "ships": (unchanged["shipped"] / unchanged["releases"]).max(),
        "worse_ships": gates.loc[gates["worse"] != "nothing", "shipped"].sum(),
        "n_releases": rates["releases"].iloc[0],
        "margins": needs["margin needed"].str.removesuffix(" points").astype(float),
        "items": needs["items needed"].str.replace(",", "").astype(int),
        "largest": sizes.max(),
    }
