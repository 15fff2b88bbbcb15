"""The command `family`."""

import contextlib
import re
from dataclasses import replace

from replicability.cli import written
from replicability.cli.answers import Answer
from replicability.cli.declared import levels
from replicability.cli.flags import add, given
from replicability.cli.layout import filled, notes, table
from replicability.cli.one_file import called, say
from replicability.cli.reading import piped
from replicability.io.declared import ASKING, OF_PAIRS, READING

KEYWORDS = [key for key in ASKING if key not in OF_PAIRS]
"""Keywords that describe the question about a family."""

READ = [key for key in READING[2:] if key not in OF_PAIRS]
"""Keywords that describe how the scores of a family are read."""

SYSTEMS = (
    "with one table: the systems to compare (default: all); with several files: the names of their "
    "systems (default: the file names)"
)
"""Help on the systems."""


def add_family(added):
    """Add what `family` takes."""
    added.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="one table with the scores of all systems, or a file or folder for each system; - "
        "reads standard input",
    )
    added.add_argument("--systems", nargs="+", default=(), metavar="NAME", help=SYSTEMS)
    add(added, "against", "ask_first", "alpha")
    add(added, *KEYWORDS, *READ, hidden=OF_PAIRS)
    written.add(added, "csv", "html", "latex", "figure")
    added.add_argument(
        "--block",
        metavar="K/N",
        help="only compute the p-values of block K of N blocks of pairs, and write them to the "
        "file of --into",
    )
    added.add_argument("--into", metavar="FILE", help="Parquet file that --block writes")
    added.add_argument(
        "--blocks",
        nargs="+",
        default=(),
        metavar="FILE",
        help="read the p-values of all pairs from the files of all N blocks; the output is "
        "identical to that of a single run",
    )


def family(options):
    """Compare all pairs of three or more systems.

    `options`: arguments of the command `family`.

    Returns Answer or dict. ``python -m replicability family --help`` lists its keys as JSON; a
    dictionary of --block.

    Raises `InputError`: as `replicability.all_pairs`, or if a level or the name of a file is given
    twice.
    """
    from replicability import checks
    from replicability.api import calls
    from replicability.io import families, keys, questions

    block = _block(options)
    written.check(options, [*options.files, options.gold])
    alpha = keys.level(levels(options), "a family of systems")
    for key in given(options, OF_PAIRS):
        raise checks.InputError(families.of_two(key))
    question = questions.declare(given(options, KEYWORDS))
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(piped(f)) if f == "-" else f for f in options.files]
        data, systems = _named(files, options.systems)
        reading = given(options, READ)
        whom = {"against": options.against, **given(options, ["ask_first"])}
        asked = data, systems, reading, question
        if block:
            n, pairs = calls.write_block(options.into, block, *asked, **whom)
            return {"block": block[0], "of": block[1], "n": n, "pairs": pairs, "file": options.into}
        found = calls.ask_all(*asked, alpha, options.blocks, **whom)
        read = found.read
        if len(files) == 1:
            read = replace(read, source=called(options.files[0]))
        say(str(read))
        draw = found.forest if found.pairs.against and found.pairs.scored else None
        files = written.write(options, found, lambda: found.page(written.command()), draw)
    return Answer(found, written=files)


def _block(options):
    """Return the number of a block and how many there are; None where no block is asked for."""
    from replicability import checks

    if (options.block is None) != (options.into is None):
        raise checks.InputError("--block K/N and --into FILE go together; give both, or neither.")
    if options.block is None:
        return None
    idle = [f"--{name}" for name in (*written.MAKES, "blocks") if getattr(options, name)]
    if idle:
        raise checks.InputError(
            f"--block only computes p-values; use {checks.enumerated(idle)} in the command that "
            "reads all blocks."
        )
    found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", options.block)
    block, of = map(int, found.groups()) if found else (0, 0)
    if not 1 <= block <= of:
        raise checks.InputError(
            f"--block is {options.block!r}, but must have the form K/N, block K of N; write, for "
            "example, 3/16."
        )
    return block, of


def _named(files, names):
    """Return what holds the scores, and which systems of one table are compared."""
    from replicability import checks

    if len(files) == 1:
        return files[0], tuple(names)
    if names and len(names) != len(files):
        raise checks.InputError(
            f"--systems needs one name for each of the {len(files)} files, in the same order, but "
            f"the number of names is {len(names)}; correct the names."
        )
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise checks.InputError(f"--systems names {twice[0]!r} twice; name each system once.")
    return (dict(zip(names, files, strict=True)) if names else files), ()


def show_family(answer):
    """Write the answer of `family` as text.

    `answer` (Answer or dict): the answer.

    Returns str. Sentences, a table of the systems, and notes.
    """
    if isinstance(answer, dict):
        return "Wrote block {block} of {of} to {file} ({n:,} of {pairs:,} pairs).".format_map(
            answer
        )
    found = answer.result
    said = [*found.sentences, *filter(None, [found.possible])]
    blocks = ["\n".join(map(filled, said)), table(found.view["systems"])]
    after = written.told(answer.written) or [
        "Next: add --html family.html to write the page for your co-authors."
    ]
    return "\n\n".join([*blocks, *notes([*found.notes, *after])])
