"""The notebook of a section for a study: the blocks of a template that the study has a use for.

A template is a page in Markdown. A line ``<!-- needs: printed, not computed -->`` says what a
section must have, or must not have, for the block below it, up to the next such line (``<!-- always
-->`` for any section). What a section can have is listed in `TRAITS`. A cell that shows a remark is
left out where there is no such remark.
"""

import json
import re
import textwrap
from pathlib import Path

import jinja2
import nbformat
import yaml

from analysis import items, paths, remarks
from analysis.studies import read_study
from replicability import checks
from replicability.core import recommendation

PUBLISHED = {
    "task": "config/paper.yaml",
    "summary": "config/paper.yaml",
    "board": "config/leaderboards.yaml",
}
"""Template -> the study that its committed notebooks show."""

DESCRIBED = {"task": "scripts/task_sections.yaml", "board": "config/boards.yaml"}
"""Template -> what says of each committed notebook its title and so on."""

REPEATED = ("paper", "open")
"""Studies that repeat sections of the paper, with its tests."""

WIDTH = 100
"""Characters in a line of prose."""

MARK = re.compile(r"^<!-- (?:always|needs: (.+)) -->$", re.MULTILINE)
"""The line above a block, with what the block needs."""

CODE = re.compile(r"^```python(?: (\w+))?\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
"""A cell of code in a block, with the tag of the cell if it has one."""

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}

TRAITS = {
    "paper": "The section repeats a section of the paper.",
    "remarks": "The study has remarks on its results.",
    "printed": "The section reads p-values from a file.",
    "computed": "The section computes p-values from scores.",
    "instances": "The section has item-level scores.",
    "scores": "The section has scores of items or of whole datasets.",
    "unknown": "The study does not say whether the p-values that it reads are two-sided.",
    "both": "Both directions can be tested.",
    "two_sided": "Every comparison tests both directions from the start.",
    "holm": "Datasets are named by the paper's procedure.",
    "shared": "The study declares that datasets share units.",
    "groups": "The study declares groups of datasets.",
    "splits": "The section's scores are from splits of the same data.",
    "several": "The section's comparisons cover different datasets.",
}
"""What a section can have."""


def notebook(file, section):
    """Make the notebook of a section for a study.

    `file`: the study; a relative path starts at the checkout. `section`: a section that the study
    describes, a task or board of the compendium, or "summary".

    Returns NotebookNode. The notebook without outputs.

    Raises `InputError`: if the study is none or has no such section, or no test belongs to the
    scores.
    """
    study = read_study(file)
    kind, about = description(file, study, section)
    has = traits(study, section)
    places = [text for code, _, text in template(kind, {*has, "remarks"}) if code]
    headings = remarks.headings(study, section, remarks.SHOWN.findall("\n".join(places)))
    has |= {"remarks"} if headings else set()
    words = {
        **about,
        **{
            key: textwrap.fill(about[key], WIDTH, break_on_hyphens=False)
            for key in ("question", "source")
            if key in about
        },
        "section": section,
        "scores": ", ".join(f'"{word}"' for word in about.get("scores", ())),
        "study": json.dumps(file, ensure_ascii=False),
        "alphas": list(study.alphas),
        "heading": about.get("headings", {}).get,
    }
    fill = jinja2.Environment(undefined=jinja2.StrictUndefined).from_string
    cells = []
    for code, tag, text in template(kind, has):
        shown = remarks.SHOWN.fullmatch(text)
        if shown and shown[1] not in headings:
            continue
        make = nbformat.v4.new_code_cell if code else nbformat.v4.new_markdown_cell
        metadata = {"tags": [tag]} if tag else {}
        cells.append(make(fill(text).render(words), id=f"cell-{len(cells):02d}", metadata=metadata))
    return nbformat.v4.new_notebook(cells=cells, metadata=METADATA)


def described(kind):
    """Return what is said of each section with a template: section -> title and so on."""
    if kind == "summary":
        return {"summary": {}}
    return yaml.safe_load((paths.ROOT / DESCRIBED[kind]).read_text(encoding="utf-8"))


def description(file, study, section):
    """Return which template a section has, and what is said about it.

    `file`, `section`: as for `notebook`. `study`: the study of the file.

    Returns (str, dict). One of `PUBLISHED`; title, item, question and so on.

    Raises `InputError`: if the study has no such section, or no test belongs to the scores.
    """
    if section in study.sections:
        recommendation.in_the_paper(*study.sections[section]["scores"])
        return "task", study.sections[section]
    for kind in PUBLISHED:
        about = described(kind)
        if section in about and shown_in(study, section):
            about = about[section]
            if study.name != "paper":  # whose findings they are
                about = {**about, "headings": {}}
            if kind == "task":
                title = about["headings"].get("title", about["title"])
                if study.name in REPEATED:
                    title += f" (Table {about['item'].removeprefix('table')})"
                about = {**about, "title": title}
            return kind, about
    if not study.sections:
        raise checks.InputError(f"{file} does not describe any sections; see docs/adapt.md.")
    return checks.choice(f"{file}: section", section, study.sections)


