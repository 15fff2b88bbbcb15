"""The command `compare`."""

from pathlib import Path

from replicability.cli import logs, one_file, remarks, written
from replicability.cli.answers import answered, stored
from replicability.cli.declared import claims, declare, levels


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
    from replicability import checks
    from replicability.io.datasets import names_of
    from replicability.io.text import existing

    claims(options)  # where --shared has taken a file, it says so
    written.check(options)
    with one_file.opened(options) as seen:
        if not seen.views:
            for file in (seen.a, seen.b):
                existing(Path(file).absolute(), folder=None)
            if Path(seen.a).samefile(seen.b):
                raise checks.InputError(
                    f"Both systems are read from {seen.a}; name the file or folder of each, or the "
                    "file alone if it holds both."
                )
            given = ("standard input" if file == "-" else file for file in (options.a, options.b))
            seen.systems = seen.systems or logs.names(seen) or names_of(*given)
        return _compared(seen)


def _compared(options):
    """Compare what two files hold, or two views of one."""
    from replicability import checks
    from replicability.io import formats, study
    from replicability.io.study import INSTANCE

    if options.dataset and options.one_dataset:
        raise checks.InputError(
            "--dataset names the column of the datasets, but --one-dataset says that there is one "
            "dataset; leave out one of them."
        )
    checks.at_least("--seed", options.seed, 0)
    kind = options.format or formats.guess(options.a)
    entry = formats.get(kind)
    if kind != "table" and not options.format:
        one_file.say(f"Read {options.a} and {options.b} as {kind}: {entry.title}.")
    _refuse_idle(options, kind)
    if options.both and options.claim == "equivalent":
        raise checks.InputError(
            "--both asks in both directions, but that two systems are equivalent is the same claim "
            "in both; leave it out."
        )
    study.check_claims("", {"format": kind, "dependence": options.dependence} | claims(options))
    if kind == "table" and options.by:
        options.dataset = _one_column(options)
    if kind != "table":
        return _tested(options, **_files(options, kind))
    table, columns = matched(options)
    shown = f"{options.a} and {options.b}"
    with stored(shown, "table.csv", lambda place: table.to_csv(place, index=False)) as path:
        unit = next(iter(set(table) - set(COLUMNS)), INSTANCE)
        return _tested(options, file=path, columns=columns, unit=unit)


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
    from replicability.stats import paired

    meaning = {
        "metric": "chooses what is computed from outputs",
        "filter": "chooses among the answers in a log",
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
    if options.metric and formats.get(kind).metrics:
        checks.choice("metric", options.metric, formats.get(kind).metrics)
    if options.test and not options.gold and paired.lookup(options.test).takes == "ratings":
        raise checks.InputError(
            f"The test {options.test!r} needs gold ratings; name their file with --gold, or choose "
            "another test with --test."
        )


COLUMNS = ("dataset", "instance", "a", "b", "size", "gold")
"""Columns of the table in which both files stand side by side, beside that of the units."""


def _files(options, kind):
    """Declare files in a format other than a table."""
    from replicability import checks
    from replicability.io import formats

    found = formats.get(kind)
    if found.needs_gold != bool(options.gold):
        raise checks.InputError(
            f"The format {kind!r} has scores, and no gold files; leave out --gold, or name the "
            "--format of your outputs."
            if options.gold
            else f"The format {kind!r} has outputs, which are compared with gold files; name them "
            "with --gold."
        )
    roles = {"gold": options.gold, "a": options.a, "b": options.b}
    metric = options.metric or next(iter(found.metrics), "")
    declared = {
        "format": kind,
        "files": {role: str(Path(file).absolute()) for role, file in roles.items() if file},
        "metric": metric if found.metrics else logs.by_dataset("metric", metric),
        "filter": logs.by_dataset("filter", options.filter),
        "by": options.by,
        "match": options.match or "identifier",
        "lists": options.lists or "right",
        "items": _items(options.items),
        **logs.runs_of_logs(options.run),
    }
    if found.columns:
        declared["columns"] = {key: getattr(options, key) for key in found.columns}
        declared["columns"] |= {"size": options.size} if options.size else {}
    return declared | {"datasets": tuple(options.datasets)}


def _items(text):
    """Return the number of instances, or the file with the identifiers of all; 0 for neither."""
    if text is None or text.isdecimal():
        return int(text or 0)
    return str(Path(text).absolute())


def _tested(options, **declared):
    """Test every dataset of a comparison, and count."""
    import pandas as pd

    from replicability.compare import evaluation
    from replicability.compare.wins import wins_ties_losses
    from replicability.io import formats

    alphas = levels(options)
    comparison = declare(options, **declared, test=options.test or "")
    datasets = logs.with_runs(options, formats.read(comparison))
    table = evaluation.evaluate(comparison, datasets)
    won = [wins_ties_losses(dataset) for dataset in datasets]
    for name, column in zip(("wins", "ties", "losses"), zip(*won, strict=True), strict=True):
        table[name] = pd.Series(column, dtype=object)
    answer = answered(options, comparison, table, alphas)
    test, advised, why = remarks.of_test(comparison, table, datasets)
    answer["notes"] += remarks.of_units(options, comparison, table)
    answer["notes"] += [why, *evaluation.cautions(table, alphas[0])]
    answer["notes"][:0] = [
        *remarks.which(options, comparison),
        *remarks.other_way(options, table, answer),
    ]
    answer |= {"test": test, "recommended_test": advised}
    if files := written.write(options, comparison, table, alphas):
        answer["written"] = files
        answer["notes"].append(f"Wrote {', '.join(files.values())}.")
    return answer


def matched(options):
    """Lay the scores of both files, and of gold, beside each other, matched by identifier.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`.

    Returns
    -------
    DataFrame
        One row per instance: ``dataset``, ``instance``, ``a``, ``b``, and ``size``, ``gold`` or
        the units if there are any.
    dict
        Its columns, as `study.Comparison` names them; another one is that of the units.

    Raises
    ------
    InputError
        If a file or a column is missing, or an instance occurs twice or in one file only.
    """
    from replicability import checks

    files = {"a": options.a, "b": options.b} | ({"gold": options.gold} if options.gold else {})
    sides = {role: _scores(options, file, role) for role, file in files.items()}
    _refuse_one_sided(files, {role: header for role, (header, _) in sides.items()})
    _, table = sides.pop("a")
    labels = {role: _label(options, role, file) for role, file in files.items()}
    for role, (_, side) in sides.items():
        _refuse_missing(table, side, labels["a"], labels[role])
        _refuse_missing(side, table, labels[role], labels["a"])
        table = table.merge(side, on=["dataset", "instance"])
    table = _of_one_unit(options, table)
    sizes = [table.pop(name) for name in ("size of a", "size of b") if name in table]
    if sizes and not (len(sizes) == 2 and sizes[0].equals(sizes[1])):
        raise checks.InputError(
            f"The sizes in {options.a} and {options.b} differ, but they are those of the same "
            "instances; give each instance one size in both."
        )
    if sizes:
        table["size"] = sizes[0]
    columns = {"dataset": "dataset", "instance": "instance", "scores": ["a", "b"]}
    return table, columns | {key: key for key in ("size", "gold") if key in table}


def _label(options, role, file):
    """Call the scores of one side in a message."""
    view = options.views.get(role)
    return f"{file}, {view.name}" if view else file


def _of_one_unit(options, table):
    """Return the instances with the unit of each, which is the same in both files."""
    from replicability import checks

    if "unit of a" not in table:
        return table
    differ = table[table["unit of a"] != table["unit of b"]]
    if len(differ):
        row = differ.iloc[0]
        raise checks.InputError(
            f"Instance {row['instance']!r}{_of(differ)} belongs to the unit {row['unit of a']!r} "
            f"in {options.a} and to {row['unit of b']!r} in {options.b}, but it is the same "
            "instance; correct one of them."
        )
    name = "unit" if options.unit in COLUMNS else options.unit
    return table.drop(columns="unit of b").rename(columns={"unit of a": name})


def _refuse_missing(here, there, file, other):
    """Refuse instances of a file that another one lacks."""
    from replicability import checks

    keys = ["dataset", "instance"]
    rows = here[~here.set_index(keys).index.isin(there.set_index(keys).index)]
    if len(rows):
        more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
        raise checks.InputError(
            f"{other} has no instance {rows['instance'].iloc[0]!r}{_of(rows)}{more}, which {file} "
            "has; score both systems on the same instances."
        )


def _refuse_one_sided(files, headers):
    """Refuse files of which only some have a column of datasets."""
    from replicability import checks

    lacking = [files[role] for role, header in headers.items() if not header]
    having = [(files[role], header) for role, header in headers.items() if header]
    if lacking and having:
        raise checks.InputError(
            f"{lacking[0]} has no column of datasets, but {having[0][0]} has {having[0][1]!r}; add "
            "it, or declare one dataset with --one-dataset."
        )


def _scores(options, file, role):
    """Return the header of the datasets, if any, and the keys and scores of one file."""
    import pandas as pd

    from replicability.io import cells, delimited

    path = Path(file).absolute()
    known = delimited.read_headers(path)
    delimited.positions(path, known, None)  # two columns of one name are refused
    headers = _headers(options, file, role, known)
    told = () if headers["dataset"] or options.one_dataset else cells.telling(known)
    told = [header for header in told if header != headers["unit"]]
    view = options.views.get(role)
    wanted = filter(None, (*headers.values(), *told, view.system if view else ""))
    table = delimited.columns(path, {header: header for header in wanted})
    cells.refuse_pooled(file, table.select(told), POOLED)
    table, names, rows = _of_datasets(options, file, table, headers["dataset"], view)
    ids = cells.by_place(table.num_rows)
    if headers["instance"]:
        ids = cells.identifiers(path, table[headers["instance"]], rows).to_pandas()
    side = {
        "dataset": names,
        "instance": ids,
        role: cells.numbers(path, table[headers["score"]], "score", rows),
    }
    if headers["size"]:
        side[f"size of {role}"] = cells.sizes(path, table[headers["size"]], rows)
    if headers["unit"]:
        units = cells.identifiers(path, table[headers["unit"]], rows, name="unit")
        side[f"unit of {role}"] = units.to_pandas()
    side = {key: x if isinstance(x, str) else pd.Series(x).to_numpy() for key, x in side.items()}
    side = pd.DataFrame(side).astype({"dataset": str})
    if headers["run"]:
        side = logs.averaged(options, path, role, side, table[headers["run"]], rows)
    _refuse_twice(_label(options, role, file), side)
    return headers["dataset"], side


def _refuse_twice(where, side):
    """Refuse an instance that occurs more than once."""
    from replicability import checks
    from replicability.io import runs

    twice = side[side.duplicated(["dataset", "instance"])]
    if len(twice):
        raise checks.InputError(
            f"{where}: instance {twice['instance'].iloc[0]!r}{_of(twice)} occurs more than once; "
            f"give every instance of a dataset its own identifier{runs.REPEATED.format('--run')}."
        )


def _headers(options, file, role, known):
    """Return the headers of the columns that are read of a file, "" for one that it lacks."""
    from replicability import checks
    from replicability.io import scales
    from replicability.io.delimited import header_of

    score = options.views[role].score if role in options.views else options.score
    wanted = {"instance": options.instance, "score": score, "size": "", "unit": "", "run": ""}
    if role != "gold":
        wanted["size"] = options.size or ("size" if "size" in known else "")
        wanted["unit"] = claims(options).get("unit", "")
        wanted["run"] = options.run
    found = {key: header_of(file, name, known) if name else "" for key, name in wanted.items()}
    for key, others in (("instance", "instances"), ("unit", "units"), ("run", "runs")):
        if found[key] == found["score"]:
            raise checks.InputError(
                f"{file}: {found[key]!r} is named as the column of the {others} and of the scores; "
                f"name a column of its own for each with --{key} and --score."
            )
    if role != "gold":
        scales.refuse_lower(f"{file}: column", found["score"])
    return found | {"dataset": _dataset_header(options, file, known)}


def _of_datasets(options, file, table, header, view=None):
    """Return the rows of the datasets and the system asked for, their datasets and places."""
    import numpy as np
    import pandas as pd
    import pyarrow as pa

    from replicability import checks
    from replicability.io import cells
    from replicability.io.instances import ONE

    names = ONE
    if header:
        path = Path(file).absolute()
        names = cells.identifiers(path, table[header], name="dataset").to_pandas()
    if not options.datasets and not (view and view.system):
        return table, names, None
    keep = np.ones(table.num_rows, bool)
    if view and view.system:
        systems = cells.identifiers(Path(file).absolute(), table[view.system], name="system")
        keep &= systems.to_pandas().eq(view.name).to_numpy()
    found = list(pd.unique(names)) if header else []
    for name in options.datasets:
        checks.choice(f"{file}: dataset", name, found)
    if options.datasets:
        keep &= names.isin(options.datasets).to_numpy()
    names = names[keep] if header else names
    return table.filter(pa.array(keep)), names, keep.nonzero()[0]


POOLED = "name it with --dataset {!r}, or declare one dataset with --one-dataset"
"""What to do with a table that may hold several datasets; the place is that of the header."""


def _dataset_header(options, file, known):
    """Return the header of the datasets, or "" if the file is one dataset."""
    from replicability.io.delimited import header_of

    if options.one_dataset:
        return ""
    if options.dataset:
        return header_of(file, options.dataset, known)
    named = [header for header in known if header.strip().casefold() == "dataset"]
    return named[0] if named else ""


def _of(rows):
    from replicability.io.instances import ONE

    dataset = rows["dataset"].iloc[0]
    return "" if dataset == ONE else f" of {dataset!r}"
