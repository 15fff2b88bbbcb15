"""The voice of STYLE: words that the field does not use, and sentences of more than 25 words."""

import ast
import json
import re
from functools import cache

import pytest
import yaml

from analysis import fields, paths
from replicability.io.text import read_text

VOICE = yaml.safe_load(read_text(paths.ROOT / "tests/pages/voice.yaml"))
LONGEST = 25
"""Words of a sentence."""

DOCUMENTS = (
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md", "book/index.md"),
    *("data/README.md", "data/outcomes/README.md", "config/README.md", "config/paper/*.md"),
    *("config/open/*.md", "config/leaderboards/*.md"),
    *("config/items.yaml", "config/boards.yaml", "scripts/task_sections.yaml"),
    *("scripts/*_section.md", "notebooks/*.ipynb", "paper/paper.typ", "replicability/**/*.py"),
    "replicability/cli/example/*.txt",
)

ABBREVIATED = re.compile(r"\b(?:al|e\.g|i\.e|vs|cf|Fig|Eq|Eqs|No|pp)\.$")


WORD = r"(?<!\S)[A-Za-z’'-]{2,}(?=[\s,.:;])"
MARKUP = r"\\[bwsd]|\(\?|[<>]\w|\{\{|\{%|^\s*[.#]\w+ \{|;$"
"""What strings of prose have, and what those have that are none: patterns, HTML, styles."""


def blanked(pattern, text, said=""):
    """Replace a pattern, keeping the lines of the text."""
    return re.sub(
        pattern,
        lambda found: found.expand(said) + "\n" * found[0].count("\n"),
        text,
        flags=re.MULTILINE | re.DOTALL,
    )


def markdown(text):
    """Return prose in Markdown without what is no prose, each line in its place."""
    text = re.sub(fields.FIELD, lambda m: m["said"] + "\n" * m["field"].count("\n"), text)
    for pattern, said in (
        (r"^ *```.*?^ *```$", ""),
        (r"<!--.*?-->|\{%.*?%\}|<style.*?</style>|<[a-zA-Z/][^<>]*>", ""),
        (r"^\(\S+\)=$|^ *:{3,}[^\n]*$|^ *:\w+:[^\n]*$|^\[[^\]]+\]: [^\n]*$", ""),
        (r"!\[[^\]]*\]\([^)]*\)", ""),
        (r"\[([^\]]*)\]\([^)]*\)", r"\1"),
        (r"\{\{.*?\}\}|\$\$.*?\$\$|\$[^$\n]+\$|`+[^`]*`+|https?://\S+", "N"),
        (r"\*\*|(?<!\w)[*_]|[*_](?!\w)", ""),
    ):
        text = blanked(pattern, text, said)
    return text


def typst(text):
    """Return the prose of the paper's source, each line in its place."""
    for pattern, said in (
        (r"^ *//[^\n]*$|^#(?:let|set|show|import)\b[^\n]*(?:\n[ )][^\n]*)*", ""),
        (r"^( *)booktabs\(\n.*?^\1\),?$|^ +(?:show|set) [^\n]*", ""),
        (r"\$[^$]+\$|`[^`]*`|[#](?:[\w.]*\w)?(?:\([^()]*\))?|@[\w-]+|<[\w-]+>", "N"),
        (r"^ *[\w-]+: *\(?[^\s\[]*[,(]$|^ *[)\]\[(},]+$", ""),
        (r"[\[\]*{}]", " "),
    ):
        text = blanked(pattern, text, said)
    return text


def paragraphs(text):
    """Yield each paragraph, item, heading and cell: its first line, its text, whether a cell."""
    start, lines = 1, []
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        bare = line.strip()
        if not bare or re.match(r"[-*+] |\d+[.)] |#+ |\||=+ |>", bare):
            if lines:
                yield start, " ".join(lines), False
            lines = []
        if bare.startswith("|"):
            yield from ((number, cell.strip(), True) for cell in bare.strip("|").split("|"))
        elif bare:
            start = start if lines else number
            lines.append(re.sub(r"^(?:[-*+]|\d+[.)]|#+|=+|>) +", "", bare))


def sentences(text):
    """Split a paragraph into sentences; a semicolon ends one."""
    found = [""]
    for part in re.split(r"(?<=[.!?;])[\"”’)]*\s+", " ".join(text.split())):
        found[-1] = f"{found[-1]} {part}".strip()
        if not ABBREVIATED.search(part):
            found.append("")
    return [sentence for sentence in found if sentence]


