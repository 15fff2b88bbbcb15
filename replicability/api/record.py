"""A result as a dictionary of plain values, which JSON can hold, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import replicability
from replicability.core import claimed, evaluation, procedure
from replicability.core.evaluation import LEVEL
from replicability.core.findings import Finding, Overall, Population, if_independent
from replicability.core.roles import Roles
from replicability.core.tested import Tested
from replicability.io import provenance
from replicability.io.declared import INSTANCE
from replicability.io.study import Comparison
from replicability.stats import joint
from replicability.stats.intervals import ConfidenceInterval

if TYPE_CHECKING:
    from replicability.api.result import Result

SETTINGS = (
    *(
        "title",
        "score",
        "higher_is_better",
        "missing",
        "claim",
        "margin",
        "dependence",
        "seed",
        "options",
        "labels",
    ),
)
"""Fields of a comparison that are stored unchanged in a dictionary."""

OVERALL = (
    *("difference", "low", "high", "at_least", "standard_error", "dependence"),
    *("ahead", "level", "behind"),
)
"""Fields of the mean difference that are stored unchanged in a dictionary."""

ENDS = ("lowest", "highest")
"""The datasets with the extreme differences."""

OF_FLIPS = (*procedure.OF_UNITS, procedure.DISCRETE)
"""Local tests that need scores and therefore cannot be recomputed from a dictionary."""


def source_of(comparison: Comparison) -> dict[str, Any]:
    """Return the files that scores come from with their SHA-256, or else what is in memory."""
    files = provenance.digests([place for place in comparison.paths if place])
    return {"source": "" if files else comparison.source, "files": files}


def plain(value: Any) -> Any:
    """Turn numpy's numbers and tuples into Python's own, and numbers that are not finite to None.

    `value`: dictionaries, sequences, text and numbers.

    Returns object. What JSON can hold.
    """
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(item) for item in value]
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def to_dict(result: Result) -> dict[str, Any]:
    """Return what `Result.to_dict` describes."""
    comparison, table, first = result.comparison, result.evaluated, result.findings[0]
    method = first.claims.method if first.claims else None
    units = {"unit": comparison.unit, "shared": comparison.shared or False}
    found = [side for finding in result.findings for side in sides(finding)]
    over = result.over_datasets
    answer = {
        "version": replicability.__version__,
        "systems": result.systems,
        "alternative": "two-sided" if first.other else "greater",
        **{key: getattr(comparison, key) for key in SETTINGS},
        "claim_covers": comparison.claim_covers,
        "n_flips": (comparison.n_flips or joint.N_FLIPS) if comparison.shared else None,
        "dependence_declared": result.declared,
        "alpha": [finding.alpha for finding in result.findings],
        "procedure": "closed" if method else "paper",
        "method": method,
        "recommended": first.recommended,
        "units": units if comparison.level == "instances" else None,
        "groups": first.groups,
        "test": table["test"].iloc[0] if "test" in table else comparison.test or None,
        "recommended_test": table.recommended_test or None,
        "turned": table.turned,
        "read": result.read.to_dict(),
        "datasets": result.table.to_dict("records"),
        "sentences": list(map(str, result.findings)),
        "findings": [_stated(finding, bool(first.other)) for finding in found],
        "overall": _overall(result.overall),
        "over_datasets": {"sentence": str(over), **asdict(over.found)} if over else None,
        "notes": result.notes,
        "provenance": result.provenance,
    }
    made: dict[str, Any] = plain(answer)
    return made


def sides(finding: Finding) -> list[Finding]:
    """Return the finding for A and, if both directions are tested, for B, each at its level."""
    own = replace(finding, other=None, alpha=finding.level)
    return [own, finding.other] if finding.other else [own]


def _stated(found: Finding, both: bool) -> dict[str, Any]:
    """Return what one finding says, perhaps of one of both directions."""
    whose = found.systems[0] if both else ""
    return {
        "systems": found.systems,
        "claim": found.claim.shown(*found.systems),
        "null": found.claim.null(*found.systems),
        "alpha": found.alpha,
        "k": found.k,
        "named": found.identified_datasets,
        "count": found.counts["count"],
        "k_hat": {name: k for name, k in found.counts.items() if name != "count"},
        "groups": [_bounded(name, group, found) for name, group in found.groups.items()],
        "sentence": str(found),
        "if_independent": if_independent(found.claims, whose) if found.claims else "",
    }


def _bounded(name: str, group: Sequence[str], found: Finding) -> dict[str, Any]:
    """Return the bound of a group, and the one that an unlimited search could give at most."""
    assert found.of_groups is not None, "result.decide refuses groups that cannot be bounded"
    bound = found.of_groups.bound(group)
    return {
        "group": name,
        "datasets": group,
        "at_least": bound.at_least,
        "search_could_give": bound.at_most,
    }


def _overall(found: Overall | None) -> dict[str, Any] | None:
    """Return the mean difference and how far datasets differ; None without scores."""
    if found is None:
        return None
    said = {key: getattr(found, key) for key in OVERALL} | {"confidence_level": LEVEL}
    for end in ENDS:
        dataset, difference = getattr(found, end)
        said[end] = {"dataset": dataset, "difference": difference}
    return said | {"caution": found.caution, "sentence": str(found)}


# --- and back ------------------------------------------------------------------------------------


def fields(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the result that a dictionary holds."""
    comparison, table = _comparison(answer), _tested(answer)
    found = [_finding(comparison, table, answer, said) for said in answer["findings"]]
    if answer["alternative"] == "two-sided":
        pairs = zip(answer["alpha"], found[::2], found[1::2], strict=True)
        found = [replace(own, alpha=alpha, other=other) for alpha, own, other in pairs]
    return {
        "comparison": comparison,
        "evaluated": table,
        "findings": tuple(found),
        "declared": answer["dependence_declared"],
        "provenance": answer["provenance"],
    }


