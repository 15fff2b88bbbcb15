"""What a comparison claims: its margin on each dataset, and the claim in words."""

from dataclasses import dataclass

import numpy as np

from replicability import checks
from replicability.core import procedure, units
from replicability.stats import discrete, joint, margins, metrics, paired


@dataclass(frozen=True)
class Claim:
    """A claim about two systems on one dataset, in words.

    Attributes
    ----------
    kind : str
        One of `margins.CLAIMS`.
    by : str
        The margin with its unit, such as "1 point"; "" for the kind "better".
    of : str
        What is compared, such as "signed ranks"; "" for the score itself.
    scope : str
        What the claim is limited to, such as "these runs"; "" for items such as these.
    """

    kind: str = "better"
    by: str = ""
    of: str = ""
    scope: str = ""

    @property
    def _limits(self):
        """What is compared and what the claim is limited to, after the systems."""
        return f"{f' by {self.of}' if self.of else ''}{f' for {self.scope}' if self.scope else ''}"

    def shown(self, a, b):
        """Say what is shown.

        Examples
        --------
        >>> Claim("not_worse", "1 point").shown("A", "B")
        'A is not worse than B by more than 1 point'
        """
        return {
            "better": f"{a} outperforms {b}",
            "better_by": f"{a} outperforms {b} by more than {self.by}",
            "not_worse": f"{a} is not worse than {b} by more than {self.by}",
            "equivalent": f"{a} and {b} differ by less than {self.by}",
        }[self.kind] + self._limits

    def clause(self, a, b):
        """Say on which datasets the claim holds, after "on which"."""
        return (
            f"{a} is better than {b}{self._limits}" if self.kind == "better" else self.shown(a, b)
        )

    def on_the_only_one(self, a, b, is_shown):
        """Say whether there is evidence for the claim on the only dataset.

        Examples
        --------
        >>> Claim("equivalent", "0.01").on_the_only_one("A", "B", False)
        'There is no evidence that A and B differ by less than 0.01 on the only dataset'
        """
        none = "" if is_shown else "There is no evidence that "
        return f"{none}{self.shown(a, b)} on the only dataset"

    def null(self, a, b):
        """Say the hypothesis that a p-value is of.

        Examples
        --------
        >>> Claim("not_worse", "1 point").null("A", "B")
        'A is worse than B by 1 point or more'
        """
        return {
            "better": f"{a} is not better{f' by {self.of}' if self.of else ''}",
            "better_by": f"{a} is not better than {b} by more than {self.by}",
            "not_worse": f"{a} is worse than {b} by {self.by} or more",
            "equivalent": f"{a} and {b} differ by {self.by} or more",
        }[self.kind]

    def short(self, a):
        """Say in two or three words what is claimed of a system, for a heading.

        Examples
        --------
        >>> Claim().short("A"), Claim("not_worse", "1 point").short("A")
        ('A better', 'A not worse')
        """
        words = {"better": "better", "better_by": "better", "not_worse": "not worse"}
        return f"{a} {words[self.kind]}" if self.kind in words else "equivalent"


COMPARED = {"wilcoxon": "signed ranks", "sign_test": "the number of items won"}
"""Maps each test of something other than a mean to what it compares."""

BETTER = Claim()
"""The claim that A is better, without a margin."""


