"""The top of the page: a finding as a title, and four answers below it."""

from dataclasses import dataclass

from replicability.checks import enumerated
from replicability.core.claimed import claim
from replicability.core.findings.claims import for_another_study, if_independent
from replicability.core.findings.finding import find_both, has_both
from replicability.core.findings.wording import (
    LISTED,
    at_least,
    confidence,
    of_group,
    on_any,
)
from replicability.core.procedure import TITLES
from replicability.stats import partial_conjunction

SHORT = 4
"""Datasets that the bar names."""


@dataclass(frozen=True)
class Cell:
    """An answer in the bar below a title.

    Attributes
    ----------
    question : str
        Such as "How many?".
    answers : list of str
        Short lines.
    note : str
        What the answer means, or "".
    """

    question: str
    answers: list
    note: str = ""


def number(finding):
    """Return the number of datasets on which a claim is shown, by count or by names."""
    return max(finding.k, int(finding.identified.sum()))


def title(finding):
    """Write the finding as a title: who is better on how many datasets.

    `finding` (Finding): what is found at the declared level.

    Returns str. Without a full stop, a procedure, and names of datasets.
    """
    n, (a, b), claim_ = len(finding.datasets), finding.systems, finding.claim
    differ = f"{a} and {b} differ"
    if finding.contradicted:
        k = finding.doubtful[2].weakest.differ
        return f"{differ} on {at_least(k, n)}" if k else f"No evidence that {differ} on {on_any(n)}"
    said = [
        f"{claim_.shown(*side.systems)} on {at_least(number(side), n)}"
        for side in _sides(finding)
        if number(side)
    ]
    if said:
        return "; ".join(said)
    both = finding.other is not None and claim_.kind == "better"
    return f"No evidence that {differ if both else claim_.shown(a, b)} on {on_any(n)}"


def bar(finding, overall, table_number):
    """Answer how many, which, how much and how sure, each in a few words.

    `finding` (Finding): what is found at the declared level. `overall` (Overall or None): the mean
    difference. `table_number`: number of the table that lists the datasets.

    Returns list of Cell. Four.
    """
    return [
        _how_many(finding),
        Cell("Which?", _which(finding, table_number)),
        _how_much(overall),
        _how_sure(finding),
    ]


def _sides(finding):
    return (finding,) if finding.other is None else (finding, finding.other)


def _how_many(finding):
    n, question = len(finding.datasets), "How many?"
    if finding.contradicted:
        weakest = finding.doubtful[2].weakest
        counts = zip(finding.systems, (weakest.a, weakest.b), strict=True)
        lines = [f"{system} better: {of_group(k, n)}" for system, k in counts]
        return Cell(
            question,
            lines,
            "The numbers are lower bounds, because p-values do not show which system they favour.",
        )
    shown = [side for side in _sides(finding) if number(side)]
    if len(shown) == 2:
        lines = [f"{one.claim.short(one.systems[0])}: {of_group(number(one), n)}" for one in shown]
        return Cell(question, lines, "datasets: lower bounds")
    side = shown[0] if shown else finding
    clause = side.claim.clause(*side.systems)
    if not shown:
        return Cell(question, ["no evidence"], f"that {clause} on {on_any(n)}")
    return Cell(question, [of_group(number(side), n)], f"datasets on which {clause}")


def _which(finding, table_number):
    """Name the identified datasets, or refer to the table."""
    if finding.contradicted:
        return ["none: small p-values contradict the scores"]
    sides = [side for side in _sides(finding) if side.identified.any()]
    lines = []
    for side in sides:
        names = side.identified_datasets
        more = f" (Table {table_number})" if len(names) > SHORT else ""
        whose = f"{side.claim.short(side.systems[0])}: " if len(sides) > 1 else ""
        lines.append(f"{whose}{enumerated(names, SHORT)}{more}")
    return lines or ["none can be identified"]


def _how_much(overall):
    question = "How much?"
    if overall is None:
        return Cell(question, ["not known"], "P-values do not show the size of a difference.")
    size = f"{overall.signed(overall.difference)}{overall.unit}"
    where = "on average over the datasets" if overall.n_datasets > 1 else "on the only dataset"
    a, b = overall.systems
    limits = f", 95% interval {overall.interval}" if overall.interval else ""
    return Cell(question, [size], f"{a} minus {b}, {where}{limits}")


