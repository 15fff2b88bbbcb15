"""What a command answers: one dictionary, which is printed as text or as JSON."""

import contextlib
import math
import tempfile
from pathlib import Path

MEANING = {
    "independent": "Independent datasets share no instance, and none is made from another.",
    "positive": "Simes's test is valid for such datasets, Bonferroni's whatever the dependence.",
    "dependent": "Bonferroni's test is valid whatever the dependence.",
}
"""Dependence -> what it means for the procedure, a sentence."""

PAIR = "The count and the names are the paper's, two statements with a guarantee each"


def answered(options, comparison, table, alphas):
    """Count and identify at every level, in the directions that are asked.

    Parameters
    ----------
    options : Namespace
        Arguments of a command that makes a claim.
    comparison : study.Comparison
        What they declare.
    table : DataFrame
        As `evaluation.evaluate` returns it.
    alphas : sequence of float
        Levels.

    Returns
    -------
    dict
        The answer; ``python -m replicability pvalues --help`` lists its keys.

    Raises
    ------
    InputError
        If a group is not one of the datasets, or the procedure cannot answer.
    """
    from replicability.core import findings, procedure

    procedure.check(comparison, table)
    said = [findings.find(comparison, table, alpha, list(printed())) for alpha in alphas]
    first = said[0]
    facts = table.assign(p_value=first.pvalues).drop(columns="p_reverse", errors="ignore")
    if first.other:
        facts["p_reverse"] = first.other.pvalues
    facts = facts.assign(**findings.adjusted(facts, said))
    found = [side for finding in said for side in sides(finding)]
    pair = first.claims is None
    if first.of_groups is None:
        _refuse_groups_of_many(comparison)
    return {
        **head(options, comparison, "" if pair else found[0].recommended),
        "datasets": facts.to_dict("records"),
        "sentences": list(map(str, said)),
        "findings": [_stated(finding, len(found) > len(said)) for finding in found],
        "overall": _overall(findings.overall(comparison, table)),
        "notes": [
            *findings.asides(comparison, table, alphas[0]),
            *(reason(options, comparison, pair, table) if len(facts) > 1 else []),
        ],
    }


def _refuse_groups_of_many(comparison):
    """Refuse groups where there is no closed testing."""
    from replicability import checks
    from replicability.core import procedure

    if comparison.groups:
        raise checks.InputError(
            f"Groups of more than {procedure.MOST_SUMS:,} datasets are not searched by sums; name "
            "--method bonferroni, or leave --group out."
        )


def sides(finding):
    """Return what is found for A and, if both directions are asked, for B, each at its level."""
    from dataclasses import replace

    own = replace(finding, other=None, alpha=finding.level)
    return [own, finding.other] if finding.other else [own]


def _stated(found, both):
    """Return what one finding says, perhaps of one of both directions."""
    from replicability.core.findings import if_independent

    estimators, whose = (*printed(), found.recommended), found.systems[0] if both else ""
    return {
        "systems": list(found.systems),
        "claim": found.claim.shown(*found.systems),
        "null": found.claim.null(*found.systems),
        "alpha": found.alpha,
        "k_hat": {name: found.counts[name] for name in estimators if name != "count"},
        "count": found.counts["count"],
        "identified": found.identified_datasets,
        "groups": [_bounded(name, group, found.of_groups) for name, group in found.groups.items()],
        "sentence": str(found),
        "if_independent": if_independent(found.claims, whose) if found.claims else "",
    }


def _overall(found):
    """Return the mean difference and how far datasets differ; None without scores."""
    if found is None:
        return None
    keys = ("difference", "low", "high", "standard_error", "dependence", "ahead", "level", "behind")
    said = {key: getattr(found, key) for key in keys}
    for end in ("lowest", "highest"):
        dataset, difference = getattr(found, end)
        said[end] = {"dataset": dataset, "difference": difference}
    return said | {"sentence": str(found)}


