"""Every table and figure of the compendium, as `config/items.yaml` lists them once.

The rules of the workflow, the map in docs, the chapters, captions and alternative texts of
the book, the captions of Snakemake's report and the lists of the tests are made from it.
"""

import re
from dataclasses import dataclass, field, replace

from analysis import fields, paths, schemas
from replicability import checks
from replicability.io.study import SECTION, Family

FILE = "config/items.yaml"
"""The list, relative to the checkout."""

PUBLISHED = {"tables": ("csv", "md", "tex", "html"), "figures": ("svg", "png"), "pages": ("html",)}
"""Kind of item -> endings of its files; it is known by the first."""

TEXTS = ("title", "caption", "finding")
"""Keys of an item's entry that are texts."""

FOLDERS = {"paper": "", "open": "open/", "leaderboards": "leaderboards/"}
"""Study whose items are committed -> where they lie below ``figures`` and ``tables``."""


NEEDS = {
    "printed": lambda block: block.level == "p-values",
    "computed": lambda block: block.level != "p-values",
    "instances": lambda block: block.level == "instances",
    "scores": lambda block: block.level != "p-values" or "scores" in block.columns,
    "unknown": lambda block: block.sided == "unknown" and "scores" in block.columns,
    "both": lambda block: (
        block.claim != "equivalent"
        and (
            block.level != "p-values"
            or (block.sided in ("two", "unknown") and "scores" in block.columns)
        )
    ),
    "holm": lambda block: block.procedure == "paper",
    "shared": lambda block: bool(block.shared),
    "groups": lambda block: bool(block.groups),
    "splits": lambda block: block.repeats.get("kind") == "splits",
}
"""What a comparison can have that an item, or a block of prose, needs."""

OWN = "config/{}/items.yaml"
"""The list of what a study keeps in the folder of its name, beside its notebooks and remarks."""

OUTCOMES = "data/outcomes/"
"""Folder that the outcomes stage fills, so that its files need not be there before."""

TASK = "notebooks/pos_tagging.ipynb"
"""One of the notebooks that are made from the template of sections on tasks."""


@dataclass(frozen=True)
class Item:
    """A table, figure or page of a study.

    Attributes
    ----------
    kind : {"tables", "figures", "pages"}
        What it is.
    stem : str
        Name of its files without ending.
    title : str
        Number and title, in Markdown.
    caption : str
        What a figure shows, in Markdown; "" for a table, whose file holds its caption.
    finding : str
        What it says, in Markdown; "" if nothing is said. It may have the fields of `pages.fields`.
    block : Comparison or Family, optional
        What it shows, if it is one of several that are alike.
    pairs : bool
        Whether it is a table of all pairs of systems, with a file of their names and p-values.
    rows : int or dict of str to str, optional
        How many first rows of a table the book shows, or what some columns have in these rows; by
        default those that tables show in general.
    columns : sequence of str, optional
        Which columns of a table the book shows, by default all.
    """

    kind: str
    stem: str
    title: str
    caption: str = ""
    finding: str = ""
    block: object = None
    pairs: bool = False
    rows: int | dict | None = None
    columns: tuple = ()

    @property
    def endings(self):
        """Endings of its files; it is known by the first."""
        return PUBLISHED[self.kind] + (("json",) if self.pairs else ())


