"""Features that are frequent in both domains and tell most about the label."""

import numpy as np

from replicability import checks


def mutual_information(X, labels):
    """Mutual information of the presence of features and a binary label.

    `X` (csr_array, shape (n, d)): binary features. `labels` (ndarray of bool, shape (n,)): the
    labels.

    Returns ndarray of float64, shape (d,). Information in nats.
    """
    n = len(labels)
    present = np.stack([X[labels].sum(axis=0), X[~labels].sum(axis=0)]).astype(float)
    of_label = np.array([[labels.sum()], [n - labels.sum()]], dtype=float)
    information = np.zeros(X.shape[1])
    for joint in (present, of_label - present):
        expected = joint.sum(axis=0) * of_label / n
        ratio = np.divide(joint, expected, out=np.ones_like(joint), where=joint > 0)
        information += (joint / n * np.log(ratio)).sum(axis=0)
    return information


def select_pivots(pair, n_pivots, settings):
    """Choose pivots, frequent in both domains and informative about the source label, and inputs.

    `pair` (Pair): texts of both domains. `n_pivots`: how many, or as many as are frequent enough.
    `settings` (Settings): min_pivot and min_input.

    Returns `pivots` (ndarray of int, shape (m,)): features of the adaptation, the most informative
    first. `inputs` (ndarray of int, shape (k,)): features that are no pivots and frequent enough to
    predict them.

    Raises `InputError`: if no feature is frequent enough.
    """
    counts = [X.sum(axis=0) for X in (pair.unlabelled_source, pair.unlabelled_target)]
    frequent = np.flatnonzero(np.minimum(*counts) >= settings.min_pivot)
    information = mutual_information(pair.shared_source, pair.labels)[frequent]
    pivots = frequent[np.argsort(-information, kind="stable")[:n_pivots]]
    inputs = np.setdiff1d(np.flatnonzero(sum(counts) >= settings.min_input), pivots)
    if not (pivots.size and inputs.size):
        raise checks.InputError(
            f"Only {pivots.size} pivots occur in {settings.min_pivot} unlabelled texts of each "
            f"domain, and {inputs.size} other features in {settings.min_input} texts of both; pass "
            "more unlabelled texts."
        )
    return pivots, inputs
