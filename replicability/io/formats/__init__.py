"""From the files that tools write to the instances of both systems.

=========  ===============================================================  =================
format     files: one, or a folder with one per dataset, named alike        an instance
=========  ===============================================================  =================
table      one table of all datasets, see `instances`                       as the table says
conllu     gold, a, b in CoNLL-U                                            a sentence
labels     gold, a, b: identifier and label, or word and label with blank   an item, or a
           lines between sentences                                          sentence
spans      gold, a, b: word first and tag last (IOB, IOBES or BILOU),       a sentence
           blank lines between sentences
lm_eval    a, b: ``samples_<task>_<time>.jsonl`` of lm-evaluation-harness   a document
segments   a, b: what ``sacrebleu --sentence-level`` prints                 a segment
folders    a, b: folders of tables with identifier and score                as the table says
=========  ===============================================================  =================

Instances are matched by identifier. Where a format has none (`segments`, sentences) they are
matched by place, and their number and, if there are any, their words are checked.
"""

import json
import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json

from replicability import checks
from replicability.checks import InputError
from replicability.io import conllu, delimited, instances, scales
from replicability.io.instances import Dataset
from replicability.io.text import check_text, existing, read_first_line, read_text, shown
from replicability.stats.metrics import accuracy_sums, span_sums

SIDES = ("gold", "a", "b")
"""Keys of the files of a comparison."""

_SAMPLES = re.compile(r"samples_(.+?)(_\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}(\.\d+)?)?\.jsonl")
_SEGMENT = re.compile(r"(?P<signature>[^\s=]+) = (?P<score>\S+)(?:\s.*)?")
# fmt: off
_ITEMS = frozenset({
    "doc", "document", "example", "form", "guid", "id", "ids", "idx", "identifier", "index",
    "input", "instance", "item", "key", "line", "name", "no", "nr", "number", "passage", "question",
    "query", "review", "sample", "segment", "sent", "sentence", "text", "title", "token", "tweet",
    "uid", "utterance", "word",
})
_LABELS = frozenset({
    "annotation", "category", "chunk", "class", "deprel", "emotion", "feats", "gold", "intent",
    "label", "labels", "lemma", "model", "ner", "output", "polarity", "pos", "pred", "predicted",
    "prediction", "rating", "sentiment", "stance", "system", "tag", "tags", "target", "topic",
    "truth", "upos", "xpos",
})
# fmt: on
_TAG = re.compile(r"O|[BIESLU](-\S+)?")
_BLOCK = 1 << 25
_NOT_METRICS = ("doc_id", "doc_hash", "prompt_hash", "target_hash", "target", "doc", "sample_len")


def read(comparison):
    """Read the instances of a comparison from files of its format.

    Parameters
    ----------
    comparison : data.Comparison
        A comparison that starts at instances.

    Returns
    -------
    list of instances.Dataset
        The datasets: of a table in the order of the file, else sorted by name.

    Raises
    ------
    InputError
        If a file is missing, there twice, of another format or broken, or the instances of gold, A
        and B are not the same. The message names the file and, of what is in a file, the line.
    """
    return READERS[comparison.format](comparison)


def is_log(path):
    """Tell whether a path is named like a log of lm-evaluation-harness.

    Parameters
    ----------
    path : Path
        Any path.

    Returns
    -------
    bool
        Whether its name is ``samples_<task>_<time>.jsonl``, the time may be left out.
    """
    return bool(_SAMPLES.fullmatch(path.name))


def is_segments(path):
    """Tell whether a file begins like what ``sacrebleu --sentence-level`` prints.

    Parameters
    ----------
    path : Path
        Any path.

    Returns
    -------
    bool
        Whether the first line is a signature with a bar, an equals sign and a number.
    """
    try:
        with path.open("rb") as stream:
            match = _SEGMENT.fullmatch(stream.readline(1 << 12).decode(errors="replace").strip())
    except OSError:
        return False
    return bool(match) and "|" in match["signature"]


