"""Families from every format against the comparisons of their pairs, and what is refused."""
# ruff: noqa: E501 - a row of a table of faults is a line

import json
import shutil

import numpy as np
import pandas as pd
import pytest
import yaml

from analysis import paths
from replicability import checks
from replicability.core import all_pairs, evaluation
from replicability.io import families, formats, several
from replicability.io.study import Comparison, Family, read_study

OF_FILES = [name for name in formats.NAMES if "files" in formats.get(name).keys]
THREE = ("ours", "baseline", "third")


def example(name):
    return paths.ROOT / "replicability" / "cli" / "example" / name


@pytest.fixture
def declared(tmp_path):
    """Return a function that declares three systems of the example of a format, two identical."""

    def declared(name, **changes):
        folder = tmp_path / name
        shutil.copytree(example(name), folder)
        shutil.copytree(folder / "baseline", folder / "third")
        (block,) = yaml.safe_load((folder / "study.yaml").read_text())["comparisons"]
        gold = {"gold": str(folder / "gold")} if "gold" in block["files"] else {}
        block |= {"name": "all", "files": gold | {s: str(folder / s) for s in THREE}}
        for key in ("systems", "title"):
            block.pop(key)
        if isinstance(block.get("items"), str):
            block["items"] = str(folder / "items")
        block |= changes
        path = tmp_path / "study.yaml"
        path.write_text(
            yaml.safe_dump({"study": "s", "alphas": [0.05], "families": [block]}, sort_keys=False)
        )
        (found,) = read_study(path).families
        return found

    return declared


@pytest.mark.long
@pytest.mark.parametrize("name", OF_FILES)
def test_a_family_of_every_format_holds_what_its_pairs_hold(declared, name):
    family = declared(name)
    systems, datasets = several.read(family)
    assert tuple(systems) == THREE
    shown = {f: getattr(family, f) for f in ("dependence", "score", "format", "columns", "metric",
             "filter", "by", "match", "items", "lists", "test", "options")}  # fmt: skip
    sides = {"a": family.files["ours"], "b": family.files["third"]}
    gold = {"gold": family.files["gold"]} if "gold" in family.files else {}
    block = shown | {"name": "all", "section": "", "title": "", "files": gold | sides}
    pair = Comparison(**block, systems=("ours", "third"))
    alone = formats.read(pair)
    assert [part.name for part in datasets] == [dataset.name for dataset in alone]
    for part, dataset in zip(datasets, alone, strict=True):
        found = part.pair(0, 2)
        assert found.identifiers.to_pylist() == dataset.identifiers.to_pylist()
        np.testing.assert_array_equal(found.a, dataset.a)
        np.testing.assert_array_equal(found.b, dataset.b)
        assert found.metric == dataset.metric
    table, compared = evaluation.evaluate(pair), all_pairs.compare(family)
    ours, third = (compared.systems.index(system) for system in ("ours", "third"))
    for of_pair, alone in (
        (compared.pvalues[ours, third], table["p_value"]),
        (compared.pvalues[third, ours], table["p_reverse"]),
    ):
        # an interval that contradicts the claim makes the p-value of two systems 1
        np.testing.assert_allclose(np.where(alone == 1, of_pair, alone), of_pair, rtol=1e-9)
        assert (of_pair[alone == 1] > 0.9).all()
    np.testing.assert_allclose(compared.scores[ours], table["score_a"], rtol=1e-12)
    assert {frozenset(group) for group in compared.identical} == {frozenset(("baseline", "third"))}


WIDE = pd.DataFrame(
    {
        "corpus": ["news"] * 3 + ["law"] * 2,
        "id": ["1", "2", "3", "1", "2"],
        "A": [1.0, 0, 1, 1, 1],
        "B": [0.0, 0, 1, 0, 1],
        "C": [0.0, 1, 1, 0, 0],
        "n": [2, 2, 2, 1, 1],
    }
)


def of_arrow(file, **changes):
    columns = {"dataset": "corpus", "instance": "id", "scores": ["A", "B", "C"]}
    block = {"name": "all", "section": "", "title": "All", "systems": (), "columns": columns}
    return Family(**{**block, "dependence": "independent", "file": str(file), **changes})


@pytest.mark.parametrize("sized", [False, True])
def test_a_column_for_each_system_is_what_a_row_for_each_is(tmp_path, sized):
    WIDE.to_csv(tmp_path / "wide.csv", index=False)
    long = WIDE.melt(["corpus", "id", "n"], ["A", "B", "C"], "who", "x")
    long.to_csv(tmp_path / "long.csv", index=False)
    size = {"size": "n"} if sized else {}
    columns = {"dataset": "corpus", "instance": "id"} | size
    wide = of_arrow(tmp_path / "wide.csv", columns=columns | {"scores": ["A", "B", "C"]})
    rows = of_arrow(tmp_path / "long.csv", columns=columns | {"system": "who", "score": "x"})
    (names, first), (again, second) = several.read(wide), several.read(rows)
    assert names == again == ["A", "B", "C"]
    for one, other in zip(first, second, strict=True):
        assert (one.name, one.identifiers.to_pylist()) == (
            other.name,
            other.identifiers.to_pylist(),
        )
        np.testing.assert_array_equal(one.scores, other.scores)
        assert (one.size is None) == (other.size is None) != sized
    renamed = several.read(of_arrow(tmp_path / "wide.csv", systems=("x", "y", "z")))
    assert renamed[0] == ["x", "y", "z"]


