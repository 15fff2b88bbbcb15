"""From scores of instances to one p-value per dataset, by the test that a comparison names."""

import numpy as np
import pandas as pd

from analysis import data, instances, significance

OF_SUMS = ("paired_bootstrap", "sign_flip")
"""Tests that take numerators and denominators, where instances have sizes."""

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
        instances also ``p_reverse`` of "B is not better", ``n``, the number of instances, and
        ``how`` the p-value was computed.

    Raises
    ------
    InputError
        As `data.read_comparison`, `instances.read` and the test; a fault of the scores names the
        dataset.

    Notes
    -----
    The score of a dataset is the mean of its instances' scores; where instances have sizes, the
    sum of scores over the sum of sizes; and for ratings Spearman's correlation with gold, or
    Pearson's if the option `kind` says so. Tests that take one score for each instance get the
    score divided by the size, such as the accuracy of a sentence.

    Where a test draws resamples, each dataset has its own child of the seed, by its position; the
    same resamples serve both directions, so that ``p_reverse`` is the p-value with A and B swapped.
    """
    if comparison.level == "p-values":
        return data.read_comparison(comparison)
    check_options(comparison)
    table = instances.read(comparison)
    seeds = np.random.SeedSequence(comparison.seed)
    rows = []
    for dataset, part in table.groupby("dataset", sort=False):
        try:
            rows.append({"dataset": dataset} | _tested(comparison, part, seeds.spawn(1)[0]))
        except data.InputError as error:
            raise data.InputError(f"{comparison.file}, dataset {dataset!r}: {error}") from None
    return pd.DataFrame(rows)


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
            raise data.InputError(
                f"Comparison {comparison.name!r} has the option {option!r}, but {instead}; leave "
                "it out."
            )
    if comparison.test in OF_RATINGS and "gold" not in comparison.columns:
        raise data.InputError(
            f"Comparison {comparison.name!r} has the test {comparison.test!r}, which needs gold "
            "ratings, but no column 'gold'; name it, or choose another test."
        )


def seeded(comparison, seed):
    """Return the options of a comparison's test, with the seed if it draws resamples.

    Parameters
    ----------
    comparison : data.Comparison
        A comparison that starts at instances.
    seed : SeedSequence
        Seed of a dataset.

    Returns
    -------
    dict
        Keyword arguments of `significance.run`.
    """
    draws = "rng" in significance.options_of(comparison.test)
    return comparison.options | ({"rng": seed} if draws else {})


def _tested(comparison, part, seed):
    """Test one dataset."""
    a, b = part["a"].to_numpy(), part["b"].to_numpy()
    options = seeded(comparison, seed)
    size = part["size"].to_numpy() if "size" in part else np.ones(len(part))
    shown = a.sum() / size.sum(), b.sum() / size.sum()
    if comparison.test in OF_RATINGS and "gold" in part:
        options["gold"] = part["gold"].to_numpy()
    elif comparison.test in OF_SUMS and "size" in part:
        a, b = np.column_stack([a, size]), np.column_stack([b, size])
    elif "size" in part:
        a, b = a / size, b / size
    result = significance.run(comparison.test, a, b, **options)
    reverse = significance.run(comparison.test, a, b, **options, alternative="less")
    if comparison.test in OF_RATINGS:
        kind = comparison.options.get("kind", "spearman")
        shown = tuple(part["gold"].corr(part[system], method=kind) for system in "ab")
    unit = 100 if comparison.per_cent else 1
    return {
        "p_value": result.pvalue,
        "p_reverse": reverse.pvalue,
        "score_a": unit * shown[0],
        "score_b": unit * shown[1],
        "n": result.n,
        "how": result.how,
    }
