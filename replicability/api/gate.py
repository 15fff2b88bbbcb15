"""A release gate: ship, block, or cannot tell, with one error rate for the whole suite."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np
import pandas as pd

import replicability
from replicability import checks
from replicability.api import pins, record
from replicability.api.keywords import public
from replicability.api.reading import Reading, kind_of, listed_names
from replicability.api.scores import Scores
from replicability.checks import InputError
from replicability.core import (
    as_read,
    cautions,
    evaluation,
    in_runs,
    labels,
    orientation,
    pilot,
    procedure,
    release,
    units,
)
from replicability.core.findings import directions, releases
from replicability.core.findings.wording import plural
from replicability.core.release import EXIT, Evidence
from replicability.core.roles import Roles
from replicability.io import files, keys, questions
from replicability.io import policy as policies
from replicability.io.declared import GATED, OF_GATES, Comparison
from replicability.io.instances import Dataset
from replicability.stats import overall, paired, two_samples, unpaired
from replicability.stats.power_of_runs import Crossed

if TYPE_CHECKING:
    from replicability.core.tested import Tested

MOST_FLIPS = 10
"""Maximum number of items listed as worse than before."""


@dataclass(frozen=True, eq=False, repr=False)
class Gate:
    """The verdict of a gate and its evidence; `print` shows its sentences.

    Attributes
    ----------
    systems : tuple of str
        The base and the new system.
    verdict : {"SHIP", "BLOCK", "CANNOT TELL"}
        SHIP: the new system is not worse by more than the margin, as the policy requires. BLOCK: it
        is worse on as many datasets as the policy says, or on one that must not regress. CANNOT
        TELL: there is evidence for neither.
    alpha : float
        A verdict is wrong with at most this probability.
    level : float
        Level at which each verdict is tested.
    policy : release.Policy
        What the verdicts need.
    evidence : release.Evidence
        The closed procedure of "worse", and p-values of "not worse".
    rows : DataFrame
        As `table`, without what was decided.
    independent : bool
        Whether the datasets were declared independent.
    read : Roles
        What was read; its A is the new system.
    labels : dict of str to str
        Names of systems and datasets for readers.
    ignored : tuple of str
        Datasets that the policy ignores.
    flips : tuple of (str, str, float, float)
        The items that lost most, regressions first: dataset, item, and the scores of base and new.
        () if there are no items, as for successes in trials, or items are rated.
    covers : {"items", "runs", "both"}
        What the verdict is about: new items, new runs on these items, or both.
    law : power_of_runs.Crossed, optional
        Law of the tests of "not worse" of two equal systems, if every run scored every item and the
        verdict is about both.
    notes : tuple of str
        Where p-values may be too small, how the systems were run otherwise, and what was read.

    Examples
    --------
    >>> import pandas as pd
    >>> import replicability as rep
    >>> df = pd.DataFrame({"dataset": ["news"] * 60 + ["law"] * 60, "v1": [1] * 90 + [0] * 30,
    ...                    "v2": [1] * 20 + [0] * 12 + [1] * 58 + [0] * 30})
    >>> gate = rep.gate(df, systems=["v1", "v2"], margin=0.1)
    >>> print(gate.verdict, gate.regressed)
    BLOCK ['news']
    """

    systems: tuple[str, str]
    verdict: Literal["SHIP", "BLOCK", "CANNOT TELL"]
    alpha: float
    level: float
    policy: release.Policy
    evidence: Evidence
    rows: pd.DataFrame
    independent: bool
    read: Roles
    labels: Mapping[str, str] = dataclasses.field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    flips: tuple[tuple[str, str, float, float], ...] = ()
    covers: Literal["items", "runs", "both"] = "items"
    law: Crossed | None = None
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 to ship, 1 to block, 2 if the gate cannot tell."""
        return EXIT[self.verdict]

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names of the n datasets."""
        return tuple(self.evidence.worse.datasets)

    @property
    def n(self) -> int:
        """Number of datasets."""
        return len(self.datasets)

    @property
    def k_worse(self) -> int:
        """Lower bound on the number of datasets on which the new system is worse."""
        return self.evidence.n_worse

    @property
    def regressed(self) -> list[str]:
        """Datasets on which the new system is significantly worse."""
        return self.evidence.regressed

    @property
    def open(self) -> list[str]:
        """Datasets without evidence that the new system is within the margin."""
        return list(self.rows["dataset"][self.evidence.not_worse > self.level])

    @cached_property
    def table(self) -> pd.DataFrame:
        """All numbers, one row per dataset.

        Columns: ``dataset``; ``n`` items (``units`` where they are larger), or trials of both
        systems; ``score_base``,
        ``score_new``; their ``difference``, above 0 where the new system is better, with its 95%
        interval from ``low`` to ``high``; on how many items the new system ``lost`` and ``won``;
        ``margin``; ``p_worse`` of "the new system is not worse"
        and ``worse``, whether it is shown to be; ``p_not_worse`` of "it is worse by the margin or
        more", and ``within``, whether that is at most the level; ``power``, the probability of
        ``within`` if the systems were equal; ``items_needed``, where neither is shown, with how
        many items one of both would be with probability 80%, if the difference stayed as it is. It
        is NaN for splits, of which more show little, for new items and new runs, of which a plan
        (`design`) needs both, and where the mean decides.
        """
        rows, level = self.rows, self._level_of_each
        errors, margins = self._errors, rows["margin"]
        worse, within = self.evidence.worse.named, self.evidence.not_worse <= self.level
        items = release.items_needed(
            rows.get("units", rows["n"]), errors, rows["difference"], margins, level
        )
        power = release.powers(errors, margins, level)
        if self.covers == "runs":  # of which few reach no level
            power = np.where(rows["floor"] <= level, power, 0.0)
            items = np.maximum(items, release.fewest_runs(level))
        if self.law:
            power = self.law.power(level)[:, 0]
        planned = self.items == "splits" or self.law or self.evidence.mean
        settled = worse | within | bool(planned)
        return rows.drop(columns="floor").assign(
            worse=worse,
            within=within,
            power=power,
            items_needed=np.where(settled, np.nan, items),
        )

    @property
    def items(self) -> str:
        """What the table counts: "items", "splits", "runs" or "trials" of both systems."""
        if self.read.scale == "successes in trials":
            return "trials"
        return "runs" if self.covers == "runs" else f"{self.read.noun}s"

    @property
    def _level_of_each(self) -> float:
        """Level at which a dataset must be within the margin to count for certain."""
        needed = self.policy.needs(self.n)
        return self.level if needed is None else self.level / (self.n - needed + 1)

    @property
    def _errors(self) -> Any:
        """Standard errors; of datasets without a differing item, those of one that differs."""
        errors = self.rows["standard_error"].to_numpy(float)
        return np.where(errors > 0, errors, 1 / self.rows["n"])

    @property
    def power(self) -> float:
        """Probability of SHIP if nothing had changed and the datasets were independent.

        By the normal approximation. Where the mean decides, under the declared dependence.
        """
        needed, mean = self.policy.needs(self.n), self.evidence.mean
        if mean is not None:
            return float(release.powers(mean.error, mean.margin, self.level))
        return release.power(self.table["power"], needed)

    @property
    def power_bounds(self) -> tuple[float, float]:
        """Least and largest `power` under the declared dependence."""
        if self.independent or self.n == 1 or self.evidence.mean is not None:
            return self.power, self.power
        return release.power_bounds(self.table["power"], self.policy.needs(self.n))

    @property
    def times_items(self) -> float | None:
        """How many times as many items would ship it with probability 80%, where the mean decides.

        At the observed mean difference; infinite if that is a loss of the margin or more, None
        where it ships already, the mean does not decide, or new runs are needed as well.
        """
        mean = self.evidence.mean
        if mean is None or self.law or self.verdict == release.SHIP:
            return None
        return release.times_needed(mean, self.level)

    @property
    def sentences(self) -> list[str]:
        """The verdict, what it rests on, what would settle it, and its error rate."""
        return releases.sentences(self)

    def __str__(self) -> str:
        """Return the sentences."""
        return "\n".join(self.sentences)

    def __repr__(self) -> str:
        """Name the systems and the verdict."""
        base, new = self.systems
        return f"<Gate: {self.verdict}, {new} after {base} on {plural(self.n, 'dataset')}>"

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, as ``replicability gate --json`` prints it."""
        answer = {
            "version": replicability.__version__,
            "verdict": self.verdict,
            "exit_code": self.exit_code,
            "systems": self.systems,
            "labels": self.labels,
            "alpha": self.alpha,
            "level": self.level,
            "policy": {**dataclasses.asdict(self.policy), "ignored": self.ignored},
            "claim_covers": self.covers,
            "method": self.evidence.worse.method,
            "worse_on_at_least": self.k_worse,
            "regressed": self.regressed,
            "open": self.open,
            "power": self.power,
            "power_bounds": self.power_bounds,
            "times_items": self.times_items,
            "datasets": self.table.to_dict("records"),
            "flips": [
                dict(zip(("dataset", "item", "base", "new"), flip, strict=True))
                for flip in self.flips
            ],
            "sentences": self.sentences,
            "notes": self.notes,
            "read": self.read.to_dict(),
        }
        plain: dict[str, Any] = record.plain(answer)
        return plain

    def to_markdown(self) -> str:
        """Return a comment for a pull request."""
        from replicability.show import view_of_gates

        return view_of_gates.markdown(self)

    def to_junit(self) -> str:
        """Return JUnit XML: a test case for the verdict and one for each dataset."""
        from replicability.show import view_of_gates

        return view_of_gates.junit(self)

    def report(self, file: str | os.PathLike[str]) -> Path:
        """Write everything on one HTML page for your co-authors; return its path."""
        return files.write(Path(file).absolute(), self.page())

    def page(self) -> str:
        """Return the page that `report` writes."""
        from replicability.show import view_of_gates

        return view_of_gates.page(self)

    def _repr_html_(self) -> str:
        """Return sentences and tables for Jupyter."""
        from replicability.api import shown
        from replicability.show import view_of_gates

        parts = [shown.paragraph(said) for said in self.sentences]
        return "\n".join([*parts, *map(shown.captioned, view_of_gates.shown(self))])


