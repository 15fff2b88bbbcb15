"""What was repeated, as `repeats` declares it: runs, raters, or splits of the same data."""

from replicability import checks
from replicability.io import headers
from replicability.io.declared import OF_BOTH, OF_FOLDS, OF_SPLITS

ROLES = {"runs": "run", "raters": "run", "splits": "instance"}
"""Maps the kind of repeats to the role of their column."""


def columns(named, repeats):
    """Add the column of the repeats to the columns with a role.

    `named`: role -> header, as they are declared. `repeats`: as `declared.Repeats`; {} for none.

    Returns dict. Role -> header.

    Raises `InputError`: if the role has another column, or splits are said to have items or sizes.
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
    for key, kinds in (("within", ("splits",)), ("nested", ("runs",))):
        if key in repeats and repeats["kind"] not in kinds:
            raise checks.InputError(
                f"{said} have the key {key!r}, which belongs to {kinds[0]}, but their kind is "
                f"{repeats['kind']}; leave it out."
            )
    for other in ("instance", "run", "size", "gold") if splits else ("run",):
        if other in named and (other, named[other]) != (role, column):
            why = "splits have one score each, of all their items" if splits else "runs are those"
            raise checks.InputError(
                f"{said} names the column {column!r}, and {checks.named(other)} "
                f"{named[other]!r}: {why}. Leave {checks.named(other)} out."
            )
    within = {"within": repeats["within"]} if "within" in repeats else {}
    return {**named, role: column, **within}


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
    if block.get("claim_covers", "items") != "items":
        _check_runs(place, block)
    test, within = block.get("test", ""), "within" in repeats
    _check_test(place, test, block, within)
    if repeats.get("kind") != "splits":
        return
    if test not in ("", OF_SPLITS, *OF_FOLDS):
        raise checks.InputError(
            f"{place}{checks.named('repeats')} are splits of the same data, which share their "
            f"items, but the test {test!r} takes them as independent; leave "
            f"{checks.named('test')} out for the corrected resampled t-test."
        )
    for key in ("unit", "shared"):
        if key in block:
            raise checks.InputError(
                f"{place}{checks.named(key)} is about items, but {checks.named('repeats')} are "
                "splits of the same data; leave one of the two out."
            )


IDLE_OF_RUNS = ("unit", "shared", "missing", "test", "options", "over_datasets")
"""Keys without effect if the claim covers new runs."""


def _check_test(place, test, block, within):
    """Refuse a test of folds without folds, and one of crossed runs where runs are not crossed."""
    if test in OF_FOLDS and not within:
        raise checks.InputError(
            f"{place}the test {test!r} needs folds of repeated cross-validations; name the column "
            f"of the repeats with the key within of {checks.named('repeats')}."
        )
    both = checks.given("claim_covers", repr("both"))
    crossed = block.get("claim_covers") == "both" and not block.get("repeats", {}).get("nested")
    if crossed and test not in ("", *OF_BOTH):
        raise checks.InputError(
            f"{place}the test {test!r} averages over runs, but {both} is about new runs, too; "
            f"choose {', '.join(OF_BOTH[:-1])} or {OF_BOTH[-1]}, or leave {checks.named('test')} "
            "out."
        )
    if test in OF_BOTH and not crossed:
        raise checks.InputError(
            f"{place}the test {test!r} is for runs that each scored every item, and for new items "
            f"and new runs; add {both}, or choose another test."
        )


def _check_runs(place, block):
    """Refuse a claim about new runs without runs, and what belongs to items."""
    said, asked = block.get("repeats", {}), block["claim_covers"]
    covers = checks.given("claim_covers", repr(asked))
    if "run" not in block.get("columns", {}) and said.get("kind") not in ("runs", "raters"):
        raise checks.InputError(
            f"{place}{covers} is about new runs, but no column numbers them; name it with "
            f"{checks.named('repeats')}, of the kind runs or raters."
        )
    if asked == "both":
        if block.get("shared") and not said.get("nested"):
            raise checks.InputError(
                f"{place}{checks.named('shared')} flips the signs of items, but {covers} is about "
                "new runs, too; leave one of the two out."
            )
        return
    if said.get("nested") or said.get("kind") == "raters":
        what = (
            "raters score every item"
            if said.get("kind") == "raters"
            else "an item has its own runs"
        )
        raise checks.InputError(
            f"{place}{covers} compares runs without their items, but {what}; say "
            f"{checks.given('claim_covers', repr('both'))}."
        )
    for key in IDLE_OF_RUNS:
        if key in block:
            raise checks.InputError(
                f"{place}{checks.named(key)} is about items, but {covers} is about new runs, "
                "which are compared by a test of unpaired runs; leave one of the two out."
            )
