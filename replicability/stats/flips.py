"""Joint sign flips of units: the null distribution of all datasets together.

What they are for, and what they assume, is said in `replicability.stats.joint`.
"""

import functools
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse, special

from replicability import checks
from replicability.stats import arguments
from replicability.stats.branch_and_bound import TIE

CHUNK_FLIPS = 128
"""Number of flips drawn at a time; each chunk has its own child of the seed."""

CHUNK_GAINS = 2**15
"""Number of gains computed at a time, so that they stay in the cache."""

SPARSE = 16
"""A product is sparse if fewer than one in this many cells is not zero."""

TINY = np.nextafter(0, 1)
"""Smallest p-value whose logarithm is taken."""

LOWEST, CELL, CELLS = -8, 1 / 128, 4_096
"""Smallest statistic of `AT_LEAST` and `AT_MOST`, distance between two, and their number."""

AT_LEAST, AT_MOST = (
    -special.log_ndtr(-LOWEST - CELL * np.arange(shift, CELLS + shift)).astype(np.float32)
    for shift in (-1, 2)
)
"""Bounds of the evidence of statistics in each cell, 0 below the first and infinite in the last."""
AT_LEAST[0], AT_MOST[-1] = 0, np.inf

FEW = 512
"""Number of flips that tell how large gains are about."""

N_FLIPS = 10_000
"""Default number of flips, including the identity."""


