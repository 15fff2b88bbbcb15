"""Words of judgement: each is made by a rule, and changing one fails."""

import re

import pytest
import yaml

from analysis import fields, paths, prose, remarks, verdicts
from analysis.fields import FIELD
from replicability import checks
from replicability.io.text import read_text

VERDICTS = "docs/verdicts.md"
TEMPLATES = ("paper/paper.typ", "book/index.md", "book/seven_of_nine/page.html")
JUDGED = (*prose.documents(), *TEMPLATES)
"""Documents in which words of judgement have a field, or a reason for having none."""

MANUALS = re.compile(r"docs/(?!verdicts)|(?:config|data|data/outcomes)/README")
"""Pages on methods and files; only their paragraphs with results are read."""

RESULT = re.compile(r"<!-- (?!given -->)|notebooks/")
"""What a paragraph with results has: a computed number, or a link to a chapter."""

QUANTIFIERS = re.compile(
    r"(?<![\w-])(?:yes|no|none|nothing|nowhere|all|most|half|a (?:third|fifth|quarter|tenth)"
    r"|two thirds|nearly|almost|never|always|both|neither|every|everywhere|only|twice)(?![\w-])",
    re.IGNORECASE,
)

DECLARED = yaml.safe_load(read_text(paths.ROOT / "tests/pages/judgements.yaml"))
FORMS = [re.compile(form, re.IGNORECASE) for forms in DECLARED["forms"].values() for form in forms]
REASONS = DECLARED["phrases"]
"""Reason -> phrases around words of judgement that need no field."""

PARTS = sorted({part for parts in REASONS.values() for part in parts})


def results(file):
    """Return what is linted: a whole text, and of a manual the paragraphs with results."""
    text = prose_of(file) if file in prose.documents() else read_text(paths.ROOT / file)
    if not MANUALS.match(file):
        return text
    parts = re.split(r"\n\s*\n|\n(?=[-*|>] )", text)
    return "\n\n".join(part for part in parts if RESULT.search(part))


def plainly(text):
    """Return a text without code, links and comments, with dots for what is computed."""
    text = re.sub(
        r"^ *#(?!#).*$|^ *(?:comparisons: all|columns: .*)$", " ", text, flags=re.MULTILINE
    )
    text = re.sub(r"^```.*?^```$|^## [^\n]*$|^//[^\n]*$", " ", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(
        r"at\s+most|\{\{.*?\}\}|\{%.*?%\}|`[^`]*`|\]\([^)]*\)", " … ", text, flags=re.DOTALL
    )
    text = re.sub(r"</?[a-z][^<>]*>", " ", text)
    text = re.sub(r"^#(?:let|set|show) .*$|[#@][\w.()]+|<\w+>", "…", text, flags=re.MULTILINE)
    return re.sub(r"\s+", " ", FIELD.sub("…", text))


def typed(text):
    """Return what surrounds each word of judgement that has neither a field nor a reason."""
    text = plainly(text)
    reasons = [*FORMS, *(re.compile(re.escape(part)) for part in PARTS if part in text)]
    spans = [found.span() for reason in reasons for found in reason.finditer(text)]
    return [
        text[max(0, word.start() - 40) : word.end() + 40]
        for word in QUANTIFIERS.finditer(text)
        if not any(start <= word.start() and word.end() <= end for start, end in spans)
    ]


@pytest.mark.parametrize("file", JUDGED)
def test_a_word_of_judgement_has_a_field_or_a_reason(file):
    found = typed(results(file))
    assert found == [], "follow it by a field of share(), times() or word(), or give a reason"


def test_every_reason_is_needed():
    read = " ".join(plainly(results(file)) for file in JUDGED)
    assert [part for part in PARTS if part not in read or " " not in part] == []
    words = [found[0] for form in FORMS for found in form.finditer(read)]
    assert [form.pattern for form in FORMS if not form.search(read)] == []
    assert any(QUANTIFIERS.search(found) for found in words)


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
