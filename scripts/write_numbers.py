"""Write the numbers of documents anew: python scripts/write_numbers.py [FILE ...]

`analysis.prose` says what a number is made from. A document whose numbers are right is left alone.
"""

import argparse
import contextlib
import io
import sys
from concurrent.futures import ProcessPoolExecutor

from analysis import paths, prose
from replicability import checks
from replicability.io.text import read_text


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", metavar="FILE", help="documents (default: all)")
    files = parser.parse_args(arguments).files or prose.documents()
    with ProcessPoolExecutor() as pool:
        computed = dict(zip(files, pool.map(renewed, files), strict=True))
    for file, (text, error) in computed.items():
        if error:
            print(error, file=sys.stderr)
        elif text != read_text(paths.ROOT / file):
            (paths.ROOT / file).write_text(text, encoding="utf-8")
            print(f"{file}: wrote its numbers")
    return int(any(error for _, error in computed.values()))


def renewed(file):
    """Compute the numbers of a document: its text, and what is wrong ("" if nothing is)."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):  # what the code of a guide prints
            return prose.document(file), ""
    except checks.InputError as error:
        return "", str(error)


if __name__ == "__main__":
    sys.exit(main())
