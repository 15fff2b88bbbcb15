"""Published number, recomputed number, verdict: small checks that work on anybody's table."""

from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd
from scipy import stats

from analysis import checks, identification, replicability

REPRODUCED = "reproduced"
WITHIN_ROUNDING = "within rounding"
WITHIN_MONTE_CARLO_ERROR = "within Monte-Carlo error"
CONTRADICTED = "contradicted"
VERDICTS = (REPRODUCED, WITHIN_ROUNDING, WITHIN_MONTE_CARLO_ERROR, CONTRADICTED)
"""Verdicts, most favourable first."""


@dataclass(frozen=True)
class Verdict:
    """A published value beside what follows from other published values or from theory.

    Attributes
    ----------
    item : str
        Table, footnote or section.
    claim : str
        What is claimed, in words.
    published : str
        The value as printed.
    recomputed : str
        The value that follows, or the range of values.
    verdict : str
        One of `VERDICTS`.
    sentence : str
        The arithmetic in one sentence.
    """

    item: str
    claim: str
    published: str
    recomputed: str
    verdict: str
    sentence: str


@dataclass(frozen=True)
class Interval:
    """The numbers that a printed number may stand for.

    Attributes
    ----------
    low, value, high : float
        Smallest, printed and largest number.
    """

    low: float
    value: float
    high: float


def printed_interval(text, unit=None):
    """Return the numbers that round to a printed number.

    Parameters
    ----------
    text : str
        A decimal number as printed, such as "0.0979", "1.12e-08" or "1,000".
    unit : float, optional
        Unit of the last printed digit, if the text does not show it (a bare "0").

    Returns
    -------
    Interval
        The number and half a unit of its last digit on both sides; not below 0 for a printed 0.

    Raises
    ------
    InputError
        If the text is no number.

    Examples
    --------
    >>> printed_interval("0.0099")
    Interval(low=0.00985, value=0.0099, high=0.00995)
    """
    plain = text.replace(",", "")
    try:
        value = float(plain)
    except ValueError:
        raise checks.InputError(f"{text!r} is not a printed number such as 0.0979.") from None
    half = (last_digit(plain) if unit is None else unit) / 2
    low = value - half if value else 0.0
    return Interval(float(f"{low:.15g}"), value, float(f"{value + half:.15g}"))


def last_digit(text):
    """Return the unit of the last digit of a printed number.

    Parameters
    ----------
    text : str
        A decimal number as printed.

    Returns
    -------
    float
        Such as 0.0001 for "0.0979", 1e-10 for "1.12e-08", 1 for "12".
    """
    mantissa, _, exponent = text.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    return float(f"1e{int(exponent or 0) - decimals}")


def printed_pvalues(texts):
    """Return the bounds of a column of printed p-values.

    Parameters
    ----------
    texts : iterable of str
        p-values as printed, n of them.

    Returns
    -------
    low, high : ndarray of float, shape (n,)
        Bounds in [0, 1]. A printed zero lies between 0 and half a unit of the finest digit that the
        column prints, because its own digits do not say how small it is.
    """
    texts = list(texts)
    finest = min(last_digit(text) for text in texts)
    intervals = [
        printed_interval(text, None if float(text) else min(finest, last_digit(text)))
        for text in texts
    ]
    low = np.array([interval.low for interval in intervals])
    high = np.array([interval.high for interval in intervals])
    return np.clip(low, 0, 1), np.clip(high, 0, 1)


