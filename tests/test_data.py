import numpy as np
import pytest

from analysis import checks, data, paths

HEADER = "dataset,p,a,b\n"
GOOD = HEADER + "one,0.01,80.5,79\ntwo,0.6,70,71\n"


def comparison(file, **changes):
    block = {
        "name": "mine",
        "section": "sentiment",
        "title": "A-B",
        "systems": ("A", "B"),
        "dependence": "independent",
        "file": str(file),
        "columns": {"dataset": "dataset", "p_value": "p", "scores": ["a", "b"]},
    }
    return data.Comparison(**{**block, **changes})


def study(write, text=None, **changes):
    text = (paths.CONFIG / "paper.yaml").read_text(encoding="utf-8") if text is None else text
    for old, new in changes.pop("replace", {}).items():
        assert old in text
        text = text.replace(old, new, 1)
    return write("study.yaml", text)


def test_the_published_study_is_read():
    found = data.read_study("config/paper.yaml")
    assert found.name == "paper"
    assert [len(data.read_comparison(c)) for c in found.comparisons] == [7, 7, 23, 12, 12]
    assert [c.name for c in found.section("dependency_parsing")] == ["mate_spacy", "mate_redshift"]
    assert found.section_blocks("sentiment")[0]["systems"] == ("AE-SCL-SR", "MSDA")


def test_read_comparison(write):
    table = data.read_comparison(comparison(write("t.csv", GOOD)))
    assert list(table.columns) == ["dataset", "p_value", "score_a", "score_b"]
    np.testing.assert_array_equal(table["p_value"], [0.01, 0.6])
    np.testing.assert_array_equal(table["score_a"], [80.5, 70])


def test_a_table_needs_no_scores(write):
    found = comparison(write("t.csv", GOOD), columns={"dataset": "dataset", "p_value": "p"})
    assert list(data.read_comparison(found).columns) == ["dataset", "p_value"]


def test_a_byte_order_mark_windows_lines_and_blanks_are_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(
        b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").replace("0.6,", " 0.6 ,").encode()
    )
    assert data.read_comparison(comparison(path))["p_value"].tolist() == [0.01, 0.6]


def test_the_resolution_raises_smaller_pvalues(write):
    path = write("t.csv", GOOD.replace("0.01", "0"))
    assert data.read_comparison(comparison(path, resolution=1e-5))["p_value"].tolist() == [
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
        (GOOD.replace("0.01", ""), r"line 2, column 'p': the value is ''.*leave out the row"),
        (
            GOOD.replace("71", "n/a"),
            r"line 3, column 'b': the value is 'n/a', but a score is a finite",
        ),
        (
            GOOD.replace("two", "one"),
            r"line 3, column 'dataset': the value is 'one', but every dataset",
        ),
        (
            GOOD.replace("two", ""),
            r"line 3, column 'dataset': the value is '', but a dataset has a name",
        ),
        (GOOD.replace("dataset,p", "dataset,P"), r"column 'p' is not one of dataset, P, a, b"),
        (HEADER, r"t\.csv has no row below its header"),
        ("", r"t\.csv is not a CSV table"),
        (GOOD + "three,0.1,1,2,3\n", r"t\.csv is not a CSV table: .*line 4"),
        (GOOD.replace("0.01", "2").replace("0.6,", "3,"), r"line 2.*\(2 faults in all\)"),
    ],
)
def test_bad_tables_by_message(write, text, message):
    with pytest.raises(checks.InputError, match=message) as caught:
        data.read_comparison(comparison(write("t.csv", text)))
    assert "\n" not in str(caught.value)


def test_a_table_that_is_missing_or_not_text(tmp_path, write):
    write("tabel.csv", GOOD)
    with pytest.raises(
        checks.InputError, match=r"table\.csv does not exist; did you mean 'tabel.csv'"
    ):
        data.read_table(tmp_path / "table.csv")
    (tmp_path / "latin.csv").write_bytes("dataset,p\ncafé,0.1\n".encode("latin-1"))
    with pytest.raises(checks.InputError, match=r"latin\.csv is not UTF-8 \(byte"):
        data.read_table(tmp_path / "latin.csv")


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
        ({"alphas: [0.05, 0.01]": "alphas: []"}, r"alphas is \[\], but alphas is a list"),
        ({"alphas: [0.05, 0.01]": "alphas: 0.05"}, r"alphas is 0.05, but alphas is a list"),
        (
            {"dependence: independent": "dependence: indep"},
            r"'indep', but it is one of independent, positive, dependent",
        ),
        ({"section: sentiment": "section: sentimental"}, r"did you mean 'sentiment'\?"),
        ({"study: paper\n": ""}, r"the key 'study' is missing in the file"),
        ({"    title: Mate-SpaCy\n": ""}, r"the key 'title' is missing in comparisons\[0\]"),
        (
            {"name: mate_redshift": "name: mate_spacy"},
            r"two comparisons have the name 'mate_spacy'",
        ),
        (
            {"systems: [Mate, SpaCy]": "systems: [Mate]"},
            r"systems is \['Mate'\], but systems is a list of two",
        ),
        (
            {"n_families: 1000": "n_families: 0"},
            r"toy_simulations.n_families is 0, but a number of families",
        ),
        ({"[33, 0.5]": "[33, 1.5]"}, r"is 1.5, but a correlation lies in"),
        ({"study: paper": "study: [paper"}, r"study\.yaml, line \d+ is not YAML"),
    ],
)
def test_bad_studies_by_message(write, replace, message):
    with pytest.raises(checks.InputError, match=message) as caught:
        data.read_study(study(write, replace=replace))
    assert "\n" not in str(caught.value)


def test_a_study_that_is_missing_or_empty(write):
    with pytest.raises(
        checks.InputError, match=r"config/papr\.yaml does not exist; did you mean 'paper.yaml'"
    ):
        data.read_study("config/papr.yaml")
    with pytest.raises(checks.InputError, match="is None, but a study is a mapping of keys"):
        data.read_study(study(write, ""))


def test_an_unknown_section_paper_or_item_names_the_nearest():
    with pytest.raises(checks.InputError, match="did you mean 'sentiment'"):
        data.read_study("config/paper.yaml").section("sentiments")
    with pytest.raises(checks.InputError, match="did you mean 'dror2017'"):
        data.read_published("dror2018", "table1")
    with pytest.raises(checks.InputError, match="item of dror2017 'table9' is not one of"):
        data.read_published("dror2017", "table9")
