"""Numbers of notebooks/benchmark_suites.ipynb."""

import numpy as np
import pandas as pd

from analysis import paths
from analysis.numbers.committed import parameter, table
from replicability.core import design
from replicability.stats import power


def numbers():
    """Return what the fields of the document may name."""
    expected = table("open/suites_expected").set_index(["suite", "gain"])
    sizes = table("open/suites_by_size").set_index(["suite", "instances", "gain"])
    small = table("open/suites_small_sets").set_index("gain")
    listed = pd.read_csv(paths.ROOT / "data" / "suites.csv").set_index("suite")
    mmlu = "57 subjects (MMLU)"
    pro = "14 disciplines (MMLU-Pro)"
    own = [
        s
        for s in expected.index.unique("suite")
        if s not in listed.index and "as distributed" not in s
    ]
    real = pd.read_csv(paths.ROOT / "data" / "suite_sizes.csv").query("suite == 'MMLU'")["items"]
    uneven = np.linspace(40, 400, 12)
    discordant = parameter("benchmark_suites", "discordant")

    def planned(size):
        return design.suite([int(size)] * listed.loc[mmlu, "datasets"], discordant=discordant)

    level = planned(listed.loc[mmlu, "least"]).level
    factors = design.FACTORS
    least_wins = power.least_wins
    mcnemar = power.mcnemar
    small_sets = design.small_sets
    suite = design.suite
    most_at_one_point = expected.loc[[(s, "1 point") for s in listed.index], "k̂"].max()
    parsing_shows_one_point = all(
        (expected.loc[(s, "1 point"), "P(k̂ > 0)"] > 0.95) for s in own[:2]
    )
    keeping_beats_merging = (
        small.loc["5 points", "kept"] > small.loc["5 points", "merged"]
        and small.loc["3 points", "kept"] >= small.loc["3 points", "merged"]
        and (small["kept"] > small["dropped"]).all()
    )
    return locals()
