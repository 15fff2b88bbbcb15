"""The pages of the book that are made: landing page, map, chapters of studies that repeat others.

They are derived from what is committed: `config/items.yaml`, `figures/`, `tables/`, the remarks on
the open study and the modules of `analysis`. Every function returns Markdown (MyST) or
reStructuredText; a path in it starts at the top of the checkout.
"""

import itertools
import re
from html import escape
from pathlib import PurePosixPath

import bibliography
import chapters
import holds
import jinja2
import ledger
from mathematics import line
from shown import is_long, name_of, raw

from analysis import items, verdicts
from analysis.audited import audited
from analysis.numbers import committed
from replicability.io import delimited

STUDIES = {
    "paper": "The papers, re-run",
    "open": "The open study",
    "leaderboards": "Leaderboards of language models",
}
"""Study -> its part of the map."""

MORE = "More"
"""The part with the notebooks that no other part names."""

LIVING = ("", "living")
"""The page with published claims, the last of the part on the audit."""

IDEA = ("The idea", "docs/k_hat")
"""The first part, and its page."""

USING = (
    ("Start here", "README"),
    ("From files, without Python", "docs/own"),
    ("", "docs/choosing"),
    ("", "docs/design"),
    ("", "docs/reading"),
    ("", "docs/claims"),
    ("", "docs/gate"),
    ("", "docs/gate_github"),
    ("", "docs/gate_gitlab"),
    ("", "docs/gate_jenkins"),
    ("", "docs/gate_pytest"),
    ("", "docs/formats"),
    ("", "docs/python"),
    ("", "docs/api"),
    ("The configuration of a study", "config/README"),
    ("", "docs/adapt"),
    ("", "docs/audit"),
    ("", "docs/scale"),
    ("", "docs/queue"),
    ("", "docs/reproducibility"),
    ("", "docs/verdicts"),
)
"""Title, if it is not the page's own, and name of each guide, in the order of use."""

REFERENCE = (
    ("", "docs/words"),
    ("", "map"),
    ("", "gallery"),
    ("", "made"),
    ("The package", "api/index"),
    ("", "data/README"),
    ("", "data/outcomes/README"),
    ("", "references"),
)
"""The same for the last part."""

REMARKS = {
    "decides": "How large a share of the datasets favours each system?",
    "ahead": "Who is ahead?",
    "which": "On which datasets?",
    "kinds": "On which kinds of datasets?",
    "directions": "What if both directions are tested?",
}
"""Block of remarks -> heading, as in the notebooks."""

ASKED = {
    "dependency_parsing": {
        "title": "On which English domains does one parser beat another?",
        "decides": "Where do the second and third parsers differ?",
        "ahead": "Which parser scores higher, and by how much?",
        "which": "Which domains can be named?",
        "kinds": "On which treebanks are HIT-SCIR and TurkuNLP better?",
        "directions": "Does HUJI, UDPipe-Future, SpaCy or Redshift win anywhere?",
    },
    "pos_tagging": {
        "title": "In which languages does one tagger beat another?",
        "decides": "Which comparison of taggers is close?",
        "ahead": "In which languages does the second tagger score higher?",
        "which": "In which languages is the CRF better?",
        "kinds": "In which language families are the taggers better?",
        "directions": "Is LATTICE or the smaller network better in any language?",
    },
    "sentiment": {
        "title": "Is AE-SCL-SR better than mSDA on public reviews?",
        "decides": "Is the published order of AE-SCL-SR and mSDA confirmed?",
        "ahead": "How much more accurate is mSDA?",
        "which": "What does a test of one direction miss?",
        "kinds": "For which products is mSDA better?",
        "directions": "Is mSDA better than AE-SCL-SR?",
    },
    "word_similarity": {
        "title": "Is GloVe better than W2V-CBOW on every set of word pairs?",
        "decides": "Which word sets pass Holm's procedure?",
        "ahead": "On how many sets does GloVe score higher?",
        "which": "Which differences do not survive the correction?",
        "kinds": "Is GloVe better at relatedness than at similarity?",
        "directions": "Is W2V-CBOW better on any set?",
    },
    "summary": {"title": "In which comparisons is A better on some dataset?"},
}
"""Section -> the title and headings of its page on the open study; others are in `REMARKS`."""


def heading(row):
    """Return the title of a row of the map as a heading."""
    text = re.sub(r" ?\(\[[^]]*\]\([^)]*\)\)", "", row.title)
    return text[0].upper() + text[1:]