def claim(comparison, table=None):
    """Return the claim of a comparison in words.

    `comparison`: its `claim`, `margin` and the unit of its `score`. `table`: what was tested, which
    has the number of items that people scored.

    Returns Claim. With the one margin; or with the range of them, if datasets have margins of their
    own.
    """
    scope = f"these {comparison.repeated}" if "run" in comparison.columns else ""
    scope = "new runs" if comparison.claim_covers == "runs" else scope
    scope = (
        f"new items and new {comparison.repeated}" if comparison.claim_covers == "both" else scope
    )
    of = ""
    if "human" in comparison.columns:
        of = "human judgement"
        if table is not None:
            labelled = table["labelled"].sum()
            corrected = "corrected with " if labelled < table["n"].sum() else ""
            of += f" ({corrected}{labelled:,} labelled items)"
    if comparison.claim == "better":
        if comparison.level == "instances":
            of = COMPARED.get(comparison.test, of)
        return Claim(of=of, scope=scope)
    given = comparison.margin
    values = sorted(set(given.values())) if isinstance(given, dict) else [given]
    unit = ""
    if comparison.per_cent:
        unit = " point" if values[-1] == 1 else " points"
    if len(values) == 1:
        return Claim(comparison.claim, f"{values[0]:g}{unit}", of, scope)
    return Claim(
        comparison.claim,
        f"the dataset's margin ({values[0]:g} to {values[-1]:g}{unit})",
        of,
        scope,
    )


def hypotheses(comparison, test, datasets):
    """Return the tests of the claim on each dataset.

    `comparison`: its `claim` and `margin`; of scores in per cent the margin is in points. `test`
    (str or None): name of the test, a key of `paired.TESTS`; None for shares of successes.
    `datasets` (sequence of str): names of all datasets.

    Returns dict of str to tuple. Dataset -> what `margins.hypotheses` returns, in the unit of the
    scores that are read.

    Raises `InputError`: if a margin is not valid, a mapping of margins lacks a dataset or names
    another, or the test carries no margin.
    """
    if comparison.claim != "better" and test:
        margins.carries(test)
    given = comparison.margin
    if isinstance(given, dict):
        for name in given:
            checks.choice("margin: dataset", name, list(datasets))
        lacking = [name for name in datasets if name not in given]
        if lacking:
            raise checks.InputError(
                f"{checks.named('margin')} has no value for {checks.enumerated(lacking)}; give "
                "one number for all datasets, or one for each dataset."
            )
    points = 100 if comparison.per_cent else 1
    found = {}
    for name in datasets:
        own = margins.check(comparison.claim, given[name] if isinstance(given, dict) else given)
        found[name] = margins.hypotheses(comparison.claim, own / points)
    return found


def columns(comparison, dataset):
    """Return the further column of a row of results: the margin of the dataset, if there is one."""
    given = comparison.margin
    if comparison.claim == "better":
        return {}
    return {"margin": float(given[dataset] if isinstance(given, dict) else given)}


def joint_information(comparison, datasets, tests, tested):
    """Return what is known of all datasets together, besides a p-value of each.

    `comparison`: its `claim`, `shared`, `dependence`, `method` and `seed`. `datasets` (sequence of
    instances.Dataset): scores of units. `tests` (dict of str to tuple): as `hypotheses` returns it.
    `tested` (set of str): names of the tests of the datasets.

    Returns dict. Where units are shared the ``covariance`` of the differences; ``flips`` for the
    claim, joint sign flips of shared units (`joint.Flips`) or, where `is_drawn`, draws of
    independent right-or-wrong datasets under the null hypothesis (`discrete.Draws`); and
    ``flips_reverse`` for B where it is not the same with the sign changed. Empty where there is
    nothing.

    Raises `InputError`: as `units.flips`.

    Notes
    -----
    With a margin m the flipped value of a unit is its difference less m times its weight, the
    denominator. Valid if these are symmetric around zero under the null hypothesis, jointly over
    the datasets of a unit; else asymptotically, as the statistics are studentised. "Equivalent" is
    shown where both of its sides are, by the same flips (`joint.Both`).
    """
    if not comparison.shared:
        if not is_drawn(comparison, len(datasets), tested):
            return {}
        wins, losses = np.transpose([_won(dataset) for dataset in datasets])
        how = {"rng": comparison.seed, "names": [dataset.name for dataset in datasets]}
        forth, back = discrete.draw(wins, losses, **how), discrete.draw(losses, wins, **how)
        return {"flips": forth, "flips_reverse": back}
    found = flips(comparison, datasets, tests, comparison.shared)
    scale = 100 if comparison.per_cent else 1
    return found | {"covariance": units.covariance(datasets, comparison.shared, scale)}


