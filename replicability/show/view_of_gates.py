"""What every rendering shows of a gate: two tables, a comment, JUnit XML and a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
import pandas as pd

from replicability.core import release
from replicability.core.findings import releases
from replicability.core.findings.wording import plural
from replicability.core.numbers import rounded
from replicability.show import harmless, view
from replicability.show.view import INTERVAL, Column, Table

if TYPE_CHECKING:
    from replicability.api.gate import Gate


@dataclass(frozen=True)
class Gated:
    """What headings and cells of a gate depend on: systems, what is counted, decimals of scores."""

    base: str
    new: str
    items: str
    digits: int


def _text(_gated: Gated, value: object) -> str:
    return str(value)


def _whole(_gated: Gated, value: float) -> str:
    return f"{value:,.0f}" if np.isfinite(value) else "∞"


def _counts(_gated: Gated, *values: float) -> str:
    return "/".join(f"{value:,.0f}" for value in values)


def _score(gated: Gated, value: float) -> str:
    return rounded(value, gated.digits)


def _interval(gated: Gated, *values: float) -> str:
    difference, *limits = (rounded(value, gated.digits, plus="+") for value in values)
    return f"{difference} ({' to '.join(limits)})" if np.isfinite(values).all() else difference


def _margin(_gated: Gated, value: float) -> str:
    return f"{value:g}"


DATASETS = [
    Column(("dataset",), "dataset", _text, left=True),
    Column(("shown",), "shown", _text, left=True, gap="–"),
    Column(("n",), "{items}", _whole, spare=2),
    Column(("units",), "units", _whole, spare=3),
    Column(("score_base",), "{base}", _score, spare=1),
    Column(("score_new",), "{new}", _score, spare=1),
    Column(INTERVAL, "difference (95% interval)", _interval, left=True),
    Column(("lost", "won"), "lost/won", _counts, spare=2),
    Column(("margin",), "margin", _margin, spare=1),
    Column(("items_needed",), "{items} to settle", _whole, spare=1),
]
"""Columns of the table of datasets; keys are those of `Gate.table`, and ``shown``."""

FLIPS = [
    Column(("dataset",), "dataset", _text, left=True),
    Column(("item",), "item", _text, left=True),
    Column(("base",), "{base}", _score),
    Column(("new",), "{new}", _score),
]
"""Columns of the table of items, in order."""


def datasets(gate: Gate) -> Table:
    """Return the table of the datasets, those that are worse in bold."""
    frame = gate.table
    ways = [frame["worse"] & frame["within"], frame["worse"], frame["within"]]
    said = ["worse, within the margin", "worse", "within the margin"]
    frame = frame.assign(shown=np.select(ways, said, default="–"))
    asked = _gated(gate, frame)
    return view.laid_out(
        [column for column in DATASETS if column.applies(frame)],
        frame,
        asked,
        caption=f"{gate.systems[1]} minus {gate.systems[0]} on {gate.n:,} "
        f"dataset{'s' * (gate.n != 1)}; a difference above 0 is an improvement.",
        note=f"“Worse” has simultaneous {100 * (1 - gate.level):g}% confidence; “within the "
        f"margin” is tested on each dataset separately, at level {gate.level:g}.",
        bold=tuple(map(bool, frame["worse"])),
    )


def flips(gate: Gate) -> Table:
    """Return the table of the items that lost most."""
    frame = pd.DataFrame(gate.flips, columns=["dataset", "item", "base", "new"])
    return view.laid_out(
        FLIPS,
        frame,
        _gated(gate, gate.table),
        caption=f"{_lost(gate)}. Datasets on which {gate.systems[1]} is worse come first.",
    )


def _lost(gate: Gate) -> str:
    """Say on how many items the new system is worse and better, and which of them are listed."""
    listed, (lost, won) = len(gate.flips), gate.table[["lost", "won"]].sum()
    said = f"{plural(lost, 'item')} went from right to wrong, {won:,} from wrong to right"
    if gate.read.scale != "right or wrong":
        said = f"{plural(lost, 'item')} lost, {won:,} won"
    return f"{said}. Listed: {listed}" * (lost > listed) or said


def _gated(gate: Gate, frame: pd.DataFrame) -> Gated:
    largest = np.abs(frame[["score_base", "score_new"]].to_numpy()).max()
    return Gated(*gate.systems, gate.items, digits=3 if largest < 10 else 1)


def shown(gate: Gate) -> list[Table]:
    """Return the tables that every rendering lays out."""
    return [datasets(gate), *([flips(gate)] if gate.flips else [])]


TITLES = {
    release.SHIP: "SHIP: {new} may replace {base}",
    release.BLOCK: "BLOCK: {new} is worse than {base}",
    release.CANNOT_TELL: "CANNOT TELL whether {new} may replace {base}",
}
"""Verdict -> title."""


def title(gate: Gate) -> str:
    """Return the title of a comment or page."""
    base, new = gate.systems
    return TITLES[gate.verdict].format(base=base, new=new)


def markdown(gate: Gate) -> str:
    """Write a comment for a pull request: verdict, sentences, table, items.

    `gate` (api.gate.Gate): what was decided.

    Returns str. GitHub's and GitLab's Markdown; whatever is no markup is escaped.
    """
    table = datasets(gate)
    parts = [
        f"### {harmless.markdown(title(gate))}",
        *map(harmless.markdown, gate.sentences[:-1]),
        _pipes(table),
        harmless.markdown(table.note),
    ]
    if gate.flips:
        listed = flips(gate)
        parts += [
            f"<details><summary>{harmless.markdown(listed.caption)}</summary>",
            _pipes(listed),
            "</details>",
        ]
    if gate.notes:
        parts.append("\n".join(f"- {harmless.markdown(note)}" for note in gate.notes))
    return "\n\n".join([*parts, f"_{harmless.markdown(gate.sentences[-1])}_"]) + "\n"


def _pipes(table: Table) -> str:
    """Write a table between pipes, its bold rows in bold."""
    rows = [[*map(harmless.markdown, table.headings)]]
    rows.append([":--" if left else "--:" for left in table.left])
    for cells, bold in zip(table.rows, table.bold, strict=True):
        plain = map(harmless.markdown, cells)
        rows.append([f"**{cell}**" if cell and bold else cell for cell in plain])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def junit(gate: Gate) -> str:
    """Write JUnit XML: a test case for the verdict, and one for each dataset.

    `gate` (api.gate.Gate): what was decided.

    Returns str. The verdict fails where it is BLOCK, and is skipped where the gate cannot tell. A
    dataset fails where the new system is shown to be worse on it, but not within the margin, and is
    skipped where nothing is shown of it.
    """
    suite = ElementTree.Element("testsuite", name="replicability gate")
    case = ElementTree.SubElement(suite, "testcase", classname="gate", name="verdict")
    said = " ".join(gate.sentences)
    if gate.verdict == release.BLOCK:
        ElementTree.SubElement(case, "failure", message=_xml(said))
    elif gate.verdict == release.CANNOT_TELL:
        ElementTree.SubElement(case, "skipped", message=_xml(said))
    for row in gate.table.itertuples():
        case = ElementTree.SubElement(
            suite, "testcase", classname="gate.dataset", name=_xml(str(row.dataset))
        )
        amount = f"{gate.systems[1]} minus {gate.systems[0]}: {releases.signed(row.difference)}"
        if row.worse and not row.within:
            ElementTree.SubElement(case, "failure", message=_xml(f"{amount}, significantly worse"))
        elif not row.within:
            ElementTree.SubElement(
                case, "skipped", message=_xml(f"{amount}, not shown to be within {row.margin:g}")
            )
    counts = {"tests": "testcase", "failures": "testcase/failure", "skipped": "testcase/skipped"}
    for name, path in counts.items():
        suite.set(name, str(len(suite.findall(path))))
    ElementTree.indent(suite)
    return f"{ElementTree.tostring(suite, encoding='unicode', xml_declaration=True)}\n"


def _xml(text: str) -> str:
    """Leave out characters that XML has not."""
    return "".join(
        c if c in "\t\n" or (c >= " " and c not in "\ufffe\uffff") else "\ufffd" for c in text
    )


def page(gate: Gate) -> str:
    """Write the page of a gate, one file that is complete in itself."""
    from replicability.show.templates import environment  # which needs the extra `report`

    *said, guarantee = gate.sentences
    return (
        environment()
        .get_template("plain.html.jinja")
        .render(
            name="gate",
            title=title(gate),
            sentences=said,
            figure="",
            tables=shown(gate),
            notes=[guarantee, *gate.notes, str(gate.read)],
        )
    )
