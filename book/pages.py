"""The pages of the book that are made: landing page, map, tables and figures, API reference.

They are derived from what is committed: the README's map of items, `figures/`, `tables/`, the
remarks on the open study and the modules of `analysis`. Every function returns Markdown (MyST) or
reStructuredText; a path in it starts at the top of the checkout.
"""

import importlib
import json
import pkgutil
import re
from dataclasses import dataclass
from pathlib import PurePosixPath

import jinja2
import yaml
from docutils.nodes import make_id

import analysis
import replicability
from replicability import checks
from replicability.io import delimited, paths
from replicability.io.text import read_text

CHAPTERS = {
    "Dror et al. (2017)": (
        "toy_simulations",
        "test_sizes",
        "dependency_parsing",
        "pos_tagging",
        "sentiment",
        "word_similarity",
        "summary",
    ),
    "Two more papers": (
        "sogaard_toy_examples",
        "sogaard_real_outputs",
        "gorman_standard_splits",
        "gorman_error_analysis",
    ),
    "The audit": ("audit",),
    "The open study": ("open_study", "dependent_datasets"),
    "Your own comparison": ("your_comparison",),
}
"""Part of the book -> its notebooks, in the order of the papers."""

MORE = "More"
"""The part with the notebooks that no other part names."""

USING = (
    ("Start here", "README"),
    ("", "docs/choosing"),
    ("", "docs/reading"),
    ("", "docs/formats"),
    ("The configuration of a study", "config/README"),
    ("", "docs/audit"),
    ("", "docs/scale"),
    ("Measured at scale", "benchmarks/scale"),
    ("", "docs/queue"),
)
"""Title, if it is not the page's own, and name of each guide, in the order of use."""

REFERENCE = (("The package", "api/index"), ("", "data/README"), ("", "data/outcomes/README"))
"""The same for the last part."""

KINDS = {"figures": ("figure", ("svg", "png")), "tables": ("table", ("csv", "tex", "md"))}
"""Folder -> kind of item, and the endings that an item can be downloaded with."""

NAMES = {"svg": "SVG", "png": "PNG", "csv": "CSV", "tex": "LaTeX", "md": "Markdown"}
"""Ending -> its name for readers."""

REMARKS = {
    "decides": "What decides",
    "ahead": "Who is ahead?",
    "which": "On which?",
    "directions": "Both directions",
}
"""Block of remarks -> heading, as in the notebooks."""


@dataclass(frozen=True)
class Row:
    """A row of the README's map of items.

    Attributes
    ----------
    label : str
        What it shows, in Markdown.
    files : tuple of str
        Its figures (SVG) and tables (CSV).
    notebook : str
        The notebook that makes them.
    """

    label: str
    files: tuple
    notebook: str

    @property
    def is_open(self):
        """Whether it belongs to the open study."""
        return "/open/" in self.files[0]

    @property
    def repeats(self):
        """Whether it is a table of the first paper again, in the open study."""
        return self.is_open and self.label.startswith("Table ")

    @property
    def title(self):
        """The label as a heading."""
        text = re.sub(r" ?\(\[[^]]*\]\([^)]*\)\)", "", self.label)
        text = text[0].upper() + text[1:]
        return f"Open study: {text}" if self.repeats else text

    @property
    def page(self):
        """Name of the page that shows the items, without ending."""
        return f"{'open' if self.repeats else 'items'}/{make_id(self.title)}"


def rows(readme):
    """Read the map of items.

    Parameters
    ----------
    readme : str
        Text with tables of three columns: item, files and notebook, the last two as code.

    Returns
    -------
    list of Row
        In the order of the text.

    Raises
    ------
    InputError
        If there is none.
    """
    pattern = r"^\| (.+) \| ((?:`[^`]+`(?:, )?)+) \| `(notebooks/\w+\.ipynb)` \|$"
    found = [
        Row(label, tuple(re.findall("`([^`]+)`", files)), notebook)
        for label, files, notebook in re.findall(pattern, readme, re.MULTILINE)
    ]
    if not found:
        raise checks.InputError(
            "README.md: no table has rows of the form | item | `file` | `notebook` |; "
            "the book needs the map of items."
        )
    return found


def name_of(file):
    """Name the target that links to an item.

    Parameters
    ----------
    file : str
        Such as "figures/open/table1_k_hat.svg".

    Returns
    -------
    str
        Such as "figure-open-table1-k-hat".
    """
    folder, *parts = PurePosixPath(file).with_suffix("").parts
    return make_id("-".join([KINDS[folder][0], *parts]))


