"""Numbers of config/open/gorman_standard_splits.md."""

from analysis.numbers.committed import amount, names, outcomes, printed, settings, table


def numbers():
    """Return what the fields of the document may name."""
    token = table("open/gorman_table2_standard_split").set_index(["dataset", "tagger"])["token"]
    by_tokens = {
        d: token[d].drop(["number", "oracle ensemble"]).astype(float) for d in ("PTB", "MASC")
    }
    every = table("open/gorman_table3_all_pairs").set_index(["dataset", "comparison"])
    rankings = table("open/gorman_section3_2_rankings").set_index(["dataset", "metric"])
    ranking = rankings["standard split, best first"].map(names)
    unknown = table("open/gorman_section4_unknown_words").set_index(["dataset", "tagger"])
    ranges = (
        table("open/gorman_figure1_ranges")
        .query("metric == 'token' and tagger != 'oracle ensemble'")
        .set_index(["dataset", "tagger"])
    )
    effects = table("open/gorman_section3_3_design_effects").set_index(["dataset", "comparison"])
    greedy = ["SVM", "perceptron"]
    progress = table("open/gorman_section3_4_progress").set_index("dataset")
    words = (
        outcomes("splits_sizes.csv")
        .groupby(["dataset", "split"])["tokens"]
        .sum()
        .xs(0, level="split")
    )
    paper = printed("gorman2019", "table1").set_index(["corpus", "part"])["tokens"]["Penn Treebank"]
    fewer = (effects["ahead, words"] - effects["ahead, sentences"]) + (
        effects["behind, words"] - effects["behind, sentences"]
    )
    recalled = printed("gorman2019", "text").set_index("quantity")["printed"]
    flair = printed("gorman2019", "table2").set_index("tagger")["PTB token replicated"]["Flair"]
    commands = {t["name"]: t["command"] for t in settings("splits")["taggers"]}
    passes = {
        name: int(line.split("--passes ")[1].split()[0]) if "--passes" in line else None
        for name, line in commands.items()
    }
    in_paper = float(recalled["best tagger below the oracle ensemble"]) / (1 - flair)
    two_state_passes = sum(n is not None for n in passes.values()) == 2
    network_never_leads = all(t["spaCy"] < t.max() for t in by_tokens.values())
    random_is_easier = (ranges["above"] >= ranges["below"]).all() and unknown[
        "random minus standard"
    ].map(amount).gt(0).all()
    metrics_disagree = all(ranking[d].map(tuple).nunique() > 1 for d in ("PTB", "MASC"))
    crf_first = [ranking[d, "OOV"][0] == "CRF" for d in ("PTB", "MASC")]
    tnt_last = [order[-1] == "TnT" for order in ranking]
    tnt_gains_most = all(
        unknown.loc[d, "by unknown words"].map(amount).idxmax() == "TnT" for d in ("PTB", "MASC")
    )
    few_words_change = (
        0 <= fewer.sum() < 0.03 * effects[["ahead, words", "behind, words"]].sum().sum()
    )
    return locals()
