"""The figures of a comparison on the page, with their captions and what they say in words."""

from replicability.core.findings import marks, wins
from replicability.core.findings.wording import capital
from replicability.show import evidence, figures, forest
from replicability.show.html_elements import inline_svg, row_titles
from replicability.show.style import NAMES


def decides(comparison, table, finding, shown, drawn):
    """Return the figure of what decides a comparison."""
    both = figures.directions(comparison, table, finding)
    figure = drawn.get(comparison.name)
    if figure is None:
        figure = evidence.evidence(table, finding, comparison.score, both)
    alt = in_words(comparison, table, finding, both)
    titles = row_titles(shown)
    rows = [(*span, titles[place]) for place, span in evidence.spans(table).items()]
    return {
        "svg": inline_svg(figure, f"f-{comparison.name}", alt, rows),
        "caption": caption(evidence.form(table, finding, both), "score_a" in table, finding),
    }


def in_words(comparison, table, finding, both=()):
    """Say what the figure shows, for those who do not see it."""
    form, scored = evidence.form(table, finding, both), "score_a" in table
    a, b = comparison.systems
    alt = (
        f"{evidence.title(finding, both, form)}. {len(table)} rows, one for each dataset, by "
        "p-value from top to bottom. "
    )
    if scored:
        ahead = wins(table)
        left = "Left, " if form in (evidence.BOTH, evidence.ONE) else ""
        alt += (
            f"{left}{comparison.score} of {a} and {b}: {a} is ahead on {ahead['A']}, {b} on "
            f"{ahead['B']}. "
        )
    if form == evidence.TURNED:
        one = finding.counts[finding.recommended or next(iter(finding.partial_conjunctions))]
        alt += (
            f"Left, p-values as bars towards the system with the higher score, for {b} in orange. "
            f"Right, partial-conjunction p-values of {a}: as printed at or below alpha up to row "
            f"{one}; dashed, by the scores, up to row {both[0].k} at alpha/2. "
        )
    elif form != evidence.AGREED:
        alt += f"{'Middle' if scored else 'Left'}, {_of_pvalues(finding, both, form)}. "
        alt += f"Right, {_of_counting(finding, both, form)}. "
    return f"{alt}The table has the numbers."


def _of_pvalues(finding, both, form):
    """Say what the panel of p-values shows."""
    named = len(finding.identified_datasets)
    said = "p-values"
    if marks.by_holm(finding):
        said += f" and Holm's line, which identifies {named}"
    else:
        said += f", filled where {marks.named_by(finding)} identifies the dataset: {named}"
    a, b = finding.systems
    if form == evidence.BOTH:
        back = len(both[1].identified_datasets)
        said += f"; those for {a} on the left, those for {b} on the right, where {back} are named"
    return said


def _of_counting(finding, both, form):
    """Say how far the count gets."""
    said, title = (
        f"partial-conjunction p-values of {finding.systems[0]}",
        NAMES[finding.recommended],
    )
    if finding.recommended in finding.partial_conjunctions:
        said += (
            f": with {title}'s method they stay at or below alpha = {finding.level:g} up to row "
            f"{finding.k}"
        )
    else:
        said += f" by other methods, and a line below row {finding.k}, the count by {title}"
    if form == evidence.BOTH:
        said += (
            f"; those of {finding.systems[1]} start at the bottom, and k-hat at alpha/2 is "
            f"{both[1].k}"
        )
    return said


def caption(form, scored, finding):
    """Say how the figure is to be read."""
    text = "Datasets ordered by p-value. "
    if form == evidence.AGREED:
        return f"{text}Only scores are drawn: every dataset is significant for the same system."
    if form == evidence.TURNED:
        return (
            f"{text}Left: each p-value points to the system with the higher score; bold: "
            "significant in that direction. Right: p-values of “better on at least u datasets”, as "
            "printed and, dashed, by the scores; each count is the last row at or below its alpha, "
            "which is halved for two directions."
        )
    text += f"{'Left: scores. Middle' if scored else 'Left'}: each "
    if marks.by_holm(finding):
        text += (
            "p-value and the line that Holm's procedure requires; it walks down and stops at the "
            "first point right of the line"
        )
    else:
        text += f"p-value, filled if {marks.named_by(finding)} identifies the dataset"
    text += f"{_OF_FORM.get(form, ('', ''))[0]}. "
    text += "Right: p-values of “better on at least u datasets”; the count is the last row "
    if finding.recommended in finding.partial_conjunctions:
        text += "at or below alpha"
    else:
        text += (
            f"at or below alpha. The count by {NAMES[finding.recommended]}, which has no such "
            "p-values, is the last row above the thick line"
        )
    text += f"{_OF_FORM.get(form, ('', ''))[1]}."
    if not scored:
        text += " Scores are not drawn: the study's file gives p-values only."
    return text


_OF_FORM = {
    evidence.BOTH: (
        "; evidence for A grows to the left and for B to the right, each at alpha/2",
        "; for B, u starts at the bottom",
    ),
}
"""Maps the form of the figure to additions to its caption."""


def differences(comparison, table, finding, shown, found):
    """Return the figure of the differences."""
    if found is None or "low" not in table:
        return None
    lines = forest.margins(comparison, table["dataset"])
    drawn = forest.forest(table, finding, comparison.score, found, lines)
    titles = row_titles(shown)
    rows = [(*span, titles[place]) for place, span in forest.spans(table, finding).items()]
    alt = _of_differences(comparison, finding, found)
    return {
        "svg": inline_svg(drawn, f"m-{comparison.name}", alt, rows),
        "caption": _of_forest(comparison, finding, lines),
    }


def _of_differences(comparison, finding, found):
    a, b = comparison.systems
    named = len(finding.identified_datasets)
    if finding.other is not None:
        back = len(finding.other.identified_datasets)
        named = f"{named:,} where {a} is better, {back:,} where {b} is"
    less = " less ".join(comparison.subtracted)
    limits = f", with the interval {found.interval}" if found.interval else ", without an interval"
    return (
        f"{found.n_datasets} rows, one for each dataset, with the difference of {less} and "
        f"its interval: {a} is {found.signs}. Filled where {marks.named_by(finding)} identifies "
        f"the dataset: {named}. Last row, the mean {found.signed(found.difference)}{limits}. The "
        "table has the numbers."
    )


def _of_forest(comparison, finding, lines):
    less = " less ".join(comparison.subtracted)
    margin = " Dashed: the margin of the claim." if lines else ""
    return (
        f"{capital(comparison.score)}, {less}, on each dataset with its 95% interval, each on "
        f"its own; filled and bold: identified by {marks.named_by(finding)}. Diamond: the mean "
        f"over datasets, with equal weights and its 95% interval.{margin}"
    )
