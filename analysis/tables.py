"""Tables: the only place for rounding, column order and file formats."""

import re

import numpy as np
import pandas as pd

from analysis import data, paths

MARKS = ("*", "+", "†", "‡")
"""Marks of identified datasets, one for each level in the order given (Tables 3 to 5)."""

WIDEST_PADDED = 80
"""Characters in a cell up to which Markdown columns are padded to one width."""


def probability(value, error=None):
    """Write a probability with four decimals, with its standard error if there is one.

    Parameters
    ----------
    value : float
        In [0, 1]; NaN where there is no value.
    error : float, optional
        Standard error.

    Returns
    -------
    str
        Such as "0.9941" or "0.9940 ± 0.0024"; "" for NaN.
    """
    if np.isnan(value):
        return ""
    return f"{value:.4f}" if error is None else f"{value:.4f} ± {error:.4f}"


def marks(findings):
    """Mark the datasets that are identified, one mark for each level.

    Parameters
    ----------
    findings : sequence of report.Finding
        Findings about one comparison, at most as many as there are `MARKS`.

    Returns
    -------
    list of str
        For each dataset the marks of the levels at which it is identified, "" if there is none.
    """
    return [
        "".join(mark for mark, found in zip(MARKS, column, strict=False) if found)
        for column in zip(*(finding.identified for finding in findings), strict=True)
    ]


def section(comparisons, results, findings):
    """Regenerate a section's table: scores and p-values, with Holm's marks computed.

    Parameters
    ----------
    comparisons : sequence of data.Comparison
        Comparisons over the same datasets.
    results : sequence of DataFrame
        As `evaluation.evaluate` returns them, in the same order.
    findings : sequence of report.Finding
        For each comparison one finding per level, in the order of the levels.

    Returns
    -------
    DataFrame of str
        One row per dataset; for each comparison its scores (once per system, unless they differ),
        p-values and marks. What was printed is shown as printed; what was computed is rounded.
    """
    table = None
    for comparison, result in zip(comparisons, results, strict=True):
        columns = _printed(comparison) if "how" not in result else _computed(comparison, result)
        own = [finding for finding in findings if finding.title == comparison.title]
        columns["Holm"] = marks(own)
        table = _joined(table, columns, comparison.title if len(comparisons) > 1 else "")
    return table.rename_axis(index=table.index.name or "dataset").reset_index().fillna("")


def _joined(table, columns, title):
    """Put the columns of a comparison beside those before; one that says the same stands once."""
    if title:
        columns = columns.rename(columns={"Holm": f"Holm {title}"})
    if table is None:
        return columns
    shared = [
        name for name in columns if name in table and columns[name].equals(table[name].dropna())
    ]
    columns = columns.drop(columns=shared)
    columns = columns.rename(columns={n: f"{n} {title}" for n in columns if n in table})
    order = list(dict.fromkeys([*table.index, *columns.index]))
    return pd.concat([table.reindex(order), columns.reindex(order)], axis=1)


def _printed(comparison):
    """Return the columns of a table of p-values as they are printed, by dataset."""
    names = comparison.columns
    printed = data.chosen(comparison, data.read_printed(comparison), names["dataset"])
    wanted = [names["dataset"], *names.get("scores", ()), names["p_value"]]
    return printed[wanted].set_index(names["dataset"])


def _computed(comparison, result):
    """Return rounded columns of what was computed from instances, by dataset."""
    a, b = comparison.systems
    digits = 2 if comparison.per_cent else 3
    columns = {
        "n": result["n"].map("{:,}".format),
        a: result["score_a"].map(f"{{:.{digits}f}}".format),
        b: result["score_b"].map(f"{{:.{digits}f}}".format),
        f"p-val ({a},{b})": result["p_value"].map(pvalue),
    }
    return pd.DataFrame(columns).set_index(result["dataset"])


def pvalue(p):
    """Write a p-value with four decimals, or with two digits if that would be 0.

    Parameters
    ----------
    p : float
        In [0, 1].

    Returns
    -------
    str
        Such as "0.0123" or "1.2e-07".
    """
    return f"{p:.4f}" if p >= 5e-4 or p == 0 else f"{p:.1e}"


