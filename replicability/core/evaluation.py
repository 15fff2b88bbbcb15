"""From scores of instances to one p-value per dataset, by the test of the comparison."""

from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import special

from replicability import checks
from replicability.core import as_read, claimed, dependence, procedure, recommendation, units
from replicability.core.tested import Tested
from replicability.io import formats, instances, pvalues, scales
from replicability.io.declared import INSTANCE
from replicability.io.progress import watched
from replicability.stats import margins, metrics, paired, partial_conjunction

LEVEL = 0.95
"""Confidence of the interval of each difference."""

FOR_SYMMETRIC = ("sign_flip", "paired_t", "paired_bootstrap")
"""Tests of means that are right for symmetric differences, and else only for many items."""

SET_BY = {
    "alternative": "both directions are computed",
    "gold": "the column 'gold' holds the ratings",
    "margin": "the keys 'claim' and 'margin' set it",
    "rng": "the key 'seed' sets the resamples",
}
"""Options of tests that a study does not list among its options -> what stands for them."""


def evaluate(comparison, datasets=None):
    """Return the p-values of a comparison: read, or computed from its instances.

    Parameters
    ----------
    comparison : study.Comparison
        A comparison that starts at p-values or at instances.
    datasets : sequence of instances.Dataset, optional
        What `formats.read` returns for it, if it was read before.

    Returns
    -------
    Tested
        One row per dataset, in the order of the file: ``dataset``, ``p_value`` of the one-sided
        hypothesis "A is not better", and ``score_a``, ``score_b`` if there are scores. From
        instances also ``p_reverse`` of "B is not better"; ``difference`` of the scores, with
        ``low`` and ``high``, its confidence interval at 95%, and its ``standard_error``; ``n``,
        the number of instances; and the ``test`` and ``how`` it computed the p-value. With a margin
        p-values are of its hypothesis (`stats.margins`), the columns have the ``margin`` and, as
        "equivalent" is the same claim for B, no ``p_reverse`` of it. Where a unit is larger than an
        instance, the number of ``units`` and the ``design_effect``; `as_read.columns` of what the
        files say.

    Raises
    ------
    InputError
        As `pvalues.read_comparison`, `formats.read`, `refuse_scales`, `dependence.measure` and the
        test, or if a lower score is better by its name; a fault of the scores names the dataset.

    Notes
    -----
    The score of a dataset is the metric of the sums over its instances: the sum of scores over the
    sum of sizes, or the mean where there are no sizes; for ratings Spearman's correlation with
    gold, or Pearson's if the option `kind` says so. Tests that take one score for each instance get
    the metric of its own sums, such as the accuracy of a sentence; the interval is still that of
    the difference of the scores of the dataset, by the jackknife.

    Where a test draws resamples, each dataset has its own child of the seed, by its name, so that
    datasets do not influence each other; the same resamples serve both directions, so that
    ``p_reverse`` is the p-value with A and B swapped.
    """
    refuse_lower(comparison)
    if comparison.level == "p-values":
        return _checked(comparison, of_pvalues(comparison, _read(comparison)))
    check_options(comparison)
    datasets = formats.read(comparison) if datasets is None else datasets
    pvalues.refuse_alike(comparison.source, [dataset.name for dataset in datasets])
    if datasets[0].gold is None and datasets[0].metric is None:
        sized = datasets[0].a.ndim == 2
        sides = [(d.name, [s[:, 0] if sized else s for s in (d.a, d.b)]) for d in datasets]
        refuse_scales(comparison, comparison.systems, sides, sized)
    drawn = []
    turned, datasets_ = oriented(comparison, datasets)
    for dataset in datasets_:
        with placed(comparison, dataset.name):
            drawn.append(units.by_unit(dataset))
    with placed(comparison):
        found = dependence.measure(comparison, datasets, drawn)
    advice = _advice(comparison, drawn)
    test = comparison.test or advice[-1].test
    refuse_single(comparison, test)
    with placed(comparison):
        tests = claimed.hypotheses(comparison, test, [dataset.name for dataset in drawn])
    rows = []
    for dataset, whole in watched([*zip(drawn, datasets_, strict=True)], comparison.title):
        with placed(comparison, dataset.name):
            claimed.refuse_points(comparison, dataset, tests[dataset.name])
            row = _tested(comparison, test, dataset, tests[dataset.name])
            rows.append({"dataset": dataset.name} | row)
            if whole is not dataset:
                rows[-1] |= _of_units(whole, dataset)
    table = pd.DataFrame(rows).assign(**as_read.columns(comparison, datasets))
    known = as_read.attributes(comparison, datasets) | {"dependence": found}
    known["corrected"] = _corrected(test, drawn, tests)
    known |= {"recommended_test": advice[-1].test, "why": _why(test, *advice), "turned": turned}
    if comparison.shared:
        with placed(comparison):
            known |= claimed.flips(comparison, drawn, tests)
            known["covariance"] = units.covariance(drawn, comparison.shared, _scale(comparison))
    else:
        known |= claimed.draws(comparison, drawn, set(table["test"]))
    return _checked(comparison, Tested(table, **known))


