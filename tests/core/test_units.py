import re

import numpy as np
import pyarrow as pa
import pytest

from replicability.checks import InputError
from replicability.core import units
from replicability.io.instances import Dataset
from replicability.stats import paired


def dataset(name, identifiers, a, b, **more):
    units = more.pop("units", None)
    if units is not None:
        more["units"] = pa.array(list(map(str, units)))
    return Dataset(name, pa.array(list(map(str, identifiers))), np.array(a), np.array(b), **more)


def flipped(*datasets):
    return [paired.sign_flip(d.a, d.b) for d in datasets]


def test_rows_that_repeat_a_question_are_worth_no_more_than_one():
    rng = np.random.default_rng(np.random.SeedSequence(3))
    a, b = rng.integers(0, 2, (2, 50)).astype(float)
    once = dataset("qa", range(50), a, b)
    repeats = np.repeat(a, 3), np.repeat(b, 3)
    thrice = dataset("qa", range(150), *repeats, units=np.repeat(np.arange(50), 3))
    summed = units.by_unit(thrice)
    single, repeated = flipped(once, summed)
    assert repeated.pvalue == single.pvalue
    assert repeated.effect == pytest.approx(single.effect)
    assert paired.sign_flip(thrice.a, thrice.b).pvalue != single.pvalue
    assert units.design_effect(thrice, summed) == pytest.approx(3 * 149 / 147)


def test_units_of_one_instance_change_nothing():
    scores = [1.0, 1, 0, 1], [0.0, 0, 0, 1]
    d = dataset("qa", range(4), *scores, units="abcd")
    assert units.design_effect(d, units.by_unit(d)) == pytest.approx(1)
    plain = dataset("qa", range(4), *scores)
    assert units.by_unit(plain) is plain


def test_sums_of_a_metric_are_added_up():
    sums = np.array([[3.0, 4.0], [2.0, 2.0], [1.0, 5.0]])
    sentences = dataset("ewt", range(3), sums, sums - [1, 0], metric="las", units="xyx")
    found = units.by_unit(sentences)
    assert found.a.tolist() == [[4, 9], [2, 2]]
    assert found.b.tolist() == [[2, 9], [1, 2]]
    assert (found.metric, found.identifiers.to_pylist()) == ("las", ["x", "y"])


def test_units_of_one_name_are_one_row_in_whatever_order():
    first = dataset("one", [2, 1, 3], [1.0, 2, 3], [0.0, 0, 0])
    second = dataset("two", [3, 4, 1], [5.0, 6, 7], [1.0, 1, 1])
    table = [[2, 6], [1, 0], [3, 4], [0, 5]]
    assert units.shared_differences([first, second]).toarray().tolist() == table
    there = units.shared_differences([second, first]).toarray()[:, ::-1]
    assert there.tolist() == table


def test_only_datasets_of_one_test_set_share_units():
    three = [dataset(name, [1, 2], [1.0, 2], [0.0, 0]) for name in ("a", "b", "c")]
    found = units.shared_differences(three, {"test": ["c", "a"]}).toarray()
    assert sorted(found.tolist()) == [[0, 1, 0], [0, 2, 0], [1, 0, 1], [2, 0, 2]]


def test_datasets_of_no_test_set_share_nothing_with_each_other():
    four = [dataset(name, [1, 2], [1.0, 2], [0.0, 0]) for name in ("a", "b", "c", "d")]
    found = units.shared_differences(four, {"test": ["a", "b"]}).toarray()
    alone = [[0, 0, 0, 1], [0, 0, 0, 2], [0, 0, 1, 0], [0, 0, 2, 0]]
    assert sorted(found.tolist()) == [*alone, [1, 1, 0, 0], [2, 2, 0, 0]]


def test_directions_are_mirrored():
    three = [dataset(name, range(9), [1.0] * 9, [0.0] * 9) for name in ("a", "b")]
    forth = units.flips(three, n_flips=200)
    assert units.turned(forth).pvalues.tolist() == [1, 1]
    assert (forth.pvalues < 0.05).all()


@pytest.mark.parametrize(
    ("shared", "message"),
    [
        (True, "No two datasets share a unit, although shared units are declared"),
        ({"x": ["a", "c"]}, "shared 'x': dataset 'c' is not one of a, b"),
        ({"x": ["a"], "y": ["a", "b"]}, "shared: the dataset 'a' is listed twice"),
    ],
)
def test_units_that_do_not_match_are_a_sentence(shared, message):
    two = [dataset("a", [1, 2], [1.0, 0], [0.0, 0]), dataset("b", [3, 4], [1.0, 0], [0.0, 0])]
    with pytest.raises(InputError, match=re.escape(message)):
        units.shared_differences(two, shared)


def test_differences_that_do_not_add_up_are_a_sentence():
    f1 = dataset("ner", [1, 2], np.ones((2, 3)), np.zeros((2, 3)), metric="f1")
    with pytest.raises(InputError, match="'ner': joint sign flips need differences that add up"):
        units.shared_differences([f1, f1])


def test_ratings_have_no_units():
    d = dataset("ws", [1, 2], [1.0, 2], [1.0, 2], gold=np.ones(2), units="xx")
    with pytest.raises(InputError, match="cannot be summed over a unit"):
        units.by_unit(d)
