"""A mistake of somebody with a data frame ends in a sentence, never in a traceback of pandas."""
# ruff: noqa: E501

import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import replicability as rep
from replicability.checks import InputError
from replicability.cli.new import EXAMPLES

N = 8
LONG = pd.DataFrame(
    {
        "dataset": ["news", "law"] * N,
        "instance": [f"i{place // 4}" for place in range(2 * N)],
        "system": ["ours", "ours", "base", "base"] * (N // 2),
        "score": [1, 1, 0, 1] * (N // 2),
    }
)
WIDE = pd.DataFrame(
    {
        "dataset": ["news", "law"] * 4,
        "instance": [f"i{place // 2}" for place in range(8)],
        "ours": [1.0, 1.0, 1.0, 0.0] * 2,
        "base": [0.0, 1.0, 0.0, 0.0] * 2,
    }
)
THREE = LONG.assign(system=["ours", "base", "best", "base"] * (N // 2))
OURS, BASE = (
    LONG[LONG["system"] == name].drop(columns="system").reset_index(drop=True)
    for name in ("ours", "base")
)
AB = {"a": "ours", "b": "base"}


def at(frame, row, **cells):
    """Change cells of a row."""
    changed = frame.astype(dict.fromkeys(cells, object))
    for name, cell in cells.items():
        changed.loc[row, name] = cell
    return changed


def levels(frame):
    """Give headers two levels."""
    return frame.set_axis(pd.MultiIndex.from_product([["x"], frame.columns]), axis="columns")


FRAMES = {
    "a system that is not there": (LONG, {"a": "our", "b": "base"}, r"The frame: system 'our' is not one of ours, base; did you mean 'ours'\?"),
    "the second that is not there": (LONG, {"a": "ours", "b": "bass"}, r"system 'bass' is not one of ours, base; did you mean 'base'\?"),
    "the same system twice": (LONG, {"a": "ours", "b": "ours"}, r"Both systems have the name 'ours'; give them different names with a= and b=\."),
    "three systems, none named": (THREE, {}, r"The frame has 3 systems in its column 'system' \('ours', 'base', 'best'\), but a comparison needs two systems; choose two, the one claimed to be better first, for example with a='ours', b='base'"),
    "three columns, none named": (WIDE.assign(best=1), {}, r"has 3 columns of numbers that may be scores \('ours', 'base', 'best'\), but a comparison needs two systems; specify their columns, the one claimed to be better first, for example with a='ours', b='base'"),
    "a column that is not there": (WIDE, {"a": "ours", "b": "bass"}, r"The frame has neither a column 'bass' nor a column 'system' with that value; choose two of its columns, dataset, instance, ours, base; did you mean 'base'\?"),
    "a named column that is not there": (WIDE, AB | {"dataset": "dateset"}, r"The frame: column 'dateset' is not one of dataset, instance, ours, base; did you mean 'dataset'\?"),
    "no items": (LONG.drop(columns="instance"), AB, r"The frame has no column 'instance', which is needed to match the scores of both systems; specify it with instance=\. The columns are dataset, system, score\."),
    "no scores": (LONG.rename(columns={"score": "right"}), AB, r"The frame has no column 'score', which is needed for both systems; specify it with score='right'\. The columns are dataset, instance, system, right\."),
    "no dataset, by another name": (LONG.rename(columns={"dataset": "task"}), AB, "The frame is read as one dataset, but its column 'task' has 2 different values, such as 'news', 'law'; specify it with dataset='task', or declare that there is one"),
    "a score that is missing": (at(LONG, 5, score=np.nan), AB, r"The frame, row 5 \(from 0\): the score is nan"),
    "a score that is pd.NA": (LONG.convert_dtypes().astype({"score": "Int64"}).pipe(lambda f: f.assign(score=f["score"].mask(f.index == 2))), AB, r"row 2 \(from 0\): the score is nan"),
    "a score that is None": (at(WIDE, 3, base=None), AB, r"The frame, row 3 \(from 0\): the score in 'base' is nan"),
    "an infinite score": (at(WIDE, 1, ours=np.inf).astype({"ours": float}), AB, r"row 1 \(from 0\): the score in 'ours' is inf"),
    "a score that is text": (LONG.assign(score=["good", "bad"] * N), AB, r"row 0 \(from 0\): the score is 'good'"),
    "one score that is text": (at(LONG, 7, score="n/a"), AB, r"the column 'score' holds cells of "
    r"type int and str, which are neither all numbers nor all text; convert them to one type"),
    "a score in per cent": (LONG.assign(score=[f"{s}%" for s in LONG["score"]]), AB, r"the score is '1%'.*; write it without the percent sign"),
    "a date as a score": (LONG.assign(score=datetime.datetime(2020, 1, 1)), AB, r"the column read as 'score' holds timestamp.*, which is neither text nor numbers"),
    "lists as scores": (LONG.assign(score=[[1, 2]] * 2 * N), AB, r"the column read as 'score' holds list<.*>, which is neither text nor numbers"),
    "an item that is missing": (at(LONG, 3, instance=None), AB, r"row 3 \(from 0\): the instance is empty, but every row needs one; fill it in"),
    "a dataset that is missing": (at(LONG, 3, dataset=np.nan), AB, r"row 3 \(from 0\): the dataset is empty"),
    "a system that is missing": (at(LONG, 3, system=None), AB, r"row 3 \(from 0\): the system is empty"),
    "an item twice": (pd.concat([LONG, LONG.iloc[[0]]]), AB, r"'i0' of 'news' occurs"),
    "a row twice": (pd.concat([WIDE, WIDE.iloc[[0]]]), AB, r"'i0' of 'news' occurs"),
    "an item of one system": (LONG.drop(index=2), AB, r"The frame: item 'i0' of 'news' is missing for base; score both systems on the same items"),
    "a dataset of one system": (LONG.drop(index=LONG.index[(LONG["system"] == "base") & (LONG["dataset"] == "law")]), AB, r"dataset 'law' is missing for base; score every system on every dataset, or select the datasets with datasets="),
    "headers of levels": (levels(WIDE), AB, r"The frame has column headers with 2 levels; give each column "
    r"one name, for example with frame\.columns = "),
    "a header twice": (WIDE.set_axis(["dataset", "instance", "ours", "ours"], axis="columns"), {"a": "ours", "b": "base"}, r"The frame has neither a column 'base' nor a column 'system' with that value; choose two of its columns, dataset, instance, ours, ours\."),
    "the header of A twice": (WIDE.assign(x=0.5).set_axis(["dataset", "instance", "ours", "base", "ours"], axis="columns"), AB, r"2 columns are called 'ours'; give each its own header"),
    "no row": (WIDE.iloc[:0], AB, r"The frame has no rows; pass a row for each"),
    "no row left of a system": (LONG[LONG["system"] == "ours"], AB, r"The frame: system 'base' is not one of ours"),
    "no column": (pd.DataFrame(index=range(3)), AB, r"The frame has neither a column 'ours' nor a column 'system' with that value; choose two of its columns, \."),
    "a dataset that is not there": (WIDE, AB | {"datasets": ["new"]}, r"The frame: dataset 'new' is not one of news, law; did you mean 'news'\?"),
    "datasets as one text": (WIDE, AB | {"datasets": "news"}, r"datasets= is 'news', but datasets must be a list"),
    "datasets that look alike": (WIDE.replace({"dataset": {"law": "News"}}), AB, r"the datasets "
    r"'news' and 'News' differ only in case or spaces"),
    "a group of none": (WIDE, AB | {"groups": {"g": []}}, r"In groups=, g is \[\], but a group must be a list of one or more different datasets"),
    "a group of others": (WIDE, AB | {"groups": {"g": ["new"]}}, r"group 'g': dataset 'new' is not one of news, law; did you mean 'news'\?"),
    "a group as one text": (WIDE, AB | {"groups": {"g": "news"}}, r"In groups=, g is 'news', but a group must be a list"),
    "groups without names": (WIDE, AB | {"groups": ["news"]}, r"groups= is \['news'\], but groups must map at least one name"),
    "another test": (WIDE, AB | {"test": "wilcoxn"}, r"test 'wilcoxn' is not one of .*; did you mean 'wilcoxon'\?"),
    "a test of ratings": (WIDE, AB | {"test": "steiger"}, r"needs gold ratings"),
    "another dependence": (WIDE, AB | {"dependence": "independant"}, r"dependence 'independant' is not one of independent, positive, dependent; did you mean 'independent'\?"),
    "another procedure": (WIDE, AB | {"procedure": "open"}, r"procedure 'open' is not one of closed, paper"),
    "another method": (WIDE, AB | {"method": "holm"}, r"method 'holm' is not one of"),
    "a method that is not valid": (WIDE, AB | {"method": "fisher"}, r"The method 'fisher'"),
    "a method of the paper's": (WIDE, AB | {"procedure": "paper", "method": "fisher"}, r"method=.* 'paper'"),
    "alpha above 1": (WIDE, AB | {"alpha": 5}, r"alpha= is 5, but"),
    "a confidence level": (WIDE, AB | {"alpha": 0.95}, r"alpha= is 0\.95, but alpha must be .* at most 0\.5"),
    "no alpha": (WIDE, AB | {"alpha": []}, r"alpha= is \[\], but alpha must be above 0"),
    "a seed below 0": (WIDE, AB | {"seed": -1}, r"seed= is -1"),
    "a metric of a frame": (WIDE, AB | {"metric": "las"}, r"the metric 'las' compares predictions with gold labels; specify the column that holds them with gold="),
    "a unit that is not there": (WIDE, AB | {"unit": "passage"}, r"The frame: column 'passage' is not one of"),
    "scores of which less is better": (LONG.rename(columns={"score": "perplexity"}), AB | {"score": "perplexity"}, r"lower"),
    "different scales": (WIDE.assign(base=100 * WIDE["base"]), AB, r"on the same scale"),
    "a size of 0": (LONG.assign(size=0), AB | {"size": "size"}, r"the size is 0, but the denominator of a score must be above 0"),
    "a score above its size": (LONG.assign(size=0.5), AB | {"size": "size"}, r"has the score 1 and the size 0\.5"),
}  # fmt: skip


@pytest.mark.parametrize(("frame", "given", "message"), FRAMES.values(), ids=FRAMES)
def test_a_frame_is_refused_with_a_sentence(frame, given, message):
    with pytest.raises(InputError, match=message):
        rep.compare(frame, **given)


PAIRS = {
    "only one has datasets": (OURS, BASE.drop(columns="dataset"), {}, r"The frame of ours has a dataset column \('dataset'\), but The frame of base has none; add the column, or use one_dataset=True to declare that there is only one dataset\."),
    "a score that is missing": (OURS, at(BASE, 1, score=None), {}, r"The frame of base, row 1 \(from 0\): the score is nan"),
    "an item twice": (OURS, pd.concat([BASE, BASE.iloc[[0]]]), {}, r"'i0' of 'news' occurs"),
    "an item less": (OURS, BASE.iloc[1:], {}, r"'i0' of 'news' is missing for base"),
    "another type of identifiers": (OURS.assign(instance=range(len(OURS))), BASE, {}, r"are missing for ours, which has '0', '1', '2' instead"),
    "no items": (OURS, BASE.drop(columns="instance"), {}, r"The frame of base has no column 'instance', which is needed to match the scores of both systems; specify it with instance=\. The columns are dataset, score\."),
    "sizes in one": (OURS.assign(size=2), BASE, {"size": "size"}, r"The frame of base: column 'size' is not one of"),
    "other sizes": (OURS.assign(size=2), BASE.assign(size=3), {"size": "size"}, r"has the size 2 for ours and 3 for base"),
    "gold beside two": (OURS, BASE, {"gold": "gold"}, r"gold= names a column of a table"),
    "one is a path": (OURS, "base.csv", {}, r"The scores of A are a data frame, but those of B "
    r"are a path; pass both in the same form"),
    "one name": (OURS, BASE, {"a": "x", "b": "x"}, r"Both systems have the name 'x'; give them different names with a= and b=\."),
    "lengths": ([1, 0, 1], [1, 0], {}, r"dataset 'all': ours has 3 scores and base has 2; score both systems on the same items, in the same order\."),
    "lengths of a dataset": ({"x": [1, 0]}, {"x": [1]}, {}, r"dataset 'x': ours has 2 scores and base has 1; score both systems on the same items, in the same order\."),
    "no dataset of B": ({"x": [1], "y": [1]}, {"x": [1]}, {}, r"Dataset 'y' has no scores for B; score both systems on every dataset\."),
    "no dataset of A": ({"x": [1]}, {"x": [1], "y": [1]}, {}, r"Dataset 'y' has no scores for A; score both systems on every dataset\."),
    "no number": ([1, "x"], [1, 0], {}, r"Dataset 'all', scores of ours, row 1 \(from 0\): the score is 'x'"),
    "a number that is missing": ([1, 0], [None, 0], {}, r"scores of base, row 0 \(from 0\): the score is nan"),
    "objects": ([object(), 0], [1, 0], {}, r"scores of ours, row 0 \(from 0\): the score is '<object"),
    "tables of numbers": (np.ones((3, 2)), np.ones((3, 2)), {}, r"scores of ours are of shape \(3, 2\); pass one number for each item"),
    "ragged": ([[1], [1, 2]], [1, 0], {}, r"dataset 'all', scores of ours are empty or ragged \(rows of unequal length\); pass one number for each item \(to pass numerators and denominators, use a data frame"),
    "nothing": ([], [], {}, r"scores of ours are empty"),
}  # fmt: skip


@pytest.mark.parametrize(("ours", "base", "given", "message"), PAIRS.values(), ids=PAIRS)
def test_two_sides_are_refused_with_a_sentence(ours, base, given, message):
    with pytest.raises(InputError, match=message):
        rep.compare(ours, base, **{**AB, **given})


OTHERS = {
    "a list alone": ([1, 0, 1], r"The frame is of type list; pass a data frame \(pandas, polars, pyarrow"),
    "a series": (pd.Series([1, 2]), r"The frame is of type Series"),
    "nothing": (None, r"The frame is of type NoneType"),
    "no dataset": ({}, r"No dataset was passed; pass a dictionary that maps each dataset to a pair: \(scores of A, scores of B\)\."),
    "frames by dataset": ({"news": WIDE}, r"dataset 'news' is a data frame; concatenate the data frames of all datasets into one, with a column 'dataset'\."),
    "no pair": ({"news": [1, 2, 3]}, r"dataset 'news' is not a pair; pass a dictionary that maps each dataset to \(scores of A, scores of B\), or a data frame \(pandas, polars, pyarrow, or any other with"),
    "a number": ({"news": 1}, r"holds the scores of only one system, because its keys are items"),
    "no such file": ("scores.csv", r"scores.csv does not exist"),
    "an array of Arrow": (pa.array([1, 2]), r"The frame is of type Int64Array"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "message"), OTHERS.values(), ids=OTHERS)
def test_what_is_no_table_is_refused_with_a_sentence(data, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        rep.compare(data)


def test_columns_of_tables_are_refused_where_files_have_none():
    ours, base = (EXAMPLES / "segments" / name for name in ("ours", "baseline"))
    with pytest.raises(
        InputError,
        match=r"score=.* 'segments'",
    ):
        rep.compare(ours, base, format="segments", score="bleu")
    with pytest.raises(
        InputError,
        match=r"The format 'labels' holds outputs, which must be compared with gold files; specify these with gold=\.",
    ):
        rep.compare(ours, base, format="labels")
    with pytest.raises(
        InputError, match=r"Both systems are read from .*ours; give each its own file or folder"
    ):
        rep.compare(ours, ours)


PVALUES = {
    "above 1": (([0.1, 1.5],), {}, r"1\.5"),
    "missing": (([0.1, None],), {}, r"nan|None"),
    "text": ((["a"],), {}, r"'a'"),
    "none": (([],), {}, r"at least one|empty|no p-value"),
    "a frame": ((WIDE,), {}, r"no column is called p, p_value or the like"),
    "too few names": (([0.1, 0.2], ["x"]), {}, r"names= and the p-values differ in length \(1 and 2\); pass one name for each p-value\."),
    "a name twice": (([0.1, 0.2], ["x", "x"]), {}, r"Two datasets have the name 'x'"),
    "a name that is empty": (([0.1, 0.2], ["x", ""]), {}, r"A dataset's name is empty; give every dataset a name\."),
    "names alike": (([0.1, 0.2], ["x", "X"]), {}, r"'x' and 'X' differ only in case"),
    "joint": (([0.1, 0.2],), {"method": "joint"}, r"the method 'joint' flips the signs of units"),
    "zeros": (([0.3, 0.0, 0.0],), {}, r"p-value 2 of 3 is 0 \(2 p-values are 0\), .*set resolution= to"),
    "a resolution of 1": (([0.1],), {"resolution": 1}, r"resolution= is 1, but a resolution must be the smallest p-value"),
    "a negative resolution": (([0.0],), {"resolution": -0.1}, r"resolution= is -0\.1, but a resolution must be the"),
    "a resolution in words": (([0.0],), {"resolution": "x"}, r"resolution= is 'x', but a resolution must be the"),
    "scores that are no sequences": (([0.1, 0.2],), {"scores": [1, 2]}, r"scores= needs two sequences"),
    "scores of one system": (([0.1, 0.2],), {"scores": [[1, 2]]}, r"scores= needs two sequences"),
    "scores that are a number": (([0.1, 0.2],), {"scores": 3}, r"scores= needs two sequences"),
    "names that are a number": (([0.1, 0.2], 3), {}, r"names=3 is not a list of names"),
    "one name": (([0.1],), {"a": "x", "b": "x"}, r"Both systems have the name 'x'"),
}  # fmt: skip


@pytest.mark.parametrize(("given", "more", "message"), PVALUES.values(), ids=PVALUES)
def test_p_values_are_refused_with_a_sentence(given, more, message):
    with pytest.raises(InputError, match=message):
        rep.count(*given, **more)


FAMILIES = {
    "two systems": (LONG, {}, r"has 2 systems \(ours, base\), but .*three or more"),
    "two columns": (WIDE, {}, r"The frame has 2 columns of numbers that may be scores, but a family needs at least three systems; specify their columns with systems=\. If each row has the score of"),
    "two of three columns": (WIDE.assign(best=1), {"systems": ["ours", "base"]}, r"^systems= names only 2 systems, but a family needs at least three; add more, or compare two with compare\(\)\.$"),
    "another one": (WIDE.assign(best=1), {"against": "bst"}, r"against 'bst' is not one of"),
    "a column that is not there": (WIDE, {"systems": ["ours", "base", "bst"]}, r"column 'bst' is not one of"),
    "two paths": (["x.csv", "y.csv"], {}, r"A family needs at least three systems, but you passed 2 \(x, y\); to compare two systems, use the command compare \(compare\(\) in Python\)\."),
    "one path": (["x.csv"], {}, r"A family needs a file for each of at least three systems, but there is only one file\."),
    "files alike": (["a/x.csv", "b/x.csv", "b/x.csv"], {}, r"Two files would give their systems the same name, 'b'; pass a dictionary that maps each system to its file\."),
    "a path and a frame": ({"x": WIDE, "y": "y.csv", "z": WIDE}, {}, r"The scores of x are a data frame, but those of y are a path"),
    "a dictionary inside": ({"x": {"news": [1]}, "y": [1], "z": [1]}, {}, r"The scores of x are a dictionary, but those of y are an array"),
    "arrays that differ": ({"x": [1, 0], "y": [1, 0], "z": [1]}, {}, r"x has 2 scores and z has 1; score all systems on the same items, in the same order\."),
    "an array of words": ({"x": [1, 0], "y": [1, 0], "z": [1, "b"]}, {}, r"Scores of z.* is 'b'"),
    "a system of none": ({"x": [1], "y": [1], "z": [1]}, {"systems": ["x", "y", "w"]}, r"system 'w' is not one of x, y, z"),
    "a file that is not there": ({"x": "x.csv", "y": "y.csv", "z": "z.csv"}, {}, r"x\.csv does not exist"),
    "gold": (WIDE.assign(best=1), {"gold": "best"}, r"gold= applies to outputs, but these systems have scores; leave it out, or compare two systems by their correlation with gold ratings\."),
    "shared, but independent": (WIDE.assign(best=1), {"shared": True, "dependence": "independent"}, r"shared= says that they share units"),
    "two levels": (WIDE.assign(best=1), {"alpha": [0.05, 0.01]}, r"alpha= has several levels, but a family of systems uses only one"),
    "no names": (WIDE.assign(best=1), {"systems": 3}, r"systems=3 is not a list of names"),
    "no list": (WIDE, {"systems": "ours"}, r"systems='ours' is a single string; pass a list of names"),
}  # fmt: skip


@pytest.mark.parametrize(("frame", "given", "message"), FAMILIES.values(), ids=FAMILIES)
def test_a_family_is_refused_with_a_sentence(frame, given, message):
    with pytest.raises(InputError, match=message):
        rep.all_pairs(frame, **given)


UNKNOWN = [
    (
        rep.compare,
        {"metrc": "las"},
        r"compare\(\) has no argument 'metrc'; did you mean 'metric'\?",
    ),
    (rep.compare, {"systems": ("ours", "base")}, r"compare\(\) has no argument 'systems'"),
    (rep.compare, {"sided": "two"}, r"compare\(\) has no argument 'sided'"),
    (rep.compare, {"resolution": 0.3}, r"compare\(\) has no argument 'resolution'"),
    (rep.compare, {"files": {}}, r"compare\(\) has no argument 'files'"),
    (rep.compare, {"section": "q"}, r"compare\(\) has no argument 'section'"),
    (rep.compare, {"columns": {"run": "seed"}}, r"compare\(\) has no argument 'columns'"),
    (rep.count, {"side": "two"}, r"count\(\) has no argument 'side'"),
    (rep.all_pairs, {"clam": "not_worse"}, r"all_pairs\(\) has no argument 'clam'"),
    (rep.design, {"gain": [0.1]}, r"design\(\) has no argument 'gain'; did you mean 'gains'\?"),
    (rep.Scores.from_frame, {"datset": "x"}, r"no argument 'datset'; did you mean 'dataset'\?"),
    (rep.Scores.read, {"systm": "x"}, r"no argument 'systm'; did you mean 'system'\?"),
]


@pytest.mark.parametrize(("function", "given", "message"), UNKNOWN)
def test_an_unknown_keyword_is_a_type_error(function, given, message):
    with pytest.raises(TypeError, match=message):
        function(WIDE, **given)


def test_groups_are_bounded_by_closed_testing_alone():
    result = rep.compare(WIDE, **AB, procedure="paper")
    with pytest.raises(InputError, match=r"Bounds of groups need closed testing"):
        result.bounds(["news"])
    with pytest.raises(InputError, match=r"the group: dataset 'new' is not one of news, law"):
        rep.bounds(rep.compare(WIDE, **AB), ["new"])


def test_one_direction_cannot_be_turned_round():
    with pytest.raises(
        InputError,
        match=r"These p-values test only one direction; compare scores to test the other direction, too\.",
    ):
        rep.count([0.1, 0.2]).both()


def test_truths_and_categories_are_scores_and_names():
    plain = rep.compare(WIDE, **AB).table
    truths = WIDE.astype(
        {"ours": bool, "base": bool, "dataset": "category", "instance": "category"}
    )
    pd.testing.assert_frame_equal(rep.compare(truths, **AB).table, plain, check_exact=True)
