"""Numbers in prose: each follows from what is committed, or is a number that the prose defines.

`prose/*.yaml` lists for each document its phrases with a number: under ``claims`` a phrase
and what it must equal, under ``given`` phrases whose numbers are no findings but settings,
citations or counts of what the sentence itself names. Under ``holds`` it lists phrases that say
something without a number, and the condition ``if`` which they do. `numbers` finds every number of
a document; one that no phrase covers fails, and so does a phrase that the document no longer has,
or whose expression gives another value.

An expression is Python over `SOURCES`: tables, outcomes, published numbers and settings. It gives
one value for each number of the phrase (a list if there are several; ``~`` for a number that is
none of the claim), or True or False for all. Numbers that remarks fill in stand in the text as "…".
"""

import ast
import functools
import json
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import yaml
from scipy import stats

from analysis.gorman2019 import agreement, splits
from analysis.leaderboards import translation as wmt24
from analysis.sogaard2014 import free_choice, many_metrics
from replicability import audit, checks
from replicability.core import (
    all_pairs,
    dependence,
    design,
    design_needs,
    evaluation,
    findings,
    procedure,
    recommendation,
    units,
)
from replicability.io import formats, paths, published
from replicability.io.study import read_study
from replicability.stats import (
    closed_testing,
    joint,
    multiple_testing,
    paired,
    partial_conjunction,
    power,
    power_of_counts,
    power_of_means,
    simulation,
)

REGISTRY = sorted((paths.ROOT / "tests" / "pages" / "prose").glob("*.yaml"))

WITHOUT_CLAIMS = {
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "benchmarks/local_tests.md",
    "benchmarks/scale.md",
    "docs/map.md",
    "docs/words.md",
}
"""Documents about the repository's own work, those that programs write, and definitions."""

COMPARED = {
    "data/README.md": r"\| (?:\d+(?:-\d+)?|\d+\.\d) (?=\|)|^### Citations[\s\S]*\Z",
    "docs/queue.md": r"^\| `.*\| \d+ \| \d.*\|$",
    "docs/scale.md": r"^\| \w.*\| [\d.,]+ .*\|$",
}
"""Document -> what is left out: pages and sizes of files, which `test_sources` compares, and rows
of tables that are compared whole, by `test_scale` and below."""

COUNTS = re.split(
    r"\s+",
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty",
)
TENS = re.split(r"\s+", "thirty forty fifty sixty seventy eighty ninety")
WORDS = (
    {word: Fraction(n) for n, word in enumerate(COUNTS, start=1)}
    | {word: Fraction(n) for n, word in zip(range(30, 100, 10), TENS, strict=True)}
    | {"hundred": Fraction(100), "thousand": Fraction(1000), "million": Fraction(10**6)}
    | {"twice": Fraction(2), "half": Fraction(1, 2), "halves": Fraction(1, 2)}
    | {"quarter": Fraction(1, 4), "quarters": Fraction(1, 4), "thirds": Fraction(1, 3)}
    | {"tenth": Fraction(1, 10), "tenths": Fraction(1, 10)}
    | {"hundredth": Fraction(1, 100), "hundredths": Fraction(1, 100)}
)
"""Word -> what it counts; "third" is left out, since it mostly is an ordinal."""

NUMBER = re.compile(
    r"(?<![\w.,/-])(?:\d+/\d[\d,]*\b|(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?:\\?%)?(?!\w)"
    rf"|(?<![\w-])(?:{'|'.join(WORDS)})(?![\w-])",
    re.IGNORECASE,
)
"""A number in digits, such as 5,000, .05, 3.9% or 5/6, or a word of `WORDS`."""

IGNORED = {
    "years": r"\b(?:19|20)\d\d\b(?!,\d)",
    "parts of papers": r"\b(?:Sections?|Tables?|Figures?|Equations?|Eqs?\.|[Ff]ootnotes?) "
    r"[\d.]*\d(?:(?:,| to|, and| and) [\d.]*\d)*",
    "levels": r"(?<![\w.,])0?\.0(?:5|1|25)\b(?!%)",
    "names": r"Universal Dependencies 1\.4|CC BY[-\w]* \d\.0|Python 3\.\d+(?:,? (?:or )?3\.\d+)*"
    r"|Apache 2\.0|-Clause|[Ss]plit 0",
    "pages": r"(?<= )\d+-\d+(?=, (?:CC|doi|and)|\. | ##)|doi:\S+",
    "bounds": r"\b1 - \d?α|\b2\^-\w|\b1/\(B ?\+ ?1\)|\bs\(s - 1\)|\b2\(s - 1\)|\b0 and 1\b"
    r"|\[0, 1\]|\bnear [01]\b|\bu - 1\b|\b1 - p/2",
    "idioms": r"\bone (?:by one|another)\b|\b[Oo]ne would\b|\bone or more\b"
    r"|\b(?:the|this|that|each|no|which|any)"
    r"(?: first| second| last| \w+e[rd]| \w+est)? one\b"
    r"|\bone(?=[.,;:)?]| (?:that|which|is|of them|in|must|for|with)\b)",
}
"""Kind of number that is no claim -> pattern."""


