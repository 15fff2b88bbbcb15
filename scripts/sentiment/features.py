"""From the texts of two domains to the features that every system sees."""

import html
import re
from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

WORD = r"\b\w+\b"
"""A word of a review, after lower-casing."""


@dataclass(frozen=True)
class Pair:
    """Texts of a source and a target domain as binary features.

    Attributes
    ----------
    labels : ndarray of bool, shape (n_source,)
        True for a positive review of the source.
    source, target : csr_array
        Features of LR: source reviews that train, target reviews that test.
    shared_source, shared_target : csr_array
        The same reviews in the features of the adaptation.
    unlabelled_source, unlabelled_target : csr_array
        Texts without labels in the features of the adaptation; no test review is among them. The
        source reviews that train come first, in the reviews setting.
    names : list of str or None
        Names of the features of the adaptation, words parted by blanks.
    texts : list of list of str or None
        Words of the unlabelled texts, from which embeddings are learnt.
    """

    labels: np.ndarray
    source: sparse.csr_array
    target: sparse.csr_array
    shared_source: sparse.csr_array
    shared_target: sparse.csr_array
    unlabelled_source: sparse.csr_array
    unlabelled_target: sparse.csr_array
    names: list | None = None
    texts: list | None = None

    @property
    def unlabelled(self):
        """csr_array: Unlabelled texts of both domains, the source first."""
        return sparse.vstack([self.unlabelled_source, self.unlabelled_target], format="csr")


def shingles(text, size=5):
    """Return the sequences of words of a text.

    `text`: the text; entities are resolved, case and all but Latin letters and digits are ignored.
    `size`: words in a sequence.

    Returns set of tuple of str. The sequences; a shorter text is one sequence.
    """
    words = re.findall(r"[a-z0-9]+", html.unescape(text).lower())
    return {tuple(words[i : i + size]) for i in range(max(1, len(words) - size + 1))}


class Shelf:
    """Texts among which others are looked up, but for tokenisation, a title or a cut.

    `texts` (iterable of str): the texts to begin with. `share`: least share of the shingles of the
    shorter of two texts that both have.
    """

    def __init__(self, texts=(), share=0.5):
        self.share = share
        self._where, self._sizes = defaultdict(list), []
        for text in texts:
            self.add(text)

    def add(self, text):
        """Put a text among the others."""
        found = shingles(text)
        for shingle in found:
            self._where[shingle].append(len(self._sizes))
        self._sizes.append(len(found))

    def has(self, text):
        """Tell whether a text is there."""
        found = shingles(text)
        common = Counter(number for each in found for number in self._where.get(each, ()))
        return any(
            n >= self.share * min(len(found), self._sizes[number]) for number, n in common.items()
        )


def distinct(texts):
    """Leave out texts that are also, but for tokenisation, a title or a cut, earlier ones.

    `texts` (iterable of str): the texts.

    Returns list of str. The first of each, in their order.
    """
    shelf, found = Shelf(), []
    for text in texts:
        if not shelf.has(text):
            shelf.add(text)
            found.append(text)
    return found


def reviews_pair(source, labels, target, unlabelled_source, unlabelled_target, settings):
    """Make the features of the reviews setting: words and pairs of adjacent words.

    `source`, `target` (list of str): labelled reviews: of the source, to train; of the target, to
    test. `labels` (ndarray of bool, shape (len(source),)): true for the positive reviews of the
    source. `unlabelled_source`, `unlabelled_target` (list of str): unlabelled reviews; no target
    review may be among them. `settings` (Settings): the thresholds of frequency.

    Returns Pair. The features.
    """
    corpus = source + unlabelled_source + unlabelled_target
    n_source = len(source) + len(unlabelled_source)
    own = _vectorizer(settings.min_texts).fit(source)
    shared = _vectorizer(min_df=1)
    X = sparse.csr_array(shared.fit_transform(corpus))
    frequent = np.sort(most_frequent(X, settings.shared_features))
    X = X[:, frequent]
    words = re.compile(WORD)
    return Pair(
        labels=labels,
        source=_transform(own, source),
        target=_transform(own, target),
        shared_source=X[: len(source)],
        shared_target=_transform(shared, target)[:, frequent],
        unlabelled_source=X[:n_source],
        unlabelled_target=X[n_source:],
        names=list(shared.get_feature_names_out()[frequent]),
        texts=[words.findall(text.lower()) for text in corpus],
    )


def most_frequent(X, n_features):
    """Return the features that most texts have.

    `X` (csr_array, shape (n, d)): binary features. `n_features`: most features to return.

    Returns ndarray of int. Features that occur, the most frequent first, the first of equally
    frequent ones first.
    """
    counts = X.sum(axis=0)
    return np.argsort(-counts, kind="stable")[: min(n_features, np.count_nonzero(counts))]


def _vectorizer(min_df):
    return CountVectorizer(
        ngram_range=(1, 2), token_pattern=WORD, min_df=min_df, binary=True, dtype=np.float32
    )


def _transform(vectorizer, texts):
    return sparse.csr_array(vectorizer.transform(texts))


def appended(pair, represent):
    """Append a representation of the shared features to the features of LR."""
    return tuple(
        sparse.hstack([own, sparse.csr_array(represent(shared))], format="csr")
        for own, shared in (
            (pair.source, pair.shared_source),
            (pair.target, pair.shared_target),
        )
    )
