"""The figure of Section 5: how often each estimate exceeds the truth, and what was printed."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import PercentFormatter

from replicability.show.style import COLOURS, NAMES, STYLE

LAST = 14
"""The last bar stands for so many datasets or more."""

HIGHEST = 0.3
"""Where bars are cut off, with their share above them."""

HEIGHTS = {0: 0.265, 1: 0.21}
"""Brackets: by more than so many above the truth -> height."""

LIKELY = 3.29
"""Standard errors of the published repetitions within which a printed share agrees (99.9%)."""


def k_histogram(examples, alpha):
    """Draw the histograms of the estimators (Figure 1), and the shares that were printed.

    `examples` (dict of str to tuple): name -> `simulation.Distribution` of as many families as
    published, another without visible error, and the printed probabilities of k-hat > k, estimator
    -> text. `alpha`: level of significance, in (0, 1).

    Returns matplotlib.figure.Figure. A row for each estimator, a column for each example. Brackets
    have the shares of k-hat > 0 and of k-hat > 1, and the printed share where it agrees, as
    `agrees` says.
    """
    estimators = list(next(iter(examples.values()))[0].frequencies)
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            len(estimators),
            len(examples),
            figsize=(4.3 * len(examples), 1.4 + 1.9 * len(estimators)),
            sharex=True,
            sharey=True,
            squeeze=False,
            layout="constrained",
        )
        for column, (example, (small, large, printed)) in enumerate(examples.items()):
            axes[0, column].set_title(f"{example} datasets", fontsize="large")
            for axis, name in zip(axes[:, column], estimators, strict=True):
                _draw_shares(axis, name, small, large)
                _draw_brackets(axis, name, small, large, printed[name])
        for axis, name in zip(axes[:, 0], estimators, strict=True):
            axis.set_ylabel(f"{NAMES[name]}\nshare of studies")
        ticks = [0, 1, 2, 4, 6, 8, 10, 12, LAST]
        axes[0, 0].set_xticks(ticks, [*map(str, ticks[:-1]), f"≥{LAST}"])
        axes[0, 0].set_ylim(0, HIGHEST)
        axes[0, 0].yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        n = len(small.frequencies[estimators[0]]) - 1
        figure.supxlabel(
            f"estimated number of datasets, k̂, out of N = {n}; true number: 0 (α = {alpha:g}). "
            f"Bars: {small.n_families:,} studies; dots: {large.n_families:,}",
            fontsize="medium",
        )
        figure.suptitle(_title(examples, estimators), fontsize="large")
    return figure


def agrees(printed, small, large, name):
    """Find the event of which a printed share is the probability.

    `small`, `large`, `name`: Distributions as `k_histogram` takes them, and an estimator.

    Returns int or None. 0 if it agrees with k-hat > 0 within the error of the published
    repetitions, else 1 if with k-hat > 1, else None.
    """
    for more in HEIGHTS:
        share = large.overestimated(name, by_more_than=more)
        if abs(float(printed) - share) <= LIKELY * np.sqrt(share * (1 - share) / small.n_families):
            return more
    return None


def _title(examples, estimators):
    """Say how often each estimate exceeds the truth, and what was printed."""
    shares = [
        f"{NAMES[name]} in "
        + " and ".join(f"{large.overestimated(name):.0%}" for _, large, _ in examples.values())
        for name in estimators
    ]
    events = [
        agrees(printed[name], small, large, name)
        for small, large, printed in examples.values()
        for name in estimators
    ]
    return (
        f"k̂ > 0 although no dataset differs: {shares[0]} of studies,\n"
        f"{', '.join(shares[1:])}; {events.count(1)} of {len(events)} printed shares match "
        "k̂ > 1"
    )


def _binned(frequencies, n_families):
    """Return shares of 0, 1, ... with those of `LAST` and more together."""
    values = np.minimum(np.arange(len(frequencies)), LAST)
    return np.bincount(values, frequencies, LAST + 1) / n_families


def _draw_shares(axis, name, small, large):
    """Draw bars; grey is the truth, and what is cut off has the share of its dot beside it."""
    values = np.arange(LAST + 1)
    shares = _binned(small.frequencies[name], small.n_families)
    colours = [COLOURS["faint"], *[COLOURS[name]] * LAST]
    axis.bar(values, shares, color=colours, edgecolor=COLOURS["neutral"], linewidth=0.5)
    dots = _binned(large.frequencies[name], large.n_families)
    low = dots < HIGHEST
    axis.plot(values[low], dots[low], "k.", markersize=4)
    if shares[0] > HIGHEST:
        axis.text(
            0.55, HIGHEST * 0.99, f"k̂ = 0: {dots[0]:.0%}", va="top", fontsize=8.5,
            color=COLOURS["neutral"],
        )  # fmt: skip
        axis.plot([-0.45, 0.45], [HIGHEST * 0.9, HIGHEST * 0.94], color="white", linewidth=3)


def _draw_brackets(axis, name, small, large, printed):
    """Draw the events k-hat > 0 and k-hat > 1 with their shares, and pin what was printed."""
    event = agrees(printed, small, large, name)
    for more, height in HEIGHTS.items():
        x = [more + 0.55, more + 0.55, LAST + 0.45, LAST + 0.45]
        y = [height - 0.012, height, height, height - 0.012]
        axis.plot(x, y, color=COLOURS["neutral"], linewidth=1)
        said = f"k̂ > {more}: {large.overestimated(name, by_more_than=more):.3f}"
        if event == more:
            said += f"  ✕ printed {printed}"
        elif event is None and more == 0:
            said += f"  (printed {printed})"
        axis.text(
            LAST + 0.45, height + 0.004, said, ha="right", va="bottom", fontsize=8.5,
            weight="bold" if event == more else "normal",
        )  # fmt: skip
