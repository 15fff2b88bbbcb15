"""The way through the book: its contents beside every page, and what the search finds by name."""

import json

import shown
from docutils import nodes

from analysis import items

DESCRIBED = 160
"""Letters of the description of a page, at most."""


def titled(parts, titles):
    """Give each page of the contents the title that is shown.

    `parts` (dict of str to list of (str, str)): as `pages.contents` returns it. `titles` (dict of
    str to str): page -> its own title.

    Returns dict of str to list of (str, str). Part -> title and name of its pages.
    """
    return {
        part: [(title or titles[page], page) for title, page in entries]
        for part, entries in parts.items()
    }


def description(doctree):
    """Return the first paragraph of a page, shortened, as plain text."""
    for paragraph in doctree.findall(nodes.paragraph) if doctree else ():
        text = " ".join(paragraph.astext().split())
        return text if len(text) <= DESCRIBED else f"{text[:DESCRIBED].rpartition(' ')[0]} …"
    return ""


def places(titles, found, labels, page_of, finding_of):
    """List what the search finds by its name, as a script.

    `titles` (dict of str to str): page -> title. `found` (list of items.Row): the map of items.
    `labels` (dict of str to str): number of each item. `page_of`, `finding_of`: as in `chapters`
    and `holds`.

    Returns str. JavaScript: ``PLACES``, name, address and what is said there.
    """
    listed = [[title, f"{page}.html", ""] for page, title in sorted(titles.items())]
    for row in found:
        for item, file in zip(row.items, row.files, strict=True):
            address = f"{page_of(row, file)}.html#{shown.name_of(file)}"
            said = items.plain(finding_of(item, file, row))
            listed.append([f"{labels[file]}: {items.plain(row.title)}", address, said])
    return f"const PLACES = {json.dumps(listed, ensure_ascii=False)};\n"
