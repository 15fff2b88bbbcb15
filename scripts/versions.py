"""Write the versions of the packages that train, predict and score.

python scripts/versions.py OUTPUT.csv
"""

import platform
import sys
from importlib import metadata

from replicability import checks
from replicability.io import files

PACKAGES = (
    "gensim",
    "nltk",
    "numpy",
    "pandas",
    "pyarrow",
    "python-crfsuite",
    "scikit-learn",
    "scipy",
    "spacy",
)


def main(output):
    """Write package,version; return the exit status."""
    rows = ["package,version", f"python,{'.'.join(platform.python_version_tuple()[:2])}"]
    rows += [f"{package},{metadata.version(package)}" for package in PACKAGES]
    try:
        with files.replacing(output) as part:
            part.write_text("\n".join(rows) + "\n", encoding="utf-8")
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
