"""Tables of Section 5 and of the sizes of the tests."""

import numpy as np
import pandas as pd

from analysis import verdicts
from analysis.dror2017 import audit
from analysis.dror2017.claims import STUDY, judged_of
from analysis.published import read_published
from replicability.core import findings
from replicability.show.tables import probability


def overestimation(rows, published, n_small, n_large):
    """Lay out the probabilities of k-hat > k for reading.

    `rows`: as `report.overestimation` returns it. `published`: the published probabilities, in the
    order of the rows. `n_small`, `n_large`: numbers of families.

    Returns DataFrame of str. Probabilities with four decimals and standard errors.
    """
    return pd.DataFrame(
        {
            "example": rows["example"],
            "estimator": rows["estimator"],
            "published": list(published),
            f"{n_small:,} families": map(probability, rows["small"], rows["small_error"]),
            f"{n_large:,} families": map(probability, rows["large"], rows["large_error"]),
            "exact": map(probability, rows["exact"]),
            "P(k̂ > k + 1)": map(probability, rows["large_above_one"]),
        }
    )


def rejection_rates(rows):
    """Lay out rejection rates: one row per test and level, one column per sample size.

    `rows`: as `type1_error.rejection_table` returns it.

    Returns DataFrame of str. Rates with standard errors, grouped by scores; "+" marks those that
    are anti-conservative, "−" those that are conservative.
    """
    cells = rows.assign(
        scores=rows["model"].str.replace("_", " "),
        alpha=rows["alpha"].map("{:g}".format),
        repetitions=rows["n_repetitions"].map("{:,}".format),
        cell=[
            probability(row.rate, row.standard_error) + _VERDICTS[row.verdict]
            for row in rows.itertuples()
        ],
    ).rename(columns={"title": "test", "test": "name"})
    cells = cells.iloc[np.argsort(pd.factorize(cells["scores"])[0], kind="stable")]
    keys = ["scores", "test", "alpha", "repetitions"]
    wide = cells.pivot_table(index=keys, columns="n", values="cell", aggfunc="first")
    order = pd.MultiIndex.from_frame(cells[keys].drop_duplicates())
    wide = wide.reindex(order).fillna("").rename(columns="n = {:,}".format)
    return wide.rename_axis(columns=None).reset_index()


def margin_sizes(rows):
    """Lay out sizes and powers of tests with a margin: one row per test and claim.

    `rows`: as `margin_sizes.table` returns it.

    Returns DataFrame of str. For each sample size the size, marked as in `rejection_rates`, and the
    power.
    """

    def shares(name):
        return pd.Series(map(probability, rows[name], rows[f"{name}_error"]), rows.index)

    cells = rows.assign(
        claim=rows["claim"].str.replace("_", " "),
        margin=rows["margin"].map("{:g}".format),
        repetitions=rows["n_repetitions"].map("{:,}".format),
        size=shares("size") + rows["verdict"].map(_VERDICTS),
        power=shares("power"),
    ).rename(columns={"title": "test", "test": "name", "model": "scores"})
    keys = ["scores", "margin", "claim", "test", "repetitions"]
    wide = cells[keys].drop_duplicates()
    for n, part in cells.groupby("n"):
        found = {"size": f"size, n = {n:,}", "power": f"power, n = {n:,}"}
        wide = wide.merge(part[[*keys, *found]].rename(columns=found))
    return wide


_VERDICTS = {"nominal": "", "anti-conservative": " +", "conservative": " −"}


def printed_counts():
    """Return the estimates that the paper prints in Table 1 and footnote 13, as text."""
    return pd.concat(read_published("dror2017", item) for item in ("table1", "footnote13"))


def with_printed(counts, printed):
    """Add what was printed to counts of the same comparisons and levels.

    `counts`: as `replicability.Results.counts` returns it. `printed`: columns ``comparison``,
    ``alpha`` and ``k_<estimator>``, as printed.

    Returns DataFrame. `counts` with a column ``printed_<estimator>`` for each estimator of both,
    NaN where nothing was printed.
    """
    keys = ["comparison", "alpha"]
    theirs = printed.astype({"alpha": float}).set_index(keys)
    theirs = theirs[[name for name in counts if name.startswith("k_") and name in theirs]]
    theirs = theirs.astype(float).rename(columns=lambda name: name.replace("k_", "printed_", 1))
    return counts.join(theirs, on=keys)


