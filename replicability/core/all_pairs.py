"""All pairs of several systems: p-values on every dataset, and on how many one beats the other."""

import dataclasses
import functools
from dataclasses import dataclass

import numpy as np
import pandas as pd

from replicability import checks
from replicability.core import evaluation, layers, procedure, recommendation, units
from replicability.io import families, several
from replicability.io.progress import watched
from replicability.stats import (
    closed_testing,
    joint,
    many_systems,
    metrics,
    paired,
    partial_conjunction,
)

BASELINE = "baseline"
"""Name of a system whose output others may hand in, too."""

FLIPS_OF_A_PAIR = 100
"""Joint sign flips for each ordered pair, at least, so that joint levels can be reached."""


@dataclass(frozen=True)
class Pairs:
    """p-values of all ordered pairs of systems.

    Attributes
    ----------
    systems : tuple of str
        The s systems, the one with the best mean score first.
    datasets : tuple of str
        The n datasets.
    scores : ndarray, shape (s, n)
        Score of each system on each dataset.
    pvalues : ndarray, shape (s, s, n)
        One-sided p-values of "the system of the row is not better than that of the column"; 1 on
        the diagonal and where two systems were not compared.
    test : str
        Name of the test.
    against : str
        System that the others were compared with; "" if all pairs were.
    method : str
        Local test of the closed procedure of each pair, one of `procedure.METHODS`.
    flips : joint.Several, optional
        Joint sign flips of units that datasets share, the same for all pairs.
    identical : tuple of tuple of str
        Systems with the same scores on every instance, two or more together.
    sizes : tuple of int
        Number of units of each dataset.
    unbeaten : ndarray of bool, shape (s, s, n), optional
        Whether the system of the row loses to that of the column on no unit, and wins on some; None
        of other tests than "mean_difference" and of metrics that are no mean.
    skewness : ndarray of float64, shape (s, s, n), optional
        Skewness of the differences, the row less the column; as `unbeaten`.
    """

    systems: tuple
    datasets: tuple
    scores: np.ndarray
    pvalues: np.ndarray
    test: str = ""
    against: str = ""
    method: str = "bonferroni"
    flips: joint.Several | None = None
    identical: tuple = ()
    sizes: tuple = ()
    unbeaten: np.ndarray | None = None
    skewness: np.ndarray | None = None

    @property
    def n_pairs(self):
        """Number of ordered pairs that were compared, the hypotheses of the family."""
        return families.n_pairs(len(self.systems), self.against)

    @property
    def compared(self):
        """Whether each ordered pair was compared; ndarray of bool, shape (s, s)."""
        found = ~np.eye(len(self.systems), dtype=bool)
        if self.against:
            place = self.systems.index(self.against)
            found[np.arange(len(found)) != place] &= np.arange(len(found)) == place
        return found

    def claims(self, a, b, alpha):
        """Return the closed procedure of "a is better than b".

        Parameters
        ----------
        a, b : str
            Two systems that were compared.
        alpha : float
            Level, in (0, 1); divide by `n_pairs` for one that all pairs hold jointly.

        Returns
        -------
        procedure.Procedure
            It counts, names datasets and bounds any group of them, with one confidence.

        Raises
        ------
        InputError
            If a system is not there, or the two were not compared.
        """
        i, j = (self.systems.index(checks.choice("system", name, self.systems)) for name in (a, b))
        if i == j:
            raise checks.InputError(f"a and b are both {a!r}; name two systems.")
        if not self.compared[i, j]:
            raise checks.InputError(
                f"{a} and {b} were not compared, as all are compared with {self.against} alone; "
                "name a pair with it."
            )
        flips = None if self.flips is None else self.flips.of(i, j)
        return procedure.Procedure(self.datasets, alpha, self.method, self.pvalues[i, j], flips)

    def counts(self, alpha):
        """Count for every ordered pair the datasets on which the first is better, by `claims`.

        Parameters
        ----------
        alpha : float
            As for `claims`.

        Returns
        -------
        DataFrame of int, shape (s, s)
            As `k_hat`; by Fisher's and Bonferroni's tests k-hat is the bound of all datasets.
        """
        if self.method in ("bonferroni", "fisher"):
            return self.k_hat(alpha, self.method)
        if self.method in procedure.OF_UNITS:
            self.count([alpha])
            counted = self._counted[alpha]
        else:
            counted = closed_testing.bound(self.pvalues, alpha=alpha, method=self.method)
        return pd.DataFrame(counted, index=self.systems, columns=self.systems)

    def count(self, alphas):
        """Make the counts of several levels at once, so that `counts` has them ready.

        Parameters
        ----------
        alphas : iterable of float
            Levels of each pair, as for `counts`. The flips of a pair are laid out once for all.
        """
        levels = [alpha for alpha in dict.fromkeys(alphas) if alpha not in self._counted]
        if not levels or self.method not in procedure.OF_UNITS:
            return
        found = {alpha: np.zeros((len(self.systems),) * 2, int) for alpha in levels}
        for i, j in np.argwhere(self.compared):
            claims = self.claims(self.systems[i], self.systems[j], levels[0])
            for alpha in levels:
                found[alpha][i, j] = dataclasses.replace(claims, alpha=alpha).at_least()
        self._counted.update(found)

    @functools.cached_property
    def _counted(self):
        """Counts that were made: level -> ndarray."""
        return {}

    def layers(self, alpha):
        """Order the systems by who is shown better than whom on at least one dataset, jointly.

        Parameters
        ----------
        alpha : float
            Joint level of all pairs, in (0, 1).

        Returns
        -------
        layers.Layers
            All arrows hold together with confidence 1 - alpha.
        """
        better = self.counts(alpha / self.n_pairs).to_numpy() > 0
        return layers.arrange(self.systems, better, self.identical)

    def ties(self, alpha):
        """List the sets of systems that cannot be told apart on any dataset, jointly.

        Parameters
        ----------
        alpha : float
            As for `layers`.

        Returns
        -------
        list of tuple of str
            As `layers.ties`; of identical systems the first stands for all.
        """
        better = self.counts(alpha / self.n_pairs).to_numpy() > 0
        undecided = self.compared & ~(better | better.T)
        for group in self.identical:  # which the first one stands for
            places = [self.systems.index(system) for system in group[1:]]
            undecided[places] = undecided[:, places] = False
        return layers.ties(self.systems, undecided)

    @functools.cached_property
    def distinct(self):
        """Systems, those with the same scores as one: dict of name -> place of its first."""
        shared = {
            group[
                0
            ]: f"{next((s for s in group if s == BASELINE), group[0])} ({len(group)} systems)"
            for group in self.identical
        }
        left = {system for group in self.identical for system in group[1:]}
        return {
            shared.get(system, system): place
            for place, system in enumerate(self.systems)
            if system not in left
        }

    def merged(self, counted):
        """Show systems with the same scores as one.

        Parameters
        ----------
        counted : DataFrame, shape (s, s)
            Such as `counts` returns.

        Returns
        -------
        DataFrame, shape (d, d)
            Of the d different systems. One that stands for several has their number in its name,
            "baseline (7 systems)", and is called `BASELINE` if one of them is.
        """
        places = list(self.distinct.values())
        found = counted.iloc[places, places]
        return found.set_axis(list(self.distinct)).set_axis(list(self.distinct), axis=1)

    def k_hat(self, alpha, method):
        """Count for every ordered pair the datasets on which the first is better.

        Parameters
        ----------
        alpha : float
            Level of each pair, in (0, 1); divide by `n_pairs` for one that all hold jointly.
        method : str
            Combination method, valid for the dependence of the datasets.

        Returns
        -------
        DataFrame of int, shape (s, s)
            Lower bounds, one per ordered pair, 0 for those that were not compared; systems as index
            and columns.
        """
        counted = partial_conjunction.k_hat(self.pvalues, alpha, method)
        return pd.DataFrame(counted, index=self.systems, columns=self.systems)


