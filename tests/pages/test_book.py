"""The book: built without a warning, whole, linked, and read in a browser where there is one."""

import copy
import fcntl
import functools
import http.server
import importlib
import json
import os
import re
import statistics
import subprocess
import sys
import threading
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urljoin, urlsplit

import numpy as np
import pandas as pd
import pytest
import totals
import yaml
from browsing import DESK, PHONE
from lxml import html

import replicability
from analysis import items, paths
from analysis.studies import read_study
from replicability import checks
from replicability.io import delimited
from replicability.show import tables

pytest.importorskip("myst_nb", reason="the packages that make the book are not installed")
pytest.importorskip("latex2mathml", reason="the packages that make the book are not installed")

BOOK = paths.ROOT / "book"
VERSION = replicability.__version__


@pytest.fixture(scope="module")
def pages():
    sys.path.insert(0, str(BOOK))
    yield importlib.import_module("pages")
    sys.path.remove(str(BOOK))


@pytest.fixture(scope="module")
def links(pages):
    return importlib.import_module("links")


@pytest.fixture(scope="module")
def shown(pages):
    return importlib.import_module("shown")


@pytest.fixture(scope="module")
def chapters(pages):
    return importlib.import_module("chapters")


@pytest.fixture(scope="module")
def holds(pages):
    return importlib.import_module("holds")


@pytest.fixture(scope="module")
def labels(shown):
    return shown.labels(MAP)


@pytest.fixture(scope="module")
def bibliography(pages):
    return importlib.import_module("bibliography")


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Build the book, once for all processes of a test run; return its folder."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with (shared / "book.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "book").is_dir():
            built = subprocess.run(
                [sys.executable, BOOK / "build.py", shared / "book"],
                capture_output=True,
                text=True,
                check=False,
            )
            assert built.returncode == 0, built.stderr
    return shared / "book"


@pytest.fixture(scope="session")
def trees(site):
    """Return every page of the book, parsed: path below its top -> tree."""
    return {
        path.relative_to(site).as_posix(): html.parse(path, html.HTMLParser(encoding="utf-8"))
        for path in sorted(site.rglob("*.html"))
        if "_static" not in path.parts and path.name != "seven_of_nine.html"  # a page of its own
    }


def local(tree):
    """List the relative addresses in a page."""
    addresses = tree.xpath("//@href | //@src")
    return [address for address in addresses if not urlsplit(address).scheme]


def targets(tree, page):
    """List what a page links to, from the top of the book."""
    return [urljoin(page, unquote(address)) for address in local(tree)]


MAP = [
    row
    for study in items.FOLDERS
    for row in items.rows(read_study(f"config/{study}.yaml"), items.read_notebooks())
]
ITEMS = [file for row in MAP for file in row.files]
SHOWN = [pytest.param(row, file, id=file) for row in MAP for file in row.files]


# The site


@pytest.mark.parametrize(
    "page",
    ["index", "docs/verdicts", "notebooks/audit"],
)
def test_a_page_as_it_is_read_gives_the_totals_of_the_audit(trees, page):
    (article,) = copy.deepcopy(trees[f"{page}.html"]).xpath("//article")
    for cell in article.xpath(".//td"):
        cell.text, cell.tail = f"| {cell.text or ''}", f" {cell.tail or ''}"
    for row in article.xpath(".//tr"):
        row.tail = f"| {row.tail or ''}"
    assert totals.said(article.text_content()) == totals.recounted()


def test_every_notebook_guide_and_module_is_in_it(trees):
    guides = [*paths.ROOT.glob("docs/*.md"), *paths.ROOT.glob("notebooks/*.ipynb")]
    guides.remove(paths.ROOT / "docs/map.md")  # the book has a map with links
    wanted = {path.relative_to(paths.ROOT).with_suffix(".html").as_posix() for path in guides}
    wanted |= {"README.html", "config/README.html", "data/README.html", "data/outcomes/README.html"}
    assert wanted <= set(targets(trees["index.html"], "index.html"))


def test_every_public_function_and_class_is_described(trees):
    for path in (
        *paths.ROOT.glob("analysis/**/[!_]*.py"),
        *paths.ROOT.glob("replicability/**/[!_]*.py"),
    ):
        names = re.findall(r"^(?:def|class) ([A-Za-z]\w*)", path.read_text("utf-8"), re.MULTILINE)
        package = ".".join(path.relative_to(paths.ROOT).parent.parts)
        if package == "analysis.numbers":  # of single documents, for no other use
            continue
        described = set(trees[f"api/{package}.html"].xpath("//dt/@id"))
        assert {f"{package}.{path.stem}.{name}" for name in names} <= described


def with_rows(cells, rows):
    """Say of each row of a table whether a list of items asks for it."""
    if isinstance(rows, int):
        return [i < rows for i in range(len(cells))]
    return [all(row[c] == text for c, text in rows.items()) for _, row in cells.iterrows()]


