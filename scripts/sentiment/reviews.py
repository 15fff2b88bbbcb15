"""Reviews of products as they are published, with and without labels."""

import re

import numpy as np
from scipy import sparse
from sklearn.datasets import load_svmlight_file

from replicability import checks

DOMAINS = ("books", "dvd", "electronics", "kitchen")
"""The four product domains of Blitzer, Dredze and Pereira (2007)."""

CLASSES = ("positive", "negative")
"""Files of a domain of labelled reviews, in the order of the items."""

FDU = {domain: f"{domain}.task.unlabel" for domain in DOMAINS} | {
    "kitchen": "kitchen_housewares.task.unlabel"
}
"""Domain -> file of unlabelled reviews of FDU-MTL (Liu, Qiu and Huang, 2017), one a line."""

HATN = ("review_positive", "review_negative")
"""Files of a domain of HATN (Li et al., 2018), one review a line; the labels are not used."""

FEATURES = 5000
"""Features of the svmlight files, numbered from 0."""


def read_reviews(path):
    """Read a file of reviews in the form of Ziser and Reichart.

    `path`: A ``<reviews>`` element of ``<review>`` elements without attributes; the text is not
    escaped as XML asks, and is taken as it is.

    Returns list of str. The texts, blanks at both ends removed.

    Raises `InputError`: if the file is missing, not UTF-8, has no review, one that is empty or does
    not end, or text outside of the reviews.
    """
    content = _read(path)
    texts, opened = [], None
    position = 0
    for tag in re.finditer(r"<(/?)review>", content):
        line = content.count("\n", 0, tag.start()) + 1
        between = content[position : tag.start()].strip()
        if bool(tag[1]) == (opened is None):
            what = "begins before the previous one ends" if opened else "ends but does not begin"
            raise checks.InputError(
                f"{path}, line {opened or line}: a review {what}; fetch the file again, because "
                "every <review> needs its </review>."
            )
        if opened is not None:
            if not between:
                raise checks.InputError(
                    f"{path}, line {line}: review {len(texts) + 1} is empty; fetch the file again."
                )
            texts.append(between)
        elif between not in ("", "<reviews>"):
            raise checks.InputError(
                f"{path}, line {line}: {between[:40]!r} is outside the reviews; pass a file of "
                "<review> elements."
            )
        opened = None if tag[1] else line
        position = tag.end()
    if opened is not None:
        raise checks.InputError(
            f"{path}, line {opened}: the review that begins here does not end; fetch the file "
            "again, because every <review> needs its </review>."
        )
    if not texts or content[position:].strip() != "</reviews>":
        raise checks.InputError(
            f"{path} is not a <reviews> element of <review> elements; pass a positive.parsed or "
            "negative.parsed file."
        )
    return texts


def read_labelled(folder, domain):
    """Read the labelled reviews of a domain.

    `folder`: where ``<domain>/positive.parsed`` and ``<domain>/negative.parsed`` are. `domain`: one
    of `DOMAINS`.

    Returns `items` (list of str): such as ``positive/0017``, file and number in the file, from 1.
    `texts` (list of str): the reviews. `labels` (ndarray of bool, shape (n,)): true for the
    positive ones.

    Raises `InputError`: if there is no such domain, or a file is faulty.
    """
    checks.choice("domain", domain, DOMAINS)
    reviews = {name: read_reviews(folder / domain / f"{name}.parsed") for name in CLASSES}
    instances = [f"{name}/{i:04d}" for name in CLASSES for i in range(1, len(reviews[name]) + 1)]
    labels = np.repeat([True, False], [len(reviews[name]) for name in CLASSES])
    return instances, [text for name in CLASSES for text in reviews[name]], labels


def read_lines(path):
    """Read reviews of which each is a line.

    Returns list of str. The reviews, without empty lines.

    Raises `InputError`: if the file is missing, not UTF-8 or empty.
    """
    texts = [line.strip() for line in _read(path).split("\n") if line.strip()]
    if not texts:
        raise checks.InputError(
            f"{path} is empty, but should have one review per line; fetch it again."
        )
    return texts


def read_unlabelled(folder, domain, n_texts=None):
    """Read the unlabelled reviews of a domain, as `scripts/sentiment_text.py` writes them.

    `folder`: where ``<domain>.txt`` is. `domain`: one of `DOMAINS`. `n_texts`: only the first so
    many, which are a random sample of them.

    Returns list of str. The reviews.

    Raises `InputError`: if there is no such domain, the file is faulty, or it has fewer reviews.
    """
    path = folder / f"{checks.choice('domain', domain, DOMAINS)}.txt"
    texts = read_lines(path)
    if n_texts is not None and n_texts > len(texts):
        raise checks.InputError(
            f"{path} has {len(texts):,} reviews, but {n_texts:,} are requested; request fewer."
        )
    return texts[:n_texts]


def read_features(folder, domain, part):
    """Read labelled reviews as vectors of counts.

    `folder`: where ``<domain>_<part>.svmlight`` is: label 1 or -1, then ``feature:count`` with
    features from 0. `domain`: one of `DOMAINS`. `part` ({"train", "test"}): which file.

    Returns `X` (csr_array of float32, shape (n, 5000)): 1 where a feature occurs, as in Glorot et
    al. (2011). `labels` (ndarray of bool, shape (n,)): true for the positive ones.

    Raises `InputError`: if there is no such domain, or the file is missing or malformed.
    """
    path = folder / f"{checks.choice('domain', domain, DOMAINS)}_{part}.svmlight"
    try:
        X, y = load_svmlight_file(str(path), n_features=FEATURES, zero_based=True)
    except FileNotFoundError:
        raise checks.InputError(f"{path} does not exist; fetch it, or pass its folder.") from None
    except ValueError as error:
        raise checks.InputError(
            f"{path} is not an svmlight file with {FEATURES:,} features ({error}); fetch it again."
        ) from None
    wrong = np.flatnonzero(~np.isin(y, (1, -1)))
    if wrong.size or not y.size:
        found = f", line {wrong[0] + 1}: label {y[wrong[0]]:g}" if wrong.size else ": no line"
        raise checks.InputError(f"{path}{found}; each line must begin with the label 1 or -1.")
    return sparse.csr_array((X > 0).astype(np.float32)), y > 0


def _read(path):
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise checks.InputError(f"{path} does not exist; fetch it, or pass its folder.") from None
    except UnicodeDecodeError as error:
        raise checks.InputError(
            f"{path}, byte {error.start}: the text is not UTF-8; fetch the file again."
        ) from None
