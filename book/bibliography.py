"""The bibliography: `references.bib` as a page of the book, and links from prose to its entries."""

import re
from pathlib import Path

import yaml

from replicability import checks
from replicability.io.text import read_text

FILE = Path(__file__).with_name("references.bib")

FIELD = re.compile(r"^  (\w+) = \{(.*)\},$")
"""A line of an entry; a field is one line."""


def read(path=FILE):
    """Read the bibliography.

    `path`: BibTeX, one field a line in braces, as `references.bib` has it.

    Returns dict of str to dict. Key -> its fields, in the order of the file.

    Raises `InputError`: if a line is no field, a key is there twice, or a work has no author, title
    or year.
    """
    works, key = {}, ""
    for place, line in enumerate(read_text(path).splitlines(), start=1):
        opened, field = re.fullmatch(r"@\w+\{(\w+),", line), FIELD.match(line)
        if opened:
            key = opened[1]
            if key in works:
                raise checks.InputError(
                    f"{path.name}, line {place}: the key {key!r} occurs twice; "
                    "rename or remove one entry."
                )
            works[key] = {}
        elif field and key:
            works[key][field[1]] = field[2]
        elif line.strip() not in ("", "}") and not line.startswith("%"):
            raise checks.InputError(
                f"{path.name}, line {place}: {line.strip()!r} is not a field; "
                "write `name = {value},` on a line of its own."
            )
    for key, work in works.items():
        for name in ("author", "title", "year"):
            if not work.get(name):
                raise checks.InputError(f"{path.name}: the entry {key} has no {name}; add it.")
    return works


def names(work):
    """List the authors of a work, given names first."""
    people = [name.partition(", ") for name in work["author"].split(" and ")]
    return [f"{given} {family}".strip() for family, _, given in people]


def families(work):
    """List the family names of the authors."""
    return [name.partition(", ")[0] for name in work["author"].split(" and ")]


def listed(entries):
    """List in prose: A, B and C."""
    *first, last = entries
    return f"{', '.join(first)} and {last}" if first else last


def label(work):
    """Name a work in prose: Holm, Gorman and Bedrick, or Dror et al."""
    found = families(work)
    several = len(found) > 2 or found[-1] == "others"
    return f"{found[0]} et al." if several else listed(found)


def reference(work):
    """Write a work out in Markdown."""
    authors = [name for name in names(work) if name != "others"]
    others = "and others" if len(authors) < len(names(work)) else ""
    said = f"{', '.join(authors)} {others}" if others else listed(authors)
    place = work.get("journal") or work.get("booktitle") or work.get("publisher", "")
    number = f" ({work['number']})" if "number" in work else ""
    volume = f" {work['volume']}{number}" if "volume" in work else ""
    pages = f", {work['pages'].replace('--', '-')}" if "pages" in work else ""
    text = f"{said} ({work['year']}). {ended(work['title'])} *{place}*{volume}{pages}."
    return f"{text} [doi:{work['doi']}](https://doi.org/{work['doi']})" if "doi" in work else text


def ended(title):
    """End a title with a full stop, unless it ends with a mark of its own."""
    return title if title[-1] in "?!." else f"{title}."


def target(key):
    """Name the target of a work on the page."""
    return f"work-{key}"


def page(works):
    """Write the page on how to cite this work, with the list of references.

    `works`: as `read` returns them.

    Returns str. Markdown.
    """
    citation = yaml.safe_load(read_text("CITATION.cff"))
    paper = works["dror2017"]
    ordered = sorted(works.items(), key=lambda entry: (label(entry[1]), entry[1]["year"]))
    entries = "\n\n".join(f"({target(key)})=\n{reference(work)}" for key, work in ordered)
    return (
        "# How do you cite this work?\n\n"
        f"Cite the paper: {reference(paper)}\n\n"
        "If you refer to the re-run, cite the software as well:\n\n"
        f"```bibtex\n{entry(citation)}\n```\n\n"
        f"## References\n\n{entries}\n"
    )


def entry(citation):
    """Write BibTeX for the software, from CITATION.cff."""
    authors = " and ".join(f"{{{author['name']}}}" for author in citation["authors"])
    fields = {
        "author": authors,
        "title": citation["title"],
        "version": citation["version"],
        "note": f"{citation['license']} licence",
    }
    lines = "\n".join(f"  {name} = {{{value}}}," for name, value in fields.items())
    return f"@software{{replicability_analysis,\n{lines}\n}}"


def cited(text, works):
    """Link works that prose names with their years to their entries.

    `text`: Markdown; headings, code, formulas, options of directives and links stay as they are.
    `works`: as `read` returns them.

    Returns str. Markdown.
    """
    keys = {
        (name, work["year"]): key
        for key, work in works.items()
        for name in (label(work), listed(families(work)))
    }
    known = sorted({name for name, _ in keys}, key=len, reverse=True)
    named = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in known)
    skipped = r"```.*?```|^#.*?$|^:.*?$|\$[^$\n]*\$|`[^`\n]*`|!?\[[^\]]*\]\([^)]*\)"
    pattern = rf"{skipped}|(?P<name>{named})\s+(?:\((?P<of>\d{{4}})\)|(?P<year>\d{{4}}))"

    def link(match):
        name = " ".join((match["name"] or "").split())
        key = keys.get((name, match["of"] or match["year"]))
        return f"[{match[0]}](#{target(key)})" if key else match[0]

    return re.sub(pattern, link, text, flags=re.MULTILINE | re.DOTALL)
