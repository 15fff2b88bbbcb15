from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from comparisons import declare

from analysis.studies import read_study
from replicability.checks import InputError
from replicability.core import evaluation, findings, procedure
from replicability.core.findings import wording
from replicability.core.tested import Tested
from replicability.stats import joint, partial_conjunction

PVALUES = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]


def comparison(dependence, procedure="paper", **more):
    return declare(
        name="mine",
        section="sentiment",
        dependence=dependence,
        file="t.csv",
        sided="unknown",
        procedure=procedure,
        **more,
    )


TABLE = Tested(
    pd.DataFrame(
        {
            "dataset": list("pqrstu"),
            "p_value": PVALUES,
            "score_a": [1.0, 2, 3, 4, 5, 6],
            "score_b": [0.5, 2, 4, 3, 3, 3],
        }
    )
)


@pytest.mark.parametrize(
    ("dependence", "k", "method"),
    [("independent", 2, "Fisher"), ("dependent", 1, "Bonferroni"), ("positive", 1, "Bonferroni")],
)
def test_the_sentence_uses_the_recommended_estimator(dependence, k, method):
    finding = findings.find(comparison(dependence), TABLE, 0.05)
    guarantee = {
        "Fisher": "with a separate guarantee at alpha = 0.05",
        "Bonferroni": "with the same guarantee",
    }
    assert finding.k == k
    assert str(finding) == (
        f"A outperforms B on at least {k} of 6 datasets (partial conjunction, {method}, "
        f"alpha = 0.05); Holm's procedure identifies u, {guarantee[method]}."
    )


def test_a_finding_without_identified_datasets_says_so():
    finding = findings.find(comparison("dependent"), TABLE.assign(p_value=0.9), 0.05)
    assert finding.identified_datasets == []
    assert str(finding).startswith("There is no evidence that A outperforms B on any of the 6")


def test_identified_datasets_keep_the_order_of_the_table():
    finding = findings.find(
        comparison("dependent"), TABLE.assign(p_value=[0, 0.9, 0, 0, 0, 0]), 0.05
    )
    assert finding.identified_datasets == list("prstu")


def test_no_estimate_is_recommended_where_small_pvalues_contradict_the_scores():
    comparisons = read_study("config/paper.yaml").comparisons
    found = [findings.find(c, evaluation.evaluate(c), 0.05) for c in comparisons]
    table = findings.counts(found).set_index("comparison")["recommended"]
    assert table[table == ""].index.tolist() == ["MIMICK-Char→Tag", "W2V-GloVe"]
    one_sided = [replace(c, sided="one") for c in comparisons]
    found = [findings.find(c, evaluation.evaluate(c), 0.05) for c in one_sided]
    assert (findings.counts(found)["recommended"] != "").all()


def test_counts_has_the_columns_of_table_1():
    table = findings.counts(
        [findings.find(comparison("independent"), TABLE, a) for a in (0.05, 0.01)]
    )
    assert list(table.columns) == [
        "comparison", "datasets", "alpha", "k_count", "k_bonferroni", "k_fisher", "recommended",
    ]  # fmt: skip
    assert table.iloc[0].tolist() == ["A-B", 6, 0.05, 2, 1, 2, "k_fisher"]


def test_the_recommended_estimator_is_there_even_if_not_asked_for():
    finding = findings.find(comparison("independent"), TABLE, 0.05, ["count"])
    assert finding.counts == {"count": 2, "fisher": 2}
    np.testing.assert_array_equal(
        finding.partial_conjunctions["fisher"],
        partial_conjunction.partial_conjunction_pvalues(PVALUES, "fisher"),
    )


def test_both_directions_share_the_level():
    table = TABLE.assign(p_value=[0.004, 0.9, 0.008, 0.9, 0.9, 0.9])
    a, b = findings.find_both(comparison("dependent"), table, 0.05)
    assert (a.alpha, b.alpha) == (0.025, 0.025)
    assert (a.systems, b.systems) == (("A", "B"), ("B", "A"))
    assert (a.identified_datasets, b.identified_datasets) == (["p"], ["r"])


