"""The command `compare`."""

from dataclasses import replace
from pathlib import Path

from replicability.cli import one_file, written
from replicability.cli.answers import Answer
from replicability.cli.declared import comparison, levels, question, refuse_systems
from replicability.cli.flags import given
from replicability.io.declared import READING


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
        If a file, an item, a score or the test is wrong.
    """
    asked = question(options)
    written.check(options, [options.a, options.b, options.gold])
    refuse_systems(options.systems or ("A", "B"))
    with one_file.opened(options) as seen:
        if seen.metrics is not None:
            return _by_metrics(seen, asked)
        return _answer(seen, _scores(seen), asked)


def _by_metrics(options, asked):
    """Compare by several metrics."""
    from replicability.api import grid
    from replicability.core import roles

    if options.single:
        one_file.refuse_one_system(options, options.format or _kind(options))
    other = None if options.single else options.b
    metrics = given(options, ("metrics",))["metrics"]
    found = grid.compare(options.a, other, _reading(options), asked, metrics, levels(options))
    source = {"source": options.shown} if options.single else {}
    read = roles.told({metric: of | source for metric, of in found.read.items()})
    one_file.say(" ".join(read.values()))
    files = written.write(options, found, lambda: found.page(written.command()))
    return Answer(found, written=files)


def _kind(options):
    """Return the format that the first file has by its look."""
    from replicability.io import formats

    kind = formats.guess(options.a)
    # a folder with a table of both systems for each dataset
    return "table" if options.single and kind == "folders" else kind


def _scores(options):
    """Read the scores, and say how they are recognised where it is not told."""
    from replicability.api.scores import Scores

    kind = options.format or _kind(options)
    if options.single:
        one_file.refuse_one_system(options, kind)
    scores = Scores.of(options.a, None if options.single else options.b, _reading(options))
    if options.single:
        one_file.say(str(replace(scores.roles, source=options.shown)))
    elif kind != "table" and not options.format:
        one_file.say(str(replace(scores.roles, source=f"{options.a} and {options.b}")))
    return scores


def _reading(options):
    """Return how scores are read, as keywords of `Scores.read`."""
    a, b = options.systems or (None, None)
    return {"a": a, "b": b, **given(options, READING[2:])}


def _page(options, result):
    """Return the page, which names the files and the command."""
    sides = {"a": options.a, "b": options.b, "gold": options.gold}
    sides = {role: str(Path(file).absolute()) for role, file in sides.items() if file}
    shown = replace(result, comparison=replace(result.comparison, file="", files=sides))
    return shown.page(written.command())


def _answer(options, scores, asked):
    """Test every dataset of a comparison, and count."""
    from replicability.api import result
    from replicability.core import evaluation
    from replicability.core.findings import notes as said

    declared = comparison(options, scores.source, asked)
    table = evaluation.evaluate(declared, scores.datasets)
    found = result.decide(declared, table, levels(options), options.dependence is not None)
    sides = () if options.single else (options.a, options.b)
    files = written.write(options, found, lambda: _page(options, found))
    notes = [*said.of_files(declared.systems, sides), *written.told(files)]
    return Answer(found, notes, files)
