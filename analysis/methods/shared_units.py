r"""Level and power of every procedure where datasets share their units: simulations of known truth.

n datasets score the same units. The differences of unit i, A minus B, are normal with variance 1
and equally correlated, and A is better on the first `n_better` datasets:

.. math:: d_{ij} = \text{effect}_j + \sqrt{\rho}\,c_i + \sqrt{1-\rho}\,e_{ij}

Each procedure bounds the number of datasets on which A is better, and names some, at the same
level:

==================  ===============================================================
procedure           bound
==================  ===============================================================
one of              closed testing of the p-values :math:`1 - \Phi(z_j)` with that
`OF_PVALUES`        local test; of all datasets Bonferroni's and Fisher's are the
                    k-hat of the paper
one of `OF_FLIPS`   `joint.bound` and `joint.named` with that local test, under joint
                    sign flips
==================  ===============================================================

All are given the same statistics :math:`z_j` of `joint.flip`. One local test is left out:
``fisher_bonferroni`` combines ``fisher`` and ``bonferroni``, which are simulated.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special

from replicability import checks
from replicability.stats import closed_testing, joint

OF_PVALUES = (
    *("bonferroni", "simes", "fisher", "stouffer"),
    *("truncated_fisher", "conditional_fisher"),
)
"""Local tests of p-values that the grid simulates."""

OF_FLIPS = joint.METHODS
"""Local tests under joint sign flips that are simulated."""

PROCEDURES = (*OF_PVALUES, *OF_FLIPS)
"""Names of the procedures."""

_CELL = ("n", "correlation", "n_better", "procedure", "repetitions")
COLUMNS = (*_CELL, "total", "squares", "exceeded", "wrong", "named", "named_squares", "misnamed")
"""Columns of the tallies: sums over repetitions, whole numbers but for the correlation."""


@dataclass(frozen=True)
class Cell:
    """One place of the grid.

    Attributes
    ----------
    n : int
        Datasets, at least one.
    correlation : float
        Correlation between any two datasets' differences of a unit, in [0, 1).
    n_better : int
        Datasets on which A is truly better, 0 to n.
    n_units : int
        Units, at least two.
    effect : float
        Mean difference where A is better, in standard deviations; above 0.
    """

    n: int
    correlation: float
    n_better: int
    n_units: int = 300
    effect: float = 0.12

    def __post_init__(self):
        checks.at_least("The number of datasets", self.n)
        checks.at_least("The number of units", self.n_units, 2)
        if not 0 <= self.correlation < 1:
            raise checks.InputError(
                f"The correlation of a cell is {self.correlation!r}, but must be in [0, 1)."
            )
        if not 0 <= checks.at_least("n_better", self.n_better, 0) <= self.n:
            raise checks.InputError(
                f"n_better is {self.n_better}, but must be a whole number from 0 to {self.n}, the "
                "number of datasets."
            )
        if not checks.finite("The effect of a cell", self.effect) > 0:
            raise checks.InputError(
                f"The effect of a cell is {self.effect!r}, but must be above 0."
            )

    @property
    def name(self):
        """Name for files, such as ``n10_r0.5_k5``."""
        return f"n{self.n}_r{self.correlation:g}_k{self.n_better}"


def grid(sizes, correlations, shares, n_units=300, effect=0.12):
    """Cells of a grid.

    `sizes` (sequence of int): numbers of datasets. `correlations` (sequence of float):
    correlations. `shares` (sequence of float): shares of the datasets on which A is better, 0 to 1,
    whole numbers of each size. `n_units`, `effect`: as of `Cell`.

    Returns list of Cell. One for each combination.

    Raises `InputError`: if a value is not as described.

    Examples
    --------
    >>> [cell.name for cell in grid([10], [0, 0.5], [0.5])]
    ['n10_r0_k5', 'n10_r0.5_k5']
    """
    cells = []
    for n in sizes:
        for correlation in correlations:
            for share in shares:
                better = round(share * n)
                if abs(better - share * n) > 1e-9:
                    raise checks.InputError(
                        f"{share:g} of {n} datasets is not a whole number; choose another share."
                    )
                cells.append(Cell(n, correlation, better, n_units, effect))
    return cells


def tally(cell, n_repetitions, seed, alpha=0.05, n_flips=600):
    """Draw differences again and again and count what each procedure says.

    `cell`: Cell. `n_repetitions`: number of draws, at least one. `seed`: entropy of a
    `numpy.random.SeedSequence`. Each cell has a child of its own that follows from its attributes,
    each repetition one of that, so that nothing depends on other cells, their order or the cores.
    `alpha`: level of every procedure. `n_flips`: joint sign flips of each repetition, the identity
    among them.

    Returns DataFrame. One row per procedure with the columns `COLUMNS`: ``total`` and ``squares``
    are the sums of the bound of all datasets and of its square; ``exceeded`` counts the repetitions
    in which it is above the truth, and ``wrong`` those in which the bound of any set is: that is so
    if and only if the bound of the datasets on which A is not better is above 0. ``named`` and
    ``named_squares`` are the sums of the number of datasets on which A is better that are named,
    and of its square; ``misnamed`` counts the repetitions in which another is named.

    Raises `InputError`: if a number is not as described, or there are fewer flips than 1/alpha.
    """
    checks.at_least("n_repetitions", n_repetitions)
    level = checks.alpha(alpha)
    nulls = np.arange(cell.n) >= cell.n_better
    z = np.empty((n_repetitions, cell.n))
    said = {name: _Said(n_repetitions, nulls) for name in PROCEDURES}
    for index, child in enumerate(_child(cell, seed).spawn(n_repetitions)):
        drawn, flipped = child.spawn(2)
        flips = joint.flip(draw(cell, np.random.default_rng(drawn)), n_flips, rng=flipped)
        z[index] = flips.z[0]
        for name, answers in _of_flips(flips, nulls, level).items():
            said[name].add(index, *answers)
    pvalues = special.ndtr(-z)
    for name in OF_PVALUES:
        bounds = _both(nulls, lambda s, name=name: closed_testing.bound(pvalues, s, level, name))
        said[name].add(slice(None), *bounds, closed_testing.names(pvalues, level, name))
    return pd.DataFrame([_row(cell, name, found) for name, found in said.items()])


class _Said:
    """What one procedure says in each repetition: counts, bounds of the nulls, and names."""

    def __init__(self, n_repetitions, nulls):
        self.nulls = nulls
        self.count, self.wrong, self.named, self.misnamed = np.zeros((4, n_repetitions), np.int64)

    def add(self, index, count, wrong, named):
        """Keep what is said in one repetition, or in all."""
        self.count[index], self.wrong[index] = count, wrong
        self.named[index] = named[..., ~self.nulls].sum(axis=-1)
        self.misnamed[index] = named[..., self.nulls].any(axis=-1)


def _both(nulls, bound):
    """Return the bound of all datasets, and that of those on which A is not better."""
    return bound(None), bound(nulls) if nulls.any() else 0


def _of_flips(flips, nulls, level):
    """Return count, bound of the nulls and names by each procedure that takes joint flips."""
    said = {}
    for method in OF_FLIPS:

        def bound(chosen, method=method):
            return joint.bound(flips, chosen, level, method).at_least

        said[method] = (*_both(nulls, bound), joint.named(flips, level, method))
    return said


def draw(cell, rng):
    """Draw the differences of the units on the datasets.

    `cell`: what is drawn. `rng`: source of random numbers.

    Returns ndarray of float64, shape (n_units, n). Differences; A is better on the first `n_better`
    datasets.
    """
    common = rng.standard_normal((cell.n_units, 1))
    differences = rng.standard_normal((cell.n_units, cell.n))
    differences *= np.sqrt(1 - cell.correlation)
    differences += np.sqrt(cell.correlation) * common
    differences[:, : cell.n_better] += cell.effect
    return differences


def rates(tallies):
    """Turn tallies into means and shares with their standard errors.

    `tallies`: rows of `tally`, of any cells.

    Returns DataFrame. ``n``, ``correlation``, ``n_better``, ``procedure``, ``repetitions``;
    ``mean_bound``, ``mean_named``, of the datasets on which A is better; ``exceeded``, ``wrong``,
    ``misnamed``; each with its standard error in a column ending in ``_error``; and ``share``, of
    the datasets on which A is better.
    """
    r = tallies["repetitions"]
    found = tallies[list(_CELL)].copy()
    found["share"] = tallies["n_better"] / tallies["n"]
    for quantity, sums, squares in (
        ("mean_bound", "total", "squares"),
        ("mean_named", "named", "named_squares"),
    ):
        mean = tallies[sums] / r
        found[quantity] = mean
        variance = np.maximum(tallies[squares] / r - mean**2, 0)
        found[f"{quantity}_error"] = np.sqrt(variance / np.maximum(r - 1, 1))
    for name in ("exceeded", "wrong", "misnamed"):
        share = tallies[name] / r
        found[name] = share
        found[f"{name}_error"] = np.sqrt(share * (1 - share) / r)
    return found


def _child(cell, seed):
    """Return the seed of a cell, made from what the cell is."""
    millionths = (round(1e6 * value) for value in (cell.correlation, cell.effect))
    key = (cell.n, cell.n_better, cell.n_units, *millionths)
    return np.random.SeedSequence(seed, spawn_key=key)


def _row(cell, procedure, said):
    """Add up what one procedure said."""
    count, named = said.count, said.named
    sums = (count, count**2, count > cell.n_better, said.wrong > 0, named, named**2, said.misnamed)
    cells = (cell.n, cell.correlation, cell.n_better, procedure, len(count))
    return dict(zip(COLUMNS, (*cells, *(int(x.sum()) for x in sums)), strict=True))
