"""The upstream files of the open study, as `data/sources.csv` lists them."""

import pandas as pd

from analysis import paths
from replicability import checks

FILE = paths.ROOT / "data" / "sources.csv"
"""One row per upstream file."""

COLUMNS = ("source", "path", "address", "bytes", "sha256", "licence", "citation")
"""Columns of the list; `data/README.md` describes sources, the bibliography has citations."""


def read():
    """Return the list of upstream files.

    Returns DataFrame. One row per file, columns `COLUMNS`: source, the group that is fetched
    together; path, the place below a mirror, ``owner/repository/commit/path``; address, empty for a
    file that has none of its own; bytes, its size; sha256, 64 hexadecimal digits; licence;
    citation, a key.
    """
    return pd.read_csv(FILE, dtype={"bytes": int}, keep_default_na=False)


def names():
    """Return the names of the sources.

    Returns list of str. In the order of the list.
    """
    return read()["source"].unique().tolist()


def rows(source):
    """Return the upstream files of a source.

    `source`: name of the source, such as "conll2018_en_ewt".

    Returns DataFrame. The rows of `read` with that source.

    Raises `InputError`: if there is no source of that name; the message names the nearest.
    """
    table = read()
    checks.choice("source", source, table["source"].unique())
    return table[table["source"] == source].reset_index(drop=True)


def files(source):
    """Return the places of the upstream files of a source.

    `source`: name of the source.

    Returns list of str. Paths relative to a mirror, or to the folder into which the source is
    fetched.

    Raises `InputError`: as `rows`.
    """
    return rows(source)["path"].tolist()
