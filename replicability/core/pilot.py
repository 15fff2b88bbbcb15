"""A pilot: the plan of a suite from the items of a comparison that was run."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd

from replicability import checks
from replicability.core import recommendation, units
from replicability.core.suite import suite
from replicability.stats import paired


def pilot(datasets, *, alpha=0.05, dependence="independent", method="", **claim):
    """Plan a suite from the items of a pilot.

    Parameters
    ----------
    datasets : sequence of instances.Dataset
        Scores of both systems.
    alpha, dependence, method
        As for `suite`.
    **claim
        `claim`, `margin` and `alternative`, as for `suite`.

    Returns
    -------
    (Suite, DataFrame)
        The plan; and for each ``dataset`` its ``instances``, the ``size`` in the plan, the
        ``design_effect``, the ``spread`` and the observed ``gain``.

    Raises
    ------
    InputError
        If there are gold ratings, whose correlations have no gain, or a dataset has one unit.

    Notes
    -----
    The share of discordant items is (d + 1)/(n + 2), so that it is not 0 where none was seen. Where
    a unit is larger than an item, right and wrong answers get a design effect; of other scores the
    units themselves are counted.
    """
    if any(dataset.gold is not None for dataset in datasets):
        raise checks.InputError(
            "A pilot with gold ratings compares correlations, for which we cannot compute power; "
            "use a score for each item."
        )
    binary = all(recommendation.kind_of(dataset.a, dataset.b) == "binary" for dataset in datasets)
    seen = pd.DataFrame([_seen(dataset, binary) for dataset in datasets])
    _refuse_constant(seen, binary)
    key = "discordant" if binary else "sd"
    planned = suite(
        seen["size"].tolist(),
        **{key: seen["spread"].tolist()},
        alpha=alpha,
        dependence=dependence,
        method=method,
        design_effect=seen["design_effect"].tolist(),
        **claim,
    )
    shares = binary or all(dataset.a.ndim == 2 for dataset in datasets)
    return replace(planned, shares=shares, names=tuple(seen["dataset"])), seen


def _seen(whole, binary):
    """Return what one dataset of a pilot tells: size, design effect, spread and gain."""
    dataset = units.by_unit(whole)
    shown = paired.difference(*map(units.with_size, (dataset.a, dataset.b)), metric=dataset.metric)
    if len(dataset) < 2 or not math.isfinite(shown.standard_error):
        raise checks.InputError(
            f"Dataset {dataset.name!r} of the pilot has {len(dataset)} unit, which shows no "
            "spread; leave it out, or give it at least two."
        )
    row = {"dataset": whole.name, "instances": len(whole), "size": len(dataset)}
    if binary:
        n, d = len(whole), np.count_nonzero(whole.a != whole.b)
        effect = 1.0 if whole is dataset else units.design_effect(whole, dataset)
        effect = effect if effect > 0 else 1.0
        row |= {"size": n, "design_effect": effect, "spread": (d + 1) / (n + 2)}
    else:
        sd = shown.standard_error * math.sqrt(len(dataset))
        row |= {"design_effect": 1.0, "spread": sd}
    return row | {"gain": shown.effect}


def resized(planned, sizes):
    """Return a plan with other datasets, of which each has the mean spread of the first ones.

    Parameters
    ----------
    planned : Suite
        The plan, such as that of a pilot.
    sizes : sequence of int
        Numbers of items of the datasets.

    Returns
    -------
    Suite
        With the means of spread, margin and design effect, weighted by the sizes.

    Raises
    ------
    InputError
        As `Suite`.
    """
    means = {
        key: (float(np.average(values, weights=planned.sizes)),) * len(sizes)
        for key in ("spread", "margin", "design_effect")
        if (values := getattr(planned, key))
    }
    return replace(planned, sizes=tuple(sizes), names=(), **means)


def _refuse_constant(seen, binary):
    """Refuse datasets of a pilot whose differences are all the same."""
    constant = seen["dataset"][seen["spread"] <= 0]
    if not binary and len(constant):
        raise checks.InputError(
            f"Dataset {constant.iloc[0]!r} of the pilot has the same difference on every unit, "
            f"which shows no spread; leave it out, or give {checks.named('sd')}."
        )
