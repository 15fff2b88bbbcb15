"""What a study says of a family: its files and columns, checked before anything is read."""

from replicability import checks
from replicability.checks import InputError

FEWEST = 3
"""Systems of a family."""


def members(block):
    """List the systems of a family, as far as its block names them.

    `block`: a block of `families`.

    Returns list of str. Those that are chosen, or have a file or column; empty where only the file
    says it.
    """
    if block.get("systems"):
        return list(block["systems"])
    if "files" in block:
        return [name for name in block["files"] if name != "gold"]
    return list(block.get("columns", {}).get("scores", ()))


def listed(files):
    """Write the files of systems for a message; many are counted."""
    paths = [path for name, path in files.items() if name != "gold"]
    more = len(paths) - FEWEST
    return checks.enumerated([*paths[:2], f"{more + 1} others"] if more > 0 else paths)


def of_two(key):
    """Say that a field is about two systems, for a message."""
    ask = "use one metric at a time" if key == "metrics" else "leave it out"
    return (
        f"{checks.named(key)} applies to two systems, not to a family; {ask}, or compare two "
        "systems."
    )


def n_pairs(systems, against=""):
    """Return the number of ordered pairs of so many systems, all or those with one."""
    return 2 * (systems - 1) if against else systems * (systems - 1)


def least_pairs(block):
    """Return the number of ordered pairs of a family, at least, before its files are read.

    `block`: a block of `families`.

    Returns int. That of the systems that it names, or of the fewest.
    """
    return n_pairs(max(len(members(block)), FEWEST), block.get("against", ""))


def check_files(place, block, found):
    """Check the files of a family, one for each system.

    `place`: what stands before a message. `block`: a block of `families`, with `files`. `found`
    (formats.Format): its format.

    Raises `InputError`: if there are fewer than three systems, one that is chosen has no file, two
    have the same one, or gold files are missing or superfluous.
    """
    files = block["files"]
    named = [name for name in files if name != "gold"]
    if len(named) < FEWEST:
        raise InputError(
            f"{place}: there are files for only {len(named)} system{'s' * (len(named) != 1)} "
            f"({', '.join(named)}), but a family needs three or more; to compare two systems, "
            "declare a comparison."
        )
    if ("gold" in files) != found.needs_gold:
        raise InputError(
            f"{place}: the format {found.name!r} holds outputs, which must be compared with gold "
            "files; specify these under files, with the key gold."
            if found.needs_gold
            else (
                f"{place}: the format {found.name!r} has scores and needs no gold files; "
                "remove the key gold from files."
            )
        )
    for system in (*block["systems"], *filter(None, [block.get("against")])):
        checks.choice(f"{place}: files of the system", system, named)
    for name in named:
        same = [other for other in named if files[other] == files[name]]
        if len(same) > 1:
            raise InputError(
                f"{place}: the systems {checks.enumerated(same)} have the same file "
                f"{files[name]!r}; give a separate file or folder for each."
            )


def check_columns(place, block):
    """Check that a family has a column of scores for each system that it names.

    `place`, `block`: as for `check_files`, with `columns` of a table.

    Raises `InputError`: if the numbers differ, or there is a column for each system and one of
    systems.
    """
    scores, systems = block.get("columns", {}).get("scores", ()), block["systems"]
    if scores and systems and len(scores) != len(systems):
        raise InputError(
            f"{place}: there are {len(scores)} columns of scores and {len(systems)} systems; give "
            "a column for each system, in the order of the systems."
        )
    if scores and block.get("against"):
        checks.choice(f"{place}: against", block["against"], members(block))
