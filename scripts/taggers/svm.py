"""A linear support vector machine that tags each word by its window alone."""

import itertools

from replicability.checks import InputError
from taggers.features import word_features
from taggers.seeds import word32

HASH_BITS = 18
"""Binary logarithm of the number of columns that the features are hashed to."""


def train(sentences, seed, passes=5):
    """Train a linear support vector machine that tags each word by its window alone.

    `sentences` (list of list of (str, str)): words and tags. `seed`: seed of the order of the words
    in each pass. `passes`: passes over the words.

    Returns sklearn.linear_model.SGDClassifier. One against the rest, on hashed features.

    Raises `InputError`: if all words have the same tag: there is nothing to tell apart.

    Notes
    -----
    The design of SVMTool (Giménez and Màrquez 2004) without the features of tags: a word is
    classified for itself. Averaged stochastic gradient descent on the hinge loss.
    """
    from sklearn.linear_model import SGDClassifier  # a second to import

    tagged = [pair for sentence in sentences for pair in sentence]
    if len(found := {tag for _, tag in tagged}) < 2:
        raise InputError(
            f"All {len(tagged)} training words have the tag {found.pop()!r}; train the tagger "
            "'svm' on sentences with at least two tags."
        )
    model = SGDClassifier(
        loss="hinge",
        alpha=1e-6,
        max_iter=passes,
        tol=None,
        average=True,
        random_state=word32(seed),
    )
    words = ([word for word, _ in sentence] for sentence in sentences)
    return model.fit(_hashed(words), [tag for _, tag in tagged])


def tag(model, sentences):
    """Classify each word of each sentence.

    `model` (sklearn.linear_model.SGDClassifier): from `train`. `sentences` (iterable of sequences
    of str): words.

    Returns list of list of str. One tag per word.
    """
    sentences = [list(words) for words in sentences]
    tags = iter(model.predict(_hashed(sentences)).tolist())
    return [list(itertools.islice(tags, len(words))) for words in sentences]


def _hashed(sentences):
    """Return the features of every word as a sparse row."""
    from sklearn.feature_extraction import FeatureHasher

    hasher = FeatureHasher(n_features=2**HASH_BITS, input_type="string", alternate_sign=False)
    return hasher.transform(row for words in sentences for row in word_features(words))
