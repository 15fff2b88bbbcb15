import pandas as pd
import pytest

from replicability.io import study
from replicability.show import widgets
from replicability.stats import partial_conjunction

PVALUES = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]


@pytest.fixture
def pair():
    comparison = study.Comparison(
        name="c",
        section="your_comparison",
        title="A-B",
        systems=("A", "B"),
        dependence="dependent",
        file="p.csv",
        columns={"dataset": "d", "p_value": "p"},
    )
    return comparison, pd.DataFrame({"dataset": list("uvwxyz"), "p_value": PVALUES})


def test_the_sentence_follows_the_choices(pair):
    assert widgets.find(*pair, 0.05, "dependent")[1] == (
        "k-hat = 1 of 6 at alpha = 0.05 by Bonferroni (valid for dependent datasets); "
        "2 p-values are at or below alpha."
    )
    assert (
        "k-hat = 2 of 6 at alpha = 0.05 by Fisher (valid for independent datasets)"
        in (widgets.find(*pair, 0.05, "independent")[1])
    )
    assert (
        "NOT valid, k-hat may be too large for dependent datasets"
        in (widgets.find(*pair, 0.05, "dependent", "fisher")[1])
    )


@pytest.mark.parametrize("method", widgets.METHODS[1:])
def test_counts_are_those_of_k_hat(pair, method):
    for alpha in (0.001, 0.05, 0.3):
        finding, _ = widgets.find(*pair, alpha, "independent", method)
        assert finding.counts[method] == partial_conjunction.k_hat(PVALUES, alpha, method)
        assert finding.recommended == method


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
    box = widgets.panel([pair])
    title, alpha, dependence, method, shown = box.children
    assert title.options == ("A-B",)
    assert dependence.value == "dependent"
    method.value = "fisher"
    alpha.value = 0.01
    said = "".join(o.get("text", "") for o in shown.outputs) + capsys.readouterr().out
    assert "by Fisher" in said


def test_what_is_valid_is_said_so(pair):
    valid = {
        "bonferroni": {"independent", "positive", "dependent"},
        "simes": {"independent", "positive"},
        "fisher": {"independent"},
        "stouffer": {"independent"},
    }
    assert valid.keys() <= set(widgets.METHODS[1:])
    for method in widgets.METHODS[1:]:
        entry = partial_conjunction.ESTIMATORS[method]
        dependences = valid.get(method, set(entry.valid_under))
        for dependence in ("independent", "positive", "dependent"):
            said = widgets.find(*pair, 0.05, dependence, method)[1]
            assert (f"(valid for {dependence} datasets)" in said) == (dependence in dependences)
            assert ("NOT valid" in said) == (dependence not in dependences)
