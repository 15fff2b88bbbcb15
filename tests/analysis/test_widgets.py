from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from comparisons import declare

from analysis import widgets
from replicability.checks import InputError
from replicability.core import procedure
from replicability.core.tested import Tested
from replicability.stats import closed_testing, joint, local_tests, partial_conjunction

PVALUES = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]


@pytest.fixture
def pair():
    comparison = declare(
        section="your_comparison", file="p.csv", columns={"dataset": "d", "p_value": "p"}
    )
    return comparison, Tested(pd.DataFrame({"dataset": list("uvwxyz"), "p_value": PVALUES}))


def result(pair):
    return SimpleNamespace(title=pair[0].title, comparison=pair[0], evaluated=pair[1])


def test_the_sentence_follows_the_choices(pair):
    assert widgets.find(*pair, 0.05, "dependent")[1] == (
        "Bonferroni (valid for dependent datasets): A outperforms B on at least 1 of 6 datasets, "
        "namely z (closed testing, Bonferroni; simultaneous 95% confidence). 2 of 6 p-values "
        "are at or below alpha."
    )
    assert widgets.find(*pair, 0.05, "independent")[1].startswith(
        "Fisher-Bonferroni (valid for independent datasets): A outperforms B on at least 1 of 6 "
    )
    assert widgets.find(*pair, 0.05, "positive")[1].startswith(
        "Simes (valid for positive datasets)"
    )
    assert (
        "NOT valid, k-hat may be too large for dependent datasets"
        in (widgets.find(*pair, 0.05, "dependent", "fisher")[1])
    )


@pytest.mark.parametrize("method", closed_testing.METHODS)
def test_counts_are_those_of_k_hat(pair, method):
    for alpha in (0.001, 0.05, 0.3):
        finding, _ = widgets.find(*pair, alpha, "independent", method)
        bound = closed_testing.bound(PVALUES, None, alpha, method)
        assert finding.counts[method] == finding.k == bound
        if method in partial_conjunction.METHODS:
            assert bound == partial_conjunction.k_hat(PVALUES, alpha, method)
        assert finding.recommended == method
        expected = closed_testing.names(PVALUES, alpha, method)
        assert finding.identified.tolist() == expected.tolist()


def test_validity_agrees_with_the_warnings_of_k_hat():
    for method in partial_conjunction.METHODS:
        valid = partial_conjunction.ESTIMATORS[method].valid_under
        for dependence in ("independent", "positive", "dependent"):
            if dependence in valid:
                partial_conjunction.k_hat(PVALUES, 0.05, method, dependence=dependence)
            else:
                with pytest.warns(partial_conjunction.DependenceWarning):
                    partial_conjunction.k_hat(PVALUES, 0.05, method, dependence=dependence)


def test_the_panel_moves(pair, capsys):
    box = widgets.panel([result(pair)])
    title, alpha, dependence, method, group, shown = box.children
    assert title.options == ("A-B",)
    assert dependence.value == "dependent"
    assert "joint" not in method.options
    method.value = "fisher"
    alpha.value = 0.01
    group.value = ("u", "z")
    said = "".join(o.get("text", "") for o in shown.outputs) + capsys.readouterr().out
    assert "closed testing, Fisher" in said
    assert "Group u and z: " in said


@pytest.fixture
def shared(pair):
    """Return a comparison whose datasets share units, of other names."""
    rng = np.random.default_rng(4)
    flips = joint.flip(rng.normal([0.9, 0.9, 0], 1, (50, 3)), 2_000)
    table = Tested(pd.DataFrame({"dataset": ["one", "two", "three"], "p_value": flips.pvalues}))
    table = replace(table, flips=flips)
    other = replace(pair[0], title="C-D", systems=("C", "D"), shared=True, dependence="positive")
    return other, table


def test_a_group_has_a_bound(pair, shared):
    said = widgets.find(*pair, 0.05, "dependent", group=("x", "z"))[1]
    assert said.endswith(
        " Group x and z: A outperforms B on at least 1 of 2 datasets (with the same guarantee)."
    )
    said = widgets.find(*pair, 0.05, "independent", "bonferroni", ("u",))[1]
    assert said.endswith(
        " Group u: there is no evidence that A outperforms B on the only dataset (with the same "
        "guarantee)."
    )
    finding, said = widgets.find(*shared, 0.05, "positive", group=("one", "two"))
    assert finding.recommended == "joint"
    assert "Joint sign flips (valid for positive datasets): C outperforms D on" in said
    assert said.endswith(": C outperforms D on both datasets (with the same guarantee).")
    with pytest.raises(InputError, match="the group: dataset 'q' is not one of u, v"):
        widgets.find(*pair, 0.05, "dependent", group=("q",))


def test_a_group_beside_the_papers_pair_is_a_statement_of_its_own(pair):
    comparison, table = replace(pair[0], procedure="paper"), pair[1]
    finding, said = widgets.find(comparison, table, 0.05, "independent", group=("z",))
    assert finding.claims is None
    assert "Holm's procedure identifies z" in said
    assert said.endswith(
        " Group z: A outperforms B on the only dataset (closed testing, Fisher; with a "
        "separate guarantee)."
    )
    assert "Group z: " in widgets.find(
        comparison, table, 0.05, "independent", "fisher", ("z",)
    )[1]  # fmt: skip


def test_joint_sign_flips_need_units_that_are_shared(pair, shared):
    of_units = set(procedure.OF_UNITS)
    assert set(widgets.METHODS) - set(widgets.methods_for(shared[1])) == {"discrete"}
    assert set(widgets.METHODS) - set(widgets.methods_for(pair[1])) == {"discrete", *of_units}
    with pytest.raises(InputError, match="'joint'"):
        widgets.find(*pair, 0.05, "dependent", "joint")


def test_options_follow_the_comparison(pair, shared, capsys):
    asked = (replace(pair[0], method="simes", dependence="positive", title="E-F"), pair[1])
    box = widgets.panel([result(asked), result(shared)])
    title, _, dependence, method, group, shown = box.children
    assert method.value == "simes"
    group.value = ("u", "v")
    method.value = "fisher"
    title.value = "C-D"
    assert group.options == ("one", "two", "three")
    assert group.value == ()
    assert (method.options, method.value) == (widgets.methods_for(shared[1]), "recommended")
    title.value = "E-F"
    assert (method.value, dependence.value) == ("simes", "positive")
    said = "".join(str(o) for o in shown.outputs) + capsys.readouterr().out
    assert "Error" not in said
    assert "Joint sign flips (valid" in said


def test_what_is_valid_is_said_so(pair):
    valid = {
        "bonferroni": {"independent", "positive", "dependent"},
        "simes": {"independent", "positive"},
        "fisher": {"independent"},
        "stouffer": {"independent"},
    }
    for name in widgets.methods_for(pair[1])[1:]:
        valid.setdefault(name, set(local_tests.load()[name].valid_under))
    for method, dependences in valid.items():
        for dependence in ("independent", "positive", "dependent"):
            said = widgets.find(*pair, 0.05, dependence, method)[1]
            assert (f"(valid for {dependence} datasets)" in said) == (dependence in dependences)
            assert ("NOT valid" in said) == (dependence not in dependences)
