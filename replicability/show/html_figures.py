"""The figures of a comparison on the page, with their captions and what they say in words."""

from replicability.core.findings import marks, wins
from replicability.core.findings.wording import capital, plural
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
        f"{evidence.title(finding, both, form)}. {plural(len(table), 'row')}, one for each "
        "dataset, ordered by p-value. "
    )
    if scored:
        ahead = wins(table)
        left = "Left, " if form in (evidence.BOTH, evidence.ONE) else ""
        alt += (
            f"{left}{comparison.score} of {a} and {b}: {a} is ahead on "
            f"{plural(ahead['A'], 'dataset')}, {b} on {ahead['B']}. "
        )
    if form == evidence.TURNED:
        one = finding.counts[finding.recommended or next(iter(finding.partial_conjunctions))]
        alt += (
            "Left: p-values, as bars that point to the system with the higher score (orange if "
            f"that is {b}). Right: partial-conjunction p-values for {a}. Based on the "
            f"printed p-values, they are at most alpha up to row {one}. With the scores taken into "
            f"account (dashed), they are at most alpha/2 up to row {both[0].k}. "
        )
    elif form != evidence.AGREED:
        alt += f"{'Middle' if scored else 'Left'}, {_of_pvalues(finding, both, form)}. "
        alt += f"Right, {_of_counting(finding, both, form)}. "
    return f"{alt}The numbers are in the table."


def _of_pvalues(finding, both, form):
    """Say what the panel of p-values shows."""
    named = len(finding.identified_datasets)
    said = "p-values"
    if marks.by_holm(finding):
        said += f" and Holm's line; Holm's procedure names {plural(named, 'dataset')}"
    else:
        said += f", filled if {marks.named_by(finding)} names the dataset ({named} in all)"
    a, b = finding.systems
    if form == evidence.BOTH:
        back = len(both[1].identified_datasets)
        said += f"; those for {a} on the left, those for {b} on the right, where {back} are named"
    return said


def _of_counting(finding, both, form):
    """Say how far the count gets."""
    said, title = (
        f"partial-conjunction p-values for {finding.systems[0]}",
        NAMES[finding.recommended],
    )
    if finding.recommended in finding.partial_conjunctions:
        said += (
            f": by {title}'s method, they are at most alpha = {finding.level:g} up to row "
            f"{finding.k}"
        )
    else:
        said += f" by other methods, and a line below row {finding.k}, the k-hat by {title}"
    if form == evidence.BOTH:
        said += (
            f"; those for {finding.systems[1]} start at the bottom, where k-hat at alpha/2 is "
            f"{both[1].k}"
        )
    return said


def caption(form, scored, finding):
    """Say how the figure is to be read."""
    text = "Datasets are ordered by p-value. "
    if form == evidence.AGREED:
        return f"{text}Only scores are drawn, because one system is better on every dataset."
    if form == evidence.TURNED:
        return (
            f"{text}Left: each bar points to the system with the higher score; bold bars are "
            "significant in that direction. Right: partial-conjunction p-values for “better on at "
            "least u datasets”, as printed (solid) and with the scores taken into account "
            "(dashed). Each k-hat is the last row with a p-value at or below its vertical line: "
            "dotted for alpha (one direction), dashed for alpha/2 (two directions)."
        )
    text += f"{'Left: scores. Middle' if scored else 'Left'}: each "
    if marks.by_holm(finding):
        text += (
            "p-value and Holm's line; Holm's procedure stops at the first point to the right of "
            "the line"
        )
    else:
        text += f"p-value, filled if {marks.named_by(finding)} names the dataset"
    text += f"{_OF_FORM.get(form, ('', ''))[0]}. "
    text += "Right: partial-conjunction p-values for “better on at least u datasets”; k-hat is the "
    if finding.recommended in finding.partial_conjunctions:
        text += "last row at or below alpha"
    else:
        text += (
            f"last row at or below alpha. {NAMES[finding.recommended]} has no such p-values; its "
            "k-hat is the last row above the thick line"
        )
    text += f"{_OF_FORM.get(form, ('', ''))[1]}."
    if not scored:
        text += " Scores are not drawn, because the file has only p-values."
    return text


_OF_FORM = {
    evidence.BOTH: (
        "; evidence for A grows to the left and evidence for B to the right, each at alpha/2",
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
    less = " minus ".join(comparison.subtracted)
    limits = f", with the interval {found.interval}" if found.interval else ", without an interval"
    return (
        f"{plural(found.n_datasets, 'row')}, one for each dataset, with the difference {less} and "
        f"its interval: {a} is {found.signs}. A marker is filled if {marks.named_by(finding)} "
        f"names the dataset ({named}). The last row shows the mean, "
        f"{found.signed(found.difference)}{limits}. The numbers are in the table."
    )


def _of_forest(comparison, finding, lines):
    less = " minus ".join(comparison.subtracted)
    margin = " Dashed lines show the claim's margin." if lines else ""
    return (
        f"{capital(comparison.score)}: {less} on each dataset, with its own 95% interval; filled "
        f"and bold: named by {marks.named_by(finding)}. Diamond: the mean over datasets with equal "
        f"weights, with its 95% interval.{margin}"
    )
