import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import yaml
from comparisons import declare

from analysis import paths, published, studies
from analysis.studies import read_study
from replicability import checks
from replicability.io import delimited, pvalues
from replicability.io import study as study_
from replicability.io.declared import OF_BOTH, OF_FOLDS, OF_JUDGED
from replicability.io.host import Host
from replicability.io.study import LEVELS, SECTION, Family
from replicability.stats import paired

HEADER = "dataset,p,a,b\n"
GOOD = HEADER + "one,0.01,80.5,79\ntwo,0.6,70,71\n"


def comparison(file, **changes):
    columns = {"dataset": "dataset", "p_value": "p", "scores": ["a", "b"]}
    usual = {"name": "mine", "section": "sentiment", "dependence": "independent"}
    return declare(**(usual | {"file": str(file), "columns": columns} | changes))


def study(write, text=None, **changes):
    text = (paths.CONFIG / "paper.yaml").read_text(encoding="utf-8") if text is None else text
    for old, new in changes.pop("replace", {}).items():
        assert old in text
        text = text.replace(old, new, 1)
    return write("study.yaml", text)


def test_the_published_study_is_read():
    found = read_study("config/paper.yaml")
    assert found.name == "paper"
    assert [len(pvalues.read_comparison(c)) for c in found.comparisons] == [7, 7, 23, 12, 12]
    assert [c.name for c in found.section("dependency_parsing")] == ["mate_spacy", "mate_redshift"]
    assert found.section("sentiment")[0].systems == ("AE-SCL-SR", "MSDA")


def test_read_comparison(write):
    table = pvalues.read_comparison(comparison(write("t.csv", GOOD)))
    assert list(table.columns) == ["dataset", "p_value", "score_a", "score_b"]
    np.testing.assert_array_equal(table["p_value"], [0.01, 0.6])
    np.testing.assert_array_equal(table["score_a"], [80.5, 70])


def test_a_table_needs_no_scores(write):
    found = comparison(write("t.csv", GOOD), columns={"dataset": "dataset", "p_value": "p"})
    assert list(pvalues.read_comparison(found).columns) == ["dataset", "p_value"]


def test_a_byte_order_mark_windows_lines_and_blanks_are_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(
        b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").replace("0.6,", " 0.6 ,").encode()
    )
    assert pvalues.read_comparison(comparison(path))["p_value"].tolist() == [0.01, 0.6]


def test_the_resolution_raises_smaller_pvalues(write):
    path = write("t.csv", GOOD.replace("0.01", "0"))
    assert pvalues.read_comparison(comparison(path, resolution=1e-5))["p_value"].tolist() == [
        1e-5,
        0.6,
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            GOOD.replace("0.6,", "nan,"),
            r"t\.csv, line 3, column 'p': the value is 'nan', but a p-value",
        ),
        (GOOD.replace("0.6,", "inf,"), r"line 3, column 'p': the value is 'inf'"),
        (GOOD.replace("0.6,", "-0.5,"), r"line 3, column 'p': the value is '-0.5'"),
        (GOOD.replace("0.01", "1.01"), r"line 2, column 'p': the value is '1.01'"),
        (GOOD.replace("0.01", "< .001"), r"line 2, column 'p': the value is '< .001'"),
        (
            GOOD.replace("0.01", ""),
            r"line 2, column 'p': the value is ''.*leave out datasets that have none",
        ),
        (
            GOOD.replace("71", "n/a"),
            r"line 3, column 'b': the value is 'n/a', but a score must be a finite",
        ),
        (
            GOOD.replace("two", "one"),
            r"line 3, column 'dataset': the value is 'one', but each dataset may",
        ),
        (
            GOOD.replace("two", ""),
            r"line 3, column 'dataset': the value is '', but every dataset needs a name",
        ),
        (GOOD.replace("dataset,p", "dataset,q"), r"column 'p' is not one of dataset, q, a, b"),
        (
            GOOD.replace("a,b\n", "a,a\n"),
            r"2 columns are called 'a'; give each its own",
        ),
        (GOOD.replace("0.01", "0.01,7"), r"t\.csv, line 2 has 5 cells, but the header has 4;"),
        (GOOD.replace("\ntwo", "\n\n\ntwo").replace("0.6", "6"), r"line 5, column 'p': the value"),
        (GOOD.replace("0.6,", "0.6%,"), r"line 3, .*; write it without the percent sign"),
        (
            GOOD.replace("two", "One"),
            r"the datasets 'one' and 'One' differ only in case or "
            r"spaces",
        ),
        (HEADER, r"t\.csv has no rows below its headers"),
        ("", r"t\.csv is empty; recreate the file"),
        (GOOD + "three,0.1,1,2,3\n", r"t\.csv, line 4 has 5 cells, but the header has 4"),
        (GOOD + "three,0.1\n", r"t\.csv, line 4 has 2 cells, but the header has 4"),
        (GOOD.replace("0.01", "2").replace("0.6,", "3,"), r"line 2.*; there are 2 errors in all"),
    ],
)
def test_bad_tables_by_message(write, text, message):
    with pytest.raises(checks.InputError, match=message) as caught:
        pvalues.read_comparison(comparison(write("t.csv", text)))
    assert "\n" not in str(caught.value)


