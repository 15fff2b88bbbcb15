"""How large the letters of the committed figures are in the book, and whether any overlap."""

import itertools
import re

import pytest

from analysis import paths

COLUMN, LEAST = 700, 7
"""Width at which the book shows a figure at most, in pixels; size of letters, in points."""

FIGURES = sorted(path.relative_to(paths.ROOT) for path in paths.ROOT.glob("figures/**/*.svg"))


def points(svg, side):
    """Return the width or the height of a figure in points."""
    return float(re.search(rf'{side}="([\d.]+)pt"', svg)[1])


def smallest_letters(svg):
    """Return the size of the smallest letters in points, in a column of `COLUMN` pixels.

    matplotlib draws each text as glyphs of 100 units to the em, scaled to its size.
    """
    sizes = [100 * float(size) for size in re.findall(r"scale\(([\d.]+) -[\d.]+\)", svg)]
    return min(sizes) * min(1, COLUMN * 0.75 / points(svg, "width"))


LINE = re.compile(
    r'<g (?:style="[^"]*" )?transform="translate\(([-\d.]+) ([-\d.]+)\)(?: rotate\((-?[\d.]+)\))? '
    r'scale\(([\d.]+) -[\d.]+\)">(.*?)</g>',
    re.DOTALL,
)
"""A line of text: its origin, its angle, its scale and its glyphs."""


def lines_of_text(svg):
    """Return the boxes of horizontal and vertical lines in points: left, right, top, bottom.

    A line ends about half an em after the origin of its last glyph.
    """
    boxes = set()
    for x, y, angle, scale, glyphs in LINE.findall(svg):
        x, y, scale = float(x), float(y), float(scale)
        last = re.findall(r'<use [^>]*transform="translate\(([\d.]+) ', glyphs)
        length, height = (max([0.0, *map(float, last)]) + 55) * scale, 70 * scale
        if float(angle or 0) % 360 == 0:
            boxes.add((x, x + length, y - height, y))
        elif float(angle) % 360 == 270:
            boxes.add((x - height, x, y - length, y))
    return sorted(boxes)


def overlapping(svg):
    """Return the pairs of lines of text that overlap, and the lines that leave the figure."""
    boxes = lines_of_text(svg)
    width, height = points(svg, "width"), points(svg, "height")
    outside = [b for b in boxes if min(b[0], b[2]) < -1 or b[1] > width + 1 or b[3] > height + 1]
    return outside + [
        (a, b)
        for a, b in itertools.combinations(boxes, 2)
        if min(a[1], b[1]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[2], b[2]) > 1
    ]


def test_letters_are_measured():
    drawn = '<svg width="1050pt"><g transform="translate(1 2) scale(0.1 -0.1)"/></svg>'
    assert smallest_letters(drawn) == pytest.approx(5)


@pytest.mark.parametrize("file", FIGURES, ids=str)
def test_letters_can_be_read(file):
    size = smallest_letters((paths.ROOT / file).read_text(encoding="utf-8"))
    assert size >= LEAST, f"{file} has letters of {size:.1f} pt"


def drawn(*places, size="0.1"):
    glyph = '<use transform="translate(60 0)"/>'
    texts = (f'<g transform="translate({p}) scale({size} -{size})">{glyph}</g>' for p in places)
    return f'<svg width="100pt" height="50pt">{"".join(texts)}</svg>'


@pytest.mark.parametrize(
    ("places", "n"),
    [
        (("10 20", "22 20"), 0),
        (("10 20", "20 20"), 1),
        (("10 20", "20 28"), 0),
        (("10 20", "20 24"), 1),
        (("95 20",), 1),
        (("10 20) rotate(-90", "11 9"), 0),
        (("10 20) rotate(-90", "8 19"), 1),
        (("10 20", "10 20"), 0),
    ],
)
def test_overlapping_letters_are_found(places, n):
    assert len(overlapping(drawn(*places))) == n


@pytest.mark.parametrize("file", FIGURES, ids=str)
def test_letters_do_not_overlap(file):
    found = overlapping((paths.ROOT / file).read_text(encoding="utf-8"))
    assert not found, f"{file} has overlapping or clipped text at {found}"
