"""How large the letters of the committed figures are where the book shows them."""

import re

import pytest

from analysis import paths

COLUMN, LEAST = 700, 7
"""Width at which the book shows a figure at most, in pixels; size of letters, in points."""

FIGURES = sorted(path.relative_to(paths.ROOT) for path in paths.ROOT.glob("figures/**/*.svg"))


def smallest_letters(svg):
    """Return the size of the smallest letters in points, in a column of `COLUMN` pixels.

    matplotlib draws each text as glyphs of 100 units to the em, scaled to its size.
    """
    width = float(re.search(r'width="([\d.]+)pt"', svg)[1])
    sizes = [100 * float(size) for size in re.findall(r"scale\(([\d.]+) -[\d.]+\)", svg)]
    return min(sizes) * min(1, COLUMN * 0.75 / width)


def test_letters_are_measured():
    drawn = '<svg width="1050pt"><g transform="translate(1 2) scale(0.1 -0.1)"/></svg>'
    assert smallest_letters(drawn) == pytest.approx(5)


@pytest.mark.parametrize("file", FIGURES, ids=str)
def test_letters_can_be_read(file):
    size = smallest_letters((paths.ROOT / file).read_text(encoding="utf-8"))
    assert size >= LEAST, f"{file} has letters of {size:.1f} pt"
