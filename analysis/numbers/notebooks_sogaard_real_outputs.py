"""Numbers of notebooks/sogaard_real_outputs.ipynb."""

from dataclasses import replace

import numpy as np

from analysis.numbers.committed import amount, outcomes, parameter, printed, settings, table
from analysis.sogaard2014 import free_choice, many_metrics


def numbers():
    """Return what the fields of the document may name."""
    systems = parameter("sogaard_real_outputs", "systems")
    steps = parameter("sogaard_real_outputs", "steps")
    runs = parameter("sogaard_real_outputs", "runs")
    lengths = parameter("sogaard_real_outputs", "lengths")
    shares = parameter("sogaard_real_outputs", "shares")
    recalled = printed("sogaard2014", "text").set_index(["section", "quantity"])["printed"]
    parsing = outcomes("parsing.parquet")
    english = [t for t in settings("outcomes")["treebanks"] if "domains" in t]
    documents = parsing[parsing["dataset"].isin(["GUM academic", "GUM bio", "GUM fiction"])].assign(
        document=lambda t: t["instance"].str.rsplit("-", n=1).str[0]
    )
    pos = table("open/sogaard_table2_pos").set_index("dataset")
    p = pos[["TA (b)", "UA (b)", "SA (b)"]].map(amount)
    by_ta = p.index[p["TA (b)"] <= 0.05]
    ner = table("open/sogaard_section3_ner").set_index(["dataset", "metric"])
    p_ner = ner["p-value"].map(amount)
    sides = [
        outcomes("ner.parquet").query(
            'dataset == "eng.testb" and system == @name', local_dict={"name": s}
        )
        for s in ("florian", "chieu")
    ]
    ratios = [
        [
            np.stack([s[f"{kind}_correct"], s[f"{kind}_{of}"]], axis=-1)[:, None].astype(float)
            for s in sides
        ]
        for kind in ("loc", "misc", "org", "per")
        for of in ("guessed", "gold")
    ]
    testb = free_choice.read(
        "data/outcomes/ner.parquet", [*parameter("sogaard_real_outputs", "systems_ner")], "NER"
    )[1]
    each = [
        free_choice.scores([replace(testb, a={"ratio": a}, b={"ratio": b})])["p_value"].item()
        for a, b in ratios
    ]
    short = free_choice.by_length([testb.only("F1")], [8, 20], 30).set_index("length")
    drawn = (
        table("open/sogaard_table4_subsamples")
        .query("metric in ['LAS', 'UAS'] and `100%` == '0%'")[["10%", "25%"]]
        .stack()
        .dropna()
        .map(amount)
    )
    pairs_pos = free_choice.read("data/outcomes/parsing.parquet", systems, "POS")
    children = np.random.SeedSequence(parameter("sogaard_real_outputs", "seed")).spawn(
        len(pairs_pos)
    )
    swaps = np.nan_to_num(
        np.concatenate(
            [
                free_choice.swapped(pair, shares[1:], 40, child)
                for pair, child in zip(pairs_pos, children, strict=True)
            ]
        ),
        nan=1.0,
    )
    without = np.mean(swaps[:, 0, -1] <= 0.05)
    one_of = many_metrics.any_significant(many_metrics.published_choices()[-1], 0.05)
    families = table("open/sogaard_family_counts").set_index(["task", "dataset"])
    chosen = families.loc["Parsing"][["any: p ≤ α", "any: k̂"]].map(amount)
    domains = table("open/sogaard_domain_counts").set_index(["metric", "better"])
    directions = table("open/table2_both_directions").set_index("claim")["estimate"]
    used = outcomes("ner.parquet")["system"].nunique()
    longest_with_a_reversal = (
        short.index[1] if short["p_value"][20] <= 0.05 and short["difference"][20] < 0 else None
    )
    metrics_that_double = (
        swaps.shape[1] if np.mean(swaps[:, :, -1].min(axis=1) <= 0.05) > 2 * without else None
    )
    sizes_like_four_looks = (
        swaps.shape[2] if abs(np.mean(swaps[:, 0].min(axis=1) <= 0.05) - one_of) < 0.03 else None
    )
    a_quarter_together = abs(np.mean(swaps.min(axis=(1, 2)) <= 0.05) - 1 / 4) < 0.05
    odds = table("open/sogaard_section5_agreement").set_index("task")
    odds_metrics = odds["metrics"].str.split(", ").map(len)
    measures = table("open/sogaard_section5_measures").set_index("better")
    n_measures = measures["cells"].iloc[0] // len(pos)
    return locals()
