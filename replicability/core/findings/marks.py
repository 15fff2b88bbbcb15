"""Marks of the datasets that are named, and what they say."""

from replicability.core import procedure

MARKS = ("*", "+", "†", "‡")
"""Marks of identified datasets, one per level in the given order (Tables 3 to 5)."""


def marks(findings):
    """Mark the datasets that are identified, one mark for each level."""
    forth = _marked([finding.identified for finding in findings])
    if not asks_both(findings):
        return forth
    back = _marked([finding.other.identified for finding in findings])
    return [
        mark or (f"({other})" if other else "") for mark, other in zip(forth, back, strict=True)
    ]


def _marked(identified):
    """Mark the datasets that are identified at each level."""
    return [
        "".join(mark for mark, found in zip(MARKS, column, strict=False) if found)
        for column in zip(*identified, strict=True)
    ]


def asks_both(findings):
    """Tell whether findings are of both directions."""
    return bool(findings) and all(finding.other is not None for finding in findings)


def by_holm(finding):
    """Tell whether the named datasets are those of Holm's procedure."""
    return finding.claims is None or finding.claims.method == "bonferroni"


def named_by(finding):
    """Name the procedure that identifies the datasets of a finding."""
    if by_holm(finding):
        return "Holm's procedure"
    return f"closed testing ({procedure.TITLES[finding.claims.method]})"


def by_closed_testing(findings):
    """Say whether datasets are named by closed testing; else they are by Holm's procedure."""
    return any(finding.claims is not None for finding in findings)


def marks_note(alphas, findings=()):
    """Explain the marks for a caption."""
    used = " and ".join(MARKS[: len(alphas)])
    levels = " and ".join(f"{alpha:g}" for alpha in alphas)
    verb = "mark" if len(alphas) > 1 else "marks"
    how = "are identified" if by_closed_testing(findings) else "Holm's procedure identifies"
    sides = ""
    if asks_both(findings):
        first = findings[0].other
        sides = f"; brackets mark those on which {first.claim.clause(*first.systems)}"
    return f"{used} {verb} the datasets that {how} at alpha = {levels}{sides}."