def oriented(comparison, datasets):
    """Turn the scores of datasets so that a higher one is better.

    Parameters
    ----------
    comparison : study.Comparison
        Its ``sign`` says whether a lower score is.
    datasets : sequence of instances.Dataset or instances.Several
        As they were read.

    Returns
    -------
    float or None
        What turned scores are subtracted from: 1 where all are right or wrong or have sizes, whose
        part of the size is turned, else 0; None if a higher score is better.
    sequence of instances.Dataset or instances.Several
        With all scores turned, where a lower one is better.

    Raises
    ------
    InputError
        If a lower one is said to be better, but scores are a metric that is computed from sums.
    """
    if comparison.higher_is_better is not False:
        return None, datasets
    metric = next((dataset.metric for dataset in datasets if dataset.metric is not None), None)
    if metric is not None:
        raise checks.InputError(
            f"{comparison.source}: scores are computed as {metric!r}, of which a higher value is "
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
        else replace(d, a=turn(d.a, None), b=turn(d.b, None))
        for d in datasets
    ]
    return float(whole or sized), turned


def _read(comparison):
    """Return the p-values that are read, with scores on one scale if there are any."""
    claimed.refuse_read(comparison)
    table = pvalues.read_comparison(comparison)
    if "score_a" in table:
        with placed(comparison):
            scales.refuse_units(comparison.systems, table[["score_a", "score_b"]].to_numpy().T)
    return table


def of_pvalues(comparison, table):
    """Read p-values as what they are declared to be.

    Parameters
    ----------
    comparison : study.Comparison
        Its ``sided`` and ``higher_is_better``.
    table : DataFrame
        As `pvalues.read_comparison` returns it.

    Returns
    -------
    Tested
        With one-sided p-values where they are known to be two-sided, and scores of which a higher
        one is better.

    Raises
    ------
    InputError
        If they are two-sided without scores, or a small one contradicts the scores and nobody says
        of which side it is.
    """
    lower = comparison.higher_is_better is False
    if comparison.sided == "two" and "score_a" not in table:
        raise checks.InputError(
            "Two-sided p-values do not tell who is better; name the columns of both scores with "
            f"{checks.named('scores')}."
        )
    if lower and "score_a" in table:
        table = table.assign(score_a=-table["score_a"], score_b=-table["score_b"])
    _refuse_against(comparison, table)
    return Tested(_turned(comparison, table), turned=0.0 if lower else None)


AGAINST = 0.1
"""A p-value up to here says that A is better, which higher scores of B contradict."""


