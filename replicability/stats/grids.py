r"""A grid of datasets and metrics: bounds for any block of cells, and for the rows of a block.

Each cell is a null hypothesis, "A is not better on this dataset by this metric". One closed testing
procedure over all cells says which sets of cells may consist of true null hypotheses. Its local
tests are such that each cell has a step, a whole number u from 1 on, and

    a set J is not rejected if and only if, for each u, fewer than u of its cells have a step of at
    most u.

====================  ============================================================================
``bonferroni``        step 1 where Holm's procedure names the cell, else none
``max_t``             step 1 where the step-down max-T procedure names it, by joint sign flips
``simes``             the least u with :math:`h p \le u \alpha` (Goeman et al. 2019)
``calibrated_simes``  the least u with :math:`p < u \lambda/n`, by joint sign flips
====================  ============================================================================

**Cells.** Of a set S of cells at least :math:`\max_u \#\{j \in S: u_j \le u\} - (u - 1)` are false.

**Rows.** Let the grid have n rows and m columns, and let q be the largest number of rows whose
m - r + 1 cells with the latest steps together form a set that is not rejected. Then A is better by
at least r of the m metrics on at least n - q datasets.

*Proof.* With probability 1 - alpha the set T of all true null hypotheses is not rejected. Take a
row with fewer than r false hypotheses: at least m - r + 1 of its cells are in T. Choose m - r + 1
of these in each such row. They are a part of T, so for each u fewer than u have a step of at most
u. Put in their place the m - r + 1 cells of the same row with the latest steps: no count grows, so
this set is not rejected either. Hence there are at most q such rows. The bound cannot be improved:
the set which attains q is not rejected, so it may be T.

"By every metric" is r = m. It takes one cell of each row, the one with the latest step, so that the
bound is that of a set of cells. "By some metric" is r = 1. All bounds, of cells and of rows, of any
block and for any r, follow from the one event that T is not rejected, and hold simultaneously with
confidence 1 - alpha, also for a block that was chosen after the results were seen.

References
----------
Marcus, Peritz and Gabriel (1976), Biometrika 63(3), 655-660. Goeman and Solari (2011), Statistical
Science 26(4), 584-597. Goeman, Meijer, Krebs and Solari (2019), Biometrika 106(4), 841-856.
"""

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import arguments, closed_testing, joint
from replicability.stats.local_tests import simes

METHODS = ("max_t", "calibrated_simes", "simes", "bonferroni")
"""Local tests of grids, those by joint sign flips first."""

OF_FLIPS = ("max_t", "calibrated_simes")
"""Those by joint sign flips."""

NONE = np.iinfo(np.int64).max
"""Marks a cell that every set may contain."""

MOST_NODES = 10_000
"""Maximum number of branches in a search for rows; then the bound proved so far is returned."""


def steps(pvalues, alpha=0.05, method="bonferroni"):
    """Return the steps of the cells of a grid from their p-values.

    `pvalues` (array_like, shape (n, m)): one-sided p-values of "A is not better", n datasets by m
    metrics. `alpha`: all bounds hold simultaneously with confidence 1 - alpha. `method`
    ({"bonferroni", "simes"}): local test. Bonferroni is valid under any dependence; Simes under
    positive dependence (PRDS) of all cells, metrics included.

    Returns ndarray of int64, shape (n, m).

    Raises `InputError`: if a p-value or the level is not valid, or the p-values are no grid.

    Examples
    --------
    >>> steps([[0.001, 0.002], [0.6, 0.001], [0.004, 0.02]]).tolist()[0]
    [1, 1]
    """
    level, values = checks.alpha(alpha), arguments.pvalues(np.asarray(pvalues), -1)
    if values.ndim != 2:
        raise checks.InputError(
            f"The p-values have the shape {values.shape}; pass one row for each dataset and one "
            "column for each metric."
        )
    if checks.choice("method", method, ("bonferroni", "simes")) == "bonferroni":
        named = closed_testing.names(values.ravel(), level, "bonferroni")
        return np.where(named.reshape(values.shape), 1, NONE)
    found = simes.steps(values.reshape(1, -1), level)
    return _whole(found.reshape(values.shape), values.size)