def overestimation(rows, published, n_small, n_large):
    """Lay out the probabilities of k-hat > k for reading.

    Parameters
    ----------
    rows : DataFrame
        As `report.overestimation` returns it.
    published : sequence of str
        The published probabilities, in the order of the rows.
    n_small, n_large : int
        Numbers of families.

    Returns
    -------
    DataFrame of str
        Probabilities with four decimals and standard errors.
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

    Parameters
    ----------
    rows : DataFrame
        As `calibration.rejection_table` returns it.

    Returns
    -------
    DataFrame of str
        Rates with standard errors, grouped by scores; "+" marks those that are anti-conservative,
        "−" those that are conservative.
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


_VERDICTS = {"nominal": "", "anti-conservative": " +", "conservative": " −"}


def marks_note(alphas):
    """Explain the marks for a caption.

    Parameters
    ----------
    alphas : sequence of float
        Levels, in the order of the marks.

    Returns
    -------
    str
        Such as "* and + mark datasets identified by Holm's procedure at alpha = 0.05 and 0.01".
    """
    used = " and ".join(MARKS[: len(alphas)])
    levels = " and ".join(f"{alpha:g}" for alpha in alphas)
    verb = "mark" if len(alphas) > 1 else "marks"
    return f"{used} {verb} the datasets that Holm's procedure identifies at alpha = {levels}."


def save(table, outputs, stem, caption):
    """Write a table as CSV, Markdown, LaTeX (booktabs) and HTML.

    Parameters
    ----------
    table : DataFrame
        Cells as they are to be read; the index is not written.
    outputs : str
        Folder of the run; the files go to its ``tables``.
    stem : str
        File name without ending: number of the paper's item first, meaning second.
    caption : str
        One or two sentences; the label of the LaTeX table is ``tab:<stem>``.

    Returns
    -------
    DataFrame
        `table`, to be shown.
    """
    folder = paths.outputs(outputs, "tables")
    table.to_csv(folder / f"{stem}.csv", index=False, lineterminator="\n")
    markdown = table.to_markdown(index=False, disable_numparse=True)
    if table.astype(str).map(len).to_numpy().max(initial=0) > WIDEST_PADDED:
        markdown = re.sub(r"-{3,}", "---", re.sub(r" {2,}", " ", markdown))
    (folder / f"{stem}.md").write_text(f"{markdown}\n\n{caption}\n", encoding="utf-8")
    (folder / f"{stem}.tex").write_text(_latex(table, stem, caption), encoding="utf-8")
    (folder / f"{stem}.html").write_text(_html(table, caption), encoding="utf-8")
    return table


_LATEX = {
    "→": r"\ensuremath{\rightarrow}",
    "±": r"\ensuremath{\pm}",
    "≤": r"\ensuremath{\le}",
    "ρ": r"\ensuremath{\rho}",
    "α": r"\ensuremath{\alpha}",
    "k̂": r"\ensuremath{\hat k}",
    "†": r"\textdagger{}",
    "‡": r"\textdaggerdbl{}",
    "−": "--",
}
LONG = 40
"""Rows above which a LaTeX table may break across pages (longtable)."""
WIDEST_COLUMN = 36
"""Characters above which a column of a LaTeX table breaks its lines."""


def _latex(table, stem, caption):
    escaped = table.astype(str).rename(columns=str)
    style = escaped.style.hide(axis="index")
    style = style.format(escape="latex").format_index(escape="latex", axis="columns")
    long = len(table) > LONG
    longest = escaped.map(len).max()
    sentences = longest[longest > WIDEST_COLUMN].index
    columns = [
        rf"p{{{0.65 / len(sentences):.2f}\linewidth}}"
        if name in sentences
        else ("r" if _is_numeric(escaped[name]) else "l")
        for name in escaped
    ]
    text = style.to_latex(
        hrules=True,
        column_format="".join(columns),
        environment="longtable" if long else None,
        position=None if long else "t",
        position_float=None if long else "centering",
        caption=caption.replace("%", r"\%").replace("_", r"\_"),
        label=f"tab:{stem}",
    )
    for character, command in _LATEX.items():
        text = text.replace(character, command)
    return text


def _is_numeric(column):
    return pd.to_numeric(column.replace("", np.nan), errors="coerce").notna().any()


def _html(table, caption):
    body = table.to_html(index=False, border=0, justify="left")
    return (
        f'<!doctype html>\n<meta charset="utf-8">\n<title>{caption}</title>\n'
        "<style>body{font-family:sans-serif;margin:1.5em}table{border-collapse:collapse}"
        "th,td{padding:.25em .8em;border-bottom:1px solid #ccc;text-align:left}</style>\n"
        f"<p>{caption}</p>\n{body}\n"
    )


def many_metrics(rows, n_small, n_large):
    """Lay out how often a free choice finds a difference where there is none.

    Parameters
    ----------
    rows : DataFrame
        As `many_metrics.rates` returns it, with a column ``published`` of numbers as printed, ""
        where there is none.
    n_small, n_large : int
        Numbers of repetitions, the published one first.

    Returns
    -------
    DataFrame of str
        Probabilities with four decimals and standard errors; "SE apart" is the distance of the
        published rate from theory in standard errors of the published number of repetitions.
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
            "SE apart": ["" if np.isnan(x) else f"{x:+.1f}".replace("-", "−") for x in apart],
            "P(k̂ > 0)": map(probability, rows["k_hat"]),
            "theory, k̂": map(probability, rows["k_hat_theory"]),
        }
    )


def predictive_values(rows, published):
    """Lay out the numbers of Section 4 of Søgaard et al. (2014) for several degrees of bias.

    Parameters
    ----------
    rows : DataFrame
        As `many_metrics.section4` returns it.
    published : Series of str
        Quantity -> number as printed; "" is shown for those that it lacks.

    Returns
    -------
    DataFrame of str
        One row per quantity; "none" where no cut-off reaches the target.
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
