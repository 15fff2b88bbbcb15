"""Numbers as papers print them."""

from analysis import paths
from replicability import checks
from replicability.io.delimited import read_table

NEEDS_OUTPUTS = "Checking the claim requires the systems' outputs, which the paper does not print."
"""Why a printed number cannot be checked if only scores are printed."""


def read_published(paper, item):
    """Read an item of a paper as it is printed.

    `paper`: folder of ``data/published``, such as "dror2017". `item`: file in it without its
    ending, such as "table3".

    Returns DataFrame of str. The cells as printed, so that their digits are their precision.

    Raises `InputError`: if there is no such paper or item; the message names the nearest.
    """
    checks.choice("paper", paper, sorted(p.name for p in paths.PUBLISHED.iterdir() if p.is_dir()))
    folder = paths.PUBLISHED / paper
    checks.choice(f"item of {paper}", item, sorted(path.stem for path in folder.glob("*.csv")))
    return read_table(folder / f"{item}.csv")
