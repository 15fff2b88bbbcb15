"""How many claims of the audited papers hold: one definition for every page that says so."""

import functools
from dataclasses import dataclass

from replicability.io import delimited

AGREE = ("agrees", "agrees, trivially")
AGAINST = ("contradicted", "impossible")
DEPENDS = "depends on the reading"
UNCHECKED = "cannot be checked"
"""Columns of ``tables/audit_totals.csv``, by what they say of a claim."""


@dataclass(frozen=True)
class Totals:
    """Totals of the audit.

    Attributes
    ----------
    papers, claims : int
        How many papers were audited, and how many numbers, lists and stated directions they print.
    checked, unchecked : int
        Claims that something decides, and those that nothing does.
    agree, trivially, against, depend : int
        Claims that agree, those of them that repeat another number or count rows, those that are
        contradicted or impossible, and those that depend on the reading.
    """

    papers: int
    claims: int
    checked: int
    unchecked: int
    agree: int
    trivially: int
    against: int
    depend: int


@functools.cache
def audited(paper=""):
    """Add the totals of the audit up.

    `paper`: how its name begins; all papers by default.

    Returns Totals. From ``tables/audit_totals.csv``.
    """
    table = delimited.read_table("tables/audit_totals.csv")
    table = table[table["paper"].str.startswith(paper)]
    n = table.drop(columns=["paper", "kind"]).astype(int).sum()
    return Totals(
        papers=table["paper"].nunique(),
        claims=int(n["total"]),
        checked=int(n["total"] - n[UNCHECKED]),
        unchecked=int(n[UNCHECKED]),
        agree=int(n[list(AGREE)].sum()),
        trivially=int(n[AGREE[1]]),
        against=int(n[list(AGAINST)].sum()),
        depend=int(n[DEPENDS]),
    )