def with_both(counts, results):
    """Add columns ``both_a`` and ``both_b``: what holds in both directions at the same level.

    They are numbers of datasets by the recommended method; NaN where p-values are of one direction.
    """
    asked = {result.title: (result.comparison, result.evaluated) for result in results}
    found = [
        [finding.k for finding in findings.find_both(*asked[title], alpha)]
        if findings.has_both(*asked[title])
        else [np.nan] * 2
        for title, alpha in zip(counts["comparison"], counts["alpha"], strict=True)
    ]
    forth, back = zip(*found, strict=True)
    return counts.assign(both_a=forth, both_b=back)


def overview(settings, results):
    """Lay out what a study finds in both directions and, of the paper's, what it prints.

    Returns DataFrame. As `printed_and_found` returns it, at the first level, which is in ``alpha``.
    """
    counts = with_both(results.counts(both=False), results)
    alpha = counts["alpha"].iloc[0]
    first = counts[counts["alpha"] == alpha].reset_index(drop=True)
    study = "published" if settings.name == "paper" else "open"
    rows = first[["comparison", "datasets", "alpha"]].assign(study=study)
    both = list(first[["both_a", "both_b"]].astype(float).itertuples(index=False, name=None))
    return rows.join(_readings(rows, both, alpha))


def beside(ours, theirs, printed=None):
    """Lay the counts of the open study beside those of the published one, section by section.

    `ours`, `theirs`: of the open and the published study.

    Returns DataFrame. The rows of both with the columns ``section`` and ``study`` ("published"
    first).
    """
    rows = []
    for study, results in (("published", theirs), ("open", ours)):
        counts = results.counts(both=False)
        if study == "published" and printed is not None:
            counts = with_printed(counts, printed)
        sections = [result.comparison.section for result in results for _ in result.findings]
        rows.append(counts.assign(section=sections, study=study))
    order = list(dict.fromkeys(section for part in rows for section in part["section"]))
    table = pd.concat(rows)
    table["section"] = pd.Categorical(table["section"], order)
    table = table.sort_values("section", kind="stable").astype({"section": str})
    table["section"] = table["section"].str.replace("_", " ")
    first, last = ["section", "study"], ["recommended"]
    between = table.columns.drop([*first, *last])
    return table[[*first, *between, *last]].reset_index(drop=True)


def printed_and_found(counts, directions, alpha):
    """Lay what was printed beside what is found in both directions.

    `counts`: as `beside` returns it. `directions` (dict of str to DataFrame): study -> as
    `replicability.Results.both_directions` returns it. `alpha`: one of the levels of `counts`; the
    joint level of `directions`.

    Returns DataFrame. One row per comparison: ``section``, ``study``, ``comparison``, ``datasets``;
    the ``printed`` number, NaN without one, and whether the claim ``holds`` by every reading; the
    numbers of datasets on which A is better, the smallest (``a``) and the largest (``a_most``) of
    all readings of the printed p-values, and the same for B; NaN of B where the printed claim about
    A holds by every reading.
    """
    claims = {
        (study, comparison): tuple(part["estimate"].str.partition(" of ")[0].astype(float))
        for study, table in directions.items()
        for comparison, part in table.groupby("comparison", sort=False)
    }
    rows = counts[counts["alpha"] == alpha].reset_index(drop=True)
    rows = rows[["section", "study", "comparison", "datasets"]]
    keys = zip(rows["study"], rows["comparison"], strict=True)
    return rows.join(_readings(rows, [claims.get(key, (np.nan,) * 2) for key in keys], alpha))


def _readings(rows, both, alpha):
    """Return what is printed and what is found, of published p-values by reading."""
    columns = audit.columns_of(STUDY) if "published" in set(rows["study"]) else {}
    found = []
    for row, (a, b) in zip(rows.to_dict("records"), both, strict=True):
        column, claim = columns.get(row["comparison"]), None
        if row["study"] == "published" and column is not None:
            bounds = audit.both_systems(column, alpha).bounds.values()
            a, b = [one.a for one in bounds], [one.b for one in bounds]
            claim = judged_of(row["comparison"], alpha)
            if claim is not None and claim.verdict == verdicts.YES:  # of A, as the paper asks
                a, b = [*claim.found.values()], np.nan
        found.append(
            {
                "printed": claim.claimed if claim else np.nan,
                "holds": claim is not None and claim.verdict == verdicts.YES,
                **{"a": np.min(a), "a_most": np.max(a), "b": np.min(b), "b_most": np.max(b)},
            }
        )
    return pd.DataFrame(found, index=rows.index)
