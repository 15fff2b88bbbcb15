"""The command `against`: `family` with a baseline."""

from replicability.cli import written
from replicability.cli.family import KEYWORDS, READ, SYSTEMS
from replicability.cli.flags import add
from replicability.io.declared import OF_PAIRS


def add_against(added):
    """Add what `against` takes."""
    added.add_argument(
        "against", metavar="BASELINE", help="system with which all others are compared"
    )
    added.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="one table with the scores of all systems, or a file or folder for each system",
    )
    added.add_argument("--systems", nargs="+", default=(), metavar="NAME", help=SYSTEMS)
    add(added, "alpha", *KEYWORDS, *READ, hidden=OF_PAIRS)
    written.add(added, "csv", "html", "latex", "figure")
    added.set_defaults(block=None, into=None, blocks=())
