"""Classifiers on pairs of domains that share their reviews: what is read, and what is shared."""

import numpy as np
import pandas as pd
import pytest

from analysis.dror2017 import dependence
from replicability.checks import InputError
from replicability.stats import joint, paired

RIGHT = {"LR": [1, 1, 1, 1, 1, 1, 1, 0, 1], "SCL": [0, 0, 0, 1, 0, 0, 0, 1, 0]}
NAMES = ("dvd → books", "kitchen → books", "books → dvd")


def stored(folder, names=NAMES, systems=RIGHT):
    """Store the outcomes of classifiers; pairs with one target have the same reviews."""
    rows = [
        (name, review, system, right if place != 1 else int(review != 2))
        for place, name in enumerate(names)
        for system, rights in systems.items()
        for review, right in enumerate(rights)
    ]
    file = folder / "reviews.csv"
    pd.DataFrame(rows, columns=list(dependence.COLUMNS.values())).to_csv(file, index=False)
    return file


def test_pairs_with_one_target_share_their_reviews_and_stand_side_by_side(tmp_path):
    forth, back = dependence.compare(stored(tmp_path), "LR", "SCL", 200, 3)
    assert forth.names.tolist() == ["dvd → books", "kitchen → books", "books → dvd"]
    assert (forth.flips.shared > 0).tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    assert (forth.a, forth.b, back.a, back.b) == ("LR", "SCL", "SCL", "LR")
    np.testing.assert_array_equal(back.flips.z, -forth.flips.z)
    assert len(forth.flips.z) == 200
    expected = paired.mcnemar_pvalues([7, 0, 7], [1, 0, 1], alternative="greater")
    np.testing.assert_allclose(forth.pvalues, expected)


def test_every_ordered_pair_is_counted_by_the_joint_flips(tmp_path):
    file = stored(tmp_path)
    counts = dependence.counts(file, 200, 3, 0.2)
    assert counts[["A", "B"]].to_numpy().tolist() == [["LR", "SCL"], ["SCL", "LR"]]
    both = dependence.compare(file, "LR", "SCL", 200, 3)
    found = [joint.bound(pair.flips, alpha=0.2, method="joint_sum").at_least for pair in both]
    assert counts[dependence.TITLES["joint_sum"]].tolist() == found
    assert counts["p ≤ α"].tolist() == [2, 0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"names": ("dvd", "kitchen → books")}, "the dataset 'dvd' is not named source → target"),
        ({"systems": {"LR": [1, 0], "mSDA": [0, 1]}}, "SCL"),
    ],
)
def test_bad_input_is_a_sentence(tmp_path, change, message):
    with pytest.raises(InputError, match=message):
        dependence.compare(stored(tmp_path, **change), "LR", "SCL", 200, 3)


def test_a_file_without_systems_is_a_sentence(tmp_path):
    (tmp_path / "x.csv").write_text("dataset,instance\na → b,1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"x\.csv has no column 'system'"):
        dependence.read_classifiers(tmp_path / "x.csv")
