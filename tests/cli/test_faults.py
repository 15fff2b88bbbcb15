"""Faults that real files have: each is read rightly, or refused by a sentence that says what to do.

A row of `FAULTS` is a name, the case it breaks, how, and what comes out: a regular expression for
the message, or a function of the evaluated tables of the whole case and of the broken one.
"""

# ruff: noqa: E501 - a row of the table of faults is a line
import copy
import fcntl
import io
import json
import os
import re
import struct
import subprocess
import sys
import termios
import textwrap
import zipfile
from pathlib import Path

import faults
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import yaml
from pyarrow import parquet as pq

from analysis import paths
from replicability import checks, cli
from replicability.cli import flags
from replicability.core import evaluation
from replicability.io import files, instances, pvalues
from replicability.io.study import read_study

# --- the whole cases -----------------------------------------------------------------------------

PVALUES = "dataset,p,a,b\none,0.01,80.5,79\ntwo,0.6,70,71\n"
LONG = "dataset,id,system,score\n" + "".join(
    f"{dataset},{i},{system},{int((i + shift) % step > 0)}\n"
    for dataset, shift in (("news", 0), ("blogs", 1))
    for system, step in (("A", 5), ("B", 3))
    for i in range(1, 13)
)
RATED = "dataset,id,A,B,gold\n" + "".join(
    f"pairs,{i},{i + 2.25 * (i % 2)},{i + 2.5 * (i % 3)},{i}\n" for i in range(1, 13)
)
TREE = "1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\truns\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
WRONG = TREE.replace("nsubj", "obj")
LABELS = {
    "gold": "d1\tpos\nd2\tneg\nd3\tpos\nd4\tneg\n",
    "a": "d2\tneg\nd1\tpos\nd3\tpos\nd4\tneg\n",
    "b": "d1\tneg\nd2\tneg\nd3\tpos\nd4\tpos\n",
}
TAGS = {
    "gold": "She\tPRON\nruns\tVERB\n\nThey\tPRON\nsat\tVERB\n",
    "a": "She\tPRON\nruns\tVERB\n\nThey\tPRON\nsat\tVERB\n",
    "b": "She\tNOUN\nruns\tVERB\n\nThey\tNOUN\nsat\tNOUN\n",
}
SPANS = {
    "gold": "Ann NNP B-PER\nLee NNP I-PER\nran VBD O\n\nOslo NNP B-LOC\n",
    "a": "Ann B-PER\nLee I-PER\nran O\n\nOslo B-LOC\n",
    "b": "Ann B-PER\nLee O\nran O\n\nOslo B-ORG\n",
}
SEGMENTS = {
    "a": "BLEU|nrefs:1|case:mixed = 53.7 83.3/60.0 (BP = 1.000)\n" * 3
    + "BLEU|nrefs:1|case:mixed = 9\n",
    "b": "".join(f"{score}\n" for score in (22.3, 41, 30.5, 12)),
}


def log(*values, **more):
    """Return lines as lm-evaluation-harness writes them."""
    lines = (
        {"doc_id": i, "doc": {"q": "?"}, "resps": [["x"]], "acc": value, **more}
        for i, value in enumerate(values)
    )
    return "".join(json.dumps(line) + "\n" for line in lines)


ARC, PIQA = "samples_arc_easy_2024-05-01T10-00-00.5.jsonl", "samples_piqa_2024-05-01T10-01-00.jsonl"
LOGS = {
    f"a/{ARC}": log(1.0, 1.0, 0.0, 1.0), f"a/{PIQA}": log(1, 0, 1),
    f"b/{ARC}": log(0.0, 1.0, 0.0, 1.0), f"b/{PIQA}": log(1, 0, 0),
}  # fmt: skip
FOLDERS = {
    f"{side}/{name}.csv": "id,score\n" + "".join(f"x{i},{score}\n" for i, score in enumerate(scores))
    for side, name, scores in (
        ("a", "news", (0.5, 0.25, 1)), ("a", "blogs", (1, 0.75, 0.5)),
        ("b", "news", (0.25, 0.5, 0)), ("b", "blogs", (0.5, 0.25, 0.75)),
    )
}  # fmt: skip
THREE = {"gold": "gold.txt", "a": "a.txt", "b": "b.txt"}

# case -> keys of its block, and its files
CASES = {
    "p-values": (
        {"file": "p.csv", "columns": {"dataset": "dataset", "p_value": "p", "scores": ["a", "b"]}},
        {"p.csv": PVALUES},
    ),
    "long": (
        {"file": "s.csv", "columns": {"dataset": "dataset", "instance": "id", "system": "system",
                                      "score": "score"}},
        {"s.csv": LONG},
    ),
    "rated": (
        {"file": "r.csv", "columns": {"dataset": "dataset", "instance": "id", "scores": ["A", "B"],
                                      "gold": "gold"}},
        {"r.csv": RATED},
    ),
    "conllu": (
        {"format": "conllu", "files": THREE},
        {"gold.txt": TREE * 4, "a.txt": TREE * 4, "b.txt": TREE + WRONG * 3},
    ),
    "labels": (
        {"format": "labels", "files": THREE}, {f"{k}.txt": text for k, text in LABELS.items()},
    ),
    "tags": (
        {"format": "labels", "files": THREE}, {f"{k}.txt": text for k, text in TAGS.items()},
    ),
    "spans": (
        {"format": "spans", "files": THREE}, {f"{k}.txt": text for k, text in SPANS.items()},
    ),
    "lm_eval": ({"format": "lm_eval", "files": {"a": "a", "b": "b"}}, LOGS),
    "segments": (
        {"format": "segments", "files": {"a": "a.txt", "b": "b.txt"}},
        {f"{k}.txt": text for k, text in SEGMENTS.items()},
    ),
    "folders": (
        {"format": "folders", "files": {"a": "a", "b": "b"},
         "columns": {"instance": "id", "score": "score"}},
        FOLDERS,
    ),
}  # fmt: skip

# --- how to break a case -------------------------------------------------------------------------


def edit(file, old, new, times=-1):
    """Replace text in a file."""

    def change(files, block):
        assert old in files[file]
        files[file] = files[file].replace(old, new, times)

    return change


def put(file, content):
    """Give a file other content: text, bytes, or a function of its path."""
    return lambda files, block: files.update({file: content})


def recode(file, encoding, old="", new=""):
    """Store a file in another encoding."""

    def change(files, block):
        files[file] = files[file].replace(old, new).encode(encoding)

    return change


def move(file, to=None):
    """Rename or remove a file."""

    def change(files, block):
        text = files.pop(file)
        files.update({to: text} if to else {})

    return change


def keys(**changes):
    """Change keys of the block; None removes one."""

    def change(files, block):
        block.update(changes)
        for key in [key for key, value in block.items() if value is None]:
            del block[key]

    return change


def study(change):
    """Break the text of the study instead of its content."""
    change.of_text = True
    return change


def sparse(path):
    with path.open("wb") as stream:
        stream.truncate(5 << 30)


