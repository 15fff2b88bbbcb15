"""The page of a design: sentences, tables and figure in one file that is complete in itself."""

from pathlib import Path

import jinja2
import matplotlib.pyplot as plt

from replicability.compare import design
from replicability.compare.procedure import TITLES
from replicability.show import design as drawn
from replicability.show.html_elements import inline_svg, text_table


def page(planned, table, sentences, notes=()):
    """Return the page of a plan.

    Parameters
    ----------
    planned : compare.design.Suite
        The plan.
    table : DataFrame
        As `compare.design.table` returns it.
    sentences, notes : sequence of str
        What is said of the plan, and where its numbers come from.

    Returns
    -------
    str
        An HTML document that needs no other file and makes no request.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    n = len(planned.sizes)
    alt = f"Expected numbers of {n:,} datasets by size and gain; the table has the numbers."
    tables = [
        text_table(_expected(planned, table), "Expected numbers of datasets, by size and gain."),
        text_table(_least(planned), f"Least true gain that is shown with {design.POWER:.0%}."),
    ]
    figure = drawn.expected(planned, table)
    plt.close(figure)
    return environment.get_template("html_design.html.jinja").render(
        title=f"What {n:,} dataset{'s' * (n != 1)} can show",
        sentences=sentences,
        figure=inline_svg(figure, "design", alt),
        tables=tables,
        notes=notes,
    )


def _expected(planned, table):
    """Lay the table out for people."""
    names = {
        "instances": "instances",
        "gain": "gain",
        "k_hat": f"k-hat, {TITLES[planned.method]}",
        "bonferroni": "Bonferroni",
        "count": f"p ≤ {planned.alpha:g}",
        "any": "any shown",
    }
    if planned.method == "bonferroni":
        del names["bonferroni"]
    cells = table.assign(
        gain=[design.points(gain, planned.shares) for gain in table["gain"]],
        any=table["any"].map("{:.0%}".format),
        **{name: table[name].map("{:.1f}".format) for name in ("k_hat", "bonferroni", "count")},
    )
    return cells[list(names)].rename(columns=names)


def _least(planned):
    """Lay the least gains out for people."""
    rows = design.least_gains(planned)
    gains = [design.points(x, planned.shares) if x == x else "none" for x in rows["gain"]]
    return rows.assign(gain=gains).rename(columns={"shown": "datasets, at least"})