def test_a_dataset_named_against_the_scores_is_listed():
    table = TABLE.assign(p_value=[0.004, 0.9, 0.003, 0.9, 0.9, 0.9])
    found = findings.both_directions([(comparison("dependent"), table)], 0.05)
    assert found["claim"].tolist() == ["A better", "B better"]
    assert found["estimate"].tolist() == ["1 of 6", "1 of 6"]
    assert found["identified"].tolist() == ["p", "r"]
    assert found["named against the scores"].tolist() == ["", "r"]


def test_swapping_the_systems_swaps_the_directions():
    table = TABLE.assign(p_value=[0.001, 0.9, 0.002, 0.03, 0.9, 0.04])
    swapped = table.assign(score_a=table["score_b"], score_b=table["score_a"])
    a, b = findings.find_both(comparison("independent"), table, 0.05)
    c, d = findings.find_both(comparison("independent"), swapped, 0.05)
    assert (a.counts, b.counts) == (d.counts, c.counts)


def test_wins_counts_by_sign():
    assert findings.wins(TABLE) == {"A": 4, "tie": 1, "B": 1}


def test_one_sided_pvalues_that_were_read_have_no_other_direction():
    one = replace(comparison("dependent"), sided="one")
    assert not findings.has_both(one, TABLE)
    assert findings.both_directions([(one, TABLE)], 0.05).empty
    assert findings.has_both(one, TABLE.assign(p_reverse=0.5))
    assert findings.has_both(comparison("dependent"), TABLE)


# --- one procedure for count, names and groups


@pytest.mark.parametrize(
    ("dependence", "said"),
    [
        ("independent", "at least 1 of 6 datasets, namely u (closed testing, Fisher-Bonferroni"),
        ("positive", "at least 1 of 6 datasets, namely u (closed testing, Simes"),
        ("dependent", "at least 1 of 6 datasets, namely u (closed testing, Bonferroni"),
    ],
)
def test_the_dependence_chooses_the_local_test(dependence, said):
    claimed = findings.find(comparison(dependence, "closed", alternative="greater"), TABLE, 0.05)
    assert str(claimed) == f"A outperforms B on {said}; simultaneous 95% confidence)."
    finding = findings.find(comparison(dependence, "closed"), TABLE, 0.05)
    assert str(finding) == (
        f"A outperforms B on {said}; both directions, simultaneous 95% confidence)."
    )
    for found, level in ((claimed, 0.05), (finding, 0.025), (finding.other, 0.025)):
        assert found.k == found.claims.at_least()
        assert found.level == found.claims.alpha == level
    assert (claimed.other, finding.other.systems) == (None, ("B", "A"))


def test_both_directions_may_show_something_or_nothing():
    table = TABLE.assign(p_value=[0.004, 0.9, 0.002, 0.9, 0.9, 0.9])
    finding = findings.find(comparison("dependent", "closed"), table, 0.05)
    assert str(finding) == (
        "A outperforms B on at least 1 of 6 datasets, namely p; B outperforms A on at least 1 of 6 "
        "datasets, namely r (closed testing, Bonferroni; both directions, simultaneous 95% "
        "confidence)."
    )
    assert finding.shows
    nothing = findings.find(comparison("dependent", "closed"), table.assign(p_value=0.9), 0.05)
    assert str(nothing) == (
        "There is no evidence that A and B differ on any of the 6 datasets (closed testing, "
        "Bonferroni; both directions, simultaneous 95% confidence)."
    )
    assert not nothing.shows


def test_adjusted_p_values_are_doubled_for_both_directions():
    pvalues = pd.Series([0.004, 0.9, 0.008, 0.9, 0.9, 0.9])
    table = TABLE.assign(p_value=pvalues)  # read as two-sided: half where A is ahead
    found = findings.find(comparison("dependent", "closed"), table, 0.05)
    adjusted = findings.adjusted(table, [found])
    assert list(adjusted) == ["adjusted_p_value", "adjusted_p_reverse"]
    assert adjusted["adjusted_p_value"][0] == pytest.approx(2 * 6 * 0.002)
    assert adjusted["adjusted_p_reverse"][2] == pytest.approx(2 * 6 * 0.004)
    for side, name in ((found, "adjusted_p_value"), (found.other, "adjusted_p_reverse")):
        assert (adjusted[name] <= found.alpha).tolist() == side.identified.tolist()
    claimed = comparison("dependent", "closed", alternative="greater")
    alone = findings.adjusted(table, [findings.find(claimed, table, 0.05)])
    assert list(alone) == ["adjusted_p_value"]
    assert alone["adjusted_p_value"][0] == pytest.approx(6 * 0.004)
    sums = findings.find(comparison("independent", "closed"), table, 0.05)
    assert findings.adjusted(table, [sums]) == {}


