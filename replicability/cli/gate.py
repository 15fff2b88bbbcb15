"""The command `gate`."""

import contextlib
from argparse import Namespace

from replicability.cli import one_file, written
from replicability.cli.flags import add, given
from replicability.cli.layout import filled, notes, table
from replicability.cli.reading import piped
from replicability.io.declared import GATED, OF_GATES, READING

INVALID = 3
"""Exit status if the input is invalid."""

WRITES = {
    "markdown": "a comment for a pull request",
    "junit": "JUnit XML",
    "html": "a self-contained page",
}
"""Maps each output option to a description of its file."""


def add_gate(added):
    """Add what `gate` takes."""
    added.add_argument(
        "base",
        metavar="BASE",
        help="scores of the system in use, a baseline that --save wrote, or one table with both "
        "systems",
    )
    added.add_argument("new", metavar="NEW", nargs="?", help="scores of the new system")
    added.add_argument(
        "--systems",
        nargs=2,
        default=(),
        metavar=("BASE", "NEW"),
        help="with one table: the columns or values of both systems; with two files: the systems' "
        "names",
    )
    added.add_argument(
        "--policy",
        metavar="FILE",
        help="YAML file that sets any of these options, for all datasets or for each",
    )
    add(added, *OF_GATES, "alpha", *GATED, *READING[2:])
    added.add_argument(
        "--save",
        metavar="FILE",
        help="save the scores of NEW as a baseline (.parquet); if only one file or folder is "
        "given, save it without a verdict",
    )
    for name, what in WRITES.items():
        added.add_argument(f"--{name}", metavar="FILE", help=f"also write {what}")


def gate(options):
    """Decide whether a new system may replace a base.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `gate`.

    Returns
    -------
    dict
        As `Gate.to_dict`, with the `Gate` itself.

    Raises
    ------
    InputError
        As `replicability.gate`.
    """
    from replicability.api.gate import judge
    from replicability.api.pins import pin
    from replicability.io import keys
    from replicability.io import policy as policies

    _check_places(options)
    asked = keys.given(given(options, (*OF_GATES, *GATED, "alpha")))
    settings = policies.read(options.policy, asked)
    reading = given(options, READING[2:])
    pinned = {**settings.reading, **reading}
    if options.save and not options.new and not options.systems:
        return Judged(gate=None, written={"save": str(pin(options.base, options.save, **pinned))})
    with contextlib.ExitStack() as stack:
        sides = {
            side: stack.enter_context(piped(file)) if file == "-" else file
            for side, file in (("base", options.base), ("new", options.new))
        }
        found = judge(sides["base"], sides["new"], options.systems, settings, reading)
        one_file.say(str(found.read))
        files = _write(options, found)
        if options.save:
            files["save"] = str(pin(options.new, options.save, **pinned))
    return Judged(gate=found, written=files)


class Judged(Namespace):
    """A gate, and the files that were written."""

    def to_dict(self):
        """Return `Gate.to_dict`, and the files under ``written``."""
        return (self.gate.to_dict() if self.gate else {}) | {"written": self.written}


def _check_places(options):
    """Refuse places that are an input, before anything is computed."""
    from pathlib import Path

    from replicability import checks
    from replicability.cli.run import refuse_without_extra

    if options.html:
        refuse_without_extra()
    read = {Path(p).absolute() for p in (options.base, options.new, options.policy) if p}
    if options.save and options.systems and not options.new:
        raise checks.InputError(
            "--save pins one system, but your table holds both; write the scores of the new system "
            "to a separate file, and pass that."
        )
    for name in (*WRITES, "save"):
        place = getattr(options, name)
        if place and (Path(place).absolute() in read or Path(place).is_dir()):
            what = "a folder" if Path(place).is_dir() else "one of the inputs, or is given twice"
            raise checks.InputError(f"--{name} {place} is {what}; choose another file.")
        read |= {Path(place).absolute()} if place else set()


def _write(options, found):
    """Write the requested files; return option -> file."""
    from pathlib import Path

    from replicability.io import files

    makes = {"markdown": found.to_markdown, "junit": found.to_junit, "html": found.page}
    asked = {name: Path(place).absolute() for name in WRITES if (place := getattr(options, name))}
    return {name: str(files.write(place, makes[name]())) for name, place in asked.items()}


def show_gate(answer):
    """Write the answer of `gate` as text."""
    from replicability.show import view_of_gates

    found = answer.gate
    if found is None:
        return f"Wrote {answer.written['save']}."
    first, *others = map(filled, found.sentences)
    blocks = [first, table(view_of_gates.datasets(found)), *others]
    wrote = written.told(answer.written)
    more = [*notes(found.notes), *map(filled, [*wrote, f"Next: {NEXT[found.exit_code]}"])]
    return "\n\n".join([*blocks, *more])


NEXT = {
    0: "release the new system, and store this output with it (--json).",
    1: "improve the new system on the datasets marked as worse, and run the gate again.",
    2: "collect more items, or widen --margin if you can justify it.",
}
"""Exit status -> what to do."""


def status(answer):
    """Return 0 to ship, 1 to block, 2 if the gate cannot tell."""
    return answer.gate.exit_code if answer.gate else 0