def text_of(document):
    """Return the prose of a Markdown file or of the Markdown cells of a notebook, in one line."""
    text = (paths.ROOT / document).read_text(encoding="utf-8")
    if re.match(r"config/.*\.md", document):
        text = text[text.index("## ") :]  # the first line is for those who edit the file
    text = re.sub(COMPARED.get(document, r"\Z"), "", text, flags=re.MULTILINE)
    if document.endswith(".ipynb"):
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells)
    for pattern, put in {
        r"\A---\n.*?\n---\n": "",  # front matter
        r"^```.*?^```$": "",
        r"^:+[^\n]*$": "",  # directives and their options
        r"<!--.*?-->|</?span[^>]*>": "",  # places of the explorer, and what sets it
        r"\{\{.*?\}\}|\{%.*?%\}": "…",  # filled in from tables
        r"`[^`]*`": "`code`",
        r"\]\([^)]*\)": "]",
        r"[*|]": "",
        r"\s+": " ",
    }.items():
        text = re.sub(pattern, put, text, flags=re.MULTILINE | re.DOTALL)
    return text


def numbers(text):
    """Return the places of the numbers of a text that may be claims."""
    found = [match for pattern in IGNORED.values() for match in re.finditer(pattern, text)]
    formulas = re.finditer(r"\$[^$]*\$", text)
    found += [match for match in formulas if not re.search("[=%.]", match[0])]
    ignored = [match.span() for match in found]
    spans = [match.span() for match in NUMBER.finditer(text) if match[0]]
    return [(a, b) for a, b in spans if not any(x <= a and b <= y for x, y in ignored)]


def uncovered(text, phrases):
    """Return the numbers of a text, with what surrounds them, that stand in none of the phrases."""
    places = [
        (start, start + len(phrase))
        for phrase in phrases
        for start in (match.start() for match in re.finditer(re.escape(phrase), text))
    ]
    return [
        text[max(0, a - 45) : b + 30]
        for a, b in numbers(text)
        if not any(x <= a and b <= y for x, y in places)
    ]


def value_of(number):
    """Return what a number in prose says, and the half unit to which it says it."""
    if number.lower() in WORDS:
        said = WORDS[number.lower()]
        return said, Fraction(1, 2) if said >= 1 else 0
    share = number.endswith("%")
    digits = number.rstrip("%\\").replace(",", "")
    decimals = len(digits.partition(".")[2])
    unit = Fraction(1, 10**decimals) / (100 if share else 1)
    return Fraction(digits) / (100 if share else 1), 0 if "/" in digits else unit / 2


def agrees(number, value):
    """Say whether a value is what a number in prose says, to the digits that it has.

    Truth values stand for themselves, for what is said as "about", "nearly" or "at least".
    """
    if isinstance(value, bool | np.bool):
        return bool(value)
    if value is None:
        return False
    said, half = value_of(number)
    return abs(float(value) - float(said)) <= float(half) + 1e-12


@functools.cache
def table(name):
    """Read a table below ``tables/``, its numbers as numbers."""
    return pd.read_csv(paths.ROOT / "tables" / f"{name}.csv", thousands=",")


@functools.cache
def outcomes(name):
    """Read a file of ``data/outcomes/``."""
    file = paths.ROOT / "data" / "outcomes" / name
    return pd.read_parquet(file) if name.endswith(".parquet") else pd.read_csv(file)


@functools.cache
def printed(paper, item):
    """Read an item of ``data/published/``, its numbers as numbers."""
    return pd.read_csv(paths.PUBLISHED / paper / f"{item}.csv", thousands=",")


