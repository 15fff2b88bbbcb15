"""Tables: the only place for rounding, column order and file formats."""

import html
import re
from typing import ClassVar

import numpy as np
import pandas as pd
import pyarrow as pa

from replicability.core import cautions, procedure
from replicability.core.findings import marks, wording
from replicability.io import files, pvalues
from replicability.show import harmless

WIDEST_PADDED = 80
"""Maximum cell length for which Markdown columns are padded to one width."""


def probability(value, error=None):
    """Write a probability with four decimals, with its standard error if there is one.

    `value`: in [0, 1]; NaN where there is no value. `error`: standard error.

    Returns str. Such as "0.9941" or "0.9940 ± 0.0024"; "" for NaN.
    """
    if np.isnan(value):
        return ""
    return f"{value:.4f}" if error is None else f"{value:.4f} ± {error:.4f}"


def section(comparisons, results, findings):
    """Regenerate a section's table: scores and p-values, with marks of named datasets computed.

    `comparisons` (sequence of study.Comparison): comparisons over the same datasets. `results`
    (sequence of Tested): as `evaluation.evaluate` returns them, in the same order. `findings`
    (sequence of findings.Finding): for each comparison one finding per level, in the order of the
    levels.

    Returns DataFrame of str. One row per dataset; for each comparison its scores (once per system,
    unless they differ), p-values, of both directions if both are asked, and marks, in a column
    "Holm" in the paper's procedure and "named" elsewhere. What was printed is shown as printed;
    what was computed is rounded, with the number of units and the design effect where units are
    larger than items.
    """
    table = None
    for comparison, result in zip(comparisons, results, strict=True):
        own = [finding for finding in findings if finding.title == comparison.title]
        both = marks.asks_both(own)
        computed = "how" in result
        columns = _computed(comparison, result, both) if computed else _printed(comparison, result)
        columns["named" if marks.by_closed_testing(own) else "Holm"] = marks.marks(own)
        table = _joined(table, columns, comparison.title if len(comparisons) > 1 else "")
    table = table.rename_axis(index=table.index.name or "dataset").reset_index()
    lacking = table.columns[table.isna().any()].intersection(table.select_dtypes("number").columns)
    return table.astype(dict.fromkeys(lacking, object)).fillna("")


def section_caption(comparisons, results, findings):
    """Say what a `section` shows, what its marks mean, and what to know of its p-values.

    `comparisons`, `results`, `findings`: as for `section`.

    Returns str. Sentences; a caution that does not hold for all comparisons begins with their
    titles.
    """
    alphas = list(dict.fromkeys(one.alpha for one in findings))
    shown = f"{wording.caption(comparisons)} {marks.marks_note(alphas, findings)}"
    return f"{shown} {_note(comparisons, results, findings)}".rstrip()


def _note(comparisons, results, findings):
    """Say what to know of the p-values, and of which comparison if not of all."""
    titles = {}
    for comparison, result in zip(comparisons, results, strict=True):
        level = max(one.level for one in findings if one.title == comparison.title)
        for caution in cautions.cautions(result, level):
            titles.setdefault(caution, []).append(comparison.title)
    return " ".join(
        text if len(named) == len(comparisons) else f"{', '.join(named)}: {text}"
        for text, named in titles.items()
    )


def _joined(table, columns, title):
    """Put the columns of a comparison beside those before; one that says the same stands once."""
    if title:
        columns = columns.rename(columns={name: f"{name} {title}" for name in ("Holm", "named")})
    if table is None:
        return columns
    order = list(dict.fromkeys([*table.index, *columns.index]))
    table, columns = table.reindex(order), columns.reindex(order)
    alike = [name for name in columns if name in table and _agree(table[name], columns[name])]
    table = table.fillna(columns[alike])
    columns = columns.drop(columns=alike)
    columns = columns.rename(columns={n: f"{n} {title}" for n in columns if n in table})
    return pd.concat([table, columns], axis=1)


def _agree(one, other):
    """Say whether two columns have the same values where both have one."""
    return (one.isna() | other.isna() | (one == other)).all()


def _printed(comparison, result):
    """Return the columns of a table of p-values as they are printed, by dataset."""
    names = comparison.columns
    if comparison.rows:
        passed = {key: pa.array(result[key]).cast(pa.string()).to_pandas() for key in names}
        return pd.DataFrame(passed).astype(str).set_index("dataset")
    printed = pvalues.chosen(comparison, pvalues.read_printed(comparison), names["dataset"])
    wanted = [names["dataset"], *names.get("scores", ()), names["p_value"]]
    return (
        printed[wanted]
        .set_index(names["dataset"])
        .rename(comparison.labels)
        .rename(columns=comparison.labels)
    )


