"""The figure of what decides: its forms, its title, and what stands where."""

import itertools
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from comparisons import declare
from scipy import stats

from analysis.studies import read_study
from replicability.core import findings
from replicability.core.findings import find
from replicability.core.tested import Tested
from replicability.io import pvalues
from replicability.io.study import Comparison
from replicability.show import evidence, figures, pvalue_axis, style
from replicability.stats import joint


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def published(section, place=0):
    comparison = read_study("config/paper.yaml").section(section)[place]
    return comparison, Tested(pvalues.read_comparison(comparison))


def drawn(comparison, table, alpha=0.05):
    """Return what is found, the form and the figure."""
    finding = find(comparison, table, alpha)
    both = figures.directions(comparison, table, finding)
    form = evidence.form(table, finding, both)
    return finding, form, figures.comparison(comparison, table, finding)


@pytest.fixture(params=["sentiment", "pos_tagging", "dependency_parsing", "word_similarity"])
def figure(request):
    return drawn(*published(request.param))[2]


def of_instances(effects, score="accuracy", **rules):
    """Return a comparison and results with one-sided p-values of both directions."""
    z = np.asarray(effects, float)
    table = Tested(pd.DataFrame(
        {"dataset": [f"d{i}" for i in range(len(z))], "n": 100, "p_value": stats.norm.sf(z),
         "p_reverse": stats.norm.cdf(z), "score_a": 50 + z, "score_b": 50.0}
    ))  # fmt: skip
    rules = {"dependence": "independent", "sided": "one"} | rules
    given = {"name": "c", "section": "s", "title": "C", "file": "f", "columns": {}, **rules}
    return Comparison(systems=("ours", "theirs"), score=score, **given), table


def told(figure):
    return " ".join(figure.get_suptitle().split())


def legend(figure):
    (found,) = figure.legends
    return [text.get_text() for text in found.get_texts()]


def legend_of(axis):
    return [text.get_text() for text in axis.get_legend().get_texts()]


def bold(figure):
    ticks = figure.axes[0].get_yticklabels()
    return {label.get_text() for label in ticks if label.get_fontweight() == "bold"}


def marks(axis, filled=None):
    """Return (place, row) of each mark of a panel of p-values, of one kind of filling."""
    lines = [line for line in axis.lines if line.get_marker() in ("o", "s", "<", ">")]
    return sorted(
        (float(x), int(y))
        for line in lines
        if filled is None or (line.get_markerfacecolor() != "white") == filled
        for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
    )


# --- bytes and rows -------------------------------------------------------------------------------


@pytest.mark.long
def test_figures_are_the_same_bytes_at_every_run(figure, tmp_path):
    for run in ("one", "two"):
        style.save(figure, tmp_path / run, "f")
    for ending in ("svg", "png"):
        one, two = (tmp_path / run / "figures" / f"f.{ending}" for run in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    text = (tmp_path / "one" / "figures" / "f.svg").read_text(encoding="utf-8")
    assert "<dc:date>" not in text


@pytest.mark.long
def test_the_text_of_a_figure_is_that_of_its_file(figure, tmp_path):
    style.save(figure, tmp_path, "f")
    text = style.svg(figure)
    assert text == (tmp_path / "figures" / "f.svg").read_text(encoding="utf-8")
    style.write(figure, tmp_path / "any", "svg")
    assert (tmp_path / "any").read_text(encoding="utf-8") == text
    style.write(figure, tmp_path / "any", "png")
    assert (tmp_path / "any").read_bytes() == (tmp_path / "figures" / "f.png").read_bytes()


def test_rows_are_ordered_by_pvalue_and_named_datasets_bold():
    comparison, table = published("sentiment")
    finding, form, figure = drawn(comparison, table)
    assert form == evidence.ONE
    labels = figure.axes[0].get_yticklabels()
    expected = table.rows.sort_values("p_value", kind="stable")["dataset"].tolist()
    assert [label.get_text() for label in labels] == expected
    assert bold(figure) == set(finding.identified_datasets)


def test_the_strongest_evidence_for_b_is_last():
    comparison, table = of_instances([0.1, -40, 3, -45, -1])
    assert (table["p_value"] == 1).sum() == 2  # which the other direction tells apart
    assert list(evidence.spans(table)) == [2, 0, 4, 1, 3]
    labels = drawn(comparison, table)[2].axes[0].get_yticklabels()
    assert [label.get_text() for label in labels] == ["d2", "d0", "d4", "d1", "d3"]


@pytest.mark.slow
def test_labels_do_not_overlap(figure):
    figure.canvas.draw()
    boxes = [
        label.get_window_extent()
        for axis in figure.axes
        for label in (axis.title, axis._left_title, axis.xaxis.label)
        if label.get_text()
    ]
    for index, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[index + 1 :])