@pytest.mark.parametrize(("row", "file"), SHOWN)
def test_an_item_is_shown_once_as_it_is_with_its_downloads(
    row, file, trees, site, shown, chapters, holds, labels
):
    name, page = shown.name_of(file), f"{chapters.page_of(row, file)}.html"
    xpath = f"//*[@id='{name}']"
    ((found, item),) = [(page, found) for page in trees for found in trees[page].xpath(xpath)]
    assert found == page
    assert f"{page}#{name}" in targets(trees["map.html"], "map.html")
    assert item.xpath("string(.//*[@class='number'])") == (
        f"{labels[file].removeprefix(f'{row.notebook.part}, ')}."
    )
    for ending in shown.endings(file):
        original = PurePosixPath(file).with_suffix(f".{ending}").as_posix()
        assert original in targets(item, page)
        if ending != "svg":
            assert (site / original).read_bytes() == (paths.ROOT / original).read_bytes()
    listed = row.items[row.files.index(file)]
    said = items.plain(holds.finding_of(listed, file, row))
    if file.startswith("figures/"):
        assert item.xpath(".//img/@alt") == [said]
        assert [urljoin(page, image) for image in item.xpath(".//img/@src")] == [file]
        full, light = (drawn((top / file).read_text("utf-8")) for top in (paths.ROOT, site))
        assert light[0] == full[0]
        assert np.allclose(light[1], full[1], rtol=0, atol=0.0501)
    elif listed.rows == 0:
        assert item.xpath("string(.//strong)").replace("kˆ", "k-hat") == said
        assert not list(item.iter("tr"))
    else:
        cells = delimited.read_table(file)
        head, *body = [[cell.text_content() for cell in row] for row in item.iter("tr")]
        named = tables.named(cells)
        is_plane, is_ledger = (
            getattr(importlib.import_module(kind), f"is_{kind}")(cells)
            for kind in ("plane", "ledger")
        )
        if len(cells) > 100 and "verdict" in cells:
            named = named[~cells["verdict"].isin(["agrees", "cannot be checked"])]
            of_a_kind = [cells.loc[named.index, column] for column in ("paper", "item", "verdict")]
            most = cells.loc[named.index, "verdict"].map(lambda v: 1 if "depends" in v else 3)
            named = named[named.groupby(of_a_kind).cumcount() < most].drop(columns="readings")
            assert f"{len(named)} disputed rows out of {len(cells):,}" in item.text_content()
        elif len(cells) > 4 and is_plane:
            named = named.iloc[:4, :5]
            assert f"the other {len(cells) - 4} systems as a table: CSV" in item.text_content()
        elif listed.rows is not None:
            named = named[with_rows(cells, listed.rows)]
            assert len(named)
            assert f"the other {len(cells) - len(named)} rows: CSV" in item.text_content()
        elif len(cells) > 12 and not is_ledger:
            named = tables.named(importlib.import_module("shown").excerpt(cells))
            assert len(named) == 4
            assert f"the other {len(cells) - 4} rows: CSV" in item.text_content()
        headed = list(tables.named(cells[list(listed.columns)]) if listed.columns else named)
        kept = [column for column in headed if is_plane or any(named[column])]
        kept, wanted = (numbered if is_plane else tuple)((kept, named[kept].to_numpy().tolist()))
        assert head == kept
        if is_ledger:
            body, wanted = sorted(body), sorted(wanted)
        assert body == wanted


def numbered(table):
    """Name the columns of a plane by the numbers of their rows."""
    head, body = table
    rows = [[f"{name} {i}", *counts] for i, (name, *counts) in enumerate(body, 1)]
    return [head[0], *map(str, range(1, len(head)))], rows


REFERENCE = re.compile(r'(?:href="|url\()#([^")]+)')


def drawn(svg):
    """Return what an SVG file draws: its elements and styles without numbers, and the numbers."""
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = svg.replace("xlink:href", "href")
    order = list(dict.fromkeys(match[1] for match in REFERENCE.finditer(svg)))
    said = []
    for element in html.fromstring(svg.encode()).iter(html.etree.Element):
        if element.tag in ("html", "body"):
            continue
        values = dict(element.attrib)
        values["id"] = f"#{order.index(values['id'])}" if values.get("id") in order else ""
        for name, value in values.items():
            refers = re.fullmatch(r"#(.+)|url\(#(.+)\)", value)
            if refers and name != "id" and (refers[1] or refers[2]) in order:  # else a colour
                values[name] = f"#{order.index(refers[1] or refers[2])}"
        values["d"] = re.sub(r"([A-Za-z])", r" \1 ", values.get("d", ""))
        style = re.sub(r"([:;]) ", r"\1", values.get("style", ""))
        values["style"] = re.sub(r"url\(#([^)]+)\)", lambda m: f"#{order.index(m[1])}", style)
        said.append(f"{element.tag} {sorted(values.items())} {(element.text or '').strip()}")
    text = " ".join(" ".join(said).replace("\\n", " ").split())
    number = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
    return re.sub(number, "0", text), np.array(re.findall(number, text), float)


def test_the_gallery_has_every_figure_with_its_chapter(trees, labels):
    pictures = trees["gallery.html"].xpath("//div[@class='gallery']//img")
    listed = [image.get("src") for image in pictures]
    assert sorted(listed) == sorted(file for file in labels if file.startswith("figures/"))
    assert {image.get("loading") for image in pictures} == {"lazy"}
    assert all(image.get("alt") for image in pictures)
    for link in trees["gallery.html"].xpath("//div[@class='gallery']/figure/a/@href"):
        page, _, name = link.partition("#")
        assert trees[page].xpath(f"//figure[@id='{name}']"), link


def test_every_item_has_a_number_of_its_own(labels):
    assert len(set(labels.values())) == len(labels) == len(ITEMS)


@pytest.mark.parametrize(
    ("file", "label"),
    [
        ("tables/table3_pos_tagging.csv", "Table 3, re-run"),
        ("tables/table3_both_directions.csv", "Table 3, re-run (c)"),
        ("figures/table1_k_hat.svg", "Figure to Table 1, re-run"),
        ("figures/figure1_k_hat_histogram.svg", "Figure 1, re-run"),
        ("tables/open/table3_pos_tagging.csv", "Table 3, open study"),
        ("tables/sogaard_section4_ppv.csv", "Søgaard et al. (2014), Table to Section 4, re-run"),
        (
            "tables/open/gorman_table2_standard_split.csv",
            "Gorman and Bedrick (2019), Table 2, open study",
        ),
        ("tables/margin_sizes.csv", "Table B1"),
        ("figures/open/dependence_grid.svg", "Figure to Section 4.2, open study (b)"),
    ],
)
def test_numbers_are_those_of_the_papers(file, label, labels):
    assert labels[file] == label


@pytest.mark.parametrize("notebook", sorted({row.notebook.name for row in MAP}))
def test_what_a_cell_saves_stands_in_its_place(notebook, chapters):
    rows = [row for row in MAP if row.notebook.name == notebook and not chapters.repeats(row)]
    files = [file for row in rows for file in row.files]
    cells = json.loads((paths.ROOT / rows[0].notebook.file).read_text("utf-8"))["cells"]
    found = [file for own in chapters.saved(cells, files) for file in own]
    assert sorted(found) == sorted(set(files))


def test_code_is_behind_a_toggle_that_needs_no_script(trees):
    for page, tree in trees.items():
        if page.startswith("notebooks/"):
            assert tree.xpath("//details[@class='code'][summary]/div[@class='highlight']"), page
            assert not tree.xpath("//details[@class='code'][@open]"), page
            assert not tree.xpath("//*[contains(@class, 'cell_input')]"), page


