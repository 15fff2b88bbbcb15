"""Numbers of notebooks/function_calling.ipynb."""

from analysis.numbers.committed import outcomes, settings, table


def numbers():
    """Return what the fields of the document may name."""
    right = outcomes("function_calling.parquet").rename(columns=settings("leaderboards")["labels"])
    models = table("leaderboards/bfcl_models")
    joint = (
        table("leaderboards/bfcl_directions")
        .query("alpha == .05 and claims == 'jointly'")
        .set_index(["categories", "models"])
    )
    everyone = joint.loc[("all", "all")]
    beside = joint.loc[("all", "neighbours")]
    silent = joint.loc[("without relevance", "all")]
    single = (
        table("leaderboards/bfcl_directions")
        .query(
            "alpha == .05 and claims == 'one by one' and categories == 'all' and models == 'all'"
        )
        .iloc[0]
    )
    neighbours = table("leaderboards/bfcl_neighbours")
    ties = table("leaderboards/bfcl_ties")
    fences = table("leaderboards/bfcl_fences").set_index(["model", "category"])
    gpt = fences.loc["GPT-4o 0806"]
    unfenced = table("leaderboards/bfcl_unfenced").set_index(["model", "answers"])
    scored = unfenced.loc[("GPT-4o 0806", "as scored")]
    matched = unfenced.loc[("GPT-4o 0806", "matches are right")]
    modes = table("leaderboards/bfcl_modes")
    lead_of_interface = modes["interface better"] - modes["prompt better"]
    leading = set(modes["model"][lead_of_interface.nlargest(3).index])
    fences_cost_most = leading == set(fences.index.get_level_values("model"))
    categories = table("leaderboards/bfcl_categories").set_index("category")
    methods = table("leaderboards/bfcl_by_method").set_index("method")["pairs decided"]
    relevance = right.query("dataset == 'relevance'")[models["model"]].mean()
    difference = table("leaderboards/bfcl_pairs").set_index("dataset")
    first = difference["Claude 3.5 Sonnet"] - difference["Functionary Medium 3.1 (FC)"]
    steps_without_a_difference = (
        (neighbours["higher better on"] + neighbours["lower better on"]).gt(0).idxmax()
    )
    relevance_of_leaders = (
        relevance[models["model"][69]],
        relevance[models["model"][70]] == relevance.max() == relevance[models["model"][69]],
    )[0]
    relevance_of_any = (
        right.query("dataset == 'relevance'").filter(regex=r"\(FC-Any\)$").mean().max()
    )
    named = table("leaderboards/bfcl_both_directions").set_index("claim")["identified"].fillna("")
    apart = {
        other: right["Claude 3.5 Sonnet"] != right[other]
        for other in ("Functionary Medium 3.1 (FC)", "Claude 3.5 Sonnet (FC)")
    }
    few = [int((differ.groupby(right["dataset"]).sum() < 8).sum()) for differ in apart.values()]
    first_named = named.iloc[:2].ne("").sum()
    identified = named["Claude 3.5 Sonnet better"].iloc[1].split(", ")
    parallel = categories.index[categories.index.str.contains("parallel")]
    prompted = {
        "parallel": parallel.isin(identified).sum(),
        "of parallel": len(parallel),
        "else": len(set(identified) - set(parallel)),
    }
    apart_somewhere = (neighbours["higher better on"] + neighbours["lower better on"]).gt(0)
    share_also_in_simple = (
        int(categories.loc["multiple", "in simple"]) / categories.loc["multiple", "items"]
    )
    return locals()
