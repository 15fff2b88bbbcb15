"""Numbers of notebooks/embeddings.ipynb."""

from analysis.leaderboards import experiments, resamples
from analysis.numbers.committed import outcomes, settings, table


def numbers():
    """Return what the fields of the document may name."""
    accuracies = outcomes("embeddings.parquet")
    n, models = accuracies["dataset"].nunique(), accuracies.shape[1] - 2
    experiments_of_each = accuracies["experiment"].nunique()
    together = experiments.go_together(accuracies)
    first, second = settings("outcomes/embeddings")["comparisons"]
    groups = {name: len(members) for name, members in first["groups"].items()}
    massive = groups["MASSIVE intents"] + groups["MASSIVE scenarios"]
    found = table("leaderboards/embeddings_groups").set_index(["comparison", "group"])
    by_group = found["at least, α = 0.05"][first["title"]]
    outside = by_group.sum() - by_group["MASSIVE intents"] - by_group["MASSIVE scenarios"]
    readings = table("leaderboards/embeddings_readings").set_index(["comparison", "test"])
    better = readings[["first better on", "second better on"]].xs(experiments.WELCH, level="test")
    k = dict(zip(("gemini", "qwen"), better.loc[first["title"]], strict=True))
    k |= dict(zip(("grit", "linq"), better.loc[second["title"]], strict=True))
    by_test = readings["first better on"][first["title"]]
    of_pairs = readings["second better on"][second["title"], "Student's t of pairs"]
    named = table("leaderboards/embeddings_datasets").set_index("dataset")
    marks = named[f"named {first['title']}"].dropna()
    behind = marks[marks.str.startswith("(")].index.to_series()
    alpha = settings("outcomes/embeddings")["alphas"][0]
    needed, jointly = alpha / 2 / n, alpha / (models * (models - 1)) / n
    tests = {"permutation": experiments.PERMUTATION, "flips": experiments.FLIPS}
    floors = {name: experiments.floor(test, experiments_of_each) for name, test in tests.items()}
    enough = {name: experiments.enough(test, needed) for name, test in tests.items()}
    enough["permutation, all pairs"] = experiments.enough(experiments.PERMUTATION, jointly)
    noise = table("leaderboards/embeddings_noise")
    pairs = table("leaderboards/embeddings_pairs").iloc[0]
    spread, unlike = table("leaderboards/embeddings_spread"), experiments.unlike(accuracies)
    ranking = table("leaderboards/embeddings_ranking")
    leader = table("leaderboards/embeddings_leader")
    critical = resamples.critical_difference(models, n, alpha)
    return locals()
