"""Part-of-speech taggers that train in seconds, and the reader of their training data.

`TAGGERS` is the registry: a name, and how to train and to apply the tagger of that name. Every
tagger has the settings that its package ships with; none was tuned on a treebank.
"""

import random
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pycrfsuite
from nltk.tag.perceptron import PerceptronTagger
from nltk.tag.tnt import TnT

from analysis.checks import InputError

AFFIX = 4
"""Longest prefix and suffix, in characters, that is a feature of a word."""


@dataclass(frozen=True)
class Tagger:
    """How to train a tagger and how to apply it.

    Attributes
    ----------
    train : callable
        ``train(sentences, seed)`` returns a model; `sentences` are lists of (word, tag) and `seed`
        is a whole number. Equal arguments give equal models in every process.
    tag : callable
        ``tag(model, sentences)`` returns one list of tags for each list of words.
    """

    train: Callable
    tag: Callable


# --- conditional random field --------------------------------------------------------------------


def train_crf(sentences, seed=None):
    """Train a linear-chain conditional random field with CRFsuite.

    Parameters
    ----------
    sentences : list of list of (str, str)
        Words and tags.
    seed : int, optional
        Not used: the objective is convex and nothing is drawn.

    Returns
    -------
    bytes
        The model, as CRFsuite writes it.

    Notes
    -----
    The model is that of Lafferty, McCallum and Pereira (2001). L-BFGS maximises the conditional
    likelihood, less an L2 penalty with CRFsuite's own weight (c2 = 1), until CRFsuite's own test of
    convergence holds.
    """
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    for sentence in sentences:
        words, tags = zip(*sentence, strict=True)
        trainer.append(word_features(words), tags)
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model.crfsuite"
        trainer.train(str(model))
        return model.read_bytes()


def tag_crf(model, sentences):
    """Find the most probable tags of each sentence.

    Parameters
    ----------
    model : bytes
        From `train_crf`.
    sentences : iterable of sequences of str
        Words.

    Returns
    -------
    list of list of str
        One tag per word.
    """
    tagger = pycrfsuite.Tagger()
    tagger.open_inmemory(model)
    return [tagger.tag(word_features(words)) for words in sentences]


def word_features(words):
    """Describe each word of a sentence by its spelling and its neighbours.

    Parameters
    ----------
    words : sequence of str
        The sentence.

    Returns
    -------
    list of list of str
        Features of each word.

    Notes
    -----
    The templates are those of Ratnaparkhi (1996, Table 1): the word, two words on either side,
    prefixes and suffixes of up to four characters, and whether there is a digit, an upper-case
    letter or a hyphen, here for frequent words too. The word in lower case, title case, all
    capitals, and the pairs with the next words are added.

    Examples
    --------
    >>> word_features(["Ja", "2"])[1][:4]
    ['bias', 'word=2', 'lower=2', 'prefix1=2']
    """
    context = ["<s>", "<s>", *words, "</s>", "</s>"]
    return [
        [
            "bias",
            *_spelling(word),
            f"word-2={context[place]}",
            f"word-1={context[place + 1]}",
            f"word+1={context[place + 3]}",
            f"word+2={context[place + 4]}",
            f"word-1,word={context[place + 1]}\t{word}",
            f"word,word+1={word}\t{context[place + 3]}",
        ]
        for place, word in enumerate(words)
    ]


def _spelling(word):
    sizes = range(1, min(AFFIX, len(word)) + 1)
    shape = {
        "digit": any(letter.isdigit() for letter in word),
        "upper": any(letter.isupper() for letter in word),
        "hyphen": "-" in word,
        "title": word.istitle(),
        "capitals": word.isupper(),
    }
    return [
        f"word={word}",
        f"lower={word.lower()}",
        *(f"prefix{size}={word[:size]}" for size in sizes),
        *(f"suffix{size}={word[-size:]}" for size in sizes),
        *(name for name, holds in shape.items() if holds),
    ]


# --- taggers of NLTK -----------------------------------------------------------------------------


def train_perceptron(sentences, seed):
    """Train NLTK's greedy averaged perceptron (Collins 2002), five passes over the sentences.

    Parameters
    ----------
    sentences : list of list of (str, str)
        Words and tags.
    seed : int
        Seed of the order of the sentences in passes 2 to 5.

    Returns
    -------
    nltk.tag.perceptron.PerceptronTagger
        The model.
    """
    tagger = PerceptronTagger(load=False)
    state = random.getstate()
    random.seed(int(np.random.SeedSequence(seed).generate_state(1)[0]))
    try:
        tagger.train(sentences)  # shuffles with the module's own generator
    finally:
        random.setstate(state)
    return tagger