def downloads(file):
    """Link to an item's files for download.

    Parameters
    ----------
    file : str
        The item's file in the map.

    Returns
    -------
    str
        Markdown, one link for each format.
    """
    endings = KINDS[file.partition("/")[0]][1]
    links = (
        f"{{download}}`{NAMES[e]} </{PurePosixPath(file).with_suffix('.' + e)}>`" for e in endings
    )
    return " · ".join(links)


def literal(text):
    """Escape text so that Markdown shows it as it is.

    Parameters
    ----------
    text : str
        One line.

    Returns
    -------
    str
        With a backslash before each punctuation mark of ASCII.
    """
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def caption_of(file, captions):
    """Find the caption of an item.

    Parameters
    ----------
    file : str
        The item's file in the map.
    captions : dict of str to str
        Figure, as below ``figures/`` without ending or by its stem alone -> caption in Markdown.

    Returns
    -------
    str
        Of a table, the last line of its Markdown file; "" for a figure without caption.
    """
    if file.startswith("figures/"):
        figure = PurePosixPath(file).relative_to("figures").with_suffix("")
        return captions.get(str(figure), captions.get(figure.name, ""))
    markdown = read_text(PurePosixPath(file).with_suffix(".md"))
    return literal(markdown.strip().rpartition("\n")[2])


def figure_captions(own, studies):
    """Put together the captions of figures.

    Parameters
    ----------
    own : dict of str to str
        Figure -> caption.
    studies : dict of str to data.Study
        Folder below ``figures/`` -> the study whose figures it holds.

    Returns
    -------
    dict of str to str
        `own`, and one for the figure of each comparison of the studies.
    """
    made = {}
    for folder, study in studies.items():
        for comparison in study.comparisons:
            a, b = comparison.systems
            for file in (paths.ROOT / "figures" / folder).glob(f"table?_{comparison.name}.svg"):
                made[str(PurePosixPath(folder) / file.stem)] = (
                    f"{a} against {b}: scores, p-values beside the line of Holm's procedure, and "
                    f"p-values of “{a} is better on at least *u* datasets”."
                )
    return made | own


def figure(file, caption):
    """Write a figure with its number and downloads.

    Parameters
    ----------
    file : str
        An SVG file below ``figures/``.
    caption : str
        In Markdown.

    Returns
    -------
    str
        Markdown.
    """
    alt = re.sub(r"[*\\$]|\\hat ", "", caption)
    return (
        f":::{{figure}} /{file}\n:name: {name_of(file)}\n:alt: {alt}\n\n{caption}\n:::\n\n"
        f"{downloads(file)}\n"
    )


def table(file, caption):
    """Write a table with its number and downloads.

    Parameters
    ----------
    file : str
        A CSV file below ``tables/``.
    caption : str
        In Markdown.

    Returns
    -------
    str
        Markdown; every cell is shown as it stands in the file, columns of numbers to the right.
    """
    cells = delimited.read_table(file)
    sides = ["--:" if is_numeric(cells[column]) else ":--" for column in cells]
    lines = [map(literal, cells.columns), sides]
    lines += [map(literal, row) for row in cells.itertuples(index=False)]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"::::{{table}} {caption}\n:name: {name_of(file)}\n\n{body}\n::::\n\n{downloads(file)}\n"


def is_numeric(column):
    """Say whether a column of text holds numbers.

    Parameters
    ----------
    column : sequence of str
        Cells; empty ones are passed over.

    Returns
    -------
    bool
        Whether each of them starts as a number does.
    """
    filled = [cell for cell in column if cell]
    return bool(filled) and all(re.match(r"[<≤]?[−-]?\.?\d", cell) for cell in filled)


def items_page(row, captions, remarks):
    """Write the page of a row of the map.

    Parameters
    ----------
    row : Row
        The row.
    captions : dict of str to str
        Figure -> caption.
    remarks : dict of str to str
        What is said about the items: "data" before them, and the blocks of `REMARKS`.

    Returns
    -------
    str
        Markdown: tables before figures, the table of both directions at the end.
    """
    last = [file for file in row.files if file.endswith("_both_directions.csv")]
    first = sorted(
        set(row.files) - set(last), key=lambda f: (f.startswith("f"), row.files.index(f))
    )
    shown = [
        (figure if file.startswith("figures/") else table)(
            file, caption_of(file, captions) or literal(row.title)
        )
        for file in [*first, *last]
    ]
    how = ", run on `config/open.yaml`" if row.is_open and remarks else ""
    said = {
        key: f"## {title}\n\n{remarks[key]}\n" for key, title in REMARKS.items() if key in remarks
    }
    directions = said.pop("directions", "")
    blocks = [f"# {row.title}\n", f"Made by the chapter [](/{row.notebook}){how}.\n"]
    blocks += [remarks["data"] + "\n"] if "data" in remarks else []
    blocks += [*shown[: len(first)], *said.values(), directions, *shown[len(first) :]]
    return "\n".join(block for block in blocks if block)


