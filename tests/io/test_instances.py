import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from comparisons import declare
from hypothesis import given, settings
from hypothesis import strategies as st

from replicability import checks
from replicability.io import instances, study

LONG = {"dataset": "corpus", "instance": "id", "system": "tagger", "score": "right", "size": "n"}
WIDE = {"dataset": "corpus", "instance": "id", "scores": ["A", "B"], "size": "n", "gold": "people"}

ROWS = pd.DataFrame(
    [
        ("news", "1", "A", 3, 5),
        ("news", "2", "A", 2, 2),
        ("news", "10", "A", 0, 4),
        ("blogs", "1", "A", 7, 9),
        ("news", "1", "B", 1, 5),
        ("news", "2", "B", 2, 2),
        ("news", "10", "B", 4, 4),
        ("blogs", "1", "B", 6, 9),
        ("news", "1", "C", 5, 5),
        ("news", "2", "C", 0, 2),
        ("news", "10", "C", 1, 4),
        ("blogs", "1", "C", 2, 9),
    ],
    columns=["corpus", "id", "tagger", "right", "n"],
)
BESIDE = pd.DataFrame(
    {
        "dataset": ["news", "news", "news", "blogs"],
        "instance": ["1", "2", "10", "1"],
        "a": [3.0, 2, 0, 7],
        "b": [1.0, 2, 4, 6],
        "size": [5.0, 2, 4, 9],
    }
)
RATED = pd.DataFrame(
    {
        "id": ["x", "y"],
        "corpus": ["news", "news"],
        "B": [0.25, 4],
        "A": [1.5, 2],
        "n": [1, 3],
        "people": [-1, 2.5],
    }
)


def comparison(file, columns=LONG, kind=study.Comparison, **changes):
    own = {"name": "mine", "section": "sentiment", "file": str(file), "columns": columns}
    own |= {"dependence": "independent", "test": "wilcoxon"}
    return declare(kind, **(own | changes))


def store(table, path):
    if path.suffix == ".parquet":
        instances.write(table, path)
    else:
        table.to_csv(path, sep="\t" if path.suffix == ".tsv" else ",", index=False)
    return path


def beside(comparison):
    """Put the datasets that are read into one table."""
    parts = []
    for found in instances.read(comparison):
        assert len(found) == len(found.identifiers)
        assert found.metric is None
        part = {"dataset": found.name, "instance": found.identifiers.to_pylist()}
        if found.a.ndim == 2:
            np.testing.assert_array_equal(found.a[:, 1], found.b[:, 1])
            part |= {"a": found.a[:, 0], "b": found.b[:, 0], "size": found.a[:, 1]}
        else:
            part |= {"a": found.a, "b": found.b}
        part |= {} if found.gold is None else {"gold": found.gold}
        parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def family(comparison):
    """Put the scores of all systems into one array."""
    systems, found = instances.read_family(comparison)
    sizes = [part.size for part in found if part.size is not None]
    return (
        systems,
        [part.name for part in found],
        np.concatenate([part.scores for part in found], axis=1),
        np.concatenate(sizes) if sizes else None,
    )


def changed(row, column, value, table=ROWS):
    table = table.astype({column: object})
    table.loc[row, column] = value
    return table


@pytest.fixture(params=["csv", "tsv", "parquet"])
def file(request, tmp_path):
    """Return the path of a table that is not there yet."""
    return tmp_path / f"table.{request.param}"


# --- what is read --------------------------------------------------------------------------------


def test_rows_of_both_systems_are_put_beside_each_other(file):
    before = store(ROWS, file).read_bytes()
    pd.testing.assert_frame_equal(beside(comparison(file)), BESIDE)
    assert file.read_bytes() == before


def test_a_table_with_both_systems_in_a_row(file):
    store(RATED, file)
    expected = pd.DataFrame(
        {
            "dataset": ["news", "news"],
            "instance": ["x", "y"],
            "a": [1.5, 2],
            "b": [0.25, 4],
            "size": [1.0, 3],
            "gold": [-1, 2.5],
        }
    )
    pd.testing.assert_frame_equal(beside(comparison(file, WIDE)), expected)


