r"""Monte Carlo: p-values of one dataset for metrics without a closed resampling distribution.

Systems A and B are scored on the same n items. An item enters through its sufficient
statistics, a row of numbers whose totals over the items determine the metric (correct, guessed
and gold spans for F1); `replicability.stats.metrics` makes these rows. With :math:`\delta`
the observed difference A - B of the metric and :math:`\delta^*` that of a resample, the tests count

==============================  =============================  =================================
test                            resample                       exceedance
==============================  =============================  =================================
`bootstrap`,                    m items, with replacement      :math:`\delta^* \ge 2 \delta`
`bootstrap_statistic`
`flip`                          A and B swapped, item by       :math:`\delta^* \ge \delta`
                                item, with probability ½
==============================  =============================  =================================

and :math:`p = (r + 1) / (B + 1)` for r exceedances in B resamples. The randomisation test is valid
at every n if A and B are exchangeable on each item under the null hypothesis. The bootstrap is
valid for large n only: it takes :math:`\delta^* - \delta` to be distributed as :math:`\delta` under
the null hypothesis.

Every chunk of resamples has its own child of the seed, so that the result depends on the seed, the
data and the number of resamples, and neither on `workers` nor on the order of the chunks.

References
----------
Berg-Kirkpatrick, Burkett and Klein (2012), EMNLP, 995-1005. Noreen (1989), Computer-intensive
methods for testing hypotheses. Yeh (2000), COLING, 947-953. Phipson and Smyth (2010), Statistical
Applications in Genetics and Molecular Biology 9(1), 39, for (r + 1) / (B + 1).
"""

import functools
import itertools
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np
from tqdm import tqdm

from replicability import checks
from replicability.stats.samplers import all_whole, bootstrap_sampler, flip_sampler, index_type

CHUNK_RESAMPLES = 1024
"""Number of resamples per child of the seed. Never change it: results would change."""

CHUNK_INSTANCES = 2**17
"""Items that `bootstrap_statistic` draws per child of the seed. Never change it, either."""

_ULPS = 32 * np.finfo(float).eps


@dataclass(frozen=True)
class MonteCarlo:
    """How many resamples were at least as extreme as the data.

    Attributes
    ----------
    exceedances : int
        Number r of resamples with at least as much evidence against the claim as the data.
    n_resamples : int
        Number B of resamples.
    """

    exceedances: int
    n_resamples: int

    @property
    def pvalue(self):
        """The p-value (r + 1) / (B + 1), never zero: the data count as one of the resamples."""
        return (self.exceedances + 1) / (self.n_resamples + 1)

    @property
    def standard_error(self):
        """Monte-Carlo standard error of `pvalue`: binomial, at p = (r + 1) / (B + 1)."""
        return float(np.sqrt(self.pvalue * (1 - self.pvalue) / self.n_resamples))


