"""Lists of the items that a system has right, or wrong, as SWE-bench writes them."""

import dataclasses
import json

import pyarrow as pa
import pyarrow.compute as pc

from replicability import checks
from replicability.checks import InputError
from replicability.io import aggregates, datasets
from replicability.io.cells import some
from replicability.io.formats import Format
from replicability.io.instances import Dataset
from replicability.io.json_lines import cut, parsed, reason
from replicability.io.text import composed, existing, read_text, shown

KEYS = {
    "right": ("resolved", "resolved_ids", "correct", "passed", "right", "solved"),
    "wrong": ("unresolved", "unresolved_ids", "incorrect", "failed", "wrong", "unsolved"),
}
"""Maps the contents of a list to its possible keys in a JSON object."""

HEADERS = {"id", "instance_id", "instance", "task_id", "task", "question_id", "item", "doc_id"}
"""First lines that are no identifiers."""

MOST = 10**7
"""Most items that are read."""

_TOTALS = ("total_instances", "total")


def _read(comparison):
    """Score each item 1 if the system has it right, else 0."""
    found = []
    kind = comparison.lists
    parted = isinstance(comparison.items, str)  # into datasets that only that file names
    places = datasets.find(dataclasses.replace(comparison, datasets=()) if parted else comparison)
    _refuse_one_number(comparison, places)
    for name, files in places.items():
        lists = {side: _listed(files[side], kind) for side in "ab"}
        total = _one_total(files, {side: lists[side][1] for side in "ab"})
        listed = {side: ids for side, (ids, _, _) in lists.items()}
        known = {side: every for side, (_, _, every) in lists.items()}
        for dataset, universe in _items(comparison, name, files, total, known).items():
            universe = pa.array(universe, pa.string())
            sets = [pa.array(list(listed[side]), pa.string()) for side in "ab"]
            scores = [pc.is_in(universe, ids).cast(pa.float64()).to_numpy() for ids in sets]
            a, b = scores if kind == "right" else (1 - scores[0], 1 - scores[1])
            found.append(Dataset(dataset, universe, a, b))
    return datasets.chosen(comparison, found)


def _listed(path, kind):
    """Return the identifiers of a list, the number of all items if it is there, and all ids."""
    text = read_text(path)
    if text.lstrip()[:1] not in ("{", "["):
        ids = _unique(path, list(_lines(path, text)))
        return ids, None, ids
    try:
        content = parsed(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{shown(path)} is not JSON, or is incomplete ({reason(error)}); recreate the file."
        ) from None
    aggregates.refuse(path, content)
    ids, total = content, None
    if isinstance(content, dict):
        key = next((k for k in KEYS[kind] if isinstance(content.get(k), list)), None)
        if key is None:
            raise InputError(
                f"{shown(path)} has no list of the items that are {kind}; add one under "
                f"{checks.enumerated(KEYS[kind]).replace(' and ', ' or ')}, or use "
                f"{checks.named('lists')} to say which items the file lists."
            )
        ids, total = content[key], next((content[k] for k in _TOTALS if k in content), None)
        _check_total(path, total)
    ids = _unique(path, [(f"entry {n}", value) for n, value in enumerate(ids, 1)])
    return ids, total, ids | (_both(path, content) if isinstance(content, dict) else {})


def _both(path, content):
    """Return the items that are right and those that are wrong, each in one list."""
    sides = [
        {composed(v): None for key in keys for v in _list(content.get(key)) if _is_name(v)}
        for keys in KEYS.values()
    ]
    if both := sorted(sides[0].keys() & sides[1].keys()):
        raise InputError(
            f"{shown(path)} lists {some(both)} as both right and wrong; keep each item in only "
            "one list."
        )
    return sides[0] | sides[1]


def _list(value):
    return value if isinstance(value, list) else ()


