"""One closed testing procedure for all statements of a comparison: k-hat, names, any group.

Count, names and the bounds of all groups hold together with confidence 1 - alpha, also of groups
that were thought of after the results (`replicability.stats.closed_testing`). The local test is
chosen by what is known of the dependence between the datasets, before the p-values are seen.
"""

import functools
from dataclasses import dataclass

import numpy as np

from replicability import checks
from replicability.stats import closed_testing, discrete, joint, joint_pairs, local_tests

LOCAL_TESTS = {"independent": "fisher_bonferroni", "positive": "simes", "dependent": "bonferroni"}
"""Maps the declared dependence to the default local test."""

IN_THE_PAPER = {"independent": "fisher", "positive": "bonferroni", "dependent": "bonferroni"}
"""Maps the dependence to the local test for groups if the paper's procedure is used."""

JOINT = "joint"
"""Local test for shared units: sum and maximum of the evidence under joint sign flips."""

DISCRETE = "discrete"
"""The same test for independent right-or-wrong datasets, with independent draws."""

METHODS = tuple(local_tests.load())
"""Names of the local tests."""

OF_UNITS = joint.METHODS
"""Local tests by joint sign flips, for datasets that share units."""

MOST_SUMS = 20_000
"""Maximum number of datasets in a search of sums, whose cost is quadratic."""

MOST_DRAWN = 100
"""Maximum number of right-or-wrong datasets whose null distributions are simulated."""

TITLES = {name: test.title for name, test in local_tests.load().items()}
"""Maps a local test to its name in a sentence."""

VALID_UNDER = {name: test.valid_under for name, test in local_tests.load().items()}
"""Maps a local test to the kinds of dependence under which it is valid."""


@dataclass(frozen=True, repr=False)
class Procedure:
    """Closed testing of n datasets at one level.

    Attributes
    ----------
    datasets : tuple of str
        Names of the datasets.
    alpha : float
        Everything that it says has simultaneous confidence 1 - alpha.
    method : str
        Local test, one of `METHODS`.
    pvalues : ndarray of float64, shape (n,)
        p-values of "A is not better"; None where the local test takes flips of units alone.
    flips : joint.Flips, optional
        Joint sign flips of the units, for the local tests `OF_UNITS`; draws of
        `stats.discrete` for `DISCRETE`.
    """

    datasets: tuple
    alpha: float
    method: str
    pvalues: np.ndarray | None
    flips: joint.Flips | None = None

    def __repr__(self):
        """Say how many datasets are counted, and which are named."""
        named = [name for name, of in zip(self.datasets, self.named, strict=True) if of]
        return (
            f"{type(self).__name__}: at least {self.at_least()} of {len(self.datasets)} datasets "
            f"at level {self.alpha:g}; named: {checks.enumerated(named) if named else 'none'}"
        )

    def at_least(self, group=None):
        """Bound from below the number of datasets of a group on which A is better.

        `group` (sequence of str): names of datasets, also chosen after the results were seen; all
        by default.

        Returns int. 0 to the size of the group; of all datasets the k-hat of the method.

        Raises `InputError`: as `check_group`.
        """
        return self.bound(group).at_least

    def bound(self, group=None):
        """Bound a group from below, and say how far the search could still have come.

        `group` (sequence of str): as in `at_least`.

        Returns joint.Bound. Both numbers are the same, unless a search through joint sign flips
        ended before it had decided everything; the lower one holds then, too.

        Raises `InputError`: as `check_group`.
        """
        chosen = slice(None) if group is None else check_group("the group", group, self.datasets)
        inside = np.zeros(len(self.datasets), bool)
        inside[chosen] = True
        key = inside.tobytes()
        if key in self._bounds:
            return self._bounds[key]
        if not self._of_flips:
            k = closed_testing.bound(self.pvalues, inside, self.alpha, self.method)
            found = joint.Bound(k, k)
        elif self.flips is None:
            raise checks.InputError(
                f"With {TITLES[self.method]}, the bound of another group requires the scores, but "
                "a result read from a dictionary has none; call compare() again with groups=."
            )
        else:
            found = joint.bound(self.flips, inside, self.alpha, self._of_flips)
            if found.at_least < found.at_most:
                # a search that ended early may have shown less than the names do
                least = max(found.at_least, int(self.named[inside].sum()))
                found = joint.Bound(least, found.at_most)
        self._bounds[key] = found
        return found

    @functools.cached_property
    def named(self):
        """Whether each dataset is named: its own bound is 1; ndarray of bool, shape (n,)."""
        if self._of_flips:
            return joint.named(self.flips, self.alpha, self._of_flips)
        return closed_testing.names(self.pvalues, self.alpha, self.method)

    @functools.cached_property
    def _bounds(self):
        """Bounds that were searched for: the bytes of the mask of a group -> its bound."""
        return {}

    def recall(self, named, bounds):
        """Repeat what was found before, where flips or draws are not kept.

        `named` (ndarray of bool, shape (n,)): whether each dataset is named. `bounds` (dict of
        tuple of str to joint.Bound): names of datasets -> their bound.
        """
        vars(self)["named"] = named
        for group, bound in bounds.items():
            self._bounds[np.isin(self.datasets, group).tobytes()] = bound

    @property
    def _of_flips(self):
        """The local test of `stats.joint` that is run; "" for one of p-values."""
        if self.method == DISCRETE:
            return JOINT
        return self.method if self.method in OF_UNITS else ""


