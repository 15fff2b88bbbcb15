"""The page: a study as one HTML file that is complete in itself, to be sent to a co-author."""

import functools
import itertools
from pathlib import Path

import jinja2
import numpy as np

from replicability.core import cautions as cautions_
from replicability.core.findings import (
    asides,
    family_counts,
    find,
    for_another_study,
    if_independent,
)
from replicability.core.findings.wording import LISTED
from replicability.io import files
from replicability.io import text as text_
from replicability.show import (
    figures,
    html_card,
    html_claims,
    html_explorer,
    html_family,
    html_figures,
    html_overall,
    html_pvalues,
    html_tables,
    tables,
)
from replicability.show.html_claims import confidence, listed
from replicability.show.html_elements import capital, csv_link, inline_svg, text_table
from replicability.show.html_made import made
from replicability.stats import paired


def save(settings, pairs, outputs, families=(), *, file=None, command="", drawn=None):
    """Write the page of a study, the same bytes at every run.

    Parameters
    ----------
    settings : study.Study
        The study.
    pairs : sequence of (study.Comparison, Tested)
        Comparisons with their results, as `evaluation.evaluate` returns them.
    outputs : str or Path
        Folder of the run; the file is ``report/report.html`` in it.
    families : sequence of (study.Family, all_pairs.Pairs), optional
        Families with the p-values of all their pairs.
    file : Path, optional
        The file of the study, shown as it is written.
    command : str, optional
        What makes the page again; by default the command `run`.
    drawn : dict of str to str, optional
        Name of a comparison -> the text of the SVG file of its figure, if it was drawn before.

    Returns
    -------
    str
        The file, relative to the current folder if it is in it.

    Raises
    ------
    InputError
        If an input of the study is missing.
    """
    path = files.outputs(outputs, "report") / "report.html"
    part = path.with_name(f"{path.name}.part")
    part.write_text(
        render(settings, pairs, families, file=file, command=command, drawn=drawn),
        encoding="utf-8",
        newline="\n",
    )
    part.replace(path)
    return text_.shown(path)


def render(settings, pairs, families=(), *, file=None, command="", drawn=None):
    """Return the page of a study.

    Parameters
    ----------
    settings, pairs, families, file, command, drawn
        As for `save`.

    Returns
    -------
    str
        An HTML document that needs no other file and makes no request.

    Raises
    ------
    InputError
        As `save`.
    """
    names = {block.name for block, _ in (*pairs, *families)}
    numbers = itertools.count(1)
    shown = [_comparison(*pair, settings.alphas, drawn or {}, numbers) for pair in pairs]
    declared = (*settings.comparisons, *settings.families)
    tests = {
        comparison.name: html_pvalues.which_tests(comparison, table) for comparison, table in pairs
    }
    tests |= {family.name: [found.test] for family, found in families}
    return _template().render(
        study=settings,
        comparisons=shown,
        promise=_promise(shown),
        left_out=[block.title for block in declared if block.name not in names],
        families=[_family(*pair, settings.alphas, numbers) for pair in families],
        explorer=html_explorer.section(settings, pairs),
        made=made(settings, pairs, families, tests, file, command),
    )


def cautions(comparison, table, alpha):
    """List what a reader of a comparison should know before relying on it.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : Tested
        As `evaluation.evaluate` returns it.
    alpha : float
        Level of significance, in (0, 1).

    Returns
    -------
    list of str
        Sentences about p-values of zero or at the resolution, about datasets that are too small for
        the bootstrap, about small p-values against the scores, and those of `findings.asides`;
        empty if there is none.
    """
    a, b = comparison.systems
    p, datasets = table["p_value"], table["dataset"]
    found = []
    if (p == 0).any():
        why = (
            "it is too small for a floating-point number"
            if comparison.level == "instances"
            else "printed so, it only means smaller than the last digit or than 1/(B + 1) for B "
            "resamples; it is taken at its word here, and the key 'resolution' of the study would "
            "raise it"
        )
        found.append(f"The p-value is 0 on {listed(datasets[p == 0])}: {why}.")
    if comparison.resolution:
        raised = datasets[p == comparison.resolution]
        found.append(
            f"p-values below the resolution of the test, {comparison.resolution:g}, were raised to "
            f"it: {len(raised)} of {len(p)} stand there."
        )
    level = find(comparison, table, alpha).level
    found += cautions_.cautions(table, level)
    if "score_a" in table and comparison.claim == "better":
        against = datasets[(p <= level) & (table["score_b"] > table["score_a"])]
        if len(against):
            why = (
                "the test need not agree with the mean"
                if comparison.level == "instances"
                else "these p-values may be two-sided, and then favour the other system; both "
                "directions are asked separately"
            )
            found.append(
                f"p ≤ {level:g} in favour of {a}, although the score of {b} is higher, on "
                f"{listed(against)}: {why}."
            )
    return found + asides(comparison, table, alpha)