def test_a_table_that_is_missing_or_not_text(tmp_path, write):
    write("tabel.csv", GOOD)
    with pytest.raises(
        checks.InputError, match=r"table\.csv does not exist; did you mean 'tabel.csv'"
    ):
        delimited.read_table(tmp_path / "table.csv")
    (tmp_path / "latin.csv").write_bytes("dataset,p\ncafé,0.1\n".encode("latin-1"))
    with pytest.raises(checks.InputError, match=r"latin\.csv, line 2 is not UTF-8 \(byte 0xe9"):
        delimited.read_table(tmp_path / "latin.csv")


@pytest.mark.parametrize(
    ("replace", "message"),
    [
        ({"alphas:": "alphs:"}, r"unknown key 'alphs' in the file; did you mean 'alphas'\?"),
        (
            {"dependence: independent": "dependance: independent"},
            r"unknown key 'dependance' in comparisons\[0\]; did you mean 'dependence'\?",
        ),
        (
            {"p_value: p-val (Mate,S": "pvalue: p-val (Mate,S"},
            r"comparisons\[0\].columns; did you mean 'p_value'",
        ),
        (
            {"alphas: [0.05, 0.01]": "alphas: [0.05, 1.5]"},
            r"alphas\[1\] is 1.5, but a level of significance",
        ),
        ({"alphas: [0.05, 0.01]": "alphas: []"}, r"alphas is \[\], but alphas must be a list"),
        ({"alphas: [0.05, 0.01]": "alphas: 0.05"}, r"alphas is 0.05, but alphas must be a list"),
        (
            {"dependence: independent": "dependence: indep"},
            r"'indep' is not one of independent, positive, dependent",
        ),
        ({"section: sentiment": "section: sentimental"}, r"did you mean 'sentiment'\?"),
        ({"study: paper\n": ""}, r"the key 'study' is missing in the file"),
        (
            {"    dependence: independent\n": ""},
            r"the key 'dependence' is missing in comparisons\[0\]",
        ),
        ({"study: paper": "study: paper\nstudy: other"}, r"line \d+ .*'study' occurs twice"),
        ({"study: paper": "study:\tpaper\n\tx: 1"}, r"line \d+ has a tab"),
        (
            {"study: paper": "study: pa\x07per"},
            r"line \d+ is not valid YAML: the character '\\x07'",
        ),
        (
            {"name: mate_redshift": "name: mate_spacy"},
            r"two comparisons have the name 'mate_spacy'",
        ),
        (
            {"systems: [Mate, SpaCy]": "systems: [Mate]"},
            r"systems is \['Mate'\], but systems must be a list of two",
        ),
        (
            {"n_families: 1000": "n_families: 0"},
            r"toy_simulations.n_families is 0, but the number of families",
        ),
        ({"[33, 0.5]": "[33, 1.5]"}, r"is 1.5, but a correlation must be at least 0"),
        ({"study: paper": "study: [paper"}, r"study\.yaml, line \d+ is not valid YAML"),
    ],
)
def test_bad_studies_by_message(write, replace, message):
    with pytest.raises(checks.InputError, match=message) as caught:
        read_study(study(write, replace=replace))
    assert "\n" not in str(caught.value)


