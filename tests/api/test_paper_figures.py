"""Figures for papers: as wide as asked, fonts embedded, no text on another or cut off."""

import itertools
import pickle
import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

import replicability as rep

LONG = "a rather long name of a dataset with many words"


def of_scores(n, seed=0, b="baseline"):
    draw = np.random.default_rng(seed)
    scores = {}
    for i in range(n):
        base = draw.random(30)
        gain = 0.3 * (i % 3 == 0) + draw.normal(0, 0.1, 30)
        scores[f"{LONG} {i}" if i == 1 else f"d{i}"] = (base + gain, base)
    return rep.compare(scores, dependence="independent", options={"n_resamples": 200})


def of_pvalues(n):
    values = np.random.default_rng(1).random(n) ** 6
    return rep.count({f"d{i}": p for i, p in enumerate(values)}, dependence="independent")


def family(size):
    draw = np.random.default_rng(2)
    table = pd.DataFrame(
        {
            "dataset": np.repeat(["news", "law", "talks"], 40),
            **{
                f"system number {i} (7B)": draw.random(120) < 0.95 - 0.8 * i / size
                for i in range(size)
            },
        }
    ).astype({f"system number {i} (7B)": int for i in range(size)})
    return rep.all_pairs(table, dependence="independent", test="sign_test")


def boxes(figure):
    """Return the box of each text that is drawn, in pixels; not of ticks beyond the axis."""
    FigureCanvasAgg(figure).draw()
    renderer = figure.canvas.get_renderer()
    hidden = set()
    for axis in (axis for panel in figure.axes for axis in (panel.xaxis, panel.yaxis)):
        least, most = sorted(axis.get_view_interval())
        for tick in axis.get_major_ticks():
            if not least <= tick.get_loc() <= most:
                hidden |= {id(tick.label1), id(tick.label2)}
    return [
        (text.get_text(), text.get_window_extent(renderer))
        for text in figure.findobj(plt.Text)
        if text.get_visible() and text.get_text().strip() and id(text) not in hidden
    ]


def check_layout(figure):
    shown = boxes(figure)
    assert shown
    for said, box in shown:
        inside = box.x0 >= -1.5 and box.y0 >= -1.5
        assert inside, f"{said!r} is cut off: {box}"
        assert box.x1 <= figure.bbox.x1 + 1.5 and box.y1 <= figure.bbox.y1 + 1.5, f"{said!r}: {box}"
    for (one, p), (other, q) in itertools.combinations(shown, 2):
        across = min(p.x1, q.x1) - max(p.x0, q.x0)
        down = min(p.y1, q.y1) - max(p.y0, q.y0)
        assert across <= 1 or down <= 1.5, f"{one!r} lies on {other!r}"
    for panel in figure.axes:
        assert min(panel.get_window_extent().size / figure.dpi) > 0.6


DRAWN = {
    "3 scores": lambda: of_scores(3),
    "30 scores": lambda: of_scores(30),
    "3 p-values": lambda: of_pvalues(3),
    "30 p-values": lambda: of_pvalues(30),
    "family of 3": lambda: family(3),
    "family of 18": lambda: family(18),
    "plan": lambda: rep.design([200, 500, 1000], gains=[0.02, 0.05], discordant=0.2),
}


@pytest.fixture(scope="module", params=DRAWN)
def drawn(request):
    return DRAWN[request.param]()


@pytest.mark.parametrize(("width", "inches"), [("column", 3.03), ("text", 6.3), (4.5, 4.5)])
def test_a_figure_fits_its_column(drawn, width, inches):
    known = plt.get_fignums()
    figure = drawn.figure(width)
    assert figure.get_size_inches()[0] == pytest.approx(inches)
    assert plt.get_fignums() == known
    check_layout(figure)
    letters = [t.get_fontsize() for t in figure.findobj(plt.Text) if t.get_text().strip()]
    assert min(letters) >= 5.5


def test_fonts_are_truetype(drawn, tmp_path):
    for figure in (
        drawn.figure("column"),
        drawn.figure(),
        pickle.loads(pickle.dumps(drawn.figure(5))),
    ):
        file = tmp_path / "figure.pdf"
        figure.savefig(file)
        held = file.read_bytes()
        assert b"/TrueType" in held or b"/CIDFontType2" in held
        assert b"/Type3" not in held


def texts(figure):
    return " ".join(text.get_text() for text in figure.findobj(plt.Text))


def test_labels_rename_systems_and_datasets():
    found = of_pvalues(3)
    said = texts(found.figure("column", labels={"A": "Ours", "d1": "News"}))
    assert "Ours" in said and "News" in said
    assert not re.search(r"\bd1\b", said)
    assert "Tiny" in texts(family(3).figure(labels={"system number 0 (7B)": "Tiny"}))
    assert "News" not in texts(found.figure())


def test_colors_are_those_given():
    found = of_pvalues(3)
    for colors in (("#123456", "red"), {"A": "#123456"}):
        figure = found.figure("column", colors=colors)
        assert "#123456" in {line.get_color() for line in figure.axes[0].lines}


def test_a_panel_of_somebody_else():
    plt.close("all")
    figure, axes = plt.subplots(1, 2, figsize=(7, 4))
    assert of_pvalues(3).figure(ax=axes[0]) is figure
    assert of_scores(3).figure(ax=axes[1]) is figure
    assert all(axis.get_title(loc="left") for axis in axes)
    assert plt.get_fignums() == [figure.number]
    plt.close(figure)
    figure, axis = plt.subplots()
    assert rep.design([200, 500], gains=[0.02], discordant=0.2).figure(ax=axis) is figure
    assert family(3).figure(ax=plt.subplots()[1]).axes
    plt.close("all")


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"width": "colum"}, "did you mean 'column'"),
        ({"width": 0}, "a number of inches from 2.5 to 20"),
        ({"width": float("nan")}, "a number of inches"),
        ({"width": True}, "a number of inches"),
        ({"labels": {"nobody": "x"}}, "labels: the name 'nobody' is not one of"),
        ({"labels": ["x"]}, "pass a mapping"),
        ({"labels": {"A": 3}}, "pass a string"),
        ({"labels": {"d0": "d1"}}, "give each its own label"),
        ({"colors": "red"}, "pass two colours"),
        ({"colors": ("red", "nocolour")}, "pass two colours"),
        ({"colors": {"C": "red"}}, "colors: the key 'C' is not one of"),
        ({"ax": "here"}, "pass an Axes"),
        ({"ax": "here", "width": 3}, "pass either width or ax, not both"),
    ],
)
def test_mistakes_are_sentences(how, said):
    with pytest.raises(rep.InputError, match=re.escape(said)):
        of_pvalues(3).figure(**how)


def test_a_panel_holds_one_gain():
    axis = plt.subplots()[1]
    with pytest.raises(rep.InputError, match="2 panels, one for each gain, but an Axes holds"):
        rep.design([200, 500], gains=[0.02, 0.05], discordant=0.2).figure(ax=axis)
    plt.close("all")
