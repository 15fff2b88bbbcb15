"""A result as people read it: rounded table, figure, HTML; needs the extra `report`."""

from __future__ import annotations

import base64
import html as html_
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from replicability.core import findings
from replicability.core.findings import Finding
from replicability.core.numbers import rounded
from replicability.core.tested import Tested
from replicability.io.study import Comparison

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_DRAWN = 60
"""Datasets up to which Jupyter shows the figure below the table; more are drawn when asked for."""


def as_read(
    comparison: Comparison, table: Tested, found: Sequence[Finding]
) -> tuple[pd.DataFrame, str]:
    """Round a table for people.

    Parameters
    ----------
    comparison : study.Comparison
        What was declared.
    table : Tested
        As `evaluation.evaluate` returns it.
    found : sequence of findings.Finding
        What was found, one for each level.

    Returns
    -------
    DataFrame of str
        A row for each dataset, with marks of the named ones.
    str
        Its caption.
    """
    from replicability.show import tables

    a, b = comparison.systems
    digits = 2 if comparison.per_cent else 3
    cells = {"dataset": table["dataset"]}
    for name in ("n", "units"):
        if name in table:
            cells[name] = table[name].map("{:,}".format)
    if "score_a" in table:
        number = f"{{:.{digits}f}}".format
        cells |= {a: table["score_a"].map(number), b: table["score_b"].map(number)}
    if "difference" in table:
        limits = table[["difference", "low", "high"]].to_numpy()
        cells["difference (95% interval)"] = [
            "{} ({} to {})".format(*(rounded(value, digits, plus="+") for value in row))
            for row in limits
        ]
    if "wins" in table and table["wins"].notna().all():
        won = table[["wins", "ties", "losses"]].to_numpy()
        cells["wins/ties/losses"] = ["/".join(f"{n:,}" for n in row) for row in won]
    read = comparison.level == "p-values"
    both = {a: table["p_value"]} | ({b: table["p_reverse"]} if found[0].other else {})
    for system, pvalues in both.items():
        title = f"p-value ({system} better)" if len(both) > 1 else "p-value"
        cells[title] = [tables.pvalue(p, read) for p in pvalues]
    cells["named"] = tables.marks(found)
    marked = tables.marks_note([finding.alpha for finding in found], found)
    return pd.DataFrame(cells), f"{found[0]} {marked}"


def markdown(comparison: Comparison, table: Tested, found: Sequence[Finding]) -> str:
    """Return the table as Markdown; arguments as of `as_read`."""
    from replicability.show import tables

    return tables.markdown(*as_read(comparison, table, found))


def latex(comparison: Comparison, table: Tested, found: Sequence[Finding]) -> str:
    """Return the table as LaTeX; arguments as of `as_read`."""
    from replicability.show import tables

    rounded, caption = as_read(comparison, table, found)
    return tables.latex(rounded, comparison.name, caption)


def figure(comparison: Comparison, table: Tested, finding: Finding) -> Figure:
    """Draw a comparison; pyplot forgets the figure, so that a notebook shows it once."""
    import matplotlib.pyplot as plt

    from replicability.show import figures

    drawn = figures.standard(comparison, table, finding)
    plt.close(drawn)
    return drawn


def html(comparison: Comparison, table: Tested, found: Sequence[Finding]) -> str:
    """Return sentences, table and figure as a piece of HTML; arguments as of `as_read`."""
    from replicability.show import tables

    rounded, _ = as_read(comparison, table, found)
    said = [str(finding) for finding in found]
    if found[0].claims is not None:
        said[0] = " ".join([said[0], *_if_independent(found[0])])
    parts = [f"<p>{html_.escape(sentence.strip())}</p>" for sentence in said]
    parts.append(tables.as_html(rounded, border=0))
    if 1 < len(table) <= MOST_DRAWN:
        a, b = comparison.systems
        alt = f"{a} against {b} on {len(table)} datasets; the table has the numbers."
        parts.append(as_image(figure(comparison, table, found[0]), alt))
    return "\n".join(parts)


def _if_independent(found: Finding) -> list[str]:
    """Say what independence would change, in each direction that is asked."""
    if found.other is None:
        return [findings.if_independent(found.claims)]
    return [findings.if_independent(f.claims, f.systems[0]) for f in (found, found.other)]


def as_image(drawn: Figure, alt: str) -> str:
    """Return a figure as an HTML element that holds it."""
    import matplotlib.pyplot as plt

    from replicability.show.style import STYLE

    stream = io.StringIO()
    with plt.rc_context(STYLE):  # type: ignore[arg-type]
        drawn.savefig(stream, format="svg", metadata={"Date": None})
    data = base64.b64encode(stream.getvalue().encode()).decode()
    return (
        f'<img style="max-width:100%" alt="{html_.escape(alt)}" '
        f'src="data:image/svg+xml;base64,{data}">'
    )
