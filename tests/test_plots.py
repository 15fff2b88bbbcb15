import matplotlib.pyplot as plt
import numpy as np
import pytest

from analysis import audit, data, plots, report, simulation


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@pytest.fixture(params=["sentiment", "pos_tagging"])
def figure(request):
    comparison = data.read_study("config/paper.yaml").section(request.param)[0]
    table = data.read_comparison(comparison)
    return plots.comparison(table, report.find(comparison, table, 0.05), comparison.score)


def test_figures_are_the_same_bytes_at_every_run(figure, tmp_path):
    for run in ("one", "two"):
        plots.save(figure, tmp_path / run, "f")
    for ending in ("svg", "png"):
        one, two = (tmp_path / run / "figures" / f"f.{ending}" for run in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    text = (tmp_path / "one" / "figures" / "f.svg").read_text(encoding="utf-8")
    assert "<dc:date>" not in text


def test_rows_are_ordered_by_pvalue_and_identified_datasets_bold():
    comparison = data.read_study("config/paper.yaml").section("sentiment")[0]
    table = data.read_comparison(comparison)
    finding = report.find(comparison, table, 0.05)
    figure = plots.comparison(table, finding, comparison.score)
    labels = figure.axes[0].get_yticklabels()
    expected = table.sort_values("p_value", kind="stable")["dataset"].tolist()
    assert [label.get_text() for label in labels] == expected
    bold = {label.get_text() for label in labels if label.get_fontweight() == "bold"}
    assert bold == set(finding.identified_datasets)


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


def test_zeros_are_drawn_at_the_edge(figure):
    for axis in figure.axes[1:3]:
        for line in axis.lines:
            assert np.all(np.asarray(line.get_xdata(), dtype=float) > 0)


def test_the_histogram_names_its_message():
    found = simulation.distribution([simulation.Group(100)], 1_000, 1)
    figure = plots.k_histogram(found.frequencies, 1_000, 0.05)
    titles = [axis.get_title(loc="left") for axis in figure.axes]
    share = found.overestimated("count")
    assert titles[0] == f"count of p ≤ α: above the truth, k = 0, in {share:.1%} of 1,000 families"


def test_the_histogram_states_the_number_of_datasets():
    found = simulation.distribution([simulation.Group(12)], 200, 1)
    figure = plots.k_histogram(found.frequencies, 200, 0.05)
    assert "N = 12," in figure.axes[-1].get_xlabel()


def test_the_overview_fills_the_recommended_estimator():
    study = data.read_study("config/paper.yaml")
    findings = [report.find(c, data.read_comparison(c), 0.05) for c in study.comparisons]
    counts = report.counts(findings)
    figure = plots.k_overview(counts)
    filled = [
        line
        for line in figure.axes[0].lines
        if line.get_markerfacecolor() != "white" and len(line.get_xdata())
    ]
    drawn = sorted(x for line in filled for x in line.get_xdata())
    assert drawn == sorted(row[row["recommended"]] for _, row in counts.iterrows())


def test_published_simulated_and_exact_are_drawn():
    groups = [simulation.Group(10)]
    found = simulation.distribution(groups, 1_000, 1)
    rows = simulation.overestimation("independent", groups, 0.05, found, found)
    figure = plots.overestimation(
        __import__("pandas").concat([rows, rows.assign(example="dependent")]).assign(published=0.5),
        0.05,
        1_000,
        2_000,
    )
    labels = [text.get_text() for text in figure.axes[-1].get_legend().get_texts()]
    assert labels == ["published", "1,000 families ± 2 SE", "2,000 families", "exact"]


def test_every_verdict_is_drawn_with_its_count():
    assert tuple(plots.VERDICT_COLOURS) == audit.VERDICTS
    claims = [audit.Claim(paper, "Table 1", str(i), "1") for paper in "xy" for i in range(3)]
    verdicts = [audit.unchecked(claim, "Why.") for claim in claims]
    verdicts.append(audit.value(claims[0], 2, "why"))
    figure = plots.verdicts(audit.totals_by(audit.table(verdicts), "paper", "item"))
    shown = [[text.get_text() for text in axis.texts] for axis in figure.axes]
    assert shown == [["1", "3"], ["3"]]
    assert figure.axes[0].get_title(loc="left") == "x: 4 verdicts"
