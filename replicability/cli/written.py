"""Files that commands write on request: a page, a table for LaTeX or CSV, a figure."""

import shlex
import sys
from pathlib import Path

PICTURES = (".svg", ".png", ".pdf")
"""Endings of figures."""

MAKES = {
    "html": "a self-contained page for your co-authors",
    "latex": "the table for LaTeX (booktabs)",
    "csv": "the matrix of k-hat values as CSV",
    "figure": "the figure as SVG, PNG or PDF, depending on the file name extension",
}
"""Maps each output option to a description of its file."""


def add(added, *names):
    """Add options of `MAKES` to a command."""
    for name in names:
        added.add_argument(f"--{name}", metavar="FILE", help=f"also write {MAKES[name]}")


def check(options, inputs):
    """Refuse places to which nothing can be written, before anything is computed.

    Parameters
    ----------
    options : Namespace
        Arguments of a command.
    inputs : sequence of str or None
        The files that it reads.

    Raises
    ------
    InputError
        If a place is a folder or one of the inputs, two are the same, a figure has no known ending,
        or the packages that draw are missing.
    """
    from replicability import checks
    from replicability.cli.run import refuse_without_extra

    places = {name: Path(place).absolute() for name, place in _asked(options).items()}
    if places:
        refuse_without_extra()
    read = {Path(path).absolute() for path in inputs if path and path != "-"}
    for name, place in places.items():
        if place.is_dir():
            raise checks.InputError(f"--{name} {place} is a folder; choose a file in it.")
        if place in read:
            raise checks.InputError(
                f"--{name} {place} is one of the inputs, which would be overwritten; choose "
                "another file."
            )
        if list(places.values()).count(place) > 1:
            raise checks.InputError(
                f"The file {place} is given for more than one output, such as --{name}; give each "
                "output its own file."
            )
    figure = places.get("figure")
    if figure and figure.suffix.lower() not in PICTURES:
        raise checks.InputError(
            f"--figure is {figure.name!r}; use a file name that ends in {', '.join(PICTURES[:-1])} "
            f"or {PICTURES[-1]}."
        )


def command():
    """Return the command line that is running, which pages show."""
    return shlex.join(["replicability", *sys.argv[1:]])


def told(files):
    """Say in a list of at most one sentence which files are written."""
    return [f"Wrote {', '.join(files.values())}."] if files else []


def _asked(options):
    return {name: place for name in MAKES if (place := getattr(options, name, None))}


def write(options, result, page, draw=None):
    """Write the requested files, each whole or not at all.

    `options`: arguments of a command. `result` (api.result.Result or api.family.Family): what is
    found. `page`: returns the page. `draw`: returns the figure; by default that of the result.

    Returns dict of str to str. Requested keys of `MAKES` -> the file.
    """
    from replicability.io import files

    def text(make):
        return lambda part: part.write_text(make(), encoding="utf-8", newline="\n")

    def figure(part):
        from replicability.show import style

        style.write(
            (draw or result.figure)(), part, Path(options.figure).suffix.lower().removeprefix(".")
        )

    made = {}
    for name, place in _asked(options).items():
        makes = {"html": page, "latex": result.to_latex, "csv": getattr(result, "to_csv", None)}
        with files.replacing(Path(place).absolute()) as part:
            (figure if name == "figure" else text(makes[name]))(part)
        made[name] = str(Path(place).absolute())
    return made
