"""The numbers typed from the papers: complete, readable, and as printed."""

import re
import unicodedata
from pathlib import Path

import pytest

from analysis import paths, published
from replicability import forensics

TEXTS = {
    "dror2017": "dror2017_tacl.txt",
    "gorman2019": "gorman2019_acl.txt",
    "sogaard2014": "sogaard2014_conll.txt",
}
ROWS = {
    "cited": {"conll_languages": 23, "domain_adaptation": 12, "numbers": 14},
    "dau2019": {"sizes": 128},
    "dror2017": {
        "dataset_sizes": 24,
        "footnote13": 3,
        "section3_2": 4,
        "section5": 14,
        "section6_1": 21,
        "section6_2": 4,
        "section6_3": 3,
        "section6_3_text": 36,
        "sections1_to_3": 9,
        "supplement": 31,
        "table1": 7,
        "table2": 7,
        "table3": 23,
        "table4": 12,
        "table5": 12,
    },
    "gorman2019": {"table1": 6, "table2": 6, "table3": 5, "table4": 7, "text": 32},
    "jimenez2024": {"bash_only": 31},
    "sogaard2014": {
        "named_datasets": 6,
        "section3_toy_examples": 25,
        "section4": 18,
        "table1": 11,
        "table2": 10,
        "table3": 6,
        "table4": 5,
        "text": 50,
    },
    "kocmi2024": {"autorank": 244, "human_ranking": 149, "text": 7},
    "patil2025": {"scores": 852},
    "suzgun2023": {"eval_metrics": 27, "named": 2, "table2": 9, "table3": 26, "text": 25},
    "wang2024": {"leaderboard": 17, "text": 5},
    "zeman2017": {"scores": 48},
    "zeman2018": {"ranking": 26, "scores": 1716},
}
ITEMS = [(paper, item) for paper, items in ROWS.items() for item in items]
FIGURES = [
    (paper, item)
    for paper, item in ITEMS
    if "claim" in published.read_published(paper, item).columns
]
WHOLE_LINES = [
    ("dror2017", "table3", ["MIMICK", "Char→Tag", "p-value"]),
    ("dror2017", "table4", ["AE-SCL-SR", "MSDA", "p-value"]),
    ("dror2017", "table5", ["W2V", "GLOVE", "p-val."]),
    ("gorman2019", "table1", ["sentences", "tokens"]),
    ("gorman2019", "table2", slice(1, None)),
    ("gorman2019", "table3", ["second", "PTB", "ON"]),
    ("gorman2019", "table4", slice(0, None)),
    ("sogaard2014", "table1", ["domain", "words"]),
    ("sogaard2014", "table2", slice(0, None)),
    ("sogaard2014", "table3", slice(0, None)),
    ("sogaard2014", "table4", slice(0, None)),
]
KINDS = {
    "setting",
    "estimate",
    "p-value",
    "accuracy",
    "count",
    "difference",
    "interval",
    "probability",
}
NUMBER = re.compile(r"[<>~]?(-?[\d.,]*\d(?:e-?\d+)?)(?:[/-](\d+))?")
KEYS = {"section", "example", "table", "alpha", "claim", "quantity", "source"}
WORDS = {
    "1": "one",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "10": "ten",
    "11": "eleven",
    "12": "twelve",
    "13": "thirteen",
    "14": "fourteen",
    "15": "fifteen",
    "16": "sixteen",
    "17": "seventeen",
    "18": "eighteen",
    "19": "nineteen",
    "20": "twenty",
}
NOT_PRINTED = {
    ("dror2017", "supplement"): "in the second author's script; test_authors_code.py",
    ("cited", "conll_languages"): "in the sources named there",
    ("cited", "domain_adaptation"): "in the source named there",
    ("cited", "numbers"): "in the sources named there",
    (
        "kocmi2024",
        "autorank",
    ): "in the task's repository; test_leaderboards_translation.py",
    ("kocmi2024", "human_ranking"): "in the task's repository",
    ("kocmi2024", "text"): "in the paper and the task's repository",
    ("wang2024", "leaderboard"): "in the README; test_leaderboards_mmlu_pro.py compares them",
    ("wang2024", "text"): "in the README and on the card of the dataset",
    ("dror2017", "dataset_sizes"): "pairs are counted in the datasets; the paper does not say them",
    (
        "patil2025",
        "scores",
    ): "in the raw files; test_leaderboards_function_calling.py compares them",
    (
        "zeman2017",
        "scores",
    ): "on the results pages; test_official_scores.py compares them",
    (
        "zeman2018",
        "scores",
    ): "on the results pages; test_official_scores.py compares them",
    ("zeman2018", "ranking"): "on the results pages",
    ("dau2019", "sizes"): "in the archive; test_leaderboards_time_series.py compares them",
    (
        "jimenez2024",
        "bash_only",
    ): "on the leaderboard; test_leaderboards_swe_bench.py compares them",
} | {
    ("suzgun2023", item): "in the preprint; test_leaderboards_big_bench_hard.py compares a part"
    for item in ROWS["suzgun2023"]
}
OTHER_SPELLINGS = {
    ("sogaard2014", "text", "1/2"): ("half", "more than half is printed in words"),
    ("gorman2019", "text", "2/6"): ("two of six", "printed in words"),
    ("gorman2019", "text", "1"): ("once", "printed in words"),
    ("dror2017", "section6_1", "42e9"): ("42B", "billions are printed as B"),
}


