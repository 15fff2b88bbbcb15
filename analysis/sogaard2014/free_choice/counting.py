"""What the p-values of a free choice add up to: datasets, turns and families."""

import numpy as np
import pandas as pd

from analysis.sogaard2014.free_choice.pvalues import two_sided
from replicability import checks
from replicability.stats import (
    multiple_testing,
    paired,
    partial_conjunction,
)


def averaged(found, axis):
    """Average p-values over runs, as the paper does.

    `found`: as `by_size` returns it, or `by_length`, which has no runs.

    Returns DataFrame. Columns dataset, metric, `axis` and p_value, in the order of the datasets.
    """
    keys = ["dataset", "metric", axis]
    means = found.groupby(keys, sort=False)["p_value"].mean().reset_index()
    return means.dropna(ignore_index=True)


def turns(found, axis, alpha, above=0):
    """Say where significance comes and goes along a path.

    `found`: as `averaged` returns it. `alpha`: a difference is significant if p <= alpha. `above`:
    values of `axis` up to this are ignored.

    Returns DataFrame. One row per dataset and metric: ``ever``, ``finally`` (on the last value),
    ``lost`` (a significant result is followed by one that is not), ``gained`` (the first is not
    significant, the last one is) and ``tests``.
    """
    kept = found[found[axis] > above]
    rows = []
    for (dataset, metric), path in kept.groupby(["dataset", "metric"], sort=False):
        small = (path.sort_values(axis)["p_value"] <= alpha).to_numpy()
        rows.append(
            {
                "dataset": dataset,
                "metric": metric,
                "tests": len(small),
                "ever": small.any(),
                "finally": small[-1],
                "lost": bool((small[:-1] & ~small[1:]).any()),
                "gained": bool(~small[0] & small[-1]),
            }
        )
    return pd.DataFrame(rows)


def family(found, alpha):
    """Count the tests that a researcher could choose from as one family.

    `found`: tests of one dataset, as `tests` returns them; those without a p-value are left out.
    `alpha`: level, in (0, 1).

    Returns dict. ``tests``, their number; ``small``, p-values of the system that is ahead of at
    most alpha; ``smallest``, the least of them; and ``k_hat`` by Bonferroni from two-sided
    p-values, which leave no choice of direction: on how many tests the systems differ, whatever the
    dependence, and as many as Holm's procedure names.

    Raises `InputError`: if there is no test with a p-value.
    """
    kept = found.dropna(subset=["p_value"])
    if kept.empty:
        raise checks.InputError("A family has no test with a p-value; pass larger samples.")
    both = two_sided(kept["p_value"])
    return {
        "tests": len(kept),
        "small": int((kept["p_value"] <= checks.alpha(alpha)).sum()),
        "smallest": float(kept["p_value"].min()),
        "k_hat": int(partial_conjunction.k_hat(both, alpha, dependence="dependent")),
    }


def summary(full, sizes, lengths, alpha, smallest):
    """Count the datasets with a significant difference, as the text of the paper does.

    `full`, `sizes`, `lengths`: as `scores`, `by_size` and `by_length` return them, for one task;
    p-values at one size are averaged over runs. `alpha`: a difference is significant if p <= alpha.
    `smallest`: sizes of samples up to this, in words, are ignored.

    Returns DataFrame. Columns ``quantity`` and ``ours``, such as "3/15"; sizes and lengths are
    counted by every metric, sizes also without averaging, in the first random order alone.
    """
    small = full.assign(small=full["p_value"] <= alpha).pivot_table(
        index="dataset", columns="metric", values="small", aggfunc="first", sort=False
    )
    counted = {f"significant by {metric}": small[metric] for metric in small}
    counted["significant by any metric"] = small.any(axis=1)
    counted["significant by every metric"] = small.all(axis=1)
    orders = {"": sizes, ", one order": sizes[sizes["run"] == 0]}
    for metric in small:
        for name, found in orders.items():
            path = averaged(found[found["metric"] == metric], "size")
            path = turns(path, "size", alpha, smallest)
            counted[f"lose significance with more data by {metric}{name}"] = path["lost"]
            counted[f"gain significance with more data by {metric}{name}"] = path["gained"]
        path = turns(averaged(lengths[lengths["metric"] == metric], "length"), "length", alpha)
        counted[f"significant at some length by {metric}"] = path["ever"]
    rows = [(quantity, f"{of.sum()}/{len(small)}") for quantity, of in counted.items()]
    return pd.DataFrame(rows, columns=["quantity", "ours"])


