"""Warnings of p-values that may be too small, and of datasets that no test can decide."""

import numpy as np
import pandas as pd
import pytest

import replicability as rep
from replicability.core import cautions
from replicability.core.all_pairs import Pairs
from replicability.core.tested import Tested
from replicability.stats import paired


def table(**columns):
    """Return results of the test of the mean, two datasets unless columns say otherwise."""
    return Tested(
        Tested(
            pd.DataFrame(
                {"dataset": ["x", "y"], "p_value": 0.4, "n": 40, "test": "mean_difference"}
                | columns
            )
        )
    )


def test_nothing_is_said_of_many_items_that_are_won_and_lost():
    fine = table(n=500, wins=90, losses=80, skewness=0.2, floor=1e-9)
    assert cautions.cautions(fine) == []
    read = Tested(pd.DataFrame({"dataset": ["x"], "p_value": [0.1]}))
    assert cautions.cautions(read) == []


def test_losses_that_may_be_missing_are_a_share_of_the_items():
    """Of a share s of all items, n items hold none with probability (1 - s)^n."""
    (said,) = cautions.cautions(table(wins=[12, 9], losses=[0, 1]))
    assert said.startswith("One system never loses on x (40 items).")
    share = 1 - 0.025 ** (1 / 40)  # alpha over two datasets
    assert (1 - share) ** 40 == pytest.approx(0.025)
    assert f"losses that occur on up to {share:.0%} of all items" in said
    lost = cautions.cautions(table(wins=[0, 9], losses=[12, 1]))
    assert lost == [said]  # of either system
    assert cautions.cautions(table(wins=0, losses=0)) == []  # nothing differs at all
    assert cautions.cautions(table(n=2000, wins=12, losses=0)) == []
    assert cautions.cautions(table(wins=12, losses=0, test="mcnemar")) == []
    assert cautions.cautions(table(units=2000, wins=12, losses=0)) == []  # n counts instances


@pytest.mark.parametrize("sign", [1, -1])
def test_strong_skew_for_so_few_items_is_said(sign):
    most = cautions.SKEWED * np.sqrt(40)
    (said,) = cautions.cautions(table(skewness=[sign * most * 1.01, sign * most * 0.99]))
    assert said.startswith(
        "The differences are too skewed for the small number of items on x (40): at "
    )
    assert "at the level 0.025, the p-values may be several times too small" in said


def test_floors_above_the_level_name_what_no_test_can_decide():
    (said,) = cautions.cautions(table(floor=[0.0625, 0.001], test="sign_flip"))
    assert said == (
        "On x, the systems differ on too few items: no p-value can be below 0.062 there, but "
        "Holm's procedure needs a p-value of at most 0.025 to name its first dataset. Only "
        "datasets with at least 6 items on which the systems differ can be named."
    )
    assert cautions.cautions(table(floor=[0.0625, 0.001], test="sign_flip"), 0.2) == []
    alone = Tested(table(floor=[0.0625, 0.001], test="sign_flip")[:1])
    assert cautions.cautions(alone) == [
        "The systems differ on too few items: no p-value can be below 0.062, but a p-value of at "
        "most 0.05 is needed. Only datasets with at least 5 items on which the systems differ can "
        "be named."
    ]
    four = [1.0] * 4 + [0.0] * 9
    assert paired.floor("sign_flip", 4) == paired.sign_flip(four, [0.0] * 13).pvalue == 1 / 2**4


def test_of_many_datasets_only_the_first_are_named():
    names = [f"d{i}" for i in range(cautions.MOST_NAMES + 3)]
    many = table(dataset=names, p_value=0.5, n=40, floor=0.5, test="sign_flip")
    (said,) = cautions.cautions(many)
    assert said.startswith(f"On {', '.join(names[: cautions.MOST_NAMES])} and 3 more, the systems")


def family(**more):
    scores, ones = np.zeros((2, 1)), np.ones((2, 2, 1))
    return Pairs(("a", "b"), ("x",), scores, ones, "mean_difference", sizes=(40,), **more)


