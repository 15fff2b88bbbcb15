"""A result as a dictionary: the same through every door, and back; p-values agree with names."""

import json

import numpy as np
import pandas as pd
import pytest

import replicability as rep
from replicability import InputError
from replicability.cli import main
from replicability.cli.new import EXAMPLES
from replicability.core import procedure


def scores(seed, shift=0.4, n=5):
    """Return scores of two systems on n datasets, which share their items."""
    rng = np.random.default_rng(seed)
    rows = []
    for place in range(n):
        both = rng.normal([shift * place / n, 0], size=(24, 2))
        rows += [(f"d{place}", f"i{i}", *pair) for i, pair in enumerate(both)]
    frame = pd.DataFrame(rows, columns=["dataset", "instance", "x", "y"])
    return frame


def binary(seed):
    frame = scores(seed, shift=2.0)
    return frame.assign(x=(frame["x"] > 0) * 1, y=(frame["y"] > 0) * 1)


CASES = {
    "as it is": ({}, []),
    "independent": ({"dependence": "independent"}, ["--independent"]),
    "positive": ({"dependence": "positive"}, ["--positive"]),
    "shared": ({"shared": True}, ["--shared"]),
    "one direction": ({"alternative": "greater"}, ["--alternative", "greater"]),
    "the paper": ({"procedure": "paper"}, ["--procedure", "paper"]),
    "levels": ({"alpha": [0.05, 0.01]}, ["--alpha", "0.05", "--alpha", "0.01"]),
    "a margin": (
        {"claim": "not_worse", "margin": 0.2},
        ["--claim", "not_worse", "--margin", "0.2"],
    ),
}


@pytest.mark.parametrize("make", [scores, binary])
@pytest.mark.parametrize("case", CASES)
def test_one_dictionary_in_python_and_on_the_command_line_and_back(case, make, tmp_path, capsys):
    keywords, flags = CASES[case]
    file = tmp_path / "scores.csv"
    make(3).to_csv(file, index=False)
    groups = {"groups": {"two": ["d3", "d4"]}}
    result = rep.compare(file, a="x", b="y", **keywords, **groups)
    command = ["compare", str(file), "--systems", "x", "y", "--group", "two=d3,d4", "--json"]
    assert main([*command, *flags]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer.pop("command") == {"notes": [], "written": {}}
    assert answer == result.to_dict()
    again = rep.Result.from_dict(answer)
    assert again == result
    assert (str(again), again.notes, again.k) == (str(result), result.notes, result.k)
    assert (again.named, again.named_worse) == (result.named, result.named_worse)
    if result.findings[0].claims:
        assert again.bounds() == result.bounds()
    pd.testing.assert_frame_equal(again.to_frame(), result.table)
    assert again.overall == result.overall
    assert list(answer["provenance"]["files"]) == ["scores.csv"]


def test_groups_that_a_dictionary_does_not_hold_need_the_scores():
    result = rep.compare(binary(3), a="x", b="y", dependence="independent")
    again = rep.Result.from_dict(result.to_dict())
    assert again.bounds(again.datasets) == result.k
    with pytest.raises(InputError, match="bound of another group requires the scores"):
        again.bounds(["d0", "d1"])
    with pytest.raises(InputError, match="lacks the key 'findings'"):
        rep.Result.from_dict({k: v for k, v in result.to_dict().items() if k != "findings"})


def test_printing_says_by_how_much():
    result = rep.compare(EXAMPLES / "wide" / "scores.csv", a="ours", b="baseline")
    assert "ours is ahead of baseline by 0.19 on average (95% interval [" in str(result)
    assert str(rep.count([0.01, 0.2])) == rep.count([0.01, 0.2]).sentence


@pytest.mark.parametrize("method", ["bonferroni", "simes", None, "fisher", "paper"])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_adjusted_p_values_agree_with_names(method, alpha):
    asked = {"procedure": "paper"} if method == "paper" else {"method": method}
    seen = 0
    for seed in range(40):
        p = np.random.default_rng(seed).random(6) ** 3
        table = rep.count(p, dependence="independent", alpha=alpha, **asked).table
        if "adjusted_p_value" in table:
            seen += 1
            np.testing.assert_array_equal(table["named"], table["adjusted_p_value"] <= alpha)
    assert seen == (40 if method in ("bonferroni", "simes", "paper") else 0)


@pytest.mark.parametrize("dependence", procedure.LOCAL_TESTS)
def test_adjusted_p_values_agree_with_names_of_both_systems(dependence):
    for seed in range(8):
        result = rep.compare(scores(seed, shift=2), a="x", b="y", dependence=dependence)
        for row in result.to_dict()["datasets"]:
            for p, named in (("p_value", "named"), ("p_reverse", "named_worse")):
                adjusted = row.get(f"adjusted_{p}")
                assert (adjusted is None) == (dependence == "independent")
                assert adjusted is None or (adjusted <= 0.05) == row[named]
