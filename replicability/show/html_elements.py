"""What a page of HTML is made of: drawings, tables, links that hold a table."""

import html
import re
import urllib.parse

import numpy as np

from replicability.show import style, tables


def inline_svg(figure, prefix, alt):
    """Return a figure as an element that stands in an HTML page beside others.

    Parameters
    ----------
    figure : matplotlib.figure.Figure or str
        The figure, or the text of its SVG file.
    prefix : str
        Unique in the page; every id that the drawing refers to starts with it.
    alt : str
        What the figure shows, for those who do not see it.

    Returns
    -------
    str
        An ``svg`` element without metadata, comments, style sheets and namespaces.
    """
    text = figure if isinstance(figure, str) else style.svg(figure)
    body = text[text.index("<svg") :]
    body = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>", "", body, flags=re.S)
    box = re.search(r'viewBox="([^"]+)"', body)[1]
    width, height = (float(side) * 96 / 72 for side in box.split()[2:])
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', body))
    used = {name for pair in used for name in pair if name}
    body = re.sub(
        r' id="([^"]+)"', lambda m: f' id="{prefix}-{m[1]}"' if m[1] in used else "", body
    )
    body = re.sub(r'xlink:href="#', f'href="#{prefix}-', body)
    body = re.sub(r"url\(#", f"url(#{prefix}-", body)
    body = re.sub(r"\s*\n\s*", "\n", body[body.index(">") + 1 :])
    return (
        f'<svg role="img" aria-label="{html.escape(alt)}" viewBox="{box}" width="{width:.0f}" '
        f'height="{height:.0f}" style="min-width:min({width:.0f}px,44rem)">{body.strip()}'
    )


def csv_link(table):
    """Return a ``data:`` address that holds a table as CSV, as `tables.as_csv` writes it."""
    return f"data:text/csv;charset=utf-8,{urllib.parse.quote(tables.as_csv(table), safe='')}"


def text_table(frame, caption, bold=()):
    """Return a table of text for the template of the page.

    Parameters
    ----------
    frame : DataFrame
        The cells; the first column names the rows.
    caption : str
        Its caption.
    bold : sequence of bool, optional
        Whether a row is bold; default none.

    Returns
    -------
    dict
        ``caption``, ``header``, ``rows`` and ``csv``, as ``html_report.html.jinja`` shows them.
    """
    cells = frame.astype(str)
    bold = bold if len(bold) else np.zeros(len(cells), bool)
    numeric = [
        cells[name].str.fullmatch(r"|[<≤≥]?\s*[-−+]?[\d.][\d.,]*(e-?\d+)?.?").all()
        for name in cells
    ]
    return {
        "caption": caption,
        "header": list(zip(cells.columns, numeric, strict=True)),
        "rows": [
            {"cells": list(zip(row, numeric, strict=True)), "bold": bool(found)}
            for row, found in zip(cells.itertuples(index=False, name=None), bold, strict=True)
        ],
        "csv": csv_link(cells),
    }