def datasets(comparison):
    """Find the files of each dataset.

    Parameters
    ----------
    comparison : data.Comparison
        Its files are all files, which are one dataset, or all folders, in which the files of one
        dataset have one name, endings aside. Names that begin with a dot do not count.

    Returns
    -------
    dict of str to dict of str to Path
        Name of the dataset -> "gold", "a" and "b" -> file. The dataset of single files has the name
        of the gold file, or of those of A and B if they have one, or of the comparison.

    Raises
    ------
    InputError
        If files and folders are mixed, a folder is empty, two of its files have one name, or a
        dataset is not in every folder.
    """
    places = {side: existing(path, folder=None) for side, path in _files(comparison)}
    _refuse_logs(comparison, places)
    if not any(place.is_dir() for place in places.values()):
        stems = {places["gold"].stem} if "gold" in places else {p.stem for p in places.values()}
        name = stems.pop() if len(stems) == 1 else comparison.name
        return _wanted(comparison, {name: places})
    for side, place in places.items():
        if not place.is_dir():
            raise InputError(
                f"{comparison.files[side]} is a file, but others of the comparison are folders; "
                "name a folder with one file per dataset for each."
            )
    return _wanted(
        comparison, _together(comparison, {side: _stems(path) for side, path in places.items()})
    )


def _refuse_logs(comparison, places):
    """Refuse logs of lm-evaluation-harness that are read in another format."""
    for side, place in places.items():
        logs = [place] if place.is_file() else sorted(place.rglob("samples_*.jsonl"))
        if any(map(is_log, logs)):
            raise InputError(
                f"{comparison.files[side]} holds logs of lm-evaluation-harness, such as "
                f"{logs[0].name!r}, and is read in the format {comparison.format!r}; give "
                f"{checks.named('format')} the value lm_eval."
            )


def _files(comparison):
    return [(side, comparison.files[side]) for side in SIDES if side in comparison.files]


def _stems(folder):
    """Return the files of a folder by their names without endings."""
    found = {}
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        raise InputError(f"{shown(folder)} cannot be read: {error.strerror}.") from None
    for path in paths:
        if path.is_file() and not path.name.startswith("."):
            if path.stem in found:
                raise InputError(
                    f"{folder} has both {found[path.stem].name!r} and {path.name!r}, which are one "
                    "dataset by name; keep one of them, or rename one."
                )
            found[path.stem] = path
    return found


def _together(comparison, found):
    """Put the files of each dataset together: side -> name -> file to name -> side -> file."""
    names = sorted(set().union(*found.values()))
    if not names:
        raise InputError(f"{comparison.source} hold no file; name folders with one per dataset.")
    if comparison.datasets:
        for name in comparison.datasets:
            checks.choice(f"{comparison.source}: dataset", name, names)
        names = [name for name in names if name in comparison.datasets]
    lacking = {side: [name for name in names if name not in files] for side, files in found.items()}
    if any(lacking.values()):
        listed = "; ".join(
            f"{comparison.files[side]} lacks {instances.some(missing)}"
            for side, missing in lacking.items()
            if missing
        )
        raise InputError(
            f"Comparison {comparison.name!r}: {listed}. Every dataset has one file of the same "
            "name in each folder; add or rename files, or name the datasets to compare on with "
            f"{checks.named('datasets')}."
        )
    return {name: {side: files[name] for side, files in found.items()} for name in names}


def _wanted(comparison, found):
    for name in comparison.datasets:
        checks.choice(f"{comparison.source}: dataset", name, found)
    return found


# --- CoNLL-U -------------------------------------------------------------------------------------


def _conllu(comparison):
    """Count the words of each sentence that a parser or tagger has right."""
    name = {"upos": "accuracy"}.get(comparison.metric, comparison.metric)
    found = []
    for dataset, files in datasets(comparison).items():
        gold = _treebank(files["gold"])
        a, b = (
            _right(gold, conllu.agreement(gold, _treebank(files[side])), comparison.metric)
            for side in "ab"
        )
        found.append(Dataset(dataset, pa.array(gold.sent_id), a, b, name))
    return found


def _treebank(path):
    check_text(path)
    return conllu.read(path)


def _right(gold, agreement, metric):
    counts = conllu.per_sentence(gold, agreement)
    return np.column_stack([counts[metric], counts["words"]]).astype(float)


# --- columns of words or items -------------------------------------------------------------------


def _labels(comparison):
    """Compare labels with gold, item by item or sentence by sentence."""
    found = []
    for dataset, files in datasets(comparison).items():
        rows = {side: _two_columns(path) for side, path in files.items()}
        _refuse_header(files, rows)
        by_sentence = any(len(sentences) > 1 for sentences in rows.values())
        compare = _tagged if by_sentence else _labelled
        found.append(compare(comparison, dataset, files, rows))
    return found