@functools.cache
def settings(name):
    """Read a file of ``config/`` as it stands."""
    file = paths.SCHEMA if name == "schema" else paths.CONFIG / f"{name}.yaml"
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def comparison(name, **changes):
    """Read a comparison of the open study, perhaps with other keys."""
    found = {c.name: c for c in read_study("config/open.yaml").comparisons}[name]
    return replace(found, **changes)


def claims(name, alpha, **changes):
    """Return what is found about a comparison of the open study, perhaps by another method."""
    return findings.find(comparison(name, **changes), result("open", name), alpha)


@functools.cache
def result(study, name, **changes):
    """Evaluate a comparison of a study, perhaps with another test."""
    found = {c.name: c for c in read_study(f"config/{study}.yaml").comparisons}[name]
    return evaluation.evaluate(replace(found, **changes))


@functools.cache
def family(name):
    """Compare all pairs of a family of the open study."""
    found = {f.name: f for f in read_study("config/open.yaml").families}[name]
    return all_pairs.compare(found)


@functools.cache
def parameter(notebook, name):
    """Return the default of a parameter of a notebook."""
    cells = json.loads((paths.ROOT / f"notebooks/{notebook}.ipynb").read_text("utf-8"))["cells"]
    source = next(
        "".join(cell["source"])
        for cell in cells
        if "parameters" in cell.get("metadata", {}).get("tags", [])
    )
    values = {node.target.id: ast.literal_eval(node.value) for node in ast.parse(source).body}
    return values[name]


def num(cell, place=0):
    """Return a number in a cell of a table, such as 16 in "15 of 16" at place 1, as a float."""
    found = re.findall(r"[-−+]?[\d,]*\.?\d+(?:e-\d+)?%?", str(cell))[place]
    value = float(found.replace("−", "-").replace(",", "").rstrip("%"))
    return value / 100 if found.endswith("%") else value


def names(cell):
    """Return the entries of a cell that lists names."""
    return [name.strip() for name in cell.split(",")] if isinstance(cell, str) else []


@functools.cache
def measured(pattern):
    """Return what the group of a pattern matches in `benchmarks/scale.md`, as a number."""
    text = (paths.ROOT / "benchmarks" / "scale.md").read_text(encoding="utf-8")
    return num(re.search(pattern, text, re.MULTILINE)[1])


@functools.cache
def page(document):
    """Run the code of a page, and return the names that it gives."""
    text = (paths.ROOT / document).read_text(encoding="utf-8")
    names = {}
    for block in re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        exec(block, names)
    return names


@functools.cache
def verdict(claim, column="recomputed"):
    """Return a cell of `tables/audit.csv`, in the row of a claim."""
    (cell,) = table("audit").set_index("claim").loc[[claim], column]
    return cell


SOURCES = {
    f.__name__: f
    for f in (
        *(table, outcomes, printed, settings, result, family, parameter, num, names),
        *(measured, page, verdict, comparison, claims),
    )
} | {
    "agreement": agreement,
    "audit": audit,
    "checks": checks,
    "closed_testing": closed_testing,
    "design": design,
    "design_needs": design_needs,
    "joint": joint,
    "papers": published,
    "pa": pa,
    "formats": formats,
    "units": units,
    "free_choice": free_choice,
    "replace": replace,
    "multiple_testing": multiple_testing,
    "many_metrics": many_metrics,
    "np": np,
    "paths": paths,
    "pd": pd,
    "dependence": dependence,
    "procedure": procedure,
    "recommendation": recommendation,
    "partial_conjunction": partial_conjunction,
    "findings": findings,
    "paired": paired,
    "power": power,
    "power_of_counts": power_of_counts,
    "power_of_means": power_of_means,
    "simulation": simulation,
    "splits": splits,
    "stats": stats,
    "wmt24": wmt24,
}
"""What an expression may name, besides what its document lets."""


@functools.cache
def let(document):
    """Return the names that a document's expressions may use, its own among them."""
    known = dict(SOURCES)
    for name, expression in REGISTERED[document].get("let", {}).items():
        known[name] = eval(str(expression), known)
    return known


REGISTERED = {
    document: entries
    for file in REGISTRY
    for document, entries in yaml.safe_load(file.read_text(encoding="utf-8")).items()
}
"""Document -> its ``let``, ``claims``, ``holds`` and ``given``."""

CLAIMS = [
    pytest.param(document, claim, id=f"{document}: {claim['say'][:60]}")
    for document, entries in REGISTERED.items()
    for claim in entries.get("claims", [])
]


