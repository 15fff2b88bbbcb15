import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from replicability.checks import InputError
from replicability.core import procedure
from replicability.core.procedure import Procedure
from replicability.stats import (
    closed_testing,
    discrete,
    joint,
    multiple_testing,
    partial_conjunction,
)

NAMES = ("news", "web", "mail", "talks", "law", "wiki")


def of(pvalues, method="fisher", alpha=0.05, flips=None):
    names = tuple(f"d{i}" for i in range(len(pvalues)))
    return Procedure(names, alpha, method, np.asarray(pvalues, float), flips)


@pytest.mark.slow
@given(
    hnp.arrays(
        float, st.integers(1, 9), elements=st.sampled_from([1e-6, 1e-3, 0.01, 0.03, 0.2, 1])
    ),
    st.sampled_from(closed_testing.METHODS),
    st.data(),
)
def test_count_names_and_groups_never_contradict_each_other(pvalues, method, data):
    """One guarantee: more evidence in a wider group, and never fewer counted than are named."""
    claims = of(pvalues, method)
    inner = data.draw(st.sets(st.sampled_from(claims.datasets), min_size=1))
    outer = inner | data.draw(st.sets(st.sampled_from(claims.datasets)))
    named = {d for d, found in zip(claims.datasets, claims.named, strict=True) if found}
    small, large = claims.at_least(sorted(inner)), claims.at_least(sorted(outer))
    assert len(named & inner) <= small <= large <= claims.at_least()
    assert large <= small + len(outer - inner)
    rest = set(claims.datasets) - inner
    if rest:
        assert small + claims.at_least(sorted(rest)) <= claims.at_least()
    if method in partial_conjunction.METHODS:
        assert claims.at_least() == partial_conjunction.k_hat(pvalues, 0.05, method)


@given(hnp.arrays(float, st.integers(1, 9), elements=st.floats(0, 1)))
def test_without_knowledge_of_dependence_the_names_are_holms_and_the_count_theirs(pvalues):
    claims = of(pvalues, procedure.local_test("dependent"))
    np.testing.assert_array_equal(claims.named, multiple_testing.identify(pvalues))
    assert claims.at_least() == claims.named.sum()


@pytest.mark.parametrize("method", joint.METHODS)
def test_joint_flips_serve_count_names_and_groups(method):
    # 3 datasets over the same 12 units: A wins all on the first two, and half on the third.
    differences = np.column_stack([np.ones(12), np.ones(12), np.resize([1, -1], 12)])
    flips = joint.flip(differences, 2000, rng=1)
    claims = of(flips.pvalues, method, flips=flips)
    assert claims.named.tolist() == [True, True, False]
    assert claims.at_least() == 2
    assert claims.at_least(["d2"]) == 0
    assert claims.bound(["d0", "d2"]) == joint.bound(flips, [0, 2], method=method)


@given(
    st.sampled_from([*joint.METHODS, procedure.DISCRETE]),
    st.integers(0, 10**6),
    st.integers(1, 6),
)
def test_flips_and_draws_never_contradict_themselves(method, seed, n):
    rng = np.random.default_rng(seed)
    if method == procedure.DISCRETE:
        flips = discrete.draw(rng.integers(0, 12, n), rng.integers(0, 5, n), 200, rng=seed)
    else:
        common = rng.normal(0.2, 1, (40, 1))
        flips = joint.flip(common + rng.normal(0.1, 1, (40, n)), 200, rng=seed)
    claims = of(flips.pvalues, method, flips=flips)
    inside = rng.random(n) < 0.5
    inner = [d for d, chosen in zip(claims.datasets, inside, strict=True) if chosen]
    rest = [d for d in claims.datasets if d not in inner]
    whole = claims.at_least()
    assert claims.named.sum() <= whole <= n
    for group in filter(None, (inner, rest)):
        names = claims.named[[claims.datasets.index(d) for d in group]].sum()
        assert names <= claims.at_least(group) <= whole <= claims.at_least(group) + n - len(group)
    if inner and rest:
        assert claims.at_least(inner) + claims.at_least(rest) <= whole


