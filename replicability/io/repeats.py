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
        need = "needs" if splits else "does not take"
        add = "add test_share, for example 0.1 for ten-fold cross-validation"
        remedy = add if splits else "leave it out"
        raise checks.InputError(
            f"{said} is of kind {repeats['kind']}, which {need} a test_share (the share of the "
            f"data in each test set); {remedy}."
        )
    for key, kinds in (("within", ("splits",)), ("nested", ("runs",))):
        if key in repeats and repeats["kind"] not in kinds:
            raise checks.InputError(
                f"{said} has the key {key!r}, which is allowed only for the kind {kinds[0]}, but "
                f"its kind is {repeats['kind']}; leave the key out."
            )
    for other in ("instance", "run", "size", "gold") if splits else ("run",):
        if other in named and (other, named[other]) != (role, column):
            why = "each split has only one score" if splits else "both identify the runs"
            raise checks.InputError(
                f"{said} specifies the column {column!r} and {checks.named(other)} specifies "
                f"{named[other]!r}, but {why}; leave {checks.named(other)} out."
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
            f"{place}{checks.named('repeats')} declares splits of the same data, which share "
            f"items, but the test {test!r} treats splits as independent; leave "
            f"{checks.named('test')} out to use the corrected resampled t-test."
        )
    for key in ("unit", "shared"):
        if key in block:
            raise checks.InputError(
                f"{place}{checks.named(key)} applies to items, but {checks.named('repeats')} "
                "declares splits of the same data; leave one of the two out."
            )


IDLE_OF_RUNS = ("unit", "shared", "missing", "test", "options", "over_datasets")
"""Keys without effect if the claim covers new runs."""


def _check_test(place, test, block, within):
    """Refuse a test of folds without folds, and one of crossed runs where runs are not crossed."""
    if test in OF_FOLDS and not within:
        raise checks.InputError(
            f"{place}the test {test!r} needs the folds of repeated cross-validation; in "
            f"{checks.named('repeats')}, set within to the column that identifies the repeats."
        )
    both = checks.given("claim_covers", repr("both"))
    crossed = block.get("claim_covers") == "both" and not block.get("repeats", {}).get("nested")
    if crossed and test not in ("", *OF_BOTH):
        raise checks.InputError(
            f"{place}the test {test!r} averages over runs, but {both} makes a claim about new "
            f"runs, too; choose {', '.join(OF_BOTH[:-1])} or {OF_BOTH[-1]}, or leave "
            f"{checks.named('test')} out."
        )
    if test in OF_BOTH and not crossed:
        raise checks.InputError(
            f"{place}the test {test!r} is for claims about new items and new runs, based on scores "
            f"of every item in every run; add {both}, or choose another test."
        )


def _check_runs(place, block):
    """Refuse a claim about new runs without runs, and what belongs to items."""
    said, asked = block.get("repeats", {}), block["claim_covers"]
    covers = checks.given("claim_covers", repr(asked))
    if "run" not in block.get("columns", {}) and said.get("kind") not in ("runs", "raters"):
        raise checks.InputError(
            f"{place}{covers} makes a claim about new runs, but no column of runs is specified; "
            f"specify it in {checks.named('repeats')}, where the kind must be runs or raters."
        )
    if asked == "both":
        if block.get("shared") and not said.get("nested"):
            raise checks.InputError(
                f"{place}{checks.named('shared')} works by flipping the signs of items, "
                f"but {covers} makes a claim about new runs, too; leave one of the two out."
            )
        return
    if said.get("nested") or said.get("kind") == "raters":
        what = (
            "each rater scores every item"
            if said.get("kind") == "raters"
            else "each item has its own runs"
        )
        raise checks.InputError(
            f"{place}{covers} compares only the runs' overall scores, but {what}; use "
            f"{checks.given('claim_covers', repr('both'))}."
        )
    for key in IDLE_OF_RUNS:
        if key in block:
            raise checks.InputError(
                f"{place}{checks.named(key)} applies to items, but {covers} compares unpaired "
                "runs; leave one of the two out."
            )
