"""The authors' programs, restated, beside the library: the same counts and names."""

import numpy as np
import pytest

from analysis.dror2017 import audit, authors_code
from analysis.published import read_published
from replicability.stats import multiple_testing, partial_conjunction

COLUMNS = audit.columns_of("config/paper.yaml")


def test_the_example_of_their_readme():
    # Its output is 1 by Bonferroni, 2 by Fisher, and "dataset6".
    p = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]
    for program in ("python", "r"):
        assert authors_code.counted(p, 0.05, "bonferroni", program) == 1
        assert authors_code.counted(p, 0.05, "fisher", program) == 2
    assert authors_code.named(p, 0.05) == {5}
    assert [partial_conjunction.k_hat(p, 0.05, m) for m in authors_code.METHODS] == [1, 2]


def test_every_published_column_gets_the_same_counts_and_names():
    found = authors_code.agreement(COLUMNS, [0.05, 0.01])
    assert len(found) == 2 * len(COLUMNS)
    assert set(found["Holm: same names"]) == {"yes"}
    for label in ("Bonferroni", "Fisher"):
        for program in ("Python", "R"):
            assert (found[f"{label}, {program}"] == found[f"{label}, ours"]).all()


def test_no_program_gives_the_one_count_that_differs():
    # Table 1 prints 10 for the sentiment setups by Fisher's method at .05.
    printed = read_published("dror2017", "table1").set_index(["comparison", "alpha"])
    assert printed.loc[("AE-SCL-SR-MSDA", "0.05"), "k_fisher"] == "10"
    row = authors_code.agreement(COLUMNS, [0.05]).set_index("Comparison").loc["AE-SCL-SR-MSDA"]
    assert row[["Fisher, Python", "Fisher, R", "Fisher, ours"]].tolist() == [9, 9, 9]


@pytest.mark.parametrize("kind", ["uniform", "small", "rounded with ties and zeros"])
def test_random_families_get_the_same_counts_and_names(kind):
    rng = np.random.default_rng(2017)
    for _ in range(300):
        p = rng.random(rng.integers(1, 25))
        p = {"uniform": p, "small": p**6}.get(kind, np.round(p**5, 3))
        alpha = 0.0501  # no rounded p-value is exactly on a boundary
        for method in authors_code.METHODS:
            ours = partial_conjunction.k_hat(p, alpha, method)
            assert authors_code.counted(p, alpha, method) == ours
            if not (p == 1).any():
                assert authors_code.counted(p, alpha, method, "r") == ours
            np.testing.assert_allclose(
                np.minimum(authors_code.combined(p, method), 1),
                partial_conjunction.partial_conjunction_pvalues(p, method),
                atol=1e-14,
            )
        holm = set(np.flatnonzero(multiple_testing.identify(p, alpha)))
        assert authors_code.named(p, alpha) == holm


def test_where_the_conventions_differ():
    # On the boundary, in floating point: 22 * (.05 / 22) is above .05.
    p = np.full(22, 0.05 / 22)
    assert authors_code.counted(p, 0.05, "bonferroni") == 0
    assert partial_conjunction.k_hat(p, 0.05) == 22
    # A p-value of 1 says nothing to Fisher's method, and ends the count of the R script.
    p = [1e-9, 1e-9, 1.0]
    assert authors_code.counted(p, 0.05, "fisher", "r") == 0
    assert authors_code.counted(p, 0.05, "fisher") == partial_conjunction.k_hat(p, method="fisher")
    # p-values above 1 / m are not cut off at 1, which no level in (0, 1) can see.
    assert authors_code.combined([0.5, 0.9], "bonferroni").max() == 1.0
    assert authors_code.combined([0.6, 0.9], "bonferroni").max() > 1


def test_no_printed_value_is_on_a_boundary_or_one():
    for column in COLUMNS.values():
        p = np.array(column.pvalues, float)
        assert (p < 1).all()
        steps = np.arange(1, len(p) + 1)
        for alpha in (0.05, 0.01):
            assert not np.isclose(p[:, None] * steps, alpha, rtol=1e-9, atol=0).any()
