"""The command line, ``python -m replicability``: the quick question without writing Python.

=========  =================================================================
command    question
=========  =================================================================
`pvalues`  on how many datasets is A better, given one p-value for each?
`compare`  is A better, given two files with the scores of the same items?
`family`   which of three or more systems are better than which?
`against`  which systems are better than a baseline?
`gate`     may a new system replace the one in use?
`check`    what do these files support, and how are they read?
`design`   what can a suite of datasets show, before it is run?
`audit`    which numbers of a published table cannot be, and what do they support?
`run`      what is found in a study? makes its whole report
`new`      what does a study look like? writes one that runs
`tests`    which test is for which scores?
=========  =================================================================

Each answer is a dictionary, which is printed as text or, with ``--json``, as it is. The modules
that compute are loaded when a command is carried out, so that ``--help`` answers at once.
"""

import argparse
import json
import os
import shlex
import sys
from pathlib import Path

from replicability import __version__
from replicability.cli import check as check_
from replicability.cli import written
from replicability.cli.against import add_against
from replicability.cli.answers import plain
from replicability.cli.audit import add_audit, audit, show_audit, status
from replicability.cli.compare import compare
from replicability.cli.design import add_design, design, show_design
from replicability.cli.family import add_family, family, show_family
from replicability.cli.flags import add, option
from replicability.cli.gate import INVALID, add_gate, gate, show_gate
from replicability.cli.gate import status as gated
from replicability.cli.layout import show
from replicability.cli.new import EXAMPLES, examples, new, show_new
from replicability.cli.numbers import as_number
from replicability.cli.pvalues import pvalues
from replicability.cli.run import run, show_run
from replicability.cli.tests import list_tests, show_tests
from replicability.io.declared import ASKING, OF_PVALUES, READING


def main(arguments=None):
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments; default those of the process.

    Returns
    -------
    int
        0 if the question is answered, 1 if the input is wrong, 3 if an audit disputes a number;
        wrong usage exits with 2. Of `gate` 0 to ship, 1 to block, 2 if it cannot tell, and 3 if the
        input or the usage is wrong.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    main_parser = parser()
    if not arguments:
        main_parser.print_help()
        return 0
    options, left = main_parser.parse_known_args(arguments)
    if left:
        main_parser.wrong = options.wrong
        main_parser.error(_unrecognized(left, options))
    from replicability import checks

    here = ""
    try:
        here = _here()
        _refuse_bytes(arguments)
        answer = options.ask(options)
    except checks.InputError as error:
        said = error.spelled(option)
        print(said.replace(here, "") if here else said, file=sys.stderr)
        if error.instead:
            print(f"\nTry this command instead:\n\n  {_instead(arguments, error)}", file=sys.stderr)
        return options.invalid
    print(json.dumps(plain(answer), indent=2) if options.json else options.show(answer))
    return options.status(answer)


def _instead(arguments, error):
    """Write the command with the arguments that an error names instead."""
    from replicability import checks

    kept, words = [], iter(map(str, arguments))
    for word in words:
        name, joined, _ = word.partition("=")
        if name not in map(option, error.instead):
            kept.append(word)
        elif not joined:
            next(words, None)
    right = {key: value for key, value in error.instead.items() if value is not None}
    return f"python -m replicability {shlex.join(kept)} {checks.flags(right)}"


def _unrecognized(left, options):
    """Say which arguments mean nothing, and what to write where they are levels or p-values."""
    from replicability import checks

    sentence = f"unrecognized arguments: {' '.join(left)}"
    flags = [argument for argument in left if argument.startswith("--")]
    sentence += checks.nearest(flags[0], options.flags).removesuffix(".") if flags else ""
    if getattr(options, "alpha", None) and not any(isinstance(as_number(x), str) for x in left):
        sentence += (
            "; --alpha takes one level, so write --alpha 0.05 --alpha 0.01 for two levels, and "
            "write all p-values together"
        )
    elif getattr(options, "b", None) and not left[0].startswith("-"):
        sentence += (
            "; compare takes two systems; use family to compare all pairs of three or more systems"
        )
    return sentence


def _here():
    """Return the current folder as messages leave it out of paths."""
    from replicability import checks

    try:
        return f"{Path.cwd()}{os.sep}"
    except FileNotFoundError:
        raise checks.InputError(
            "The current folder no longer exists; change to an existing folder."
        ) from None


def _refuse_bytes(arguments):
    """Refuse arguments that are not UTF-8, or hold what no shell passes on."""
    from replicability import checks

    for argument in arguments:
        if not checks.is_unicode(argument):
            raise checks.InputError(
                f"The argument {argument!a} is not valid UTF-8; retype it, or rename the file."
            )
        if "\0" in argument:
            raise checks.InputError(f"The argument {argument!a} contains a null byte; remove it.")


# --- the arguments -------------------------------------------------------------------------------


class _Once(argparse.Action):
    """Store the values of an option, and refuse it if it is given again."""

    given = False

    def __call__(self, parser, namespace, values, option_string=None):
        if self.given:
            several = self.nargs not in (None, "?")
            remedy = f"write all values after one {option_string}" if several else "give one value"
            raise argparse.ArgumentError(self, f"given twice; {remedy}")
        self.given = option_string is not None
        setattr(namespace, self.dest, values)


