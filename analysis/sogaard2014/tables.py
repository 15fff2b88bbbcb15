"""Tables of Søgaard et al. (2014)."""

import re

import numpy as np
import pandas as pd

from analysis.published import read_published
from replicability.core.numbers import rounded
from replicability.show.tables import probability, pvalue, signs


def many_metrics(rows, n_small, n_large):
    """Lay out how often a free choice finds a difference where there is none.

    `rows`: as `many_metrics.rates` returns it, with a column ``published`` of numbers as printed,
    "" where there is none. `n_small`, `n_large`: numbers of repetitions, the published one first.

    Returns DataFrame of str. Probabilities with four decimals and standard errors; "SE apart" is
    the distance of the published rate from theory in standard errors of the published number of
    repetitions.
    """
    theory = rows["theory"]
    apart = (pd.to_numeric(rows["published"]) - theory) / np.sqrt(theory * (1 - theory) / n_small)
    return pd.DataFrame(
        {
            "choice": rows["choice"],
            "α": rows["alpha"].map("{:g}".format),
            "tests": rows["tests"].astype(str),
            "published": rows["published"].map(_per_cent),
            f"{n_small:,} draws": map(probability, rows["small"], rows["small_error"]),
            f"{n_large:,} draws": map(probability, rows["large"], rows["large_error"]),
            "theory": map(probability, theory),
            "basis": rows["exact"].map({True: "exact", False: "large samples"}),
            "SE apart": ["" if np.isnan(x) else rounded(x, 1, "+", "−") for x in apart],
            "P(k̂ > 0)": map(probability, rows["k_hat"]),
            "theory, k̂": map(probability, rows["k_hat_theory"]),
        }
    )


def overstatement(found):
    """Lay out how often estimates exceed k, and a test without a difference is named.

    `found`: as `many_metrics.overstatement` returns it.

    Returns DataFrame. Four decimals.
    """
    names = {
        "mean": "mean estimate",
        "above": "P(estimate > k)",
        "error": "standard error",
        "false_name": "P(a false name)",
    }
    estimator = "k_" + found["estimator"]
    return found.assign(estimator=estimator).rename(columns=names).round(4)


def predictive_values(rows, published):
    """Lay out the numbers of Section 4 of Søgaard et al. (2014) for several degrees of bias.

    `rows`: as `many_metrics.section4` returns it. `published`: quantity -> number as printed; "" is
    shown for those that it lacks.

    Returns DataFrame of str. One row per quantity; "none" where no cut-off reaches the target.
    """
    columns = {
        f"bias u = {bias:g}": ["none" if np.isnan(x) else f"{x:.4g}" for x in rows[bias]]
        for bias in rows
    }
    printed = [_per_cent(published.get(quantity, "")) for quantity in rows.index]
    return pd.DataFrame({"quantity": rows.index, "published": printed, **columns})


def _per_cent(text):
    """Write a number that is printed in per cent, "4.8e-2", as "4.8%"; leave others as they are."""
    return re.sub(r"^\.", "0.", text).replace("e-2", "%")


def directed(full):
    """Lay out p-values of two systems by dataset and metric, with the direction of each.

    `full`: as `free_choice.scores` returns it.

    Returns DataFrame of str. One row per dataset, a column per metric; "+" where A is ahead, "−"
    where B is.
    """
    cells = full["p_value"].map(pvalue) + signs(full["difference"])
    wide = full.assign(cell=cells).pivot_table(
        index="dataset", columns="metric", values="cell", aggfunc="first"
    )
    wide = wide.loc[full["dataset"].unique(), full["metric"].unique()].fillna("")
    return wide.rename_axis(columns=None).reset_index()


def tagging(full, wilcoxon):
    """Lay out p-values of tagging: by bootstrap (b) for each metric, and Wilcoxon's (w) for SA.

    `full`: as `free_choice.scores` returns it. `wilcoxon`: a p-value for each dataset.

    Returns DataFrame of str. As `directed`, with one more column.
    """
    table = directed(full)
    table = table.rename(columns={name: f"{name} (b)" for name in table.columns.drop("dataset")})
    return table.assign(**{"SA (w)": [pvalue(p) for p in wilcoxon]})


def positive_shares(rows):
    """Lay out shares of significant samples, one column per size (Søgaard et al. 2014, Table 4).

    `rows`: as `free_choice.positive_shares` returns it.

    Returns DataFrame of str. One row per dataset and metric, "" where a sample has too few
    sentences.
    """
    keys = ["dataset", "metric"]
    cells = rows.assign(
        cell=rows["positive"].map("{:.0%}".format), share=rows["share"].map("{:.0%}".format)
    )
    wide = cells.pivot_table(index=keys, columns="share", values="cell", aggfunc="first").fillna("")
    order = pd.MultiIndex.from_frame(rows[keys].drop_duplicates())
    shares = [f"{share:.0%}" for share in sorted(rows["share"].unique())]
    whole = rows[rows["share"] == rows["share"].max()].set_index(keys)["sentences"]
    wide = wide.reindex(order)[shares]
    wide.insert(0, "sentences", [f"{whole[key]:,}" for key in wide.index])
    return wide.rename_axis(columns=None).reset_index()


