"""Make the notebooks on tasks and on leaderboards from two templates.

    python scripts/task_notebooks.py                                 those of notebooks/
    python scripts/task_notebooks.py --study FILE --section NAME --output FILE

The first form writes the sources that task_sections.yaml and config/boards.yaml describe, by
task_section.md and board_section.md, and keeps the outputs of a notebook whose code is as it was;
`make notebooks` executes them. The second makes the notebook of
a section that a study describes under its key ``sections``.
"""

import argparse
import json
import re
import sys
import textwrap
from pathlib import Path

import jinja2
import nbformat
import yaml

from analysis import paths
from analysis.studies import read_study
from replicability import checks
from replicability.core import recommendation
from replicability.io.files import replacing

PUBLISHED = {"task": "config/paper.yaml", "board": "config/leaderboards.yaml"}
"""Kind of notebook -> the study that it shows."""

DESCRIBED = {"task": "scripts/task_sections.yaml", "board": "config/boards.yaml"}
"""Kind of notebook -> what says of each its title and so on."""

WIDTH = 100
"""Characters in a line of prose."""

CODE = re.compile(r"^```python(?: (\w+))?\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
"""A cell of code in the template, with the tag of the cell if it has one."""

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def main(arguments=None):
    """Write the notebooks; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name in ("study", "section", "output"):
        parser.add_argument(f"--{name}")
    given = parser.parse_args(arguments)
    if len({value is None for value in vars(given).values()}) > 1:
        parser.error("--study, --section and --output belong together")
    try:
        if given.study is None:
            for section in (*described("task"), *described("board")):
                write(committed(section), paths.ROOT / "notebooks" / f"{section}.ipynb")
        else:
            write(of_study(given.study, given.section), Path(given.output))
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def described(kind):
    """Return what is said of each task or board of the compendium: section -> title and so on."""
    return yaml.safe_load((paths.ROOT / DESCRIBED[kind]).read_text(encoding="utf-8"))


def committed(section):
    """Make the notebook of a task or a leaderboard of the compendium, which shows its study.

    Parameters
    ----------
    section : str
        Key of what is `described`.

    Returns
    -------
    NotebookNode
        The notebook without outputs.
    """
    kind = next(kind for kind in PUBLISHED if section in described(kind))
    study = PUBLISHED[kind]
    return notebook(section, described(kind)[section], study, read_study(study).alphas, kind)


def of_study(file, section):
    """Make the notebook of a section that a study describes.

    Parameters
    ----------
    file : str
        The study; a relative path starts at the checkout.
    section : str
        Name under its key ``sections``.

    Returns
    -------
    NotebookNode
        The notebook without outputs.

    Raises
    ------
    InputError
        If the study does not describe such a section, is none, or no test belongs to the scores.
    """
    study = read_study(file)
    if not study.sections:
        raise checks.InputError(f"{file} describes no section of its own; see docs/adapt.md.")
    task = study.sections[checks.choice(f"{file}: section", section, study.sections)]
    recommendation.in_the_paper(*task["scores"])
    return notebook(section, task, file, study.alphas)


def notebook(section, about, study, alphas, kind="task"):
    """Fill in the template.

    Parameters
    ----------
    section : str
        Name of the notebook.
    about : dict
        Of a task ``title``, ``item``, ``question`` and ``scores``, kind of scores and, after it,
        the metric; of a board see config/boards.yaml.
    study : str
        The study that it shows.
    alphas : sequence of float
        Levels of significance.
    kind : {"task", "board"}
        Which template.

    Returns
    -------
    NotebookNode
        The notebook without outputs.
    """
    prose = {
        key: textwrap.fill(about[key], WIDTH, break_on_hyphens=False)
        for key in ("question", "source")
        if key in about
    }
    words = {
        **about,
        **prose,
        "section": section,
        "scores": ", ".join(f'"{word}"' for word in about.get("scores", ())),
        "study": json.dumps(study, ensure_ascii=False),
        "alphas": list(alphas),
    }
    fill = jinja2.Environment(undefined=jinja2.StrictUndefined).from_string
    cells = []
    for number, (cell, tag, text) in enumerate(template(kind)):
        make = nbformat.v4.new_code_cell if cell == "code" else nbformat.v4.new_markdown_cell
        metadata = {"tags": [tag]} if tag else {}
        text = fill(text).render(words)
        cells.append(make(text, id=f"cell-{number:02d}", metadata=metadata))
    return nbformat.v4.new_notebook(cells=cells, metadata=METADATA)


def template(kind):
    """Split the template of tasks or boards into cells.

    Returns
    -------
    list of (str, str, str)
        "code" or "markdown", the tag of the cell or "", and its text.
    """
    file = Path(__file__).with_name(f"{kind}_section.md")
    pieces = CODE.split(file.read_text(encoding="utf-8"))
    prose = [("markdown", "", text.strip("\n")) for text in pieces[::3]]
    code = [("code", tag or "", text) for tag, text in zip(pieces[1::3], pieces[2::3], strict=True)]
    cells = [cell for pair in zip(prose, [*code, ("", "", "")], strict=True) for cell in pair]
    return [cell for cell in cells if cell[2]]


def write(made, path):
    """Write a notebook; one whose code is that of the file keeps the outputs of the file.

    Parameters
    ----------
    made : NotebookNode
        The notebook without outputs.
    path : Path
        Its place.
    """
    if path.exists():
        old = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
        new = [cell for cell in made.cells if cell.cell_type == "code"]
        if [cell.source for cell in old] == [cell.source for cell in new]:
            for before, cell in zip(old, new, strict=True):
                cell.update(outputs=before.outputs, execution_count=before.execution_count)
    with replacing(path) as partial:
        nbformat.write(made, partial)


if __name__ == "__main__":
    sys.exit(main())
