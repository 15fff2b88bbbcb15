"""List the word forms of English corpora: what counts as a known word.

    python scripts/vocabulary.py treebank.zip masc_tagged.zip --conllu FILE.conllu --output FILE.txt

The archives are the Penn Treebank sample and MASC as `nltk_corpora` reads them. The output has one
form a line, in the order of their code points, each as its corpus writes it.
"""

import argparse
import sys
from pathlib import Path

import nltk_corpora

from analysis import command
from replicability.io import conllu, files


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--conllu", type=Path, required=True, help="a treebank, CoNLL-U")
    parser.add_argument("archives", type=Path, nargs="+", help="corpora of the NLTK collection")
    parser.add_argument("--output", type=Path, required=True, help="list of forms to write")
    options = parser.parse_args(arguments)
    known = set(conllu.read(options.conllu).form.to_pylist()).union(*map(forms, options.archives))
    with files.replacing(options.output) as part:
        part.write_text("".join(f"{form}\n" for form in sorted(known)), encoding="utf-8")


def forms(archive):
    """Return the word forms of a corpus of the NLTK collection.

    `archive`: ``treebank.zip`` or ``masc_tagged.zip``.

    Returns set of str. Forms of the words that have a tag.

    Raises `InputError`: as `nltk_corpora.documents`.
    """
    items = (
        item
        for _, _, sentences in nltk_corpora.documents(archive)
        for sentence in sentences
        for item in sentence
    )
    return {word for word, tag in items if tag} - {""}


if __name__ == "__main__":
    sys.exit(main())