@public
def gate(
    base: Any,
    new: Any = None,
    *,
    systems: Iterable[str] = (),
    policy: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    margin: float | Mapping[str, float] | None = None,
    ship: str | int | None = None,
    block: int | None = None,
    must_not_regress: Iterable[str] = (),
    other_prompts: bool | None = None,
    alpha: float | None = None,
    claim_covers: Literal["items", "runs", "both"] | None = None,
    dependence: Literal["independent", "positive", "dependent"] | None = None,
    shared: bool | Mapping[str, Iterable[str]] = False,
    labels: Mapping[str, str] | None = None,
    test: str | None = None,
    options: Mapping[str, Any] | None = None,
    method: str | None = None,
    seed: int | None = None,
    n_flips: int | None = None,
    **reading: Unpack[Reading],
) -> Gate:
    """Decide whether a new system may replace a base: ship, block, or cannot tell.

    Parameters
    ----------
    base, new : data frame, path, array_like or dict
        The scores of both, each as A and B of `compare`; or `base` alone, a table with both. Or
        `base` is a baseline that `pin` wrote, with which a new run is compared.
    systems : sequence of str, optional
        The base and the new system: columns or values of one table; for other data, their names
        in the sentences.
    policy : path or dict, optional
        A YAML file or a dictionary with any keyword below, and with exceptions under ``datasets``
        and ``groups``. A keyword overrides the policy.
    {keywords}
    **reading
        As in `compare`: how scores are read.

    Returns
    -------
    Gate
        `print(gate)` gives the verdict and the reasons; `Gate.exit_code` is 0, 1 or 2.

    Raises
    ------
    InputError
        If no margin is given, the policy names an unknown dataset, or as in `compare`.

    Notes
    -----
    At most one of SHIP and BLOCK can be wrong for the same pair of systems where SHIP asks for so
    many datasets that its failure means `block` datasets are worse; then each is tested at alpha,
    else at alpha / 2 (`core.release`). A verdict is wrong with probability alpha at most: in each
    run, so that a gate that runs every night is wrong in up to alpha of the nights.

    Valid if the tests of the datasets are (`replicability tests`), and the local test under the
    declared dependence. SHIP on every dataset needs no assumption on the dependence.

    Examples
    --------
    >>> import replicability as rep
    >>> base, new = {"news": [1, 0] * 500}, {"news": [1, 0] * 499 + [0, 1]}
    >>> print(rep.gate({"news": (base["news"], new["news"])}, systems=["v1", "v2"], margin=0.02))
    ... # doctest: +NORMALIZE_WHITESPACE
    SHIP: v2 is not worse than v1 by more than 0.02 on the only dataset (95% confidence).
    The verdict is wrong in at most 5% of releases. BLOCK is wrong if v2 is not worse; SHIP is wrong
    if v2 is worse by more than the margin.
    """
    given = locals()
    asked = {key: given[key] for key in (*OF_GATES, *GATED, "alpha")}
    asked["must_not_regress"] = listed_names("must_not_regress", must_not_regress) or None
    settings = policies.read(policy, keys.given(asked))
    return judge(base, new, listed_names("systems", systems), settings, reading)


