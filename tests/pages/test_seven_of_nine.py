"""The page "7 of 9?": it reads what people paste, and says what the library says."""

import json
import re
import shutil
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from browsing import DESK, PHONE
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

import replicability as rep
from analysis import paths
from replicability.forensics import mcnemar_range
from replicability.stats import paired, partial_conjunction

sys.path.insert(0, str(paths.ROOT / "book"))
import seven_of_nine

sys.path.remove(str(paths.ROOT / "book"))

NODE = shutil.which("node")
MOST_BYTES = 60_000
READ = "const x = require(process.argv[1]), given = JSON.parse(require('fs').readFileSync(0));"
FEW, MANY = 150, 10_000


@pytest.fixture(scope="session")
def node(tmp_path_factory):
    """Return a function that runs a program with the functions `x` of the page on `given`."""
    if NODE is None:
        pytest.skip("no node to run the page's JavaScript with")
    file = tmp_path_factory.mktemp("page") / "page.js"
    file.write_text(seven_of_nine.script(seven_of_nine.EXPORTED), encoding="utf-8")

    def run(program, given=None):
        code = f"{READ} let result; {program}; process.stdout.write(JSON.stringify(result));"
        call = [NODE, "-e", code, str(file)]
        found = subprocess.run(
            call, input=json.dumps(given), capture_output=True, text=True, check=False
        )
        assert found.returncode == 0, found.stderr
        return json.loads(found.stdout)

    return run


# --- the library's audit ---


def drawn(rng):
    """Draw a table as papers print them: digits, percentages, zeros, misprints, all sides."""
    n_datasets = int(rng.integers(1, 12))
    n = rng.integers(20, 300, n_datasets)
    digits, percent = int(rng.integers(2, 5)), bool(rng.random() < 0.4)
    side = rng.choice(["greater", "two-sided"])
    form = rng.choice(paired.VARIANTS)
    cells = {"a": [], "b": [], "p": []}
    for size in n:
        wins, losses = rng.multinomial(size, [0.15, rng.choice([0.03, 0.1, 0.15]), 0.7, 0.1])[:2]
        both = rng.binomial(size - wins - losses, 0.8)
        p = paired.mcnemar_pvalues(wins, losses, variant=form, alternative=side)
        if rng.random() < 0.1:
            p = rng.random()
        for name, count in (("a", wins + both), ("b", losses + both)):
            share = count / size + (rng.random() < 0.05) * 0.004
            share = min(share, 1.0)
            cells[name].append(
                f"{100 * share:.{digits - 2}f}" if percent else f"{share:.{digits}f}"
            )
        cut = 10 ** int(rng.integers(3, 6))
        cells["p"].append(str(np.floor(p * cut) / cut) if rng.random() < 0.3 else f"{p:.4f}")
        if rng.random() < 0.1:
            cells["p"][-1] = f"<{rng.choice([0.05, 0.01, 0.001])}"
    asked = {
        "alpha": float(rng.choice([0.05, 0.01, 0.1])),
        "sided": str(rng.choice(["unknown", "one", "two"])),
        "dependence": str(rng.choice(["dependent", "positive", "independent"])),
        "claimed": int(rng.integers(0, n_datasets + 1)),
        "test": str(rng.choice(["", "mcnemar"])),
    }
    marked = [bool(mark) for mark in rng.random(n_datasets) < 0.4]
    names = [f"d{i}" for i in range(n_datasets)]
    return {"names": names, "systems": ["ours", "base"], **cells, **asked} | {
        "n": [int(size) for size in n],
        "marked": marked,
    }


