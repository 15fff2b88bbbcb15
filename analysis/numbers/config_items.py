"""Numbers of config/items.yaml."""

import numpy as np

from analysis.numbers import (
    notebooks_adaptation,
    notebooks_big_bench_hard,
    notebooks_gorman_error_analysis,
    notebooks_gorman_standard_splits,
    notebooks_mmlu_pro,
    notebooks_toy_simulations,
)
from analysis.numbers.committed import amount, family, outcomes, table
from replicability.core import design


def numbers():
    """Return what the fields of the document may name."""
    easier = (
        table("open/gorman_section4_unknown_words")
        .set_index(["dataset", "tagger"])["random minus standard"]
        .map(amount)
    )
    all_pairs = table("open/all_pairs").drop_duplicates("family").set_index("family")
    parsers = all_pairs.loc["Parsers on English domains"]
    taggers = all_pairs.loc["Taggers on languages"]
    low = all_pairs.loc["Taggers trained on 5,000 words"]
    classifiers = all_pairs.loc["Classifiers on pairs of domains"]
    pairs_of_domains = family("classifiers").counts(0.05)
    own = family("own_parsers")
    heads = own.counts(0.05)
    behind = ["SpaCy", "GN13", "LTDP"]
    front = set(own.systems) - set(behind)
    labelled = family("own_parsers_labelled")
    relations = labelled.counts(0.05).loc[list(front)]
    kept = family("taggers")
    right = (
        outcomes("tagging.parquet")
        .query("dataset in @of", local_dict={"of": kept.datasets})
        .pivot(index=["dataset", "instance"], columns="system", values="upos")[list(kept.systems)]
    )
    power = design.POWER
    one_or_two_at_most = (
        lambda t: (
            t.loc[(t["gain"] == "1 point") & ~t["suite"].str.contains("datasets of"), "k̂"]
            .between(0, 2)
            .all()
            and t["suite"].nunique() > 4
        )
    )(table("open/suites_expected"))
    front_beats_behind = (
        len(front) if (heads.loc[list(front), behind] == len(own.datasets)).all(axis=None) else None
    )
    few_within_front = (
        len(front)
        if 0
        < (heads.loc[list(front), list(front)] > 0).to_numpy().sum()
        < len(front) * (len(front) - 1) / 4
        else None
    )
    front_beats_all_four = (
        len(front)
        if (relations[["SpaCy", "GN13"]] == len(labelled.datasets)).all(axis=None)
        else None
    )
    turbo_and_mate_alone = (
        len(front)
        if set(relations.index[(relations[list(front)] > 0).any(axis=1)]) == {"Turbo", "Mate"}
        else None
    )
    largest_excess = (
        table("leaderboards/wmt24_methods")
        .set_index("method")
        .filter(like="Fisher", axis=0)["largest excess"]
        .iloc[0]
    )
    range_below_two_points = (
        table("open/gorman_figure1_ranges")
        .query("metric == 'token' and tagger != 'oracle ensemble'")
        .groupby("dataset")["standard split"]
        .agg(np.ptp)
        < 0.02
    ).all()
    random_is_easier = (
        easier.min() > 0 and easier.groupby(level="dataset").mean().idxmax() == "MASC"
    )
    toy = notebooks_toy_simulations.numbers()
    splits = notebooks_gorman_standard_splits.numbers()
    taggers_on = notebooks_gorman_error_analysis.numbers()
    adapted = notebooks_adaptation.numbers()
    bbh = notebooks_big_bench_hard.numbers()
    classified = table("leaderboards/time_series_pairs").iloc[0]
    unnamed_datasets = (
        table("leaderboards/time_series_by_dataset")[["higher", "lower"]].eq(0).all(axis=1)
    )
    bounds = table("leaderboards/time_series_plane_classifiers").iloc[:, 1:].stack().dropna()
    largest_share = bounds.map(lambda cell: amount(cell, 1)).max() / classified["datasets"]
    pro = notebooks_mmlu_pro.numbers()
    jointly = (
        table("open/all_pairs").query("alpha == 0.05 and claims == 'jointly'").set_index("family")
    ).loc[["Parsers on English domains", "Taggers on languages"]]
    everywhere_jointly = jointly["everywhere"].sum() / jointly["pairs"].sum()
    text = table("open/adaptation_text")
    remain = (text["reviews"] / (text["fdu"] + text["hatn"])).min()
    left_out = pro["questions"][["copies", "another key"]].sum() / (
        pro["questions"]["questions"] - pro["questions"]["compared"]
    )
    fields = table("leaderboards/mmlu_pro_groups").set_index(["comparison", "group"])
    stem = fields.loc[("Llama-3-70B vs Qwen1.5-72B-Chat", "STEM")]
    shown_in_stem = stem["at least, α = 0.05"] / stem["datasets"]
    gemini = fields.loc["gemini-1.5-pro-002 vs gemini-1.5-flash-002"].loc[
        ["humanities", "social sciences", "business, health and other"]
    ]
    shown_outside = gemini["at least, α = 0.05"] == gemini["datasets"]
    worse = table("leaderboards/mmlu_pro_both_directions").set_index("claim")["estimate"]
    worse_models_shown = sum(amount(cell) > 0 for cell in worse.iloc[1::2])

    def share_in_brackets(cell):
        return amount(cell, 1)

    return locals()
