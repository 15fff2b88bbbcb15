"""What is decided about a comparison: how many datasets, and which."""

import functools
from dataclasses import dataclass, field, replace

import numpy as np

from replicability import checks
from replicability.core import claimed, procedure, units
from replicability.core.findings import claims as closed
from replicability.core.findings import wording
from replicability.core.findings.both_systems import bound_systems
from replicability.stats import local_tests, multiple_testing, paired, partial_conjunction

COMPARED = ("count", "bonferroni", "fisher")
"""Estimators of the number of datasets that the paper compares (Table 1)."""

PRINTED = tuple(name for name, of in partial_conjunction.ESTIMATORS.items() if of.printed)
"""Estimators that tables show in addition to the chosen one."""


@dataclass(frozen=True)
class Finding:
    """What is found about one comparison at one level.

    Attributes
    ----------
    title : str
        The comparison.
    systems : tuple of str
        A and B.
    alpha : float
        Level of all that is said, in both directions if both are asked.
    datasets : tuple of str
        The n datasets, in the order of the table.
    counts : dict of str to int
        Estimator -> estimated number of datasets on which A is better, 0 to n.
    recommended : str
        Estimator of the count: the local test of the procedure, or the method that the paper
        recommends for the declared dependence.
    identified : ndarray of bool, shape (n,)
        Datasets that are named, by the procedure or else by Holm's.
    pvalues : ndarray, shape (n,)
        The p-values of the datasets.
    claims : procedure.Procedure, optional
        The closed testing procedure from which count, names and groups come; None for the paper's
        pair of statements.
    of_groups : procedure.Procedure, optional
        The closed testing procedure from which the bounds of groups come: `claims`, or beside the
        paper's pair a third statement; None of too many datasets (`procedure.closed`).
    groups : dict of str to sequence of str
        Groups of datasets that are declared.
    claim : claimed.Claim
        What is claimed of A and B on a dataset.
    other : Finding, optional
        What is found for B, at half of alpha, if both directions are tested; the other attributes
        are then of A at half of alpha.
    doubtful : tuple of (int, int, BothSystems), optional
        How many of the p-values up to alpha stand where B scores higher, how many there are, and
        what they show of both systems, if the paper does not say whom p-values are for and any
        does.
    """

    title: str
    systems: tuple
    alpha: float
    datasets: tuple
    counts: dict
    recommended: str
    identified: np.ndarray
    pvalues: np.ndarray
    claims: procedure.Procedure | None = None
    of_groups: procedure.Procedure | None = None
    groups: dict = field(default_factory=dict)
    claim: claimed.Claim = claimed.BETTER
    other: "Finding | None" = None
    doubtful: tuple | None = None

    @functools.cached_property
    def partial_conjunctions(self):
        """Combination method -> p-values of "A is better on at least u datasets", u = 1, ..., n.

        They are computed when they are asked for, since counting takes less than they do.
        """
        return {
            name: partial_conjunction.partial_conjunction_pvalues(self.pvalues, name)
            for name in self.counts
            if name in partial_conjunction.METHODS
        }

    @property
    def identified_datasets(self):
        """Names of the identified datasets, in the order of the table."""
        return [d for d, found in zip(self.datasets, self.identified, strict=True) if found]

    @property
    def k(self):
        """Number of datasets by the recommended estimator, 0 to n."""
        return self.counts[self.recommended]

    @property
    def level(self):
        """Level at which A is found better: alpha, or half of it if both directions are tested."""
        return self.alpha / 2 if self.other else self.alpha

    @property
    def shows(self):
        """Whether the systems differ on a dataset in a direction that is tested."""
        own = self.k > 0 or self.identified.any()
        return bool(own or (self.other is not None and self.other.shows))

    @property
    def contradicted(self):
        """Whether B scores higher on datasets with small p-values of unknown direction."""
        return self.doubtful is not None and self.shows

    def __str__(self):
        """Return the sentence to paste; of both systems if small p-values contradict the scores."""
        if self.contradicted:
            (a, b), (against, small, both) = self.systems, self.doubtful
            return (
                f"{both} {b} scores higher on {against} of the {wording.plural(small, 'dataset')} "
                f"with p ≤ {self.alpha:g}. The bound of {self.k} for {a} "
                f"({procedure.TITLES[self.recommended]}) is valid only if all p-values are "
                f"one-sided and test whether {a} is better."
            )
        if self.other is not None and self.claims is not None:
            both = (self.claims, self.other.claims)
            return closed.of_both(self.systems, both, self.groups, self.claim)
        if self.other is not None:
            return f"{replace(self, other=None, alpha=self.level)} {self.other}"
        if self.claims is not None:
            return closed.sentence(self.systems, self.claims, self.groups, self.claim)
        pair = wording.sentence(
            self.systems,
            len(self.datasets),
            self.k,
            self.identified_datasets,
            self.alpha,
            self.recommended,
            self.claim,
        )
        if not self.groups or self.of_groups is None:
            return pair
        return f"{pair} {closed.beside_the_pair(self.of_groups, self.groups)}".rstrip()