@pytest.mark.parametrize(
    "row", [r for r in MAP if r.notebook.comparisons == "section"], ids=lambda r: r.title
)
def test_a_chapter_on_comparisons_begins_with_what_holds(row, trees, chapters):
    page = f"{chapters.page_of(row, '')}.html"
    (box,) = trees[page].xpath("//article//h1/following::*[@class='box']")
    assert box.xpath("preceding::figure") == []
    said = " ".join(box.text_content().split())
    (file,) = (f for f in row.files if f.endswith("_both_directions.csv"))
    claims = list(delimited.read_table(file).itertuples())
    if "depends on the reading" not in said:  # else the bounds are the joint ones of the lead
        assert all(f"{claim.claim}: {claim.estimate}" in said for claim in claims)
    assert all(f"{claim.claim}: " in said for claim in claims)


def test_the_box_says_which_printed_counts_hold(trees):
    def box(task):
        (found,) = trees[f"notebooks/{task}.html"].xpath("//*[@class='box']")
        return {
            cells[0]: cells[1:]
            for cells in ([c.text_content() for c in r] for r in found.iter("tr"))
        }

    assert box("pos_tagging")["MIMICK-Char→Tag"][-1].startswith("depends on the reading: 16 if")
    assert box("pos_tagging")["MIMICK-Char→Tag"][0] == "16 of 23"
    assert {row[-1] for row in list(box("dependency_parsing").values())[1:]} == {"yes"}


def test_what_the_paper_prints_stands_beside_its_re_run_alone(trees):
    """Mate and SpaCy are compared in both studies, on seven genres and on two programmes."""
    boxes = {page: tree.xpath("//*[@class='box']") for page, tree in trees.items()}
    open_study = [box for page in boxes if page.startswith("open/") for box in boxes[page]]
    assert any("Mate vs SpaCy" in box.text_content() for box in open_study)
    assert not [box for box in open_study if box.xpath(".//th[.='printed' or .='holds?']")]


def test_no_page_shows_the_text_of_a_widget(trees):
    assert not [
        page for page, tree in trees.items() if "Box(children=" in tree.getroot().text_content()
    ]


def test_the_site_and_its_pages_are_light(site, trees):
    files = [path for path in site.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 18e6
    weights = []
    for page in trees:
        eager = trees[page].xpath("//*[not(@loading='lazy')]/@src | //link/@href")
        needed = {urljoin(page, a) for a in eager}
        local_ones = [site / unquote(urlsplit(n).path) for n in needed if "://" not in n]
        weights.append((site / page).stat().st_size + sum(f.stat().st_size for f in local_ones))
    assert statistics.median(weights) < 0.3e6
    assert max(weights) < 2.5e6


def test_few_files_hold_up_the_first_paint(trees):
    for page, tree in trees.items():
        if page != "search.html":
            blocking = tree.xpath("//link[@rel='stylesheet'] | //script[@src][not(@defer)]")
            assert len(blocking) <= 3, page


def test_nobody_needs_a_mouse_or_eyes_to_read_a_table(trees):
    for page, tree in trees.items():
        for table in tree.xpath("//article//table"):
            assert "scroll" in table.getparent().get("class"), page
            assert table.getparent().get("tabindex") == "0", page
            for head in table.iter("th"):
                assert head.get("scope"), page
                assert head.text_content().strip(), page


def test_a_picture_that_scrolls_in_a_narrow_window_is_reached_by_the_keyboard(trees):
    alone = "//article//p[img and count(*) = 1 and not(normalize-space())]"
    found = [p for tree in trees.values() for p in tree.xpath(alone)]
    assert found
    assert all(p.get("tabindex") == "0" for p in found)


def test_links_lead_somewhere(trees, site):
    ids = {page: set(tree.xpath("//@id")) for page, tree in trees.items()}
    for page, tree in trees.items():
        for target in targets(tree, page):
            file, _, anchor = target.partition("#")
            assert (site / file.partition("?")[0]).is_file(), (page, target)
            if file != "seven_of_nine.html":  # whose anchors hold tables
                assert not anchor or anchor in ids[file.partition("?")[0]], (page, target)


def test_nothing_is_fetched_from_elsewhere(trees, site):
    elsewhere = re.compile(r"(?:https?:)?//")
    for page, tree in trees.items():
        fetched = tree.xpath("//@src | //@srcset | //object/@data | //link/@href")
        assert not [address for address in fetched if elsewhere.match(address)], page
    styles = {path: path.read_text("utf-8") for path in site.rglob("*.css")}
    styles |= {page: "".join(t.xpath("//style/text() | //@style")) for page, t in trees.items()}
    for place, style in styles.items():
        assert not re.search(rf"(url\(|@import)[\s\"']*{elsewhere.pattern}", style), place


def test_it_names_no_place_or_time(site):
    for path in [*site.rglob("*.html"), site / "searchindex.js"]:
        text = path.read_text(encoding="utf-8")
        assert str(paths.ROOT) not in text, path
        assert not re.search(r"/home/\w|/root/|/tmp/pytest|[Ll]ast updated", text), path


def test_the_landing_page_has_the_totals_of_the_audit(trees):
    *_, table = trees["index.html"].xpath("//article//table")
    rows = [[cell.text_content().strip() for cell in row.iter("td")] for row in table.iter("tr")]
    totals = delimited.read_table("tables/audit_totals.csv")
    assert [row[0] for row in rows[1:]] == totals["paper"].tolist()
    assert [row[1] for row in rows[1:]] == [f"{kind}s" for kind in totals["kind"]]
    assert [sum(map(int, row[2:])) for row in rows[1:]] == totals["total"].astype(int).tolist()
    assert [row[4] for row in rows[1:]] == totals["depends on the reading"].tolist()
    assert [row[5] for row in rows[1:]] == totals["cannot be checked"].tolist()


# What it cites


def test_the_references_are_those_of_the_bibliography(trees, bibliography):
    text = " ".join(trees["references.html"].xpath("string(//article)").split())
    ids = set(trees["references.html"].xpath("//@id"))
    links = set(trees["references.html"].xpath("//article//a/@href"))
    works = bibliography.read()
    for key, work in works.items():
        assert work["title"] in text
        assert f"work-{key}" in ids
        assert "doi" not in work or f"https://doi.org/{work['doi']}" in links
    assert len(works) == len(re.findall(r"^@", bibliography.FILE.read_text("utf-8"), re.MULTILINE))


def test_chapters_link_to_the_works_that_they_name(trees):
    linked = {target for page in trees for target in targets(trees[page], page)}
    for key in ("dror2017", "sogaard2014", "gorman2019"):
        assert f"references.html#work-{key}" in linked


def test_every_page_says_version_and_licence_and_how_to_cite(trees):
    for page, tree in trees.items():
        (footer,) = tree.xpath("//p[@class='cite']")
        said = " ".join(footer.text_content().split())
        assert re.match(rf"Version {re.escape(VERSION)}(, commit [0-9a-f]+)?\. MIT licence\.", said)
        assert "references.html" in targets(footer, page)


def test_every_source_of_data_is_in_the_bibliography(bibliography):
    works = bibliography.read()
    sources = pd.read_csv(paths.ROOT / "data/sources.csv")["citation"].unique()
    assert set(sources) <= set(works), "add the entry to book/references.bib"


def test_the_papers_are_cited_alike_in_every_place(bibliography):
    citation = yaml.safe_load((paths.ROOT / "CITATION.cff").read_text("utf-8"))
    paper, work = citation["preferred-citation"], bibliography.read()["dror2017"]
    assert [f"{a['given-names']} {a['family-names']}" for a in paper["authors"]] == (
        bibliography.names(work)
    )
    for name, value in {"doi": "doi", "title": "title", "journal": "journal"}.items():
        assert paper[name] == work[value]
    assert [paper["year"], paper["volume"]] == [int(work["year"]), int(work["volume"])]
    assert f"{paper['start']}--{paper['end']}" == work["pages"]
    assert f"https://doi.org/{work['doi']}" in (paths.ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("@book{a,\n  author = {X},\n  title = {T},\n}\n", "a has no year; add it."),
        ("@book{a,\n  author = X,\n}\n", "line 2: 'author = X,' is not a field"),
        ("@book{a,\n}\n@book{a,\n}\n", "line 3: the key 'a' occurs twice; rename"),
    ],
)
def test_a_faulty_bibliography_is_refused(text, said, tmp_path, bibliography):
    (tmp_path / "x.bib").write_text(text, encoding="utf-8")
    with pytest.raises(checks.InputError, match=re.escape(said)):
        bibliography.read(tmp_path / "x.bib")


