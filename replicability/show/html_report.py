"""The page: a study as one HTML file that is complete in itself, to be sent to a co-author."""

import itertools

import numpy as np

from replicability.core import cautions
from replicability.core.findings import (
    PRINTED,
    counted,
    family_counts,
    find,
    headline,
    notes,
    tests_used,
)
from replicability.core.findings import families as of_families
from replicability.core.findings import overall as mean_difference
from replicability.core.findings.wording import LISTED, capital, confidence
from replicability.io import files
from replicability.io import text as text_
from replicability.show import figures, html_explorer, html_figures, layers, view
from replicability.show.html_elements import csv_link, inline_svg
from replicability.show.html_made import made
from replicability.show.templates import environment
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
    page = render(settings, pairs, families, file=file, command=command, drawn=drawn)
    with files.replacing(path) as part:
        part.write_text(page, encoding="utf-8", newline="\n")
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
        comparison.name: tests_used.which_tests(comparison, table) for comparison, table in pairs
    }
    tests |= {family.name: [found.test] for family, found in families}
    return (
        environment()
        .get_template("report.html.jinja")
        .render(
            study=settings,
            comparisons=shown,
            promise=headline.promise({comparison["closed"] for comparison in shown}),
            left_out=[block.title for block in declared if block.name not in names],
            families=[_family(*pair, settings.alphas, numbers) for pair in families],
            explorer=html_explorer.section(settings, pairs),
            made=made(settings, pairs, families, tests, file, command),
        )
    )


# --- one comparison -----------------------------------------------------------------------------


def _comparison(comparison, table, alphas, drawn, numbers):
    """Return what the template shows of a comparison; its tables take the next numbers."""
    said = [find(comparison, table, alpha, PRINTED) for alpha in alphas]
    first, overall = find(comparison, table, alphas[0]), mean_difference(comparison, table)
    shown = view.view(comparison, table, said, overall)
    places = list(itertools.islice(numbers, 3 if shown.groups else 2))
    here = f"listed in Table {places[0]}"
    return vars(shown) | {
        "name": comparison.name,
        "closed": first.claims is not None,
        "title": comparison.title,
        "systems": comparison.systems,
        "headline": headline.headline(first),
        "sentences": [
            {"text": str(finding).replace(LISTED, here), "confidence": confidence(finding.alpha)}
            for finding in said
        ],
        "asides": headline.beside(comparison, first),
        "both": headline.both_directions(comparison, table, first),
        "counted": counted.how_counted(comparison, first),
        "measured": counted.measured(first),
        "units": counted.units(comparison, table),
        "test": tests_used.paragraph(comparison, table),
        "read": table.read.sentences if table.read else {},
        "cautions": notes.before_pasting(comparison, table, alphas[0]),
        "numbers": places,
        "unrounded": csv_link(view.full(table, said)),
        "differences": html_figures.differences(comparison, table, first, shown.datasets, overall),
        "figure": html_figures.decides(comparison, table, first, shown.datasets, drawn),
    }


# --- families -----------------------------------------------------------------------------------


def _family(family, found, alphas, numbers):
    """Return what the template shows of a family."""
    matrix = found.counts(alphas[0])
    n, size = len(found.datasets), len(found.systems)
    whom = f"{found.against} against {size - 1} systems" if found.against else f"{size} systems"
    shown = found.counts_of_compared(alphas[0])
    drawn = figures.k_matrix(shown, n, f"α = {alphas[0]:g}")
    above, below = (int((half(matrix.to_numpy(), k) > 0).sum()) for half, k in _HALVES)
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
            f"{counted.how_pairs_are_counted(family, found)}"
        ),
        "read": found.read.sentences,
        "order": _order(family, found, alphas[0]),
        "figure": inline_svg(drawn, f"f-{family.name}", alt),
        "table": view.of_frame(summary, caption),
        "number": next(numbers),
        "unrounded": csv_link(matrix.rename_axis("A").reset_index()),
        "confidence": confidence(alphas[0]),
    }


_HALVES = ((np.triu, 1), (np.tril, -1))


def _order(family, found, alpha):
    """Return what the template shows of ties and layers, jointly at a level."""
    placed = found.layers(alpha)
    said = of_families.sentences(found, alpha)
    level = alpha / found.n_pairs / len(found.datasets)
    drawn = layers.diagram(placed, f"Shown better on at least one dataset, jointly (α = {alpha:g})")
    alt = (
        f"Diagram of {len(placed.rows)} layers of systems with {len(placed.arrows)} arrows from "
        f"those that are shown better. {' '.join(said[1:])}"
    )
    return {
        "sentences": [*said, *cautions.of_pairs(found, level)],
        "figure": inline_svg(drawn, f"l-{family.name}", alt),
        "how": of_families.how_to_read(found, alpha),
    }