@dataclass(frozen=True, repr=False)
class InFamily(Procedure):
    """Closed testing of a pair, simultaneous with all other pairs.

    Attributes
    ----------
    jointly : joint_pairs.Jointly
        Statements about all pairs, at the level `alpha` of the family.
    pair : tuple of int
        Places of the two systems.
    """

    jointly: joint_pairs.Jointly | None = None
    pair: tuple = ()

    def bound(self, group=None):
        """Bound a group as `Procedure.bound`."""
        chosen = slice(None) if group is None else check_group("the group", group, self.datasets)
        inside = np.zeros(len(self.datasets), bool)
        inside[chosen] = True
        return self.jointly.bound(*self.pair, inside)

    @functools.cached_property
    def named(self):
        """Whether each dataset is named, with the guarantee of the family."""
        return self.jointly.named(*self.pair)


@dataclass(frozen=True, repr=False)
class Gated(Procedure):
    """Closed testing of a pair after families that were tested first (`core.gatekeeping`).

    Attributes
    ----------
    left : Procedure, optional
        The procedure at the level that is left for all pairs; None if that is too small.
    decided : bool
        Whether an earlier family showed that the first system is better on at least one dataset.
    """

    left: Procedure | None = None
    decided: bool = False

    def bound(self, group=None):
        """Bound a group as `Procedure.bound`."""
        members = self.datasets if group is None else group
        whole = len(check_group("the group", members, self.datasets)) == len(self.datasets)
        least = int(self.decided and whole)
        found = joint.Bound(0, 0) if self.left is None else self.left.bound(group)
        return joint.Bound(max(found.at_least, least), max(found.at_most, least))

    @functools.cached_property
    def named(self):
        """Whether each dataset is named; an earlier family names one only if there is no other."""
        n = len(self.datasets)
        named = np.zeros(n, bool) if self.left is None else self.left.named
        return named | (self.decided and n == 1)


def closed(comparison, table, alpha):
    """Return the closed procedure of a comparison, whether count and names come from it or not.

    `comparison`: its `procedure`, `method` and `dependence` choose. Beside the paper's pair of
    count and names it bounds groups, as a statement of its own. `alpha`: level, in (0, 1).

    Returns Procedure or None. None where sums over more than `MOST_SUMS` datasets would have to be
    searched.

    Raises `InputError`: as `local_test`.
    """
    method = chosen(comparison, table)
    if _too_many(method, table):
        return None
    pvalues = table["p_value"].to_numpy()
    return Procedure(tuple(table["dataset"]), alpha, method, pvalues, table.flips)


def _too_many(method, table):
    """Tell whether a local test would search sums over too many datasets."""
    return len(table) > MOST_SUMS and not local_tests.load()[method].many