def numeric_cells(table):
    """Return the cells that hold digits and no word, column by column."""
    return [
        (column, cell)
        for column in table
        for cell in table[column]
        if re.search(r"\d", cell) and not re.search(r"[^\W\de_]", cell)
    ]


def plain(text):
    """Return a text on one line with plain signs and without thousands separators."""
    text = unicodedata.normalize("NFKC", text)
    text = re.sub(r"[\u2010-\u2015\u2212]", "-", text)
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    return re.sub(r"[ \t]+", " ", text)


def spellings(cell):
    """Return how a typed number may be printed."""
    text = cell.lstrip("<>~").replace(",", "")
    mantissa, _, exponent = text.partition("e")
    found = [text]
    if exponent == "-2":
        found += [f"{mantissa}%", f"{mantissa} %", f"{mantissa}%-"]
    elif exponent == "3":
        found.append(f"{mantissa}k")
    if exponent:
        found += [f"{mantissa} · 10{exponent}", *([f"10{exponent}"] if mantissa == "1" else [])]
    if text in WORDS:
        found.append(WORDS[text])
    return found


def occurs(spelling, text):
    before = r"(?<![\d.,])" if spelling[0] in ".0123456789" else r"\b"
    return re.search(f"{before}{re.escape(spelling)}(?![\\d]|[.,]\\d)", text) is not None


@pytest.fixture(scope="module")
def printed(pytestconfig):
    """Return the texts of the papers: paper -> its lines as one plain text."""
    folder = pytestconfig.getoption("--papers")
    if not folder:
        pytest.skip(f"needs a folder with {', '.join(TEXTS.values())}: make test papers=DIR")
    place = paths.Path(folder)
    texts = {p: (place / name).read_text(encoding="utf-8") for p, name in TEXTS.items()}
    return {paper: plain(text) for paper, text in texts.items()}


def test_every_file_is_counted_here():
    found = {(path.parent.name, path.stem) for path in paths.PUBLISHED.rglob("*.csv")}
    assert found == set(ITEMS)


def test_readme_and_files_agree():
    readme = (paths.PUBLISHED.parent / "README.md").read_text(encoding="utf-8")
    listed = set()
    for section in re.split(r"^## ", readme, flags=re.MULTILINE):
        if heading := re.match(r"`published/(\w+)`", section):
            cells = re.findall(r"^\| (`[^|]+\.csv`) \|", section, re.MULTILINE)
            files = re.findall(r"`([^`]+)`", " ".join(cells))
            listed |= {(heading[1], Path(name).stem) for name in files}
            assert len(files) == len(set(files)), heading[1]
    assert listed == set(ITEMS)


@pytest.mark.parametrize(("paper", "item"), ITEMS)
def test_a_file_is_readable_and_complete(paper, item):
    table = published.read_published(paper, item)
    assert len(table) == ROWS[paper][item]
    assert not table.duplicated().any()
    assert table.columns.is_unique
    raw = (paths.PUBLISHED / paper / f"{item}.csv").read_text(encoding="utf-8")
    assert raw.endswith("\n")
    assert "\r" not in raw


@pytest.mark.parametrize(("paper", "item"), ITEMS)
def test_every_number_has_a_precision(paper, item):
    cells = numeric_cells(published.read_published(paper, item))
    assert cells or item in ("named_datasets", "table4", "conll_languages")
    for column, cell in cells:
        match = NUMBER.fullmatch(cell)
        assert match, (column, cell)
        for part in filter(None, match.groups()):
            interval = forensics.printed_interval(part)
            assert interval.low <= interval.value <= interval.high


