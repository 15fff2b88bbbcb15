"""Part-of-speech taggers that train in seconds or minutes, and their training sentences.

`TAGGERS` is the registry: a name, and how to train and to apply the tagger of that name. None was
tuned on a treebank; The functions that train say what is set; the rest are the settings that the
packages ship with.
"""

from collections.abc import Callable
from dataclasses import dataclass

import conll

from replicability.checks import InputError
from taggers import convolutional, crfsuite, nltk_models, svm


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


TAGGERS = {
    "crf": Tagger(crfsuite.train_crf, crfsuite.tag),
    "collins": Tagger(crfsuite.train_collins, crfsuite.tag),
    "perceptron": Tagger(nltk_models.train_perceptron, nltk_models.tag),
    "svm": Tagger(svm.train, svm.tag),
    "tnt": Tagger(nltk_models.train_tnt, nltk_models.tag),
    "spacy": Tagger(convolutional.train, convolutional.tag),
    "spacy-small": Tagger(convolutional.train_small, convolutional.tag),
}
"""Name -> `Tagger`."""


def tagged_sentences(path):
    """Read the words and tags of a file that `conll.read` reads.

    Returns dict of str to list of (str, str). Words and tags of the sentences in the order of the
    file; the keys are `conll.names`.

    Raises `InputError`: as `conll.read`.
    """
    found = conll.read(path)
    pairs = (list(zip(s.words, s.tags, strict=True)) for s in found)
    return dict(zip(conll.names(found), pairs, strict=True))


def first_words(sentences, words, name):
    """Return the first sentences that together have a number of words.

    `sentences` (list of list of (str, str)): words and tags. `words`: fewest words; the last
    sentence is taken whole. `name`: where they come from, for the message.

    Returns list of list of (str, str). The first sentences.

    Raises `InputError`: if there are fewer words: the setting would not be the one that is stated.
    """
    found = 0
    for place, sentence in enumerate(sentences, 1):
        found += len(sentence)
        if found >= words:
            return sentences[:place]
    raise InputError(
        f"{name} has only {found} words, but {words} are requested; train on a longer file, or "
        f"request {found}."
    )
