"""The scores of WMT25: what is kept, win shares, and what is refused."""

import json
import sys

import numpy as np
import pandas as pd
import pytest
import yaml

from analysis import paths
from replicability import Grid, checks

sys.path.insert(0, str(paths.ROOT / "scripts" / "leaderboards"))
import wmt25
import wmt25_grids

METRICS = list(wmt25.NAMES)


def line(pair, document, **scores):
    values = {name: scores.get(name, [0.5, 0.5]) for name in METRICS}
    return {
        **{"language_pair": pair, "domain": "news", "document_id": document},
        "metric_scores": values,
    }


@pytest.fixture
def folder(tmp_path):
    """Three systems with two language pairs, and one with a single pair."""
    for place, system in enumerate(("a", "b", "c")):
        lines = [
            line(
                pair, "d1", **{"XCOMET-XL": [place / 10, 0.5], "GEMBA-ESA-GPT4.1": [90, 10 * place]}
            )
            for pair in ("en-cs_CZ", "cs-de_DE")
        ]
        write(tmp_path / f"{system}.jsonl", lines)
    write(tmp_path / "some.jsonl", [line("en-cs_CZ", "d1")])
    return tmp_path


def write(path, lines):
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")


def test_systems_with_all_language_pairs_are_kept(folder):
    table = wmt25.scores(folder)
    assert set(table["system"]) == {"a", "b", "c"}
    assert set(table["dataset"]) == {"English → Czech", "Czech → German"}
    assert len(table) == 3 * 2 * 2
    assert set(table["document"]) == {"d1"}
    assert set(table["own_document"]) == {"en-cs_CZ d1", "cs-de_DE d1"}


def test_a_win_share_counts_ties_half(folder):
    table = wmt25.scores(folder).query("dataset == 'Czech → German'")
    first = table[table["instance"] == "d1 1"].set_index("system")
    # by XCOMET-XL a < b < c: shares 0, .5 and 1; by the judge all tie: .5 each
    expected = {"a": 0.5, "b": 0.0, "c": -0.5}
    assert first["GPT-4.1 judge minus XCOMET-XL"].to_dict() == expected
    second = table[table["instance"] == "d1 2"].set_index("system")
    assert second["GPT-4.1 judge minus XCOMET-XL"].to_dict() == {"a": -0.5, "b": 0.0, "c": 0.5}
    assert second["GPT-4.1 judge minus Command A judge"].tolist() == [-0.5, 0.0, 0.5]


def test_a_segment_without_a_score_is_left_out_for_all(folder):
    lines = [
        line("en-cs_CZ", "d1", **{"GEMBA-ESA-CMDA": [None, 3]}),
        line("cs-de_DE", "d1"),
    ]
    write(folder / "c.jsonl", lines)
    table = wmt25.scores(folder)
    assert set(table.query("dataset == 'English → Czech'")["instance"]) == {"d1 2"}
    assert table[[*wmt25.NAMES.values()]].notna().all(axis=None)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([line("en-cs_CZ", "d1", **{"XCOMET-XL": [1]})], "different numbers of segments"),
        ([line("en-cs_CZ", "d1")] * 2, "occur twice"),
        ([{"language_pair": "en-cs_CZ"}], "has no 'document_id'"),
        (
            [line("en-xx_XX", "d1"), line("cs-de_DE", "d1"), line("en-cs_CZ", "d1")],
            "xx_XX|no system",
        ),
    ],
)
def test_a_fault_is_named(folder, lines, message):
    write(folder / "a.jsonl", lines)
    with pytest.raises(checks.InputError, match=message):
        wmt25.scores(folder)


def test_an_unknown_language_is_named(tmp_path):
    write(tmp_path / "a.jsonl", [line("en-xx_XX", "d1")])
    with pytest.raises(checks.InputError, match="xx_XX"):
        wmt25.scores(tmp_path)


def test_the_study_is_asked_with_and_without_shared_documents(tmp_path):
    rng, rows = np.random.default_rng(0), []
    for dataset in ("x", "y"):
        for k in range(30):
            for system in ("s", "t"):
                m, n = rng.normal(size=2) + (system == "s")
                rows.append(
                    (
                        dataset,
                        f"d{k // 2}",
                        f"{dataset} d{k // 2}",
                        f"i{k}",
                        f"{dataset} i{k}",
                        system,
                        m,
                        n,
                    )
                )
    names = ["dataset", "document", "own_document", "instance", "own_instance", "system", "m", "n"]
    pd.DataFrame(rows, columns=names).to_parquet(tmp_path / "t.parquet")
    block = {
        **{"name": "s_t", "systems": ["s", "t"], "metrics": ["m", "n"], "dependence": "dependent"},
        **{"file": "other.parquet", "unit": "document", "shared": True, "n_flips": 500},
        "columns": {name: name for name in ("dataset", "instance", "system")},
        "ignore": ["own_document", "own_instance"],
    }
    study = tmp_path / "s.yaml"
    study.write_text(
        yaml.safe_dump({"study": "s", "alphas": [0.05], "comparisons": [block]}), encoding="utf-8"
    )
    output = tmp_path / "out.json"
    arguments = [str(study), "--scores", str(tmp_path / "t.parquet"), "--output", str(output)]
    assert wmt25_grids.main(arguments) == 0
    found = json.loads(output.read_text(encoding="utf-8"))
    assert [one["name"] for one in found] == ["s_t", "s_t_apart", "s_t_unknown"]
    assert [one["method"] for one in found] == ["max_t", "max_t", "bonferroni"]
    assert found[0]["alone"].keys() == {"m", "n"}
    assert str(tmp_path) not in output.read_text(encoding="utf-8")
    assert Grid.from_dict(found[0]).datasets == ("x", "y")
    assert wmt25_grids.main([str(tmp_path / "none.yaml"), *arguments[1:]]) == 1


def test_the_committed_findings_are_those_of_the_study_and_hold_no_score_of_a_segment():
    study = yaml.safe_load((paths.CONFIG / "outcomes" / "wmt25.yaml").read_text(encoding="utf-8"))
    found = json.loads((paths.ROOT / "data/outcomes/wmt25.json").read_text(encoding="utf-8"))
    assert [one["name"] for one in found if not one["name"].endswith(("_apart", "_unknown"))] == [
        block["name"] for block in study["comparisons"]
    ]
    for one in found:
        cells = one["cells"]
        assert {len(column) for column in cells.values()} == {
            len(one["datasets"]) * len(one["metrics"])
        }
        assert set(cells) <= set(wmt25_grids.COLUMNS)
        adjusted = np.array(cells["adjusted_p_value"]).reshape(len(one["datasets"]), -1)
        steps = np.array(one["findings"][0]["steps"], float)
        np.testing.assert_array_equal(steps == 1, adjusted <= one["alpha"][0])