def _comparison(answer: Mapping[str, Any]) -> Comparison:
    """Return what was declared, as far as it does not say how files are read."""
    units, test, method = answer["units"], answer["test"], answer["method"]
    columns: dict[str, Any] = {} if units else {"dataset": "dataset", "p_value": "p_value"}
    if not units and answer["overall"]:
        columns["scores"] = ["score_a", "score_b"]
    read = answer["read"]["columns"]
    columns |= {role: read[role] for role in ("run", "human") if read.get(role)}
    return Comparison(
        name=answer["title"],
        section="",
        systems=tuple(answer["systems"]),
        file=answer["provenance"]["source"] or " and ".join(answer["provenance"]["files"]),
        columns=columns,
        alternative=answer["alternative"],
        procedure=answer["procedure"],
        method="" if method is None or method in OF_FLIPS else method,
        groups=answer["groups"],
        over_datasets=answer["over_datasets"] is not None,
        test="" if test in (None, answer["recommended_test"]) else test,
        unit=units["unit"] if units else INSTANCE,
        shared=units["shared"] or {} if units else {},
        n_flips=answer["n_flips"],
        repeats=answer["read"].get("repeats", {}),
        claim_covers=answer.get("claim_covers", "items"),
        **{key: answer[key] for key in SETTINGS},
    )


def _tested(answer: Mapping[str, Any]) -> Tested:
    """Return the rows without the columns that decisions add."""
    rows = pd.DataFrame(answer["datasets"])
    rows = rows.drop(columns=[name for name in rows if name.startswith(("named", "adjusted_"))])
    empty = [name for name in rows if rows[name].isna().all() and name not in evaluation.COUNTED]
    rows = rows.astype(dict.fromkeys(empty, float))
    tested = Tested(
        rows,
        recommended_test=answer["recommended_test"] or "",
        turned=answer["turned"],
        read=Roles.from_dict(answer["read"]),
        covers=answer.get("claim_covers", "items"),
    )
    return tested.as_read()  # which turns back, too


def _finding(
    comparison: Comparison, table: Tested, answer: Mapping[str, Any], said: Mapping[str, Any]
) -> Finding:
    """Return what was found in one direction at one level."""
    forth = said["systems"] == list(comparison.systems)
    asked = table if forth else table.assign(p_value=table["p_reverse"])
    claim, datasets = claimed.claim(comparison, table), tuple(table["dataset"])
    pvalues, named = asked["p_value"].to_numpy(float), np.isin(datasets, said["named"])
    claims = None
    if method := answer["method"]:
        claims = procedure.Procedure(datasets, said["alpha"], method, pvalues)
        if method in OF_FLIPS:
            bounds = {
                tuple(of["datasets"]): joint.Bound(of["at_least"], of["search_could_give"])
                for of in said["groups"]
            }
            claims.recall(named, {datasets: joint.Bound(said["k"], said["k"]), **bounds})
    return Finding(
        title=comparison.title if forth else claim.short(said["systems"][0]),
        systems=tuple(said["systems"]),
        alpha=said["alpha"],
        datasets=datasets,
        counts={"count": said["count"], **said["k_hat"]},
        recommended=answer["recommended"],
        identified=named,
        pvalues=pvalues,
        claims=claims,
        of_groups=claims or procedure.closed(comparison, asked, said["alpha"]),
        groups=comparison.groups,
        claim=claim,
    )


def over_datasets(answer: Mapping[str, Any]) -> Population | None:
    """Return what a dictionary says of the population of datasets."""
    said = answer["over_datasets"]
    if said is None:
        return None
    from replicability.stats.over_datasets import OverDatasets  # which few results need

    numbers = {key: value for key, value in said.items() if key != "sentence"}
    for key in ("centre_interval", "median_interval"):
        low: Any = -math.inf if said[key]["low"] is None else said[key]["low"]
        high: Any = math.inf if said[key]["high"] is None else said[key]["high"]
        numbers[key] = ConfidenceInterval(low, high, said[key]["confidence_level"])
    return Population(
        systems=tuple(answer["systems"]),
        unit=_unit(answer),
        alpha=answer["alpha"][0],
        found=OverDatasets(**numbers),
    )


def _unit(answer: Mapping[str, Any]) -> str:
    return " points" if answer["score"].endswith("(%)") else ""


def overall(answer: Mapping[str, Any]) -> Overall | None:
    """Return the mean difference that a dictionary holds."""
    said = answer["overall"]
    if said is None:
        return None
    numbers: dict[str, Any] = {key: said[key] for key in OVERALL}
    if said["dependence"] and said["low"] is None:
        numbers |= {"low": -math.inf, "high": math.inf}
    numbers |= {end: (said[end]["dataset"], said[end]["difference"]) for end in ENDS}
    return Overall(
        systems=tuple(answer["systems"]),
        unit=_unit(answer),
        caution=said["caution"],
        **numbers,
    )