# How pages are made


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    refused = subprocess.run(
        [sys.executable, BOOK / "build.py", tmp_path], capture_output=True, text=True, check=False
    )
    assert refused.returncode == 1
    said = f"{tmp_path} is not empty and does not contain a book; choose another folder.\n"
    assert refused.stderr == said
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_an_item_that_is_not_there_is_refused(pages, tmp_path):
    notebook = items.Notebook("audit", "The audit", "Table 9", tables={"none": {}})
    study = read_study("config/paper.yaml")
    row = items.Row("Table 9", notebook, study, tuple(notebook.items(study)))
    build = importlib.import_module("build")
    with pytest.raises(
        checks.InputError, match=r"audit\.ipynb makes tables/none\.csv, but this file does"
    ):
        build.copy_items([row], tmp_path / "book")


@pytest.mark.parametrize(
    ("study", "file", "again", "page"),
    [
        ("paper", "tables/table3_groups.csv", False, "notebooks/pos_tagging"),
        ("open", "tables/open/table3_groups.csv", True, "open/pos_tagging"),
        ("paper", "tables/audit.csv", False, "lists/audit"),
    ],
)
def test_an_item_has_a_page(study, file, again, page, chapters):
    notebook = next(n for n in items.read_notebooks() if n.name == "pos_tagging")
    row = items.Row("Table 3 ([how](docs/a.md))", notebook, read_study(f"config/{study}.yaml"), ())
    assert chapters.repeats(row) == again
    assert chapters.page_of(row, file) == page


def test_the_disputed_rows_come_first_and_every_row_has_an_address(pages):
    ledger = importlib.import_module("ledger")
    rows = [("a", "agrees"), ("b", "cannot be checked"), ("c", "impossible")]
    rows += [("a", "contradicted"), ("d", "depends on the reading")]
    cells = pd.DataFrame(rows, columns=["Claim", "Verdict"])
    assert ledger.is_ledger(cells)
    assert not ledger.is_ledger(cells[["Claim"]])
    found = ledger.ordered(cells)
    assert found["Claim"].tolist() == ["a", "c", "d", "a", "b"]
    a, c, d, again, b = ledger.addresses(found, "t")
    assert again == f"{a}-2"
    assert len({a, b, c, d}) == 4
    assert all(re.fullmatch(r"r-[0-9a-f]{8}", address) for address in (a, b, c, d))
    tree = html.fromstring(ledger.written(cells, "t", "Table 1"))
    assert tree.xpath("//tbody/tr/@id") == ledger.addresses(found, "t")
    assert tree.xpath("//th[@data-choice]/text()") == ["Verdict"]
    wide = ledger.written(cells.assign(Arithmetic="1 + 1"), "t", "Table 1")
    assert html.fromstring(wide).xpath("//@data-answer") == ["2"]  # the verdict, not the last


@pytest.mark.parametrize(
    ("table", "mended"),
    [
        (
            '<table border="1" class="x"><thead><tr style="a"><th></th><th>b</th></tr></thead>',
            '<table class="x"><thead><tr><td></td><th scope="col">b</th></tr></thead>',
        ),
        (
            "<table><tr><th>a</th><td>1</td></tr>",
            '<table><tr><th scope="row">a</th><td>1</td></tr>',
        ),
    ],
)
def test_tables_of_others_are_mended(table, mended, pages):
    accessible = importlib.import_module("accessible")
    assert f"{mended}</table></div>" in accessible.mended(f"<p>x</p>{table}</table>")
    once = accessible.mended(f"{table}</table>")
    assert accessible.mended(once) == once


def test_a_column_that_stays_in_sight_covers_no_p_values(pages):
    accessible = importlib.import_module("accessible")
    for header, place in ((["test", "p-value", "margin"], "2"), (["test", "margin"], "last")):
        cells = "".join(f"<th>{name}</th>" for name in header)
        made = accessible.mended(f"<table><thead><tr>{cells}</tr></thead></table>")
        assert html.fromstring(made).xpath("//@data-answer") == [place]


