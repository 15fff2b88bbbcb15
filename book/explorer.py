"""The explorer in the book: the comparisons that it offers, and its place in a page.

A page in Markdown has it where a comment names what is shown first, as an address of the explorer
does; what stands up to the closing comment is shown where there is no JavaScript::

    <!-- explorer: of=paper/mate_redshift -->
    ![What it shows](figure.svg)
    <!-- end of the explorer -->
"""

import functools
import re
import runpy

import pandas as pd

from analysis import items, paths
from analysis.studies import read_study
from replicability.io import delimited, pvalues
from replicability.show import html_explorer
from replicability.show.tables import SMALLEST

PLACE = re.compile(r"^<!-- explorer: (\S+) -->\n(.*?)^<!-- end of the explorer -->$", re.S | re.M)

BY_UNITS = "A, by documents"
"""Column of p-values for A, where a table has them by documents and by segments."""

BY_HAND = "docs/k_hat.py"
"""What gives `FIVE`, the example of the chapter on k-hat."""


@functools.cache
def examples():
    """List the comparisons of all studies whose p-values are committed.

    Returns list of dict. As `html_explorer.example` returns them: the five p-values by hand, then
    study by study those that were printed, and those that stand in the table of their section, as
    it has them.
    """
    by_hand = runpy.run_path(str(paths.ROOT / BY_HAND))["example"]()
    return [by_hand, *(one for study in items.FOLDERS for one in examples_of(study))]


def examples_of(study):
    """List the comparisons of a study whose p-values are committed.

    `study`: one of `items.FOLDERS`.

    Returns list of dict. In the order of the study; comparisons with more than `html_explorer.MOST`
    datasets, and those of which no table has p-values, are left out.
    """
    settings, found = read_study(f"config/{study}.yaml"), {}
    pairs = {one.systems: one for one in reversed(settings.comparisons)}
    for row in items.rows(settings, items.read_notebooks()):
        for comparison in row.notebook.blocks(settings):
            name = f"{study}/{comparison.name}"
            first = pairs.get(comparison.systems) is comparison
            table = None if name in found else committed(comparison, row, first)
            if table is not None and len(table) <= html_explorer.MOST:
                place = re.split(r" \(|: ", row.title)[0]
                again = "Open study, " if study == "open" else ""  # the paper's numbers again
                title = f"{again}{place}: {comparison.title}"
                found[name] = html_explorer.example(name, comparison, table, title)
    return list(found.values())


def committed(comparison, row, first=True):
    """Read the p-values of a comparison, and the scores beside them.

    `comparison` (study.Comparison or study.Family): one of those that a notebook reads. `row`
    (items.Row): what the notebook makes. `first`: whether no comparison before it has the same
    systems, so that a column of p-values that names them alone is its own.

    Returns DataFrame or None. ``dataset``, ``p_value`` and perhaps ``score_a`` and ``score_b``;
    None if no table has them.
    """
    if comparison.level == "p-values":
        return pvalues.read_comparison(comparison)
    tables = [file for file in row.files if file.startswith("tables/")]
    for file in tables if len(comparison.systems) == 2 else ():
        if (paths.ROOT / file).is_file():  # the book asks for one that is missing by itself
            cells = delimited.read_table(file)
            a, b = map(comparison.called, comparison.systems)
            plain = f"p-val ({a},{b})"
            if f"{plain} {comparison.title}" in cells or (first and plain in cells):
                return columns(cells, comparison.title, {"score_a": a, "score_b": b})
            if BY_UNITS in cells and comparison.title in set(cells["comparison"]):
                return by_units(cells[cells["comparison"] == comparison.title])
    return None


def by_units(rows):
    """Take the p-values of a comparison from a table that sets units of two kinds side by side."""
    found = {"dataset": rows.iloc[:, 1], "p_value": numbers(rows[BY_UNITS])}
    return pd.DataFrame(found).reset_index(drop=True)


def numbers(printed):
    """Read p-values as a table has them; one below `SMALLEST` is taken for it."""
    return pd.to_numeric(printed.where(~printed.str.startswith("<"), str(SMALLEST)))


def columns(cells, title, scores):
    """Take the columns of a comparison from the table of its section.

    `cells` (DataFrame of str): as `show.tables.section` writes it, datasets first; a column whose
    name was taken has the title of the comparison after it. `title`: of the comparison. `scores`
    (dict of str to str): "score_a" and "score_b" -> system.

    Returns DataFrame. Rows with a p-value; one below `SMALLEST` is taken for it.
    """
    own = {
        name.removesuffix(f" {title}"): cells[name]
        for name in sorted(cells, key=lambda name: name.endswith(f" {title}"))
    }
    a, b = scores.values()
    printed = own[f"p-val ({a},{b})"]
    found = {"dataset": cells.iloc[:, 0], "p_value": numbers(printed)}
    found |= {
        side: pd.to_numeric(own[system].str.replace(",", "")) for side, system in scores.items()
    }
    return pd.DataFrame(found)[printed != ""].reset_index(drop=True)


def placed(text):
    """Put the explorer into a page.

    `text`: Markdown (MyST).

    Returns str. With the element in the place of the comments, around what they enclose.
    """

    def place(match):
        start, without = match.groups()
        inside = "\0"
        before, after = html_explorer.element(examples(), start, inside).split(inside)
        fence = "```"
        return (
            f"{fence}{{raw}} html\n{before}<noscript>\n{fence}\n\n{without}\n\n"
            f"{fence}{{raw}} html\n</noscript>{after}\n{fence}"
        )

    return PLACE.sub(place, text)


def put(app, page, template, context, doctree):
    """Add the script and its style to the pages that have the explorer."""
    if 'class="explorer"' in context.get("body", ""):
        app.add_css_file("explorer.css")
        app.add_js_file("explorer.js", loading_method="defer")
