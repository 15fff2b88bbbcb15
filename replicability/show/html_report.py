"""The page: a study as one HTML file that is complete in itself, to be sent to a co-author."""

import itertools

from replicability.core import against, cautions, roles
from replicability.core.findings import (
    PRINTED,
    could_have_shown,
    counted,
    find,
    headline,
    misreadings,
    notes,
    tests_used,
)
from replicability.core.findings import families as of_families
from replicability.core.findings import grids as of_grids
from replicability.core.findings import overall as mean_difference
from replicability.core.findings.wording import LISTED, plural
from replicability.io import files
from replicability.io import text as text_
from replicability.show import (
    figures,
    forest_of_systems,
    html_explorer,
    html_figures,
    layers,
    view,
    view_of_families,
)
from replicability.show.html_elements import csv_link, inline_svg
from replicability.show.html_made import made
from replicability.show.templates import environment


def save(settings, pairs, outputs, families=(), grids=(), *, file=None, command="", drawn=None):
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
    grids : sequence of (study.Comparison, api.grid.Grid), optional
        Comparisons by several metrics with what is found.
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
    page = render(settings, pairs, families, grids, file=file, command=command, drawn=drawn)
    return text_.shown(files.write(path, page))


def render(settings, pairs, families=(), grids=(), *, file=None, command="", drawn=None):
    """Return the page of a study.

    `settings`, `pairs`, `families`, `grids`, `file`, `command`, `drawn`: as for `save`.

    Returns str. An HTML document that needs no other file and makes no request.

    Raises `InputError`: as `save`.
    """
    names = {block.name for block, _ in (*pairs, *families, *grids)}
    numbers = itertools.count(1)
    shown = [_comparison(*pair, settings.alphas, drawn or {}, numbers) for pair in pairs]
    shown += [_grid(found, numbers) for _, found in grids]
    shown += [_family(*pair, settings.alphas, numbers) for pair in families]
    declared = (*settings.comparisons, *settings.families)
    tests = {
        comparison.name: tests_used.which_tests(comparison, table) for comparison, table in pairs
    }
    tests |= {family.name: [found.test] for family, found in families}
    tests |= {block.name: [*dict.fromkeys(found.table["test"])] for block, found in grids}
    others = plural(len(shown) - 1, "other finding")
    return (
        environment()
        .get_template("report.html.jinja")
        .render(
            study=settings,
            title=shown[0]["headline"] + (f", and {others}" if len(shown) > 1 else ""),
            shown=shown,
            left_out=[block.title for block in declared if block.name not in names],
            explorer=html_explorer.section(settings, pairs),
            made=made(settings, pairs, (*families, *grids), tests, file, command),
        )
    )


# --- one comparison -----------------------------------------------------------------------------


def _comparison(comparison, table, alphas, drawn, numbers):
    """Return what the template shows of a comparison; its tables take the next numbers."""
    found = [find(comparison, table, alpha, PRINTED) for alpha in alphas]
    first, overall = find(comparison, table, alphas[0]), mean_difference(comparison, table)
    shown = view.view(comparison, table, found, overall)
    places = list(itertools.islice(numbers, 3 if shown.groups else 2))
    here = f"listed in Table {places[0]}"
    said = [str(finding).replace(LISTED, here) for finding in found]
    differences = html_figures.differences(comparison, table, first, shown.datasets, overall)
    decides = html_figures.decides(comparison, table, first, shown.datasets, drawn)
    return vars(shown) | {
        "kind": "comparison",
        "id": f"c-{comparison.name}",
        "name": comparison.name,
        "title": comparison.title,
        "systems": comparison.systems,
        "headline": headline.title(first),
        "bar": headline.bar(first, overall, places[0]),
        "sentence": said[0],
        "others": said[1:],
        "asides": headline.beside(comparison, first),
        "misreadings": misreadings.misreadings(comparison, table, first),
        "both": headline.both_directions(comparison, table, first),
        "counted": counted.how_counted(comparison, first),
        "measured": counted.measured(first),
        "units": counted.units(comparison, table),
        "test": tests_used.paragraph(comparison, table),
        "read": table.read.sentences if table.read else {},
        "cautions": notes.before_pasting(comparison, table, alphas[0]),
        "numbers": places,
        "unrounded": csv_link(view.full(table, found)),
        "figure": differences or decides,
        "decides": decides if differences else None,
    }


