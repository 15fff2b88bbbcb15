"""The report of a study: tables, figures, the page and its provenance, without any notebook."""

import itertools
from dataclasses import replace
from pathlib import Path

from replicability import checks
from replicability.core import all_pairs, evaluation, findings, procedure
from replicability.io import provenance, publish
from replicability.io.progress import watched
from replicability.io.text import Prose
from replicability.show import figures, html_report, layers, style, tables, view

RECORD = "provenance.json"
"""File of a report that says what made the others."""

NO_GROUPS = "No groups of datasets are declared here."
"""What is shown where a table of groups would be empty."""

NO_INTERVALS = "Scores alone, without those of instances, have no intervals that could be drawn."
"""What is shown where there is no figure of differences."""


def write(study, folder, *, file=None):
    """Write the report of a study, all of it or nothing.

    Parameters
    ----------
    study : study.Study
        The study; what it asks of notebooks is no part of the report.
    folder : str or Path
        Where the report goes; a relative path starts at the current folder. Files of an earlier
        report that are not made any more are removed, if nobody has changed them.
    file : Path, optional
        The study's file, which the page then shows as it is written.

    Returns
    -------
    list of (study.Comparison, Tested)
        Comparisons with their results.
    list of Path
        What was written, in ``folder``: ``tables``, ``figures``, ``report/report.html`` and
        `RECORD`.

    Raises
    ------
    InputError
        If an input is wrong, two items have one name, or the folder cannot be written; it then
        holds what it held.
    """
    folder = Path(folder).absolute()
    _refuse_names(study)
    publish.refuse(folder)
    pairs = [(block, evaluation.evaluate(block)) for block in study.comparisons]
    families = [(block, all_pairs.compare(block)) for block in study.families]
    with publish.replacing(folder, RECORD) as part:
        drawn = _write_comparisons(study, pairs, part) if pairs else {}
        _write_families(study, families, part)
        html_report.save(study, pairs, part, families, file=file, drawn=drawn)
        inputs = [path for block in (*study.comparisons, *study.families) for path in block.paths]
        text = provenance.record_report(study, file, inputs, part)
        (part / RECORD).write_text(text, encoding="utf-8")
        made = sorted(path.relative_to(part) for path in part.rglob("*") if path.is_file())
    return pairs, [folder / path for path in made]


def _refuse_names(study):
    """Refuse a comparison whose files would be those of a table of every report."""
    taken = ("counts", "groups", "both_directions", "families")
    made = {f"{block.name}{end}" for block in study.families for end in ("_jointly", "_layers")}
    for block in (*study.comparisons, *study.families):
        if block.name in {*taken, *made}:
            raise checks.InputError(
                f"A table or figure of every report is called {block.name!r}; give the comparison "
                "another name."
            )


def _write_comparisons(study, pairs, outputs):
    """Write what the notebook on one's own comparison writes of them; return their figures."""
    alphas = study.alphas
    said = [[findings.find(*pair, alpha) for alpha in alphas] for pair in pairs]
    drawn = zip(pairs, said, strict=True)
    for (comparison, table), own in watched([*drawn], "tables and figures"):
        shown, full = view.datasets(comparison, table, own), view.full(table, own)
        caption = f"{shown.caption} {shown.note}"
        tables.save(shown.frame, outputs, comparison.name, caption, full)
        style.save(figures.comparison(comparison, table, own[0]), outputs, comparison.name)
    flat = [*itertools.chain(*said)]
    made = {"counts": counts(flat), "both_directions": both_directions(pairs, alphas[0])}
    for stem, table in made.items():
        tables.save(table, outputs, stem, table.caption)
    by_group(flat, outputs, "groups")
    forests(*zip(*pairs, strict=True), flat, outputs, "forest")
    places = {block.name: outputs / "figures" / f"{block.name}.svg" for block, _ in pairs}
    return {name: place.read_text(encoding="utf-8") for name, place in places.items()}


def _by_direction(finding):
    """Return what is found in each direction that is asked, at the level of both."""
    if finding.other is None:
        return [finding]
    other, words = finding.other, finding.other.claim.short(finding.other.systems[0])
    back = replace(other, title=f"{finding.title} ({words})", alpha=finding.alpha)
    return [replace(finding, other=None), back]


def _write_families(study, compared_, outputs):
    """Write what the notebook writes of families, and each matrix as a table."""
    alpha = study.alphas[0]
    for family, compared in compared_:
        compared.count(level / m for level in study.alphas for m in (1, compared.n_pairs))
        counted, n = compared.counts_of_compared(alpha), len(compared.datasets)
        method = procedure.TITLES[compared.method]
        title = f"{family.title}, {family.score}, α = {alpha:g}"
        style.save(figures.k_matrix(counted, n, title), outputs, family.name)
        caption = (
            f"{family.title}: on how many of {n:,} datasets the system of the row is better than "
            f"that of the column, at least (k-hat, {method}, alpha = {alpha:g}, "
            "each pair taken by itself)."
        )
        tables.save(counted.rename_axis("A").reset_index(), outputs, family.name, caption)
        _write_jointly(family, compared, alpha, outputs)
    table = families(compared_, study.alphas)
    tables.save(table, outputs, "families", table.caption)


