"""What was repeated, as `repeats` declares it: training runs, or splits of the same data."""

from replicability import checks
from replicability.io import headers
from replicability.io.declared import OF_SPLITS

ROLES = {"runs": "run", "splits": "instance"}
"""Kind of repeats -> role of their column: the rows that are averaged, or those that are tested."""


def columns(named, repeats):
    """Add the column of the repeats to the columns with a role.

    Parameters
    ----------
    named : dict
        Role -> header, as they are declared.
    repeats : dict
        As `declared.Repeats`; {} for none.

    Returns
    -------
    dict
        Role -> header.

    Raises
    ------
    InputError
        If the role has another column, or splits are said to have items or sizes.
    """
    if not repeats:
        return named
    role, column, said = ROLES[repeats["kind"]], repeats["column"], checks.named("repeats")
    splits = role == "instance"
    if splits != ("test_share" in repeats):
        raise checks.InputError(
            f"{said} are {repeats['kind']}, {'which need' if splits else 'which have no'} "
            f"test_share, the share of the data in the test part of a split; "
            f"{'add it, such as 0.1 in ten-fold cross-validation' if splits else 'leave it out'}."
        )
    for other in ("instance", "run", "size", "gold") if splits else ("run",):
        if other in named and (other, named[other]) != (role, column):
            why = "splits have one score each, of all their items" if splits else "runs are those"
            raise checks.InputError(
                f"{said} names the column {column!r}, and {checks.named(other)} "
                f"{named[other]!r}: {why}. Leave {checks.named(other)} out."
            )
    return {**named, role: column}


def check(place, block):
    """Refuse repeats as items or datasets, and a question that splits cannot answer.

    Parameters
    ----------
    place : str
        What stands before a message.
    block : dict
        Keys of a comparison that are given.

    Raises
    ------
    InputError
        If repeats have another role, or there is another test, units or joint sign flips beside
        splits.
    """
    repeats = block.get("repeats", {})
    for role in ("instance", "dataset"):
        for header in headers.named({role: block.get("columns", {}).get(role, ())}):
            if header != repeats.get("column"):
                headers.refuse_repeats(f"{place}columns", header, role)
    if block.get("claim_covers") == "runs":
        _check_runs(place, block)
    if repeats.get("kind") != "splits":
        return
    if block.get("test", OF_SPLITS) != OF_SPLITS:
        raise checks.InputError(
            f"{place}{checks.named('repeats')} are splits of the same data, which share their "
            f"items, but the test {block['test']!r} takes them as independent; leave "
            f"{checks.named('test')} out for the corrected resampled t-test."
        )
    for key in ("unit", "shared"):
        if key in block:
            raise checks.InputError(
                f"{place}{checks.named(key)} is about items, but {checks.named('repeats')} are "
                "splits of the same data; leave one of the two out."
            )


IDLE_OF_RUNS = ("unit", "shared", "missing", "test", "options", "over_datasets")
"""Keys that have no meaning where the claim covers new runs."""


def _check_runs(place, block):
    """Refuse a claim about new runs without runs, and what belongs to items."""
    covers = checks.given("claim_covers", repr("runs"))
    if "run" not in block.get("columns", {}) and block.get("repeats", {}).get("kind") != "runs":
        raise checks.InputError(
            f"{place}{covers} is about new runs, but no column numbers them; name it with "
            f"{checks.named('repeats')}, of the kind runs."
        )
    for key in IDLE_OF_RUNS:
        if key in block:
            raise checks.InputError(
                f"{place}{checks.named(key)} is about items, but {covers} is about new runs, "
                "which are compared by a test of unpaired runs; leave one of the two out."
            )
