"""Logs of Inspect: a ZIP archive ``.eval`` with a member for each sample, or one ``.json``."""

import collections
import functools
import itertools
import json
import re
import zipfile
import zlib
from dataclasses import dataclass

from replicability.checks import InputError, refuse_odd
from replicability.io.json_lines import pairs, plain, reason, uncollected
from replicability.io.text import below, existing, finite, read_text, shown

VALUES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0}
"""Maps text scores of Inspect to numbers; C is correct, P partial, I incorrect, N no answer."""

MOST_OF_ONE, MOST_OF_ALL = 2**28, 2**34
"""Maximum unpacked size in bytes of an archive member, and of the whole archive."""

KEPT = ("id", "epoch", "input", "scores", "error")
"""Fields of a sample that are read; the others may be large."""

HEAD = 4096
"""Number of bytes read to recognise a .json file as a log."""

LOOKED_AT = 200
"""Maximum number of .json files opened to recognise a folder of logs."""

_STATUS = re.compile(rb'"status"\s*:\s*"(success|error|cancelled|started)"')
_EVAL = re.compile(rb'"eval"\s*:\s*\{')
_SAMPLE = re.compile(r"(samples/.+_epoch_[0-9]+)(?:/sample)?\.json")
"""Matches the archive member of a sample, stored whole or in parts."""

_ATTACHMENTS = re.compile(r"(samples/.+_epoch_[0-9]+)/attachments/([0-9]{1,9})\.json")
_ATTACHED = re.compile(r'"attachment://([0-9]{1,9})"')
"""Matches the placeholder of a long text that is stored separately."""


@dataclass(frozen=True, eq=False)
class Log:
    """One log: a task that a model ran.

    Attributes
    ----------
    path : Path
        The file.
    eval : dict
        What was run: "task", "task_args", "task_version", "model" and more.
    status : str
        "success" if it ended well, "invalidated" if samples of it were declared invalid since.
    total : int or None
        Number of samples times epochs that it says were run.
    samples : list of dict
        Its samples, with "id", "epoch", "input", "scores" and "error"; empty if only results are
        stored.
    """

    path: object
    eval: dict
    status: str
    total: int | None
    samples: list

    @property
    def task(self):
        """Name of the task."""
        return str(self.eval.get("task", ""))

    @property
    def model(self):
        """Name of the model."""
        return str(self.eval.get("model", ""))

    @property
    def arguments(self):
        """Arguments of the task as text."""
        found = self.eval.get("task_args")
        found = found if isinstance(found, dict) else {}
        return {key: x if isinstance(x, str) else json.dumps(x) for key, x in found.items()}


def is_log(path):
    """Tell whether a file is a log, by the ending .eval or what a .json begins with."""
    if path.suffix == ".eval":
        return True
    if path.suffix != ".json" or not path.is_file():
        return False
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD)
    except OSError:
        return False
    return bool(_STATUS.search(head) and _EVAL.search(head))


def recognises(path):
    """Tell whether a path is a log, or a folder with one at any depth."""
    if not path.is_dir():
        return is_log(path)
    if any(below(path, "*.eval")):
        return True
    return any(map(is_log, itertools.islice(below(path, "*.json"), LOOKED_AT)))


def find(path):
    """Find the logs of a system.

    `path`: a log, or a folder with logs at any depth.

    Returns list of Path. At least one, sorted.

    Raises `InputError`: if there is none.
    """
    place = existing(path, folder=None)
    if place.is_file():
        return [place]
    found = sorted(filter(is_log, below(place)))
    if not found:
        raise InputError(
            f"{path} contains no Inspect logs (.eval or .json); give the folder with the logs of "
            "one model."
        )
    return found


def read(path):
    """Read a log.

    Returns Log. What it holds; nothing but its form is checked.

    Raises `InputError`: if it is cut off, damaged, or no log of Inspect.
    """
    with uncollected():
        content, samples = _archive(path) if path.suffix == ".eval" else _text(path)
    if not isinstance(content, dict) or not isinstance(content.get("eval"), dict):
        raise InputError(
            f"{shown(path)} is not an Inspect log, because it has no key 'eval' that says what "
            "was run; choose an Inspect log, or another format."
        )
    results = content.get("results")
    total = results.get("total_samples") if isinstance(results, dict) else None
    for sample in samples:
        if not isinstance(sample, dict) or sample.get("id") is None:
            raise InputError(
                f"{shown(path)}: a sample has no 'id', which is needed to match samples; write "
                "the log again with a version of Inspect that stores it."
            )
    refuse_odd(f"{shown(path)}: the id of a sample", (str(sample["id"]) for sample in samples))
    names = (str(content["eval"].get(key, "")) for key in ("task", "model"))
    refuse_odd(f"{shown(path)}: a task or model", names)
    return Log(
        path=path,
        eval=content["eval"],
        status="invalidated" if content.get("invalidated") else str(content.get("status")),
        total=total if isinstance(total, int) else None,
        samples=sorted(samples, key=_natural),  # an archive has them as they came to an end
    )


def _natural(sample):
    """Order samples by their ids, whole numbers by value and first, and epochs."""
    name, epoch = str(sample["id"]), str(sample.get("epoch", 1))
    return (*((0, int(x), "") if x.isdecimal() else (1, 0, x) for x in (name, epoch)),)