def counted_by(finding, methods):
    """Return a finding with the counts of other estimators; the recommended one is kept.

    Parameters
    ----------
    finding : Finding
        In the directions that it has.
    methods : sequence of str
        As for `find`.

    Returns
    -------
    Finding
        As `find` returns it for the methods.
    """
    counts = {
        name: finding.counts[name]
        if name in finding.counts
        else partial_conjunction.estimate(finding.pvalues, finding.level, name)
        for name in methods
    }
    other = finding.other and counted_by(finding.other, methods)
    return replace(finding, counts=counts | {finding.recommended: finding.k}, other=other)


def find(comparison, table, alpha, methods=COMPARED):
    """Count and identify the datasets of a comparison, in the directions that it asks.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison; its `procedure`, `method` and `dependence` choose how is counted and named.
    table : Tested
        As `evaluation.evaluate` returns it.
    alpha : float
        Level of all that is found, in (0, 1).
    methods : sequence of str
        Names of `partial_conjunction.ESTIMATORS` to compare; the recommended one is added.

    Returns
    -------
    Finding
        Counts by every estimator, the datasets that are named, and the groups; with the `other`
        direction if the comparison is two-sided.

    Raises
    ------
    InputError
        As `procedure.closed`, or if a two-sided comparison has p-values of one direction only.
    """
    both = comparison.two_sided and has_both(comparison, table)
    if comparison.alternative == "two-sided" and not (both or comparison.claim == "equivalent"):
        raise checks.InputError(
            "These p-values test one direction only, so the other direction cannot be tested. "
            f"Leave {checks.named('alternative')} out. If the p-values are two-sided, name the "
            f"scores of both systems with {checks.named('scores')}."
        )
    sides = directions(comparison, table) if both else [(comparison, table)]
    level, found = alpha / len(sides), []
    for asked, answers in sides:
        pvalues, closed_ = answers["p_value"].to_numpy(), procedure.closed(asked, answers, level)
        claims = None if asked.procedure == "paper" else closed_
        counts = {name: partial_conjunction.estimate(pvalues, level, name) for name in methods}
        if claims is None:
            recommended = partial_conjunction.recommended_method(asked.dependence)
            counts[recommended] = partial_conjunction.estimate(pvalues, level, recommended)
            named = multiple_testing.identify(pvalues, level)
        else:
            recommended = claims.method
            counts[recommended] = claims.at_least()
            named = claims.named
        found.append(
            Finding(
                title=asked.title,
                systems=tuple(asked.systems),
                alpha=level,
                datasets=tuple(answers["dataset"]),
                counts=counts,
                recommended=recommended,
                identified=named,
                pvalues=pvalues,
                claims=claims,
                of_groups=closed_,
                groups={**answers.groups, **asked.groups},
                claim=claimed.claim(asked, table),
            )
        )
    if not both:
        return replace(found[0], doubtful=_doubtful(comparison, table, alpha))
    return replace(found[0], title=comparison.title, alpha=alpha, other=found[1])


def _doubtful(comparison, table, alpha):
    """Count the small p-values of unknown side that stand where B scores higher."""
    if comparison.sided != "unknown" or comparison.claim != "better" or "score_a" not in table:
        return None
    p, ahead = table["p_value"], table["score_a"] - table["score_b"]
    small = p <= alpha
    against = int((small & (ahead < 0)).sum())
    if not against:
        return None
    signed = comparison.test in paired.TESTS and paired.TESTS[comparison.test].signed
    sided = "two" if signed and ((p > 0.5) & (ahead != 0)).any() else "unknown"
    both = bound_systems(
        p, ahead, comparison.systems, alpha, sided=sided, dependence=comparison.dependence
    )
    return against, int(small.sum()), both


def has_both(comparison, table):
    """Tell whether there is evidence in both directions.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : Tested
        As `evaluation.evaluate` returns it.

    Returns
    -------
    bool
        False for one-sided p-values that were read: of "B is not better" they say nothing; and for
        the claim that A and B are equivalent, which is the same for both.
    """
    return "p_reverse" in table or (comparison.sided == "unknown" and "score_a" in table)


