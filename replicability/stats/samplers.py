"""Samplers of resamples, as counts of distinct items."""

import functools
from dataclasses import dataclass

import numpy as np
from scipy import sparse, special

_BLOCK_ROWS = 128  # resamples and instances of a block of weights: 1 MiB or less, for cache
_BLOCK_CELLS = 1024
_BLOCK_DRAWS = 2**20  # single draws that are held at a time
_FEW = 40  # resampling whole cells pays if there are at least so many instances per distinct row


def all_whole(array):
    """Tell whether all entries of an array are whole numbers."""
    return bool((array == np.rint(array)).all())


# Samplers: totals of the columns over random weights of the rows


def index_type(n):
    """Return the shortest type that indexes n items."""
    return np.uint16 if n < 2**16 else np.uint32


def _float_type(columns, size):
    """Return the shortest type in which totals of `size` rows have no avoidable rounding error."""
    exact = all_whole(columns) and size * abs(columns).max(initial=0) < 2**24
    return np.float32 if exact else np.float64


def _distinct_rows(columns, most):
    """Return the distinct rows and how often each occurs, or None if there are more than `most`."""
    codes = np.zeros(len(columns), dtype=np.int64)
    for column in columns.T:
        values, inverse = np.unique(column, return_inverse=True)
        if len(values) > most:
            return None
        found, first, codes, counts = np.unique(
            codes * len(values) + inverse,
            return_index=True,
            return_inverse=True,
            return_counts=True,
        )
        if len(found) > most:
            return None
    return columns[first], counts