def chosen(comparison, table):
    """Choose the local test of a comparison by what its results hold.

    `comparison`: its `dependence` and `method`.

    Returns str. One of `METHODS`.

    Raises `InputError`: as `local_test`.
    """
    if comparison.procedure == "paper":
        return IN_THE_PAPER[comparison.dependence]
    return local_test(comparison.dependence, method=comparison.method, **known(table))


def known(table):
    """Say what is known of the datasets besides their p-values, as `local_test` takes it.

    Returns dict of str to bool. ``shared`` and ``drawn``.
    """
    drawn = isinstance(table.flips, discrete.Draws)
    return {"shared": table.flips is not None and not drawn, "drawn": drawn}


def local_test(dependence, *, shared=False, drawn=False, method=""):
    """Choose the local test.

    `dependence` ({"independent", "positive", "dependent"}): what is known of the dependence between
    the datasets. `shared`: whether the units that the datasets share are known; the dependence can
    then be measured. `drawn`: whether there are draws of `stats.discrete`, for right-or-wrong
    scores. `method`: the local test that is asked for, if any.

    Returns str. One of `METHODS`.

    Raises `InputError`: if the test that is asked for is not valid, or cannot be had.

    Examples
    --------
    >>> local_test("independent"), local_test("dependent"), local_test("dependent", shared=True)
    ('fisher_bonferroni', 'bonferroni', 'joint')
    """
    if not method:
        by_draws = drawn and dependence in VALID_UNDER[DISCRETE]
        return JOINT if shared else DISCRETE if by_draws else LOCAL_TESTS[dependence]
    checks.choice("method", method, METHODS)
    if method in OF_UNITS and not shared:
        raise checks.InputError(
            f"The method {method!r} needs units that the datasets share; declare them with "
            f"{checks.named('shared')}. If a unit is larger than an item, name its column with "
            f"{checks.named('unit')}."
        )
    if dependence not in VALID_UNDER[method]:
        raise checks.InputError(
            f"The method {method!r} is valid for datasets that are "
            f"{' or '.join(VALID_UNDER[method])}, but these are declared {dependence}; leave the "
            f"method out to use {LOCAL_TESTS[dependence]!r}."
        )
    if method == DISCRETE and not drawn:
        raise checks.InputError(
            "The method 'discrete' needs right-or-wrong scores, McNemar's exact test, and 2 to "
            f"{MOST_DRAWN:,} independent datasets; leave the method out to use "
            f"{LOCAL_TESTS[dependence]!r}."
        )
    return method


def check(comparison, table):
    """Check that the procedure and the groups of a comparison fit its datasets.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : Tested
        As `evaluation.evaluate` returns it.

    Raises
    ------
    InputError
        As `local_test` and `check_group`, and if `method` would search sums over too many datasets.
    """
    method = chosen(comparison, table)
    if comparison.method and comparison.procedure != "paper" and _too_many(method, table):
        raise checks.InputError(
            f"The method {method!r} supports at most {MOST_SUMS:,} datasets, but there are "
            f"{len(table):,}; leave the method out to use the paper's procedure."
        )
    for name, group in comparison.groups.items():
        check_group(f"group {name!r}", group, table["dataset"])


def check_group(name, group, datasets):
    """Return the places of the datasets of a group.

    `name`: what the group is called, for the message. `group` (sequence of str): names of datasets.
    `datasets` (sequence of str): all datasets.

    Returns list of int. Places, from 0.

    Raises `InputError`: if the group is empty, or names a dataset twice or one that is not there.
    """
    known, places = {dataset: place for place, dataset in enumerate(datasets)}, {}
    for member in group:
        if not isinstance(member, str) or member not in known:
            checks.choice(f"{name}: dataset", member, known)
        if member in places:
            raise checks.InputError(
                f"{name}: the dataset {member!r} is listed twice; list it only once."
            )
        places[member] = known[member]
    if not places:
        raise checks.InputError(f"{name} contains no datasets; list at least one dataset.")
    return [*places.values()]
