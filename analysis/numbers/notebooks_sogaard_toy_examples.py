"""Numbers of notebooks/sogaard_toy_examples.ipynb."""

import numpy as np

from analysis.numbers.committed import amount, parameter, printed, table
from analysis.sogaard2014 import many_metrics


def numbers():
    """Return what the fields of the document may name."""
    rates = table("sogaard_section3_toy_examples").set_index(["choice", "α"])
    published = rates["published"].map(lambda c: amount(c) if isinstance(c, str) else np.nan)
    theory = rates["theory"]
    apart = rates["SE apart"].map(lambda c: amount(c) if isinstance(c, str) else np.nan)
    noise = parameter("sogaard_toy_examples", "noise")
    paper = printed("sogaard2014", "section4").set_index("quantity")["printed"]
    section4 = table("sogaard_section4_ppv").set_index("quantity")
    R = parameter("sogaard_toy_examples", "ratio")
    beta = parameter("sogaard_toy_examples", "beta")
    choices = {
        c.name: c
        for c in (*many_metrics.published_choices(noise), *many_metrics.other_readings(noise))
    }
    pair = {
        rho: many_metrics.any_significant(many_metrics.Choice("pair", copy=rho), 0.05)
        for rho in (0.9, 0.99)
    }
    varied = many_metrics.copies((0, 1), 100, 10000, 2014)
    fixed = many_metrics.copies((noise, noise), 100, 10000, 2014)
    loudest = many_metrics.any_significant(
        many_metrics.Choice("pair", copy=many_metrics.noise_correlation(1)), 0.05
    )
    both = many_metrics.Choice(
        "both",
        2,
        subsamples=many_metrics.HALVES,
        effect=parameter("sogaard_toy_examples", "effect"),
    )
    counted = many_metrics.overstatement(both, 0.05, 100, 20000, 2014).set_index("estimator")
    repetitions = parameter("sogaard_toy_examples", "n_repetitions")
    positive_predictive_value = many_metrics.positive_predictive_value
    noise_correlation = many_metrics.noise_correlation
    cut_off = many_metrics.cut_off
    share_of_positives = many_metrics.share_of_positives
    rates_agree_with_theory = (
        apart[["one metric", "independent metrics", "covariate", "metric and covariate"]]
        .abs()
        .max()
        < 2
    )
    printed_p = float(
        printed("sogaard2014", "section3_toy_examples").set_index("quantity")["printed"][
            "correlation of metric correlation with p"
        ]
    )
    claims = table("sogaard_section5_selection").set_index(["test sets", "items"])["claims"]
    n_datasets = 10 if ("10 domains drawn at random", 500) in claims.index else None
    alpha = parameter("sogaard_toy_examples", "alphas")[0]
    sizes = table("sogaard_section5_sizes").set_index(["population", "datasets"])
    size = {key: sizes.loc[key] for key in sizes.index}
    size_n = sizes.index.get_level_values("datasets").min()
    across = table("sogaard_section5_published").set_index("comparison")
    reduction = across["error reduction (Gumbel)"].map(amount)
    small_across = across.filter(like="p (") <= alpha
    family_rates = rates["P(k̂ > 0)"].xs(0.05, level="α")
    readings = ("", " (whole or half)")
    near_halves = [abs(apart[f"covariate{c}", 0.05]) < 2 for c in readings]
    near_four = [abs(apart[f"metric and covariate{c}", 0.05]) < 2 for c in readings]
    return locals()