def evaluation_data(rows):
    """Lay out the sizes of datasets.

    `rows`: as `free_choice.evaluation_data` returns it.

    Returns DataFrame of str. Counts with commas, "" for those that are missing. The archive of
    CoNLL 2003 has a line -DOCSTART- for each article, as a sentence of one word; these are counted
    for themselves.
    """
    printed = read_published("cited", "numbers").set_index("quantity")["printed"]
    part = rows["dataset"].replace({"CoNLL++": "eng.testb"})
    lines = ("articles of " + part).map(printed).astype(float)
    counts = pd.DataFrame(
        {
            "sentences": rows["sentences"] - lines.fillna(0),
            "words": rows["words"] - lines.fillna(0),
            "unknown words": rows["unknown"],
            "lines -DOCSTART-": lines,
        }
    )
    shown = counts.map(lambda count: "" if np.isnan(count) else f"{count:,.0f}")
    return pd.concat([rows[["dataset", "tasks"]], shown], axis=1)


def choice_families(families):
    """Lay out the choices of each dataset as families of tests.

    `families`: task -> as `free_choice.families` returns it.

    Returns DataFrame of str. One row per task and dataset; for each choice how many p-values are
    small, of how many, and k-hat.
    """
    rows = pd.concat(families, names=["task"]).reset_index(level="task")
    keys = ["task", "dataset"]
    wide = rows[keys].drop_duplicates().set_index(keys)
    for choice, part in rows.groupby("choice", sort=False):
        part = part.set_index(keys)
        wide[f"{choice}: p ≤ α"] = part["small"].astype(str) + "/" + part["tests"].astype(str)
        wide[f"{choice}: k̂"] = part["k_hat"].astype(str)
        wide[f"{choice}: smallest p"] = part["smallest"].map(pvalue)
    return wide.fillna("").reset_index()


def any_choice(families):
    """Count the datasets on which a choice finds anything, and those on which k-hat does.

    Returns DataFrame. One row per task and choice, in their order.
    """
    rows = pd.concat(families, names=["task"])
    rows = rows.assign(
        **{"datasets with some p ≤ α": rows["small"] > 0, "datasets with k̂ > 0": rows["k_hat"] > 0}
    )
    keys = ["task", "choice"]
    return rows.groupby(keys, sort=False)[list(rows.columns[-2:])].sum().reset_index()


def domain_counts(rows, systems):
    """Lay out on how many datasets each of two systems is better, by metric.

    `rows`: as `free_choice.across` returns it. `systems`: names of A and B.

    Returns DataFrame of str. Two rows per metric, one for each system.
    """
    cells = []
    for row in rows.to_dict("records"):
        for side, system in zip("ab", systems, strict=True):
            cells.append(
                {
                    "metric": row["metric"],
                    "A − B, points": rounded(100 * row["difference"], 2, "+", "−"),
                    "Wilcoxon p": pvalue(row["wilcoxon"]),
                    "better": system,
                    "p ≤ α": str(row[f"{side}_small"]),
                    "k̂, Bonferroni": str(row[f"{side}_bonferroni"]),
                    "k̂, Fisher": str(row[f"{side}_fisher"]),
                    "identified": ", ".join(row[f"{side}_named"]),
                }
            )
    return pd.DataFrame(cells)


def ner_metrics(full, resampled, systems=("A", "B")):
    """Lay out the comparison of two named-entity taggers by every metric.

    `full`: as `free_choice.scores` returns it. `resampled`: dataset -> a p-value by resampling for
    each metric, in the order of `full`. `systems`: names of A and B.

    Returns DataFrame of str. One row per dataset and metric; "+" where A is ahead, "−" where B is.
    """
    drawn = {
        (dataset, metric): f"{pvalue(found.pvalue)} ± {found.standard_error:.4f}"
        for dataset, results in resampled.items()
        for metric, found in zip(full["metric"].unique(), results, strict=True)
    }
    keys = zip(full["dataset"], full["metric"], strict=True)
    return pd.DataFrame(
        {
            "dataset": full["dataset"],
            "metric": full["metric"],
            systems[0]: (100 * full["a"]).map("{:.2f}".format),
            systems[1]: (100 * full["b"]).map("{:.2f}".format),
            "p-value": full["p_value"].map(pvalue) + signs(full["a"] - full["b"]),
            "by resampling": [drawn.get(key, "") for key in keys],
        }
    )
