"""The version of Dror et al. (2017) on arXiv (1709.09500) prints the numbers of that in TACL."""

import re

import pytest

from analysis import paths
from analysis.published import read_published

TEXT = "dror2017_arxiv.txt"
NUMBER = r"(?<![\d.])\d+(?:\.\d+)?(?:e-\d+)?"


@pytest.fixture(scope="module")
def arxiv(pytestconfig):
    folder = pytestconfig.getoption("--papers")
    if not folder or not (paths.Path(folder) / TEXT).exists():
        pytest.skip(f"needs a folder with {TEXT}: make test papers=DIR")
    text = (paths.Path(folder) / TEXT).read_text(encoding="utf-8")
    return text.replace("Verb-143", "Verb143").splitlines()


def rows(lines, first, last):
    """Return the lines between two captions."""
    start, end = (next(i for i, x in enumerate(lines) if x.startswith(s)) for s in (first, last))
    return lines[start + 1 : end]


def test_the_counts(arxiv):
    lines = rows(arxiv, "Independent Datasets", "Table 1")
    found = re.findall(r"(?m)^(?:Mate|Mimick|AE|W2V)\S* (\d+) (\d+) (\d+)$", "\n".join(lines))
    table = read_published("dror2017", "table1")
    assert found == [
        *zip(*(table[c] for c in ("k_count", "k_bonferroni", "k_fisher")), strict=True)
    ]


def test_parsing(arxiv):
    table = read_published("dror2017", "table2")
    lines = {x.split(" ")[0]: x for x in rows(arxiv, "Table 1", "Table 2")}
    for system in ("Mate", "SpaCy", "Redshift"):
        assert lines[system].split()[1:] == list(table[system])
    redshift = next(x for x in rows(arxiv, "Table 1", "Table 2") if "(Mate,Redshift)" in x)
    assert re.findall(r"\((0\.\d+)\)", redshift) == list(table["p-val (Mate,Redshift)"])
    spacy = next(x for x in rows(arxiv, "Table 1", "Table 2") if "(Mate,SpaCy)" in x)
    cells = re.findall(r"\(0\.0\)|(?:(\d)\\cdot )?10\^\{-4\}", spacy)
    printed = table["p-val (Mate,SpaCy)"]
    assert [c or "1" for c, p in zip(cells, printed, strict=True) if p != "0.0"] == [
        p[0] for p in printed if p != "0.0"
    ]


@pytest.mark.parametrize(("number", "before"), [(3, "Table 2"), (4, "Table 3"), (5, "Table 4")])
def test_a_table_row_by_row(arxiv, number, before):
    table = read_published("dror2017", f"table{number}").drop(columns="mark")
    lines = rows(arxiv, before, f"Table {number}")[-len(table) :]
    printed = table.iloc[:, 1:]
    for line, cells in zip(lines, printed.itertuples(index=False), strict=True):
        words = line.split()[-3:]
        # 2e-5 is set as a formula there, of which the text repeats the parts
        assert words[:2] == list(cells[:2])
        assert words[2].startswith(cells[2]) or (cells[2], words[2][:3]) == ("2e-5", "2e5")


def test_the_probabilities_of_section_5(arxiv):
    text = "\n".join(arxiv)
    found = set(re.findall(NUMBER, text))
    section5 = read_published("dror2017", "section5")
    assert set(section5["printed"]) - {"1,000", "0"} <= found | {"0.05"}


def test_sizes_and_names(arxiv):
    text = " ".join(arxiv)
    assert "from 6672 to 34492 and from 280 to 2327" in text
    for row in read_published("dror2017", "section6_3").itertuples():
        if row.comparison.startswith("MIMICK"):
            at = text.index("the Holm procedure identifies Tamil")
            assert all(name in text[at : at + 200] for name in row.identified.split(";"))
