"""The paper: eight pages, the same bytes, and every number in it by a second route."""

import importlib
import re
import shutil
import subprocess
import sys

import pandas as pd
import pytest
from checkouts import committed
from test_prose import numbers
from totals import recounted
from totals import said as said_in

from analysis import paths
from replicability import checks
from replicability.stats import partial_conjunction

pytest.importorskip("typst", reason="the package that sets the paper is not installed")

SOURCE = paths.ROOT / "paper/paper.typ"
PAGES = 8


@pytest.fixture(scope="module")
def build():
    sys.path.insert(0, str(paths.ROOT / "paper"))
    yield importlib.import_module("typeset")
    sys.path.remove(str(paths.ROOT / "paper"))
    for name in ("typeset", "fields"):
        sys.modules.pop(name)


@pytest.fixture(scope="module")
def said(build):
    return build.fields()


@pytest.fixture(scope="module")
def paper(tmp_path_factory):
    """Build the paper twice; return its file."""
    folder = tmp_path_factory.mktemp("paper")
    for name in ("first.pdf", "second.pdf"):
        call = [sys.executable, paths.ROOT / "paper/typeset.py", folder / name]
        made = subprocess.run(call, cwd=folder, capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stderr
    assert (folder / "first.pdf").read_bytes() == (folder / "second.pdf").read_bytes()
    return folder / "first.pdf"


def read(paper, *options):
    """Read the paper with pdftotext."""
    program = shutil.which("pdftotext")
    if program is None:
        pytest.skip("no pdftotext to read the paper with")
    call = [program, *options, paper, "-"]
    return subprocess.run(call, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def text(paper):
    """Return the text of the paper in one line, hyphens at the ends of lines taken out."""
    return " ".join(re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", read(paper)).split())


@pytest.fixture(scope="module")
def rows(paper):
    """Return the lines of the paper as they are laid out, so that a row of a table is one."""
    return {" ".join(line.split()) for line in read(paper, "-layout").splitlines()}


@pytest.mark.long
def test_it_has_eight_pages_and_no_date(paper):
    content = paper.read_bytes()
    assert re.findall(rb"<xmpTPg:NPages>(\d+)<", content) == [str(PAGES).encode()]
    assert b"CreationDate" not in content
    assert b"CreateDate" not in content
    assert not re.search(rb"/home/|/root/|/tmp/", content)


@pytest.mark.long
def test_its_fonts_are_in_it(paper):
    fonts = set(re.findall(rb"/BaseFont/[A-Z]{6}\+([A-Za-z]+)", paper.read_bytes()))
    assert {font.decode()[:6] for font in fonts} <= {"Libert", "NewCMM", "DejaVu"}
    assert fonts


@pytest.mark.long
def test_the_abstract_gives_the_totals_of_the_audit(text):
    abstract = text.partition("Abstract")[2].partition("On how many datasets is A")[0]
    assert said_in(abstract) == recounted()


@pytest.mark.long
def test_no_field_is_left(text):
    assert "re-analysed" in text
    assert not re.search(r"#\w|\{\{|\bx\.\w|\bnan\b|dictionary", text)


@pytest.mark.long
@pytest.mark.parametrize("name", ["toy", "parts", "version"])
def test_a_field_that_is_missing_is_said(name, build, said):
    less = {key: value for key, value in said.items() if key != name}
    with pytest.raises(checks.InputError, match=rf'paper.typ does not compile: .*"{name}"'):
        build.compiled(less)


def test_every_field_is_used(said):
    source = SOURCE.read_text(encoding="utf-8")
    assert [name for name in said if f"x.{name}" not in source] == []


def prose():
    """Return the prose of the source, without code, formulas and fields."""
    source = SOURCE.read_text(encoding="utf-8").partition("*Abstract.*")[2]
    for pattern in (
        r"^//.*$",
        r"^#(?:let|set|show) .*$",
        r"\$[^$]*\$",
        r"`[^`]*`",
        r"@\w+",
        r"#[\w.]+(?:\([^)]*\))?(?:\.\w+\([^)]*\))*",
        r'"[^"]*"',
        r"\b[\d.]+(?:em|pt|cm|fr|%)",
        r"\([^()]*(?:auto|1fr|left|right|calc|range|row)[^()]*\)",
        r"row\.\w+\([^)]*\)",
        r"doi:\S+\]",
    ):
        source = re.sub(pattern, "…", source, flags=re.MULTILINE)
    return " ".join(source.split())


DEFINED = {"two", "four", "half", "one"}
"""Numbers of the prose that are no findings: two systems, four claims, half the level."""


def test_no_number_is_typed():
    text = prose()
    found = {text[a:b].lower() for a, b in numbers(text)}
    code = set("012345689")  # places in rows, in what is left of the code
    assert found - DEFINED - code == set()
    assert all(not re.search(rf"[a-z,] {n} [a-z]", text) for n in code)


def printed(name):
    return pd.read_csv(paths.PUBLISHED / "dror2017" / f"{name}.csv", thousands=",")


def table(name):
    return pd.read_csv(paths.ROOT / "tables" / f"{name}.csv", thousands=",")


def by_sign(p, ahead):
    """Read p-values of which only the size is known by the sign of the scores."""
    return [value / 2 if sign else 1 - value / 2 for value, sign in zip(p, ahead, strict=True)]


def claims():
    """Write sentences of the paper anew, from what is printed and by other code than its fields."""
    tags, audit = printed("table3"), table("audit")
    p, ahead = tags["p-value"], tags["MIMICK"] > tags["Char→Tag"]
    count, n = int((p <= 0.05).sum()), len(tags)
    fisher = partial_conjunction.k_hat(list(p), alpha=0.05, method="fisher")
    turned = list(tags["language"][(p <= 0.05) & ~ahead])
    first = audit[audit["paper"].str.startswith("Dror")]
    checked = audit["verdict"] != "cannot be checked"
    agree, open_ = audit["verdict"] == "agrees", first["verdict"] == "cannot be checked"
    bad = first["verdict"].isin(["contradicted", "impossible"])
    bad_all = audit["verdict"].isin(["contradicted", "impossible"]).sum()
    never = 1 - 0.95**100
    bonferroni = 1 - (1 - 0.05 / 100) ** 100
    papers = audit["paper"].nunique()
    yield f"small p-values is too large in {never:.1%} of studies"
    yield f"lower bound is too large in {bonferroni:.1%} of studies and Fisher’s in 5.0%."
    yield f"MIMICK is better than Char→Tag on at least {fisher} of {n} languages"
    yield f"higher printed score on {len(turned)} of the {count} languages with small p-values"
    yield f"We audited {len(audit)} printed claims from {papers} papers and could"
    yield f"check {checked.sum()}. {agree.sum()} claims agree with the evidence ("
    yield f"trivially), {bad_all} are contradicted or impossible"
    yield f"the exact values are {never:.4f}, {bonferroni:.4f} and 0.0500"
    yield f"{', '.join(turned[:-1])} and {turned[-1]}."
    yield f"We could not check {open_.sum()} of the {len(first)} claims of Dror et al."
    yield f"{bad.sum()} claims are contradicted or impossible: "
    yield f"{len(committed('tables', '*.csv'))} tables and"
    yield f"{len(committed('figures', '*.svg'))} figures."
    opened = table("open/table4_both_directions").set_index("claim")["estimate"]
    yield f"mSDA is better on at least {opened['mSDA better'].iloc[0]} pairs"
    yield from of_tables(audit)


def of_tables(audit):
    """Write sentences of the paper on other tables anew."""
    kinds = audit[audit["verdict"] == "depends on the reading"]
    kinds = kinds[kinds["paper"].str.startswith("Dror")]
    directions = (kinds["kind"] == "direction").sum()
    n = len(kinds)
    yield f"{n} claims depend on how the paper is read: {directions} statements that MIMICK"
    boards = table("leaderboards/leaderboards_pairs").set_index("benchmark")
    calls, swe = boards.loc["Berkeley Function Calling"], boards.loc["SWE-bench"]
    yield f"in {calls['lower'] + calls['both']} of {calls['pairs']:,} pairs"
    yield f"On SWE-bench, {swe['neighbours']} pairs of systems with adjacent ranks differs"
    yield f"to {len(boards)} leaderboards"
    sizes = table("test_sizes").query("alpha == 0.05").filter(regex="^n = ")
    above = sizes.map(lambda cell: str(cell).endswith("+")).any(axis=1).sum()
    part = f"{above} of {len(sizes)} combinations of test and kind of score"
    yield f"For {part}, the simulated error rate exceeds .05 for at least one number"
    rankings = table("open/gorman_section3_2_rankings").query("metric == 'token'")
    yield f"We trained {len(rankings.iloc[0, 2].split(','))} taggers."
    for row in rankings.to_dict("records"):
        yield f"on {row['same order']} of {row['random splits']}"
    words = printed("table5")
    wins, p = words["W2V"] > words["GLOVE"], words["p-val."]
    w2v, glove = (
        partial_conjunction.k_hat(by_sign(p, signs), alpha=0.025, method="bonferroni")
        for signs in (wins, ~wins)
    )
    yield f"W2V is then better on at least {w2v} sets and GloVe on at least {glove}"


@pytest.mark.long
def test_the_numbers_are_those_of_a_second_route(text):
    found = list(claims())
    assert len(found) > 20
    assert [sentence for sentence in found if sentence not in text] == []


@pytest.mark.long
def test_the_readings_are_those_of_the_printed_p_values(rows):
    p = printed("table3")["p-value"]
    differ = [
        partial_conjunction.k_hat(list(of), alpha=0.05, method="fisher")
        for of in (p, (2 * p).clip(upper=1))
    ]
    assert any(
        re.match(rf"the taggers differ not tested {differ[0]} {differ[1]}$", r) for r in rows
    )


@pytest.mark.long
def test_the_counts_are_those_of_the_printed_p_values(rows, said):
    systems = {"Mate – SpaCy": "SpaCy", "Mate – Redshift": "Redshift"}
    columns = {"MIMICK – Char→Tag": 3, "AE-SCL-SR – MSDA": 4, "W2V – GloVe": 5}
    listed = said["counts"]["rows"]
    assert len(listed) == 2 * (len(systems) + len(columns))
    for name, n, alpha, *cells in listed:
        if name in systems:
            p = printed("table2")[f"p-val (Mate,{systems[name]})"]
        else:
            (p,) = printed(f"table{columns[name]}").filter(regex="^p-val").T.to_numpy()
        level = float(alpha)
        count, *bounds = [int(cell) for cell in cells[1::2]]
        assert count == (p <= level).sum()
        assert bounds == [
            partial_conjunction.k_hat(list(p), alpha=level, method=method)
            for method in ("bonferroni", "fisher")
        ]
        assert int(n) == len(p)
        assert " ".join([name, n, alpha, *cells]) in rows


def test_what_the_prose_says_of_tables_holds(said):
    verdicts, first = said["verdicts"], said["audited"]["first"]
    listed = int(verdicts["simulated"])
    assert listed + int(said["counts"]["differ"]) == int(first["against"])
    doubtful = sum(int(verdicts[name]) for name in ("directions", "sentiment", "similarity"))
    assert doubtful == int(first["depend"])
    assert [row["there"] for row in said["open_directions"] if row["b"] == "mSDA"] == ["0 of 12"]
    assert float(said["tagging"]["largest"]) < 0.5
    assert float(said["toy"]["dependent"]["fisher"]["simulated"].split()[0]) > 0.05
    kept = table("audit").query("item == 'Section 5' and basis == 'within Monte-Carlo error'")
    assert kept["claim"].str.startswith("dependent datasets").sum() == len(said["toy"]["dependent"])
    lists = table("audit").query("paper == 'Dror et al. 2017' and kind == 'list'")["verdict"]
    assert set(lists) == {"agrees"}


def test_a_source_that_is_no_typst_is_refused(build, said):
    broken = paths.ROOT / "paper/broken.typ"
    try:
        broken.write_text("#let x = (", encoding="utf-8")
        with pytest.raises(checks.InputError, match=r"broken\.typ does not compile: .*; fix it"):
            build.compiled(said, broken)
    finally:
        broken.unlink()