@functools.cache
def _template():
    """Compile the template of the page."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template("html_report.html.jinja")


# --- one comparison -----------------------------------------------------------------------------


def _promise(shown):
    """Say in one sentence what the counts and names of the page have in common."""
    closed = {comparison["closed"] for comparison in shown}
    if closed == {True}:
        return (
            "Count, named datasets and groups of a comparison come from one closed testing "
            "procedure and hold together with the confidence beside them."
        )
    count = "Each count is a lower bound that holds with the confidence beside it"
    if True in closed:
        return f"{count}; each comparison says by what datasets are named."
    return f"{count}; each named dataset is identified by Holm's procedure."


def _comparison(comparison, table, alphas, drawn, numbers):
    """Return what the template shows of a comparison; its tables take the next numbers."""
    said = [find(comparison, table, alpha) for alpha in alphas]
    first = said[0]
    shown = html_tables.results(comparison, table, said) | {"number": next(numbers)}
    groups = html_claims.groups(said)
    here = f"listed in Table {shown['number']}"
    return {
        "name": comparison.name,
        "closed": first.claims is not None,
        "title": comparison.title,
        "systems": comparison.systems,
        "headline": html_card.headline(first),
        "sentences": [
            {"text": str(finding).replace(LISTED, here), "confidence": confidence(finding.alpha)}
            for finding in said
        ],
        "asides": _asides(comparison, first),
        "both": html_card.both_directions(comparison, table, first),
        "counted": html_claims.how_counted(comparison, first),
        "measured": html_claims.measured(first),
        "units": html_claims.units(comparison, table),
        "groups": groups and groups | {"number": next(numbers)},
        "test": html_pvalues.paragraph(comparison, table),
        "cautions": cautions(comparison, table, alphas[0]),
        "table": shown,
        "unrounded": csv_link(tables.unrounded(table, said)),
        "much": html_overall.how_much(comparison, table, first, shown),
        "figure": html_figures.decides(comparison, table, first, shown, drawn),
        "counts": html_tables.estimators(comparison, table, alphas) | {"number": next(numbers)},
    }


def _asides(comparison, finding):
    """Say what an assumption, or another method in another study, would give."""
    if finding.claims is None:
        return []
    declared = comparison.dependence == "independent"
    said = []
    for one in (finding, finding.other) if finding.other else (finding,):
        texts = ("" if declared else if_independent(one.claims), for_another_study(one.claims))
        whose = f"{one.claim.short(one.systems[0])}: " if finding.other else ""
        said += [f"{whose}{text}" for text in texts if text]
    return said


# --- families -----------------------------------------------------------------------------------


def _family(family, found, alphas, numbers):
    """Return what the template shows of a family."""
    counted = found.counts(alphas[0])
    n, size = len(found.datasets), len(found.systems)
    whom = f"{found.against} against {size - 1} systems" if found.against else f"{size} systems"
    drawn = figures.k_matrix(counted, n, f"α = {alphas[0]:g}")
    above, below = (int((half(counted.to_numpy(), k) > 0).sum()) for half, k in _HALVES)
    alt = (
        f"Matrix of {size} by {size} systems in the order of their mean score. A cell has the "
        f"number of datasets, at least, on which the system of the row is better than that of the "
        f"column; {above} cells above the diagonal and {below} below it are not 0."
    )
    rows = family_counts([(family, found)], alphas)
    caption = (
        f"Of {rows['pairs'].iloc[0]:,} pairs of systems those of which one is better somewhere, on "
        "half of the datasets or more, and everywhere; pairs taken one by one, and all jointly at "
        "alpha over the number of ordered pairs. Neighbours are next to each other in the order of "
        "mean scores; counted are those of which the upper one is better somewhere."
    )
    summary = rows[["claims", "alpha", "somewhere", "half", "everywhere", "neighbours"]]
    return {
        "name": family.name,
        "title": family.title,
        "text": (
            f"{capital(whom)} on {n} datasets: {family.score}, "
            f"{paired.lookup(found.test).title}. "
            f"{html_family.how_counted(family, found)}"
        ),
        "order": html_family.order(family, found, alphas[0]),
        "figure": inline_svg(drawn, f"f-{family.name}", alt),
        "table": text_table(summary, caption) | {"number": next(numbers)},
        "unrounded": csv_link(counted.rename_axis("A").reset_index()),
        "confidence": confidence(alphas[0]),
    }


_HALVES = ((np.triu, 1), (np.tril, -1))
