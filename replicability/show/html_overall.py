"""How much better, on the page: the mean difference in words, and the forest plot."""

from replicability.core import findings
from replicability.show import forest
from replicability.show.html_elements import capital, inline_svg, row_titles
from replicability.show.tables import named_by


def how_much(comparison, table, finding, shown):
    """Return what the page says of the size of the differences.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : Tested
        As `evaluation.evaluate` returns it.
    finding : findings.Finding
        What was found in it at the first level.
    shown : dict
        The table of the comparison on the page, of which each row is shown on hover.

    Returns
    -------
    dict or None
        ``text``, a paragraph, and ``figure``, with ``svg`` and ``caption``, or None where there are
        no intervals; None without scores.
    """
    found = findings.overall(comparison, table)
    if found is None:
        return None
    figure = None
    if "low" in table:
        lines = forest.margins(comparison, table["dataset"])
        drawn = forest.forest(table, finding, comparison.score, found, lines)
        alt = _in_words(comparison, finding, found)
        titles = row_titles(shown)
        rows = [(*span, titles[place]) for place, span in forest.spans(table, finding).items()]
        figure = {
            "svg": inline_svg(drawn, f"m-{comparison.name}", alt, rows),
            "caption": _caption(comparison, finding, lines),
        }
    return {"text": str(found), "figure": figure}


def _in_words(comparison, finding, found):
    a, b = comparison.systems
    named = len(finding.identified_datasets)
    if finding.other is not None:
        back = len(finding.other.identified_datasets)
        named = f"{named:,} where {a} is better, {back:,} where {b} is"
    limits = f", with the interval {found.interval}" if found.interval else ", without an interval"
    return (
        f"{found.n_datasets} rows, one for each dataset, with the difference of {a} less {b} and "
        f"its interval: {a} is {found.signs}. Filled where {named_by(finding)} identifies the "
        f"dataset: {named}. Last row, the mean "
        f"{found.signed(found.difference)}{limits}. The table has the numbers."
    )


def _caption(comparison, finding, lines):
    a, b = comparison.systems
    margin = " Dashed: the margin of the claim." if lines else ""
    return (
        f"{capital(comparison.score)}, {a} less {b}, on each dataset with its 95% interval, each "
        f"on its own; filled and bold: identified by {named_by(finding)}. Diamond: the mean over "
        f"datasets, which count alike, as wide as its 95% interval.{margin}"
    )
