"""Numbers of docs/claims.md."""

from analysis.numbers.committed import page
from replicability.core.procedure import Procedure
from replicability.stats import partial_conjunction


def numbers():
    """Return what the fields of the document may name."""
    ran = page("docs/claims.md")
    shown = ran["shown"]
    n = len(shown.datasets)
    named = shown.named.sum()
    small = partial_conjunction.k_count(ran["values"])
    half = Procedure(shown.datasets, 0.025, "fisher", ran["values"])
    bonferroni = Procedure(shown.datasets, 0.05, "bonferroni", ran["values"])
    thrice = ran["thrice"][0]
    once = ran["once"]
    by_fisher_bonferroni = Procedure(
        shown.datasets, 0.05, "fisher_bonferroni", ran["values"]
    ).at_least()
    wins_in_speech = sum(p <= 0.05 for p in ran["spoken"].values())
    return locals()
