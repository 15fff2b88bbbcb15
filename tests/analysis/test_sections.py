"""What the notebooks on a task share."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from analysis import sections
from replicability.core import findings
from replicability.core.tested import Tested
from replicability.io.study import Comparison
from replicability.stats import joint


def comparison(name):
    return Comparison(
        name=name,
        section="sentiment",
        title=name.upper(),
        systems=("A", "B"),
        dependence="independent",
        file="f",
        columns={},
        score="",
    )


def result(pvalues, a, b):
    return Tested(
        pd.DataFrame({"dataset": ["x", "y", "z"], "score_a": a, "score_b": b, "p_value": pvalues})
    )


COMPARISONS = [comparison("one"), comparison("two")]
RESULTS = [
    result([0.001, 0.02, 0.6], [3, 2, 1], [1, 1, 1]),
    result([0.9, 0.9, 0.9], [0, 2, 1], [1, 2, 4]),
]


def test_found_has_the_levels_of_each_comparison_in_turn():
    found = sections.found(COMPARISONS, RESULTS, [0.05, 0.01])
    assert [(f.title, f.alpha) for f in found] == [
        ("ONE", 0.05), ("ONE", 0.01), ("TWO", 0.05), ("TWO", 0.01)
    ]  # fmt: skip
    alone = [
        findings.find(*pair, alpha)
        for pair in zip(COMPARISONS, RESULTS, strict=True)
        for alpha in (0.05, 0.01)
    ]
    assert list(map(str, found)) == list(map(str, alone))
    assert [f.counts["count"] for f in found] == [2, 1, 0, 0]


def test_dependence_is_measured_where_units_are_shared():
    differences = np.array([[1.0, 1, np.nan], [1, 1, 0], [-1, -1, 1], [1, 1, 1]])
    with_flips = replace(RESULTS[0], flips=joint.flip(differences, 2000))
    (said,) = sections.measured(COMPARISONS, [with_flips, RESULTS[1]])
    assert said.startswith("ONE: 3 of 3 pairs of datasets share units; their statistics correlate")
    assert "to 1.00, " in said
    assert sections.measured(COMPARISONS, RESULTS) == [
        "No shared units are known, by which the dependence could be measured."
    ]


def test_groups_are_a_row_each_and_levels_a_column(tmp_path):
    grouped = replace(COMPARISONS[0], groups={"odd": ["x", "z"], "late": ["y", "z"]})
    found = sections.found([grouped, COMPARISONS[1]], RESULTS, [0.05, 0.01])
    table = sections.by_group(found, tmp_path, "table9_groups")
    assert table.to_numpy().tolist() == [
        ["ONE", "Fisher-Bonferroni", "odd", 2, 1, 1],
        ["ONE", "Fisher-Bonferroni", "late", 2, 1, 0],
    ]  # fmt: skip
    assert list(table)[-2:] == ["at least, α = 0.05", "at least, α = 0.01"]
    pd.testing.assert_frame_equal(
        pd.read_csv(tmp_path / "tables" / "table9_groups.csv"), pd.DataFrame(table)
    )
    plain = sections.by_group(found[2:], tmp_path, "none")
    assert plain == sections.NO_GROUPS
    assert not (tmp_path / "tables" / "none.csv").exists()


def asked(comparisons, results):
    pairs = zip(comparisons, results, strict=True)
    return [SimpleNamespace(comparison=block, evaluated=table) for block, table in pairs]


PRINTED = [replace(one, sided="unknown") for one in COMPARISONS]


@pytest.mark.parametrize(
    ("comparisons", "results", "said"),
    [
        (
            PRINTED,
            [RESULTS[0], result([0.9, 0.9, 0.25], [0, 2, 1], [1, 2, 4])],
            "z: B is ahead by its score, 4 to 1. The printed p-value is 0.25: 0.125 for “B is "
            "better”, and 0.875 for “A is better”.",
        ),
        (
            PRINTED[:1],
            RESULTS[:1],
            "y: A is ahead by its score, 2 to 1. The printed p-value is 0.02: 0.01 for “A is "
            "better”, and 0.99 for “B is better”.",
        ),
        (
            COMPARISONS[1:],
            [RESULTS[1].assign(p_reverse=[0.2, 0.6, 0.003])],
            "z: B is ahead by its score, 4 to 1. For “A is better” p is 0.9, for “B is better” "
            "0.003.",
        ),
    ],
)
def test_one_dataset_shows_what_a_pvalue_says_of_either_system(comparisons, results, said):
    assert sections.other_way_round(asked(comparisons, results)) == said


def test_onesided_pvalues_say_nothing_of_the_other_direction():
    one_sided = [replace(one, sided="greater") for one in COMPARISONS]
    assert "say nothing of the other direction" in sections.other_way_round(
        asked(one_sided, RESULTS)
    )
