"""The command `compare`."""

from pathlib import Path

from replicability.cli import logs, one_file, remarks, written
from replicability.cli.answers import answered
from replicability.cli.declared import claims, declare, levels, refuse_systems


def compare(options):
    """Test from the scores of both systems, dataset by dataset.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`.

    Returns
    -------
    dict
        The answer; ``python -m replicability compare --help`` lists its keys.

    Raises
    ------
    InputError
        If a file, an instance, a score or the test is wrong.
    """
    claims(options)  # where --shared has taken a file, it says so
    written.check(options)
    _refuse_contradictions(options)
    with one_file.opened(options) as seen:
        return _tested(seen, **_read(seen))


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
    checks.at_least("--seed", options.seed, 0)
    if options.alternative and options.claim == "equivalent":
        raise checks.InputError(
            "--alternative is the direction of a claim, but that two systems are equivalent is the "
            "same claim in both; leave it out."
        )
    if options.flips is not None:
        checks.at_least("--flips", options.flips, 20)
        if not options.shared:
            raise checks.InputError(
                "--flips is the number of joint sign flips, which are drawn where datasets share "
                "units; leave it out, or say that they do with --shared."
            )


def _read(options):
    """Declare what the files hold, and say how it is recognised where it is not told."""
    from replicability.api import sides
    from replicability.io import formats, study

    kind = options.format or formats.guess(options.a)
    entry = formats.get(kind)
    _refuse_idle(options, kind)
    given = {"format": kind, "dependence": options.dependence, "files": _documents(options)}
    study.check_claims("", given | claims(options))
    if kind == "table" and options.by:
        options.dataset = _one_column(options)
    if kind != "table":
        logs.refuse_columns_of_runs(options.run)
    named = _columns(options)
    if options.single:
        read = one_file.read(options, kind, named)
    else:
        paths, systems = (options.a, options.b), options.systems or (None, None)
        named |= {"gold": options.gold} if options.gold else {}
        more = {"format": kind, "metric": options.metric} | _documents(options)
        read = sides.two_paths(paths, systems, named, options.one_dataset, more, options.datasets)
        if kind != "table" and not options.format:
            one_file.say(f"Read {options.a} and {options.b} as {kind}: {entry.title}.")
    _refuse_no_gold(options, read)
    options.systems = read["systems"]
    return read | _of_format(options, entry) | {"datasets": tuple(options.datasets)}


def _columns(options):
    """Return the headers that are named, by what the columns hold."""
    named = {key: getattr(options, key) for key in ("dataset", "size", "run")}
    named |= {key: getattr(options, key) for key in DEFAULTS if getattr(options, key) != key}
    named["unit"] = claims(options).get("unit")
    return {key: header for key, header in named.items() if header}


DEFAULTS = ("instance", "score")
"""Options that name a column that is called so."""


def _of_format(options, entry):
    """Return what is said of files in a format other than a table."""
    if entry.name == "table":
        return {}
    return {
        "metric": logs.by_dataset("metric", options.metric or next(iter(entry.metrics), "")),
        "filter": logs.by_dataset("filter", options.filter),
        "tokenize": logs.by_dataset("tokenize", options.tokenize),
        "by": options.by,
        "match": options.match or "identifier",
        "lists": options.lists or "right",
        "items": _items(options.items),
    }


def _refuse_no_gold(options, read):
    """Refuse a test of ratings without those of gold."""
    from replicability import checks
    from replicability.stats import paired

    gold = "gold" in {**read["columns"], **read.get("files", {})}
    if options.test and not gold and paired.lookup(options.test).takes == "ratings":
        raise checks.InputError(
            f"The test {options.test!r} needs gold ratings; name their file with --gold, or choose "
            "another test with --test."
        )


def _one_column(options):
    """Return the column that parts a table into datasets."""
    from replicability import checks

    if options.dataset or options.one_dataset:
        raise checks.InputError(
            "--by names the column that parts a table into datasets, and so does --dataset, while "
            "--one-dataset says that there is one; leave out all but one of them."
        )
    return options.by


def _refuse_idle(options, kind):
    """Refuse options that have no meaning in a format."""
    from replicability import checks
    from replicability.io import formats

    meaning = {
        "metric": "chooses what is computed from outputs",
        "filter": "chooses among the answers in a log",
        "tokenize": "chooses the words of BLEU",
        "size": "names the column of denominators",
        "dataset": "names the column of datasets",
        "one_dataset": "is said of a table",
        "run": "tells runs of a system apart",
        "by": "parts files into datasets",
        "match": "says how instances or words are matched",
        "items": "says how many instances there are",
        "lists": "says what is listed",
    }
    for name, clause in meaning.items():
        if getattr(options, name) and kind not in formats.having(name):
            raise checks.InputError(
                f"{checks.named(name)} {clause}, and has no meaning in the format {kind!r}, only "
                f"in {', '.join(formats.having(name))}; leave it out, or name the --format of your "
                "files."
            )
    if options.documents and formats.DOCUMENTS not in formats.get(kind).also:
        raise checks.InputError(
            f"--documents names the document of each segment, and has no meaning in the format "
            f"{kind!r}; leave it out, or name the --format of your files."
        )
    if options.metric and formats.get(kind).metrics:
        checks.choice("metric", options.metric, formats.get(kind).metrics)


def _documents(options):
    """Return the files with the document of each segment, by their key, if there are any."""
    return {"documents": options.documents} if options.documents else {}


def _items(text):
    """Return the number of instances, or the file with the identifiers of all; 0 for neither."""
    if text is None or text.isdecimal():
        return int(text or 0)
    return str(Path(text).absolute())


def _tested(options, **declared):
    """Test every dataset of a comparison, and count."""
    from replicability.core import evaluation, wins
    from replicability.io import formats

    alphas = levels(options)
    comparison = declare(options, **declared, test=options.test or "")
    datasets = formats.read(comparison)
    table = wins.counted(evaluation.evaluate(comparison, datasets), datasets)
    answer = answered(options, comparison, table, alphas)
    command = answer["command"]
    command["notes"] = remarks.which(options, comparison)
    if files := written.write(options, comparison, table, alphas):
        command["written"] = files
        command["notes"].append(f"Wrote {', '.join(files.values())}.")
    return answer