def test_p_values_of_one_direction_cannot_answer_for_the_other():
    asked = replace(comparison("dependent", "closed", alternative="two-sided"), sided="one")
    with pytest.raises(InputError, match="test one direction only"):
        findings.find(asked, TABLE, 0.05)


def test_groups_are_said_with_the_same_confidence_and_tabulated():
    groups = {"last": ["t", "u"], "first": ["p", "q"]}
    asked = comparison("dependent", "closed", groups=groups, alternative="greater")
    found = [findings.find(asked, TABLE, alpha) for alpha in (0.05, 0.0125)]
    assert str(found[1]) == (
        "A outperforms B on at least 1 of 6 datasets, namely u. By group: last at least 1 of 2. "
        "All of these statements have simultaneous 98.75% confidence (closed testing, Bonferroni)."
    )
    table = findings.groups(found)
    assert tuple(table.columns) == findings.GROUP_COLUMNS
    assert table["at_least"].tolist() == [1, 0, 1, 0]
    assert findings.groups([]).empty
    both = findings.find(replace(asked, alternative="two-sided"), TABLE, 0.05)
    assert str(both) == (
        "A outperforms B on at least 1 of 6 datasets, namely u. By group, A: last at least 1 of 2 "
        "(closed testing, Bonferroni; both directions, simultaneous 95% confidence)."
    )


@pytest.mark.parametrize(
    ("dependence", "alpha", "said"),
    [
        ("dependent", 0.05, "with the same guarantee: last at least 1 of 2 (closed"),
        ("independent", 0.05, "with a separate guarantee: last at least 1 of 2 (closed"),
        ("positive", 0.05, "with the same guarantee: last at least 1 of 2 (closed"),
        ("dependent", 1e-9, None),
    ],
)
def test_groups_beside_the_papers_pair_say_what_guarantee_they_have(dependence, alpha, said):
    groups = {"last": ["t", "u"], "first": ["p", "q"]}
    asked = comparison(dependence, "paper", groups=groups)
    pair = str(findings.find(comparison(dependence, "paper"), TABLE, alpha))
    found = findings.find(asked, TABLE, alpha)
    assert str(found).startswith(f"{pair} By group, {said}" if said else pair)
    assert said or str(found) == pair
    assert found.claims is None
    method = procedure.IN_THE_PAPER[dependence]  # the local test of the paper's count
    own = comparison(dependence, "closed", groups=groups, method=method, alternative="greater")
    closed = findings.find(own, TABLE, alpha)
    pd.testing.assert_frame_equal(findings.groups([found]), findings.groups([closed]))
    assert found.of_groups.at_least() == closed.k
    assert "Bounds of groups come from closed testing" in findings.chosen(asked)


@pytest.mark.parametrize(
    ("k", "n", "whole", "group"),
    [
        (0, 3, None, "at least 0 of 3"),
        (1, 3, "at least 1 of 3 datasets", "at least 1 of 3"),
        (3, 3, "all 3 datasets", "all 3"),
        (2, 2, "both datasets", "both"),
        (1, 1, "the only dataset", "1 of 1"),
    ],
)
def test_bounds_are_written_as_one_would_say_them(k, n, whole, group):
    assert wording.of_group(k, n) == group
    assert whole is None or findings.at_least(k, n) == whole


def test_more_that_nobody_can_check_is_said_as_such():
    table = TABLE.assign(p_value=[0.168, 0.097, 0.057, 0.019, 0.018, 0.001])
    asked = comparison("dependent", "closed", alternative="greater")
    bonferroni = findings.find(asked, table, 0.05).claims
    k = replace(bonferroni, method="fisher_bonferroni").at_least()
    assert k > bonferroni.at_least()
    said = "If the datasets were independent, which the data cannot show, k-hat"
    assert findings.if_independent(bonferroni) == f"{said} would be {k} of 6."
    assert findings.if_independent(bonferroni, "ours") == f"{said} for ours would be {k} of 6."
    declared = findings.find(replace(asked, dependence="independent"), table, 0.05).claims
    assert findings.if_independent(declared) == ""


