import itertools
from dataclasses import replace
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_hex

from analysis import published
from analysis.dror2017 import audit_figures, toy_figures
from analysis.dror2017 import figures as dror_figures
from analysis.dror2017.tables import with_both, with_printed
from analysis.methods import simulation
from analysis.studies import read_study
from replicability import forensics
from replicability.core import findings, procedure
from replicability.core.findings import find
from replicability.core.tested import Tested
from replicability.io import pvalues
from replicability.io.study import Comparison
from replicability.show import figures, style
from replicability.stats import joint, partial_conjunction


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
        "printed shares are those of k̂ > 1".format(**shares)
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
    assert "of N = 12; in truth k = 0 (α = 0.05). Bars: 200 studies; dots: 20,000" in said


def test_the_overview_fills_the_recommended_estimator():
    study = read_study("config/paper.yaml")
    said = [find(c, Tested(pvalues.read_comparison(c)), 0.05) for c in study.comparisons]
    counts = findings.counts(said)
    figure = dror_figures.k_overview(counts)
    filled = [
        line
        for line in figure.axes[0].lines
        if line.get_markerfacecolor() != "white" and len(line.get_xdata())
    ]
    drawn = sorted(x for line in filled for x in line.get_xdata())
    recommended = counts[counts["recommended"] != ""]
    assert drawn == sorted(row[row["recommended"]] for _, row in recommended.iterrows())
    assert list(recommended["comparison"]) == ["Mate-SpaCy", "Mate-Redshift", "AE-SCL-SR-MSDA"]


@pytest.fixture(scope="module")
def table_1():
    study = read_study("config/paper.yaml")
    pairs = [(c, Tested(pvalues.read_comparison(c))) for c in study.comparisons]
    counts = findings.counts(find(*pair, a) for pair in pairs for a in (0.05, 0.01))
    items = [published.read_published("dror2017", item) for item in ("table1", "footnote13")]
    return with_printed(counts, pd.concat(items))


def asked(pairs):
    return [
        SimpleNamespace(title=block.title, comparison=block, evaluated=table)
        for block, table in pairs
    ]


def crosses(figure):
    """Return how many numbers are marked as printed in each panel."""
    return [
        sum(np.isfinite(found.get_offsets().data).all(axis=1).sum() for found in axis.collections
            if isinstance(found, PathCollection))
        for axis in figure.axes
    ]  # fmt: skip


def test_the_overview_joins_what_was_printed_to_what_differs(table_1):
    figure = dror_figures.k_overview(table_1)
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["α = 0.05", "α = 0.01"]
    assert crosses(figure) == [10, 10]
    differ = table_1[table_1["k_fisher"] != table_1["printed_fisher"]]
    assert differ[["comparison", "alpha", "k_fisher", "printed_fisher"]].to_numpy().tolist() == [
        ["AE-SCL-SR-MSDA", 0.05, 9, 10.0]
    ]
    lengths = [
        abs(x1 - x0)
        for axis in figure.axes
        for found in axis.collections
        if isinstance(found, LineCollection)
        for (x0, y0), (x1, y1) in found.get_segments()
        if y0 == y1 and np.isfinite(x1)
    ]
    assert sorted(lengths)[-2:] == [0, 1]


def test_the_overview_has_no_printed_numbers_where_there_are_none(table_1):
    own = table_1.loc[:, ~table_1.columns.str.startswith("printed")]
    printed = pd.DataFrame(
        [["Mate-spaCy", "0.05", "7", "7", "7"]],
        columns=["comparison", "alpha", "k_count", "k_bonferroni", "k_fisher"],
    )
    for counts in (own, with_printed(own, printed)):
        figure = dror_figures.k_overview(counts)
        assert crosses(figure) == [0, 0]
        (legend,) = figure.legends
        assert "printed in the paper" not in [text.get_text() for text in legend.get_texts()]


def test_the_overview_says_what_is_valid_and_what_is_recommended(table_1):
    (legend,) = dror_figures.k_overview(table_1).legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "all datasets",
        "count of p ≤ α: no guarantee",
        "Bonferroni: valid whatever the dependence",
        "Fisher: valid if independent",
        "filled: recommended",
        "printed in the paper",
    ]
    study = read_study("config/paper.yaml")
    pair = (study.comparisons[0], Tested(pvalues.read_comparison(study.comparisons[0])))
    every = findings.counts([find(*pair, 0.05, ("count", *partial_conjunction.METHODS))])
    labels = [text.get_text() for text in dror_figures.k_overview(every).legends[0].get_texts()]
    assert "Simes: valid if independent or positive" in labels
    assert "Stouffer: valid if independent" in labels


def test_the_overview_gives_every_number_and_the_size(table_1):
    figure = dror_figures.k_overview(table_1)
    for axis, alpha in zip(figure.axes, (0.05, 0.01), strict=True):
        part = table_1[table_1["alpha"] == alpha]
        expected = [*part["k_bonferroni"], *part["k_fisher"]]
        assert [int(text.get_text()) for text in axis.texts] == expected
        ticks = next(c for c in axis.collections if isinstance(c, LineCollection))
        assert [x for (x, _), _ in ticks.get_segments()] == part["k_count"].tolist()
        assert [bar.get_width() for bar in axis.patches] == part["datasets"].tolist()
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels[0] == "Mate-SpaCy\n7 datasets"
    same = dror_figures.k_overview(table_1.assign(comparison="twice", datasets=1))
    assert same.axes[0].get_yticklabels()[1].get_text() == "twice\n1 dataset"


