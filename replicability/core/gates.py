"""Questions that scores cannot answer, each a sentence with its remedy."""

from contextlib import contextmanager

import numpy as np

from replicability import checks
from replicability.io import scales
from replicability.io.declared import INSTANCE
from replicability.stats import paired

SET_BY = {
    "alternative": "both directions are always computed",
    "gold": f"{checks.named('gold')} names the ratings",
    "margin": f"{checks.named('claim')} and {checks.named('margin')} set it",
    "rng": f"{checks.named('seed')} controls the resampling",
}
"""Maps options that another key of the study sets to the name of that key."""


@contextmanager
def placed(comparison, dataset=None):
    """Name the source of a comparison, and a dataset, before the message of an error."""
    try:
        yield
    except checks.InputError as error:
        where = "" if dataset is None else f", dataset {dataset!r}"
        raise checks.InputError(f"{comparison.source}{where}: {error}") from None


def check_question(comparison):
    """Check what is declared, before anything is read.

    `comparison` (study.Comparison or study.Family): its `metric`, `test`, `options`, its column of
    scores and what it calls its `score`.

    Raises `InputError`: if scores are better if they are lower, by their name
    (`scales.LOWER_IS_BETTER`); one of `SET_BY` is among the options; or the test needs gold ratings
    that are not named.
    """
    columns = comparison.columns
    if comparison.level == "instances" or "scores" in columns:
        metric = comparison.metric
        metrics = metric.values() if isinstance(metric, dict) else [metric]
        scored = scales.of_systems([*columns.get("scores", ())] or [""])
        for name in (*metrics, columns.get("score", ""), comparison.score, scored):
            scales.refuse_lower(comparison.source, name, comparison.higher_is_better)
    if comparison.level == "p-values":
        return
    if comparison.bare_runs and comparison.claim_covers != "runs":
        raise checks.InputError(
            f"{comparison.source} has one score for each run and no item column; name an item "
            f"column with {checks.named('instance')}, or ask for a claim about new runs with "
            f"{checks.given('claim_covers', repr('runs'))}."
        )
    for option, instead in SET_BY.items():
        if option in comparison.options:
            raise checks.InputError(
                f"Comparison {comparison.name!r} has the option {option!r}, but {instead}; leave "
                "the option out."
            )
    rated = comparison.test and paired.lookup(comparison.test).takes == "ratings"
    if rated and "gold" not in columns:
        raise checks.InputError(
            f"The test {comparison.test!r} needs gold ratings; name them with "
            f"{checks.named('gold')}, or choose another test with {checks.named('test')}."
        )


def check_scores(comparison, systems, datasets, sized):
    """Check that the scores of all systems are on one scale, in each dataset and in all together.

    `comparison`: its files, for the message. `systems` (sequence of str): the s systems. `datasets`
    (sequence of (str, sequence of ndarray of float64)): for each dataset its name and the scores of
    each system, of scores with sizes the numerators. `sized`: whether scores have sizes; then none
    is above its size, and units cannot differ.

    Raises `InputError`: as `scales.refuse_units` for a dataset and for all together, and
    `scales.refuse_different` for all together; or if there is a single item in all.
    """
    single = len(datasets) == 1 and len(datasets[0][1][0]) == 1
    if single and not comparison.splits:
        raise checks.InputError(
            f"{comparison.source}: there is only one item, so no p-value can be below 0.5; add the "
            "scores of more items."
        )
    for name, scores in () if sized else datasets:
        with placed(comparison, name):
            scales.refuse_units(systems, scores)
    together = [np.concatenate(side) for side in zip(*(s for _, s in datasets), strict=True)]
    with placed(comparison):
        if not sized:
            scales.refuse_units(systems, together)
        scales.refuse_different(systems, together)


def check_test(comparison, test):
    """Refuse a test of single items where units are larger.

    `comparison` (study.Comparison or study.Family): its `unit`. `test`: name of the test.

    Raises `InputError`: if the unit is larger than an item, and the test takes no sums.
    """
    if comparison.unit != INSTANCE and paired.lookup(test).takes not in ("sums", "runs"):
        possible = [name for name in paired.TESTS if paired.lookup(name).takes == "sums"]
        raise checks.InputError(
            f"{comparison.source}: the test {test!r} needs a score for each item, but item scores "
            f"are summed within the unit {comparison.unit!r}; choose one of {', '.join(possible)}, "
            f"or leave {checks.named('test')} out."
        )
