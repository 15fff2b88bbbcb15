from dataclasses import replace
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from analysis.dror2017 import audit_figures, toy_figures
from analysis.dror2017.tables import with_both
from analysis.methods import simulation
from analysis.studies import read_study
from replicability import forensics
from replicability.core import findings, procedure
from replicability.core.findings import find
from replicability.core.tested import Tested
from replicability.io import pvalues
from replicability.show import figures, style


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def toy(n, printed, n_families=1_000):
    """Return an example of n datasets without any difference."""
    found = simulation.distribution([simulation.Group(n)], n_families, 1)
    return found, simulation.distribution([simulation.Group(n)], 20_000, 2), printed


PRINTED = {"count": "0.963", "bonferroni": "0.049", "fisher": "0.9"}


def test_the_histogram_says_how_often_an_estimate_exceeds_the_truth():
    example = toy(100, PRINTED)
    figure = toy_figures.k_histogram({"one": example, "other": example}, 0.05)
    said = " ".join(figure.get_suptitle().split())
    shares = {name: f"{example[1].overestimated(name):.0%}" for name in PRINTED}
    assert said == (
        "k̂ > 0 although no dataset differs: count of p ≤ α in {count} and {count} of studies, "
        "Bonferroni in {bonferroni} and {bonferroni}, Fisher in {fisher} and {fisher}; 2 of 6 "
        "printed shares match k̂ > 1".format(**shares)
    )
    assert shares["count"] == "99%"


def test_a_printed_share_is_pinned_to_the_event_it_agrees_with():
    small, large, printed = example = toy(100, PRINTED)
    events = {name: toy_figures.agrees(printed[name], small, large, name) for name in printed}
    assert events == {"count": 1, "bonferroni": 0, "fisher": None}
    figure = toy_figures.k_histogram({"one": example}, 0.05)
    texts = [
        [t.get_text() for t in axis.texts if t.get_text().startswith("k̂ >")] for axis in figure.axes
    ]
    for name, (above, above_one) in zip(printed, texts, strict=True):
        assert above.startswith(f"k̂ > 0: {large.overestimated(name):.3f}")
        assert above_one.startswith(f"k̂ > 1: {large.overestimated(name, by_more_than=1):.3f}")
        pinned = [f"✕ printed {printed[name]}" in text for text in (above, above_one)]
        assert pinned == [events[name] == more for more in (0, 1)]
    assert texts[2][0].endswith("(printed 0.9)")


def test_the_histogram_draws_every_study_once():
    example = toy(300, PRINTED)
    figure = toy_figures.k_histogram({"one": example}, 0.05)
    for axis, frequencies in zip(figure.axes, example[0].frequencies.values(), strict=True):
        heights = [bar.get_height() for bar in axis.patches]
        assert sum(heights) == pytest.approx(1)
        assert heights[-1] == pytest.approx(frequencies[toy_figures.LAST :].sum() / 1_000)
    assert example[0].frequencies["count"][toy_figures.LAST :].sum() > 0


def test_what_is_cut_off_and_what_is_bracketed_are_shares_of_the_same_studies():
    small, large, _ = example = toy(100, PRINTED, 13)
    figure = toy_figures.k_histogram({"one": example}, 0.05)
    share = large.frequencies["fisher"][0] / large.n_families
    assert f"{share:.0%}" != f"{small.frequencies['fisher'][0] / small.n_families:.0%}"
    assert f"k̂ = 0: {share:.0%}" in [text.get_text() for text in figure.axes[2].texts]


def test_the_histogram_states_the_numbers_of_datasets_and_studies():
    figure = toy_figures.k_histogram({"one": toy(12, PRINTED, 200)}, 0.05)
    said = figure.get_supxlabel()
    assert "of N = 12; true number: 0 (α = 0.05). Bars: 200 studies; dots: 20,000" in said


def asked(pairs):
    return [
        SimpleNamespace(title=block.title, comparison=block, evaluated=table)
        for block, table in pairs
    ]


def told(figure):
    return " ".join(figure.get_suptitle().split())


def test_one_direction_has_no_second_count():
    study = read_study("config/paper.yaml")
    pair = (
        replace(study.comparisons[0], sided="one"),
        Tested(pvalues.read_comparison(study.comparisons[0])),
    )
    counts = findings.counts([find(*pair, 0.05)])
    assert with_both(counts, asked([pair]))[["both_a", "both_b"]].isna().all(axis=None)
    both = with_both(counts, asked([(study.comparisons[0], pair[1])]))
    expected = [f.k for f in findings.find_both(study.comparisons[0], pair[1], 0.05)]
    assert both[["both_a", "both_b"]].iloc[0].tolist() == expected


def test_every_local_test_has_a_mark_and_a_colour_of_its_own():
    for look in (style.MARKERS, style.NAMES):
        shown = [look[name] for name in procedure.METHODS]
        assert len(set(shown)) == len(shown)
    colours = [style.COLOURS[name] for name in procedure.METHODS]
    assert len(set(colours)) == len(colours)


