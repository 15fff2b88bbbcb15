"""The command line, ``python -m analysis``: the quick question without writing Python.

=========  =================================================================
command    question
=========  =================================================================
`pvalues`  on how many datasets is A better, given one p-value for each?
`compare`  is A better, given two files with the scores of the same instances?
`new`      what does a study look like? writes one that runs
`tests`    which test is for which scores?
=========  =================================================================

Each answer is a dictionary, which is printed as text or, with ``--json``, as it is. The modules
that compute are loaded when a command is carried out, so that ``--help`` answers at once.
"""

import argparse
import contextlib
import json
import math
import os
import re
import shutil
import string
import sys
import tempfile
from pathlib import Path

from analysis import __version__

ESTIMATORS = ("count", "bonferroni", "fisher", "simes")
"""Estimators of the number of datasets that are shown beside each other."""

EXAMPLES = Path(__file__).parent / "example"
"""Folder of the studies that `new` writes, one folder each, and of what ``--help`` shows."""

BATCH_ROWS = 2**16
"""Rows of a column that are read at a time."""

PROTECTED = ("paper", "open")
"""Studies of the repository."""

ONE = "all"
"""Dataset of a table without a column of datasets."""

REASONS = {
    "independent": "they share no instance and none is made from another",
    "positive": "Bonferroni's estimate is valid whatever the dependence, and Simes's is valid, too",
    "dependent": "Bonferroni's estimate is valid whatever the dependence",
}
"""Dependence -> why its estimator is recommended, a clause."""


