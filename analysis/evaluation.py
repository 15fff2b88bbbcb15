"""From scores of instances to one p-value per dataset, by the test of the comparison."""

from contextlib import contextmanager

import numpy as np
import pandas as pd

from analysis import (
    checks,
    data,
    formats,
    recommendation,
    replicability,
    scoring,
    significance,
)

OF_SUMS = ("paired_bootstrap", "sign_flip")
"""Tests that take sums of a metric, where instances have them."""

OF_RATINGS = ("steiger", "williams", "meng", "rating_bootstrap")
"""Tests that take gold ratings."""

SET_BY = {
    "alternative": "both directions are computed",
    "gold": "the column 'gold' holds the ratings",
    "rng": "the key 'seed' sets the resamples",
}
"""Options of tests that a study does not list among its options -> what stands for them."""


def evaluate(comparison):
    """Return the p-values of a comparison: read, or computed from its instances.

    Parameters
    ----------
    comparison : data.Comparison
        A comparison that starts at p-values or at instances.

    Returns
    -------
    DataFrame
        One row per dataset, in the order of the file: ``dataset``, ``p_value`` of the one-sided
        hypothesis "A is not better", and ``score_a``, ``score_b`` if there are scores. From
        instances also ``p_reverse`` of "B is not better"; ``difference`` of the scores, with
        ``low`` and ``high``, its confidence interval at 95%; ``n``, the number of instances; and
        the ``test`` and ``how`` it computed the p-value.

    Raises
    ------
    InputError
        As `data.read_comparison`, `formats.read` and the test; a fault of the scores names the
        dataset.

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
    if comparison.level == "p-values":
        return _turned(comparison, data.read_comparison(comparison))
    check_options(comparison)
    datasets = formats.read(comparison)
    data.refuse_alike(comparison.source, [dataset.name for dataset in datasets])
    kinds = set()
    for dataset in datasets:
        with placed(comparison, dataset.name):
            _refuse_scales(comparison, dataset)
            if not comparison.test:
                kinds.add(_kind(dataset))
    test = comparison.test or recommended(kinds, datasets[0].metric, map(len, datasets)).test
    rows = []
    for dataset in datasets:
        with placed(comparison, dataset.name):
            rows.append({"dataset": dataset.name} | _tested(comparison, test, dataset))
    return pd.DataFrame(rows)


def recommended(kinds, metric=None, sizes=()):
    """Recommend a test for the scores of all datasets.

    Parameters
    ----------
    kinds : set of str
        Kinds of the scores of the datasets, of `recommendation.SCORE_KINDS`.
    metric : str, optional
        Metric of their sums.
    sizes : iterable of int, optional
        Numbers of instances of the datasets.

    Returns
    -------
    recommendation.Recommendation
        The one for the most general kind: ratings, numbers, sums, or right and wrong; without
        sizes it is what the paper's Section 6.2 chooses.

    Examples
    --------
    >>> recommended({"binary", "real"}).test, recommended({"counts"}, "f1").test
    ('wilcoxon', 'paired_bootstrap')
    >>> recommended({"counts"}, "f1", sizes=[40, 500]).test
    'sign_flip'
    """
    kind = next(kind for kind in ("ratings", "real", "counts", "binary") if kind in kinds)
    return recommendation.recommend(kind, metric, sizes=tuple(sizes))


def check_options(comparison):
    """Check that a comparison leaves to the program what the program sets.

    Parameters
    ----------
    comparison : data.Comparison
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
    if comparison.test in OF_RATINGS and "gold" not in comparison.columns:
        raise checks.InputError(
            f"Comparison {comparison.name!r} has the test {comparison.test!r}, which needs gold "
            "ratings, but no column 'gold'; name it, or choose another test."
        )


def seed_of(comparison, dataset):
    """Return the seed of a dataset, which depends on no other dataset.

    Parameters
    ----------
    comparison : data.Comparison
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
    comparison : data.Comparison
        A comparison that starts at instances.
    test : str
        Name of the test.
    dataset : str
        Name of the dataset.

    Returns
    -------
    dict
        Keyword arguments of `significance.run`.
    """
    draws = "rng" in significance.options_of(test)
    return comparison.options | ({"rng": seed_of(comparison, dataset)} if draws else {})