def _computed(comparison, result, both):
    """Return rounded columns of what was computed from items, by dataset."""
    a, b = comparison.systems
    result = result.as_read()
    digits = 2 if comparison.per_cent else 3
    sizes = {"n": result["n"].map("{:,}".format)}
    if "units" in result:
        sizes["units"] = result["units"].map("{:,}".format)
        sizes["design effect"] = result["design_effect"].map("{:.2f}".format, na_action="ignore")
    for side, system in zip("ab", (a, b) if "runs_a" in result else (), strict=False):
        sizes[f"{system} runs"] = result[f"runs_{side}"].map("{:,}".format)
        spread = result[f"spread_{side}"].map(f"{{:.{digits}f}}".format, na_action="ignore")
        sizes[f"{system} SD of runs"] = spread
    columns = sizes | {
        a: result["score_a"].map(f"{{:.{digits}f}}".format),
        b: result["score_b"].map(f"{{:.{digits}f}}".format),
        f"p-val ({a},{b})": result["p_value"].map(pvalue),
    }
    if both:
        columns[f"p-val ({b},{a})"] = result["p_reverse"].map(pvalue)
    return pd.DataFrame(columns).set_index(result["dataset"])


SMALLEST = 1e-300
"""p-values below this number are written as "< 1e-300" because floats lose precision there."""


def pvalue(p, read=False):
    """Write a p-value with four decimals, or with two digits if that would be 0.

    `p`: in [0, 1]. `read`: whether it was read from a file or typed, where 0 is what stands there;
    a computed 0 is a p-value too small for a floating-point number.

    Returns str. Such as "0.0123", "1.2e-07" or "< 1e-300".

    Examples
    --------
    >>> pvalue(0.04), pvalue(0.0), pvalue(1e-320), pvalue(0.0, read=True)
    ('0.0400', '< 1e-300', '< 1e-300', '0')
    """
    if p == 0 and read:
        return "0"
    if p < SMALLEST:
        return f"< {SMALLEST:g}"
    return f"{p:.4f}" if p >= 5e-4 else f"{p:.1e}"


NAMES = {
    "k_count": "p ≤ α",
    **{f"k_{name}": f"k̂, {title}" for name, title in procedure.TITLES.items()},
}
"""Maps the name of an estimate in a CSV file to its printed name."""


def named(table):
    """Write a table for people: names of estimates, gaps and zeros without a sign, commas.

    `table`: estimates are headers, or the cells of ``recommended`` and ``estimator``.

    Returns DataFrame. The same with `NAMES`; whatever is none of them stays as it is. Whole numbers
    of a column that goes beyond 999 have commas between thousands, and where one is missing, the
    cell is "".
    """
    titles = NAMES | procedure.TITLES
    cells = {c: table[c].replace(titles) for c in ("recommended", "estimator") if c in table}
    whole = table.select_dtypes("integer")  # of "Int64" some may be missing
    for name, column in whole.items():
        if column.isna().any() or column.max() > 999:
            cells[name] = column.astype(object).map("{:,}".format, na_action="ignore").fillna("")
    return _unsigned_zeros(table.assign(**cells)).rename(columns=NAMES)


def _unsigned_zeros(table):
    """Write each -0.0 as 0.0, which is what their sum is."""
    found = table.copy()
    for place, kind in enumerate(table.dtypes):
        if pd.api.types.is_float_dtype(kind):
            found.isetitem(place, table.iloc[:, place] + 0.0)
    return found


class Table(pd.DataFrame):
    """A data frame that Jupyter shows with readable headings and without its index.

    Parameters
    ----------
    data : DataFrame or dict
        The cells.
    caption : str
        What it holds and how it is read; `replicability.save` writes it below the table.
    full : DataFrame, optional
        What a CSV file holds instead: more columns, or numbers that are not rounded.
    """

    _metadata: ClassVar[list[str]] = ["caption", "full"]
    _constructor = pd.DataFrame  # what is computed from it is a table like any other

    def __init__(self, data=None, caption="", full=None, **options):
        super().__init__(data, **options)
        self.caption, self.full = caption, full

    def _repr_html_(self):
        return as_html(named(self), notebook=True)

    def __repr__(self):
        """Return the table in columns of text."""
        return named(self).to_string(index=False)