def _refuse_against(comparison, table):
    """Refuse a small p-value of a dataset on which B's score is higher, if nobody says its side."""
    if comparison.sided or "score_a" not in table or comparison.two_sided:
        return
    against = (table["p_value"] <= AGAINST) & (table["score_b"] > table["score_a"])
    if against.any():
        row = table[against].iloc[0]
        a, b = comparison.systems
        named = checks.named("sided")
        raise checks.InputError(
            f"{comparison.source}: on {row['dataset']!r} the p-value {row['p_value']:g} would say "
            f"that {a} is better, but the score of {b} is the better one. Are p-values two-sided? "
            f"Then declare {checks.given('sided', 'two')}; {named} one says that they are not, and "
            f"{named} unknown that nobody knows."
        )


def _advice(comparison, datasets):
    """Recommend a test for the units of a comparison, as the paper does and as this package."""
    kinds = set()
    for dataset in datasets:
        with placed(comparison, dataset.name):
            kinds.add(kind_of(dataset))
    metric, with_margin = datasets[0].metric, comparison.claim != "better"
    paper = recommended(kinds, metric, of=recommendation.in_the_paper)
    return paper, recommended(kinds, metric, with_margin=with_margin)


def _why(test, paper, advice):
    """Say why a test is used, or what the paper uses for such scores."""
    for choice in (advice, paper):
        if test == choice.test:
            where = f" ({choice.section})" if choice.section else ""
            return f"Test: {test}, because {choice.why}{where}. It assumes that {choice.assumes}."
    return f"Test: {test}, as you ask; for such scores the paper uses {paper.test}."


def _checked(comparison, table):
    """Return a table of whose datasets the procedure and the groups of a comparison can speak."""
    with placed(comparison):
        procedure.check(comparison, table)
    return table


def refuse_single(comparison, test):
    """Refuse a test of single instances where units are larger.

    Parameters
    ----------
    comparison : study.Comparison
        Its `unit`.
    test : str
        Name of the test.

    Raises
    ------
    InputError
        If the unit is larger than an instance, and the test takes no sums.
    """
    if comparison.unit != INSTANCE and paired.lookup(test).takes != "sums":
        possible = [name for name in paired.TESTS if paired.lookup(name).takes == "sums"]
        raise checks.InputError(
            f"{comparison.source}: the test {test!r} takes a score of each single instance, but "
            f"the unit is {comparison.unit!r}, of which scores are summed; choose one of "
            f"{', '.join(possible)}, or leave {checks.named('test')} out."
        )


def _of_units(instances, units_):
    """Return what a row says besides where instances are not the units."""
    effect = units.design_effect(instances, units_)
    return {"n": len(instances), "units": len(units_), "design_effect": effect}


def recommended(kinds, metric=None, *, with_margin=False, of=recommendation.recommend):
    """Recommend a test for the scores of all datasets.

    Parameters
    ----------
    kinds : set of str
        Kinds of the scores of the datasets, of `recommendation.SCORE_KINDS`.
    metric : str, optional
        Metric of their sums.
    with_margin : bool, default False
        Whether the test has to carry a margin.
    of : callable, optional
        `recommendation.recommend`, or `recommendation.in_the_paper`, which knows no margin.

    Returns
    -------
    recommendation.Recommendation
        The one for the most general kind: ratings, numbers, sums, or right and wrong.

    Examples
    --------
    >>> recommended({"binary", "real"}).test, recommended({"binary"}).test
    ('mean_difference', 'mcnemar')
    """
    kind = next(kind for kind in ("ratings", "real", "counts", "binary") if kind in kinds)
    return of(kind, metric, **({"with_margin": True} if with_margin else {}))


def check_options(comparison):
    """Check that a comparison leaves to the program what the program sets.

    Parameters
    ----------
    comparison : study.Comparison
        A comparison that starts at instances.

    Raises
    ------
    InputError
        If one of `SET_BY` is among its options, or gold ratings are needed and not named.
    """
    for option, instead in SET_BY.items():
        if option in comparison.options:
            raise checks.InputError(
                f"Comparison {comparison.name!r} has the option {option!r}, but {instead}; leave "
                "it out."
            )
    rated = comparison.test and paired.lookup(comparison.test).takes == "ratings"
    if rated and "gold" not in comparison.columns:
        raise checks.InputError(
            f"The test {comparison.test!r} needs gold ratings; name them with "
            f"{checks.named('gold')}, or choose another test with {checks.named('test')}."
        )