@pytest.mark.parametrize(("paper", "item"), FIGURES)
def test_a_figure_of_the_text_says_what_it_is(paper, item):
    table = published.read_published(paper, item)
    assert list(table.columns) == ["section", "quantity", "relation", "printed", "claim", "kind"]
    assert set(table["kind"]) <= KINDS
    assert set(table["relation"]) <= {"", "<", ">", "~"}
    assert not table.duplicated(["section", "quantity"]).any()
    assert (table[["section", "quantity", "printed", "claim"]] != "").all(axis=None)


@pytest.mark.parametrize(("paper", "item"), [item for item in ITEMS if item not in NOT_PRINTED])
def test_every_number_is_printed(printed, paper, item):
    text = re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", printed[paper]).replace("\n", " ")
    table = published.read_published(paper, item)
    lost = [
        (column, cell)
        for column, cell in numeric_cells(table)
        if column not in KEYS - {"alpha"}
        and not any(occurs(way, text) for way in spellings(cell))
        and not occurs(OTHER_SPELLINGS.get((paper, item, cell), (cell,))[0], text)
    ]
    assert not lost


@pytest.mark.parametrize(("paper", "item", "columns"), WHOLE_LINES)
def test_every_row_of_a_table_is_one_printed_line(printed, paper, item, columns):
    table = published.read_published(paper, item)
    table = table.iloc[:, columns] if isinstance(columns, slice) else table[columns]
    lines = [re.sub(r"[(),%]", " ", line).split() for line in printed[paper].splitlines()]
    for row in table.itertuples(index=False):
        cells = [re.sub("e-2$", "", cell.replace(",", "")) for cell in row]
        cells = [re.sub("e3$", "k", cell) for cell in cells]
        assert any(cells == _last(line, cells) for line in lines), row


def test_the_columns_of_the_parsing_table_are_printed_lines(printed):
    table = published.read_published("dror2017", "table2")
    lines = [re.sub(r"[()]", "", line) for line in printed["dror2017"].splitlines()]
    for column in table.columns[1:]:
        cells = [re.sub("^1 · ", "", re.sub("e", " · 10", cell)) for cell in table[column]]
        label = column.replace("p-val", "p-val ").replace("  ", " ").replace("(", "")
        assert f"{label.replace(')', '')} {' '.join(cells)}" in lines


@pytest.mark.parametrize(("paper", "item"), [item for item in FIGURES if item[0] in TEXTS])
def test_claims_are_in_our_own_words(printed, paper, item):
    text = " ".join(re.findall(r"[^\W\d]+", printed[paper].lower()))
    for claim in published.read_published(paper, item)["claim"]:
        words = re.findall(r"[^\W\d]+", claim.lower())
        for start in range(len(words) - 5):
            assert " ".join(words[start : start + 6]) not in text, claim


def test_tables_of_a_paper_agree_on_names():
    sogaard = {n: published.read_published("sogaard2014", f"table{n}") for n in (1, 2, 3, 4)}
    domains = {
        task: list(sogaard[1].loc[sogaard[1][task] == "•", "domain"])
        for task in ("POS", "Dep.", "NER")
    }
    assert sorted(domains["POS"]) == sorted(sogaard[2]["domain"])
    longer = [name.replace("Newsgrs", "Newsgroups") for name in domains["Dep."]]
    assert longer == list(sogaard[3]["domain"])
    assert {header.split()[0] for header in sogaard[4].columns[1:]} < set(domains["Dep."])
    assert domains["NER"] == ["News"]

    gorman = {n: published.read_published("gorman2019", f"table{n}") for n in (2, 3, 4)}
    taggers = list(gorman[2]["tagger"])
    assert taggers == list(gorman[4]["row"][1:])
    assert taggers[:-1] == list(gorman[3]["first"])
    assert taggers[1:] == list(gorman[3]["second"])


def test_every_dataset_of_tables_4_and_5_has_a_size():
    sizes = (
        published.read_published("dror2017", "dataset_sizes")
        .groupby("table")["dataset"]
        .apply(list)
    )
    assert sizes["4"] == list(published.read_published("dror2017", "table4")["setup"])
    assert sizes["5"] == list(published.read_published("dror2017", "table5")["dataset"])


def _last(line, cells):
    """Return as many words of the end of a line as there are cells; a bullet ends no number."""
    words = [word for word in line if word != "•"]
    return words[-len(cells) :]