def judge(
    base: Any,
    new: Any,
    systems: Sequence[str],
    settings: policies.Settings,
    reading: Mapping[str, Any],
) -> Gate:
    """As `gate`, of settings that were read."""
    asked = {**settings.reading, **reading}
    return decide(_scores(base, new, systems, asked, settings.other_prompts), settings)


def _scores(
    base: Any, new: Any, systems: Sequence[str], reading: dict[str, Any], other_prompts: bool
) -> Scores:
    """Read both systems, the new one as A."""
    if any(reading.get(side) is not None for side in "ab"):
        raise InputError(
            "A gate takes systems=[BASE, NEW] instead of a= and b=; leave out a= and b=."
        )
    if systems and len(systems) != 2:
        raise InputError(
            f"A gate compares two systems, but you named {plural(len(systems), 'system')}; name "
            "two, the base first."
        )
    if new is None and not systems:
        raise InputError(
            "One table holds both systems, but you did not say which is the base; name the base "
            "first: systems=[BASE, NEW], or --systems BASE NEW."
        )
    if new is not None and pins.is_baseline(base):
        old, name = systems or ("", "")
        return pins.compared(new, base, (name, old), reading, other_prompts)
    if new is not None and not systems and kind_of(base) != "a path":
        systems = ("base", "new")
    named: Any = reading | dict(zip("ba", systems, strict=False))
    for key in ("successes", "trials"):  # which are in the order of the systems
        if isinstance(named.get(key), list | tuple):
            named[key] = named[key][::-1]
    return Scores.of(base, None, named) if new is None else Scores.of(new, base, named)