def test_a_group_is_searched_once(monkeypatch):
    flips = joint.flip(np.random.default_rng(2).normal(0.3, 1, (40, 5)), 200)
    claims, searched = of(flips.pvalues, "joint", flips=flips), []

    def bound(flips, inside, alpha, method, search=joint.bound):
        searched.append(tuple(np.flatnonzero(inside)))
        return search(flips, inside, alpha, method)

    monkeypatch.setattr(joint, "bound", bound)
    for _ in range(3):
        assert claims.at_least(["d4", "d1"]) == claims.bound(["d1", "d4"]).at_least
        assert claims.at_least() == claims.at_least(claims.datasets)
    assert searched == [(1, 4), (0, 1, 2, 3, 4)]


def test_a_search_that_ends_early_counts_no_less_than_is_named(monkeypatch):
    flips = joint.flip(np.random.default_rng(3).normal(0.5, 1, (60, 6)), 200)
    claims = of(flips.pvalues, "joint", flips=flips)
    monkeypatch.setattr(joint, "bound", lambda flips, inside, *_: joint.Bound(0, inside.sum()))
    assert claims.named.sum() >= 3
    assert claims.bound() == joint.Bound(claims.named.sum(), 6)
    named = [d for d, found in zip(claims.datasets, claims.named, strict=True) if found]
    assert claims.at_least(named[:2]) == 2


@pytest.mark.parametrize(
    ("group", "message"),
    [
        ([], "the group contains no datasets; list at least one dataset."),
        (["d0", "d0"], "the group: the dataset 'd0' is listed twice; list it only once."),
        (["d9"], "the group: dataset 'd9' is not one of d0, d1"),
    ],
)
def test_a_group_that_is_none_is_a_sentence(group, message):
    with pytest.raises(InputError, match=re.escape(message)):
        of([0.01, 0.02]).at_least(group)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"dependence": "dependent", "method": "fisher"}, "The method 'fisher'"),
        ({"dependence": "dependent", "method": "joint"}, "needs units that the datasets share"),
        ({"dependence": "dependent", "method": "max_t"}, "'max_t'"),
        (
            {"dependence": "independent", "method": "discrete"},
            "'discrete' needs right-or-wrong scores, McNemar's exact test, and 2 to",
        ),
        (
            {"dependence": "positive", "method": "discrete", "drawn": True},
            "is valid for datasets that are independent, but these are declared positive",
        ),
        ({"dependence": "independent", "method": "fischer"}, "did you mean 'fisher'?"),
    ],
)
def test_a_method_that_cannot_be_had_is_a_sentence(given, message):
    with pytest.raises(InputError, match=re.escape(message)):
        procedure.local_test(**given)


def test_a_method_is_chosen_by_what_is_known():
    assert procedure.local_test("positive") == "simes"
    assert procedure.local_test("independent", method="truncated_fisher") == "truncated_fisher"
    assert procedure.local_test("dependent", shared=True, method="bonferroni") == "bonferroni"
    assert procedure.local_test("dependent", shared=True, method="max_t") == "max_t"
    assert procedure.local_test("independent", drawn=True) == "discrete"
    assert procedure.local_test("independent", drawn=True, method="simes") == "simes"
    assert procedure.local_test("positive", drawn=True) == "simes"


def test_every_method_has_a_title_and_a_validity():
    assert set(procedure.TITLES) == set(procedure.VALID_UNDER) == set(procedure.METHODS)


@pytest.mark.slow
def test_what_answers_a_short_question_loads_no_slow_part_of_scipy():
    slow = {"scipy.integrate", "scipy.optimize", "scipy.stats"}
    code = f"import sys, replicability.core.findings; print({slow} & set(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout == "set()\n"