def test_a_study_that_is_missing_or_empty(write):
    with pytest.raises(
        checks.InputError, match=r"config/papr\.yaml does not exist; did you mean 'paper.yaml'"
    ):
        read_study("config/papr.yaml")
    with pytest.raises(checks.InputError, match="is None, but a study must be a mapping from keys"):
        read_study(study(write, ""))


def test_an_unknown_section_paper_or_item_names_the_nearest():
    with pytest.raises(checks.InputError, match="did you mean 'sentiment'"):
        read_study("config/paper.yaml").section("sentiments")
    with pytest.raises(checks.InputError, match="did you mean 'dror2017'"):
        published.read_published("dror2018", "table1")
    with pytest.raises(checks.InputError, match="item of dror2017 'table9' is not one of"):
        published.read_published("dror2017", "table9")


# --- instances and families -----------------------------------------------------------------------

INSTANCES = """
study: mine
alphas: [0.05]
comparisons:
  - name: pair
    section: sentiment
    title: A-B
    systems: [A, B]
    dependence: independent
    file: scores.csv
    columns: {dataset: d, instance: i, scores: [a, b], size: n}
    score: accuracy (%)
    test: paired_bootstrap
    options: {n_resamples: 99}
    seed: 3
families:
  - name: all
    section: sentiment
    title: All
    dependence: positive
    file: scores.parquet
    columns: {dataset: d, instance: i, system: s, score: x}
    test: wilcoxon
"""
LONG = "columns: {dataset: d, instance: i, system: s, score: x}"
WIDE = "columns: {dataset: d, instance: i, scores: [a, b], size: n}"


def test_a_study_of_instances_with_a_family(write):
    found = read_study(study(write, INSTANCES))
    (pair,), (family,) = found.comparisons, found.families
    assert (pair.level, pair.test, pair.options, pair.seed) == (
        "instances", "paired_bootstrap", {"n_resamples": 99}, 3,
    )  # fmt: skip
    assert isinstance(family, Family)
    assert (family.level, family.systems, family.options) == ("instances", (), {})
    assert (family.seed, family.datasets) == (0, ())
    named = INSTANCES.replace(
        "title: All", "title: All\n    systems: [B, C, A]\n    datasets: [z, y]"
    )
    (family,) = read_study(study(write, named)).families
    assert (family.systems, family.datasets) == (("B", "C", "A"), ("z", "y"))
    assert read_study("config/paper.yaml").families == ()


def test_what_a_block_leaves_out(write):
    text = INSTANCES
    for line in ("    section: sentiment\n", "    title: A-B\n", "    test: paired_bootstrap\n"):
        assert line in text
        text = text.replace(line, "")
    text = text.replace("    title: All\n", "").replace("    score: accuracy (%)\n", "")
    text = text.replace("    test: wilcoxon\n", "    against: B\n")
    found = read_study(study(write, text))
    (pair,), (family,) = found.comparisons, found.families
    assert (pair.section, pair.title, pair.score, pair.test) == (
        "your_comparison", "A-B", "score", "",
    )  # fmt: skip
    assert (family.section, family.title, family.score) == ("your_comparison", "all", "x")
    assert (family.test, family.against) == ("", "B")
    assert (pair.paths, pair.source) == (("scores.csv",), "scores.csv")


