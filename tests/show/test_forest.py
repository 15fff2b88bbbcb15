"""The forest plot: what it shows, and that nothing on it overlaps."""

import re
from dataclasses import replace
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from comparisons import declare
from scipy import stats

from replicability.core import findings
from replicability.core.tested import Tested
from replicability.show import figures, forest, style

LONG = "a benchmark of a name that goes on and on and whose end alone tells it apart, part {}"
GROUPS = {"written": ["d0", "d1", "d2"], "spoken": ["d3", "d4"]}


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def made(n, names="d{}", **rules):
    """Return a comparison and its results: differences about 1.5, with their intervals."""
    rng = np.random.default_rng(n)
    d, error = rng.normal(1.5, 2, n), rng.uniform(0.3, 1.2, n)
    table = Tested(pd.DataFrame(
        {
            "dataset": [names.format(i) for i in range(n)], "p_value": stats.norm.sf(d / error),
            "p_reverse": stats.norm.cdf(d / error), "score_a": 50 + d, "score_b": 50.0,
            "difference": d, "low": d - 1.96 * error, "high": d + 1.96 * error,
            "standard_error": error, "n": 300,
        }
    ))  # fmt: skip
    rules = {"dependence": "independent", "score": "accuracy (%)"} | rules
    return declare(systems=("ours", "theirs"), **rules), table


def drawn(comparison, table, margins=()):
    finding = findings.find(comparison, table, 0.05)
    mean = findings.overall(comparison, table)
    figure = forest.forest(table, finding, comparison.score, mean, margins)
    return figure, finding, mean


def labels(figure):
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def foot(figure):
    return figure._supxlabel.get_text().replace("\n", " ")


def texts(figure):
    """Return all that is written, after drawing."""
    figure.canvas.draw()
    axis = figure.axes[0]
    found = [*axis.get_yticklabels(), *axis.get_xticklabels(), axis.xaxis.label]
    for child in axis.child_axes:
        found += child.get_yticklabels()
    left, right = axis.get_xlim()
    hidden = {label for label in axis.get_xticklabels()
              if not left <= label.get_position()[0] <= right}  # fmt: skip
    found += axis.get_legend().get_texts()
    found += [figure._suptitle, figure._supxlabel]
    return [text for text in found if text.get_text() and text not in hidden]


CASES = {
    "one": (1, {}),
    "two": (2, {}),
    "29": (29, {}),
    "groups": (29, {"groups": GROUPS}),
    "overlapping groups": (12, {"groups": {"all but one": GROUPS["written"], "one": ["d0"]}}),
    "dependent": (12, {"dependence": "dependent"}),
    "long names": (12, {"names": LONG}),
    "Chinese": (5, {"names": "中文文本分类数据集的一个非常长的名字{}号"}),
    "dollars": (5, {"names": "$d_{{{}}}^2$"}),
    "57": (57, {}),
    "80": (80, {}),
    "200": (200, {}),
}


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize("case", CASES)
def test_nothing_overlaps_or_leaves_the_figure(case):
    n, rules = CASES[case]
    figure, *_ = drawn(*made(n, **rules))
    found = texts(figure)
    boxes = [text.get_window_extent() for text in found]
    for box, text in zip(boxes, found, strict=True):
        inside = (figure.bbox.x0 - 1 <= box.x0) & (box.x1 <= figure.bbox.x1 + 1)
        inside &= (figure.bbox.y0 - 1 <= box.y0) & (box.y1 <= figure.bbox.y1 + 1)
        assert inside, text.get_text()
    for place, box in enumerate(boxes):
        for other, text in zip(boxes[place + 1 :], found[place + 1 :], strict=True):
            apart = not box.shrunk(0.98, 0.85).overlaps(other.shrunk(0.98, 0.85))
            assert apart, (found[place].get_text(), text.get_text())
    panel = figure.axes[0].get_window_extent()
    assert panel.width > 0.25 * figure.bbox.width


def test_rows_are_ordered_by_difference_and_the_named_are_bold_and_filled():
    figure, finding, _ = drawn(*made(29))
    _, table = made(29)
    order = table.rows.sort_values("difference", ascending=False)["dataset"].tolist()
    assert labels(figure) == [*order, "mean of 29 datasets"]
    ticks = figure.axes[0].get_yticklabels()
    bold = {tick.get_text() for tick in ticks if tick.get_fontweight() == "bold"}
    assert bold == {*finding.identified_datasets, *finding.other.identified_datasets}
    assert 0 < len(finding.other.identified_datasets) < len(bold) < 29
    points = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    filled = [line for line in points if line.get_markerfacecolor() != "white"]
    assert sum(len(line.get_xdata()) for line in points) == 29
    assert {order[int(y)] for line in filled for y in line.get_ydata()} == bold
    colours = {
        order[int(y)]: line.get_markerfacecolor() for line in filled for y in line.get_ydata()
    }
    for side, one in (("a", finding), ("b", finding.other)):
        assert {colours[name] for name in one.identified_datasets} == {style.COLOURS[side]}


