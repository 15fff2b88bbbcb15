"""Inputs made by crossing layouts, containers and disturbances, each with what has to come of it.

Every input holds the scores of `tidy` in some layout, stored in some container, after something
happened to it. What happened either changes nothing, and the answer has to be that of the clean
table, or it has to be refused. Nothing is left to chance.
"""

import json
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import workbook
from pyarrow import feather, parquet

KEYS = ["dataset", "instance"]
SYSTEMS = ("ours", "base")
AB = {"a": "ours", "b": "base"}
SIZES = {"news": 20, "law": 18, "talks": 17}


def tidy(kind="right"):
    """Return a row for each dataset, item and system."""
    rng = np.random.default_rng(11)
    rows = []
    for place, (dataset, n) in enumerate(SIZES.items()):
        for system, share in (("ours", 0.9 - 0.1 * place), ("base", 0.4)):
            drawn = rng.uniform(size=n)
            scores = {
                "right": (drawn < share).astype(int),
                "shares": (0.6 * drawn + 0.4 * share).round(3),
                "per cent": (100 * (0.6 * drawn + 0.4 * share)).round(1),
                "counts": np.floor(9 * (0.6 * drawn + 0.4 * share)).astype(int),
            }[kind]
            rows += [(dataset, f"{dataset[0]}{k:02}", system, s) for k, s in enumerate(scores)]
    return pd.DataFrame(rows, columns=["dataset", "instance", "system", "score"])


# --- layouts -------------------------------------------------------------------------------------


def plain(values):
    """Return the values of a column with the type that they have together."""
    return pd.Series(list(values)).infer_objects()


def wide(of, systems=SYSTEMS):
    """Lay the systems beside each other."""
    sides = [
        of[of["system"] == s].drop(columns="system").rename(columns={"score": s}) for s in systems
    ]
    other = [header for header in of if header not in (*KEYS, "system", "score")]
    found = sides[0].merge(sides[1].drop(columns=other), on=KEYS, how="outer", sort=False)
    for system in systems[2:]:
        more = of[of["system"] == system][[*KEYS, "score"]].rename(columns={"score": system})
        found = found.merge(more, on=KEYS, how="outer", sort=False)
    return found[[*KEYS, *systems, *other]].assign(**{s: plain(found[s]) for s in systems})


def one_of(of, system):
    """Return the rows of a system."""
    kept = of[of["system"] == system].drop(columns="system").reset_index(drop=True)
    return kept.assign(score=plain(kept["score"]))


def matrix(of):
    """Return a row for each system and dataset, and a column for each item."""
    rows = of.set_index(["system", "dataset", "instance"])["score"].unstack()  # noqa: PD010
    return rows.reset_index().rename_axis(columns=None)


def parts_of(of):
    """Return the rows of each dataset without their name."""
    parts = of.groupby("dataset", sort=False)
    return {d: part.drop(columns="dataset").reset_index(drop=True) for d, part in parts}


LAYOUTS = {
    "wide": lambda of: {"t": wide(of)},
    "long": lambda of: {"t": of},
    "matrix": lambda of: {"t": matrix(of)},
    "two": lambda of: {s: one_of(of, s) for s in SYSTEMS},
    "folder": lambda of: {f"t/{d}": part for d, part in parts_of(wide(of)).items()},
    "folder of long tables": lambda of: {f"t/{d}": part for d, part in parts_of(of).items()},
    "folder of matrices": lambda of: {
        f"t/{d}": matrix(part.assign(dataset=d)).drop(columns="dataset")
        for d, part in parts_of(of).items()
    },
    "folders": lambda of: {
        f"{s}/{d}": part for s in SYSTEMS for d, part in parts_of(one_of(of, s)).items()
    },
}
"""Name -> function that lays scores out as tables; the names of these are those of files."""


def roots(tables):
    """Return the files or folders that hold tables, without endings."""
    return list(dict.fromkeys(name.partition("/")[0] for name in tables))


