"""What holds at scale: counting from a column of millions of p-values, and what the page says."""

import json
import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import stats

from analysis import paths
from replicability import cli
from replicability.cli.pvalues import read_column
from replicability.stats import partial_conjunction

PAGE = (paths.ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
MEASURED = (paths.ROOT / "benchmarks" / "scale.md").read_text(encoding="utf-8")
FAMILIES = "\n".join(
    (paths.ROOT / "benchmarks" / name).read_text(encoding="utf-8")
    for name in ("families.md", "counting.md", "shared.md")
)


@pytest.fixture
def column(tmp_path):
    """Return a function that writes a column of a Parquet file and returns the file."""

    def column(values, name="p_value", **options):
        path = tmp_path / "p.parquet"
        pq.write_table(pa.table({"id": range(len(values)), name: values}), path, **options)
        return path

    return column


@pytest.fixture
def counted(capsys):
    """Return a function that counts from a column and returns the answer."""

    def counted(path, *arguments):
        options = ["pvalues", str(path), "--column", "p_value", *arguments]
        assert cli.main([*options, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return counted


@pytest.fixture
def refused(capsys):
    """Return a function that expects exit status 1 and returns the sentence."""

    def refused(path, *arguments, column="p_value"):
        assert cli.main(["pvalues", str(path), *arguments, "--column", column]) == 1
        return capsys.readouterr().err

    return refused


@pytest.mark.parametrize("rows", [1_000, 100_000, 200_000])
def test_a_column_is_read_whole_whatever_its_row_groups(column, rows):
    values = np.random.default_rng(1).random(200_000)
    path = column(values, row_group_size=rows)
    np.testing.assert_array_equal(read_column(str(path), "p_value"), values)


def test_a_column_answers_like_its_numbers(column, counted, capsys):
    values = np.random.default_rng(2).random(60) ** 3
    claim = "--independent", "--alpha", ".05", "--alpha", ".01", "--systems", "x", "y"
    found = counted(column(values), *claim)
    cli.main(["pvalues", *map(str, values), *claim, "--procedure", "paper", "--json"])
    expected = json.loads(capsys.readouterr().out)
    for key in (
        "systems",
        "dependence",
        "dependence_declared",
        "recommended",
        "procedure",
        "method",
    ):
        assert found[key] == expected[key]
    assert found["n"] == 60
    for finding, other in zip(found["findings"], expected["findings"], strict=True):
        assert finding["k_hat"] == other["k_hat"]
        assert finding["count"] == other["count"]
        assert finding["sentence"].startswith(other["sentence"].partition(";")[0])
        named = f"identifies {len(other['named'])}, with a separate guarantee at alpha = "
        assert finding["sentence"].endswith(f"{named}{finding['alpha']:g}.")


def test_the_text_counts_with_separators(column, capsys):
    path = column(np.zeros(1_500))
    asked = ["pvalues", str(path), "--column", "p_value"]
    assert cli.main(asked) == 1
    assert "p-value 1 of 1500 is 0 (1500 p-values are 0)" in capsys.readouterr().err
    assert cli.main([*asked, "--resolution", "0"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert text.startswith("A outperforms B on all 1,500 datasets (partial conj")
    assert "k-hat of 1,500 alpha = 0.05 valid for dependent datasets Count of p ≤ α 1,500" in text
    assert "1500 of 1500 p-values are 0" in text
    assert "column 'p_value'" in text


def test_the_resolution_raises_what_is_smaller(column, counted):
    path = column(np.zeros(100))
    assert counted(path, "--resolution", "0")["findings"][0]["k_hat"]["bonferroni"] == 100
    assert counted(path, "--resolution", "0.01")["findings"][0]["k_hat"]["bonferroni"] == 0


@pytest.mark.parametrize("kind", [pa.float32(), pa.float64(), pa.int8()])
def test_any_numbers_are_read(column, kind):
    values = read_column(str(column(pa.array([0, 1], kind))), "p_value")
    np.testing.assert_array_equal(values, [0.0, 1.0])
    assert values.dtype == np.float64


@pytest.mark.parametrize("wrong", [float("nan"), None, -1e-9, 1.5, float("inf")])
@pytest.mark.parametrize("row", [0, 70_000])
def test_a_wrong_value_is_named_by_its_row(column, refused, wrong, row):
    values = [0.5] * 80_000
    values[row] = wrong
    message = refused(column(values))
    value = "nan" if wrong is None else str(wrong)
    assert f"p.parquet, row {row + 1}, column 'p_value': the value is {value}, but" in message
    assert "leave out the row" in message
    assert len(message.splitlines()) == 1


def test_bad_columns_by_message(column, refused, write, tmp_path):
    path = column(np.array([0.5]))
    assert "column 'p' is not one of id, p_value" in refused(path, column="p")
    assert "leave out --alternative" in refused(path, "--alternative", "two-sided")
    assert "leave out --group" in refused(path, "--group", "x=1")
    assert "leave out --procedure" in refused(path, "--procedure", "closed")
    assert "leave out --p-value" in refused(path, "--p-value", "p")
    assert "you passed 2 arguments" in refused(path, "0.1")
    assert "holds string, but p-values are numbers" in refused(column(["0.5"]))
    assert "has no rows, but at least one p-value is needed" in refused(column(np.array([])))
    assert "lost.parquet does not exist" in refused(tmp_path / "lost.parquet")
    assert "specify the column of a CSV or TSV table with --p-value" in refused(
        write("p.csv", "p\n1")
    )
    assert "t.parquet cannot be read as a Parquet table" in refused(write("t.parquet", "p\n1\n"))


@pytest.mark.slow
def test_k_hat_of_a_million_p_values_is_exact():
    # The definitions, with sums in extended precision; and each bound tried one step further.
    n = 1_000_000
    pvalues = np.random.default_rng(3).random(n)
    pvalues[: n // 2] **= 8
    ordered = np.sort(pvalues)
    sizes = np.arange(n, 0, -1)
    assert partial_conjunction.k_hat(pvalues) == np.argmax(sizes * ordered > 0.05)
    sums = np.cumsum(-2 * np.log(ordered[::-1].astype(np.longdouble)))[::-1]
    rejected = sums >= stats.chi2.isf(0.05, 2 * sizes)
    assert partial_conjunction.k_hat(pvalues, method="fisher") == np.argmin(rejected)
    k = partial_conjunction.k_hat(pvalues, method="simes")
    for u, holds in ((k, True), (k + 1, False)):
        ranks = np.arange(1, n - u + 2)
        assert bool(((n - u + 1) * ordered[u - 1 :] <= 0.05 * ranks).any()) is holds


def rows(text):
    """Return the rows of the tables in a Markdown text."""
    return [line for line in text.splitlines() if re.match(r"\| \w", line)]


def test_the_page_shows_what_was_measured():
    assert len(rows(PAGE)) > 10
    for row in rows(PAGE):
        assert row in rows(MEASURED + FAMILIES), row
    assert set(rows(FAMILIES)) < set(rows(PAGE))


def test_what_was_measured_agrees_with_theory():
    found = [row.strip("| ").split(" | ") for row in rows(MEASURED)]
    deviations = [float(row[-1]) for row in found if re.fullmatch(r"[+-]\d+\.\d", row[-1])]
    assert len(deviations) == 5
    assert max(map(abs, deviations)) < 4
