"""Which files are a dataset: one for each system, or folders with one file per dataset."""

import os
import re
from pathlib import Path

from replicability import checks
from replicability.checks import InputError
from replicability.io import aggregates, inspect_logs
from replicability.io.cells import some
from replicability.io.text import below, existing, read_bytes, shown, unreadable

SIDES = ("gold", "a", "b")
"""Keys of the files of a comparison."""

LOG = re.compile(r"samples_(.+?)(_\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}(\.\d+)?)?\.jsonl")
"""Matches file names of lm-evaluation-harness logs; the first group is the task."""


def is_log(path):
    """Tell whether a path is called ``samples_<task>_<time>.jsonl``; the time may be left out."""
    return bool(LOG.fullmatch(path.name))


ENDINGS = (
    ".arrow", ".bio", ".conll", ".conllu", ".csv", ".feather", ".iob", ".ipc", ".json", ".jsonl",
    ".ndjson", ".ods", ".parquet", ".tags", ".tsv", ".txt", ".xls", ".xlsb", ".xlsm", ".xlsx",
)  # fmt: skip
"""File name extensions that are removed from the name of a system."""


def names_of(a, b):
    """Name two systems after their files, or after other parts of the paths that differ.

    `a`, `b`: different files or folders.

    Returns (str, str). Names of the files without `ENDINGS`, or of the folders; where these are the
    same, or are logs of lm-evaluation-harness, of the nearest folders above them that differ; or
    else their names with endings, or the whole paths.

    Examples
    --------
    >>> names_of("runs/Llama-3.1-8B.csv", "runs/Llama-3.2-3B.csv")
    ('Llama-3.1-8B', 'Llama-3.2-3B')
    >>> names_of("ours/large/news.csv", "baseline/large/news.csv")
    ('ours', 'baseline')
    """
    paths = [Path(os.path.normpath(Path(path).absolute())) for path in (a, b)]
    bare = [p.stem if p.suffix.lower() in ENDINGS and not p.is_dir() else p.name for p in paths]
    folders = list(zip(*(path.parts[-2:0:-1] for path in paths), strict=False))
    ways = [tuple(bare), *folders, tuple(path.name for path in paths)]
    for names in ways[all(map(is_log, paths)) :]:
        if names[0] != names[1]:
            return names
    return tuple(map(str, paths))


def find(comparison):
    """Find the files of each dataset.

    `comparison`: its files are all files, which are one dataset, or all folders, in which the files
    of one dataset have one name, endings aside. Names that begin with a dot do not count.

    Returns dict of str to dict of str to Path. Name of the dataset -> "gold", "a" and "b" -> file.
    The dataset of single files has the name of the gold file, or of those of A and B if they have
    one, or of the comparison.

    Raises `InputError`: if files and folders are mixed, a folder is empty, two of its files have
    one name, or a dataset is not in every folder.
    """
    places = {side: existing(path, folder=None) for side, path in files(comparison)}
    _refuse_logs(comparison, places)
    for place in places.values():
        _refuse_sums(place)
    if not any(place.is_dir() for place in places.values()):
        stems = {places["gold"].stem} if "gold" in places else {p.stem for p in places.values()}
        name = stems.pop() if len(stems) == 1 else comparison.name
        return _wanted(comparison, {name: places})
    for side, place in places.items():
        if not place.is_dir():
            raise InputError(
                f"{comparison.files[side]} is a file, but other paths of the comparison are "
                "folders; replace the file with a folder that contains one file per dataset."
            )
    return _wanted(
        comparison, together(comparison, {side: by_stem(path) for side, path in places.items()})
    )


def _refuse_logs(comparison, places):
    """Refuse logs of lm-evaluation-harness and Inspect that are read in another format."""
    for side, place in places.items():
        logs = [place] if place.is_file() else sorted(below(place, "samples_*.jsonl"))
        if any(map(is_log, logs)):
            raise InputError(
                f"{comparison.files[side]} holds logs of lm-evaluation-harness, such as "
                f"{logs[0].name!r}, which the format {comparison.format!r} does not support; write "
                f"{checks.given('format', 'lm_eval')}."
            )
        if inspect_logs.recognises(place):
            raise InputError(
                f"{comparison.files[side]} holds Inspect logs, which the format "
                f"{comparison.format!r} does not support; write "
                f"{checks.given('format', 'inspect_ai')}."
            )