@pytest.mark.long
@pytest.mark.parametrize("n", [1, 2, 12, 27])
@pytest.mark.parametrize("length", [3, 30])
def test_numbers_below_the_axes_do_not_touch(n, length):
    comparison, table = of_instances(np.linspace(9, -4, n) if n > 1 else [0.3])
    table = table.assign(dataset=[f"{i:02} {'x' * length}" for i in range(n)])
    figure = drawn(comparison, table)[2]
    figure.canvas.draw()
    for axis in figure.axes[1:3]:
        boxes = [label.get_window_extent() for label in axis.get_xticklabels()]
        boxes = sorted((box.x0, box.x1) for box in boxes)
        assert all(one[1] < other[0] for one, other in itertools.pairwise(boxes))


# --- forms ----------------------------------------------------------------------------------------


def test_printed_pvalues_that_speak_for_b_are_turned():
    comparison, table = published("pos_tagging")
    finding, form, figure = drawn(comparison, table)
    both = findings.find_both(comparison, table, 0.05)
    assert form == evidence.TURNED
    assert told(figure) == (
        "As printed, MIMICK outperforms Char→Tag on at least 16 of 23 datasets; taking the scores "
        "into account, MIMICK is better on at least 3 or 6 and Char→Tag on at least 4 or 7"
    )
    assert (finding.k, both[0].k, both[1].k) == (16, 3, 3)
    (left, right) = figure.axes
    assert legend_of(right) == ["as printed: k̂ = 16", "with the scores: k̂ = 3"]
    assert [text.get_text() for text in right.texts] == ["13 of 16 lost"]
    behind = table[table["score_b"] > table["score_a"]]
    ranks = table["p_value"].rank(method="first")
    rows = [
        round(bar.get_y() + bar.get_height() / 2) for bar in left.patches if bar.get_width() < 0
    ]
    assert sorted(rows) == sorted(ranks[behind.index])
    solid = [bar for bar in left.patches if bar.get_width() < 0 and bar.get_alpha() == 1]
    assert len(solid) == (behind["p_value"] <= 0.05).sum() == 7


def test_what_the_scores_leave_of_the_count_is_dashed():
    comparison, table = published("pos_tagging")
    finding, _, figure = drawn(comparison, table)
    turned = findings.find_both(comparison, table, 0.05)[0]
    lines = {
        line.get_linestyle(): line for line in figure.axes[1].lines if len(line.get_xdata()) > 2
    }
    for one, style_, level in ((finding, "-", 0.05), (turned, "--", 0.025)):
        x = np.asarray(lines[style_].get_xdata())
        assert (x <= np.log10(level)).sum() == one.counts["fisher"]


def test_marks_are_those_of_the_system_ahead():
    comparison, table = published("word_similarity")
    _, form, figure = drawn(comparison, table)
    assert form == evidence.TURNED
    drawn_for_b = sum(bar.get_width() < 0 for bar in figure.axes[0].patches)
    assert drawn_for_b == (table["score_b"] > table["score_a"]).sum() == 1


def test_where_all_agree_scores_are_enough():
    comparison, table = published("dependency_parsing")
    _, form, figure = drawn(comparison, table)
    assert form == evidence.AGREED
    assert told(figure) == "Mate outperforms SpaCy on all 7 datasets"
    assert len(figure.axes) == 1
    (digits,) = figure.axes[0].child_axes
    shown = [label.get_text() for label in digits.get_yticklabels()]
    assert shown == ["0", "0", "0", "1.0·10⁻⁴", "1.0·10⁻⁴", "2.0·10⁻⁴", "0.0009"]
    assert bold(figure) == set(table["dataset"])