def by_the_library(table):
    """Return what `rep.audit` says of a table."""
    frame = pd.DataFrame(
        {"dataset": table["names"], "ours": table["a"], "base": table["b"], "p": table["p"]}
        | {"n": [str(n) for n in table["n"]], "stars": ["*" * mark for mark in table["marked"]]}
    )
    keys = ("alpha", "sided", "dependence", "claimed")
    asked = {key: table[key] for key in keys} | {"test": table["test"] or None}
    found = rep.audit(frame, scores=["ours", "base"], items="n", stars="stars", **asked)
    verdicts = sorted(
        (v.published, v.verdict)
        for v in found.verdicts
        if v.verdict in ("contradicted", "impossible", "depends on the reading")
        and not v.claim.startswith("datasets marked as significant")
    )
    marks = [
        v.verdict for v in found.verdicts if v.claim.startswith("datasets marked as significant")
    ]
    return {
        "k": found.supports.k,
        "sentence": found.supports.to_dict()["sentences"][0],
        "group": found.supports.bounds({"g": table["names"][::2]})["g"],
        "both": [[b.differ, b.a, b.b] for b in found.both.bounds.values()],
        "verdicts": [list(v) for v in verdicts],
        "marks": "contradicted" in marks,
    }


AUDIT = """result = given.map(table => {
  const found = x.audit(table), marks = v => v.cell === "marked datasets";
  return {
    k: found.supports.k, sentence: x.sentence({ ...table, supports: found.supports }),
    group: x.inGroup(
      found.evidence, table.names.map((_, i) => i % 2 === 0), table.alpha, table.dependence),
    both: found.both.map(({ differ, a, b }) => [differ, a, b]),
    verdicts: found.verdicts.filter(v => v.verdict !== "cannot be checked" && !marks(v))
      .map(v => [v.printed, v.verdict]).sort(),
    marks: found.verdicts.some(marks),
  };
})"""


@pytest.mark.parametrize(
    "number", [FEW, pytest.param(MANY, marks=pytest.mark.long)], ids=["few", "many"]
)
def test_what_it_says_of_a_table_is_what_the_library_says(number, node):
    rng = np.random.default_rng(number)
    tables = [drawn(rng) for _ in range(number)]
    for table, found in zip(tables, node(AUDIT, tables), strict=True):
        expected = by_the_library(table)
        assert {**found, "verdicts": sorted(found["verdicts"])} == expected, json.dumps(table)


# --- stars ---

STARS = """result = given.map(({ a, b, marked, levels, p, ...asked }) => {
  const table = { ...asked, a, b, p: null, n: null, levels };
  const found = x.audit({ ...table, marked }), { least, most } = found.range ?? {};
  const known = x.audit({ ...table, p, marked: null }).supports.k;
  return { k: found.supports.k, least: least ?? found.supports.k, most: most ?? null, known };
})"""


def starred(rng):
    """Return a table with stars, and p-values that agree with them."""
    n_datasets, levels = int(rng.integers(1, 9)), [0.05, 0.01, 0.001][: int(rng.integers(1, 4))]
    p = [1e-6, *rng.choice([1e-6, 5e-4, 4e-3, 0.02, 0.3], n_datasets - 1)]
    ahead = rng.random(n_datasets) < 0.8
    return {
        "names": [f"d{i}" for i in range(n_datasets)],
        "systems": ["ours", "base"],
        "a": ["81.0" if lead else "79.0" for lead in ahead],
        "b": ["80.0"] * n_datasets,
        "marked": [int(sum(one <= level for level in levels)) for one in p],
        "p": [f"{one:.6f}" for one in p],
        "levels": levels,
        "alpha": 0.05,
        "sided": str(rng.choice(["unknown", "two"])),
        "dependence": str(rng.choice(["dependent", "positive", "independent"])),
    }


def test_stars_support_what_the_p_values_support_at_their_levels(node):
    rng = np.random.default_rng(5)
    tables = [starred(rng) for _ in range(200)]
    for table, found in zip(tables, node(STARS, tables), strict=True):
        level = [([1.0] + table["levels"])[mark] for mark in table["marked"]]
        halved = 2 if table["sided"] == "two" else 1
        p = [
            x / halved if mark and float(a) > 80 else 1.0
            for x, mark, a in zip(level, table["marked"], table["a"], strict=True)
        ]
        k = rep.count(p, dependence=table["dependence"]).k
        assert found["k"] == found["least"] == k, json.dumps(table)
        assert k <= found["known"], json.dumps(table)
        if found["most"] is not None:
            assert found["known"] <= found["most"], json.dumps(table)