class _Parser(argparse.ArgumentParser):
    """A parser that says so where its help cannot be printed, or an option has taken too much."""

    wrong = 2
    """Exit status after incorrect usage."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for name in (None, "store"):
            self.register("action", name, _Once)

    def _print_message(self, message, file=None):
        if file is sys.stdout:
            print(message, end="")  # argparse keeps quiet about a disk that is full
        else:
            super()._print_message(message, file)

    def parse_known_args(self, args=None, namespace=None):
        """Parse what is known, and remember which options that take several values are given."""
        greedy = {
            option: "all that follow" if action.nargs == "+" else "what follows it"
            for action in self._actions
            for option in action.option_strings
            if action.nargs in ("+", "?")
        }
        self._greedy = {
            option: greedy[option] for option in sorted(greedy) if option in (args or ())
        }
        return super().parse_known_args(args, namespace)

    def error(self, message):
        """Exit with `wrong`, the usage and a sentence."""
        if message.startswith("the following arguments are required") and self._greedy:
            option, taken = next(iter(self._greedy.items()))
            message += f"; write them before {option}, which takes {taken} as values"
        self.print_usage(sys.stderr)
        self.exit(self.wrong, f"{self.prog}: error: {message}\n")


def parser():
    """Return the parser of the command line.

    Returns ArgumentParser. With one command for each question.
    """
    main_parser = _Parser(
        prog="python -m replicability",
        description="On how many datasets is system A better than system B?",
        epilog=(EXAMPLES / "replicability.txt").read_text(encoding="utf-8"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    main_parser.add_argument("--version", action="version", version=f"replicability {__version__}")
    commands = main_parser.add_subparsers(metavar="COMMAND", required=True)

    def command(name, question, ask, show):
        added = commands.add_parser(
            name,
            help=question,
            description=question,
            epilog=(EXAMPLES / f"{name}.txt").read_text(encoding="utf-8"),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        added.add_argument(
            "--json", action="store_true", help="print the result as one JSON object"
        )
        added.set_defaults(ask=ask, show=show, status=lambda answer: 0, invalid=1, wrong=2)
        return added

    _add_pvalues(
        command(
            "pvalues",
            "Compute k-hat and name the significant datasets from one p-value per dataset.",
            pvalues,
            show,
        )
    )
    _add_compare(
        command("compare", "Compare two systems by their scores on the same items.", compare, show)
    )
    add_family(command("family", "Compare all pairs of systems.", family, show_family))
    add_against(command("against", "Compare several systems with a baseline.", family, show_family))
    release = command(
        "gate", "Decide whether a new system may replace the one in use.", gate, show_gate
    )
    release.set_defaults(status=gated, invalid=INVALID, wrong=INVALID)
    release.wrong = INVALID
    add_gate(release)
    supported = command(
        "check",
        "Show how your files are read and which commands apply.",
        check_.check,
        check_.show_check,
    )
    supported.set_defaults(status=check_.status)
    check_.add_check(supported)
    add_design(command("design", "Plan a comparison: how much can it show?", design, show_design))
    checked = command("audit", "Check the numbers in a published table.", audit, show_audit)
    checked.set_defaults(status=status)
    add_audit(checked)
    _add_run(command("run", "Write the full report of a study.", run, show_run))
    _add_new(command("new", "Write an example study to edit.", new, show_new))
    command("tests", "List the tests, and say when to use each.", list_tests, show_tests)
    for added in commands.choices.values():
        added.set_defaults(flags=tuple(added._option_string_actions))
    return main_parser


def _add_run(added):
    """Add what `run` takes."""
    added.add_argument(
        "study", metavar="STUDY.yaml", help="file of the study; `new` writes an example"
    )
    added.add_argument(
        "--into",
        metavar="DIR",
        help="folder for the report (default: results/NAME, with the name of the study)",
    )


def _add_new(added):
    """Add what `new` takes."""
    added.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help="name of the study, in lower-case letters, digits and underscores (default with "
        "--compendium: the name of DIR)",
    )
    added.add_argument(
        "--compendium",
        metavar="DIR",
        help="also write a project around the study: workflow, notebook, environment and tests",
    )
    added.add_argument(
        "--from",
        dest="origin",
        default="wide",
        metavar="FORMAT",
        help=f"kind of example data: {', '.join(examples())} (default: wide)",
    )


def _add_pvalues(added):
    """Add what `pvalues` takes."""
    added.add_argument(
        "values",
        nargs="+",
        type=as_number,
        metavar="P",
        help="p-values, or one file with a row per dataset (CSV, Excel or Parquet) or a p-value "
        "per line; - reads standard input",
    )
    _add_levels(added)
    add(added, "dependence", "alternative", "groups", "procedure", "method")
    added.add_argument(
        "--names",
        nargs="+",
        metavar="NAME",
        help="names of the datasets, written after the p-values, if these have no names",
    )
    added.add_argument("--dataset", metavar="COLUMN", help="column of the datasets' names")
    added.add_argument("--p-value", metavar="COLUMN", help="column of the p-values")
    added.add_argument(
        "--column",
        metavar="COLUMN",
        help="only compute k-hat, by the paper's procedure, from this column of a Parquet file "
        "(for millions of p-values)",
    )
    added.add_argument(
        "--scores", nargs=2, default=(), metavar=("A", "B"), help="columns of the scores"
    )
    add(added, *OF_PVALUES, "higher_is_better", hidden=("unit", "shared"))
    written.add(added, "html", "latex", "figure")


def _add_compare(added):
    """Add what `compare` takes."""
    added.add_argument(
        "a",
        metavar="A.csv",
        help="scores of the system claimed to be better, or of both systems in one table; - reads "
        "standard input",
    )
    added.add_argument("b", metavar="B.csv", nargs="?", help="scores of the other system")
    _add_levels(added)
    add(added, *ASKING, *READING[2:], "metrics")
    written.add(added, "html", "latex", "figure")


def _add_levels(added):
    """Add the options for levels and for the names of systems."""
    add(added, "alpha")
    added.add_argument(
        "--systems",
        nargs=2,
        metavar=("A", "B"),
        help="names of the systems, the one claimed to be better first",
    )
