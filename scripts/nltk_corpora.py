"""Turn a tagged corpus of the NLTK collection into a file with two columns.

    python scripts/nltk_corpora.py ARCHIVE.zip --output FILE.tsv

The archives are the Penn Treebank sample (``treebank.zip``) and MASC (``masc_tagged.zip``). The
output has a line "word, tab, tag" for each word and a blank line after each sentence; a sentence is
named ``document/number`` (``# sent_id = wsj_0001/1``), and each document begins with
``# newdoc id = `` and, where the corpus has categories, ``# category = ``.
"""

import argparse
import sys
import zipfile
from pathlib import Path

from nltk.tree import Tree

from analysis import command
from replicability import checks
from replicability.io import files

TRACE = "-NONE-"
"""Tag of traces and other empty elements of the Penn Treebank, which are no words."""


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("archive", type=Path, help=f"one of {', '.join(CORPORA)}")
    parser.add_argument("--output", type=Path, required=True, help="two-column file to write")
    options = parser.parse_args(arguments)
    text, words, left_out = convert(options.archive)
    with files.replacing(options.output) as part:
        part.write_text(text, encoding="utf-8")
    print(f"{options.output}: {words} words; {left_out} items without a word or tag are left out")


def convert(path):
    """Read an archive and write its sentences in two columns.

    `path`: the archive; its name says which corpus it is.

    Returns str: the text of the file with two columns. int: number of words. int: number of items
    left out because they have no word or no tag.

    Raises `InputError`: as `documents`.
    """
    lines, words, left_out = [], 0, 0
    for name, category, sentences in documents(path):
        heading = [f"# newdoc id = {name}"] + [f"# category = {category}"] * bool(category)
        for number, items in enumerate(sentences, 1):
            kept = [(word, tag) for word, tag in items if word and tag]
            words, left_out = words + len(kept), left_out + len(items) - len(kept)
            if kept:
                lines += [*heading, f"# sent_id = {name}/{number}"]
                lines += [*(f"{word}\t{tag}" for word, tag in kept), ""]
                heading = []
    return "\n".join([*lines, ""]), words, left_out


def documents(path):
    """Read the documents of an archive.

    `path`: the archive; its name says which corpus it is.

    Returns list of (str, str, list of list of (str, str)). Name, category (empty if it has none)
    and sentences of each document; word and tag of each item, one of which may be empty.

    Raises `InputError`: if the archive is missing or damaged, is none of `CORPORA`, or lacks a
    file.
    """
    corpus = CORPORA[checks.choice("Archive", path.name, CORPORA)]
    try:
        with zipfile.ZipFile(path) as archive:
            return list(corpus(archive))
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise checks.InputError(f"{path} cannot be read: {error}; fetch it again.") from None


def penn_treebank(archive):
    """Read the words and tags of the Penn Treebank sample, without traces.

    `archive` (zipfile.ZipFile): ``treebank.zip``.

    Yields (str, str, list of list of (str, str)). Name of a document, such as "wsj_0001", no
    category, and its sentences, in the order of the names.
    """
    for member in sorted(archive.namelist()):
        if "/combined/" in member and member.endswith(".mrg"):
            forest = Tree.fromstring(f"(FILE {archive.read(member).decode()})")
            sentences = [tree.pos() for tree in forest]
            yield (
                Path(member).stem,
                "",
                [[(word, tag) for word, tag in items if tag != TRACE] for items in sentences],
            )


def masc(archive):
    """Read the words and tags of MASC; a line of a document is a sentence.

    `archive` (zipfile.ZipFile): ``masc_tagged.zip``.

    Yields (str, str, list of list of (str, str)). Name of a document, such as
    "written/enron-thread", its category (empty for those that the corpus lists in none), and its
    sentences; an item without the separator has no tag.
    """
    listing = archive.read("masc_tagged/categories.txt").decode().splitlines()
    categories = dict(line.rsplit(" ", 1) for line in listing if line)
    for member in sorted(archive.namelist()):
        file = member.removeprefix("masc_tagged/")
        if file.endswith(".txt") and "/" in file:
            lines = archive.read(member).decode().split("\n")
            sentences = [[_word_and_tag(item) for item in line.split()] for line in lines]
            yield (
                file.removesuffix(".txt"),
                categories.get(file, ""),
                [items for items in sentences if items],
            )


def _word_and_tag(item):
    """Split an item at its last underscore; without one it is a word without a tag."""
    word, separator, tag = item.rpartition("_")
    return (word, tag.upper()) if separator else (item, "")


CORPORA = {"treebank.zip": penn_treebank, "masc_tagged.zip": masc}
"""Name of an archive -> its reader."""


if __name__ == "__main__":
    sys.exit(main())