@dataclass(frozen=True)
class Flips:
    """Statistics of all datasets under joint sign flips.

    Attributes
    ----------
    z : ndarray of float64 or float32, shape (n_flips, n)
        Statistic of each flip and dataset; the first row is what was observed.
    shared : ndarray of int64, shape (n, n)
        Numbers of units that two datasets share; on the diagonal those of one dataset.
    """

    z: np.ndarray
    shared: np.ndarray

    recalibrated = True
    """Whether two statistics of a set have the same flips and can be ranked together."""

    @property
    def pvalues(self):
        """One-sided p-value of each dataset by its own flips, shape (n,): (r + 1)/(B + 1)."""
        return (self.z >= self.z[0] - TIE).mean(axis=0)

    @property
    def correlations(self):
        """Correlations of the statistics under the flips, shape (n, n); NaN without differences."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.corrcoef(self.z[1:], rowvar=False)

    @property
    def between(self):
        """Correlations of the pairs of datasets that share units, one after the other."""
        upper = np.triu_indices(len(self.shared), 1)
        return self.correlations[upper][self.shared[upper] > 0]

    def gains_of(self, places):
        """Return the evidence of each flip less that observed, of some datasets.

        Parameters
        ----------
        places : ndarray of int, shape (m,)
            The datasets.

        Returns
        -------
        ndarray of float64, shape (m, n_flips)
        """
        places = np.arange(self.z.shape[1])[places]
        gains, step = np.empty((len(places), len(self.z))), max(1, CHUNK_GAINS // len(self.z))
        for start in range(0, len(places), step):
            rows = gains[start : start + step]
            np.negative(self.z.T[places[start : start + step]], out=rows, dtype=float)
            special.ndtr(rows, out=rows)
            np.maximum(rows, TINY, out=rows)  # log(ndtr) takes half the time of log_ndtr
            np.log(rows, out=rows)
            np.subtract(rows[:, :1].copy(), rows, out=rows)
        return gains

    def reaching(self, inside, k):
        r"""Keep the flips that can count against sets with at least k datasets of a group.

        Parameters
        ----------
        inside : ndarray of bool, shape (n,)
            The group.
        k : int
            1 to the size of the group.

        Returns
        -------
        Flips
            What was observed, and all flips that reach the sum or the maximum of such a set, with
            others that may not.

        Notes
        -----
        The sum of a set is at most that of all positive gains and of the k largest gains of the
        group, as far as they are negative. For any t the latter is at most k t and what gains of
        the group are above t. Gains are bounded by a table of :math:`-\ln(1 - \Phi(z))`.
        """
        few = np.array([rough_gains(z[:FEW], AT_MOST) for z in self.z.T[inside]])
        t = min(float(np.median(np.partition(few, -k, axis=0)[-k])), 0)
        largest, sums = self.z[:, 0].copy(), np.full(len(self.z), k * t, np.float32)
        for z, own in zip(self.z.T, inside, strict=True):
            np.maximum(largest, z, out=largest)
            gains = rough_gains(z, AT_MOST)
            sums += np.maximum(gains, 0)
            if own:
                sums += np.maximum(np.minimum(gains, 0, out=gains) - t, 0)
        reached = largest >= np.sort(self.z[0, inside])[k - 1] - CELL
        reached |= sums >= -CELL * len(inside)
        if 4 * np.count_nonzero(reached) > 3 * len(reached):
            return self  # a copy would take more memory than it saves
        return Flips(np.compress(reached, self.z.T, axis=1).T, self.shared)

    @functools.cached_property
    def order(self):
        """Datasets with the least evidence first: sets of such are rejected last."""
        return np.argsort(self.z[0], kind="stable")


@dataclass(frozen=True)
class Both(Flips):
    r"""Statistics of a claim that needs two on each dataset: within a margin on either side.

    Its z is that of the weaker side as observed, and of the stronger side in every other flip.

    Attributes
    ----------
    first, second : Flips
        Of each side, by the same flips.

    Notes
    -----
    Where the claim is false on all datasets of J, on each of them one side is, and it is not known
    which. For every choice of sides the flips of the chosen ones are valid; J is rejected only if
    it is for every choice. With :math:`D^s_{bj} = L^s_{bj} - L^s_{0j}`, sums of
    :math:`\max_s D^s_{bj}` are at least those of any choice; and so are maxima of this z beside
    the observed one. Ranks that are counted by them are too large, never too small.
    """

    first: Flips
    second: Flips

    recalibrated = False

    @property
    def correlations(self):
        """Correlations of the statistics of the first side under the flips, shape (n, n)."""
        return self.first.correlations

    def gains_of(self, places):
        """Return the larger gain of the two sides, as in `Flips`."""
        return np.maximum(self.first.gains_of(places), self.second.gains_of(places))


def rough_gains(z, bounds):
    """Return bounds of the gains of each flip of a dataset, from a table.

    Parameters
    ----------
    z : ndarray of float32, shape (n_flips,)
        Statistic of each flip, the observed one first.
    bounds : ndarray of float32
        `AT_LEAST` or `AT_MOST`.

    Returns
    -------
    ndarray of float32, shape (n_flips,)
        At most, or at least, what `Flips.gains_of` returns.
    """
    cells = z * np.float32(1 / CELL)
    cells -= LOWEST / CELL
    np.clip(cells, 0, len(bounds) - 1, out=cells)
    return bounds.take(cells.astype(np.intp)) + np.float32(special.log_ndtr(-float(z[0])))


def both(first, second):
    """Join the flips of the two sides of a claim, for "A and B differ by less than a margin".

    Parameters
    ----------
    first, second : Flips
        Of "A is not worse by the margin" and of "A is not better by the margin", by the same flips:
        the same units, seed and number.

    Returns
    -------
    Both
        Flips from which the claim of both sides is bounded.

    Raises
    ------
    InputError
        If they have different shapes.

    Examples
    --------
    >>> d = np.array([[0.1, 0.3], [-0.1, 0.2], [0.1, -0.1], [-0.1, 0.4], [0.0, 0.3], [0.1, 0.2]])
    >>> found = both(flip(d + 0.2, 500), flip(0.2 - d, 500))
    >>> found.pvalues.round(1).tolist()
    [0.0, 0.9]
    """
    if first.z.shape != second.z.shape:
        raise checks.InputError(
            f"The sign flips of the two directions have the shapes {first.z.shape} and "
            f"{second.z.shape}; use the same datasets and the same number of flips for both "
            "directions."
        )
    z = np.maximum(first.z, second.z)
    z[0] = np.minimum(first.z[0], second.z[0])
    return Both(z, first.shared, first, second)


@dataclass(frozen=True, eq=False)
class Several:
    """Joint sign flips of the scores of several systems, from which those of each pair follow.

    Attributes
    ----------
    scores : tuple of sparse matrix, shape (u, n) each
        Scores of each unit on each dataset, of the s systems.
    scale : ndarray of float64, shape (s, s, n)
        Root of the sum of the squared differences of each pair.
    shared : ndarray of int64, shape (n, n)
        As in `Flips`.
    n_flips : int
        Flips, the identity among them.
    seed : SeedSequence
        Seed of the flips.
    """

    scores: tuple
    scale: np.ndarray
    shared: np.ndarray
    n_flips: int
    seed: np.random.SeedSequence

    @functools.cached_property
    def sums(self):
        """Sums of the scores with the signs of each flip, shape (s, n_flips, n), made once."""
        return _flipped(self.scores, self.n_flips, self.seed)

    def ordered(self, order):
        """Put the systems in another order.

        Parameters
        ----------
        order : sequence of int
            The place of each system.

        Returns
        -------
        Several
        """
        scores = tuple(self.scores[i] for i in order)
        return replace(self, scores=scores, scale=self.scale[np.ix_(order, order)])

    def drawn(self, n_flips):
        """Draw more of the same flips, for statements about all pairs at once.

        Parameters
        ----------
        n_flips : int
            Flips; those of `sums` are the first of them.

        Returns
        -------
        ndarray of float32, shape (s, n, n_flips)
            Sums of the scores less those of one system. They differ between two systems as `sums`
            do, exactly so where scores are whole numbers.
        """
        centred = sparse.hstack([part - self.scores[0] for part in self.scores], format="csr")
        units, cells = centred.shape
        sums = np.empty((cells, n_flips), np.float32)
        dense = centred.nnz * SPARSE > units * cells
        given = centred.T.tocsr().astype(np.float32)
        given = given.toarray() if dense else given
        total = np.asarray(centred.sum(axis=0), np.float32).reshape(-1, 1)
        for start, signs in _signs(units, n_flips, self.seed):
            found = given @ signs.T.astype(np.float32)
            found *= 2
            np.subtract(found, total, out=sums[:, start : start + len(signs)])
        return sums.reshape(len(self.scores), -1, n_flips)

    def of(self, i, j):
        """Return the `Flips` of "system i is better than system j"."""
        z, scale = self.sums[i] - self.sums[j], self.scale[i, j]
        np.divide(z, scale, out=z, where=scale > 0)
        return Flips(z, self.shared)


def by_unit(a, b, datasets, units):
    """Arrange the differences of scores by unit and dataset, as `flip` takes them.

    Parameters
    ----------
    a, b : array_like, shape (m,)
        Scores of A and B of each item; finite.
    datasets, units : array_like, shape (m,)
        The dataset of each item, and the unit that it is drawn with: the same value in two
        datasets is the same unit. Several items of a unit in a dataset are added up.

    Returns
    -------
    matrix : scipy.sparse.csr_array, shape (u, n)
        A row for each unit and a column for each dataset, both in ascending order.
    names : ndarray, shape (n,)
        The datasets.

    Raises
    ------
    InputError
        If a score is not finite or the lengths differ.

    Notes
    -----
    The order of the items has no part in the matrix, to the last bit.

    Examples
    --------
    >>> matrix, names = by_unit([1, 1, 0], [0, 1, 1], ["b", "a", "b"], ["x", "x", "y"])
    >>> matrix.toarray().tolist(), names.tolist()
    ([[0.0, 1.0], [0.0, -1.0]], ['a', 'b'])
    """
    scores, others = arguments.numbers("a", a), arguments.numbers("b", b)
    shapes = [np.shape(given) for given in (scores, others, datasets, units)]
    if set(shapes) != {(scores.size,)}:
        listed = checks.listed([str(shape) for shape in shapes])
        raise checks.InputError(
            f"a, b, datasets and units have the shapes {listed}; for each item, pass a score of A, "
            "a score of B, a dataset and a unit."
        )
    values = scores - others
    names, columns = np.unique(np.asarray(datasets), return_inverse=True)
    found, rows = np.unique(np.asarray(units), return_inverse=True)
    order = np.lexsort((values, columns, rows))
    cells = (rows[order], columns[order])
    return sparse.csr_array((values[order], cells), shape=(len(found), len(names))), names


def flip(differences, n_flips=N_FLIPS, *, rng=0):
    r"""Flip the signs of units, in all datasets together.

    Parameters
    ----------
    differences : array_like or sparse matrix, shape (u, n)
        Score of A minus score of B of each unit on each dataset; of a unit that is larger than an
        item the sum over its items. NaN, or nothing in a sparse matrix, where a dataset
        lacks the unit. At least two units.
    n_flips : int, default 10,000
        Flips, the identity among them; at least 20.
    rng : int or SeedSequence, default 0
        Seed.

    Returns
    -------
    Flips
        Statistics, observed and flipped.

    Raises
    ------
    InputError
        If a difference is infinite, there are fewer than two units, or an argument is not as
        described.

    Notes
    -----
    Valid if units are independent and, where A is not better, the differences of a unit over these
    datasets are jointly symmetric around zero: so it is if the outputs of A and B are exchangeable,
    unit by unit. Asymptotically a mean of zero is enough (Hemerik and Goeman 2018). A unit has its
    sign by its row: give units in an order that does not depend on the scores, such as that of
    their identifiers (`by_unit`). The order of the datasets has no part in any sign.

    Examples
    --------
    >>> flip([[1, 0], [1, 1], [1, 1], [1, 1], [1, 0]], 2000).pvalues.round(1).tolist()
    [0.0, 0.1]
    """
    matrix, shared = _checked(differences)
    flips = checks.at_least("n_flips", n_flips, 20)
    (z,) = _flipped([matrix], flips, rng)
    np.divide(z, _scale(matrix), out=z, where=_scale(matrix) > 0)
    return Flips(z, shared)


def flip_several(scores, n_flips=N_FLIPS, *, rng=0):
    """Flip the signs of units for all pairs of several systems, with the same flips for each.

    Parameters
    ----------
    scores : sequence of sparse matrix, shape (u, n) each
        For each of s systems the score of each unit on each dataset; all have the same cells.
    n_flips, rng
        As for `flip`.

    Returns
    -------
    Several
        The flips of a pair are those that `flip` gives for its differences, to the last bit where
        scores are whole numbers.

    Raises
    ------
    InputError
        As `flip`.

    Notes
    -----
    Validity is that of `flip`, for each pair by itself: differences of several pairs need not be
    jointly symmetric, so that statements about pairs hold jointly by Bonferroni's inequality. The
    signs are drawn in chunks.
    """
    checked = [_checked(matrix) for matrix in scores]
    matrices = [matrix for matrix, _ in checked]
    scale = np.array([[_scale(first - second) for second in matrices] for first in matrices])
    flips = checks.at_least("n_flips", n_flips, 20)
    seed = rng if isinstance(rng, np.random.SeedSequence) else np.random.SeedSequence(rng)
    return Several(tuple(matrices), scale, checked[0][1], flips, seed)


def _scale(matrix):
    """Return the root of the sum of squares of each column."""
    return np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=0)).ravel())


def _flipped(matrices, flips, rng):
    """Return the sums of each column of each matrix with flipped signs, shape (m, flips, n)."""
    units, n = matrices[0].shape
    beside = sparse.hstack(matrices, format="csc")  # one product for all, as small ones are slow
    given = beside.toarray() if beside.nnz * 4 > np.prod(beside.shape) else beside.T.tocsr()
    sums = np.empty((len(matrices), flips, n))
    for start, signs in _signs(units, flips, rng):
        # sum of d over the units with a plus, twice, less the sum of all
        chosen = signs.astype(float)
        found = (given @ chosen.T).T if sparse.issparse(given) else chosen @ given
        sums[:, start : start + len(signs)] = found.reshape(len(signs), -1, n).transpose(1, 0, 2)
    sums *= 2
    for place, matrix in zip(sums, matrices, strict=True):
        place -= np.asarray(matrix.sum(axis=0)).ravel()
    return sums


def _signs(units, flips, rng):
    """Yield the number of the first flip of each chunk, and whether each unit keeps its sign."""
    seeds = rng if isinstance(rng, np.random.SeedSequence) else np.random.SeedSequence(rng)
    children = np.random.SeedSequence(seeds.entropy, spawn_key=seeds.spawn_key)  # not yet spawned
    starts = range(0, flips, CHUNK_FLIPS)
    for start, seed in zip(starts, children.spawn(len(starts)), strict=True):
        rows = min(CHUNK_FLIPS, flips - start)
        bits = np.random.default_rng(seed).bytes(rows * -(-units // 8))
        signs = np.unpackbits(np.frombuffer(bits, np.uint8).reshape(rows, -1), axis=1)[:, :units]
        if start == 0:
            signs[0] = 1
        yield start, signs


def _checked(differences):
    """Return differences as a sparse matrix, and the numbers of units that datasets share."""
    if sparse.issparse(differences):
        matrix = sparse.csr_array(differences).astype(float)
        present = matrix.copy()
        present.data = np.ones_like(present.data)
    else:
        values = np.asarray(differences)
        if values.ndim != 2 or values.dtype.kind not in "iufb":
            raise checks.InputError(
                f"differences has the shape {values.shape} and the type {values.dtype}; pass a "
                "matrix of numbers with one row for each unit and one column for each dataset."
            )
        values = values.astype(float)
        known = ~np.isnan(values)
        matrix = sparse.csr_array(np.where(known, values, 0))
        present = sparse.csr_array(known.astype(float))
    if not np.isfinite(matrix.data).all():
        raise checks.InputError("differences contains infinity or NaN; pass finite numbers.")
    shared = (present.T @ present).toarray().astype(np.int64)
    if matrix.shape[0] < 2 or not matrix.shape[1]:
        raise checks.InputError(
            f"differences has the shape {matrix.shape}, but sign flips need at least two units "
            "(rows) and one dataset (column); add what is missing."
        )
    alone = np.flatnonzero(shared.diagonal() == 0)
    if alone.size:
        raise checks.InputError(
            f"Dataset {alone[0]} has no units; leave it out, or pass the differences of its units."
        )
    return matrix, shared
