"""Numbers in prose: each is what its field gives, and a finding has a field."""

import contextlib
import io
import json
import re

import pytest

from analysis import fields, paths, prose
from replicability import checks
from replicability.io.text import read_text

RESULTS = [
    "README.md",
    "book/index.md",
    "docs/verdicts.md",
    *(
        f
        for f in prose.documents()
        if re.match(r"notebooks/|config/(?:open|paper|leaderboards)/", f)
    ),
]
"""Documents that say what was found; guides work with numbers that they set themselves."""

EXEMPT = (
    r"\b(?:19|20)\d\d\b(?!,\d)",  # years
    r"\b(?:Sections?|Tables?|Figures?|Equations?|Eqs?\.|[Ff]ootnotes?|page|rank|pages) "
    r"[\d.]*\d(?:(?:,| to|, and| and) [\d.]*\d)*",
    r"(?<![\w.,])(?:0?\.0(?:5|1|25)\b|(?:100|95|5|1)%)",  # levels
    r"Python 3\.\d+(?:,? (?:or )?3\.\d+)*|\b[A-Z][\w-]+ \d+(?:\.\d+)*(?!\d*[,%])\b",  # names
    r"doi:\S+",
    r"\b\d+ (?:April|August|December|February|January|July|June|March|May|November|October"
    r"|September)\b",
    r"(?<![\w.,])[012](?![\d.,%]*\d|%)|\b10⁻|\$[^$]*\$",  # ends of scales, powers, mathematics
)
"""Kinds of numbers that are no findings."""


def numbers(text):
    """Return the places of the numbers of a text that may be findings."""
    exempt = [found.span() for pattern in EXEMPT for found in re.finditer(pattern, text)]
    spans = [found.span() for found in prose.NUMBER.finditer(text)]
    return [(a, b) for a, b in spans if not any(x <= a and b <= y for x, y in exempt)]


def typed(text):
    """Return the numbers in digits that a text states without a field, and what is around them."""
    for pattern in (
        r"^```.*?^```$|^:+[^\n]*$",  # code, directives and their options
        r"!\[[^\]]*\]",  # alternative texts, which `test_project` compares
        r"\{\{.*?\}\}|\{%.*?%\}|`[^`]*`|\]\([^)]*\)|[*|]",
    ):
        text = re.sub(pattern, " … ", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\s+", " ", re.sub(r"<!--.*?-->", "", fields.FIELD.sub("…", text)))
    return [text[max(0, a - 40) : b + 20] for a, b in numbers(text) if re.search(r"\d", text[a:b])]


@pytest.mark.parametrize("file", prose.documents())
def test_the_numbers_of_a_document_are_those_of_its_fields(file):
    with contextlib.redirect_stdout(io.StringIO()):  # what the code of a guide prints
        text = prose.document(file)
    assert text == read_text(paths.ROOT / file), "python scripts/write_numbers.py writes them"


@pytest.mark.parametrize("file", RESULTS)
def test_a_number_that_was_found_is_not_typed(file):
    text = read_text(paths.ROOT / file)
    if file.endswith(".ipynb"):
        cells = [c for c in json.loads(text)["cells"] if c["cell_type"] == "markdown"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells)
    assert not typed(text), "follow it by a field, <!-- ... -->, or by <!-- given -->"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It has 231 issues, of which 45.5% are open.", ["231", "45.5%"]),
        ("It has 231<!-- len(issues) --> issues and 12<!-- given --> more.", []),
        ("Table 3 of 2014 has .05 and 95%; Llama 3.1 of 2 August; $k = 20$ `7`.", []),
    ],
)
def test_what_is_typed_is_found(text, found):
    assert [re.search(r"[\d.]+%?(?= issues| are)", said[-25:])[0] for said in typed(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("on 15 of 5,000 words, .07 or 5/6 and 3.9%", ["15", "5,000", ".07", "5/6", "3.9%"]),
        ("of two, the first of three; twice", ["two", "three", "twice"]),
        ("Table 3 of 2014, MC-30, WS353, Sections 3.3 to 3.5 and F1", []),
    ],
)
def test_numbers_finds_what_counts(text, found):
    assert [text[a:b] for a, b in numbers(text)] == found


@pytest.mark.parametrize(
    ("said", "value", "now"),
    [
        ("three", 3, "three"),
        ("three", 2, "two"),
        ("Three", 25, "25"),
        (".17", 0.168, ".17"),
        (".17", 0.155, ".15"),
        ("**8%", 0.0765, "**8%"),
        ("(8%", 0.0885, "(9%"),
        ("5/6", 5 / 6, "5/6"),
        ("18,323", 18323, "18,323"),
        ("833", 1200, "1,200"),
        ("1000", 2000, "2000"),
        ("$k = 3$", 4, "$k = 4$"),
        ("above", True, "above"),
    ],
)
def test_a_number_is_written_in_the_style_that_it_has(said, value, now):
    assert prose.renewed(said, value) == now


@pytest.mark.parametrize(
    ("said", "value", "why"),
    [
        ("half", 0.46, "reword 'half'"),
        ("5/6", 0.5, "reword '5/6'"),
        ("none", False, "no longer holds"),
        ("none", True, "does not check a word"),
        ("nearly\nall", True, "does not check a word"),
        ("six", None, "no longer holds"),
        ("many", 6, "no number"),
    ],
)
def test_what_cannot_be_written_is_refused(said, value, why):
    with pytest.raises(checks.InputError, match=why):
        prose.renewed(said, value)


def test_a_field_that_is_wrong_is_said_with_its_place():
    with pytest.raises(checks.InputError, match=r"README.md, '3' with the field 'countz': the na"):
        prose.filled("on 3<!-- countz --> datasets", "README.md")


def test_a_stale_number_is_renewed_and_what_is_around_it_stays():
    text = "(**15**<!-- len(table('audit_totals')) --> of them, 7<!-- given -->)"
    n = len((paths.ROOT / "tables/audit_totals.csv").read_text("utf-8").splitlines()) - 1
    assert prose.filled(text, "README.md") == text.replace("15", str(n))
    assert fields.plain(text) == "(**15** of them, 7)"
