"""What an input supports: the commands that can be run on it, and why others cannot."""

from __future__ import annotations

import contextlib
import html
import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Unpack

import pyarrow as pa
import pyarrow.compute as pc

from replicability import checks
from replicability.api import calls, published
from replicability.api.columns import of_numbers, source
from replicability.api.keywords import public
from replicability.api.many import many_systems
from replicability.api.reading import Reading, framed, listed_names
from replicability.api.scores import Scores, settled
from replicability.checks import InputError
from replicability.core import all_pairs, evaluation
from replicability.core.roles import Roles
from replicability.io import (
    beside,
    cells,
    delimited,
    formats,
    headers,
    missing,
    one_folder,
    pvalues,
    questions,
    several,
    study,
)
from replicability.io.datasets import first
from replicability.io.declared import ASKING, Question, Source
from replicability.io.tables import Table, is_frame
from replicability.io.text import existing, shown, unreadable

MOST_TRIED = 16
"""Maximum number of alternative settings that are tried on data that are refused."""

MOST_SETTLING = 4
"""Maximum number of settings that are suggested because the data are accepted with them."""

MOST_SHOWN = 12
"""Maximum number of columns, or files of a folder, that are described."""

CALLS = {"compare": "compare", "family": "all_pairs", "pvalues": "count", "audit": "audit"}
"""Command -> function of the library."""

NEEDS = {
    "family": "it compares three or more systems, but there are only two",
    "pvalues": "no column is called p, p_value or the like",
    "audit": "it checks a published table, which has one row per dataset",
}
"""Maps each command to the usual reason why it cannot be run."""


SEVERAL = {"compare": "*data[:2]", "family": "dict(enumerate(data, 1))"}
"""Maps each command to the code that passes several tables or arrays from a list."""


@dataclass(frozen=True)
class Way:
    """Something that can be run.

    Attributes
    ----------
    command : str
        A command of the command line.
    inputs : tuple of str
        The files; () of what is in memory.
    keywords : dict
        What is said of them.
    what : str
        What it does.
    data : str
        Name for data in memory.
    """

    command: str
    inputs: tuple[str, ...]
    keywords: Mapping[str, Any]
    what: str
    data: str = "data"

    @property
    def shell(self) -> str:
        """What to type in a terminal; "" of what is in memory."""
        if not self.inputs:
            return ""
        written = ["replicability", self.command, shlex.join(self.inputs)]
        return " ".join([*written, *filter(None, [checks.flags(self.keywords)])])

    @property
    def python(self) -> str:
        """The call in Python; "" of a command that is none."""
        if self.command not in CALLS:
            return ""
        given = dict(self.keywords)
        if self.command == "compare" and "systems" in given:
            given = dict(zip("ab", given.pop("systems"), strict=True)) | given
        data = [*map(repr, self.inputs)] or [self.data]
        data = [f"[{', '.join(data)}]"] if self.command == "family" and data[1:] else data
        said = [f"{key}={value!r}" for key, value in given.items()]
        return f"rep.{CALLS[self.command]}({', '.join([*data, *said])})"