def refuse_lower(comparison):
    """Refuse a comparison whose scores are better if they are lower, by their name.

    Parameters
    ----------
    comparison : study.Comparison
        Its `metric`, its column of scores and what it calls its `score`; p-values without scores
        have none.

    Raises
    ------
    InputError
        If one of them is a metric of `scales.LOWER_IS_BETTER`.
    """
    columns = comparison.columns
    if comparison.level == "p-values" and "scores" not in columns:
        return
    metric = comparison.metric
    metrics_ = metric.values() if isinstance(metric, dict) else [metric]
    scored = scales.of_systems([*columns.get("scores", ())] or [""])
    for name in (*metrics_, columns.get("score", ""), comparison.score, scored):
        scales.refuse_lower(comparison.source, name, comparison.higher_is_better)


def refuse_scales(comparison, systems, datasets, sized):
    """Refuse systems whose scores are on different scales, in a dataset or in all together.

    Parameters
    ----------
    comparison : study.Comparison
        Its files, for the message.
    systems : sequence of str
        The s systems.
    datasets : sequence of (str, sequence of ndarray of float64)
        For each dataset its name and the scores of each system, of scores with sizes the
        numerators.
    sized : bool
        Whether scores have sizes; then none is above its size, and units cannot differ.

    Raises
    ------
    InputError
        As `scales.refuse_units` for a dataset and for all together, and
        `scales.refuse_different` for all together.
    """
    for name, scores in () if sized else datasets:
        with placed(comparison, name):
            scales.refuse_units(systems, scores)
    together = [np.concatenate(side) for side in zip(*(s for _, s in datasets), strict=True)]
    with placed(comparison):
        if not sized:
            scales.refuse_units(systems, together)
        scales.refuse_different(systems, together)


def seed_of(comparison, dataset):
    """Return the seed of a dataset, which depends on no other dataset.

    Parameters
    ----------
    comparison : study.Comparison
        Its `seed`.
    dataset : str
        Name of the dataset.

    Returns
    -------
    SeedSequence
        The child of the seed with the bytes of the name as its key.
    """
    return np.random.SeedSequence(comparison.seed, spawn_key=tuple(dataset.encode()))


def seeded(comparison, test, dataset):
    """Return the options of a test, with the seed of the dataset if it draws resamples.

    Parameters
    ----------
    comparison : study.Comparison
        A comparison that starts at instances.
    test : str
        Name of the test.
    dataset : str
        Name of the dataset.

    Returns
    -------
    dict
        Keyword arguments of `paired.run`.
    """
    draws = "rng" in paired.lookup(test).options
    return comparison.options | ({"rng": seed_of(comparison, dataset)} if draws else {})


@contextmanager
def placed(comparison, dataset=None):
    """Name the source of a comparison, and a dataset, before the message of an error.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    dataset : str, optional
        Name of the dataset.

    Yields
    ------
    None

    Raises
    ------
    InputError
        In place of one that is raised inside.
    """
    try:
        yield
    except checks.InputError as error:
        where = "" if dataset is None else f", dataset {dataset!r}"
        raise checks.InputError(f"{comparison.source}{where}: {error}") from None


def kind_of(dataset):
    """Tell the kind of the scores of a dataset, one of `recommendation.SCORE_KINDS`.

    Means over runs of whole numbers, such as right and wrong, are counts over the number of runs.
    """
    if dataset.gold is None:
        kind = recommendation.kind_of(dataset.a, dataset.b)
        counted = kind == "real" and dataset.runs is not None and dataset.runs.whole
        return "counts" if counted else kind
    return recommendation.kind_of(*_ratings(dataset), dataset.gold)


def _ratings(dataset):
    """Return the ratings of both systems, without sizes."""
    return tuple(side[:, 0] if side.ndim == 2 else side for side in (dataset.a, dataset.b))