def workbook(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")


def parquet(text, **types):
    """Store a CSV table as Parquet."""
    return lambda path: pd.read_csv(io.StringIO(text)).astype(types).to_parquet(path)


def nested(path):
    """Store p-values beside columns that are neither text nor numbers."""
    table = {
        "dataset": ["one", "two"],
        "p": [0.01, 0.6],
        "lists": [[1.0], [2.0]],
        "bytes": [b"\xff", b"b"],
    }
    pd.DataFrame(table).to_parquet(path)


# --- what comes out ------------------------------------------------------------------------------


def same(whole, broken):
    """The fault makes no difference."""
    pd.testing.assert_frame_equal(broken.rows, whole.rows)


def swapped(whole, broken):
    """A and B have changed places."""
    for there, back in (("p_value", "p_reverse"), ("score_a", "score_b")):
        np.testing.assert_array_equal(whole[there], broken[back])
    np.testing.assert_allclose(broken["difference"], -whole["difference"])


def p_values(*expected):
    """The p-values are those."""
    return lambda whole, broken: np.testing.assert_array_equal(broken["p_value"], expected)


def score_b(*expected):
    """The scores of B are those."""
    return lambda whole, broken: np.testing.assert_allclose(broken["score_b"], expected)


SIX_NANS = ("nan", "NaN", "NA", "N/A", "null", "#N/A", "-")
ROW = "news,3,A,1"

FAULTS = [
    # how the file is stored
    ("byte-order mark", "p-values", recode("p.csv", "utf-8-sig"), same),
    ("Windows line ends", "p-values", edit("p.csv", "\n", "\r\n"), same),
    ("old Mac line ends", "long", edit("s.csv", "\n", "\r"), same),
    ("no newline at the end", "long", put("s.csv", LONG.rstrip()), same),
    ("blank lines", "long", edit("s.csv", "news,5,", "\n\nnews,5,"), same),
    ("UTF-16", "p-values", recode("p.csv", "utf-16"), r"p\.csv is encoded in UTF-16; save it in UTF-8"),
    ("Latin-1", "p-values", recode("p.csv", "latin-1", "two", "café"),
     r"p\.csv, line 3 is not UTF-8 \(byte 0xe9\); save the file in UTF-8"),
    ("Latin-1 in a header", "long", recode("s.csv", "latin-1", "dataset,id", "dataset,id,é"), "not UTF-8"),
    ("Latin-1 labels", "labels", recode("b.txt", "latin-1", "d2\tneg", "d2\tnég"), r"b\.txt, line 2 is not"),
    ("byte-order mark in logs", "lm_eval", recode(f"a/{ARC}", "utf-8-sig"), same),
    ("Windows line ends in labels", "labels", edit("a.txt", "\n", "\r\n"), same),
    ("byte-order mark in labels", "labels", recode("gold.txt", "utf-8-sig"), same),
    ("Windows line ends in CoNLL-U", "conllu", edit("a.txt", "\n", "\r\n"), same),
    ("byte-order mark in CoNLL-U", "conllu", recode("gold.txt", "utf-8-sig"), same),
    ("5 GB of zero bytes", "long", put("s.csv", sparse), r"s\.csv is not text \(it contains NUL "
    r"bytes\); save"),
    ("workbook", "p-values", put("p.csv", workbook), r"p\.csv is a ZIP archive.*; export the sheet as CSV"),
    ("zipped CSV", "long", put("s.csv", workbook), r"or unpack it"),
    ("gzip", "folders", put("a/news.csv", b"\x1f\x8b\x08\0abc"), r"news\.csv is compressed with gzip; unpack"),
    ("Parquet called CSV", "long", put("s.csv", parquet(LONG)), r"Parquet table; give it a name "
    r"that ends in \.parquet"),
    ("JSON given as CSV", "p-values", put("p.csv", '[{"dataset": "one", "p": 0.01}]'),
     r"p\.csv contains JSON\. If the file has a JSON object for each row, give it a name that ends in \.jsonl"),
    ("empty file", "p-values", put("p.csv", ""), r"p\.csv is empty; recreate the file"),
    ("empty labels", "labels", put("a.txt", "\n\n"), r"a\.txt is empty"),
    ("empty log", "lm_eval", put(f"b/{PIQA}", ""), r"samples_piqa.*is empty; recreate the file"),
    ("header only", "long", put("s.csv", LONG.partition("\n")[0] + "\n"), r"s\.csv has no rows below its headers"),
    # where the file lies
    ("blanks and letters in a path", "p-values",
     lambda files, block: (move("p.csv", "meine Größen/p é.csv")(files, block),
                           keys(file="meine Größen/p é.csv")(files, block)), same),
    ("folder for a file", "p-values", keys(file="folder"), r"folder is a folder; give a file instead"),
    ("file for a folder", "folders", keys(files={"a": "a/news.csv", "b": "b"}),
     r"news\.csv is a file, but other paths of the comparison are folders"),
    ("missing file", "long", keys(file="S.csv"), r"S\.csv does not exist; did you mean 's\.csv'\?"),
    ("link to nothing", "p-values", put("p.csv", lambda path: path.symlink_to("gone.csv")),
     r"p\.csv is a link to a file that does not exist; correct the link"),
    ("hidden files", "folders", put("a/.DS_Store", b"\0\1"), same),
    ("dataset for one system only", "folders", move("b/blogs.csv"),
     r"/b lacks 'blogs'\. Every dataset needs a file of the same name in each folder; add or"),
    ("file names in another case", "folders", move("b/blogs.csv", "b/Blogs.csv"),
     r"/a lacks 'Blogs'; .*/b lacks 'blogs'"),
    ("one dataset twice", "folders", put("a/news.tsv", "id\tscore\n"), r"both 'news\.csv' and 'news\.tsv'"),
    ("empty folders", "folders", lambda files, block: [files.pop(name) for name in FOLDERS],
     r"contain no files; give folders with one file per dataset"),
    # headers and columns
    ("header in another case", "p-values", edit("p.csv", "dataset,p", "Dataset,P"), same),
    ("header with blanks", "long", edit("s.csv", "id,system", " id , system "), same),
    ("two headers alike", "long", edit("s.csv", "id,system,score", "ID,system,Score,SCORE"),
     r"s\.csv: 2 columns are called 'score'; give each its own header"),
    ("scores that are lists", "long",
     lambda files, block: (put("s.parquet", lambda path: pd.read_csv(io.StringIO(LONG)).assign(
         score=lambda t: [[x] for x in t["score"]]).to_parquet(path))(files, block), keys(file="s.parquet")(files, block)),
     r"s\.parquet: the column read as 'score' holds list<.*>, which is neither text nor numbers; choose"),
    ("scores that are bytes", "long",
     lambda files, block: (put("s.parquet", lambda path: pd.read_csv(io.StringIO(LONG)).assign(
         score=lambda t: [b"\xff" for x in t["score"]]).to_parquet(path))(files, block), keys(file="s.parquet")(files, block)),
     r"s\.parquet: the column read as 'score' holds binary, which is neither"),
    *((f"{column} that are lists", "long",
       lambda files, block, column=column: (put("s.parquet", lambda path: pd.read_csv(io.StringIO(LONG)).assign(
           **{column: [["x"]] * 48}).to_parquet(path))(files, block), keys(file="s.parquet")(files, block)),
       r"s\.parquet: the column read as '(dataset|instance|system)' holds list<.*>, which is neither")
      for column in ("dataset", "id", "system")),
    ("Parquet instead of CSV", "long",
     lambda files, block: (put("s.parquet", parquet(LONG))(files, block),
                           keys(file="s.parquet")(files, block)), same),
    ("p-values in Parquet", "p-values",
     lambda files, block: (put("p.parquet", parquet(PVALUES))(files, block),
                           keys(file="p.parquet")(files, block)), same),
    ("header misspelt", "long", edit("s.csv", "score", "scroe", 1), r"column 'score' .*did you mean 'scroe'\?"),
    ("semicolons", "long", edit("s.csv", ",", ";"), same),
    ("tabs in .csv", "p-values", edit("p.csv", ",", "\t"), same),
    ("commas in .tsv", "p-values",
     lambda files, block: (move("p.csv", "p.tsv")(files, block), keys(file="p.tsv")(files, block)), same),
    ("cell too many", "long", edit("s.csv", "news,1,A,1", "news,1,A,1,1"), r"s\.csv, line 2 has 5 cells, but"),
    ("cell too few", "long", edit("s.csv", ROW, "news,3,A"), r"s\.csv, line 4 has 3 cells, but the header has 4"),
    ("blank lines before a fault", "long", edit("s.csv", ROW, "\n\nnews,3,A,x"), r"s\.csv, line 6: the score"),
    ("quoted newline before a fault", "p-values", edit("p.csv", "one,0.01", '"o\nne",2'), r"p\.csv, line 3, column 'p'"),
    # numbers
    ("decimal commas between semicolons", "p-values",
     lambda files, block: files.update({"p.csv": PVALUES.replace(",", ";").replace("0.", "0,")}),
     r"line 2, column 'p': the value is '0,01', .*; write decimals with a point"),
    ("decimal commas between commas", "p-values", edit("p.csv", "0.01", "0,01"),
     r"p\.csv, line 2 has 5 cells, but the header has 4; .*\(write decimals with a point\)"),
    ("per cent", "p-values", edit("p.csv", "80.5", "80.5%"), r"column 'a': .*write it without the percent sign"),
    ("thousands", "p-values", edit("p.csv", "80.5", '"1,080.5"'), r"column 'a': .*write it without commas"),
    ("empty cell", "long", edit("s.csv", ROW, "news,3,A,"), r"s\.csv, line 4: the score is ''.*leave the item"),
    *((f"{nan} in a score", "long", edit("s.csv", ROW, f"news,3,A,{nan}"),
       rf"s\.csv, line 4: the score is '{nan}'")
      for nan in SIX_NANS),
    ("NaN in Parquet", "long",
     lambda files, block: (put("s.parquet", parquet(LONG.replace(ROW, "news,3,A,")))(files, block),
                           keys(file="s.parquet")(files, block)), r"s\.parquet, row 3: the score is nan"),
    ("infinity", "long", edit("s.csv", ROW, "news,3,A,inf"), r"line 4: the score is 'inf'"),
    ("NaN in a log", "lm_eval", put(f"a/{PIQA}", log(1, 0, float("nan"))), r"piqa.*, line 3: 'acc' is nan, but"),
    ("text in numbers", "long", edit("s.csv", ROW, "news,3,A,right"), r"line 4: the score is 'right'"),
    ("true and false", "long",
     lambda files, block: files.update({"s.csv": "".join(
         line[:-1] + ("True" if line[-1] == "1" else "False") + "\n" if i else line + "\n"
         for i, line in enumerate(LONG.splitlines()))}), same),
    ("true among numbers", "long", edit("s.csv", ROW, "news,3,A,true"), r"line 4: .*write 1 and 0, or only true and"),
    ("true and false in logs", "lm_eval", put(f"b/{PIQA}", log(True, False, False)), same),
    ("p-value above 1", "p-values", edit("p.csv", "0.6", "1.6"), r"line 3, column 'p': the value is '1.6'"),
    ("p-value as a bound", "p-values", edit("p.csv", "0.01", "<0.001"), r"'<0.001', .*write the p-value itself"),
    ("p-value 0", "p-values", edit("p.csv", "0.01", "0"), r"p.csv: p-value 1 of 2 is 0, .* the key 'resolution'"),
    ("p-value 0 at its word", "p-values",
     lambda files, block: (edit("p.csv", "0.01", "0")(files, block), block.update(resolution=0)), p_values(0, 0.6)),
    ("p-value 1e-7", "p-values", edit("p.csv", "0.01", "1e-7"), p_values(1e-7, 0.6)),
    ("two-sided p-values", "p-values",
     lambda files, block: (edit("p.csv", ",p,", ",p (two-sided),")(files, block),
                           block["columns"].update(p_value="p (two-sided)")),
     r"holds two-sided p-values, .*add sided: two and the score columns"),
    ("shares beside per cent", "folders",
     put("a/news.csv", "id,score\nx0,50\nx1,25\nx2,100\n"),
     r"dataset 'news': The scores of B lie in \[0, 1\], but those of A reach 100; score"),
    ("decimal commas of three places", "p-values",
     lambda files, block: files.update({"p.csv": PVALUES.replace(",", ";").replace("0.01", "0,001")}),
     r"column 'p': the value is '0,001', .*; write decimals with a point"),
    ("two-sided p-values in one word", "p-values",
     lambda files, block: (edit("p.csv", ",p,", ",p_two_sided,")(files, block),
                           block["columns"].update(p_value="p_two_sided")), r"holds two-sided p-values"),
    ("two separators", "p-values",
     lambda files, block: (put("p.csv", "dataset;p,b\none;0,01\n")(files, block),
                           block.update(columns={"dataset": "dataset", "p_value": "b"})),
     r"The columns of .*p\.csv could be separated by commas or semicolons; use only one of these"),
    ("a second mark in the header only", "p-values",
     lambda files, block: (edit("p.csv", ",p,", ",p; one-sided,")(files, block),
                           block["columns"].update(p_value="p; one-sided")), same),
    ("no header", "p-values", put("p.csv", "one,0.01,80,79\ntwo,0.6,70,71\n"),
     r"p\.csv has no column 'dataset'\. Its first line \(one, 0\.01, 80, 79\) looks like data"),
    ("a cell of a million letters", "p-values", edit("p.csv", "one,", f"{'o' * 10**6},"), p_values(0.01, 0.6)),
    ("a long cell before a fault", "p-values", edit("p.csv", "one,0.01", f"{'o' * 10**6},2"), r"p\.csv, line 2, column 'p'"),
    ("a long header", "p-values", edit("p.csv", "p,a,b", f"p,a,b,{'c' * 2 * 10**5}"), r"line 2 has 4 cells, but the header has 5"),
    ("lists in Parquet that are not read", "p-values",
     lambda files, block: (put("p.parquet", nested)(files, block), keys(
         file="p.parquet", columns={"dataset": "dataset", "p_value": "p"})(files, block)), p_values(0.01, 0.6)),
    ("lists in Parquet that are read", "p-values",
     lambda files, block: (put("p.parquet", nested)(files, block), keys(
         file="p.parquet", columns={"dataset": "dataset", "p_value": "lists"})(files, block)),
     r"p\.parquet: the column 'lists' holds list<.*>, which is neither text nor numbers; choose another"),
    ("bytes in Parquet", "p-values",
     lambda files, block: (put("p.parquet", nested)(files, block), keys(
         file="p.parquet", columns={"dataset": "bytes", "p_value": "p"})(files, block)),
     r"p\.parquet: the column 'bytes' holds binary"),
    ("a pipe", "p-values", put("p.csv", os.mkfifo), r"p\.csv is a pipe or a device, which cannot be read twice"),
    ("a pipe in a folder", "folders", put("a/news.csv", os.mkfifo), r"/a lacks 'news'"),
    ("a name of 5,000 letters", "p-values", keys(file="p" * 5000), r"\.\.\. \([\d,]+ letters\) cannot be read \(File name"),
    ("a zero byte in a path", "p-values", keys(file="p\0.csv"), r"p\\x00\.csv cannot be read \(no file can have this name\); choose another"),
    ("0 and 1 beside 0 and 100", "long", edit("s.csv", ",B,1", ",B,100"),
     r"s\.csv, dataset 'news': The scores of A lie in \[0, 1\], but those of B reach 100; score"),
    ("0 and 1 beside 0 and 100 in logs", "lm_eval", lambda files, block: files.update(
        {name: text.replace('c": 1', 'c": 100') for name, text in files.items() if name.startswith("a/")}),
     r"The scores of B lie in \[0, 1\], but those of A reach 100"),
    ("0 and 1 beside -1 and 1", "long", edit("s.csv", ",B,0", ",B,-1"), r"of A are 0 and 1, but those of B are -1 and 1; score"),
    ("sign turned round", "folders", lambda files, block: files.update(
        {name: text.replace(",", ",-").replace(",-s", ",s") for name, text in files.items() if name.startswith("b/")}),
     r"of A are never negative .*, but those of B are never positive .*same metric and sign"),
    ("log-likelihoods beside right and wrong", "segments", lambda files, block: files.update(
        {"a.txt": "1\n0\n1\n1\n", "b.txt": "-2.5\n-0.1\n-3\n-1\n"}), r"never positive \(down to -3\)"),
    ("score above its size", "folders", lambda files, block: (
        files.update({name: text.replace("score", "score,size").replace("\nx", ",2\nx").replace("size,2", "size") .rstrip() + ",2\n"
                      for name, text in files.items()}),
        edit("b/news.csv", "x1,0.5", "x1,3")(files, block), block["columns"].update(size="size")),
     r"b/news\.csv: item 'x1' of 'news' has the score 3 and the size 2, but no score can exceed its size"),
    ("score above its size in one table", "long", lambda files, block: (
        edit("s.csv", "\n", ",1\n")(files, block), edit("s.csv", "score,1", "score,size")(files, block),
        edit("s.csv", "news,3,A,1", "news,3,A,1.5")(files, block), block["columns"].update(size="size")),
     r"s\.csv: item '3' of 'news' has the score 1\.5 and the size 1"),
    *((f"column called {name}", "long", lambda files, block, name=name: (
        edit("s.csv", "score", name)(files, block), block["columns"].update(score=name)),
       rf"s\.csv: the name suggests that a lower '{name}' is better; declare this with "
       r"higher_is_better: false, or")
      for name in ("ppl", "Loss", "WER", "error_rate")),
    ("shares beside per cent, beside p-values", "p-values", put("p.csv", "dataset,p,a,b\none,0.01,80.5,0.79\ntwo,0.6,70,0.71\n"),
     r"p\.csv: The scores of B lie in \[0, 1\], but those of A reach 80\.5; score"),
    ("error rates beside p-values", "p-values", keys(score="TER (%)"), r"a lower 'TER \(%\)' is better"),
    ("one table of several tasks in the format folders", "folders", lambda files, block: (
        files.update({f"{side}.csv": "task,id,score\n" + "".join(f"t{i % 2},{i},{i % step}\n" for i in range(12))
                      for side, step in (("a", 2), ("b", 3))}), keys(files={"a": "a.csv", "b": "b.csv"})(files, block)),
     r"a\.csv is read as one dataset, but its column 'task' has 2 different values, such as 't0', "
     r"'t1'; split the table with by: task"),
    # identifiers and names
    ("duplicate identifier", "long", edit("s.csv", "news,2,A", "news,1,A"),
     r"s\.csv: '1' of 'news' occurs"),
    ("duplicate identifier in labels", "labels", edit("a.txt", "d2", "d1"), r"a\.txt: 'd1' of 'gold' occurs more"),
    ("duplicate document", "lm_eval", put(f"a/{PIQA}", log(1, 0, 1) + log(1)), r"'0' of 'piqa' occurs more"),
    ("dataset twice", "p-values", edit("p.csv", "two", "one"), r"line 3, .*'one', but each dataset may have only one row"),
    ("identifiers with blanks around", "long", edit("s.csv", "news,2,", "news, 2 ,"), same),
    ("identifiers with blanks inside", "long", edit("s.csv", "news,2,", "news,2 b,"), same),
    ("1 and 1.0", "folders", edit("b/news.csv", "x1", "1.0"), r"'1.0' of 'news' is missing for A, which has 'x1' inst"),
    ("1 and 01", "long", edit("s.csv", "news,1,B", "news,01,B"),
     r"'01' of 'news' is missing for A, which has '1' instead; score both systems on the same items"),
    ("instance for one only", "long", edit("s.csv", "blogs,7,B,1\n", ""), r"'7' of 'blogs' is missing for B; score both"),
    ("document for one only", "lm_eval", put(f"b/{PIQA}", log(1, 0)), r"b/samples_piqa.*'2' of 'piqa' is missing for B"),
    ("dataset for one only", "long",
     lambda files, block: files.update({"s.csv": "".join(
         line for line in LONG.splitlines(True) if not (line.startswith("blogs") and ",B," in line))}),
     r"s\.csv: the dataset 'blogs' is missing for B; score every system on every dataset, or select"),
    ("empty dataset", "long", edit("s.csv", ROW, ",3,A,1"), r"s\.csv, line 4: the dataset is empty, .*; fill it in"),
    ("datasets that differ by case", "p-values", edit("p.csv", "two", "ONE"), r"'one' and 'ONE' differ only in case or"),
    ("datasets that differ by blanks", "p-values", edit("p.csv", "two", "o ne"), r"'one' and 'o ne' differ only in case or"),
    ("blanks around datasets", "long", edit("s.csv", "blogs,3", " blogs ,3"), same),
    ("unknown system", "long", keys(systems=["A", "b"]), r"s\.csv: system 'b' is not one of A, B"),
    ("datasets that differ by encoding", "p-values",
     lambda files, block: files.update({"p.csv": PVALUES.replace("one", "\u00e9").replace("two", "e\u0301")}),
     r"the datasets '\\xe9' and 'e\\u0301' differ only in invisible characters or the encoding of letters"),
    ("datasets that differ by what is not seen", "p-values", edit("p.csv", "two", "o\u200bne"), r"'o\\u200bne' differ only in invisible"),
    ("unknown dataset", "long", keys(datasets=["news", "blog"]), r"dataset 'blog' .*did you mean 'blogs'\?"),
    ("systems swapped between files", "lm_eval", keys(files={"a": "b", "b": "a"}), swapped),
    ("one file for both systems", "lm_eval", keys(files={"a": "a", "b": "a"}), r"both systems are read from"),
    # formats
    ("prediction not in gold", "labels", edit("b.txt", "d1\tneg", "d1\tneutral"), same),
    ("label missing", "labels", edit("b.txt", "d1\tneg", "d1"), r"b\.txt, line 1 is 'd1', but each line must consist of an identifier"),
    ("label header", "labels", lambda files, block: files.update(
        {name: "id\tlabel\n" + text for name, text in files.items() if name.endswith(".txt")}),
     r"gold\.txt, line 1 looks like a header"),
    *((f"label header {first} {second}", "labels", lambda files, block, header=f"{first}\t{second}\n": files.update(
        {f"{side}.txt": header + text for side, text in LABELS.items()}),
       rf"gold\.txt, line 1 looks like a header \('{first}', '{second}'\); delete it from all three")
      for first, second in (("text", "label"), ("sentence_id", "sentiment"), ("Tweet ID", "Gold-Label"), ("Satz", "Klasse"))),
    ("label header that differs", "labels", lambda files, block: files.update(
        {f"{side}.txt": f"doc\t{header}\n{LABELS[side]}" for side, header in
         (("gold", "gold"), ("a", "system_output"), ("b", "prediction"))}), r"gold\.txt, line 1 looks like a header"),
    ("header of tags", "tags", lambda files, block: files.update(
        {f"{side}.txt": f"token\tupos\n{text}" for side, text in TAGS.items()}), r"line 1 looks like a header"),
    ("first item with a rare label", "labels", lambda files, block: files.update(
        {f"{side}.txt": f"d0\trare\n{text}" for side, text in LABELS.items()}), score_b(3 / 5)),
    ("gold missing", "labels", keys(files={"a": "a.txt", "b": "b.txt"}), r"the format 'labels' needs a, b, gold; give"),
    ("gold lacks an item", "labels", edit("gold.txt", "d4\tneg\n", ""), r"'d4' of 'gold' is missing for the gold standard"),
    ("gold where none belongs", "segments", keys(files=THREE), r"the format 'segments' needs a, b; give a file"),
    ("other words", "tags", edit("b.txt", "They", "Thy"),
     r"b\.txt, line 4 has the word 'Thy', but .*gold\.txt, line 4 has 'They'\. Both files must have .* in the same order. Copy the gold word where only the spelling"),
    ("sentence missing", "tags", edit("a.txt", "\nThey\tPRON\nsat\tVERB\n", ""), r"a\.txt has 1 sentences, but .*gold"),
    ("word missing", "spans", edit("a.txt", "ran O\n", ""), r"a\.txt, line 1: sentence 1 has 2 words, but it has 3 in"),
    ("blank lines at the end", "spans", edit("b.txt", "B-ORG\n", "B-ORG\n\n\n"), same),
    ("bad tag", "spans", edit("b.txt", "B-ORG", "ORG"), r"b\.txt, line 5: the tag is 'ORG'; write 'O', or"),
    ("only one column", "spans", edit("b.txt", "ran O", "ran"), r"b\.txt, line 3 is 'ran', but each line must consist of a word"),
    ("inside tags without a beginning", "spans", edit("b.txt", "B-ORG", "I-ORG"), same),
    ("another text", "conllu", edit("b.txt", "runs", "walks"),
     r"b\.txt, line 2 has 'walks.*gold\.txt, line 2 has 'runs.*so words cannot be aligned"),
    ("no blank line at the end", "conllu", put("a.txt", (TREE * 4)[:-1]), r"a\.txt ends in the middle of a sentence, at line 11;"),
    ("another segmentation", "conllu",
     put("b.txt", TREE * 3 + TREE.replace("\tShe\t", "\tSh\t").replace("\n2\truns", "\n2\te\t_\tX\t_\t_\t1\tdep\t_\t_\n3\truns")
         .replace("\t2\tnsubj", "\t3\tnsubj")), score_b(7 / 8)),
    ("line cut off", "lm_eval", put(f"a/{PIQA}", log(1, 0, 1)[:-20]), r"piqa.*, line 3"),
    ("line that is no object", "lm_eval", put(f"a/{PIQA}", log(1, 0) + "[1]\n"), r"piqa.*, line 3 is '\[1\]', but"),
    ("no doc_id", "lm_eval", edit(f"a/{PIQA}", '"doc_id": 1', '"docid": 1'), r"line 2 has no 'doc_id'; did you mean 'docid'"),
    ("metric missing in one file", "lm_eval", edit(f"b/{PIQA}", '"acc"', '"em"'),
     r"b/samples_piqa.*, line 1 has no 'acc'; every line of a log must have it, .* You can also use the key 'datasets' to choose the tasks that have this metric"),
    ("several metrics", "lm_eval", lambda files, block: files.update(
        {name: text.replace('"acc"', '"em": 1, "f1"') for name, text in files.items() if name in LOGS}),
     r"samples_arc_easy.* has the metrics em, f1; choose one with metric: em or metric: f1"),
    ("metric of which less is better", "lm_eval", keys(metric="perplexity"), r"a lower 'perplexity' is better"),
    ("several filters", "lm_eval",
     put(f"a/{PIQA}", log(1, 0, 1, filter="strict-match") + log(1, 1, 1, filter="flexible-extract")),
     r"piqa.* has the filters strict-match, flexible-extract; choose one with filter: strict-match or filter: flexible-extract"),
    ("several runs", "lm_eval", put("a/samples_piqa_2024-06-01T10-01-00.jsonl", log(1, 1, 1)),
     r"/a has several runs of 'piqa', .*keep one of them, or give the folder of one model"),
    ("other documents", "lm_eval", lambda files, block: files.update(
        {f"a/{PIQA}": log(1, 0, 1, doc_hash="x"), f"b/{PIQA}": log(1, 0, 0, doc_hash="y")}),
     r"document 0 of 'piqa' differs from the one in .*run both models on the same version of the task"),
    *((f"metric called {name}", "lm_eval", keys(metric=name), rf"a lower '{name}' is better")
      for name in ("ppl", "loss", "Word_Perplexity", "bits_per_byte")),
    ("metric that is no metric", "lm_eval", keys(metric="doc_id"),
     r"samples_arc_easy.* has the metrics acc, and 'doc_id' is not a metric; choose one with metric: acc"),
    ("doc_hash that is a number", "lm_eval", lambda files, block: files.update(
        {name: text.replace('"doc"', '"doc_hash": 7, "doc"') for name, text in files.items() if name in LOGS}), same),
    ("doc_hash that is another number", "lm_eval", lambda files, block: files.update(
        {name: text.replace('"doc"', f'"doc_hash": {7 + (name[0] == "a")}, "doc"') for name, text in files.items() if name in LOGS}),
     r"document 0 of 'arc_easy' differs from the one in"),
    ("doc_id that is text", "lm_eval", lambda files, block: files.update(
        {name: text.replace('"doc_id": 1', '"doc_id": "d1"') for name, text in files.items() if name in LOGS}), same),
    *((f"{key} that is {name}", "lm_eval", put(f"a/{PIQA}", log(1, 0, 1, **{key: value})),
       rf"a/samples_piqa.*, line 1: '{key}' is {shown}")
      for key, name, value, shown in (
          ("filter", "a list", ["x"], r"\['x'\], but it must be text or a whole number; recreate the "
          r"file"),
          ("filter", "a lone surrogate", "\ud800", r"'\\ud800', but"),
          ("doc_hash", "an object", {"x": 1}, r"\{'x': 1\}, but"),
          ("doc_id", "null", None, "None, but"), ("doc_id", "a fraction", 0.5, "0.5, but"),
          ("acc", "a long integer", 10**400, "a longer number"),
          )),
    ("acc that is a list", "lm_eval", put(f"a/{PIQA}", log(1, 0) + log([1] * 100)),
     r"a/samples_piqa.*, line 3: 'acc' is \[1, 1, .*\.\.\."),
    ("log that is nested too deep", "lm_eval", put(f"a/{PIQA}", "[" * 100_000),
     r"a/samples_piqa.*, line 1 is not .*\(its brackets are nested too deeply\)"),
    ("logs in the format folders", "lm_eval", keys(format="folders", columns={"instance": "doc_id", "score": "acc"}),
     r"/a holds logs of lm-evaluation-harness, such as 'samples_arc_easy.*; write format: lm_eval"),
    ("folder without logs", "lm_eval", keys(files={"a": "a", "b": "folder"}), r"no file samples_<task>_<time>\.jsonl"),
    ("segment missing", "segments", edit("b.txt", "41\n", ""), r"b\.txt has 3 segments, but .*a\.txt has 4; score both"),
    ("two scores of a segment", "segments", edit("b.txt", "41", "41 7"), r"line 2: the score is '41 7', but a line must be one"),
    ("segment empty", "segments", edit("b.txt", "41\n", "\n"), r"b\.txt, line 2: the score is ''"),
    ("other signature", "segments", put("b.txt", "chrF2|nrefs:1 = 4\n" * 4), r"has the signature 'chrF2\|nrefs:1', but"),
    ("two signatures", "segments", edit("a.txt", "mixed = 9", "lc = 9"), r"keep only the lines of "
    r"one metric"),
    ("error rate", "segments", put("b.txt", "TER|nrefs:1 = 4\n" * 4), r"a lower 'TER' is better"),
    ("scores in JSON", "segments", put("b.txt", '[22.3, {"name": "x", "score": 1}]'), r"keep only "
    r"the lines of one metric"),
    ("scores nested too deep", "segments", put("b.txt", "[" * 100_000), r"b\.txt is not .*\(its brackets"),
    ("a score of 400 digits", "segments", put("b.txt", f"[22.3, {10**400}, 30.5, 12]"), r"line 2: the score is a longer"),
    ("score that is a list", "segments", put("b.txt", "[22.3, [41], 30.5, 12]"), r"b\.txt, line 2: the score is \[41\], but"),
    ("scores in a JSON list", "segments", put("b.txt", "[22.3, 41, 30.5, 12]"), same),
    # the study
    ("tab in the study", "long", study(edit("study.yaml", "  - name", "\t- name")), r"study\.yaml, line \d+ has a tab, but YAML is indented with spaces"),
    ("key misspelt", "long", keys(dependance="independent"), r"unknown key 'dependance' .*did you mean 'dependence'\?"),
    ("key twice", "long", study(edit("study.yaml", "study: mine", "study: mine\nstudy: yours")), r"line "
    r"\d+ .*'study' occurs twice; keep only one"),
    ("control character", "long", study(edit("study.yaml", "study: mine", "study: 'mine\x07'")), r"study\.yaml, line \d+ is not valid YAML: the character"),
    ("study in Latin-1", "long", study(recode("study.yaml", "latin-1", "mine", "mine # é")), r"study\.yaml, line \d+ is not"),
    ("alpha of 5", "long", study(edit("study.yaml", "0.05", "5")), r"alphas\[0\] is 5, but a level of significance must be above 0 and at most 0\.5"),
    ("name that is not text", "long", keys(systems=["A", False]), r"systems\[1\] is False, .*put numbers and words such as no"),
    ("unknown test", "long", keys(test="mc_nemar"), r"test 'mc_nemar' .*did you mean 'mcnemar'\?"),
    ("test for other scores", "folders", keys(test="mcnemar"), r"dataset '\w+': Score \d of system A is 0\.\d+, but mcnemar"),
    ("test without gold", "long", keys(test="steiger"), r"needs gold ratings; name them with the key 'gold', or choose another test"),
    ("option misspelt", "long", keys(test="wilcoxon", options={"zero_metod": "pratt"}), r"did you mean 'zero_method'\?"),
    ("option that is set", "long", keys(options={"alternative": "less"}), r"'alternative', but both directions are always computed"),
    ("resolution of items", "long", keys(resolution=0.001), r"the key 'resolution' applies to p-values that you provide"),
    ("unknown format", "labels", keys(format="label"), r"format 'label' .*did you mean 'labels'\?"),
    ("unknown metric", "conllu", keys(metric="clas"), r"metric 'clas' is not one of las, uas, upos; did you mean 'las'"),
    ("file instead of files", "labels", keys(files=None, file="a.txt"), r"the format 'labels' needs the key 'files', which is missing"),
    ("metric of a table", "long", keys(metric="las"), r"the metric 'las' compares predictions with gold labels"),
    ("one column for both systems", "rated", keys(
        columns={"dataset": "dataset", "instance": "id", "scores": ["A", "A"], "gold": "gold"}), r"two different columns"),
    ("one column twice", "rated", keys(
        columns={"dataset": "id", "instance": "id", "scores": ["A", "B"]}), r"the column 'id' is used for two roles; specify a separate column"),
    *((f"{key} is {value}", "p-values", study(edit("study.yaml", old, new)),
       rf"study\.yaml: {re.escape(key)} is {said}, but numbers must be finite; correct it\.")
      for value, said in ((".nan", "nan"), (".inf", "inf"), ("-.INF", "-inf"), ("1e999", "inf"))
      for key, old, new in (
          ("alphas[1]", "[0.05]", f"[0.05, {value}]"),
          ("comparisons[0].resolution", "    dependence", f"    resolution: {value}\n    dependence"),
          ("comparisons[0].options.x", "    dependence", f"    options: {{x: {value}}}\n    dependence"),
          ("toy_simulations.seed", "study: mine", f"study: mine\ntoy_simulations: {{seed: {value}}}"))),
    ("1e-5 in a study", "p-values",
     lambda files, block: (edit("p.csv", "0.01", "0")(files, block), block.update(resolution=1e-5)), p_values(1e-5, 0.6)),
    ("1e-5 without a point", "p-values", study(lambda files, block: (
        edit("p.csv", "0.01", "0")(files, block),
        edit("study.yaml", "    dependence", "    resolution: 1e-5\n    dependence")(files, block))), p_values(1e-5, 0.6)),
    ("1e12 resamples", "long", study(edit("study.yaml", "    dependence", "    test: sign_flip\n    options: {n_resamples: 1e12}\n    dependence")),
     r"comparisons\[0\]\.options\.n_resamples is 1000000000000, but the number of resamples must be a whole number from 1 to 100 million"),
    ("half a resample", "long", keys(test="sign_flip", options={"n_resamples": 99.5}), r"n_resamples is 99\.5, but the number of"),
    ("resamples with a point", "long", keys(test="sign_flip", options={"n_resamples": 99.0}), r"n_resamples is 99\.0, but the number"),
    ("no comparison in the list", "long", study(put("study.yaml", "study: mine\nalphas: [0.05]\ncomparisons: []\n")),
     r"comparisons is \[\], but .* \(leave the key out if there are none\)"),
    ("a name of 101 letters", "long", keys(name="x" * 101), r"at most 100 lower-case letters"),
    ("a line end in a name", "long", keys(name="own\n"), r"name is 'own\\n', but the name of a comparison"),
    ("a line end in the study's name", "long", study(edit("study.yaml", "study: mine", 'study: "nl\\n"')),
     r"study is 'nl\\n', but the name of a study"),
    ("a system of blanks", "long", keys(systems=["A", " "]), r"systems\[1\] is ' ', but the name of a system"),
    ("a title of blanks", "long", keys(title=" "), r"title is ' ', but a title must be text"),
    ("remarks that are missing", "long", study(edit("study.yaml", "study: mine", "study: mine\nremarks: /nowhere/at/all")),
     r"/nowhere/at/all does not exist"),
    ("remarks that are a file", "long", study(edit("study.yaml", "study: mine", "study: mine\nremarks: config/paper.yaml")),
     r"config/paper\.yaml is a file; give a folder"),
    ("a study nested deeply", "long", study(put("study.yaml", "a: " + "[" * 5000)), r"study\.yaml is nested too deeply"),
    ("a study that holds itself", "long", study(edit("study.yaml", "    dependence", "    options: &o {x: *o}\n    dependence")),
     r"study\.yaml is nested too deeply, or contains itself"),
    ("a number of 5,000 digits", "long", study(edit("study.yaml", "0.05", "1" * 5000)), r"line \d+ is not valid YAML \(a value cannot be read"),
    ("a day that does not exist", "long", study(edit("study.yaml", "study: mine", "study: 2026-02-30")), r"line 1 is not valid YAML \(a value cannot be"),
    ("half a character", "long", study(edit("study.yaml", "    dependence", '    title: "\\ud800"\n    dependence')),
     r"comparisons\[0\]\.title is '\\ud800', which is not valid Unicode"),
    ("a study that is a pipe", "long", study(put("study.yaml", os.mkfifo)), r"study\.yaml is a pipe or a device"),
    ("ratings all equal", "rated", lambda files, block: files.update({"r.csv": "dataset,id,A,B,gold\n" + "".join(
        f"pairs,{i},1,{i},{i}\n" for i in range(6))}), r"dataset 'pairs': The ratings of A are all equal"),
    ("one item", "folders", lambda files, block: files.update(
        dict.fromkeys(FOLDERS, "id,score\nx0,0.5\n")), r"a table with one row for each dataset and system\. P-values cannot"),
    # groups, units and the procedure
    ("an unknown dataset in a group", "long", keys(groups={"g": ["news", "blog"]}),
     r"s\.csv: group 'g': dataset 'blog' is not one of news, blogs; did you mean 'blogs'\?"),
    ("an unknown dataset in a group of p-values", "p-values", keys(groups={"g": ["three"]}),
     r"p\.csv: group 'g': dataset 'three' is not one of one, two"),
    ("an empty group", "long", keys(groups={"g": []}), r"groups\.g is \[\], but a group must be a list of one or more different datasets\."),
    ("a group that is text", "long", keys(groups={"g": "news"}), r"groups\.g is 'news', but a group must be a list"),
    ("a dataset twice in a group", "long", keys(groups={"g": ["news", "news"]}), r"groups\.g is \['news', 'news'\], but a group must be a list of one or more different datasets"),
    ("a group twice", "long", study(edit("study.yaml", "    dependence", "    groups:\n      g: [news]\n      g: [blogs]\n    dependence")),
     r"the key 'g' occurs twice; keep only one"),
    ("units of p-values", "p-values", keys(unit="a"), r"the key 'unit' applies to items, but the table holds p-values"),
    ("p-values that share", "p-values", keys(shared=True), r"the key 'shared' applies to items"),
    ("joint flips of p-values", "p-values", keys(method="joint", dependence="dependent"), r"the method 'joint' flips the signs of units, but the table holds p-values"),
    ("no column of units", "long", keys(unit="iid"), r"s\.csv: column 'iid' is not one of .*did you mean 'id'\?"),
    ("a unit that is empty", "long",
     lambda files, block: (edit("s.csv", ",A,", ",A ,")(files, block), edit("s.csv", "\n", ",u\n")(files, block),
                           edit("s.csv", "score,u", "score,unit")(files, block), edit("s.csv", "A ,", "A,")(files, block),
                           edit("s.csv", "0,u\n", "0,\n", 1)(files, block), keys(unit="unit")(files, block)),
     r"s\.csv, line \d+: the unit is empty"),
    ("units that contradict themselves", "long",
     lambda files, block: (edit("s.csv", "\n", ",u\n")(files, block), edit("s.csv", "score,u", "score,unit")(files, block),
                           edit("s.csv", ",u\n", ",v\n", 1)(files, block), keys(unit="unit")(files, block)),
     r"s\.csv: item '1' of 'news' belongs to the unit 'v' for A and to 'u' for B, .*correct one of the two"),
    ("units of a folder", "folders", keys(unit="id"), r"the unit 'id' is a column of a table, but the format is 'folders'"),
    ("units of ratings", "rated", keys(unit="dataset"), r"cannot be summed over a unit; leave the key 'unit' out"),
    ("nothing that is shared", "long",
     lambda files, block: (edit("s.csv", "blogs,", "blogs,b")(files, block), keys(shared=True, dependence="dependent")(files, block)),
     r"s\.csv: No two datasets share a unit, although .*leave the key 'shared' out"),
    ("shared by independent datasets", "long", keys(shared=True), r"declared independent, so "
    r"they share no items, but the key 'shared'"),
    ("an unknown dataset that shares", "long", keys(shared={"x": ["news", "blog"]}, dependence="dependent"),
     r"s\.csv: shared 'x': dataset 'blog' is not one of news, blogs; did you mean"),
    ("two things that one dataset shares", "long", keys(shared={"x": ["news"], "y": ["news"]}, dependence="dependent"),
     r"shared: the dataset 'news' is listed twice"),
    ("joint flips of what is not shared", "long", keys(method="joint", dependence="dependent"),
     r"The method 'joint' needs"),
    ("Fisher for dependent datasets", "long", keys(method="fisher", dependence="dependent"),
     r"The method 'fisher'"),
    ("a method that there is not", "long", keys(method="fishr"), r"method 'fishr' .*did you mean 'fisher'\?"),
    ("a margin of no claim", "long", keys(margin=0.1),
     r"the key 'margin' is 0\.1, but the claim 'better' takes no margin; leave the margin out, or set the key 'claim' to better_by, not_worse or equivalent"),
    ("a claim without margin", "long", keys(claim="not_worse"), r"The claim 'not_worse' needs a margin; set the key 'margin' in the unit"),
    ("a claim that there is not", "long", keys(claim="not_worst", margin=0.1), r"claim 'not_worst' .*did you mean 'not_worse'\?"),
    ("a margin below zero", "long", keys(claim="not_worse", margin=-0.1), r"study\.yaml, comparison 'own': margin is -0\.1, but must be above 0 for every claim; for 'not_worse' by"),
    ("no margin at all", "long", keys(claim="equivalent", margin=0), r"study\.yaml, comparison 'own': margin is 0, but must be above 0 for every claim; for 'not_worse' by more"),
    ("a margin that is not a number", "long", keys(claim="not_worse", margin=float("nan")), r"margin is nan, but numbers must be finite"),
    ("a margin in words", "long", keys(claim="not_worse", margin="one point"), r"a margin must be a number above 0 in the unit of the score"),
    ("a margin in points", "long", keys(claim="not_worse", margin=1),
     r"s\.csv, dataset '\w+': margin: 1 seems to be in points, but the scores are shares between 0 and 1; write 0\.01\."),
    ("a margin of an unknown dataset", "long", keys(claim="not_worse", margin={"news": 0.1, "blog": 0.1}),
     r"s\.csv: margin: dataset 'blog' is not one of news, blogs; did you mean 'blogs'\?"),
    ("a margin of one dataset only", "long", keys(claim="not_worse", margin={"news": 0.1}),
     r"s\.csv: the key 'margin' has no value for blogs; give one number for all datasets, or one for each dataset"),
    ("a margin of p-values", "p-values", keys(claim="not_worse", margin=0.1),
     r"a p-value for “better” cannot be converted into a p-value for a margin; "
     r"provide item scores instead of p-values"),
    ("a margin for McNemar's test", "long", keys(claim="not_worse", margin=0.1, test="mcnemar"),
     r"s\.csv: The test 'mcnemar' does not support a margin: it uses only the items on which the systems differ.*; use exact_unconditional, an exact test of the difference"),
    ("a margin among the options", "long", keys(claim="not_worse", margin=0.1, test="tango", options={"margin": 0.1}),
     r"the option 'margin', but the key 'claim' and the key 'margin' set it; leave the option out"),
    ("units that the paper's procedure shares", "long", keys(procedure="paper", shared=True, dependence="dependent"),
     r"the key 'shared'.* 'paper'"),
    ("an unknown dataset in a group of the paper's procedure", "long", keys(procedure="paper", groups={"g": ["nwes"]}),
     r"group 'g': dataset 'nwes' is not one of .*did you mean 'news'\?"),
    ("too few flips for the level", "long", keys(shared=True, n_flips=30, dependence="dependent"),
     r"comparison 'own': 30 flips cannot give a significant result at alpha = 0\.05 \(half of it for each .*to "
     r"at least 40"),
    ("a number of flips that is none", "long", keys(shared=True, n_flips=5, dependence="dependent"),
     r"the number of flips must be a whole number from 20 to a million"),
    ("flips of what is not shared", "long", keys(n_flips=500), r"'n_flips' is the number of joint sign flips, but no units are"),
    ("one unit for all flips", "long",
     lambda files, block: (edit("s.csv", "\n", ",u\n")(files, block), edit("s.csv", "score,u", "score,unit")(files, block),
                           keys(unit="unit", shared=True, dependence="dependent")(files, block)),
     r"s\.csv: differences has the shape \(1, 2\), but sign flips need at least two units \(rows\) and one"),
    ("one unit in each dataset", "long",
     lambda files, block: (edit("s.csv", "\n", ",u\n")(files, block), edit("s.csv", "score,u", "score,unit")(files, block),
                           keys(unit="unit")(files, block)), p_values(0.5, 0.5)),
    ("all differences zero", "long",
     lambda files, block: (put("s.csv", re.sub(r"\d\n", "1\n", LONG))(files, block),
                           keys(shared=True, dependence="dependent")(files, block)), p_values(1, 1)),
    ("a group in order of its own", "long", keys(groups={"g": ["blogs", "news"]}), same),
]  # fmt: skip


def prepare(tmp_path, case, change=None, cases=CASES):
    """Store the files of a case and its study; return the path of the study."""
    block, files = copy.deepcopy(cases[case])
    block = {"name": "own", "systems": ["A", "B"], "dependence": "independent", **block}
    late = getattr(change, "of_text", False)
    if change and not late:
        change(files, block)
    stored = dict(block)
    if "file" in stored:
        stored["file"] = str(tmp_path / stored["file"])
    if isinstance(stored.get("items"), str):
        stored["items"] = str(tmp_path / stored["items"])
    if "files" in stored:
        stored["files"] = {side: str(tmp_path / path) for side, path in stored["files"].items()}
    text = yaml.safe_dump(stored, sort_keys=False, allow_unicode=True, width=1000)
    text = textwrap.indent(text, "    ").replace("    name", "  - name", 1)
    files["study.yaml"] = f"study: mine\nalphas: [0.05]\ncomparisons:\n{text}"
    if late:
        change(files, block)
    (tmp_path / "folder").mkdir()
    for name in ("a", "b"):
        if "files" in block and not any(key.startswith(f"{name}.") for key in files):
            (tmp_path / name).mkdir()
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if callable(content):
            content(path)
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return tmp_path / "study.yaml"


def evaluated(study_file):
    (comparison,) = read_study(study_file).comparisons
    pvalues.check_comparison(comparison)
    return evaluation.evaluate(comparison)


whole = faults.whole(prepare, evaluated)


@pytest.mark.parametrize("case", CASES)
def test_every_case_is_whole(whole, case):
    assert whole(case)["p_value"].between(0, 1).all()
    assert (whole(case)["score_a"] > whole(case)["score_b"]).any()


@faults.each(FAULTS)
def test_fault(tmp_path, whole, case, change, expected):
    study_file = prepare(tmp_path, case, change)
    faults.check(expected, lambda: whole(case), lambda: evaluated(study_file))


def test_there_are_many_faults():
    names = [row[0] for row in FAULTS]
    assert len(names) == len(set(names)) >= 60


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read every file")
def test_a_file_that_may_not_be_read(tmp_path):
    study_file = prepare(tmp_path, "p-values")
    (tmp_path / "p.csv").chmod(0)
    with pytest.raises(checks.InputError, match=r"p\.csv cannot be read \(Permission denied"):
        evaluated(study_file)


def test_a_folder_that_may_not_be_read(tmp_path, monkeypatch):
    study_file = prepare(tmp_path, "folders")

    def forbidden(self):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(type(tmp_path), "iterdir", forbidden)
        with pytest.raises(checks.InputError, match=r"/a cannot be read \(Permission denied"):
            evaluated(study_file)


# --- a full disk, a folder that is read-only -----------------------------------------------------


SAID = r"(no space left on device|read-only file system|permission denied)"


def test_a_new_study_that_cannot_be_written_leaves_nothing(disk, monkeypatch, capsys):
    monkeypatch.chdir(disk.folder)
    disk.close()
    assert cli.main(["new", "mine", "--from", "pvalues"]) == 1
    said = capsys.readouterr().err
    assert re.search(rf"config/mine\.yaml could not be written: {SAID}; (free|make)", said)
    assert said.count("\n") == 1
    disk.open()
    assert disk.files() == {}
    assert cli.main(["new", "mine", "--from", "pvalues"]) == 0
    assert {"config/mine.yaml"} < disk.files().keys()


def test_a_table_that_cannot_be_written_keeps_the_last_one(tmp_path, disk):
    table, path = pd.DataFrame({"system": ["A"], "words": [2]}), disk.folder / "made.parquet"
    instances.write(table, path)
    before = path.read_bytes()
    disk.close()
    with pytest.raises(
        checks.InputError, match=rf"made\.parquet could not be written: {SAID}; (free|make)"
    ):
        instances.write(pd.concat([table] * 100), path)
    disk.open()
    assert disk.files() == {"made.parquet": before}


def test_what_a_killed_process_left_is_removed(tmp_path):
    path = tmp_path / "made.csv"
    (tmp_path / "made.csv.1.part").touch()
    (tmp_path / "other.csv.1.part").touch()
    with files.replacing(path) as part:
        part.write_text("new", encoding="utf-8")
        assert not path.exists()
    assert {place.name for place in tmp_path.iterdir()} == {"made.csv", "other.csv.1.part"}


def test_an_error_keeps_the_file(tmp_path):
    path = tmp_path / "made.csv"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(KeyError), files.replacing(path) as part:
        part.write_text("new", encoding="utf-8")
        raise KeyError
    assert [place.read_text(encoding="utf-8") for place in tmp_path.iterdir()] == ["old"]


# --- the command line ----------------------------------------------------------------------------

TABLE = "dataset,p\none,0.001\ntwo,0.02\n"


def bare(text):
    return {"p.txt": text}


@pytest.mark.parametrize(
    ("read", "example"),
    [
        (flags.test_options, "--option n_resamples=10000"),
        (flags.asked_first, "--ask-first neighbours=x,y,z"),
    ],
)
def test_a_value_without_an_equals_sign_is_answered_by_an_example(read, example):
    with pytest.raises(checks.InputError) as stop:
        read(["word"])
    assert str(stop.value).endswith(f"write, for example, {example}.")
    assert read([example.split()[1]])


# what both `pvalues` and `compare` refuse: name, arguments, the message
GROUPS = [
    (
        "without an equals sign",
        ["--group", "one"],
        r"^--group 'one' is not of the form group=datasets; write, for example, --group "
        r"'written=news,letters'\.$",
    ),
    (
        "without a name",
        ["--group", "=one"],
        r"^--group '=one' is not of the form group=datasets",
    ),
    (
        "that is empty",
        ["--group", "g="],
        r"^--group 'g' lists no datasets; write them after the equals sign, separated by commas\.",
    ),
    (
        "of blanks",
        ["--group", "g = "],
        r"^--group 'g' lists no datasets; write them after the equals sign, separated by commas\.",
    ),
    (
        "named twice",
        ["--group", "g=one", "--group", " g =two"],
        r"^--group defines 'g' twice; rename one of the groups, or list all datasets of the group in one entry\.",
    ),
    (
        "with half a quote",
        ["--group", 'g="one,two'],
        r"^--group 'g': the quotes in '\"one,two' do not match; enclose a name that contains a comma in double",
    ),
    (
        "with a line end",
        ["--group", "g=a\nb\nc"],
        r"^--group 'g': the quotes in 'a\\nb\\nc' do not match",
    ),
]
METHODS = [
    (
        "that there is not",
        ["--method", "fishr"],
        r"^method 'fishr' is not one of bonferroni, .*did you mean 'fisher'\?$",
    ),
    (
        "of independent datasets",
        ["--dependent", "--method", "fisher"],
        r"^The method 'fisher' .*; leave the method out to use 'bonferroni'\.$",
    ),
    (
        "of positive datasets",
        ["--dependent", "--method", "simes"],
        r"^The method 'simes'",
    ),
    (
        "of a dependence that is not declared",
        ["--method", "simes"],
        r"^The method 'simes' is valid only under some kinds of dependence, but you did not say how your datasets depend on each other; add --independent or --positive if that describes them, or leave --method out\.$",
    ),
    (
        "of the paper's procedure",
        ["--procedure", "paper", "--method", "bonferroni"],
        r"^--method.* 'paper'",
    ),
    (
        "of another procedure",
        ["--procedure", "open"],
        r"^procedure 'open' is not one of closed, paper",
    ),
]

# name, files, arguments, the message
ASKED = [
    ("no header", {"p.csv": "a,0.001,7\nb,0.02,8\n"}, ["p.csv"],
     r"p\.csv has '0\.001' in its first line \(a, 0\.001, 7\), .* the first dataset would be lost; add a header line above it"),
    ("no header, or a whole number for one", {"p.csv": "dataset,1\none,0.02\n"}, ["p.csv"], r"p\.csv has '1' in its first line .*first dataset would be lost"),
    ("no header, and a bound", {"p.csv": "a,0.001\nb,<.001\n"}, ["p.csv"], r"p\.csv, line 2: the value is '<\.001', but each line above has a name and a p-value in \[0, 1\]; write the p-value itself, or its bound if you accept that\."),
    ("no header, and a word", bare("news: p = .03\nmail: n.s.\n"), ["p.txt"], r"p\.txt, line 2: the value is 'n\.s\.', but each line above has a name and a p-value in \[0, 1\]; leave out datasets without a p-value\."),
    ("no header, and a name alone", bare("a,0.001\n\nb\n"), ["p.txt"], r"p\.txt, line 3: the value is 'b', but each line above has a name and a p-value in \[0, 1\]; leave out datasets without a p-value\."),
    ("no header, and a p-value of 2", bare("a\t0.001\nb\t2\n"), ["p.txt"], r"p\.txt, line 2: the value is '2', but each line above has a name and a p-value in \[0, 1\]; leave out datasets without a p-value\."),
    ("no header, and a name twice", bare("a 0.001\na 0.02\n"), ["p.txt"], r"Two datasets have the name 'a'; rename one of them"),
    ("a bound that is typed", {}, ["<.001"], r"^'<\.001' is a bound, not a p-value; write the exact p-value, or leave out the sign to use the bound as the p-value\."),
    ("a bound among numbers", {}, [".01", "p < .001"], r"^'<\.001' is a bound, not a p-value"),
    ("a bound in words", bare("p = .02\np < .001\n"), ["p.txt"], r"p\.txt, line 2: the value is '<\.001', .*write the p-value itself"),
    ("no header, and its column named", {"p.csv": "a,0.001\nb,0.02\n"}, ["p.csv", "--p-value", "0.001"], r"first dataset would be lost"),
    ("no header, and its datasets named", {"p.csv": "a,0.001\nb,0.02\n"}, ["p.csv", "--dataset", "a"], r"first dataset would be lost"),
    ("an empty cell", {"p.csv": TABLE.replace("0.02", "")}, ["p.csv"], r"p\.csv, line 3, column 'p': the value is ''.*leave out datasets that have none"),
    ("a bound", {"p.csv": TABLE.replace("0.02", "<.001")}, ["p.csv"], r"line 3, column 'p': the value is '<\.001'.*write the p-value itself"),
    ("decimal commas", {"p.csv": TABLE.replace(",", ";").replace("0.0", "0,0")}, ["p.csv"],
     r"line 2, column 'p': the value is '0,001'.*write decimals with a point"),
    ("accuracies", {"p.csv": "dataset,ours\na,.91\nb,.80\n"}, ["p.csv"], r"p\.csv: no column is called p, .*--p-value \(one of dataset, ours\)\."),
    ("precision", {"p.csv": "dataset,P,R,F1\na,.91,.8,.85\n"}, ["p.csv"], r"next to f1, r, the column 'P' may hold precision"),
    ("adjusted p-values", {"p.csv": "dataset,p_adj\na,.01\n"}, ["p.csv"], r"the p-values in p_adj are adjusted"),
    ("two columns of p-values", {"p.csv": "dataset,p,p-val\na,.01,.02\n"}, ["p.csv"], r"the columns p, p-val may each hold the p-values"),
    ("two-sided p-values", {"p.csv": "dataset,p (2-tailed)\na,.01\n"}, ["p.csv"], r"holds two-sided p-values, .*Specify the score columns with --scores and declare --sided 'two'"),
    ("two-sided by name", {"p.csv": "dataset,Pr(>|t|)\na,.01\n"}, ["p.csv", "--p-value", "Pr(>|t|)"], r"holds two-sided p-values"),
    ("two-sided in a column", {"p.parquet": nested}, ["p.parquet", "--column", "p_two_sided"], r"holds two-sided p-values"),
    ("blanks between cells", {"p.csv": "dataset p\na 0.01\n"}, ["p.csv"], r"one of dataset p\), and separate the cells by commas"),
    ("names for named datasets", {"p.csv": TABLE}, ["p.csv", "--names", "x", "y"], r"--names is for p-values without names, but this file names its datasets in the column 'dataset'; leave --names out, or choose another column with --dataset\."),
    ("names too few", bare("0.1\n0.2\n"), ["p.txt", "--names", "x"], r"--names and the p-values differ in number \(1 and 2\); pass one name for each p-value\."),
    ("decimal commas in a list", bare("0,001\n0,02\n"), ["p.txt"], r"p\.txt: it is unclear whether commas separate numbers or mark decimals; write decimals with a point, and separate numbers with spaces\."),
    ("decimal commas that are typed", {}, ["0,05", "0,01"], r"0,05 0,01: it is unclear whether commas separate numbers or mark decimals; write decimals with a point, and separate numbers with spaces\."),
    ("columns of numbers", bare("0 0.001\n1 0.02\n"), ["p.txt"], r"p\.txt has several numbers per line but no headers, so they may be the columns of a table; add a header line, or write one p-value per line\."),
    ("a word in a list", bare("0.1\nn.s.\n"), ["p.txt"], r"p\.txt, line 2: the value is 'n\.s\.', but a p-value is a number in \[0, 1\]; leave out datasets without a p-value\."),
    ("a bound in a list", bare("0.1\n<.001\n"), ["p.txt"], r"p\.txt, line 2: the value is '<\.001', .*write the p-value itself"),
    ("no p-value in a list", bare("\n0.1\nnan\n"), ["p.txt"], r"p\.txt, line 3: the value is 'nan'"),
    ("columns of a list", bare("0.1\n"), ["p.txt", "--dataset", "x"], r"--dataset needs a header line, but the first line of p\.txt contains numbers; add a header line above it\."),
    ("both directions of a list", bare("0.1\n"), ["p.txt", "--alternative", "two-sided"], r"one direction only.*Leave --alternative out\. If .*with --scores"),
    *((f"a column called {header}", {"p.csv": f"dataset,{header}\na,.01\n"}, ["p.csv"], r"no column is called p,")
      for header in ("P(A>B)", "p_correct", "p1", "prob", "sig", "precision", "pearson", "ppl", "p_left", "points")),
    ("a header of pandas", bare("0\n0.1\n0.2\n"), ["p.txt"], r"p\.txt begins with the line '0', which pandas writes as the header of an unnamed column; remove the line, or write 0\.0 if it is a p-value\."),
    ("two files", {"p.csv": TABLE, "q.csv": TABLE}, ["p.csv", "q.csv"], r"p\.csv is a file, not a p-value; pass either one file or p-values\."),
    ("a file among numbers", {"p.csv": TABLE}, ["0.5", "p.csv"], r"p\.csv is a file, not a p-value; pass either one file or p-values\."),
    ("standard input among numbers", {}, ["0.5", "-"], r"- is a file, not a p-value; pass either one file or p-values\."),
    ("an empty argument", {}, ["", "0.5"], r"pvalues\[0\] is ''"),
    ("an empty name", {}, ["0.1", "0.5", "--names", "x", " "], r"--names contains an empty name; give every dataset a name\."),
    ("names alike", {}, ["0.1", "0.5", "--names", "x", "X"], r"--names: the datasets 'x' and 'X' "
    r"differ only in case or spaces"),
    ("names in two encodings", {}, ["0.1", "0.5", "--names", "\u00e9", "e\u0301"], r"--names: the datasets .* encoding of letters"),
    ("an empty system", {}, ["0.1", "0.5", "--systems", " ", "B"], r"--systems contains an empty name; name both systems\."),
    ("bytes for a name", {}, ["0.1", "0.5", "--names", "\udcff", "x"], r"The argument '\\udcff' is not valid UTF-8; retype it, or rename the file\."),
    ("bytes for a file", {}, ["caf\udce9.csv"], r"The argument 'caf\\udce9\.csv' is not valid UTF-8; retype it, or rename the file\."),
    ("5,000 letters", {}, ["p" * 5000], r"^.{,120}\.\.\. \(.*letters\) cannot be read \(File name too long\); choose another file\.$"),
    ("5,000 letters among numbers", {}, ["0.5", "p" * 5000], r"pvalues\[1\] is 'p+[.]{3}, but a p-value"),
    ("a device", {}, ["/dev/zero"], r"/dev/zero is a pipe or a device"),
    ("a folder", {"folder/p.csv": TABLE}, ["folder"], r"folder is a folder"),
    ("a pipe to which nobody writes", {"p": os.mkfifo}, ["p"], r"^p is empty; check the command that provides the input\.$"),
    ("a pipe for a column", {"p.parquet": os.mkfifo}, ["p.parquet", "--column", "p"], r"p\.parquet is a pipe or a device"),
    ("one column twice", {"p.parquet": lambda path: pq.write_table(pa.table([[0.1], [0.2]], ["p", "p"]), path)},
     ["p.parquet", "--column", "p"], r"p\.parquet: 2 columns are named 'p'; give each its own name\."),
    ("a column of lists", {"p.parquet": nested}, ["p.parquet", "--p-value", "lists"], r"column 'lists' holds list<.*neither text nor numbers"),
    ("a list of headers", {"p.csv": ",".join(f"c{i}" for i in range(10**5)) + "\n" + "1," * 99999 + "1\n"},
     ["p.csv", "--p-value", "q"], r"is not one of c0, .*, c49 and 99,950 more"),
    # groups, units and the procedure
    ("an unknown dataset in a group", {"p.csv": TABLE}, ["p.csv", "--group", "g=one,tow"], r"^p\.csv: group 'g': dataset 'tow' is not one of one, two; did you mean 'two'\?$"),
    ("a number for a name", {}, ["0.1", "0.5", "--group", "g=1"], r"group 'g': dataset '1' is not one of dataset 1, dataset 2"),
    ("a dataset twice in a group", {"p.csv": TABLE}, ["p.csv", "--group", "g=one,one"], r"In --group, g is \['one', 'one'\], but a group must be a list of one or more different datasets"),
    ("a comma at the end of a group", {"p.csv": TABLE}, ["p.csv", "--group", "g=one,"], r"In --group, g\[1\] is '', but the name of a dataset must be text"),
    ("an unknown dataset in a group of the paper's procedure", {"p.csv": TABLE},
     ["p.csv", "--group", "g=tow", "--procedure", "paper"], r"^p\.csv: group 'g': dataset 'tow' is not one of one, two; did you mean 'two'\?$"),
    *((f"a group, {name}", {}, ["0.1", "0.5", *arguments], message) for name, arguments, message in GROUPS),
    *((f"a method, {name}", {}, ["0.1", "0.5", *arguments], message) for name, arguments, message in METHODS),
    ("draws of p-values", {}, ["0.1", "0.5", "--independent", "--method", "discrete"], r"^The method 'discrete' needs right-or-wrong scores, McNemar's exact test, .*leave the method out"),
    ("max-T of p-values", {}, ["0.1", "0.5", "--method", "max_t"], r"^the method 'max_t' flips the signs of units, but the table holds p-values, .*leave --method out"),
    ("joint flips of p-values", {}, ["0.1", "0.5", "--method", "joint"], r"^the method 'joint' flips the signs of units, but the table holds p-values, .*leave --method out"),
    ("a unit of p-values", {}, ["0.1", "0.5", "--unit", "passage"], r"^--unit applies to items, "
    r"but the table holds p-values; leave"),
    ("p-values that share", {}, ["0.1", "0.5", "--shared"], r"^--shared applies to items, but the table holds p-values"),
    ("p-values of which some share", {}, ["0.1", "0.5", "--shared", "x=a,b"], r"^--shared applies to items"),
    ("a group in a column", {"p.parquet": nested}, ["p.parquet", "--column", "p", "--group", "g=one"], r"^--column reads only one column; leave out --group, or specify the column with --p-value instead\."),
    ("a method for a column", {"p.parquet": nested}, ["p.parquet", "--column", "p", "--method", "simes"], r"leave out --method, or"),
    ("closed testing of a column", {"p.parquet": nested}, ["p.parquet", "--column", "p", "--procedure", "closed"],
     r"^--column uses the paper's procedure, because .*leave out --procedure"),
]  # fmt: skip


def place(folder, files):
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        if callable(content):
            content(folder / name)
        else:
            (folder / name).write_text(content, encoding="utf-8")


@pytest.mark.parametrize(
    ("files", "arguments", "message"), [row[1:] for row in ASKED], ids=[row[0] for row in ASKED]
)
def test_what_pvalues_refuses(tmp_path, monkeypatch, capsys, files, arguments, message):
    place(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["pvalues", *arguments]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert re.search(message, said.err.rstrip())


def units(shift=0, **changed):
    """Write scores of two datasets of six items, the units u1 and u2 of three each."""
    rows = {f"{d}{i}": f"{d},{i},u{i % 2},{(i + shift) % 3 / 2}" for d in "xy" for i in range(6)}
    return "\n".join(["dataset,instance,unit,score", *(rows | changed).values(), ""])


BOTH = {"a.csv": units(), "b.csv": units(1)}
OWN = {name: re.sub("([xy]),", r"\1,\1", text).replace(",u", ",") for name, text in BOTH.items()}

# name, files, arguments, the message
COMPARED = [
    ("an unknown dataset in a group", BOTH, ["--group", "g=x,yy"], r"^a\.csv and b\.csv: group 'g': dataset 'yy' is not one of x, y; did you mean 'y'\?$"),
    ("a dataset twice in a group", BOTH, ["--group", "g=x,x"], r"In --group, g is \['x', 'x'\], but a group must be a list of one or more different datasets"),
    ("a dataset that is left out, in a group", BOTH, ["--datasets", "x", "--group", "g=y"], r"group 'g': dataset 'y' is not one of x\b"),
    *((f"a group, {name}", BOTH, arguments, message) for name, arguments, message in GROUPS),
    *((f"a method, {name}", BOTH, arguments, message) for name, arguments, message in METHODS),
    ("no column of units", BOTH, ["--unit", "units"], r"^a\.csv: column 'units' is not one of .*did you mean 'unit'\?$"),
    ("no column of units for B", BOTH | {"b.csv": units(1).replace("unit", "u")}, ["--unit", "unit"], r"^b\.csv: column 'unit' is not one of dataset, instance, u, score"),
    ("scores for units", BOTH, ["--unit", "score"], r"^a\.csv: the column 'score' cannot hold both the units and the scores; specify separate columns with --unit and --score\."),
    ("an empty unit", BOTH | {"a.csv": units(x2="x,2,,1")}, ["--unit", "unit"], r"^a\.csv, line 4: the unit is empty"),
    ("units that contradict themselves", BOTH | {"b.csv": units(1, y3="y,3,u0,1")}, ["--unit", "unit"],
     r"^a\.csv and b\.csv: item '3' of 'y' belongs to the unit 'u1' for a and to 'u0' for b, but an item has only one unit; correct one of the two\.$"),
    ("a test of items for units", BOTH, ["--unit", "unit", "--test", "wilcoxon"],
     r"^a\.csv and b\.csv: the test 'wilcoxon' needs a score for each item, but item scores are summed within the unit 'unit'; .*or leave --test out\.$"),
    ("units of other formats", {"a.csv/x.csv": "", "b.csv/x.csv": ""}, ["--format", "folders", "--unit", "unit"],
     r"^the unit 'unit' is a column of a table, but the format is 'folders'"),
    ("units of ratings", BOTH | {"g.csv": units(2)}, ["--gold", "g.csv", "--unit", "unit"], r"cannot be summed over a unit; leave --unit out\.$"),
    ("nothing that is shared", OWN, ["--shared"], r"^a\.csv and b\.csv: No two datasets share a unit, although shared .*leave --shared out\.$"),
    ("one dataset that shares", BOTH, ["--datasets", "x", "--shared"], r"No two datasets share a unit"),
    ("shared by independent datasets", BOTH, ["--shared", "--independent"], r"share no items, but --shared says that they share units; leave one"),
    ("shared by an unknown dataset", BOTH, ["--shared", "s=x,z"], r"^a\.csv and b\.csv: shared 's': dataset 'z' is not one of x, y\b"),
    ("shared by one dataset twice", BOTH, ["--shared", "s=x", "--shared", "t=x"], r"shared: the dataset 'x' is listed twice"),
    ("shared by all and by some", BOTH, ["--shared", "--shared", "s=x"], r"^--shared is given both without a value, for all datasets, and with the names of some datasets; use only one of the two\."),
    ("shared by a file", BOTH, ["--shared", "c.csv"], r"^--shared 'c\.csv' is not of the form group=datasets; .*, or --shared alone after the files\.$"),
    ("shared by none", BOTH, ["--shared", "s="], r"^--shared 's' lists no datasets; write them after the equals sign, separated by commas\."),
    ("a margin of no claim", BOTH, ["--margin", ".1"], r"^--margin is 0\.1, but the claim 'better' takes no margin; leave the margin out, or set --claim to better_by"),
    ("a claim without margin", BOTH, ["--claim", "equivalent"], r"^The claim 'equivalent' needs a margin; set --margin in the unit of the score\.$"),
    ("a claim that there is not", BOTH, ["--claim", "worse", "--margin", ".1"], r"^claim 'worse' is not one of better, better_by, not_worse, equivalent"),
    ("a margin below zero", BOTH, ["--claim", "not_worse", "--margin=-.1"], r"^margin is -0\.1, but must be above 0 for every claim; for 'not_worse' by more than 0\.01, write 0\.01\. To claim only 'better', leave the margin out\."),
    ("a margin with a decimal comma", BOTH, ["--claim", "not_worse", "--margin", "0,1"], r"^--margin "
    r"'0,1' is not a number; write, for example, --margin 0\.01"),
    ("a margin in per cent", BOTH, ["--claim", "not_worse", "--margin", "1%"], r"^--margin '1%' "
    r"is not a number"),
    ("a margin in points", BOTH, ["--claim", "not_worse", "--margin", "1"], r"^a\.csv and b\.csv, dataset 'x': margin: 1 seems to be in points, .*write 0\.01\.$"),
    ("a margin of one dataset only", BOTH, ["--claim", "not_worse", "--margin", "x=.1"], r"--margin has no value for y; give one number"),
    ("a margin of an unknown dataset", BOTH, ["--claim", "not_worse", "--margin", "x=.1", "--margin", "z=.1"], r"margin: dataset 'z' is not one of x, y\b"),
    ("a margin of a dataset twice", BOTH, ["--claim", "not_worse", "--margin", "x=.1", "--margin", "x=.2"], r"^--margin names 'x' twice"),
    ("one margin and another", BOTH, ["--claim", "not_worse", "--margin", "x=.1", "--margin", ".2"], r"^--margin '\.2' is not of the form dataset=number"),
    ("a label without a name", BOTH, ["--label", "x"], r"^--label 'x' is not of the form name=label; write, for example, --label 'squad_v2=SQuAD 2\.0'\.$"),
    ("a share without a dataset", BOTH, ["--repeats", "fold", "--repeats-kind", "splits", "--test-share", "x=.1", "--test-share", ".2"], r"^--test-share '\.2' is not of the form dataset=number; write, for example, --test-share news=0\.1\.$"),
    ("a margin of a dataset in words", BOTH, ["--claim", "not_worse", "--margin", "x=much"], r"^--margin "
    r"'x=much' is not a number"),
    ("a margin for the sign test", BOTH, ["--claim", "not_worse", "--margin", ".1", "--test", "sign_test"], r"'sign_test' does not support a margin: .*; use sign_flip\.$"),
    ("draws of datasets that are not declared independent", BOTH, ["--method", "discrete"], r"^The method 'discrete' is valid only under some kinds of dependence, but you did not say how your datasets depend on each other; add --independent if that describes them, or leave --method out\."),
    ("draws of scores that are not right or wrong", BOTH, ["--method", "discrete", "--independent"], r"^a\.csv and b\.csv: The method 'discrete' needs right-or-wrong scores"),
    ("equivalence in both directions", BOTH, ["--claim", "equivalent", "--margin", ".1", "--alternative", "two-sided"], r"^--alternative sets the direction of a claim, but equivalence has no direction"),
    ("joint flips of what is not shared", BOTH, ["--method", "joint"],
     r"^The method 'joint' needs units that the datasets share; declare them with --shared\. If a unit is larger than an item, name its column with --unit"),
    ("too few flips", BOTH, ["--shared", "--alpha", "1e-5"],
     r"^With 10000 flips, no p-value can be as small as alpha = 5e-06; use a larger alpha, or at least 200000 flips, preferably a hundred times that number\.$"),
    ("too few flips of one direction", BOTH, ["--shared", "--alpha", "1e-5", "--alternative", "greater"],
     r"^With 10000 flips, no p-value can be as small as alpha = 1e-05; use a larger alpha, or at least 100000 flips, preferably a hundred times that number\.$"),
    ("a direction that is none", BOTH, ["--alternative", "less"], r"alternative 'less' is not one of two-sided, greater"),
    ("one unit for all flips", {name: re.sub("u[01]", "u", text) for name, text in BOTH.items()}, ["--unit", "unit", "--shared"],
     r"^a\.csv and b\.csv: differences has the shape \(1, 2\), but sign flips need at least two units \(rows\) and one dataset \(column\); add what is missing\."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("files", "arguments", "message"),
    [row[1:] for row in COMPARED],
    ids=[row[0] for row in COMPARED],
)
def test_what_compare_refuses(tmp_path, monkeypatch, capsys, files, arguments, message):
    place(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["compare", "a.csv", "b.csv", *arguments]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert re.search(message, said.err.rstrip())


WIDE = "dataset,instance,ours,base\nx,1,1,0\nx,2,1,0\ny,1,1,1\ny,2,0,1\n"
ROWS = "dataset,instance,system,score\n" + "".join(
    f"{d},{i},{s},{(i + k) % 2}\n"
    for d in "xy"
    for i in (1, 2, 3)
    for k, s in enumerate(("ours", "base"))
)

# one file for both systems: name, files, arguments, the message
SINGLE = [
    ("a column of three", {"f.csv": "dataset,instance,ours,base,more\nx,1,1,0,1\ny,1,1,1,0\n"}, [],
     r"f\.csv has 3 columns of numbers that may be scores \('ours', 'base', 'more'\), but a comparison needs two systems; specify their columns, the one claimed to be better"),
    ("one column", {"f.csv": "dataset,instance,ours\nx,1,1\n"}, [], r"f\.csv has 1 column of numbers that may be scores \('ours'\), but a comparison needs two systems; specify their columns, the one claimed to be better first, with"),
    ("no column", {"f.csv": "dataset,instance\nx,1\n"}, [], r"f\.csv has no columns of numbers that may be scores, but a comparison needs two systems; specify their columns, the one claimed to be better first, with --systems\. If"),
    ("an unknown column", {"f.csv": WIDE}, ["--systems", "ours", "bas"], r"f\.csv has neither a column 'bas' nor a column 'system' with that value; choose two of its columns, dataset, instance, ours, base; did you mean 'base'\?"),
    ("one column for both", {"f.csv": WIDE}, ["--systems", "ours", "ours"], r"Both systems have the name 'ours'"),
    ("an empty cell", {"f.csv": WIDE.replace("x,2,1,0", "x,2,1,")}, [], r"f\.csv, line 3: the score in 'base' is ''"),
    ("a word for a score", {"f.csv": WIDE.replace("x,2,1,0", "x,2,1,no")}, [], r"f\.csv, line 3: the score in 'base' is 'no'"),
    ("an item twice", {"f.csv": WIDE.replace("x,2,", "x,1,")}, [], r"f\.csv: '1' of 'x' occurs"),
    ("p-values", {"f.csv": "dataset,p,p_adjusted\nx,0.1,0.2\n"}, [], r"f\.csv seems to hold p-values \(column 'p'\); use the command pvalues"),
    ("no identifiers to be shared", {"f.csv": "dataset,ours,base\nx,1,0\ny,0,1\nx,1,1\ny,0,0\n"}, ["--shared"], r"f\.csv: No two datasets share a unit, although shared units are declared"),
    ("pooled datasets", {"f.csv": WIDE.replace("dataset", "task")}, [], r"f\.csv is read as one dataset, but its column 'task' has 2"),
    ("systems in rows: three", {"f.csv": ROWS + "x,1,more,1\n"}, [], r"f\.csv has 3 systems in its column 'system' \('ours', 'base', 'more'\), but a comparison needs two systems; choose two, the one claimed to be better first, for example"),
    ("systems in rows: one", {"f.csv": ROWS.replace("base", "ours")}, [], r"f\.csv has 1 system in its column 'system' \('ours'\), .*add the rows of the other"),
    ("systems in rows: unknown", {"f.csv": ROWS}, ["--systems", "ours", "bases"], r"f\.csv: system 'bases' is not one of .*did you mean 'base'\?"),
    ("systems in rows: one lacks an item", {"f.csv": ROWS.replace("y,2,base,1\n", "")}, [], r"f\.csv: item '2' of 'y' is missing for base; score both"),
    ("systems in rows: no such column", {"f.csv": ROWS}, ["--system", "sistem"], r"f\.csv: column 'sistem' is not one of .*did you mean 'system'\?"),
    ("systems in rows: no scores", {"f.csv": ROWS.replace("score", "right")}, [], r"f\.csv has no column 'score', which is needed for both systems; specify it with --score 'right'\. The columns are dataset, instance, system, right\."),
    ("one folder", {"f.csv/x.csv": "instance,score\n1,1\n"}, [], r"f\.csv has no columns of numbers that may be scores"),
    ("an empty file", {"f.csv": ""}, [], r"f\.csv is empty"),
    ("a file for a figure", {"f.csv": WIDE}, ["--figure", "f.jpg"], r"--figure is 'f\.jpg'; use a file name that ends in \.svg, \.png or \.pdf\."),
    ("the input for a table", {"f.csv": WIDE}, ["--latex", "f.csv"], r"--latex f\.csv is one of the inputs, which would be overwritten; choose another file\."),
    ("a folder for a page", {"f.csv": WIDE, "g/x": ""}, ["--html", "g"], r"--html g is a folder; choose a file in it\."),
    ("one file for two", {"f.csv": WIDE}, ["--html", "o", "--latex", "o"], r"The file o is given for more than one output, such as --html; give each output its own file\."),
    ("standard input twice", {"f.csv": WIDE}, ["-", "-"], r"^Both systems are read from standard input"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("files", "arguments", "message"), [row[1:] for row in SINGLE], ids=[row[0] for row in SINGLE]
)
def test_what_compare_refuses_of_one_file(tmp_path, monkeypatch, capsys, files, arguments, message):
    place(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    given = arguments if arguments[:1] == ["-"] else ["f.csv", *arguments]
    assert cli.main(["compare", *given]) == 1
    said = capsys.readouterr()
    errors = [line for line in said.err.splitlines() if not line.startswith("Read ")]
    assert (said.out, len(errors)) == ("", 1)
    assert re.search(message, errors[0])
    assert sorted(tmp_path.rglob("*")) == before


# name, files, arguments, the names of the datasets; the p-values are .001 and .02
ANSWERED = [
    ("a table", {"p.csv": TABLE}, ["p.csv"], ["one", "two"]),
    ("a table without names", {"p.csv": "p\n0.001\n0.02\n"}, ["p.csv"], None),
    ("its column named", {"p.csv": "x\n0.001\n0.02\n"}, ["p.csv", "--p-value", "x"], None),
    ("names for it", {"p.csv": "p\n0.001\n0.02\n"}, ["p.csv", "--names", "u", "v"], ["u", "v"]),
    ("scores beside them", {"p.csv": "p,a,b\n0.001,2,1\n0.02,3,2\n"}, ["p.csv", "--scores", "a", "b"], None),
    ("headers of years", {"p.csv": "dataset,2016,p\none,7,0.001\ntwo,8,0.02\n"}, ["p.csv"], ["one", "two"]),
    ("headers of R", {"p.csv": '"","p.value"\n"one",0.001\n"two",0.02\n'}, ["p.csv"], ["one", "two"]),
    ("a p-value column in words", {"p.csv": "set,P-Val (ours)\none,0.001\ntwo,0.02\n"}, ["p.csv"], ["one", "two"]),
    *((f"a column called {header}", {"p.csv": f"set,{header}\none,0.001\ntwo,0.02\n"}, ["p.csv"], ["one", "two"])
      for header in ("P", "p value", "pval", "p-values", "PValue", "p_value_mcnemar", "p (one-sided)", "p_one_sided", "Sig.")),
    ("unadjusted beside adjusted", {"p.csv": "set,p,p_holm\none,0.001,.1\ntwo,0.02,.2\n"}, ["p.csv"], ["one", "two"]),
    ("one in each line", bare("0.001\n0.02\n"), ["p.txt"], None),
    ("one in each line, no end", bare("\n0.001\r\n\r\n2e-2"), ["p.txt"], None),
    ("blanks", bare("0.001 0.02\n"), ["p.txt"], None),
    ("semicolons", bare("0.001;0.02"), ["p.txt"], None),
    ("commas and blanks", bare("0.001, 0.02,\n"), ["p.txt"], None),
    ("tabs in .tsv", {"p.tsv": "0.001\t0.02\n"}, ["p.tsv"], None),
    ("as numpy prints", bare("[0.001\n 0.02 ]\n"), ["p.txt"], None),
    ("as Python prints", bare("[0.001, 0.02]\n"), ["p.txt"], None),
    ("no header", {"p.csv": "one,0.001\ntwo,0.02\n"}, ["p.csv"], ["one", "two"]),
    ("no header, tabs", {"p.tsv": "one\t.001\n\ntwo\t2e-2\n"}, ["p.tsv"], ["one", "two"]),
    ("no header, semicolons and quotes", bare('"one; or more";0.001\ntwo;0.02\n'), ["p.txt"], ["one; or more", "two"]),
    ("no header, blanks", bare("one  0.001\nnumber two 0.02\n"), ["p.txt"], ["one", "number two"]),
    ("as papers print", bare("one: p = .001\ntwo: p = .02\n"), ["p.txt"], ["one", "two"]),
    ("as papers print, no names", bare("p = .001, p = .02\n"), ["p.txt"], None),
    ("as papers print, typed", {}, ["p = .001, p=.02"], None),
    ("as papers print, typed in pieces", {}, ["p", "=", ".001", "p", "=", ".02"], None),
    ("named in order", bare("0.001\n0.02\n"), ["p.txt", "--names", "u", "v"], ["u", "v"]),
    ("typed with commas", {}, ["0.001,0.02"], None),
    ("typed with commas and blanks", {}, ["0.001,", "0.02"], None),
    ("lists in Parquet beside them", {"p.parquet": lambda path: pd.DataFrame(
        {"dataset": ["one", "two"], "p": [0.001, 0.02], "x": [[1], [2]], "y": [b"\xff", b"b"]}).to_parquet(path)},
     ["p.parquet"], ["one", "two"]),
    ("lists beside guessed names", {"p.parquet": lambda path: pd.DataFrame(
        {"set": ["one", "two"], "p": [0.001, 0.02], "x": [[1], [2]], "y": [b"\xff", b"b"]}).to_parquet(path)},
     ["p.parquet"], ["one", "two"]),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "arguments", "names"), [row[1:] for row in ANSWERED], ids=[row[0] for row in ANSWERED]
)
def test_what_pvalues_reads(tmp_path, monkeypatch, capsys, files, arguments, names):
    place(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["pvalues", *arguments, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [row["p_value"] for row in answer["datasets"]] == [0.001, 0.02]
    expected = names or ["dataset 1", "dataset 2"]
    assert [row["dataset"] for row in answer["datasets"]] == expected
    said = any(note.startswith("The datasets have no names") for note in answer["command"]["notes"])
    assert said == (names is None and bool(files))


def process(arguments, **options):
    """Run the command line as a process of its own."""
    call = [sys.executable, "-m", "replicability", *arguments]
    options = {"cwd": paths.ROOT, "capture_output": True, "timeout": 60, **options}
    return subprocess.run(call, **options)


@pytest.mark.long
@pytest.mark.parametrize("source", ["-", "/dev/stdin", "<(cat)", "fifo", "parquet"])
def test_a_pipe_is_read_once(tmp_path, source):
    content = TABLE.encode()
    if source == "parquet":
        pd.read_csv(io.StringIO(TABLE)).to_parquet(tmp_path / "p.parquet")
        content, source = (tmp_path / "p.parquet").read_bytes(), "-"
    if source == "<(cat)":
        read, write = os.pipe()
        os.write(write, content)
        os.close(write)
        found = process(["pvalues", f"/dev/fd/{read}", "--json"], pass_fds=[read])
        os.close(read)
    elif source == "fifo":
        os.mkfifo(tmp_path / "fifo")
        both = os.open(tmp_path / "fifo", os.O_RDWR)
        os.write(both, content)
        call = [sys.executable, "-m", "replicability", "pvalues", tmp_path / "fifo", "--json"]
        started = subprocess.Popen(call, cwd=paths.ROOT, stdout=-1, stderr=-1)
        emptied(both)
        os.close(both)
        out, err = started.communicate(timeout=60)
        found = subprocess.CompletedProcess(call, started.returncode, out, err)
    else:
        found = process(["pvalues", source, "--json"], input=content)
    assert (found.returncode, found.stderr) == (0, b"")
    assert [row["dataset"] for row in json.loads(found.stdout)["datasets"]] == ["one", "two"]


def emptied(descriptor):
    """Wait until all that is in a pipe has been read."""
    while struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, b"\0" * 4))[0]:
        os.sched_yield()


@pytest.mark.slow
def test_a_fault_in_a_pipe_names_it_and_its_line(tmp_path):
    found = process(["pvalues", "-"], input=TABLE.replace("0.02", "2").encode())
    assert found.returncode == 1
    assert found.stderr.startswith(b"standard input, line 3, column 'p': the value is '2', but")


@pytest.mark.slow
def test_no_standard_input_is_a_sentence():
    call = [sys.executable, "-m", "replicability", "pvalues", "-"]
    found = subprocess.run(
        ["sh", "-c", '"$@" <&-', "sh", *call], cwd=paths.ROOT, capture_output=True, timeout=60
    )
    assert (found.returncode, found.stdout) == (1, b"")
    said = (
        b"standard input cannot be read (Bad file descriptor); save the data to a file, and pass "
        b"that file."
    )
    assert found.stderr == said + b"\n"


@pytest.mark.parametrize("option", ["--html", "--csv", "--latex", "--figure"])
def test_a_zero_byte_in_an_argument_is_a_sentence(capsys, option):
    assert cli.main(["family", "scores.csv", option, "page\0.html"]) == 1
    said = capsys.readouterr().err
    assert said == "The argument 'page\\x00.html' contains a null byte; remove it.\n"


@pytest.mark.slow
def test_a_pipe_that_brings_nothing_is_a_sentence():
    found = process(["pvalues", "-"], stdin=subprocess.DEVNULL)
    assert (found.returncode, found.stdout) == (1, b"")
    assert found.stderr == b"standard input is empty; check the command that provides the input.\n"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux only")
def test_a_full_place_for_the_answer_is_a_sentence():
    with Path("/dev/full").open("wb") as full:
        found = process(["pvalues", "0.1", "0.2"], capture_output=False, stdout=full, stderr=-1)
    assert found.returncode == 1
    assert re.fullmatch(
        rb"The result could not be printed: No space left on device\.\n", found.stderr
    )


@pytest.mark.long
@pytest.mark.parametrize("names", [["caf\u00e9", "na\u00efve"], ["\u4e2d", "\u6587"]])
def test_a_terminal_that_knows_ascii_only(names):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    found = process(["pvalues", "0.1", "0.2", "--names", *names], env=environment)
    assert (found.returncode, found.stderr) == (0, b"")
    assert ascii(names[0])[1:-1].encode() in found.stdout


def test_bytes_that_are_no_text_as_arguments():
    for arguments in (["0.1", "--names", b"\xff"], [b"caf\xe9.csv"]):
        found = process(["pvalues", *arguments])
        assert (found.returncode, found.stdout) == (1, b"")
        assert re.fullmatch(rb"The argument '.*' is not valid UTF-8; .*\.\n", found.stderr)


def test_a_folder_that_is_gone_is_a_sentence(tmp_path):
    (tmp_path / "gone").mkdir()
    code = "import os, sys; os.rmdir(os.getcwd()); from replicability import cli; sys.exit(cli.main(['tests']))"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path / "gone", capture_output=True, timeout=60,
        env={**os.environ, "PYTHONPATH": str(paths.ROOT)},
    )  # fmt: skip
    assert found.returncode == 1
    assert found.stderr.startswith(b"The current folder no longer exists; change to an existing")


def test_a_folder_that_may_not_be_entered(tmp_path, monkeypatch, capsys):
    stat = type(tmp_path).stat

    def refuse(path, **options):  # the superuser may enter any
        if "shut" in path.parts:
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, **options)

    monkeypatch.setattr(type(tmp_path), "stat", refuse)
    assert cli.main(["pvalues", str(tmp_path / "shut" / "p.csv")]) == 1
    said = capsys.readouterr().err.rstrip()
    assert re.search(
        r"shut/p\.csv cannot be read \(Permission denied\); choose another file\.$",
        said,
    )


def test_a_new_study_of_300_letters_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new", "x" * 300]) == 1
    assert re.search(
        "The study's name is 'x+[.]{3}', but it must start with a lower-case letter.*; try 'x{80}'",
        capsys.readouterr().err,
    )
    assert cli.main(["new", "x" * 100]) == 0
    assert read_study(f"config/{'x' * 100}.yaml").name == "x" * 100