def test_where_all_agree_on_b_it_is_said_of_b():
    comparison, table = of_instances([-8, -7, -6])
    _, form, figure = drawn(comparison, table)
    assert form == evidence.AGREED
    assert told(figure) == "theirs outperforms ours on all 3 datasets"
    assert figure.axes[0].get_title(loc="left") == "each named at α/2 = 0.025, both directions"
    digits = [label.get_text() for label in figure.axes[0].child_axes[0].get_yticklabels()]
    back = table["p_reverse"].sort_values(ascending=False)
    assert digits == [style.superscript(f"{p:.1e}") for p in back]


def test_small_pvalues_against_all_scores_are_not_agreement():
    comparison, table = published("dependency_parsing")
    table = table.assign(score_a=table["score_b"], score_b=table["score_a"])
    finding, form, figure = drawn(comparison, table)
    assert finding.k == len(table)
    assert form == evidence.TURNED
    assert told(figure) == (
        "As printed, Mate outperforms SpaCy on all 7 datasets; taking the scores into account, "
        "there is no evidence for Mate, and SpaCy is better on at least 7"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("effects", "said"),
    [
        ([8, 7, 6, 0, -7, -8], "ours is better on at least 3 and theirs on at least 2 of 6 "
                               "datasets"),
        ([0.2, -7, -8, -9], "theirs outperforms ours on at least 3 of 4 datasets"),
        ([0.2, 0.1], "There is no evidence that ours or theirs is better on either dataset"),
        ([7, 0, -0.4], "ours outperforms theirs on at least 1 of 3 datasets"),
        ([1.7, -9, -9], "theirs outperforms ours on at least 2 of 3 datasets"),
        ([0.2], "There is no evidence that ours outperforms theirs on the only dataset"),
        ([5], "ours outperforms theirs on the only dataset"),
        ([-5], "theirs outperforms ours on the only dataset"),
    ],
)  # fmt: skip
def test_the_title_says_what_is_found(effects, said):
    comparison, table = of_instances(effects)
    assert told(drawn(comparison, table)[2]) == said


def test_a_claim_that_holds_alone_is_said_to_do_so():
    """At alpha ours is shown on one dataset, at alpha / 2 on none; theirs at both."""
    comparison, table = of_instances([2.1, -9], dependence="dependent", alternative="greater")
    finding = find(comparison, table, 0.05)
    both = findings.find_both(comparison, table, 0.05)
    assert (finding.k, both[0].k, both[1].k) == (1, 0, 1)
    assert evidence.title(finding, both, evidence.BOTH) == (
        "theirs outperforms ours on at least 1 of 2 datasets; if tested alone, ours outperforms "
        "theirs on at least 1"
    )


def test_both_directions_have_their_backs_together():
    comparison, table = of_instances([9, 7, 0.2, -6, -8])
    finding, form, figure = drawn(comparison, table)
    both = findings.find_both(comparison, table, 0.05)
    assert form == evidence.BOTH
    expected = [
        np.log10(a) if a <= b else -np.log10(b)
        for a, b in zip(table["p_value"], table["p_reverse"], strict=True)
    ]
    places = {row: x for x, row in marks(figure.axes[1])}
    assert [places[row] for row in range(1, 6)] == pytest.approx(np.clip(expected, -12, 12))
    named = set(finding.identified_datasets) | set(both[1].identified_datasets)
    assert bold(figure) == named
    assert len(marks(figure.axes[1], filled=True)) == len(named) == 4
    assert "Fisher-Bonferroni (chosen): k̂ = 2; both directions: 2 and 2" in legend(figure)


def test_the_count_for_b_begins_at_the_last_row():
    comparison, table = of_instances([9, 7, 0.2, -6, -8])
    _, _, figure = drawn(comparison, table)
    back = findings.find_both(comparison, table, 0.05)[1]
    curves = [
        line for line in figure.axes[2].lines
        if line.get_color() == style.COLOURS["fisher"] and len(line.get_xdata())
    ]  # fmt: skip
    forth, turned = curves
    assert forth.get_ydata()[0] == 1
    assert turned.get_ydata()[0] == 5
    assert (np.asarray(turned.get_xdata()) >= -np.log10(0.025)).sum() == back.k == 2