# --- containers ----------------------------------------------------------------------------------


def rows_of(table):
    """Return the rows with the values of Python."""
    return json.loads(table.to_json(orient="records", double_precision=15))


def write(table, path):
    """Store a table as the ending of the path says."""
    ending = path.suffix[1:]
    path.parent.mkdir(parents=True, exist_ok=True)
    if ending == "csv":
        table.to_csv(path, index=False)
    elif ending == "tsv":
        table.to_csv(path, index=False, sep="\t")
    elif ending == "parquet":
        parquet.write_table(pa.Table.from_pandas(table, preserve_index=False), path)
    elif ending == "feather":
        feather.write_feather(pa.Table.from_pandas(table, preserve_index=False), str(path))
    elif ending == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows_of(table)))
    elif ending == "json":
        path.write_text(json.dumps(rows_of(table)))
    elif ending == "xlsx":
        rows = table.astype(object).where(table.notna(), None).to_numpy().tolist()
        workbook.write(path, [list(table), *rows])
    else:
        raise ValueError(ending)


FILES = ("csv", "tsv", "parquet", "feather", "jsonl", "json", "xlsx")
MEMORY = {
    "frame": lambda table: table,
    "arrow": lambda table: pa.Table.from_pandas(table, preserve_index=False),
    "dictionaries": rows_of,
    "index": lambda table: table.set_index([k for k in KEYS if k in table]),
}


def stored(tables, container, folder):
    """Return what `compare` is given: tables in memory, or the paths of files or folders."""
    if container in MEMORY:
        return [MEMORY[container](table) for table in tables.values()]
    for name, table in tables.items():
        write(table, folder / f"{name}.{container}")
    places = [(folder / root, folder / f"{root}.{container}") for root in roots(tables)]
    return [one if one.is_dir() else other for one, other in places]


def containers(layout):
    """List the containers of a layout: a folder is no object in memory."""
    return FILES if "folder" in layout else (*FILES, *MEMORY)


# --- disturbances --------------------------------------------------------------------------------

SAME = "the answer of the clean table"
LIKE = "the answer of the wide frame with the same scores"


@dataclass(frozen=True)
class Disturbance:
    """What happens to scores, and what has to come of it.

    `rows` changes the rows of `tidy`, `table` each table of a layout. The outcome is `SAME`, `LIKE`
    or the pattern of a refusal; `but` has those of some layouts, None where there is no such input.
    """

    outcome: str
    rows: object = None
    table: object = None
    but: tuple = ()
    kinds: tuple = ("right", "shares", "counts")
    containers: tuple = (*FILES, *MEMORY)

    def of(self, layout):
        """Return the outcome of a layout."""
        return dict(self.but).get(layout, self.outcome)


def _but(outcome, *layouts):
    return tuple((layout, outcome) for layout in layouts)


MATRICES = ("matrix", "folder of matrices")
WIDE = ("wide", "folder")
FOLDERS = ("folder", "folder of long tables", "folder of matrices", "folders")
RNG = np.random.default_rng(8)


def cell(value):
    """Return a disturbance that puts a value into one score."""

    def change(of):
        return of.assign(
            score=pd.Series(
                [value if k == 3 else s for k, s in enumerate(of["score"])], dtype=object
            )
        )

    return change


def identifiers(a, b):
    """Return a disturbance that writes the identifiers of both systems by two functions."""

    def change(of):
        places = of.groupby(["dataset", "system"]).cumcount()
        names = [
            (a if s == "ours" else b)(i, k)
            for i, k, s in zip(of["instance"], places, of["system"], strict=True)
        ]
        return of.assign(instance=names)

    return change


def scores(write_):
    """Return a disturbance that writes the scores by a function of score, system and dataset."""

    def change(of):
        parts = zip(of["score"], of["system"], of["dataset"], strict=True)
        return of.assign(score=plain(write_(*part) for part in parts))

    return change


def column(header, value):
    """Return a disturbance that adds a column, made from the identifier."""
    return lambda of: of.assign(**{header: [value(i) for i in of["instance"]]})


