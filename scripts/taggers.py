"""Part-of-speech taggers that train in seconds or minutes, and their training sentences.

`TAGGERS` is the registry: a name, and how to train and to apply the tagger of that name. None was
tuned on a treebank; `train_svm` and `train_collins` say what is set, and the other taggers have the
settings that their packages ship with.
"""

import ctypes
import functools
import itertools
import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import conll
import numpy as np
import pycrfsuite

from replicability.checks import InputError

AFFIX = 4
"""Longest prefix and suffix, in characters, that is a feature of a word."""

HASH_BITS = 18
"""Binary logarithm of the number of columns that the features of the SVM are hashed to."""


@dataclass(frozen=True)
class Tagger:
    """How to train a tagger and how to apply it.

    Attributes
    ----------
    train : callable
        ``train(sentences, seed)`` returns a model; `sentences` are lists of (word, tag) and `seed`
        is a whole number. Equal arguments give equal models in every process. A tagger that passes
        over the sentences several times takes their number as ``passes``.
    tag : callable
        ``tag(model, sentences)`` returns one list of tags for each list of words.
    """

    train: Callable
    tag: Callable


# --- conditional random field --------------------------------------------------------------------


def train_crf(sentences, seed=0, passes=None):
    """Train a linear-chain conditional random field with CRFsuite.

    Parameters
    ----------
    sentences : list of list of (str, str)
        Words and tags.
    seed : int, default 0
        Seed of the order of the sentences in each pass; of no use without `passes`: the objective
        is convex and nothing is drawn.
    passes : int, optional
        Passes of stochastic gradient descent over the sentences. If it is left out, L-BFGS runs
        until CRFsuite's own test of convergence holds, which takes ten times as long.

    Returns
    -------
    bytes
        The model, as CRFsuite writes it.

    Notes
    -----
    The model is that of Lafferty, McCallum and Pereira (2001). What is maximised is the conditional
    likelihood, less an L2 penalty with CRFsuite's own weight (c2 = 1).
    """
    if passes is None:
        return _crfsuite("lbfgs", {}, sentences, seed)
    return _crfsuite("l2sgd", {"max_iterations": passes}, sentences, seed)


def _crfsuite(algorithm, params, sentences, seed):
    """Train a model of CRFsuite on the features of words."""
    ctypes.CDLL(None).srand(_word32(seed))  # CRFsuite shuffles with the generator of the C library
    trainer = pycrfsuite.Trainer(algorithm=algorithm, params=params, verbose=False)
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


@functools.lru_cache(maxsize=2**17)
def _spelling(word):
    sizes = range(1, min(AFFIX, len(word)) + 1)
    shape = {
        "digit": any(letter.isdigit() for letter in word),
        "upper": any(letter.isupper() for letter in word),
        "hyphen": "-" in word,
        "title": word.istitle(),
        "capitals": word.isupper(),
    }
    return (
        f"word={word}",
        f"lower={word.lower()}",
        *(f"prefix{size}={word[:size]}" for size in sizes),
        *(f"suffix{size}={word[-size:]}" for size in sizes),
        *(name for name, holds in shape.items() if holds),
    )


# --- structured perceptron -----------------------------------------------------------------------


def train_collins(sentences, seed, passes=10):
    """Train the averaged structured perceptron of Collins (2002) with CRFsuite.

    Parameters
    ----------
    sentences : list of list of (str, str)
        Words and tags.
    seed : int
        Seed of the order of the sentences in each pass.
    passes : int, default 10
        Passes over the sentences.

    Returns
    -------
    bytes
        The model, which `tag_crf` applies.

    Notes
    -----
    Each sentence is tagged by the Viterbi algorithm and the weights are averaged over all updates
    (Collins 2002, Sections 2.3 and 2.5).
    """
    return _crfsuite("ap", {"max_iterations": passes}, sentences, seed)


def _word32(seed):
    """Turn a seed into one of 32 bits."""
    return int(np.random.SeedSequence(seed).generate_state(1)[0])


# --- support vector machine ----------------------------------------------------------------------


def train_svm(sentences, seed, passes=5):
    """Train a linear support vector machine that tags each word by its window alone.

    Parameters
    ----------
    sentences : list of list of (str, str)
        Words and tags.
    seed : int
        Seed of the order of the words in each pass.
    passes : int, default 5
        Passes over the words.

    Returns
    -------
    sklearn.linear_model.SGDClassifier
        One against the rest, on hashed features.

    Notes
    -----
    The design of SVMTool (Giménez and Màrquez 2004) without the features of tags: a word is
    classified for itself. Averaged stochastic gradient descent on the hinge loss.
    """
    from sklearn.linear_model import SGDClassifier  # a second to import

    tagged = [pair for sentence in sentences for pair in sentence]
    model = SGDClassifier(
        loss="hinge",
        alpha=1e-6,
        max_iter=passes,
        tol=None,
        average=True,
        random_state=_word32(seed),
    )
    words = ([word for word, _ in sentence] for sentence in sentences)
    return model.fit(_hashed(words), [tag for _, tag in tagged])


def tag_svm(model, sentences):
    """Classify each word of each sentence.

    Parameters
    ----------
    model : sklearn.linear_model.SGDClassifier
        From `train_svm`.
    sentences : iterable of sequences of str
        Words.

    Returns
    -------
    list of list of str
        One tag per word.
    """
    sentences = [list(words) for words in sentences]
    tags = iter(model.predict(_hashed(sentences)).tolist())
    return [list(itertools.islice(tags, len(words))) for words in sentences]


def _hashed(sentences):
    """Return the features of every word as a sparse row."""
    from sklearn.feature_extraction import FeatureHasher

    hasher = FeatureHasher(n_features=2**HASH_BITS, input_type="string", alternate_sign=False)
    return hasher.transform(row for words in sentences for row in word_features(words))


# --- taggers of NLTK -----------------------------------------------------------------------------


def train_perceptron(sentences, seed, passes=5):
    """Train NLTK's greedy averaged perceptron (Collins 2002).

    Parameters
    ----------
    sentences : list of list of (str, str)
        Words and tags.
    seed : int
        Seed of the order of the sentences in all passes but the first.
    passes : int, default 5
        Passes over the sentences.

    Returns
    -------
    nltk.tag.perceptron.PerceptronTagger
        The model.
    """
    from nltk.tag.perceptron import PerceptronTagger  # nltk takes seconds to import

    tagger = PerceptronTagger(load=False)
    state = random.getstate()
    random.seed(_word32(seed))
    try:
        tagger.train(sentences, nr_iter=passes)  # shuffles with the module's own generator
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
    from nltk.tag.tnt import TnT

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
    "collins": Tagger(train_collins, tag_crf),
    "perceptron": Tagger(train_perceptron, tag_nltk),
    "svm": Tagger(train_svm, tag_svm),
    "tnt": Tagger(train_tnt, tag_nltk),
}
"""Name -> `Tagger`."""


# --- sentences -----------------------------------------------------------------------------------


def tagged_sentences(path):
    """Read the words and tags of a file that `conll.read` reads.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    dict of str to list of (str, str)
        Words and tags of the sentences in the order of the file; the keys are `conll.names`.

    Raises
    ------
    InputError
        As `conll.read`.
    """
    found = conll.read(path)
    pairs = (list(zip(s.words, s.tags, strict=True)) for s in found)
    return dict(zip(conll.names(found), pairs, strict=True))


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
