"""Colours, markers, names and fonts of all figures; those of estimators from their entries."""

import contextlib
import io

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.font_manager import get_font_names

from replicability.io import files
from replicability.stats.local_tests import load
from replicability.stats.partial_conjunction import ESTIMATORS

_ENTRIES = ESTIMATORS | load()

# Okabe and Ito's palette, distinguishable with any colour vision, and Tol's.
COLOURS = {
    **{name: entry.colour for name, entry in _ENTRIES.items()},
    "a": "#0072B2",
    "b": "#E69F00",
    "neutral": "#595959",
    "faint": "#D0D0D0",
}
MARKERS = {name: entry.marker for name, entry in _ENTRIES.items()}
LINES = {name: entry.line for name, entry in _ENTRIES.items()}
NAMES = {name: entry.title for name, entry in _ENTRIES.items()}
OTHER_SCRIPTS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "WenQuanYi Micro Hei"),
    *("WenQuanYi Zen Hei", "Droid Sans Fallback", "Arial Unicode MS", "PingFang SC"),
    "Microsoft YaHei",
)
"""Fallback fonts for scripts that matplotlib's default font lacks."""

STYLE = {
    "axes.grid": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "figure.dpi": 100,
    "font.family": ["DejaVu Sans", *(f for f in OTHER_SCRIPTS if f in get_font_names())],
    "font.size": 10,
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "legend.frameon": False,
    "savefig.dpi": 200,
    "svg.fonttype": "path",
    "svg.hashsalt": "replicability-analysis",
}


def save(figure, outputs, stem):
    """Write a figure as SVG and PNG, the same bytes at every run.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The figure; pyplot forgets it, so that a notebook shows it where it is returned.
    outputs : str
        Folder of the run; the files go to its ``figures``.
    stem : str
        File name without ending: number of the paper's item first, meaning second.

    Returns
    -------
    matplotlib.figure.Figure
        `figure`, to be shown.
    """
    folder = files.outputs(outputs, "figures")
    with _laid_out(figure):
        _save_svg(figure, folder / f"{stem}.svg")
        figure.savefig(folder / f"{stem}.png", metadata={"Software": None})
    return figure


def svg(figure):
    """Return a figure as the text of the SVG file that `save` writes; pyplot forgets it."""
    text = io.StringIO()
    with _laid_out(figure):
        _save_svg(figure, text)
    return text.getvalue()


def write(figure, place, kind):
    """Write a figure to a file or buffer, with the same bytes at every run; pyplot forgets it.

    `figure` (matplotlib.figure.Figure): the figure. `place`: the file, whatever its name ends in.
    `kind` ({"svg", "png", "pdf"}): what it holds.
    """
    metadata = {"png": {"Software": None}, "pdf": {"CreationDate": None, "Creator": None}}
    with _laid_out(figure):
        if kind == "svg":
            _save_svg(figure, place)
        else:
            figure.savefig(place, format=kind, metadata=metadata[kind])


def _save_svg(figure, place):
    figure.savefig(place, format="svg", metadata={"Date": None, "Creator": None})


@contextlib.contextmanager
def _laid_out(figure):
    """Lay a figure out once, draw it in our style, and let pyplot forget it."""
    with plt.rc_context(STYLE):
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # laid out once: a second pass would move it by a hair
        for axis in figure.axes:  # and the last bits of a layout differ from run to run
            axis.set_position(np.round(axis.get_position().bounds, 4))
        yield
    plt.close(figure)


def plain(text):
    r"""Keep matplotlib from reading a name as mathematics.

    `text`: name of a system or dataset.

    Returns str. The text with each $ escaped.

    Examples
    --------
    >>> print(plain("a$b$"))
    a\$b\$
    """
    return str(text).replace("$", r"\$")


def power_of_ten(exponent):
    """Write a power of ten with raised digits.

    `exponent`: a whole number.

    Returns str. Such as "10⁻⁶".

    Examples
    --------
    >>> power_of_ten(-12)
    '10⁻¹²'
    """
    return "10" + f"{exponent:.0f}".translate(_RAISED)


def superscript(number):
    """Write a number with an exponent as a power of ten.

    `number`: as a program writes it.

    Returns str. Unchanged without an exponent.

    Examples
    --------
    >>> superscript("1.2e-07"), superscript("< 1e-300"), superscript("0.02")
    ('1.2·10⁻⁷', '< 10⁻³⁰⁰', '0.02')
    """
    head, e, exponent = number.partition("e")
    if not e:
        return number
    head = head.removesuffix("1") if head.split()[-1] == "1" else f"{head}·"
    return head + power_of_ten(int(exponent))


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
