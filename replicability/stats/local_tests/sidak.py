r"""Šidák's test: the smallest p-value is at most :math:`1 - (1 - \alpha)^{1/m}`.

Of m independent p-values of true null hypotheses all are above t with probability
:math:`(1 - t)^m` at least, so that the level is alpha: exactly for uniform p-values, and at most
for larger or discrete ones. The intersection falls at the level :math:`1 - (1 - p_{(1)})^m`. The
threshold is above Bonferroni's, and the step-down procedure is that of Holm and Šidák.

References
----------
Šidák (1967), Journal of the American Statistical Association 62(318), 626-633. Holland and
Copenhaver (1987), Biometrics 43(2), 417-423.
"""

import numpy as np
from scipy import special

from replicability.stats import step_down
from replicability.stats.local_tests import LocalTest


def _level(values, sizes):
    return np.where(sizes == 1, values, -np.expm1(special.xlog1py(sizes, -values)))


LOCAL_TEST = LocalTest(
    name="sidak",
    title="Šidák",
    cited=(
        "Šidák 1967",
        "Šidák (1967), Journal of the American Statistical Association 62(318), 626-633.",
    ),
    meaning="it names the same datasets as the Holm-Šidák step-down procedure",
    valid_under=("independent",),
    strong="some p-values are tiny",
    weak="all p-values are moderate",
    colour="#6699CC",
    marker="h",
    with_holm=True,
    **step_down.shortcuts(_level),
)