def flips(comparison, datasets, tests, shared):
    """Flip the signs of units for the claim, and for B if that is a different test.

    `comparison`, `datasets`, `tests`: as for `joint_information`. `shared` (True or dict): as for
    `units.flips`; {} where no unit is in two datasets.

    Returns dict. ``flips``, and ``flips_reverse`` where it is needed.
    """
    how = (datasets, shared, comparison.seed, comparison.n_flips)
    if comparison.claim == "better":
        return {"flips": units.flips(*how)}
    sides = []
    for place in range(max(map(len, tests.values()))):
        less = {dataset: own[place][1] for dataset, own in tests.items()}
        sides.append(units.flips(*how, margins=less))
    if comparison.claim == "equivalent":
        not_worse, not_better = sides[0], units.turned(sides[1])
        return {"flips": joint.both(not_worse, not_better)}
    other = {dataset: margins.turned(own)[0][1] for dataset, own in tests.items()}
    reverse = units.turned(units.flips(*how, margins=other))
    return {"flips": sides[0], "flips_reverse": reverse}


def is_drawn(comparison, n_datasets, tested):
    """Tell whether datasets are drawn under the null hypothesis.

    `comparison`: its `claim`, `dependence`, `procedure`, `shared` and `method`. `n_datasets`:
    number of datasets. `tested` (set of str): names of the tests of the datasets.

    Returns bool. If "A is better" was tested by McNemar's exact test alone, on 2 to
    `procedure.MOST_DRAWN` datasets that are declared independent, and no other method is asked for.
    """
    asked = (comparison.claim, comparison.dependence, comparison.procedure)
    return (
        asked == ("better", "independent", "closed")
        and tested == {"mcnemar"}
        and comparison.options.get("variant", "exact") == "exact"
        and not comparison.shared
        and comparison.method in ("", procedure.DISCRETE)
        and 1 < n_datasets <= procedure.MOST_DRAWN
    )


def _won(dataset):
    """Count the units on which only A is right, and those on which only B is."""
    metric = metrics.METRICS[dataset.metric or "mean"]
    a, b = (metric(side) if side.ndim == 2 else side for side in (dataset.a, dataset.b))
    return np.count_nonzero(a > b), np.count_nonzero(a < b)


def refuse_read(comparison):
    """Refuse a margin where p-values are read.

    `comparison`: a comparison that starts at p-values.

    Raises `InputError`: if its claim is another than "better", or it has a margin.
    """
    if comparison.claim != "better" or comparison.margin is not None:
        raise checks.InputError(f"{comparison.source}: {margins.NEEDS_SCORES}")


def refuse_points(comparison, dataset, tests):
    """Refuse a margin in points where scores are shares.

    `dataset`: its scores. `tests` (tuple of (str, float)): the tests of its claim, in the unit of
    the scores.

    Raises `InputError`: if the margin is 1 or more, but no score is below 0 or above 1.
    """
    margin = abs(tests[0][1])
    if margin < 1 or not _are_shares(dataset):
        return
    shown = margin * (100 if comparison.per_cent else 1)
    if comparison.per_cent:
        raise checks.InputError(
            f"margin: {shown:g} points span the whole scale; write 1 for a margin of one point."
        )
    raise checks.InputError(
        f"margin: {shown:g} seems to be in points, but the scores are shares between 0 and 1; "
        f"write {shown / 100:g}."
    )


def _are_shares(dataset):
    """Tell whether scores, or the metric of their sums, lie between 0 and 1."""
    if dataset.gold is not None:
        return True
    sides = (dataset.a, dataset.b)
    if dataset.a.ndim == 2:
        sides = paired.difference(*sides, metric=dataset.metric).scores
    return all(np.min(side) >= 0 and np.max(side) <= 1 for side in sides)
