"""Scores of segments, such as ``sacrebleu --sentence-level`` prints them."""

import re

import numpy as np

from replicability.checks import InputError
from replicability.io import cells, datasets, scales
from replicability.io.formats import Format
from replicability.io.instances import Dataset
from replicability.io.json_lines import cut, parsed, reason, record
from replicability.io.text import finite, read_text, shown

_SEGMENT = re.compile(r"(?P<signature>[^\s=]+) = (?P<score>\S+)(?:\s.*)?")


def _recognises(path):
    """Tell whether a file, or the first of a folder, begins like what sacrebleu prints."""
    try:
        with datasets.first(path).open("rb") as stream:
            match = _SEGMENT.fullmatch(stream.readline(1 << 12).decode(errors="replace").strip())
    except OSError:
        return False
    return bool(match) and "|" in match["signature"]


def _read(comparison):
    """Read the scores of segments, which are matched by place."""
    found = []
    for dataset, files in datasets.find(comparison).items():
        (a, signature_a), (b, signature_b) = (_scores(files[side]) for side in "ab")
        for side, signature in (("a", signature_a), ("b", signature_b)):
            name = re.split(r"\W", signature or "")[0]
            scales.refuse_lower(shown(files[side]), name, comparison.higher_is_better)
        if len(a) != len(b):
            raise InputError(
                f"{shown(files['b'])} has {len(b)} segments, but {shown(files['a'])} has "
                f"{len(a)}; score both systems on the same segments in the same order."
            )
        if signature_a and signature_b and signature_a != signature_b:
            raise InputError(
                f"{shown(files['b'])} has the signature {signature_b!r}, but {shown(files['a'])} "
                f"has {signature_a!r}; score both systems with the same metric and settings."
            )
        found.append(Dataset(dataset, cells.by_place(len(a)), a, b))
    return found


def _scores(path):
    """Return the scores of a file, and the signature of the metric or None."""
    text = read_text(path).rstrip("\n")
    lines = text.split("\n")
    if text.lstrip().startswith("["):
        try:
            lines = parsed(text)
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"{shown(path)} is not JSON, or is incomplete ({reason(error)}); recreate the file."
            ) from None
    found = [_segment(path, number, line) for number, line in enumerate(lines, 1)]
    if not found:
        raise InputError(f"{shown(path)} has no scores; score at least one segment.")
    signatures = list(dict.fromkeys(signature for _, signature in found))
    if len(signatures) > 1:
        one, two = (repr(name) if name else "an unnamed metric" for name in signatures[:2])
        raise InputError(
            f"{shown(path)} has scores for both {one} and {two}; keep only the lines of one metric."
        )
    return np.array([score for score, _ in found]), signatures[0]


def _segment(path, number, line):
    """Return score and signature of a line, or of an entry of a JSON list."""
    if isinstance(line, str) and line.lstrip().startswith("{"):
        line = record(path, number, line)
    if isinstance(line, dict):
        name = [str(line[key]) for key in ("name", "signature") if line.get(key)]
        line, signature = line.get("score"), "|".join(name) or None
    elif isinstance(line, str):
        match = _SEGMENT.fullmatch(line.strip())
        line, signature = (match["score"], match["signature"]) if match else (line, None)
    else:
        signature = None
    score = finite(line)
    if score is None:
        raise InputError(
            f"{shown(path)}, line {number}: the score is {cut(line)}, but a line must be one "
            "number, or what sacrebleu --sentence-level prints; write one line for each segment."
        )
    return score, signature


FORMAT = Format(
    name="segments",
    title="sacrebleu scores",
    instance="a segment",
    read=_read,
    recognises=_recognises,
)
