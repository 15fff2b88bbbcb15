"""The registry of local tests: what every entry must have, and that one file is enough."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_closed_testing import DEFINED

from analysis import paths
from replicability.stats import local_tests
from replicability.stats.closed_testing import METHODS, bound, names

TESTS = local_tests.load()
ADJUSTED = [name for name, test in TESTS.items() if test.adjusted]


@pytest.mark.parametrize("name", TESTS)
def test_an_entry_has_the_name_of_its_module_and_all_that_is_asked_of_it(name):
    test = TESTS[name]
    assert name in local_tests.NAMES
    assert test.valid_under
    assert set(test.valid_under) <= set(local_tests.DEPENDENCE)
    functions = (test.bound, test.curve, test.rejected)
    assert all(functions) if test.takes == local_tests.PVALUES else not any(functions)
    assert bool(test.planned_by) is (test.takes != local_tests.PVALUES)
    assert bool(test.count) is bool(test.combine)


@pytest.mark.parametrize("name", METHODS)
def test_every_local_test_is_compared_with_all_intersections(name):
    own = Path(__file__).parent / f"local_tests/test_{name}.py"
    assert name in DEFINED or "agrees(" in own.read_text(encoding="utf-8")


@pytest.mark.parametrize("look", ["title", "colour", "marker"])
def test_no_two_look_alike(look):
    shown = [getattr(test, look) for test in TESTS.values()]
    assert len(set(shown)) == len(shown)


@pytest.mark.parametrize("method", ADJUSTED)
@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=9), alpha=st.sampled_from([0.05, 0.2]))
def test_a_dataset_is_named_where_its_adjusted_pvalue_is_at_most_alpha(method, p, alpha):
    found = TESTS[method].adjusted(np.array(p))
    np.testing.assert_array_equal(found <= alpha, names(p, alpha, method))


# Given p <= tau it divides by tau, so that a p-value just below tau is weaker than none.
@pytest.mark.parametrize("method", sorted({*METHODS} - {"conditional_fisher"}))
def test_smaller_pvalues_never_bound_less(method):
    rng = np.random.default_rng(8)
    p = rng.random((200, 6)) ** rng.choice([1, 3, 6], size=(200, 1))
    smaller = np.where(rng.random(p.shape) < 0.5, p * rng.random(p.shape), p)
    for inside in (None, [0, 2, 3]):
        less = bound(smaller, inside, 0.05, method) < bound(p, inside, 0.05, method)
        assert not less.any()


DUMMY = """
from replicability.stats import step_down
from replicability.stats.local_tests import DEPENDENCE, LocalTest


def _level(values, sizes):
    return values * sizes**2


LOCAL_TEST = LocalTest(
    name="dummy",
    title="Dummy",
    cited=("Nobody 1999", "Nobody (1999), Journal of Recipes 1(1), 1."),
    valid_under=DEPENDENCE,
    strong="nothing is known",
    weak="always",
    colour="#123456",
    marker="|",
    **step_down.shortcuts(_level),
)
"""
DOORS = """
import runpy, sys
import pandas as pd
import replicability as rep
from replicability import cli
from replicability.core import evaluation, findings
from replicability.io.study import read_study
from analysis import widgets
from replicability.show import style

counted = rep.count([0.001, 0.02, 0.5], method="dummy")
print(counted)
print(counted.table["adjusted_p_value"].tolist(), counted.method)
rows = {"dataset": ["x"] * 9 + ["y"] * 9, "A": [1] * 18, "B": [0] * 9 + [0, 1] * 4 + [0]}
print(rep.compare(pd.DataFrame(rows), a="A", b="B", method="dummy"))
(declared,) = read_study("study.yaml").comparisons
print(findings.find(declared, evaluation.evaluate(declared), 0.05))
print(style.COLOURS["dummy"], style.NAMES["dummy"], "dummy" in widgets.METHODS)
print(runpy.run_path(sys.argv[1])["local_tests"]())
cli.main(["pvalues", "0.001", "0.02", "0.5", "--method", "dummy"])
cli.main(["pvalues", "--help"])
"""
STUDY = """
study: mine
alphas: [0.05]
comparisons:
  - name: ours
    title: ours
    systems: [A, B]
    score: accuracy
    dependence: dependent
    method: dummy
    file: p.csv
    columns: {dataset: dataset, p_value: p}
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What all doors say in a library to which one file was added."""
    folder = tmp_path_factory.mktemp("recipe")
    copied = folder / "replicability"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(paths.ROOT / "replicability", copied, ignore=ignored)
    (copied / "stats/local_tests/dummy.py").write_text(DUMMY, encoding="utf-8")
    (folder / "study.yaml").write_text(STUDY, encoding="utf-8")
    (folder / "p.csv").write_text("dataset,p\nx,0.001\ny,0.02\nz,0.5\n", encoding="utf-8")
    (folder / "doors.py").write_text(DOORS, encoding="utf-8")
    command = [sys.executable, "doors.py", paths.ROOT / "docs/lists.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("times", "words"),
    [
        (3, "on at least 1 of 3 datasets, namely"),  # Python, a study, the command line
        (1, "[0.009000000000000001, 0.08, 0.5]"),
        (1, "with the local test Dummy (Nobody 1999) at alpha"),
        (1, "Nobody (1999), Journal of Recipes 1(1), 1."),
        (1, "of 2 datasets, namely x (closed testing, Dummy;"),
        (1, "#123456 Dummy True"),
        (1, "| Dummy | `dummy` | dependent in any way | | nothing is known | always |"),
        (1, "Dummy 1 yes, chosen"),
        (1, "discrete, dummy, fisher"),
    ],
)
def test_one_file_is_enough(said, times, words):
    assert said.count(words) == times, said
