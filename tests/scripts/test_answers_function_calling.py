"""Raw files of the function-calling leaderboard: what is read from them, and what is refused."""

import json
import sys

import pandas as pd
import pytest

from analysis import paths
from replicability.checks import InputError

sys.path.insert(0, str(paths.ROOT / "scripts" / "leaderboards"))

import function_calling
import function_calling_fences

FAILED = {
    "valid": False,
    "error": [],
    "error_type": "ast_decoder:decoder_failed",
    "prompt": {"question": "Area of 2 by 3?"},
    "model_result_raw": "```json\n[area(width=2, height=3)]\n```",
    "possible_answer": {"area": {"width": [2], "height": [3], "unit": ["cm", ""]}},
}


def record(number, model="a", category="simple", **changes):
    return FAILED | {"id": number, "model_name": model, "test_category": category} | changes


def totals(correct, total):
    return {"accuracy": correct / total, "correct_count": correct, "total_count": total}


def put(folder, lines, model="a", category="simple"):
    path = folder / model / f"{category}_score.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path):
    """Two models on three items of a category and two of another, which repeats a question."""
    for model, failed in {"a": [1, 3], "b": [2]}.items():
        records = [record(i, model, prompt={"question": f"q{i}"}) for i in failed]
        put(tmp_path, [totals(3 - len(failed), 3), *records], model)
    other = "multiple_function"
    put(tmp_path, [totals(1, 2), record(2, "a", other, prompt={"question": "q3"})], "a", other)
    put(tmp_path, [totals(2, 2)], "b", other)
    return tmp_path


def test_items_are_right_unless_listed(folder):
    found = function_calling.outcomes(folder)
    assert list(found["dataset"]) == ["multiple"] * 2 + ["simple"] * 3
    assert list(found["instance"]) == [1, 2, 1, 2, 3]
    assert (list(found["a"]), list(found["b"])) == ([1, 0, 0, 1, 0], [1, 1, 1, 0, 1])
    assert found["question"].isna().tolist() == [True, False, False, False, False]
    assert found["question"].iloc[1] == found["question"].iloc[4]
    assert found["question"].nunique() == 3


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([totals(2, 3), record(1), record(3)], r"lists 2 failed items, but reports 2 of 3 right"),
        ([totals(1, 3), record(1), record(1)], r"1 occurs twice"),
        ([totals(1, 3), record(1), record(4)], r"line 3: item 4 is not between 1 and 3"),
        ([totals(1, 3), record(0), record(1)], r"line 2: item 0 is not between 1 and 3"),
        ([totals(1, 3), record(1, "b"), record(2)], r"line 2: 'model_name' is 'b', but .* 'a'"),
        ([totals(2, 3), record(1, category="rest")], r"'test_category' is 'rest'"),
        ([totals(2, 3), record(1, valid=True)], r"'valid' is True"),
        ([totals(2, 3), {"id": 1}], r"line 2 has no 'error_type'"),
        ([totals(2, 3), record("1")], r"'id' is '1', which has an unexpected type"),
        ([{"correct_count": 1, "total_count": 1}], r"has no 'accuracy'"),
        ([record(1)], r"has no 'correct_count'"),
        ([], r"simple_score\.json is empty"),
        ([totals(4, 4)], r"the items \(3\) differs from that of another model \(4\)"),
        ([totals(2, 3), record(2, prompt={"question": "x"})], r"the question \('q2'\) differs"),
    ],
)
def test_what_disagrees_with_itself_is_refused(folder, lines, message):
    put(folder, lines)
    with pytest.raises(InputError, match=message):
        function_calling.outcomes(folder)


def test_a_file_that_was_cut_off_is_refused(folder):
    path = folder / "a" / "simple_score.json"
    path.write_text(path.read_text(encoding="utf-8")[:-5], encoding="utf-8")
    with pytest.raises(InputError, match=r"simple_score\.json, line 3 is not JSON"):
        function_calling.outcomes(folder)


def test_a_model_without_a_category_is_refused(folder):
    (folder / "b" / "simple_score.json").unlink()
    with pytest.raises(InputError, match="b has no file for 'simple'"):
        function_calling.outcomes(folder)


def test_a_folder_without_files_is_refused(tmp_path):
    with pytest.raises(InputError, match="has no file"):
        function_calling.outcomes(tmp_path)


