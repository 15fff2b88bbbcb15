"""What a design says, in English."""

import math

import numpy as np

from replicability.checks import enumerated
from replicability.compare import design
from replicability.compare.design import points
from replicability.compare.findings.wording import plural
from replicability.compare.procedure import TITLES
from replicability.stats import power


def expected(planned, gain):
    """Say how many datasets are expected to be shown.

    Parameters
    ----------
    planned : design.Suite
        The plan.
    gain : float
        True gain on all datasets.

    Returns
    -------
    str
        One sentence.
    """
    n, law = len(planned.sizes), planned.law(gain)
    count = design.power_of_counts.expected_count(planned.laws(gain), planned.alpha)
    return (
        f"With {plural(n, 'dataset')} of {design.sizes_of(planned)} instances and a true gain of "
        f"{points(gain, planned.shares)} on each, k-hat ({TITLES[planned.method]}, alpha = "
        f"{planned.alpha:g}) is expected to be {law.mean:.1f}; the number of p-values at most "
        f"alpha, which bounds nothing, {count:.1f}."
    )


def floor(planned):
    """Say what no result of the suite can pass.

    Parameters
    ----------
    planned : design.Suite
        The plan.

    Returns
    -------
    str
        One sentence, or two where datasets are too small.
    """
    n, least = len(planned.sizes), power.least_wins(len(planned.sizes), planned.alpha)
    small = sum(size < least for size in planned.sizes)
    one = min(planned.sizes) == max(planned.sizes)
    sizes = f"{design.sizes_of(planned)} instances"
    said = (
        f"With {sizes}{'' if one else ' each'}, the "
        f"{f'first of {n:,} datasets' if n > 1 else 'only dataset'} needs {least} instances won "
        "and none lost to be named by Holm's procedure."
    )
    if small == n:
        return f"{said} No dataset has as many, so that none can ever be named."
    if small:
        are = "dataset has" if small == 1 else "datasets have"
        return f"{said} {small:,} {are} fewer instances than that, whatever the result."
    return said


def least(planned, share=design.POWER):
    """Say which gain can be shown.

    Parameters
    ----------
    planned : design.Suite
        The plan.
    share : float, default 0.8
        Probability with which it is to be shown, in (0, 1).

    Returns
    -------
    str
        One sentence.
    """
    n, found = len(planned.sizes), design.least_gains(planned, share)
    reached = [row for row in found.itertuples() if not math.isnan(row.gain)]
    missed = [row for row in found.itertuples() if math.isnan(row.gain)]
    parts = [f"{points(row.gain, planned.shares)} for {_shown(row.shown, n)}" for row in reached]
    said = (
        f"The least true gain that is shown with a probability of {share:.0%} is "
        f"{enumerated(parts)}."
        if parts
        else ""
    )
    if missed:
        where = enumerated([_shown(row.shown, n) for row in missed])
        said += f" No gain that is possible is enough for {where}."
    return said.strip()


def _shown(k, n):
    if n == 1:
        return "the dataset"
    return f"all {n:,} datasets" if k == n else f"{k:,} of {n:,} datasets"


def small_sets(planned, gain):
    """Answer whether small datasets should be merged or dropped.

    Parameters
    ----------
    planned : design.Suite
        The plan.
    gain : float
        True gain on all datasets.

    Returns
    -------
    str
        One answer with its numbers.

    Notes
    -----
    Whatever raises the expected k-hat by more than twice the standard error of the simulation, and
    by a tenth of a dataset at least, is recommended; else the datasets are kept.
    """
    compared = design.small_sets(planned, gain)
    if compared is None:
        return (
            "There are no small sets to merge or to drop: at most one has less than half of the "
            "instances of the largest."
        )
    rows = compared.set_index("suite")
    kept = rows.loc["kept"]
    noise = 2 * np.hypot(kept["standard_error"], rows["standard_error"])
    better = rows["k_hat"][rows["k_hat"] > kept["k_hat"] + np.maximum(noise, 0.1)]
    answer = {"kept": "Keep", "merged": "Merge", "dropped": "Drop"}[
        better.idxmax() if len(better) else "kept"
    ]
    small = int(kept["datasets"] - rows.loc["dropped", "datasets"])
    return (
        f"{answer} the {small:,} small sets, those with less than half of the instances of the "
        f"largest: with a true gain of {points(gain, planned.shares)}, the expected k-hat is "
        f"{kept['k_hat']:.1f} of {kept['datasets']:,.0f} if they are kept, "
        f"{rows.loc['merged', 'k_hat']:.1f} of {rows.loc['merged', 'datasets']:,.0f} if they are "
        f"merged into one, and {rows.loc['dropped', 'k_hat']:.1f} of "
        f"{rows.loc['dropped', 'datasets']:,.0f} if they are dropped."
    )


def sentences(planned, gains=()):
    """Say everything about a plan.

    Parameters
    ----------
    planned : design.Suite
        The plan.
    gains : sequence of float, optional
        True gains; the middle one is spoken of.

    Returns
    -------
    list of str
        What is expected, the floor, the least gain, and what to do with small sets.
    """
    gains = gains or design.gains_of(planned)
    gain = gains[len(gains) // 2]
    return [
        expected(planned, gain),
        floor(planned),
        least(planned),
        small_sets(planned, gain),
    ]