def claimed(paper, item, verdicts):
    """Return counts of verdicts on an item."""
    return {"paper": paper, "item": item, **dict.fromkeys(forensics.TOTALS, 0), **verdicts,
            "total": sum(verdicts.values())}  # fmt: skip


def test_every_verdict_has_a_mark():
    assert set(audit_figures.LOOKS) == set(forensics.TOTALS)
    counts = pd.DataFrame(
        [
            claimed("x", "Table 1", {"agrees": 60, "contradicted": 2, "cannot be checked": 3}),
            claimed("x", "Table 2", {"agrees": 4}),
            claimed("x", "Table 3", {"cannot be checked": 5}),
            claimed("y", "Section 1", {"depends on the reading": 7}),
        ]
    )
    figure = audit_figures.verdicts(counts)
    x, y = figure.axes
    assert [label.get_text() for label in x.get_yticklabels()] == ["Table 1", "2 other items"]
    assert [label.get_text() for label in y.get_yticklabels()] == ["1 item"]
    drawn = {}
    for line in x.lines:
        drawn[line.get_label()] = drawn.get(line.get_label(), 0) + len(line.get_xdata())
    assert drawn == {"contradicted": 2, "agrees": 64, "cannot be checked": 8}
    assert [len(line.get_xdata()) for line in y.lines] == [7]
    for axis in figure.axes:
        places = [
            place
            for line in axis.lines
            for place in zip(line.get_xdata(), line.get_ydata(), strict=True)
        ]
        assert len(set(places)) == len(places)
        assert all(0 <= column < audit_figures.ACROSS for column, _ in places)
    assert x.get_title(loc="left") == "x: 2 of 66 do not follow"
    assert " ".join(figure.get_suptitle().split()) == (
        "2 of 73 printed claims that can be checked do not follow, and 7 depend on the reading; "
        "8 cannot be checked"
    )


def test_what_does_not_follow_comes_first():
    counts = pd.DataFrame([claimed("x", "Table 1", {"agrees": 3, "impossible": 2})])
    (axis,) = audit_figures.verdicts(counts).axes
    places = {line.get_label(): list(line.get_xdata()) for line in axis.lines}
    assert places == {"impossible": [0, 1], "agrees": [2, 3, 4]}


def systems(n):
    """Return counts of n systems, of which each beats all that follow on two datasets."""
    names = [f"system {i}" for i in range(n)]
    return pd.DataFrame(np.triu(np.full((n, n), 2), 1), index=names, columns=names)


def test_a_matrix_of_few_systems_names_its_columns():
    axis = figures.k_matrix(systems(5), 3, "t").axes[0]
    assert [label.get_text() for label in axis.get_xticklabels()] == list(systems(5))
    assert sorted(text.get_text() for text in axis.texts) == ["2"] * 10


@pytest.mark.slow
def test_a_matrix_of_many_systems_numbers_its_columns_by_its_rows():
    n = figures.MOST_SYSTEMS
    axis = figures.k_matrix(systems(n), 3, "t", order="accuracy").axes[0]
    labels = [label.get_text() for label in axis.get_yticklabels()]
    assert labels == [f"{name}  {i}" for i, name in enumerate(systems(n), 1)]
    assert [label.get_text() for label in axis.get_xticklabels()] == [f"{i + 1}" for i in range(n)]
    assert len(axis.texts) == n * (n - 1) / 2
    assert axis.get_ylabel() == "A, ordered by accuracy"
    assert axis.figure.get_figwidth() <= figures.WIDEST


def test_of_more_systems_those_in_front_are_drawn():
    n = figures.MOST_SYSTEMS + 1
    axis = figures.k_matrix(systems(n), 3, "t").axes[0]
    assert len(axis.get_yticklabels()) == figures.FIRST_SYSTEMS
    assert axis.get_ylabel() == f"A, ordered by mean score (the first 20 of {n})"


def test_names_of_any_length_leave_room_for_the_label():
    names = [f"meetkai/functionary-medium-v3.1-FC {i:02}" for i in range(71)]
    many = pd.DataFrame(np.triu(np.full((71, 71), 2), 1), index=names, columns=names)
    figure = figures.k_matrix(many, 3, "one line\nand another", order="overall accuracy")
    style.svg(figure)
    assert figure.axes[0].yaxis.label.get_window_extent().x0 >= 0


def test_pairs_without_a_difference_are_marked():
    counted = systems(4).mask(np.eye(4, k=1, dtype=bool), 0)
    axis = figures.k_matrix(counted, 3, "t").axes[0]
    equal = [text.get_position() for text in axis.texts if text.get_text() == "="]
    assert sorted(equal) == [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)]


def test_the_matrix_of_counts_grows_darker():
    shades = [sum(figures.PALE_TO_DARK(share)[:3]) for share in np.linspace(0, 1, 20)]
    assert shades == sorted(shades, reverse=True)
