"""Tables of one p-value per dataset."""

import re
import unicodedata

import numpy as np
import pandas as pd
import pyarrow as pa

from replicability import checks
from replicability.checks import InputError
from replicability.io import aggregates
from replicability.io.delimited import (
    as_printed,
    columns,
    is_number,
    place,
    positions,
    read_headers,
    remedy,
)
from replicability.io.headers import named
from replicability.io.text import existing, shown

ADJUSTED = re.compile(r"adj|corrected|bonf|holm|hoch|fdr|\bbh\b", re.IGNORECASE)
"""Matches headers of adjusted p-values, which must not be counted."""

PVALUE = re.compile(
    r"p(\s+[(\[][^<>]*)?$"  # p, p (ours); but P(A>B) is a posterior, and p_correct a share
    r"|p[\W_]*(val(ue)?s?(?![a-z0-9])|(one|two|1|2)[\W_]*(sided|tailed))"
    rf"|p[\W_]+({ADJUSTED.pattern})"
    r"|pr?\s*\(?>\s*\||sig\.",  # as R, statsmodels and SPSS write
    re.IGNORECASE,
)
"""Matches headers of p-value columns."""


BESIDE_PRECISION = {"r", "rec", "recall", "f", "f1", "f-1", "f_1", "f-score", "f1-score", "fscore"}
"""Headers, in lower case, next to which P means precision."""


def read_comparison(comparison):
    """Read and check the table of p-values of a comparison.

    `comparison`: where the table lies and what its columns are called.

    Returns DataFrame. One row per dataset, in the order of the file: ``dataset`` (str), ``p_value``
    (float, in [0, 1], raised to the comparison's resolution) and, if the comparison has scores,
    ``score_a`` and ``score_b`` (float).

    Raises `InputError`: if the file or a column is missing, a dataset has no name or the name of
    another, a p-value is not a number in [0, 1], or a score is not a finite number. The message
    names file, line, column, value and rule.

    Notes
    -----
    Without a column of datasets they get the names of `numbered`; a study always names it.
    """
    texts = read_printed(comparison)
    headers = {
        name: comparison.columns[name]
        for name in ("dataset", "p_value")
        if name in comparison.columns
    }
    for system, header in zip("ab", comparison.columns.get("scores", ()), strict=False):
        headers[f"score_{system}"] = header
    frame = pd.DataFrame({name: texts[header] for name, header in headers.items()})
    if "dataset" not in headers:
        frame.insert(0, "dataset", numbered(len(frame)))
    numbers = frame.columns.drop("dataset")
    values = frame[numbers].apply(pd.to_numeric, errors="coerce")
    _refuse_faults(comparison, headers, frame, values)
    frame[numbers] = values
    place_ = f"{comparison.source}: "
    frame["p_value"] = raised(frame["p_value"].to_numpy(), comparison.resolution, place_)
    refuse_alike(comparison.file, frame["dataset"])
    if len(frame) > 2:
        aggregates.refuse_average(comparison.file, frame["dataset"][-1:])
    return chosen(comparison, frame)


def raised(values, resolution, place=""):
    """Raise p-values to the smallest one that the test could report.

    `values`: ndarray of float64, shape (n,). `resolution` (float or None): the smallest p-value, in
    [0, 1), such as 1/(B+1) of B resamples; 0 takes p-values of 0 at their word, and None refuses
    them. `place`: what stands before a message.

    Returns ndarray of float64, shape (n,). The p-values, none below the resolution; the input is
    never changed.

    Raises `InputError`: if there is no resolution and a p-value is 0.
    """
    zeros = np.flatnonzero(values == 0)
    if resolution is None and zeros.size:
        more = f" ({zeros.size} p-values are 0)" if zeros.size > 1 else ""
        raise InputError(
            f"{place}p-value {zeros[0] + 1} of {len(values)} is 0{more}, which would be infinite "
            f"evidence; set {checks.named('resolution')} to the smallest p-value that the test "
            "could report (1/(B+1) for B resamples), or to 0 to accept zeros."
        )
    return np.maximum(values, resolution) if resolution else values