def bootstrap(
    sums_a,
    sums_b,
    value,
    *,
    n_resamples,
    size=None,
    margin=0.0,
    rng=None,
    alternative="greater",
    progress=True,
    workers=1,
):
    r"""Paired bootstrap of the difference of a metric of totals (Berg-Kirkpatrick et al. 2012).

    Parameters
    ----------
    sums_a, sums_b : array_like, shape (n, c) or (n,)
        Sufficient statistics of A and of B, one row per item, in the same order.
    value : callable
        Totals of shape (..., c), or (...) for one-dimensional statistics, to the metric of shape
        (...); higher is better. If its attribute `common_denominator` is true, it is the first
        total over the second, as in `metrics.Metric`.
    n_resamples : int
        Number B of resamples, at least one.
    size : int, optional
        Number m of items in a resample, by default n.
    margin : float, default 0.0
        Difference m, A minus B, with which the hypothesis compares: 2 delta - m is to be reached.
    rng : numpy.random.Generator, SeedSequence or int, optional
        What `numpy.random.default_rng` takes. A generator is advanced, so that a second call with
        it draws other resamples; a seed gives the same resamples each time. Without it the result
        is not reproducible.
    alternative : {"greater", "less"}, default "greater"
        "greater" claims that A is better; "less" that B is, the same as swapping A and B.
    progress : bool, default True
        Show a progress bar in a terminal when the work takes longer than a second.
    workers : int, default 1
        Number of processes; the result does not depend on it. With more than one, `value` must be a
        function that other processes can import.

    Returns
    -------
    MonteCarlo
        Number of resamples with :math:`\delta^* \ge 2\delta`, which includes ties within a few
        units in the last place and resamples on which the metric is not defined (NaN).

    Raises
    ------
    InputError
        If the statistics differ in shape or are not finite, the metric is not defined on the data,
        or a number is out of range.

    Notes
    -----
    Valid for large n and a difference whose distribution is nearly symmetric. With a size m < n the
    test is conservative, as resamples vary more than the data; with m > n it is anti-conservative.

    The number of times that each item is drawn is multinomial. It is drawn as follows: numbers
    that are independent and Poisson with mean :math:`\lambda < 1`, given their sum T, are
    multinomial with T draws; rows with T > m are drawn anew, which leaves this conditional
    distribution as it is, and m - T single draws are added. Four Poisson numbers come from 16
    random bits and a table, with probabilities that are exact to the rounding of floating-point
    numbers. If many items have the same statistics, the multinomial is drawn over the distinct
    ones. Totals are one matrix product. They are exact where the statistics are whole numbers.

    Examples
    --------
    >>> a, b = np.array([1, 1, 1, 0, 1, 1, 1, 1]), np.array([0, 1, 0, 0, 1, 0, 1, 0])
    >>> bootstrap(a, b, lambda total: total, n_resamples=9999, rng=1).pvalue < 0.05
    True
    """
    a, b, value = _sums(sums_a, sums_b, value, alternative)
    size = len(a) if size is None else checks.at_least("size", size)
    columns, difference, observed = _difference(a, b, value, size)
    moving = (columns != columns[:1]).any(axis=0)
    task = _Resamples(
        draw=bootstrap_sampler(columns[:, moving], size),
        moving=moving,
        start=np.where(moving, 0.0, columns[0] * size),
        difference=difference,
        threshold=2 * observed - margin * checks.one_sided(alternative),
    )
    return _run(task, n_resamples, rng, progress, workers)


def bootstrap_several(sums, value, *, n_resamples, rng=None, progress=True, chosen=None):
    r"""Paired bootstrap of all ordered pairs of several systems, on the same resamples.

    Parameters
    ----------
    sums : array_like, shape (s, n, c)
        Sufficient statistics of s systems on n items, in the same order.
    value, n_resamples, rng, progress
        As for `bootstrap`.
    chosen : sequence of (int, int), optional
        Pairs of systems; default all.

    Returns
    -------
    ndarray of int64, shape (s, s)
        For each system of the row and of the column what `bootstrap` counts; all resamples of a
        pair that is not chosen.

    Raises
    ------
    InputError
        As `bootstrap`.

    Notes
    -----
    Valid as `bootstrap`, for each pair by itself.

    Examples
    --------
    >>> sums = [[[1, 1], [1, 1], [0, 1]], [[0, 1], [0, 1], [0, 1]]]
    >>> found = bootstrap_several(sums, lambda t: t[..., 0] / t[..., 1], n_resamples=99, rng=1)
    >>> found.shape, int(found[1, 0])
    ((2, 2), 99)
    """
    sums = np.asarray(sums, dtype=float)
    _finite("sums", sums)
    values = np.asarray(value(sums.sum(axis=1)), dtype=float)
    observed = np.subtract.outer(values, values)
    _defined(observed.sum())
    s, n, c = sums.shape
    columns = sums.transpose(1, 0, 2).reshape(n, s * c)
    pairs = list(itertools.combinations(range(s), 2)) if chosen is None else chosen
    task = _OfSystems(bootstrap_sampler(columns, n), value, (s, c), 2 * observed, pairs)
    return _run(task, n_resamples, rng, progress, 1).exceedances