def repeated_page(rows, labels, remarks):
    """Write the chapter on what a study makes by the notebook that shows another one.

    `rows` (list of items.Row): the study's rows of that notebook. `labels` (dict of str to str): as
    `shown.labels` returns it. `remarks` (dict of str to str): what is said about the items: "data"
    before them, and the blocks of `REMARKS`.

    Returns str. Markdown, in the order of the notebook: each remark stands below the items that it
    is about.
    """
    first = rows[0]
    files = {file: row for row in rows for file in row.files}
    left, page, said = dict(files), chapters.page_of(first, first.files[0]), set()

    def taken(wanted):
        found = [file for file in left if wanted(PurePosixPath(file).stem, file)]
        return [chapters.item(file, left.pop(file), labels[file], page, said) for file in found]

    asked = ASKED.get(first.notebook.name, {})
    asks = asked.get("title") or heading(first)
    blocks = [f"# Open study: {asks}", holds.box(files, labels)]
    blocks += [
        f"Compare [the published results](/{first.notebook.file}).",
        remarks.get("data", ""),
    ]
    groups = taken(lambda stem, file: stem.endswith("_groups"))
    directions = taken(lambda stem, file: stem.endswith("_both_directions"))
    forests = taken(lambda stem, file: "_forest_" in stem)
    tables = taken(lambda stem, file: file.startswith("tables/"))
    figures = taken(lambda stem, file: True)
    below = {"decides": figures, "which": forests, "kinds": groups, "directions": directions}
    blocks += tables
    for key, title in (REMARKS | asked).items():
        found = [*below.pop(key, []), remarks.get(key, "")]
        if any(found):
            blocks += [f"## {title}", *found]
    return "\n\n".join(filter(None, blocks))


def list_page(file, row, label):
    """Write the page of a table that is too long for a chapter.

    `file`: the table's file. `row` (items.Row): the row of the map that has it. `label`: its
    number.

    Returns str. Markdown.
    """
    item = chapters.item(file, row, label, chapters.page_of(row, file), set())
    return (
        f"# Verdict by verdict: {heading(row)}\n\n[](/{row.notebook.file}) discusses these "
        f"claims.\n\n{item}\n\n## How many claims of each item agree?\n\n"
        f"{ledger.counted(delimited.read_table(file))}\n"
    )


def map_page(found, labels, works):
    """Write the map of items with links in place of file names.

    `found` (list of items.Row): the map of items. `labels` (dict of str to str): as `shown.labels`
    returns it. `works`: the bibliography, to which the titles are linked.

    Returns str. Markdown.
    """
    head = "| item | tables and figures |\n| --- | --- |\n"

    def line(row):
        links = ", ".join(f"[{text}](#{name_of(file)})" for file, text in lettered(row).items())
        return f"| {bibliography.cited(row.title, works)} | {links} |\n"

    def lettered(row):
        """Shorten the numbers of a row's items: its title has the paper, the heading the study."""
        texts, before = {}, ""
        for file in row.files:
            number, letter = _number(labels[file])
            kind, _, place = number.partition(" ")
            short = place if place.startswith("B") and before.startswith(f"{kind} B") else number
            texts[file] = letter.strip() if letter and number == before else short
            before = number
        return texts

    def part(study):
        return head + "".join(line(row) for row in found if row.study.name == study)

    studies = dict.fromkeys(row.study.name for row in found)
    said = "Each link leads to the chapter that explains the table or figure."
    return f"# Where is each table and figure?\n\n{said}\n\n" + "\n".join(
        f"## {STUDIES.get(study, items.heading(study))}\n\n{part(study)}" for study in studies
    )


def gallery_page(found, labels):
    """Write the gallery: a thumbnail of every figure, its finding, and links to chapter and code.

    `found` (list of items.Row): the map of items. `labels` (dict of str to str): as `shown.labels`
    returns it.

    Returns str. Markdown.
    """
    text = (
        "# All figures\n\nClick a figure to open its chapter, or its number to see the code "
        "that draws it.\n"
    )
    for title, rows in itertools.groupby(found, lambda row: (row.notebook.part, row.study.name)):
        entries = [_thumbnails(row, labels) for row in rows]
        if any(entries):
            study = STUDIES.get(title[1], items.heading(title[1]))
            inside = f'<div class="gallery">{"".join(entries)}</div>'
            text += f"\n## {title[0]}: {study}\n\n{raw(inside)}"
    return text


def _thumbnails(row, labels):
    """Write the figures of a row; its chapter or notebook has the code that draws them."""
    made = ""
    code = PurePosixPath(row.notebook.file).with_suffix(".html")
    for item, file in zip(row.items, row.files, strict=True):
        if file.startswith("figures/"):
            address = f"{chapters.page_of(row, file)}.html#{name_of(file)}"
            finding = holds.finding_of(item, file, row)
            said = line(re.split(r"(?<=[a-z)])[.] (?=[A-Z])", finding, maxsplit=1)[0])
            place = f"#{name_of(file)}" if address.startswith(f"{code}#") else ""
            alt = escape(items.plain(finding or item.caption))
            made += (
                f'<figure><a href="{address}"><img src="{file}" alt="{alt}" loading="lazy"></a>'
                f'<figcaption><a href="{code}{place}">'
                f"{escape(''.join(_number(labels[file])))}</a>. "
                f"{said.rstrip('.')}.</figcaption></figure>"
            )
    return made


