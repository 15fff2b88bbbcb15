"""Build the paper: python paper/typeset.py [FILE]

The prose is in `paper.typ`, its numbers come from `fields`, and its figures from `figures/`. The
fonts are built into Typst and the file has no date, so the same tables give the same bytes.
"""

import argparse
import json
import sys
from pathlib import Path

import typst
from fields import fields

from analysis import paths
from replicability import checks

SOURCE = paths.ROOT / "paper/paper.typ"


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path, nargs="?", default=paths.ROOT / "results/paper.pdf")
    options = parser.parse_args(arguments)
    options.file = options.file.absolute()
    paths.enter_checkout()
    try:
        made = compiled(fields())
        options.file.parent.mkdir(parents=True, exist_ok=True)
        part = options.file.with_name(f"{options.file.name}.part")
        part.write_bytes(made)
        part.replace(options.file)
    except (checks.InputError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(options.file)
    return 0


def compiled(said, source=SOURCE):
    """Compile the paper.

    `said`: fields, as `fields.fields` returns them. `source`: typst, below the checkout.

    Returns bytes. PDF.

    Raises `InputError`: if a field or file is missing, or the source is not valid Typst.
    """
    try:
        return typst.compile(
            source,
            root=paths.ROOT,
            ignore_system_fonts=True,
            sys_inputs={"fields": json.dumps(said, ensure_ascii=False)},
        )
    except typst.TypstError as error:
        raise checks.InputError(
            f"{source.name} does not compile: {error}; fix it or paper/fields.py."
        ) from None


if __name__ == "__main__":
    sys.exit(main())
