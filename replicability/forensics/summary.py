"""Published number, recomputed number, verdict: small checks for any published table.

A `Claim` is a printed value and the place where it stands; every check takes one and returns a
`Verdict`: the claim, what follows from other printed values, from theory or from a simulation, and
the arithmetic in a sentence. Printed values are texts, so that their digits are their precision.

==================  ==========================================================================
check               what it recomputes
==================  ==========================================================================
`count`             a number of datasets (k-hat, or p <= alpha) from printed p-values
`marks`             the datasets that Holm's procedure identifies, from printed p-values
`listed`            datasets that the text calls significant, or not significant
`direction`         whether the scores favour the system that is called better
`infer_side`        which system the p-values of a column can favour, given the scores
`infer_printing`    whether a column's digits are rounded or cut off
`monte_carlo`       a simulated probability, from the exact one or a larger simulation
`repeated_test`     how often a random test of the same data is significant, from its p-value
`value`             a number that follows exactly; `derived`: by arithmetic from printed ones
`correlation_test`  the p-values that Steiger's, Williams's and Meng's tests can give
`mcnemar`           the p-values that McNemar's test can give
`granularity`       whether a share can come from n items
`wilson`            a limit of Wilson's confidence interval
`signed_rank`       the p-values that Wilcoxon's test over n datasets can give
`unchecked`         nothing, and why
==================  ==========================================================================

Checks that end in ``_table`` or ``_column`` judge every number of a table. Helpers compute what a
claim can be compared with: `at_least_one`, `either_of_two` and `smallest_grid`. A verdict is on a
number, on a list of datasets or on a direction; totals keep these apart.
"""

import re
import textwrap
from dataclasses import asdict

import pandas as pd

from replicability import checks
from replicability.forensics.claims import (
    AGREES,
    CONTRADICTED,
    IMPOSSIBLE,
    KINDS,
    TRIVIAL,
    VERDICTS,
)

HEADINGS = {
    "paper": "Paper",
    "item": "Where",
    "kind": "Verdict on",
    "claim": "Claim",
    "published": "Printed",
    "recomputed": "What follows",
    "verdict": "Verdict",
    "basis": "Agrees",
    "readings": "Readings",
    "sentence": "Arithmetic",
}
"""Maps each column of `table` to its heading."""


def table(verdicts):
    """Tabulate verdicts.

    Parameters
    ----------
    verdicts : iterable of Verdict
        One per row.

    Returns
    -------
    DataFrame of str
        The attributes of `Verdict` as columns; papers in the order of their first row, tables of a
        paper before footnotes, abstract and sections, in an item numbers before lists and
        directions, and rows of a kind in their order.
    """
    verdicts = list(verdicts)
    papers, kinds = list(dict.fromkeys(verdict.paper for verdict in verdicts)), list(KINDS)
    verdicts.sort(key=lambda v: (papers.index(v.paper), _place(v.item), kinds.index(v.kind)))
    return pd.DataFrame([asdict(verdict) for verdict in verdicts], columns=list(HEADINGS))


_PLACES = ("Table", "footnote", "Abstract", "Section")


def _place(item):
    """Order items: places as in `_PLACES`, others last, numbers within a place."""
    place = item.split(" ")[0]
    rank = _PLACES.index(place) if place in _PLACES else len(_PLACES)
    return rank, [int(number) for number in re.findall(r"\d+", item)]


def totals(verdicts):
    """Count verdicts separately for numbers, lists and directions.

    Parameters
    ----------
    verdicts : DataFrame
        As `table` returns it.

    Returns
    -------
    DataFrame
        Columns ``verdict`` and the values of `KINDS`, in the order of `VERDICTS`, with those that
        agree trivially in a row of their own, "agrees, trivially".
    """
    counts = pd.crosstab(_told_apart(verdicts), verdicts["kind"])
    counts = counts.reindex(index=list(TOTALS), columns=list(KINDS), fill_value=0)
    return counts.rename(columns=KINDS).rename_axis(columns=None).reset_index()


def totals_by(verdicts, *keys):
    """Count verdicts of each kind for papers, or items of papers.

    Parameters
    ----------
    verdicts : DataFrame
        As `table` returns it.
    *keys : str
        Columns to group by, such as "paper" and "item".

    Returns
    -------
    DataFrame
        The keys, one column per verdict of `TOTALS` and ``total``, in the order of first
        appearance.
    """
    for key in keys:
        checks.choice("key", key, verdicts.columns)
    order = verdicts[list(keys)].drop_duplicates()
    counts = pd.crosstab([verdicts[key] for key in keys], _told_apart(verdicts))
    counts = counts.reindex(columns=list(TOTALS), fill_value=0)
    counts["total"] = counts.sum(axis=1)
    return order.merge(counts.reset_index(), on=list(keys)).rename_axis(columns=None)


TRIVIALLY = "agrees, trivially"

TOTALS = (AGREES, TRIVIALLY, *VERDICTS[1:])
"""Rows of the totals: all verdicts, with trivial agreement as a row of its own."""


def _told_apart(verdicts):
    """Return the verdicts, with those that agree trivially apart."""
    return verdicts["verdict"].mask(verdicts["basis"] == TRIVIAL, TRIVIALLY).rename("verdict")


def listing(verdicts, width=96):
    """Write verdicts as text, one paragraph each.

    Parameters
    ----------
    verdicts : DataFrame
        As `table` returns it.
    width : int, default 96
        Characters in a line.

    Returns
    -------
    str
        Paper, item, claim, published and recomputed value, verdict, and the sentence.
    """
    paragraphs = []
    for row in verdicts.itertuples():
        head = f"{row.paper}, {row.item}, {row.claim}: printed {row.published}"
        head += f", recomputed {row.recomputed}" if row.recomputed else ""
        paragraphs.append(textwrap.fill(f"{head} ({row.verdict}).", width))
        indent = "    "
        paragraphs[-1] += "\n" + textwrap.fill(
            row.sentence, width, initial_indent=indent, subsequent_indent=indent
        )
    return "\n\n".join(paragraphs)


def disputed(verdicts, *kinds):
    """Return the verdicts that are contradicted or impossible.

    Parameters
    ----------
    verdicts : DataFrame
        As `table` returns it.
    *kinds : str
        Kinds to return, from `KINDS`; all by default.

    Returns
    -------
    DataFrame
        Those rows, in their order.
    """
    wanted = [checks.choice("kind", kind, KINDS) for kind in kinds or KINDS]
    against = verdicts["verdict"].isin((CONTRADICTED, IMPOSSIBLE))
    return verdicts[against & verdicts["kind"].isin(wanted)]


def headed(verdicts, *columns):
    """Return columns of a table of verdicts under names for readers.

    Parameters
    ----------
    verdicts : DataFrame
        As `table` returns it.
    *columns : str
        Columns to return, in this order.

    Returns
    -------
    DataFrame
        With the headings of `HEADINGS`.
    """
    for name in columns:
        checks.choice("column", name, HEADINGS)
    return verdicts[list(columns)].rename(columns=HEADINGS)
