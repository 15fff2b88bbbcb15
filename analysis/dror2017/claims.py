"""What Dror et al. (2017) claim, and whether it holds: the rules that ``config/claims.yaml`` names.

README, chapters, explorer and PDF take their verdicts from `judged`, and the numbers that are said
with them.
"""

import functools
from dataclasses import dataclass

import yaml

from analysis import paths, verdicts
from analysis.dror2017 import audit
from analysis.published import read_published
from replicability import checks, forensics
from replicability.io import delimited

STUDY = "config/paper.yaml"
"""The study whose p-values the claims are about."""

SIDES = {"greater": "as printed", "leader": "A, for the system ahead", "two-sided": "A, two-sided"}
"""Side of a column of p-values that may be meant -> its column of `audit.both_readings`."""

EXCHANGED = "rows exchanged"
"""The reading of Table 5 in which its p-values are possible."""


@dataclass(frozen=True)
class Judged:
    """A claim and its verdict.

    Attributes
    ----------
    claim, place : str
        What the paper says, and where.
    claimed : int or None
        The number of datasets that it claims.
    verdict : str
        One of `verdicts.YES`, `verdicts.NO`, `verdicts.DEPENDS` and `verdicts.CANNOT`.
    found : dict of str
        Reading or case -> the number that decides it.
    holds : dict of str to bool
        Reading or case -> whether the claim holds by it.
    """

    claim: str
    place: str
    claimed: int | None
    verdict: str
    found: dict
    holds: dict

    @property
    def word(self):
        """The verdict, as a field takes it."""
        return verdicts.Word((self.verdict,))

    @property
    def reason(self):
        """Where the verdict depends, the readings by which the claim holds; else an empty text."""
        if self.verdict != verdicts.DEPENDS:
            return ""
        enough = {reading: k for reading, k in self.found.items() if self.holds[reading]}
        return f"{min(enough.values())} if {' or '.join(enough)}; fewer otherwise"


@functools.cache
def judged(name):
    """Judge a claim.

    `name`: its key in ``config/claims.yaml``.

    Returns Judged.

    Raises `InputError`: if there is no such claim or rule; the message names the nearest.
    """
    entry = entries()[checks.choice("claim", name, list(entries()))]
    checks.choice(f"claims.yaml: the rule of {name!r}", entry["rule"], RULES)
    about, found, holds = RULES[entry["rule"]](entry)
    verdict = verdicts.judge(holds)
    if entry["rule"] != "at_least" and verdict == verdicts.DEPENDS:  # all cases have to hold
        verdict = verdicts.NO
    claim = entry["claim"].format(**about)
    return Judged(claim, entry["place"], about.get("k"), verdict, found, holds)


def judged_of(title, alpha=0.05):
    """Judge the claim about a published comparison at a level.

    `title`: of the comparison. `alpha`: the level.

    Returns Judged, or None if nothing is claimed at the level.
    """
    names = {e["comparison"]: name for name, e in entries().items() if "comparison" in e}
    name = names[checks.choice("comparison", title, names)]
    return judged(name) if entries()[name]["alpha"] == alpha else None


@functools.cache
def entries():
    """Read ``config/claims.yaml``: name of a claim -> what is said there."""
    return yaml.safe_load((paths.CONFIG / "claims.yaml").read_text(encoding="utf-8"))


def _probabilities(entry):
    """Judge probabilities of Section 5: by the exact value, or else by simulation."""
    table = delimited.read_table("tables/section5_toy_examples.csv")
    table = table.set_index(["example", "estimator"])
    found, holds = {}, {}
    for case in entry["cases"]:
        row = table.loc[(case["example"], case["estimator"])]
        value = float((row["exact"] or row["1,000,000 families"]).partition(" ")[0])
        reading = f"{case['estimator']}, {case['example']}"
        found[reading] = value
        holds[reading] = case.get("at least", 0) <= value <= case.get("at most", 1)
    return {}, found, holds


def _sizes(entry):
    """Judge whether tests keep their level at any number of items, on their kind of scores."""
    table = delimited.read_table("tables/test_sizes.csv")
    table = table[table["alpha"].astype(float) == entry["alpha"]].set_index(["scores", "test"])
    cells = {task: table.loc[tuple(at)].filter(like="n = ") for task, at in entry["tests"].items()}
    holds = {task: not row.str.endswith("+").any() for task, row in cells.items()}
    worst = {
        task: max(float(cell.partition(" ")[0]) for cell in row if cell)
        for task, row in cells.items()
    }
    return {}, worst, holds


def _at_least(entry):
    """Judge "A is better on at least k datasets" by every reading that the scores allow."""
    title, alpha = entry["comparison"], entry["alpha"]
    table = read_published("dror2017", "table1").astype({"alpha": float})
    row = table.set_index(["comparison", "alpha"]).loc[(title, alpha)]
    claimed = int(row["k_fisher" if row["dependence"] == "independent" else "k_bonferroni"])
    found = at_least(title, alpha, claimed)
    return (
        {"k": claimed, "n": len(audit.columns_of(STUDY)[title].pvalues)},
        found.found,
        found.holds,
    )


def at_least(title, alpha, claimed):
    """Judge that A is better on at least so many datasets, by the readings that the scores allow.

    `title`: of the comparison. `alpha`: the level. `claimed`: the number of datasets.

    Returns Judged.
    """
    found = readings(title, alpha)
    holds = {reading: k >= claimed for reading, k in found.items()}
    return Judged("", "", claimed, verdicts.judge(holds), found, holds)


@functools.cache
def readings(title, alpha):
    """Bound by the paper's estimator on how many datasets A is better, by each reading.

    `title`: of the comparison. `alpha`: the level.

    Returns dict of str to int. Reading that the scores allow -> bound.
    """
    columns = audit.columns_of(STUDY)
    column = columns[title]
    counted = audit.both_readings({title: column}, [alpha]).iloc[0]
    test = column.comparison.test
    sides = forensics.infer_side(column.pvalues, *column.scores, test).set_index("side")
    a, _ = column.systems
    names = audit.SIDES | {"greater": f"one-sided for {a} even where it is behind"}
    found = {
        names[side]: int(counted[name]) for side, name in SIDES.items() if sides["possible"][side]
    }
    if column.item == "Table 5":
        found[EXCHANGED] = int(audit.orders_of_table5(alpha)["W2V better"].max())
    return found


RULES = {"probabilities": _probabilities, "sizes": _sizes, "at_least": _at_least}
"""Rule -> function that takes an entry, and returns what the claim's text is filled with, the
numbers that decide it and whether it holds, by reading or case."""