def compare(family, systems=None, datasets=None):
    """Compare all pairs of the systems of a family, or all systems with one.

    Parameters
    ----------
    family : study.Family
        Instances of all systems in one table; without `systems`, all in the table. With the test
        "paired_bootstrap" one set of resamples of a dataset serves all pairs; its only option is
        `n_resamples`. So it is with "sign_flip" and this option, if scores are whole numbers.
    systems : sequence of str, optional
        The systems, if they were read before.
    datasets : sequence of instances.Several, optional
        Their scores, as `several.read` returns them.

    Returns
    -------
    Pairs
        p-values of each ordered pair on each dataset.

    Raises
    ------
    InputError
        As `several.read` and the test, or if a claim with a margin or the paper's pair is asked
        for; a fault of the scores names the dataset.
    """
    _refuse_claims(family)
    evaluation.check_options(family)
    evaluation.refuse_lower(family)
    names, read = several.read(family) if datasets is None else (systems, datasets)
    _refuse_scales(family, names, read)
    datasets = []
    for part in evaluation.oriented(family, read)[1]:
        with evaluation.placed(family, part.name):
            datasets.append(units.several_by_unit(part))
    against = names.index(family.against) if family.against else None
    test = family.test or _recommended(datasets)
    evaluation.refuse_single(family, test)
    values, pvalues = [], []
    for part in watched(datasets, family.title):
        values.append(_values(part))
        with evaluation.placed(family, part.name):
            pvalues.append(_tested(family, test, part, against))
    values = np.stack(values, axis=1) * (100 if family.per_cent else 1)
    order = np.argsort(-values.mean(axis=1), kind="stable")
    return Pairs(
        tuple(names[i] for i in order),
        tuple(part.name for part in datasets),
        values[order],
        np.stack(pvalues, axis=-1)[np.ix_(order, order)],
        test,
        family.against,
        procedure.local_test(family.dependence, shared=bool(family.shared), method=family.method),
        _flips(family, datasets, order),
        _identical([names[i] for i in order], [part.scores[order] for part in datasets]),
        tuple(part.scores.shape[1] for part in datasets),
        **(_shapes(datasets, order) if test == "mean_difference" else {}),
    )