def flip(
    sums_a,
    sums_b,
    value,
    *,
    n_resamples,
    rng=None,
    alternative="greater",
    progress=True,
    workers=1,
):
    r"""Sign-flip test of a metric of totals (approximate randomisation; Noreen 1989, Yeh 2000).

    Parameters
    ----------
    sums_a, sums_b, value, n_resamples, rng, alternative, progress, workers
        As for `bootstrap`.

    Returns
    -------
    MonteCarlo
        Number of random swaps with :math:`\delta^* \ge \delta`, ties and NaN included.

    Raises
    ------
    InputError
        As `bootstrap`.

    Notes
    -----
    Valid at every n if, under the null hypothesis, the outputs of A and B on each item are
    exchangeable, independently of other items.

    Examples
    --------
    >>> a, b = np.array([3, 4, 5, 4, 5, 6, 4, 7]), np.array([2, 2, 4, 3, 3, 5, 3, 4])
    >>> result = flip(a, b, lambda total: total, n_resamples=9999, rng=1)
    >>> abs(result.pvalue - 1 / 2**8) < 5 * result.standard_error
    True
    """
    a, b, value = _sums(sums_a, sums_b, value, alternative)
    changes = b - a
    moving = (changes != 0).any(axis=0)
    rows = changes[:, moving].any(axis=1)
    start = np.concatenate([a.sum(axis=0), b.sum(axis=0)])
    places, least = np.arange(a.shape[1]), 0.0
    if _common_denominator(a, b, value):
        least = float(len(a) * abs(np.concatenate([a, b])[:, 0]).max() / a[:, 1].sum())
    task = _Resamples(
        draw=flip_sampler(changes[rows][:, moving]),
        moving=np.concatenate([moving, moving]),
        start=start,
        difference=_Difference(value, places, places + len(places), least),
        threshold=_observed(value, a.sum(axis=0), b.sum(axis=0)),
        mirrored=True,
    )
    return _run(task, n_resamples, rng, progress, workers)


def bootstrap_statistic(
    data,
    statistic,
    *,
    n_resamples,
    size=None,
    margin=0.0,
    rng=None,
    alternative="greater",
    progress=True,
    workers=1,
):
    r"""Bootstrap of a difference that needs the resampled items, such as one of correlations.

    Parameters
    ----------
    data : array_like, shape (n,) or (n, ...)
        The items, each with everything that is known of it (gold rating, rating by A, by B).
    statistic : callable
        Items of shape (..., n, ...), with one more leading axis than `data`, to the difference
        A - B of shape (...), as `metrics.spearman_difference`.
    n_resamples, size, margin, rng, progress, workers
        As for `bootstrap`.
    alternative : {"greater", "less"}, default "greater"
        "less" tests the statistic with its sign changed.

    Returns
    -------
    MonteCarlo
        Number of resamples with :math:`\delta^* \ge 2\delta`, ties and NaN included.

    Raises
    ------
    InputError
        If `data` has no item or is not finite, the statistic is not defined on it, or a number
        is out of range.

    Notes
    -----
    Valid for large n, as `bootstrap`. Ties are compared with a tolerance of a few units in the last
    place of the larger of 1 and the observed difference.
    """
    checks.refuse_foreign("data", data, truths=True)
    data = np.asarray(data)
    if data.ndim == 0 or not len(data):
        raise checks.InputError("data has no items; pass an array with one row per item.")
    _finite("data", data)
    sign = checks.one_sided(alternative)
    size = len(data) if size is None else checks.at_least("size", size)
    observed = float(np.asarray(statistic(data[None])).reshape(-1)[0]) * sign
    _defined(observed)
    task = _Instances(data, statistic, size, sign, 2 * observed - margin * sign)
    return _run(task, n_resamples, rng, progress, workers)


# Input