def more(*rows):
    """Return a disturbance that adds rows of both systems."""
    return lambda of: pd.concat(
        [
            of,
            pd.DataFrame(
                [dict(zip(of, (*row[:2], s, row[2]), strict=True)) for row in rows for s in SYSTEMS]
            ),
        ],
        ignore_index=True,
    )


def headers(change):
    """Return a disturbance that changes headers."""
    return lambda table: table.rename(columns=change)


def kept(rule):
    """Return a disturbance that keeps rows."""
    return lambda of: of[rule(of)].reset_index(drop=True)


def index(header):
    """Return a disturbance that adds the index of pandas as a column."""
    return lambda table: pd.concat([pd.Series(range(len(table)), name=header), table], axis=1)


FAULT = r"but it must be a finite number|convert them to one type"
MISSING = rf"missing for|{FAULT}"
TWICE = r"occurs? more than once"
EMPTY = r"is empty, but every row needs one|missing for"
ALIKE = r"differ only in case or spaces"
NO_ITEM = r"each column an item, but the column '.*' (has a name that|has numbers outside)"
SINGLE = r"P-values cannot be computed from one number|only \d+ (columns of )?numbers?"
SUMS = r"aggregate of the other|is an average"
UNIT = r"lie in \[0, 1\], but those of .* reach"
PARTED = r"different values in the column|is read as one dataset, but its column"
TEXT = tuple(name for name in (*FILES, *MEMORY) if name not in ("parquet", "feather", "arrow"))
OF_ROWS = ("long", "two", "folder of long tables", "folders")
NONE = _but(None, *MATRICES)