def train_tnt(sentences, seed=None):
    """Train NLTK's second-order hidden Markov model with a suffix model (Brants 2000).

    Parameters
    ----------
    sentences : list of list of (str, str)
        Words and tags.
    seed : int, optional
        Not used: the model is a table of counts.

    Returns
    -------
    nltk.tag.tnt.TnT
        The model.
    """
    tagger = TnT()
    tagger.train(sentences)
    return tagger


def tag_nltk(model, sentences):
    """Tag sentences with a trained tagger of NLTK.

    Parameters
    ----------
    model : nltk.tag.api.TaggerI
        From `train_perceptron` or `train_tnt`.
    sentences : iterable of sequences of str
        Words.

    Returns
    -------
    list of list of str
        One tag per word.
    """
    return [[tag for _, tag in model.tag(list(words))] for words in sentences]


TAGGERS = {
    "crf": Tagger(train_crf, tag_crf),
    "perceptron": Tagger(train_perceptron, tag_nltk),
    "tnt": Tagger(train_tnt, tag_nltk),
}
"""Name -> `Tagger`."""


# --- sentences -----------------------------------------------------------------------------------


def tagged_sentences(path):
    r"""Read the words and tags of a CoNLL-U file, or of a file with two columns.

    Parameters
    ----------
    path : str or Path
        A blank line ends a sentence. A word is a line of ten columns (CoNLL-U: columns 2 and 4 are
        word and tag) or of two (word, tab, tag). Comments, multi-word tokens (``3-4``) and empty
        nodes (``5.1``) are passed over.

    Returns
    -------
    dict of str to list of (str, str)
        Sentences in the order of the file; the keys are their ``sent_id``, or ``s1``, ``s2``, ...
        if a sentence has none or two have the same.

    Raises
    ------
    InputError
        If the file is missing, is not UTF-8 or has no words, or if a line is malformed.
    """
    path = Path(path)
    names, sentences, name, sentence, columns = [], [], None, [], None
    for number, line in enumerate(_lines(path), 1):
        if not line:
            if sentence:
                names.append(name)
                sentences.append(sentence)
            name, sentence = None, []
        elif _is_comment(line):
            found = re.fullmatch(r"#\s*sent_id(?:\s*=\s*|\s+)(.*\S)\s*", line)
            name = found[1] if found else name
        else:
            cells = line.split("\t")
            columns = columns or len(cells)
            word = _word(cells, columns, len(sentence) + 1, f"{path}, line {number}")
            if word:
                sentence.append(word)
    if sentence:
        names.append(name)
        sentences.append(sentence)
    if not sentences:
        raise InputError(f"{path} has no words; a word is a line of CoNLL-U, or word, tab, tag.")
    if None in names or len(set(names)) < len(names):
        names = [f"s{place}" for place in range(1, len(sentences) + 1)]
    return dict(zip(names, sentences, strict=True))


def _lines(path):
    try:
        return path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: byte {error.start} is not UTF-8; convert the file to UTF-8."
        ) from None


def _is_comment(line):
    """Tell a comment from the word "#" of a file with two columns."""
    return line.startswith("#") and (line.startswith("# ") or "\t" not in line)


def _word(cells, columns, expected, where):
    """Return (word, tag), or None for a line of CoNLL-U that is no syntactic word."""
    if len(cells) != columns or columns not in (2, 10):
        kind = f", and the first word has {columns}" if columns in (2, 10) else ""
        raise InputError(
            f"{where} has {len(cells)} columns separated by tabs{kind}; a word has 10 (CoNLL-U) or "
            "2 (word, tag) throughout the file."
        )
    if columns == 10:
        if re.fullmatch(r"\d+[-.]\d+", cells[0]):
            return None
        if cells[0] != str(expected):
            raise InputError(
                f"{where} has the ID {cells[0]!r} where {expected} is due; words are numbered from "
                "1, with a blank line after each sentence."
            )
        word, tag = cells[1], cells[3]
    else:
        word, tag = cells
    if not word.strip() or tag.strip() in ("", "_"):
        raise InputError(f"{where} has the word {word!r} and the tag {tag!r}; give it both.")
    return word, tag


def first_words(sentences, words, name):
    """Return the first sentences that together have a number of words.

    Parameters
    ----------
    sentences : list of list of (str, str)
        Words and tags.
    words : int
        Fewest words; the last sentence is taken whole.
    name : str or Path
        Where they come from, for the message.

    Returns
    -------
    list of list of (str, str)
        The first sentences.

    Raises
    ------
    InputError
        If there are fewer words: the setting would not be the one that is stated.
    """
    found = 0
    for place, sentence in enumerate(sentences, 1):
        found += len(sentence)
        if found >= words:
            return sentences[:place]
    raise InputError(
        f"{name} has {found} words and {words} are asked for; train on a longer file, or ask for "
        f"{found}."
    )
