"""Closed testing by all intersections, which every local test is compared with."""

import itertools

import numpy as np

from replicability.stats.closed_testing import bound, curve, names


def by_enumeration(p, rejects, alpha):
    """d(S) as a function of S; ``rejects(p, alpha)`` states the local test from its definition."""
    p = np.asarray(p)
    left = [
        set(chosen)
        for size in range(1, len(p) + 1)
        for chosen in itertools.combinations(range(len(p)), size)
        if not rejects(p[list(chosen)], alpha)
    ]
    return lambda chosen: len(chosen) - max((len(j & set(chosen)) for j in left), default=0)


def agrees(p, method, alpha, rejects, **options):
    """Compare the bound of every set, the curve and the names with all intersections."""
    n, d = len(p), by_enumeration(p, rejects, alpha)
    for size in range(1, n + 1):
        for chosen in itertools.combinations(range(n), size):
            assert bound(p, list(chosen), alpha, method, **options) == d(chosen)
    order = np.argsort(p, kind="stable")
    expected = [d(order[:j].tolist()) for j in range(1, n + 1)]
    assert curve(p, alpha, method, **options).tolist() == expected
    assert names(p, alpha, method, **options).tolist() == [d([i]) == 1 for i in range(n)]


def families(rng, n, size):
    """Families with some, none or many alternatives, and some where B is ahead."""
    p = rng.uniform(size=(size, n)) ** rng.choice([1, 2, 4, 9], size=(size, 1))
    turned = rng.uniform(size=(size, n)) < rng.choice([0, 0.3], size=(size, 1))
    return np.where(turned, 1 - p / 100, p)
