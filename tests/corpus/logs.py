"""Logs of every format, and what may have happened to them, each with what has to come of it.

A log is the sample that the library ships, as a mapping from the paths of its files to their
bytes. A disturbance changes the files of one system or of both.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import replicability as rep

EXAMPLES = Path(rep.__file__).parent / "cli" / "example"
SIDES = ("ours", "baseline")

SAME, FEWER, LEVEL = "the answer of the sample", "that without a dataset", "level"
"""Outcomes that are no refusal."""

RECORDS = {
    "lm_eval": ("doc_id", "acc"),
    "inspect_ai": ("id", "scores.match.value"),
    "helm": ("instance_id", "stats.1.sum"),
    "every_eval_ever": ("sample_id", "evaluation.score"),
    "nemo_evaluator": ("problem_idx", "reward"),
}
"""Format whose files hold a record for each item -> where its identifier and its score are."""

LINES = ("labels", "spans", "segments", "translations", "conllu", "ids")
"""Formats whose files hold text, or a list."""

OPTIONS = {
    "lm_eval": {"metric": "acc"},
    "inspect_ai": {"metric": "match"},
    "helm": {"metric": "exact_match", "filter": "test"},
    "every_eval_ever": {},
    "nemo_evaluator": {},
    "ids": {"lists": "right", "items": "items"},
    "labels": {"gold": "gold", "metric": "accuracy"},
    "spans": {"gold": "gold", "metric": "f1"},
    "segments": {},
    "translations": {"gold": "gold", "metric": "chrf"},
    "conllu": {"gold": "gold", "metric": "las"},
}
"""Format -> the keywords that its study has."""


def sample(kind):
    """Return the files of a sample by their paths."""
    folder = EXAMPLES / kind
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in paths
        if path.name != "study.yaml"
    }


def store(files, folder):
    """Write files into a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


# --- records -------------------------------------------------------------------------------------


def loaded(name, content):
    """Return the document around the records of a file, None for lines, and the records."""
    if name.endswith(".jsonl"):
        return None, [json.loads(line) for line in content.splitlines()]
    document = json.loads(content)
    return (None, document) if isinstance(document, list) else (document, document["samples"])


def dumped(name, document, records):
    """Write records as the file had them."""
    if name.endswith(".jsonl"):
        return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records).encode()
    whole = records if document is None else document | {"samples": records}
    return json.dumps(whole, ensure_ascii=False).encode()


def at(record, path, value):
    """Return a record with another value at a place."""
    first, _, rest = path.partition(".")
    if isinstance(record, list):
        place = int(first)
        changed = at(record[place], rest, value) if rest else value
        return [*record[:place], changed, *record[place + 1 :]]
    return record | {first: at(record[first], rest, value) if rest else value}


def found(record, path):
    """Return the value at a place."""
    for key in path.split("."):
        record = record[int(key) if isinstance(record, list) else key]
    return record


def bytes_of(change, sides=("ours",), only="letters"):
    """Return a disturbance of the bytes of the files of a dataset, "" for those of all."""

    def changed(kind, files):
        names = [name for name in files if name.split("/")[0] in sides and about(files, name, only)]
        return files | {name: change(files[name]) for name in names}

    return changed


def about(files, name, dataset):
    """Tell whether a file is about a dataset, by its name or, where that says nothing, its text."""
    return dataset in name or (name.endswith("_samples.jsonl") and dataset.encode() in files[name])


def records_of(change, sides=("ours",), only="letters"):
    """Return a disturbance of the records of a dataset."""

    def changed(kind, files):
        new = dict(files)
        for name in files:
            if name.split("/")[0] in sides and about(files, name, only):
                document, records = loaded(name, files[name])
                new[name] = dumped(name, document, change(records, *RECORDS[kind]))
        return new

    return changed


def score(value):
    """Return a change of the score of the third record."""
    return lambda records, _, place: [
        at(record, place, value) if n == 3 else record for n, record in enumerate(records)
    ]


def identifiers(change):
    """Return a change of all identifiers."""
    return lambda records, key, _: [at(r, key, change(found(r, key))) for r in records]


def name_of(change, side="ours"):
    """Return a disturbance of the names of the files of a system."""

    def changed(_, files):
        return {
            (
                f"{side}/{change(name.removeprefix(side + '/'))}" if name.startswith(side) else name
            ): c
            for name, c in files.items()
        }

    return changed


