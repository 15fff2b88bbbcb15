"""The diagram of layers: boxes, arrows, and that nothing lies on anything else."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.patches import Rectangle

from replicability.core import layers
from replicability.show import layers as drawn


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def family(s, seed=1, scale=0.4):
    rng = np.random.default_rng(seed)
    skill = np.sort(rng.normal(size=s))[::-1]
    better = skill[:, None] - skill > rng.gamma(2, scale, size=(s, s))
    return layers.arrange([f"system {i:02}" for i in range(s)], better)


def boxes(figure):
    found = [p for p in figure.axes[0].patches if isinstance(p, Rectangle) and p.get_zorder() == 2]
    return [(p.get_x(), p.get_y(), p.get_x() + p.get_width(), p.get_y() + p.get_height())
            for p in found]  # fmt: skip


def labels(figure):
    return [text.get_text() for text in figure.axes[0].texts if text.get_text()]


@pytest.mark.slow
@pytest.mark.parametrize("s", [3, 4, 18, 30, 60])
@pytest.mark.parametrize("scale", [0.05, 0.4, 3])
def test_every_system_has_a_box_and_no_box_lies_on_another(s, scale):
    found = family(s, scale=scale)
    figure = drawn.diagram(found, "title")
    assert sorted(labels(figure)) == sorted(node for (node,) in found.nodes)
    places = boxes(figure)
    assert len(places) == s
    for (a, b, c, d), (e, f, g, h) in itertools.combinations(places, 2):
        assert c <= e or g <= a or d <= f or h <= b
    low, high = figure.axes[0].get_xlim()
    bottom, top = figure.axes[0].get_ylim()
    assert all(low <= a and c <= high and bottom <= b and d <= top for a, b, c, d in places)


@pytest.mark.slow
def test_arrows_go_down_to_their_boxes():
    found = family(18)
    figure = drawn.diagram(found, "title")
    heads = [text for text in figure.axes[0].texts if not text.get_text()]
    assert len(heads) == len(found.arrows)
    assert all(head.xy[1] < head.xyann[1] for head in heads)


def test_names_say_what_is_identical_on_a_circle_and_apart():
    better = np.zeros((6, 6), bool)
    better[[0, 1, 2, 3, 4], [1, 2, 0, 5, 5]] = True
    better[0, 3] = better[0, 4] = True
    found = layers.arrange(["$a", "b", "c", "d", "e", "f"], better, [("d", "e")])
    figure = drawn.diagram(found, "title")
    assert labels(figure) == [r"\$a, b, c (cycle)", "d = e", "f"]
    alone = drawn.diagram(layers.arrange("xyz", np.zeros((3, 3))), "title")
    assert labels(alone) == ["x", "y", "z"]
    broken = [p.get_linestyle() for p in alone.axes[0].patches if p.get_zorder() == 2]
    assert broken == ["--"] * 3


def test_long_names_are_cut():
    found = layers.arrange(["x" * 80, "y", "z"], np.triu(np.ones((3, 3)), 1))
    assert f"{'x' * 33}…" in labels(drawn.diagram(found, "title"))


@pytest.mark.parametrize(("below", "legible"), [(8, True), (9, False)])
def test_more_arrows_than_can_be_followed_are_left_out(below, legible):
    """Ten systems, each better than 8 or 9 others: 80 arrows are drawn, 90 are not."""
    systems = [f"s{i}" for i in range(10 + below)]
    better = np.zeros((len(systems),) * 2, bool)
    better[:10, 10:] = True
    figure = drawn.diagram(layers.arrange(systems, better), "title")
    assert len(boxes(figure)) == len(systems)
    heads = [text for text in figure.axes[0].texts if not text.get_text()]
    assert len(heads) == (10 * below if legible else 0)
    assert ("The 90 arrows are too many to draw" in figure.get_suptitle()) != legible