def decide(scores: Scores, settings: policies.Settings) -> Gate:
    """Decide about scores that were read.

    `scores` (Scores): the new system is A. `settings` (policy.Settings): what is asked.

    Returns Gate.

    Raises `InputError`: as `gate`.
    """
    of = settings.of([dataset.name for dataset in scores.datasets])
    kept = [dataset for dataset in scores.datasets if not of[dataset.name]["ignore"]]
    if not settings.other_prompts and scores.source.level != "counts":
        _refuse_other_prompts(kept)
    names = [dataset.name for dataset in kept]
    margins = {name: of[name]["margin"] for name in names}
    if lacking := [name for name, own in margins.items() if own is None]:
        raise InputError(
            f"No margin is given for the dataset{'s' * (len(lacking) > 1)} "
            f"{checks.enumerated(lacking, 3)}. How much worse may the new system be? For example, "
            f"set {checks.named('margin')} to 0.01."
        )
    if wrong := [own for own in margins.values() if not own > 0]:
        raise InputError(
            f"{checks.named('margin')} is {wrong[0]:g}, but it is the largest loss in score "
            "that you accept from the new system, so it must be above 0; write, for example, 0.01."
        )
    asked = {
        key: settings.fields[key] for key in GATED if key in settings.fields and key != "margin"
    }
    fields = settings.fields
    better = questions.comparison(scores.source, questions.declare(asked))
    labels.check(better, scores.systems, of)
    called = better.called
    rule = release.Policy(
        ship=fields.get("ship", release.EVERY),
        block=fields.get("block", 1),
        guarded=tuple(called(name) for name in names if of[name]["must_not_regress"]),
    )
    rule.check([*map(called, names)])
    alpha = keys.level(fields.get("alpha", 0.05), "a gate")
    level = rule.level(alpha, len(names))
    table = evaluation.evaluate(better, kept)
    margin = {"claim": "not_worse", "margin": margins}
    within = questions.comparison(scores.source, questions.declare({**asked, **margin}))
    other = evaluation.evaluate(within, kept, both=False, measured=table.dependence)
    table = table.assign(dataset=table["dataset"].map(called))
    kept = [dataclasses.replace(dataset, name=called(dataset.name)) for dataset in kept]
    evidence = Evidence(
        worse=_worse(better, table, level),
        not_worse=other["p_value"].to_numpy(),
        method=release.combination(within, other),
        mean=_mean(better, table, kept, margins, level) if rule.ship == release.OVERALL else None,
    )
    verdict = release.verdict(rule, evidence)
    doubts = cautions.doubts(table, level) + cautions.doubts(other, level * len(other))
    doubts = [said for said in doubts if said not in as_read.of_runs(table)]  # a sentence has it
    doubts += cautions.floors(table, level) if verdict == release.CANNOT_TELL else []
    has_items = (
        scores.roles.noun == "item"
        and better.level != "counts"
        and not {"gold", "human"} & {*better.columns}
    )
    return Gate(
        systems=(called(scores.systems[1]), called(scores.systems[0])),
        verdict=verdict,
        alpha=alpha,
        level=level,
        policy=rule,
        evidence=evidence,
        rows=_rows(table, other),
        independent=better.dependence == "independent",
        read=scores.roles,
        labels=better.labels,
        ignored=tuple(called(name) for name, own in of.items() if own["ignore"]),
        covers=better.claim_covers,
        law=_law(within, other),
        flips=_flips(better, kept, evidence.regressed) if has_items else (),
        notes=tuple(dict.fromkeys(doubts)),
    )


