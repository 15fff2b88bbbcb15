"""The living list: published claims "better on x of y", and what their own numbers support.

`data/claims/claims.csv` has the claims, `first.csv` the numbers of their tables. `second.csv` has
the same numbers from an independent transcription; `tests/analysis/test_living.py` compares them.
"""

from dataclasses import dataclass
from urllib.parse import urlencode

import pandas as pd

import replicability as rep
from analysis.dror2017 import claims
from analysis.verdicts import DEPENDS, NO, YES
from replicability.forensics import CONTRADICTED
from replicability.io import delimited

FOLDER = "data/claims"

HOLDS, TOO_MANY, OPEN, NO_BASIS = "holds", "too many", "open", "no basis"
VERDICTS = {
    HOLDS: "the printed numbers support at least the claimed number",
    DEPENDS: "the printed numbers support the claimed number under one reading of the p-values, "
    "but not under another",
    TOO_MANY: "the printed numbers support fewer datasets than claimed",
    OPEN: "only the paired outputs can decide",
    NO_BASIS: "the printed numbers support no lower bound",
}
"""Verdict -> what it says."""

JUDGED = {YES: HOLDS, NO: TOO_MANY, DEPENDS: DEPENDS}
"""Verdict over all readings of the p-values -> verdict of the list."""

KINDS = {
    "count": "{a} is significantly better than {b} on {claimed} of {of} datasets (p ≤ {alpha})",
    "k_hat": "{a} is better than {b} on at least {claimed} of {of} datasets (α = {alpha})",
    "differ": "{a} and {b} differ significantly on {claimed} of {of} datasets (p < {alpha})",
    "splits": "{a} and {b} differ significantly on {claimed} of {of} random splits",
    "ahead": "{a} scores better than {b} on {claimed} of {of} datasets",
}
"""Kind of a claim -> how it is worded."""


@dataclass(frozen=True)
class Entry:
    """A claim with its verdict.

    Attributes
    ----------
    claim : dict of str to str
        A row of `claims.csv`.
    verdict : str
        One of `VERDICTS`.
    supports : str
        What the numbers support, for readers.
    named : tuple of str
        Datasets on which A is better for certain.
    follows : bool
        Whether the claimed count follows from the printed numbers.
    address : str
        What follows ``seven_of_nine.html`` in the address of the claim's table, or "".
    """

    claim: dict
    verdict: str
    supports: str
    named: tuple
    follows: bool
    address: str

    @property
    def sentence(self):
        """The claim in our words."""
        return KINDS[self.claim["kind"]].format(**self.claim)


def entries():
    """Judge every claim.

    Returns list of Entry. In the order of `claims.csv`.
    """
    claims, printed = read("claims"), read("first")
    sizes = read("items").set_index(["items", "dataset"])["n"]
    found = []
    for claim in claims.to_dict("records"):
        table = printed[printed["table"] == claim["table"]].drop(columns="table")
        if claim["items"] and not claim["runs"]:
            table["n"] = [sizes[claim["items"], name] for name in table["dataset"]]
        found.append(judged(claim, table))
    return found


def read(name):
    """Read a file of the list, every cell as text."""
    return delimited.read_table(f"{FOLDER}/{name}.csv").fillna("").astype(str)


def judged(claim, table):
    """Judge one claim.

    `claim` (dict of str to str): a row of `claims.csv`. `table`: ``dataset``, and as far as they
    are printed ``a``, ``b``, ``p`` and ``n``; text.

    Returns Entry. The verdict.
    """
    kind, n, claimed = claim["kind"], int(claim["of"]), int(claim["claimed"])
    alpha, address = float(claim["alpha"]), address_of(claim, table)
    if kind == "splits":  # counted after Bonferroni's correction, so the count is a bound
        said = f"The systems differ on at least {claimed} of {n} splits of one corpus"
        return Entry(claim, HOLDS, said, (), True, "")
    if table["p"].any():
        return by_pvalues(claim, table, address)
    sign = -1 if claim["lower"] else 1
    lead = sign * (table["a"].astype(float) - table["b"].astype(float))
    follows = bool((lead > 0).sum() == claimed)
    if "n" not in table:
        said = (
            "only means or medians of several runs" if claim["runs"] else "and no shares of items"
        )
        said = f"Nothing: the table has no p-values, {said}"
        return Entry(claim, NO_BASIS, said, (), follows, address)
    # For error rates the system with fewer errors is that with more right items.
    scores = ["b", "a"] if claim["lower"] else ["a", "b"]
    audit = rep.audit(
        table[["dataset", *scores, "n"]],
        scores=scores,
        items="n",
        dependence=claim["dependence"],
        alpha=alpha,
    )
    least, most = audit.between
    verdict = HOLDS if least >= claimed else TOO_MANY if most < claimed else OPEN
    said = f"At least {least}, possibly {most}," if least < most else f"At least {least}"
    said += f" of {n} datasets"
    return Entry(claim, verdict, said, (), follows, address)


def by_pvalues(claim, table, address):
    """Judge a claim whose table prints p-values."""
    scored = bool(table["a"].all())
    kind, claimed = claim["kind"], int(claim["claimed"])
    audit = rep.audit(
        table.drop(columns=[c for c in ("a", "b") if not scored]),
        scores=["a", "b"] if scored else [],
        items="n" if "n" in table else None,
        sided=claim["sided"] if scored else "one",
        test=claim["test"] or None,
        dependence=claim["dependence"],
        alpha=float(claim["alpha"]),
        **({"k_hat": claimed} if kind == "k_hat" else {"claimed": claimed}),
    )
    counts = [v for v in audit.verdicts if v.claim.startswith(("number of", "k-hat"))]
    follows = all(v.verdict != CONTRADICTED for v in counts)
    named, n = tuple(audit.supports.named), claim["of"]
    if kind == "differ":
        k = audit.supports.k
        verdict = HOLDS if k >= claimed else TOO_MANY
        said = f"The systems differ on at least {k} of {n} datasets"
        return Entry(claim, verdict, said, named, follows, address)
    found = claims.at_least(f"{claim['a']}-{claim['b']}", float(claim["alpha"]), claimed)
    said = f"At least {found.reason or f'{min(found.found.values())} of {n} datasets'}"
    return Entry(claim, JUDGED[found.verdict], said, named, follows, address)


def address_of(claim, table):
    """Write the table of a claim into an address of the page, which asks who is better."""
    if table.empty or claim["kind"] == "differ":
        return ""
    headers = {"dataset": "Dataset", "a": claim["a"], "b": claim["b"], "p": "p", "n": "n"}
    kept = [name for name in headers if name in table and table[name].any()]
    text = table[kept].rename(columns=headers).to_csv(index=False)
    roles = ",".join("name" if name == "dataset" else name for name in kept)
    asked = {"t": text, "roles": roles, "alpha": claim["alpha"]}
    asked |= {name: claim[name] for name in ("sided", "dependence") if claim[name]}
    if claim["test"]:
        asked["test"] = claim["test"]
    if claim["lower"]:
        asked["lower"] = "true"
    if claim["kind"] == "count":
        asked["claimed"] = claim["claimed"]
    return f"#{urlencode(asked)}"


def totals():
    """Count the claims by verdict.

    Returns Series. Verdict -> number of claims.
    """
    found = pd.Series([entry.verdict for entry in entries()]).value_counts()
    return found.reindex(list(VERDICTS), fill_value=0)
