"""Workbooks for tests, as small as Excel's can be."""

import zipfile
from xml.sax.saxutils import escape

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def write(path, *sheets, merged=()):
    """Write a workbook of sheets, lists of rows of cells; `merged` are ranges of the first."""
    with zipfile.ZipFile(path, "w") as archive:
        numbers = range(1, len(sheets) + 1)
        part = "application/vnd.openxmlformats-officedocument.spreadsheetml"
        kinds = "".join(
            f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{part}.worksheet+xml"/>'
            for n in numbers
        )
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType='
            '"application/vnd.openxmlformats-package.relationships+xml"/><Override PartName='
            f'"/xl/workbook.xml" ContentType="{part}.sheet.main+xml"/>{kinds}</Types>',
        )
        archive.writestr("_rels/.rels", _relations({"officeDocument": "xl/workbook.xml"}))
        listed = "".join(
            f'<sheet name="Sheet{n}" sheetId="{n}" r:id="worksheet{n}"/>' for n in numbers
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>',
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            _relations({f"worksheet{n}": f"worksheets/sheet{n}.xml" for n in numbers}),
        )
        for number, rows in zip(numbers, sheets, strict=True):
            body = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
            spans = "".join(f'<mergeCell ref="{span}"/>' for span in merged)
            spans = f"<mergeCells>{spans}</mergeCells>" if merged and number == 1 else ""
            archive.writestr(
                f"xl/worksheets/sheet{number}.xml",
                f'<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData>{spans}</worksheet>',
            )


def _relations(targets):
    listed = "".join(
        f'<Relationship Id="{name}" Type="{_OFFICE}/{name.rstrip("0123456789")}" '
        f'Target="{target}"/>'
        for name, target in targets.items()
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{listed}</Relationships>'


def _cell(value):
    if value is None:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f"<c><v>{value}</v></c>"
    if value.startswith("#"):
        return f'<c t="e"><v>{value}</v></c>'
    return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'
