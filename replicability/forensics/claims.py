"""Claims of a paper, and verdicts on them."""

from dataclasses import asdict, dataclass, replace

from replicability import checks
from replicability.forensics.printed import shown

AGREES = "agrees"

CONTRADICTED = "contradicted"

IMPOSSIBLE = "impossible"

DEPENDS = "depends on the reading"

UNCHECKED = "cannot be checked"

VERDICTS = (AGREES, CONTRADICTED, IMPOSSIBLE, DEPENDS, UNCHECKED)
"""Verdicts: follows from other numbers, contradicted, impossible, depends on the reading, or not
decidable.
"""

REPRODUCED = "reproduced"

WITHIN_ROUNDING = "within rounding"

WITHIN_MONTE_CARLO_ERROR = "within Monte-Carlo error"

TRIVIAL = "trivial"

BASES = (REPRODUCED, WITHIN_ROUNDING, WITHIN_MONTE_CARLO_ERROR, TRIVIAL)
"""How a value agrees: exactly, within rounding, within simulation error, or trivially (a repeated
value or a count of rows).
"""

NUMBER, LIST, DIRECTION = "number", "list", "direction"

KINDS = {NUMBER: "numbers", LIST: "lists", DIRECTION: "directions"}
"""Subject of a verdict: a printed number, the named datasets, or the better system."""

UNUSUAL = 0.001
"""Two-sided probability below which a simulated value contradicts the printed one."""

NOTABLE = 0.01
"""Two-sided probability below which a sentence states how rare a simulated value is."""


@dataclass(frozen=True)
class Claim:
    """A published value and where it stands.

    Attributes
    ----------
    paper : str
        Name of the paper.
    item : str
        Table, footnote or section.
    claim : str
        What is claimed, in words.
    published : str
        The value as printed.
    """

    paper: str
    item: str
    claim: str
    published: str


@dataclass(frozen=True)
class Verdict:
    """A published value, with what follows from other published values or from theory.

    Attributes
    ----------
    paper, item, claim, published : str
        As in `Claim`.
    recomputed : str
        The value that follows, or the range of values; "" if nothing does.
    verdict : str
        One of `VERDICTS`.
    sentence : str
        The arithmetic, and the reading under which the value is right if one was found.
    kind : str
        One of `KINDS`.
    basis : str
        Of a value that agrees, one of `BASES`; otherwise "".
    readings : str
        Of a value that depends on the reading, each reading with its verdict; otherwise "".
    """

    paper: str
    item: str
    claim: str
    published: str
    recomputed: str
    verdict: str
    sentence: str
    kind: str = NUMBER
    basis: str = ""
    readings: str = ""

    @property
    def grade(self):
        """The basis of a value that agrees, otherwise the verdict."""
        return self.basis or self.verdict


def judge(claim, recomputed, verdict, sentence, kind=NUMBER):
    """Make a verdict from a claim and what was found.

    Parameters
    ----------
    claim : Claim
        The claim.
    recomputed : str
        What follows.
    verdict : str
        One of `VERDICTS`, or of `BASES` for one that agrees.
    sentence : str
        The arithmetic.
    kind : str, default "number"
        One of `KINDS`.

    Returns
    -------
    Verdict
        All of it.

    Raises
    ------
    InputError
        If the verdict or the kind is none.
    """
    checks.choice("verdict", verdict, (*VERDICTS, *BASES))
    checks.choice("kind", kind, KINDS)
    basis = {AGREES: REPRODUCED}.get(verdict, verdict if verdict in BASES else "")
    verdict = AGREES if basis else verdict
    return Verdict(
        **asdict(claim),
        recomputed=recomputed,
        verdict=verdict,
        sentence=sentence,
        kind=kind,
        basis=basis,
    )