def test_the_defaults_of_a_format(write):
    text = INSTANCES.replace(f"    {WIDE}\n", "").replace("    score: accuracy (%)\n", "")
    text = text.replace("file: scores.csv", "format: conllu\n    files: {gold: g, a: x, b: y}")
    (pair,) = read_study(study(write, text)).comparisons
    assert (pair.format, pair.metric, pair.score, pair.level) == (
        "conllu", "las", "las", "instances",
    )  # fmt: skip
    assert (pair.paths, pair.source) == (("g", "x", "y"), "x and y")
    (pair,) = read_study(
        study(write, text.replace("format: conllu", "format: conllu\n    metric: upos"))
    ).comparisons
    assert (pair.metric, pair.score) == ("upos", "upos")


def test_shares_in_per_cent_are_those_of_instances(write):
    (pair,) = read_study(study(write, INSTANCES)).comparisons
    assert pair.per_cent
    assert not replace(pair, score="accuracy").per_cent
    printed = read_study("config/paper.yaml").comparisons[0]
    assert printed.score == "UAS (%)"  # printed in per cent
    assert (printed.level, printed.per_cent) == ("p-values", False)


@pytest.mark.parametrize(
    "columns",
    [
        "{dataset: d, p_value: p}",
        "{dataset: d, p_value: p, scores: [a, b]}",
        "{dataset: d, instance: i, system: s, score: x}",
        "{dataset: d, instance: i, system: s, score: x, size: n}",
        "{dataset: d, instance: i, scores: [a, b]}",
        "{dataset: d, instance: i, scores: [a, b], size: n, gold: g}",
    ],
)
def test_columns_that_belong_together(write, columns):
    text = INSTANCES.replace(WIDE, f"columns: {columns}")
    (pair,) = read_study(study(write, text)).comparisons
    assert pair.columns == yaml.safe_load(columns)


@pytest.mark.parametrize(
    "columns",
    [
        "{dataset: d}",
        "{dataset: d, scores: [a, b]}",
        "{dataset: d, instance: i}",
        "{dataset: d, instance: i, system: s}",
        "{dataset: d, instance: i, score: x}",
        "{dataset: d, instance: i, system: s, score: x, scores: [a, b]}",
        "{dataset: d, p_value: p, instance: i}",
        "{dataset: d, p_value: p, size: n}",
    ],
)
def test_columns_that_do_not_belong_together(write, columns):
    path = study(write, INSTANCES.replace(WIDE, f"columns: {columns}"))
    listed = ", ".join(sorted(yaml.safe_load(columns)))
    with pytest.raises(checks.InputError) as caught:
        read_study(path)
    assert f"comparison 'pair': the columns {listed} are not a valid combination; specify " in str(
        caught.value
    )
    for level, (needed, _) in LEVELS.items():
        assert f"{', '.join(sorted(needed))} for {level}" in str(caught.value)