def test_the_command_says_what_is_wrong_and_writes_nothing(folder, capsys, monkeypatch):
    put(folder, [totals(2, 3)])
    output = folder / "out.parquet"
    status = function_calling.answers.run(
        function_calling.outcomes, "Text.", [str(folder), "--output", str(output)]
    )
    assert (status, output.exists()) == (1, False)
    assert "lists 0 failed items" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("[area(width=2, height=3)]", [("area", {"width": 2, "height": 3})]),
        ("a.b(x='y'), c(z=[{'k': None}])", [("a.b", {"x": "y"}), ("c", {"z": [{"k": None}]})]),
        ("f(place=monitor)", [("f", {"place": "monitor"})]),
        ('[{"name": "area"}]', None),
        ("area(2, 3)", None),
        ("area(**given)", None),
        ("area(width=1 +)", None),
        ("area(width=b'x')", None),
        ("area(width=g(1))", None),
        ("[]", None),
        ("", None),
    ],
)
def test_calls_are_read_or_not(text, calls):
    assert function_calling_fences.calls_in(text) == calls


POSSIBLE = [("area_1", {"w": [2], "unit": ["cm", ""]}), ("area_2", {"w": [3, 4], "unit": ["m"]})]


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([("area", {"w": 2}), ("area", {"w": 4, "unit": "m"})], True),
        ([("area", {"w": 3, "unit": "m"}), ("area", {"w": 2, "unit": "cm"})], True),
        ([("area", {"w": 2})], False),
        ([("area", {"w": 2}), ("area", {"w": 3})], False),
        ([("area", {"w": 2.0}), ("area", {"w": 3, "unit": "m"})], False),
        ([("area", {"w": 2, "h": 1}), ("area", {"w": 3, "unit": "m"})], False),
        ([("are", {"w": 2}), ("area", {"w": 3, "unit": "m"})], False),
        ([("area", {"w": 2})] * 2 + [("area", {"w": 3, "unit": "m"})], False),
        ([("area", {"w": True}), ("area", {"w": 3, "unit": "m"})], False),
    ],
)
def test_calls_match_to_the_letter(calls, expected):
    assert function_calling_fences.matches(calls, POSSIBLE) is expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, (1, 1, 1, 1)),
        ({"model_result_raw": "```python\narea(width=2, height=3)\n```\n"}, (1, 0, 1, 1)),
        ({"model_result_raw": "```json\n[area(width=2, height=9)]\n```"}, (1, 1, 1, 0)),
        ({"model_result_raw": '```json\n[{"name": "area"}]\n```'}, (1, 1, 0, 0)),
        ({"model_result_raw": "So: ```area(width=2, height=3)```"}, (0, 0, 0, 0)),
        ({"model_result_raw": [{"area": "{"}]}, (0, 0, 0, 0)),
        (
            {"possible_answer": None, "ground_truth": ["area(width=2, height=3)"]},
            (1, 1, 1, 1),
        ),
        ({"possible_answer": None, "ground_truth": "[]"}, (1, 1, 1, 0)),
    ],
)
def test_what_a_fence_holds(tmp_path, changes, expected):
    failed = record(1) | {k: v for k, v in changes.items() if k == "model_result_raw"}
    if "possible_answer" in changes:
        del failed["possible_answer"]
        truth = changes["ground_truth"]
        failed["prompt"] = {"question": "?"} | ({"ground_truth": truth} if truth != "[]" else {})
    put(tmp_path, [totals(0, 1), failed])
    (row,) = function_calling_fences.fences(tmp_path).to_dict("records")
    assert tuple(row[name] for name in function_calling_fences.COLUMNS) == expected


def test_answers_that_were_decoded_are_not_listed(tmp_path):
    put(tmp_path, [totals(0, 1), record(1, error_type="simple_function_checker:wrong_count")])
    assert function_calling_fences.fences(tmp_path).empty


def test_an_answer_that_is_missing_is_refused(tmp_path):
    failed = {k: v for k, v in record(1).items() if k != "model_result_raw"}
    put(tmp_path, [totals(0, 1), failed])
    with pytest.raises(InputError, match="item 1 has no 'model_result_raw'"):
        function_calling_fences.fences(tmp_path)


def test_models_have_their_makers_before_a_slash(tmp_path):
    put(tmp_path, [totals(0, 1), record(1, "maker_model-2")], "maker_model-2")
    assert list(function_calling.outcomes(tmp_path).columns[3:]) == ["maker/model-2"]
    assert list(function_calling_fences.fences(tmp_path)["system"]) == ["maker/model-2"]


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("function_calling", function_calling.outcomes),
        ("function_calling_fences", function_calling_fences.fences),
    ],
)
def test_the_committed_files_are_those_of_the_raw_files(mirror, name, make):
    (folder,) = mirror("function_calling").glob("HuanzhiMao/BFCL-Result/*/2024-08-11/score")
    committed = pd.read_parquet(paths.ROOT / "data" / "outcomes" / f"{name}.parquet")
    pd.testing.assert_frame_equal(make(folder).astype(committed.dtypes), committed)
