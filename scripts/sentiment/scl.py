"""Structural correspondence learning (SCL)."""

import numpy as np
from scipy import linalg
from sklearn.linear_model import SGDClassifier
from tqdm import tqdm

from sentiment.features import appended
from sentiment.pivots import select_pivots


def scl_projection(X, pivots, n_dimensions, epochs, seed):
    """Learn the projection of structural correspondence learning.

    `X` (csr_array, shape (n, d)): features that are no pivots, of the unlabelled texts. `pivots`
    (ndarray of bool, shape (n, m)): pivots of the same texts; one that occurs in all or in none is
    left out. `n_dimensions`: most columns of the projection. `epochs`: passes over the texts for
    each predictor. `seed`: of the orders in which texts are visited.

    Returns ndarray of float64, shape (d, k). Orthonormal columns: leading left singular vectors of
    the weights of the linear pivot predictors (Blitzer et al. 2006, Figure 2), of the sign that
    makes the largest entry positive.
    """
    vary = pivots.any(axis=0) & ~pivots.all(axis=0)
    predictor = SGDClassifier(
        loss="modified_huber", max_iter=epochs, tol=None, average=True, random_state=seed
    )
    weights = [
        predictor.fit(X, pivot).coef_[0]
        for pivot in tqdm(pivots[:, vary].T, "pivot predictors", leave=False, disable=None)
    ]
    left, _, _ = linalg.svd(np.transpose(weights), full_matrices=False)
    theta = left[:, :n_dimensions]
    largest = np.abs(theta).argmax(axis=0)
    return theta * np.sign(theta[largest, np.arange(theta.shape[1])])


def scl(pair, settings, seed):
    """Represent the labelled reviews of a pair by SCL.

    `pair` (Pair): texts of both domains. `settings` (Settings): hyperparameters. `seed`: of the
    pivot predictors.

    Returns source, target : csr_array. Features of LR with the projected features appended, these
    of mean 0 and variance 1 on the unlabelled texts.
    """
    pivots, inputs = select_pivots(pair, settings.scl_pivots, settings)
    X, present = pair.unlabelled[:, inputs], pair.unlabelled[:, pivots].toarray() > 0
    theta = scl_projection(X, present, settings.scl_dimensions, settings.scl_epochs, seed)
    projected = X @ theta
    mean, scale = projected.mean(axis=0), projected.std(axis=0)
    return appended(pair, lambda shared: (shared[:, inputs] @ theta - mean) / scale)
