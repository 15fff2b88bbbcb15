"""The guides in docs: what their code gives, what their samples read, where their links lead."""

import ast
import contextlib
import io
import json
import re
import runpy
import shlex
import textwrap
from urllib.parse import parse_qs

import matplotlib.pyplot as plt
import numpy as np
import pytest
import yaml

from analysis import fields, paths
from analysis.studies import read_study
from replicability.cli import main
from replicability.core import evaluation, procedure, recommendation
from replicability.io import formats
from replicability.show import style
from replicability.stats import paired, partial_conjunction

DOCS = paths.ROOT / "docs"
PAGES = ("choosing.md", "reading.md", "claims.md", "formats.md")
WITH_CODE = (*PAGES, "python.md")
BY_HAND = "k_hat.md"
"""The chapter on k-hat, whose code is run, too."""

SAMPLES = "data/mine"
"""Folder of the samples of formats."""

FORMATS = ("formats.md", "../tests/pages/samples.md")
"""The page on formats, and the samples that are too long for it."""

WIDTH = 120
"""Characters of a line of a page, tables and code aside."""


def text_of(page):
    return fields.plain((DOCS / page).read_text(encoding="utf-8"))


def links_of(page):
    """List where a page leads to within the checkout."""
    found = re.findall(r"\]\(([^)\s]+)\)", text_of(page))
    return [link for link in found if not link.startswith("http")]