HELD = [
    pytest.param(document, said, id=f"{document}: {said['say'][:60]}")
    for document, entries in REGISTERED.items()
    for said in entries.get("holds", [])
]


def phrases(document):
    """List the phrases of a document that are registered."""
    entries = REGISTERED[document]
    return [claim["say"] for claim in entries.get("claims", [])] + entries.get("given", [])


def documents():
    """List every document with prose that is committed."""
    patterns = (
        "*.md",
        "notebooks/*.ipynb",
        "config/**/*.md",
        "data/**/*.md",
        "docs/*.md",
        "benchmarks/*.md",
    )
    found = {p.relative_to(paths.ROOT).as_posix() for q in patterns for p in paths.ROOT.glob(q)}
    return found | {"book/index.md", "config/items.yaml"}


@pytest.mark.parametrize(("document", "claim"), CLAIMS)
def test_a_number_in_prose_is_what_its_source_gives(document, claim):
    said = [claim["say"][a:b] for a, b in numbers(claim["say"])]
    given = claim["is"] if isinstance(claim["is"], list) else [claim["is"]]
    known = let(document)
    values = [None if e is None else eval(e, known) for e in given]
    if len(values) == 1 and isinstance(values[0], list | tuple):
        values = values[0]
    elif len(values) == 1 and isinstance(values[0], bool | np.bool):
        values *= len(said)
    assert len(said) == len(values), f"{len(said)} numbers, {len(values)} values: {said}"
    given = given if len(given) == len(said) else given * len(said)
    for number, value, expression in zip(said, values, given, strict=True):
        if expression is not None:
            assert agrees(number, value), f"{number}, but {expression} gives {value}"


@pytest.mark.parametrize("document", sorted(REGISTERED))
def test_every_number_of_a_document_is_registered(document):
    text = text_of(document)
    assert len(text.split()) > 30, f"{document}: no prose was found"
    missing = uncovered(text, phrases(document))
    assert not missing, f"{document}: not in tests/pages/prose: {missing}"


@pytest.mark.parametrize("document", sorted(REGISTERED))
def test_a_registered_phrase_stands_in_its_document_and_has_a_number(document):
    text = text_of(document)
    gone = [phrase for phrase in phrases(document) if phrase not in text]
    assert not gone, f"{document}: registered in tests/pages/prose, but not there: {gone}"
    without = [phrase for phrase in phrases(document) if not numbers(phrase)]
    assert not without, f"{document}: registered without a number: {without}"


@pytest.mark.parametrize(("document", "said"), HELD)
def test_what_is_said_without_a_number_is_so(document, said):
    assert said["say"] in text_of(document)
    held = eval(said["if"], let(document))
    assert isinstance(held, bool | np.bool)
    assert held, f"{document} says {said['say']!r}, but not so: {said['if']}"


@pytest.mark.parametrize(("document", "claim"), CLAIMS)
def test_no_expression_is_a_number_typed_again(document, claim):
    sources = set(SOURCES) | set(REGISTERED[document].get("let", {}))
    sources -= {"num", "names", "np", "pa", "pd", "replace"}
    for expression in claim["is"] if isinstance(claim["is"], list) else [claim["is"]]:
        if expression is not None:
            named = {n.id for n in ast.walk(ast.parse(expression)) if isinstance(n, ast.Name)}
            assert named & sources, f"{expression!r} reads nothing"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("on 15 of 5,000 words, .05 or 5/6 and 3.9%", ["15", "5,000", "5/6", "3.9%"]),
        ("one of two, the first one, one-sided; twice", ["one", "two", "twice"]),
        ("Table 3 of 2014, MC-30, WS353, Sections 3.3 to 3.5 and F1", []),
        ("$k$ of $\\hat k = 20$, $\\alpha/2$ and $1-\\alpha$", ["20"]),
    ],
)
def test_numbers_finds_what_counts(text, found):
    assert [text[a:b] for a, b in numbers(text)] == found


@pytest.mark.parametrize(
    ("number", "value", "agree"),
    [
        ("three", 3, True),
        ("three", 2, False),
        (".17", 0.17, True),
        (".16", 0.17, False),
        ("8%", 0.0765, True),
        ("8%", 0.0885, False),
        ("5/6", 5 / 6, True),
        ("18,323", 18323, True),
        ("half", 0.46, False),
        ("half", True, True),
        ("six", False, False),
    ],
)
def test_agreement_is_to_the_digits_that_are_said(number, value, agree):
    assert agrees(number, value) == agree