@dataclass(frozen=True)
class Notebook:
    """What a notebook needs and makes.

    Attributes
    ----------
    name : str
        Stem of its file, rule, log and executed copy.
    part : str
        Part of the compendium; in most cases a paper.
    title : str or dict
        Number and title of its items, in Markdown; a mapping has one for each study.
    comparisons : {"section", "all", ""}
        Which comparisons of a study it reads.
    key : str
        Key of a study without which it does not run; "" if there is none.
    study : str
        The only study that asks for it; "" for any.
    unless : str
        Key of a study that has another notebook in its place; "" if there is none.
    data : tuple of str
        Files that it reads besides: patterns, or a parameter in braces that names a file.
    long : bool
        Whether it starts before the others.
    tables, figures, pages : dict
        Stem, perhaps with ``{comparison}`` or ``{family}`` -> what is said about the item; under
        ``needs`` what a comparison has without which it is not made: a key, or ``instances``;
        under ``pairs`` whether a table is of all pairs of systems; under ``rows`` which of its
        rows the book shows, and under ``columns`` which columns.
    folder : str
        Where its file is.
    made : bool
        Whether the file is made from the template of sections on tasks.
    """

    name: str
    part: str
    title: object
    comparisons: str = ""
    key: str = ""
    study: str = ""
    unless: str = ""
    data: tuple = ()
    long: bool = False
    tables: dict = field(default_factory=dict)
    figures: dict = field(default_factory=dict)
    pages: dict = field(default_factory=dict)
    folder: str = "notebooks"
    made: bool = False

    @property
    def file(self):
        """The notebook's file, relative to the checkout."""
        return f"{self.folder}/{self.name}.ipynb"

    @property
    def model(self):
        """A notebook that imports and declares the same, and is there before anything runs."""
        published = f"notebooks/{self.name}.ipynb"
        made = published if (paths.ROOT / published).is_file() else TASK
        return made if self.made else self.file

    def runs(self, study):
        """Say whether a study asks for the notebook.

        Returns bool. By the study's name or key; without these, by the sections of its comparisons.
        One that a study keeps always.
        """
        if self.folder != "notebooks":
            return True
        if self.unless in study.notebooks:
            return False
        if self.study or self.key:
            return self.study == study.name or self.key in study.notebooks
        sections = {block.section for block in (*study.comparisons, *study.families)}
        return bool(
            sections & {self.name} if self.comparisons == "section" else sections - {SECTION}
        )

    def blocks(self, study):
        """List the comparisons and families of a study that the notebook reads."""
        blocks = (*study.comparisons, *study.families) if self.comparisons else ()
        return [b for b in blocks if self.comparisons == "all" or b.section == self.name]

    def items(self, study):
        """List what the notebook makes of a study.

        Returns list of Item. Tables, figures and pages, as they are listed; of those that are
        alike, one for each comparison or family that the notebook reads.
        """
        return [
            self._item(kind, stem, said, block, study.name)
            for kind in PUBLISHED
            for stem, said in getattr(self, kind).items()
            for block in self._alike(stem, study, said.get("needs"))
        ]

    def _item(self, kind, stem, said, block, study):
        """Make an item of its entry, for a study and perhaps a comparison or family."""
        name = block.name if block else ""
        a, b = map(block.called, block.systems) if stem.endswith("{comparison}") else ("", "")
        texts = {"title": self.title, **{k: said[k] for k in said if k in TEXTS}}
        chosen = {key: one_of(value, name, study) for key, value in texts.items()}
        texts = {key: filled(value, a=a, b=b) for key, value in chosen.items()}
        stem, pairs = re.sub("{.*}", name, stem), said.get("pairs", False)
        shown = {"rows": said.get("rows"), "columns": said.get("columns", ())}
        return Item(kind, stem, **texts, block=block, pairs=pairs, **shown)

    def _alike(self, stem, study, need):
        """List the comparisons or families of which each has an item; [None] for a single item.

        They, or for a single item some comparison, have what is needed.
        """
        blocks = [block for block in self.blocks(study) if has(block, need)]
        if not stem.endswith("}"):
            return [None] if blocks or not need else []
        families = stem.endswith("{family}")
        return [b for b in blocks if isinstance(b, Family) == families]


@dataclass(frozen=True)
class Row:
    """Items of one title that a notebook makes of a study whose results are kept.

    Attributes
    ----------
    title : str
        Number and title, in Markdown.
    notebook : Notebook
        The notebook.
    study : Study
        One of `FOLDERS` or `kept`.
    items : tuple of Item
        What it makes.
    """

    title: str
    notebook: Notebook
    study: object
    items: tuple

    @property
    def files(self):
        """The files by which the items are known, relative to the checkout."""
        folder = below(self.study.name)
        return tuple(f"{i.kind}/{folder}{i.stem}.{PUBLISHED[i.kind][0]}" for i in self.items)


def below(study):
    """Return where the results of a study lie below ``figures`` and ``tables``; "" at their top."""
    return FOLDERS.get(study, f"{study}/")


def kept():
    """List the studies that have a list of their own: name -> file, relative to the checkout."""
    lists = sorted(paths.ROOT.glob(OWN.format("*")))
    return {path.parent.name: f"config/{path.parent.name}.yaml" for path in lists}


def has(block, need):
    """Say whether a comparison or family has what an item needs, one of `NEEDS`, if anything."""
    return not need or NEEDS[need](block)


def are_several(blocks):
    """Say whether comparisons are over different datasets, so that they share no table."""
    return any(not _alike(blocks[0], block) for block in blocks[1:])


def _alike(one, other):
    """Say whether two comparisons have the same datasets: those named, or all of the same files."""
    if one.datasets or other.datasets:
        return set(one.datasets) == set(other.datasets)
    by = [(block.columns.get("dataset"), block.by) for block in (one, other)]
    return bool(set(one.paths) & set(other.paths)) and by[0] == by[1]


def filled(said, **fields):
    """Put values into the fields of a text that are named; other braces stay."""
    for name, value in fields.items():
        said = said.replace(f"{{{name}}}", value)
    return said


def one_of(said, *names):
    """Return what is said: a text, or the entry of the first name or "other" that a mapping has."""
    if isinstance(said, str):
        return said
    return next((said[name] for name in (*names, "other") if name in said), "")


def read_notebooks(path=FILE, folder="notebooks"):
    """Read a list of tables and figures.

    `path`: YAML file; a relative path starts at the checkout. `folder`: where its notebooks are.

    Returns list of Notebook. In the order of the file.

    Raises `InputError`: if the file is missing or not YAML, breaks ``config/items_schema.yaml``, or
    names a notebook or an item twice, or a file that is not there.
    """
    parts = _plain(schemas.load_checked(path, "config/items_schema.yaml"))
    found = [
        notebook_of(name, part, entry, folder)
        for part, entries in parts.items()
        for name, entry in entries.items()
    ]
    refuse_twice(f"{path}: notebook", [notebook.name for notebook in found])
    for kind in PUBLISHED:
        refuse_twice(f"{path}: {kind}", [stem for n in found for stem in getattr(n, kind)])
    for notebook in found:
        check_files(path, notebook)
    return found