def literal(node):
    """Return what a string says, with N for each value in it, or None."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(v.value if isinstance(v, ast.Constant) else "N" for v in node.values)
    return None


def messages(tree):
    """Yield the prose in the strings of a module, and the first lines of public docstrings."""
    hidden = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            said = ast.get_docstring(node) or ""
            if said and not getattr(node, "name", "").startswith("_"):
                yield getattr(node, "lineno", 1), said.partition("\n\n")[0]
        if isinstance(node, ast.Expr):
            hidden.add(node.value)
        if node in hidden or isinstance(node, ast.FormattedValue):
            continue
        if isinstance(node, ast.JoinedStr):
            hidden.update(node.values)
        said = literal(node) or ""
        if len(re.findall(WORD, said)) >= 3 and not re.search(MARKUP, said):
            yield node.lineno, said


def scalars(node):
    """Yield the texts of a YAML document."""
    if isinstance(node, yaml.ScalarNode) and " " in node.value and node.tag.endswith(":str"):
        yield node.start_mark.line + 1, node.value
    for child in node.value if not isinstance(node, yaml.ScalarNode) else ():
        yield from scalars(child[1] if isinstance(child, tuple) else child)


def blocks(file):
    """Yield the place of each block of text in a document, and the text."""
    text = read_text(paths.ROOT / file)
    if file.endswith(".ipynb"):
        for number, cell in enumerate(json.loads(text)["cells"]):
            if cell["cell_type"] == "markdown":
                yield f"{file}, cell {number}, line ", 0, markdown("".join(cell["source"]))
    elif file.endswith(".py"):
        yield from ((f"{file}:", n, said) for n, said in messages(ast.parse(text)))
    elif file.endswith(".yaml"):
        yield from ((f"{file}:", n, markdown(s)) for n, s in scalars(yaml.compose(text)))
    elif file.endswith(".typ"):
        yield f"{file}:", 0, typst(text)
    elif file.endswith(".txt"):
        yield f"{file}:", 0, markdown(blanked(r"^(?:\$|  ).*?$", text))
    else:
        if file == "CHANGELOG.md":
            text = re.match(r"# .*?\n## .*?(?=\n## |\Z)", text, re.DOTALL)[0]
        yield f"{file}:", 0, markdown(text)


@cache
def faults(file):
    """List what a document says against its voice: place, fault and sentence."""
    found = []
    for place, first, text in blocks(file):
        for line, paragraph, cell in paragraphs(text):
            where = f"{place}{first or line}"
            for said in sentences(paragraph):
                for pattern, instead in VOICE["words"].items():
                    if match := re.search(pattern, said, re.IGNORECASE):
                        found.append(f"{where}: {match[0]!r}, write {instead}: {said}")
                n = sum(bool(re.search(r"\w", word)) for word in said.split())
                if n > LONGEST and not cell:
                    found.append(f"{where}: {n} words: {said}")
    return found


def files(patterns):
    """List the files of some patterns, relative to the checkout."""
    found = {path for pattern in patterns for path in paths.ROOT.glob(pattern)}
    return sorted(path.relative_to(paths.ROOT).as_posix() for path in found)


READ = sorted({*files(DOCUMENTS)} - {*files(VOICE["pending"])})


def excepted(fault):
    return any(text in fault for texts in VOICE["exceptions"].values() for text in texts)


@pytest.mark.parametrize("file", READ)
def test_a_document_keeps_the_voice(file):
    found = [fault for fault in faults(file) if not excepted(fault)]
    assert not found, "\n".join(["", *found])


def test_pending_documents_exist():
    assert [pattern for pattern in VOICE["pending"] if not files([pattern])] == []


def test_every_exception_is_needed():
    found = [fault for file in files(DOCUMENTS) for fault in faults(file)]
    texts = [text for texts in VOICE["exceptions"].values() for text in texts]
    assert [text for text in texts if not any(text in fault for fault in found)] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# Why?\n\nOne is 3<!-- n -->. Dror et al. say\nso [here](a.md#b).", 3),
        ("| a | b |\n| -- | -- |\n- an item\n- another one. And more", 7),
        ("```sh\nwhoever `x`\n```\n\n:::{note}\nIt is $k = 3$, `a b c`.\n:::", 1),
    ],
)
def test_sentences_are_found(text, said):
    found = [s for _, paragraph, _ in paragraphs(markdown(text)) for s in sentences(paragraph)]
    assert len(found) == said
    assert not any("whoever" in s for s in found)


def test_a_message_is_found():
    code = '"""First.\n\nSecond."""\nx = f"No dataset of {n} is shown on which {a} wins."\ny = "a"'
    said = [said for _, said in messages(ast.parse(code))]
    assert said == ["First.", "No dataset of N is shown on which N wins."]
