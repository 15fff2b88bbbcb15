"""What a figure shows stands above its axes, in numbers that are counted from what is drawn."""

from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from analysis import suites
from analysis.dror2017 import dependence_figures
from analysis.leaderboards import boards, mmlu_pro, mmlu_pro_guesses, swe_bench, translation
from analysis.leaderboards import function_calling_figures as calls
from analysis.sogaard2014 import figures as sogaard_figures
from replicability.core import all_pairs, design


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def said(figure):
    """Return the title of a figure and those of its axes, lines joined."""
    titles = [figure.get_suptitle(), *(axis.get_title(loc="left") for axis in figure.axes)]
    return [title.replace("\n", " ") for title in titles if title]


RANKED = pd.DataFrame(
    {
        "rank": [1, 2, 3],
        "system": ["a", "b", "c"],
        "best rank": [1, 1, 3],
        "worst rank": [2, 2, 3],
        "mean rank": [1.5, 1.5, 3],
        "beats": [2, 2, 0],
        "beaten by": [1, 1, 2],
        "lower-ranked": [1, 0, 0],
    }
)
FENCED = pd.DataFrame(
    {
        "model": ["a", "a", "b", "b"],
        "category": ["x", "y"] * 2,
        "items": [300, 100] * 2,
        "scored": [10, 50, 0, 100],
        "at least": [30, 50, 20, 100],
        "at most": [40, 60, 30, 100],
    }
)
BOARD = SimpleNamespace(
    items=pd.DataFrame({"dataset": ["relevance", "simple"]}),
    right=pd.DataFrame({"a": [0, 1], "b": [1, 1], "c": [0, 0], "d": [1, 0]}),
    accuracies=pd.DataFrame([[0, 80, 20, 90]], index=["relevance"], columns=list("abcd")),
    models=list("abcd"),
)
GUESSED = pd.DataFrame(
    {
        "model": ["a", "b"],
        "wrong": [50.0, 40.0],
        "guessed": [50.25, 42.5],
        "sd": 0.1,
        "printed": [None, "42.4"],
    }
)
EFFECTS = pd.DataFrame({"dataset": ["x", "x", "y", "y"], "effect": [0.9, 1.2, 1.0, 3.0]})
PROCEDURES = ("count", "fisher", "joint_sum", "bonferroni", "simes", "calibrated_simes")
RATES = pd.DataFrame(
    [
        {"n": 4, "share": share, "n_better": 4 * share, "correlation": correlation}
        | {"procedure": name, "exceeded": rate, "mean_bound": 1.0}
        | {"exceeded_error": 0.01, "mean_bound_error": 0.01}
        for share, more in ((0, 0), (1, 0.5))
        for correlation, rates in (
            (0.0, (0.38, 0.05, 0.06, 0.04, 0.05, 0.05)),
            (0.5, (0.38, 0.21, 0.03, 0.05, 0.02, 0.06)),
        )
        for name, rate in zip(PROCEDURES, np.add(rates, more), strict=True)
    ]
)
SHARED = SimpleNamespace(
    names=["x", "y", "z"],
    flips=SimpleNamespace(
        correlations=np.array([[1, 0.3, 0.1], [0.3, 1, -0.2], [0.1, -0.2, 1]]),
        shared=np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]]),
    ),
)
SCORED = pd.DataFrame(
    {
        "metric": "TA",
        "dataset": ["x", "y", "z"],
        "a": [0.9, 0.8, 0.7],
        "b": [0.8, 0.9, 0.6],
        "p_value": [0.05, 0.01, 0.0501],
    }
)


@pytest.mark.parametrize(
    ("draw", "titles"),
    [
        (
            lambda: boards.draw_ranks(RANKED, "models", "category"),
            [
                "1 of 3 models are significantly worse, on at least one category, than a model "
                "ranked below them"
            ],
        ),
        (
            lambda: calls.fences(FENCED),
            [
                "a: 20% of all items right as scored, and at least 35% without fences",
                "b: 25% of all items right as scored, and at least 40% without fences",
            ],
        ),
        (
            lambda: calls.relevance(BOARD, last=2),
            ["1 of the 2 lowest-ranked models are among the best 2 on relevance"],
        ),
        (
            lambda: mmlu_pro_guesses.draw_rules(GUESSED),
            ["Random guesses are expected to add at most 2.5 points"],
        ),
        (
            lambda: translation.effects_figure(EFFECTS),
            ["In 2 of 4 cases, documents vary more than they would if segments were independent"],
        ),
        (
            lambda: dependence_figures.level_and_power(RATES, 0.05),
            [
                "If A is never better, Fisher makes a false claim in up to 21.0% of studies, the "
                "other methods in at most 6.0%",
                "4 datasets, none truly better",
                "4 datasets, all truly better",
            ],
        ),
        (
            lambda: dependence_figures.shared_correlations(SHARED),
            ["Mean correlation: 0.30 with the same test reviews, −0.05 with others"],
        ),
        (
            lambda: sogaard_figures.accuracies(SCORED, ("A", "B")),
            [
                "By every metric, both systems are significantly better on the same number of "
                "datasets (of 3)",
                "A on 1 and B on 1",
            ],
        ),
        (
            lambda: sogaard_figures.accuracies(SCORED.assign(a=SCORED["b"] + 0.1), ("A", "B")),
            [
                "By tagging accuracy, A is significantly better on 2 of 3 datasets",
                "A on 2 and B on 0",
            ],
        ),
        (
            lambda: sogaard_figures.predictive_value(
                [0.01, 0.1], {0.0: [0.8, 0.3]}, {0.05: 0.5, 0.01: 0.8333}, 0.95, 0.0026
            ),
            ["Share of findings that are true, without bias: 50% at α = 0.05, 83% at α = 0.01"],
        ),
    ],
)
def test_the_title_counts_what_is_drawn(draw, titles):
    assert said(draw()) == titles


def test_the_disagreeing_pairs_are_counted_among_all_unordered_ones():
    scores, pvalues = np.arange(8.0)[::-1].reshape(4, 2), np.ones((4, 4, 2))
    pairs = all_pairs.Pairs(tuple("dcba"), ("x", "y"), scores, pvalues, method="simes")
    table = pd.DataFrame({"higher": ["b", "d"], "lower": ["a", "c"]})
    figure = mmlu_pro.draw_disagreeing(table, boards.lay_out(pairs, 0.05), {"g": ["x"], "h": ["y"]})
    assert said(figure) == [
        "In 2 of 6 pairs of models, each is better on at least one discipline Blue: points by "
        "which the first is ahead; framed: significant"
    ]


def test_the_least_gain_of_the_largest_repository_stands_beside_that_of_all_issues():
    table = swe_bench.repositories(0.2, 0.05)
    largest, total = table.iloc[:-1].nlargest(1, "issues").iloc[0], table.iloc[-1]
    (title,) = said(swe_bench.figure(table))
    assert title == (
        f"The largest repository ({largest['issues']} issues) needs a true gain of "
        f"{largest['least gain among all']:.0f} points; all 500 issues as one dataset need "
        f"{total['least gain alone']:.0f} points"
    )


def test_expected_counts_are_those_of_the_suite_as_it_is():
    planned = {"one": design.Suite((50, 50, 50), (0.2, 0.2, 0.2))}
    tables = suites.sizes(planned, [0.05, 0.1])
    now = tables["one"].query("factor == 1 and gain == 0.1")["k_hat"].item()
    assert said(suites.figure(planned, tables, 0.1))[1:] == [f"one: {now:.1f}"]
