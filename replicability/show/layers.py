"""The diagram of layers: significant wins between systems, from the top down."""

import itertools
from dataclasses import dataclass, field

import matplotlib.pyplot as plt
import numpy as np

from replicability.core.findings import families
from replicability.show.style import COLOURS, STYLE, plain

HEIGHT, GAP, WIDEST = 0.34, 0.22, 11.0
"""Height of a box, gap between boxes, and maximum width of a line, in inches."""

LETTER = 0.078
"""Inches of a letter, about."""

LONGEST = 34
"""Maximum length of a name in a box; the table has the full name."""

SWEEPS = 12
"""Number of passes that reorder each layer by its neighbours."""


@dataclass
class _Place:
    """A node on its layer, or where an arrow passes a layer."""

    label: str = ""
    apart: bool = False
    above: list = field(default_factory=list)
    below: list = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0

    @property
    def width(self):
        return max(0.55, LETTER * len(self.label) + 0.24) if self.label else 0.12


def diagram(found, title):
    """Draw systems in layers with an arrow from each to those that it is above.

    `found` (layers.Layers): the layers. `title`: what is drawn, with its level.

    Returns matplotlib.figure.Figure. A box for each node; identical systems and those on a circle
    share one. Nodes that are neither above nor below any other stand below the rest, in boxes with
    broken lines. More arrows than can be followed, `layers.MOST_ARROWS`, are left out.
    """
    title = title if found.legible else f"{title}\n{families.no_arrows(found)}"
    rows, joined = _placed(found)
    _order(rows)
    bands = _coordinates(rows, GAP if found.legible else GAP / 3)
    left = min((p.x - p.width / 2 for p in itertools.chain(*rows)), default=0) - 0.15
    right = max((p.x + p.width / 2 for p in itertools.chain(*rows)), default=1) + 0.15
    bottom = bands[-1][0] if bands else -1.0
    with plt.rc_context(STYLE):
        words, more = max(map(len, title.split("\n"))), 0.2 * title.count("\n")
        size = (max(right - left, LETTER * words + 0.6), -bottom + 0.55 + more)
        figure, axis = plt.subplots(figsize=size)
        axis.set_position([0, 0, 1, 1 - (0.5 + more) / size[1]])
        middle = (left + right) / 2
        axis.set_xlim(middle - size[0] / 2, middle + size[0] / 2)
        axis.set_ylim(bottom, 0.05)
        axis.axis("off")
        for low, high in bands[::2]:
            axis.axhspan(low, high, color="#F4F4F4", linewidth=0, zorder=0)
        for path in joined:
            _draw_arrow(axis, path)
        for place in itertools.chain(*rows):
            if place.label:
                _draw_box(axis, place)
        figure.suptitle(plain(title), fontsize="medium", y=1 - 0.12 / size[1], va="top")
    return figure


def _placed(found):
    """Return the places of each layer, and those that each arrow passes, both ends included."""
    apart = set(found.apart)
    nodes = [_Place(_short(families.name(n, found)), n in apart) for n in found.nodes]
    rows = [[] for _ in range(max(found.layer, default=-1) + 1)]
    for node, layer in zip(nodes, found.layer, strict=True):
        rows[layer].append(node)
    joined = []
    for i, j in found.arrows if found.legible else ():
        path = [nodes[i]]
        for layer in range(found.layer[i] + 1, found.layer[j]):
            path.append(_Place())
            rows[layer].append(path[-1])
        path.append(nodes[j])
        for upper, lower in itertools.pairwise(path):
            upper.below.append(lower)
            lower.above.append(upper)
        joined.append(path)
    return rows, joined


def _short(label):
    return label if len(label) <= LONGEST else f"{label[: LONGEST - 1]}…"


def _order(rows):
    """Put each layer in the order of the mean places of its neighbours, down and up in turns."""
    rank = {id(p): k for row in rows for k, p in enumerate(row)}
    for sweep in range(SWEEPS):
        side = ("above", "below")[sweep % 2]
        for row in rows if side == "above" else rows[::-1]:
            means = {
                id(p): np.mean([rank[id(q)] for q in getattr(p, side)] or [rank[id(p)]])
                for p in row
            }
            row.sort(key=lambda p, means=means: means[id(p)])
            rank |= {id(p): k for k, p in enumerate(row)}


def _coordinates(rows, gap):
    """Place everything, with a gap above and below boxes; return bottom and top of each layer."""
    bands, y = [], 0.0
    lines = [_lines(row) for row in rows]
    for row in lines:
        top = y
        for line in row:
            y -= HEIGHT + 2 * gap
            for place in line:
                place.y = y + gap + HEIGHT / 2
            _pack(line, [0.0] * len(line))
        bands.append((y, top))
    for side in ("above", "below") * 4:
        for line in itertools.chain(*(lines if side == "above" else lines[::-1])):
            wanted = [np.mean([q.x for q in getattr(p, side)] or [p.x]) for p in line]
            _pack(line, wanted)
    for line in lines[-1] if any(place.apart for row in rows[-1:] for place in row) else ():
        centre = np.mean([place.x for row in rows[:-1] for place in row] or [0.0])
        _pack(line, [centre] * len(line))
    return bands


def _lines(row):
    """Part a layer that is too wide into lines of about the same width."""
    ends = np.cumsum([place.width + GAP for place in row])
    count = int(np.ceil(ends[-1] / WIDEST)) if len(row) else 1
    which = np.minimum((ends - ends[0]) * count // ends[-1], count - 1) if count > 1 else 0 * ends
    return [[p for p, w in zip(row, which, strict=True) if w == k] for k in range(count)]


def _pack(line, wanted):
    """Put boxes as near to where they are wanted as their widths allow, in their order."""
    if not line:
        return
    offsets = np.cumsum(
        [0.0, *((p.width + q.width) / 2 + GAP for p, q in itertools.pairwise(line))]
    )
    slack = np.asarray(wanted) - offsets
    # the nearest that does not decrease: pool neighbours that are in each other's way
    blocks = []
    for value in slack:
        blocks.append([value, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (v, n), (w, m) = blocks[-2:]
            blocks[-2:] = [[(v * n + w * m) / (n + m), n + m]]
    settled = np.repeat([v for v, _ in blocks], [n for _, n in blocks])
    for place, x in zip(line, settled + offsets, strict=True):
        place.x = float(x)


def _draw_arrow(axis, path):
    first, *passed, last = path
    points = [(first.x, first.y - HEIGHT / 2)]
    for place in passed:  # straight down beside boxes, slanted between layers
        points += [(place.x, place.y + HEIGHT / 2), (place.x, place.y - HEIGHT / 2)]
    points.append((last.x, last.y + HEIGHT / 2 + 0.02))
    colour = COLOURS["neutral"]
    axis.plot(*zip(*points[:-1], strict=True), color=colour, linewidth=0.9, zorder=1)
    head = {"arrowstyle": "-|>", "color": colour, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 0}
    axis.annotate("", points[-1], points[-2], arrowprops=head, zorder=1)


def _draw_box(axis, place):
    box = plt.Rectangle(
        (place.x - place.width / 2, place.y - HEIGHT / 2),
        place.width,
        HEIGHT,
        facecolor="white",
        edgecolor=COLOURS["a"] if not place.apart else COLOURS["neutral"],
        linestyle="--" if place.apart else "-",
        linewidth=1.1,
        zorder=2,
    )
    axis.add_patch(box)
    axis.text(place.x, place.y, plain(place.label), ha="center", va="center", size=9, zorder=3)