def _law(within: Comparison, table: Tested) -> Crossed | None:
    """Return the law of "not worse" on each dataset, if every run scored every item."""
    suite = pilot.observed(within, table) if within.crossed else None
    law: Crossed | None = suite.laws(0.0) if suite else None
    return law


def _refuse_other_prompts(datasets: Sequence[Dataset]) -> None:
    """Refuse systems that were run otherwise, so that the system may not be what changed."""
    apart = [dataset for dataset in datasets if dataset.otherwise]
    if apart:
        where = checks.enumerated([dataset.name for dataset in apart], 3)
        raise InputError(
            f"{apart[0].otherwise[0]} The change affects {where}. If it is part of the release, "
            f"accept it with {checks.named('other_prompts')}."
        )


def _worse(better: Comparison, table: Tested, level: float) -> procedure.Procedure:
    """Return the closed procedure of "the new system is worse"."""
    _, (asked, answers) = directions(better, table)
    found = procedure.closed(asked, answers, level)
    if found is None:
        raise InputError(
            f"The default method does not support {len(table):,} datasets; set "
            f"{checks.named('method')} to 'bonferroni'."
        )
    return found


def _mean(
    better: Comparison,
    table: Tested,
    datasets: Sequence[Dataset],
    margins: Mapping[str, float],
    level: float,
) -> release.Mean:
    """Estimate the mean difference, with its lower limit at a one-sided level."""
    confidence = 1 - 2 * level
    given: Any = {"confidence_level": confidence}
    _, turned = orientation.orient(better, datasets)
    if better.level == "counts":
        limits = [unpaired.newcombe(*task.a, *task.b, **given) for task in datasets]
    elif better.claim_covers == "runs":
        sign = -1 if better.higher_is_better is False else 1
        runs: Any = [dataset.runs for dataset in datasets]
        limits = [two_samples.interval(sign * r.a, sign * r.b, **given)[0] for r in runs]
    elif better.crossed:
        limits = [_crossed(better, units.by_unit(part), confidence) for part in turned]
    elif better.splits or datasets[0].gold is not None or datasets[0].human is not None:
        limits = []  # Student's, of the standard errors
    else:
        found = [
            paired.difference(d.a, d.b, metric=d.metric if d.a.ndim == 2 else None, **given)
            for d in map(units.by_unit, turned)
        ]
        limits = [difference.confidence_interval for difference in found]
    known = "independent" if better.dependence == "independent" else "unknown"
    mean = overall.overall(
        table["difference"],
        table["standard_error"],
        table.get("units", table["n"]),
        limits=tuple(zip(*((limit.low, limit.high) for limit in limits), strict=True)) or None,
        dependence="shared" if table.covariance is not None else known,
        covariance=table.covariance,
        confidence_level=confidence,
    )
    return release.Mean(
        mean.effect,
        mean.standard_error,
        mean.confidence_interval.low,
        float(np.mean(list(margins.values()))),
    )


