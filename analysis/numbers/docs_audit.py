"""Numbers of docs/audit.md."""

from analysis.numbers.committed import amount
from replicability import forensics
from replicability.stats import partial_conjunction


def numbers():
    """Return what the fields of the document may name."""
    k_hat = partial_conjunction.k_hat
    mcnemar = forensics.mcnemar
    claim = forensics.Claim
    unusual = forensics.UNUSUAL
    decided = forensics.DECIDED
    kinds = forensics.KINDS
    discordant_items = amount(
        mcnemar(claim("p", "t", "p", "0.0034"), "0.912", "0.874", 500).sentence.split(
            "two-sided ("
        )[1]
    )
    return locals()
