"""The page with the living list: published counts, and what their numbers support."""

from html import escape

from accessible import scrolling

from analysis import living

PAGE = "seven_of_nine.html"
NAMED = 6
"""Most datasets that a cell names."""


def page():
    """Write the page.

    Returns
    -------
    str
        Markdown; every number in it is counted from the entries.
    """
    found = living.entries()
    n = {verdict: sum(e.verdict == verdict for e in found) for verdict in living.VERDICTS}
    wrong = [e for e in found if not e.follows]
    blocks = [
        "# Do published counts hold?",
        f"**{n[living.HOLDS]} of {len(found)} published claims “better on x of y” are supported by "
        f"the numbers printed beside them.** For {n[living.TOO_MANY]} claims the numbers support "
        f"fewer datasets, and {n[living.DEPENDS]} depend on what the p-values test. For "
        f"{n[living.OPEN]} only the paired outputs of both systems can tell, and for "
        f"{n[living.NO_BASIS]} the numbers support no bound at all.",
        f"{'No' if not wrong else len(wrong)} count disagrees with the numbers that it counts. "
        "Counting is not the problem: a count of small p-values, or of higher scores, has no "
        "guarantee ([what is k-hat?](/docs/k_hat.md)).",
        rows(found),
        "## How do I read the list?",
        "\n".join(f"- **{verdict}**: {said}." for verdict, said in living.VERDICTS.items()),
        "Bounds hold with confidence 1 - α (95% if no α is given) by closed testing, under the "
        "dependence that the source declares, or under any. Bounds of Dror et al. are by their own "
        "estimator. A dataset is certain if it is so by every reading of the p-values. "
        "Accuracies without p-values are compared by McNemar’s exact test, over all numbers of "
        "items on which the systems can "
        f'disagree. Each link opens the table in <a href="{PAGE}">7 of 9?</a>',
        "## How were the claims chosen?",
        "They are the counts of the three papers of this compendium, and tables of benchmarks and "
        "model pages in which one system is shown ahead of another on most datasets. The list is "
        "no sample, so its totals say nothing about other papers. A comparison of scores is listed "
        "where the table shows it, even if no sentence claims it.",
        "Each number was transcribed twice, and the two files agree ([data](/data/README.md)). To "
        "add a claim, add a row to `data/claims/claims.csv` and its table to both files.",
    ]
    return "\n\n".join(blocks) + "\n"


def rows(found):
    """Write the table of entries as HTML."""
    heads = "".join(
        f'<th scope="col">{head}</th>'
        for head in ("claim", "source", "the numbers support", "for certain on", "verdict", "table")
    )
    body = "\n".join(f"<tr>{cells(entry)}</tr>" for entry in found)
    table = f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
    return scrolling(table, "Published claims")


def cells(entry):
    """Write the cells of an entry."""
    claim = entry.claim
    named = ", ".join(entry.named[:NAMED])
    if len(entry.named) > NAMED:
        named += f" and {len(entry.named) - NAMED} more"
    source = f"{escape(claim['source'])}, {escape(claim['place'])}"
    link = f'<a href="{PAGE}{escape(entry.address)}">check</a>' if entry.address else ""
    verdict = entry.verdict + ("" if entry.follows else "; the count does not follow")
    written = (
        escape(entry.sentence),
        f'<a href="{escape(claim["link"])}">{source}</a>',
        escape(entry.supports),
        escape(named),
        f"<strong>{verdict}</strong>",
        link,
    )
    return "".join(f"<td>{cell}</td>" for cell in written)