def weigh_readings(readings):
    """Combine the verdicts on a claim that its source allows to be read in several ways.

    Parameters
    ----------
    readings : dict of str to Verdict
        Reading that the source allows -> verdict under it; the likeliest first.

    Returns
    -------
    Verdict
        If no reading is against the claim, the first verdict that cannot be checked, or else the
        first. If all readings are impossible, the first. Otherwise the claim
        depends on the reading if only some readings are against it, and is contradicted if all
        are; the sentence then has the arithmetic of each reading.

    Raises
    ------
    InputError
        If there is no reading.

    Notes
    -----
    A claim that some allowed reading leaves standing is never called contradicted or impossible. A
    value that is possible, but not decided, under one reading stands under it.
    """
    if not readings:
        raise checks.InputError("readings is empty; pass one verdict for each reading.")
    found = list(readings.values())
    against = [verdict.verdict in (CONTRADICTED, IMPOSSIBLE) for verdict in found]
    open_ = [verdict for verdict in found if verdict.verdict == UNCHECKED]
    if not any(against):
        return open_[0] if open_ else found[0]
    if all(verdict.verdict == IMPOSSIBLE for verdict in found):
        return found[0]
    told = {
        reading: "possible" if verdict.verdict == UNCHECKED else verdict.verdict
        for reading, verdict in readings.items()
    }
    values = dict.fromkeys(verdict.recomputed for verdict in found if verdict.recomputed)
    depends = not all(against)
    return replace(
        found[0],
        recomputed="; ".join(values),
        verdict=DEPENDS if depends else CONTRADICTED,
        basis="",
        sentence=" ".join(
            f"{reading[:1].upper()}{reading[1:]}: {verdict.sentence}"
            for reading, verdict in readings.items()
        ),
        readings="; ".join(f"{r}: {verdict}" for r, verdict in told.items()) if depends else "",
    )


def reread(verdict, reading):
    """Add another reading to a verdict's sentence.

    Parameters
    ----------
    verdict : Verdict
        The verdict.
    reading : str
        What would give the value, although the source does not say so, as a sentence; "" adds
        nothing.

    Returns
    -------
    Verdict
        With ``Another reading:`` at the end of its sentence; the verdict is the same. A reading
        that the source allows belongs in `weigh_readings`.
    """
    if not reading:
        return verdict
    return replace(verdict, sentence=f"{verdict.sentence} Another reading: {reading}")


def unchecked(claim, reason):
    """Record a number that cannot be checked.

    Parameters
    ----------
    claim : Claim
        The number.
    reason : str
        Why, as a sentence.

    Returns
    -------
    Verdict
        Cannot be checked.
    """
    return judge(claim, "", UNCHECKED, reason)


def unchecked_table(paper, item, printed, label, columns, reason):
    """Record the cells of a table that cannot be checked.

    Parameters
    ----------
    paper, item : str
        Names of the paper and of the table.
    printed : DataFrame of str
        The table.
    label : str or sequence of str
        Columns that name the rows.
    columns : sequence of str
        Columns of numbers; empty cells are passed over.
    reason : str
        Why, as a sentence. Cells equal to the one in the row above or below, unless they are
        bounds such as "<0.001" or percentages, are said to be.

    Returns
    -------
    list of Verdict
        One per cell, row by row.
    """
    labels = [label] if isinstance(label, str) else list(label)
    for name in (*labels, *columns):
        checks.choice(f"{item}: column", name, printed.columns)
    names = printed[labels].map(shown).agg(" ".join, axis=1)
    verdicts = []
    for i, (_, row) in enumerate(printed.iterrows()):
        for column in columns:
            if row[column]:
                claim = Claim(paper, item, f"{column} of {names.iloc[i]}", shown(row[column]))
                twins = _twins(printed[column], names, i)
                reading = f"it was copied from {' or '.join(twins)}, which has the same digits."
                verdicts.append(reread(unchecked(claim, reason), reading if twins else ""))
    return verdicts


def compared(equal, possible):
    """Choose the verdict on a number that follows from printed ones.

    `equal`: whether the printed numbers give it. `possible`: whether numbers that round to the
    printed ones do.

    Returns str. One of `BASES`, or contradicted.
    """
    if equal:
        return REPRODUCED
    return WITHIN_ROUNDING if possible else CONTRADICTED


def _twins(cells, names, i):
    """Name the rows beside row i that have the same digits in a column."""
    cell = cells.iloc[i]
    if cell.startswith("<") or cell.endswith("%") or len(cell) < 5:
        return []
    return [names.iloc[j] for j in (i - 1, i + 1) if 0 <= j < len(cells) and cells.iloc[j] == cell]