def steps_of_flips(flips, shape, alpha=0.05, method="max_t"):
    """Return the steps of the cells of a grid from joint sign flips.

    `flips` (flips.Flips): of all cells, row after row: a unit has one sign in all datasets and by
    all metrics. `shape` (int, int): n datasets, m metrics. `alpha`: as in `steps`. `method`
    ({"max_t", "calibrated_simes"}): local test.

    Returns ndarray of int64, shape (n, m).

    Raises `InputError`: if the flips are not of so many cells, or are fewer than 1/alpha.

    Notes
    -----
    Valid as `joint`: units are independent and, where A is not better, the differences of a unit
    by these metrics on these datasets are jointly symmetric around zero. So they are where the
    outputs of A and B are exchangeable unit by unit, whatever the metrics make of them.
    """
    if flips.z.shape[1] != shape[0] * shape[1]:
        raise checks.InputError(
            f"There are sign flips for {flips.z.shape[1]} cells, but the grid has {shape[0]} x "
            f"{shape[1]} cells; flip the differences of every cell."
        )
    if checks.choice("method", method, OF_FLIPS) == "max_t":
        return np.where(joint.names(flips, alpha).reshape(shape), 1, NONE)
    thresholds = joint.calibrated_thresholds(flips, alpha)
    pvalues = special.ndtr(-flips.z[0])
    found = np.searchsorted(thresholds, pvalues, side="right") + 1
    return _whole(found.reshape(shape), len(thresholds))


def cells(steps):
    """Bound from below the number of cells of a set in which A is better.

    `steps` (array_like of int): steps of the cells of the set, as `steps` returns them; of any
    shape.

    Returns int.

    Examples
    --------
    >>> cells([1, 2, 2, NONE]), cells([3, 3, 3]), cells([2, 3])
    (2, 1, 0)
    """
    ordered = np.sort(np.ravel(steps))
    return int(max(0, (np.arange(2, len(ordered) + 2) - ordered).max(initial=0)))


def rows(steps, needed):
    """Bound from below the number of rows in which A is better in at least so many cells.

    `steps` (array_like of int, shape (n, m)): steps of the block, a row for each dataset. `needed`:
    the number r, from 1 ("by some metric") to m ("by every metric").

    Returns int. 0 to n.

    Raises `InputError`: if the block is empty, or the number is not from 1 to m.

    Notes
    -----
    Valid as the module states and proves. For r < m and steps other than 1, q is the optimum of an
    integer programme with n binary variables, or a bound of it that is not smaller.

    Examples
    --------
    >>> grid = [[1, 1], [1, NONE], [NONE, NONE]]
    >>> rows(grid, 2), rows(grid, 1)
    (1, 2)
    """
    grid = np.asarray(steps)
    if grid.ndim != 2 or not grid.size:
        raise checks.InputError(
            f"The matrix of steps has the shape {grid.shape}; pass a matrix with at least one row "
            "and one column."
        )
    width = grid.shape[1]
    if not checks.is_whole(needed) or not 1 <= needed <= width:
        raise checks.InputError(
            f"needed is {needed!r}; pass a whole number from 1 to {width}, the number of metrics."
        )
    latest = np.sort(grid, axis=1)[:, needed - 1 :]
    if needed == width:
        return cells(latest)
    return len(grid) - _most_rows(latest)


def _most_rows(blocks):
    """Return how many blocks of cells may be in one set that is not rejected, at most."""
    first = blocks[:, 0]
    held = blocks[(first > 1) & (first < NONE)]
    free = int((first == NONE).sum())
    levels = np.unique(held[held < NONE])
    counts = (held[None] <= levels[:, None, None]).sum(axis=2)
    if (counts.sum(axis=1) < levels).all():
        return free + len(held)
    from scipy import optimize  # which only this search needs

    found = optimize.milp(
        -np.ones(len(held)),
        constraints=optimize.LinearConstraint(counts, ub=levels - 1),
        integrality=1,
        bounds=optimize.Bounds(0, 1),
        options={"node_limit": MOST_NODES},
    )
    return free + int(np.floor(-found.mip_dual_bound + 1e-6))


def _whole(found, n):
    """Return steps as whole numbers; a later one than the number of cells binds no set."""
    return np.where(found <= n, np.minimum(found, n).astype(np.int64), NONE)