# --- several metrics ----------------------------------------------------------------------------


def _grid(found, numbers):
    """Return what the template shows of a comparison by several metrics."""
    said, (metrics, cells) = found.sentences, found.view.values()
    return {
        "kind": "grid",
        "id": f"c-{found.name}",
        "name": found.name,
        "title": found.title,
        "headline": found.headline,
        "bar": of_grids.bar(found.sides),
        "sentence": " ".join(said),
        "misreadings": of_grids.misreadings(found.sides),
        "cautions": found.notes,
        "read": roles.told(found.read),
        "figure": {
            "svg": inline_svg(found.figure(), f"g-{found.name}", " ".join(said[:-1])),
            "caption": of_grids.how_to_read(found.sides),
        },
        "metrics": metrics,
        "cells": cells,
        "numbers": list(itertools.islice(numbers, 2)),
        "unrounded": csv_link(found.table),
    }


# --- families -----------------------------------------------------------------------------------


def _family(family, found, alphas, numbers):
    """Return what the template shows of a family; its tables take the next numbers."""
    alpha = alphas[0]
    counts = figures.k_matrix(
        found.counts_of_compared(alpha), len(found.datasets), f"α = {alpha:g}"
    )
    differences = against.mean_differences(family, found, alpha)
    level = alpha / found.n_pairs / len(found.datasets)
    said = of_families.sentences(found, alpha)
    return {
        "kind": "family",
        "id": f"all-{family.name}",
        "name": family.name,
        "title": family.title,
        "headline": of_families.differing(found, alpha),
        "bar": headline.bar_of_family(found, alpha),
        "sentence": said[0],
        "others": [*said[1:], *filter(None, [could_have_shown(found, alpha)])],
        "misreadings": misreadings.of_family(found, alpha),
        "cautions": cautions.of_pairs(found, level),
        "text": of_families.what_was_asked(family, found),
        "read": found.read.sentences,
        "figure": _main_figure(family, found, alpha, differences),
        "counts": {
            "svg": inline_svg(
                counts, f"f-{family.name}", of_families.counts_in_words(found, alpha)
            ),
            "caption": of_families.how_to_read_counts(alpha),
        },
        "decided": view_of_families.decided(family, found, alphas),
        "systems": view_of_families.systems(found, alpha, differences),
        "ranks": None if found.against else view_of_families.ranks(found, alpha),
        "numbers": list(itertools.islice(numbers, 2 if found.against else 3)),
        "unrounded": csv_link(found.counts(alpha).rename_axis("A").reset_index()),
    }


def _main_figure(family, found, alpha, differences):
    """Draw the mean differences from the baseline, or the tiers of all systems."""
    if differences is None:
        drawn = layers.diagram(found.layers(alpha), of_families.title_of_layers(alpha))
        said = of_families.layers_in_words(found, alpha)
        return {
            "svg": inline_svg(drawn, f"l-{family.name}", said),
            "caption": of_families.how_to_read(found, alpha),
        }
    rows = view_of_families.summary(found, alpha, differences)
    drawn = forest_of_systems.forest(rows, found, family.score, alpha)
    said = " ".join(of_families.sentences(found, alpha))
    return {
        "svg": inline_svg(
            drawn, f"l-{family.name}", f"Mean differences of {len(rows)} systems. {said}"
        ),
        "caption": of_families.how_to_read_forest(found.against, alpha),
    }