def test_claims_that_both_can_hold_have_one_direction():
    comparison, table = of_instances([4, 1], claim="not_worse", margin=5.0)
    _, form, figure = drawn(comparison, table)
    assert form == evidence.ONE
    assert figure.axes[2].get_title(loc="left") == "“A not worse on at least u”"


def test_without_scores_there_are_two_panels():
    comparison, table = published("sentiment")
    finding = find(comparison, table, 0.05)
    figure = evidence.evidence(Tested(table[["dataset", "p_value"]]), finding, "accuracy")
    assert [axis.get_title(loc="left") for axis in figure.axes] == [
        "p-values (filled: named)", "“A better on at least u”"
    ]  # fmt: skip


# --- procedures -----------------------------------------------------------------------------------

CLOSED = [
    ("dependent", "", "Bonferroni (chosen): k̂ = 3", True),
    ("positive", "", "Simes (chosen): k̂ = 3", False),
    ("independent", "", "Fisher-Bonferroni (chosen): k̂ = 3", False),
    ("independent", "truncated_fisher", "truncated Fisher (chosen): k̂ = 2", False),
    ("dependent", "joint", "joint sign flips (chosen): k̂ = ", False),
]  # fmt: skip


def closed(dependence, method):
    """Return what is found and drawn of four datasets in the closed procedure."""
    table = Tested(pd.DataFrame(
        {"dataset": list("uvwx"), "p_value": [0.024, 0.001, 0.9, 0.012], "score_a": 0.6,
         "score_b": 0.5}
    ))  # fmt: skip
    if method == "joint":
        rng = np.random.default_rng(8)
        table = replace(table, flips=joint.flip(rng.normal([0.3, 0.6, 0, 0.4], 1, (40, 4)), 400))
    comparison = declare(dependence=dependence, method=method)
    finding = find(comparison, table, 0.05)
    return finding, evidence.evidence(table, finding, "accuracy")


@pytest.mark.slow
@pytest.mark.parametrize(("dependence", "method", "chosen", "by_holm"), CLOSED)
def test_the_figure_shows_what_the_procedure_says(dependence, method, chosen, by_holm):
    finding, figure = closed(dependence, method)
    labels = legend(figure)
    assert [label for label in labels if "chosen" in label] == [
        chosen if method != "joint" else f"{chosen}{finding.k}"
    ]
    assert ("Holm's line" in labels) == by_holm
    assert bold(figure) == set(finding.identified_datasets)
    assert len(marks(figure.axes[1], filled=True)) == finding.identified.sum()


@pytest.mark.slow
@pytest.mark.parametrize(("dependence", "method", "chosen", "by_holm"), CLOSED)
def test_a_count_without_a_curve_is_a_line_below_its_row(dependence, method, chosen, by_holm):
    finding, figure = closed(dependence, method)
    axis = figure.axes[2]
    levels = [found for found in axis.collections if "(chosen)" in found.get_label()]
    curves = [line for line in axis.lines if "(chosen)" in line.get_label()]
    if method:
        (level,) = levels
        assert not curves
        assert {y for _, y in level.get_segments()[0]} == {finding.k + 0.5}
    else:
        (curve,) = curves
        assert not levels
        assert list(curve.get_ydata()) == [1, 2, 3, 4]
        assert (curve.get_xdata() <= np.log10(0.05)).sum() == finding.k


def test_the_legend_says_under_which_condition_a_count_is_valid():
    labels = {
        dependence: legend(closed(dependence, "")[1])
        for dependence in ("independent", "positive", "dependent")
    }
    assert "Fisher, only if independent: k̂ = 2" in labels["dependent"]
    assert "Fisher, only if independent: k̂ = 2" in labels["positive"]
    assert "Bonferroni: k̂ = 3" in labels["positive"]
    assert "Bonferroni: k̂ = 3" in labels["independent"]


@pytest.mark.slow
@pytest.mark.parametrize(("dependence", "method"), [row[:2] for row in CLOSED])
def test_legends_stay_within_the_figure(dependence, method):
    _, figure = closed(dependence, method)
    figure.canvas.draw()
    box, (found,) = figure.bbox, figure.legends
    shown = found.get_window_extent()
    assert box.x0 <= shown.x0 < shown.x1 <= box.x1
    assert not any(shown.overlaps(axis.xaxis.label.get_window_extent()) for axis in figure.axes)


