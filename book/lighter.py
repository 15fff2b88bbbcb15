"""Pages and figures in fewer bytes: what is drawn and said stays."""

import re

UNSEEN = re.compile(r"<metadata>.*?</metadata>|<!--.*?-->|<!DOCTYPE.*?>|<\?xml.*?\?>", re.DOTALL)


REFERENCE = re.compile(r'(?:href="|url\()#([^")]+)')
"""Where an SVG file refers to a name in it."""

UNUSED = re.compile(
    r' class="(?:(?:xref py py-obj )?docutils literal notranslate|reference (?:internal|external)'
    r'|simple|sig-param|field-(?:odd|even)|docutils)"'
    r'| title="(?:Link to this \w+|replicability\.[\w.]+|analysis\.[\w.]+)"'
)
"""Attributes that no style or script asks for."""

MARK = re.compile(r'<span class="(?:pre|sig-paren|colon|default_value|nn?|[opw])">([^<]*)</span>')
"""A mark of a word to which no style gives a look."""

BY_OTHERS = ("basic.css", "pygments.css", "mystnb.*.css", "file.png", "minus.png", "plus.png")
"""Files that Sphinx and its extensions bring and no page uses."""


def svg(text):
    """Return an SVG file of matplotlib in fewer bytes.

    Returns str. Without metadata, comments, prefixes of links (SVG 2) and names to which nothing
    refers; the other names are short, and places have one decimal, a tenth of a point.
    """
    text = UNSEEN.sub("", text).replace("xlink:href", "href")
    used = dict.fromkeys(match[1] for match in REFERENCE.finditer(text))
    short = {name: f"n{number:x}" for number, name in enumerate(used)}
    text = REFERENCE.sub(lambda match: match[0].replace(match[1], short[match[1]]), text)
    text = re.sub(r' id="([^"]+)"', lambda m: f' id="{short[m[1]]}"' if m[1] in used else "", text)
    text = re.sub(r'(?<= d=")[^"]+', lambda path: re.sub(r"\s*([A-Za-z])\s*", r"\1", path[0]), text)
    text = re.sub(r'(?<=style=")[^"]+', lambda style: re.sub(r"([:;]) ", r"\1", style[0]), text)
    parts = re.split(r"(scale\([^)]*\))", text)
    parts[::2] = [re.sub(r"-?\d+\.\d{3,}(?!\d*e)", _rounded, part) for part in parts[::2]]
    return re.sub(r"\s*\n\s*", "\n", "".join(parts)).strip() + "\n"


def _rounded(match):
    return f"{float(match[0]):.1f}".rstrip("0").rstrip(".")


def page(body):
    """Return the body of a page without the marks of Sphinx that no style or script asks for."""
    inner = MARK.sub(r"\1", body)
    return UNUSED.sub("", MARK.sub(r"\1", inner))  # a mark within a mark