CLOSED = [("dependent", ""), ("positive", ""), ("independent", ""),
          ("independent", "truncated_fisher"), ("dependent", "joint")]  # fmt: skip


def closed(dependence, method):
    """Return what is found of four datasets in the closed procedure."""
    table = Tested(pd.DataFrame({"dataset": list("uvwx"), "p_value": [0.024, 0.001, 0.9, 0.012]}))
    if method == "joint":
        rng = np.random.default_rng(8)
        table = replace(table, flips=joint.flip(rng.normal([0.3, 0.6, 0, 0.4], 1, (40, 4)), 400))
    comparison = Comparison(
        name="c",
        section="s",
        title="A-B",
        systems=("A", "B"),
        dependence=dependence,
        file="f",
        columns={},
        method=method,
    )
    return find(comparison, table, 0.05)


def told(figure):
    return " ".join(figure.get_suptitle().split())


@pytest.mark.slow
def test_the_overview_says_what_is_found_and_what_does_not_follow(table_1):
    said = "A is shown better somewhere in 3 of 5 comparisons"
    printed = (
        "19 of 20 printed estimates follow; Fisher's of AE-SCL-SR-MSDA at 0.05 is 9, printed 10"
    )
    assert told(dror_figures.k_overview(table_1)) == f"{said} (α = 0.05); {printed}"
    own = table_1.loc[:, ~table_1.columns.str.startswith("printed")]
    assert told(dror_figures.k_overview(own)) == f"{said} (α = 0.05)"
    study = read_study("config/paper.yaml")
    pairs = [(c, Tested(pvalues.read_comparison(c))) for c in study.comparisons]
    both = with_both(own, asked(pairs))
    figure = dror_figures.k_overview(both)
    said = said.replace("3 of 5", "5 of 5")
    assert told(figure) == f"{said}, B in 2 once both are asked (α = 0.05)"
    for axis, alpha in zip(figure.axes, (0.05, 0.01), strict=True):
        part = both[both["alpha"] == alpha]
        bars = {style.COLOURS[side]: [] for side in "ab"}
        for bar in axis.patches:
            bars.get(to_hex(bar.get_facecolor()).upper(), []).append(bar)
        of_a, of_b = (bars[style.COLOURS[side]] for side in "ab")
        assert [bar.get_width() for bar in of_a] == part["both_a"].tolist()
        ends = part["datasets"] - part["both_b"]
        assert [bar.get_x() + min(bar.get_width(), 0) for bar in of_b] == ends.tolist()
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels[-2:] == ["A better, both directions asked", "B better, both directions asked"]


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


def test_the_overview_draws_the_count_of_every_local_test_that_was_chosen():
    said = list(itertools.starmap(closed, CLOSED))
    counts = findings.counts(replace(f, title=f"{i}") for i, f in enumerate(said))
    assert counts[["k_joint", "k_simes", "k_truncated_fisher"]].isna().sum().tolist() == [4] * 3
    (axis,) = (figure := dror_figures.k_overview(counts)).axes
    bold = [text for text in axis.texts if text.get_fontweight() == "bold"]
    assert sorted(int(text.get_text()) for text in bold) == sorted(f.k for f in said)
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert "Joint sign flips: valid where shared units are known" in labels
    assert "Truncated Fisher: valid if independent" in labels


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


def test_every_verdict_has_a_square():
    assert set(audit_figures.COLOURS) == set(forensics.TOTALS)
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
        "Of 73 printed facts that can be checked, 2 do not follow and 7 depend on the reading; "
        "8 cannot be checked"
    )


def test_what_does_not_follow_comes_first():
    counts = pd.DataFrame([claimed("x", "Table 1", {"agrees": 3, "impossible": 2})])
    (axis,) = audit_figures.verdicts(counts).axes
    places = {line.get_label(): list(line.get_xdata()) for line in axis.lines}
    assert places == {"impossible": [0, 1], "agrees": [2, 3, 4]}


@pytest.mark.slow
def test_the_plane_of_many_systems_numbers_its_columns_by_its_rows():
    n = figures.MOST_SPACED + 5
    names = [f"system {i}" for i in range(n)]
    counted = pd.DataFrame(np.triu(np.full((n, n), 2), 1), index=names, columns=names)
    few = figures.k_matrix(counted.iloc[:5, :5], 3, "t").axes[0]
    many = figures.k_matrix(counted, 3, "t", order="accuracy").axes[0]
    assert [label.get_text() for label in few.get_xticklabels()] == names[:5]
    assert sorted(text.get_text() for text in few.texts) == ["2"] * 10
    assert [label.get_text() for label in many.get_yticklabels()] == [
        f"{name}  {i}" for i, name in enumerate(names, 1)
    ]
    assert [label.get_text() for label in many.get_xticklabels()][:3] == ["1", "5", "10"]
    assert list(many.get_xticks()[:3]) == [0, 4, 9]
    assert not many.texts
    assert many.get_ylabel() == "A, ordered by accuracy"
    width, height = many.figure.get_size_inches()
    assert max(width, height) < 0.36 * n