def test_stars_at_one_level_are_read_as_the_library_reads_them(node):
    rng = np.random.default_rng(6)
    tables = [starred(rng) | {"levels": [0.05]} for _ in range(40)]
    for table, found in zip(tables, node(STARS, tables), strict=True):
        frame = pd.DataFrame({"dataset": table["names"], "ours": table["a"], "base": table["b"]})
        frame["stars"] = ["*" * mark for mark in table["marked"]]
        asked = {key: table[key] for key in ("sided", "dependence")}
        expected = rep.audit(frame, scores=["ours", "base"], stars="stars", **asked)
        assert found["k"] == expected.supports.k, json.dumps(table)


@pytest.mark.parametrize(
    "claim, marked, of",
    [
        ("A outperforms B on 7 of 9 datasets (p < .05)", 7, 9),
        ("better on seven of the nine datasets", 7, 9),
        ("7/9", 7, 9),
        ("significant in 12 out of 12 tasks", 12, 12),
        ("on 0 of 4", 0, 4),
    ],
)
def test_a_claim_is_a_table_of_stars(claim, marked, of, node):
    found = node("result = x.readTable(given)", claim)
    assert found["kind"] == "claim" and len(found["columns"][0]) == of
    assert found["columns"][1].count("*") == marked


@pytest.mark.parametrize(
    "text", ["9 of 7 datasets", "0.3/0.5", "news 1 of 1.5", "p of 3", "on 3 of 0"]
)
def test_other_lines_are_no_claims(text, node):
    assert node("try { result = x.readTable(given).kind } catch { result = null }", text) != "claim"


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Model,RTE,MRPC\nBase,70,88\nNew,86,91\n", True),
        (",RTE,MRPC,CoLA\nBase,70,88,60\nNew,86,91,68\n", True),
        (",RTE,MRPC,CoLA,SST\nBase,70,88,60,90\nNew,86,91,68,91\np,.01,.2,.3,.04\n", True),
        ("Dataset,A,B,C\nRTE,70,86,60\nMRPC,88,91,68\n", False),
        ("d,Ours,Base,p,n\nRTE,70,86,.01,200\nMRPC,88,91,.4,300\n", False),
        ("d,Ours,Base\nRTE,70,86\nMRPC,88,91\nCoLA,61,60\n", False),
    ],
)
def test_systems_in_rows_are_recognised(text, expected, node):
    assert node("result = x.sideways(x.readTable(given))", text) is expected


# --- what people paste ---