def _turned(comparison, table):
    """Return p-values that are read as one-sided ones, where they are known to be two-sided."""
    if comparison.sided != "two":
        return table
    ahead = table["score_a"] - table["score_b"]
    return table.assign(
        p_value=partial_conjunction.one_sided(table["p_value"], ahead),
        p_reverse=partial_conjunction.one_sided(table["p_value"], -ahead),
    )


def _tested(comparison, test, dataset, tests):
    """Test the claim on one dataset."""
    takes = paired.lookup(test).takes
    a, b, more = given(takes, dataset)
    options = more | seeded(comparison, test, dataset.name)
    result = margins.run(test, a, b, tests, **options)
    shown = result
    if dataset.a.ndim == 2 and takes in ("scores", "outcomes"):
        shown = paired.difference(dataset.a, dataset.b, metric=dataset.metric)
    interval = shown.confidence_interval
    pvalue, how = _bounded(result, tests, interval)
    back = {}
    if comparison.claim != "equivalent":
        turned = margins.turned(tests)
        reverse = margins.run(test, a, b, turned, **options)
        back["p_reverse"], _ = _bounded(reverse, turned, interval)
    scores = np.array([*shown.scores, shown.effect, interval.low, interval.high])
    columns = ("score_a", "score_b", "difference", "low", "high")
    scale = _scale(comparison)
    return {
        "p_value": pvalue,
        **back,
        **dict(zip(columns, (scale * scores).tolist(), strict=True)),
        "standard_error": scale * _standard_error(dataset, interval),
        "n": result.n,
        **({} if result.skewness is None else {"skewness": result.skewness}),
        "floor": _floor(test, result, comparison.options),
        "test": test,
        "how": how,
        **claimed.columns(comparison, dataset.name),
    }


def _corrected(test, datasets, tests):
    """Return p-values of each dataset that allow for skew, where a test does not."""
    if test not in FOR_SYMMETRIC:
        return {}
    found = {}
    for dataset in datasets:
        a, b, more = given("sums", dataset)
        both = (tests[dataset.name], margins.turned(tests[dataset.name]))
        found[dataset.name] = tuple(
            max(paired.corrected_for_skew(a, b, side, margin=m, **more) for side, m in one)
            for one in both
        )
    return found


def _floor(test, result, options):
    """Return the smallest p-value that the test could give, of as many items as differ."""
    differing = result.n if result.wins is None else result.wins + result.losses
    return paired.floor(test, differing, **options)


def _bounded(result, tests, interval):
    """Return a p-value and how it was made: 1 if it is small though the interval contradicts it."""
    for alternative, margin in tests if result.pvalue < 0.5 else ():
        if interval.high < margin if alternative == "greater" else interval.low > margin:
            return 1.0, f"{result.how}; 1, as the interval of the difference contradicts the claim"
    return result.pvalue, result.how


def _scale(comparison):
    """Return what scores are multiplied with."""
    return 100 if comparison.per_cent else 1


def _standard_error(dataset, interval):
    """Return the standard error of the difference; of correlations from their interval."""
    if dataset.gold is None:
        return units.standard_error(dataset)
    return float((interval.high - interval.low) / 2 / special.ndtri(0.5 + LEVEL / 2))


def given(takes, dataset):
    """Return what a test takes of a dataset.

    Parameters
    ----------
    takes : str
        A key of `paired.TAKES`.
    dataset : instances.Dataset
        The dataset.

    Returns
    -------
    tuple of (ndarray, ndarray, dict)
        Of A, of B, and as options.
    """
    if takes == "ratings":
        return *_ratings(dataset), {"gold": dataset.gold}
    if dataset.a.ndim == 1:
        return dataset.a, dataset.b, {}
    if takes == "sums":
        return dataset.a, dataset.b, {"metric": dataset.metric} if dataset.metric else {}
    metric = metrics.METRICS[dataset.metric or "mean"]
    return metric(dataset.a), metric(dataset.b), {}
