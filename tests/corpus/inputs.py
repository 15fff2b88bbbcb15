"""Inputs that somebody may have, each with what has to come of it: an answer, or a refusal.

Each was once given to the library by somebody who had not written it. A table has the scores of
`TABLE` in another guise, and has to give its answer, or is refused by a rule.
"""
# ruff: noqa: E501

import datetime
import decimal
import uuid

import numpy as np
import pandas as pd
import pyarrow as pa

RNG = np.random.default_rng(17)
N = 20


def table(datasets=("news", "law"), n=N):
    """Return right-or-wrong scores of two systems on n items of each dataset."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {"dataset": np.repeat(datasets, n), "instance": [*range(n)] * len(datasets)}
    )
    for system, share in (("ours", 0.9), ("base", 0.4)):
        frame[system] = (rng.uniform(size=len(frame)) < share).astype(int)
    return frame


TABLE = table()
CSV = TABLE.to_csv(index=False)
AB = {"a": "ours", "b": "base"}
SAME = None
"""What is expected of a table that has to give the answer of `TABLE`."""


def text_of(**columns):
    """Return the CSV of the table with other columns."""
    return TABLE.assign(**columns).to_csv(index=False)


def mapped(of):
    """Return the CSV with other words for right and wrong."""
    return text_of(**{system: TABLE[system].map(of) for system in ("ours", "base")})


def cell(value):
    """Return the CSV with another score in one cell."""
    changed = TABLE.astype({"ours": object})
    changed.loc[3, "ours"] = value
    return changed.to_csv(index=False)


FINITE = r"line 5: the score in 'ours' is .*, but it must be a finite number"
NO_SYSTEMS = r"has (no|1) columns? of numbers that may be scores"

FILES = {
    # how text is written
    "a byte order mark": (b"\xef\xbb\xbf" + CSV.encode(), {}, SAME),
    "UTF-16": (CSV.encode("utf-16"), {}, r"is encoded in UTF-16; save it in UTF-8"),
    "Latin-1": (CSV.replace("news", "n\u00e9ws").encode("latin-1"), {}, r"line 2 is not UTF-8"),
    "semicolons": (CSV.replace(",", ";"), {}, SAME),
    "tabs": (CSV.replace(",", "\t"), {}, SAME),
    "strokes": (CSV.replace(",", "|"), {}, NO_SYSTEMS),
    "carriage returns and line feeds": (CSV.replace("\n", "\r\n"), {}, SAME),
    "carriage returns": (CSV.replace("\n", "\r"), {}, SAME),
    "blank lines": (CSV.replace("\n", "\n\n"), {}, SAME),
    "a comma at the end": (CSV.replace("\n", ",\n"), {}, SAME),
    "quotes": (TABLE.to_csv(index=False, quoting=1), {}, SAME),
    "blanks around cells": (CSV.replace(",", " , "), {}, SAME),
    "a comment above": ("# made by x\n" + CSV, {}, r"line 2 has 4 cells, but the header has 1"),
    "NUL": (CSV.replace("news", "ne\0ws"), {}, r"is not text \(it contains NUL bytes\)"),
    # what is in cells
    "truth values": (mapped({1: True, 0: False}), {}, SAME),
    "truth values in capitals": (mapped({1: "TRUE", 0: "FALSE"}), {}, SAME),
    "truth values in one column": (text_of(ours=TABLE["ours"].astype(bool)), {}, SAME),
    "truth values among numbers": (cell("True"), {}, FINITE),
    "yes and no": (mapped({1: "yes", 0: "no"}), {}, NO_SYSTEMS),
    "percent signs": (mapped({1: "100%", 0: "0%"}), {}, r"'100%', but it must be a finite number; "
    r"write it without the percent sign"),
    "decimal commas": (TABLE.assign(ours=TABLE["ours"] + 0.5, base=TABLE["base"] + 0.5).to_csv(index=False, sep=";", decimal=","), {}, r"write decimals with a point"),
    **{
        f"a cell {value}": (cell(value), {}, FINITE)
        for value in ("nan", "NaN", "inf", "-inf", "NA", "None", "null", "-", "1e400", "0x1", "1_0", "\u0661", "1,5", "12/20", "<0.1", "#DIV/0!", "")
    },
    **{f"a cell {value!r}": (cell(value), {}, SAME) for value in (" 1 ", "+1", "1e0", "1.0")},
    "whole numbers beyond 2^53": (text_of(ours=2**60, base=2**60 + 1), {}, r"are not exact"),
    "400 digits": (cell("9" * 400), {}, r"the score in 'ours' is "),
    # headers
    "the index of pandas": (TABLE.to_csv(), {}, SAME),
    "the index of pandas alone": (TABLE.drop(columns="instance").to_csv(), {}, SAME),
    "numbers as headers": (TABLE.rename(columns={"ours": "0", "base": "1"}).to_csv(index=False), {"a": "0", "b": "1"}, SAME),
    "no headers": (TABLE.to_csv(index=False, header=False), {}, r"2 columns are called '0'|headers"),
    "a header twice": (CSV.replace("ours,base", "ours,ours"), {}, r"2 columns are called 'ours'"),
    "headers in capitals": (CSV.replace("dataset,instance", "Dataset,INSTANCE"), {}, SAME),
    "swapped columns": (TABLE[["base", "instance", "ours", "dataset"]].to_csv(index=False), AB, SAME),
    # what is there
    "nothing": ("", {}, r"is empty"),
    "headers alone": ("dataset,instance,ours,base\n", {}, r"no rows below its headers"),
    "one system": (TABLE.drop(columns="base").to_csv(index=False), {}, NO_SYSTEMS),
    "an item twice": (text_of(instance=[0, 0, *range(2, N), *range(N)]), {}, r"'0' of 'news' occurs more than once"),
    "a row of totals": (CSV + "total,,36,16\n", {}, r"line 42: the instance is empty"),
    "a row of averages": (CSV + "average,all,0.9,0.4\n", {}, r"the row 'average' is an aggregate of the other rows"),
    "a macro average": (CSV + "Macro-Avg,x,0.9,0.4\n", {}, r"the row 'Macro-Avg' is an aggregate"),
    **{
        f"a row called {name}": (CSV + f"{name},x,0.9,0.4\n", {}, rf"the row '{name}' is an aggregate of the other rows")
        for name in ("All", "Grand Total", "Gesamt", "\u5e73\u5747")
    },
    **{
        f"{header} beside one system": (
            TABLE.drop(columns="base").assign(ours=RNG.uniform(size=2 * N), **{header: RNG.uniform(size=2 * N)}).to_csv(index=False), {}, NO_SYSTEMS
        )
        for header in ("confidence", "tokens", "time", "cost", "rank", "logprob", "probability", "timestamp", "temperature", "difficulty", "y_true", "y_pred", "predicted", "truth", "prediction", "latency", "total_")
    },
    **{
        f"{one} beside {two}": (
            TABLE[["dataset", "instance"]].assign(**{one: RNG.uniform(size=2 * N), two: RNG.uniform(size=2 * N)}).to_csv(index=False), {}, NO_SYSTEMS
        )
        for one, two in (("em", "f1"), ("bleu", "comet"), ("precision", "recall"), ("rouge1", "rougeL"), ("accuracy", "confidence"))
    },
    # repeats
    "folds as datasets": (pd.concat([TABLE[:N].drop(columns="dataset").assign(fold=k) for k in range(3)]).to_csv(index=False), {"dataset": "fold"}, r"'fold' identifies repeats, such as seeds or folds. Repeats are not separate datasets"),
    "seeds among the datasets": (pd.concat([TABLE.assign(seed=k) for k in range(3)]).to_csv(index=False), {"dataset": ["dataset", "seed"]}, r"'seed' identifies repeats, .* Repeats are not separate datasets"),
    "folds that nobody names": (pd.concat([TABLE.assign(fold=k) for k in range(3)]).to_csv(index=False), {}, r"occur more than once"),
    # p-values
    "p-values for scores": ("dataset,p\nx,.01\ny,.2\nz,.5\n", {}, r"seems to hold p-values"),
    "p-values beside scores": ("dataset,ours,base,p\nx,80,70,.001\ny,70,80,.001\n", {}, r"seems to hold p-values"),
}  # fmt: skip
"""Name -> content of a file, keywords, and what comes of it."""

FILES = {name: row for name, row in FILES.items() if name != "total_ beside one system"}


class Arrayed:
    """Data that become an array, as tensors do."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)

    def __len__(self):
        return len(self.values)