def map_page(found):
    """Write the map of items with links in place of file names.

    Parameters
    ----------
    found : list of Row
        The README's map.

    Returns
    -------
    str
        Markdown.
    """
    head = "| item | tables and figures | chapter |\n| --- | --- | --- |\n"

    def part(is_open):
        return head + "".join(
            f"| {row.label} | {', '.join(f'{{numref}}`{name_of(file)}`' for file in row.files)} "
            f"| [](/{row.notebook}) |\n"
            for row in found
            if row.is_open == is_open
        )

    return (
        "# What comes from where\n\n"
        "Every table and figure has a number of its own here, with a B for *book*, so that it is "
        "not taken for a number of the papers, which name the items.\n\n"
        f"{part(False)}\n## The open study\n\n{part(True)}"
    )


def module_names():
    """List the public modules of the package.

    Returns
    -------
    list of str
        Such as "replicability.audit", in alphabetical order.
    """
    return sorted(
        module.name
        for package in (replicability, analysis)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not any(part.startswith("_") for part in module.name.split("."))
    )


def module_page(name):
    """Write the page of a module.

    Parameters
    ----------
    name : str
        Dotted name.

    Returns
    -------
    str
        reStructuredText.
    """
    head = f"{name}\n{'=' * len(name)}\n\n.. automodule:: {name}\n"
    # what a package offers is described where it is defined
    is_package = hasattr(importlib.import_module(name), "__path__")
    return head if is_package else f"{head}   :members:\n"


def api_index():
    """Write the page of the package.

    Returns
    -------
    str
        reStructuredText with the package's docstring and its modules.
    """
    modules = "\n".join(f"   {name}" for name in module_names())
    return (
        "The packages\n============\n\n"
        ".. automodule:: replicability\n\n.. automodule:: analysis\n\n"
        f".. toctree::\n   :maxdepth: 1\n   :caption: Modules\n\n{modules}\n"
    )


def chapters(notebooks):
    """Put notebooks in order.

    Parameters
    ----------
    notebooks : iterable of str
        Stems.

    Returns
    -------
    dict of str to list of str
        Part -> its notebooks; those that no part of `CHAPTERS` names are in the part `MORE`.
    """
    left = sorted(notebooks)
    parts = {part: [stem for stem in stems if stem in left] for part, stems in CHAPTERS.items()}
    named = {stem for stems in parts.values() for stem in stems}
    more = {MORE: [stem for stem in left if stem not in named]}
    return {part: stems for part, stems in (parts | more).items() if stems}


def contents(notebooks, guides, found):
    """Order the book.

    Parameters
    ----------
    notebooks : iterable of str
        Stems of all notebooks.
    guides : collection of str
        Pages in Markdown, without ending; those that nothing else names come after `USING`.
    found : list of Row
        The README's map.

    Returns
    -------
    dict of str to list of (str, str)
        Part -> title ("" for the page's own) and name of its pages.
    """
    named = {name for _, name in (*USING, *REFERENCE)}
    shown = {again: [("", r.page) for r in found if r.repeats == again] for again in (False, True)}
    parts = {}
    for part, stems in chapters(notebooks).items():
        if part == "The open study":
            parts["Tables and figures"] = [("", "map"), *shown[False]]
        parts[part] = [("", f"notebooks/{stem}") for stem in stems]
    parts["The open study"] += shown[True]
    using = [(title, name) for title, name in USING if name in guides]
    using += [("", name) for name in sorted(guides) if name not in named]
    parts["Your own comparison"] = [*using, *parts["Your own comparison"]]
    return parts | {"Reference": list(REFERENCE)}


