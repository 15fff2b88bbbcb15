"""The front doors give the audit's totals alike."""

import json
import re
import sys

import pandas as pd
import pytest

from analysis import fields, paths
from analysis.audited import Totals, audited
from replicability.io.text import read_text

TOTALS = (
    r"(?P<agree>\d+) agree \((?P<trivially>\d+) (?:of them )?trivially\), (?P<against>\d+) are "
    r"contradicted or impossible, and (?P<depend>\d+) depend on the reading"
)
FIRST = (
    r"(?P<claims>\d+) (?:claims|numbers|that)[^|]{0,80}?"
    r"(?P<checked>\d+)(?: of them| can be checked)?: ",
    r"(?P<claims>\d+) printed claims of \d+ papers and could check (?P<checked>\d+)\. ",
    r"We could check (?P<checked>\d+) of the (?P<claims>\d+) claims[^|]{0,120}\. ",
)
TABLE = (
    r"papers print (?P<claims>\d+): .*?we can check \| (?P<checked>\d+) \| \| agree \| "
    r"(?P<agree>\d+) \| \| agree trivially [^|]*\| (?P<trivially>\d+) \| \| are contradicted or "
    r"impossible \| (?P<against>\d+) \| \| depend on the reading \| (?P<depend>\d+) \|"
)
SENTENCE = [re.compile(first) for first in (*(first + TOTALS for first in FIRST), TABLE)]
"""How the totals are said."""

COMMITTED = ("docs/verdicts.md", "docs/reproducibility.md", "config/paper/summary.md")
NOTEBOOKS = ("audit", "open_study")


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


def test_the_totals_are_those_of_a_second_route():
    found = audited()
    assert {name: getattr(found, name) for name in recounted()} == recounted()
    assert found.claims == found.checked + found.unchecked
    assert found.checked == found.agree + found.against + found.depend
    papers = [audited(paper) for paper in ("Dror", "Søgaard", "Gorman")]
    assert sum(one.claims for one in papers) == found.claims
    assert [one.papers for one in papers] == [1, 1, 1]


@pytest.mark.parametrize("file", COMMITTED)
def test_a_page_gives_the_totals(file):
    assert said(read_text(paths.ROOT / file)) == recounted()


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_gives_the_totals(name):
    cells = json.loads(read_text(paths.ROOT / f"notebooks/{name}.ipynb"))["cells"]
    prose = ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
    assert said("\n".join(prose)) == recounted()


@pytest.mark.parametrize("file", ["paper/paper.typ", "book/index.md"])
def test_a_template_gives_the_totals(file):
    text = read_text(paths.ROOT / file)
    text = re.sub(r"#x\.audited\.all\.(\w+)", lambda m: str(getattr(audited(), m[1])), text)
    text = re.sub(r"{{ audited\.(\w+) }}", lambda m: str(getattr(audited(), m[1])), text)
    assert said(text) == recounted()


def test_the_fields_of_the_paper_are_the_totals(monkeypatch):
    monkeypatch.syspath_prepend(str(paths.ROOT / "paper"))
    added = __import__("fields").added_up()["all"]
    sys.modules.pop("fields")
    assert {name: int(added[name]) for name in recounted()} == recounted()
    assert set(added) == set(Totals.__dataclass_fields__)


def test_no_other_page_says_what_can_be_checked_in_another_sense():
    told = {*COMMITTED, *(f"notebooks/{name}.ipynb" for name in NOTEBOOKS)}
    for folder, kind in (("docs", "md"), ("notebooks", "ipynb"), ("config", "md")):
        for path in (paths.ROOT / folder).rglob(f"*.{kind}"):
            if path.relative_to(paths.ROOT).as_posix() not in told:
                text = fields.plain(read_text(path))
                others = r"\d[^.|]{0,40} can be\s+checked|could\s+check\s+\d"
                assert not re.search(others, text), path
