"""The page with the living list: published counts, and what their numbers support."""

import itertools
from html import escape

from accessible import scrolling

from analysis import living

PAGE = "seven_of_nine.html"
HEADS = ("claim", "place", "for certain on", "the numbers support")
"""Headers of a table of claims."""

NAMED = 3
"""Most datasets that a cell names."""


def page():
    """Write the page.

    Returns str. Markdown; every number in it is counted from the entries.
    """
    found = living.entries()
    n = living.totals()
    wrong = sum(not entry.follows for entry in found)
    counts = f"{wrong} printed counts do not" if wrong else "All printed counts"
    blocks = [
        "# Do published counts hold?",
        f"**The printed numbers support {n[living.HOLDS]} of {len(found)} published claims “better "
        f"on x of y”.** They support fewer datasets for {n[living.TOO_MANY]} claims, and no bound "
        f"for {n[living.NO_BASIS]}. {n[living.DEPENDS]} claims depend on what the p-values test, "
        f"and {n[living.OPEN]} on outputs that are not printed.",
        f"{counts} follow from the printed numbers. But a count of small p-values or of "
        "higher scores has no guarantee ([what is k-hat?](/docs/k_hat.md)).",
        "Bounds have confidence 1 - α (95% if no α is given). They assume the dependence that the "
        "source declares; if it declares none, they hold under any. For Dror et al. we use the "
        "paper’s own estimator, otherwise closed testing. Named datasets are significant under "
        "every reading of the p-values. Without p-values, we use McNemar’s exact test for every "
        "possible number of items on which the systems differ. “Check” opens the table in "
        f'<a href="{PAGE}">7 of 9?</a>, which always uses closed testing, so its bound for Dror et '
        "al. can be lower.",
    ]
    for verdict, said in living.VERDICTS.items():
        title = f"{verdict.capitalize()} ({n[verdict]}): {said}"
        blocks += [f"## {title}", rows([e for e in found if e.verdict == verdict], title)]
    blocks += [
        "## How were the claims chosen?",
        "They are the counts in the three papers that this compendium re-runs, and tables from "
        "benchmarks and model pages in which one system leads on most datasets, even if no "
        "sentence claims it. The list is not a random sample, so its totals say nothing about "
        "other papers.",
        "We transcribed each number twice, and the two files agree ([data](/data/README.md)). To "
        "add a claim, add a row to `data/claims/claims.csv` and its table to both files.",
    ]
    return "\n\n".join(blocks) + "\n"


def rows(found, label):
    """Write a table of entries as HTML, with a heading for each source."""
    heads = "".join(f'<th scope="col">{head}</th>' for head in HEADS)
    parts = [f"<thead><tr>{heads}</tr></thead>"]
    for source, entries in itertools.groupby(found, lambda entry: entry.claim["source"]):
        title = f'<tr><th colspan="{len(HEADS)}" scope="rowgroup">{escape(source)}</th></tr>'
        body = "\n".join(f"<tr>{cells(entry)}</tr>" for entry in entries)
        parts.append(f"<tbody>\n{title}\n{body}\n</tbody>")
    lines = "\n".join(parts)
    return scrolling(f"<table>\n{lines}\n</table>", label)


def cells(entry):
    """Write the cells of an entry."""
    claim = entry.claim
    named = ", ".join(entry.named[:NAMED])
    if len(entry.named) > NAMED:
        every = len(entry.named) == int(claim["of"])
        named = "all" if every else f"{named} and {len(entry.named) - NAMED} more"
    supports = escape(entry.supports + ("" if entry.follows else "; the count does not follow"))
    if entry.address:
        supports += f' (<a href="{PAGE}{escape(entry.address)}">check</a>)'
    written = (
        escape(entry.sentence),
        f'<a href="{escape(claim["link"])}">{escape(claim["place"])}</a>',
        escape(named),
        supports,
    )
    return "".join(f"<td>{cell}</td>" for cell in written)