SAME = (["News wire", "Mail", "WMT 19"], ["91.2", "85.0", "88.1"], ["87.4", "86.2", "88.0"])
PVALUES = ["<.001", "0.041", "0.3"]
TABLES = {
    "CSV": """Dataset,Ours,Base,p-value
"News wire",91.2,87.4,p < .001
Mail,85.0,86.2,0.041
WMT 19,88.1,88.0,0.3
""",
    "semicolons and decimal commas": """Dataset;Ours;Base;p-value
News wire;91,2;87,4;<,001
Mail;85,0;86,2;0,041
WMT 19;88,1;88,0;0,3
""",
    "TSV": """Dataset\tOurs\tBase\tp-value
News wire\t91.2 ± 0.3\t87.4 (0.2)\t< .001
Mail\t85.0\t86.2\t= 0.041
WMT 19\t88.1\t88.0\t0.3
""",
    "Markdown": """| Dataset | Ours | Base | p-value |
|:--|--:|--:|---|
| News wire | **91.2** | 87.4 | < .001 |
| Mail | 85.0 | __86.2__ | 0.041* |
| WMT 19 | 88.1 | 88.0 | 0.3 |
""",
    "LaTeX": r"""\begin{tabular}{lrrr} % scores
\toprule
Dataset & Ours & Base & $p$-value \\ \midrule
News wire & \textbf{91.2}$^{**}$ & 87.4 & $<$.001 \\
Mail & 85.0 & \textbf{86.2} & 0.041 \\[2pt]
WMT 19 & 88.1 & 88.0 & 0.3 \\ \bottomrule
\end{tabular}""",
    "LaTeX with its caption": r"""\begin{table*}[t]
\caption{Accuracy. \textbf{Bold}: best; $^\dagger$: $p<.05$ \& better.}
\begin{tabular}{@{}l*{2}{r}>{\itshape}r@{}}
\multirow{2}{*}{Dataset} & \multicolumn{2}{c}{} & \\ \cmidrule(lr){2-3}
 & Ours & Base & $p$-value \\ \midrule
\multicolumn{4}{l}{\emph{In domain}} \\
News wire & \textbf{91.2} & 87.4 & $<$.001 \\
Mail & 85.0 & \textbf{86.2} & 0.041 \\
WMT 19 & 88.1 & 88.0 & 0.3 \\ \midrule
Average & 88.1 & 87.2 & -- \\ \bottomrule
\end{tabular}
\label{tab:a&b}
\end{table*}""",
    "text of a PDF": """Dataset Ours Base p-value
News wire 91.2 87.4 < .001
Mail 85.0 ± 0.3 86.2 ± 0.4 0.041 *
WMT 19 88.1 88.0 0.3
""",
    "a caption from a PDF": """Table 3: Accuracy on our test sets, and p-values
of McNemar's test in 2019
Dataset Ours Base p-value
News wire 91.2 87.4 < .001
Mail 85.0 86.2 0.041
WMT 19 88.1 88.0 0.3
Numbers in bold are the best.
""",
}


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
def test_one_table_is_read_from_all_that_people_paste(text, node):
    read, roles = node("const t = x.readTable(given); result = [t, x.guessed(t)]", text)
    assert roles == ["name", "a", "b", "p"]
    assert read["columns"] == [*map(list, SAME), PVALUES]
    assert read["headers"] == ["Dataset", "Ours", "Base", "p-value"]


@pytest.mark.parametrize("text", ["0.01\n0.02\n0.3", "0.01 0.02 .3", "0.01, 0.02, 0.3"])
def test_only_pvalues_are_read(text, node):
    read = node("result = x.readTable(given)", text)
    assert [float(p) for p in read["columns"][1]] == [0.01, 0.02, 0.3]


def test_two_lines_of_headers_are_joined(node):
    text = r"""& \multicolumn{2}{c}{Ours} & Base \\ Task & dev & test & test \\
a & 1 & 2 & 3 \\ b & 4 & 5 & 6 \\"""
    assert node("result = x.readTable(given).headers", text) == [
        *("Task", "Ours dev", "Ours test", "Base test"),
    ]


@pytest.mark.parametrize("name", ["Average", "Avg.", "macro-average", "Mean (9)", "ALL", "Total"])
def test_an_average_is_no_dataset(name, node):
    rows = f"d,Ours,Base\nnews,91,90\nmail,85,80\n{name},88,85\nAll about law,70,60\n"
    read = node("result = x.readTable(given)", rows)
    assert read["columns"][0] == ["news", "mail", "All about law"]
    assert read["summed"] == [name]


def test_a_table_with_datasets_as_columns_is_turned(node):
    text = "System,news,mail,law\nBaseline,80,81,82\nOurs,85,86,87\np-value,.01,.02,.03\n"
    read, roles = node("const t = x.readTable(given, true); result = [t, x.guessed(t)]", text)
    assert read["columns"][0] == ["news", "mail", "law"]
    assert roles == ["name", "b", "a", "p"]


