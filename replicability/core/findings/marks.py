"""Marks of the datasets that are named, and what they say."""

from replicability.core import procedure

MARKS = ("*", "+", "†", "‡")
"""Marks of identified datasets, one for each level in the order given (Tables 3 to 5)."""


def marks(findings):
    """Mark the datasets that are identified, one mark for each level.

    Parameters
    ----------
    findings : sequence of findings.Finding
        Findings about one comparison, at most as many as there are `MARKS`.

    Returns
    -------
    list of str
        For each dataset the marks of the levels at which it is identified, "" if there is none; in
        brackets where it is B that is better.
    """
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
    """Tell whether findings are of both directions.

    Parameters
    ----------
    findings : sequence of findings.Finding
        Findings about one comparison.

    Returns
    -------
    bool
        False also if there are none.
    """
    return bool(findings) and all(finding.other is not None for finding in findings)


def by_holm(finding):
    """Tell whether the named datasets are those of Holm's procedure.

    Parameters
    ----------
    finding : findings.Finding
        A finding.

    Returns
    -------
    bool
        True in the paper's pair, and in closed testing with Bonferroni's local test.
    """
    return finding.claims is None or finding.claims.method == "bonferroni"


def named_by(finding):
    """Say by what the datasets of a finding are named.

    Parameters
    ----------
    finding : findings.Finding
        A finding.

    Returns
    -------
    str
        Such as "Holm's procedure" or "closed testing (Fisher)".
    """
    if by_holm(finding):
        return "Holm's procedure"
    return f"closed testing ({procedure.TITLES[finding.claims.method]})"


def by_closed_testing(findings):
    """Say whether datasets are named by closed testing; else they are by Holm's procedure."""
    return any(finding.claims is not None for finding in findings)


def marks_note(alphas, findings=()):
    """Explain the marks for a caption.

    Parameters
    ----------
    alphas : sequence of float
        Levels, in the order of the marks.
    findings : sequence of findings.Finding, optional
        What the marks are of; without, they are of Holm's procedure.

    Returns
    -------
    str
        Such as "* and + mark the datasets that Holm's procedure identifies at alpha = 0.05 and
        0.01."
    """
    used = " and ".join(MARKS[: len(alphas)])
    levels = " and ".join(f"{alpha:g}" for alpha in alphas)
    verb = "mark" if len(alphas) > 1 else "marks"
    how = "are named" if by_closed_testing(findings) else "Holm's procedure identifies"
    sides = ""
    if asks_both(findings):
        first = findings[0].other
        sides = f", in brackets those on which {first.claim.clause(*first.systems)}"
    return f"{used} {verb} the datasets that {how} at alpha = {levels}{sides}."
