"""The committed sizes and powers of claims by people's judgement."""

import numpy as np
import pytest
import sizes

from analysis import paths
from analysis.methods import judged

COMMITTED = paths.ROOT / "data" / "simulations" / "judged.csv"


@pytest.fixture(scope="module")
def rates():
    return sizes.rates("judged.csv")


def test_the_level_is_kept_from_the_fewest_labels_on(rates):
    null = rates[(rates["gain"] == 0) & (rates["test"] == judged.CORRECTED)]
    assert null["labelled"].min() == 30
    assert set(null["population"]) == set(judged.POPULATIONS)
    assert sizes.above(null).max() <= 3


def test_the_judge_alone_and_the_normal_law_reject_too_often(rates):
    found = judged.summary(COMMITTED)
    assert found["size"][judged.JUDGE] == 1
    plain = rates[(rates["gain"] == 0) & (rates["test"] == judged.PLAIN)]
    assert sizes.above(plain[plain["labelled"] == 30]).max() > 3


def test_the_judge_adds_power(rates):
    found = judged.summary(COMMITTED)["power"]
    assert found[judged.CORRECTED] > found[judged.PEOPLE] + 0.1


def test_a_small_simulation_again(rates):
    again = judged.table(120, 7, (30,), (100,), ("normal", "right or wrong"))
    keys = ["population", "labelled", "others", "gain", "test", "alpha"]
    assert sizes.agree(again, rates, keys)


def test_plain_is_that_of_the_authors():
    # ppi-python 0.2.3 gives .14816018 for these differences: see tests/stats/test_judged.py
    k = np.arange(400)
    judge = ((k * 7 + 3) % 11) / 5 - 0.8 + ((k * 5) % 13) / 20
    people = 0.7 * judge + ((k * 17 + 5) % 19) / 12 - 0.75
    found = judged.plain(people[:40] - 0.25, judge[:40], judge[40:])
    assert found == pytest.approx(0.14816018, rel=1e-6)