@pytest.mark.parametrize(
    ("cell", "text", "marks"),
    [
        ("91.2**", "91.2", "**"),
        ("**91.2**", "91.2", ""),
        ("\\underline{.5}$^\\dagger$", ".5", "†"),
        ("1.2 × 10^-5", "1.2e-5", ""),
        ("$1.2\\times10^{-5}$", "1.2e-5", ""),
        ("1,234", "1,234", ""),
        ("0,912", "0.912", ""),
        ("−3.5", "-3.5", ""),
        ("≤0.01", "<0.01", ""),
        ("p = .03", ".03", ""),
        ("91.2 %", "91.2%", ""),
        ("91.2\\%", "91.2%", ""),
        ("n.s.", "n.s.", ""),
        ("***", "***", "***"),
    ],
)
def test_cells_are_read_as_they_are_printed(cell, text, marks, node):
    assert node("result = x.cleaned(given)", cell) == {"text": text, "marks": marks}


REFUSED = {
    "": "Paste a table",
    "one word": "Paste|numbers|one column|nothing",
    "a,b,c\n1,2\n": "Line 2 has 2 entries, but other lines have 3",
    "name,p\n": "one column|read",
    "d,A,B\nMean,1,2\nAverage,1,2\nAll,1,2\n": "only averages",
}


@pytest.mark.parametrize(("text", "message"), REFUSED.items())
def test_what_cannot_be_read_gets_a_sentence(text, message, node):
    program = "try { x.readTable(given); result = 'read' } catch (e) { result = e.message }"
    found = node(program, text)
    assert found == "read" or re.search(message, found)


@settings(max_examples=4, deadline=None)
@given(
    st.lists(st.text(st.sampled_from('ab.,;|\t\n01 9&\\\\{}$%*<>±"-e')), min_size=40, max_size=40)
)
def test_no_text_makes_it_fail_without_a_sentence(texts):
    program = """result = given.map(text => {
      try { const t = x.readTable(text); return x.guessed(t).length === t.headers.length; }
      catch (e) { return e.constructor.name; }
    })"""
    file = paths.ROOT / "results" / "seven_of_nine.test.js"
    file.parent.mkdir(exist_ok=True)
    file.write_text(seven_of_nine.script(seven_of_nine.EXPORTED), encoding="utf-8")
    if NODE is None:
        pytest.skip("no node to run the page's JavaScript with")
    code = f"{READ} let result; {program}; process.stdout.write(JSON.stringify(result));"
    call = [NODE, "-e", code, str(file)]
    found = subprocess.run(call, input=json.dumps(texts), capture_output=True, text=True)
    file.unlink()
    assert found.returncode == 0, found.stderr
    assert set(json.loads(found.stdout)) <= {True, "Refused"}


# --- the parts against the library and scipy ---


def test_mcnemar_is_that_of_the_library(node):
    pairs = [(w, el) for w in range(0, 40, 3) for el in range(0, 40, 4)]
    pairs += [(700, 650), (1200, 1100), (30, 2), (5000, 4800)]
    for form in paired.VARIANTS:
        for side in ("greater", "less", "two-sided"):
            program = f"result = given.map(([w, l]) => x.mcnemar('{form}', '{side}', w, l))"
            found = np.array(node(program, pairs))
            wins, losses = np.array(pairs).T
            expected = paired.mcnemar_pvalues(wins, losses, variant=form, alternative=side)
            np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_accuracies_alone_bound_the_count(node):
    rng = np.random.default_rng(5)
    for _ in range(20):
        n = [int(size) for size in rng.integers(20, 120, 5)]
        a, b = ([f"{rng.integers(0.5 * m, m) / m:.3f}" for m in n] for _ in "ab")
        given = {"a": a, "b": b, "n": n, "alpha": 0.05, "dependence": "dependent"}
        found = node("result = x.bounds(given)", given)
        ranges = [
            mcnemar_range(*row, 0.001, ["exact"], ["greater"])["p_value"]
            for row in zip(a, b, n, strict=True)
        ]
        for name, end in (("least", max), ("most", min)):
            p = [end(values) for values in ranges]
            assert found["ends"][name] == pytest.approx(p, rel=1e-10)
            assert found[name] == partial_conjunction.estimate(p, 0.05, "bonferroni")


