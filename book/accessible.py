"""Tables and pictures that everybody can use: headers say what they head, and boxes scroll."""

import re
from html import escape

TALL = 40
"""Rows above which a table scrolls up and down as well."""

ANSWERS = (
    *("k̂", "estimate", "at least, α = 0.05", "holds?", "recommended", "identified", "named"),
    *("verdict", "holm", "p-value"),
)
"""Headers of the column that has the answer of a table, the first that is there; else the last."""

PINNED = 14
"""Columns that a style can keep in sight, from the left."""

STYLE = re.compile(r"<style scoped>.*?</style>\n?", re.DOTALL)
TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL)
EMPTY = re.compile(r"<th\b[^>]*>(?:\s|&#160;|<p>\s*</p>)*</th>")
PICTURE = re.compile(
    r"<p>((?:<a\b[^>]*>)?<img\b[^>]*>(?:</a>)?)</p>|^(<img\b[^>]*>)$", re.MULTILINE
)
"""A picture that has a line of its own, and scrolls where the window is narrow."""
HEAD = re.compile(r"<thead\b.*?</thead>", re.DOTALL)


def mended(body):
    """Mend the tables and pictures of a page.

    `body`: HTML, as Sphinx and the notebooks write it.

    Returns str. HTML: what scrolls is reached by the keyboard, headers have a scope none is empty,
    looks are left to the style of the book, and every table is in a box that scrolls.
    """
    body = STYLE.sub("", body).replace("<pre>", '<pre tabindex="0">')
    body = PICTURE.sub(r'<p class="picture" tabindex="0">\1\2</p>', body)
    parts = re.split(
        r'(<div class="(?:ledger )?scroll(?: tall)?"[^>]*><table.*?</table></div>)',
        body,
        flags=re.DOTALL,
    )
    parts[::2] = [TABLE.sub(_in_a_box, part) for part in parts[::2]]
    return "".join(parts)


def _in_a_box(found):
    """Put a table into a box that scrolls, its headers with a scope."""
    table = re.sub(r' (?:border="\d+"|style="[^"]*")', "", found[0])
    table = EMPTY.sub("<td></td>", table)
    table = HEAD.sub(lambda head: re.sub(r"<th\b", '<th scope="col"', head[0]), table)
    table = re.sub(r"<th(?! scope|ead)\b", '<th scope="row"', table)
    return scrolling(table, "Table")


def scrolling(inside, label, kind=None):
    """Put a table or figure into a box that scrolls, which the keyboard reaches.

    The column with the answer stays in sight while the others scroll.
    """
    tall = "scroll tall" if inside.count("<tr>") > TALL else "scroll"
    made = box(inside, label, kind or tall)
    if "<table" not in inside:
        return made
    return made.replace(' role="group"', f' data-answer="{_answer(inside)}" role="group"', 1)


def box(inside, label, kind):
    """Put something into a box with a name that the keyboard reaches."""
    name = escape(label)
    return f'<div class="{kind}" tabindex="0" role="group" aria-label="{name}">{inside}</div>'


def _answer(table):
    """Return the place of the column with the answer, from 1, or "last"."""
    head = HEAD.search(table)
    names = re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", head[0], re.DOTALL) if head else []
    plain = [re.sub("<[^>]*>", "", name).strip().lower() for name in names]
    places = [plain.index(name) + 1 for name in ANSWERS if name in plain]
    return places[0] if places and 1 < places[0] <= PINNED and places[0] < len(names) else "last"