@pytest.mark.parametrize(
    ("replace", "message"),
    [
        ({"name: all": "name: pair"}, r"two comparisons have the name 'pair'; rename one"),
        (
            {"    seed: 3\n": "    resolution: 0.1\n"},
            r"'pair': the key 'resolution' applies to p-values that you provide",
        ),
        ({"scores: [a, b]": "scores: [a, a]"}, r"scores must be a list of two different columns"),
        (
            {"scores: [a, b]": "scores: [a, i]"},
            r"'pair': the column 'i' is used for two roles; specify a separate",
        ),
        (
            {"systems: [A, B]": "systems: [1, 2]"},
            r"the name of a system must be text \(put numbers",
        ),
        ({"file: scores.csv": "files: {a: x, b: y}"}, r"needs the key 'file', which is missing"),
        (
            {"seed: 3": "metric: las"},
            r"the metric 'las' compares predictions with gold labels",
        ),
        (
            {"test: paired_bootstrap": "test: paired_bootstap"},
            r"comparisons\[0\]: test 'paired_bootstap' .*did you mean 'paired_bootstrap'\?",
        ),
        ({"test: wilcoxon": "test: wilcoxn"}, r"families\[0\]: test .*did you mean 'wilcoxon'\?"),
        (
            {LONG: "columns: {dataset: d, instance: i, system: s}"},
            r"dataset, instance, system are not a valid combination",
        ),
        (
            {LONG: LONG.replace("x}", "x, golden: g}")},
            r"unknown key 'golden' in families\[0\].columns",
        ),
        (
            {"title: All": "title: All\n    systems: [A, B]"},
            r"systems is \['A', 'B'\], but the systems of a family must be a list of three or more",
        ),
        ({"options: {n_resamples: 99}": "options: 99"}, r"options is 99, but options must map"),
        ({"seed: 3": "seed: -1"}, r"seed is -1, but a seed must be a whole number of at least 0"),
        (
            {"study: mine": "study: mine\nremarks: ''"},
            r"remarks is '', but remarks must be a folder",
        ),
        ({"study: mine": "study: mine\nfamily: []"}, r"unknown key 'family'.*mean 'families'\?"),
    ],
)
def test_bad_studies_of_instances_by_message(write, replace, message):
    with pytest.raises(checks.InputError, match=message) as caught:
        read_study(study(write, INSTANCES, replace=replace))
    assert "\n" not in str(caught.value)


def test_away_from_the_compendium_no_notebook_is_asked_for_and_every_section_is_a_name(write):
    alone = Host()
    with pytest.raises(checks.InputError, match=r"paper.yaml: unknown key '\w+' in the file"):
        study_.read_study("config/paper.yaml", alone)
    file = study(write, INSTANCES, replace={"section: sentiment": "section: mine"})
    assert study_.read_study(file, alone).comparisons[0].section == "mine"
    with pytest.raises(checks.InputError, match="section 'mine' is not one of dependency_parsing"):
        read_study(file)
    with pytest.raises(checks.InputError, match="does not say what to compare; add comparisons"):
        study_.read_study(write("nothing.yaml", "study: raw\nalphas: [0.05]\n"), alone)
    assert (alone.takes("audit_totals"), studies.host().takes("audit_totals")) == (False, True)


def test_the_library_knows_no_notebook_by_name():
    words = {"audit", "sentiment", "summary", "translation"}
    notebooks = set(studies.host().notebooks) - {SECTION, *words}
    for path in sorted((paths.ROOT / "replicability").rglob("*.*")):
        if path.suffix in (".py", ".yaml", ".jinja"):
            text = path.read_text(encoding="utf-8")
            assert {name for name in notebooks if name in text} == set(), path


def test_a_study_may_name_every_test_of_the_registry(write, monkeypatch):
    test = replace(paired.TESTS["wilcoxon"], title="a new test")
    monkeypatch.setitem(paired.TESTS, "mine", test)
    own = {*OF_FOLDS, *OF_BOTH, OF_JUDGED}  # which need more keys: see tests/api
    for name in set(paired.TESTS) - own:
        changes = {"test: paired_bootstrap": f"test: {name}"}
        assert read_study(study(write, replace=changes)).comparisons[0].test == name
    with pytest.raises(checks.InputError, match=f"one of {', '.join(paired.TESTS)}") as caught:
        read_study(study(write, replace={"test: paired_bootstrap": "test: mime"}))
    assert "did you mean 'mine'" in str(caught.value)


@pytest.mark.slow
def test_a_study_is_read_without_json_schema():
    code = (
        "import sys\n"
        "from replicability.io.study import read_study\n"
        "read_study('config/example.yaml')\n"
        "print('pydantic' in sys.modules, 'jsonschema' in sys.modules)"
    )
    call = [sys.executable, "-c", code]
    found = subprocess.run(call, cwd=paths.ROOT, capture_output=True, text=True, check=True)
    assert found.stdout == "True False\n"
