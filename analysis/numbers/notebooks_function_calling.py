"""Numbers of notebooks/function_calling.ipynb."""

from analysis.numbers.committed import outcomes, table


def numbers():
    """Return what the fields of the document may name."""
    right = outcomes("function_calling.parquet")
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
    gpt = fences.loc["gpt-4o-2024-08-06"]
    unfenced = table("leaderboards/bfcl_unfenced").set_index(["model", "answers"])
    scored = unfenced.loc[("gpt-4o-2024-08-06", "as scored")]
    matched = unfenced.loc[("gpt-4o-2024-08-06", "matches are right")]
    modes = table("leaderboards/bfcl_modes")
    categories = table("leaderboards/bfcl_categories").set_index("category")
    methods = table("leaderboards/bfcl_by_method").set_index("method")["pairs decided"]
    relevance = right.query("dataset == 'relevance'")[models["model"]].mean()
    by_category = table("leaderboards/bfcl_by_category").set_index("category")["lower"]
    difference = table("leaderboards/bfcl_pairs").set_index("dataset")
    first = (
        difference["claude-3-5-sonnet-20240620"] - difference["meetkai/functionary-medium-v3.1-FC"]
    )
    steps_without_a_difference = (
        (neighbours["higher better on"] + neighbours["lower better on"]).gt(0).idxmax()
    )
    relevance_of_leaders = (
        relevance[models["model"][69]],
        relevance[models["model"][70]] == relevance.max() == relevance[models["model"][69]],
    )[0]
    relevance_of_any = right.query("dataset == 'relevance'").filter(regex="-FC-Any$").mean().max()
    share_also_in_simple = (
        int(categories.loc["multiple", "in simple"]) / categories.loc["multiple", "items"]
    )
    return locals()