def test_the_sizes_of_the_figure_state_the_number_of_datasets():
    for n in (1, 2, 57, 200):
        figure, finding, _ = drawn(*made(n))
        datasets = f"{n} dataset{'s' * (n > 1)}"
        if n > 2:
            assert finding.k > 0
            said = " ".join(figure.get_suptitle().split())
            assert said.startswith(f"ours outperforms theirs on at least {finding.k} of {datasets}")
        assert labels(figure)[-1] == f"mean of {datasets}"
        assert figure.get_figheight() < 15


def test_the_title_says_when_nothing_is_found():
    comparison, table = made(12)
    figure, *_ = drawn(comparison, Tested(table.assign(p_value=0.5, p_reverse=0.5)))
    said = " ".join(figure.get_suptitle().split())
    assert said.startswith("There is no evidence that ours ")


def test_both_directions_stand_in_the_title_and_at_the_foot():
    comparison, table = made(29, groups={"g": ["d0", "d1"], "h": ["d1", "d2"]})
    figure, finding, _ = drawn(comparison, table)
    assert " ".join(figure.get_suptitle().split()) == (
        f"ours outperforms theirs on at least {finding.k} of 29 datasets; "
        f"theirs outperforms ours on at least {finding.other.k} of 29 datasets"
    )
    for name, one in (("ours", finding), ("theirs", finding.other)):
        said = f"{name} better on at least {one.k} of 29 datasets; named: {one.identified.sum()}"
        assert said in foot(figure)
        for group, members in comparison.groups.items():
            k = one.claims.at_least(members)
            bound = f"{name} {'all 2' if k == 2 else f'at least {k} of 2'}"
            said = re.findall(rf"By group:.*?{group} ([^;.]*)[;.]", foot(figure))
            assert any(bound in words for words in said) == (k > 0)
    assert "both directions, simultaneous 95% confidence)." in foot(figure)


def test_count_names_groups_and_mean_stand_at_the_foot():
    groups = {"g": ["d0", "d1"], "h": ["d1", "d2"]}
    comparison, table = made(12, groups=groups, alternative="greater")
    figure, finding, mean = drawn(comparison, table)
    bounds = findings.groups([finding])["at_least"].tolist()
    assert f"Lower bound: at least {finding.k} of 12 datasets; named: " in foot(figure)
    assert f"named: {finding.identified.sum()} (closed testing, Fisher-B" in foot(figure)
    by_group = foot(figure).partition("By group: ")[2].partition(".")[0]
    for name, bound in zip("gh", bounds, strict=True):
        assert (f"{name} " in f"{by_group} ") == (bound > 0)
    for bound in set(bounds) - {0, 2}:
        assert f"at least {bound} of 2" in foot(figure)
    assert mean.interval.replace("-", "−") in foot(figure)
    assert f"ours is {mean.signs}." in foot(figure)


def test_groups_that_do_not_overlap_are_headings():
    figure, finding, _ = drawn(*made(6, groups=GROUPS, alternative="greater"))
    heads = [label.get_text() for label in figure.axes[0].get_yticklabels()
             if label.get_fontstyle() == "italic"]  # fmt: skip
    assert [head.partition(":")[0] for head in heads] == ["written", "spoken", "other datasets"]
    shown = labels(figure)
    assert set(shown[1 : shown.index(heads[1])]) == set(GROUPS["written"])
    assert shown[-2:] == ["d5", "mean of 6 datasets"]
    k = finding.claims.at_least(GROUPS["spoken"])
    least = "all 2" if k == 2 else f"at least {k} of 2" if k else "no evidence on either dataset"
    assert heads[1] == f"spoken: {least}"


def test_the_paper_s_procedure_names_holm_and_has_no_groups():
    figure, *_ = drawn(*made(6, procedure="paper"))
    assert "named by Holm's procedure: " in foot(figure)
    assert "By group" not in foot(figure)


def test_the_diamond_is_as_wide_as_the_interval_of_the_mean():
    figure, _, mean = drawn(*made(5))
    (diamond,) = figure.axes[0].patches
    x = diamond.get_xy()[:, 0]
    assert (x.min(), x.max()) == (mean.low, mean.high)


def test_many_datasets_have_the_labels_of_quantiles():
    comparison, table = made(200)
    figure, *_ = drawn(comparison, table)
    names = table.rows.sort_values("difference", ascending=False)["dataset"].tolist()
    assert labels(figure)[0] == f"highest: {names[0]}"
    assert labels(figure)[2] == f"median: {names[round(0.5 * 199)]}"
    assert labels(figure)[4] == f"lowest: {names[-1]}"
    assert len(labels(figure)) == 6


