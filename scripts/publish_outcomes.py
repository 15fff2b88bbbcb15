"""Copy finished outcomes to the committed folder and say which differ from what was there.

python scripts/publish_outcomes.py FILE ... --into data/outcomes
"""

import argparse
import filecmp
import shutil
import sys
from pathlib import Path


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", type=Path, nargs="+", help="finished outcomes")
    parser.add_argument("--into", type=Path, required=True, help="the committed folder")
    options = parser.parse_args(arguments)
    for file in options.files:
        try:
            options.into.mkdir(parents=True, exist_ok=True)
            print(f"{options.into / file.name}: {publish(file, options.into / file.name)}")
        except OSError as error:
            print(f"{file} could not be published: {error}.", file=sys.stderr)
            return 1
    return 0


def publish(file, target):
    """Copy a file if it differs, all or nothing.

    `file`, `target`: the finished file and its committed place.

    Returns {"identical", "changed", "new"}. What the target was.
    """
    state = "changed" if target.exists() else "new"
    if target.exists() and filecmp.cmp(file, target, shallow=False):
        return "identical"
    part = target.with_name(f"{target.name}.part")
    try:
        shutil.copyfile(file, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return state


if __name__ == "__main__":
    sys.exit(main())