def test_frames_are_shown_as_tables(chapters):
    frame = pd.DataFrame({"name": ["a<b", "c"], "k": [10, 2]})
    (table,) = html.fromstring(chapters.framed(tables.Table(frame)._repr_html_())).iter("table")
    cells = [[cell.text_content() for cell in row] for row in table.iter("tr")]
    assert cells == [["name", "k"], ["a<b", "10"], ["c", "2"]]
    assert table.xpath(".//th/@class") == ["n"]
    assert chapters.framed("<p>other</p>") == "<p>other</p>"


def test_columns_of_numbers_are_told_from_names_that_begin_with_one(shown):
    numbers = (["1", ""], ["−0.3", "+6.3"], ["<.001"], ["3 of 23"], ["1 point", "3 points"])
    assert all(map(shown.is_numeric, numbers))
    assert not any(map(shown.is_numeric, (["57 subjects (MMLU)"], [""], ["1", "none"])))


def test_counts_and_directions_are_sentences(holds):
    header = ["comparison", "alpha", "datasets", "k_fisher", "recommended"]
    rows = [("A-B", "0.05", "7", "5", "k_fisher"), ("C-D", "0.05", "9", "0", "k_fisher")]
    rows += [("A-B", "0.01", "7", "2", "k_fisher")]
    said = holds.counted(pd.DataFrame(rows, columns=header), {"A-B": "AB", "C-D": "CD"})
    assert said == (
        "At level 0.05, A is better than B on at least 5 of 7 datasets; "
        "there is no evidence that C is better than D on any of the 9 datasets."
    )
    assert holds.counted(pd.DataFrame(rows, columns=header), {}) == ""
    assert holds.better("A", "B", "7", "7") == "A is better than B on all 7 datasets"
    claims = [("A-B", "A better", "3 of 7"), ("A-B", "B better", "0 of 7")]
    claims += [("C-D", "C better", "1 of 9"), ("C-D", "D better", "2 of 9")]
    assert holds.directed(pd.DataFrame(claims, columns=["comparison", "claim", "estimate"])) == (
        "With both directions tested together, A is better than B on at least 3 of 7 datasets, and "
        "there is no evidence that B is better; C is better than D on at least 1 of 9 datasets, "
        "and D is better than C on at least 2 of 9 datasets."
    )


@pytest.mark.parametrize("text", ["*+", "1e-4 [a](b) `c` $d$", "<p> | \\ {x} #_~!", "k̂ ≤ α → β"])
def test_escaped_text_is_shown_as_it_is(text, shown):
    from markdown_it import MarkdownIt

    shown = html.fromstring(MarkdownIt().render(f"x{shown.literal(text)}")).text_content()
    assert shown == f"x{text}\n" or shown == f"x{text}"


WORKS = {
    "holm1979": {"author": "Holm, Sture", "title": "A Procedure", "year": "1979"},
    "gorman2019": {"author": "Gorman, K. and Bedrick, S.", "title": "Splits?", "year": "2019"},
    "dror2017": {
        "author": "Dror, R. and B, G. and R, R.",
        "title": "Replicability",
        "year": "2017",
    },
}


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("Holm (1979) and Holm 1980", "[Holm (1979)](#work-holm1979) and Holm 1980"),
        ("(Gorman and Bedrick 2019)", "([Gorman and Bedrick 2019](#work-gorman2019))"),
        ("of Dror et\nal. (2017)", "of [Dror et\nal. (2017)](#work-dror2017)"),
        ("Dror, B and R (2017) ask", "[Dror, B and R (2017)](#work-dror2017) ask"),
        ("# Dror et al. (2017)\nHolm 1979", "# Dror et al. (2017)\n[Holm 1979](#work-holm1979)"),
        ("`Holm 1979` [Holm 1979](x) $Holm 1979$", "`Holm 1979` [Holm 1979](x) $Holm 1979$"),
        ("```\nHolm 1979\n```", "```\nHolm 1979\n```"),
    ],
)
def test_works_that_prose_names_are_linked(text, linked, bibliography):
    assert bibliography.cited(text, WORKS) == linked


def test_what_prose_names_is_linked_once(links):
    targets = {"tables/a.csv": "#table-a"}
    for text, linked in {
        "`tables/a.csv`, `b.csv`": "[`tables/a.csv`](#table-a), `b.csv`",
        "[`tables/a.csv`](x.md)": "[`tables/a.csv`](x.md)",
        "```csv a.csv\nx\n```": "`a.csv`\n\n```csv\nx\n```",
        "[the map](docs/map.md)": "[the map](/map.md)",
    }.items():
        assert links.linked(text, targets, WORKS) == linked


def test_files_notebooks_and_modules_have_a_place(links):
    notebook = items.Notebook("n", "Part", "Table 9", tables={"a": {}})
    study = read_study("config/open.yaml")
    row = items.Row("Table 9", notebook, study, tuple(notebook.items(study)))
    targets = links.link_targets([row], ["docs/audit.md", "notebooks/n.ipynb"])
    assert targets["tables/open/a.csv"] == "#table-open-a"
    assert targets["docs/audit.md"] == "/docs/audit.md"
    assert targets["n.ipynb"] == targets["notebooks/n.ipynb"] == "/notebooks/n.ipynb"
    assert (
        targets["replicability.forensics"]
        == targets["replicability/forensics/__init__.py"]
        == "#reference-replicability-forensics"
    )


def test_a_notebook_that_is_not_listed_is_in_the_book_all_the_same(pages):
    listed = [items.Notebook("audit", "The audit", ""), items.Notebook("summary", "A paper", "")]
    parts = pages.in_parts(listed, ["audit", "brand_new", "summary"])
    assert list(parts.items()) == [
        ("The audit", ["audit"]),
        ("A paper", ["summary"]),
        (pages.MORE, ["brand_new"]),
    ]