def test_an_estimate_that_was_not_chosen_is_seen_around_the_other():
    _, figure = closed("independent", "")
    size = {
        line.get_label().split()[0].rstrip(":"): (line.get_markersize(), line.get_markerfacecolor())
        for line in figure.axes[2].lines
        if "k̂" in line.get_label()
    }
    assert size["Bonferroni"][0] > size["Fisher-Bonferroni"][0]
    assert size["Bonferroni"][1] == "none" != size["Fisher-Bonferroni"][1]


# --- the axis of p-values -------------------------------------------------------------------------


def test_the_axis_ends_where_the_data_do_or_at_its_wall():
    def floor(pvalues, threshold, curve=(1.0,)):
        return pvalue_axis.fitted({"a": pvalues}, {"a": threshold}, {"a": [curve]}).floors["a"]

    assert floor([3e-5, 0.2], 0.01) == -5
    assert floor([0.4, 1.0], 0.004) == -3
    assert floor([0.0, 2e-4], 0.01) == -4
    assert floor([0.0, 0.0], 0.01) == -2
    assert floor([1e-200, 0.5], 0.01) == pvalue_axis.LEAST
    assert floor([0.5], 1e-15) == -15
    assert pvalue_axis.fitted({"a": [0.02]}, {"a": 0.01}, {"a": []}).floors == {"a": -2}
    assert floor([0.02, 0.2], 0.01, [9e-4, 1.0]) == -4
    assert floor([0.02, 0.2], 0.01, [9e-6, 1.0]) == floor([0.02, 0.2], 0.01, [0.0, 1.0]) == -2


def test_zeros_and_what_is_beyond_stand_at_the_wall():
    comparison, table = of_instances([1, 1, 1, 1, -1])
    far = {"p_value": [0.0, 1e-40, 1e-5, 1.0, 1.0], "p_reverse": [1.0, 1.0, 1.0, 1.0, 0.0]}
    table = table.assign(**far)
    _, _, figure = drawn(comparison, table)
    axis = figure.axes[1]
    assert marks(axis)[:2] == [(-12, 1), (-12, 2)]
    assert marks(axis)[-1] == (3, 5)
    beyond = {line.get_marker(): len(line.get_xdata()) for line in axis.lines
              if line.get_marker() in "<>"}  # fmt: skip
    assert beyond == {"<": 2, ">": 1}
    ticks = [label.get_text() for label in axis.get_xticklabels()]
    assert {"≤10⁻¹²", "≤10⁻³", "1"} <= set(ticks)


def test_an_end_at_which_nothing_stands_is_no_wall():
    comparison, table = of_instances([1, 0.5, 0.2], alternative="greater")
    _, _, figure = drawn(comparison, table)
    for axis in figure.axes[1:3]:
        ticks = [label.get_text() for label in axis.get_xticklabels()]
        assert "10⁻²" in ticks
        assert not any("≤" in tick for tick in ticks)


# --- many datasets --------------------------------------------------------------------------------


def many(n):
    comparison = declare(name="m", title="many", dependence="independent", score="score")
    p = np.linspace(1e-4, 1, n)
    names = [f"dataset {i}" for i in range(n)]
    table = Tested(pd.DataFrame({"dataset": names, "p_value": p, "score_a": 1 - p, "score_b": p}))
    return evidence.evidence(table, find(comparison, table, 0.05), "score")


@pytest.mark.slow
def test_many_datasets_have_ranks_and_no_more_height():
    named, ranked = many(evidence.MOST_NAMED), many(evidence.MOST_NAMED + 1)
    assert [label.get_text() for label in named.axes[0].get_yticklabels()][:2] == [
        "dataset 0", "dataset 1"
    ]  # fmt: skip
    assert named.axes[0].get_ylabel() == ""
    for figure in (ranked, many(400)):
        assert figure.get_size_inches()[1] == named.get_size_inches()[1]
        assert "names are in the table" in figure.axes[0].get_ylabel()
        figure.draw_without_rendering()
        texts = [label.get_text() for label in figure.axes[0].get_yticklabels()]
        assert not any("dataset" in text for text in texts)
        assert max(row for _, row in marks(figure.axes[1])) > evidence.MOST_NAMED
