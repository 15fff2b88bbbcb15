"""The report of a study as a folder: tables, figures, the page, and what made them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from replicability.api.family import Family
from replicability.api.saved import save
from replicability.checks import InputError
from replicability.core.findings import families
from replicability.io import provenance, publish
from replicability.io.progress import watched

if TYPE_CHECKING:
    from replicability.api.studies import Study

RECORD = "provenance.json"
"""File of a report that records how the other files were made."""

OF_ALL = ("counts", "groups", "both_directions", "families")
"""Tables of every report."""


def write(study: Study, folder: str | os.PathLike[str]) -> list[Path]:
    """Write what `Study.write` describes."""
    from replicability.show import html_report
    from replicability.show.tables import Table

    place = Path(folder).absolute()
    _refuse_names(study)
    publish.refuse(place)
    results, asked = study.ask(), study.families
    pairs = [(one.comparison, one.evaluated) for one in results]
    of_families = [(one.family, one.pairs) for one in asked]
    with publish.replacing(place, RECORD) as part:
        drawn = {}
        for result in watched([*results], "tables and figures"):
            save(result.summary(), part, result.name)
            save(result.evidence(), part, result.name)
            drawn[result.name] = (part / "figures" / f"{result.name}.svg").read_text("utf-8")
        if pairs:
            save(results.counts(), part, "counts")
            save(results.groups(), part, "groups")
            save(results.forests(), part, "forest")
            save(results.both_directions(), part, "both_directions")
        for found in study.grids.values():
            for kind, shown in found.view.items():
                own = found.table if kind == "cells" else None
                caption = f"{shown.caption} {shown.note}".strip()
                save(Table(shown.frame, caption, own), part, f"{found.name}_{kind}")
            save(found.figure(), part, found.name)
        for family in asked:
            _write_family(family, part)
        save(asked.table(), part, "families")
        file = Path(study.file)
        grids = [(block, study.grids[block.name]) for block in study.comparisons if block.metrics]
        html_report.save(study.settings, pairs, part, of_families, grids, file=file, drawn=drawn)
        blocks = (*study.comparisons, *study.declared_families)
        inputs = [path for block in blocks for path in block.paths]
        text = provenance.record_report(study.settings, file, inputs, part)
        (part / RECORD).write_text(text, encoding="utf-8")
        made = sorted(path.relative_to(part) for path in part.rglob("*") if path.is_file())
    return [place / path for path in made]


def _refuse_names(study: Study) -> None:
    """Refuse a comparison whose files would be those of a table of every report."""
    blocks = (*study.comparisons, *study.declared_families)
    ends = ("_jointly", "_layers", "_forest")
    taken = {*OF_ALL, *(f"{block.name}{end}" for block in study.declared_families for end in ends)}
    for block in blocks:
        if block.name in taken:
            raise InputError(
                f"The name {block.name!r} is reserved for a table or figure of the report; give "
                "the comparison another name."
            )


def _write_family(family: Family, part: Path) -> None:
    """Write counts of each pair by itself and jointly, and layers or the forest of a baseline."""
    title, pairs, alpha = family.title, family.pairs, family.alpha
    alone, jointly = families.of_files(family, pairs, alpha)
    drawn = family.figure(jointly=False, title=f"{title}, {family.score}, α = {alpha:g}")
    save(drawn, part, family.name)
    save(family.counts(jointly=False).rename_axis("A").reset_index(), part, family.name, alone)
    save(family.counts().rename_axis("A").reset_index(), part, f"{family.name}_jointly", jointly)
    if pairs.against:
        save(family.forest(), part, f"{family.name}_forest")
        return
    heading = families.title_of_layers(alpha)
    heading = f"{title}: {heading[0].lower()}{heading[1:]}"
    save(family.layers_figure(heading), part, f"{family.name}_layers")
