"""From scores of items to one p-value per dataset, by the test of the comparison."""

import math

import numpy as np
import pandas as pd
from scipy import special

from replicability.core import (
    as_read,
    claimed,
    dependence,
    gates,
    in_runs,
    orientation,
    over_runs,
    procedure,
    recommendation,
    roles,
    units,
    unpaired,
)
from replicability.core.gates import placed
from replicability.core.tested import Tested
from replicability.io import beside, formats, pvalues
from replicability.io.declared import OF_BOTH, OF_JUDGED
from replicability.io.progress import watched
from replicability.stats import margins, metrics, paired

LEVEL = 0.95
"""Confidence level of the interval of each difference."""

FOR_SYMMETRIC = ("sign_flip", "paired_t", "paired_bootstrap")
"""Tests of means that need symmetric differences or many items."""

COUNTED = ("wins", "ties", "losses")
"""Columns that count the items on which A is better, equal or worse."""


def evaluate(comparison, datasets=None, *, both=True, measured=None):
    """Return the p-values of a comparison: read, or computed from its items.

    `comparison`: a comparison that starts at p-values or at items. `datasets` (sequence of
    instances.Dataset): what `formats.read` returns for it, if it was read before. `both`: whether
    scores are also tested in the other direction (``p_reverse``). `measured` (dependence.Measured):
    the dependence of these datasets, if it was measured for another claim about them.

    Returns Tested. One row per dataset, in the order of the file: ``dataset``, ``p_value`` of the
    one-sided hypothesis "A is not better", and ``score_a``, ``score_b`` if there are scores. From
    items also ``p_reverse`` of "B is not better"; ``difference`` of the scores, with ``low`` and
    ``high``, its confidence interval at 95%, and its ``standard_error``; where only "A is better"
    is asked ``at_least``, the limit of its one-sided interval at 95%; ``n``, the number of items;
    `COUNTED`, on how many of them A is better, equal and worse; and the ``test`` and ``how`` it
    computed the p-value. With a margin p-values are of its hypothesis (`stats.margins`), the
    columns have the ``margin`` and, as "equivalent" is the same claim for B, no ``p_reverse`` of
    it. Where a unit is larger than an item, the number of ``units`` and the ``design_effect``;
    `as_read.columns` of what the files say.

    Raises `InputError`: as `orientation.read_pvalues`, `formats.read`, `dependence.measure`, the
    checks of `gates` and the test; a fault of the scores names the dataset.

    Notes
    -----
    The score of a dataset is the metric of the sums over its items: the sum of scores over the
    sum of sizes, or the mean where there are no sizes; for ratings Spearman's correlation with
    gold, or Pearson's if the option `kind` says so. Tests that take one score for each item get
    the metric of its own sums, such as the accuracy of a sentence; the interval is still that of
    the difference of the scores of the dataset, by the jackknife.

    Where a test draws resamples, each dataset has its own child of the seed, by its name, so that
    datasets do not influence each other; the same resamples serve both directions, so that
    ``p_reverse`` is the p-value with A and B swapped.
    """
    if comparison.level == "p-values":
        claimed.refuse_read(comparison)
        comparison = beside.with_scores(comparison)
    gates.check_question(comparison)
    if comparison.level == "p-values":
        table = orientation.read_pvalues(comparison)
        with placed(comparison):
            procedure.check(comparison, table)
        return table
    datasets = formats.read(comparison) if datasets is None else datasets
    if comparison.level == "counts":
        return unpaired.evaluate(comparison, datasets, both=both)
    if comparison.claim_covers == "runs":
        return over_runs.evaluate(comparison, datasets)
    _check_scores(comparison, datasets)
    turned, scored = orientation.orient(comparison, datasets)
    drawn, kinds = [], set()
    for dataset in scored:
        with placed(comparison, dataset.name):
            drawn.append(units.by_unit(dataset))
            kinds.add(recommendation.kind_of_dataset(drawn[-1]))
    if measured is None:
        with placed(comparison):
            measured = dependence.measure(comparison, datasets, drawn)
    scores = recommendation.most_general(kinds), drawn[0].metric
    carries = {"with_margin": comparison.claim != "better"}
    recommended = recommendation.recommend(*scores, **carries).test
    recommended = comparison.test if comparison.splits else recommended
    recommended = OF_BOTH[0] if comparison.crossed else recommended
    recommended = OF_JUDGED if "human" in comparison.columns else recommended
    test = comparison.test or recommended
    gates.check_test(comparison, test)
    with placed(comparison):
        tests = claimed.hypotheses(comparison, test, [dataset.name for dataset in drawn])
    rows, corrected = [], {}
    for dataset, whole in watched([*zip(drawn, scored, strict=True)], comparison.title):
        own = tests[dataset.name]
        with placed(comparison, dataset.name):
            claimed.refuse_points(comparison, whole, own)
            rows.append(compare_dataset(comparison, test, dataset, own, whole, both=both))
        if test in FOR_SYMMETRIC:
            corrected[dataset.name] = _corrected(dataset, own)
    told = as_read.columns(comparison, datasets) | in_runs.columns(comparison, drawn)
    table = pd.DataFrame(rows).assign(**told)
    with placed(comparison):
        found = Tested(
            table,
            **as_read.attributes(comparison, datasets),
            **claimed.joint_information(comparison, drawn, tests, set(table["test"])),
            dependence=measured,
            corrected=corrected,
            recommended_test=recommended,
            why=recommendation.explain(test, *scores, **carries),
            turned=turned,
            covers=comparison.claim_covers,
            read=roles.of_scores(comparison, comparison.systems, datasets),
        )
        procedure.check(comparison, found)
    return found