@contextmanager
def placed(comparison, dataset):
    """Name the source of a comparison and a dataset before the message of an error.

    Parameters
    ----------
    comparison : data.Comparison
        The comparison.
    dataset : str
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
        raise checks.InputError(f"{comparison.source}, dataset {dataset!r}: {error}") from None


def _kind(dataset):
    """Tell the kind of the scores of a dataset."""
    if dataset.gold is None:
        return recommendation.kind_of(dataset.a, dataset.b)
    return recommendation.kind_of(*_ratings(dataset), dataset.gold)


def _ratings(dataset):
    """Return the ratings of both systems, without sizes."""
    return tuple(side[:, 0] if side.ndim == 2 else side for side in (dataset.a, dataset.b))


def _refuse_scales(comparison, dataset):
    """Refuse scores of which one system's are shares and the other's per cent."""
    if dataset.gold is not None or dataset.a.ndim == 2:
        return
    sides = list(zip(comparison.systems, (dataset.a, dataset.b), strict=True))
    for (share, low), (cent, high) in (sides, sides[::-1]):
        shares = (low >= 0).all() and (low <= 1).all() and ((low > 0) & (low < 1)).any()
        cents = (high >= 0).all() and (high <= 100).all() and np.median(high) > 10
        if shares and cents:
            raise checks.InputError(
                f"The scores of {share} lie in [0, 1], but those of {cent} reach {high.max():g}; "
                "give the scores of both systems in the same unit."
            )


def _turned(comparison, table):
    """Return p-values that are read as one-sided ones, where they are known to be two-sided."""
    if comparison.sided != "two":
        return table
    ahead = table["score_a"] - table["score_b"]
    return table.assign(
        p_value=replicability.one_sided(table["p_value"], ahead),
        p_reverse=replicability.one_sided(table["p_value"], -ahead),
    )


def _tested(comparison, test, dataset):
    """Test one dataset."""
    options = seeded(comparison, test, dataset.name)
    a, b = dataset.a, dataset.b
    by_instance = a.ndim == 2 and test not in (*OF_SUMS, *OF_RATINGS)
    metric = scoring.METRICS[dataset.metric or "mean"]
    if test in OF_RATINGS:
        a, b = _ratings(dataset)
        options["gold"] = dataset.gold
    elif test in OF_SUMS and dataset.metric:
        options.setdefault("metric", dataset.metric)
    elif by_instance:
        a, b = metric(a), metric(b)
    result = significance.run(test, a, b, **options)
    reverse = significance.run(test, a, b, **options, alternative="less")
    shown = _scores(dataset, metric, test, options)
    difference, low, high = _difference(dataset, shown) if by_instance else _effect(result)
    unit = 100 if comparison.per_cent else 1
    return {
        "p_value": result.pvalue,
        "p_reverse": reverse.pvalue,
        "score_a": unit * shown[0],
        "score_b": unit * shown[1],
        "difference": unit * difference,
        "low": unit * low,
        "high": unit * high,
        "n": result.n,
        "test": test,
        "how": result.how,
    }


def _scores(dataset, metric, test, options):
    """Return the scores of both systems on a dataset."""
    if test in OF_RATINGS:
        kind = options.get("kind", "spearman")
        gold = pd.Series(dataset.gold)
        return tuple(gold.corr(pd.Series(side), method=kind) for side in _ratings(dataset))
    if dataset.a.ndim == 1:
        return tuple(side.sum() / len(side) for side in (dataset.a, dataset.b))
    return tuple(float(metric(side.sum(axis=0))) for side in (dataset.a, dataset.b))


def _effect(result):
    """Return the difference that a test found, and the limits of its interval."""
    interval = result.confidence_interval
    return result.effect, interval.low, interval.high


def _difference(dataset, shown):
    """Return the difference of the metric of sums, and its interval by the jackknife."""
    if len(dataset) < 2:
        return shown[0] - shown[1], -np.inf, np.inf
    options = {"metric": dataset.metric, "n_resamples": 1, "rng": 0}
    return _effect(significance.paired_bootstrap(dataset.a, dataset.b, **options))