def test_a_box_has_the_verdict_of_each_claim(holds):
    study = read_study("config/paper.yaml")
    said = {}
    for row in items.rows(study, items.read_notebooks()):
        for file in row.files:
            if file.endswith("_both_directions.csv"):
                said[file] = holds.box({file: row}, {file: "Table"})
    mimick = said["tables/table3_both_directions.csv"]
    assert (
        '>16 of 23</td><td data-label="re-run">16 or fewer of 23</td>' in mimick
        and ">depends on the reading: 16 if one-sided for MIMICK even where it is behind; fewer"
        in mimick
    )
    assert mimick.count("16") - mimick.count("(16 if the p-values are two-sided)") == 3
    assert "differ on at least 9 of 23 datasets (16 if the p-values are two-sided)" in mimick
    both = said["tables/table5_both_directions.csv"]
    assert "depends on the reading: 6 if rows exchanged; fewer" in both
    assert "MIMICK better: 3 of 23; Char→Tag better: 4 of 23" in mimick
    assert "MIMICK is better on at least 3 (6) and Char→Tag on at least 4 (7)" in mimick
    sentiment = said["tables/table4_both_directions.csv"]
    assert ">10 of 12</td>" in sentiment
    assert "is better than MSDA on at least 10 of 12 datasets" in sentiment
    assert said["tables/table2_both_directions.csv"].count(">yes</td>") == 2


@pytest.fixture
def plane(pages):
    return importlib.import_module("plane")


CELLS = pd.DataFrame(
    [["x", "", "2 (1)"], ["<y>", "0 (0)", ""]], columns=["lower bound (of 2 datasets)", "x", "<y>"]
)
BEHIND = {
    "family": "f",
    "score": "accuracy",
    "alpha": 0.05,
    "systems": ["x", "<y>"],
    "datasets": ["d", "e"],
    "scores": [[2, 3], [1, 2]],
    "pvalues": [[[], [0.00012, 0.05]], [[1, 0.95], []]],
    "named": [[[], [2, 1]], [[0, 0], []]],
}


def test_a_plane_has_both_counts_of_every_pair_and_what_is_behind_them(plane):
    assert plane.is_plane(CELLS)
    assert not plane.is_plane(CELLS.head(1))
    assert not plane.is_plane(CELLS.rename(columns={"lower bound (of 2 datasets)": "system"}))
    pages = [("<y>", "x", "page.html#a"), ("x", "z", "other.html")]
    written = html.fromstring(plane.written(CELLS, "Table 1", BEHIND, pages, 2))
    (table,) = written.iter("table")
    assert [cell.text_content() for cell in table.iter("td")] == ["", "2 (1)", "0 (0)", ""]
    assert table.xpath(".//tbody//th/@scope") == ["row", "row"]
    found = json.loads(written.xpath("string(.//script)"))
    assert found["systems"] == ["x", "<y>"]
    assert found["pages"] == [[1, 0, "page.html#a"]]
    assert [len(row) for row in found["pairs"]] == [8, 8]
    assert found["counts"] == [[None, [2, 1]], [[0, 0], None]]
    fewer = html.fromstring(plane.written(CELLS, "Table 1", BEHIND, pages, 1))
    assert [cell.text_content() for cell in fewer.iter("td")] == [""]
    assert json.loads(fewer.xpath("string(.//script)")) == found


