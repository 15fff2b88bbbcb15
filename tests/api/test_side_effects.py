"""A call changes nothing but its result: no global option, in any process, in any folder."""

import csv
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

import replicability as rep
from replicability.api import calls
from replicability.io import study

LONG = "x" * 80
"""A name that pandas would cut short."""


def scores():
    return pd.DataFrame(
        {
            "dataset": [LONG] * 8 + ["law"] * 6,
            "ours": [1] * 14,
            "base": [0] * 7 + [1] + [0, 1] * 3,
        }
    )


def options():
    """Return the global options that libraries like to change."""
    of_pandas = {name: pd.get_option(f"display.{name}") for name in ("max_colwidth", "max_rows")}
    return csv.field_size_limit(), of_pandas, np.get_printoptions(), dict(mpl.rcParams)


@pytest.fixture
def own_options():
    """Set options as a user might."""
    limit = csv.field_size_limit(1000)
    with pd.option_context("display.max_colwidth", 17, "display.max_rows", 11):
        yield options()
    csv.field_size_limit(limit)


def test_a_call_changes_no_global_option(tmp_path, own_options):
    file = tmp_path / "scores.csv"
    scores().assign(text="y" * 200_000).to_csv(file, index=False)
    found = rep.compare(file, a="ours", b="base")
    page = found._repr_html_()
    assert LONG in page
    found.report(tmp_path / "page.html")
    rep.all_pairs(scores().assign(third=0))._repr_html_()
    study.read_study("config/example.yaml")
    assert options() == own_options


@pytest.mark.usefixtures("own_options")
def test_a_table_with_long_cells_is_read_whatever_the_limit(tmp_path):
    file = tmp_path / "scores.csv"
    frame = scores().assign(**{"text;more": "y" * 2000})
    frame.to_csv(file, index=False, sep=";")
    assert csv.field_size_limit() == 1000
    assert rep.compare(file, a="ours", b="base").n == 2


def test_calls_work_in_other_processes():
    frame = scores()
    asked = {
        calls.compare: (frame,),
        calls.count: ([0.001, 0.02, 0.6],),
        calls.all_pairs: (frame.assign(third=0),),
    }
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        futures = {function: pool.submit(function, *given) for function, given in asked.items()}
        for function, future in futures.items():
            assert str(future.result()) == str(function(*asked[function]))
            assert future.result().table.equals(function(*asked[function]).table)


def test_a_result_pickles():
    found = rep.compare(scores())
    assert pickle.loads(pickle.dumps(found)) == found
