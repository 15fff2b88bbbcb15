"""What the notebooks on a task share."""

from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest
from comparisons import declare

from analysis import sections
from replicability.core.tested import Tested


def comparison(name):
    return declare(
        name=name, section="sentiment", title=name.upper(), dependence="independent", score=""
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
            "z: B has the higher score, 4 to 1. The printed two-sided p-value is 0.25, which gives "
            "0.125 for “B is better” and 0.875 for “A is better”.",
        ),
        (
            PRINTED[:1],
            RESULTS[:1],
            "y: A has the higher score, 2 to 1. The printed two-sided p-value is 0.02, which gives "
            "0.01 for “A is better” and 0.99 for “B is better”.",
        ),
        (
            COMPARISONS[1:],
            [RESULTS[1].assign(p_reverse=[0.2, 0.6, 0.003])],
            "z: B has the higher score, 4 to 1. The p-value is 0.9 for “A is better” and 0.003 for "
            "“B is better”.",
        ),
    ],
)
def test_one_dataset_shows_what_a_pvalue_says_of_either_system(comparisons, results, said):
    assert sections.other_way_round(asked(comparisons, results)) == said


def test_onesided_pvalues_say_nothing_of_the_other_direction():
    one_sided = [replace(one, sided="greater") for one in COMPARISONS]
    assert "say nothing about the other direction" in sections.other_way_round(
        asked(one_sided, RESULTS)
    )