def _crossed(better: Comparison, dataset: Dataset, confidence: float) -> Any:
    """Return the interval of a difference over new items and new runs."""
    a, b = in_runs.scores(dataset)
    same = in_runs.options(better, dataset)["paired_runs"]
    found = paired.crossed_t(a, b, paired_runs=same, confidence_level=confidence)
    return found.confidence_interval


def _rows(table: Tested, within: Tested) -> pd.DataFrame:
    """Return the numbers of the datasets; a difference above 0 is in favour of the new system."""
    shown = table.as_read()
    sizes = [column for column in ("n", "units") if column in table]
    counts = {"lost": "losses", "won": "wins"} if "wins" in table else {}
    return pd.DataFrame(
        {
            "dataset": table["dataset"],
            **{column: table[column] for column in sizes},
            "score_base": shown["score_b"],
            "score_new": shown["score_a"],
            **{column: table[column] for column in ("difference", "low", "high")},
            **{column: table[of] for column, of in counts.items()},
            "margin": within["margin"],
            "p_worse": table["p_reverse"],
            "p_not_worse": within["p_value"],
            "standard_error": table["standard_error"],
            "floor": within.get("floor", 0.0),
        }
    )


def _flips(
    better: Comparison, datasets: Sequence[Dataset], regressed: Sequence[str]
) -> tuple[tuple[str, str, float, float], ...]:
    """List the items that lost most, in turn by dataset, those of worse datasets first."""
    _, turned = orientation.orient(better, datasets)
    found = []
    for dataset, of in zip(turned, datasets, strict=True):
        new, base, _ = evaluation.prepare("scores", dataset)
        lost = base - new
        worst = np.argsort(-lost, kind="stable")[:MOST_FLIPS]
        as_read = evaluation.prepare("scores", of)
        found += [
            (
                (dataset.name not in regressed, -float(lost[place]), rank),
                dataset.name,
                str(dataset.identifiers[int(place)]),
                float(as_read[1][place]),
                float(as_read[0][place]),
            )
            for rank, place in enumerate(worst)
            if lost[place] > 0
        ]
    return tuple(flip[1:] for flip in sorted(found, key=lambda flip: flip[0])[:MOST_FLIPS])