def test_size_and_gold_are_read_only_where_they_are_named(file):
    store(ROWS, file)
    columns = {key: header for key, header in LONG.items() if key != "size"}
    table = beside(comparison(file, columns))
    pd.testing.assert_frame_equal(table, BESIDE.drop(columns="size"))


def test_whole_numbers_are_identifiers_and_names_as_well(file):
    store(ROWS.astype({"id": int}).replace({"tagger": {"A": 7, "B": 8, "C": 9}}), file)
    table = beside(comparison(file, systems=("7", "8")))
    pd.testing.assert_frame_equal(table, BESIDE)


def test_categories_are_read_as_text(tmp_path):
    path = store(
        ROWS.astype(dict.fromkeys(["corpus", "id", "tagger"], "category")), tmp_path / "t.parquet"
    )
    pd.testing.assert_frame_equal(beside(comparison(path)), BESIDE)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(order=st.permutations(range(len(ROWS))))
def test_the_order_of_the_rows_plays_no_part(tmp_path_factory, order):
    shuffled = ROWS.iloc[order]
    path = store(shuffled, tmp_path_factory.mktemp("rows") / "t.csv")
    table = beside(comparison(path))
    first = shuffled[shuffled["tagger"] == "A"]
    # datasets, and the instances of each, in the order of the file
    assert table["dataset"].unique().tolist() == first["corpus"].unique().tolist()
    news = table["dataset"] == "news"
    assert table["instance"][news].tolist() == first["id"][first["corpus"] == "news"].tolist()
    keys = ["dataset", "instance"]
    pd.testing.assert_frame_equal(
        table.sort_values(keys, ignore_index=True), BESIDE.sort_values(keys, ignore_index=True)
    )
    names, _, scores, sizes = family(comparison(path, kind=study.Family))
    assert names == ["A", "B"]
    np.testing.assert_array_equal(sizes, table["size"])
    np.testing.assert_array_equal(scores, table[["a", "b"]].to_numpy().T)


def test_a_family_holds_the_systems_it_names_or_all(file):
    store(ROWS, file)
    everyone = comparison(file, kind=study.Family, systems=())
    names, datasets, scores, sizes = family(everyone)
    assert (names, datasets) == (["A", "B", "C"], ["news", "blogs"])
    np.testing.assert_array_equal(sizes, BESIDE["size"])
    np.testing.assert_array_equal(scores, [[3, 2, 0, 7], [1, 2, 4, 6], [5, 0, 1, 2]])
    some = comparison(file, kind=study.Family, systems=("C", "A"))
    np.testing.assert_array_equal(family(some)[2], scores[[2, 0]])


def test_only_the_datasets_that_are_named(file):
    store(changed(1, "right", "none").astype(str), file)
    table = beside(comparison(file, datasets=("blogs",)))
    pd.testing.assert_frame_equal(table, BESIDE[3:].reset_index(drop=True))
    with pytest.raises(checks.InputError, match=r"dataset 'new' is not one of .*mean 'news'"):
        instances.read(comparison(file, datasets=("new",)))
    place = "row 4" if file.suffix == ".parquet" else "line 5"
    store(changed(3, "right", "none").astype(str), file)
    with pytest.raises(checks.InputError, match=f"{place}: the score is 'none'"):
        instances.read(comparison(file, datasets=("blogs",)))


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (ROWS.drop(5), "'2' of 'news' is missing for B; score both systems on the same"),
        (ROWS.drop(1), "'2' of 'news' is missing for A;"),
        (ROWS.drop([4, 5]), "'1' of 'news', '2' of 'news' are missing for B; score"),
        (ROWS.drop([5, 7]), "'blogs' is missing for B"),
        (changed(7, "corpus", "web"), "dataset 'web' is missing for A, which has 'blogs' instead;"),
        (changed(5, "id", "2.0"), "'2.0' of 'news' is missing for A, which has '2' instead;"),
        (ROWS.drop([4, 5, 6, 7]), "system 'B' is not one of A, C"),
        (ROWS.replace({"tagger": {"B": "Bee"}}), "system 'B' is not one of A, Bee, C"),
        (ROWS.replace({"tagger": {"A": "AA"}}), r"system 'A' is not one of .*did you mean 'AA'\?"),
        (ROWS.rename(columns={"right": "rights"}), r"column 'right' .*did you mean 'rights'\?"),
        (changed(5, "id", "1"), "'1' of 'news' occurs more than once among the items of B;"),
        (
            pd.concat([ROWS, ROWS[:4]]),
            "'1' of 'news', '2' of 'news', '10' of 'news' and 1 more occur more than once .* of A;",
        ),
        (changed(5, "n", 3), "item '2' of 'news' has the size 2 for A and 3 for B,"),
    ],
)
def test_instances_that_do_not_match_by_message(file, table, message):
    store(table, file)
    with pytest.raises(checks.InputError, match=message) as caught:
        instances.read(comparison(file))
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_instances_of_several_datasets_are_named(file):
    more = pd.concat([ROWS, ROWS.replace({"id": {"1": "3"}})]).drop_duplicates()
    more = more[(more["tagger"] != "B") | (more["id"] != "3")]
    store(more, file)
    with pytest.raises(checks.InputError) as caught:
        instances.read(comparison(file))
    assert "'3' of 'news', '3' of 'blogs' are missing for B" in str(caught.value)