A, B = TABLE["ours"][:N].to_numpy(), TABLE["base"][:N].to_numpy()
KINDS = {
    "lists": list, "tuples": tuple, "truth values": lambda x: x.astype(bool), "tensors": Arrayed,
    "unmasked arrays": np.ma.array, "8 bits": lambda x: x.astype(np.uint8), "half": lambda x: x.astype(np.float16),
    "long doubles": lambda x: x.astype(np.longdouble), "big-endian": lambda x: x.astype(">f8"),
    "every other one": lambda x: np.repeat(x, 2)[::2], "text": lambda x: list(map(str, x)),
    "Arrow": pa.array, "chunks": lambda x: pa.chunked_array([x[:3], x[3:]]), "series": pd.Series,
    "categories": lambda x: pd.Series(x, dtype="category"), "nullable": lambda x: pd.Series(x, dtype="Int64"),
    "sparse": lambda x: pd.Series(x, dtype="Sparse[int]"), "objects": lambda x: x.astype(object),
    "decimals": lambda x: pd.Series([decimal.Decimal(int(value)) for value in x]),
    "memory": lambda x: memoryview(x.astype(np.uint8)),
}  # fmt: skip
"""Ways to hold numbers, all with one answer."""

ARRAYS = {
    "masked": (np.ma.masked_equal(A, 0), B, r"is masked, but every item needs a score"),
    "None": ([1, None, 0], [0, 1, 1], r"finite number"),
    "NaN": ([1, np.nan, 0], [0, 1, 1], r"finite number"),
    "an infinity": ([np.inf, 1], [0, 0], r"finite number"),
    "complex": (A * 1j, B, r"neither text nor numbers|finite number|complex"),
    "words": (["a", "b"], ["c", "d"], r"finite number"),
    "dates": (
        np.array(["2020-01-01"] * 3, "M8[D]"),
        np.array(["2020-01-02"] * 3, "M8[D]"),
        r"neither text nor numbers|dates",
    ),
    "durations": (
        np.array([1, 2], "m8[s]"),
        np.array([0, 1], "m8[s]"),
        r"neither text nor numbers|durations",
    ),
    "beyond 2^53": ([2**60, 2**61, 5], [2**60 + 1, 3, 4], r"are not exact"),
    "400 digits": ([10**400, 1], [1, 0], r"number"),
    "none": ([], [], r"empty"),
    "unequal lengths": ([1, 0], [1], r"2 scores and B has 1"),
    "two dimensions": ([A], [B], r"shape \(1, 20\)"),
    "rows of unequal length": ([[1, 0], [1]], [1, 0], r"unequal length"),
    "no dimension": (np.array(1), np.array(0), r"shape \(\)"),
    "a generator": ((x for x in A), B, r"shape|type|of"),
    "a set": ({0, 1}, B, r"shape|type|of"),
}
"""Name -> scores of A and of B, and the refusal."""