def main(arguments=None):
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments; default those of the process.

    Returns
    -------
    int
        0 if the question is answered, 1 if the input is wrong; wrong usage exits with 2.
    """
    options = parser().parse_args(arguments)
    from analysis.checks import InputError

    try:
        answer = options.ask(options)
    except InputError as error:
        print(str(error).replace(f"{Path.cwd()}{os.sep}", ""), file=sys.stderr)
        return 1
    print(json.dumps(plain(answer), indent=2) if options.json else options.show(answer))
    return 0


# --- one p-value for each dataset ----------------------------------------------------------------


def pvalues(options):
    """Count and identify from p-values.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `pvalues`.

    Returns
    -------
    dict
        The answer; ``python -m analysis pvalues --help`` lists its keys.

    Raises
    ------
    InputError
        If a value, a file or a column is wrong.
    """
    from analysis import checks

    alphas = [checks.alpha(alpha) for alpha in options.alpha]
    if not 0 <= checks.finite("resolution", options.resolution) < 1:
        raise checks.InputError(
            f"resolution is {options.resolution}; it is the smallest p-value that the test could "
            "report, in [0, 1), such as 1e-5."
        )
    if options.column:
        return _counted(options, alphas)
    file = len(options.values) == 1 and isinstance(options.values[0], str)
    comparison, table = (_from_file if file else _typed)(options)
    if options.both and "score_a" not in table:
        raise checks.InputError(
            "--both asks who is ahead on each dataset, but there are no scores; pass a file and "
            "name the columns of A and B with --scores."
        )
    answer = _answer(options, comparison, table, alphas)
    answer["notes"] += _zeros(table["p_value"].to_numpy())
    values = f"The p-values (column {comparison.columns['p_value']!r})" if file else "The p-values"
    answer["notes"].append(
        f"{values} are read as two-sided: half where a system is ahead, one minus the half "
        "elsewhere. Each direction has half of alpha, so that both hold together."
        if options.both
        else f"{values} are read as one-sided: {comparison.systems[0]} is not better than "
        f"{comparison.systems[1]}."
    )
    return answer


def _zeros(values):
    """Say how many p-values are 0; nothing if none is."""
    zeros = int((values == 0).sum())
    if not zeros:
        return []
    return [
        f"{zeros} of {len(values)} p-values {'is' if zeros == 1 else 'are'} 0, and taken at that. "
        "A test that draws B resamples cannot report less than 1/(B+1): pass that number, such as "
        "--resolution 1e-5."
    ]


def _counted(options, alphas):
    """Count from one column of a file, whose datasets are too many to be named."""
    import numpy as np

    from analysis import checks, replicability, report

    for name in ("names", "dataset", "p_value", "scores", "both"):
        if getattr(options, name):
            raise checks.InputError(
                f"--column counts from one column alone; leave out --{name.replace('_', '-')}, or "
                "name the column with --p-value."
            )
    if len(options.values) != 1:
        raise checks.InputError(
            f"--column reads one Parquet file, but there are {len(options.values)} arguments; "
            "name one file."
        )
    values = read_column(str(options.values[0]), options.column)
    np.maximum(values, options.resolution, out=values)
    comparison = _comparison(options)
    a, b = comparison.systems
    recommended = replicability.recommended_method(comparison.dependence)
    findings = []
    for alpha in alphas:
        # Simes first: it needs most memory, and Fisher's critical values stay in memory.
        found = {name: replicability.k_hat(values, alpha, name) for name in ESTIMATORS[:0:-1]}
        k_hat = {name: found[name] for name in ESTIMATORS[1:]}
        findings.append(
            {
                "systems": [a, b],
                "alpha": alpha,
                "k_hat": k_hat,
                "count": replicability.k_count(values, alpha),
                "sentence": report.sentence(
                    (a, b), len(values), k_hat[recommended], k_hat["bonferroni"], alpha, recommended
                ),
            }
        )
    return {
        **_declared(options, comparison),
        "n": len(values),
        "findings": findings,
        "notes": [
            _reason(options, comparison),
            *_zeros(values),
            f"The p-values (column {options.column!r}) are read as one-sided: {a} is not better "
            f"than {b}.",
        ],
    }


def read_column(file, column):
    """Read p-values from one column of a Parquet file in one pass.

    Parameters
    ----------
    file : str
        A Parquet file.
    column : str
        Name of a column of numbers.

    Returns
    -------
    ndarray of float64, shape (n,)
        The p-values, n at least 1.

    Raises
    ------
    InputError
        If there is no such file or column, or a value is missing or outside [0, 1]; the message
        names its row.

    Notes
    -----
    `BATCH_ROWS` rows are decoded and checked at a time, so that memory is that of the result, 8
    bytes for each row, and of one batch.
    """
    import numpy as np
    import pyarrow as pa
    from pyarrow import parquet

    from analysis import checks, data

    path = data.existing(Path(file).absolute())
    if path.suffix != ".parquet":
        raise checks.InputError(
            f"{file} is not a Parquet file, and --column reads no other; name the column of a CSV "
            "or TSV table with --p-value."
        )
    try:
        with parquet.ParquetFile(path, buffer_size=2**16, pre_buffer=False) as source:
            schema = source.schema_arrow
            checks.choice(f"{file}: column", column, schema.names)
            kind = schema.field(column).type
            if not (pa.types.is_floating(kind) or pa.types.is_integer(kind)):
                raise checks.InputError(
                    f"{file}, column {column!r} holds {kind}, but p-values are numbers; write them "
                    "as double."
                )
            values = np.empty(source.metadata.num_rows)
            stop = 0
            for batch in source.iter_batches(BATCH_ROWS, columns=[column], use_threads=False):
                start, stop = stop, stop + len(batch)
                values[start:stop] = batch[column].to_numpy(zero_copy_only=False)
                _refuse_outside(path, column, start, values[start:stop])
    except (pa.ArrowException, OSError) as error:
        raise checks.InputError(
            f"{file} is not a Parquet table ({str(error).splitlines()[0]}); write it anew."
        ) from None
    if not len(values):
        raise checks.InputError(f"{file} has no row; a family needs at least one p-value.")
    return values


def _refuse_outside(path, column, start, values):
    """Refuse what is no p-value in the rows from `start`, NaN if a cell is empty."""
    from analysis import checks, data

    if values.min() >= 0 and values.max() <= 1:  # NaN propagates
        return
    row = int((~((values >= 0) & (values <= 1))).argmax())
    raise checks.InputError(
        f"{data.place(path, start + row)}, column {column!r}: the value is {values[row]}, but a "
        "p-value is a number in [0, 1]; leave out the row of a dataset that has none."
    )


def _typed(options):
    """Return the comparison and the table of p-values on the command line."""
    import numpy as np
    import pandas as pd

    from analysis import checks

    values = np.maximum(checks.pvalues(options.values), options.resolution)
    names = options.names or [f"dataset {number + 1}" for number in range(len(values))]
    if len(names) != len(values):
        raise checks.InputError(
            f"There are {len(names)} names and {len(values)} p-values; pass --names with one name "
            "for each p-value."
        )
    for name in names:
        if names.count(name) > 1:
            raise checks.InputError(f"Two datasets have the name {name!r}; rename one of them.")
    return _comparison(options), pd.DataFrame({"dataset": names, "p_value": values})


def _from_file(options):
    """Return the comparison and the table of p-values of a file."""
    from analysis import checks, data

    if options.names:
        raise checks.InputError(
            "--names names p-values on the command line; the datasets of a file are named in it: "
            "pass its column with --dataset."
        )
    file = options.values[0]
    path = str(Path(file).absolute())
    printed = data.read_table(path)
    columns = {"scores": options.scores} if options.scores else {}
    options.systems = options.systems or options.scores
    columns["p_value"] = options.p_value or guess_pvalues(file, printed, options.scores)
    columns["dataset"] = options.dataset or guess_dataset(file, printed)
    comparison = _comparison(options, file=path, columns=columns)
    return comparison, data.read_comparison(comparison)


def guess_pvalues(file, table, scores=()):
    """Tell the column of p-values where there is no doubt.

    Parameters
    ----------
    file : str
        Name of the file, for the message.
    table : DataFrame of str
        The table.
    scores : sequence of str
        Columns that hold scores.

    Returns
    -------
    str
        ``p_value`` if there is such a column; else the only column of numbers, or of numbers in
        [0, 1].

    Raises
    ------
    InputError
        If there is none or several.
    """
    from analysis import checks

    if "p_value" in table:
        return "p_value"
    numbers = {h: column for h, column in _numbers(table).items() if h not in scores}
    within = [header for header, column in numbers.items() if column.between(0, 1).all()]
    for found in (list(numbers), within):
        if len(found) == 1:
            return found[0]
    several = f"{', '.join(within)} hold numbers in [0, 1]"
    raise checks.InputError(
        f"{file}: {several if within else 'no column of numbers lies in [0, 1]'}, so that the "
        f"p-values are not known; name their column with --p-value, one of "
        f"{', '.join(table.columns)}."
    )


def guess_dataset(file, table):
    """Tell the column of datasets where there is no doubt.

    Parameters
    ----------
    file : str
        Name of the file, for the message.
    table : DataFrame of str
        The table.

    Returns
    -------
    str
        ``dataset`` if there is such a column; else the only column of text.

    Raises
    ------
    InputError
        If there is none or several.
    """
    from analysis import checks

    if "dataset" in table:
        return "dataset"
    text = [header for header in table.columns if header not in _numbers(table)]
    if len(text) == 1:
        return text[0]
    several = f"{', '.join(text)} hold text"
    raise checks.InputError(
        f"{file}: {several if text else 'no column holds text'}, so that the datasets are not "
        f"known; name their column with --dataset, one of {', '.join(table.columns)}."
    )


def _numbers(table):
    """Return the columns in which every cell is a number."""
    import pandas as pd

    numbers = {h: pd.to_numeric(table[h], errors="coerce") for h in table.columns}
    return {header: column for header, column in numbers.items() if column.notna().all()}


# --- two files of scores -------------------------------------------------------------------------


def compare(options):
    """Test from the scores of both systems, dataset by dataset.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`.

    Returns
    -------
    dict
        The answer; ``python -m analysis compare --help`` lists its keys.

    Raises
    ------
    InputError
        If a file, an instance, a score or the test is wrong.
    """
    from analysis import checks, data

    if Path(options.a).absolute() == Path(options.b).absolute():
        raise checks.InputError(
            f"Both systems are read from {options.a}; name the file or folder of each."
        )
    options.systems = options.systems or _names(options.a, options.b)
    kind = options.format or guess_format(options.a)
    checks.choice("format", kind, ("table", *data.METRICS))
    if kind != "table":
        return _tested(options, **_files(options, kind))
    if options.metric:
        raise checks.InputError(
            "--metric chooses what is computed from outputs, but a table has the scores; leave it "
            "out, or name the --format of your files."
        )
    table, columns = matched(options)
    with as_csv(table, f"{options.a} and {options.b}") as path:
        return _tested(options, file=path, columns=columns)


def guess_format(file):
    """Tell the format of a file where there is no doubt.

    Parameters
    ----------
    file : str
        A file or folder.

    Returns
    -------
    str
        "folders" for a folder, "conllu" for a file with that ending, else "table".
    """
    path = Path(file)
    return "folders" if path.is_dir() else "conllu" if path.suffix == ".conllu" else "table"


def _names(a, b):
    """Return names of the systems: of their files, or of the folders that hold them."""
    a, b = Path(a).absolute(), Path(b).absolute()
    for names in ((a.stem, b.stem), (a.parent.name, b.parent.name)):
        if names[0] != names[1]:
            return names
    return None


def _files(options, kind):
    """Declare files in a format other than a table."""
    from analysis import checks, data

    if (kind in data.WITH_GOLD) != bool(options.gold):
        raise checks.InputError(
            f"The format {kind!r} has scores, and no gold files; leave out --gold."
            if options.gold
            else f"The format {kind!r} has outputs, which are compared with gold files; name them "
            "with --gold."
        )
    roles = {"gold": options.gold, "a": options.a, "b": options.b}
    metric = options.metric or next(iter(data.METRICS[kind]), "")
    declared = {
        "format": kind,
        "files": {role: str(Path(file).absolute()) for role, file in roles.items() if file},
        "metric": metric,
        "filter": options.filter,
    }
    if kind == "folders":
        declared["columns"] = {"instance": options.instance, "score": options.score}
        declared["columns"] |= {"size": options.size} if options.size else {}
    return declared


def _tested(options, **declared):
    """Test every dataset of a comparison, and count."""
    import pandas as pd

    from analysis import checks, evaluation, formats, recommendation

    alphas = [checks.alpha(alpha) for alpha in options.alpha]
    comparison = _comparison(options, **declared, test=options.test or "")
    datasets = formats.read(comparison)
    table = evaluation.evaluate(comparison)
    won = [wins_ties_losses(dataset) for dataset in datasets]
    for name, column in zip(("wins", "ties", "losses"), zip(*won, strict=True), strict=True):
        table[name] = pd.Series(column, dtype=object)
    answer = _answer(options, comparison, table, alphas)
    test = table["test"].iloc[0]
    advice = {
        advice.test: advice for advice in map(recommendation.recommend, recommendation.SCORE_KINDS)
    }
    kinds = {kind_of(dataset) for dataset in datasets}
    chosen = evaluation.recommended(kinds, datasets[0].metric)
    note = f"Test: {test}, as you ask; for such scores the paper uses {chosen}."
    if test == chosen:
        note = (
            f"Test: {test}, because {advice[test].why} ({advice[test].section}). It assumes that "
            f"{advice[test].assumes}."
        )
    answer["notes"].append(note)
    return answer | {"test": test, "recommended_test": chosen}


def wins_ties_losses(dataset):
    """Count the instances on which A is better, equal and worse.

    Parameters
    ----------
    dataset : instances.Dataset
        Scores of both systems, or their sums.

    Returns
    -------
    (int, int, int) or (None, None, None)
        The numbers; None for ratings, of which a higher one is not better.
    """
    from analysis import scoring

    if dataset.gold is not None:
        return None, None, None
    a, b = dataset.a, dataset.b
    if a.ndim == 2:
        metric = scoring.METRICS[dataset.metric or "mean"]
        a, b = metric(a), metric(b)
    return int((a > b).sum()), int((a == b).sum()), int((a < b).sum())


def kind_of(dataset):
    """Tell the kind of the scores of a dataset.

    Parameters
    ----------
    dataset : instances.Dataset
        Scores of both systems, or their sums, and gold ratings if there are any.

    Returns
    -------
    str
        One of `recommendation.SCORE_KINDS`.
    """
    from analysis import recommendation

    return "ratings" if dataset.gold is not None else recommendation.kind_of(dataset.a, dataset.b)


def matched(options):
    """Lay the scores of both files, and of gold, beside each other, matched by identifier.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`.

    Returns
    -------
    DataFrame
        One row per instance: ``dataset``, ``instance``, ``a``, ``b``, and ``size`` or ``gold`` if
        there are any.
    dict
        Its columns, as `data.Comparison` names them.

    Raises
    ------
    InputError
        If a file or a column is missing, or an instance occurs twice or in one file only.
    """
    from analysis import checks

    files = {"b": options.b} | ({"gold": options.gold} if options.gold else {})
    table = _scores(options, options.a, "a")
    for role, file in files.items():
        side = _scores(options, file, role)
        _refuse_missing(table, side, options.a, file)
        _refuse_missing(side, table, file, options.a)
        table = table.merge(side, on=["dataset", "instance"])
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


def _refuse_missing(here, there, file, other):
    """Refuse instances of a file that another one lacks."""
    from analysis import checks

    keys = ["dataset", "instance"]
    rows = here[~here.set_index(keys).index.isin(there.set_index(keys).index)]
    if len(rows):
        more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
        raise checks.InputError(
            f"{other} has no instance {rows['instance'].iloc[0]!r}{_of(rows)}{more}, which {file} "
            "has; score both systems on the same instances."
        )


def _scores(options, file, role):
    """Return the keys and the scores of one file; every instance occurs once."""
    import pandas as pd

    from analysis import checks, data, instances

    path = Path(file).absolute()
    table = data.columns(path, None)
    known = table.schema.names
    for header in (options.instance, options.score):
        checks.choice(f"{file}: column", header, known)
    side = {
        "dataset": table[options.dataset].to_pandas() if options.dataset in known else ONE,
        "instance": instances.identifiers(path, table[options.instance]).to_pandas(),
        role: instances.numbers(path, table[options.score], "score"),
    }
    size = options.size or ("size" if "size" in known else "")
    if role != "gold" and size:
        checks.choice(f"{file}: column", size, known)
        side[f"size of {role}"] = instances.sizes(path, table[size])
    side = pd.DataFrame(side).astype({"dataset": str})
    twice = side[side.duplicated(["dataset", "instance"])]
    if len(twice):
        raise checks.InputError(
            f"{file}: instance {twice['instance'].iloc[0]!r}{_of(twice)} occurs more than once; "
            "give every instance of a dataset its own identifier."
        )
    return side


def _of(rows):
    dataset = rows["dataset"].iloc[0]
    return "" if dataset == ONE else f" of {dataset!r}"


# --- answers -------------------------------------------------------------------------------------


def _comparison(options, **changes):
    """Declare the comparison that the arguments describe."""
    from analysis import checks, data

    systems = tuple(options.systems or ("A", "B"))
    if systems[0] == systems[1]:
        raise checks.InputError(
            f"Both systems have the name {systems[0]!r}; pass two with --systems."
        )
    block = {
        "name": "-".join(systems),
        "section": "",
        "title": "-".join(systems),
        "systems": systems,
        "dependence": options.dependence or "dependent",
        "file": "",
        "columns": {},
        "seed": getattr(options, "seed", 0),
        "resolution": getattr(options, "resolution", 0.0),
    }
    return data.Comparison(**{**block, **changes})


def _answer(options, comparison, table, alphas):
    """Count and identify at every level, in one direction or in both."""
    from analysis import identification, report

    asked = report.directions(comparison, table) if options.both else [(comparison, table)]
    facts = table.assign(p_value=asked[0][1]["p_value"]).drop(columns="p_reverse", errors="ignore")
    facts["adjusted_p_value"] = identification.adjusted_pvalues(facts["p_value"])
    if options.both:
        facts["p_reverse"] = asked[1][1]["p_value"].to_numpy()
        facts["adjusted_p_reverse"] = identification.adjusted_pvalues(facts["p_reverse"])
    findings = []
    for alpha in alphas:
        for claim in asked:
            found = report.find(*claim, alpha / len(asked), ESTIMATORS)
            findings.append(
                {
                    "systems": list(found.systems),
                    "alpha": found.alpha,
                    "k_hat": {name: found.counts[name] for name in ESTIMATORS[1:]},
                    "count": found.counts["count"],
                    "identified": found.identified_datasets,
                    "sentence": str(found),
                }
            )
    return {
        **_declared(options, comparison),
        "datasets": facts.to_dict("records"),
        "findings": findings,
        "notes": [_reason(options, comparison)] if len(facts) > 1 else [],
    }


def _declared(options, comparison):
    """Start an answer with what was declared."""
    from analysis import replicability

    return {
        "systems": list(comparison.systems),
        "dependence": comparison.dependence,
        "dependence_declared": options.dependence is not None,
        "recommended": replicability.recommended_method(comparison.dependence),
    }


def _reason(options, comparison):
    """Say which estimator is recommended, and why."""
    from analysis import replicability

    recommended = replicability.recommended_method(comparison.dependence).capitalize()
    if options.dependence:
        return (
            f"Recommended: {recommended}, because the datasets are declared "
            f"{comparison.dependence}: {REASONS[comparison.dependence]}."
        )
    return (
        f"Recommended: {recommended}. No dependence is declared, so that the datasets are treated "
        f"as dependent: {REASONS['dependent']}. If they share no instance and none is made from "
        "another, declare --independent."
    )


def plain(value):
    """Turn an answer into what JSON can hold.

    Parameters
    ----------
    value : object
        Dictionaries, lists, text and numbers, also numpy's.

    Returns
    -------
    object
        The same of Python's own types; None for a number that is not finite.
    """
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


# --- answers as text -----------------------------------------------------------------------------


def show(answer):
    """Write the answer of `pvalues` or `compare` as text.

    Parameters
    ----------
    answer : dict
        The answer.

    Returns
    -------
    str
        Sentences and tables.
    """
    sentences = "\n".join(finding["sentence"] for finding in answer["findings"])
    if "n" in answer:
        blocks = [sentences, _counts(answer, answer["n"])]
    elif len(answer["datasets"]) == 1 and "test" in answer:
        blocks = [_single(answer)]
    else:
        blocks = [sentences, _datasets(answer), _counts(answer, len(answer["datasets"]))]
    return "\n\n".join([*blocks, *map(_fill, answer["notes"])])


def _single(answer):
    """Say what the test of one dataset shows."""
    from analysis import report, tables

    a, b = answer["systems"]
    row = answer["datasets"][0]
    won = f"; {row['wins']} wins, {row['ties']} ties and {row['losses']} losses of {a}"
    lines = [
        f"{a}: {row['score_a']:#.4g}, {b}: {row['score_b']:#.4g} on {row['n']:,} instances"
        f"{won if _won(row) else ''}.",
        f"Difference {row['difference']:#.4g}, 95% confidence interval [{row['low']:#.4g}, "
        f"{row['high']:#.4g}].",
        f"p = {tables.pvalue(row['p_value'])} for the hypothesis that {a} is not better, by "
        f"{report.TEST_TITLES[answer['test']]} ({row['how']}).",
    ]
    if "p_reverse" in row:
        lines.append(
            f"p = {tables.pvalue(row['p_reverse'])} for the hypothesis that {b} is not better."
        )
    for finding in answer["findings"]:
        first, second = finding["systems"]
        verdict = "is shown to be" if finding["count"] else "is not shown to be"
        lines.append(f"At alpha = {finding['alpha']:g} {first} {verdict} better than {second}.")
    return "\n".join(lines)


def _won(row):
    return row["wins"] is not None


def _datasets(answer):
    """Lay out the datasets."""
    from analysis import tables

    a, b = answer["systems"]
    rows = answer["datasets"]
    cells = {"dataset": [row["dataset"] for row in rows]}
    if "n" in rows[0]:
        cells["n"] = [f"{row['n']:,}" for row in rows]
    if "score_a" in rows[0]:
        cells[a] = [f"{row['score_a']:#.4g}" for row in rows]
        cells[b] = [f"{row['score_b']:#.4g}" for row in rows]
    if "low" in rows[0]:
        cells["difference"] = [f"{row['difference']:.3f}" for row in rows]
        cells["95% interval"] = [f"[{row['low']:.3f}, {row['high']:.3f}]" for row in rows]
        if all(map(_won, rows)):
            cells["wins/ties/losses"] = [f"{r['wins']}/{r['ties']}/{r['losses']}" for r in rows]
    both = "p_reverse" in rows[0]
    for system, p in ((a, "p_value"), (b, "p_reverse"))[: 1 + both]:
        better = f" ({system} better)" if both else ""
        cells[f"p{better}"] = [tables.pvalue(row[p]) for row in rows]
        cells[f"Holm's p{better}"] = [tables.pvalue(row[f"adjusted_{p}"]) for row in rows]
    cells["identified"] = [_identified(answer, row["dataset"], both) for row in rows]
    return _aligned(cells)


def _identified(answer, dataset, both):
    """Say at which levels a dataset is identified."""
    levels = []
    for finding in answer["findings"]:
        if dataset in finding["identified"]:
            better = f"{finding['systems'][0]} better " if both else ""
            levels.append(f"{better}at {finding['alpha']:g}")
    return ", ".join(levels) or "no"


def _counts(answer, n):
    """Lay out every estimator at every level, and which of them are valid."""
    from analysis.replicability import VALID_UNDER

    findings, both = answer["findings"], len({f["systems"][0] for f in answer["findings"]}) > 1
    cells = {f"k-hat of {n:,}": [name.capitalize() for name in ESTIMATORS]}
    for finding in findings:
        better = f"{finding['systems'][0]} better " if both else ""
        cells[f"{better}at {finding['alpha']:g}"] = [
            f"{k:,}" for k in (finding["count"], *finding["k_hat"].values())
        ]
    valid = ["no guarantee"]
    for name in ESTIMATORS[1:]:
        word = "yes" if answer["dependence"] in VALID_UNDER[name] else "no"
        valid.append(f"{word}, recommended" if name == answer["recommended"] else word)
    cells[f"valid for {answer['dependence']} datasets"] = valid
    return _aligned(cells)


def _aligned(cells):
    """Lay out columns of text: first and last to the left, the others to the right."""
    columns = [[header, *column] for header, column in cells.items()]
    for number, column in enumerate(columns):
        left = number in (0, len(columns) - 1)
        width = max(map(len, column))
        columns[number] = [cell.ljust(width) if left else cell.rjust(width) for cell in column]
    return "\n".join("  ".join(row).rstrip() for row in zip(*columns, strict=True))


def _fill(text, indent=""):
    import textwrap

    return textwrap.fill(text, 88, subsequent_indent=indent, break_on_hyphens=False)


# --- tables --------------------------------------------------------------------------------------


@contextlib.contextmanager
def as_csv(table, shown):
    """Store a table as a CSV file for as long as it is read.

    Parameters
    ----------
    table : DataFrame
        The table.
    shown : str
        How a message calls it.

    Yields
    ------
    str
        The file.
    """
    from analysis.checks import InputError

    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "table.csv")
        table.to_csv(path, index=False)
        try:
            yield path
        except InputError as error:
            raise InputError(str(error).replace(path, shown)) from None


# --- a new study ---------------------------------------------------------------------------------


def new(options):
    """Write a study that runs: its YAML file and a tiny example of its data.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `new`.

    Returns
    -------
    dict
        ``study``, ``files`` (relative to the checkout) and ``next``, the command that runs it.

    Raises
    ------
    InputError
        If the name is not one of a study or is taken, there is no such example, or the files cannot
        be written.
    """
    from analysis import checks, files, paths

    name = options.name
    if not re.fullmatch("[a-z][a-z0-9_]*", name):
        raise checks.InputError(
            f"The name of a study is lower-case letters, digits and underscores, a letter first, "
            f"but it is {name!r}; try {_proper(name)!r}."
        )
    checks.choice("example", options.origin, examples())
    config, folder = paths.ROOT / "config" / f"{name}.yaml", paths.ROOT / "data" / name
    for path in (config, folder, paths.ROOT / "config" / name):
        if name in PROTECTED or path.exists():
            raise checks.InputError(
                f"{path.relative_to(paths.ROOT)} is there already and is not overwritten; choose "
                "another name."
            )
    source = EXAMPLES / options.origin
    text = string.Template((source / "study.yaml").read_text(encoding="utf-8"))
    part = folder.with_name(f".{name}.part")
    try:
        with files.replacing(config) as place:
            place.write_text(text.substitute(study=name), encoding="utf-8")
            shutil.rmtree(part, ignore_errors=True)
            shutil.copytree(source, part, ignore=shutil.ignore_patterns("study.yaml"))
            part.replace(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    written = [config, *sorted(path for path in folder.rglob("*") if path.is_file())]
    return {
        "study": name,
        "files": [str(path.relative_to(paths.ROOT)) for path in written],
        "next": f"make study STUDY=config/{name}.yaml",
    }


def examples():
    """List the examples that `new` can write.

    Returns
    -------
    list of str
        Names of the folders of `EXAMPLES`, sorted.
    """
    return sorted(path.parent.name for path in EXAMPLES.glob("*/study.yaml"))


def _proper(name):
    """Return a name of a study near to what was given."""
    near = re.sub("[^a-z0-9]+", "_", name.lower()).strip("_")
    return near if re.match("[a-z]", near) else f"study_{near}".rstrip("_")


def show_new(answer):
    """Write the answer of `new` as text.

    Parameters
    ----------
    answer : dict
        The answer.

    Returns
    -------
    str
        The files, and what to do next.
    """
    files = "\n".join(f"  {file}" for file in answer["files"])
    return (
        f"Wrote\n{files}\n\nIt runs as it is; its numbers are made up:\n  {answer['next']}\n\n"
        f"Then put your data in place of the example's, and edit {answer['files'][0]}, which "
        "explains\nevery key."
    )


# --- the tests -----------------------------------------------------------------------------------

OTHERWISE = {
    "sign_flip": "instead of paired_bootstrap where instances are few: it is valid for any number "
    "of them if the outputs are exchangeable under the null hypothesis",
    "sign_test": "instead of wilcoxon where it only counts which system is better on an instance, "
    "not by how much",
    "paired_t": "instead of wilcoxon where differences are close to normal",
    "williams": "instead of steiger where items are few: it refers to Student's t",
    "meng": "instead of steiger, with which it agrees where items are many",
    "rating_bootstrap": "instead of steiger where ratings are far from normal",
}
"""Test that the paper does not choose -> when to use it."""


def list_tests(options):
    """List the tests and when to use each.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `tests`.

    Returns
    -------
    dict
        ``tests``: for each its name, ``title``, ``use`` and, if the paper chooses it, ``scores``,
        ``section`` and ``assumes``.
    """
    from analysis import recommendation, report

    chosen = {}
    for kind in recommendation.SCORE_KINDS:
        advice = recommendation.recommend(kind)
        chosen[advice.test] = {
            "scores": kind,
            "use": advice.why,
            "section": advice.section,
            "assumes": advice.assumes,
        }
    others = {name: {"scores": None, "use": when} for name, when in OTHERWISE.items()}
    return {
        "tests": [
            {"test": name, "title": report.TEST_TITLES[name], **about}
            for name, about in (chosen | others).items()
        ]
    }


def show_tests(answer):
    """Write the answer of `tests` as text.

    Parameters
    ----------
    answer : dict
        The answer.

    Returns
    -------
    str
        A paragraph for each test.
    """
    paragraphs = {True: [], False: []}
    for about in answer["tests"]:
        text = f"{about['test']}: "
        if about["scores"]:
            text += (
                f"for {about['scores']} scores; {about['use']} ({about['section']}). It assumes "
                f"that {about['assumes']}."
            )
        else:
            text += f"{about['use']}."
        paragraphs[about["scores"] is not None].append(_fill(text, "  "))
    return "\n".join(
        ["The paper chooses by the scores:", *paragraphs[True], "", "Others:", *paragraphs[False]]
    )


# --- the arguments -------------------------------------------------------------------------------


def parser():
    """Return the parser of the command line.

    Returns
    -------
    ArgumentParser
        With one command for each question.
    """
    main_parser = argparse.ArgumentParser(
        prog="python -m analysis",
        description="On how many datasets is system A better than system B?",
        epilog="Each command has a --help of its own, with examples.",
    )
    main_parser.add_argument(
        "--version", action="version", version=f"replicability-analysis {__version__}"
    )
    commands = main_parser.add_subparsers(metavar="COMMAND", required=True)

    def command(name, question, ask, show):
        added = commands.add_parser(
            name,
            help=question,
            description=question,
            epilog=(EXAMPLES / f"{name}.txt").read_text(encoding="utf-8"),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        added.add_argument("--json", action="store_true", help="print one JSON object instead")
        added.set_defaults(ask=ask, show=show)
        return added

    added = command("pvalues", "Count and identify from one p-value per dataset.", pvalues, show)
    added.add_argument(
        "values",
        nargs="+",
        type=_number,
        metavar="P",
        help="p-values, or one CSV, TSV or Parquet file with a row per dataset",
    )
    _add_claim(added)
    added.add_argument("--names", nargs="+", metavar="NAME", help="names of the datasets")
    added.add_argument("--dataset", metavar="COLUMN", help="column of the datasets' names")
    added.add_argument("--p-value", metavar="COLUMN", help="column of the p-values")
    added.add_argument(
        "--column",
        metavar="COLUMN",
        help="only count, from this column of a Parquet file: for millions of p-values",
    )
    added.add_argument(
        "--scores", nargs=2, default=(), metavar=("A", "B"), help="columns of the scores"
    )
    added.add_argument(
        "--resolution",
        type=_number,
        default=0.0,
        metavar="R",
        help="smallest p-value that the test could report, 1/(B+1); smaller ones are raised to it",
    )

    added = command("compare", "Test from the scores of the same instances.", compare, show)
    added.add_argument("a", metavar="A.csv", help="scores of the system claimed better")
    added.add_argument("b", metavar="B.csv", help="scores of the other system")
    added.add_argument("--gold", metavar="GOLD.csv", help="gold ratings of the same instances")
    added.add_argument("--test", help="name of the test; `python -m analysis tests` lists them")
    added.add_argument(
        "--format",
        help="what the files hold: table, conllu, labels, spans, lm_eval, segments or folders "
        "(default: folders for folders, conllu for files of that ending, else table)",
    )
    added.add_argument("--metric", help="what is computed from outputs, such as las or upos")
    added.add_argument("--filter", default="", help="filter of the logs of lm_eval")
    _add_claim(added)
    for column in ("instance", "score", "dataset"):
        added.add_argument(
            f"--{column}",
            default=column,
            metavar="COLUMN",
            help=f"column of the {column}s (default: {column})",
        )
    added.add_argument(
        "--size",
        metavar="COLUMN",
        help="column of the scores' denominators (default in a table: size, if there is one)",
    )
    added.add_argument("--seed", type=int, default=0, help="seed of a test that draws resamples")

    added = command("new", "Write a study that runs, to be edited.", new, show_new)
    added.add_argument("name", metavar="NAME", help="lower-case letters, digits and underscores")
    added.add_argument(
        "--from",
        dest="origin",
        default="wide",
        metavar="FORMAT",
        help=f"what the data are: {', '.join(examples())} (default: wide)",
    )

    command("tests", "List the tests and when to use each.", list_tests, show_tests)
    return main_parser


def _add_claim(added):
    """Add what says which claim is made, and how surely."""
    group = added.add_mutually_exclusive_group()
    for dependence, meaning in {
        "independent": "the datasets share no instance and none is made from another",
        "positive": "the datasets are positively dependent",
        "dependent": "anything else, or unknown (default)",
    }.items():
        group.add_argument(
            f"--{dependence}",
            dest="dependence",
            action="store_const",
            const=dependence,
            help=meaning,
        )
    added.add_argument(
        "--alpha",
        nargs="+",
        type=_number,
        default=[0.05],
        metavar="ALPHA",
        help="levels of significance (default: 0.05)",
    )
    added.add_argument(
        "--systems", nargs=2, metavar=("A", "B"), help="names of the systems, the better one first"
    )
    added.add_argument(
        "--both", action="store_true", help="ask in both directions, each at half of alpha"
    )


def _number(text):
    """Return a number if the text is one, else the text."""
    try:
        return float(text)
    except ValueError:
        return text
