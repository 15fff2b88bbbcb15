"""Files that `compare` writes on request: a page, a table for LaTeX, a figure."""

import shlex
import sys
from dataclasses import replace
from pathlib import Path

PICTURES = (".svg", ".png", ".pdf")
"""Endings of figures."""


def check(options):
    """Refuse places to which nothing can be written, before anything is computed.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`.

    Raises
    ------
    InputError
        If a place is a folder or one of the inputs, two are the same, a figure has no known ending,
        or the packages that draw are missing.
    """
    from replicability import checks
    from replicability.cli.run import refuse_without_extra

    places = {name: getattr(options, name) for name in ("html", "latex", "figure")}
    places = {name: Path(place).absolute() for name, place in places.items() if place}
    if places:
        refuse_without_extra()
    inputs = {Path(p).absolute() for p in (options.a, options.b, options.gold) if p and p != "-"}
    for name, place in places.items():
        if place.is_dir():
            raise checks.InputError(f"--{name} {place} is a folder; name a file in it.")
        if place in inputs:
            raise checks.InputError(
                f"--{name} {place} is one of the inputs, which would be lost; name another file."
            )
        if list(places.values()).count(place) > 1:
            raise checks.InputError(
                f"--{name} {place} is named for two things; give each a file of its own."
            )
    figure = places.get("figure")
    if figure and figure.suffix.lower() not in PICTURES:
        raise checks.InputError(
            f"--figure {figure} ends in {figure.suffix or 'nothing'!r}; let it end in "
            f"{', '.join(PICTURES[:-1])} or {PICTURES[-1]}."
        )


def write(options, result):
    """Write what is asked for, each file whole or not at all.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`.
    result : api.result.Result
        What is found.

    Returns
    -------
    dict of str to str
        "html", "latex" and "figure", as far as they are asked for -> the file.
    """
    from replicability.io import files

    def latex(part):
        part.write_text(result.to_latex(), encoding="utf-8", newline="\n")

    def figure(part):
        from replicability.show import style

        style.write(result.figure(), part, Path(options.figure).suffix.lower().removeprefix("."))

    written = {}
    for name, make in {"html": _page(options, result), "latex": latex, "figure": figure}.items():
        if place := getattr(options, name):
            with files.replacing(Path(place).absolute()) as part:
                make(part)
            written[name] = str(Path(place).absolute())
    return written


def _page(options, result):
    """Return what writes the page, which names the files and the command."""

    def write(part):
        sides = {"a": options.a, "b": options.b, "gold": options.gold}
        sides = {role: str(Path(file).absolute()) for role, file in sides.items() if file}
        shown = replace(result, comparison=replace(result.comparison, file="", files=sides))
        command = shlex.join(["replicability", *sys.argv[1:]])
        part.write_text(shown.page(command), encoding="utf-8", newline="\n")

    return write