def numbered(n):
    """Name n datasets that have no names, "dataset 1" to "dataset n"."""
    return [f"dataset {number}" for number in range(1, n + 1)]


def read_printed(comparison):
    """Read the columns of a table of p-values as they are printed.

    `comparison`: where the table lies, CSV, TSV or Parquet, and what its columns are called.

    Returns DataFrame of str. The columns of datasets and of scores, if there are any, and of
    p-values, under the names that the comparison gives them.

    Raises `InputError`: as `columns`, or if a column of Parquet holds lists, structures or bytes.
    """
    names = comparison.columns
    dataset = [names["dataset"]] if "dataset" in names else []
    wanted = (*dataset, *names.get("scores", ()), names["p_value"])
    table = columns(comparison.file, {header: header for header in wanted})
    return pd.DataFrame(
        {name: as_printed(comparison.file, name, table[name]).to_pandas() for name in wanted}
    ).astype(str)


def unused(comparison):
    """List the headers of a table of p-values that have no role."""
    columns_ = comparison.columns
    used = (columns_["p_value"], columns_.get("dataset", ""), *columns_.get("scores", ()))
    folded = {header.strip().casefold() for header in used}
    known = read_headers(comparison.file)
    return tuple(header for header in known if header.strip().casefold() not in folded)


def guess_pvalues(path, headers):
    """Find the column of p-values by its header.

    `path`: the file, for the message. `headers` (sequence of str): its headers.

    Returns str. The only header that begins as `PVALUE` and is not that of adjusted p-values or
    precision; ``p_value`` if there are several.

    Raises `InputError`: if there is none or several, or the headers are data.
    """
    called = [header for header in headers if PVALUE.match(header)]
    found = [header for header in called if not ADJUSTED.search(header)]
    found = [header for header in found if header.casefold() == "p_value"] or found
    precise = BESIDE_PRECISION & {header.casefold() for header in headers}
    if len(found) == 1 and not (precise and found[0].casefold() == "p"):
        return found[0]
    if not called and any(map(is_number, headers)):
        raise InputError(headless(path, headers))
    if len(found) > 1:
        raise InputError(
            f"{shown(path)}: the columns {checks.listed(found)} may each hold the p-values; "
            f"choose the right one with {checks.ways('p_value', found)}."
        )
    if found:
        why = f"next to {', '.join(sorted(precise))}, the column {found[0]!r} may hold precision"
    elif called:
        why = (
            f"the p-values in {checks.listed(called)} are adjusted, but unadjusted ones are needed"
        )
    else:
        why = "no column is called p, p_value or the like"
    cells = ", and separate the cells by commas" if len(headers) == 1 and " " in headers[0] else ""
    raise InputError(
        f"{shown(path)}: {why}, so it is unclear which column holds the p-values; specify it with "
        f"{checks.named('p_value')} (one of {checks.listed(headers)}){cells}."
    )


def headless(path, headers):
    """Say that the first line of a table is data."""
    number = next(filter(is_number, headers))
    example = "such as dataset,p" if len(headers) == 2 else "with one header for each column"
    return (
        f"{shown(path)} has {number!r} in its first line ({checks.listed(headers)}), where "
        "headers are expected, so the first dataset would be lost; add a header line above it, "
        f"{example}."
    )


def guess_dataset(path, headers, used):
    """Find the column of datasets if there is no doubt.

    `headers` (sequence of str): its headers. `used` (collection of str): headers of p-values and
    scores.

    Returns str or None. ``dataset`` if there is such a column, else the only other column of text;
    None if there is no other column, so that the datasets have no names.

    Raises `InputError`: if several hold text, or others and none does.
    """
    taken = {header.strip().casefold() for header in used}
    others = [header for header in headers if header.casefold() not in taken]
    for header in others:
        if header.casefold() == "dataset":
            return header
    if not others:
        return None
    table = columns(path, dict(zip(others, others, strict=True)))
    text = [header for header in others if _holds_text(table[header])]
    if len(text) == 1:
        return text[0]
    several = f"the columns {checks.listed(text)} hold text" if text else "no column holds text"
    raise InputError(
        f"{shown(path)}: {several}, so it is unclear which column names the datasets; specify it "
        f"with {checks.ways('dataset', text or others)}."
    )


