"""Tables of verdicts as pages that one can use: disputed rows first, an address for each row.

``ledger.js`` adds the search and the choice of verdicts and papers; without it the table is whole.
"""

import hashlib
from html import escape

from accessible import scrolling
from docutils.nodes import make_id

from replicability import forensics
from replicability.show import tables

FIRST = (forensics.CONTRADICTED, forensics.IMPOSSIBLE, forensics.DEPENDS)
"""Verdicts whose rows come first; those that agree follow, and what cannot be checked is last."""

CHOICES = ("paper", "where", "verdict", "verdict on", "kind")
"""Columns by which rows can be chosen, if the table has them, in small letters."""

ALL = 100
"""Rows up to which a table is shown whole."""

EACH = {forensics.CONTRADICTED: 3, forensics.IMPOSSIBLE: 3, forensics.DEPENDS: 1}
"""Disputed verdict -> rows of an item of a paper that are shown of a longer table."""

MOST = 12
"""Different cells up to which a column is one to choose by."""


def is_ledger(cells):
    """Say whether a table gives verdicts on claims."""
    return {"claim", "verdict"} <= {column.lower() for column in cells}


def readable(cells):
    """Show a few rows of a long table for each item and disputed verdict; its file has all.

    The sentences repeat the readings, which are left out.
    """
    if len(cells) <= ALL:
        return cells
    disputed = cells[cells[_verdict(cells)].isin(FIRST)]
    kinds = [column for column in cells if column.lower() in ("paper", "item", "verdict")]
    place = disputed.groupby(kinds, sort=False).cumcount()
    shown = disputed[place < disputed[_verdict(cells)].map(EACH)]
    return shown.drop(columns="readings", errors="ignore")


def counted(cells):
    """Count the verdicts of each item of a paper, in Markdown."""
    of = [column for column in cells if column.lower() in ("paper", "item")]
    counts = cells.value_counts([*of, _verdict(cells)], sort=False).unstack(fill_value=0)
    order = [v for v in (forensics.AGREES, *FIRST, forensics.UNCHECKED) if v in counts]
    rows = [map(str, row) for row in counts[order].reset_index().itertuples(index=False)]
    sides = ["---"] * len(of) + ["--:"] * len(order)
    lines = [[*tables.named(cells[of]), *order], sides, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def ordered(cells):
    """Put the disputed rows first; others keep their order.

    `cells` (DataFrame of str): a table with a column of verdicts.

    Returns DataFrame. Its rows; what cannot be checked is last.
    """
    places = [*FIRST, forensics.AGREES, forensics.UNCHECKED]
    rank = cells[_verdict(cells)].map({verdict: place for place, verdict in enumerate(places)})
    return cells.iloc[rank.fillna(len(places)).argsort(kind="stable")]


def _verdict(cells):
    return next(column for column in cells if column.lower() == "verdict")


def addresses(cells, name):
    """Make an address for each row, of what it is about.

    `cells` (DataFrame of str): the rows. `name`: the table's own address.

    Returns list of str. Different ones: of rows that are about the same, the second ends in "-2".
    """
    about = [c for c in cells if c.lower() in ("paper", "where", "item", "claim")]
    found, taken = [], {}
    for row in cells[about].itertuples(index=False, name=None):
        address = f"r-{hashlib.sha256(' '.join([name, *row]).encode()).hexdigest()[:8]}"
        taken[address] = taken.get(address, 0) + 1
        found.append(address if taken[address] == 1 else f"{address}-{taken[address]}")
    return found


def written(cells, name, label):
    """Write a table of verdicts.

    `cells` (DataFrame of str): as the file has it. `name`: the table's address. `label`: its
    number.

    Returns str. HTML; the claim of each row is a link to the row.
    """
    rows = tables.named(ordered(cells))
    choices = [c for c in CHOICES for column in rows if column.lower() == c for c in [column]]
    choices = [c for c in choices if rows[c].nunique() <= MOST]
    head = "".join(
        f'<th scope="col"{" data-choice" if column in choices else ""}>{escape(column)}</th>'
        for column in rows
    )
    body = "\n".join(
        f'<tr id="{address}">{"".join(_cell(c, v, address) for c, v in row.items())}</tr>'
        for address, row in zip(addresses(rows, name), rows.to_dict("records"), strict=True)
    )
    table = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
    return scrolling(table, label, "ledger scroll")


def _cell(column, value, address):
    if column.lower() == "claim":
        return f'<td><a href="#{address}">{escape(value)}</a></td>'
    if column.lower() == "verdict":
        return f'<td class="v-{make_id(value)}">{escape(value)}</td>'
    return f"<td>{escape(value)}</td>"