def test_of_a_family_pairs_without_losses_and_with_skew_are_counted():
    flat = np.zeros((2, 2, 1))
    assert cautions.of_pairs(family(), 0.01) == []  # of another test
    assert cautions.of_pairs(family(unbeaten=flat.astype(bool), skewness=flat), 0.01) == []
    won, skew = flat.astype(bool), flat.copy()
    won[0, 1] = True
    skew[0, 1], skew[1, 0] = 9, -9
    said = " ".join(cautions.of_pairs(family(unbeaten=won, skewness=skew), 0.01))
    assert "never loses" in said
    assert "too skewed for the small number of items" in said


SAME = np.ones(20)


def winning(wins):
    """Give A so many wins on each dataset, and B none."""
    return {
        f"d{place}": (np.r_[np.ones(won), SAME], np.r_[np.zeros(won), SAME])
        for place, won in enumerate(wins)
    }


def said(result):
    """Return what is said of floors."""
    return [note for note in result.notes if "the systems differ on too few items" in note]


def test_a_dataset_that_is_named_has_a_floor_that_is_low_enough():
    """Datasets without discordant items take nothing from another that is drawn beside them."""
    result = rep.compare(winning([6, 1, 0]), dependence="independent")
    assert result.named == ["d0"]
    assert result.table["floor"][0] > 0.025 / 3
    assert said(result) == [
        "On d1 and d2, the systems differ on too few items: no p-value can be below 0.5 there, but "
        "a dataset needs a p-value of at most 0.025 to be named. Only datasets with at least 6 "
        "items on which the systems differ can be named."
    ]


@pytest.mark.parametrize(("wins", "named"), [(6, []), (7, ["d0"])])
def test_beside_holms_procedure_it_is_the_level_of_the_first_name(wins, named):
    result = rep.compare(winning([wins, 8, 8]), dependence="dependent")
    assert (named == []) == (0.5**wins > 0.025 / 3)
    assert [note for note in said(result) if "d0" in note] == (
        []
        if named
        else [
            "On d0, the systems differ on too few items: no p-value can be below 0.016 there, but "
            "Holm's procedure needs a p-value of at most 0.0083 to name its first dataset. Only "
            "datasets with at least 7 items on which the systems differ can be named."
        ]
    )


def skewed(loss=-19.0, share=0.05, n=250, n_datasets=20, seed=5):
    """Return differences with a mean of 0 in the population, of which a small share are losses."""
    rng = np.random.default_rng(seed)
    gain = -loss * share / (1 - share)
    return {
        f"d{i}": (np.where(rng.random(n) < share, loss, gain), np.zeros(n))
        for i in range(n_datasets)
    }


def doubts(result):
    return [note for note in result.notes if "assumes symmetric differences" in note]


@pytest.mark.parametrize("test", ["sign_flip", "paired_t"])
def test_tests_of_symmetric_differences_are_doubted_under_skew(test):
    """They are wrong more often than they may be; no statement that is wrong is without a note."""
    wrong = warned = 0
    for seed in range(30):
        result = rep.compare(skewed(seed=seed), a="A", b="B", test=test)
        if result.k:
            wrong += 1
            warned += any(result.named[0] in note for note in doubts(result))
            assert all("Use the test mean_difference instead." in note for note in doubts(result))
    assert wrong == warned > 3


def test_tests_of_symmetric_differences_are_not_doubted_without_skew():
    rng = np.random.default_rng(3)
    doubted = 0
    for _ in range(20):
        even = {f"d{i}": (rng.standard_normal(60), np.zeros(60)) for i in range(6)}
        result = rep.compare(even, a="A", b="B", test="sign_flip")
        doubted += bool(doubts(result))
    assert doubted <= 1
    assert doubts(rep.compare(skewed(), a="A", b="B")) == []


def test_skew_is_doubted_with_a_margin():
    one_way = {"a": "A", "b": "B", "test": "sign_flip"}
    found = set()
    for seed in range(8):
        sides = skewed(seed=seed)
        plain = rep.compare(sides, alternative="greater", **one_way)
        moved = {name: (a + 5.0, b) for name, (a, b) in sides.items()}
        by_margin = rep.compare(moved, claim="better_by", margin=5, **one_way)
        assert doubts(by_margin) == doubts(plain)
        found.update(doubts(plain))
    assert found
