"""Numbers of notebooks/big_bench_hard.ipynb."""

from analysis import published as papers
from analysis.numbers.committed import amount, printed, settings, table


def numbers():
    """Return what the fields of the document may name."""
    tasks = table("leaderboards/bbh_tasks").set_index("dataset")
    gain = tasks["chain of thought"] - tasks["direct"]
    groups = table("leaderboards/bbh_groups").set_index("group")
    methods = table("leaderboards/bbh_methods").set_index("local test")
    behind = table("leaderboards/bbh_behind").set_index("task")
    back = table("leaderboards/bbh_back").set_index(["local test", "asked"])
    unfinished = table("leaderboards/bbh_unfinished").set_index("task").loc["word sorting"]
    both = table("leaderboards/bbh_both_directions").set_index("claim")["estimate"]
    language = gain[settings("leaderboards")["comparisons"][0]["groups"]["language"]]
    algorithmic = gain[settings("leaderboards")["comparisons"][0]["groups"]["algorithmic"]]
    objects = gain[gain.index.str.startswith("tracking shuffled")]
    text = printed("suzgun2023", "text").set_index(["section", "quantity"])["printed"]
    disputed = table("leaderboards/bbh_disputed").set_index(["Where", "Claim"])
    summary = printed("suzgun2023", "table2").set_index("row")
    accuracies = printed("suzgun2023", "eval_metrics").set_index("task")
    read_published = papers.read_published
    accuracies_that_follow = (
        accuracies.size if "files of accuracies" not in disputed.index.get_level_values(0) else 0
    )
    tasks_beside_hyperbaton = (
        len(tasks) - 1
        if tasks["named"][["hyperbaton", "dyck languages", "penguins in a table"]].isna().all()
        else 0
    )
    language_gains_of_24 = ((language > 23) & (language < 25)).sum()
    small_language_gains = ((language > 0) & (language < 14)).sum()
    largest_gains_count_for_less = (groups["gain as the paper counts"] < groups["gain"])[
        ["algorithmic", "all"]
    ].all() and list(gain.nlargest(2).index) == [
        t for t in gain.nlargest(2).index if t in objects.index
    ]
    models_with_thoughts = len({row.split()[0] for row in summary.index if row.endswith("CoT")})
    tasks_with_a_gain = (
        (gain > 0).sum()
        if back["at least"]["Fisher", "alone"] == 0 and back["at least"]["Simes", "alone"] == 1
        else 0
    )
    swapped_human_means = (
        2
        if [summary.loc["human best", c] for c in ("NLP", "algorithmic")]
        == list(
            printed("suzgun2023", "table3")
            .set_index("task")
            .loc[["Algorithmic Task (avg)", "NLP Task (avg)"], "human best"]
        )
        else 0
    )
    people_passed = amount(
        disputed.loc[("Table 2", "InstructGPT CoT above human average"), "What follows"]
    )
    people_passed_as_printed = amount(
        disputed.loc[("Table 2", "InstructGPT CoT above human average"), "Printed"]
    )
    helped = disputed["What follows"].filter(like="Salient").iloc[0]
    rows = printed("suzgun2023", "table3").iloc[:-3]
    codex_disputed = sum(w == "Table 3" and "Codex" in claim for w, claim in disputed.index)
    asked_both = back.xs("both directions", level="asked")["at least"]
    won_and_none_lost = (
        amount(both["chain of thought better"]) if amount(both["direct better"]) == 0 else 0
    )
    totals = table("leaderboards/leaderboards_audit_totals")
    verdicts = totals[totals["paper"] == "Suzgun et al. 2023"]
    return locals()