@pytest.mark.parametrize(
    ("a", "said"),
    [
        (["90", "91", "60"], "Ours outperforms Base on at least 2 of 3 datasets, whichever items"),
        (["70", "69", "60"], "Ours scores higher than Base on 2 of 3 datasets. The table does not"),
        (["60", "61", "60"], "There is no evidence that Ours is better than Base on any dataset"),
    ],
    ids=["some", "open", "none"],
)
def test_accuracies_alone_have_a_sentence_to_write_and_three_not_to(a, said, node):
    given = {"a": a, "b": ["60", "60", "60"], "n": [100, 100, 100], "names": ["x", "y", "z"]}
    given |= {"systems": ["Ours", "Base"], "alpha": 0.05, "dependence": "dependent"}
    found = node(
        """const { range, leads } = x.audit(given);
        result = {
          least: range.least, written: x.sentenceOfAccuracies({ ...given, range, leads }),
          not: x.misreadings({ ...given, leads, p: null, small: 0, supports: { k: range.least } }),
        }""",
        given,
    )
    assert found["written"].startswith(said)
    assert (f"at least {found['least']} of 3" in found["written"]) == (found["least"] > 0)
    assert len(found["not"]) == 3
    assert all("p-value" not in reason for _, reason in found["not"])


@pytest.mark.parametrize("rho", [0, 0.1, 0.5, 0.9, 1])
def test_luck_is_that_of_correlated_normal_scores(rho, node):
    found = node(
        "result = given.map(k => x.luck(9, k, 0.05, given_rho))".replace("given_rho", str(rho)),
        list(range(10)),
    )
    z = stats.norm.isf(0.05)

    def density(y, k):
        q = stats.norm.sf((z - np.sqrt(rho) * y) / np.sqrt(1 - rho))
        return stats.norm.pdf(y) * stats.binom.sf(k - 1, 9, q)

    for k, chance in enumerate(found):
        expected = 0.05 if k else 1.0
        if rho < 1:
            expected = integrate.quad(density, -9, 9, args=(k,), epsabs=1e-12, limit=500)[0]
        assert chance == pytest.approx(expected, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("layout", ["wide", "long", "lines"])
def test_a_file_of_items_gives_what_compare_gives(binary, layout, node):
    rng = np.random.default_rng(3)
    sizes = {"news": 60, "law": 40, "talks": 90}
    frame = pd.DataFrame(
        [(name, f"{name}{i}") for name, n in sizes.items() for i in range(n)],
        columns=["dataset", "id"],
    )
    for name, level in (("ours", 0.75), ("base", 0.5)):
        draws = rng.random(len(frame)) ** (0.5 / level)
        frame[name] = (draws > 0.5).astype(int) if binary else draws.round(2)
    test = "mcnemar" if binary else "sign_flip"
    result = rep.compare(frame, a="ours", b="base", instance="id", test=test)
    long = frame.melt(["dataset", "id"], ["ours", "base"], var_name="system", value_name="score")
    text = {
        "wide": frame.to_csv(index=False),
        "long": long.to_csv(index=False),
        "lines": frame.to_json(orient="records", lines=True),
    }[layout]
    read, tested = node("const i = x.readItems(given); result = [i, x.testItems(i)]", text)
    assert read["systems"] == ["ours", "base"]
    table = result.table.set_index("dataset").loc[[one["name"] for one in tested]]
    assert [one["p"] for one in tested] == pytest.approx(table["p_value"].tolist(), rel=1e-9)
    p = [one["p"] for one in tested]
    expected = rep.count(dict(zip(sizes, p, strict=True)), a="ours", b="base")
    program = """result = [x.supported(given, 0.05, "dependent"),
      x.inGroup(given, [true, false, true], 0.05, "dependent")]"""
    found, inside = node(program, p)
    assert found["k"] == expected.k
    names = [name for name, sure in zip(sizes, found["named"], strict=True) if sure]
    assert names == expected.named
    assert inside == expected.bounds({"ends": ["news", "talks"]})["ends"]


def test_two_hundred_files_of_items_give_what_compare_gives(node):
    """Random files of right or wrong and of decimals, with ties and uneven sizes."""
    rng = np.random.default_rng(11)
    files = []
    for i in range(200):
        sizes, binary = rng.integers(6, 40, int(rng.integers(1, 5))), i % 2
        frame = pd.DataFrame(
            [(f"d{j}", f"{j}-{item}") for j, n in enumerate(sizes) for item in range(n)],
            columns=["dataset", "id"],
        )
        shift = rng.random() * 0.4
        for name, more in (("ours", shift), ("base", 0)):
            draws = rng.random(len(frame))
            frame[name] = (draws < 0.4 + more).astype(int) if binary else (draws + more).round(2)
        files.append(frame)
    program = "result = given.map(text => x.testItems(x.readItems(text)).map(({ p }) => p))"
    for frame, found in zip(
        files, node(program, [f.to_csv(index=False) for f in files]), strict=True
    ):
        for (_, part), p in zip(frame.groupby("dataset"), found, strict=True):
            a, b = part["ours"].to_numpy(), part["base"].to_numpy()
            if set(a) | set(b) <= {0, 1}:
                wins, losses = int((a > b).sum()), int((a < b).sum())
                expected = (
                    stats.binomtest(wins, wins + losses, alternative="greater").pvalue
                    if wins + losses
                    else 1.0
                )
            else:
                steps = np.rint((a - b) * 100).astype(int)
                law = np.zeros(2 * abs(steps).sum() + 1)
                law[0] = 1
                for step in abs(steps):  # of the sum of the positive values
                    law = (law + np.roll(law, step)) / 2
                expected = law[int(steps[steps > 0].sum()) :][: abs(steps).sum() + 1].sum()
            assert p == pytest.approx(expected, rel=1e-9), part


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dataset,id,ours\nx,1,1\n", "1 columns hold scores"),
        ("dataset,id,ours,base\nx,1,1,0\nx,1,0,0\n", "occurs twice in x"),
        ("id,system,score\n1,a,1\n1,b,0\n2,a,1\n", "b has no score for item 2"),
        ("id,system,score\n1,a,1\n1,b,0\n1,c,1\n", "names 3 systems"),
        ('{"id": 1}\nnot json\n', "Line 2 is not a JSON object"),
        ("", "The file is empty"),
    ],
)
def test_files_that_cannot_be_tested(text, message, node):
    program = "try { result = x.readItems(given) } catch (e) { result = e.message }"
    assert message in node(program, text)