def _two_columns(path):
    """Return the sentences of a file, each a list of (line, identifier or word, label)."""
    sentences = []
    for sentence in _blocks(path):
        rows = []
        for line, text in sentence:
            cells = [cell.strip() for cell in text.split("\t")]
            if len(cells) != 2 or not all(cells):
                raise InputError(
                    f"{shown(path)}, line {line} is {text[:60]!r}; a line is an identifier or a "
                    "word, one tab, and a label."
                )
            rows.append((line, *cells))
        sentences.append(rows)
    return sentences


def _blocks(path):
    """Return the groups of lines between blank lines, each line with its number."""
    blocks, block = [], []
    for number, text in enumerate(read_text(path).split("\n"), 1):
        if text.strip():
            block.append((number, text))
        elif block:
            blocks.append(block)
            block = []
    return [*blocks, block] if block else blocks


def _refuse_header(files, rows):
    """Refuse first lines that name columns, which would be items that all have right."""
    firsts = {side: sentences[0][0] for side, sentences in rows.items()}
    if len({first[1] for first in firsts.values()}) == 1 and all(map(_is_header, rows.values())):
        line, first, second = firsts["gold"]
        raise InputError(
            f"{shown(files['gold'])}, line {line} looks like a header ({first!r}, {second!r}); "
            "leave it out of all three files, for labels have none."
        )


def _is_header(sentences):
    """Tell whether the first line of a file names its columns.

    It does if both cells are made of words that are usual there; or if its label stands on no other
    line, and its identifier has no digit while all others have one.
    """
    (_, first, second), *others = (row for sentence in sentences for row in sentence)
    items, labels = (set(re.split(r"[\W_]+", cell.casefold())) for cell in (first, second))
    if items <= _ITEMS and labels <= _LABELS:
        return True
    return (
        len(others) > 1
        and all(label != second for _, _, label in others)
        and not re.search(r"\d", first)
        and all(re.search(r"\d", identifier) for _, identifier, _ in others)
    )


def _labelled(comparison, dataset, files, rows):
    """Return whether the label of each item is right."""
    labels = {side: [row[2] for row in rows[side][0]] for side in SIDES}
    who = dict(zip(SIDES, ("the gold standard", *comparison.systems), strict=True))
    identifiers = {side: [row[1] for row in rows[side][0]] for side in SIDES}
    gold, *orders = instances.match(
        dataset, [(who[side], shown(files[side]), identifiers[side]) for side in SIDES]
    )
    reference = np.array(labels["gold"], dtype=object)[gold]
    a, b = (
        (np.array(labels[side], dtype=object)[order] == reference).astype(float)
        for side, order in zip("ab", orders, strict=True)
    )
    return Dataset(dataset, pa.array(identifiers["gold"]), a, b, "accuracy")


def _tagged(comparison, dataset, files, rows):
    """Count the right labels of each sentence."""
    tags = {side: [[row[2] for row in sentence] for sentence in rows[side]] for side in SIDES}
    for side in "ab":
        _same_words(files, rows, side)
    a, b = (accuracy_sums(tags["gold"], tags[side]) for side in "ab")
    return Dataset(dataset, _numbered(len(a)), a, b, "accuracy")


def _spans(comparison):
    """Count the right, guessed and gold spans of each sentence."""
    found = []
    for dataset, files in datasets(comparison).items():
        rows = {side: _word_and_tag(path) for side, path in files.items()}
        tags = {side: [[row[2] for row in sentence] for sentence in rows[side]] for side in SIDES}
        for side in "ab":
            _same_words(files, rows, side)
        a, b = (span_sums(tags["gold"], tags[side]) for side in "ab")
        found.append(Dataset(dataset, _numbered(len(a)), a, b, "f1"))
    return found


def _word_and_tag(path):
    """Return the sentences of a file, each a list of (line, word, tag)."""
    sentences = []
    for sentence in _blocks(path):
        rows = []
        for line, text in sentence:
            cells = text.split()
            if len(cells) < 2:
                raise InputError(
                    f"{shown(path)}, line {line} is {text[:60]!r}; a line is a word, blanks or "
                    "tabs, and a tag in the last column."
                )
            if not _TAG.fullmatch(cells[-1]):
                raise InputError(
                    f"{shown(path)}, line {line}: the tag is {cells[-1]!r}, but a tag is 'O', or "
                    "B, I, E, S, L or U with a type such as 'B-PER'; correct it."
                )
            rows.append((line, cells[0], cells[-1]))
        sentences.append(rows)
    return sentences


