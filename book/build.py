"""Build the book: python book/build.py [FOLDER]

Pages that exist are copied, the others made (`pages`), into a folder beside the destination; Sphinx
makes the site from it, every warning is an error, and only a whole site takes the place of the one
before. Nothing is executed and nothing is fetched.
"""

import argparse
import re
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path, PurePosixPath

import bibliography
import chapters
import lighter
import living
import made as records
import pages
import reference
import seven_of_nine
import shown
from sphinx.cmd import build as sphinx

from analysis import fields, items, paths, prose
from analysis.remarks import read_remarks
from analysis.studies import read_study
from replicability import checks
from replicability.io.text import read_text

BOOK = Path(__file__).resolve().parent
GUIDES = ("README.md", "config/README.md", "data/README.md", "data/outcomes/README.md")
"""Pages in Markdown beside those in `docs/`."""

PAPER = paths.ROOT / "results/paper.pdf"
"""What `make paper` makes; a book that is built after it has it, with a link below every page."""

MAP = "docs/map.md"
"""The guide in whose place the book has a map with links, `pages.map_page`."""


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=paths.ROOT / "results/book")
    options = parser.parse_args(arguments)
    try:
        return build(options.folder)
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1


def build(folder):
    """Build the site.

    `folder`: where it goes; a book that is there is replaced.

    Returns int. 0, or the exit status of Sphinx.

    Raises `InputError`: if the folder holds something else.
    """
    taken = folder.is_file() or (folder.is_dir() and any(folder.iterdir()))
    if taken and not (folder / "objects.inv").is_file():
        raise checks.InputError(
            f"{folder} is not empty and does not contain a book; choose another folder."
        )
    work = folder.with_name(f"{folder.name}.part")
    sources, made = work / "source", work / "site"
    shutil.rmtree(work, ignore_errors=True)
    try:
        copy_items(rows(), made)
        gather(sources)
        settings = ["-W", "--keep-going", "-q", "-j", "auto", "-c", str(BOOK)]
        status = sphinx.main([*settings, str(sources), str(made)])
        if status == 0:
            shutil.rmtree(made / ".doctrees")
            for file in chain.from_iterable(map((made / "_static").glob, lighter.BY_OTHERS)):
                file.unlink()
            seven_of_nine.write(made / "seven_of_nine.html")
            if PAPER.is_file():
                shutil.copyfile(PAPER, made / PAPER.name)
            shutil.rmtree(folder, ignore_errors=True)
            made.replace(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return status


def gather(destination):
    """Lay out the sources of all pages as in the checkout.

    `destination`: a folder that does not exist.
    """
    for name in documents():
        copy(name, destination)
        text = prose.document(executed(name), fields.plain)
        (destination / name).write_text(text, encoding="utf-8")
        for file in files_linked_in(name):
            copy(file, destination)
    for name, text in made_pages(rows()).items():
        path = destination / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def copy_items(found, destination):
    """Lay the files of all tables and figures out as in the checkout, figures in fewer bytes.

    The records of how they were made come along.

    `found` (list of items.Row): the map of items. `destination`: the top of the site.

    Raises `InputError`: if a table or figure that is listed is not there.
    """
    for file in records.records():
        copy(file, destination)
    for row in found:
        for file in row.files:
            for ending in shown.KINDS[file.partition("/")[0]][1]:
                item = Path(file).with_suffix(f".{ending}")
                if not (paths.ROOT / item).is_file():
                    raise checks.InputError(
                        f"{row.notebook.file} makes {item}, but this file does not exist; run "
                        f"`make study STUDY=config/{row.study.name}.yaml`."
                    )
                if ending not in shown.endings(file):
                    continue
                copy(item, destination)
                if ending == "svg":
                    text = lighter.svg(read_text(item))
                    (destination / item).write_text(text, encoding="utf-8")


def executed(name):
    """Return the copy of a notebook that a user keeps from the last run of its study, if any."""
    _, study, *_ = PurePosixPath(name).parts if name.startswith("config/") else ("", "")
    copy = f"results/{study}/notebooks/{PurePosixPath(name).name}"
    return copy if name.endswith(".ipynb") and (paths.ROOT / copy).is_file() else name


def rows():
    """List the rows of the map of items, last those of the studies that users keep."""
    notebooks = items.read_notebooks()
    own = [
        row
        for study in items.FOLDERS
        for row in items.rows(read_study(f"config/{study}.yaml"), notebooks)
    ]
    studies = map(read_study, items.kept().values())
    return own + [row for study in studies for row in items.rows(study, items.listed(study))]


def documents():
    """List the guides and notebooks.

    Returns list of str. Files, relative to the checkout: `GUIDES`, `docs/`, `notebooks/`, the
    notebooks that users keep, and what they link to in Markdown.
    """
    kept = [*paths.ROOT.glob("docs/*.md"), *paths.ROOT.glob("notebooks/*.ipynb")]
    found = [*GUIDES, *sorted(path.relative_to(paths.ROOT).as_posix() for path in kept)]
    studies = map(read_study, items.kept().values())
    found += [notebook.file for study in studies for notebook in items.listed(study)]
    found.remove(MAP)
    linked = {file for name in found for file in files_linked_in(name) if file.endswith(".md")}
    return [*found, *sorted(linked - set(found))]


def files_linked_in(name):
    """List the files that a guide links to or shows.

    `name`: a document, relative to the checkout.

    Returns list of str. Those that exist, relative to the checkout, but for `MAP`; none for a
    notebook.
    """
    if not name.endswith(".md"):
        return []
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", read_text(name))
    files = [(paths.ROOT / name).parent.joinpath(target).resolve() for target in targets]
    inside = [file for file in files if file.is_file() and file.is_relative_to(paths.ROOT)]
    found = [file.relative_to(paths.ROOT).as_posix() for file in inside]
    return [file for file in found if file != MAP]


def made_pages(found):
    """Write the pages that no file of the checkout holds.

    `found` (list of items.Row): the map of items.

    Returns dict of str to str. File -> text.
    """
    labels = shown.labels(found)
    made = {"index.md": pages.landing_page(read_text(BOOK / "index.md"), parts(found), labels)}
    works = bibliography.read()
    made["map.md"] = pages.map_page(found, labels, works)
    made["gallery.md"] = pages.gallery_page(found, labels)
    made["references.md"] = bibliography.page(works)
    made["living.md"] = living.page()
    made["made.md"] = records.page()
    repeated = {}
    for row in found:
        for file in filter(shown.is_long, row.files):
            page = chapters.page_of(row, file)
            made[f"{page}.md"] = pages.list_page(file, row, labels[file])
        if chapters.repeats(row):
            repeated.setdefault(chapters.page_of(row, ""), []).append(row)
    for page, again in repeated.items():
        made[f"{page}.md"] = pages.repeated_page(again, labels, remarks_on(again[0]))
    made["api/index.rst"] = reference.api_index()
    names = reference.package_names()
    return made | {f"api/{name}.rst": reference.package_page(name) for name in names}


def parts(found):
    """Order the book, as `pages.contents` does."""
    stems = [path.stem for path in paths.ROOT.glob("notebooks/*.ipynb")]
    guides = [name.removesuffix(".md") for name in documents() if name.endswith(".md")]
    return pages.contents(pages.in_parts(items.read_notebooks(), stems), guides, found)


def commit():
    """Return the commit that is checked out, or "" where git knows of none."""
    call = ["git", "rev-parse", "--short=10", "HEAD"]
    found = subprocess.run(call, cwd=paths.ROOT, capture_output=True, text=True, check=False)
    return found.stdout.strip() if found.returncode == 0 else ""


def remarks_on(row):
    """Fill in what a study says about the items of a notebook: heading -> text."""
    if not (paths.ROOT / row.study.remarks / f"{row.notebook.name}.md").is_file():
        return {}
    tables = f"tables/{items.FOLDERS[row.study.name]}".rstrip("/")
    remarks = read_remarks(row.study, row.notebook.name, tables)
    return {heading: remarks[heading] for heading in remarks.blocks}


def copy(name, destination):
    """Copy a file of the checkout to the same place below another folder.

    `name`: relative to the checkout. `destination`: the other folder.
    """
    target = destination / name
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(paths.ROOT / name, target)


if __name__ == "__main__":
    sys.exit(main())
