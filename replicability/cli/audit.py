"""The command `audit`."""

from replicability.cli.layout import filled
from replicability.cli.numbers import as_number

DISPUTED = 3
"""Exit status if a number in the table is contradicted or impossible."""


def add_audit(added):
    """Add what `audit` takes."""
    added.add_argument(
        "table", metavar="TABLE", help="table with one row per dataset (CSV, Excel or Parquet)"
    )
    added.add_argument(
        "--dataset", default="dataset", metavar="COLUMN", help="column of the datasets' names"
    )
    added.add_argument(
        "--scores", nargs=2, default=(), metavar=("A", "B"), help="columns of the scores"
    )
    added.add_argument("--p-value", metavar="COLUMN", help="column of the p-values")
    added.add_argument("--stars", metavar="COLUMN", help="column of the significance marks")
    added.add_argument(
        "--items",
        type=lambda text: int(text) if text.isdecimal() else text,
        metavar="N|COLUMN",
        help="number of items of each dataset, or its column, if scores are shares or percentages",
    )
    added.add_argument(
        "--claimed",
        type=int,
        metavar="K",
        help="number of datasets that the paper calls significant",
    )
    added.add_argument("--k-hat", type=int, metavar="K", help="k-hat that the paper reports")
    added.add_argument(
        "--sided",
        default="unknown",
        metavar="one|two|unknown",
        help='null hypothesis of the p-values: "A is not better" (one), "both are equal" (two) or '
        "unknown (default)",
    )
    added.add_argument(
        "--test", metavar="TEST", help="test that gave the p-values, such as mcnemar"
    )
    added.add_argument(
        "--resolution",
        type=as_number,
        metavar="R",
        help="smallest p-value that the test can report: 1/(B+1) with B resamples",
    )
    added.add_argument(
        "--dependence",
        metavar="HOW",
        help="dependence between datasets: independent, positive or dependent (default)",
    )
    added.add_argument(
        "--alpha", type=as_number, default=0.05, metavar="ALPHA", help="level (default: 0.05)"
    )


def audit(options):
    """Check the numbers of a published table.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `audit`.

    Returns
    -------
    dict
        `Audit.to_dict`.

    Raises
    ------
    InputError
        As `replicability.audit`.
    """
    from replicability.api import published

    names = ("dataset", "scores", "p_value", "stars", "items", "claimed", "k_hat", "sided", "test")
    given = {name: getattr(options, name) for name in (*names, "resolution", "dependence", "alpha")}
    return published.examine(options.table, **given).to_dict()


def show_audit(answer):
    """Write the answer of `audit` as text.

    `answer`: the answer.

    Returns str. A paragraph for each sentence of `Audit`.
    """
    from replicability.api import published

    return "\n\n".join(map(filled, published.paragraphs(answer)))


def status(answer):
    """Return `DISPUTED` if a check fails, else 0."""
    return DISPUTED if answer["disputed"] else 0
