"""Make the notebooks on tasks and on leaderboards from two templates.

    python scripts/task_notebooks.py                                 those of notebooks/
    python scripts/task_notebooks.py --study FILE --section NAME --output FILE

The first form writes the sources that task_sections.yaml and config/boards.yaml describe, by
task_section.md and board_section.md (see `analysis.assembly`), and keeps the outputs of a notebook
whose code is as it was; `make notebooks` executes them. The second makes the notebook of a section
for a study: one that it describes under its key ``sections``, or one of the first form.
"""

import argparse
import sys
from pathlib import Path

import nbformat

from analysis import assembly, command, paths
from replicability.io.files import replacing


@command.status
def main(arguments=None):
    """Write the notebooks; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name in ("study", "section", "output"):
        parser.add_argument(f"--{name}")
    given = parser.parse_args(arguments)
    if len({value is None for value in vars(given).values()}) > 1:
        parser.error("pass --study, --section and --output together")
    if given.study is None:
        for kind, study in assembly.PUBLISHED.items():
            for section in assembly.described(kind):
                made = assembly.notebook(study, section)
                write(made, paths.ROOT / "notebooks" / f"{section}.ipynb")
    else:
        write(assembly.notebook(given.study, given.section), Path(given.output))


def write(made, path):
    """Write a notebook; one whose code is that of the file keeps the outputs of the file.

    `made` (NotebookNode): the notebook without outputs. `path`: its place.
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