def _lines(path, text):
    """Iterate over the place and identifier of each line."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            if number == 1 and line.strip().casefold() in HEADERS:
                raise InputError(
                    f"{shown(path)}, line 1 is {line.strip()!r}, which is a header, not an "
                    "identifier; delete this line."
                )
            if "\t" in line.strip() or "," in line:
                raise InputError(
                    f"{shown(path)}, line {number} is {line.strip()[:60]!r}, but each line must "
                    "be one identifier; for a table with a column of scores, use the format "
                    "'table'."
                )
            yield f"line {number}", line.strip()


def _check_total(path, total):
    """Refuse a number of items that is none."""
    if total is not None and type(total) is int and total > MOST:
        raise InputError(
            f"{shown(path)} says that there are {cut(total)} items, but at most {MOST:,} can be "
            "read; correct the number."
        )
    if total is not None and (type(total) is not int or total < 1):
        raise InputError(
            f"{shown(path)}: the total number of items is {cut(total)}, but it must be a whole "
            "number of at least 1; correct it."
        )


def _unique(path, entries):
    """Return identifiers as a set, which have each its own entry."""
    places = {}
    for place, value in entries:
        if not _is_name(value):
            raise InputError(
                f"{shown(path)}, {place} is {cut(value)}, but the identifier of an item must be "
                "text or a whole number; correct it."
            )
        name = composed(value)
        if name in places:
            raise InputError(
                f"{shown(path)}, {place}: {name!r} is listed a second time after {places[name]}; "
                "keep one of them."
            )
        places[name] = place
    return dict.fromkeys(places)


def _is_name(value):
    named = isinstance(value, str | int) and not isinstance(value, bool)
    return named and str(value).strip() != "" and checks.is_unicode(str(value))


def _one_total(files, totals):
    """Return the number of all items that the files say, the same in both."""
    said = {side: total for side, total in totals.items() if total is not None}
    if len(set(said.values())) > 1:
        raise InputError(
            f"{shown(files['a'])} says that there are {said['a']:,} items, but "
            f"{shown(files['b'])} says that there are {said['b']:,}; run both systems on the same "
            "items."
        )
    return next(iter(said.values()), None)


def _items(comparison, name, files, total, known):
    """Return the identifiers of all items of each dataset."""
    items = comparison.items
    if isinstance(items, dict):
        checks.choice(f"{comparison.source}: dataset", name, items)
        items = items[name]
    if isinstance(items, str):
        parts = _all(items, name)
        for side in "ab":
            _refuse_unknown(files[side], known[side], items, parts)
        return parts
    if items and total and items != total:
        raise InputError(
            f"{comparison.source}: the lists say that there are {total:,} items, but "
            f"{checks.named('items')} is {items:,}; leave {checks.named('items')} out, or correct "
            "it."
        )
    return {name: _filled(comparison, name, items or total, known)}


def _refuse_one_number(comparison, names):
    """Refuse one number of items for several datasets."""
    if isinstance(comparison.items, int) and comparison.items and len(names) > 1:
        raise InputError(
            f"{comparison.source} have {len(names)} datasets, but {checks.named('items')} is a "
            "single number; give a number for each dataset, or files with the identifiers of all "
            "items."
        )


def _filled(comparison, name, total, known):
    """Return the listed identifiers, and a number for each item that neither list has."""
    union = sorted({*known["a"], *known["b"]})
    folded = {}
    for identifier in union:
        other = folded.setdefault(identifier.casefold(), identifier)
        if other != identifier:
            raise InputError(
                f"{comparison.source}: the lists of {name!r} have {other!r} and {identifier!r}, "
                "which may be the same item; use one spelling in both, or set "
                f"{checks.named('items')} to a file with all identifiers, one per line."
            )
    if not total:
        raise InputError(
            f"{comparison.source}: a list does not say how many items there are, but unlisted "
            f"items matter too; set {checks.named('items')} to the total number of items, or to a "
            "file with all identifiers, one per line."
        )
    if total < len(union):
        raise InputError(
            f"{comparison.source}: {name!r} has {total:,} items, but the lists name "
            f"{len(union):,} different items; correct the number, or the lists."
        )
    if total > MOST:
        raise InputError(
            f"{comparison.source}: there are {total:,} items, but at most {MOST:,} can be read; "
            "correct the number."
        )
    return union + [f"(unlisted {number})" for number in range(1, total - len(union) + 1)]


def _all(items, name):
    """Read the identifiers of all items of a dataset, or of its parts if they are named."""
    place = existing(items, folder=None)
    if place.is_dir():
        stems = {path.stem: path for path in sorted(place.iterdir()) if path.is_file()}
        checks.choice(f"{items}: dataset", name, stems)
        place = stems[name]
    parts, entries = {}, []
    for number, line in enumerate(read_text(place).split("\n"), 1):
        if line.strip():
            cells = [composed(cell) for cell in line.strip().split("\t")]
            if len(cells) > 2 or not all(cells):
                raise InputError(
                    f"{shown(place)}, line {number} is {line[:60]!r}, but each line must consist "
                    "of an identifier and, if there are several datasets, a tab and its dataset; "
                    "correct this line."
                )
            entries.append((f"line {number}", cells[0]))
            parts.setdefault(cells[1] if len(cells) == 2 else name, []).append(cells[0])
    _unique(place, entries)
    if name in parts and len(parts) > 1:
        raise InputError(
            f"{shown(place)}: no dataset is given for {some(parts[name])}, but other items have "
            "one; write a tab and a dataset after every item, or after none."
        )
    return parts


def _refuse_unknown(path, listed, items, parts):
    """Refuse identifiers that are listed, but not among all."""
    known = set().union(*parts.values())
    for identifier in listed:
        if identifier not in known:
            near = checks.nearest(identifier, known).strip("; .")
            raise InputError(
                f"{shown(path)} lists {identifier!r}, which is not among the items in {items}"
                f"{near and f' ({near})'}; correct one of the two."
            )


def _recognises(path):
    """Tell whether a file, or the first of a folder, is a JSON object with such a list."""
    file = datasets.first(path)
    if file.suffix.lower() != ".json" or not file.is_file():
        return False
    try:
        content = file.read_bytes()
        if content[:64].lstrip().startswith(b"["):
            return False  # rows, of which there may be many
        content = json.loads(content)
    except (OSError, ValueError, RecursionError):
        return False
    keys = ("resolved", "resolved_ids")
    return isinstance(content, dict) and any(isinstance(content.get(k), list) for k in keys)


FORMAT = Format(
    name="ids",
    title="lists of solved items",
    instance="an item",
    read=_read,
    recognises=_recognises,
    options=("items", "lists"),
)