# --- the page ---


def test_the_script_is_small_and_asks_for_nothing():
    text = seven_of_nine.script()
    assert len(text.encode()) < MOST_BYTES
    assert not re.search(r"fetch\(|XMLHttp|import |require\(|WebSocket|sendBeacon", text)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text)
    assert not re.search("</|<!--", text.replace("</text>", "").replace("</svg>", ""))
    page = seven_of_nine.page()
    assert re.findall(r"(?:src|href)=\"(http[^\"]*)", page) == [
        "https://doi.org/10.1162/tacl_a_00074"
    ]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    return seven_of_nine.write(tmp_path_factory.mktemp("page") / "seven_of_nine.html").as_uri()


def text_of(browser, element):
    return browser.evaluate(f"document.getElementById('{element}').textContent")


def typed(browser, text):
    browser.evaluate(
        f"(e => {{ e.value = {json.dumps(text)}; e.dispatchEvent(new Event('input')) }})"
        "(document.getElementById('text'))"
    )


@pytest.mark.long
def test_three_pasted_tables_get_their_answers(browser, address):
    browser.show(DESK)
    browser.visit(address)
    assert browser.requests() == [address] and browser.errors() == []
    assert "Ours is better on at least 3 of 9 datasets" in text_of(browser, "answer")
    typed(browser, TABLES["LaTeX"])
    assert "at least 1 of 3 datasets (95% confidence), namely News wire" in text_of(
        browser, "answer"
    )
    typed(browser, "| Task | Base | Ours | n |\n|--|--|--|--|\n| x | 60 | 70 | 100 |\n")
    assert "a lower bound between 0 and 1 of 1" in text_of(browser, "answer")
    assert "Ours scores higher than Base on the only dataset" in text_of(browser, "sentence")
    assert browser.evaluate("document.querySelectorAll('#misread li').length") == 3
    typed(browser, "news,0.7895,0.760,0.21,500\nmail,.85,.80,.001,500\n")
    typed(browser, "d,Ours,Base,p,n\nnews,0.7895,0.760,0.21,500\nmail,0.85,0.80,0.001,500\n")
    assert "No whole number of 500 items gives 0.7895" in text_of(browser, "verdicts")
    typed(browser, "d,Ours,Base\nnews,79.1*,76.0\nmail,85,80\n")
    assert "Stars alone support a lower bound between 0 and 1 of 2" in text_of(browser, "answer")
    typed(browser, "A is better on seven of the nine datasets (p < .05)")
    assert "The number alone supports a lower bound between 0 and 7 of 9 datasets" in text_of(
        browser, "answer"
    )
    typed(
        browser,
        "Model & RTE & MRPC & Avg \\\\ Base & 70 & 88 & 79 \\\\ New & 86 & 91 & 88",
    )
    assert "New scores higher than Base on 2 of 2 datasets" in text_of(browser, "sentence")
    typed(browser, "nothing")
    assert text_of(browser, "wrong") and not text_of(browser, "answer")
    assert browser.evaluate("document.getElementById('found').hidden")
    assert browser.errors() == []