def test_what_a_column_of_a_system_holds_is_named(tmp_path):
    WIDE.astype({"C": object}).replace({"C": {1.0: "one"}}).to_csv(tmp_path / "wide.csv")
    with pytest.raises(
        checks.InputError, match=r"line 3: the score in 'C' is 'one', but it must be a fin"
    ):
        several.read(of_arrow(tmp_path / "wide.csv"))


def test_one_run_of_a_log_more_than_the_others(declared, tmp_path):
    family = declared("lm_eval")
    extra = tmp_path / "lm_eval" / "third" / "samples_more.jsonl"
    extra.write_text(json.dumps({"doc_id": 0, "acc": 1.0}))
    with pytest.raises(
        checks.InputError, match=r"lm_eval/ours lacks 'more'\. Every dataset needs a"
    ):
        several.read(family)


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("folders", {"files": {"a": "x", "b": "y"}}, r"there are files for only 2 systems \(a, b\), but a family needs three or more"),
        ("folders", {"files": {"a": "x", "b": "x", "c": "z"}}, r"the systems a and b have the same file 'x'; give a separate file"),
        ("folders", {"files": {"a": "x", "b": "y", "c": "z", "gold": "g"}}, r"'folders' has scores and needs no gold files; remove the key gold"),
        ("labels", {"files": {"a": "x", "b": "y", "c": "z"}}, r"the format 'labels' holds outputs, which must be compared with gold files; specify these under files"),
        ("folders", {"systems": ["ours", "baseline", "thrid"]}, r"files of the system 'thrid' is not one of .*did you mean 'third'\?"),
        ("folders", {"against": "bse"}, r"files of the system 'bse' is not one of ours, baseline, third"),
        ("folders", {"file": "scores.csv"}, r"the key 'file' has no effect in the format 'folders'"),
        ("folders", {"shared": True}, r"declared independent, so they share no items, but the "
        r"key 'shared' says"),
        ("folders", {"shared": True, "dependence": "dependent", "n_flips": 30}, r"30 flips cannot "
        r"give a significant result at alpha = 0.05 \(divided by 6 ordered pairs\), .* at least 120"),
        ("folders", {"n_flips": 300}, r"'n_flips' is the number of joint sign flips, but no units are shared"),
        ("folders", {"files": ["x", "y", "z"]}, r"the files of a family must map each system, and gold if needed, to a file or folder"),
        ("folders", {"margin": 1}, "'margin' applies to two systems"),
        ("folders", {"method": "fishre"}, r"families\[0\]: method 'fishre' .*did you mean 'fisher'\?"),
    ],
)  # fmt: skip
def test_families_of_files_are_refused_with_a_sentence(declared, name, changes, message):
    with pytest.raises(checks.InputError, match=message) as caught:
        declared(name, **changes)
    assert "\n" not in str(caught.value)


COLUMNS = {"dataset": "corpus", "instance": "id", "scores": ["A", "B", "C"]}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"columns": {**COLUMNS, "scores": ["A", "B"]}}, r"scores is \['A', 'B'\], but the scores of a family must be a list of three or more"),
        ({"systems": ["A", "B", "C", "D"]}, r"there are 3 columns of scores and 4 systems; give a column for each"),
        ({"against": "a"}, r"against 'a' is not one of A, B, C"),
        ({"columns": {"dataset": "corpus", "scores": ["A", "B", "C"]}}, r"the columns dataset, scores are not a valid combination"),
        ({"columns": {**COLUMNS, "instance": "A"}}, r"the column 'A' is used for two roles; specify a separate column"),
        ({"metric": "f1"}, r"the metric 'f1' compares predictions with gold labels"),
    ],
)  # fmt: skip
def test_families_of_a_table_are_refused_with_a_sentence(tmp_path, changes, message):
    file = tmp_path / "wide.csv"
    WIDE.to_csv(file, index=False)
    block = {"name": "all", "dependence": "independent", "file": str(file), "columns": COLUMNS}
    content = {"study": "s", "alphas": [0.05], "families": [block | changes]}
    path = tmp_path / "study.yaml"
    path.write_text(yaml.safe_dump(content))
    with pytest.raises(checks.InputError, match=message) as caught:
        read_study(path)
    assert "\n" not in str(caught.value)


def test_ordered_pairs_are_counted():
    assert (families.n_pairs(18), families.n_pairs(18, "one")) == (306, 34)
    assert families.members({"systems": [], "columns": {"system": "s"}}) == []


def test_many_files_are_counted_in_a_message():
    files = {"gold": "g", "a": "x", "b": "y", "c": "z"}
    assert families.listed(files) == "x, y and z"
    assert families.listed(files | {"d": "v", "e": "w"}) == "x, y and 3 others"