def _check_scores(comparison, datasets):
    """Refuse datasets whose names look alike, and systems on different scales."""
    pvalues.refuse_alike(comparison.source, [dataset.name for dataset in datasets])
    if datasets[0].gold is None and datasets[0].metric is None:
        sized = datasets[0].a.ndim == 2
        sides = [(d.name, [s[:, 0] if sized else s for s in (d.a, d.b)]) for d in datasets]
        gates.check_scores(comparison, comparison.systems, sides, sized)


def compare_dataset(comparison, test, dataset, tests, whole, *, both=True):
    """Test the claim on one dataset, in both directions unless they are one.

    `comparison`: what is asked. `test`: name of the test. `dataset`: scores of units. `tests`
    (tuple of (str, float)): as `claimed.hypotheses` gives them for the dataset. `whole`: scores of
    the items, the same object where they are the units. `both`: whether the other direction is
    tested, too.

    Returns dict. The row of the dataset, as `evaluate` describes it.
    """
    entry = paired.lookup(test)
    takes = entry.takes
    a, b, more = prepare(takes, dataset)
    options = more | comparison.options_of(dataset.name) | in_runs.options(comparison, dataset)
    if "rng" in entry.options:
        options["rng"] = seed_of(comparison, dataset.name)
    result = margins.run(test, a, b, tests, **options)
    of_sums = dataset.a.ndim == 2 and takes in ("scores", "outcomes")
    metric = dataset.metric if dataset.a.ndim == 2 else None
    shown = paired.difference(dataset.a, dataset.b, metric=metric) if of_sums else result
    interval = shown.confidence_interval
    pvalue, how = _bounded(result, tests, interval)
    row = {"dataset": dataset.name, "p_value": pvalue}
    if both and comparison.claim != "equivalent":
        turned = margins.turned(tests)
        reverse = margins.run(test, a, b, turned, **options)
        row["p_reverse"], _ = _bounded(reverse, turned, interval)
    scores = np.array([*shown.scores, shown.effect, interval.low, interval.high])
    columns = ("score_a", "score_b", "difference", "low", "high")
    scale = 100 if comparison.per_cent else 1
    row |= dict(zip(columns, (scale * scores).tolist(), strict=True))
    if not comparison.two_sided and comparison.claim != "equivalent":
        one_sided = {"confidence_level": 2 * LEVEL - 1}
        found = paired.difference(dataset.a, dataset.b, metric=metric)
        if interval == found.confidence_interval:
            found = paired.difference(dataset.a, dataset.b, metric=metric, **one_sided)
        else:  # an interval of the test's own
            found = margins.run(test, a, b, tests, **options | one_sided)
        row["at_least"] = scale * found.confidence_interval.low
    error = None if dataset.gold is not None else units.standard_error(dataset)
    error = _error(error, dataset, result, interval, options)
    row |= {"standard_error": scale * error, "n": result.n}
    if result.skewness is not None:
        row["skewness"] = result.skewness
    if dataset.human is not None:
        row["labelled"] = int(np.count_nonzero(~np.isnan(dataset.human[0])))
    differing = result.n if result.wins is None else result.wins + result.losses
    row["floor"] = paired.floor(test, differing, **comparison.options)
    if test == "paired_bootstrap" and metric:
        filled = int((np.hstack([dataset.a, dataset.b]) != 0).any(axis=1).sum())
        row |= {"filled": filled} if filled < len(dataset) else {}  # others change no sum
    row |= {"test": test, "how": how, **claimed.columns(comparison, dataset.name)}
    if whole is not dataset:
        effect = units.design_effect(whole, dataset)
        row |= {"n": len(whole), "units": len(dataset), "design_effect": effect}
    return row | _count(whole)