@pytest.mark.long
def test_what_is_pasted_takes_the_place_of_an_example(browser, address):
    browser.show(DESK)
    browser.visit(address)
    pasted = "e => { e.dispatchEvent(new ClipboardEvent('paste')) }"
    own = "d,Ours,Base,p\nnews,91,80,.001\n"
    browser.evaluate(f"(e => {{ e.focus(); ({pasted})(e) }})(document.getElementById('text'))")
    browser.send("Input.insertText", text=own)
    assert browser.evaluate("document.getElementById('text').value") == own
    browser.evaluate(f"({pasted})(document.getElementById('text'))")
    browser.send("Input.insertText", text="mail,92,81,.002\n")
    assert "all 2 datasets" in text_of(browser, "answer")


@pytest.mark.long
def test_a_link_brings_the_table_back(browser, address):
    browser.show(DESK)
    browser.visit(address)
    typed(browser, TABLES["Markdown"])
    browser.evaluate(
        "(e => { e.value = 'independent'; e.dispatchEvent(new Event('input')) })"
        "(document.getElementById('dependence'))"
    )
    said, link = text_of(browser, "sentence"), browser.evaluate("location.href")
    browser.visit("about:blank")
    browser.visit(link)
    assert text_of(browser, "sentence") == said and "Fisher" in said
    card = browser.evaluate("document.getElementById('card').href")
    assert card.startswith("data:image/svg+xml,")


@pytest.mark.long
def test_a_group_is_chosen_by_the_keyboard(browser, address):
    browser.show(DESK)
    browser.visit(address)
    browser.evaluate("document.querySelector('#squares button').focus()")
    key = {"key": " ", "code": "Space", "windowsVirtualKeyCode": 32, "text": " "}
    for kind in ("keyDown", "keyUp"):
        browser.send("Input.dispatchKeyEvent", type=kind, **key)
    pressed = "document.activeElement.getAttribute('aria-pressed')"
    assert browser.evaluate(pressed) == "true"
    assert text_of(browser, "group").startswith(
        "Of the 1 selected datasets, Ours is better on at least 1 "
    )


@pytest.mark.long
@pytest.mark.parametrize("width", [DESK, PHONE])
def test_nothing_is_cut_and_all_is_labelled(browser, address, width):
    browser.show(width)
    browser.visit(address)
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert browser.evaluate(wide) <= 0
    unnamed = """[...document.querySelectorAll("input, select, textarea, button, a")].filter(
      e => !e.hidden && !e.labels?.length && !e.textContent.trim() && !e.ariaLabel).length"""
    assert browser.evaluate(unnamed) == 0
