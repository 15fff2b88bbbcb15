"""Which form of a test, and which side, gave a whole column of printed p-values."""

import numpy as np
import pandas as pd
from scipy import sparse

from replicability import checks
from replicability.forensics.printed import (
    finest_digit,
    last_digit,
    printed_column,
    printed_interval,
)
from replicability.stats import paired

LEADER = "leader"
"""One-sided for the system with the higher score, whichever that is."""

SIDES = ("greater", "less", LEADER, "two-sided")
"""Direction of a column of p-values: for A, for B, for the higher score, or two-sided."""

MISPRINT = 0.05
"""Prior probability that a cell deviates from the form of its column."""

DECIDED = 0.95
"""Posterior weight at which the form of a column is considered known."""


def weigh_forms(texts, attained, *, longer=None, misprint=MISPRINT):
    r"""Weigh which form of a test gave a column of p-values, and how its digits were printed.

    Parameters
    ----------
    texts : sequence of str
        p-values as printed.
    attained : dict of str or tuple to sequence of array_like or None
        Form -> for each cell the p-values that it can give; None where nothing is known.
    longer : sequence of str, optional
        The same p-values with more digits, from another source; "" where there is none.
    misprint : float, default 0.05
        Probability that a cell is not what its column says, in (0, 1).

    Returns
    -------
    DataFrame
        One row per form and printing ("rounded", "truncated"), the likeliest first: ``form``,
        ``printing``, ``possible`` (number of cells that it gives), ``expected`` (by accident),
        ``chance`` (of so many by accident), ``weight``; weights add up to 1.

    Raises
    ------
    InputError
        If there is no form, a form has not one entry per cell, or misprint is not in (0, 1).

    Notes
    -----
    Among the numbers within a tenth of a printed one, and at least three to each side, that could
    have been printed with so many digits, a form attains a share :math:`c_i`. By accident it gives
    cell i with that probability, independently of the others. The weight is the posterior
    probability under equal prior weights. A form prints each number that it can give there with
    the same probability; a misprint prints any number there. We assume that a column has one form;
    if no form gives most of its cells, the weights only compare bad forms. Cells that every form
    can give, such as "<0.05" or a bare zero, decide nothing.

    Examples
    --------
    >>> found = weigh_forms(["0.0352"], {"exact": [[0.0352, 0.1]], "mid-p": [[0.0195, 0.1]]})
    >>> found["form"].iloc[0], float(found["weight"].iloc[0].round(2))
    ('exact', 0.5)
    """
    if not attained:
        raise checks.InputError("attained is empty; pass the p-values that each form can give.")
    if not 0 < misprint < 1:
        raise checks.InputError(f"misprint is {misprint!r}; pass a probability such as 0.05.")
    texts, longer = list(texts), list(longer or [""] * len(texts))
    for form, cells in attained.items():
        if len(cells) != len(texts) or len(longer) != len(texts):
            raise checks.InputError(
                f"{form} has {len(cells)} entries for {len(texts)} printed p-values; pass one "
                "entry, or None, for each."
            )
    rows = []
    for form, cells in attained.items():
        for printing in ("rounded", "truncated"):
            intervals = printed_column(texts, printing)
            found = [
                _weigh_cell(text, more, interval, values, printing, misprint)
                for text, more, interval, values in zip(
                    texts, longer, intervals, cells, strict=True
                )
            ]
            fits, shares, logs = map(np.array, zip(*found, strict=True))
            law = np.ones(1)
            for share in shares:
                law = np.convolve(law, [1 - share, share])
            rows.append(
                {
                    "form": form,
                    "printing": printing,
                    "possible": int(fits.sum()),
                    "expected": float(shares.sum()),
                    "chance": float(min(1.0, law[int(fits.sum()) :].sum())),
                    "weight": float(logs.sum()),
                }
            )
    table = pd.DataFrame(rows)
    weights = np.exp(table["weight"] - table["weight"].max())
    table["weight"] = (weights / weights.sum()).round(12)  # the last bits decide nothing
    return table.sort_values("weight", ascending=False, kind="stable").reset_index(drop=True)


