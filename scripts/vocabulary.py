"""List the word forms of English corpora: what counts as a known word.

    python scripts/vocabulary.py --conllu FILE.conllu --treebank treebank.zip
                                 --masc masc_tagged.zip --output FILE.txt

The archives are the Penn Treebank sample and MASC as the NLTK collection holds them. The output has
one form a line, in the order of their code points, each as its corpus writes it.
"""

import argparse
import re
import sys
import zipfile
from pathlib import Path

from analysis import checks, conllu, files

LEAF = re.compile(r"\(([^\s()]+) ([^\s()]+)\)")
"""Tag and word of a leaf of the Penn Treebank."""

TRACE = "-NONE-"
"""Tag of traces and other empty elements of the Penn Treebank, which are no words."""


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--conllu", type=Path, required=True, help="a treebank, CoNLL-U")
    parser.add_argument("--treebank", type=Path, required=True, help="sample of the Penn Treebank")
    parser.add_argument("--masc", type=Path, required=True, help="MASC with part-of-speech tags")
    parser.add_argument("--output", type=Path, required=True, help="list of forms to write")
    options = parser.parse_args(arguments)
    try:
        forms = set(conllu.read(options.conllu).form.to_pylist())
        forms |= penn_treebank(options.treebank) | masc(options.masc)
        with files.replacing(options.output) as part:
            part.write_text("".join(f"{form}\n" for form in sorted(forms)), encoding="utf-8")
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def penn_treebank(path):
    """Return the forms of the sample of the Penn Treebank.

    Parameters
    ----------
    path : Path
        ``treebank.zip``.

    Returns
    -------
    set of str
        Words of the trees in its folder ``combined``, without empty elements.

    Raises
    ------
    InputError
        As `documents`.
    """
    leaves = (
        leaf for text in documents(path, r".*/combined/.*\.mrg") for leaf in LEAF.findall(text)
    )
    return {word for tag, word in leaves if tag != TRACE}


def masc(path):
    """Return the forms of MASC.

    Parameters
    ----------
    path : Path
        ``masc_tagged.zip``.

    Returns
    -------
    set of str
        What stands before the last underscore of each item ``word_TAG``.

    Raises
    ------
    InputError
        As `documents`.
    """
    items = (item for text in documents(path, r".*/.*/.*\.txt") for item in text.split())
    return {item.rpartition("_")[0] for item in items} - {""}


def documents(path, pattern):
    """Read the documents of an archive.

    Parameters
    ----------
    path : Path
        A zip file.
    pattern : str
        Regular expression of the whole name of a document.

    Returns
    -------
    list of str
        Their texts, in the order of the archive.

    Raises
    ------
    InputError
        If the archive is missing or damaged, or holds no such document.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if re.fullmatch(pattern, name)]
            texts = [archive.read(name).decode() for name in names]
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise checks.InputError(f"{path} cannot be read: {error}; fetch it again.") from None
    if not texts:
        raise checks.InputError(f"{path} has no document {pattern!r}; is it the right archive?")
    return texts


if __name__ == "__main__":
    sys.exit(main())
