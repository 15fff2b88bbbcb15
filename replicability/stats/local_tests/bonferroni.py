"""Bonferroni's test: the smallest of m p-values is at most alpha/m; valid for any datasets."""

from replicability.stats import families, step_down
from replicability.stats.local_tests import DEPENDENCE, LocalTest


def _small(values, sizes, alpha):
    return values <= alpha / sizes


LOCAL_TEST = LocalTest(
    name="bonferroni",
    title="Bonferroni",
    cited=("Holm 1979", "Holm (1979), Scandinavian Journal of Statistics 6(2), 65-70."),
    meaning="it names the same datasets as Holm's procedure",
    valid_under=DEPENDENCE,
    strong="some p-values are tiny",
    weak="all p-values are moderate",
    colour="#0072B2",
    marker="o",
    with_holm=True,
    printed=True,
    place=1,
    **step_down.shortcuts(families.least_alpha, _small),
)
