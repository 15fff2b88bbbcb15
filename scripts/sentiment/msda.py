"""Marginalised stacked denoising autoencoders (mSDA)."""

import numpy as np
from scipy import linalg, sparse
from tqdm import tqdm

from sentiment.features import most_frequent


def corrupted_moments(scatter, keep):
    r"""Expected moments of inputs that are set to zero at random.

    `scatter` (ndarray, shape (d, d)): :math:`S = X^\top X` of the inputs. `keep` (ndarray, shape
    (d,)): probability q that an input is kept.

    Returns P, Q : ndarray, shape (d, d). :math:`E[x \tilde x^\top]` and
    :math:`E[\tilde x \tilde x^\top]`, summed over the texts: :math:`P_{ij} = S_{ij} q_j`,
    :math:`Q_{ij} = S_{ij} q_i q_j` for :math:`i \ne j` and :math:`Q_{ii} = S_{ii} q_i` (Chen et al.
    2012).
    """
    P = scatter * keep
    Q = P * keep[:, None]
    np.fill_diagonal(Q, np.diagonal(P))
    return P, Q


def denoiser(X, noise, n_outputs, ridge=1e-5):
    r"""Solve a marginalised denoising autoencoder.

    `X` (csr_array or ndarray, shape (n, d)): inputs; a constant that is never corrupted joins them.
    `noise`: probability p that an input is set to zero. `n_outputs`: the first so many inputs are
    reconstructed. `ridge`: added to the diagonal of :math:`E[Q]`, as in the authors'
    implementation.

    Returns ndarray, shape (d + 1, n_outputs). :math:`W^\top` of :math:`W = E[P] E[Q]^{-1}`; the
    last row belongs to the constant.
    """
    ones = np.ones((X.shape[0], 1), dtype=X.dtype)
    X = sparse.hstack([X, ones], format="csr") if sparse.issparse(X) else np.hstack([X, ones])
    scatter = X.T @ X
    scatter = scatter.toarray() if sparse.issparse(scatter) else scatter
    keep = np.full(len(scatter), 1 - noise, dtype=scatter.dtype)
    keep[-1] = 1
    P, Q = corrupted_moments(scatter, keep)
    Q[np.diag_indices_from(Q)] += np.asarray(ridge, dtype=Q.dtype)
    return linalg.solve(Q, P[:n_outputs].T, assume_a="pos", overwrite_a=True, overwrite_b=True)


def reconstruct(X, weights):
    """Return the hidden representation of a layer.

    `X` (csr_array or ndarray, shape (n, d)): inputs. `weights` (ndarray, shape (d + 1, k)): from
    `denoiser`.

    Returns ndarray, shape (n, k). tanh of the reconstruction.
    """
    hidden = X @ weights[:-1]
    hidden += weights[-1]
    return np.tanh(hidden, out=hidden)


def msda(pair, settings):
    """Represent the labelled reviews of a pair by mSDA.

    `pair` (Pair): texts of both domains. `settings` (Settings): hyperparameters.

    Returns source, target : ndarray of float32. The inputs, the features most frequent among the
    unlabelled texts, and all layers.
    """
    frequent = most_frequent(pair.unlabelled, settings.msda_features)
    unlabelled, *inputs = (
        X[:, frequent] for X in (pair.unlabelled, pair.shared_source, pair.shared_target)
    )
    layers, weights = [[X.toarray()] for X in inputs], None
    for _ in tqdm(range(settings.msda_layers), "mSDA layers", leave=False, disable=None):
        if weights is not None:
            unlabelled = reconstruct(unlabelled, weights)
        n_outputs = min(settings.msda_outputs, unlabelled.shape[1])
        weights = denoiser(unlabelled, settings.msda_noise, n_outputs)
        inputs = [reconstruct(X, weights) for X in inputs]
        for stack, hidden in zip(layers, inputs, strict=True):
            stack.append(hidden)
    return tuple(np.hstack(stack) for stack in layers)