DATES = pd.to_datetime(TABLE["dataset"].map({"news": "2020-01-01", "law": "2021-01-01"}))
FRAMES = {
    "categories": (TABLE.astype({"dataset": "category"}), {}, SAME),
    "categories that do not occur": (TABLE.astype({"dataset": pd.CategoricalDtype(["law", "news", "none"])}), {}, SAME),
    "objects": (TABLE.astype(object), {}, SAME),
    "categories of scores": (TABLE.astype({"ours": "category", "base": "category"}), AB, SAME),
    "truth values": (TABLE.astype({"ours": bool, "base": bool}), {}, SAME),
    "decimals": (TABLE.assign(ours=TABLE["ours"].map(decimal.Decimal), base=TABLE["base"].map(decimal.Decimal)), {}, SAME),
    "identifiers that are floats": (TABLE.astype({"instance": float}), {}, SAME),
    "an index of two levels": (TABLE.set_index(["dataset", "instance"]), {}, SAME),
    "headers that are numbers": (TABLE.rename(columns={"ours": 0, "base": 1}), {}, SAME),
    "dictionaries": (TABLE.to_dict("records"), {}, SAME),
    "Arrow": (pa.Table.from_pandas(TABLE), {}, SAME),
    "a record batch": (pa.RecordBatch.from_pandas(TABLE), {}, SAME),
    "a column of nothing": (pa.Table.from_pandas(TABLE).append_column("x", pa.nulls(2 * N)), {}, SAME),
    "a column of structures": (pa.Table.from_pandas(TABLE).append_column("x", pa.array([{"a": 1}] * 2 * N)), {}, SAME),
    "dates as datasets": (TABLE.assign(dataset=DATES), {}, 2),
    "dates with a zone": (TABLE.assign(dataset=DATES.dt.tz_localize("UTC")), {}, 2),
    "intervals as datasets": (TABLE.assign(dataset=pd.cut(np.arange(2 * N), 2)), {}, r"categories of the column 'dataset' are"),
    "dates as scores": (TABLE.assign(ours=pd.Timestamp("2020")), AB, r"neither text nor numbers"),
    "durations as scores": (TABLE.assign(ours=pd.Timedelta(1, "s")), AB, r"neither text nor numbers"),
    "complex scores": (TABLE.assign(ours=1j), AB, r"type complex|neither text nor numbers"),
    "lists of scores": (TABLE.assign(ours=[[1]] * 2 * N), AB, r"neither text nor numbers"),
    "identifiers of two kinds": (TABLE.assign(instance=[0, "1", 2.0, *range(3, N), *range(N)]), {}, r"convert them to one type"),
    "identifiers that are missing": (TABLE.assign(instance=TABLE["instance"].where(TABLE["instance"] > 0)), {}, r"the instance is empty"),
    "tuples": (TABLE.assign(instance=[(i, 1) for i in TABLE["instance"]]), {}, r"neither text nor numbers"),
    "UUIDs": (TABLE.assign(instance=[uuid.UUID(int=i) for i in TABLE["instance"]]), {}, r"."),
    "headers of two levels": (pd.concat({"x": TABLE}, axis=1), {}, r"headers with 2 levels"),
    "a header twice": (pd.concat([TABLE, TABLE[["ours"]]], axis=1), {}, r"2 columns are called 'ours'"),
    "no row": (TABLE[:0], {}, r"has no row"),
    "no column": (pd.DataFrame(index=range(3)), {}, r"no columns of numbers|has no"),
    "groups": (TABLE.groupby("dataset"), {}, r"is of type DataFrameGroupBy"),
    "a series": (TABLE["ours"], {}, r"is of type Series"),
    "nothing": (None, {}, r"is of type NoneType"),
    "a date": (datetime.date(2020, 1, 1), {}, r"is of type date"),
    "missing scores": (TABLE.assign(base=TABLE["base"].astype("Int64").where(TABLE["instance"] > 0)), {}, r"row 0 \(from 0\): the score in 'base' is"),
}  # fmt: skip
"""Name -> a frame, keywords, and what comes of it: `SAME`, the number of datasets, or a refusal."""