def _how_sure(finding):
    question = "How sure?"
    if finding.contradicted:
        both = finding.doubtful[2]
        return Cell(question, [f"{confidence(finding.alpha)} confidence"], f"{both.method}")
    if finding.claims is None:
        method = finding.recommended.capitalize()
        each = f"{confidence(finding.level)} confidence each"
        return Cell(
            question, [each], f"separately for k-hat ({method}) and the named datasets (Holm)"
        )
    how = f"closed testing, {TITLES[finding.claims.method]}"
    note = f"simultaneous for all of these statements ({how})" if len(finding.datasets) > 1 else ""
    return Cell(question, [f"{confidence(finding.alpha)} confidence"], note)


def bar_of_family(pairs, alpha):
    """Answer the questions of `bar` for all pairs of systems, at a joint level alpha."""
    n, total = len(pairs.datasets), pairs.n_pairs // 2
    some = f"at least one of {n:,} datasets" if n > 1 else on_any(n)
    counted = pairs.merged(pairs.joint_counts_of_compared(alpha)).fillna(0).astype(int)
    better = counted.stack()
    better = better[better > 0].sort_values(ascending=False, kind="stable")
    differ = pairs.joint_counts(alpha).to_numpy() > 0
    shown = [f"{a} better than {b}" for a, b in better.index]
    largest = f"at least {better.iloc[0]:,} of {n:,}" if len(better) else ""
    where = f"datasets on which {' is better than '.join(better.index[0])}" if shown else ""
    names = [*shown[:2], *([f"{len(shown) - 2:,} more"] if len(shown) > 2 else [])]
    return [
        Cell(
            "How many?",
            [f"{int((differ | differ.T).sum() // 2):,} of {total:,}"],
            f"pairs of systems that differ on {some}",
        ),
        Cell("Which?", names or ["no pair"]),
        Cell("How much?", [largest or "not shown"], where),
        Cell(
            "How sure?",
            [f"{confidence(alpha)} confidence"],
            "simultaneous for all pairs and directions",
        ),
    ]


def both_directions(comparison, table, finding):
    """Return the sentences on both directions, and a note on their guarantee."""
    a, b = comparison.systems
    said = []
    if comparison.claim == "equivalent":
        note = "Equivalence is the same claim in both directions."
    elif not has_both(comparison, table):
        note = "The other direction cannot be tested: the file has p-values for one direction only."
    elif comparison.level == "instances" and finding.other is None:
        note = f"The claim is that {claim(comparison).shown(a, b)}; the other direction was not "
        note += "tested."
    else:
        note = f"Each direction is tested at alpha = {finding.alpha / 2:g}. "
        note += _together(finding)
        if "p_reverse" not in table:
            note += (
                " The p-values are treated as two-sided: the one-sided p-value is p/2 for the "
                "system with the higher score and 1 − p/2 for the other system."
            )
        said = [] if finding.other else find_both(comparison, table, finding.alpha)
    return {
        "sentences": [str(one).replace(LISTED, "listed below") for one in said],
        "names": [one.identified_datasets if LISTED in str(one) else [] for one in said],
        "note": note,
    }


def _together(finding):
    """State the simultaneous confidence of both directions."""
    sure = confidence(finding.alpha)
    if finding.claims is not None or partial_conjunction.ESTIMATORS[finding.recommended].with_holm:
        return f"All statements about both directions have simultaneous {sure} confidence."
    return (
        f"The bounds for both directions have simultaneous {sure} confidence, and so do the "
        "datasets identified in the two directions. Together, the bounds and the identified "
        f"datasets have simultaneous {confidence(min(2 * finding.alpha, 1))} confidence."
    )


def beside(comparison, finding):
    """Say what independence, or another method in another study, would give."""
    if finding.claims is None:
        return []
    declared = comparison.dependence == "independent"
    said = []
    for one in (finding, finding.other) if finding.other else (finding,):
        texts = ("" if declared else if_independent(one.claims), for_another_study(one.claims))
        whose = f"{one.claim.short(one.systems[0])}: " if finding.other else ""
        said += [f"{whose}{text}" for text in texts if text]
    return said
