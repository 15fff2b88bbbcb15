"""Sentences of CoNLL-U files, and of files with two columns, as taggers read and write them."""

import re
from pathlib import Path
from typing import NamedTuple

from replicability.checks import InputError


class Sentence(NamedTuple):
    """A sentence of a file, as `read` reads it.

    Attributes
    ----------
    name : str or None
        Its ``sent_id``.
    lines : list of str
        All its lines, comments first, without line ends.
    words, tags : list of str
        Form and tag of every word.
    numbers : list of int
        The lines of the file that the words stand in, from 1.
    """

    name: str | None
    lines: list
    words: list
    tags: list
    numbers: list


def read(path, tagged=True):
    """Read the sentences of a CoNLL-U file, or of a file with two columns.

    `path`: a blank line ends a sentence. A word is a line of ten columns (CoNLL-U: columns 2 and 4
    are word and tag) or of two (word, tab, tag). Comments, multi-word tokens (``3-4``) and empty
    nodes (``5.1``) are passed over. `tagged`: whether every word must have a tag.

    Returns list of Sentence. In the order of the file.

    Raises `InputError`: if the file is missing, is not UTF-8 or has no words, or if a line is
    malformed.
    """
    path = Path(path)
    found, sentence, columns = [], Sentence(None, [], [], [], []), None
    for number, line in enumerate([*_lines(path), ""], 1):
        if not line:
            if sentence.words:
                found.append(sentence)
            sentence = Sentence(None, [], [], [], [])
        else:
            sentence.lines.append(line)
            # In a file with two columns, "#" may be a word.
            if line.startswith("#") and (line.startswith("# ") or "\t" not in line):
                name = re.fullmatch(r"#\s*sent_id(?:\s*=\s*|\s+)(.*\S)\s*", line)
                sentence = sentence._replace(name=name[1]) if name else sentence
                continue
            cells = line.split("\t")
            columns = columns or len(cells)
            where = f"{path}, line {number}"
            word = _word(cells, columns, len(sentence.words) + 1, where, tagged)
            if word:
                sentence.words.append(word[0])
                sentence.tags.append(word[1])
                sentence.numbers.append(number)
    if not found:
        raise InputError(
            f"{path} has no words; each line must be a word in CoNLL-U, or word, tab, tag."
        )
    return found


def names(found):
    """Name sentences.

    `found` (sequence of Sentence): from `read`.

    Returns list of str. Their ``sent_id``, or ``s1``, ``s2``, ... if one has none or two have the
    same.
    """
    given = [sentence.name for sentence in found]
    if None in given or len(set(given)) < len(given):
        return [f"s{place}" for place in range(1, len(found) + 1)]
    return given


def _lines(path):
    try:
        return path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: byte {error.start} is not UTF-8; convert the file to UTF-8."
        ) from None


def _word(cells, columns, expected, where, tagged):
    """Return (word, tag), or None for a line of CoNLL-U that is no syntactic word."""
    if len(cells) != columns or columns not in (2, 10):
        kind = f", but the first word has {columns}" if columns in (2, 10) else ""
        raise InputError(
            f"{where} has {len(cells)} tab-separated columns{kind}; every word of a file needs 10 "
            "(CoNLL-U) or 2 (word, tag)."
        )
    if columns == 10:
        if re.fullmatch(r"\d+[-.]\d+", cells[0]):
            return None
        if cells[0] != str(expected):
            raise InputError(
                f"{where} has the ID {cells[0]!r} instead of {expected}; number words from 1 and "
                "put a blank line after each sentence."
            )
        word, tag = cells[1], cells[3]
    else:
        word, tag = cells
    if not word.strip() or (tagged and tag.strip() in ("", "_")):
        raise InputError(
            f"{where} has the word {word!r} and the tag {tag!r}; neither may be empty."
        )
    return word, tag