def _error(error, dataset, result, interval, options):
    """Return the standard error of a difference as its test takes it, from that of items."""
    if error is None:  # of correlations, from their interval
        return float((interval.high - interval.low) / 2 / special.ndtri(0.5 + LEVEL / 2))
    if dataset.human is not None:
        return paired.judged_error(*prepare("judged", dataset)[:2])
    if "paired_runs" in options:
        return paired.standard_error(*in_runs.scores(dataset), options["paired_runs"])
    if "test_share" in options:
        return error * math.sqrt(result.n * paired.variance_factor(result.n, options["test_share"]))
    return error


def _count(dataset):
    """Count the items on which A is better, equal and worse; not of ratings."""
    if dataset.gold is not None:
        return dict.fromkeys(COUNTED)
    a, b, _ = prepare("scores", dataset)
    return dict(zip(COUNTED, (int(of.sum()) for of in (a > b, a == b, a < b)), strict=True))


def _corrected(dataset, tests):
    """Return p-values of a dataset, for A and for B, that allow for skew where a test does not."""
    a, b, more = prepare("sums", dataset)
    return tuple(
        max(paired.corrected_for_skew(a, b, side, margin=m, **more) for side, m in one)
        for one in (tests, margins.turned(tests))
    )


def _bounded(result, tests, interval):
    """Return a p-value and how it was made: 1 if it is small though the interval contradicts it."""
    for alternative, margin in tests if result.pvalue < 0.5 else ():
        if interval.high < margin if alternative == "greater" else interval.low > margin:
            return 1.0, f"{result.how}; set to 1, because the interval contradicts the claim"
    return result.pvalue, result.how


def seed_of(comparison, dataset):
    """Return the seed of a dataset, which depends on no other dataset.

    `comparison`: its `seed`. `dataset`: name of the dataset.

    Returns SeedSequence. The child of the seed with the bytes of the name as its key.
    """
    return np.random.SeedSequence(comparison.seed, spawn_key=tuple(dataset.encode()))


def prepare(takes, dataset):
    """Return what a test takes of a dataset.

    `takes`: a key of `paired.TAKES`. `dataset`: the dataset.

    Returns tuple of (ndarray, ndarray, dict). Of A, of B, and as options.
    """
    if takes == "runs":
        return *in_runs.scores(dataset), {}
    if takes == "judged":
        sides = zip((dataset.a, dataset.b), dataset.human, strict=True)
        return *map(np.column_stack, sides), {}
    if takes == "ratings":
        ratings = (side[:, 0] if side.ndim == 2 else side for side in (dataset.a, dataset.b))
        return *ratings, {"gold": dataset.gold}
    if dataset.a.ndim == 1:
        return dataset.a, dataset.b, {}
    if takes == "sums":
        return dataset.a, dataset.b, {"metric": dataset.metric} if dataset.metric else {}
    metric = metrics.METRICS[dataset.metric or "mean"]
    return metric(dataset.a), metric(dataset.b), {}