def sources(file, study, section):
    """List the files that the notebook of a section is made from, but for its remarks.

    `file`, `study`, `section`: as for `description`.

    Returns list of str. The template, and what describes the section if anything does.
    """
    kind, _ = description(file, study, section)
    about = file if section in study.sections else DESCRIBED.get(kind)
    return [f"scripts/{kind}_section.md", *([about] if about else [])]


def shown_in(study, section):
    """Return the comparisons and families of a study that a section shows; its summary all."""
    blocks = (*study.comparisons, *study.families)
    return [block for block in blocks if section in ("summary", block.section)]


def asked(study):
    """List the notebooks that a study asks for, those on tasks made for it.

    `study`: as `studies.read_study` returns it.

    Returns list of items.Notebook. In the order of ``config/items.yaml``, then those that the study
    keeps and the sections that it describes itself.

    Raises `InputError`: as `items.read_notebooks`, and if two notebooks or two items have one name.
    """
    tasks = (*described("task"), "summary") if study.name != "paper" else ()
    shared, own = items.read_notebooks(), items.own_sections(study)
    found = [one for one in shared if one.runs(study)]
    made = [items.made_for(study, one) if one.name in tasks else one for one in found]
    place, made = items.OWN.format(study.name), [*made, *own]
    items.refuse_twice(f"{place}: notebook", [one.name for one in (*shared, *own)])
    for kind in items.PUBLISHED:
        stems = [stem for one in made for stem in getattr(one, kind)]
        items.refuse_twice(f"{place}: {kind}", stems)
    return made


def check_remarks(study, file):
    """Check the remarks of a study against the notebooks that show them.

    `study`: as `studies.read_study` returns it. `file`: its file.

    Raises `InputError`: as `remarks.headings`, or if a file has not the name of a notebook.
    """
    if not study.remarks:
        return
    notebooks = asked(study)
    for path in Path(study.remarks).glob("*.md"):
        place = f"{study.remarks}/{path.name}: notebook"
        checks.choice(place, path.stem, [one.name for one in notebooks])
    for one in notebooks:
        if one.made:
            notebook(file, one.name)
        else:
            cells = items.read_notebook(one.file).cells
            shown = remarks.SHOWN.findall("\n".join(cell.source for cell in cells))
            remarks.headings(study, one.name, shown)


def traits(study, section):
    """Say what a section of a study has.

    `study`: as `studies.read_study` returns it. `section`: the name of the section.

    Returns set of str. Some of `TRAITS` but "remarks", for which its file is read.
    """
    blocks = [block for block in shown_in(study, section) if len(block.systems) == 2]
    has = {need for need in items.NEEDS for block in blocks if items.has(block, need)}
    directed = [block for block in blocks if items.has(block, "both")]
    others = {
        "paper": study.name in REPEATED and section not in study.sections,
        "two_sided": directed and all(block.two_sided for block in directed),
        "several": section in study.sections and items.are_several(blocks),
    }
    return has | {name for name, true in others.items() if true}


def template(kind, has):
    """Split a template into the cells that a section has a use for.

    `kind` ({"task", "summary", "board"}): which template. `has` (set of str): what the section has,
    some of `TRAITS`.

    Returns list of (bool, str, str). Whether it is a cell of code, the tag of the cell or "", and
    its text.
    """
    file = f"scripts/{kind}_section.md"
    first, *parts = MARK.split((paths.ROOT / file).read_text(encoding="utf-8"))
    blocks = [(None, first), *zip(parts[::2], parts[1::2], strict=True)]
    cells = []
    for needs, block in blocks:
        if not all(_holds(need, has) for need in (needs or "").split(", ") if need):
            continue
        pieces = CODE.split(block)
        code = [*zip(pieces[1::3], pieces[2::3], strict=True), None]
        for prose, cell in zip(pieces[::3], code, strict=True):
            text = prose.strip("\n")
            if text and cells and not cells[-1][0]:
                cells[-1] = (False, "", f"{cells[-1][2]}\n\n{text}")
            elif text:
                cells.append((False, "", text))
            if cell:
                cells.append((True, cell[0] or "", cell[1]))
    return cells


def _holds(need, has):
    """Say whether a section has a trait, or has it not where the need says so."""
    name = need.removeprefix("not ")
    checks.choice("trait", name, TRAITS)
    return (name in has) != need.startswith("not ")
