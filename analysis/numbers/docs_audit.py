"""Numbers of docs/audit.md."""

from analysis.numbers.committed import amount
from replicability import audit
from replicability.stats import partial_conjunction


def numbers():
    """Return what the fields of the document may name."""
    k_hat = partial_conjunction.k_hat
    mcnemar = audit.mcnemar
    claim = audit.Claim
    unusual = audit.UNUSUAL
    kinds = audit.KINDS
    discordant_items = amount(
        mcnemar(claim("p", "t", "p", "0.0034"), "0.912", "0.874", 500).sentence.split(
            "two-sided ("
        )[1]
    )
    return locals()
