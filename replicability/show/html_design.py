"""The page of a design: sentences, tables and figure in one file that is complete in itself."""

import matplotlib.pyplot as plt

from replicability.core import design, design_needs
from replicability.core.procedure import TITLES
from replicability.show import design as drawn
from replicability.show.html_elements import inline_svg
from replicability.show.templates import environment
from replicability.show.view import of_frame


def page(plan, notes=()):
    """Return the page of a plan.

    Parameters
    ----------
    plan : api.plan.Plan
        The plan.
    notes : sequence of str
        Where its numbers come from.

    Returns
    -------
    str
        An HTML document that needs no other file and makes no request.
    """
    planned, table = plan.suite, plan.table
    n = len(planned.sizes)
    alt = f"Expected numbers of {n:,} datasets by size and gain; the table has the numbers."
    name, _, _ = design.searched(planned)
    least = "true gain" if name == "gain" else "margin of equally good systems"
    tables = [
        of_frame(_expected(planned, table), "Expected numbers of datasets, by size and gain."),
        of_frame(
            _least(planned, plan.power),
            f"Least {least} that is shown with a probability of {plan.power:.0%}.",
        ),
    ]
    if plan.needs is not None:
        items = plan.needed.set_index("dataset").rename(columns=design_needs.HEADINGS)
        items = items.map(lambda n: f"{n:,.0f}" if n == n else "none").reset_index()
        tables.append(of_frame(items, "Items of each dataset for the target."))
    figure = drawn.expected(planned, table)
    plt.close(figure)
    return (
        environment()
        .get_template("design.html.jinja")
        .render(
            title=f"What {n:,} dataset{'s' * (n != 1)} can show",
            sentences=plan.sentences,
            figure=inline_svg(figure, "design", alt),
            tables=tables,
            notes=notes,
        )
    )


def _expected(planned, table):
    """Lay the table out for people."""
    names = {
        "instances": "items",
        "gain": "gain",
        "k_hat": f"k-hat, {TITLES[planned.method]}",
        "names": "named",
        "bonferroni": "Bonferroni",
        "count": f"p ≤ {planned.level:g}",
        "any": "any shown",
    }
    if planned.method == "bonferroni":
        del names["bonferroni"]
    cells = table.assign(
        gain=[design.points(gain, planned.shares) for gain in table["gain"]],
        any=table["any"].map("{:.0%}".format),
        **{
            name: table[name].map("{:.1f}".format)
            for name in ("k_hat", "names", "bonferroni", "count")
        },
    )
    return cells[list(names)].rename(columns=names)


def _least(planned, share):
    """Lay the least gains out for people."""
    rows = design.least_gains(planned, share)
    name = rows.columns[1]
    written = [design.points(x, planned.shares) if x == x else "none" for x in rows[name]]
    return rows.assign(**{name: written}).rename(columns={"shown": "datasets, at least"})