def count(item, claim, published, texts, alpha, estimator):
    """Judge a published number of datasets against the published p-values.

    Parameters
    ----------
    item, claim : str
        Where the number stands and what it says.
    published : str
        The number as printed.
    texts : iterable of str
        The p-values as printed.
    alpha : float
        Level of significance, in (0, 1).
    estimator : str
        "count" or a combination method of `replicability.k_hat`.

    Returns
    -------
    Verdict
        Reproduced if the printed p-values give the number; within rounding if p-values that round
        to them do: every estimator only falls as p-values rise, so that the extremes are reached
        with all p-values at their upper and at their lower bounds.
    """
    texts = list(texts)
    low, high = printed_pvalues(texts)
    exact = _estimate([float(text) for text in texts], alpha, estimator)
    least, most = _estimate(high, alpha, estimator), _estimate(low, alpha, estimator)
    possible = str(exact) if least == most else f"{exact} ({least} to {most} with rounding)"
    sentence = f"The {len(texts)} printed p-values give {exact} at alpha = {alpha:g}"
    if least != most:
        sentence += f", and {least} to {most} before they were rounded"
    k = int(published)
    return Verdict(
        item, claim, published, possible, _verdict(k == exact, least <= k <= most), f"{sentence}."
    )


def marks(item, claim, published, datasets, texts, alpha):
    """Judge a published list of identified datasets against the published p-values.

    Parameters
    ----------
    item, claim : str
        Where the list stands and what it says.
    published : collection of str
        Datasets published as identified by Holm's procedure.
    datasets : sequence of str
        All datasets.
    texts : sequence of str
        Their p-values as printed.
    alpha : float
        Level of significance, in (0, 1).

    Returns
    -------
    Verdict
        Reproduced if the printed p-values give the list; within rounding if all datasets that are
        identified at the upper bounds of the p-values are in it and none that is not identified at
        the lower bounds.
    """
    low, high = printed_pvalues(texts)

    def identified(pvalues):
        found = identification.identify(pvalues, alpha)
        return {d for d, yes in zip(datasets, found, strict=True) if yes}

    exact = identified([float(text) for text in texts])
    possible = identified(high) <= set(published) <= identified(low)
    listed = [d for d in datasets if d in exact]
    return Verdict(
        item,
        claim,
        _listing(d for d in datasets if d in set(published)),
        _listing(listed),
        _verdict(set(published) == exact, possible),
        f"Holm's procedure at alpha = {alpha:g} rejects {len(exact)} of the {len(datasets)} "
        f"printed p-values; {len(set(published) ^ exact)} datasets are marked otherwise.",
    )


def monte_carlo(item, claim, published, probability, repetitions, *, standard_error=0.0):
    """Judge a published Monte-Carlo estimate against the probability that it estimates.

    Parameters
    ----------
    item, claim : str
        Where the estimate stands and what it estimates.
    published : str
        The estimate as printed.
    probability : float
        The probability, exact or simulated with many more repetitions.
    repetitions : int
        Published number of repetitions.
    standard_error : float, default 0
        Standard error of `probability` if it was simulated.

    Returns
    -------
    Verdict
        Within Monte-Carlo error if the estimate is one of the central 99.9% of outcomes of a
        binomial count with the published number of repetitions, contradicted otherwise; the
        sentence says how many standard errors lie between.
    """
    value = printed_interval(published).value
    tail = stats.binomtest(round(value * repetitions), repetitions, probability).pvalue
    error = np.hypot(np.sqrt(probability * (1 - probability) / repetitions), standard_error)
    distance = (value - probability) / error
    basis = "exact" if standard_error == 0 else "simulated"
    return Verdict(
        item,
        claim,
        published,
        f"{probability:.4f}",
        WITHIN_MONTE_CARLO_ERROR if tail >= 0.001 else CONTRADICTED,
        f"The {basis} probability is {probability:.4f}; {repetitions:,} repetitions have a "
        f"standard error of {error:.4f}: the printed value is {distance:+.1f} of them away.",
    )


def value(item, claim, published, recomputed, sentence):
    """Judge a published number against one that follows from it exactly.

    Parameters
    ----------
    item, claim : str
        Where the number stands and what it says.
    published : str
        The number as printed.
    recomputed : float
        What follows.
    sentence : str
        The arithmetic.

    Returns
    -------
    Verdict
        Reproduced if `recomputed` rounds to the printed digits, contradicted otherwise.
    """
    interval = printed_interval(published)
    agrees = interval.low <= recomputed <= interval.high
    return Verdict(item, claim, published, f"{recomputed:.6g}", _verdict(agrees, agrees), sentence)