def _sums(sums_a, sums_b, value, alternative):
    """Return checked two-dimensional statistics of the better system first, and their metric."""
    for name, sums in (("sums_a", sums_a), ("sums_b", sums_b)):
        checks.refuse_foreign(name, sums, truths=True)
    a, b = (np.asarray(sums, dtype=float) for sums in (sums_a, sums_b))
    if a.shape != b.shape:
        raise checks.InputError(
            f"sums_a has the shape {a.shape}, but sums_b has the shape {b.shape}; score both "
            "systems on the same items, with one row for each item."
        )
    if a.ndim not in (1, 2) or not a.size:
        raise checks.InputError(
            f"The sums have the shape {a.shape}; pass one row of statistics for each item."
        )
    _finite("sums_a", a)
    _finite("sums_b", b)
    sign = checks.one_sided(alternative)
    if a.ndim == 1:
        a, b, value = a[:, None], b[:, None], _OfSingle(value)
    return (a, b, value) if sign == 1 else (b, a, value)


def _finite(name, array):
    bad = checks.first_true(~np.isfinite(array)) if array.dtype.kind == "f" else None
    if bad is not None:
        raise checks.InputError(
            f"{checks.place(name, bad)} is {array[bad]}; give every item a finite "
            "score, or leave it out for both systems."
        )


def _defined(observed):
    if not np.isfinite(observed):
        raise checks.InputError(
            f"The difference between the systems is {observed}, because the metric is not defined "
            "on this dataset; leave the dataset out."
        )


@dataclass(frozen=True)
class _OfSingle:
    """A metric of one total, applied to totals with a last axis of length one."""

    value: object

    def __call__(self, totals):
        return self.value(totals[..., 0])


# The difference of the metric as a function of totals


@dataclass(frozen=True)
class _Difference:
    """Metric of A minus metric of B, and the magnitude that its rounding errors are relative to."""

    value: object
    places_a: np.ndarray
    places_b: np.ndarray
    least: float = 0.0  # magnitude of the errors of a mean, whose terms may cancel

    def __call__(self, totals):
        a = np.asarray(self.value(totals[:, self.places_a]), dtype=float)
        b = np.asarray(self.value(totals[:, self.places_b]), dtype=float)
        return a - b, np.maximum(np.maximum(abs(a), abs(b)), self.least)


@dataclass(frozen=True)
class _Ratio:
    """Total difference over the common denominator, and the magnitude of its rounding errors."""

    largest: float

    def __call__(self, totals):
        with np.errstate(invalid="ignore", divide="ignore"):
            return totals[:, 0] / totals[:, 1], self.largest / totals[:, 1]


def _difference(a, b, value, size):
    """Return the distinct columns, the difference as a function of their totals, and its value."""
    observed = _observed(value, a.sum(axis=0), b.sum(axis=0))
    if _common_denominator(a, b, value):
        columns = np.column_stack([a[:, 0] - b[:, 0], a[:, 1]])
        observed = float(columns[:, 0].sum() / columns[:, 1].sum())  # large scores do not cancel
        scores = np.concatenate([a, b])  # whole ones: a ratio has the rounding error of a division
        largest = 0.0 if all_whole(scores) else size * abs(scores[:, 0]).max()
        return columns, _Ratio(largest), observed
    columns, distinct = np.concatenate([a, b], axis=1), {}
    places = [distinct.setdefault(column.tobytes(), len(distinct)) for column in columns.T]
    first = [places.index(place) for place in range(len(distinct))]
    places_a, places_b = np.split(np.array(places), 2)
    return columns[:, first], _Difference(value, places_a, places_b), observed


def _observed(value, totals_a, totals_b):
    observed = float(value(totals_a[None])[0] - value(totals_b[None])[0])
    _defined(observed)
    return observed


def _common_denominator(a, b, value):
    return (
        getattr(value, "common_denominator", False)
        and a.shape[1] == 2
        and np.array_equal(a[:, 1], b[:, 1])
    )


# The engine: chunks of resamples, each from its own child of the seed


@dataclass(frozen=True)
class _Resamples:
    """Resamples of totals: `draw` gives those of the moving columns, the others stay at `start`."""

    draw: object
    moving: np.ndarray
    start: np.ndarray
    difference: object
    threshold: float
    mirrored: bool = False  # the second half moves against the first

    chunk = CHUNK_RESAMPLES

    def __call__(self, rng, n_rows):
        totals = np.tile(self.start, (n_rows, 1))
        if self.moving.any():
            drawn = self.draw(rng, n_rows)
            totals[:, self.moving] += np.hstack([drawn, -drawn]) if self.mirrored else drawn
        delta, magnitude = self.difference(totals)
        return _exceedances(delta, self.threshold, magnitude)


