"""Files that `compare` writes on request: a page, a table for LaTeX, a figure."""

import shlex
import sys
import tempfile
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


def write(options, comparison, table, alphas):
    """Write what is asked for, each file whole or not at all.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`.
    comparison : study.Comparison
        What they declare.
    table : Tested
        As `evaluation.evaluate` returns it.
    alphas : sequence of float
        Levels.

    Returns
    -------
    dict of str to str
        "html", "latex" and "figure", as far as they are asked for -> the file.
    """
    from replicability.core import findings
    from replicability.io import files

    said = [findings.find(comparison, table, alpha) for alpha in alphas]
    written = {}
    for name, make in (("html", _page), ("latex", _latex), ("figure", _figure)):
        if place := getattr(options, name):
            with files.replacing(Path(place).absolute()) as part:
                make(options, comparison, table, said, part)
            written[name] = str(Path(place).absolute())
    return written


def _page(options, comparison, table, said, part):
    """Write the page of one comparison."""
    from dataclasses import replace

    from replicability.io.study import Study
    from replicability.show import html_report

    sides = {"a": options.a, "b": options.b, "gold": options.gold}
    sides = {role: str(Path(file).absolute()) for role, file in sides.items() if file}
    shown = replace(comparison, file="", files=sides)
    study = Study(comparison.name, tuple(found.alpha for found in said), (shown,))
    command = shlex.join(["replicability", *sys.argv[1:]])
    text = html_report.render(study, [(shown, table)], command=command)
    part.write_text(text, encoding="utf-8", newline="\n")


def _latex(options, comparison, table, said, part):
    """Write the table of one comparison for LaTeX (booktabs)."""
    from replicability.show import tables

    caption = tables.section_caption([comparison], [table], said)
    shown = tables.section([comparison], [table], said)
    with tempfile.TemporaryDirectory() as folder:
        tables.save(shown, folder, "comparison", caption)
        part.write_bytes((Path(folder) / "tables" / "comparison.tex").read_bytes())


def _figure(options, comparison, table, said, part):
    """Write the figure of one comparison at the first level."""
    from replicability.show import figures, style

    drawn = figures.standard(comparison, table, said[0])
    style.write(drawn, part, Path(options.figure).suffix.lower().removeprefix("."))
