"""The figure of what decides a comparison, with its caption and what it says in words."""

from replicability.compare.findings import wins
from replicability.show import figures, tables
from replicability.show.html_elements import inline_svg, row_titles
from replicability.show.style import NAMES


def decides(comparison, table, finding, shown, drawn):
    """Return the figure of what decides a comparison.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : DataFrame
        As `evaluation.evaluate` returns it.
    finding : findings.Finding
        What was found in it at the first level.
    shown : dict
        The table of the comparison on the page, of which each row is shown on hover.
    drawn : dict of str to str
        Name of a comparison -> the text of the SVG file of its figure, if it was drawn before.

    Returns
    -------
    dict
        ``svg`` and ``caption``.
    """
    figure = drawn.get(comparison.name) or figures.comparison(table, finding, comparison.score)
    alt = in_words(comparison, table, finding)
    titles = row_titles(shown)
    rows = [(*span, titles[place]) for place, span in figures.spans(table).items()]
    return {
        "svg": inline_svg(figure, f"f-{comparison.name}", alt, rows),
        "caption": caption("score_a" in table, finding),
    }


def in_words(comparison, table, finding):
    """Say what the figure shows, for those who do not see it.

    Parameters
    ----------
    comparison, table, finding
        As for `decides`.

    Returns
    -------
    str
        Sentences.
    """
    scored = "score_a" in table
    a, b = comparison.systems
    k, named, title = finding.k, len(finding.identified_datasets), NAMES[finding.recommended]
    alt = f"{len(table)} rows, one for each dataset, by p-value from top to bottom. "
    if scored:
        ahead = wins(table)
        alt += (
            f"Left, {comparison.score} of {a} and {b}: {a} is ahead on {ahead['A']}, {b} on "
            f"{ahead['B']}. "
        )
    alt += f"{'Middle' if scored else 'Left'}, p-values"
    if tables.by_holm(finding):
        alt += f" and Holm's line, which identifies {named}. "
    else:
        alt += f", filled where {tables.named_by(finding)} identifies the dataset: {named}. "
    if finding.recommended in finding.partial_conjunctions:
        alt += (
            f"Right, partial-conjunction p-values: with {title}'s method they stay at or below "
            f"alpha = {finding.alpha:g} up to row {k}. "
        )
    else:
        alt += (
            "Right, partial-conjunction p-values of other methods, and a line below row "
            f"{k}, the count by {title}. "
        )
    return f"{alt}The table has the numbers."


def caption(scored, finding):
    """Say how the figure is to be read.

    Parameters
    ----------
    scored : bool
        Whether scores are drawn.
    finding : findings.Finding
        What is drawn.

    Returns
    -------
    str
        Sentences.
    """
    text = f"Datasets ordered by p-value. {'Left: scores. Middle' if scored else 'Left'}: each "
    if tables.by_holm(finding):
        text += (
            "p-value and the line that Holm's procedure requires; it walks down and stops at the "
            "first point right of the line. "
        )
    else:
        text += f"p-value, filled if {tables.named_by(finding)} identifies the dataset. "
    text += "Right: p-values of “better on at least u datasets”; the count is the last row "
    if finding.recommended in finding.partial_conjunctions:
        text += "at or below alpha."
    else:
        text += (
            f"at or below alpha. The count by {NAMES[finding.recommended]}, which has no such "
            "p-values, is the last row above the thick line."
        )
    if not scored:
        text += " Scores are not drawn: the study's file gives p-values only."
    return text
