"""The page "7 of 9?": one file that says what a table of results supports.

It stands alone: the functions that count are those of the explorer, and nothing is loaded from
elsewhere. ``python book/seven_of_nine.py [FILE]`` writes it.
"""

import argparse
import re
from pathlib import Path

from analysis import paths
from replicability.show import html_explorer

FOLDER = Path(__file__).resolve().parent / "seven_of_nine"

PARTS = ("reading.js", "checking.js", "items.js")
"""Scripts without a page: what tests run, too."""

EXPORTED = (
    *("audit", "bounds", "cleaned", "guessed", "inGroup", "inferMcnemar", "luck", "mcnemar"),
    *("misreadings", "printedInterval", "readItems", "readTable", "rowsOf", "sentence"),
    *("sentenceOfAccuracies", "sideways", "signFlips", "supported", "testItems", "threeWay"),
)
"""Functions that tests call."""


def script(exported=()):
    """Return the functions of the page as a program: those that count, read and check.

    `exported` (sequence of str): functions that the program exports where there is no page, as
    `EXPORTED` for tests.

    Returns str. JavaScript without comments that ends in the page's own part.
    """
    parts = [html_explorer.counting(), *(part(name) for name in PARTS)]
    exports = f"module.exports = {{ {', '.join(exported)} }}; return;" if exported else ""
    lines = ['"use strict";', "(() => {", *parts, exports, part("page.js"), "})();", ""]
    program = re.sub(r"/\* .*? \*/", "", "\n".join(lines), flags=re.S)
    return "\n".join(map(_compact, filter(None, map(str.strip, program.splitlines()))))


def _compact(line):
    """Return a line without the spaces around its signs; strings and patterns keep theirs."""
    quoted = re.search(r"[\"'`/]", line)
    return line if quoted else re.sub(r" ?([=<>:,;{}()|&*]) ?", r"\1", line)


def part(name):
    """Return the text of a file of the page."""
    return (FOLDER / name).read_text(encoding="utf-8")


def page():
    """Return the page as HTML.

    Returns str. One file with its style and its script.
    """
    return (
        part("page.html").replace("/* style */", part("page.css")).replace("/* script */", script())
    )


def write(file):
    """Write the page.

    `file`: where it goes.

    Returns Path. The file.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page(), encoding="utf-8")
    return file


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "file", type=Path, nargs="?", default=paths.ROOT / "results/seven_of_nine.html"
    )
    print(write(parser.parse_args().file))