def bootstrap_sampler(columns, size):
    """Return a sampler of bootstrap totals.

    `columns` (ndarray, shape (n, c)): what is added up over the items drawn. `size`: items drawn
    with replacement for a resample.

    Returns callable or None. ``sampler(rng, n_rows)`` returns totals of shape (n_rows, c); None
    without a column.
    """
    if not columns.shape[1]:
        return None
    few = _distinct_rows(columns, min(len(columns), size) // _FEW)
    if few:
        rows, counts = few
        return _Multinomial(rows, counts / counts.sum(), size)
    # Draws beyond n are made in rounds: multinomials with equal probabilities add up.
    whole, rest = divmod(size, len(columns))
    rounds = [len(columns)] * whole + [rest] * (rest > 0)
    return _Poissonised.of(columns, rounds, _float_type(columns, size))


def flip_sampler(changes):
    """Return a sampler of totals over random subsets, each item in with probability 1/2.

    `changes` (ndarray, shape (n, c)): what a flip of an item adds.

    Returns callable or None. ``sampler(rng, n_rows)`` returns totals of shape (n_rows, c); None
    without an item.
    """
    if not len(changes):
        return None
    few = _distinct_rows(changes, len(changes) // (4 * _FEW))
    if few:
        return _Binomial(*few)
    changes = changes.astype(_float_type(changes, len(changes)))
    return _Bits(np.concatenate([changes, np.zeros((-len(changes) % 64, changes.shape[1]))]))


@dataclass(frozen=True)
class _Multinomial:
    """Bootstrap over few distinct rows."""

    rows: np.ndarray
    probabilities: np.ndarray
    size: int

    def __call__(self, rng, n_rows):
        return rng.multinomial(self.size, self.probabilities, n_rows) @ self.rows


@dataclass(frozen=True)
class _Binomial:
    """Flips over few distinct rows."""

    rows: np.ndarray
    counts: np.ndarray

    def __call__(self, rng, n_rows):
        weights = [rng.binomial(count, 0.5, n_rows) for count in self.counts]
        return np.array(weights, dtype=float).T @ self.rows


@dataclass(frozen=True)
class _Bits:
    """Flips from one random bit for each row; the number of rows is a multiple of 64."""

    rows: np.ndarray

    def __call__(self, rng, n_rows):
        totals = np.zeros((n_rows, self.rows.shape[1]))
        for place in _blocks(n_rows, _BLOCK_ROWS):
            for cells in _blocks(len(self.rows), _BLOCK_CELLS):
                block = self.rows[cells]
                shape = (len(range(*place.indices(n_rows))), len(block))
                bits = np.unpackbits(_random_words(rng, shape[0] * shape[1] // 64).view(np.uint8))
                totals[place] += bits.reshape(shape).astype(block.dtype) @ block
        return totals


@dataclass(frozen=True)
class _Poissonised:
    """Bootstrap from Poisson numbers of draws, made up to the size by single draws."""

    n: int
    rows: np.ndarray  # padded with zeros to a multiple of 16; a last column counts draws
    sizes: tuple
    rates: tuple

    @classmethod
    def of(cls, columns, sizes, float_type):
        n, c = columns.shape
        rows = np.zeros((n + -n % 16, c + 1), dtype=float_type)
        rows[:n, :c] = columns
        rows[:n, c] = 1
        return cls(n, rows, tuple(sizes), tuple(_rate(n, size) for size in sizes))

    def __call__(self, rng, n_rows):
        totals = np.zeros((n_rows, self.rows.shape[1]))
        for size, rate in zip(self.sizes, self.rates, strict=True):
            totals += self._round(rng, n_rows, size, rate)
        return totals[:, :-1]

    def _round(self, rng, n_rows, size, rate):
        totals = np.zeros((n_rows, self.rows.shape[1]))
        anew = np.arange(n_rows if rate else 0)
        while anew.size:
            totals[anew] = self._poisson(rng, anew.size, rate)
            anew = anew[totals[anew, -1] > size]
        lacking = size - totals[:, -1].astype(np.int64)
        for place in _blocks(n_rows, max(1, _BLOCK_DRAWS // max(1, int(lacking.max())))):
            totals[place] += self._single(rng, lacking[place])
        return totals

    def _poisson(self, rng, n_rows, rate):
        totals = np.zeros((n_rows, self.rows.shape[1]))
        tables = _poisson_tables(rate)
        for place in _blocks(n_rows, _BLOCK_ROWS):
            for cells in _blocks(len(self.rows), _BLOCK_CELLS):
                block = self.rows[cells]
                shape = (len(range(*place.indices(n_rows))), len(block))
                weights = _poisson_numbers(rng, shape[0] * shape[1], tables).reshape(shape)
                totals[place] += weights.astype(block.dtype) @ block
        return totals

    def _single(self, rng, numbers):
        """Totals of so many single draws; a sparse product gathers and adds in one pass."""
        ends = np.concatenate([[0], np.cumsum(numbers)])
        index = rng.integers(0, self.n, ends[-1], index_type(self.n)).astype(np.int32)
        ones = np.ones(len(index), dtype=self.rows.dtype)
        shape = (len(numbers), len(self.rows))
        return sparse.csr_array((ones, index, ends.astype(np.int32)), shape=shape) @ self.rows


def _blocks(length, step):
    return [slice(start, start + step) for start in range(0, length, step)]


def _random_words(rng, number):
    return rng.integers(0, 2**64, number, np.uint64)


# Poisson numbers by table: four of them from 16 random bits

_PENDING = np.uint32(2**32 - 1)
_LEVELS = 2  # tables
_LARGEST = 20  # P(Poisson(1) > 20) < 1e-20


def _rate(n, size):
    """Return a Poisson mean whose sum rarely exceeds the size; 0 if single draws are cheaper."""
    rate = np.floor(256 * (size - 2 * np.sqrt(size)) / n) / 256
    return float(rate) if rate >= 0.3 else 0.0


@dataclass(frozen=True)
class _PoissonTables:
    """Words of four Poisson numbers, one in each byte, by their probabilities.

    Attributes
    ----------
    tables : tuple of ndarray of uint32, shape (2**16,)
        Words for 16 random bits; `_PENDING` where the next table decides, or the words below.
    words : ndarray of uint32
        Words whose probability is not spent in the tables.
    cumulative : ndarray of float64
        Cumulative probability of `words`, given that no table decided.
    """

    tables: tuple
    words: np.ndarray
    cumulative: np.ndarray


@functools.lru_cache(maxsize=32)
def _poisson_tables(rate):
    r"""Return the tables for a Poisson mean in (0, 1].

    A word of probability p fills :math:`\lfloor 2^{16} p \rfloor` places of the first table. The
    places left over are pending: the second table spreads the remainders in the same way, and what
    it leaves is decided by bisection. Words of a probability below 1e-20 are left out.
    """
    numbers = np.arange(_LARGEST + 1)
    single = np.exp(special.xlogy(numbers, rate) - rate - special.gammaln(numbers + 1))
    p, words = _products(single, numbers.astype(np.uint32), 8)
    p, words = _products(p, words, 16)
    tables = []
    for _ in range(_LEVELS):
        p = p * (2**16 / p.sum())
        copies = np.floor(p).astype(np.int64)
        table = np.full(2**16, _PENDING)
        table[: copies.sum()] = np.repeat(words, copies)
        tables.append(table)
        p = p - copies
    left = p > 0
    return _PoissonTables(tuple(tables), words[left], np.cumsum(p[left]) / p.sum())


def _products(p, words, bits):
    """Return the probabilities of pairs of independent words, and the words side by side."""
    p = np.multiply.outer(p, p).ravel()
    words = np.add.outer(words << np.uint32(bits), words).ravel()
    return p[p > 1e-20], words[p > 1e-20]


def _poisson_numbers(rng, number, poisson):
    """Return independent Poisson numbers, a multiple of 16 of them, as bytes."""
    words = poisson.tables[0].take(_random_words(rng, number // 16).view(np.uint16))
    pending = np.flatnonzero(words == _PENDING)
    for table in poisson.tables[1:]:
        words[pending] = table.take(rng.integers(0, 2**16, pending.size, np.uint16))
        pending = pending[words[pending] == _PENDING]
    places = np.searchsorted(poisson.cumulative, rng.random(pending.size), side="right")
    words[pending] = poisson.words[np.minimum(places, len(poisson.words) - 1)]
    return words.view(np.uint8)
