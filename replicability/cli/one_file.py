"""One table with the scores of both systems: a row for each system, or a column for each."""

import contextlib
import sys
from argparse import Namespace
from dataclasses import dataclass

from replicability.cli.reading import PVALUE, piped

SYSTEM = ("system", "model", "method")
"""Headers, in lower case, of a column of systems."""


@dataclass(frozen=True)
class View:
    """What one side takes of a table.

    Attributes
    ----------
    score : str
        Header of its scores.
    system : str
        Header of the systems, if only the rows of one are taken.
    name : str
        This one.
    """

    score: str
    system: str = ""
    name: str = ""


def say(text):
    """Say how something is read, beside the answer: on standard error."""
    print(text, file=sys.stderr)


@contextlib.contextmanager
def opened(options):
    """Give the options of `compare` with files where pipes are named, and views of a single file.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`; ``b`` is None if there is one file.

    Yields
    ------
    Namespace
        A copy: ``a`` and ``b`` are places, ``views`` has a `View` for each side of a single file
        (else it is empty), ``systems`` is filled where standard input has no name.

    Raises
    ------
    InputError
        As `reading.piped` and `views`, or if both files are standard input.
    """
    from replicability import checks

    if options.a == options.b == "-":
        raise checks.InputError(
            "Both systems are read from standard input; name the file of one of them, or pipe one "
            "table that holds both."
        )
    given = {"views": {}}
    with contextlib.ExitStack() as stack:
        for side in ("a", "b"):
            if getattr(options, side) == "-":
                given[side] = stack.enter_context(piped("-"))
        seen = Namespace(**vars(options) | given)
        if options.b is None:
            shown = "standard input" if options.a == "-" else options.a
            seen.views = views(seen, shown)
            seen.b = seen.a
            seen.systems = seen.systems or [seen.views[side].name for side in ("a", "b")]
        yield seen


def views(options, shown):
    """Tell where the scores of each system stand in one table, and say it on standard error.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`; those of a table without identifiers or with a column
        ``gold`` are changed.
    shown : str
        How messages call the table.

    Returns
    -------
    dict of str to View
        "a", "b" and, if there is such a column, "gold".

    Raises
    ------
    InputError
        If it is no table, or cannot be told which columns or rows are of which system.
    """
    from pathlib import Path

    from replicability import checks
    from replicability.io import delimited, formats
    from replicability.io.text import existing

    path = Path(options.a).absolute()
    existing(path, folder=None)
    if (kind := options.format or formats.guess(path)) != "table":
        raise checks.InputError(
            f"{shown} holds one system ({formats.get(kind).title}); name the file or folder of the "
            "other one behind it."
        )
    headers = delimited.read_headers(path)
    delimited.positions(path, headers, None)  # two columns of one name are refused
    alike = {header.strip().casefold(): header for header in reversed(headers)}
    system = options.system or next((alike[name] for name in SYSTEM if name in alike), "")
    if system:
        system = checks.choice(f"{shown}: column", alike.get(system.casefold(), system), headers)
        return _long(options, path, shown, system)
    return _wide(options, path, shown, alike)


def _long(options, path, shown, system):
    """Return the views of a table with a row for each system and instance."""
    from replicability import checks
    from replicability.io import cells, delimited

    column = delimited.columns(path, {system: system})[system]
    names = cells.identifiers(path, column, name="system").unique().to_pylist()
    chosen = list(options.systems or names)
    for name in chosen:
        checks.choice(f"{shown}, column {system!r}: system", name, names)
    if len(chosen) != 2:
        others = "; name two with --systems, the one claimed better first"
        raise checks.InputError(
            f"{shown} has {len(names)} system{'s' * (len(names) != 1)} in its column {system!r} "
            f"({cells.some(names)}), but a comparison has two"
            f"{others if len(names) > 2 else '; add the rows of the other'}."
        )
    a, b = chosen
    say(
        f"Read {shown} as a table with a row for each system: A is {a!r}, B is {b!r} in its column "
        f"{system!r}."
    )
    return {
        side: View(options.score, system, name)
        for side, name in zip(("a", "b"), chosen, strict=True)
    }


def _wide(options, path, shown, alike):
    """Return the views of a table with a column for each system."""
    from replicability import checks
    from replicability.io import cells

    headers = list(reversed(alike.values()))
    keys = ("dataset", "instance", "size", "unit", "run", "by")
    named = [getattr(options, key, "") for key in keys]
    taken = {"dataset", "instance", "size", "gold", *(n.casefold() for n in named if n)}
    free = [header for header in headers if header.strip().casefold() not in taken]
    if any(map(PVALUE.match, free)) and not options.systems:
        raise checks.InputError(
            f"{shown} seems to hold p-values (column {next(filter(PVALUE.match, free))!r}); count "
            "from them with the command pvalues, or name the columns of the scores with --systems."
        )
    chosen = list(options.systems or _numeric(path, free))
    for name in chosen:
        checks.choice(f"{shown}: column", name, headers)
    if len(chosen) != 2:
        found = f"{len(chosen)} columns may be scores ({cells.some(chosen)})" if chosen else (
            "no other column holds numbers"
        )  # fmt: skip
        raise checks.InputError(
            f"{shown}: {found}, but a comparison has two systems; name their columns with "
            "--systems, or, where systems are in rows, the column of these with --system."
        )
    matched = ""
    if options.instance.casefold() not in alike and options.instance == "instance":
        if options.shared:
            raise checks.InputError(
                f"{shown} has no column of identifiers, by which datasets could share instances; "
                "name one with --instance, or leave --shared out."
            )
        options.instance, matched = "", "; a row is an instance"
    a, b = chosen
    say(f"Read {shown} as a table with a column for each system: A is {a!r}, B is {b!r}{matched}.")
    found = {side: View(name, name=name) for side, name in zip(("a", "b"), chosen, strict=True)}
    if "gold" in alike and not options.gold:
        options.gold = options.a
        found["gold"] = View(alike["gold"], name=alike["gold"])
    return found


def _numeric(path, headers):
    """List the columns of numbers."""
    from replicability.io import delimited

    if not headers:
        return []
    table = delimited.columns(path, {header: header for header in headers})
    return [header for header in headers if _holds_numbers(table[header])]


def _holds_numbers(column):
    """Tell whether most of the first cells of a column are numbers, so that a fault is one."""
    from replicability.io import delimited

    cells = [cell for cell in column.slice(0, 100).to_pylist() if cell not in (None, "")]
    found = [not isinstance(cell, str) or delimited.is_number(cell) for cell in cells]
    return 2 * sum(found) > len(found)
