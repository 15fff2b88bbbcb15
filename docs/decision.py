"""Draw the decision figure of ``choosing.md``: ``python docs/decision.py`` writes SVG and PNG."""

from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.patches import FancyBboxPatch

from replicability.show.style import COLOURS, STYLE

FOLDER = Path(__file__).parent
"""Where the figure stands, beside the page that shows it."""

WIDTH, HEIGHT = 800, 864
"""Units of the drawing: pixels of the figure at 100 dots per inch."""

TESTS = (
    ("right or wrong", "1 or 0", "mcnemar", "exact for any number of items"),
    (
        "counts to add up",
        "correct words of a sentence, answers of a unit",
        "mean_difference",
        "a mean or a ratio of sums, also under skew",
    ),
    (
        "a number",
        "such as the accuracy of a sentence",
        "mean_difference",
        "on request: wilcoxon, sign_test",
    ),
    (
        "ratings of similarity",
        "with gold ratings of the same items",
        "correlation_jackknife",
        "Spearman's or Pearson's correlation",
    ),
    (
        "only p-values",
        "one for each dataset",
        "no test",
        "if they are two-sided, set sided: two",
    ),
)
"""What there is for each item, an example, the test, a remark."""

PROCEDURES = (
    (
        "share units",
        "the same reviews or questions,\nand you know which",
        "joint",
        "joint sign flips",
        "the dependence is measured",
        "from the sum and maximum\nof the evidence",
    ),
    (
        "dependent",
        "one is derived from another,\nor you do not know",
        "bonferroni",
        "Bonferroni",
        "always valid",
        "names as Holm's;\nk-hat is their number",
    ),
    (
        "positive",
        "p-values are known to be\npositively dependent",
        "simes",
        "Simes",
        "never fewer than Bonferroni",
        "names as Hommel's",
    ),
    (
        "independent",
        "no shared items, none is\nderived from another",
        "fisher_bonferroni",
        "Fisher-Bonferroni",
        "never fewer than Bonferroni;\n1 or 0: binomial draws",
        "names all that Holm does;\nk-hat is often larger",
    ),
)
"""Dependence, its meaning, colour and name of the local test, remarks on it and on what it says."""

ADVICE = (
    "Choose the test and the procedure before you see p-values: the larger of two bounds at 95%",
    "is not a bound at 95%. You may choose groups at any time, even after seeing the results.",
)
"""Lines below the drawing."""


def draw():
    """Draw the way from what there is to the test and the procedure.

    Returns
    -------
    matplotlib.figure.Figure
        One axis in pixels, y downwards; readable at a width of 800 pixels.
    """
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(WIDTH / 100, HEIGHT / 100))
        axis = figure.add_axes((0, 0, 1, 1))
        axis.set(xlim=(0, WIDTH), ylim=(HEIGHT, 0))
        axis.set_axis_off()
        _heading(axis, 10, 22, "1  What do you have for each item?")
        _heading(axis, 440, 22, "Which test?")
        for row, (have, example, test, remark) in enumerate(TESTS):
            top = 40 + 68 * row
            _box(axis, 10, top, 370, 54, have, example, COLOURS["neutral"])
            _arrow(axis, (382, top + 27), (436, top + 27))
            colour = COLOURS["b"] if test == "no test" else COLOURS["a"]
            _box(axis, 440, top, 350, 54, test, remark, colour)
        _arrow(axis, (615, 369), (615, 402))
        _text(axis, 604, 389, "one one-sided p-value for each dataset", ha="right")
        _heading(axis, 10, 424, "2  How do the datasets depend")
        _heading(axis, 31, 444, "on each other?")
        _heading(axis, 330, 444, "Which local test?")
        _heading(axis, 570, 424, "What do you get,")
        _heading(axis, 570, 444, "simultaneously?")
        for row, (kind, meaning, colour, name, remark, says) in enumerate(PROCEDURES):
            top = 460 + 86 * row
            _box(axis, 10, top, 270, 72, kind, meaning, COLOURS["neutral"])
            _arrow(axis, (282, top + 36), (326, top + 36))
            _box(axis, 330, top, 214, 72, name, remark, COLOURS[colour])
            _arrow(axis, (546, top + 36), (566, top + 36))
            _box(axis, 570, top, 220, 72, "k-hat, names, groups", says, COLOURS[colour])
        for number, line in enumerate(ADVICE):
            _text(axis, 10, 828 + 19 * number, line)
    return figure


def save(folder=FOLDER):
    """Write ``decision.svg`` and ``decision.png``, the same bytes at every run.

    Parameters
    ----------
    folder : Path
        Where to.
    """
    figure = draw()
    with plt.rc_context(STYLE):
        for ending, metadata in (
            ("svg", {"Date": None, "Creator": None}),
            ("png", {"Software": None}),
        ):
            part = folder / f"decision.{ending}.part"
            figure.savefig(part, format=ending, metadata=metadata)
            part.replace(folder / f"decision.{ending}")
    plt.close(figure)


def _box(axis, left, top, width, height, name, remark, colour):
    """Draw a box with a name in bold and a remark of one or two lines below it."""
    axis.add_patch(
        FancyBboxPatch(
            (left, top),
            width,
            height,
            boxstyle="round,pad=0,rounding_size=8",
            facecolor="white",
            edgecolor=colour,
            linewidth=1.6,
            gid=f"box {name} {top}",
        )
    )
    lines = remark.split("\n")
    y = top + height / 2 - 9 * len(lines) + 5
    _text(axis, left + 12, y, name, weight="bold", size=10)
    for number, line in enumerate(lines, 1):
        _text(axis, left + 12, y + 18 * number, line)


def _heading(axis, left, y, words):
    _text(axis, left, y, words, weight="bold", size=10.5)


def _text(axis, x, y, words, **style):
    axis.text(x, y, words, **{"va": "baseline", "size": 9.5} | style)


def _arrow(axis, start, end):
    axis.annotate(
        "",
        end,
        start,
        arrowprops={"arrowstyle": "-|>", "color": COLOURS["neutral"], "shrinkA": 0, "shrinkB": 0},
    )


if __name__ == "__main__":
    save()