@dataclass(frozen=True, eq=False)
class Check:
    """What an input supports; it prints as text.

    Attributes
    ----------
    inputs : tuple of str
        The files, or what messages call what is in memory.
    read : roles.Roles or None
        What is read; None if nothing can be.
    can : tuple of Way
        What can be run; each was tried, up to the test.
    settle : tuple of Way
        Where the answer depends on what a column is: a command for each possibility.
    reason : InputError or None
        Why it has to be settled, or why nothing can be run.
    cannot : dict of str to InputError
        Command -> why it cannot be run.
    seen : tuple of str
        What is in the input, where nothing can be run.
    """

    inputs: tuple[str, ...]
    read: Roles | None = None
    can: tuple[Way, ...] = ()
    settle: tuple[Way, ...] = ()
    reason: InputError | None = None
    cannot: Mapping[str, InputError] = field(default_factory=dict)
    seen: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Tell whether something can be run."""
        return bool(self.can or self.settle)

    def to_dict(self, spell: Callable[[str], str] = "{}=".format) -> dict[str, Any]:
        """Return everything as a dictionary for JSON.

        Parameters
        ----------
        spell : callable, optional
            How messages write an argument; by default as a keyword of Python.
        """

        def ways(found: Iterable[Way]) -> list[dict[str, str]]:
            keys = ("command", "what", "shell", "python")
            return [{key: getattr(way, key) for key in keys} for way in found]

        def said(error: InputError) -> str:
            return error.spelled(spell).replace(f"{Path.cwd()}{os.sep}", "")

        return {
            "inputs": list(self.inputs),
            "read": self.read.to_dict() if self.read else None,
            "can": ways(self.can),
            "settle": ways(self.settle),
            "reason": said(self.reason) if self.reason else "",
            "cannot": [
                {"command": command, "why": said(why)} for command, why in self.cannot.items()
            ],
            "seen": list(self.seen),
        }

    def __str__(self) -> str:
        """Return what was read, what can be run, and what cannot."""
        return "\n".join(lines(self.to_dict(), "python"))

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def lines(answer: Mapping[str, Any], door: str) -> Iterator[str]:
    """Write the dictionary of a `Check` as lines, with commands of a door: "shell" or "python"."""
    read = Roles.from_dict(answer["read"]) if answer["read"] else None
    if read:
        yield f"{read.headline}."
        yield str(read)
    if answer["settle"]:
        yield f"The result depends on something that you have not declared: {answer['reason']}"
        yield "Declare one of these:"
    elif not answer["can"]:
        yield answer["reason"]
    else:
        yield "You can run:"
    ways = (*answer["settle"], *answer["can"])
    if door == "python" and any(how in way["python"] for how in SEVERAL.values() for way in ways):
        yield "(data is the list of your inputs, in the same order.)"
    for way in ways:
        yield f"  {way[door] or way['shell'] or way['python']}"
        yield f"      {way['what']}"
    if answer["cannot"]:
        yield "You cannot run:"
    for no in answer["cannot"]:
        yield f"  {no['command']}: {no['why']}"
    if answer["seen"]:
        yield "We found:"
    for seen in answer["seen"]:
        yield f"  {seen}"


@public
def check(*data: Any, systems: Iterable[str] = (), **reading: Unpack[Reading]) -> Check:
    """Report how files or data are read, and which commands you can run on them.

    Parameters
    ----------
    *data : path, data frame, array_like or dict
        One input with all systems, or one for each system, as `compare` and `all_pairs` take them;
        or a table of p-values, or a study.
    systems : sequence of str, optional
        The systems; by default all.
    **reading
        Keywords of `compare` that say how to read the data.

    Returns
    -------
    Check
        `print(check)` lists what you can run; it is true if there is anything. Each command was
        tried: the scores were read and passed all checks.

    Examples
    --------
    >>> import pandas as pd
    >>> import replicability as rep
    >>> df = pd.DataFrame({"id": range(9), "ours": [1] * 9, "base": [0] * 9})
    >>> print(rep.check(df, instance="id"))
    2 systems on one dataset, 9 items; items matched by 'id'.
    Read the frame as a table with a column for each system: A is 'ours', B is 'base'. There is one dataset with 9 items, because no column identifies datasets. Items are matched by the column 'id'. The score is right or wrong (0 or 1); higher is better (the default).
    You can run:
      rep.compare(data, instance='id')
          compares ours with base
    You cannot run:
      family: it compares three or more systems, but there are only two
      pvalues: no column is called p, p_value or the like
      audit: it checks a published table, which has one row per dataset
    """  # noqa: E501
    if not data:
        raise TypeError("check() needs data: a path, a data frame, arrays or a dictionary.")
    sides = [os.fspath(s) if isinstance(s, os.PathLike) else framed(s) for s in data]
    inputs = tuple(side for side in sides if isinstance(side, str))
    inputs = inputs if len(inputs) == len(sides) else ()
    given = {key: value for key, value in reading.items() if value is not None}
    listed = listed_names("systems", systems)
    given |= {"systems": listed} if listed else {}
    try:
        if len(inputs) == 1 and inputs[0].lower().endswith((".yaml", ".yml")):
            return _of_study(inputs)
        if len(inputs) == 1 and (parts := _parts(inputs[0])):
            apart = _of_data(list(parts), parts, given)
            together = None if apart else _of_data(sides, inputs, given)
            return together or apart
        return _of_data(sides, inputs, given)
    except InputError as error:
        return Check(inputs, reason=error, seen=tuple(_seen(sides)))
    except OSError as error:  # a name that is too long, or a folder that may not be opened
        return Check(inputs, reason=InputError(unreadable(inputs[0], error)))


def _parts(path: str) -> tuple[str, ...]:
    """List the folders in a folder that holds nothing else, or its files: one for each system."""
    try:
        place = existing(path, folder=True)
    except InputError:
        return ()
    inside = sorted(p for p in place.iterdir() if not p.name.startswith("."))
    folders = [p for p in inside if p.is_dir()]
    return tuple(map(str, folders or inside)) if len(inside) > 1 else ()


def _of_study(inputs: tuple[str, ...]) -> Check:
    """Tell what a study supports."""
    read = study.read_study(inputs[0])
    what = f"reports {len(read.comparisons)} comparisons and {len(read.families)} families"
    return Check(inputs, can=(Way("run", inputs, {}, what),))


Given = dict[str, Any]
"""Keywords that say how to read the data, and ``systems``."""


def _of_data(sides: list[Any], inputs: tuple[str, ...], given: Given) -> Check:
    """Tell what scores or p-values support."""
    found, refused = _read(sides, inputs, given)
    counted, cannot = _of_table(sides, inputs, whole=not found)
    if not (found or counted):
        return Check(inputs, reason=_reason(refused, cannot), seen=tuple(_seen(sides)))
    if len(found) > 1 or _left_out(found, given):
        reason = refused[found[0][0].command]
        ways = tuple(replace(way, what=f"{way.what}: {read.headline}") for way, read in found)
        return Check(inputs, None, counted, ways[:MOST_SETTLING], reason, cannot)
    if len(counted) > 1 and counted[0].command == counted[1].command == "pvalues":
        reason = InputError(
            "the p-values may be one-sided or two-sided, and a small p-value contradicts the "
            "scores."
        )
        return Check(inputs, None, counted[2:], counted[:2], reason, refused | cannot)
    if not found:
        if len({str(error) for error in refused.values()}) == 1:
            refused.pop("family", None)  # which says the same
        return Check(inputs, None, counted, cannot=refused | cannot)
    ((way, read),) = found
    pair = _one_pair(sides, way, read) if way.command == "family" else ()
    if way.command == "compare" and len(sides) == 1:
        cannot = {"family": InputError(NEEDS["family"])} | cannot
    return Check(inputs, read, (way, *pair, *counted), cannot=cannot)


def _left_out(found: Sequence[tuple[Way, Roles]], given: Given) -> bool:
    """Tell whether what items hold is left out where nobody says so."""
    left_out = [header for way, _ in found for header in way.keywords.get("ignore", ())]
    return "ignore" not in given and bool(headers.of_contents(left_out))


def _read(
    sides: list[Any], inputs: tuple[str, ...], given: Given
) -> tuple[list[tuple[Way, Roles]], dict[str, InputError]]:
    """Read scores as they are or, if that is refused, with what refusals name."""
    attempts: dict[str, Callable[[list[Any], Given], Roles]]
    attempts = {"compare": _compared, "family": _all_compared}
    if len(sides) > 1:
        attempts.pop("family" if len(sides) == 2 else "compare")
    found, refused = [], {}
    data = SEVERAL if len(sides) > 1 else dict.fromkeys(SEVERAL, "data")
    for command, attempt in attempts.items():
        try:
            read = attempt(sides, given)
        except InputError as error:
            refused[command] = error
        else:
            given, read = _identified(attempt, sides, given, read)
            way = Way(command, inputs, given, _what(command, read), data[command])
            return [(way, read)], refused
    for command, attempt in attempts.items():
        for more, read in _otherwise(attempt, sides, given, refused[command]):
            way = Way(command, inputs, more, _what(command, read), data[command])
            found.append((way, read))
        if not found and inputs[1:] and "format" not in given:
            named = [given | {"format": name} for name in formats.NAMES]
            found = _first({command: attempt}, sides, inputs, named)
    if not (found or sides[1:]):
        with contextlib.suppress(InputError):  # a table that cannot be read was refused above
            found = _first(attempts, sides, inputs, _laid_out(sides[0], given))
    return found, refused


def _first(
    attempts: Mapping[str, Callable[[list[Any], Given], Roles]],
    sides: list[Any],
    inputs: tuple[str, ...],
    proposed: Iterable[Given],
) -> list[tuple[Way, Roles]]:
    """Read in all proposed ways, each by the first command that takes it."""
    found = []
    for given in proposed:
        for command, attempt in attempts.items():
            with contextlib.suppress(InputError):
                read = attempt(sides, given)
                found.append((Way(command, inputs, given, _what(command, read)), read))
                break
    return found


def _reason(refused: Mapping[str, InputError], cannot: Mapping[str, InputError]) -> InputError:
    """Return why nothing can be run: why what the input seems to be meant for cannot."""
    first = next(iter(refused.values()))
    if "is of type" in str(first):
        return cannot.get("pvalues", first)
    if "but a comparison has two" in str(first):
        return refused.get("family", first)
    return cannot.get("pvalues", first) if "hold p-values" in str(first) else first


def _what(command: str, read: Roles) -> str:
    if command == "compare":
        return "compares {} with {}".format(*read.systems)
    return f"compares all pairs of {len(read.systems)} systems"


def _one_pair(sides: list[Any], way: Way, read: Roles) -> tuple[Way, ...]:
    """Compare the first two of several systems."""
    names = {"systems": read.systems[:2]} if len(sides) == 1 else {}
    given = {key: value for key, value in way.keywords.items() if key != "systems"} | names
    try:
        found = _compared(sides[:2], given)
    except InputError:
        return ()
    what = f"{_what('compare', found)} alone"
    data = SEVERAL["compare"] if len(sides) > 1 else way.data
    return (Way("compare", way.inputs[:2], given, what, data),)


# --- ways of reading -----------------------------------------------------------------------------


def _compared(sides: list[Any], given: Given) -> Roles:
    """Compare two systems."""
    reading: Any = {key: value for key, value in given.items() if key != "systems"}
    reading |= dict(zip("ab", given.get("systems", ()), strict=False))
    scores = Scores.of(sides[0], sides[1] if len(sides) > 1 else None, reading)
    evaluation.evaluate(questions.comparison(scores.source, Question()), scores.datasets)
    return scores.roles


def _all_compared(sides: list[Any], given: Given) -> Roles:
    """Compare one of several systems with all others, which checks the scores of all."""
    data = sides[0] if len(sides) == 1 else sides
    if isinstance(data, list) and data is sides and not isinstance(sides[0], str):
        data = {f"system {number}": side for number, side in enumerate(sides, 1)}
    reading = {key: value for key, value in given.items() if key != "systems"}
    found = many_systems(data, given.get("systems", ()), reading)
    named = {"name": "family", "title": "family"}
    family = questions.comparison(found, Question(), kind=study.Family, **named)
    systems, datasets = several.read(family)
    family = replace(family, against=systems[0], **settled(found))
    read: Roles = all_pairs.compare(family, systems, datasets).read
    return read


def _identified(
    attempt: Callable[[list[Any], Given], Roles], sides: list[Any], given: Given, read: Roles
) -> tuple[Given, Roles]:
    """Name the identifiers of items that were matched by place, if a column seems to hold them."""
    for header in headers.of_units(read.unused) if read.matched == "place" else ():
        with contextlib.suppress(InputError):
            more = {**given, "instance": header}
            return more, attempt(sides, more)
    return given, read


def _otherwise(
    attempt: Callable[[list[Any], Given], Roles], sides: list[Any], given: Given, error: InputError
) -> list[tuple[Given, Roles]]:
    """Read with what a refusal names as its remedies, one after the other, and those of its own."""
    known = _headers(sides[0])
    waiting, tried, found = [(given, error)], [given], []
    while waiting and len(tried) <= MOST_TRIED:
        given, error = waiting.pop(0)
        for key, value in _remedies(error, sides, known):
            if key in ASKING or key == "systems":
                continue  # it is about the question
            old = given.get(key)
            more = {**given, key: [*old, *value] if key == "ignore" and old else value}
            if (old is not None and key != "ignore") or more in tried:
                continue
            tried.append(more)
            try:
                found.append((more, attempt(sides, more)))
            except InputError as another:
                waiting.append((more, another))
    policies = {more["missing"] for more, _ in found if "missing" in more}
    return [way for way in found if "missing" not in way[0] or len(policies) > 1]


def _remedies(
    error: InputError, sides: Sequence[Any], known: list[str]
) -> Iterator[tuple[str, Any]]:
    """List the arguments that a refusal names; without a value, those that may be meant."""
    called = {
        "run": headers.of_repeats,
        "unit": headers.of_units,
        "instance": headers.of_units,
        "dataset": headers.telling,
        "score": lambda known: _numeric(sides[0], known),
        "system": lambda known: [h for h in known if h.strip().casefold() in one_folder.SYSTEM],
    }
    named, alike = error.arguments(), {header.strip().casefold() for header in known}
    if called["system"](known) and "instance" not in alike:
        named.append(("instance", None))  # which makes no item of each other column
    if len(sides) > 1 or (isinstance(sides[0], str) and Path(sides[0]).is_dir()):
        named += [(role, None) for role in ("instance", "score") if role not in alike]
    for key, value in named:
        if key == "missing":
            yield from ((key, policy) for policy in (missing.DROP, missing.WRONG))
        elif key == "ignore" and headers.of_repeats(value or ()):
            # repeats of the same items would be pooled as if they were items of their own
            yield from (("instance", header) for header in headers.of_units(known))
        elif key == "repeats" and _guessed_splits(value):
            continue
        elif value is not None:
            yield key, value
        elif key in called:
            yield from ((key, header) for header in called[key](known))


def _guessed_splits(repeats: dict[str, Any] | None) -> bool:
    """Whether a column would be read as splits whose share nothing says, as that of folds."""
    return bool(
        repeats and repeats["kind"] == "splits" and not headers.of_folds([repeats["column"]])
    )


def _laid_out(side: Any, given: Given) -> Iterator[Given]:
    """Propose roles of columns whose headers say nothing: predictions beside gold labels, or rows.

    A row is an item, with a prediction of each system, or an item and system.
    """
    known, text, numbers = _headers(side), {}, []
    if not known or {"system", "gold", "successes"} & set(given):
        return
    table = delimited.columns(_table(side), {header: header for header in known})
    for header in known:
        if of_numbers(table[header]):
            numbers.append(header)
        else:
            with contextlib.suppress(pa.ArrowException):  # of lists and the like
                text[header] = {str(value) for value in table[header].unique().to_pylist()}
    roles = dict(given)
    items = [header for header in headers.of_units(known) if header in text]
    for role, found in (("dataset", headers.telling(known)), ("instance", items)):
        if found and role not in given:
            roles[role] = found[0]
    free = {header: words for header, words in text.items() if header not in roles.values()}
    for gold in filter(headers.of_gold, free):
        systems = [h for h, words in free.items() if h != gold and words & free[gold]]
        if len(systems) > 1:
            more = {"systems": systems, "gold": gold, "metric": "accuracy"}
            yield {**roles, **more}
    for system, words in free.items():
        if "instance" in roles and 1 < len(words) <= table.num_rows / 2:
            others = [h for h in numbers if h not in roles.values()]
            yield from ({**roles, "system": system, "score": score} for score in others)


def _headers(side: Any) -> list[str]:
    """Return the headers of a table, or of the first one in a folder; none of anything else."""
    with contextlib.suppress(InputError):
        if isinstance(side, str) or is_frame(side):
            return list(delimited.read_headers(_table(side)))
    return []


def _table(side: Any) -> str | Table:
    return source(first(Path(side)) if isinstance(side, str) else side, "The frame", alone=True)


def _numeric(side: Any, known: list[str]) -> list[str]:
    """List the columns of numbers that are no identifiers."""
    table, found = _table(side), []
    others = {*headers.of_units(known), *headers.of_repeats(known), *headers.telling(known)}
    for header in known:
        with contextlib.suppress(InputError):
            if header not in others:
                column = delimited.columns(table, {header: header})[header]
                found += [header] if of_numbers(column) else []
    return found


# --- tables with a row for each dataset ----------------------------------------------------------


def _of_table(
    sides: list[Any], inputs: tuple[str, ...], whole: bool
) -> tuple[tuple[Way, ...], dict[str, InputError]]:
    """Count and audit p-values, if a table has some; `whole` if it holds nothing else."""
    if len(sides) > 1:
        return (), {}
    can, cannot = [], {key: InputError(NEEDS[key]) for key in ("pvalues", "audit")}
    try:
        can += _counted(sides[0], inputs)
    except InputError as error:
        cannot["pvalues"] = error
    else:
        cannot.pop("pvalues")
    if whole:
        try:
            can.append(_audited(sides[0], inputs))
        except InputError as error:
            cannot["audit"] = error
        else:
            cannot.pop("audit")
    return tuple(can), cannot


def _counted(side: Any, inputs: tuple[str, ...]) -> list[Way]:
    """Count from the p-values of a table, an array or a dictionary.

    There are two ways if nobody says of which side p-values are and scores contradict them.
    """
    if not (isinstance(side, str) or is_frame(side)):
        return [Way("pvalues", (), {}, f"computes k-hat from {calls.count(side).n:,} p-values")]
    file, known = source(side, "The frame", alone=True), _headers(side)
    if isinstance(side, str) and len(known) == 1 and delimited.is_number(known[0]):
        numbers = [float(known[0]), *_only_numbers(file, known[0])]
        return [
            Way(
                "pvalues",
                inputs,
                {},
                f"computes k-hat from {calls.count(numbers).n:,} p-values",
                "",
            )
        ]
    if not any(map(pvalues.PVALUE.match, known)):
        raise InputError(NEEDS["pvalues"])
    read = beside.table(file)
    scores = list(read.columns.get("scores", beside.candidates(read)))
    given: Given = {"scores": scores} if len(scores) == 2 else {}
    read = replace(read, columns=read.columns | given)
    what = f"computes k-hat from the {{:,}} p-values in column {read.columns['p_value']!r}"
    try:
        return [Way("pvalues", inputs, given, what.format(_n_pvalues(read)))]
    except InputError as error:
        named, ways = dict(error.arguments()), []
        if "sided" not in named:
            raise
        given = given or {"scores": named["scores"]} if named.get("scores") else given
        for sided, how in (
            ("two", "two-sided, with the direction given by the scores"),
            ("one", "one-sided, used without change"),
        ):
            with contextlib.suppress(InputError):
                n = _n_pvalues(replace(read, sided=sided, columns=read.columns | given))
                more = {**given, "sided": sided}
                ways.append(Way("pvalues", inputs, more, f"{what.format(n)}: {how}"))
        if not ways:
            raise
        return ways


def _n_pvalues(read: Source) -> int:
    """Read p-values of one direction, and return how many there are."""
    return len(evaluation.evaluate(questions.comparison(read, Question())))


def _only_numbers(file: str | Table, header: str) -> list[float]:
    """Return the numbers below the first line of a file that holds nothing else."""
    cells_ = delimited.columns(file, {header: header})[header]
    return list(map(float, cells.numbers(file, cells_, "p-value")))


def _audited(side: Any, inputs: tuple[str, ...]) -> Way:
    """Check the numbers of a published table."""
    if not (isinstance(side, str) or is_frame(side)):
        raise InputError(NEEDS["audit"])
    file, known = source(side, "The frame", alone=True), _headers(side)
    called = any(map(pvalues.PVALUE.match, known))
    header = pvalues.guess_pvalues(file, known) if called else None
    dataset = pvalues.guess_dataset(file, known, {header} - {None})
    scores = [name for name in _numeric(side, known) if name not in (header, dataset)]
    given: Given = {"dataset": dataset} if dataset not in ("dataset", None) else {}
    given |= {"p_value": header} if header else {}
    given |= {"scores": scores} if len(scores) == 2 else {}
    found = published.examine(side, **given)
    return Way("audit", inputs, given, f"checks the numbers of {len(found.datasets)} datasets")


# --- what is there -------------------------------------------------------------------------------


def _seen(sides: Sequence[Any]) -> Iterator[str]:
    """Say what is in inputs of which nothing can be run."""
    for side in sides[:MOST_SHOWN]:
        if isinstance(side, str):
            yield from _in_path(Path(side))
        elif is_frame(side):
            with contextlib.suppress(InputError):
                yield from _in_table(source(side, "The frame", alone=True))
        else:
            yield f"data of type {type(side).__name__}"
    if any(isinstance(side, str) for side in sides):
        yield f"supported formats: {', '.join(formats.NAMES)}"


def _in_path(path: Path) -> Iterator[str]:
    if path.is_dir():
        names = sorted(p.name for p in path.iterdir() if not p.name.startswith("."))
        listed = ", ".join(map(repr, names[:MOST_SHOWN])) or "nothing"
        more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
        yield f"{shown(path)}: a folder with {listed}{more}"
    elif path.is_file():
        try:
            yield from _in_table(str(path.absolute()))
        except (InputError, OSError):
            with contextlib.suppress(OSError), path.open("rb") as stream:
                start = stream.read(60)
                yield f"{shown(path)}: {path.stat().st_size:,} bytes, beginning with {start!r}"


def _in_table(file: str | Table) -> Iterator[str]:
    """Say what is in the columns of a table."""
    known = delimited.read_headers(file)
    for header in known[:MOST_SHOWN]:
        try:
            column = delimited.columns(file, {header: header})[header]
            values = pc.unique(column)
        except (InputError, pa.ArrowException):
            yield f"column {header!r}"
            continue
        kind = "numbers" if of_numbers(column) else "text"
        first = ", ".join(map(repr, map(str, values[:3].to_pylist())))
        n = f"{len(values):,} different values in {len(column):,} rows"
        yield f"column {header!r}: {kind}, {n}, such as {first}"
    if len(known) > MOST_SHOWN:
        yield f"and {len(known) - MOST_SHOWN:,} more columns"