def model(path):
    """Return the model of the logs at a path, "" if there are several or none is readable."""
    try:
        named = {_model(log) for log in find(path)}
    except (InputError, OSError, KeyError, ValueError, TypeError, RuntimeError, zipfile.BadZipFile):
        return ""  # what is wrong is said where the log is read
    return named.pop() if len(named) == 1 else ""


def _model(path):
    """Return the model of a log; of an archive without its samples."""
    if path.suffix != ".eval":
        return read(path).model
    with zipfile.ZipFile(path) as archive:
        _refuse_large(shown(path), archive.infolist())
        return str(json.loads(_member(archive, "header.json"))["eval"]["model"])


def _text(path):
    """Read a .json: everything, and the samples in it."""
    text = read_text(path)
    try:
        found = pairs(text)
        if not isinstance(found, tuple):
            return found, []
        samples = dict(found).get("samples")
        content = plain(tuple((key, None if key == "samples" else x) for key, x in found))
        return content, [plain(x, KEPT) for x in samples] if isinstance(samples, list) else []
    except (ValueError, RecursionError) as error:
        raise _not_json(shown(path), error) from None


def _archive(path):
    """Read a .eval: what its header says, and the samples."""
    place = shown(path)
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            _refuse_large(place, archive.infolist())
            if "header.json" not in names:
                raise InputError(
                    f"{place} has no header.json, which is written when an evaluation ends; "
                    "finish the evaluation with `inspect eval-retry`."
                )
            name = "header.json"
            try:
                content, samples = plain(pairs(_member(archive, name))), []
                starts = collections.defaultdict(list)
                for found in filter(None, map(_ATTACHMENTS.fullmatch, names)):
                    starts[found[1]].append(int(found[2]))
                for folder, name in ((m[1], m[0]) for m in map(_SAMPLE.fullmatch, names) if m):
                    sample = plain(pairs(_member(archive, name)), KEPT)
                    samples.append(_attached(archive, folder, starts[folder], sample))
            except (ValueError, RecursionError) as error:
                raise _not_json(f"{place}, {name}", error) from None
            return content, samples
    except NotImplementedError:
        raise InputError(
            f"{place} is compressed in a way that this Python cannot read; convert it to .json "
            "with `inspect log convert --to json`."
        ) from None
    except RuntimeError:  # as zipfile says it
        raise InputError(f"{place} is encrypted; write it again without a password.") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
        raise InputError(
            f"{place} is not a complete .eval archive ({str(error).rstrip('.')}); copy or create "
            "it again."
        ) from None


def _attached(archive, folder, starts, sample):
    """Put attachments, lists that are called by the number of their first, into the input."""
    text = json.dumps(sample["input"]) if isinstance(sample, dict) and "input" in sample else ""
    if not (starts and _ATTACHED.search(text)):
        return sample

    @functools.cache
    def listed(start):
        return json.loads(_member(archive, f"{folder}/attachments/{start}.json"))

    def whole(found):
        start = max((start for start in starts if start <= int(found[1])), default=None)
        inside = [] if start is None else listed(start)[int(found[1]) - start :]
        return json.dumps(inside[0]) if inside else found[0]

    return sample | {"input": json.loads(_ATTACHED.sub(whole, text))}


def _member(archive, name):
    """Unpack a member, and no more of it than the archive says, which may be wrong."""
    member = archive.getinfo(name)
    with archive.open(member) as stream:
        return stream.read(member.file_size)


def _refuse_large(place, members):
    """Refuse an archive that grows beyond all bounds when it is unpacked."""
    large = max(members, key=lambda member: member.file_size, default=None)
    total = sum(member.file_size for member in members)
    if large is not None and (large.file_size > MOST_OF_ONE or total > MOST_OF_ALL):
        raise InputError(
            f"{place} unpacks to {total:,} bytes; its largest member, {large.filename!r}, has "
            f"{large.file_size:,} bytes. At most {MOST_OF_ALL:,} bytes in all "
            f"and {MOST_OF_ONE:,} per member can be read; split the log."
        )


def _not_json(place, error):
    """Say what is no JSON, or has a key twice."""
    return InputError(
        f"{place} is not JSON, or is incomplete ({reason(error)}); copy or create it again."
    )


def scorers(scores):
    """List the scores of a sample by name.

    `scores`: scorer -> what it says; a value that is a mapping has several scores.

    Returns dict of str to object. Scorer, or "scorer/key" of a mapping -> value.
    """
    found = {}
    for name, score in scores.items() if isinstance(scores, dict) else ():
        value = score.get("value") if isinstance(score, dict) else None
        if isinstance(value, dict):
            found |= {f"{name}/{key}": inner for key, inner in value.items()}
        else:
            found[name] = value
    return found


def number(value):
    """Return a value as a finite number, or None if it is not one.

    Examples
    --------
    >>> [number(value) for value in ("C", "P", "I", "N", True, 0.25, "0.5", "Yes", "B")]
    [1.0, 0.5, 0.0, 0.0, 1.0, 0.25, 0.5, 1.0, None]
    """
    if isinstance(value, str):
        named = VALUES.get(value, VALUES.get(value.lower()) if len(value) > 1 else None)
        if named is not None:
            return named
    return finite(value)