@dataclass(frozen=True)
class _OfSystems:
    """Resamples of the totals of several systems, the same for all pairs."""

    draw: object
    value: object
    shape: tuple
    thresholds: np.ndarray
    pairs: list

    chunk = CHUNK_RESAMPLES

    def __call__(self, rng, n_rows):
        totals = self.draw(rng, n_rows).reshape(n_rows, *self.shape)
        values = np.ascontiguousarray(np.asarray(self.value(totals), dtype=float).T)
        counts = np.full(self.thresholds.shape, n_rows)
        for i, j in self.pairs:
            magnitude, delta = np.maximum(abs(values[i]), abs(values[j])), values[i] - values[j]
            counts[i, j] = _exceedances(delta, self.thresholds[i, j], magnitude)
            counts[j, i] = _exceedances(-delta, self.thresholds[j, i], magnitude)
        return counts


@dataclass(frozen=True)
class _Instances:
    """Resamples of whole items."""

    data: np.ndarray
    statistic: object
    size: int
    sign: int
    threshold: float

    @property
    def chunk(self):
        return max(1, min(CHUNK_RESAMPLES, CHUNK_INSTANCES // self.size))

    def __call__(self, rng, n_rows):
        index = rng.integers(0, len(self.data), (n_rows, self.size), index_type(len(self.data)))
        delta = np.asarray(self.statistic(self.data.take(index, axis=0)), dtype=float)
        if delta.shape != (n_rows,):
            raise checks.InputError(
                f"The statistic returned an array of shape {delta.shape} for {n_rows} resamples, "
                "but must return one number for each resample; compute it along the leading axis."
            )
        return _exceedances(self.sign * delta, self.threshold, 1.0)


def _exceedances(delta, threshold, magnitude):
    """Count values at or above the threshold, ties and NaN included."""
    with np.errstate(invalid="ignore"):
        tolerance = _ULPS * np.maximum(magnitude, max(abs(threshold), np.finfo(float).tiny))
        return int(np.count_nonzero(~(delta < threshold - tolerance)))


def _run(task, n_resamples, rng, progress, workers):
    """Sum the exceedances over chunks, in this process or in others."""
    n_resamples = checks.resamples(n_resamples)
    workers = checks.at_least("workers", workers)
    n_chunks = -(-n_resamples // task.chunk)
    entropy = np.random.default_rng(rng).integers(2**63, size=2).tolist()
    jobs = (
        (entropy, index, min(task.chunk, n_resamples - index * task.chunk))
        for index in range(n_chunks)
    )
    bar = functools.partial(
        tqdm,
        total=n_chunks,
        desc="resampling",
        unit="chunk",
        delay=1,
        leave=False,
        disable=None if progress else True,
    )
    if workers == 1 or n_chunks == 1:
        return MonteCarlo(sum(bar(_chunk(task, *job) for job in jobs)), n_resamples)
    _picklable(task)
    with ProcessPoolExecutor(min(workers, n_chunks), None, _set_task, (task,)) as pool:
        counts = pool.map(_chunk_of_task, jobs, chunksize=max(1, n_chunks // (8 * workers)))
        return MonteCarlo(sum(bar(counts)), n_resamples)


def _picklable(task):
    try:
        pickle.dumps(task)
    except (pickle.PicklingError, AttributeError, TypeError):
        raise checks.InputError(
            "The metric cannot be pickled for other processes; define it at the top level of a "
            "module, or use workers=1."
        ) from None


def _chunk(task, entropy, index, n_rows):
    child = np.random.SeedSequence(entropy, spawn_key=(index,))
    return task(np.random.default_rng(child), n_rows)


_task = None  # of a worker process, sent once


def _set_task(task):
    global _task
    _task = task


def _chunk_of_task(job):
    return _chunk(_task, *job)
