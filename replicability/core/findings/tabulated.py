"""Findings of many comparisons and families as tables."""

import itertools

import numpy as np
import pandas as pd

from replicability.core.findings.finding import find, find_both, has_both
from replicability.core.findings.wording import plural

DIRECTION_COLUMNS = ("comparison", "claim", "alpha", "estimate", "identified")
"""Columns of `both_directions`, without `AGAINST`."""

AGAINST = "named against the scores"
"""Column of `both_directions` that is present if some dataset contradicts its scores."""

GROUP_COLUMNS = ("comparison", "alpha", "group", "datasets", "at_least", "method")
"""Columns of `groups`."""


def both_directions(pairs, alpha):
    """Tabulate on how many datasets each system is better, both directions at once.

    Parameters
    ----------
    pairs : sequence of (study.Comparison, Tested)
        Comparisons with their results; those with p-values of one direction only are left out.
    alpha : float
        Joint level of both directions of a comparison, in (0, 1).

    Returns
    -------
    DataFrame
        One row per direction: ``comparison``, ``claim``, ``alpha``, ``estimate`` (out of n) and
        ``identified``. A last column, ``named against the scores``, is there if printed p-values
        name datasets for A although B scores higher. Such a comparison has the simultaneous bounds
        of `both_systems` that hold by every reading of its p-values, at the joint level; the others
        have estimates by the recommended method, each at half of it.
    """
    rows = []
    for comparison, table in pairs:
        if not has_both(comparison, table):
            continue
        asked = find(comparison, table, alpha)
        joint = asked.doubtful[2].weakest if asked.contradicted else None
        ahead = set(table["dataset"][table["score_b"] > table["score_a"]])
        against = [d for d in asked.identified_datasets if d in ahead]
        for side, finding in zip("ab", find_both(comparison, table, alpha), strict=True):
            k = getattr(joint, side) if joint else finding.k
            rows.append(
                {
                    "comparison": comparison.title,
                    "claim": finding.title,
                    "alpha": alpha if joint else finding.alpha,
                    "estimate": f"{k} of {len(finding.datasets)}",
                    "identified": ", ".join(finding.identified_datasets),
                    AGAINST: ", ".join(against) if side == "b" else "",
                }
            )
    found = pd.DataFrame(rows, columns=[*DIRECTION_COLUMNS, AGAINST])
    return found if found[AGAINST].any() else found[list(DIRECTION_COLUMNS)]


def counts(findings):
    """Tabulate findings in the form of the paper's Table 1.

    Parameters
    ----------
    findings : iterable of Finding
        One per row.

    Returns
    -------
    DataFrame
        Columns ``comparison``, ``datasets`` (n), ``alpha``, ``k_<estimator>`` for each estimator,
        missing where a finding has none by it, and ``recommended``: "" where small p-values of
        unknown side stand against the scores, so that none is.
    """
    table = pd.DataFrame(
        {
            "comparison": finding.title,
            "datasets": len(finding.datasets),
            "alpha": finding.alpha,
            **{f"k_{name}": k for name, k in finding.counts.items()},
            "recommended": "" if finding.contradicted else f"k_{finding.recommended}",
        }
        for finding in findings
    )
    if table.empty:
        return pd.DataFrame(columns=["comparison", "datasets", "alpha", "recommended"])
    counted = [name for name in table if name.startswith("k_")]
    return table.astype({name: "Int64" for name in counted if table[name].hasnans})[
        [*(name for name in table if name != "recommended"), "recommended"]
    ]


def groups(findings):
    """Tabulate the bounds of the declared groups.

    Parameters
    ----------
    findings : iterable of Finding
        Those of more than `procedure.MOST_SUMS` datasets may have no bounds.

    Returns
    -------
    DataFrame
        A row for each finding and group: ``comparison``, ``alpha``, ``group``, ``datasets`` (its
        size), ``at_least`` so many on which A is better, ``method`` (the local test).
    """
    rows = [
        {
            "comparison": finding.title,
            "alpha": finding.alpha,
            "group": name,
            "datasets": len(group),
            "at_least": finding.of_groups.at_least(group),
            "method": finding.of_groups.method,
        }
        for finding in findings
        if finding.of_groups is not None
        for name, group in finding.groups.items()
    ]
    return pd.DataFrame(rows, columns=GROUP_COLUMNS)


FAMILY_COLUMNS = (
    "family",
    "systems",
    "datasets",
    "estimator",
    "alpha",
    "claims",
    "pairs",
    "somewhere",
    "half",
    "everywhere",
)
"""Columns of `family_counts`."""


def family_counts(families, alphas):
    """Summarise all pairs of systems.

    Parameters
    ----------
    families : sequence of (study.Family, all_pairs.Pairs)
        The families with their p-values and the local test of each pair.
    alphas : sequence of float
        Levels.

    Returns
    -------
    DataFrame
        For each family and level one row for pairs taken one by one, and one for all pairs jointly
        (`all_pairs.Pairs.joint_counts`): ``family``, ``systems``,
        ``datasets``, ``estimator``, ``alpha``, ``claims``, the number of ``pairs`` (unordered) of
        which one system is better ``somewhere`` (k-hat of 1 or more), on ``half`` of the datasets
        or more, and ``everywhere``.
    """
    rows = []
    for family, pairs in families:
        n, size = len(pairs.datasets), len(pairs.systems)
        _count(pairs, alphas)
        counts = (("one by one", pairs.counts), ("jointly", pairs.joint_counts))
        for alpha, (claims, count) in itertools.product(alphas, counts):
            k = count(alpha).to_numpy()
            rows.append(
                {
                    "family": family.title,
                    "systems": size,
                    "datasets": n,
                    "estimator": f"k_{pairs.method}",
                    "alpha": alpha,
                    "claims": claims,
                    "pairs": pairs.n_pairs // 2,
                    "somewhere": int((np.maximum(k, k.T) > 0).sum() // 2),
                    "half": int((k >= n / 2).sum()),
                    "everywhere": int((k == n).sum()),
                }
            )
    return pd.DataFrame(rows, columns=FAMILY_COLUMNS)


def _count(pairs, alphas):
    """Count alone and jointly at several levels, at once where both need the same flips."""
    shares = (1,) if pairs.by_flips else (1, pairs.n_pairs)
    pairs.count(alpha / share for alpha in alphas for share in shares)


def plane(pairs, alpha):
    """Tabulate the lower bound of every ordered pair of systems.

    Parameters
    ----------
    pairs : all_pairs.Pairs
        As `all_pairs.compare` returns it.
    alpha : float
        Level, in (0, 1).

    Returns
    -------
    DataFrame of str
        Row A, column B: "12 (9)" where A is better than B on at least 12 datasets with confidence
        1 - alpha, and on at least 9 with the same confidence for all cells at once; "" for a system
        and itself, and where two were not compared. Systems with the same scores stand there once
        (`all_pairs.Pairs.merged`).
    """
    _count(pairs, [alpha])
    alone, jointly = (count(alpha).to_numpy() for count in (pairs.counts, pairs.joint_counts))
    places = pairs.distinct
    cells = {
        b: [
            f"{alone[i, j]} ({jointly[i, j]})" if pairs.compared[i, j] else ""
            for i in places.values()
        ]
        for b, j in places.items()
    }
    return pd.DataFrame(
        {f"lower bound (of {plural(len(pairs.datasets), 'dataset')})": list(places), **cells}
    )