DISTURBANCES = {
    "nothing": Disturbance(SAME),
    # order
    "rows in another order": Disturbance(
        SAME, rows=lambda of: of.sample(frac=1, random_state=3).reset_index(drop=True)
    ),
    "rows of one system in another order": Disturbance(
        SAME,
        rows=lambda of: pd.concat(
            [of[of["system"] == "ours"], of[of["system"] != "ours"][::-1]], ignore_index=True
        ),
    ),
    "columns in another order": Disturbance(
        SAME, table=lambda table: table[sorted(table, key=lambda h: h[::-1])]
    ),
    "columns from the end": Disturbance(SAME, table=lambda table: table[list(table)[::-1]]),
    # identifiers
    "a row twice": Disturbance(
        TWICE, rows=lambda of: pd.concat([of, of.iloc[[3]]], ignore_index=True), but=NONE
    ),
    "a row twice with other scores": Disturbance(
        TWICE,
        rows=lambda of: pd.concat([of, of.iloc[[3]].assign(score=0)], ignore_index=True),
        but=NONE,
    ),
    "an item twice": Disturbance(
        TWICE,
        rows=lambda of: pd.concat([of, of[of["instance"] == "n03"]], ignore_index=True),
        but=NONE,
    ),
    "all rows twice": Disturbance(
        TWICE, rows=lambda of: pd.concat([of, of], ignore_index=True), but=NONE
    ),
    "blanks around identifiers of one system": Disturbance(
        SAME,
        rows=identifiers(lambda i, k: i, lambda i, k: f"  {i} "),
        but=_but(None, *WIDE, *MATRICES),
    ),
    "two Unicode forms of identifiers": Disturbance(
        SAME,
        rows=identifiers(lambda i, k: f"\u00e9{i}", lambda i, k: f"e\u0301{i}"),
        but=_but(None, *WIDE, *MATRICES),
    ),
    "identifiers that differ in case": Disturbance(
        MISSING, rows=identifiers(lambda i, k: i, lambda i, k: i.upper())
    ),
    "zeros before the identifiers of one system": Disturbance(
        MISSING, rows=identifiers(lambda i, k: f"{k}", lambda i, k: f"{k:03}")
    ),
    "decimals in the identifiers of one system": Disturbance(
        MISSING, rows=identifiers(lambda i, k: f"{k}", lambda i, k: f"{k}.0")
    ),
    "other items for each system": Disturbance(
        MISSING, rows=identifiers(lambda i, k: f"a{i}", lambda i, k: f"b{i}")
    ),
    "numbers as identifiers": Disturbance(SAME, rows=identifiers(lambda i, k: k, lambda i, k: k)),
    "the same identifiers in all datasets": Disturbance(
        SAME, rows=identifiers(lambda i, k: f"q{k}", lambda i, k: f"q{k}")
    ),
    "dates as identifiers": Disturbance(
        SAME,
        rows=identifiers(lambda i, k: f"2024-01-{k + 1:02}", lambda i, k: f"2024-01-{k + 1:02}"),
    ),
    "sentences as identifiers": Disturbance(
        SAME,
        rows=identifiers(
            lambda i, k: f'He said: "{i}", and left; was\tit?',
            lambda i, k: f'He said: "{i}", and left; was\tit?',
        ),
        containers=tuple(n for n in (*FILES, *MEMORY) if n != "tsv"),
    ),
    "an empty identifier": Disturbance(
        EMPTY,
        rows=identifiers(
            lambda i, k: "" if i == "n03" else i, lambda i, k: "" if i == "n03" else i
        ),
        but=_but(r"header|empty|the column ''", *MATRICES),
    ),
    # what is missing
    "an item of one system": Disturbance(
        MISSING, rows=lambda of: of.drop(of.index[3]).reset_index(drop=True)
    ),
    "five items of one system": Disturbance(
        MISSING, rows=lambda of: of.drop(of.index[3:8]).reset_index(drop=True)
    ),
    "a dataset of one system": Disturbance(
        r"missing for|finite number|no row below|lacks",
        rows=kept(lambda of: (of["dataset"] != "talks") | (of["system"] != "base")),
    ),
    "a dataset of both": Disturbance(LIKE, rows=kept(lambda of: of["dataset"] != "talks")),
    "one dataset": Disturbance(LIKE, rows=kept(lambda of: of["dataset"] == "news")),
    "one item of each dataset": Disturbance(
        SINGLE, rows=kept(lambda of: of["instance"].str.endswith("00"))
    ),
    "no rows": Disturbance(
        r"no row|is empty|are empty|is of type list",
        rows=lambda of: of[:0],
        but=_but(None, *FOLDERS),
    ),
    "one system": Disturbance(
        r"system|'base'|missing|no row|a folder|no column",
        rows=kept(lambda of: of["system"] == "ours"),
        but=_but(None, *WIDE, "two", "folders"),
    ),
    # scores
    **{f"a score {value!r}": Disturbance(MISSING, rows=cell(value)) for value in (np.nan, None)},
    **{f"a score {value!r}": Disturbance(MISSING, rows=cell(value)) for value in (np.inf, -np.inf)},
    **{
        f"a score {value!r}": Disturbance(MISSING, rows=cell(value), containers=TEXT)
        for value in ("error", "n/a", " ", "\u2014", "#REF!", "1e999", "0x1", "1_0")
    },
    "per cent signs": Disturbance(
        r"write it without the percent sign", rows=scores(lambda x, s, d: f"{x}%")
    ),
    "units behind scores": Disturbance(FAULT, rows=scores(lambda x, s, d: f"{x} pt")),
    "decimal commas": Disturbance(
        r"write decimals with a point", rows=scores(lambda x, s, d: str(float(x)).replace(".", ","))
    ),
    "scores as text": Disturbance(SAME, rows=scores(lambda x, s, d: str(x))),
    "scores as text with decimals": Disturbance(SAME, rows=scores(lambda x, s, d: str(float(x)))),
    "scores with exponents": Disturbance(SAME, rows=scores(lambda x, s, d: f"{x:.6e}")),
    "blanks around scores": Disturbance(SAME, rows=scores(lambda x, s, d: f" {x}  ")),
    "truth values": Disturbance(SAME, rows=scores(lambda x, s, d: bool(x)), kinds=("right",)),
    **{
        f"truth values as {word!r}": Disturbance(
            SAME, rows=scores(lambda x, s, d, case=case: case(str(bool(x)))), kinds=("right",)
        )
        for word, case in (("True", str), ("true", str.lower), ("TRUE", str.upper))
    },
    "yes and no": Disturbance(
        FAULT, rows=scores(lambda x, s, d: "yes" if x else "no"), kinds=("right",)
    ),
    "right and wrong in words": Disturbance(
        FAULT, rows=scores(lambda x, s, d: "correct" if x else "incorrect"), kinds=("right",)
    ),
    "one system in per cent": Disturbance(
        UNIT, rows=scores(lambda x, s, d: 100 * x if s == "base" else x), kinds=("right", "shares")
    ),
    "one system in per cent on one dataset": Disturbance(
        UNIT,
        rows=scores(lambda x, s, d: 100 * x if (s, d) == ("base", "news") else x),
        kinds=("right", "shares"),
    ),
    "one dataset in per cent": Disturbance(
        LIKE, rows=scores(lambda x, s, d: 100 * x if d == "news" else x), kinds=("right", "shares")
    ),
    "the sign of one system": Disturbance(
        r"are never negative .* never positive",
        rows=scores(lambda x, s, d: -x if s == "base" else x),
    ),
    "negative scores": Disturbance(LIKE, rows=scores(lambda x, s, d: -x)),
    "one score for all": Disturbance(LIKE, rows=scores(lambda x, s, d: 1)),
    "a constant system": Disturbance(LIKE, rows=scores(lambda x, s, d: 0 if s == "base" else x)),
    # datasets and systems
    "datasets that differ in case between systems": Disturbance(
        ALIKE + "|missing|finite number|lacks",
        rows=lambda of: of.assign(
            dataset=[
                d.upper() if s == "base" else d
                for d, s in zip(of["dataset"], of["system"], strict=True)
            ]
        ),
    ),
    "two datasets that differ in case": Disturbance(
        ALIKE, rows=lambda of: of.assign(dataset=of["dataset"].replace({"law": "NEWS"}))
    ),
    "blanks around datasets": Disturbance(
        SAME,
        rows=lambda of: of.assign(
            dataset=[
                f" {d} " if s == "base" else d
                for d, s in zip(of["dataset"], of["system"], strict=True)
            ]
        ),
        but=_but(None, *WIDE, *FOLDERS),
    ),
    "an empty dataset": Disturbance(
        r"the dataset is empty",
        rows=lambda of: of.assign(dataset=of["dataset"].replace({"law": ""})),
        but=_but(None, *FOLDERS),
    ),
    "systems that differ in case": Disturbance(
        r"'ours'",
        rows=lambda of: of.assign(system=of["system"].replace({"ours": "Base"})),
        but=_but(None, "two", "folders", *WIDE),
    ),
    "a third system": Disturbance(
        SAME,
        rows=lambda of: pd.concat(
            [of, of[of["system"] == "base"].assign(system="third", score=0)], ignore_index=True
        ),
        but=_but(None, *WIDE, "two", "folders"),
    ),
    "a third system on one dataset": Disturbance(
        SAME,
        rows=lambda of: pd.concat(
            [of, of[(of["system"] == "base") & (of["dataset"] == "news")].assign(system="third")],
            ignore_index=True,
        ),
        but=_but(None, *WIDE, "two", "folders"),
    ),
    "a row of averages": Disturbance(SUMS, rows=more(("average", "all", 1))),
    "an item that is an average": Disturbance(SUMS, rows=more(("news", "Average", 1))),
    "an item that is a total": Disturbance(SUMS + "|" + NO_ITEM, rows=more(("news", "total", 1))),
    # more columns
    "seeds": Disturbance(
        TWICE,
        rows=lambda of: pd.concat([of.assign(seed=k) for k in range(3)], ignore_index=True),
        but=NONE,
    ),
    "three languages": Disturbance(
        TWICE + "|" + PARTED,
        rows=lambda of: pd.concat(
            [of.assign(language=name) for name in ("en", "de", "fr")], ignore_index=True
        ),
        but=NONE,
    ),
    "one language": Disturbance(SAME, rows=column("language", lambda i: "en"), but=NONE),
    **{
        f"a column {header}": Disturbance(
            PARTED, rows=column(header, lambda i: "pq"[int(i[1:]) % 2]), but=NONE
        )
        for header in (
            "category",
            "domain",
            "Task name",
            "eval",
            "topic",
            "Sprache",
            "t\u00e2che",
            "\u8bed\u8a00",
        )
    },
    **{
        f"a column {header}": Disturbance(
            SAME, rows=column(header, lambda i: int(i[1:]) / 7), but=NONE
        )
        for header in ("loss", "latency", "tokens", "p", "confidence", "x1")
    },
    "epochs that are all alike": Disturbance(SAME, rows=column("epoch", lambda i: 3), but=NONE),
    "documents": Disturbance(SAME, rows=column("document", lambda i: i[:2]), but=NONE),
    "comments": Disturbance(SAME, rows=column("comment", lambda i: f'x, "{i}"; y'), but=NONE),
    "times": Disturbance(SAME, rows=column("timestamp", lambda i: "2024-01-01T00:00:00"), but=NONE),
    "an empty column": Disturbance(SAME, rows=column("notes", lambda i: None), but=NONE),
    "sizes": Disturbance(
        r"has a column 'size' without a role", rows=column("size", lambda i: 12), but=NONE
    ),
    "classes called gold": Disturbance(
        SAME, rows=column("gold", lambda i: int(i[1:]) % 2), but=NONE, kinds=("right",)
    ),
    "ratings called gold": Disturbance(
        r"has a column 'gold' without a role",
        rows=column("gold", lambda i: int(i[1:]) / 3),
        but=(*NONE, ("folders", SAME)),
        kinds=("shares", "counts"),
    ),
    **{
        f"a column {header} of each system": Disturbance(
            NO_ITEM,
            table=lambda table, header=header: table.assign(
                **{header: [7, 13] * (len(table) // 2)}
            ),
            but=_but(None, *(set(LAYOUTS) - set(MATRICES))),
        )
        for header in ("seed", "params", "size", "rank", "year", "id", "latency")
    },
    "a column nobody knows of each system": Disturbance(
        NO_ITEM,
        table=lambda table: table.assign(zzz=[7, 13] * (len(table) // 2)),
        but=_but(None, *(set(LAYOUTS) - set(MATRICES))),
        kinds=("right", "shares"),
    ),
    # headers
    "headers in capitals": Disturbance(
        SAME,
        table=headers(
            lambda h: h.upper() if h in ("dataset", "instance", "system", "score") else h
        ),
        containers=tuple(n for n in (*FILES, *MEMORY) if n != "index"),
    ),
    "headers with capitals": Disturbance(
        SAME,
        table=headers(
            lambda h: h.title() if h in ("dataset", "instance", "system", "score") else h
        ),
        containers=tuple(n for n in (*FILES, *MEMORY) if n != "index"),
    ),
    "headers with blanks": Disturbance(
        SAME,
        table=headers(lambda h: f" {h} "),
        containers=tuple(n for n in (*FILES, *MEMORY) if n != "index"),
    ),
    "systems in capitals in headers": Disturbance(
        SAME, table=headers(lambda h: h.upper() if h in SYSTEMS else h)
    ),
    "German headers": Disturbance(
        r"column 'instance'|has no column|second row|suggests datasets|is read as one dataset, but its column 'Datensatz'",  # noqa: E501
        table=headers({"dataset": "Datensatz", "instance": "Beispiel", "score": "Treffer"}),
        but=(
            *_but(SAME, "folder", "folder of matrices"),
            ("matrix", r"suggests datasets; specify it with"),
        ),
        containers=FILES,
    ),
    "headers nobody knows": Disturbance(
        r"column 'instance'|has no column|second row|is read as one dataset, but its column 'zz1'",
        table=headers({"dataset": "zz1", "instance": "zz2", "score": "zz3"}),
        but=(
            *_but(SAME, "folder", "folder of matrices"),
            ("matrix", r"second row|finite number|neither"),
        ),
        containers=FILES,
    ),
    "headers with units": Disturbance(
        r"has no column|has neither a column|is not one of",
        table=headers({"score": "score (%)", "ours": "ours (%)", "base": "base (%)"}),
        but=_but(None, *MATRICES),
    ),
    "a header twice": Disturbance(
        r"2 columns are called",
        table=lambda table: pd.concat([table, table[[list(table)[-1]]]], axis=1),
        containers=("csv", "tsv", "xlsx", "frame"),
    ),
    **{
        f"a column {header!r}": Disturbance(SAME, table=index(header), but=_but(NO_ITEM, *MATRICES))
        for header in ("Unnamed: 0", "index", "level_0")
    },
    "a header repeated below": Disturbance(
        FAULT,
        table=lambda table: pd.concat(
            [table, pd.DataFrame([{h: h for h in table}])], ignore_index=True
        ),
        but=_but(SAME, "long", "folder of long tables"),
        containers=(
            "csv",
            "tsv",
            "xlsx",
            "json",
        ),
    ),
    "an empty row": Disturbance(
        r"is empty, but",
        table=lambda table: pd.concat(
            [table, pd.DataFrame([dict.fromkeys(table)])], ignore_index=True
        ),
        containers=("parquet", "json", "frame"),
        but=_but(r"is empty|finite number", *WIDE, *MATRICES),
    ),
}
"""Name -> what happens to the scores."""

BYTES = {
    "a byte order mark": (SAME, lambda b: b"\xef\xbb\xbf" + b, ("csv", "tsv", "jsonl", "json")),
    "line feeds of Windows": (SAME, lambda b: b.replace(b"\n", b"\r\n"), ("csv", "tsv", "jsonl")),
    "no line feed at the end": (SAME, lambda b: b.rstrip(b"\n"), ("csv", "tsv", "jsonl")),
    "blank lines at the end": (SAME, lambda b: b + b"\n\n", ("csv", "jsonl", "json")),
    "nothing": (r"is empty|is 0 bytes|null or length 0|incomplete", lambda b: b"", FILES),
    "half of it": (r"\.", lambda b: b[: len(b) // 2], ("parquet", "feather", "json", "xlsx")),
    "UTF-16": (
        r"UTF-16|not JSON|is not text|NUL bytes|not UTF-8",
        lambda b: b.decode().encode("utf-16"),
        ("csv", "tsv", "jsonl", "json"),
    ),
    "NUL bytes": (r"NUL bytes|not JSON", lambda b: b.replace(b"\n", b"\n\0", 1), ("csv", "tsv")),
    "noise": (r"\.", lambda b: bytes(range(128, 256)) * 9, FILES),
}
"""Name -> outcome, what happens to the bytes of each file, and containers."""


def inputs(of=DISTURBANCES):
    """Iterate over the inputs: disturbance, kind of scores, layout, container.

    All containers hold the first kind of scores of a disturbance, and two of them the others.
    """
    for name, made in of.items():
        for kind in made.kinds:
            for layout in LAYOUTS:
                for container in containers(layout):
                    rare = kind != made.kinds[0] and container not in ("csv", "frame")
                    if made.of(layout) and container in made.containers and not rare:
                        yield name, kind, layout, container


def tables(name, kind, layout):
    """Return the tables of an input, and the rows that they hold."""
    made = DISTURBANCES[name]
    rows = tidy(kind) if made.rows is None else made.rows(tidy(kind))
    laid = LAYOUTS[layout](rows)
    return (laid if made.table is None else {k: made.table(t) for k, t in laid.items()}), rows
