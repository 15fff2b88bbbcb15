"""Numbers of docs/k_hat.md."""

import numpy as np
from scipy import stats

from analysis.numbers.committed import page
from replicability.stats import partial_conjunction


def numbers():
    """Return what the fields of the document may name."""
    ran = page("docs/k_hat.md")
    five = ran["five"]
    fisher = partial_conjunction.partial_conjunction_pvalues(five, "fisher")
    bonferroni = partial_conjunction.partial_conjunction_pvalues(five, "bonferroni")
    k = {
        method: partial_conjunction.k_hat(five, 0.05, method)
        for method in ("fisher", "simes", "bonferroni")
    }
    product = [float(np.prod(five[u - 1 :])) for u in range(1, 6)]
    evidence = [-np.log(c) for c in product]
    tail = [
        stats.chi2.sf(-2 * np.log(c), 2 * m) for c, m in zip(product, (5, 4, 3, 2, 1), strict=True)
    ]
    rows = [(u + 1, product[u], fisher[u], bonferroni[u]) for u in range(5)]
    pair = stats.chi2.sf(-2 * np.log(five[2] * five[3]), 4)
    k_hat = partial_conjunction.k_hat
    k_count = partial_conjunction.k_count
    small_of_five = sum(p <= 0.05 for p in five)
    rng = np.random.default_rng(5)
    own, repeated = rng.uniform(size=(50000, 5)), rng.uniform(size=(50000, 1))
    studies = np.where(rng.uniform(size=own.shape) < 0.5, repeated, own)
    exceeds = {method: np.mean(k_hat(studies, 0.05, method) > 0) for method in k}
    one_in_twenty = 19 < 1 / np.mean(k_hat(own, 0.05, "fisher") > 0) < 21
    return locals()
