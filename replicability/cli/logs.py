"""What `compare` takes from logs and from tables with several runs: names, metrics, means."""


def names(options):
    """Return the names of both systems that their files give, or None.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`.

    Returns
    -------
    (str, str), or None
        Two different names, if the format has them.
    """
    from pathlib import Path

    from replicability.io import formats

    of = formats.get(options.format or formats.guess(options.a)).system
    found = tuple(of(Path(path).absolute()) for path in (options.a, options.b)) if of else ("", "")
    return found if all(found) and found[0] != found[1] else None


def by_dataset(key, text):
    """Read a name for all datasets, or such as "arc_easy=acc_norm,gsm8k=exact_match" for each.

    Parameters
    ----------
    key : str
        What is named: "metric" or "filter".
    text : str
        What stands behind the option.

    Returns
    -------
    str or dict of str to str
        The name, or dataset -> name.

    Raises
    ------
    InputError
        If one part of several has no name of a dataset.
    """
    from replicability import checks

    if "=" not in text:
        return text
    found = {}
    for part in text.split(","):
        dataset, _, name = (x.strip() for x in part.partition("="))
        if not dataset or not name:
            raise checks.InputError(
                f"{checks.named(key)} has the part {part!r}, but names one for each dataset; write "
                f"it such as {checks.named(key)} arc_easy=acc_norm,gsm8k=exact_match."
            )
        found[dataset] = name
    return found


def runs_of_logs(text):
    """Return the columns of logs of which each file is a run; {} if --run is not given."""
    from replicability import checks

    if text and text != "file":
        raise checks.InputError(
            f"--run is {text!r}, but logs have no columns; write --run file if each file is a run "
            "of its system."
        )
    return {"columns": {"run": text}} if text else {}


def averaged(options, file, role, side, column, rows):
    """Average the scores of one side over its runs.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`; its ``runs`` keeps the mean of each side.
    file : Path
        The table, for messages.
    role : {"a", "b"}
        The side, which is the header of its scores.
    side : DataFrame
        One row per instance and run.
    column : pyarrow.ChunkedArray
        The run of each row.
    rows : ndarray of int64 or None
        Place of each row in the table.

    Returns
    -------
    DataFrame
        One row per instance.

    Raises
    ------
    InputError
        As `runs.mean`, or if an instance has two units, or there are gold ratings.
    """
    import pandas as pd
    import pyarrow as pa

    from replicability import checks
    from replicability.io import cells, matching, runs

    if options.gold:
        raise checks.InputError(
            "Ratings are compared with gold ratings item by item, and runs of them are not "
            "averaged; leave --run out, and name a file with the ratings of one run."
        )
    by_run, labels = cells.encoded(cells.identifiers(file, column, rows, name="run"))
    datasets, known = pd.factorize(side["dataset"])
    instances, identifiers = pd.factorize(side["instance"])
    keys = datasets * len(identifiers) + instances
    places = matching.Names(list(known), pa.array(identifiers, pa.string()), keys)
    who = dict(zip("ab", options.systems, strict=True))[role]
    sizes = side.get(f"size of {role}")
    mean = runs.mean(
        places,
        matching.Side(who, str(file), keys),
        by_run,
        labels.to_pylist(),
        side[role].to_numpy(),
        None if sizes is None else sizes.to_numpy(),
    )
    unit = f"unit of {role}"
    if unit in side:
        different = side.drop_duplicates(["dataset", "instance", unit])
        twice = different[different.duplicated(["dataset", "instance"])]
        if len(twice):
            dataset, instance = twice[["dataset", "instance"]].iloc[0]
            raise checks.InputError(
                f"{file}: instance {instance!r} of {dataset!r} belongs to several units, but it is "
                "the same instance in every run; correct the others."
            )
    vars(options).setdefault("runs", {})[role] = mean
    return side.iloc[mean.rows].assign(**{role: mean.scores}).reset_index(drop=True)


def with_runs(options, datasets):
    """Give datasets the scores of single runs, where a table has several.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`, after `averaged` of both sides.
    datasets : list of instances.Dataset
        The datasets.

    Returns
    -------
    list of instances.Dataset
        The same, with their `runs.Runs`.
    """
    from dataclasses import replace

    from replicability.io import runs

    means = getattr(options, "runs", {})
    if not means:
        return datasets
    return [
        replace(dataset, runs=runs.together(dataset.name, means["a"], means["b"]))
        for dataset in datasets
    ]