def _weigh_cell(text, more, interval, values, printing, misprint):
    """Return whether a form gives a cell, the share of numbers near it that it gives, and ln p."""
    values = None if values is None else np.unique(np.asarray(values, dtype=float))
    if values is None:
        return True, 1.0, 0.0
    right = (values >= interval.low * (1 - 1e-12)) & (values <= interval.high * (1 + 1e-12))
    if interval.value == 0 or text.startswith(("<", ">")):
        return bool(right.any()), 1.0, 0.0 if right.any() else np.log(misprint)
    digits = more or text
    if more:
        finer = printed_interval(more, None, "either")
        right &= (values >= finer.low) & (values <= finer.high)
    unit = last_digit(digits)
    centre = round(printed_interval(digits).value / unit)
    width = max(3, centre // 10)
    low, high = max(0, centre - width), min(centre + width, round(1 / unit))
    index = np.rint(values / unit) if printing == "rounded" else np.floor(values / unit + 1e-9)
    reached = len(np.unique(index[(index >= low) & (index <= high)]))
    total = high - low + 1
    if right.any():
        return True, min(1.0, max(reached, 1) / total), np.log((1 - misprint) / max(reached, 1))
    return False, min(1.0, reached / total), np.log(misprint / total)


def orders(possible):
    """Find the places that values can have in orders of the rows that make every value possible.

    Parameters
    ----------
    possible : array_like of bool, shape (n, n)
        Whether the value of row i is possible in row j.

    Returns
    -------
    ndarray of bool, shape (n, n)
        Whether some order makes all values possible and has the value of row i in row j; all False
        if there is no such order.

    Raises
    ------
    InputError
        If the table is not square.

    Examples
    --------
    >>> orders([[False, True, True], [True, True, False], [False, False, True]]).tolist()
    [[False, True, False], [True, False, False], [False, False, True]]
    """
    possible = np.asarray(possible, dtype=bool)
    if possible.ndim != 2 or possible.shape[0] != possible.shape[1]:
        raise checks.InputError(
            f"possible has shape {possible.shape}; pass one row and one column for each value."
        )
    found = np.zeros_like(possible)
    for i, j in np.argwhere(possible):
        rest = possible.copy()
        rest[i], rest[:, j] = False, False
        rest[i, j] = True
        found[i, j] = (
            sparse.csgraph.maximum_bipartite_matching(sparse.csr_matrix(rest)) >= 0
        ).all()
    return found


def infer_side(texts, scores_a, scores_b, test=None):
    """Say which system a column of p-values can favour, given the scores.

    Parameters
    ----------
    texts, scores_a, scores_b : sequence of str
        p-values and scores as printed; higher is better.
    test : str, optional
        The test that gave them, one of `paired.TESTS`; without it, or by a test of ranks or signs,
        a one-sided p-value need not follow the scores.

    Returns
    -------
    DataFrame
        One row per side of `SIDES`: ``side``, ``misfits`` (number of p-values on the wrong side of
        1/2) and ``possible``.

    Notes
    -----
    For a test of the scores themselves, a one-sided p-value is below 1/2 exactly if its system
    scores higher, and one for the system ahead never exceeds 1/2. Two-sided p-values always fit.
    A p-value is not a misfit if its digits, or tied scores, leave both sides open.

    Examples
    --------
    >>> infer_side(["0.4823", "0.9507"], ["0.7115", "0.8455"], ["0.7185", "0.845"], "mcnemar")
            side  misfits  possible
    0    greater        2     False
    1       less        0      True
    2     leader        1     False
    3  two-sided        0      True
    """
    if test is not None:
        checks.choice("test", test, paired.TESTS)
    digit = finest_digit([*scores_a, *scores_b])
    leads, below, above = [], [], []
    for p, a, b in zip(
        printed_column(texts, "either"),
        *([printed_interval(text, digit) for text in column] for column in (scores_a, scores_b)),
        strict=True,
    ):
        leads.append((a.low >= b.high) - (b.low >= a.high))
        below.append(p.high < 0.5)
        above.append(p.low > 0.5)
    leads, below, above = map(np.array, (leads, below, above))
    misfits = {
        "greater": (below & (leads < 0)) | (above & (leads > 0)),
        "less": (below & (leads > 0)) | (above & (leads < 0)),
        LEADER: above & (leads != 0),
        "two-sided": np.zeros(len(leads), bool),
    }
    follows = test is not None and paired.TESTS[test].signed
    return pd.DataFrame(
        [
            (side, int(wrong.sum()), bool(not (follows and wrong.any())))
            for side, wrong in misfits.items()
        ],
        columns=["side", "misfits", "possible"],
    )


def leader(a, b):
    """Return the alternative that favours the system with the higher printed score."""
    return "greater" if printed_interval(a).value >= printed_interval(b).value else "less"
