"""The conclusion of a gate, as English sentences."""

import math

from replicability import checks
from replicability.core import release
from replicability.core.findings.wording import at_least, plural
from replicability.core.numbers import rounded
from replicability.core.procedure import TITLES

MOST_NAMES = 5
"""Maximum number of datasets that a sentence lists; the table has all."""


def sentences(gate):
    """Write the verdict, its evidence, what would settle it, and its error rate.

    Parameters
    ----------
    gate : api.gate.Gate
        What was decided.

    Returns
    -------
    list of str
    """
    said = [f"{gate.verdict}: {_because(gate)}"]
    if gate.verdict == release.SHIP and gate.regressed:
        said.append(_tolerated(gate))
    if gate.verdict == release.CANNOT_TELL:
        said += _settling(gate)
    if gate.read.runs:
        said.append(_of_runs(gate))
    if gate.ignored:
        said.append(f"The policy ignores {checks.enumerated(gate.ignored, MOST_NAMES)}.")
    return [*said, guarantee(gate)]


def _because(gate):
    """Say what the verdict rests on."""
    base, new = gate.systems
    sure = f"({_confidence(1 - gate.level)} confidence)"
    if gate.verdict == release.SHIP:
        return f"{new} is not worse than {base} by more than {margin(gate)} {where(gate)} {sure}."
    if gate.k_worse:
        worse = f"{new} is worse than {base} {_on(gate, gate.k_worse)}"
        if gate.n > 1 and gate.regressed:
            which = ", namely" if len(gate.regressed) == gate.k_worse else ", among them"
            which = ":" if len(gate.regressed) == gate.n else which
            worse += f"{which} {_with_amounts(gate, gate.regressed)}"
        closed = f"closed testing, {TITLES[gate.evidence.worse.method]}; simultaneous "
        worse += f" ({closed if gate.n > 1 else ''}{_confidence(1 - gate.level)} confidence)"
        if gate.verdict == release.BLOCK:
            return f"{worse}{_guarded(gate)}."
        least = gate.policy.block
        return f"{worse}, but the policy requires at least {least} regressions to block a release."
    open_ = (
        f" The evidence cannot rule out a loss of more than {margin(gate)} on "
        f"{_named(gate.open, gate.n)}."
        if gate.open and gate.policy.ship != release.OVERALL
        else f" The evidence cannot rule out a mean loss of more than {margin(gate)}."
        if gate.policy.ship == release.OVERALL
        else ""
    )
    return f"there is no evidence that {new} is worse than {base}.{open_}"


def _of_runs(gate):
    """Say which runs the verdict is about."""
    each = [
        f"{least if least == most else f'{least} to {most}'} of {name}"
        for name, (least, most) in zip(reversed(gate.systems), gate.read.runs, strict=True)
    ]
    runs = checks.enumerated(each[::-1])
    noun = "raters" if gate.read.raters else "runs"
    if gate.covers != "items":
        new = "new runs on these items" if gate.covers == "runs" else f"new items and new {noun}"
        return f"The verdict is about {new} ({noun} compared: {runs})."
    other = "both" if gate.read.raters else "runs"
    return (
        f"Scores are means over {noun} ({runs}). The verdict is about these {noun} only; to cover "
        f"new {noun}, set claim_covers: {other}."
    )


def _guarded(gate):
    """Say which regression blocks by itself."""
    found = [name for name in gate.regressed if name in gate.policy.guarded]
    if not found or gate.k_worse >= gate.policy.block:
        return ""
    return f"; {checks.enumerated(found, MOST_NAMES)} must not regress"


def _tolerated(gate):
    """Say on which datasets the new system is worse, but by less than the margin."""
    names, (_, new) = _with_amounts(gate, gate.regressed), gate.systems
    return (
        f"{new} is worse on {names}, but by no more than the margin "
        f"({_confidence(1 - gate.level)} confidence)."
        if gate.policy.needs(gate.n) == gate.n
        else f"{new} is worse on {names} ({_confidence(1 - gate.level)} confidence)."
    )


def margin(gate):
    """Write the margin, or the range of several."""
    values = sorted(set(gate.rows["margin"]))
    if len(values) == 1:
        return f"{values[0]:g}"
    return f"the dataset's margin ({values[0]:g} to {values[-1]:g})"


def where(gate):
    """Say where the new system must not be worse."""
    needed = gate.policy.needs(gate.n)
    if needed is None:
        return f"on the mean of {gate.n:,} datasets" if gate.n > 1 else "on the only dataset"
    if gate.n == 1:
        return "on the only dataset"
    return (
        f"on any of {gate.n:,} datasets" if needed == gate.n else f"on {at_least(needed, gate.n)}"
    )


