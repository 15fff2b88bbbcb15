"""All pairs of several systems: p-values on every dataset, and on how many one beats the other."""

import itertools
from dataclasses import dataclass

import numpy as np
import pandas as pd
from tqdm import tqdm

from analysis import checks, evaluation, instances, replicability, significance

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
        the diagonal.
    """

    systems: tuple
    datasets: tuple
    scores: np.ndarray
    pvalues: np.ndarray

    @property
    def n_pairs(self):
        """Number of ordered pairs, the hypotheses of the family."""
        return len(self.systems) * (len(self.systems) - 1)

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
            Lower bounds, one per ordered pair; systems as index and columns.
        """
        counted = replicability.k_hat(self.pvalues, alpha, method)
        return pd.DataFrame(counted, index=self.systems, columns=self.systems)


def compare(family):
    """Compare all pairs of the systems of a family.

    Parameters
    ----------
    family : data.Family
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
        As `instances.read` and the test; a fault of the scores names the dataset.
    """
    evaluation.check_options(family)
    names, keys, scores = instances.read_family(family)
    sizes = keys["size"].to_numpy() if "size" in keys else np.ones(len(keys))
    datasets = list(pd.unique(keys["dataset"]))
    codes = keys["dataset"].to_numpy()
    seeds = np.random.SeedSequence(family.seed).spawn(len(datasets))
    values, pvalues = [], []
    for dataset, seed in zip(tqdm(datasets, disable=None, leave=False), seeds, strict=True):
        chosen = codes == dataset
        part, size = scores[:, chosen], sizes[chosen]
        values.append(part.sum(axis=1) / size.sum())
        try:
            pvalues.append(_tested(family, part, size, seed))
        except checks.InputError as error:
            raise checks.InputError(f"{family.file}, dataset {dataset!r}: {error}") from None
    values = np.stack(values, axis=1) * (100 if family.per_cent else 1)
    order = np.argsort(-values.mean(axis=1), kind="stable")
    pvalues = np.stack(pvalues, axis=-1)[np.ix_(order, order)]
    return Pairs(tuple(names[i] for i in order), tuple(datasets), values[order], pvalues)


def bootstrap_pvalues(scores, sizes, n_resamples=N_RESAMPLES, rng=None):
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

    Returns
    -------
    ndarray, shape (s, s)
        (r + 1)/(B + 1) for the r resamples with :math:`\delta^* \ge 2 \delta`, where
        :math:`\delta` is the ratio of sums of the row's system minus that of the column's.

    Raises
    ------
    InputError
        If a score or a size is not a whole number, there are fewer than 2 instances, or the number
        of resamples is not a whole number above 0.

    Notes
    -----
    Validity as of `significance.paired_bootstrap` (Berg-Kirkpatrick et al. 2012). Scores and sizes
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
    n_resamples = checks.at_least("n_resamples", n_resamples)
    rng = np.random.default_rng(rng)
    rows = np.column_stack([scores.T, sizes]).astype(float)
    observed, weight = scores.sum(axis=1), sizes.sum()
    exceed = np.zeros((count, count), dtype=np.int64)
    step = max(1, CHUNK // n)
    for start in range(0, n_resamples, step):
        sums = _resampled_sums(rows, min(step, n_resamples - start), rng)
        for i, j in itertools.combinations(range(count), 2):
            difference = (sums[i] - sums[j]) * weight
            threshold = 2 * (observed[i] - observed[j]) * sums[-1]
            exceed[i, j] += np.count_nonzero(difference >= threshold)
            exceed[j, i] += np.count_nonzero(difference <= threshold)
    pvalues = (exceed + 1) / (n_resamples + 1)
    np.fill_diagonal(pvalues, 1.0)
    return pvalues


def _resampled_sums(rows, draws, rng):
    """Return the sums of each column over `draws` resamples, shape (columns, draws)."""
    n = len(rows)
    drawn = rng.integers(n, size=(draws, n), dtype=np.uint32)  # uint16 would depend on `draws`
    place = drawn + np.arange(draws)[:, None] * n
    times = np.bincount(place.ravel(), minlength=draws * n).reshape(draws, n)
    return np.ascontiguousarray((times.astype(float) @ rows).T)


def _tested(family, scores, sizes, seed):
    """Return the p-values of all ordered pairs on one dataset, shape (s, s)."""
    if family.test == "paired_bootstrap":
        for option in family.options:
            checks.choice("option", option, ["n_resamples"])
        return bootstrap_pvalues(scores, sizes, **family.options, rng=seed)
    options = evaluation.seeded(family, seed)
    pvalues = np.ones((len(scores), len(scores)))
    if family.test not in evaluation.OF_SUMS:
        scores = scores / sizes
    for i, j in itertools.permutations(range(len(scores)), 2):
        pvalues[i, j] = significance.run(family.test, scores[i], scores[j], **options).pvalue
    return pvalues
