"""Translations, or other text that is generated: a line for each segment, with references."""

import re
from itertools import islice

import numpy as np
import pyarrow as pa

from replicability import checks
from replicability.checks import InputError
from replicability.io import cells, datasets
from replicability.io.formats import DOCUMENT, DOCUMENTS, Format
from replicability.io.instances import Dataset
from replicability.io.progress import watched
from replicability.io.text import existing, read_text, shown, unreadable
from replicability.stats.metrics import translation

_REFERENCE = re.compile(r"(?:(?P<name>.+?)\.)?ref(?:erence)?[._-]?(?:\d+|[A-Za-z])?(?:\.\w+)?")
"""Matches names of references, such as "en-de.refA.txt" or "ref.0"; the group is the test set."""

_MARKUP = re.compile(r"\s*<(\?xml|!doctype|refset|srcset|tstset|mteval|dataset|doc|seg)\b", re.I)
_SUBWORDS = re.compile(r"\S+@@ |▁\S+")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Matches letters of scripts without spaces between words."""

_TOKENISED = 0.5
"""Share of lines with a space before the final full stop at which a text looks tokenised."""


def _read(comparison):
    """Score the segments of both systems against the references."""
    found = _files(comparison)
    for name in comparison.tokenize if isinstance(comparison.tokenize, dict) else ():
        checks.choice(f"{comparison.source}: {checks.named('tokenize')}: test set", name, found)
    with_progress = watched([*found.items()], "Scoring")
    return [_dataset(comparison, name, files) for name, files in with_progress]


# --- which files ---------------------------------------------------------------------------------


def _files(comparison):
    """Return the files of each test set, of "gold" a list of references."""
    places = {side: existing(path, folder=None) for side, path in comparison.files.items()}
    folders = [side for side in places if side != "gold" and places[side].is_dir()]
    if not folders:
        name, references = _single(comparison, places)
        found = {side: {name: path} for side, path in places.items()} | {"gold": {name: references}}
        return datasets.together(comparison, found)
    for side, place in places.items():
        if not place.is_dir():
            raise InputError(
                f"{comparison.files[side]} is a file, but {comparison.files[folders[0]]} is a "
                "folder; replace the file with a folder that contains one file per test set."
            )
    found = {side: datasets.by_stem(place) for side, place in places.items() if side != "gold"}
    return datasets.together(comparison, found | {"gold": _references(places["gold"])})


def _single(comparison, places):
    """Return the name of the only test set, and its references."""
    gold, stems = places["gold"], {places[side].stem for side in "ab"}
    if gold.is_file():
        named = _REFERENCE.fullmatch(gold.name)
        stem = gold.stem if named is None else named["name"]
        return stem or (stems.pop() if len(stems) == 1 else comparison.name), [gold]
    inside = _visible(gold)
    others = [path for path in inside if not _REFERENCE.fullmatch(path.name)]
    if others or not inside:
        what = f"holds {others[0].name!r}" if others else "is empty"
        raise InputError(
            f"{shown(gold)} {what}, but each system has one file, for one test set; give the "
            "file with its references, a folder that contains only ref.0, ref.1 and so on, or "
            "folders for gold and both systems."
        )
    return stems.pop() if len(stems) == 1 else comparison.name, inside


def _references(folder):
    """Return the references of each test set in a folder: files, or folders of them."""
    found = {}
    for path in _visible(folder):
        if path.is_dir():
            name, more = path.name, _visible(path)
        else:
            named = _REFERENCE.fullmatch(path.name)
            name, more = named["name"] if named else None, [path]
            name = name or path.stem
            if name in found and not (named and _REFERENCE.fullmatch(found[name][0].name)):
                raise InputError(
                    f"{shown(folder)} has both {found[name][0].name!r} and {path.name!r}, which "
                    f"name the same test set; call the references {name}.ref.0, "
                    f"{name}.ref.1 and so on, or keep only one."
                )
        if not more:
            raise InputError(
                f"{shown(path)} contains no references; add a file, or remove the folder."
            )
        found[name] = found.get(name, []) + more
    return found


def _visible(folder):
    """Return what is in a folder and not hidden, sorted."""
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        raise InputError(unreadable(folder, error)) from None


# --- what is in them -----------------------------------------------------------------------------


def _dataset(comparison, name, files):
    """Score a test set."""
    references = [_lines(path, "reference") for path in files["gold"]]
    outputs = {side: _lines(files[side], "output") for side in "ab"}
    first, n = files["gold"][0], len(references[0])
    sides = [*zip(files["gold"], references, strict=True)]
    sides += [(files[side], outputs[side]) for side in "ab"]
    units = None
    if DOCUMENTS in files:
        documents = _lines(files[DOCUMENTS], DOCUMENT)
        sides.append((files[DOCUMENTS], documents))
        units = pa.array([document.strip() for document in documents])
    for path, lines in sides:
        if len(lines) != n:
            raise InputError(
                f"{shown(path)} has {len(lines):,} lines, but {shown(first)} has {n:,}. A line "
                "must hold the same segment in all files of a test set; write an empty line where "
                "a system has no output."
            )
    metric, tokenize = comparison.metric, _tokenizer(comparison, name, references)
    scorer = translation.scorer(metric, tokenize)
    summed = metric in translation.CORPUS
    count = translation.segment_sums if summed else translation.sentence_scores
    a, b = (count(scorer, outputs[side], references) for side in "ab")
    return Dataset(
        name,
        cells.by_place(n),
        a,
        b,
        metric if summed else None,
        units=units,
        measure=translation.signature(scorer, metric),
        differences=_remarks(comparison, name, outputs),
    )


def _lines(path, what):
    """Return the lines of a file, of which only those of outputs may be empty."""
    lines = read_text(path).removesuffix("\n").split("\n")
    if what != DOCUMENT:
        _refuse_other(path, lines)
    for number, line in enumerate(lines, 1):
        if what != "output" and not line.strip():
            raise InputError(
                f"{shown(path)}, line {number} has no {what}, but only the output of a system may "
                "be empty; leave the segment out of all files, or add what is missing."
            )
    return lines


def _refuse_other(path, lines):
    """Refuse what is no plain text with a segment on each line."""
    written = [line for line in lines if line.strip()]
    tabs = {line.count("\t") for line in written}
    if _MARKUP.match(written[0]):
        what, remedy = "is markup", "write its segments as plain text, one on each line"
    elif written[0].lstrip().startswith(('{"', '[{"')):
        what, remedy = "is JSON", "write its segments as plain text, one on each line"
    elif len(tabs) == 1 and tabs != {0}:
        what = f"has {tabs.pop() + 1} columns on every line, separated by tabs"
        remedy = "write one file for each system and reference, with nothing but the text"
    elif sum(bool(_SUBWORDS.search(line)) for line in written) > len(written) / 2:
        first = _SUBWORDS.search(" ".join(written)).group().strip()
        what = f"is split into subwords, such as {first!r}"
        remedy = "join them, because sacrebleu needs detokenised text"
    else:
        return
    raise InputError(f"{shown(path)} {what}; {remedy}.")


def _tokenizer(comparison, name, references):
    """Return the tokenizer of a test set, or None where it is sacrebleu's default."""
    given = comparison.tokenize
    tokenize = given.get(name) if isinstance(given, dict) else given
    if comparison.metric == "neg_ter" and _unspaced(references):
        raise InputError(
            f"Test set {name!r}: the references are in a script without spaces between words, so "
            f"TER would treat a clause as one word; set {checks.named('metric')} to chrf."
        )
    if not tokenize and "bleu" in comparison.metric and _unspaced(references):
        raise InputError(
            f"Test set {name!r}: the references are in a script without spaces between words. "
            "BLEU's default tokenizer, 13a, would treat a clause as one word; choose another with "
            f"{checks.named('tokenize')}, such as zh, ja-mecab or char."
        )
    return tokenize or None


