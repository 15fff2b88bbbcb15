"""Claims of a paper, and verdicts on them."""

from dataclasses import asdict, dataclass, replace

from replicability import checks
from replicability.forensics.printed import shown

REPRODUCED = "reproduced"

WITHIN_ROUNDING = "within rounding"

WITHIN_MONTE_CARLO_ERROR = "within Monte-Carlo error"

CONTRADICTED = "contradicted"

IMPOSSIBLE = "impossible"

UNCHECKED = "cannot be checked"

VERDICTS = (
    REPRODUCED,
    WITHIN_ROUNDING,
    WITHIN_MONTE_CARLO_ERROR,
    CONTRADICTED,
    IMPOSSIBLE,
    UNCHECKED,
)
"""Verdicts, most favourable first; last those that are none."""

NUMBER, LIST, DIRECTION = "number", "list", "direction"

KINDS = {NUMBER: "numbers", LIST: "lists", DIRECTION: "directions"}
"""What a verdict is on: a printed number, the datasets that are named, which system is better."""

UNUSUAL = 0.001
"""A Monte-Carlo figure is contradicted outside the central 1 - UNUSUAL of its outcomes."""

NOTABLE = 0.01
"""Outside the central 1 - NOTABLE, the sentence on a Monte-Carlo figure says how rare that is."""


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
    """A published value beside what follows from other published values or from theory.

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
    """

    paper: str
    item: str
    claim: str
    published: str
    recomputed: str
    verdict: str
    sentence: str
    kind: str = NUMBER


def judge(claim, recomputed, verdict, sentence, kind=NUMBER):
    """Put a claim and what was found together.

    Parameters
    ----------
    claim : Claim
        The claim.
    recomputed : str
        What follows.
    verdict : str
        One of `VERDICTS`.
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
    checks.choice("verdict", verdict, VERDICTS)
    checks.choice("kind", kind, KINDS)
    return Verdict(
        **asdict(claim), recomputed=recomputed, verdict=verdict, sentence=sentence, kind=kind
    )


def reread(verdict, reading):
    """Add another reading to a verdict's sentence.

    Parameters
    ----------
    verdict : Verdict
        The verdict.
    reading : str
        Under which the value would be right, as a sentence; "" adds nothing.

    Returns
    -------
    Verdict
        With ``Another reading:`` at the end of its sentence.
    """
    if not reading:
        return verdict
    return replace(verdict, sentence=f"{verdict.sentence} Another reading: {reading}")


def unchecked(claim, reason):
    """Record a number that nothing printed decides.

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
    """Record the cells of a table that nothing printed decides.

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
                reading = f"a copy of {' or '.join(twins)}, which has the same digits."
                verdicts.append(reread(unchecked(claim, reason), reading if twins else ""))
    return verdicts


def compared(equal, possible):
    """Choose the verdict on a number that follows from printed ones.

    Parameters
    ----------
    equal : bool
        Whether the printed numbers give it.
    possible : bool
        Whether numbers that round to the printed ones do.

    Returns
    -------
    str
        One of `VERDICTS`.
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