def _same_words(files, rows, side):
    """Check that a system's file has the gold sentences, word by word."""
    theirs, ours = files["gold"], files[side]
    for number, (gold, found) in enumerate(zip(rows["gold"], rows[side], strict=False), 1):
        for (line, word, _), (line_, word_, _) in zip(gold, found, strict=False):
            if word != word_:
                raise InputError(
                    f"{shown(ours)}, line {line_} has the word {word_!r} where {shown(theirs)}, "
                    f"line {line} has {word!r}; both files have the same words in the same order, "
                    "so give the gold word where only the spelling differs."
                )
        if len(gold) != len(found):
            raise InputError(
                f"{shown(ours)}, line {found[0][0]}: sentence {number} has {len(found)} words, "
                f"but {len(gold)} in {shown(theirs)}, line {gold[0][0]}; part the sentences of "
                "both files alike."
            )
    if len(rows["gold"]) != len(rows[side]):
        raise InputError(
            f"{shown(ours)} has {len(rows[side])} sentences, but {shown(theirs)} has "
            f"{len(rows['gold'])}; both files have the same sentences, with a blank line between "
            "two."
        )


def _numbered(n):
    return pa.array(np.arange(1, n + 1)).cast(pa.string())


# --- logs of lm-evaluation-harness ---------------------------------------------------------------


def _lm_eval(comparison):
    """Read the value of a metric for each document of each task."""
    found = {side: _tasks(path) for side, path in _files(comparison)}
    found = _together(comparison, found)
    return [_task(comparison, name, files) for name, files in found.items()]


def _tasks(path):
    """Return the log of each task."""
    place = existing(path, folder=None)
    logs = [place] if place.is_file() else sorted(place.rglob("samples_*.jsonl"))
    if not logs:
        raise InputError(
            f"{path} has no file samples_<task>_<time>.jsonl; let lm-evaluation-harness write them "
            "with --log_samples, and name the folder of one model."
        )
    tasks = {}
    for log in logs:
        match = _SAMPLES.fullmatch(log.name)
        task = match[1] if match else log.stem
        if task in tasks:
            raise InputError(
                f"{path} has several runs of {task!r}, among them {tasks[task].name} and "
                f"{log.name}; keep one in the folder."
            )
        tasks[task] = log
    return tasks


def _task(comparison, task, files):
    """Put the values of both systems beside each other."""
    metric = comparison.metric or _metric(files["a"])
    if metric in _NOT_METRICS:
        _metric(files["a"], metric)
    scales.refuse_lower(shown(files["a"]), metric)
    (ids, values, hashes, filter_a), (ids_b, values_b, hashes_b, filter_b) = (
        _log(files[side], metric, comparison.filter) for side in "ab"
    )
    if filter_a != filter_b:
        raise InputError(
            f"{shown(files['a'])} has the filter {filter_a!r} and {shown(files['b'])} "
            f"{filter_b!r}, which extract answers in different ways; run both models alike."
        )
    systems = zip(comparison.systems, (files["a"], files["b"]), (ids, ids_b), strict=True)
    _, order = instances.match(task, [(who, shown(path), side) for who, path, side in systems])
    hashes_b = hashes_b.take(pa.array(order))
    different = pc.fill_null(pc.not_equal(hashes, hashes_b), False)
    if pc.any(different).as_py():
        index = int(different.to_numpy(zero_copy_only=False).argmax())
        raise InputError(
            f"{shown(files['b'])}: document {ids[index].as_py()} of {task!r} is not that of "
            f"{shown(files['a'])} (its doc_hash differs); run both models on one version of the "
            "task."
        )
    return Dataset(task, ids, values, values_b[order])


def _metric(path, asked=""):
    """Return the metric of a log that names none, acc or the only one; refuse one that is none."""
    first = read_first_line(path)
    record = _record(path, 1, first)
    named = record.get("metrics")
    names = named if isinstance(named, list) else [k for k in record if k not in _NOT_METRICS]
    metrics = [k for k in map(str, names) if isinstance(record.get(k), int | float)]
    if "acc" in metrics and not asked:
        return "acc"
    if len(metrics) == 1 and not asked:
        return metrics[0]
    has = f"the metrics {', '.join(metrics)}" if metrics else "no metric that is a number"
    but = f", and {asked!r} is none" if asked else ""
    raise InputError(f"{shown(path)} has {has}{but}; name one with {checks.named('metric')}.")


