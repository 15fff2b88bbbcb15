"""The totals of the audit, counted by another route, and read from a text that says them."""

import re

import pandas as pd

from analysis import fields, paths

TOTALS = (
    r"(?P<agree>\d+) (?:claims )?agree (?:with the evidence )?"
    r"\((?P<trivially>\d+) (?:of them )?trivially\), "
    r"(?P<against>\d+) are contradicted or impossible, and (?P<depend>\d+) depend on "
    r"(?:the reading|how the paper is read)"
)
FIRST = (
    r"(?P<claims>\d+) (?:claims|numbers|that)[^|]{0,80}?"
    r"(?P<checked>\d+)(?: of them| can be checked)?"
    r"(?:: |\. Among (?:these claims|the claims that we can check), )",
    r"(?P<claims>\d+) printed claims (?:of|from) \d+ papers and could check (?P<checked>\d+)\. ",
    r"We could check (?P<checked>\d+) of the (?P<claims>\d+) claims[^|]{0,120}\. "
    r"(?:Among these claims, )?",
)
TABLE = (
    r"papers print (?P<claims>\d+): .*?we can check \| (?P<checked>\d+) \| \| agree \| "
    r"(?P<agree>\d+) \| \| agree trivially [^|]*\| (?P<trivially>\d+) \| \| are contradicted or "
    r"impossible \| (?P<against>\d+) \| \| depend on the reading \| (?P<depend>\d+) \|"
)
SENTENCE = [re.compile(first) for first in (*(first + TOTALS for first in FIRST), TABLE)]
"""How the totals are said."""


def recounted():
    """Count the rows of the audit, by another route than its totals."""
    rows = pd.read_csv(paths.ROOT / "tables/audit.csv")
    found = rows["verdict"].value_counts()
    return {
        "claims": len(rows),
        "checked": len(rows) - found["cannot be checked"],
        "agree": found["agrees"],
        "trivially": (rows["basis"] == "trivial").sum(),
        "against": found.get("contradicted", 0) + found.get("impossible", 0),
        "depend": found["depends on the reading"],
    }


def said(text):
    """Return each number of the sentence in a text, which has it once."""
    line = " ".join(fields.plain(text).replace("\n  ", " ").split())
    (found,) = (match for pattern in SENTENCE for match in pattern.finditer(line))
    return {name: int(n) for name, n in found.groupdict().items()}
