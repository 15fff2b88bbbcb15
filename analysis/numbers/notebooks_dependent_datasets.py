"""Numbers of notebooks/dependent_datasets.ipynb."""

from analysis.numbers.committed import outcomes, table
from replicability.core import procedure


def numbers():
    """Return what the fields of the document may name."""
    counts = table("open/dependence_counts").set_index(["A", "B"])
    joint_sum = procedure.TITLES["joint_sum"]
    chosen = counts.loc[("AE-SCL-SR", "LR")]
    highest = counts.loc[("SCL", "LR")]
    reviews = outcomes("sentiment_reviews.parquet")
    named = reviews["dataset"].drop_duplicates()
    sharing = named.str.split(" → ").str[1].value_counts()
    mean = {
        better: {
            c: float(rows[c].str.split(" ± ").str[0].iloc[0]) for c in ("Bonferroni", joint_sum)
        }
        for better, rows in table("open/dependence_bounds")
        .query("datasets == 10 and correlation == 0")
        .groupby("truly better")
    }
    strong = (
        table("open/dependence_bounds")
        .query("correlation == 0.8")
        .assign(half=lambda t: 2 * t["truly better"] == t["datasets"])
        .query("half and datasets <= 20")
    )

    def first(column):
        return strong[column].str.split(" ± ").str[0].astype(float)

    grid = table("open/dependence_errors")
    halves = (
        table("open/dependence_names")
        .assign(half=lambda t: 2 * t["truly better"] == t["datasets"])
        .query("half")
        .drop(columns="half")
    )
    related = halves.query("correlation > 0")

    def name(column, rows=halves):
        return rows[column].str.split(" ± ").str[0].astype(float)

    strong_datasets = (
        strong["datasets"].max() if (first(joint_sum) < first("Bonferroni")).all() else None
    )
    half_better = (
        (halves["truly better"] / halves["datasets"]).max()
        if (name(joint_sum) < name("Bonferroni")).all()
        else None
    )
    half_better_correlated = (
        (related["truly better"] / related["datasets"]).max()
        if all(
            (name(joint_sum, related) < name(c, related)).all()
            for c in related.columns[3:].drop(joint_sum)
        )
        else None
    )
    measured_bounds = table("open/dependence_bounds").query("`truly better` > 0")
    falling = measured_bounds.groupby(["datasets", "truly better"])[joint_sum].agg(
        lambda cells: float(cells.iloc[-1].split(" ± ")[0]) < float(cells.iloc[0].split(" ± ")[0])
    )
    falls_with_dependence = falling.all()
    below_bonferroni = bool((first(joint_sum) < first("Bonferroni")).all())
    rates = grid.set_index(["datasets", "truly better", "correlation"])
    rates, error = (rates.map(lambda cell, i=i: float(cell.split(" ± ")[i])) for i in (0, 1))
    kept = rates - 3 * error <= 0.05
    broken = ~kept.query("correlation > 0")[["Fisher", "truncated Fisher"]]
    measured = [joint_sum, "calibrated Simes", "step-down max-T"]
    sound = kept[["Bonferroni", "Simes", procedure.TITLES["joint"], *measured]].all(axis=1)
    keeping = ["Bonferroni", "Simes", *measured[1:]]

    def largest(rows, procedure, others):
        values = rows[[procedure, *others]].map(lambda cell: float(str(cell).split(" ± ")[0]))
        return bool((values[others].max(axis=1) <= values[procedure]).all())

    bounds = table("open/dependence_bounds").query("`truly better` == datasets == 10")
    above_others = largest(bounds, joint_sum, keeping)
    everywhere = table("open/dependence_names").query("`truly better` == datasets")
    joint_names_most = largest(everywhere, joint_sum, keeping)
    max_t_names_most = largest(
        halves.query("correlation == 0.8"), "step-down max-T", [*keeping[:3], joint_sum]
    )
    return locals()