def test_a_system_of_a_family_that_lacks_an_instance(file):
    store(ROWS.drop(10), file)
    with pytest.raises(checks.InputError, match="'10' of 'news' is missing for C"):
        instances.read_family(comparison(file, kind=study.Family, systems=()))
    with pytest.raises(checks.InputError, match="system 'D' is not one of A, B, C"):
        instances.read_family(comparison(file, kind=study.Family, systems=("A", "D", "B")))


@pytest.mark.parametrize(
    ("row", "column", "value", "message"),
    [
        (6, "right", "four", "the score is 'four', but it must be a finite number; leave the"),
        (6, "right", "", "the score is ''"),
        (6, "right", "nan", "the score is 'nan'"),
        (6, "right", "-inf", "the score is '-inf'"),
        (6, "right", "1e999", "the score is '1e999'"),
        (5, "n", "2 words", "the size is '2 words'"),
        (5, "n", "0", "the size is 0, but the denominator of a score must be above 0"),
        (5, "n", "-2", "the size is -2, but the denominator"),
        (5, "id", "", "the instance is empty, but every row needs one; fill it in"),
        (5, "corpus", "", "the dataset is empty, but"),
        (5, "tagger", "", "the system is empty, but"),
    ],
)
def test_bad_cells_by_message(file, row, column, value, message):
    store(changed(row, column, value).astype(str), file)
    place = f"row {row + 1}" if file.suffix == ".parquet" else f"line {row + 2}"
    with pytest.raises(checks.InputError, match=f"{place}: {message}") as caught:
        instances.read(comparison(file))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("row", "column", "value", "message"),
    [
        (6, "right", np.nan, "row 7: the score is nan"),
        (6, "right", np.inf, "row 7: the score is inf"),
        (6, "right", None, "row 7: the score is (nan|None)"),
        (5, "corpus", None, "row 6: the dataset is empty"),
        (5, "id", None, "row 6: the instance is empty"),
        (5, "tagger", None, "row 6: the system is empty"),
    ],
)
def test_missing_values_of_parquet_by_message(tmp_path, row, column, value, message):
    path = store(changed(row, column, value), tmp_path / "t.parquet")
    with pytest.raises(checks.InputError, match=message):
        instances.read(comparison(path))


@pytest.mark.parametrize(
    ("row", "column", "value", "message"),
    [
        (1, "people", "good", "the gold rating is 'good'"),
        (1, "B", "x", "the score in 'B' is 'x'"),
        (1, "n", "0", "the size is 0, but"),
        (1, "id", "x", "'x' of 'news' occurs"),
    ],
)
def test_bad_rows_of_both_systems_by_message(file, row, column, value, message):
    store(changed(row, column, value, RATED).astype(str), file)
    with pytest.raises(checks.InputError, match=message):
        instances.read(comparison(file, WIDE))


def test_an_unknown_column_names_the_nearest(file):
    store(RATED, file)
    with pytest.raises(checks.InputError, match=r"column 'poeple' .*did you mean 'people'\?"):
        instances.read(comparison(file, WIDE | {"gold": "poeple"}))


