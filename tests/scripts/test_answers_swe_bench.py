"""Outcomes of SWE-bench: what is read, and what is refused."""

import json
import re
import sys

import pandas as pd
import pytest

from analysis import paths

sys.path.insert(0, str(paths.ROOT / "scripts" / "leaderboards"))
import answers
import swe_bench

ISSUES = ("psf__requests-20", "django__django-9", "django__django-10")


def listed(*resolved):
    return {issue: {"resolved": issue in resolved, "cost": 1.0} for issue in ISSUES}


def board():
    return [
        {"name": "first (2025)", "resolved": 66.6, "per_instance_details": listed(*ISSUES[:2])},
        {"name": "no list", "resolved": 50.0},
        {"name": "empty list", "resolved": 50.0, "per_instance_details": None},
        {"name": "second", "resolved": 0.0, "per_instance_details": listed()},
    ]


@pytest.fixture
def write_board(tmp_path):
    """Return a function that writes the file of leaderboards and returns the repository."""

    def make(results, name="bash-only"):
        content = {"leaderboards": [{"name": "Lite", "results": []}]}
        content["leaderboards"].append({"name": name, "results": results})
        (tmp_path / "data").mkdir(exist_ok=True)
        (tmp_path / swe_bench.FILE).write_text(json.dumps(content), encoding="utf-8")
        return tmp_path

    return make


def run(folder, output):
    return answers.run(swe_bench.outcomes, "", [str(folder), "--output", str(output)])


def test_issues_are_read_by_repository(write_board, tmp_path):
    assert run(write_board(board()), tmp_path / "o.parquet") == 0
    made = pd.read_parquet(tmp_path / "o.parquet")
    assert list(made.columns) == ["dataset", "instance", "first", "second"]
    assert made["dataset"].tolist() == ["django/django", "django/django", "psf/requests"]
    assert made["instance"].tolist() == [9, 10, 20]
    assert made["first"].tolist() == [1, 0, 1]
    assert made["second"].tolist() == [0, 0, 0]


def test_names_lose_what_stands_in_brackets():
    assert swe_bench.short("GPT-5 (2025-08-07) (medium reasoning)") == "GPT-5"
    assert swe_bench.short("o3") == "o3"


def lacking(results):
    del results[3]["per_instance_details"][ISSUES[2]]


def more(results):
    results[3]["per_instance_details"]["sympy__sympy-1"] = {"resolved": True}


def twice(results):
    results[3]["name"] = "first (2024)"


def no_list(results):
    for result in results:
        result.pop("per_instance_details", None)


def a_word(results):
    results[3]["per_instance_details"][ISSUES[0]]["resolved"] = "yes"


def no_mark(results):
    del results[3]["per_instance_details"][ISSUES[0]]["resolved"]


def no_issue(results):
    for result in (results[0], results[3]):
        result["per_instance_details"]["issue 7"] = {"resolved": True}


def no_name(results):
    del results[1]["name"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lacking, "second and first differ in 1 issues, such as 'django__django-10'"),
        (more, "second and first differ in 1 issues, such as 'sympy__sympy-1'"),
        (twice, "'first' occurs twice"),
        (no_list, "'bash-only': no model has a list of issues"),
        (a_word, "second, psf__requests-20"),
        (no_mark, "second, psf__requests-20 has no 'resolved'; the layout has changed"),
        (no_issue, "'issue 7' does not name a repository and an issue"),
        (no_name, "has no 'name'; the layout has changed"),
    ],
)
def test_lists_that_do_not_fit_are_refused(write_board, tmp_path, capsys, change, message):
    results = board()
    change(results)
    assert run(write_board(results), tmp_path / "o.parquet") == 1
    assert re.search(message, capsys.readouterr().err)
    assert not (tmp_path / "o.parquet").exists()


def test_an_issue_that_stands_twice_is_refused(write_board, tmp_path, capsys):
    file = write_board(board()) / swe_bench.FILE
    file.write_text(file.read_text().replace("django__django-10", "django__django-9"))
    assert run(tmp_path, tmp_path / "o.parquet") == 1
    assert "'django__django-9' occurs twice" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "message"), [("bash only", "has no 'results'; the layout has changed")]
)
def test_a_leaderboard_that_is_gone_is_a_sentence(write_board, tmp_path, capsys, name, message):
    assert run(write_board(board(), name), tmp_path / "o.parquet") == 1
    assert message in capsys.readouterr().err


def test_a_file_that_is_cut_off_is_a_sentence(write_board, tmp_path, capsys):
    file = write_board(board()) / swe_bench.FILE
    file.write_text(file.read_text()[:-20])
    assert run(tmp_path, tmp_path / "o.parquet") == 1
    assert "is not JSON" in capsys.readouterr().err