def test_another_method_is_suggested_only_where_holm_would_name_more():
    """The default of independent datasets names all that Holm's procedure names."""
    table = TABLE.assign(p_value=[0.0002, 0.0005, 0.9, 0.97, 0.99, 0.8])
    for dependence in ("independent", "positive", "dependent"):
        asked = comparison(dependence, "closed", alternative="greater")
        assert findings.for_another_study(findings.find(asked, table, 0.05).claims) == ""
    asked = comparison("independent", "closed", method="fisher", alternative="greater")
    said = findings.for_another_study(findings.find(asked, table, 0.05).claims)
    assert said.startswith("Holm's procedure would identify 2 datasets instead of 0")
    assert said.endswith(
        "method: fisher_bonferroni, which identifies every dataset that Holm's procedure "
        "identifies."
    )


def test_datasets_that_share_units_are_not_called_independent():
    differences = np.column_stack([[1.0] * 7 + [-1.0] * 5] * 6)
    table = Tested(pd.DataFrame({"dataset": list("abcdef"), "p_value": [0.02] * 6}))
    table = replace(table, flips=joint.flip(differences, 1000))
    claims = findings.find(comparison("dependent", "closed", shared=True), table, 0.05).claims
    assert claims.method == "joint"
    assert claims.at_least() == 0
    assert findings.if_independent(replace(claims, method="bonferroni")) != ""
    assert findings.if_independent(claims) == ""


def test_what_nobody_declared_is_not_called_declared():
    said = findings.chosen(comparison("dependent", "closed"), declared=False)
    assert said.startswith("No dependence is declared, so the datasets are treated as dependent. ")
    positive = findings.chosen(comparison("positive", "closed"))
    assert positive.startswith("The datasets are declared positively dependent. All bounds")


def test_both_directions_of_shared_units_are_mirrored():
    differences = np.column_stack([np.ones(12), -np.ones(12)])
    table = Tested(
        pd.DataFrame({"dataset": ["p", "q"], "p_value": [0.01, 0.99], "p_reverse": [0.99, 0.01]})
    )
    table = replace(table, flips=joint.flip(differences, 2000))
    asked = comparison("dependent", "closed", shared=True)
    forth, back = findings.find_both(asked, table, 0.05)
    assert (forth.identified_datasets, back.identified_datasets) == (["p"], ["q"])
    assert forth.recommended == "joint"
    counted = findings.counts([forth, findings.find(comparison("dependent"), table, 0.05)])
    assert counted["k_joint"].tolist() == [1, pd.NA]
    assert counted.columns[-1] == "recommended"


def test_a_method_that_is_not_valid_is_refused():
    with pytest.raises(InputError, match="'fisher'"):
        findings.find(comparison("dependent", "closed", method="fisher"), TABLE, 0.05)


def test_no_sentence_is_offered_that_the_scores_contradict():
    study = read_study("config/paper.yaml")
    said = {}
    for comparison in study.comparisons:
        table = evaluation.evaluate(comparison)
        said[comparison.name] = str(findings.find(comparison, table, 0.05))
    assert said["mimick_char2tag"] == (
        "MIMICK and Char→Tag differ on at least 9 of 23 datasets (16 if the p-values are "
        "two-sided); MIMICK is better on at least 3 (6) and Char→Tag on at least 4 (7) "
        "(closed testing, Fisher; simultaneous 95% confidence). Char→Tag scores higher on 7 of the "
        "11 datasets with p ≤ 0.05. The bound of 16 for MIMICK (Fisher) is valid only if all "
        "p-values are one-sided and test whether MIMICK is better."
    )
    assert said["w2v_glove"].startswith("W2V and GLOVE differ on at least 6 of 12 datasets; W2V is")
    for name in ("mate_spacy", "mate_redshift", "aesclsr_msda"):
        assert "outperforms" in said[name] and "only if" not in said[name]
