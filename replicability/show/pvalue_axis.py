"""An axis of p-values: powers of ten, for one direction or for two with their backs together."""

from dataclasses import dataclass

import numpy as np

from replicability.show.style import COLOURS, power_of_ten

LEAST = -12
"""Smallest power of ten on an axis; smaller p-values are drawn at its end."""

NEAR = 2
"""Powers of ten by which an axis may be extended to match the next panel."""

SIGNS = {"a": 1, "b": -1}
"""Maps the system to the sign of the logarithm: p-values for A go left, for B right."""


@dataclass(frozen=True)
class Scale:
    """Where p-values stand.

    Attributes
    ----------
    floors : dict of str to float
        Side, "a" and perhaps "b" -> power of ten at which the axis ends.
    """

    floors: dict

    def place(self, pvalues, side):
        """Return where p-values of a side stand; those below its end are at the wall."""
        return SIGNS[side] * np.maximum(log10(pvalues), self.floors[side])

    def draw_level(self, axis, alpha, side, label=None, linewidth=1.5):
        """Draw a dotted line at a level of significance."""
        axis.axvline(
            self.place(alpha, side),
            color=COLOURS["count"],
            linestyle=":",
            label=label,
            linewidth=linewidth,
        )

    def write(self, axis, label, most=5):
        """Write powers of ten below what is drawn; a wall where there is something at it.

        `axis` (matplotlib.axes.Axes): the axes, with all marks. `label`: what the p-values are of.
        `most`: steps between powers of ten at most.
        """
        wide = sum(-floor for floor in self.floors.values())
        step = np.ceil(wide / most)
        ticks = {0.0: "1"}
        for side, floor in self.floors.items():
            inner = np.arange(step, -floor - 0.19 * wide, step)
            ticks |= {-SIGNS[side] * e: power_of_ten(-e) for e in inner}
            wall = SIGNS[side] * floor
            marks = (line for line in axis.lines if line.get_marker() != "|")
            stands = any(wall in line.get_xdata() for line in marks)
            ticks[wall] = f"{'≤' * stands}{power_of_ten(floor)}"
            if stands:
                axis.axvline(wall, color=COLOURS["faint"], linewidth=3, zorder=0)
        axis.set_xticks(list(ticks), list(ticks.values()))
        axis.tick_params(axis="x", labelsize=8.5)
        right = -self.floors["b"] + 0.03 * wide if "b" in self.floors else 0.04 * wide
        axis.set_xlim(self.floors["a"] - 0.03 * wide, right)
        axis.spines["left"].set_visible(False)
        if "b" in self.floors:
            axis.axvline(0, color=COLOURS["neutral"], linewidth=0.8)
            label = f"{label}\n← A better  ·  B better →"
        axis.set_xlabel(label, fontsize=9)


def log10(pvalues):
    """Return logarithms; that of 0 is minus infinity."""
    with np.errstate(divide="ignore"):
        return np.log10(np.asarray(pvalues, float))


def fitted(pvalues, thresholds, curves):
    """Fit a scale to p-values.

    `pvalues` (dict of str to array_like): side -> p-values, in [0, 1]. `thresholds` (dict of str to
    float): side -> a level that has to be on the axis. `curves` (dict of str to sequence of
    array_like): side -> p-values of another panel with the same scale.

    Returns Scale. It ends at the power of ten below the smallest p-value above 0, not below `LEAST`
    and not above the one below the threshold; or where the curves do, if they are near.
    """
    floors = {}
    for side, values in pvalues.items():
        logs = log10(values)
        data = np.floor(min(logs[np.isfinite(logs)], default=0))
        floor = min(np.floor(np.log10(thresholds[side])), max(data, LEAST))
        further = np.floor(min(log10(np.concatenate([[1.0], *curves[side]]))))
        floors[side] = float(further if floor - NEAR <= further < floor else floor)
    return Scale(floors)