def save(table, outputs, stem, caption, full=None):
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
        A few sentences; the label of the LaTeX table is ``tab:<stem>``.
    full : DataFrame, optional
        What the CSV file holds instead: more columns, or numbers that are not rounded.

    Returns
    -------
    Table
        `table`, to be shown.

    Notes
    -----
    Estimates have their names for people in all files but the CSV. Cells, headers and caption are
    shown as they are: whatever Markdown, LaTeX, HTML or (see `as_csv`) a spreadsheet would take for
    markup or code is escaped.
    """
    folder = files.outputs(outputs, "tables")
    read = named(table)
    written = {
        "csv": as_csv(table if full is None else full),
        "md": markdown(read, caption),
        "tex": latex(read, stem, caption),
        "html": _html(read, caption),
    }
    for ending, text in written.items():
        (folder / f"{stem}.{ending}").write_text(text, encoding="utf-8", newline="\n")
    return Table(table, caption, full)


def as_csv(table):
    """Write a table as CSV that a spreadsheet takes for text and numbers, never for formulas.

    `table`: its index is not written.

    Returns str. CSV. Text that starts as a formula does, with =, +, -, @, a tab or a line break,
    gets an apostrophe before it, unless it holds numbers alone ("-0.12 (-0.30 to 0.06)") or no
    letter and no digit ("+"). Numbers stay as they are, and a zero has no sign.
    """
    cells = _text_mapped(_unsigned_zeros(table), harmless.formula)
    return cells.to_csv(index=False, lineterminator="\n")


def _text_mapped(table, function):
    """Apply a function to headers and to all cells that are text."""

    def mapped(column):
        if pd.api.types.is_numeric_dtype(column):  # before pandas 3, "Int64" is mapped to floats
            return column
        return column.map(lambda cell: function(cell) if isinstance(cell, str) else cell)

    cells = table.apply(mapped)
    return cells.rename(columns=lambda name: function(str(name)))


def markdown(table, caption):
    """Write a table as Markdown; the caption is below it, and all markup is escaped."""
    cells = _text_mapped(table, harmless.markdown)
    text = cells.to_markdown(index=False, disable_numparse=True)
    if table.astype(str).map(len).to_numpy().max(initial=0) > WIDEST_PADDED:
        text = re.sub(r"-{3,}", "---", re.sub(r" {2,}", " ", text))
    below = re.sub(r"^(\s*(?:\d+(?=[.)])|(?=[-+*#>=])))", r"\1\\", harmless.markdown(caption))
    return f"{text}\n\n{below}\n"


LONG = 40
"""Number of rows above which a LaTeX table may break across pages (longtable)."""
WIDEST_COLUMN = 36
"""Number of characters above which a column of a LaTeX table wraps."""


def latex(table, stem, caption):
    """Write a table as LaTeX (booktabs) with the label ``tab:<stem>``; all markup is escaped."""
    escaped = table.astype(str).rename(columns=str)
    style = escaped.style.hide(axis="index").format_index(harmless.latex, axis="columns")
    style = style.format(
        dict.fromkeys(escaped, harmless.latex) | {escaped.columns[0]: harmless.latex_first}
    )
    long = len(table) > LONG
    longest = escaped.map(len).max()
    sentences = longest[longest > WIDEST_COLUMN].index
    columns = [
        rf"p{{{0.65 / len(sentences):.2f}\linewidth}}"
        if name in sentences
        else ("r" if _is_numeric(escaped[name]) else "l")
        for name in escaped
    ]
    return style.to_latex(
        hrules=True,
        column_format="".join(columns),
        environment="longtable" if long else None,
        position=None if long else "t",
        position_float=None if long else "centering",
        caption=harmless.latex(caption),
        label=f"tab:{stem}",
    )


def _is_numeric(column):
    plain = column.str.replace(r"(?<=\d),(?=\d{3}\b)", "", regex=True)
    return pd.to_numeric(plain, errors="coerce").notna().any()


def as_html(table, **options):
    """Write a table as HTML without its index, whatever the width of its columns."""
    with pd.option_context("display.max_colwidth", None):
        return table.to_html(index=False, **options)


def _html(table, caption):
    body = as_html(_text_mapped(table, harmless.one_line), border=0, justify="left")
    caption = html.escape(caption)
    return (
        f'<!doctype html>\n<meta charset="utf-8">\n<title>{caption}</title>\n'
        "<style>body{font-family:sans-serif;margin:1.5em}table{border-collapse:collapse}"
        "th,td{padding:.25em .8em;border-bottom:1px solid #ccc;text-align:left}</style>\n"
        f"<p>{caption}</p>\n{body}\n"
    )


def signs(differences):
    """Return " +", " −" or "" for each difference, to be put behind a number."""
    return np.select([differences > 0, differences < 0], [" +", " −"], "")