def _unspaced(references):
    """Tell whether most of what stands in references is in a script without blanks."""
    text = "".join(line for lines in references for line in islice(lines, 1000))
    return len(_UNSPACED.findall(text)) > len(re.sub(r"\s", "", text)) / 2


def _remarks(comparison, name, outputs):
    """Say what a reader should know of outputs: empty ones, and those that look tokenised."""
    found = []
    for side, system in zip("ab", comparison.systems, strict=True):
        lines = outputs[side]
        empty = sum(not line.strip() for line in lines)
        if empty:
            found.append(
                f"{system} has no output for {empty:,} of {len(lines):,} segments of {name!r}; "
                "they are scored as empty outputs, as in sacrebleu."
            )
        if np.mean([line.rstrip().endswith(" .") for line in lines]) > _TOKENISED:
            found.append(
                f"Most lines of {system} on {name!r} end in a space and a full stop, as in "
                "tokenised text. sacrebleu expects detokenised text, and may score tokenised text "
                "too low or too high."
            )
    return tuple(found)


# --- whether it is this format -------------------------------------------------------------------

_SEEN = 40
"""Number of lines read to recognise plain text."""


def _recognises(path):
    """Tell whether a file, or the first of a folder, is plain text: sentences of many words."""
    file = datasets.first(path)
    if file.suffix.lower() in datasets.ENDINGS and file.suffix.lower() != ".txt":
        return False
    try:
        with file.open(encoding="utf-8") as stream:
            lines = [line.strip() for line in islice(stream, _SEEN)]
    except (OSError, UnicodeDecodeError):
        return False
    words = [len(re.findall(r"[^\W\d_]{2,}", line)) for line in lines]
    return (
        len(lines) > 2
        and not any("\t" in line or line.startswith(("{", "[", "<", "#")) for line in lines)
        and len({line.count(" ") for line in lines}) > 2
        and np.median(words) >= 4
    )


FORMAT = Format(
    name="translations",
    title="translations and references",
    instance="a segment, or a document",
    read=_read,
    recognises=_recognises,
    needs_gold=True,
    also=(DOCUMENTS,),
    metrics=(*translation.CORPUS, *translation.OF_SENTENCES),
    options=("metric", "tokenize"),
)
