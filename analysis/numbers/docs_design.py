"""Numbers of docs/design.md."""

import numpy as np
import pandas as pd

from analysis import paths
from analysis.numbers.committed import table
from replicability.core import design, design_needs, findings, procedure
from replicability.stats import power, power_of_counts, power_of_means


def numbers():
    """Return what the fields of the document may name."""
    twenty = design.suite([500] * 20, discordant=0.15)
    planned = design.table(twenty, [0.03], factors=(1, 2, 4)).set_index("factor")
    least = design.least_gains(twenty).set_index("shown")["gain"]
    needed = design_needs.needed(twenty, 0.03, 12)
    mmlu = design.suite([246] * 57, discordant=0.2)
    suites = table("open/suites_expected").query("gain == '3 points'").set_index("suite")
    row_of = {s: suites.loc[s, ["k̂", "k_bonferroni", "count"]].tolist() for s in suites.index[:4]}
    listed = pd.read_csv(paths.ROOT / "data" / "suites.csv").set_index("suite")
    ten = (
        table("open/dependence_bounds")
        .query("datasets == 10 and `truly better` == 10")
        .set_index("correlation")[procedure.TITLES["joint_sum"]]
        .str.split(" ")
        .str[0]
        .astype(float)
    )
    least_wins = power.least_wins
    standard_errors = power_of_counts.STANDARD_ERRORS
    suite = design.suite
    n_families = design.N_FAMILIES
    most_states = power_of_counts.MOST_STATES
    mean_difference_errors = power_of_means.MEAN_DIFFERENCE_ERRORS
    least_power = design.POWER
    gains = design.GAINS
    gains_in_sd = design.GAINS_IN_SD
    possible = findings.possible
    power_now = np.floor(100 * needed.now.probability) / 100
    factor_needed = np.ceil(100 * needed.factor) / 100
    exponent_of_states = np.log2(most_states)
    most_expected = np.ceil(planned.loc[1, "bonferroni"])
    return locals()