def blocks(page, language):
    """List the blocks of code in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(page), re.DOTALL | re.MULTILINE)


def of_formats(language):
    """List the blocks of code in a language that are about formats."""
    return [block for page in FORMATS for block in blocks(page, language)]


def write_samples(folder):
    """Write the blocks about formats that carry the name of a file."""
    text = "".join(text_of(page) for page in FORMATS)
    found = re.findall(r"^```\w+ (\S+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    for name, content in found:
        assert name.startswith(SAMPLES), name
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    assert len({name for name, _ in found}) == len(found)
    return {name for name, _ in found}


def statements(code):
    """List the statements of a block and, of expressions, the value that a comment states."""
    lines = code.splitlines()
    for node in ast.parse(code).body:
        _, mark, comment = lines[node.end_lineno - 1][node.end_col_offset :].partition("#")
        stated = bool(mark) and isinstance(node, ast.Expr)
        yield ast.unparse(node), stated, ast.literal_eval(comment.strip()) if stated else None


def wrapped(printed, width=110):
    """Break what is printed into lines that a page can show."""
    return "".join(f"{textwrap.fill(line, width)}\n" for line in printed.splitlines())


@pytest.mark.parametrize("page", [*WITH_CODE, BY_HAND])
def test_the_code_gives_what_the_page_says(page, tmp_path, monkeypatch):
    write_samples(tmp_path)
    own = "read_study(" in text_of(page)  # of this repository
    monkeypatch.chdir(paths.ROOT if own else tmp_path)
    names = {}
    for block in blocks(page, "python"):
        printed = io.StringIO()
        for code, stated, value in statements(block):
            if stated:
                assert np.all(eval(code, names) == value), code
            else:
                with contextlib.redirect_stdout(printed):
                    exec(code, names)
        assert not printed.getvalue() or wrapped(printed.getvalue()) in blocks(page, "text"), block


@pytest.mark.parametrize("page", [*WITH_CODE, BY_HAND])
def test_a_line_of_prose_can_be_read_without_scrolling(page):
    said = re.sub(r"^```(?!text$).*?^```$", "", text_of(page), flags=re.DOTALL | re.MULTILINE)
    lines = [line for line in said.splitlines() if not line.startswith("|")]
    assert [line for line in lines if len(line) > WIDTH] == []


@pytest.mark.parametrize("block", of_formats("yaml"), ids=lambda block: block.split()[2])
def test_the_block_of_a_format_reads_its_sample(block, tmp_path):
    samples = write_samples(tmp_path)
    (content,) = yaml.safe_load(block)
    for name in (content.get("file"), *content.get("files", {}).values()):
        assert name is None or any(sample.startswith(name) for sample in samples), name
    study = tmp_path / "mine.yaml"
    placed = textwrap.indent(block, "  ").replace(SAMPLES, str(tmp_path / SAMPLES))
    study.write_text(f"study: mine\nalphas: [0.05]\ncomparisons:\n{placed}", encoding="utf-8")
    (comparison,) = read_study(study).comparisons
    table = evaluation.evaluate(comparison)
    assert len(table)
    if "score_a" in table:
        assert (table["score_a"] > table["score_b"]).all()  # as every sample is made
    test = re.search(r"# test: (\w+)", block)
    if test:
        assert test[1] in paired.TESTS
        assert set(table["test"]) == {test[1]}


OPTIONS = {"format", "metric", "filter", "by", "match", "unit", "items", "lists", "dependence"}
"""Keys of a block whose options take their values as they are."""


def inputs_of(content):
    """Return what a command is given: files of a block, and what belongs to them."""
    files = content.get("files", {})
    named = [files["a"], files["b"]] if files else [content["file"]]
    for key in ("gold", "documents"):
        named += [f"--{key}", files[key]] if key in files else []
    return [*named, *(["--items", content["items"]] if "items" in content else [])]


def command_of(content):
    """Write a block as one command."""
    columns = dict(content.get("columns", {}))
    if "p_value" in columns:
        flags = ["pvalues", content["file"], "--p-value", columns["p_value"]]
        flags += ["--dataset", columns["dataset"]]
        flags += ["--scores", *columns["scores"]] if "scores" in columns else []
        return [*flags, f"--{content['dependence']}"]
    flags = ["compare", *inputs_of(content), "--systems", *content["systems"]]
    columns.pop("scores", None)
    given = columns | {key: content[key] for key in OPTIONS - {"items"} if key in content}
    for key, value in given.items():
        if key == "dependence":
            flags += [f"--{value}"]
        elif (key, value) != ("dataset", "dataset"):
            flags += [f"--{key}", value]
    names = {"column": "repeats", "kind": "repeats-kind", "test_share": "test-share"}
    for key, value in content.get("repeats", {}).items():
        flags += [f"--{names[key]}", str(value)]
    flags += ["--shared"] if content.get("shared") else []
    flags += ["--datasets", *content["datasets"]] if "datasets" in content else []
    groups = content.get("groups", {}).items()
    return flags + [text for g, of in groups for text in ("--group", f"{g}={','.join(of)}")]


@pytest.mark.parametrize("block", of_formats("yaml"), ids=lambda block: block.split()[2])
def test_one_command_reads_the_sample_of_a_format(block, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_samples(tmp_path)
    (content,) = yaml.safe_load(block)
    (tmp_path / "mine.yaml").write_text(
        f"study: mine\nalphas: [0.05]\ncomparisons:\n{textwrap.indent(block, '  ')}"
    )
    (comparison,) = read_study(tmp_path / "mine.yaml").comparisons
    table = evaluation.evaluate(comparison)
    assert main([*command_of(content), "--json"]) == 0, capsys.readouterr().err
    found = json.loads(capsys.readouterr().out)["datasets"]
    assert sorted(row["p_value"] for row in found) == pytest.approx(sorted(table["p_value"]))


@pytest.mark.parametrize("block", of_formats("yaml"), ids=lambda block: block.split()[2])
def test_check_names_commands_that_run_as_they_are(block, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_samples(tmp_path)
    (content,) = yaml.safe_load(block)
    assert main(["check", *inputs_of(content)]) == 0
    printed = re.sub(r" *\\\n *", " ", capsys.readouterr().out)
    commands = re.findall(r"^  replicability (.*)$", printed, re.MULTILINE)
    assert commands[0].startswith(("compare", "pvalues"))
    for command in commands:
        assert main(shlex.split(command)) == 0, command
        assert capsys.readouterr().out


@pytest.mark.parametrize("block", of_formats("sh"), ids=lambda block: block.split()[2])
def test_the_command_of_a_format_reads_its_sample(block, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_samples(tmp_path)
    command, *arguments = shlex.split(block.replace("\\\n", ""))
    assert command == "replicability"
    assert main(arguments) == 0, capsys.readouterr().err


KEYS = blocks("../config/README.md", "yaml")
"""Blocks of comparisons on the page of the keys of a study."""


@pytest.mark.parametrize("block", KEYS, ids=lambda block: re.search(r"name: (\w+)", block)[1])
def test_a_study_takes_each_block_of_the_page_on_keys(block, tmp_path):
    study = tmp_path / "mine.yaml"
    of_pairs = f"comparisons:\n{textwrap.indent(block, '  ')}"
    placed = block if block.startswith("families:") else of_pairs
    study.write_text(f"study: mine\nalphas: [0.05]\n{placed}", encoding="utf-8")
    found = read_study(study)
    (comparison,) = (*found.comparisons, *found.families)
    method = comparison.method
    shared = bool(comparison.shared)
    assert procedure.local_test(comparison.dependence, shared=shared, method=method)


@pytest.mark.parametrize(
    "key",
    ["alternative", "groups", "unit", "shared", "procedure", "method", "claim", "margin"],
)
def test_the_page_on_keys_has_a_block_with(key):
    assert any(key in yaml.safe_load(block)[0] for block in KEYS if block.startswith("- "))


def test_every_format_has_a_sample():
    named = {yaml.safe_load(block)[0].get("format", "table") for block in of_formats("yaml")}
    assert named == set(formats.NAMES)


@pytest.mark.parametrize("page", WITH_CODE)
def test_pages_lead_to_each_other(page):
    links = links_of(page)
    assert {"../README.md", "../config/README.md"} <= set(links)
    assert set(PAGES) - {page} <= {link.partition("#")[0] for link in links}


@pytest.mark.parametrize("page", sorted(path.name for path in DOCS.glob("*.md")))
def test_links_lead_somewhere(page):
    for link in links_of(page):
        file, _, anchor = link.partition("#")
        target = DOCS / file if file else DOCS / page
        assert target.is_file(), link
        if anchor:
            titles = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
            assert anchor in anchors, link


def test_words_are_defined_without_results():
    said = re.sub(r"\]\([^)]*\)|[u1] - [α1]|α/2|\.05", "", text_of("words.md"))
    assert not re.findall(r"\d", said)


def test_the_page_on_your_own_comparison_shows_what_is_printed(capsys):
    page = text_of("own.md")
    (command,) = set(re.findall(r"^\S+python -m replicability (pvalues .*)$", page, re.MULTILINE))
    assert main(command.split()) == 0
    printed = capsys.readouterr().out
    assert f"```text\n{printed.partition(chr(10) * 2)[0]}\n```" in page


def test_the_three_lines_of_the_readme_print_what_it_shows(monkeypatch, capsys, tmp_path):
    readme = (paths.ROOT / "README.md").read_text(encoding="utf-8")
    code, said = re.search(
        r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", readme, re.S | re.M
    ).groups()
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(code, names)
    assert wrapped(capsys.readouterr().out, 92) == said
    assert len([line for line in code.splitlines() if line]) == 4  # three after the import
    below = readme[readme.index(said) :].partition("\n## ")[0]
    for name in re.findall(r"`result\.(\w+)", below):
        assert hasattr(names["result"], name), name


def test_the_page_on_your_own_comparison_bounds_groups_as_it_says():
    (code,) = blocks("own.md", "python")
    names = {}
    exec(code, names)
    lines = [line for line in code.splitlines() if line.startswith("closed_testing")]
    values = [eval(line.partition("#")[0], names) for line in lines]
    assert values[0] == 2
    assert values[1].tolist() == [False] * 5 + [True]
    assert values[2] == 1


def test_what_may_be_said_is_ten_sentences():
    found = re.findall(r"^## (\d+)\. .*\n\n> \*\*Not:\*\* ", text_of("claims.md"), re.MULTILINE)
    assert found == [str(number) for number in range(1, 11)]


def test_the_pages_show_one_sentence_of_one_result():
    (sentence,) = blocks("claims.md", "text")
    assert " ".join(sentence.split()) in " ".join(text_of("reading.md").split())


def test_the_lists_are_those_of_the_registries():
    lists = runpy.run_path(str(DOCS / "lists.py"))
    for name, made in lists["PAGES"].items():
        page = (DOCS / name).read_text(encoding="utf-8")
        assert lists["filled"](page, made) == page, "python docs/lists.py writes them again"
    page = text_of("choosing.md")
    assert all(f"| `{name}` |" in page for name in paired.TESTS)
    assert all(f"`{name}`" in page for name in partial_conjunction.ESTIMATORS)


@pytest.fixture(scope="module")
def decision():
    return runpy.run_path(str(DOCS / "decision.py"))


def test_the_decision_figure_is_the_same_at_every_run(decision, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        decision["save"](folder)
    for name in ("decision.svg", "decision.png"):
        assert (first / name).read_bytes() == (second / name).read_bytes()
    assert sorted(path.name for path in first.iterdir()) == ["decision.png", "decision.svg"]
    texts = [
        re.findall("<!-- (.*) -->", (folder / "decision.svg").read_text(encoding="utf-8"))
        for folder in (first, DOCS)
    ]
    assert texts[0] == texts[1], "python docs/decision.py draws it again"


def test_no_text_of_the_decision_figure_overlaps_or_leaves_its_box(decision):
    figure = decision["draw"]()
    figure.draw_without_rendering()
    (axis,) = figure.axes
    texts = [text for text in axis.texts if text.get_text()]
    extents = [text.get_window_extent() for text in texts]
    boxes = [patch.get_window_extent() for patch in axis.patches]
    plt.close(figure)
    for i, (text, extent) in enumerate(zip(texts, extents, strict=True)):
        assert figure.bbox.contains(extent.x0, extent.y0), text
        assert figure.bbox.contains(extent.x1, extent.y1), text
        assert not any(extent.overlaps(other) for other in extents[:i]), text
        for box in boxes:
            if extent.overlaps(box):
                assert extent.x1 < box.x1 - 5, text
                assert box.y0 < extent.y0 < extent.y1 < box.y1, text


def test_the_decision_figure_says_what_the_package_recommends(decision):
    kinds = [row[2] for row in decision["TESTS"][:4]]
    assert kinds == [recommendation.recommend(kind).test for kind in recommendation.SCORE_KINDS]
    drawn = {row[0]: row[2] for row in decision["PROCEDURES"]}
    assert drawn.pop("share units") == procedure.local_test("dependent", shared=True)
    assert drawn == procedure.LOCAL_TESTS


@pytest.fixture(scope="module")
def by_hand():
    return runpy.run_path(str(DOCS / "k_hat.py"))


def test_the_five_pvalues_are_those_of_the_page_in_code_table_and_figure(by_hand):
    (listed,) = re.findall(r"^five = (\[.*\])$", text_of(BY_HAND), re.MULTILINE)
    assert ast.literal_eval(listed) == list(by_hand["FIVE"].values())
    assert f"| dataset | {' | '.join(by_hand['FIVE'])} |\n" in text_of(BY_HAND)
    figure = by_hand["draw"]()
    assert style.svg(figure) == (DOCS / "k_hat.svg").read_text(encoding="utf-8")


def test_what_the_page_sets_is_what_it_says(by_hand):
    """The states that the prose offers exist, and give the k-hat that stands behind them."""
    said = " ".join(text_of(BY_HAND).split())
    offered = re.findall(r'<span data-explore="([^"]+)">(.*?)</span>(.*?)(?=<span|## )', said)
    assert len(offered) == 7
    five, places = by_hand["FIVE"], dict(enumerate(by_hand["FIVE"]))
    for state, said, after in offered:
        given = {name: value for name, (value,) in parse_qs(state).items()}
        p = five
        if "data" in given:
            rows = [line.split(",") for line in given["data"].splitlines()]
            p = {name: float(value) for name, value in rows}
            assert list(p) == list(five)
        else:
            assert given["of"] == by_hand["example"]()["id"]
        fitting = procedure.LOCAL_TESTS[given.get("dependence", "independent")]
        method = given.get("method", fitting)
        if "data" not in given and fitting == procedure.LOCAL_TESTS["independent"]:
            method = by_hand["example"]()["method"]
        alpha = float(given.get("alpha", 0.05))
        if "group" in given:
            assert [places[int(place)] for place in given["group"].split(".")] == said.split(
                " and "
            )
        else:
            k = partial_conjunction.k_hat(list(p.values()), alpha, method)
            assert f"k̂ = {k}" in after, state


def test_the_page_on_queues_gives_the_memory_and_the_time_of_every_rule():
    text = text_of("queue.md")
    rows = re.findall(r"^\| (`.*`) \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    said = {
        name: (int(mb), int(minutes))
        for names, mb, minutes in rows
        for name in re.findall(r"`(\w+)`", names)
    }
    rules = "".join(p.read_text(encoding="utf-8") for p in (paths.ROOT / "rules").glob("*.smk"))
    pattern = r"^rule (\w+):(?:(?!^rule ).)*?mem_mb=(\d+),(?:(?!^rule ).)*?runtime=(\d+)"
    asked = re.findall(pattern, rules, re.MULTILINE | re.DOTALL)
    assert said == {name: (int(mb), int(minutes)) for name, mb, minutes in asked}
    profile = yaml.safe_load((paths.ROOT / "profiles/slurm/config.yaml").read_text("utf-8"))
    default = profile["default-resources"]
    assert f"| {default['mem_mb']} | {default['runtime']} |" in text
    shard = "one core, {} MB, and {} minutes plus one minute for each million families"
    assert shard.format(*said["simulation_shard"]) in " ".join(text_of("scale.md").split())