def _write_jointly(family, compared, alpha, outputs):
    """Write what holds of all pairs of a family at once: counts, sentences, diagram of layers."""
    counted = compared.counts_of_compared(alpha / compared.n_pairs).rename_axis("A").reset_index()
    said = " ".join(findings.of_all_pairs(compared, alpha))
    caption = f"{family.title}: the same counts, all of which hold jointly. {said}"
    tables.save(counted, outputs, f"{family.name}_jointly", caption)
    title = f"{family.title}: shown better on at least one dataset, jointly (α = {alpha:g})"
    drawn = layers.diagram(compared.layers(alpha), title)
    style.save(drawn, outputs, f"{family.name}_layers")


def counts(found):
    """Return the counts of all findings as a table, in each direction that is asked.

    Parameters
    ----------
    found : sequence of Finding
        Of one or more comparisons.

    Returns
    -------
    tables.Table
        As `findings.counts`, with its caption.
    """
    both = any(finding.other for finding in found)
    caption = "Estimated number of datasets on which the first system is better"
    caption += ", or the second where the row says so; both directions at one level." * both or "."
    directed = itertools.chain(*map(_by_direction, found))
    return tables.Table(findings.counts(directed), caption)


def groups(found):
    """Return the bounds of all declared groups as a table, one column for each level.

    Parameters
    ----------
    found : sequence of Finding
        Of one or more comparisons at the same levels.

    Returns
    -------
    tables.Table or Prose
        ``comparison``, ``method``, ``group``, ``datasets`` (its size) and for each level the number
        of those on which A is better, at least; a sentence if no group is declared.
    """
    if not any(finding.groups for finding in found):
        return Prose(NO_GROUPS)
    found = [*itertools.chain(*map(_by_direction, found))]
    rows = findings.groups(found)
    rows["method"] = rows["method"].replace(procedure.TITLES)
    rows["alpha"] = rows["alpha"].map("at least, α = {:g}".format)
    keys = ["comparison", "method", "group", "datasets"]
    wide = rows.pivot_table("at_least", keys, "alpha", "first", sort=False).reset_index()
    plain = all(finding.claim.kind == "better" for finding in found)
    claim = "the first system is better" if plain else "the claim of the comparison holds"
    caption = f"On at least so many datasets of each group {claim} (closed testing); "
    return tables.Table(wide.rename_axis(columns=None), caption + _together(found))


def both_directions(pairs, alpha):
    """Return what holds in each direction as a table, as `findings.both_directions` makes it."""
    caption = f"Both directions at joint level {alpha:g}."
    return tables.Table(findings.both_directions(pairs, alpha), caption)


def families(pairs, alphas):
    """Return what all pairs of each family show as a table, as `findings.family_counts` does."""
    caption = (
        "All pairs of systems: pairs of which one is better somewhere, on at least half of the "
        "datasets, everywhere."
    )
    return tables.Table(findings.family_counts(pairs, alphas), caption)


def by_group(found, outputs, stem):
    """Save `groups`; where it is a sentence, return that."""
    shown = groups(found)
    return shown if isinstance(shown, str) else tables.save(shown, outputs, stem, shown.caption)


def _together(found):
    """Say what the bounds of groups hold together with."""
    together = "all bounds of a comparison at one level hold together"
    if any(f.claims is None and f.of_groups.method != "bonferroni" for f in found):
        return f"{together}, as a statement of its own."
    return f"{together} with its count and its names."


def forests(comparisons, results, found, outputs, stem):
    """Save the differences of each comparison with their intervals as a figure.

    Parameters
    ----------
    comparisons : sequence of study.Comparison
        Those without scores of instances have no intervals and are left out.
    results : sequence of Tested
        As `evaluation.evaluate` returns them, in the same order.
    found : sequence of Finding
        Those of all levels of the first comparison, then those of the next; of each comparison the
        first is drawn.
    outputs, stem : str
        As for `style.save`; the name of the comparison is added to the stem.

    Returns
    -------
    list of Figure or Prose
        The figures; a sentence if there is none.
    """
    levels = len(found) // max(len(comparisons), 1) or 1
    drawn = []
    for comparison, table, finding in zip(comparisons, results, found[::levels], strict=True):
        if "low" in table:
            figure = figures.standard(comparison, table, finding)
            drawn.append(style.save(figure, outputs, f"{stem}_{comparison.name}"))
    return drawn or [Prose(NO_INTERVALS)]