def more(name, content):
    """Return a disturbance that adds a file to both systems."""
    return lambda _, files: files | {f"{side}/{name}": content for side in SIDES}


@dataclass(frozen=True)
class Disturbance:
    """What happens to the files of a sample.

    Attributes
    ----------
    change : callable
        From a format and the files of its sample to other files.
    outcome : str
        `SAME`, or a regular expression of the refusal.
    kinds : tuple of str
        The formats.
    but : dict of str to str
        Format -> its own outcome.
    """

    change: object
    outcome: str
    kinds: tuple = (*RECORDS, *LINES)
    but: dict = None

    def of(self, kind):
        """Return the outcome of a format."""
        return (self.but or {}).get(kind, self.outcome)


TEXT = tuple(RECORDS)
NAMED = ("helm", "every_eval_ever")
"""Formats whose identifiers are text."""

DISTURBANCES = {
    # bytes
    "nothing": Disturbance(lambda _, files: files, SAME),
    "a byte order mark": Disturbance(bytes_of(lambda b: b"\xef\xbb\xbf" + b), SAME),
    "line feeds of Windows": Disturbance(bytes_of(lambda b: b.replace(b"\n", b"\r\n")), SAME),
    "no line feed at the end": Disturbance(
        bytes_of(lambda b: b.rstrip(b"\n")), SAME, but={"conllu": r"write a blank line after"}
    ),
    "blank lines at the end": Disturbance(
        bytes_of(lambda b: b + b"\n\n"),
        SAME,
        but={"conllu": r"no sentence ends there", "translations": r"has 14 lines, but"},
    ),
    "blanks at the ends of lines": Disturbance(
        bytes_of(lambda b: b.replace(b"\n", b"  \n")), SAME, but={"conllu": r"write a blank line"}
    ),
    "nothing in a file": Disturbance(bytes_of(lambda b: b""), r"."),
    "half of a file": Disturbance(bytes_of(lambda b: b[: len(b) // 2]), r"."),
    "UTF-16": Disturbance(bytes_of(lambda b: b.decode().encode("utf-16")), r"."),
    "Latin-1": Disturbance(
        bytes_of(lambda b: b.replace(b"e", b"\xe9")),
        r"UTF-8",
        (*NAMED, "lm_eval", "nemo_evaluator", "labels", "spans", "conllu"),
    ),
    "zero bytes": Disturbance(bytes_of(lambda b: b.replace(b"\n", b"\0\n", 1)), r"."),
    "noise": Disturbance(bytes_of(lambda b: bytes(range(128, 256)) * 9), r"."),
    "a web page": Disturbance(bytes_of(lambda b: b"<html><body>404</body></html>\n"), r"."),
    "a pointer of Git LFS": Disturbance(
        bytes_of(lambda b: b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n"),
        r".",
    ),
    "marks of a merge": Disturbance(bytes_of(lambda b: b"<<<<<<< HEAD\n" + b), r"."),
    "a comment": Disturbance(bytes_of(lambda b: b"// made by us\n" + b), r"."),
    "the last line twice": Disturbance(
        bytes_of(lambda b: b + b.rstrip(b"\n").splitlines()[-1] + b"\n"), r"."
    ),
    "the last line lost": Disturbance(
        bytes_of(lambda b: b.rstrip(b"\n").rpartition(b"\n")[0] + b"\n"), r"."
    ),
    "files of both alike": Disturbance(
        lambda _, files: (
            files
            | {
                n: files[n.replace("ours", "baseline", 1)]
                for n in files
                if n.startswith("ours") and n.replace("ours", "baseline", 1) in files
            }
        ),
        LEVEL,
        ("lm_eval", "nemo_evaluator", *LINES),
    ),
    # files
    "notes beside them": Disturbance(
        more("README.md", b"# Notes\n"), SAME, but=dict.fromkeys(LINES, r"README")
    ),
    "hidden files": Disturbance(more(".DS_Store", b"\0\1\2"), SAME),
    "a dataset of one system": Disturbance(
        lambda _, files: {
            n: c
            for n, c in files.items()
            if not (n.startswith("ours") and about(files, n, "letters"))
        },
        r".",
    ),
    "a dataset of neither": Disturbance(
        lambda _, files: {n: c for n, c in files.items() if not about(files, n, "letters")}, FEWER
    ),
    "names in capitals": Disturbance(name_of(str.upper), r"."),
    "an empty folder": Disturbance(
        lambda _, files: (
            {n: c for n, c in files.items() if not n.startswith("ours")} | {"ours/.keep": b""}
        ),
        r".",
    ),
    # records
    "records from the end": Disturbance(records_of(lambda r, *_: r[::-1]), SAME, TEXT),
    "records of both from the end": Disturbance(
        records_of(lambda r, *_: r[::-1], SIDES, ""), SAME, TEXT
    ),
    "keys from the end": Disturbance(
        records_of(lambda r, *_: [dict(list(one.items())[::-1]) for one in r]), SAME, TEXT
    ),
    "more keys": Disturbance(
        records_of(lambda r, *_: [one | {"note": {"a": [1, {"b": None}]}} for one in r]), SAME, TEXT
    ),
    "a record twice": Disturbance(records_of(lambda r, *_: [*r, r[0]]), r".", TEXT),
    "a record lost": Disturbance(records_of(lambda r, *_: r[1:]), r".", TEXT),
    "no records": Disturbance(records_of(lambda r, *_: []), r".", TEXT),
    "a record that is a list": Disturbance(records_of(lambda r, *_: [*r, [1]]), r".", TEXT),
    "a record that is null": Disturbance(records_of(lambda r, *_: [*r, None]), r".", TEXT),
    **{
        f"a score {value!r}"[:40]: Disturbance(records_of(score(value)), r".", TEXT)
        for value in (
            None,
            "",
            "x",
            "0,5",
            [1],
            {},
            {"a": 1},
            float("nan"),
            float("inf"),
            10**400,
            "nan",
            "1_0",
        )
    },
    "a score that is text": Disturbance(records_of(score("1.0")), r".", TEXT, {"inspect_ai": SAME}),
    "a score that is true": Disturbance(
        records_of(lambda r, _, p: [at(one, p, bool(found(one, p) in (1, "C"))) for one in r]),
        SAME,
        TEXT,
    ),
    "a system in per cent": Disturbance(
        records_of(
            lambda r, _, p: [at(one, p, 100.0 * (found(one, p) in (1, "C"))) for one in r], only=""
        ),
        r".",
        TEXT,
    ),
    "no scores": Disturbance(
        records_of(
            lambda r, _, p: [{k: v for k, v in one.items() if k != p.split(".")[0]} for one in r]
        ),
        r".",
        TEXT,
    ),
    "no identifiers": Disturbance(
        records_of(lambda r, key, _: [{k: v for k, v in one.items() if k != key} for one in r]),
        r".",
        TEXT,
    ),
    "identifiers that are null": Disturbance(records_of(identifiers(lambda i: None)), r".", TEXT),
    "identifiers that are lists": Disturbance(records_of(identifiers(lambda i: [i])), r".", TEXT),
    "identifiers with blanks": Disturbance(
        records_of(identifiers(lambda i: f" {i} ")), r"are missing", NAMED
    ),
    "identifiers in capitals": Disturbance(records_of(identifiers(str.upper)), r".", NAMED),
    "identifiers in another form": Disturbance(
        lambda kind, files: records_of(identifiers(lambda i: f"e\u0301{i}"))(
            kind, records_of(identifiers(lambda i: f"\u00e9{i}"), ("baseline",))(kind, files)
        ),
        r"are missing",
        NAMED,
    ),
    "identifiers as text": Disturbance(records_of(identifiers(str)), SAME, TEXT),
    "identifiers with decimals": Disturbance(
        records_of(identifiers(float)), r".", ("lm_eval", "inspect_ai", "nemo_evaluator")
    ),
    "other identifiers": Disturbance(records_of(identifiers(lambda i: f"z{i}")), r".", TEXT),
    "identifiers moved by one": Disturbance(
        records_of(identifiers(lambda i: i + 1)), r".", ("lm_eval", "inspect_ai", "nemo_evaluator")
    ),
    "a key twice": Disturbance(
        bytes_of(lambda b: re.sub(rb'\{("\w+": )', rb'{"zz": 1, "zz": 2, \1', b, count=1)),
        r".",
        TEXT,
    ),
    # what was asked
    "other questions": Disturbance(
        bytes_of(lambda b: b.replace(b"Which word names", b"Which word is")),
        r".",
        ("lm_eval", "inspect_ai"),
    ),
}
"""Name -> what happens to the files, and what comes of it."""