def _bounded(name, group, claims):
    """Return the bound of a group, and the one that an unlimited search could give at most."""
    bound = claims.bound(group)
    return {
        "group": name,
        "datasets": list(group),
        "at_least": bound.at_least,
        "search_could_give": bound.at_most,
    }


def printed():
    """Return the estimators that are printed beside each other, that without a guarantee first.

    Returns
    -------
    dict of str to Estimator
        Those of `partial_conjunction.ESTIMATORS` that say so.
    """
    from replicability.stats.partial_conjunction import ESTIMATORS

    return {name: entry for name, entry in ESTIMATORS.items() if entry.printed}


def head(options, comparison, method):
    """Start an answer with what was declared and what follows from it.

    Parameters
    ----------
    options : Namespace
        Arguments of a command that makes a claim.
    comparison : study.Comparison
        What they declare.
    method : str
        Local test of closed testing; "" for the paper's pair of count and names.

    Returns
    -------
    dict
        The first keys of the answer; ``units`` is None for p-values, of which no unit is seen.
    """
    from replicability.io.study import INSTANCE
    from replicability.stats import partial_conjunction

    units = None
    if hasattr(options, "instance"):
        unit = comparison.unit if comparison.unit == INSTANCE else options.unit or comparison.unit
        units = {"unit": unit, "shared": comparison.shared or False}
    return {
        "systems": list(comparison.systems),
        "alternative": "two-sided" if comparison.two_sided else "greater",
        "claim": comparison.claim,
        "margin": comparison.margin,
        "dependence": comparison.dependence,
        "dependence_declared": options.dependence is not None,
        "recommended": method or partial_conjunction.recommended_method(comparison.dependence),
        "procedure": "closed" if method else "paper",
        "method": method or None,
        "units": units,
    }


def reason(options, comparison, pair, table=None):
    """Say by what is counted and named, and why.

    Parameters
    ----------
    options : Namespace
        Arguments of a command that makes a claim.
    comparison : study.Comparison
        What they declare.
    pair : bool
        Whether it is by the paper's pair, also where closed testing is asked for and there are too
        many datasets for it.
    table : DataFrame, optional
        As `evaluation.evaluate` returns it.

    Returns
    -------
    list of str
        One note, or two.
    """
    from dataclasses import replace

    from replicability.core import procedure
    from replicability.core.findings import chosen

    asked = replace(comparison, procedure="paper") if pair else comparison
    notes = [chosen(asked, options.dependence is not None, table)]
    if pair or not comparison.shared:
        notes[0] += f" {MEANING[comparison.dependence]}"
        if options.dependence is None:
            notes[0] += (
                " If they share no instance and none is made from another, declare --independent."
            )
    if pair and comparison.procedure == "closed":
        notes.append(
            f"{PAIR}: sums of more than {procedure.MOST_SUMS:,} datasets are not searched, which "
            "would take time that grows with the square of their number."
        )
    return notes


def plain(value):
    """Turn an answer into what JSON can hold.

    Parameters
    ----------
    value : object
        Dictionaries, lists, text and numbers, also numpy's.

    Returns
    -------
    object
        The same of Python's own types; None for a number that is not finite.
    """
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


@contextlib.contextmanager
def stored(shown, name, write):
    """Store content in a temporary file for as long as it is read.

    Parameters
    ----------
    shown : str
        How a message calls what is stored.
    name : str
        Name of the file; its ending may say what it holds.
    write : function of Path
        Writes the content there.

    Yields
    ------
    str
        The file.

    Raises
    ------
    InputError
        If there is no room for it; and whatever is raised of the file, about `shown` instead.
    """
    from replicability.checks import InputError

    with contextlib.ExitStack() as stack:
        try:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            path = Path(folder) / name
            write(path)
        except OSError as error:
            raise InputError(
                f"A temporary copy of {shown} could not be written: {error.strerror or error}; let "
                "the variable TMPDIR name a folder with room."
            ) from None
        try:
            yield str(path)
        except InputError as error:
            raise InputError(f"{error}".replace(str(path), shown)) from None