PVALUES = {
    "p-values": ("dataset,p\nx,.01\ny,.2\nz,.5\n", 0),
    "an average": (
        "dataset,p\nx,.01\ny,.2\nz,.5\nAverage,.03\n",
        r"'Average' is an aggregate of the other rows",
    ),
    "percent signs": ("dataset,p\nx,1%\ny,.2\n", r"write it without the percent sign"),
    "bounds": ("dataset,p\nx,<.001\ny,.2\n", r"write the p-value itself"),
    "decimal commas": ("dataset;p\nx;0,01\ny;0,2\n", r"write decimals with a point"),
    "stars": ("dataset,p\nx,.01*\ny,.2\n", r"the value is '\.01\*'"),
    "an empty cell": ("dataset,p\nx,\ny,.2\n", r"the value is ''"),
    "words": ("dataset,p\nx,n.s.\ny,.2\n", r"the value is 'n\.s\.'"),
    "below 0": ("dataset,p\nx,-1\ny,.2\n", r"a number in \[0, 1\]"),
    "a dataset twice": ("dataset,p\nx,.01\nx,.2\n", r"each dataset may have only one row"),
    "two-sided by its header": (
        "dataset,p (two-sided)\nx,.01\ny,.2\n",
        r"holds two-sided p-values",
    ),
    "adjusted": ("dataset,p_adj\nx,.01\ny,.2\n", r"are adjusted, but unadjusted ones are needed"),
    "beside adjusted ones": ("dataset,p,p_adj\nx,.01,.03\ny,.2,.4\n", 0),
    "precision": ("dataset,P,R,F\nx,.8,.7,.75\ny,.6,.5,.55\n", r"may hold precision"),
    "of two systems": (
        "dataset,p_ours,p_base\nx,.01,.03\ny,.2,.4\n",
        r"so it is unclear which column holds the p-values",
    ),
    "logarithms": (
        "dataset,log_p\nx,-3\ny,-1\n",
        r"so it is unclear which column holds the p-values",
    ),
    "zero": ("dataset,p\nx,0\ny,.2\n", r"is 0, which would be infinite evidence"),
    "numbers as names": ("dataset,p\n1,.01\n2,.2\n", 0),
    "names behind": ("p,dataset\n.01,x\n.2,y\n", 0),
    "numbers alone": ("0.1\n0.02\n0.5\n", 0),
}
"""Name -> content of a file of p-values, and 0 or a refusal."""