def _shapes(datasets, order):
    """Return how the differences of pairs are distributed, for warnings."""
    if any(part.scores.ndim == 3 for part in datasets):
        return {}
    s, n = len(order), len(datasets)
    unbeaten, skewness = np.zeros((s, s, n), bool), np.zeros((s, s, n))
    for place, part in enumerate(datasets):
        for i, own in enumerate(part.scores[order]):
            differences = own - part.scores[order]
            low, high = differences.min(axis=1), differences.max(axis=1)
            unbeaten[i, :, place] = (low >= 0) & (high > 0)
            centred = differences - differences.mean(axis=1, keepdims=True)
            scale = np.sqrt((centred**2).mean(axis=1, keepdims=True))
            centred /= np.where(scale > 0, scale, 1)
            skewness[i, :, place] = (centred**3).mean(axis=1)
    return {"unbeaten": unbeaten, "skewness": skewness}


def _refuse_claims(family):
    """Refuse what is said of two systems only."""
    if family.claim != "better" or family.margin is not None:
        raise checks.InputError(
            f"{family.source}: a family asks who is better, without {checks.named('margin')}; "
            "compare two systems for another claim."
        )
    if family.procedure == "paper" or family.groups:
        key = "procedure" if family.procedure == "paper" else "groups"
        raise checks.InputError(
            f"{family.source}: {checks.named(key)} has no meaning for a family, whose pairs are "
            "counted by closed testing; leave it out, or compare two systems."
        )


def _refuse_scales(family, names, datasets):
    """Refuse systems whose scores are on different scales; sums are on that of a metric."""
    if all(part.scores.ndim == 2 and part.metric is None for part in datasets):
        sides = [(part.name, part.scores) for part in datasets]
        evaluation.refuse_scales(family, names, sides, datasets[0].size is not None)


def _values(part):
    """Return the score of each system on a dataset."""
    if part.scores.ndim == 3:
        return metrics.METRICS[part.metric or "mean"](part.scores.sum(axis=1))
    size = np.ones(part.scores.shape[1]) if part.size is None else part.size
    return part.scores.sum(axis=1) / size.sum()


def _identical(names, scores):
    """Group the systems that have the same scores on every instance, without those alone."""
    groups = []
    for i in range(len(names)):
        for group in groups:
            if all(np.array_equal(part[group[0]], part[i]) for part in scores):
                group.append(i)
                break
        else:
            groups.append([i])
    return tuple(tuple(names[i] for i in group) for group in groups if len(group) > 1)


def _flips(family, datasets, order):
    """Flip the signs of shared units for all pairs, of the systems in an order."""
    if not family.shared:
        return None
    pairs = families.n_pairs(len(order), family.against)
    n_flips = family.n_flips or max(joint.N_FLIPS, FLIPS_OF_A_PAIR * pairs)
    with evaluation.placed(family):
        found = units.several_flips(datasets, family.shared, family.seed, n_flips)
    return joint.Several(found.sums[order], found.scale[np.ix_(order, order)], found.shared)


def _recommended(datasets):
    """Name the test for the scores of all systems."""
    kinds = {
        "counts"
        if part.size is not None or part.scores.ndim == 3 or part.counted
        else recommendation.kind_of(part.scores.ravel(), part.scores.ravel())
        for part in datasets
    }
    metric = datasets[0].metric if datasets[0].scores.ndim == 3 else None
    return evaluation.recommended(kinds, metric).test


def _tested(family, test, part, against):
    """Return the p-values of the ordered pairs on one dataset, shape (s, s)."""
    scores, summed = part.scores, part.scores.ndim == 3
    sizes = np.ones(scores.shape[1]) if part.size is None else part.size
    if test == "paired_bootstrap" and not summed:
        for option in family.options:
            checks.choice("option", option, ["n_resamples"])
        seed = evaluation.seed_of(family, part.name)
        return many_systems.bootstrap_pvalues(
            scores, sizes, **family.options, rng=seed, against=against
        )
    options = evaluation.seeded(family, test, part.name)
    drawn = set(options) == {"n_resamples", "rng"} and not summed
    if drawn and test == "sign_flip" and (scores == np.rint(scores)).all():
        return many_systems.flip_pvalues(scores, **options, against=against)
    pvalues = np.ones((len(scores), len(scores)))
    takes = paired.lookup(test).takes
    if takes != "sums" and not summed:
        scores = scores / sizes
    if against is None and not summed:
        return paired.matrix(test, scores, **options)
    for i, j in many_systems.pairs(len(scores), against):
        a, b, more = scores[i], scores[j], {}
        if summed:
            a, b, more = evaluation.given(takes, part.pair(i, j))
        pvalues[i, j], pvalues[j, i] = paired.both(test, a, b, **more, **options)
    return pvalues