def _refuse_sums(place):
    """Refuse results that are summed up: a JSON file, or a folder with nothing else."""
    found = [place]
    if place.is_dir():
        found = sorted(p for p in below(place) if not p.name.startswith("."))
    if found and all(path.suffix.lower() == ".json" for path in found):
        aggregates.refuse_text(found[0], read_bytes(found[0]))


def files(comparison):
    """List the sides of a comparison, "gold", "a" and "b", with the file of each."""
    return [(side, comparison.files[side]) for side in SIDES if side in comparison.files]


def first(path):
    """Return a path, or of a folder its first file by name, if there is one that is not hidden."""
    try:
        inside = [p for p in path.glob("[!.]*") if p.is_file()] if path.is_dir() else []
    except OSError:  # of which the reader says more
        inside = []
    return min(inside, default=path)


def by_stem(folder):
    """Return the files of a folder by their names without endings.

    `folder`: an existing folder; names that begin with a dot do not count.

    Returns dict of str to Path. Name of a dataset -> its file, sorted.

    Raises `InputError`: if two files have one name, or the folder cannot be read.
    """
    found = {}
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        raise InputError(unreadable(folder, error)) from None
    for path in paths:
        if path.is_file() and not path.name.startswith("."):
            if path.stem in found:
                raise InputError(
                    f"{folder} has both {found[path.stem].name!r} and {path.name!r}, which name "
                    "the same dataset; keep one of them, or rename one."
                )
            found[path.stem] = path
    checks.refuse_odd(f"{shown(folder)}: the name of a file", found)
    return found


def together(comparison, found):
    """Put the files of each dataset together.

    `comparison`: its `datasets` are chosen if it names any. `found` (dict of str to dict of str to
    Path): "gold", "a" and "b" -> name of a dataset -> file.

    Returns dict of str to dict of str to Path. Name of the dataset, sorted -> "gold", "a" and "b"
    -> file.

    Raises `InputError`: if there is no file, or a dataset is not on every side.
    """
    names = sorted(set().union(*found.values()))
    if not names:
        raise InputError(
            f"{comparison.source} contain no files; give folders with one file per dataset."
        )
    checks.refuse_odd(f"{comparison.source}: the name of a dataset", names)
    if comparison.datasets:
        for name in comparison.datasets:
            checks.choice(f"{comparison.source}: dataset", name, names)
        names = [name for name in names if name in comparison.datasets]
    lacking = {side: [name for name in names if name not in named] for side, named in found.items()}
    if any(lacking.values()):
        listed = "; ".join(
            f"{comparison.files[side]} lacks {some(missing)}"
            for side, missing in lacking.items()
            if missing
        )
        common = [name for name in names if all(name in named for named in found.values())]
        raise InputError(
            f"Comparison {comparison.name!r}: {listed}. Every dataset needs a file of the same "
            "name in each folder; add or rename files, or select the datasets with "
            f"{checks.ways('datasets', common, at_once=True)}."
        )
    return {name: {side: named[name] for side, named in found.items()} for name in names}


def chosen(comparison, found):
    """Choose the datasets that a comparison names, where its files are parted into them.

    `comparison`: its `datasets`, empty for all. `found`: list of instances.Dataset.

    Returns list of instances.Dataset. Those, in the order in which they are found.

    Raises `InputError`: if there is no dataset of a name.
    """
    for name in comparison.datasets:
        checks.choice(f"{comparison.source}: dataset", name, [dataset.name for dataset in found])
    return [d for d in found if not comparison.datasets or d.name in comparison.datasets]


def _wanted(comparison, found):
    for name in comparison.datasets:
        checks.choice(f"{comparison.source}: dataset", name, found)
    return found


OTHER_PROMPTS = (
    "The systems were given different prompts, which may explain a difference in scores; run "
    "both systems with the same arguments to compare only the systems."
)
"""Warning if the prompts of matched items differ."""


def run_otherwise(systems, sides):
    """Say by which arguments of a task two systems were run, where they differ, such as shots.

    `systems` (sequence of str): both systems. `sides` (sequence of set of (str, str)): arguments of
    each, with their values.

    Returns tuple of str. A sentence, or none.
    """
    a, b = sides
    apart = [sorted(a - b), sorted(b - a)]
    if not any(apart):
        return ()
    a, b = (
        f"{who} with {checks.listed([f'{key}={text}' for key, text in of]) or 'none of them'}"
        for who, of in zip(systems, apart, strict=True)
    )
    return (
        f"The systems were run with different task arguments: {a}, {b}. Different arguments may "
        "explain a difference in scores; run both systems with the same arguments to compare "
        "only the systems.",
    )
