"""What a page of HTML is made of: drawings, tables, links that hold a table."""

import html
import re
import urllib.parse

from replicability.show import style, tables

LARGE = 960
"""Width of a picture, in pixels, above which it is below the text and not beside it."""


def inline_svg(figure, prefix, alt, rows=()):
    """Return a figure as an element of an HTML page with others.

    `figure` (matplotlib.figure.Figure or str): the figure, or the text of its SVG file. `prefix`:
    unique in the page; every id that the drawing refers to starts with it. `alt`: what the figure
    shows, for those who do not see it. `rows` (sequence of (float, float, str)): for each row of
    the first axes where it begins and ends, as shares of their height from the top, and what is
    shown when one points at it.

    Returns str. An ``svg`` element without metadata, comments, style sheets and namespaces.
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
    body = body.replace("</svg>", f"{_pointed_at(text, box, rows)}</svg>")
    look = 'class="large" ' * (width > LARGE) + f'width="{width:.0f}"'
    return (
        f'<svg role="img" aria-label="{html.escape(alt)}" viewBox="{box}" {look} '
        f'height="{height:.0f}" style="min-width:min({width:.0f}px,60rem)">{body.strip()}'
    )


def _pointed_at(text, box, rows):
    """Return rows that are not seen and say what they are when one points at them.

    The second patch of a drawing is the ground of its first axes.
    """
    corner = r"([\d.]+) ([\d.]+) *\n"
    ground = re.search(rf'id="patch_2">\s*<path d="M {corner}L {corner}L {corner}', text)
    if ground is None or not rows:
        return ""
    ends = [float(ground[place]) for place in (2, 6)]
    top, height, width = min(ends), abs(ends[0] - ends[1]), box.split()[2]
    drawn = "".join(
        f'<rect y="{top + start * height:.1f}" width="{width}" '
        f'height="{(end - start) * height:.1f}"><title>{html.escape(said)}</title></rect>'
        for start, end, said in rows
    )
    return f'<g class="rows">{drawn}</g>'


def row_titles(shown):
    """Write each row of a `view.Table` in lines, its name first."""
    return [
        "\n".join(
            cell if place == 0 else f"{heading}: {cell}"
            for place, (heading, cell) in enumerate(zip(shown.headings, row, strict=True))
            if cell
        )
        for row in shown.rows
    ]


def csv_link(table):
    """Return a ``data:`` address that holds a table as CSV, as `tables.as_csv` writes it."""
    return f"data:text/csv;charset=utf-8,{urllib.parse.quote(tables.as_csv(table), safe='')}"
