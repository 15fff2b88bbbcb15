"""The command `pvalues`."""

from dataclasses import replace
from pathlib import Path

from replicability.cli import written
from replicability.cli.answers import Answer
from replicability.cli.declared import declare, levels
from replicability.cli.numbers import typed
from replicability.cli.reading import from_file, of_numbers

ALONE = ("names", "dataset", "p_value", "scores", "groups", "method")
"""Options that a column alone cannot take."""

BATCH_ROWS = 2**16
"""Number of rows of a column that are read at a time."""


def pvalues(options):
    """Count and identify from p-values.

    `options`: arguments of the command `pvalues`.

    Returns Answer or dict. ``python -m replicability pvalues --help`` lists its keys as JSON.

    Raises `InputError`: if a value, a file or a column is wrong.
    """
    from replicability.api import result

    alphas = levels(options)
    numbers = None if options.column else typed(options.values)
    written.check(options, [str(value) for value in options.values] if numbers is None else ())
    if options.column:
        return _counted(options, alphas)
    declare(options)  # refuses what cannot be asked before anything is read
    asked = from_file(options) if numbers is None else (*of_numbers(options, numbers), [])
    comparison, tested, notes = asked
    found = result.decide(comparison, tested, alphas, options.dependence is not None)
    files = written.write(options, found, lambda: found.page(written.command()))
    return Answer(found, [*notes, *written.told(files)], files)


def _refuse_beside_column(options):
    """Refuse what a column alone cannot answer."""
    from replicability import checks

    for name in (*ALONE, *written.MAKES):
        if getattr(options, name, None):
            raise checks.InputError(
                f"--column reads only one column; leave out {checks.named(name)}, or specify the "
                "column with --p-value instead."
            )
    if options.alternative == "two-sided":
        raise checks.InputError(
            "--column tests only one direction; leave out --alternative, or specify the column "
            "with --p-value instead."
        )
    if options.procedure == "closed":
        raise checks.InputError(
            "--column uses the paper's procedure, because closed testing of millions of p-values "
            "would take too long; leave out --procedure, or specify the column with --p-value "
            "instead."
        )
    if len(options.values) != 1:
        raise checks.InputError(
            f"--column reads one Parquet file, but you passed {len(options.values)} arguments; "
            "pass one file."
        )


def _counted(options, alphas):
    """Count from one column of a file, whose datasets are too many to be named."""
    import replicability
    from replicability.core.findings import notes
    from replicability.io import beside
    from replicability.io.pvalues import raised
    from replicability.stats import partial_conjunction

    _refuse_beside_column(options)
    options.procedure = "paper"
    comparison = declare(options, columns={"p_value": options.column})
    beside.refuse_two_sided(options.values[0], replace(comparison, rows=1), both=False)
    values = raised(read_column(str(options.values[0]), options.column), options.resolution)
    stated = [_finding(comparison, values, alpha) for alpha in alphas]
    declared = options.dependence is not None
    return {
        "version": replicability.__version__,
        "systems": list(comparison.systems),
        "alternative": "greater",
        "claim": comparison.claim,
        "dependence": comparison.dependence,
        "dependence_declared": declared,
        "alpha": list(alphas),
        "procedure": "paper",
        "method": None,
        "recommended": partial_conjunction.recommended_method(comparison.dependence),
        "n": len(values),
        "sentences": [finding["sentence"] for finding in stated],
        "findings": stated,
        "notes": [
            *notes.reason(comparison, declared, pair=True),
            f"{notes.PAIR}: the running time of closed testing with sums grows with the square of "
            "the number of datasets.",
            *notes.of_pvalues(comparison, values, None),
        ],
        "command": {"notes": [], "written": {}},
    }


def _finding(comparison, values, alpha):
    """Count p-values that have no names, at one level."""
    from replicability.core.findings import PRINTED, sentence
    from replicability.stats import partial_conjunction

    recommended = partial_conjunction.recommended_method(comparison.dependence)
    methods = [name for name in PRINTED if name != "count"]
    # Simes first: it needs most memory, and Fisher's critical values stay in memory.
    found = {name: partial_conjunction.k_hat(values, alpha, name) for name in reversed(methods)}
    counted, named = found[recommended], found["bonferroni"]
    return {
        "systems": list(comparison.systems),
        "alpha": alpha,
        "k": counted,
        "count": partial_conjunction.k_count(values, alpha),
        "k_hat": {name: found[name] for name in methods},
        "groups": [],
        "sentence": sentence(comparison.systems, len(values), counted, named, alpha, recommended),
    }


def read_column(file, column):
    """Read p-values from one column of a Parquet file in one pass.

    `file`: A Parquet file. `column`: name of a column of numbers.

    Returns ndarray of float64, shape (n,). The p-values, n at least 1.

    Raises `InputError`: if there is no such file or column, or a value is missing or outside [0,
    1]; the message names its row.

    Notes
    -----
    `BATCH_ROWS` rows are decoded and checked at a time, so that memory is that of the result, 8
    bytes for each row, and of one batch.
    """
    import numpy as np
    import pyarrow as pa
    from pyarrow import parquet

    from replicability import checks
    from replicability.io.text import existing

    path = existing(Path(file).absolute())
    if path.suffix != ".parquet":
        raise checks.InputError(
            f"--column reads only Parquet files, but {file} is not one; specify the column of a "
            "CSV or TSV table with --p-value."
        )
    try:
        with parquet.ParquetFile(path, buffer_size=2**16, pre_buffer=False) as source:
            _check_column(file, column, source.schema_arrow)
            values = np.empty(source.metadata.num_rows)
            stop = 0
            for batch in source.iter_batches(BATCH_ROWS, columns=[column], use_threads=False):
                start, stop = stop, stop + len(batch)
                values[start:stop] = batch[column].to_numpy(zero_copy_only=False)
                _refuse_outside(path, column, start, values[start:stop])
    except (pa.ArrowException, OSError) as error:
        raise checks.InputError(
            f"{file} cannot be read as a Parquet table ({str(error).splitlines()[0]}); create the "
            "file again."
        ) from None
    if not len(values):
        raise checks.InputError(
            f"{file} has no rows, but at least one p-value is needed; add the p-values."
        )
    return values


def _check_column(file, column, schema):
    """Refuse a column that is not there, there twice, or not of numbers."""
    import pyarrow as pa

    from replicability import checks

    checks.choice(f"{file}: column", column, schema.names)
    if (alike := schema.names.count(column)) > 1:
        raise checks.InputError(
            f"{file}: {alike} columns are named {column!r}; give each its own name."
        )
    kind = schema.field(column).type
    if not (pa.types.is_floating(kind) or pa.types.is_integer(kind)):
        raise checks.InputError(
            f"{file}, column {column!r} holds {kind}, but p-values are numbers; store them as "
            "floating-point numbers."
        )


def _refuse_outside(path, column, start, values):
    """Refuse what is no p-value in the rows from `start`, NaN if a cell is empty."""
    from replicability import checks
    from replicability.io import delimited

    if values.min() >= 0 and values.max() <= 1:  # NaN propagates
        return
    row = int((~((values >= 0) & (values <= 1))).argmax())
    raise checks.InputError(
        f"{delimited.place(path, start + row)}, column {column!r}: the value is {values[row]}, but "
        "a p-value is a number in [0, 1]; leave out the rows of datasets without a p-value."
    )
