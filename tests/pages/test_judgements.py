"""Words of judgement: each is made by a rule, and changing one fails."""

import re

import pytest
import yaml

from analysis import fields, paths, prose, remarks, verdicts
from analysis.fields import FIELD
from replicability import checks
from replicability.io.text import read_text

VERDICTS = "docs/verdicts.md"
WHOLE = ("README.md", VERDICTS, "config/items.yaml", "notebooks/audit.ipynb", "paper/paper.typ")
REMARKS = ("config/paper/", "config/open/", "config/leaderboards/")
JUDGED = (*prose.documents(), "paper/paper.typ")
"""Documents in which words of judgement have a field, or a reason for having none."""

QUANTIFIERS = re.compile(
    r"(?<![\w-])(?:yes|no|none|nothing|nowhere|all|most|half|a (?:third|fifth|quarter|tenth)"
    r"|two thirds|nearly|almost|never|always|both|neither|every|everywhere|only|twice)(?![\w-])",
    re.IGNORECASE,
)

REASONS = yaml.safe_load(read_text(paths.ROOT / "tests/pages/judgements.yaml"))
"""Reason -> phrases around words of judgement that need no field."""

PARTS = sorted({part for parts in REASONS.values() for part in parts}, key=len, reverse=True)


def results(file):
    """Return what is linted: a whole text, or what a chapter or page says first and in bold."""
    text = prose_of(file) if file in prose.documents() else read_text(paths.ROOT / file)
    if file in WHOLE or file.startswith(REMARKS):
        return text
    if not {m["field"] for m in FIELD.finditer(text)} - {"given"}:
        return ""  # it has no results
    text = FIELD.sub("…", text)
    opening = re.search(r"\A\s*# [^\n]*\n\s*\n(.*?)(?:\n\s*\n|\Z)", text, re.DOTALL)
    text = re.sub(r"^```.*?^```$|`[^`]*`", "…", text, flags=re.MULTILINE | re.DOTALL)
    bold = re.findall(r"\*\*((?:(?!\*\*|\n\s*\n).)+)\*\*", text, re.DOTALL)
    return "\n\n".join([opening[1] if opening else "", *bold])


def plainly(text):
    """Return a text without code, links and comments, with dots for what is computed."""
    text = re.sub(r"^ *#(?!#).*$|^ *comparisons: all$", " ", text, flags=re.MULTILINE)
    text = re.sub(r"^```.*?^```$|^## [^\n]*$|^//[^\n]*$", " ", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(
        r"at\s+most|\{\{.*?\}\}|\{%.*?%\}|`[^`]*`|\]\([^)]*\)", " … ", text, flags=re.DOTALL
    )
    text = re.sub(r"^#(?:let|set|show) .*$|[#@][\w.()]+|<\w+>", "…", text, flags=re.MULTILINE)
    return re.sub(r"\s+", " ", FIELD.sub("…", text))


def typed(text):
    """Return what surrounds each word of judgement that has neither a field nor a reason."""
    text = plainly(text)
    for part in PARTS:
        text = text.replace(part, "~" * len(part))
    return [text[max(0, m.start() - 40) : m.end() + 40] for m in QUANTIFIERS.finditer(text)]


@pytest.mark.parametrize("file", JUDGED)
def test_a_word_of_judgement_has_a_field_or_a_reason(file):
    found = typed(results(file))
    assert found == [], "follow it by a field of share(), times() or word(), or give a reason"


def test_every_reason_is_needed():
    read = " ".join(plainly(results(file)) for file in JUDGED)
    assert [part for part in PARTS if part not in read] == []


def prose_of(file):
    """Return the text of a document, of a notebook that of its cells in Markdown."""
    texts = []
    prose.document(file, write=lambda text: texts.append(text) or text)
    return "\n\n".join(texts)


def words_of(file):
    """Return what is said and the value of each field behind a word of judgement."""
    found = [m for m in FIELD.finditer(prose_of(file)) if prose.JUDGED.search(m["said"])]
    names = prose.names_of(file)
    return [(m["said"], remarks.value(m["field"], names)) for m in found if m["field"] != "given"]


def survives(said, value):
    """Say whether a sentence stays as it is."""
    try:
        return prose.renewed(said, value) == said
    except checks.InputError:
        return False


@pytest.mark.parametrize("file", prose.documents())
def test_no_changed_word_survives(file):
    opposites = {"yes": "no", "no": "all", "none": "all", "depends on the reading": "yes"}
    for said, value in words_of(file):
        assert survives(said, value)
        word = re.sub(r"\s+", " ", prose.JUDGED.search(said)[0].lower().strip(" *.,:;)"))
        others = {opposites.get(word, "none"), "a fifth" if word == "a third" else "no"} - {word}
        if word in ("none", "no", "nothing", "nowhere", "never", "neither"):
            others = {"all", "every", "one", "most", "a third"}
        for other in others:
            mutant = re.sub(re.escape(prose.JUDGED.search(said)[0]), other, said)
            assert not survives(mutant, value), (file, said, other)


def test_the_table_of_verdicts_has_a_rule_for_each_verdict():
    rows = re.findall(r"^\| (.*?) \| (.*?) \| \[", read_text(paths.ROOT / VERDICTS), re.MULTILINE)
    held = [cell for claim, cell in rows if 'judged("' in cell]
    assert len(held) >= 7
    for cell in held:
        said, field = re.match(r"(.+?)<!-- (judged\(.*?\)\.word) -->", cell).groups()
        assert said == str(remarks.value(field, prose.names_of(VERDICTS)))
        for other in {verdicts.YES, verdicts.NO, verdicts.DEPENDS, verdicts.CANNOT} - {said}:
            changed = cell.replace(said, other, 1)
            assert prose.filled(changed, VERDICTS) == cell


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("It holds on all 7 and on none.", 2),
        ("It holds on all<!-- share(x) --> 7, at most on a third<!-- share(y) -->.", 0),
        ("A share of nearly all<!-- share(x) -->, `every`, {{ none }}; [no](all).", 1),
    ],
)
def test_typed_words_are_found(text, n):
    assert len(typed(text)) == n
    assert fields.plain(text)
