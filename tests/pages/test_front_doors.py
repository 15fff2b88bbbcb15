"""The front doors give the audit's totals alike."""

import json
import re
import sys

import pytest
from totals import recounted, said

from analysis import fields, paths
from analysis.audited import Totals, audited
from replicability.io.text import read_text

COMMITTED = ("docs/verdicts.md",)
NOTEBOOKS = ("audit",)


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