def landing_page(template, parts):
    """Fill in the landing page.

    Parameters
    ----------
    template : str
        Jinja template in Markdown.
    parts : dict
        As `contents` returns it.

    Returns
    -------
    str
        Markdown, with the audit's totals, the exact probabilities of Section 5, the estimates of
        Tables 1 and 3 and the family of parsers.
    """
    totals = delimited.read_table("tables/audit_totals.csv").to_dict("records")
    toy = delimited.read_table("tables/section5_toy_examples.csv").query("example == 'independent'")
    exact = {row.estimator: f"{float(row.exact):.1%}" for row in toy.itertuples()}
    pairs = delimited.read_table("tables/open/all_pairs.csv").iloc[0].to_dict()
    counts = delimited.read_table("tables/table1_summary.csv").set_index(["comparison", "alpha"])
    parsing = counts.loc[("Mate-Redshift", "0.05")].to_dict()
    printed = counts.loc[("MIMICK-Char→Tag", "0.05")]
    first, second = delimited.read_table("tables/table3_both_directions.csv")["estimate"]
    tagging = {
        "printed": f"{printed[printed['recommended']]} of {printed['datasets']}",
        "first": first,
        "second": second,
    }
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
    return environment.from_string(template).render(
        totals=totals, exact=exact, pairs=pairs, parsing=parsing, tagging=tagging, parts=parts
    )


def linked(text, pages):
    """Turn names of files and modules in prose into links to their pages.

    Parameters
    ----------
    text : str
        Markdown in which files are named as inline code; after the opening fence of a block of
        code may stand the name of a file that has this content, which is shown above the block.
    pages : dict of str to str
        File -> target of the link.

    Returns
    -------
    str
        Markdown; what is a link already stays.
    """

    def link(match):
        target = pages.get(match[1])
        return f"[{match[0]}]({target})" if target else match[0]

    text = re.sub(r"(?<![`\[])`([\w./]+)`(?![`\]])", link, text)
    return re.sub(r"^```(\w+) (\S+)$", r"`\2`\n\n```\1", text, flags=re.MULTILINE)


def link_targets(found, documents):
    """List what prose can name and the book has a place for.

    Parameters
    ----------
    found : list of Row
        The README's map.
    documents : iterable of str
        Guides and notebooks.

    Returns
    -------
    dict of str to str
        File or module -> target of a link in Markdown; a notebook also by its name alone.
    """
    targets = {name: f"/{name}" for name in documents}
    targets |= {PurePosixPath(n).name: f"/{n}" for n in documents if n.endswith(".ipynb")}
    for module in module_names():
        path = module.replace(".", "/")
        for name in (module, f"{path}.py", f"{path}/__init__.py"):
            targets[name] = f"/api/{module}.rst"
    return targets | {file: f"#{name_of(file)}" for row in found for file in row.files}


def saved(source, notebook, found):
    """Find the items that a cell of a notebook saves.

    Parameters
    ----------
    source : str
        Code of the cell.
    notebook : str
        The notebook's file.
    found : list of Row
        The README's map.

    Returns
    -------
    list of str
        Files of the map; those of the open study only if the notebook has no other.
    """
    files = [file for row in found if row.notebook == notebook for file in row.files]
    files = [file for file in files if "/open/" not in file] or files
    folders = {"style": "figures", "tables": "tables"}
    calls = re.findall(r'(style|tables)\.save\(.*?outputs,\s*f?"([^"]+)"', source, re.DOTALL)
    stems = [(folders[kind], re.sub("{[^}]*}", "*", stem)) for kind, stem in calls]
    return [
        file
        for folder, stem in stems
        for file in files
        if file.startswith(folder) and PurePosixPath(file).match(f"{stem}.*")
    ]


def linked_notebook(text, name, found, pages):
    """Put links into a notebook, as `linked` does, and to the items after the cells that save them.

    Parameters
    ----------
    text : str
        The notebook's JSON.
    name : str
        Its file.
    found : list of Row
        The README's map.
    pages : dict of str to str
        File -> target of the link.

    Returns
    -------
    str
        JSON.
    """
    notebook = json.loads(text)
    cells = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            cell["source"] = linked(source, pages)
        cells.append(cell)
        items = saved(source, name, found) if cell["cell_type"] == "code" else []
        if items:
            lines = [f"{{numref}}`{name_of(file)}`: {downloads(file)}" for file in items]
            below = {"id": f"items-{len(cells)}", "source": "\\\n".join(lines)}
            cells.append({"cell_type": "markdown", "metadata": {}, **below})
    return json.dumps(notebook | {"cells": cells})


def read_captions(file):
    """Read the captions of figures.

    Parameters
    ----------
    file : Path
        YAML mapping: figure -> caption in Markdown.

    Returns
    -------
    dict of str to str
        The same.
    """
    return yaml.safe_load(file.read_text(encoding="utf-8"))