COUNTED = {
    "a generator": ((p for p in [0.1]), r"type generator"),
    "a set": ({0.1, 0.2}, r"type set"),
    "percent signs": (["5%"], r"a number in \[0, 1\]"),
    "decimal commas": (["0,05"], r"a number in \[0, 1\]"),
    "truth values": ([True, False], r"truth values"),
    "masked": (np.ma.masked_equal([0.1, 0.2], 0.1), r"masked"),
    "labels twice": (pd.Series([0.1, 0.2], index=["x", "x"]), r"the name 'x'"),
    "none": ([], r"is empty"),
    "text": ("0.1", r"0\.1 does not exist"),
    "a number": (0.1, r"type float"),
    "complex": ([0.1j], r"complex"),
    "400 digits": ([10**400], r"a longer number"),
    "below every number": (["1e-400"], r"is 0, which would be infinite evidence"),
    "dictionaries": ({"x": {"p": 0.1}}, r"a number in \[0, 1\]|no number"),
    "lists": ({"x": [0.1]}, r"p-value for 'x' is not a single number"),
    "groups": (TABLE.groupby("dataset"), r"type DataFrameGroupBy"),
    "a function": (len, r"type builtin_function_or_method"),
    "bytes": (b"abc", r"type bytes"),
}
"""Name -> p-values in memory, and the refusal."""

ROWS = [list(row) for row in TABLE.itertuples(index=False, name=None)]
HEADERS = list(TABLE)
SHEETS = {
    "a sheet": ([[HEADERS, *ROWS]], (), SAME),
    "a row above the headers": (
        [[["", "", "scores", ""], HEADERS, *ROWS]],
        (),
        r"its column has no header; give the column a header",
    ),
    "merged headers": (
        [[["", "", "scores", None], HEADERS, *ROWS]],
        ("C1:D1",),
        r"its column has no header; give the column a header",
    ),
    "an empty sheet": ([[]], (), r"."),
    "headers alone": ([[HEADERS]], (), r"."),
    "two sheets": ([[HEADERS, *ROWS], [HEADERS, *ROWS]], (), r"sheets"),
}
"""Name -> sheets of a workbook, merged ranges, and what comes of it."""