def odd():
    comparison, table = made(6)
    table.rows.loc[0, ["difference", "low", "high", "score_a"]] = [0, 0, 0, 50]
    table.rows.loc[1, ["low", "high", "standard_error"]] = [-np.inf, np.inf, np.inf]
    table.rows.loc[2, ["low", "high"]] = np.nan
    table.rows.loc[3, ["low", "high"]] = [-400, 500]
    return comparison, table


def test_intervals_that_are_infinite_missing_or_huge():
    figure, *_ = drawn(*odd())
    axis = figure.axes[0]
    left, right = axis.get_xlim()
    assert -60 < left < right < 60
    numbers = [tick.get_text() for tick in axis.child_axes[0].get_yticklabels()]
    assert sum("[−∞, +∞]" in number for number in numbers) == 1
    assert sum("no interval" in number for number in numbers) == 2  # of a dataset, and of the mean
    assert sum(number.startswith("0.") for number in numbers) == 1
    for marker, edge in (("<", left), (">", right)):
        arrows = [x for line in axis.lines if line.get_marker() == marker for x in line.get_xdata()]
        assert arrows == [edge] * 2
    assert len(axis.patches) == 0
    assert "no interval" in foot(figure)


def test_all_differences_zero_are_drawn():
    comparison, table = made(3)
    table = table.assign(difference=0.0, low=0.0, high=0.0, standard_error=0.0)
    figure, *_ = drawn(comparison, table.assign(score_a=50.0, p_value=1.0))
    figure.canvas.draw()
    left, right = figure.axes[0].get_xlim()
    assert left < 0 < right


@pytest.mark.slow
@pytest.mark.parametrize(
    ("margin", "claim", "places"),
    [(None, "better", ()), (1.5, "better_by", (1.5,)), (1.5, "not_worse", (-1.5,)),
     (2, "equivalent", (-2, 2))],
)  # fmt: skip
def test_margins_are_lines(margin, claim, places):
    assert forest.margins(SimpleNamespace(margin=margin, claim=claim), ["d0"]) == places
    figure, *_ = drawn(*made(4, alternative="greater"), places)
    dashed = [line for line in figure.axes[0].lines if line.get_linestyle() == "--"]
    assert [line.get_xdata()[0] for line in dashed] == list(places)
    shown = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert shown == ["named", "not named", "mean", *(["margin"] if places else [])]
    left, right = figure.axes[0].get_xlim()
    assert all(left < place < right for place in places)


def test_margins_of_single_datasets_are_marks_in_their_rows():
    comparison, table = made(4)
    given = {"d3": 3.0, "d0": 0.5, "d1": 1, "d2": 2}
    claimed = SimpleNamespace(margin=given, claim="not_worse")
    places = forest.margins(claimed, table["dataset"])
    np.testing.assert_array_equal(places, [[-0.5, -1, -2, -3]])
    figure, *_ = drawn(comparison, table, places)
    rows = labels(figure)
    dashed = [line for line in figure.axes[0].lines if line.get_linestyle() == "--"]
    marks = {rows[round(np.mean(line.get_ydata()))]: line.get_xdata()[0] for line in dashed}
    assert marks == {name: -margin for name, margin in given.items()}


def test_a_comparison_without_claims_has_no_margins():
    assert forest.margins(object(), []) == ()


@pytest.mark.slow
def test_without_intervals_or_a_mean_what_decides_is_drawn():
    comparison, table = made(4)
    finding = findings.find(comparison, table, 0.05)
    assert len(figures.standard(comparison, table, finding).axes) == 1
    read = Tested(table[["dataset", "p_value", "score_a", "score_b"]])
    without = table.rows.drop(columns=["difference", "low", "high", "standard_error", "n"])
    for asked, results in (
        (replace(comparison, columns={"p_value": "p"}), read),
        (comparison, Tested(without)),
    ):
        own = findings.find(asked, results, 0.05)
        assert len(figures.standard(asked, results, own).axes) == 3


@pytest.mark.slow
def test_the_figure_is_the_same_bytes_at_every_run(tmp_path):
    figure, *_ = drawn(*made(6, groups=GROUPS))
    for run in ("one", "two"):
        style.save(figure, tmp_path / run, "f")
    for ending in ("svg", "png"):
        one, two = (tmp_path / run / "figures" / f"f.{ending}" for run in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()


def test_long_names_keep_beginning_and_end():
    names = [forest.shortened(LONG.format(i)) for i in range(12)]
    assert len(set(names)) == 12
    assert all(len(name) <= forest.LONGEST_NAME for name in names)
    assert len(forest.shortened("字" * 50)) <= forest.LONGEST_NAME // 2
    assert forest.shortened("two\nlines") == "two lines"