def _plain(entry):
    """Leave the fields out of the texts of an entry."""
    if isinstance(entry, dict):
        return {key: _plain(value) for key, value in entry.items()}
    return fields.plain(entry) if isinstance(entry, str) else entry


def own_sections(study):
    """List the notebooks that a study keeps, and those that are made of its other sections.

    Returns list of Notebook. Those of its list in the order there.

    Raises `InputError`: as `read_notebooks`.
    """
    found = listed(study)
    names = {notebook.name for notebook in found}
    made = [
        Notebook(name, heading(study.name), **section(study, name))
        for name in study.sections
        if name not in names
    ]
    return found + [made_for(study, notebook) for notebook in made]


def listed(study):
    """List the notebooks that a study keeps, as its own list has them; none without such a list."""
    path = OWN.format(study.name)
    there = (paths.ROOT / path).is_file()
    return read_notebooks(path, f"config/{study.name}") if there else []


def heading(study):
    """Return the part of the compendium that a study of one's own is, by its name."""
    return f"The study {study}"


def section(study, name):
    """Make the entry of a section that a study describes, with what is said of each of its items.

    `name`: its name.

    Returns dict. An entry of a list of notebooks.
    """
    item = study.sections[name]["item"]
    several = are_several([block for block in study.comparisons if block.section == name])
    return {
        "title": study.sections[name]["title"],
        "comparisons": "section",
        "tables": {
            f"{item}_{'{comparison}' if several else name}": {"finding": "{counts}"},
            f"{item}_groups": {"needs": "groups"},
            f"{item}_both_directions": {"needs": "both", "finding": "{directions}"},
        },
        "figures": {
            f"{item}_{{comparison}}": {"caption": EVIDENCE, "finding": "{counts}"},
            f"{item}_forest_{{comparison}}": {"needs": "instances", "caption": FOREST},
        },
    }


EVIDENCE = (
    "{a} against {b}. The panels show each dataset's scores and, unless the scores alone settle "
    "the comparison, the p-values of the datasets and of the claims “better on at least *u* "
    "datasets”. Filled marks show named datasets, in the better system's colour."
)
FOREST = (
    "{a} minus {b} on each dataset, with confidence intervals. Filled marks show named datasets, "
    "and the diamond shows the mean over the datasets."
)
"""What the figures of a section show."""


def made_for(study, notebook):
    """Return a notebook on a task as it is made for a study, from the template."""
    return replace(notebook, folder=f"results/{study.name}/sections", made=True)


def notebook_of(name, part, entry, folder):
    """Make a notebook of its entry, with what the entry leaves out."""
    made = {
        kind: {stem: said or {} for stem, said in entry.get(kind, {}).items()} for kind in PUBLISHED
    }
    data = tuple(entry.get("data", ()))
    return Notebook(name, part, **{**entry, **made, "data": data, "folder": folder})


def refuse_twice(place, names):
    """Refuse a name that is there twice."""
    for name in names:
        if names.count(name) > 1:
            raise checks.InputError(
                f"{place} {name!r} is listed twice; remove or rename one of the two."
            )


def check_files(path, notebook):
    """Refuse a notebook or data that do not exist."""
    for file in (notebook.file, *notebook.data):
        made = "{" in file or file.startswith(OUTCOMES)
        if not made and not any(paths.ROOT.glob(file)):
            raise checks.InputError(
                f"{path}, notebook {notebook.name!r}: there is no {file}; correct the name, or add "
                "the file."
            )


def rows(study, notebooks):
    """Group what a study makes by notebook and title.

    `study`: one of `FOLDERS` or `kept`. `notebooks`: as `read_notebooks` returns them.

    Returns list of Row. In the order of the list.
    """
    grouped = {}
    for notebook in notebooks:
        for item in notebook.items(study) if notebook.runs(study) else ():
            grouped.setdefault((notebook.name, item.title), (notebook, []))[1].append(item)
    return [Row(title, nb, study, tuple(found)) for (_, title), (nb, found) in grouped.items()]


def plain(said):
    """Return a text without the marks of Markdown, for where it is read out or shown as it is."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)|[*$`\\]", r"\1", said.replace(r"$\hat k$", "k-hat"))


def read_notebook(notebook):
    """Read a notebook of the checkout.

    `notebook`: path from the root of the checkout.

    Raises `InputError`: if it is none.
    """
    import nbformat  # which few need

    try:
        return nbformat.read(paths.ROOT / notebook, as_version=4)
    except (AttributeError, KeyError, ValueError, nbformat.ValidationError):
        raise checks.InputError(
            f"{notebook} is not a notebook; save it again from Jupyter, or restore it from git."
        ) from None
