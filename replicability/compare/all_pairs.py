"""All pairs of several systems: p-values on every dataset, and on how many one beats the other."""

import itertools
from dataclasses import dataclass

import numpy as np
import pandas as pd

from replicability import checks
from replicability.compare import evaluation, recommendation
from replicability.io import instances
from replicability.io.progress import watched
from replicability.stats import paired, partial_conjunction

N_RESAMPLES = 100_000
"""Resamples of a dataset where the test is the paired bootstrap; the paper's number."""

CHUNK = 2_000_000
"""Instances drawn at a time."""


@dataclass(frozen=True)
class Pairs:
    """p-values of all ordered pairs of systems.

    Attributes
    ----------
    systems : tuple of str
        The s systems, the one with the best mean score first.
    datasets : tuple of str
        The n datasets.
    scores : ndarray, shape (s, n)
        Score of each system on each dataset.
    pvalues : ndarray, shape (s, s, n)
        One-sided p-values of "the system of the row is not better than that of the column"; 1 on
        the diagonal and where two systems were not compared.
    test : str
        Name of the test.
    against : str
        System that the others were compared with; "" if all pairs were.
    """

    systems: tuple
    datasets: tuple
    scores: np.ndarray
    pvalues: np.ndarray
    test: str = ""
    against: str = ""

    @property
    def n_pairs(self):
        """Number of ordered pairs that were compared, the hypotheses of the family."""
        others = len(self.systems) - 1
        return 2 * others if self.against else (others + 1) * others

    def k_hat(self, alpha, method):
        """Count for every ordered pair the datasets on which the first is better.

        Parameters
        ----------
        alpha : float
            Level of each pair, in (0, 1); divide by `n_pairs` for one that all hold jointly.
        method : str
            Combination method, valid for the dependence of the datasets.

        Returns
        -------
        DataFrame of int, shape (s, s)
            Lower bounds, one per ordered pair, 0 for those that were not compared; systems as index
            and columns.
        """
        counted = partial_conjunction.k_hat(self.pvalues, alpha, method)
        return pd.DataFrame(counted, index=self.systems, columns=self.systems)


def compare(family):
    """Compare all pairs of the systems of a family, or all systems with one.

    Parameters
    ----------
    family : study.Family
        Instances of all systems in one table; without `systems`, all in the table. With the test
        "paired_bootstrap" one set of resamples of a dataset serves all pairs; its only option is
        `n_resamples`.

    Returns
    -------
    Pairs
        p-values of each ordered pair on each dataset.

    Raises
    ------
    InputError
        As `instances.read_family` and the test, if there are fewer than three systems, or the one
        that the others are compared with is not among them; a fault of the scores names the
        dataset.
    """
    evaluation.check_options(family)
    evaluation.refuse_lower(family)
    names, datasets = instances.read_family(family)
    if len(names) < 3:
        raise checks.InputError(
            f"{family.file}: the family {family.name!r} has {len(names)} systems "
            f"({', '.join(names)}), but three or more; declare a comparison for two."
        )
    sides = [(part.name, part.scores) for part in datasets]
    evaluation.refuse_scales(family, names, sides, datasets[0].size is not None)
    against = None
    if family.against:
        against = names.index(checks.choice(f"{family.file}: against", family.against, names))
    test = family.test or _recommended(datasets)
    values, pvalues = [], []
    for part in watched(datasets, family.title):
        size = np.ones(part.scores.shape[1]) if part.size is None else part.size
        values.append(part.scores.sum(axis=1) / size.sum())
        with evaluation.placed(family, part.name):
            pvalues.append(_tested(family, test, part.name, part.scores, size, against))
    values = np.stack(values, axis=1) * (100 if family.per_cent else 1)
    order = np.argsort(-values.mean(axis=1), kind="stable")
    return Pairs(
        tuple(names[i] for i in order),
        tuple(part.name for part in datasets),
        values[order],
        np.stack(pvalues, axis=-1)[np.ix_(order, order)],
        test,
        family.against,
    )


def _recommended(datasets):
    """Name the test for the scores of all systems.

    Means over runs of whole numbers are tested by sign flips: the bootstrap of all pairs at once
    takes the whole numbers themselves.
    """
    if any(part.counted for part in datasets):
        return "sign_flip"
    kinds = {
        "counts"
        if part.size is not None
        else recommendation.kind_of(part.scores.ravel(), part.scores.ravel())
        for part in datasets
    }
    return evaluation.recommended(kinds, sizes=(part.scores.shape[1] for part in datasets)).test


