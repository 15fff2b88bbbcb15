"""Give a section of a study a notebook of its own, which the template does not touch again.

    python scripts/own_section.py STUDY.yaml SECTION            write it into config/<study>/
    python scripts/own_section.py STUDY.yaml SECTION --diff     what the template has changed since
    python scripts/own_section.py STUDY.yaml SECTION --merge    take these changes over

Beside the notebook go its entry in ``items.yaml``, a start of its remarks and, for later merges,
what the template made. Nothing that is there is overwritten. Where both have changed the same
lines, a merge keeps yours and prints those of the template.
"""

import argparse
import difflib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
import yaml

from analysis import assembly, command, items, paths, schemas
from analysis.studies import read_study
from replicability import checks
from replicability.io.files import replacing
from replicability.io.text import read_text

HEAD = """\
# Tables and figures of the study {study}: what the book and `make report` say about each. The keys
# are those of config/items.yaml: `caption` describes a figure, and `finding` states the result of
# an item as its alternative text. {{a}} and {{b}} are the systems of a comparison; {{counts}} and
# {{directions}} become sentences from the tables.
"""
"""How ``items.yaml`` begins."""

REMARKS = """\
What the notebook says about its results: one block for each heading that a cell shows, such as
`remarks["which"]`. Text in double braces is computed from the results; config/README.md lists the
names that it may use.

## which

At level {alpha:g}, we can show that {a} is better than {b} on
{{{{ found("{name}", {alpha:g}).k | of(result("{name}") | length) }}}} datasets.
"""
"""A start of the remarks on a section."""

CELL = re.compile(r"^=== (code|markdown|raw)((?: \S+)*) ===$", re.MULTILINE)
"""What stands above each cell where a notebook is written as text."""

THEIRS = re.compile(r"^=======\n(.*?)^>>>>>>> .*?$", re.MULTILINE | re.DOTALL)
"""Lines of the template in a conflict."""


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("study", help="the study, a file config/<study>.yaml")
    parser.add_argument("section", help="a section of the study")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--diff", action="store_true", help="show changes of the template")
    what.add_argument("--merge", action="store_true", help="apply changes of the template")
    given = parser.parse_args(arguments)
    study = study_of(given.study)
    act = diff if given.diff else merge if given.merge else write
    print(act(study, given.section))


def study_of(file):
    """Read a study that can have a folder of its own, which is found by its name."""
    if not file:
        raise checks.InputError(
            "Name the study and the section: make section STUDY=config/mine.yaml SECTION=name."
        )
    study, path = read_study(file), Path(file).resolve()
    if path.parent != paths.CONFIG:
        raise checks.InputError(
            f"{file} is not in the folder config of this checkout, where the notebook belongs; "
            "copy it there, or start your own compendium with `replicability new --compendium`."
        )
    if path.name != f"{study.name}.yaml":
        raise checks.InputError(
            f"{file} describes the study {study.name!r}, whose folder is config/{study.name}; "
            f"rename the file to {study.name}.yaml."
        )
    return study


def made(study, section):
    """Return the notebook that the template makes of a section now."""
    return assembly.notebook(f"config/{study.name}.yaml", section)


def places(study, section):
    """Return the notebook that is owned, and what the template made when it was written.

    Raises `InputError`: if the study does not describe such a section.
    """
    file = f"config/{study.name}.yaml"
    if not study.sections:
        raise checks.InputError(f"{file} does not describe any sections; see docs/adapt.md.")
    checks.choice(f"{file}: section", section, study.sections)
    folder = paths.CONFIG / study.name
    return folder / f"{section}.ipynb", folder / ".template" / f"{section}.ipynb"


def write(study, section):
    """Write the notebook with all that belongs to it; say where it is and what to do next."""
    notebook, base = places(study, section)
    if notebook.exists():
        raise checks.InputError(
            f"{name_of(notebook)} exists already and is not overwritten; edit it, or run "
            f"`make section STUDY=config/{study.name}.yaml SECTION={section} DIFF=1` to see what "
            "the template has changed since."
        )
    listed = paths.ROOT / items.OWN.format(study.name)
    entry = with_entry(study, section, listed)
    remarks = paths.ROOT / (study.remarks or f"config/{study.name}") / f"{section}.md"
    first = next(block for block in study.comparisons if block.section == section)
    a, b = first.systems
    written = [notebook, listed]
    if not remarks.exists():
        save(remarks, REMARKS.format(alpha=study.alphas[0], a=a, b=b, name=first.name))
        written.append(remarks)
    for path in (base, notebook):  # which has a cell for each remark
        save(path, made(study, section))
    save(listed, entry)
    lines = "\n".join(f"  {name_of(path)}" for path in written)
    kept = [f"{folder}/{study.name}" for folder in ("config", "figures", "tables")]
    return (
        f"Wrote\n{lines}\n\nThe notebook is yours; the template will not change it. Next:\n"
        f"  make lab NOTEBOOK={name_of(notebook)}\n"
        f"  make study STUDY=config/{study.name}.yaml\n"
        f"To keep it, run: git add config/{study.name}.yaml {' '.join(kept)} and your data."
    )


