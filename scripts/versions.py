"""Write the versions of the packages that train, predict and score.

python scripts/versions.py OUTPUT.csv
"""

import platform
import sys
from importlib import metadata

from analysis import command
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


@command.status
def main(output):
    """Write package,version; return the exit status."""
    rows = ["package,version", f"python,{'.'.join(platform.python_version_tuple()[:2])}"]
    rows += [f"{package},{metadata.version(package)}" for package in PACKAGES]
    with files.replacing(output) as part:
        part.write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
