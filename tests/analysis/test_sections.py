"""What the notebooks on a task share."""

import pandas as pd

from analysis import sections
from replicability.compare import findings
from replicability.io.study import Comparison


def comparison(name):
    return Comparison(name, "sentiment", name.upper(), ("A", "B"), "independent", "f", {}, score="")


def result(pvalues, a, b):
    return pd.DataFrame(
        {"dataset": ["x", "y", "z"], "score_a": a, "score_b": b, "p_value": pvalues}
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


def test_ahead_counts_wins_ties_and_losses():
    ahead = sections.ahead(COMPARISONS, RESULTS)
    assert ahead.to_numpy().tolist() == [["ONE", 2, 1, 0], ["TWO", 0, 1, 2]]
    assert list(ahead) == ["comparison", "A ahead", "equal", "B ahead"]