def save(path, content):
    """Write a text or a notebook."""
    text = content if isinstance(content, str) else nbformat.writes(content) + "\n"
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8")


def name_of(path):
    """Return a path of the checkout as messages name it."""
    return path.relative_to(paths.ROOT).as_posix()


def with_entry(study, section, path):
    """Return the study's list of items with an entry for a section at its end."""
    entry = {section: items.section(study, section)}
    said = yaml.safe_dump(entry, allow_unicode=True, sort_keys=False, width=100)
    said = re.sub("^", "  ", said, flags=re.MULTILINE).rstrip(" ")
    if not path.exists():
        return f"{HEAD.format(study=study.name)}\n{items.heading(study.name)}:\n{said}"
    text = f"{read_text(path).rstrip()}\n\n{said}"
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder) / path.name
        trial.write_text(text, encoding="utf-8")
        schemas.load_checked(trial, paths.CONFIG / "items_schema.yaml")
    return text


def diff(study, section):
    """Compare what the template makes now with what it made when the notebook was written."""
    _, base, _ = owned(study, section)
    versions = [as_text(one).splitlines() for one in (base, made(study, section))]
    lines = difflib.unified_diff(*versions, "then", "now", lineterm="")
    return "\n".join(lines) or "The template has not changed for this section."


def merge(study, section):
    """Take over what the template has changed; of lines that both have changed, keep the user's."""
    mine, base, notebook = owned(study, section)
    now = made(study, section)
    texts = [as_text(version) for version in (mine, base, now)]
    merged, conflicts = merged_text(*texts, "--ours"), THEIRS.findall(merged_text(*texts))
    save(notebook, of_text(merged, mine))
    save(places(study, section)[1], now)
    if not conflicts:
        return f"{name_of(notebook)} now has the changes of the template."
    left = "\n".join(f"---\n{lines.rstrip()}" for lines in conflicts)
    return (
        f"{name_of(notebook)} now has the changes of the template, except in lines that you "
        f"changed too; these are still yours. The template has:\n{left}"
    )


def owned(study, section):
    """Read the notebook that is owned and its base; return them with the notebook's path."""
    paths_ = places(study, section)
    for path in paths_:
        if not path.is_file():
            raise checks.InputError(
                f"{name_of(path)} does not exist; write it with `make section "
                f"STUDY=config/{study.name}.yaml SECTION={section}`, or restore it from git."
            )
    return *(nbformat.read(path, as_version=4) for path in paths_), paths_[0]


def merged_text(mine, base, made, *options):
    """Merge two versions of a text that come from a third, as git does."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("mine", "then", "now")]
        for file, text in zip(files, (mine, base, made), strict=True):
            file.write_text(text, encoding="utf-8")
        call = ["git", "merge-file", "--stdout", *options, *map(str, files)]
        try:
            found = subprocess.run(call, capture_output=True, encoding="utf-8", check=False)
        except FileNotFoundError:
            raise checks.InputError(
                "A merge needs git, which was not found; install git."
            ) from None
    if found.returncode > 127:
        raise checks.InputError(f"git could not merge the notebook: {found.stderr.strip()}")
    return found.stdout


def as_text(notebook):
    """Write a notebook as text: above each cell its kind and tags."""
    heads = [
        " ".join(["===", cell.cell_type, *cell.metadata.get("tags", []), "==="])
        for cell in notebook.cells
    ]
    sources = [cell.source for cell in notebook.cells]
    return "".join(f"{head}\n{source}\n" for head, source in zip(heads, sources, strict=True))


def of_text(text, mine):
    """Make a notebook of its text; a cell that is as it was keeps outputs, identifier and so on."""
    _, *pieces = CELL.split(text)
    left, cells = list(mine.cells), []
    for kind, tags, source in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True):
        source = source.removeprefix("\n").removesuffix("\n")
        same = [cell for cell in left if (cell.cell_type, cell.source) == (kind, source)]
        if same:
            left.remove(same[0])
            cells.append(same[0])
            continue
        cell = getattr(nbformat.v4, f"new_{kind}_cell")(source)
        if tags:
            cell.metadata["tags"] = tags.split()
        cells.append(cell)
    return nbformat.v4.new_notebook(cells=cells, metadata=mine.metadata)


if __name__ == "__main__":
    sys.exit(main())