def counts_table(item, printed, pvalues):
    """Judge every number of a printed table of counts.

    Parameters
    ----------
    item : str
        Name of the table.
    printed : DataFrame of str
        Columns ``comparison``, ``alpha`` and ``k_<estimator>``.
    pvalues : dict of str to sequence of str
        Comparison -> its p-values as printed.

    Returns
    -------
    list of Verdict
        One per number, row by row.
    """
    return [
        count(
            item,
            f"{row['comparison']}, alpha = {row['alpha']}: k-hat by {name.removeprefix('k_')}",
            row[name],
            pvalues[row["comparison"]],
            float(row["alpha"]),
            name.removeprefix("k_"),
        )
        for _, row in printed.iterrows()
        for name in printed.columns
        if name.startswith("k_")
    ]


def marks_column(item, title, datasets, texts, printed_marks, levels):
    """Judge a printed column of marks, once per level that it uses.

    Parameters
    ----------
    item, title : str
        Name of the table and of the comparison.
    datasets, texts, printed_marks : sequence of str
        Datasets, their p-values as printed and their marks.
    levels : dict of str to float
        Mark -> level of significance.

    Returns
    -------
    list of Verdict
        One per mark that occurs in the column.
    """
    marked = {
        mark: [d for d, found in zip(datasets, printed_marks, strict=True) if mark in found]
        for mark in levels
    }
    return [
        marks(item, f"{title}: marked {mark}", names, datasets, texts, levels[mark])
        for mark, names in marked.items()
        if names
    ]


def simulated_table(item, printed, rows, repetitions):
    """Judge the published probabilities of a simulation.

    Parameters
    ----------
    item : str
        Where the probabilities stand.
    printed : DataFrame of str
        Columns ``example``, ``quantity`` (``P(k_<estimator> > k)``) and ``printed``; other
        quantities are passed over.
    rows : DataFrame
        As `report.overestimation` returns it.
    repetitions : int
        Published number of repetitions.

    Returns
    -------
    list of Verdict
        One per row, against the exact probability where there is one.
    """
    found = printed.set_index(["example", "quantity"])["printed"]
    verdicts = []
    for row in rows.itertuples():
        quantity = f"P(k_{row.estimator} > k)"
        known = not np.isnan(row.exact)
        verdicts.append(
            monte_carlo(
                item,
                f"{row.example} datasets: {quantity}",
                found[row.example, quantity],
                row.exact if known else row.large,
                repetitions,
                standard_error=0.0 if known else row.large_error,
            )
        )
    return verdicts


def table(verdicts):
    """Tabulate verdicts.

    Parameters
    ----------
    verdicts : iterable of Verdict
        One per row.

    Returns
    -------
    DataFrame of str
        The attributes of `Verdict` as columns.
    """
    return pd.DataFrame([asdict(verdict) for verdict in verdicts])


def totals(verdicts):
    """Count verdicts of each kind.

    Parameters
    ----------
    verdicts : DataFrame
        As `table` returns it.

    Returns
    -------
    DataFrame
        Columns ``verdict`` and ``numbers``, most favourable verdict first.
    """
    numbers = verdicts["verdict"].value_counts().reindex(VERDICTS, fill_value=0)
    return numbers.rename_axis("verdict").rename("numbers").reset_index()


def _estimate(pvalues, alpha, estimator):
    if estimator == "count":
        return replicability.k_count(pvalues, alpha)
    return replicability.k_hat(pvalues, alpha, estimator)


def _verdict(equal, possible):
    if equal:
        return REPRODUCED
    return WITHIN_ROUNDING if possible else CONTRADICTED


def _listing(names):
    return ", ".join(names) or "none"
