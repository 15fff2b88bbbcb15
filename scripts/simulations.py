"""Simulate families of p-values in shards, pool the shards, and tabulate the examples.

    python scripts/simulations.py shard SETTINGS EXAMPLE NUMBER --output OUT.csv
    python scripts/simulations.py merge SETTINGS EXAMPLE SHARD.csv ... --output OUT.csv
    python scripts/simulations.py table SETTINGS EXAMPLE=FILE.csv ... --output OUT.csv

SETTINGS is a file such as config/simulations.yaml. A shard is simulated on one core and in the
memory of one chunk of families; its file, and that of the pooled example, has the columns
``estimator``, ``k_hat`` and ``families``. The pooled file has the same bytes for any number of
shards. The table says how often each estimator exceeds the true number, beside the exact
probability where one is known.
"""

import argparse
import sys
from pathlib import Path

from replicability import checks
from replicability.io import shards


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    shard = commands.add_parser("shard", help="simulate one shard of an example")
    merge = commands.add_parser("merge", help="pool all shards of an example")
    table = commands.add_parser("table", help="tabulate the examples")
    for command, run in ((shard, run_shard), (merge, run_merge), (table, run_table)):
        command.add_argument("settings", help="YAML file")
        command.set_defaults(run=run)
    shard.add_argument("example", help="name of an example")
    shard.add_argument("number", type=int, help="number of the shard, from 0")
    merge.add_argument("example", help="name of an example")
    merge.add_argument("shards", nargs="+", help="files of the shards")
    table.add_argument("pooled", nargs="+", help="EXAMPLE=FILE")
    for command in (shard, merge, table):
        command.add_argument("--output", type=Path, required=True, help="CSV file to write")
    options = parser.parse_args(arguments)
    try:
        options.run(shards.read_settings(options.settings), options)
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def run_shard(settings, options):
    """Simulate one shard."""
    shards.write_frequencies(settings.run(options.example, options.number), options.output)


def run_merge(settings, options):
    """Pool the shards of an example."""
    found = shards.merge(settings, options.example, options.shards)
    shards.write_frequencies(found, options.output)


def run_table(settings, options):
    """Tabulate the examples."""
    found = {}
    for argument in options.pooled:
        example, equals, file = argument.partition("=")
        if not (example and equals and file):
            raise checks.InputError(f"{argument!r} names no example and file; write EXAMPLE=FILE.")
        found[example] = shards.merge(settings, example, [file])
    shards.write_table(shards.at_scale(settings, found), options.output)


if __name__ == "__main__":
    sys.exit(main())
