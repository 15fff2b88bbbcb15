"""What the tables say, in sentences and in the box at the top of a chapter."""

from html import escape

import shown
from accessible import scrolling
from mathematics import line

from analysis import items, paths
from analysis.dror2017 import audit
from analysis.dror2017.claims import STUDY, judged_of
from replicability.core.findings.tabulated import DIRECTION_COLUMNS
from replicability.io import delimited


def finding_of(item, file, row):
    """Say what an item says.

    `item` (items.Item): the item. `file`: its file. `row` (items.Row): the row of the map that has
    it.

    Returns str. Markdown; sentences from the committed tables in place of ``{counts}`` and
    ``{directions}``.
    """
    fields = {}
    if "{counts}" in item.finding:
        blocks = [item.block] if item.block else row.notebook.blocks(row.study)
        systems = {block.title: tuple(map(block.called, block.systems)) for block in blocks}
        said = counted(summary_of(row.study), systems)
        printed_alone = said and row.study.name == "paper"
        fields["counts"] = (
            f"According to the printed p-values, a{said[1:]}" if printed_alone else said
        )
    if "{directions}" in item.finding:
        fields["directions"] = directed(delimited.read_table(file))
    return items.filled(item.finding, **fields)


def summary_of(study):
    """Read the estimates of a study, as its Table 1 has them; None if it has no such table."""
    file = f"tables/{items.below(study.name)}table1_summary.csv"
    return delimited.read_table(file) if (paths.ROOT / file).is_file() else None


def counted(summary, systems, re_run=False):
    """Say on how many datasets the first systems are better, at the first level.

    `summary` (DataFrame of str): table 1. `systems` (dict of str to tuple of str): comparison ->
    its systems, A and B. `re_run`: whether the counts are those of the reading that the audit
    finds, if it finds one.

    Returns str. A sentence that says it of each comparison that is in the table, of both systems
    where no estimate is recommended; "" if none is.
    """
    first = summary[summary["alpha"] == summary["alpha"][0]]
    said = [
        better(*systems[row["comparison"]], *(_read if re_run else _listed)(row))
        if row["recommended"]
        else both_systems(row["comparison"]).removesuffix(".")
        for row in first.to_dict("records")
        if row["comparison"] in systems
    ]
    return f"At level {summary['alpha'][0]}, {'; '.join(said)}." if said else ""


def _listed(row):
    return row[row["recommended"]], row["datasets"]


def _read(row):
    """Return the count of the only reading that the source allows, or else the one as printed."""
    counts = set(judged_of(row["comparison"]).found.values())
    k, n = _listed(row)
    return str(counts.pop()) if len(counts) == 1 else k, n


def directed(directions):
    """Say on how many datasets each system is better, both claims taken together.

    `directions` (DataFrame of str): a table of both directions.

    Returns str. One sentence on all comparisons; "" if there is none.
    """
    said = []
    for _, rows in directions.groupby("comparison", sort=False):
        a, b = rows["claim"].str.removesuffix(" better")
        (k, n), (back, _) = (estimate.split(" of ") for estimate in rows["estimate"])
        other = f"there is no evidence that {shown.literal(b)} is better"
        said.append(f"{better(a, b, k, n)}, and {better(b, a, back, n) if int(back) else other}")
    return f"With both directions tested together, {'; '.join(said)}." if said else ""


def better(a, b, k, n):
    """Say on how many of n datasets A is better than B, or that there is no evidence."""
    a, b = shown.literal(a), shown.literal(b)
    if int(k) == 0:
        return f"there is no evidence that {a} is better than {b} on any of the {n} datasets"
    many = f"all {n}" if k == n else f"at least {k} of {n}"
    return f"{a} is better than {b} on {many} datasets"


def both_systems(title):
    """Say of a published comparison on how many datasets its systems differ, and each is better."""
    return shown.literal(str(audit.both_systems(audit.columns_of(STUDY)[title], 0.05)))


def box(files, labels):
    """Write the box at the top of a chapter on comparisons.

    `files` (dict of str to items.Row): the chapter's items. `labels` (dict of str to str): their
    numbers.

    Returns str. Markdown: for each comparison the printed number, if there is one, the one that
    follows from the data, both directions, and whether the first holds; "" for a chapter without a
    table of both directions.
    """
    file = next((f for f in files if f.endswith("_both_directions.csv")), "")
    if not file or files[file].notebook.comparisons != "section":
        return ""
    study = files[file].study
    summary = summary_of(study)
    directions = delimited.read_table(file)
    if not set(DIRECTION_COLUMNS) <= set(directions):
        return ""
    found = shown.STUDIES.get(study.name, "found")
    re_run = study.name == "paper"
    rows = [_row(title, part, summary, found, re_run) for title, part in _parts(directions)]
    kept = [c for c in rows[0] if any(row[c] for row in rows)]
    head = "".join(f'<th scope="col">{c}</th>' for c in kept)
    body = "".join(
        "<tr>"
        + f'<th scope="row">{escape(row[kept[0]])}</th>'
        + "".join(f'<td data-label="{c}">{escape(row[c])}</td>' for c in kept[1:])
        + "</tr>"
        for row in rows
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    said = ""
    if summary is not None:
        systems = {t: tuple(p["claim"].str.removesuffix(" better")) for t, p in _parts(directions)}
        said = counted(summary, systems, re_run)
    lead = f'<p class="lead">{line(said)}</p>' if said else ""
    name = "Do the printed results hold?" if "printed" in kept else "What the tests show"
    see = f'<a href="#{shown.name_of(file)}">{escape(labels[file])}</a>'
    return shown.raw(
        f'<section class="box" aria-label="{name}">{lead}'
        f"{scrolling(table, name)}<p>Lower bounds on the number of datasets; both directions have "
        f"simultaneous 95% confidence ({see}).</p></section>"
    )


def _parts(directions):
    return directions.groupby("comparison", sort=False)


def _row(title, directions, summary, found, re_run):
    """Write the row of a comparison: head -> cell; `found` heads the count that the data give.

    The paper's numbers describe its own datasets. They are shown only next to its re-run, even if
    another study has a comparison with the same name.
    """
    claims = directions.to_dict("records")
    both = "; ".join(f"{claim['claim']}: {claim['estimate']}" for claim in claims)
    row = {"comparison": title, "printed": "", found: "", "both directions": both, "holds?": ""}
    if summary is None or title not in set(summary["comparison"]):
        return row
    first = summary[summary["comparison"] == title].iloc[0]
    n = first["datasets"]
    if re_run:
        if not first["recommended"]:  # the bounds of the lead
            a, b = directions["claim"]
            bound = list(audit.both_systems(audit.columns_of(STUDY)[title], 0.05).bounds.values())[
                -1
            ]
            row["both directions"] = f"{a}: {bound.a} of {n}; {b}: {bound.b} of {n}"
        judged = judged_of(title)
        bounds = sorted(set(judged.found.values()))
        counts = " or ".join(map(str, bounds)) if len(bounds) < 3 else f"{bounds[-1]} or fewer"
        reason = f": {judged.reason}" * bool(judged.reason)
        row |= {"printed": f"{judged.claimed} of {n}", found: f"{counts} of {n}"}
        row["holds?"] = f"{judged.verdict}{reason}"
    else:
        row[found] = f"{first[first['recommended']]} of {n}"
    return row
