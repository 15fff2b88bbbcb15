import itertools

import numpy as np
import pytest

from analysis.gorman2019 import agreement
from replicability import audit
from replicability.io.published import read_published


def test_agreement_by_the_matrix_of_coincidences():
    example = read_published("gorman2019", "table4").set_index("row").drop("Gold")
    labels = sorted(set(example.to_numpy().ravel()))
    matrix = np.zeros((len(labels), len(labels)))
    for name in example:
        for x, y in itertools.permutations(example[name], 2):
            matrix[labels.index(x), labels.index(y)] += 1 / (len(example) - 1)
    total, margins = matrix.sum(), matrix.sum(axis=0)
    expected = (total**2 - margins @ margins) / (total - 1)
    alpha = 1 - (total - np.trace(matrix)) / expected
    assert agreement.alpha(example) == pytest.approx(alpha)


def test_no_number_of_gorman_and_bedrick_is_contradicted(prose, verdicts):
    assert "No number of this paper is contradicted." in prose
    assert set(audit.disputed(verdicts[0])["paper"]) == {"Dror et al. 2017", "Søgaard et al. 2014"}