def _number(label):
    """Shorten the number of an item where a heading has its paper and its study."""
    number, letter = re.fullmatch(r"(.*?)( \([b-z]\))?", label).groups("")
    return re.sub(r"^[^,]+ \(\d{4}\), |, [^,]+$", "", number), letter


def in_parts(listed, stems):
    """Put notebooks in order.

    `listed` (list of items.Notebook): as `items.read_notebooks` returns them. `stems` (iterable of
    str): names of all notebooks.

    Returns dict of str to list of str. Part -> its notebooks; those that are not listed are in the
    part `MORE`.
    """
    parts = {}
    for notebook in listed:
        parts.setdefault(notebook.part, []).append(notebook.name)
    more = sorted(set(stems) - {notebook.name for notebook in listed})
    return parts | ({MORE: more} if more else {})


def contents(notebooks, guides, found):
    """Order the book.

    `notebooks` (dict of str to list of str): as `in_parts` returns them. `guides` (collection of
    str): pages in Markdown, without ending; those that nothing else names come after `USING`.
    `found` (list of items.Row): the map of items.

    Returns dict of str to list of (str, str). Part -> title ("" for the page's own) and name of its
    pages.
    """
    named = {name for _, name in (IDEA, *USING, *REFERENCE)}
    again = dict.fromkeys(chapters.page_of(row, "") for row in found if chapters.repeats(row))
    parts = {IDEA[0]: [("", IDEA[1])]}
    for part, stems in notebooks.items():
        parts[part] = [("", f"notebooks/{stem}") for stem in stems]
    parts["The open study"] += [("", page) for page in again]
    for row in found:
        page = ("", chapters.page_of(row, ""))
        if row.notebook.folder != "notebooks" and page not in parts.get(row.notebook.part, ()):
            parts.setdefault(row.notebook.part, []).append(page)
    lists = [("", chapters.page_of(r, f)) for r in found for f in r.files if is_long(f)]
    parts["The audit"] = [*parts.get("The audit", []), *lists, LIVING]
    using = [(title, name) for title, name in USING if name in guides]
    using += [("", name) for name in sorted(guides) if name not in named]
    parts["Your own comparison"] = [*using, *parts["Your own comparison"]]
    return parts | {"Reference": list(REFERENCE)}


def landing_page(template, parts, labels):
    """Fill in the landing page.

    `template`: jinja template in Markdown. `parts`: as `contents` returns it. `labels` (dict of str
    to str): as `shown.labels` returns it.

    Returns str. Markdown, with the audit's totals, the exact probabilities of Section 5, the
    estimates of Tables 1 and 3 and the family of parsers.
    """
    totals = delimited.read_table("tables/audit_totals.csv").to_dict("records")
    toy = delimited.read_table("tables/section5_toy_examples.csv").query("example == 'independent'")
    exact = {row.estimator: f"{float(row.exact):.1%}" for row in toy.itertuples()}
    simulated = {
        "datasets": committed.parameter("toy_simulations", "independent")[0][0],
        "level": f"{committed.parameter('toy_simulations', 'alpha'):.0%}",
    }
    pairs = delimited.read_table("tables/open/all_pairs.csv").iloc[0].to_dict()
    counts = delimited.read_table("tables/table1_summary.csv").set_index(["comparison", "alpha"])
    parsing = counts.loc[("Mate-Redshift", "0.05")].to_dict()
    printed = counts.loc[("MIMICK-Char→Tag", "0.05")]
    two, leader = committed.both_systems("MIMICK-Char→Tag")
    table3 = committed.printed("dror2017", "table3").query("`p-value` <= 0.05")
    matrix = "open/all_pairs_parsers"
    behind = verdicts.share(table3["MIMICK"] < table3["Char→Tag"])
    far, beside = committed.far_below(matrix, True), committed.beside(matrix, True)
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
    return environment.from_string(template).render(
        totals=totals,
        audited=audited(),
        exact=exact,
        simulated=simulated,
        pairs=pairs,
        parsing=parsing,
        printed=f"{printed['k_fisher']} of {printed['datasets']}",
        two=two,
        leader=leader,
        far_places=int(pairs["systems"]) // 2,
        most=behind.in_place_of("most"),
        most_far=verdicts.share(far.min()).in_place_of("most"),
        few=verdicts.share(beside.mean()).in_place_of("few"),
        parts=parts,
        labels=labels,
    )
