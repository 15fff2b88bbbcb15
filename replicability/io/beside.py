"""Scores in a table of p-values, found without being named.

A p-value says nothing of who is better unless its side is known, and scores beside it show where it
cannot be of the side it is taken for. Columns called as the systems are read; others are asked for
where no order of two of them fits one-sided p-values.
"""

import contextlib
import itertools
import re
from dataclasses import replace

import numpy as np
import pandas as pd

from replicability import checks
from replicability.checks import InputError
from replicability.io import headers as headers_
from replicability.io import pvalues, study
from replicability.io.declared import Source
from replicability.io.delimited import as_printed, columns, header_of, is_number, read_headers

AGAINST = 0.5
"""One-sided p-value below which A should have the higher score."""

MOST = 8
"""Maximum number of possible score columns of which all pairs are checked."""

# fmt: off
STATISTICS = frozenset({
    "chi2", "chisq", "chisquare", "ci", "cihigh", "cilow", "cohensd", "d", "delta", "df",
    "diff", "difference", "dof", "effect", "effectsize", "estimate", "f", "g", "high", "items",
    "losses", "low", "lower", "mean", "meandiff", "meandifference", "negatives", "oddsratio",
    "positives", "q", "r", "rho", "sd", "se", "sem", "stat", "statistic", "std", "stderr", "t",
    "tau", "ties", "tstat", "tstatistic", "u", "upper", "v", "var", "variance", "w", "wins", "z",
})
"""Normalised headers of statistics that papers print with p-values."""
# fmt: on


def table(file, *, systems=(), dataset=None, p_value=None, scores=(), **said):
    """Find the columns of a table of p-values: those that you name, or those with usual names.

    `file` (str or Table): a table with a row for each dataset. `systems` (tuple of str): A and B;
    by default the headers of their scores, if these are known. `dataset`, `p_value`: headers.
    `scores` (sequence of str): headers of the scores of A and B. `**said`: other fields of the
    source.

    Returns declared.Source.

    Raises `InputError`: if it is not known which column holds p-values or datasets.
    """
    known = read_headers(file)
    found = {"p_value": p_value or pvalues.guess_pvalues(file, known)}
    if is_number(found["p_value"]):
        raise InputError(pvalues.headless(file, known))
    if scores:
        found["scores"] = list(scores)
    used = [header_of(file, header, known) for header in headers_.named(found)]
    dataset = dataset or pvalues.guess_dataset(file, known, used)
    found |= {} if dataset is None else {"dataset": dataset}
    systems = tuple(systems or scores or ("A", "B"))
    return with_scores(Source(file=file, systems=systems, columns=found, **said))


def with_scores(source):
    """Take as scores the columns that are called as the systems, if no columns are named.

    `source` (declared.Source): of p-values.

    Returns declared.Source. With the columns of the scores of both systems, if each is the only one
    of which all words of the name of its system are words.
    """
    if "scores" in source.columns or source.rows:
        return source
    free = list(candidates(source))
    found = [_called(system, free) for system in source.systems]
    if None in found or found[0] == found[1]:
        return source
    return replace(source, columns=source.columns | {"scores": found})


def candidates(source):
    """Return the columns of a table of p-values that may be scores.

    `source` (declared.Source): of p-values.

    Returns DataFrame of float. The columns without a role that hold a finite number in every row,
    of the datasets that are read, and are not called as counts, statistics or what tells rows
    apart.
    """
    known = pvalues.unused(source)
    none = {*headers_.no_systems(known), *filter(pvalues.PVALUE.match, known)}
    none |= {header for header in known if headers_.noun(header) in STATISTICS}
    wanted = {header: header for header in known if header not in none}
    if not wanted:
        return pd.DataFrame()
    named = {source.columns["dataset"]: source.columns["dataset"]} if source.datasets else {}
    read, printed = columns(source.file, wanted | named), {}
    for name in read.column_names:
        with contextlib.suppress(InputError):  # of lists and structures
            printed[name] = as_printed(source.file, name, read[name]).to_pandas()
    frame = pd.DataFrame(printed)
    for name in named:
        frame = frame[frame.pop(name).isin(source.datasets)].reset_index(drop=True)
    values = frame.apply(pd.to_numeric, errors="coerce").astype(float)
    return values.loc[:, np.isfinite(values).all()]


def refuse_two_sided(place, source, both):
    """Refuse a column that says that its p-values are two-sided, where nobody else does.

    `place`: what stands before the message. `source` (declared.Source): of p-values. `both`:
    whether both directions are asked, for which two-sided ones are good.

    Raises `InputError`: if it does.
    """
    header = source.columns["p_value"]
    if both or source.sided not in ("", "one") or not study.TWO_SIDED.search(header):
        return
    raise InputError(
        f"{place}: the column {header!r} holds two-sided p-values, but one-sided p-values are "
        f"needed, for the null hypothesis 'A is not better'. {_remedy(source)}; the signs "
        "of the differences are then used to make the p-values one-sided. If there are no scores, "
        "replace each p by p/2 where A is ahead and by 1 - p/2 elsewhere, and rename the column."
    )


def refuse_against(source, table):
    """Refuse p-values that are of both sides by two columns that may be scores, if nobody says it.

    `source` (declared.Source): of p-values, in whose table no scores are named. `table`: as
    `pvalues.read_comparison` returns it.

    Raises `InputError`: if of any two columns of numbers each is the higher one where p-values are
    below `AGAINST`.
    """
    if source.sided == "one" or source.rows or "scores" in source.columns:
        return
    found = candidates(source)
    for one, other in itertools.combinations(list(found)[:MOST], 2):
        ahead = (found[one] - found[other]).to_numpy()
        small = np.where(table["p_value"] < AGAINST, table["p_value"], np.inf)
        sides = [np.where(sign * ahead > 0, small, np.inf) for sign in (1, -1)]
        if not all(np.isfinite(side).any() for side in sides):
            continue
        row, second = (int(side.argmin()) for side in sides)
        raise InputError(
            f"{source.source}: p-values are small where {one!r} is higher "
            f"({table['dataset'][row]!r}, p = {small[row]:g}) and where {other!r} is higher "
            f"({table['dataset'][second]!r}, p = {small[second]:g}). If these two columns hold "
            "the scores, one-sided p-values cannot be small in both directions. If the p-values "
            f"are two-sided, specify the scores with {checks.given('scores', [one, other])} "
            f"{checks.given('sided', repr('two'))}; if they are one-sided, declare this with "
            f"{checks.given('sided', repr('one'))}."
        )


def _remedy(source):
    """Name the arguments by which two-sided p-values are read."""
    of = list(source.columns.get("scores", ()))
    of = of or (list(candidates(source)) if not source.rows else [])
    scores = checks.given("scores", of) if len(of) == 2 else checks.named("scores")
    how = f"Specify the score columns with {scores}"
    return f"{how} and declare {checks.given('sided', repr('two'))}"


def _called(system, free):
    """Return the only header that has all words of the name of a system; None if there is none."""
    alike = [header for header in free if header.strip().casefold() == system.strip().casefold()]
    words = _words(system)
    found = alike or [header for header in free if words and words <= _words(header)]
    return found[0] if len(found) == 1 else None


def _words(name):
    return set(re.findall(r"[^\W_]+", name.casefold()))
