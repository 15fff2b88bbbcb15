"""Numbers of notebooks/toy_simulations.ipynb."""

import numpy as np

from analysis.numbers.committed import amount, parameter, table


def numbers():
    """Return what the fields of the document may name."""
    toy = table("section5_toy_examples").set_index(["example", "estimator"])
    exact = toy["exact"]["independent"]
    more = toy["P(k̂ > k + 1)"]["independent"]
    published = toy["published"]
    groups = parameter("toy_simulations", "independent")
    grouped = parameter("toy_simulations", "dependent")
    repetitions = parameter("toy_simulations", "n_families")
    exact_count = toy["exact"]["dependent", "count"]
    apart = abs(published["dependent", "count"] - exact_count) / np.sqrt(
        exact_count * (1 - exact_count) / repetitions
    )
    count_overstates = (
        min(exact["count"], amount(toy["1,000,000 families"]["dependent", "count"])) > 0.95
    )
    overstated_per_cent = (
        max(exact["fisher"], exact["bonferroni"], toy["exact"]["dependent", "bonferroni"]) * 100
    )
    published_rates_agree = (
        abs(published["independent"] - more) < 3.1 * np.sqrt(more * (1 - more) / repetitions)
    ).sum()
    return locals()
