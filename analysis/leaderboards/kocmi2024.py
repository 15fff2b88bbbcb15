"""The numbers that the organisers of WMT24 print: the automatic ranking, its rules, the sizes.

They print no chrF and no BLEU, on purpose: they hold string-based metrics for misleading. What they
print of systems are MetricX and CometKiwi, from which their automatic ranking (AutoRank) follows,
and ranks by human judges.
"""

import itertools

import pandas as pd

from analysis import paths
from analysis.published import read_published
from replicability import forensics as checked

PAPER = "Kocmi and others 2024"

RANKING, HUMAN, SIZES = "Automatic ranking", "Human ranking", "Evaluated Data"

EXTREMES = {"metricx": (min, max), "cometkiwi": (max, min)}
"""Metric -> its best and its worst value."""

SEGMENTS = "data/outcomes/translation_segments.parquet"
"""Where the scores stand."""

NEEDS_TEXT = "Checking the claim requires the source texts, which are not redistributed here."


def audit():
    """Judge every number of the ranking, and what the text says of it and of the data.

    Returns list of Verdict. AutoRank of each system and language pair by the printed metrics, and
    that of the human ranking by that of the automatic one; systems past the cutoff and with human
    evaluation; language pairs and segments by those that are scored here.
    """
    ranking, human = read_published("kocmi2024", "autorank"), read_human_ranking()
    text = read_published("kocmi2024", "text")
    quoted = checked.quoted(PAPER, text)
    found = [*autoranks(ranking), *repeated(ranking, human), *cutoffs(ranking, quoted)]
    found += [*evaluated(ranking, quoted), *sizes(quoted)]
    return found + checked.remaining(PAPER, text, found, NEEDS_TEXT)


def read_human_ranking():
    """Read the human ranking, without the references by people.

    Returns DataFrame of str. As printed.
    """
    printed = read_published("kocmi2024", "human_ranking")
    return printed[~printed["system"].str.startswith("HUMAN")]


def autoranks(ranking):
    """Judge each AutoRank by the metrics that are printed beside it.

    `ranking`: the automatic ranking.

    Returns list of Verdict. Both metrics are scaled to 1, the best, to the number of systems, and
    averaged; where that is contradicted, and a scale that is longer by one gives the number, this
    is said.
    """
    found = []
    for dataset, rows in ranking.groupby("dataset", sort=False):
        columns = {metric: rows[metric].map(checked.printed_interval) for metric in EXTREMES}
        ends = {m: [end(columns[m], key=_value) for end in EXTREMES[m]] for m in EXTREMES}
        for row in rows.itertuples():
            claim = _claim(RANKING, f"AutoRank of {row.system}, {dataset}", row.autorank)
            own = {metric: columns[metric][row.Index] for metric in EXTREMES}
            verdict, longer = (
                checked.value(
                    claim,
                    _mean_rank(own, ends, n),
                    f"The mean of MetricX {row.metricx} and CometKiwi {row.cometkiwi}, each scaled "
                    f"to values from 1 to {n}; the interval allows for rounding of the printed "
                    "numbers.",
                )
                for n in (len(rows), len(rows) + 1)
            )
            fits = longer.verdict == checked.AGREES
            if verdict.verdict == checked.CONTRADICTED and fits:
                reading = f"a scale from 1 to {len(rows) + 1}, which gives {longer.recomputed}."
                verdict = checked.reread(verdict, reading)
            found.append(verdict)
    return found


def _mean_rank(own, ends, n):
    """Return what the mean of both scaled metrics may be."""
    ranks = [_rank(own[metric], *ends[metric], n) for metric in EXTREMES]
    parts = zip(*((rank.low, rank.value, rank.high) for rank in ranks), strict=True)
    return checked.Interval(*(sum(part) / len(ranks) for part in parts))


def _rank(own, best, worst, n):
    """Scale a metric to 1 for the best and n for the worst, at all ends of the intervals."""
    if own in (best, worst):
        exact = 1.0 if own == best else float(n)
        return checked.Interval(exact, exact, exact)
    corners = itertools.product(*((x.low, x.high) for x in (own, best, worst)))
    scaled = [_scaled(*corner, n) for corner in corners]
    middle = _scaled(own.value, best.value, worst.value, n)
    return checked.Interval(max(1.0, min(scaled)), middle, min(float(n), max(scaled)))


def _scaled(own, best, worst, n):
    return 1 + (n - 1) * (own - best) / (worst - best)


def _value(interval):
    return interval.value


def repeated(ranking, human):
    """Judge each AutoRank that the human ranking repeats by the one of the automatic ranking.

    `ranking`, `human`: both rankings.

    Returns list of Verdict. Of systems that have one in both.
    """
    first = ranking.set_index(["dataset", "system"])["autorank"]
    return [
        checked.value(
            _claim(HUMAN, f"AutoRank of {row.system}, {row.dataset}", row.autorank),
            float(first[row.dataset, row.system]),
            "The AutoRank of the same system in the automatic ranking.",
            trivial=True,
        )
        for row in human.itertuples()
        if row.autorank != "-" and (row.dataset, row.system) in first.index
    ]


def cutoffs(ranking, quoted):
    """Judge where the line is drawn below which no system is evaluated by people.

    `ranking`: the automatic ranking. `quoted`: claims of the text.

    Returns list of Verdict. Systems below the line of each language pair, by the first gap of
    AutoRank above the printed limit.
    """
    limit = float(quoted["Human Evaluation"]["gap of the cutoff"].published)
    found = []
    for dataset, rows in ranking.groupby("dataset", sort=False):
        gaps = rows["autorank"].astype(float).diff().round(1) > limit
        below = int(gaps.cummax().sum())
        printed = str((rows["past_cutoff"] == "yes").sum())
        claim = _claim("Human Evaluation", f"systems past the cutoff, {dataset}", printed)
        found.append(
            checked.value(
                claim,
                below,
                f"The number of systems ranked below the first gap that exceeds {limit:g}.",
            )
        )
    return found


def evaluated(ranking, quoted):
    """Judge how many systems of a language pair are evaluated by people."""
    marked = (ranking["human_evaluation"] == "yes").groupby(ranking["dataset"]).sum()
    claims = quoted["Human Evaluation"]
    return [
        checked.value(
            claims[f"{name} systems"],
            int(end),
            "The number of systems marked for human evaluation in the language pair with the "
            f"{name} such systems.",
        )
        for name, end in (("fewest", marked.min()), ("most", marked.max()))
    ]


def sizes(quoted):
    """Judge the sizes of the data by what is scored here.

    `quoted`: claims of the text.

    Returns list of Verdict. Language pairs, and segments of one.
    """
    scored = pd.read_parquet(paths.ROOT / SEGMENTS, columns=["dataset"])
    n, claims = scored["dataset"].value_counts(), quoted[SIZES]
    others = n.drop("Czech → Ukrainian")
    return [
        checked.value(
            claims["language pairs"],
            len(n),
            "The number of language pairs with outputs and references.",
        ),
        checked.value(
            claims["segments per pair"],
            others.mean(),
            f"The mean over {len(others)} language pairs, which have {others.min()} to "
            f"{others.max()} segments each.",
        ),
        checked.value(
            claims["segments of Czech to Ukrainian"],
            int(n["Czech → Ukrainian"]),
            "The number of segments, all of which are scored.",
        ),
    ]


def _claim(item, claim, published):
    return checked.Claim(PAPER, item, claim, published)
