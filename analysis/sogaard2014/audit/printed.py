"""What the paper prints, as text."""

from dataclasses import dataclass

import pandas as pd

from analysis.published import read_published
from replicability import forensics

PAPER = "Søgaard et al. 2014"


@dataclass(frozen=True, eq=False)
class Printed:
    """What the paper prints, as text.

    Attributes
    ----------
    corpora, tagging, parsing, shares : DataFrame of str
        Tables 1 to 4.
    named : DataFrame of str
        The datasets that the text names, by what is said of them.
    quoted, toy, section4 : dict of str to dict of str to Claim
        Section -> quantity -> claim: of the text, of the toy examples, of Section 4.
    """

    corpora: pd.DataFrame
    tagging: pd.DataFrame
    parsing: pd.DataFrame
    shares: pd.DataFrame
    named: pd.DataFrame
    quoted: dict
    toy: dict
    section4: dict

    @property
    def cutoff(self):
        """The cut-off in use, 0.05."""
        return float(self.quoted["1"]["cut-off in use"].published)

    def listed(self, quantity):
        """Return the place where datasets are named for something, and their names."""
        row = self.named.loc[quantity]
        return f"Section {row.section}", row.datasets.split(";")


def read_paper():
    """Read what the paper prints.

    Returns Printed. From ``data/published/sogaard2014``.
    """
    texts = ("text", "section3_toy_examples", "section4")
    return Printed(
        *(read_item(f"table{number}") for number in (1, 2, 3, 4)),
        read_item("named_datasets").set_index("quantity"),
        *(forensics.quoted(PAPER, read_item(text)) for text in texts),
    )


def read_item(item):
    """Read a table or text of the paper.

    `item`: name of a file in ``data/published/sogaard2014``, without ending.

    Returns DataFrame of str. As printed.
    """
    return read_published("sogaard2014", item)


def make_claim(item, claim, published):
    """Return a claim of the paper; see `replicability.forensics.Claim`."""
    return forensics.Claim(PAPER, item, claim, published)
