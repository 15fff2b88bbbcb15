"""Numbers of docs/reading.md."""

import numpy as np
import pyarrow as pa
from scipy import stats

from analysis.numbers.committed import page
from replicability import forensics
from replicability.core import dependence, units
from replicability.io.instances import Dataset
from replicability.stats import paired, partial_conjunction


def numbers():
    """Return what the fields of the document may name."""
    without = np.random.default_rng(5).random((20000, 15))
    z = np.random.default_rng(2017).normal(size=(5000, 20)) + np.repeat([4, 0], 10)
    simulated = stats.norm.sf(z)
    ran = page("docs/reading.md")
    six = ran["six"]
    asked = page("docs/claims.md")
    sentence, spoken = asked["shown"], asked["spoken"]
    large = paired.mcnemar_counts(5200, 5000, 1_000_000)
    claimed = partial_conjunction.k_hat([0.001] * 11 + [0.4] * 9, 0.05)
    beyond_noise = [
        gain > 1.96 * error for gain, error in zip(ran["gains"], ran["errors"], strict=True)
    ]
    run = paired.run
    k_count = partial_conjunction.k_count
    k_hat = partial_conjunction.k_hat
    limit = dependence.LIMIT
    at_least_one = forensics.at_least_one
    mcnemar_counts = paired.mcnemar_counts
    wrong_by_three_answers = np.mean((ran["last"] > 0) | ran["names"] | (ran["count"] > 10))
    whole_of_six = (
        six.at_least()
        if six.at_least(six.datasets[:3]) + six.at_least(six.datasets[3:]) < 2
        else None
    )
    wrong_by_either = np.mean(ran["counted"] | ran["closed"])
    names = np.arange(90).astype(str)
    rows = Dataset("questions", names, *asked["thrice"], units=pa.array(names[:30].repeat(3)))
    questions = units.by_unit(rows)
    ninety_are_worth_thirty = (
        run("sign_flip", questions.a, questions.b).pvalue == run("sign_flip", *asked["once"]).pvalue
        and round(units.design_effect(rows, questions)) == 3
    )
    count_is_wrong = np.mean(k_count(simulated) > 10)
    k_hat_keeps_level = (
        max(np.mean(k_hat(simulated, 0.05, how) > 10) for how in ("bonferroni", "fisher")) < 0.05
    )
    wrong_in_both_directions = np.mean(
        (k_hat(without, 0.025, "fisher") > 0) | (k_hat(1 - without, 0.025, "fisher") > 0)
    )
    bound_of_large = (
        mcnemar_counts(5200, 5000, 1_000_000, confidence_level=0.95).confidence_interval.high
        == large.confidence_interval.high
    )
    return locals()
