"""Datasets that are nearly one under two names: refused as independent ones, and told otherwise."""

import numpy as np
import pandas as pd
import pytest

import replicability as rep


def frame(changed, n=100, seed=1, right=(0.7, 0.6)):
    """Two datasets, of which the second repeats the first but for some items; and a third."""
    rng = np.random.default_rng(seed)
    first, third = ((rng.random((n, 2)) < right).astype(int) for _ in range(2))
    second = first.copy()
    places = rng.permutation(n)[:changed]
    second[places] = 1 - second[places]
    parts = {"squad": first, "squad v2": second, "law": third}
    return pd.concat(
        [
            pd.DataFrame({"dataset": name, "ours": x[:, 0], "base": x[:, 1]})
            for name, x in parts.items()
        ]
    )


ASKED = {"a": "ours", "b": "base"}


def test_near_duplicates_are_no_independent_datasets():
    with pytest.raises(rep.InputError) as refused:
        rep.compare(frame(4), **ASKED, dependence="independent")
    said = "'squad' and 'squad v2' have the same scores for both systems on 96% of their items"
    assert said in str(refused.value)
    assert "leave out one of them, or declare dependence='dependent'" in str(refused.value)


@pytest.mark.parametrize("dependence", ["dependent", None])
def test_a_note_says_so_where_they_may_depend(dependence):
    result = rep.compare(frame(4), **ASKED, dependence=dependence)
    (note,) = [note for note in result.notes if "nearly the same dataset" in note]
    assert note.endswith("but are counted as two datasets.")


@pytest.mark.parametrize(("changed", "found"), [(6, True), (9, False), (20, False)])
def test_the_threshold_is_nine_tenths_beyond_chance(changed, found):
    # About 35% agree by chance: 94% is .91 of what is left, 91% is .86.
    result = rep.compare(frame(changed), **ASKED)
    assert any("nearly the same dataset" in note for note in result.notes) == found


def test_what_agrees_by_chance_is_no_duplicate():
    # Both systems are right on nearly all items of all datasets.
    frames = [frame(60, seed=seed, right=(0.99, 0.99)) for seed in range(3)]
    for one in frames:
        rep.compare(one, **ASKED, dependence="independent")


def test_independent_datasets_are_hardly_ever_taken_for_duplicates():
    rng = np.random.default_rng(7)
    for share in (0.5, 0.9, 0.97):
        data = {f"d{k}": tuple((rng.random((2, 60)) < share).astype(float)) for k in range(40)}
        rep.compare(data, dependence="independent", test="sign_flip")


def test_few_items_show_nothing():
    result = rep.compare(frame(1, n=12), **ASKED)
    assert not any("nearly one" in note for note in result.notes)


def test_real_scores_and_other_sizes():
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 50))
    moved = a.copy()
    moved[0] += 1
    with pytest.raises(rep.InputError, match="98% of their items"):
        rep.compare({"x": (a, b), "y": (moved, b)}, dependence="independent")
    rep.compare({"x": (a, b), "y": (moved[1:], b[1:])}, dependence="independent")


def test_families_are_told_as_pairs_are():
    three = frame(4).assign(third=frame(4, seed=2)["ours"].to_numpy())
    third = three[three["dataset"] == "squad"]["third"].to_numpy()
    three.loc[three["dataset"] == "squad v2", "third"] = third
    (note,) = [note for note in rep.all_pairs(three).notes if "nearly the same dataset" in note]
    assert "'squad' and 'squad v2' have the same scores for all systems on 96% of" in note
    with pytest.raises(rep.InputError, match="nearly the same dataset, but the"):
        rep.all_pairs(three, dependence="independent")
