"""Outcomes of time series classifiers: what is read, and what is refused."""

import re
import sys

import pandas as pd
import pytest

from analysis import paths

sys.path.insert(0, str(paths.ROOT / "scripts" / "leaderboards"))
import answers
import time_series

COLUMNS = time_series.RESAMPLES


def table(**rows):
    """Return accuracies by dataset: the same on each resample."""
    return pd.DataFrame({name: [value] * 30 for name, value in rows.items()}, index=COLUMNS).T


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a table for each classifier and returns the folder."""

    def write(**tables):
        for name, own in tables.items():
            own.to_csv(tmp_path / f"{name}_accuracy.csv")
        return tmp_path

    return write


def run(folder, output):
    return answers.run(time_series.outcomes, "", [str(folder), "--output", str(output)])


def test_datasets_on_which_a_classifier_lacks_a_resample_are_left_out(write, tmp_path):
    partly = table(Beef=0.5, Car=0.25)
    partly.loc["Car", "7"] = None
    folder = write(one=table(Car=1, Beef=0, Adiac=0.5), two=partly)
    assert run(folder, tmp_path / "o.parquet") == 0
    made = pd.read_parquet(tmp_path / "o.parquet")
    assert list(made.columns) == ["dataset", "resample", "one", "two"]
    assert set(made["dataset"]) == {"Beef"}
    assert made["resample"].tolist() == list(range(30))
    assert made[["one", "two"]].drop_duplicates().to_numpy().tolist() == [[0, 0.5]]


@pytest.mark.parametrize(
    ("own", "message"),
    [
        (table(Beef=0.5).iloc[:, :29], "are not numbered from 0 to 29"),
        (table(Beef=1.5), "Beef, resample 0: '1.5' is not an accuracy"),
        (table(Beef="high"), "Beef, resample 0: 'high' is not an accuracy"),
        (pd.concat([table(Beef=0.5)] * 2), "Beef"),
        (table(Car=0.5), "no dataset has all resamples of every classifier"),
    ],
)
def test_tables_that_do_not_fit_are_refused(write, tmp_path, capsys, own, message):
    assert run(write(one=table(Beef=0.5), two=own), tmp_path / "o.parquet") == 1
    assert re.search(message, capsys.readouterr().err)
    assert not (tmp_path / "o.parquet").exists()


def test_a_folder_without_tables_is_refused(tmp_path, capsys):
    assert run(tmp_path, tmp_path / "o.parquet") == 1
    assert "_accuracy.csv" in capsys.readouterr().err