def _log(path, metric, wanted):
    """Return identifiers, values, hashes of documents and the filter of a log."""
    try:
        ids, values, hashes, filters = _fast(path, metric)
    except (pa.ArrowException, KeyError):
        ids, values, hashes, filters = _slow(path, metric)
    names = pc.unique(filters).to_pylist()
    if len(names) == 1:
        return ids, values.to_numpy(), hashes, names[0]
    listed = ", ".join(map(str, names))
    if not wanted:
        raise InputError(
            f"{shown(path)} has the filters {listed}; name one with {checks.named('filter')}."
        )
    checks.choice(f"{shown(path)}: filter", wanted, map(str, names))
    keep = pc.equal(filters, wanted)
    return ids.filter(keep), values.filter(keep).to_numpy(), hashes.filter(keep), wanted


def _fast(path, metric):
    """Parse a log by columns; KeyError where a value is missing or not finite."""
    types = {"doc_id": pa.int64(), metric: pa.float64(), "doc_hash": pa.string()}
    types["filter"] = pa.string()
    table = pyarrow.json.read_json(
        path,
        read_options=pyarrow.json.ReadOptions(block_size=_BLOCK),
        parse_options=pyarrow.json.ParseOptions(
            explicit_schema=pa.schema(types), unexpected_field_behavior="ignore"
        ),
    )
    columns = [table[name].combine_chunks() for name in ("doc_id", metric, "doc_hash", "filter")]
    if columns[0].null_count or columns[1].null_count or not pc.all(pc.is_finite(columns[1])):
        raise KeyError(metric)
    return columns[0].cast(pa.string()), *columns[1:]


def _slow(path, metric):
    """Parse a log line by line, to read what the fast way does not or to say what is wrong."""
    rows = []
    for number, text in enumerate(read_text(path).split("\n"), 1):
        if not text.strip():
            continue
        record = _record(path, number, text)
        for key in ("doc_id", metric):
            if key not in record:
                near = checks.nearest(key, record).rstrip(".")
                near = near or "; a log has it on every line, so name another metric."
                tasks = f" Or name the tasks that have it with {checks.named('datasets')}."
                raise InputError(
                    f"{shown(path)}, line {number} has no {key!r}{near}{tasks * (key == metric)}"
                )
        value = _number(record[metric])
        if value is None:
            raise InputError(
                f"{shown(path)}, line {number}: {metric!r} is {_cut(record[metric])}, but it is a "
                "finite number; name another metric, or leave that document out for both systems."
            )
        document = [record["doc_id"], record.get("doc_hash"), record.get("filter")]
        for key, found in zip(("doc_id", "doc_hash", "filter"), document, strict=True):
            missing = found is None and key == "doc_id"
            if (
                missing
                or isinstance(found, list | dict | float)
                or not checks.is_unicode(str(found))
            ):
                raise InputError(
                    f"{shown(path)}, line {number}: {key!r} is {_cut(found)}, but it is text or a "
                    "whole number; write the file anew."
                )
        rows.append((document[0], value, *document[1:]))
    ids, values, hashes, filters = zip(*rows, strict=True)
    return (
        pa.array(map(str, ids), pa.string()),
        pa.array(values, pa.float64()),
        *(
            pa.array([None if x is None else str(x) for x in column], pa.string())
            for column in (hashes, filters)
        ),
    )


def _number(value):
    """Return a finite number as a float, and None for anything else."""
    try:
        number = float(value) if isinstance(value, int | float) else np.nan
    except OverflowError:
        number = np.nan
    return number if np.isfinite(number) else None


def _cut(value):
    """Write a value for a message, long ones cut and characters that cannot be shown escaped."""
    text = repr(value) if not isinstance(value, int) or abs(value) < 10**40 else "a longer number"
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= 60 else f"{text[:60]}..."


def _record(path, number, text):
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{shown(path)}, line {number} is not JSON, or cut off ({_reason(error)}); write the "
            "file anew."
        ) from None
    if not isinstance(record, dict):
        raise InputError(
            f"{shown(path)}, line {number} is {text[:40]!r}, but a line of such a file is a JSON "
            "object; write the file anew."
        )
    return record


def _reason(error):
    """Say what breaks a JSON text, and where in its line."""
    if isinstance(error, RecursionError):
        return "its brackets are nested too deep"
    where = f" at column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
    return f"{getattr(error, 'msg', error)}{where}"


# --- scores of segments --------------------------------------------------------------------------