def _holds_text(column):
    """Tell whether a column holds text that is not a number."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return False
    return not all(is_number(cell) for cell in column.to_pylist() if cell is not None)


def check_comparison(comparison):
    """Check what can be checked at once of a comparison's file, before anything runs.

    `comparison`: a table of p-values is read; of a table of items only the header is, and other
    files or folders are looked for.

    Raises `InputError`: as `read_comparison`, or if a file or a column is missing.
    """
    if comparison.level == "p-values":
        read_comparison(comparison)
    elif comparison.format == "table":
        wanted = {of: of for of in (*named(comparison.columns), *comparison.ignore)}
        if comparison.files:
            wanted.pop("system", None)
        for path in comparison.files.values() or [comparison.file]:
            file = existing(path, folder=None)
            if not file.is_dir():  # whose tables are read with the columns that all have
                positions(file, read_headers(file), wanted)
    else:
        for path in comparison.files.values():
            existing(path, folder=None)


def chosen(comparison, table, column="dataset"):
    """Return the rows of the datasets that a comparison names.

    `comparison`: its `datasets`; if it names none, all are returned. `table`: any table of the
    comparison's file. `column`: column of the datasets.

    Returns DataFrame. Rows of `table`, their index made again if some were left out.

    Raises `InputError`: if the table lacks a dataset; the message names the nearest.
    """
    if not comparison.datasets:
        return table
    known = pd.unique(table[column]).tolist()
    for dataset in comparison.datasets:
        checks.choice(f"{comparison.source}: dataset", dataset, known)
    return table[table[column].isin(comparison.datasets)].reset_index(drop=True)


def refuse_alike(place, datasets):
    """Refuse datasets whose names look alike: they differ in case, blanks or encoding only.

    `place`: file, for the message. `datasets` (iterable of str): different names.

    Raises `InputError`: if two are alike.
    """
    known = {}
    for name in datasets:
        key = "".join(_visible(name).casefold().split())
        other = known.setdefault(key, name)
        if other != name:
            hidden = _visible(other) == _visible(name)
            how = (
                "in invisible characters or the encoding of letters"
                if hidden
                else ("in case or spaces")
            )
            one, two = map(ascii if hidden else repr, (other, name))
            raise InputError(
                f"{place}: the datasets {one} and {two} differ only {how}; use one spelling if "
                "they are one dataset, and different names if they are two."
            )


def _visible(name):
    """Return a name with each letter in one encoding, and without characters of no width."""
    if name.isascii():
        return name
    letters = unicodedata.normalize("NFC", name)
    return "".join(letter for letter in letters if unicodedata.category(letter) != "Cf")


def _refuse_faults(comparison, headers, frame, values):
    """Refuse a table in which a cell breaks a rule, with the first of them by row.

    Line 1 of the file is its header; `values` are the numbers of `frame`, NaN where it has none.
    """
    broken = {
        ("dataset", "every dataset needs a name"): frame["dataset"] == "",
        (
            "p_value",
            "a p-value must be a number in [0, 1] (leave out datasets that have none)",
        ): ~values["p_value"].between(0, 1),
        **{
            (name, "a score must be a finite number"): ~np.isfinite(values[name])
            for name in values.columns.drop("p_value")
        },
        ("dataset", "each dataset may have only one row"): frame["dataset"].duplicated(),
    }
    faults = [(row, *rule) for rule, cells in broken.items() for row in np.flatnonzero(cells)]
    if not faults:
        return
    row, name, rule = min(faults, key=lambda fault: fault[0])
    value = frame.loc[row, name]
    hint = "" if name == "dataset" else remedy(value, "")
    n = len({(row, rule) for row, _, rule in faults})
    more = f"; there are {n} errors in all" if n > 1 else ""
    raise InputError(
        f"{place(comparison.file, row)}, column {headers[name]!r}: the value is {value!r}, "
        f"but {rule}{'; ' * bool(hint)}{hint}{more}."
    )
