"""Layers of systems against graphs that are written out, and what holds for every relation."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from replicability.core import layers

RELATIONS = st.integers(1, 7).flatmap(lambda s: hnp.arrays(bool, (s, s)))
NAMES = "ABCDEFG"


def relation(s, *pairs):
    """Return who is shown better than whom, from pairs such as AB."""
    better = np.zeros((s, s), bool)
    for a, b in pairs:
        better[NAMES.index(a), NAMES.index(b)] = True
    return better


def arranged(s, *pairs, **more):
    return layers.arrange(NAMES[:s], relation(s, *pairs), **more)


def test_an_arrow_that_a_path_replaces_is_left_out():
    found = arranged(4, "AB", "BC", "AC", "AD")
    assert found.rows == [[("A",)], [("B",), ("D",)], [("C",)]]
    assert found.arrows == ((0, 1), (0, 3), (1, 2))
    assert (found.joined, found.implied) == (4, 0)


def test_a_path_without_a_direct_statement_is_counted():
    found = arranged(3, "AB", "BC")
    assert (found.joined, found.implied) == (3, 1)
    both = arranged(3, "AB", "BC", "AC", "CA")
    assert both.arrows == ((0, 1), (1, 2))
    assert (both.contested, both.implied) == ((("A", "C"),), 1)


def test_a_circle_is_one_node_and_said():
    found = arranged(5, "AB", "BC", "CA", "CD")
    assert found.nodes == (("A", "B", "C"), ("D",), ("E",))
    assert found.circles == (("A", "B", "C"),)
    assert found.rows == [[("A", "B", "C")], [("D",)]]
    assert found.apart == (("E",),)
    assert found.layer == (0, 1, 2)


def test_a_system_that_is_told_apart_from_none_is_not_at_the_top():
    found = arranged(3, "BC")
    assert found.rows == [[("B",)], [("C",)]]
    assert found.apart == (("A",),)
    nothing = arranged(3)
    assert (nothing.rows, nothing.arrows) == ([], ())
    assert nothing.apart == (("A",), ("B",), ("C",))


def test_identical_systems_are_one_node_but_no_circle():
    found = arranged(3, "AC", "BC", identical=[("A", "B")])
    assert found.nodes == (("A", "B"), ("C",))
    assert (found.circles, found.arrows) == ((), ((0, 1),))


def closure(order):
    """Return what can be reached, by matrix powers."""
    reached, step = order.copy(), order.copy()
    for _ in range(len(order)):
        step = (step.astype(int) @ order.astype(int)) > 0
        reached |= step
    return reached


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(RELATIONS)
def test_what_holds_for_every_relation(better):
    np.fill_diagonal(better, False)
    s = len(better)
    order, found = layers.above(better), layers.arrange(NAMES[:s], better)
    assert not (order & order.T).any()
    assert sorted(itertools.chain(*found.nodes)) == list(NAMES[:s])
    reached = closure(order)
    home = {name: k for k, node in enumerate(found.nodes) for name in node}
    kept = np.zeros((len(found.nodes),) * 2, bool)
    for i, j in found.arrows:
        kept[i, j] = True
        assert found.layer[i] < found.layer[j]
        assert any(order[NAMES.index(a), NAMES.index(b)]
                   for a in found.nodes[i] for b in found.nodes[j])  # fmt: skip
    for i, j in itertools.permutations(range(s), 2):
        one = home[NAMES[i]] == home[NAMES[j]]
        assert one == (reached[i, j] and reached[j, i])
        if not one:
            assert closure(kept)[home[NAMES[i]], home[NAMES[j]]] == reached[i, j]
    for arrow in found.arrows:  # none can be left out
        fewer = kept.copy()
        fewer[arrow] = False
        assert not closure(fewer)[arrow]
    assert {tuple(c) for c in found.circles} == {n for n in found.nodes if len(n) > 1}
    placed = [*itertools.chain(*found.rows), *found.apart]
    assert sorted(placed) == sorted(found.nodes)
    assert found.joined == closure(kept).sum()


@settings(max_examples=60, deadline=None)
@given(RELATIONS, st.randoms(use_true_random=False))
def test_the_order_of_the_systems_plays_no_part(better, random):
    np.fill_diagonal(better, False)
    s = len(better)
    places = random.sample(range(s), s)
    first = layers.arrange(NAMES[:s], better)
    again = layers.arrange([NAMES[i] for i in places], better[np.ix_(places, places)])

    def seen(found):
        nodes = [frozenset(node) for node in found.nodes]
        arrows = {(nodes[i], nodes[j]) for i, j in found.arrows}
        return dict(zip(nodes, found.layer, strict=True)), arrows

    assert seen(first) == seen(again)
    assert (first.joined, first.implied) == (again.joined, again.implied)


@settings(max_examples=100, deadline=None)
@given(RELATIONS)
def test_ties_are_the_maximal_sets(better):
    undecided = better | better.T
    np.fill_diagonal(undecided, False)
    s = len(undecided)
    whole = {
        group
        for size in range(2, s + 1)
        for group in itertools.combinations(range(s), size)
        if all(undecided[i, j] for i, j in itertools.combinations(group, 2))
    }
    largest = {g for g in whole if not any(set(g) < set(other) for other in whole)}
    found = layers.ties(NAMES[:s], undecided)
    assert {tuple(map(NAMES.index, tie)) for tie in found} == largest
    assert len(found) == len(largest)
    assert [len(tie) for tie in found] == sorted(map(len, found), reverse=True)


@pytest.mark.parametrize("s", [0, 1])
def test_no_pair_at_all(s):
    assert layers.arrange(NAMES[:s], np.zeros((s, s))).arrows == ()
    assert layers.ties(NAMES[:s], np.zeros((s, s))) == []
