"""All pairs of several systems: p-values on every dataset, and on how many one beats the other."""

import dataclasses
import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from replicability import checks
from replicability.core import (
    blocks,
    claimed,
    dependence,
    differences,
    evaluation,
    gatekeeping,
    gates,
    labels,
    layers,
    orientation,
    procedure,
    ranks,
    recommendation,
    roles,
    units,
)
from replicability.io import families, missing, pvalues, several, trials
from replicability.io.progress import watched
from replicability.stats import (
    closed_testing,
    discrete,
    joint,
    joint_pairs,
    many_systems,
    metrics,
    paired,
    partial_conjunction,
)

BASELINE = "baseline"
"""Name of a system whose output other teams may also have submitted."""

FLIPS_OF_A_PAIR = 100
"""Minimum number of draws per ordered pair, so the corrected level can be reached."""

MOST_DRAWN = joint.N_FLIPS // FLIPS_OF_A_PAIR
"""Maximum number of ordered pairs for which the discrete test is the default."""

MOST_KEPT = 20_000_000
"""Scores that are kept to rank systems by their mean over datasets."""


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
    tested : ndarray, shape (s, s, n), or callable
        `pvalues`, or what returns them, where statements about all pairs need only flips.
    test : str
        Name of the test.
    against : str
        System that the others were compared with; "" if all pairs were.
    method : str
        Local test of the closed procedure of each pair, one of `procedure.METHODS`.
    flips : joint.Several, optional
        Joint sign flips of units that datasets share, the same for all pairs.
    n_flips : int, optional
        Requested number of joint sign flips.
    identical : tuple of tuple of str
        Systems with the same scores on every item, two or more together.
    sizes : tuple of int
        Number of units of each dataset.
    unbeaten, skewness : ndarray, shape (s, s, n), optional
        As `differences.shapes`; None of other tests than "mean_difference" and of metrics that are
        no mean.
    floors : ndarray of float64, shape (s, s, n), optional
        As `differences.floors`.
    discordant : tuple of float
        As `differences.floors`.
    wins : ndarray of int64, shape (s, s, n), optional
        Number of units on which only the system of the row is right, if each pair has draws.
    undrawn : bool
        Whether draws are left out only because there are more than `MOST_DRAWN` ordered pairs.
    seed : int
        Seed of the draws.
    drawn_by : tuple of str
        Names of the datasets in the data, by which they are drawn.
    measured : dependence.Measured, optional
        Dependence that the scores show.
    missing : str
        What was done with missing items, a sentence; "" if none was missing.
    turned : float, optional
        Where a lower score is better, the number of which `scores` are less than those that were
        read.
    read : roles.Roles, optional
        What was read.
    scored : tuple of instances.Several
        Scores of the units of each dataset, with the systems in this order; empty of successes,
        and if they are more than `MOST_KEPT` and systems are not compared with one.
    tried : ndarray of int64, shape (s, n), optional
        Trials of each system on each task, of successes.
    ran : tuple of list of ndarray
        Scores of the runs of each system on each dataset, larger being better; empty unless the
        claims are about new runs.
    scope : str
        Runs that the claims are about, such as "new runs"; "" without runs.
    factor : float
        Number by which mean scores are multiplied where they are shown.
    first : dict of str to list of (str, str)
        Families of ordered pairs that are tested before all pairs, as `gatekeeping.listed`.
    """

    systems: tuple
    datasets: tuple
    scores: np.ndarray
    tested: np.ndarray | Callable
    test: str = ""
    against: str = ""
    method: str = "bonferroni"
    flips: joint.Several | None = None
    n_flips: int | None = None
    identical: tuple = ()
    sizes: tuple = ()
    unbeaten: np.ndarray | None = None
    skewness: np.ndarray | None = None
    floors: np.ndarray | None = None
    discordant: tuple = ()
    wins: np.ndarray | None = None
    undrawn: bool = False
    seed: int = 0
    drawn_by: tuple = ()
    measured: dependence.Measured | None = None
    missing: str = ""
    turned: float | None = None
    read: roles.Roles | None = None
    scored: tuple = ()
    tried: np.ndarray | None = None
    ran: tuple = ()
    scope: str = ""
    factor: float = 1.0
    first: dict = field(default_factory=dict)

    @functools.cached_property
    def pvalues(self):
        """One-sided p-values of "the system of the row is not better than that of the column".

        ndarray of float64, shape (s, s, n); 1 on the diagonal and where two systems were not
        compared.
        """
        return self.tested() if callable(self.tested) else self.tested

    @property
    def scores_as_read(self):
        """Score of each system on each dataset as it was read; ndarray, shape (s, n)."""
        return self.scores if self.turned is None else self.turned - self.scores + 0.0

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

    @property
    def by_flips(self):
        """Whether one set of flips gives the joint statements about all pairs."""
        return self.flips is not None and self.method in joint_pairs.METHODS

    def joint_claims(self, a, b, alpha):
        """Return the closed procedure of "a is better than b" in which all pairs hold jointly.

        Parameters
        ----------
        a, b
            As for `claims`.
        alpha : float
            Level of all pairs, in (0, 1).

        Returns
        -------
        procedure.Procedure
            As `claims`; all pairs have simultaneous confidence 1 - alpha.

        Raises
        ------
        InputError
            As `claims`.
        """
        pair = self._places(a, b)
        if self.by_flips:
            given = self.datasets, alpha, self.method, None
            found = procedure.InFamily(*given, jointly=self._jointly(alpha), pair=pair)
        else:
            found = self.claims(a, b, self._level(alpha))
        if not self.first:
            return found
        left = found if self.by_flips or self._is_left(alpha) else None
        decided = bool(self.passed(alpha).decided[pair])
        return procedure.Gated(self.datasets, alpha, self.method, None, left=left, decided=decided)

    def joint_names(self, alpha):
        """Name datasets of all ordered pairs, with simultaneous confidence 1 - alpha.

        Parameters
        ----------
        alpha : float
            Level of all pairs, in (0, 1).

        Returns
        -------
        ndarray of bool, shape (s, s, n)
            Whether the system of the row is better than that of the column on each dataset.
        """
        if not self.by_flips and not self._is_drawn and not self.first:
            return closed_testing.names(self.pvalues, alpha / self.n_pairs, self.method)
        named = np.zeros((*self.compared.shape, len(self.datasets)), bool)
        for i, j in np.argwhere(self.joint_counts(alpha).to_numpy() > 0):
            named[i, j] = self.joint_claims(self.systems[i], self.systems[j], alpha).named
        return named

    def joint_counts(self, alpha):
        """Count as `counts`, with simultaneous confidence 1 - alpha for all pairs.

        Parameters
        ----------
        alpha : float
            Level of all pairs, in (0, 1).

        Returns
        -------
        DataFrame of int, shape (s, s)
        """
        if self.by_flips:
            counted = self._jointly(alpha).counts
        elif self._is_left(alpha):
            counted = self.counts(self._level(alpha)).to_numpy()
        else:
            counted = 0
        counted = np.maximum(counted, self.passed(alpha).decided)
        return pd.DataFrame(counted, index=self.systems, columns=self.systems)

    def passed(self, alpha):
        """Test the families that come before all pairs, as `gatekeeping.passed`."""
        if alpha not in self._passed:
            self._passed[alpha] = gatekeeping.passed(self, alpha)
        return self._passed[alpha]

    @functools.cached_property
    def _passed(self):
        """What families found that were tested first: level -> `gatekeeping.Passed`."""
        return {}

    def _level(self, alpha):
        """Return the level of a pair at which all hold jointly; 0 if nothing is left."""
        return alpha * float(self.passed(alpha).share) / self.n_pairs

    def _is_left(self, alpha):
        """Tell whether a level is left for all pairs that a p-value can reach."""
        a_pair = next((pairs[0] for pairs in self.first.values()), None)
        return not a_pair or self._reaches(self.claims(*a_pair, self._level(alpha)))

    def somewhere(self, a, b, level):
        """Tell whether a is better than b on at least one dataset.

        Parameters
        ----------
        a, b
            As for `claims`.
        level : float
            Level of this pair, in [0, 1); where no p-value is as small, the answer is no.

        Returns
        -------
        bool
        """
        claims = self.claims(a, b, level)
        return self._reaches(claims) and claims.at_least() > 0

    @staticmethod
    def _reaches(claims):
        """Tell whether the level of a pair is above 0, and no smaller than its flips can show."""
        return claims.alpha * (math.inf if claims.flips is None else len(claims.flips.z)) >= 1

    def joint_counts_of_compared(self, alpha):
        """Count as `joint_counts`, with NA for pairs that were not compared."""
        return self._of_compared(self.joint_counts(alpha))

    def _jointly(self, alpha):
        """Return the statements about all pairs at a level."""
        if alpha not in self._joint:
            self._joint[alpha] = joint_pairs.Jointly(
                self.flips,
                self.compared,
                alpha,
                self.method,
                self.n_flips,
                share=self.passed(alpha).share,
            )
        return self._joint[alpha]

    @functools.cached_property
    def _joint(self):
        """Joint statements that were made: level -> `joint_pairs.Jointly`."""
        return {}

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
        i, j = self._places(a, b)
        flips = self._flips_of(i, j)
        pvalues = None if self.method in procedure.OF_UNITS else self.pvalues[i, j]
        return procedure.Procedure(self.datasets, alpha, self.method, pvalues, flips)

    def _places(self, a, b):
        """Return the places of two systems that were compared."""
        i, j = (self.systems.index(checks.choice("system", name, self.systems)) for name in (a, b))
        if i == j:
            raise checks.InputError(f"a and b are both {a!r}; name two different systems.")
        if not self.compared[i, j]:
            raise checks.InputError(
                f"{a} and {b} were not compared, because every compared pair includes "
                f"{self.against}; name {self.against} and one other system."
            )
        return i, j

    def _flips_of(self, i, j):
        """Return the joint sign flips of a pair or, as `evaluation` makes them, its draws."""
        if self.flips is not None or self.wins is None:
            return None if self.flips is None else self.flips.of(i, j)
        n_draws = max(joint.N_FLIPS, FLIPS_OF_A_PAIR * self.n_pairs)
        sides = (self.wins[i, j], self.wins[j, i])
        return discrete.draw(*sides, n_draws, rng=self.seed, names=self.drawn_by)

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
        if self._is_drawn:
            self.count([alpha])
            counted = self._counted[alpha]
        else:
            counted = closed_testing.bound(self.pvalues, alpha=alpha, method=self.method)
        return pd.DataFrame(counted, index=self.systems, columns=self.systems)

    def counts_of_compared(self, alpha):
        """Count as `counts`, with nothing for pairs that were not compared.

        Parameters
        ----------
        alpha : float
            As for `claims`.

        Returns
        -------
        DataFrame of Int64, shape (s, s)
            NA where two other systems were not compared, 0 for a system with itself.
        """
        return self._of_compared(self.counts(alpha))

    def _of_compared(self, counted):
        apart = ~(self.compared | np.eye(len(self.systems), dtype=bool))
        return counted.astype("Int64").mask(apart)

    def count(self, alphas):
        """Compute the counts of several levels at once, for `counts` to return.

        Parameters
        ----------
        alphas : iterable of float
            Levels of each pair, as for `counts`. The flips of a pair are laid out once for all.
        """
        levels = [alpha for alpha in dict.fromkeys(alphas) if alpha not in self._counted]
        if not levels or not self._is_drawn:
            return
        found = {alpha: np.zeros((len(self.systems),) * 2, int) for alpha in levels}
        for i, j in np.argwhere(self.compared):
            claims = self.claims(self.systems[i], self.systems[j], levels[0])
            for alpha in levels:
                found[alpha][i, j] = dataclasses.replace(claims, alpha=alpha).at_least()
        self._counted.update(found)

    @property
    def _is_drawn(self):
        """Whether the local test needs flips or draws, of each pair by itself."""
        return self.method in (*procedure.OF_UNITS, procedure.DISCRETE)

    @functools.cached_property
    def _counted(self):
        """Counts that were made: level -> ndarray."""
        return {}

    def ranks(self, alpha, k=None):
        """Bound the rank of each system, all ranks together with confidence 1 - alpha.

        Parameters
        ----------
        alpha : float
            Joint level of all pairs, in (0, 1).
        k : int, optional
            As for `ranks.at_least`; by default more than half of the datasets.

        Returns
        -------
        DataFrame
            ``system``, its mean ``score``, the ``best`` and the ``worst`` rank, and ``letters``, as
            of `ranks.letters`.
        """
        n, systems = len(self.datasets), self.systems
        counted = self.joint_counts(alpha).to_numpy()
        best, worst = ranks.at_least(counted, n // 2 + 1 if k is None else k, n)
        letters = ranks.letters(systems, self.undecided(alpha))
        means = self.scores_as_read.mean(axis=1)
        columns = {"system": systems, "score": means, "best": best, "worst": worst}
        return pd.DataFrame({**columns, "letters": [letters[name] for name in systems]})

    def layers(self, alpha):
        """Order the systems in layers by simultaneous significant wins on at least one dataset.

        Parameters
        ----------
        alpha : float
            Joint level of all pairs, in (0, 1).

        Returns
        -------
        layers.Layers
            All arrows hold together with confidence 1 - alpha.
        """
        better = self.joint_counts(alpha).to_numpy() > 0
        return layers.arrange(self.systems, better, self.identical)

    def undecided(self, alpha):
        """Say of which pairs no system is better on any dataset, jointly; ndarray of bool."""
        better = self.joint_counts(alpha).to_numpy() > 0
        return self.compared & ~(better | better.T)

    def ties(self, alpha):
        """List the sets of systems that do not differ significantly on any dataset, simultaneously.

        Parameters
        ----------
        alpha : float
            As for `layers`.

        Returns
        -------
        list of tuple of str
            As `layers.ties`; of identical systems the first stands for all.
        """
        undecided = self.undecided(alpha)
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


def compare(family, systems=None, datasets=None, files=()):
    """Compare all pairs of the systems of a family, or all systems with one.

    Parameters
    ----------
    family : study.Family
        Items of all systems in one table; without `systems`, all in the table. With the test
        "paired_bootstrap" one set of resamples of a dataset serves all pairs; its only option is
        `n_resamples`. So it is with "sign_flip" and this option, if scores are whole numbers.
    systems : sequence of str, optional
        The systems, if they were read before.
    datasets : sequence of instances.Several, optional
        Their scores, as `several.read` returns them.
    files : sequence of str, optional
        Blocks of pairs that `write_block` has written, from which p-values are read.

    Returns
    -------
    Pairs
        p-values of each ordered pair on each dataset.

    Raises
    ------
    InputError
        As `several.read`, the test and `blocks.Asked.pvalues`, or if a claim with a margin or the
        paper's pair is asked for; a fault of the scores names the dataset.
    """
    names, read = _read(family, systems, datasets)
    of_runs = _of_runs if family.claim_covers == "runs" else _of_scores
    found = (_of_counts if family.level == "counts" else of_runs)(family, names, read, files)
    called, first = family.called, gatekeeping.listed(family.ask_first, names).items()
    return dataclasses.replace(
        found,
        first={name: [tuple(map(called, pair)) for pair in pairs] for name, pairs in first},
        systems=tuple(map(called, found.systems)),
        datasets=tuple(map(called, found.datasets)),
        against=called(found.against),
        identical=tuple(tuple(map(called, group)) for group in found.identical),
        measured=labels.in_sentences(family, found.measured),
        scope=claimed.claim(family).scope,
    )


def write_block(family, systems, datasets, file, block, of):
    """Compute the p-values of a block of pairs, and write them for `compare` to read.

    Parameters
    ----------
    family, systems, datasets
        As for `compare`.
    file : str
        Parquet file.
    block, of : int
        The block, from 1, and how many there are.

    Returns
    -------
    (int, int)
        Numbers of pairs of the block, and of the family.

    Raises
    ------
    InputError
        As `compare` and `blocks.Asked.write`, or if joint flips bound all pairs together.
    """
    names, read = _read(family, systems, datasets)
    if family.level == "counts":
        asked = _asked_of_counts(family, names, read)
    else:
        known = bool(family.shared)
        _refuse_blocks(
            family, family.method or procedure.local_test(family.dependence, shared=known)
        )
        asked = _asked(family, names, _oriented(family, names, read)[1])
    return asked.write(file, block, of), len(asked.pairs)


def _read(family, systems, datasets):
    """Return the systems and their scores, if the family can be compared."""
    _refuse_claims(family)
    gates.check_question(family)
    names, read = several.read(family) if datasets is None else (systems, datasets)
    of_counts = family.level == "counts"
    labels.check(family, names, [task for task, _ in read] if of_counts else [p.name for p in read])
    return names, read


def _of_scores(family, names, read, files):
    """Compare all pairs of systems by the scores of items."""
    turned, datasets = _oriented(family, names, read)
    with gates.placed(family):
        measured = dependence.measure_family(family, names, read, datasets)
    asked = _asked(family, names, datasets)
    test = asked.settings["test"]
    factor = 100 if family.per_cent else 1
    values = np.stack(list(map(_values, datasets)), axis=1) * factor
    order = np.argsort(-values.mean(axis=1), kind="stable")
    drawn = _drawn(family, test, datasets, order)
    with gates.placed(family):
        method = procedure.local_test(
            family.dependence,
            shared=bool(family.shared),
            drawn="wins" in drawn,
            method=family.method,
        )
    later = method in procedure.OF_UNITS
    if later:
        _refuse_blocks(family, method if files else "")
        _pvalues(family, test, _ordered(datasets, [0, 1]), [(0, 1)])  # faults are found now

    def run():
        return asked.pvalues(files)[np.ix_(order, order)]

    tested = run if later else run()
    floors, discordant = differences.floors(test, datasets, family.options)
    return Pairs(
        tuple(names[i] for i in order),
        tuple(part.name for part in datasets),
        values[order],
        tested,
        test,
        family.against,
        method,
        _flips(family, datasets, order),
        family.n_flips,
        _identical([names[i] for i in order], [part.scores[order] for part in datasets]),
        tuple(part.scores.shape[1] for part in datasets),
        **(_shapes(datasets, order) if test == "mean_difference" else {}),
        floors=floors[np.ix_(order, order)],
        discordant=discordant,
        **drawn,
        measured=measured,
        missing=missing.sentence(family.missing, names, read, family.called),
        turned=None if turned is None else factor * turned,
        read=roles.of_scores(family, names, read),
        scored=_ordered(datasets, order) if _is_kept(family, datasets) else (),
        factor=factor,
    )


def _oriented(family, names, read):
    """Return the sum of two scores if a lower one was better, and the scores of units."""
    _refuse_scales(family, names, read)
    turned, scored = orientation.orient(family, read)
    datasets = []
    for part in scored:
        with gates.placed(family, part.name):
            datasets.append(units.several_by_unit(part))
    return turned, datasets


def _asked(family, names, datasets):
    """Return the pairs that are compared by scores, and what tests them."""
    test = family.test or _recommended(datasets)
    gates.check_test(family, test)
    settings = {
        "test": test,
        "options": [family.options_of(part.name) for part in datasets],
        "metric": [part.metric for part in datasets],
        "seed": family.seed,
        "names": [names, family.against, [part.name for part in datasets]],
    }
    sizes = [part.size for part in datasets if part.size is not None]
    return blocks.Asked(
        many_systems.pairs(len(names), names.index(family.against) if family.against else None),
        functools.partial(_pvalues, family, test, datasets),
        settings,
        [*(part.scores for part in datasets), *sizes],
    )


def _is_kept(family, datasets):
    """Tell whether scores are kept, for mean differences."""
    return bool(family.against) or sum(part.scores.size for part in datasets) <= MOST_KEPT


def _pvalues(family, test, datasets, pairs):
    """Return the p-values of pairs on all datasets, shape (s, s, n); 1 of others."""
    tested = []
    for part in watched(datasets, family.title):
        with gates.placed(family, part.name):
            tested.append(_tested(family, test, part, pairs))
    return np.stack(tested, axis=-1)


def _refuse_blocks(family, method=""):
    """Refuse blocks of pairs of runs, or of pairs that one set of joint flips bounds together."""
    if family.claim_covers == "runs":
        raise checks.InputError(
            f"{family.source}: comparisons of runs take only seconds and cannot be split into "
            "blocks; leave the blocks out."
        )
    if method in procedure.OF_UNITS:
        raise checks.InputError(
            f"{family.source}: the method {method!r} uses one set of joint sign flips for all "
            "pairs, which cannot be split into blocks; leave the blocks out, or choose the method "
            "'bonferroni'."
        )


def _ordered(datasets, order):
    """Put the systems of datasets in an order."""
    return tuple(dataclasses.replace(part, scores=part.scores[order]) for part in datasets)


def _asked_of_counts(family, names, tasks):
    """Return the pairs that are compared by their successes in trials, and what tests them."""
    from replicability.stats import unpaired  # which no other family needs

    pvalues.refuse_alike(family.source, [task for task, _ in tasks])
    right, tried = np.moveaxis(np.stack([of for _, of in tasks], axis=1), -1, 0)

    def tested(pairs):
        found = np.ones((len(names), len(names), len(tasks)))
        for i, j in pairs:
            found[i, j], found[j, i], _ = unpaired.boschloo(right[i], tried[i], right[j], tried[j])
        return found

    against = names.index(family.against) if family.against else None
    settings = {"names": [names, family.against, [task for task, _ in tasks]]}
    pairs = many_systems.pairs(len(names), against)
    return blocks.Asked(pairs, tested, settings, [right, tried])


def _of_counts(family, names, tasks, files):
    """Compare all pairs of systems by their successes in unpaired trials of each task."""
    asked = _asked_of_counts(family, names, tasks)
    right, tried = asked.scores
    shares = right / tried
    order = np.argsort(-shares.mean(axis=1), kind="stable")
    with gates.placed(family):
        method = procedure.local_test(family.dependence, method=family.method)
    counts = [trials.Counts(task, of[0], of[1:].sum(axis=0)) for task, of in tasks]
    return Pairs(
        tuple(names[i] for i in order),
        tuple(task for task, _ in tasks),
        shares[order],
        asked.pvalues(files)[np.ix_(order, order)],
        against=family.against,
        method=method,
        read=roles.of_scores(family, names, counts),
        tried=tried[order],
    )


def _of_runs(family, names, datasets, files):
    """Compare all pairs of systems by the means of their runs, for claims about new runs."""
    from replicability.stats import two_samples  # which no other family needs

    if files:
        _refuse_blocks(family)
    pvalues.refuse_alike(family.source, [part.name for part in datasets])
    sign, factor = -1 if family.higher_is_better is False else 1, 100 if family.per_cent else 1
    against = names.index(family.against) if family.against else None
    ran, tested, floors = [], [], []
    for part in watched(datasets, family.title):
        with gates.placed(family, part.name):
            for name, own in zip(names, part.runs, strict=True):
                two_samples.refuse_single(f"System {name}", own)
            ran.append([sign * own for own in part.runs])
            tested.append(two_samples.matrix(ran[-1], against))
        floors.append([[two_samples.floor(len(a), len(b)) for b in ran[-1]] for a in ran[-1]])
    values = factor * np.array([[own.mean() for own in runs] for runs in ran]).T
    order = np.argsort(-values.mean(axis=1), kind="stable")
    with gates.placed(family):
        method = procedure.local_test(family.dependence, method=family.method)
    return Pairs(
        tuple(names[i] for i in order),
        tuple(part.name for part in datasets),
        values[order],
        _stacked(tested, order),
        against=family.against,
        method=method,
        floors=_stacked(floors, order),
        missing=missing.sentence(family.missing, names, datasets, family.called),
        turned=0.0 if sign < 0 else None,
        read=roles.of_scores(family, names, datasets),
        ran=tuple([runs[i] for i in order] for runs in ran),
        factor=factor,
    )


def _stacked(of_datasets, order):
    """Put the matrices of all datasets beside each other, with the systems in an order."""
    return np.stack(of_datasets, axis=-1)[np.ix_(order, order)]


def _shapes(datasets, order):
    """Return how the differences of pairs are distributed, for warnings."""
    if any(part.scores.ndim == 3 for part in datasets):
        return {}
    unbeaten, skewness = zip(*map(differences.shapes, datasets), strict=True)
    return {"unbeaten": _stacked(unbeaten, order), "skewness": _stacked(skewness, order)}


def _drawn(family, test, datasets, order):
    """Return what draws of right-or-wrong datasets need, if pairs are to be drawn."""
    if not claimed.is_drawn(family, len(datasets), {test}):
        return {}
    pairs = families.n_pairs(len(order), family.against)
    if pairs > MOST_DRAWN and not family.method:
        return {"undrawn": True}
    return {
        "wins": _stacked(list(map(differences.wins, datasets)), order),
        "seed": family.seed,
        "drawn_by": tuple(part.name for part in datasets),
    }


def _refuse_claims(family):
    """Refuse what is said of two systems only."""
    if family.claim != "better" or family.margin is not None:
        raise checks.InputError(
            f"{family.source}: a family of systems supports only the claim that one system is "
            f"better, without {checks.named('margin')}; to test another claim, compare two systems."
        )
    if family.claim_covers == "both":
        raise checks.InputError(
            f"{family.source}: claims about a family of systems cover new items or new runs, not "
            f"both; for new runs, choose {checks.given('claim_covers', repr('runs'))}; for new "
            f"items, leave {checks.named('claim_covers')} out; for both, compare two systems with "
            f"{checks.given('claim_covers', repr('both'))}."
        )
    if family.procedure == "paper" or family.groups:
        key = "procedure" if family.procedure == "paper" else "groups"
        raise checks.InputError(
            f"{family.source}: a family of systems always uses closed testing and does not accept "
            f"{checks.named(key)}; leave this setting out, or compare two systems."
        )


def _refuse_scales(family, names, datasets):
    """Refuse systems whose scores are on different scales; sums are on that of a metric."""
    if all(part.scores.ndim == 2 and part.metric is None for part in datasets):
        sides = [(part.name, part.scores) for part in datasets]
        gates.check_scores(family, names, sides, datasets[0].size is not None)


def _values(part):
    """Return the score of each system on a dataset."""
    if part.scores.ndim == 3:
        return metrics.METRICS[part.metric or "mean"](part.scores.sum(axis=1))
    size = np.ones(part.scores.shape[1]) if part.size is None else part.size
    return part.scores.sum(axis=1) / size.sum()


def _identical(names, scores):
    """Group the systems that have the same scores on every item, without those alone."""
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
    n_flips = family.n_flips or joint.N_FLIPS
    if not family.n_flips and family.method and family.method not in joint_pairs.METHODS:
        n_flips = max(n_flips, FLIPS_OF_A_PAIR * families.n_pairs(len(order), family.against))
    with gates.placed(family):
        return units.several_flips(datasets, family.shared, family.seed, n_flips).ordered(order)


def _recommended(datasets):
    """Name the test for the scores of all systems."""
    kinds = {
        "counts"
        if part.size is not None or part.scores.ndim == 3 or part.counted
        else recommendation.kind_of(part.scores.ravel(), part.scores.ravel())
        for part in datasets
    }
    metric = datasets[0].metric if datasets[0].scores.ndim == 3 else None
    return recommendation.recommend(recommendation.most_general(kinds), metric).test


def _tested(family, test, part, pairs):
    """Return the p-values of pairs on one dataset, shape (s, s)."""
    scores, summed = part.scores, part.scores.ndim == 3
    sizes = np.ones(scores.shape[1]) if part.size is None else part.size
    if test == "paired_bootstrap" and not summed:
        for option in family.options:
            checks.choice("option", option, ["n_resamples"])
        seed = evaluation.seed_of(family, part.name)
        return many_systems.bootstrap_pvalues(
            scores, sizes, **family.options, rng=seed, chosen=pairs
        )
    metric = metrics.METRICS[part.metric or "mean"]
    by_totals = test == "paired_bootstrap" and summed and not metric.common_denominator
    if by_totals and set(family.options) <= {"n_resamples"}:
        seed = evaluation.seed_of(family, part.name)
        return many_systems.metric_pvalues(scores, metric, **family.options, rng=seed, chosen=pairs)
    options = dict(family.options_of(part.name))
    if "rng" in paired.lookup(test).options:
        options["rng"] = evaluation.seed_of(family, part.name)
    drawn = set(options) == {"n_resamples", "rng"} and not summed
    if drawn and test == "sign_flip" and (scores == np.rint(scores)).all():
        return many_systems.flip_pvalues(scores, **options, chosen=pairs)
    pvalues = np.ones((len(scores), len(scores)))
    takes = paired.lookup(test).takes
    if takes != "sums" and not summed:
        scores = scores / sizes
    places = np.unique(pairs)
    if paired.lookup(test).matrix is not None and len(places) <= len(pairs) and not summed:
        pvalues[np.ix_(places, places)] = paired.matrix(test, scores[places], **options)
        return pvalues
    for i, j in pairs:
        a, b, more = scores[i], scores[j], {}
        if summed:
            a, b, more = evaluation.prepare(takes, part.pair(i, j))
        pvalues[i, j], pvalues[j, i] = paired.both(test, a, b, **more, **options)
    return pvalues
