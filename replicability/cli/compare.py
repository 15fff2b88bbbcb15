"""The command `compare`."""

from dataclasses import replace
from pathlib import Path

from replicability.cli import one_file, remarks, written
from replicability.cli.answers import Answer
from replicability.cli.declared import comparison, levels, question, refuse_systems


def compare(options):
    """Test from the scores of both systems, dataset by dataset.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`.

    Returns
    -------
    Answer
        ``python -m replicability compare --help`` lists its keys as JSON.

    Raises
    ------
    InputError
        If a file, an instance, a score or the test is wrong.
    """
    asked = question(options)
    written.check(options)
    _refuse_contradictions(options)
    with one_file.opened(options) as seen:
        return _answer(seen, _scores(seen), asked)


def _refuse_contradictions(options):
    """Refuse options of which one leaves nothing to the other."""
    from replicability import checks

    if options.systems:
        refuse_systems(options.systems)
    if options.dataset and options.one_dataset:
        raise checks.InputError(
            "--dataset names the column of the datasets, but --one-dataset says that there is one "
            "dataset; leave out one of them."
        )
    if options.alternative and options.claim == "equivalent":
        raise checks.InputError(
            "--alternative is the direction of a claim, but that two systems are equivalent is the "
            "same claim in both; leave it out."
        )


def _scores(options):
    """Read the scores, and say how they are recognised where it is not told."""
    from replicability.api.scores import Scores
    from replicability.io import formats

    kind = options.format or formats.guess(options.a)
    if options.single:
        one_file.refuse_one_system(options, kind)
    reading = _reading(options, kind)
    scores = Scores.of(options.a, None if options.single else options.b, reading)
    if options.single:
        one_file.say(str(replace(scores.roles, source=options.shown)))
    elif kind != "table" and not options.format:
        one_file.say(str(replace(scores.roles, source=f"{options.a} and {options.b}")))
    return scores


def _reading(options, kind):
    """Return how scores are read, as keywords of `Scores.read`."""
    from replicability.cli.logs import by_dataset, refuse_columns_of_runs

    if kind == "table" and options.by:
        options.dataset, options.by = [_one_column(options)], None
    if kind != "table":
        refuse_columns_of_runs(options.run)
    given = {key: getattr(options, key, None) for key in READING}
    given = {key: value if value is False else value or None for key, value in given.items()}
    given |= {key: getattr(options, key) for key in DEFAULTS if getattr(options, key) != key}
    if options.dataset and len(options.dataset) == 1:
        (given["dataset"],) = options.dataset
    given["a"], given["b"] = options.systems or (None, None)
    for key in ("metric", "filter", "tokenize"):
        given[key] = by_dataset(key, getattr(options, key) or "") or None
    given["items"] = _items(options.items)
    given["datasets"] = tuple(options.datasets) or None
    return given


READING = (
    *("dataset", "system", "size", "gold", "unit", "run", "one_dataset", "format", "documents"),
    *("by", "match", "lists", "ignore", "higher_is_better", "missing"),
)
"""Options that are called as the keyword of `Scores.read`, without a value of their own."""

DEFAULTS = ("instance", "score")
"""Options that name a column that is called so."""


def _one_column(options):
    """Return the column that parts a table into datasets."""
    from replicability import checks

    if options.dataset or options.one_dataset:
        raise checks.InputError(
            "--by names the column that parts a table into datasets, and so does --dataset, while "
            "--one-dataset says that there is one; leave out all but one of them."
        )
    return options.by


def _items(text):
    """Return the number of instances, or the file with the identifiers of all; None for neither."""
    if text is None:
        return None
    return int(text) if text.isdecimal() else str(Path(text).absolute())


def _answer(options, scores, asked):
    """Test every dataset of a comparison, and count."""
    from replicability.api import result
    from replicability.core import evaluation

    declared = comparison(options, scores.source, asked)
    table = evaluation.evaluate(declared, scores.datasets)
    found = result.decide(declared, table, levels(options), options.dependence is not None)
    notes = remarks.which(options, declared)
    files = written.write(options, found)
    if files:
        notes.append(f"Wrote {', '.join(files.values())}.")
    return Answer(found, notes, files)