@pytest.mark.parametrize(
    ("first", "marked", "kept"),
    [
        ([f"d{i}" for i in range(12)], [], range(12)),
        ([f"d{i}" for i in range(30)], [], range(4)),
        ([f"d{i}" for i in range(29)] + ["all"], [], [*range(3), 29]),
        ([f"d{i}" for i in range(30)], [17, 20, 28], [0, 17, 20, 28]),
        ([f"d{i}" for i in range(12)] + ["mean"], [3, 11], [0, 3, 11, 12]),
        (["a"] * 20 + ["b"] * 20, [], [*range(2), *range(20, 22)]),
        (["a"] + [""] * 9 + ["b"] + [""] * 9, [], range(4)),
        ([str(i - i % 7 // 6) for i in range(20)], [], range(4)),  # ties of ranks are no blocks
    ],
)
def test_of_a_long_table_the_rows_that_answer_are_shown(first, marked, kept, shown):
    marks = ["*" if i in marked else "" for i in range(len(first))]
    cells = pd.DataFrame({"dataset": first, "p": "0.5", "named": marks})
    assert shown.excerpt(cells).equals(cells.loc[list(kept)])


def test_a_sentence_that_captions_share_is_said_once(shown):
    said = set()
    first = r"shares of p\. A mark \(\+\) is a name\."
    assert shown.fresh(first, said) == "S" + first[1:]
    assert shown.fresh(r"Other shares\. A mark \(\+\) is a name\.", said) == r"Other shares\."
    assert shown.fresh(r"A mark \(\+\) is a name\.", said) == ""
    assert shown.fresh("", said) == ""


@pytest.mark.parametrize(
    ("pvalue", "named", "number"),
    [(1, 0, 0), (0.99, 2, 3 * (90 + 89) + 2), (0.05, 1, 3 * (180 + 40) + 1), (0, 2, 3 * 2520 + 2)],
)
def test_a_pvalue_and_a_name_are_packed_into_two_letters(pvalue, named, number, plane):
    first, second = plane.packed([pvalue], [named])
    base = len(plane.LETTERS)
    assert plane.LETTERS.index(first) * base + plane.LETTERS.index(second) == number < base**2


def test_pairs_that_are_compared_alone_lead_to_their_figure(chapters, trees):
    study = read_study("config/open.yaml")
    found = {(a, b): to for a, b, to in chapters.pages_of_pairs(study, "pos_tagging", "")}
    assert found["HIT-SCIR", "LATTICE"].startswith("open/pos_tagging.html#figure-open-table3-")
    for address in found.values():
        page, _, name = address.partition("#")
        assert trees[page].xpath(f"//figure[@id='{name}']")


def test_marks_that_nobody_asks_for_are_left_out(pages):
    lighter = importlib.import_module("lighter")
    said = '<code class="docutils literal notranslate"><span class="pre">a</span></code>'
    assert lighter.page(said) == "<code>a</code>"
    assert (
        lighter.page('<em><span class="n"><span class="pre">a</span></span></em>') == "<em>a</em>"
    )
    drawn = '<svg><!-- x --><g id="a"><use xlink:href="#b" x="1.23456"/></g><path id="b"/>'
    assert lighter.svg(f"{drawn}<g transform='scale(0.015625)'/></svg>") == (
        '<svg><g><use href="#n0" x="1.2"/></g><path id="n0"/>'
        "<g transform='scale(0.015625)'/></svg>\n"
    )


# In a browser


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def address(site):
    handler = functools.partial(Quiet, directory=site)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


MEASURED = """Promise.all([...document.images].map(image => {
    image.loading = 'eager';
    return image.decode().catch(() => {});
})).then(() => ({
    broken: [...document.images].filter(i => !i.naturalWidth).map(i => i.src),
    formulas: [...document.querySelectorAll('article math')]
        .filter(m => m.getBoundingClientRect().width > 0).length,
    width: document.documentElement.scrollWidth,
}))"""


WIDTHS = """[...document.querySelectorAll('img.ink, .picture img[src$=".svg"]')]
    .map(i => [i.getAttribute('src'), i.getBoundingClientRect().width])"""

PAPER = 718
"""Width of a page of A4 between the margins of a browser, in pixels."""

LAID_OUT = """new Promise(done => {
    const width = () => done(document.documentElement.scrollWidth);
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(width)));
})"""
"""Measures the width of a page once scripts have seen the new size of the window."""


BLOCKING = 24_000
"""Bytes of styles and scripts that may block the first paint: .12 s at 1.6 Mbit/s."""

WHOLE = 72_000
"""Bytes of the page "7 of 9?", which has its style and scripts in it: .36 s at 1.6 Mbit/s."""


def test_little_blocks_the_first_paint_of_a_page(site, trees):
    heaviest = 0
    for page, tree in trees.items():
        blocks = "//link[@rel='stylesheet']/@href | //head//script[not(@defer or @async)]/@src"
        files = {(site / page).parent / urlsplit(address).path for address in tree.xpath(blocks)}
        assert all(file.is_file() for file in files), page
        assert len(files) <= 3, page
        heaviest = max(heaviest, sum(file.stat().st_size for file in files))
    assert 0 < heaviest <= BLOCKING


def test_seven_of_nine_is_one_small_file(site):
    page = site / "seven_of_nine.html"
    assert page.stat().st_size <= WHOLE
    tree = html.parse(page, html.HTMLParser(encoding="utf-8"))
    assert not tree.xpath("//link[@rel='stylesheet'] | //script[@src] | //img[@src]")


@pytest.fixture(scope="module")
def read(browser, address, trees):
    """Read every page on a desk and on a phone; return what was seen, by page."""
    seen = {}
    for page in trees:
        browser.show(DESK)
        browser.visit(address + page)
        seen[page] = browser.evaluate(MEASURED)
        wide = browser.evaluate(WIDTHS)
        browser.show(PHONE)
        seen[page]["narrow"] = browser.evaluate(LAID_OUT)
        seen[page]["figures"] = wide + browser.evaluate(WIDTHS)
        seen[page] |= {"errors": browser.errors(), "requests": browser.requests()}
        browser.show(PAPER)
        browser.send("Emulation.setEmulatedMedia", media="print")
        seen[page]["figures"] += browser.evaluate(WIDTHS)
        seen[page]["paper"] = browser.evaluate(LAID_OUT)
        browser.send("Emulation.setEmulatedMedia", media="screen")
    return seen


def test_letters_of_figures_can_be_read_on_desk_phone_and_paper(read, site):
    found = 0
    for page, seen in read.items():
        for address, width in seen["figures"]:
            svg = ((site / page).parent / address).read_text("utf-8")
            whole = float(re.search(r'width="([\d.]+)pt"', svg)[1]) * 4 / 3
            sizes = [100 * float(size) for size in re.findall(r"scale\(([\d.]+) -[\d.]+\)", svg)]
            assert min(sizes) * width / whole >= 6.95, (page, address, width)
            found += 1
    assert found >= 3 * 93


def test_every_page_loads_without_errors_and_images_are_there(read):
    assert {page: found["errors"] for page, found in read.items() if found["errors"]} == {}
    assert {page: found["broken"] for page, found in read.items() if found["broken"]} == {}


def test_no_request_leaves_the_book(read, address):
    for page, found in read.items():
        assert found["requests"], page
        assert all(url.startswith((address, "data:")) for url in found["requests"]), page


def test_every_formula_is_drawn(read, trees):
    written = {
        page: len(tree.xpath("//article//*[local-name()='math']")) for page, tree in trees.items()
    }
    assert {page: found["formulas"] for page, found in read.items()} == written
    assert sum(written.values()) > 100
    for page, tree in trees.items():
        assert not re.search(r"\\(hat|alpha|frac|sqrt)\b", tree.xpath("string(//article)")), page


def test_no_page_is_wider_than_its_window(read):
    assert {page: found["width"] for page, found in read.items() if found["width"] > DESK} == {}
    assert {page: found["narrow"] for page, found in read.items() if found["narrow"] > PHONE} == {}
    assert {page: found["paper"] for page, found in read.items() if found["paper"] > PAPER} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_told_from_its_background_in_either_scheme(scheme, browser, address):
    browser.show(DESK, scheme)
    browser.visit(address)
    shades = browser.evaluate(
        "[getComputedStyle(document.querySelector('article p')).color,"
        " getComputedStyle(document.body).backgroundColor]"
        ".map(colour => colour.match(/\\d+/g).slice(0, 3).reduce((sum, c) => sum + +c, 0) / 765)"
    )
    text, background = shades
    assert (background > 0.9) if scheme == "light" else (background < 0.1)
    assert abs(text - background) > 0.6


def test_the_search_finds_what_the_book_is_about(browser, address):
    browser.show(DESK)
    browser.visit(f"{address}search.html?q=partial+conjunction")
    found = "[...document.querySelectorAll('#search-results li a')].map(a => a.href)"
    browser.wait(lambda: any("replicability" in url for url in browser.evaluate(found)))
    assert browser.errors() == []


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Table 3", "notebooks/pos_tagging.html#table-table3-pos-tagging"),
        ("k-hat", "docs/k_hat.html"),
        ("k%CC%82", "docs/k_hat.html"),
        ("khat", "docs/k_hat.html"),
        ("Figure 1", "notebooks/toy_simulations.html#figure-figure1-k-hat-histogram"),
        ("audit", "docs/audit.html"),
        ("pos tagging", "notebooks/pos_tagging.html"),
    ],
)
def test_what_has_a_name_is_found_first(query, first, browser, address):
    browser.visit(f"{address}search.html?q={query}")
    found = "[...document.querySelectorAll('#places a')].map(a => a.href)"
    browser.wait(lambda: browser.evaluate(found))
    assert browser.evaluate(found)[0] == address + first


def test_chapters_are_found_before_functions(browser, address):
    browser.show(DESK)
    browser.visit(f"{address}search.html?q=Holm")
    found = "[...document.querySelectorAll('#search-results li a')].map(a => a.href)"
    browser.wait(lambda: len(browser.evaluate(found)) > 2)
    pages = [url.removeprefix(address) for url in browser.evaluate(found)[:3]]
    assert not [page for page in pages if page.startswith("api/")]


ANSWERS = """[...document.querySelectorAll('[data-answer]')].filter(b => b.offsetWidth).map(box => {
    const place = box.dataset.answer;
    const row = [...box.querySelectorAll('tr')].find(each => each.offsetWidth);
    const cell = place === 'last' ? row.lastElementChild : row.children[place - 1];
    const [outer, inner] = [box, cell].map(each => each.getBoundingClientRect());
    return [cell.textContent, inner.left - outer.left >= -1 && inner.right - outer.right <= 1];
})"""
"""Head of the column with the answer of each table, and whether it is in sight."""


SPLIT = r"""[...document.querySelectorAll('[data-answer] :is(th, td)')].flatMap(cell => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), split = [];
    while (texts.nextNode()) {
        const text = texts.currentNode;
        if (text.parentElement.closest('code, math')) continue;
        for (const word of text.data.matchAll(/\p{L}{2,}/gu)) {
            const range = document.createRange();
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            const lines = [...range.getClientRects()].map(part => Math.round(part.top));
            if (new Set(lines).size > 1) split.push(word[0]);
        }
    }
    return split;
})"""
"""Words of tables that are split between lines."""


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_the_column_with_the_answer_is_in_sight_and_no_word_is_split(
    width, browser, address, trees
):
    browser.show(width)
    hidden, split, seen = [], [], 0
    for page in trees:
        browser.visit(address + page)
        browser.evaluate(LAID_OUT)
        for head, in_sight in browser.evaluate(ANSWERS):
            seen += 1
            hidden += [(page, head)] * (not in_sight)
        split += [(page, word) for word in browser.evaluate(SPLIT)]
    assert hidden == []
    assert split == []
    assert seen > 200


def test_the_keyboard_begins_at_the_top_and_soon_reaches_the_content(browser, address):
    browser.show(DESK)
    focused = "document.activeElement.matches('.explorer *, article *')"
    for page, soon in (("index.html", 6), ("notebooks/pos_tagging.html", 5)):
        browser.visit(address + page)
        stops = []
        for _ in range(soon):
            for kind in ("keyDown", "keyUp"):
                browser.send(
                    "Input.dispatchKeyEvent", type=kind, key="Tab", windowsVirtualKeyCode=9
                )
            stops.append(browser.evaluate("document.activeElement.className"))
        assert stops[0] == "skip"
        assert browser.evaluate(focused), page


def test_figures_do_not_wait_for_a_reader_who_prints(browser, address):
    browser.visit(f"{address}notebooks/pos_tagging.html")
    waiting = "document.querySelectorAll('img[loading=lazy]').length"
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert browser.evaluate(waiting) == 0
    assert browser.evaluate("document.querySelectorAll('img[loading=eager]').length") > 0


def test_rows_of_verdicts_are_chosen_and_linked(browser, address):
    browser.show(DESK)
    browser.visit(f"{address}lists/audit.html?verdict=contradicted&verdict=impossible")
    shown = "[...document.querySelectorAll('.ledger tbody tr')].filter(row => !row.hidden)"
    cells = delimited.read_table("tables/audit.csv")
    disputed = cells["verdict"].isin(["contradicted", "impossible"])
    depends = cells[cells["verdict"] == "depends on the reading"]
    n_shown = disputed.sum() + len(depends[["paper", "item"]].drop_duplicates())
    assert browser.evaluate(f"{shown}.length") == disputed.sum()
    assert browser.evaluate("document.querySelector('.choices [role=status]').textContent") == (
        f"{disputed.sum()} of {n_shown} rows"
    )
    browser.evaluate(
        "(box => { box.value = 'fisher'; box.dispatchEvent(new Event('input', {bubbles: true})); })"
        "(document.querySelector('.choices [type=search]'))"
    )
    text = cells.apply(" ".join, axis=1).str.lower()
    kept = disputed & text.str.contains("fisher")
    assert browser.evaluate(f"{shown}.length") == kept.sum() > 0
    assert "q=fisher" in browser.evaluate("location.search")
    row = browser.evaluate(f"{shown}[0].id")
    browser.visit(f"{address}lists/audit.html?verdict=depends+on+the+reading#{row}")
    assert row in browser.evaluate(f"{shown}.map(row => row.id)")
    assert browser.errors() == []


def test_one_control_opens_the_code_of_a_chapter(browser, address):
    browser.visit(f"{address}notebooks/pos_tagging.html")
    state = "[...document.querySelectorAll('details.code')].map(code => code.open)"
    assert set(browser.evaluate(state)) == {False}
    browser.evaluate("document.querySelector('.all-code').click()")
    assert set(browser.evaluate(state)) == {True}


def test_the_colours_that_a_reader_chooses_stay(browser, address):
    browser.show(DESK, "light")
    browser.visit(address)
    colour = "getComputedStyle(document.body).backgroundColor"
    light = browser.evaluate(colour)
    browser.evaluate("document.querySelector('.scheme').click()")
    dark = browser.evaluate(colour)
    browser.visit(f"{address}map.html")
    assert browser.evaluate(colour) == dark != light
    browser.evaluate("localStorage.clear()")


AXE = os.environ.get("AXE", "/usr/share/javascript/axe-core/axe.min.js")
"""Where axe-core is, which is no part of the environment: AXE=node_modules/axe-core/axe.min.js."""


@pytest.mark.skipif(not Path(AXE).is_file(), reason="needs axe-core: AXE=…/axe.min.js")
@pytest.mark.parametrize(("width", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_axe_finds_nothing_serious_on_any_page(width, scheme, browser, address, trees):
    axe = Path(AXE).read_text("utf-8")
    found = {}
    browser.show(width, scheme)
    for page in trees:
        browser.visit(address + page)
        browser.evaluate(axe)
        violations = browser.evaluate(
            "axe.run().then(found => found.violations.map(v => [v.impact, v.id, v.nodes[0].html]))"
        )
        found[page] = [said for said in violations if said[0] in ("serious", "critical")]
    assert {page: said for page, said in found.items() if said} == {}