def _on(gate, k):
    return "on the only dataset" if gate.n == 1 else f"on {at_least(k, gate.n)}"


def _named(names, n):
    if n == 1:
        return "the only dataset"
    return f"{len(names):,} of {n:,} datasets: {checks.enumerated(names, MOST_NAMES)}"


def _with_amounts(gate, names):
    """Name datasets, each with its difference."""
    of = dict(zip(gate.rows["dataset"], gate.rows["difference"], strict=True))
    return checks.enumerated([f"{name} ({signed(of[name])})" for name in names], MOST_NAMES)


def signed(value):
    """Write a difference with its sign."""
    return rounded(value, 3 if abs(value) < 10 else 1, plus="+")


def _settling(gate):
    """Say how likely an unchanged system was shipped, and what would settle it."""
    base, new = gate.systems
    said = []
    said.append(f"If {new} were equal to {base}, this gate would ship it {_with_power(gate)}.")
    if gate.law:
        return [*said, "Plan more runs and items with `replicability design --pilot`."]
    if gate.evidence.mean:
        return [*said, _by_mean(gate)]
    if gate.items == "splits":
        return [
            *said,
            "More splits of the same data would add little information; collect more data.",
        ]
    table = gate.table.dropna(subset="items_needed")
    sizes = table.get("units", table["n"])
    extra = dict(zip(table["dataset"], table["items_needed"] - sizes, strict=True))
    more = [f"{_round_up(n):,} on {name}" for name, n in extra.items() if math.isfinite(n)]
    never = [name for name, n in extra.items() if not math.isfinite(n)]
    what = "units" if "units" in table else gate.items
    what += " of both systems" * (what in ("trials", "runs"))
    if more:
        said.append(
            f"To reach a verdict with probability {release.POWER:.0%} if the observed differences "
            f"are the true ones, collect more {what}: {checks.enumerated(more, MOST_NAMES)}."
        )
    if never:
        said.append(
            f"At the observed differences, no number of {what} would lead to a decision on "
            f"{checks.enumerated(never, MOST_NAMES)}."
        )
    return said


def _with_power(gate):
    """Write the power of a gate, with its bounds where the dependence is unknown."""
    said = f"with probability {_share(gate.power)}"
    least, most = gate.power_bounds
    if least == most:
        return said
    return (
        f"{said} if the datasets were independent ({_share(least)} to {_share(most)} under any "
        "dependence)"
    )


def _share(probability):
    """Write a probability in per cent, without a 0 or a 100 that it is not."""
    if 0 < probability < 0.005:
        return "below 1%"
    return "above 99%" if 0.995 < probability < 1 else f"{probability:.0%}"


def _by_mean(gate):
    """Say how many times as many items would settle it, where the mean decides."""
    mean = f"the observed mean difference ({signed(gate.evidence.mean.difference)})"
    if not math.isfinite(gate.times_items):
        return f"At {mean}, no number of {gate.items} would lead to {release.SHIP}."
    return (
        f"At {mean}, {max(gate.times_items, 1.1):,.1f} times as many {gate.items} on every dataset "
        f"would lead to {release.SHIP} with probability {release.POWER:.0%}."
    )


def _round_up(number):
    """Round a number of items up to two digits."""
    number = max(int(number), 1)
    step = 10 ** max(len(str(number)) - 2, 0)
    return -(-number // step) * step


def guarantee(gate):
    """Say how often a verdict is wrong, and when it is.

    `gate` (api.gate.Gate): what was decided.

    Returns str.
    """
    _, new = gate.systems
    block = gate.policy.block
    fewer = "not worse" if gate.n == 1 or block == 1 else f"worse on fewer than {block} datasets"
    where_ = "" if gate.n == 1 or block > 1 else " on any dataset"
    needed = gate.policy.needs(gate.n)
    too_many = (
        ""
        if gate.n == 1
        else " on the mean"
        if needed is None
        else " on at least one dataset"
        if needed == gate.n
        else f" on more than {plural(gate.n - needed, 'dataset')}"
    )
    return (
        f"The verdict is wrong in at most {_confidence(gate.alpha)} of releases. BLOCK is wrong if "
        f"{new} is {fewer}{where_}; SHIP is wrong if {new} is worse by more than the "
        f"margin{too_many}."
    )


def _confidence(share):
    return f"{share * 100:g}%"
