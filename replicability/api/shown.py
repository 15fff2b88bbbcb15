"""A result in Jupyter, and figures in HTML; drawing needs the extra `report`."""

from __future__ import annotations

import base64
import html as html_
import importlib.util
import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from replicability.core.roles import Roles

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from replicability.show.view import Table, View

MOST_DRAWN = 60
"""Maximum number of datasets for which Jupyter shows the figure below the table."""


def figure(draw: Callable[..., Figure], *given: Any, **how: Any) -> Figure:
    """Draw a figure that embeds its fonts; a notebook shows it once.

    `draw`: a function of `show`, which takes the other arguments.
    """
    import matplotlib.pyplot as plt

    from replicability.show import paper

    drawn = draw(*given, **how)
    if how.get("ax") is None:  # else the figure is the user's
        drawn.__class__ = paper.Embedded
        plt.close(drawn)
    return drawn


def html(view: View, notes: Sequence[str], read: Roles) -> str:
    """Return what is found, the tables, the notes and what was read as a piece of HTML."""
    from replicability.show import tables

    parts = [paragraph(" ".join(filter(None, said))) for said in view.sentences]
    parts += [paragraph(view.overall)] if view.overall else []
    parts += [tables.as_html(view.datasets.frame, border=0), paragraph(view.datasets.note)]
    parts += [tables.as_html(view.groups.frame, border=0)] if view.groups else []
    return "\n".join([*parts, details("Notes", notes), details("What was read", [str(read)])])


def captioned(table: Table) -> str:
    """Return a table below its caption and its note, as HTML."""
    from replicability.show import tables

    said = paragraph(f"{table.caption} {table.note}".strip())
    return f"{said}\n{tables.as_html(table.frame, border=0)}"


def details(heading: str, said: Sequence[str]) -> str:
    """Return sentences that unfold below a heading, as HTML."""
    listed = "".join(f"<li>{html_.escape(text)}</li>" for text in said)
    return f"<details><summary>{heading}</summary><ul>{listed}</ul></details>"


def paragraph(text: str) -> str:
    """Return a text as a paragraph of HTML."""
    return f"<p>{html_.escape(text)}</p>"


def can_draw() -> bool:
    """Tell whether the package that draws is installed."""
    return importlib.util.find_spec("matplotlib") is not None


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
