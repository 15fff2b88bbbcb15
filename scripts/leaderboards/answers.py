"""What the modules share: reading raw files, and refusing what a benchmark cannot hold."""

import argparse
import json
import zipfile
import zlib
from collections import Counter
from pathlib import Path

import pandas as pd

from analysis import command
from replicability import checks
from replicability.io import instances, text


@command.status
def run(make, description, arguments=None):
    """Run the command line of a benchmark.

    `make`: takes the folder of the raw files, returns the outcomes: a DataFrame, one row per item;
    or several, in a mapping from what is added to the stem of the file to a DataFrame.
    `description`: first paragraph of the module. `arguments`: those of the command line, by
    default.

    Returns int. The exit status; 1 if the raw files are not as expected, which is then said.
    """
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="the raw files of the benchmark")
    parser.add_argument("--output", type=Path, required=True, help="Parquet file to write")
    options = parser.parse_args(arguments)
    made = make(options.folder)
    for end, table in made.items() if isinstance(made, dict) else [("", made)]:
        instances.write(table, options.output.with_stem(options.output.stem + end))


def found(folder, pattern):
    """List the files that match, sorted; there must be one."""
    files = sorted(Path(folder).glob(pattern))
    if not files:
        raise checks.InputError(
            f"{folder} has no file {pattern}; fetch the source again (data/README.md)."
        )
    return files


def read_json(path):
    """Read a JSON file, in which no key stands twice."""

    def unique(pairs):
        refuse_repeats(path, [key for key, _ in pairs])
        return dict(pairs)

    return _parsed(path, text.read_text(path), unique)


def read_zipped(path):
    """Read the only JSON file in a zip archive."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [n for n in archive.namelist() if n.endswith(".json") and "__MACOSX" not in n]
            contents = [archive.read(name).decode("utf-8") for name in names]
    except (OSError, EOFError, ValueError, zlib.error, zipfile.BadZipFile) as error:
        raise checks.InputError(
            f"{path} is not a complete zip archive ({error}); fetch the source again "
            "(data/README.md)."
        ) from None
    if len(contents) != 1:
        raise checks.InputError(
            f"{path} contains {len(contents)} JSON files, but should contain one."
        )
    return _parsed(path, contents[0])


def read_lines(path):
    """Read a file with a JSON value in each line."""
    lines = text.read_text(path).splitlines()
    return [_parsed(f"{path}, line {i}", line) for i, line in enumerate(lines, 1)]


def _parsed(place, content, made_of_pairs=None):
    try:
        return json.loads(content, object_pairs_hook=made_of_pairs)
    except ValueError as error:
        raise checks.InputError(
            f"{place} is not JSON ({error}); fetch the source again (data/README.md)."
        ) from None


def field(place, record, key, kinds):
    """Return a field of a record that must have it, of one of some kinds; `place` names both."""
    if not isinstance(record, dict) or key not in record:
        raise checks.InputError(
            f"{place} has no {key!r}; the layout has changed, so adapt this module."
        )
    if not isinstance(record[key], kinds):
        raise checks.InputError(
            f"{place}: {key!r} is {record[key]!r:.60}, which has an unexpected type; the "
            "layout has changed, so adapt this module."
        )
    return record[key]


def refuse_repeats(place, names):
    """Refuse names that occur twice."""
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        occur = f"and {len(twice) - 1} more occur" if len(twice) > 1 else "occurs"
        raise checks.InputError(
            f"{place}: {twice[0]!r} {occur} twice; it is unclear which one counts."
        )


def wide(items, right):
    """Lay answers out beside their items: a column of 8-bit integers for each model.

    `right` maps a model to whether it answers each item right, None where it has no answer.
    """
    columns = {name: pd.array(list(values), dtype="Int8") for name, values in right.items()}
    return pd.concat([items.reset_index(drop=True), pd.DataFrame(columns)], axis=1)