def _segments(comparison):
    """Read the scores of segments, which are matched by place."""
    found = []
    for dataset, files in datasets(comparison).items():
        (a, signature_a), (b, signature_b) = (_scores(files[side]) for side in "ab")
        if len(a) != len(b):
            raise InputError(
                f"{shown(files['b'])} has {len(b)} segments, but {shown(files['a'])} has "
                f"{len(a)}; score both systems on the same segments in the same order."
            )
        if signature_a and signature_b and signature_a != signature_b:
            raise InputError(
                f"{shown(files['b'])} is scored by {signature_b!r}, but {shown(files['a'])} by "
                f"{signature_a!r}; score both systems alike."
            )
        found.append(Dataset(dataset, _numbered(len(a)), a, b))
    return found


def _scores(path):
    """Return the scores of a file, and the signature of the metric or None."""
    text = read_text(path).rstrip("\n")
    lines = text.split("\n")
    if text.lstrip().startswith("["):
        try:
            lines = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"{shown(path)} is not JSON, or cut off ({_reason(error)}); write the file anew."
            ) from None
    parsed = [_segment(path, number, line) for number, line in enumerate(lines, 1)]
    if not parsed:
        raise InputError(f"{shown(path)} has no score; score at least one segment.")
    signatures = list(dict.fromkeys(signature for _, signature in parsed))
    if len(signatures) > 1:
        raise InputError(
            f"{shown(path)} has scores of {signatures[0] or 'no metric'!r} and of "
            f"{signatures[1] or 'no metric'!r}; keep those of one metric."
        )
    if signatures[0]:
        scales.refuse_lower(shown(path), re.split(r"\W", signatures[0])[0])
    return np.array([score for score, _ in parsed]), signatures[0]


def _segment(path, number, line):
    """Return score and signature of a line, or of an entry of a JSON list."""
    if isinstance(line, str) and line.lstrip().startswith("{"):
        line = _record(path, number, line)
    if isinstance(line, dict):
        name = [str(line[key]) for key in ("name", "signature") if line.get(key)]
        line, signature = line.get("score"), "|".join(name) or None
    elif isinstance(line, str):
        match = _SEGMENT.fullmatch(line.strip())
        line, signature = (match["score"], match["signature"]) if match else (line, None)
    else:
        signature = None
    try:
        score = float(line)
    except (TypeError, ValueError, OverflowError):
        score = np.nan
    if not np.isfinite(score):
        raise InputError(
            f"{shown(path)}, line {number}: the score is {_cut(line)}, but a line is one number, "
            "or what sacrebleu --sentence-level prints; keep one line for each segment."
        )
    return score, signature


# --- folders of tables ---------------------------------------------------------------------------


def _folders(comparison):
    """Read a table for each dataset and system."""
    found = datasets(comparison)
    for _, path in _files(comparison):
        if len(found) == 1 and existing(path, folder=None).is_file():
            remedy = (
                f"give {checks.named('format')} the value table and name the column {{!r}} with "
                f"{checks.named('dataset')}, or leave that column out"
            )
            instances.refuse_pooled(path, delimited.columns(path, None), remedy)
    return [_pair(comparison, name, files) for name, files in found.items()]


def _pair(comparison, dataset, files):
    """Put the scores of both tables beside each other."""
    tables = [delimited.columns(files[side], comparison.columns) for side in "ab"]
    names = [shown(files[side]) for side in "ab"]
    ids = [
        instances.identifiers(path, table["instance"])
        for path, table in zip((files["a"], files["b"]), tables, strict=True)
    ]
    _, order = instances.match(dataset, list(zip(comparison.systems, names, ids, strict=True)))
    a, b = (
        instances.numbers(files[side], table["score"], "score")
        for side, table in zip("ab", tables, strict=True)
    )
    b = b[order]
    if "size" in comparison.columns:
        size, size_b = (
            instances.sizes(files[side], table["size"])
            for side, table in zip("ab", tables, strict=True)
        )
        instances.refuse_sizes(
            names[1],
            comparison.systems,
            lambda row: (ids[0][row].as_py(), dataset),
            size,
            size_b[order],
        )
        for path, scores in zip(names, (a, b), strict=True):
            instances.refuse_above(path, lambda row: (ids[0][row].as_py(), dataset), scores, size)
        a, b = np.column_stack([a, size]), np.column_stack([b, size])
    return Dataset(dataset, ids[0], a, b)


READERS = {
    "table": instances.read,
    "conllu": _conllu,
    "labels": _labels,
    "spans": _spans,
    "lm_eval": _lm_eval,
    "segments": _segments,
    "folders": _folders,
}
"""Format -> function of a comparison that returns its datasets."""
