"""Orient scores and p-values: higher scores are better, and p-values are of A's claim."""

from dataclasses import replace

import numpy as np

from replicability import checks
from replicability.core import roles
from replicability.core.gates import placed
from replicability.core.tested import Tested
from replicability.io import beside, instances, pvalues, scales
from replicability.stats import partial_conjunction


def orient(comparison, datasets):
    """Orient the scores of datasets: make a higher one better.

    `comparison`: its ``sign`` says whether a lower score is. `datasets` (sequence of
    instances.Dataset or instances.Several): as they were read.

    Returns float or None: what turned scores are subtracted from: 1 where all are right or wrong or
    have sizes, whose part of the size is turned, else 0; None if a higher score is better. sequence
    of instances.Dataset or instances.Several: with all scores turned, where a lower one is better.

    Raises `InputError`: if a lower one is said to be better, but scores are a metric that is
    computed from sums.
    """
    if comparison.higher_is_better is not False:
        return None, datasets
    metric = next((dataset.metric for dataset in datasets if dataset.metric is not None), None)
    if metric is not None:
        raise checks.InputError(
            f"{comparison.source}: scores are computed as {metric!r}, for which higher values are "
            f"better; leave out {checks.named('higher_is_better')}."
        )
    several = isinstance(datasets[0], instances.Several)
    sides = [side for d in datasets for side in ([d.scores] if several else [d.a, d.b])]
    whole = all(np.isin(side, (0, 1)).all() for side in sides if side.ndim == 1 or several)
    sized = datasets[0].size is not None if several else sides[0].ndim == 2

    def turn(scores, size):
        if scores.ndim == 2 and not several:
            return np.column_stack([scores[:, 1] - scores[:, 0], scores[:, 1]])
        return (size if sized else float(whole)) - scores

    turned = [
        replace(d, scores=turn(d.scores, d.size))
        if several
        else replace(
            d,
            a=turn(d.a, None),
            b=turn(d.b, None),
            runs=_turned_runs(d, whole),
            human=None if d.human is None else float(whole) - d.human,
        )
        for d in datasets
    ]
    return float(whole or sized), turned


def _turned_runs(dataset, whole):
    """Turn the scores of items in runs; with sizes their part of the size."""
    runs = dataset.runs
    if runs is None or runs.cells is None:
        return runs
    whole = float(whole) if dataset.a.ndim == 1 else dataset.a[:, 1:]
    return replace(runs, cells=tuple(whole - cells for cells in runs.cells))


def read_pvalues(comparison):
    """Read the p-values of a comparison, and take them as what they are declared to be.

    `comparison`: a comparison that starts at p-values.

    Returns Tested. As in `orient_pvalues`.

    Raises `InputError`: as `pvalues.read_comparison` and `orient_pvalues`, if scores are on
    different scales, or if it is not known of which side p-values are.
    """
    beside.refuse_two_sided(comparison.source, comparison, comparison.two_sided)
    table = pvalues.read_comparison(comparison)
    beside.refuse_against(comparison, table)
    if "score_a" in table:
        with placed(comparison):
            scales.refuse_units(comparison.systems, table[["score_a", "score_b"]].to_numpy().T)
    return orient_pvalues(replace(comparison, unused=pvalues.unused(comparison)), table)


def orient_pvalues(comparison, table):
    """Take p-values as what they are declared to be.

    `comparison`: its ``sided`` and ``higher_is_better``. `table`: as `pvalues.read_comparison`
    returns it.

    Returns Tested. With one-sided p-values where they are known to be two-sided, and scores of
    which a higher one is better.

    Raises `InputError`: if they are two-sided without scores, or a small one contradicts the scores
    and nobody says of which side it is.
    """
    read, lower = roles.of_pvalues(comparison, table), comparison.higher_is_better is False
    if comparison.sided == "two" and "score_a" not in table:
        raise checks.InputError(
            "Two-sided p-values do not show which system is better; name the scores of both "
            f"systems with {checks.named('scores')}."
        )
    if lower and "score_a" in table:
        table = table.assign(score_a=-table["score_a"], score_b=-table["score_b"])
    _refuse_against(comparison, table)
    if comparison.sided == "two":
        ahead = table["score_a"] - table["score_b"]
        table = table.assign(
            p_value=partial_conjunction.one_sided(table["p_value"], ahead),
            p_reverse=partial_conjunction.one_sided(table["p_value"], -ahead),
        )
    return Tested(table, turned=0.0 if lower else None, read=read)


def _refuse_against(comparison, table):
    """Refuse a small p-value of a dataset on which B's score is higher, if nobody says its side."""
    if comparison.sided or "score_a" not in table or comparison.two_sided:
        return
    against = (table["p_value"] < beside.AGAINST) & (table["score_b"] > table["score_a"])
    if against.any():
        row = table.loc[table["p_value"].where(against).idxmin()]
        a, b = comparison.systems
        raise checks.InputError(
            f"{comparison.source}: on {row['dataset']!r}, the p-value {row['p_value']:g} would "
            f"mean that {a} is better, but {b} has the better score. If the p-values are "
            f"two-sided, declare {checks.given('sided', repr('two'))}; if they are one-sided, "
            f"declare {checks.given('sided', repr('one'))}; if you do not know, declare "
            f"{checks.given('sided', repr('unknown'))}."
        )