PRINTED = {
    ("POS", "significant by TA"): ("3.2", "POS: significant data sets"),
    ("POS", "significant by any metric"): ("3.3", "POS: significant by any metric"),
    ("POS", "significant by every metric"): ("3.3", "POS: significant by every metric"),
    ("POS", "lose significance with more data by TA"): (
        "1",
        "POS comparisons that lose significance with more data",
    ),
    ("POS", "significant at some length by TA"): ("3.5", "POS: significant at some length"),
    ("Parsing", "gain significance with more data by LAS"): (
        "3.4",
        "Parsing: data sets that gain significance by LAS",
    ),
}
"""Task and quantity of `summary` -> section and quantity in ``text.csv`` of the paper."""


def beside_published(summaries, text):
    """Put the published counts beside those of `summary`.

    `summaries`: task -> as `summary` returns it. `text`: ``text.csv`` of the paper.

    Returns DataFrame of str. Columns task, quantity, published ("" if the paper has no such number)
    and ours.
    """
    printed = text.set_index(["section", "quantity"])["printed"]
    table = pd.concat(summaries, names=["task"]).reset_index(level="task")
    keys = zip(table["task"], table["quantity"], strict=True)
    table.insert(2, "published", [printed[PRINTED[k]] if k in PRINTED else "" for k in keys])
    return table.reset_index(drop=True)


def evaluation_data(pairs, tasks):
    """Describe the datasets (Table 1).

    `pairs`: one per dataset. `tasks`: what they serve.

    Returns DataFrame. Columns dataset, tasks, sentences, words, and unknown, unknown words; NaN
    where they are not counted.
    """
    return pd.DataFrame(
        {
            "dataset": pair.dataset,
            "tasks": ", ".join(tasks),
            "sentences": len(pair),
            "words": pair.words.sum(),
            "unknown": pair.a["UA"][..., 1].sum() if "UA" in pair.a else np.nan,
        }
        for pair in pairs
    )


def families(full, sizes, lengths, alpha):
    """Count the choices of each dataset (metric, sample size, length) as families.

    `full`, `sizes`, `lengths`: as `scores`, `by_size` and `by_length` return them, for one task; of
    the sizes the first run counts, and for size and length the standard metric, the first.

    Returns DataFrame. One row per dataset and choice ("metric", "size", "length", "any"), with the
    columns of `family`; "any" is every metric at every size and length.
    """
    standard = full["metric"].iloc[0]
    sizes = sizes[sizes["run"] == 0]
    rows = []
    for dataset in full["dataset"].unique():
        one, two, three = (t[t["dataset"] == dataset] for t in (full, sizes, lengths))
        choices = {
            "metric": one,
            "size": two[two["metric"] == standard],
            "length": three[three["metric"] == standard],
            "any": pd.concat([two, three[three["length"] < three["length"].max()]]),
        }
        rows += [{"dataset": dataset, "choice": c, **family(f, alpha)} for c, f in choices.items()]
    return pd.DataFrame(rows)


def across(full, alpha):
    """Count the datasets of each metric, as Dror et al. (2017) do, in both directions.

    `full`: as `scores` returns it, for independent datasets. `alpha`: level, in (0, 1).

    Returns DataFrame. One row per metric: ``difference`` of the averages over datasets;
    ``wilcoxon``, the two-sided p-value of the signed-rank test across datasets; and for "A is
    better" (``a_``) and "B is better" (``b_``) the number of one-sided p-values of at most alpha
    (``small``), k-hat by Bonferroni and by Fisher, and the datasets that Holm's procedure names
    (``named``).
    """
    rows = []
    for metric, part in full.groupby("metric", sort=False):
        a, b = (part[side].to_numpy() for side in "ab")
        test = paired.wilcoxon(a, b, alternative="two-sided")
        row = {"metric": metric, "difference": (a - b).mean(), "wilcoxon": test.pvalue}
        for better, sign in (("a", 1), ("b", -1)):
            ahead = sign * part["difference"] >= 0
            p = np.where(ahead, part["p_value"], 1 - part["p_value"])
            row |= {
                f"{better}_small": int((p <= alpha).sum()),
                f"{better}_bonferroni": partial_conjunction.k_hat(p, alpha),
                f"{better}_fisher": partial_conjunction.k_hat(
                    p, alpha, "fisher", dependence="independent"
                ),
                f"{better}_named": list(part["dataset"][multiple_testing.identify(p, alpha)]),
            }
        rows.append(row)
    return pd.DataFrame(rows)