def directions(comparison, table):
    """Return what to ask for "A is better" and for "B is better".

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : Tested
        As `evaluation.evaluate` returns it, with scores (see `has_both`); without ``p_reverse``,
        its p-values are read as two-sided.

    Returns
    -------
    list of (study.Comparison, Tested)
        First in each the system claimed to be better, as in the title; ``p_value`` is one-sided.
    """
    rows = table.rows
    forth, back = rows["p_value"], rows.get("p_reverse")
    if back is None:
        ahead = rows["score_a"] - rows["score_b"]
        back = partial_conjunction.one_sided(forth, -ahead)
        forth = partial_conjunction.one_sided(forth, ahead)
    other = replace(table, rows=rows.assign(p_value=back))
    if table.flips is not None:
        own = table.flips_reverse
        flips = units.turned(table.flips) if own is None else own
        other = replace(other, flips=flips, flips_reverse=None)
    words, (a, b) = claimed.claim(comparison), comparison.systems
    return [
        (
            replace(comparison, title=words.short(a)),
            replace(table, rows=rows.assign(p_value=forth)),
        ),
        (replace(comparison, title=words.short(b), systems=(b, a)), other),
    ]


def find_both(comparison, table, alpha, methods=COMPARED):
    """Ask in both directions at once: on how many datasets is A better, and on how many is B?

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : Tested
        As `directions` takes it.
    alpha : float
        Joint level, in (0, 1).
    methods : sequence of str
        As for `find`.

    Returns
    -------
    list of Finding
        For "A is better" and for "B is better", each at alpha / 2.

    Notes
    -----
    Everything that closed testing says of both directions has simultaneous confidence 1 - alpha
    (Bonferroni over the two directions). In the paper's procedure the counts of both directions by
    one estimator do, and so do the datasets that Holm's procedure identifies in both; counts and
    names all together if the estimator's entry says that they are joint, while with Fisher's or
    Stouffer's method, whose counts have a guarantee apart from that of the names, they have
    1 - 2 alpha. Of several estimators, choose one beforehand.
    """
    found = find(replace(comparison, alternative="two-sided"), table, alpha, methods)
    title = found.claim.short(found.systems[0])
    return [replace(found, title=title, alpha=alpha / 2, other=None), found.other]


def other_direction(comparison, table, alpha):
    """Say that B is ahead, if nothing is found for A and B was not asked.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : Tested
        As `evaluation.evaluate` returns it.
    alpha : float
        Level, in (0, 1).

    Returns
    -------
    str
        A sentence about the scores, which claims nothing; "" if there is nothing to say.
    """
    if comparison.claim == "equivalent" or "score_a" not in table:
        return ""
    found, n = find(comparison, table, alpha), len(table)
    ahead = wins(table)["B"]
    if found.other is not None or found.shows or ahead <= n / 2:
        return ""
    return wording.only_one_direction(comparison.systems, ahead, n)


def wins(table):
    """Count the datasets on which the scores favour A, neither and B.

    Parameters
    ----------
    table : DataFrame
        With ``score_a`` and ``score_b``.

    Returns
    -------
    dict
        "A", "tie", "B" -> number of datasets.
    """
    signs = np.sign(table["score_a"] - table["score_b"])
    return {
        "A": int((signs > 0).sum()),
        "tie": int((signs == 0).sum()),
        "B": int((signs < 0).sum()),
    }


def adjusted(table, findings):
    """Adjust p-values by the procedure that names.

    Parameters
    ----------
    table : Tested
        As `evaluation.evaluate` returns it.
    findings : sequence of Finding
        Findings about it, one for each level.

    Returns
    -------
    dict of str to ndarray of float64
        ``adjusted_p_value`` and, if B was asked too, ``adjusted_p_reverse``: a dataset is named at
        alpha if its own is at most alpha. Doubled if both directions are tested; empty for a local
        test without adjusted p-values, such as a sum.
    """
    tests = local_tests.load()
    # beside the paper's count Holm's procedure names, as closed testing by Bonferroni's test
    methods = [found.claims.method if found.claims else "bonferroni" for found in findings]
    by = {tests[method].adjusted for method in methods}
    if len(by) != 1 or None in by:
        return {}
    (adjust,), other = by, findings[0].other
    columns = {"adjusted_p_value": findings[0]} | ({"adjusted_p_reverse": other} if other else {})
    times = 2 if other else 1
    return {name: np.minimum(1, times * adjust(found.pvalues)) for name, found in columns.items()}
