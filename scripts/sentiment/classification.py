"""Logistic regression, which labels the target for every system."""

import numpy as np
from scipy import linalg, sparse
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from sentiment.ae_scl_sr import ae_scl_sr
from sentiment.msda import msda
from sentiment.scl import scl


def classify(source, labels, target, settings):
    """Train logistic regression on the source and label the target.

    `source`, `target` (csr_array or ndarray, shapes (n, d) and (n_target, d)): features. `labels`
    (ndarray of bool, shape (n,)): labels of the source. `settings` (Settings): C and folds: the
    strength of the penalty has the best accuracy in cross-validation on the source, the strongest
    of equally good ones.

    Returns ndarray of bool, shape (n_target,). Labels of the target.
    """
    X, back = (source, None) if sparse.issparse(source) else _rotate(source)
    model = LogisticRegression(max_iter=1000)
    accuracies = [
        cross_val_score(model.set_params(C=C), X, labels, cv=settings.folds).mean()
        for C in settings.C
    ]
    model.set_params(C=settings.C[int(np.argmax(accuracies))]).fit(X, labels)
    coefficients = model.coef_[0] if back is None else back(model.coef_[0])
    return target @ coefficients + model.intercept_ > 0


def _rotate(X):
    """Return n coordinates of n texts with the same inner products, and the way back.

    A penalty on the norm leaves the coefficients in the span of the texts, so that a regression on
    the coordinates is the one on all d features.
    """
    values, vectors = linalg.eigh((X @ X.T).astype(float))
    kept = values > values[-1] * np.finfo(X.dtype).eps
    vectors, scale = vectors[:, kept], np.sqrt(values[kept])
    return vectors * scale, lambda beta: X.T @ (vectors @ (beta / scale))


SYSTEMS = ("LR", "SCL", "mSDA", "AE-SCL-SR")
"""All systems; the last needs names of features."""


def seeds_of(seed):
    """Return the seeds of SCL and of AE-SCL-SR, children of one; the others draw nothing."""
    return [int(state) for state in np.random.SeedSequence(seed).generate_state(2) >> 1]


def predict(pair, settings, seed, systems=SYSTEMS):
    """Label the target reviews of a pair by several systems.

    `pair` (Pair): texts of both domains. `settings` (Settings): hyperparameters. `seed`: every
    system derives its own from it. `systems` (sequence of str): some of `SYSTEMS`; one that the
    pair has no names for is left out.

    Yields `system` (str): one of `systems`, in the order of `SYSTEMS`. `labels` (ndarray of bool,
    shape (n_target,)): labels of the target.
    """
    of_scl, of_ae = seeds_of(seed)
    represent = {
        "LR": lambda: (pair.source, pair.target),
        "SCL": lambda: scl(pair, settings, of_scl),
        "mSDA": lambda: msda(pair, settings),
        "AE-SCL-SR": lambda: ae_scl_sr(pair, settings, of_ae),
    }
    for system in SYSTEMS:
        if system in systems and (system != "AE-SCL-SR" or pair.names is not None):
            source, target = represent[system]()
            yield system, classify(source, pair.labels, target, settings)