def bootstrap_pvalues(scores, sizes, n_resamples=N_RESAMPLES, rng=None, against=None):
    r"""Test all pairs of systems by the paired bootstrap, on the same resamples.

    Parameters
    ----------
    scores : array_like of int, shape (s, n)
        Numerators of s systems on n instances, such as words with the right head.
    sizes : array_like of int, shape (n,)
        Denominators, such as words.
    n_resamples : int
        Number of resamples B, each of n instances.
    rng : optional
        What `numpy.random.default_rng` takes.
    against : int, optional
        Row of the only system that the others are compared with; default all pairs.

    Returns
    -------
    ndarray, shape (s, s)
        (r + 1)/(B + 1) for the r resamples with :math:`\delta^* \ge 2 \delta`, where
        :math:`\delta` is the ratio of sums of the row's system minus that of the column's; 1 for
        a pair that is not compared.

    Raises
    ------
    InputError
        If a score or a size is not a whole number, there are fewer than 2 instances, or the number
        of resamples is not a whole number above 0.

    Notes
    -----
    Validity as of `paired.paired_bootstrap` (Berg-Kirkpatrick et al. 2012). Scores and sizes
    are whole numbers, so that all sums and the comparison are exact, whatever the processor.

    Examples
    --------
    >>> bootstrap_pvalues([[3, 1, 2], [3, 1, 2]], [3, 3, 3], n_resamples=99, rng=0)
    array([[1., 1.],
           [1., 1.]])
    """
    scores, sizes = np.asarray(scores), np.asarray(sizes)
    for name, values in (("score", scores), ("size", sizes)):
        if not (values == np.rint(values)).all():
            raise checks.InputError(
                f"All pairs are resampled together on whole numbers, but a {name} is "
                f"{values[values != np.rint(values)][0]:g}; choose another test."
            )
    count, n = scores.shape
    if n < 2:
        raise checks.InputError(
            f"The bootstrap needs at least 2 instances, but there is {n}; leave this dataset out."
        )
    n_resamples = checks.resamples(n_resamples)
    rng = np.random.default_rng(rng)
    rows = np.column_stack([scores.T, sizes]).astype(float)
    observed, weight = scores.sum(axis=1), sizes.sum()
    chosen = _chosen(count, against)
    exceed = np.full((count, count), n_resamples)
    for i, j in chosen:
        exceed[i, j] = exceed[j, i] = 0
    step = max(1, CHUNK // n)
    for start in range(0, n_resamples, step):
        sums = _resampled_sums(rows, min(step, n_resamples - start), rng)
        for i, j in chosen:
            difference = (sums[i] - sums[j]) * weight
            threshold = 2 * (observed[i] - observed[j]) * sums[-1]
            exceed[i, j] += np.count_nonzero(difference >= threshold)
            exceed[j, i] += np.count_nonzero(difference <= threshold)
    pvalues = (exceed + 1) / (n_resamples + 1)
    np.fill_diagonal(pvalues, 1.0)
    return pvalues


def _chosen(count, against):
    """Return the pairs to compare, each once."""
    pairs = itertools.combinations(range(count), 2)
    return [pair for pair in pairs if against is None or against in pair]


def _resampled_sums(rows, draws, rng):
    """Return the sums of each column over `draws` resamples, shape (columns, draws)."""
    n = len(rows)
    drawn = rng.integers(n, size=(draws, n), dtype=np.uint32)  # uint16 would depend on `draws`
    place = drawn + np.arange(draws)[:, None] * n
    times = np.bincount(place.ravel(), minlength=draws * n).reshape(draws, n)
    return np.ascontiguousarray((times.astype(float) @ rows).T)


def _tested(family, test, dataset, scores, sizes, against):
    """Return the p-values of the ordered pairs on one dataset, shape (s, s)."""
    if test == "paired_bootstrap":
        for option in family.options:
            checks.choice("option", option, ["n_resamples"])
        seed = evaluation.seed_of(family, dataset)
        return bootstrap_pvalues(scores, sizes, **family.options, rng=seed, against=against)
    options = evaluation.seeded(family, test, dataset)
    pvalues = np.ones((len(scores), len(scores)))
    if paired.TESTS[test].takes != "sums":
        scores = scores / sizes
    for pair in _chosen(len(scores), against):
        for i, j in (pair, pair[::-1]):
            pvalues[i, j] = paired.run(test, scores[i], scores[j], **options).pvalue
    return pvalues