@pytest.mark.parametrize(("columns", "table"), [(LONG, ROWS), (WIDE, RATED)])
def test_an_empty_table(file, columns, table):
    store(table[:0], file)
    with pytest.raises(checks.InputError, match=r"table\.\w+ has no row"):
        instances.read(comparison(file, columns))


def test_a_file_that_is_no_parquet_or_is_missing(tmp_path):
    path = tmp_path / "table.parquet"
    whole = store(ROWS, path).read_bytes()
    damaged = whole[:10] + b"\xff" * 60 + whole[70:]
    for content in (b"", ROWS.to_csv().encode(), whole[: len(whole) // 2], damaged):
        path.write_bytes(content)
        with pytest.raises(checks.InputError, match=r"table\.parquet is not a Parquet table \(\w"):
            instances.read(comparison(path))
    with pytest.raises(checks.InputError, match=r"did you mean 'table.parquet'\?"):
        instances.read(comparison(tmp_path / "tabel.parquet"))


# --- what is written -----------------------------------------------------------------------------


def test_equal_tables_give_equal_bytes(tmp_path):
    first, second = tmp_path / "new" / "first.parquet", tmp_path / "second.parquet"
    instances.write(ROWS, first)
    instances.write(ROWS.set_index(np.arange(12)[::-1]), second)
    assert first.read_bytes() == second.read_bytes()
    pd.testing.assert_frame_equal(pd.read_parquet(first), ROWS)
    assert list(tmp_path.rglob("*.part")) == []


def test_a_failed_write_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "t.parquet"
    instances.write(ROWS, path)
    before = path.read_bytes()

    def fail(table, part, **options):
        Path(part).write_bytes(b"half")
        raise OSError("no space left")

    monkeypatch.setattr(instances.pq, "write_table", fail)
    for target in (path, tmp_path / "fresh.parquet"):
        with pytest.raises(checks.InputError, match="no space"):
            instances.write(ROWS[:3], target)
    assert path.read_bytes() == before
    assert not (tmp_path / "fresh.parquet").exists()


UNITS = """set,row,system,right,question
qa,1,A,1,q1
qa,2,A,0,q1
qa,3,A,1,q2
qa,3,B,0,q2
qa,1,B,0,q1
qa,2,B,0,{unit}
"""


def with_units(write, text, **more):
    columns = {"dataset": "set", "instance": "row", "system": "system", "score": "right"}
    usual = {"name": "mine", "file": str(write("long.csv", text)), "unit": "question"}
    return declare(**({"columns": columns} | usual | more))


def test_instances_carry_their_unit(write):
    (dataset,) = instances.read(with_units(write, UNITS.format(unit="q1")))
    assert dataset.units.to_pylist() == ["q1", "q1", "q2"]
    alone = {"unit": "instance", "ignore": ("question",)}
    (plain,) = instances.read(with_units(write, UNITS.format(unit="q9"), **alone))
    assert plain.units is None


def test_units_of_a_wide_table_and_of_chosen_datasets(write):
    text = "set,row,ours,theirs,passage\na,1,1,0,p\nb,1,1,1,q\na,2,0,0,p\n"
    columns = {"dataset": "set", "instance": "row", "scores": ["ours", "theirs"]}
    found = instances.read(with_units(write, text, columns=columns, unit="passage"))
    assert [dataset.units.to_pylist() for dataset in found] == [["p", "p"], ["q"]]
    (only,) = instances.read(
        with_units(write, text, columns=columns, unit="passage", datasets=("b",))
    )
    assert only.units.to_pylist() == ["q"]


@pytest.mark.parametrize(
    ("unit", "message"),
    [
        ("q2", "item '2' of 'qa' belongs to the unit 'q1' for A and to 'q2' for B"),
        ("", "unit"),
    ],
)
def test_units_that_contradict_themselves_are_a_sentence(write, unit, message):
    with pytest.raises(checks.InputError, match=re.escape(message)):
        instances.read(with_units(write, UNITS.format(unit=unit)))


def test_a_unit_that_is_no_column_is_a_sentence(write):
    with pytest.raises(checks.InputError, match="'passage'"):
        instances.read(with_units(write, UNITS.format(unit="q1"), unit="passage"))
