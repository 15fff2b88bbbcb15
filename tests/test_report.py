import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis import data, identification, replicability, report

PVALUES = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]


def comparison(dependence):
    return data.Comparison(
        "mine", "sentiment", "A-B", ("A", "B"), dependence, "t.csv", {}, sided="unknown"
    )


TABLE = pd.DataFrame(
    {
        "dataset": list("pqrstu"),
        "p_value": PVALUES,
        "score_a": [1.0, 2, 3, 4, 5, 6],
        "score_b": [0.5, 2, 4, 3, 3, 3],
    }
)


@pytest.mark.parametrize(
    ("dependence", "k", "method"),
    [("independent", 2, "Fisher"), ("dependent", 1, "Bonferroni"), ("positive", 1, "Bonferroni")],
)
def test_the_sentence_uses_the_recommended_estimator(dependence, k, method):
    finding = report.find(comparison(dependence), TABLE, 0.05)
    guarantee = {
        "Fisher": "with a guarantee of its own at alpha = 0.05",
        "Bonferroni": "under the same guarantee",
    }
    assert finding.k == k
    assert str(finding) == (
        f"A outperforms B on at least {k} of 6 datasets (partial conjunction, {method}, "
        f"alpha = 0.05); Holm's procedure identifies u, {guarantee[method]}."
    )


def test_a_finding_without_identified_datasets_says_so():
    finding = report.find(comparison("dependent"), TABLE.assign(p_value=0.9), 0.05)
    assert finding.identified_datasets == []
    assert "identifies none" in str(finding)


def test_identified_datasets_keep_the_order_of_the_table():
    finding = report.find(comparison("dependent"), TABLE.assign(p_value=[0, 0.9, 0, 0, 0, 0]), 0.05)
    assert finding.identified_datasets == list("prstu")
    assert "p, r, s, t and u" in str(finding)


def test_counts_has_the_columns_of_table_1():
    table = report.counts([report.find(comparison("independent"), TABLE, a) for a in (0.05, 0.01)])
    assert list(table.columns) == [
        "comparison", "datasets", "alpha", "k_count", "k_bonferroni", "k_fisher", "recommended",
    ]  # fmt: skip
    assert table.iloc[0].tolist() == ["A-B", 6, 0.05, 2, 1, 2, "k_fisher"]


def test_the_recommended_estimator_is_there_even_if_not_asked_for():
    finding = report.find(comparison("independent"), TABLE, 0.05, ["count"])
    assert finding.counts == {"count": 2, "fisher": 2}
    np.testing.assert_array_equal(
        finding.partial_conjunctions["fisher"],
        replicability.partial_conjunction_pvalues(PVALUES, "fisher"),
    )


def test_both_directions_share_the_level():
    table = TABLE.assign(p_value=[0.004, 0.9, 0.008, 0.9, 0.9, 0.9])
    a, b = report.find_both(comparison("dependent"), table, 0.05)
    assert (a.alpha, b.alpha) == (0.025, 0.025)
    assert (a.systems, b.systems) == (("A", "B"), ("B", "A"))
    assert (a.identified_datasets, b.identified_datasets) == (["p"], ["r"])


def test_an_identification_turns_round_where_b_is_ahead():
    table = TABLE.assign(p_value=[0.004, 0.9, 0.003, 0.9, 0.9, 0.9])
    found = report.both_directions([(comparison("dependent"), table)], 0.05)
    assert found["claim"].tolist() == ["A better", "B better"]
    assert found["estimate"].tolist() == ["1 of 6", "1 of 6"]
    assert found["identified"].tolist() == ["p", "r"]
    assert found["turned round"].tolist() == ["", "r"]


def test_swapping_the_systems_swaps_the_directions():
    table = TABLE.assign(p_value=[0.001, 0.9, 0.002, 0.03, 0.9, 0.04])
    swapped = table.rename(columns={"score_a": "score_b", "score_b": "score_a"})
    a, b = report.find_both(comparison("independent"), table, 0.05)
    c, d = report.find_both(comparison("independent"), swapped, 0.05)
    assert (a.counts, b.counts) == (d.counts, c.counts)


def test_wins_counts_by_sign():
    assert report.wins(TABLE) == {"A": 4, "tie": 1, "B": 1}


def test_one_sided_pvalues_that_were_read_have_no_other_direction():
    one = replace(comparison("dependent"), sided="one")
    assert not report.has_both(one, TABLE)
    assert report.both_directions([(one, TABLE)], 0.05).empty
    assert report.has_both(one, TABLE.assign(p_reverse=0.5))
    assert report.has_both(comparison("dependent"), TABLE)


COUNTED = "A outperforms B on {} (partial conjunction, {}, alpha = 0.05)"
NONE = (
    "No dataset is shown on which A outperforms B: of {}, partial conjunction ({}) counts none and "
    "Holm's procedure identifies none ({})."
)
NAMED = "A outperforms B on {} (Holm's procedure, alpha = 0.05). The separate count by partial "
NAMED += "conjunction (Fisher, alpha = 0.05) shows {}; each of the two statements has a guarantee "
NAMED += "of its own."
OWN, SAME = "with a guarantee of its own at alpha = 0.05", "under the same guarantee"
TEN, ELEVEN = list("abcdefghij"), list("abcdefghijk")


@pytest.mark.parametrize(
    ("n", "k", "identified", "method", "expected"),
    [
        # nothing
        (6, 0, [], "bonferroni", NONE.format(6, "Bonferroni", "alpha = 0.05")),
        (6, 0, [], "fisher", NONE.format(6, "Fisher", "each at alpha = 0.05")),
        (1_500, 0, 0, "bonferroni", NONE.format("1,500", "Bonferroni", "alpha = 0.05")),
        # names, but no count
        (9, 0, ["x"], "fisher", NAMED.format("x, and so on at least 1 of 9 datasets", "none")),
        (99, 0, ELEVEN, "fisher",
         NAMED.format("at least 11 of 99 datasets, listed in the table", "none")),
        # more names than are counted
        (9, 1, ["x", "y"], "fisher",
         NAMED.format("x and y, and so on at least 2 of 9 datasets", "at least 1")),
        (20, 1, TEN, "fisher",
         NAMED.format("a, b, c, d, e, f, g, h, i and j, and so on at least 10 of 20 datasets",
                      "at least 1")),
        (2_000, 7, 1_200, "fisher",
         NAMED.format("at least 1,200 of 2,000 datasets", "at least 7")),
        # a count and no names
        (6, 5, [], "fisher",
         COUNTED.format("at least 5 of 6 datasets", "Fisher")
         + "; Holm's procedure identifies none."),
        # fewer names than are counted
        (6, 5, ["x", "y", "z"], "fisher",
         COUNTED.format("at least 5 of 6 datasets", "Fisher")
         + f"; Holm's procedure identifies x, y and z, {OWN}."),
        (60, 50, TEN, "fisher",
         COUNTED.format("at least 50 of 60 datasets", "Fisher")
         + f"; Holm's procedure identifies a, b, c, d, e, f, g, h, i and j, {OWN}."),
        (60, 50, ELEVEN, "fisher",
         COUNTED.format("at least 50 of 60 datasets", "Fisher")
         + f"; Holm's procedure identifies 11 (listed in the table), {OWN}."),
        (6, 3, ["x"], "stouffer",
         COUNTED.format("at least 3 of 6 datasets", "Stouffer")
         + f"; Holm's procedure identifies x, {OWN}."),
        (6, 3, ["x"], "simes",
         COUNTED.format("at least 3 of 6 datasets", "Simes")
         + f"; Holm's procedure identifies x, {SAME}."),
        # as many
        (6, 2, ["x", "y"], "bonferroni",
         COUNTED.format("at least 2 of 6 datasets", "Bonferroni")
         + f"; Holm's procedure identifies x and y, {SAME}."),
        (6, 2, ["x", "y"], "fisher",
         COUNTED.format("at least 2 of 6 datasets", "Fisher")
         + f"; Holm's procedure identifies x and y, {OWN}."),
        (1_500, 1_200, 1_200, "bonferroni",
         COUNTED.format("at least 1,200 of 1,500 datasets", "Bonferroni")
         + f"; Holm's procedure identifies 1,200, {SAME}."),
        # all
        (11, 11, ELEVEN, "bonferroni",
         COUNTED.format("all 11 datasets", "Bonferroni")
         + f"; Holm's procedure identifies each of them, {SAME}."),
        (2, 2, ["x"], "fisher",
         COUNTED.format("all 2 datasets", "Fisher") + f"; Holm's procedure identifies x, {OWN}."),
        # one dataset
        (1, 1, ["x"], "fisher", "A outperforms B on the only dataset (alpha = 0.05)."),
        (1, 0, [], "fisher",
         "A is not shown to outperform B on the only dataset (alpha = 0.05)."),
    ],
)  # fmt: skip
def test_each_form_of_the_sentence(n, k, identified, method, expected):
    assert report.sentence(("A", "B"), n, k, identified, 0.05, method) == expected


def test_no_sentence_claims_zero_or_less_than_it_names():
    grid = itertools.product((1, 2, 5, 30), range(31), range(31), replicability.METHODS)
    for n, k, number, method in grid:
        if max(k, number) > n:
            continue
        said = report.sentence(("A", "B"), n, k, [f"d{i}" for i in range(number)], 0.05, method)
        assert "at least 0" not in said
        if "; Holm's procedure identifies" in said:  # in one breath
            assert k >= number
        assert said.endswith(".")


def random_families(rng, n, how_many):
    """Return families with effects of many kinds, some towards B."""
    shift = rng.choice([-3, 0, 0, 2, 4], size=(how_many, n))
    return stats.norm.sf(rng.normal(size=(how_many, n)) + shift)


def test_methods_of_one_guarantee_never_name_more_than_they_count():
    families = random_families(np.random.default_rng(1), 7, 3_000)
    names = identification.identify(families, 0.05).sum(axis=-1)
    for method in replicability.METHODS:
        fewer = replicability.k_hat(families, 0.05, method) < names
        assert fewer.any() == (method not in report.ONE_GUARANTEE), method


@pytest.mark.parametrize("method", report.ONE_GUARANTEE)
def test_count_and_names_are_wrong_together_at_most_at_alpha(method):
    # Seven null hypotheses, five of them true and independent: the worst case of neither method
    # exceeds .05, so that three standard errors of 40,000 families are allowed.
    rng = np.random.default_rng(2)
    z = rng.normal(size=(40_000, 7)) + np.repeat([9, 0], [2, 5])
    families = stats.norm.sf(z)
    counted = replicability.k_hat(families, 0.05, method) > 2
    named = identification.identify(families, 0.05)[:, 2:].any(axis=-1)
    assert (counted | named).mean() <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 40_000)


def test_both_directions_hold_together_by_counts_and_by_names_but_not_by_all_four():
    # 15 independent datasets without a difference, both directions at alpha / 2. The bound for
    # counts and names of Fisher and Holm together is 2 alpha, and alpha is exceeded.
    rng = np.random.default_rng(3)
    forth = rng.random((40_000, 15))
    wrong = {
        name: np.any([found(p) for p in (forth, 1 - forth)], axis=0)
        for name, found in {
            "Fisher": lambda p: replicability.k_hat(p, 0.025, "fisher") > 0,
            "Holm": lambda p: identification.identify(p, 0.025).any(axis=-1),
            "Bonferroni": lambda p: replicability.k_hat(p, 0.025, "bonferroni") > 0,
        }.items()
    }
    error = 3 * np.sqrt(0.05 * 0.95 / 40_000)
    assert all(rate.mean() <= 0.05 + error for rate in wrong.values())
    assert (wrong["Holm"] == wrong["Bonferroni"]).all()
    together = (wrong["Fisher"] | wrong["Holm"]).mean()
    assert 0.05 + error < together <= 0.1 + error


SWAPPED = TABLE.assign(
    p_value=[0.999, 0.9, 0.998, 0.7, 0.99, 0.6],
    p_reverse=[0.001, 0.1, 0.002, 0.3, 0.01, 0.4],
    score_a=1.0,
    score_b=[2, 2, 2, 2, 2, 0.5],
)


def test_swapped_systems_are_noticed():
    found = report.find(comparison("dependent"), SWAPPED, 0.05)
    assert (found.k, found.identified_datasets) == (0, [])
    back = report.find_both(comparison("dependent"), SWAPPED, 0.05)[1]
    assert report.other_direction(comparison("dependent"), SWAPPED, 0.05) == (
        f"B has the higher score on 5 of 6 datasets. Asked in both directions, each at alpha = "
        f"0.025: {back}"
    )
    assert str(back).startswith("B outperforms A on at least 2 of 6 datasets")


def test_no_claim_for_b_without_evidence_for_it():
    weak = SWAPPED.assign(p_reverse=0.3)
    assert report.other_direction(comparison("dependent"), weak, 0.05) == (
        "B has the higher score on 5 of 6 datasets, but, asked in both directions, each at alpha = "
        "0.025, no dataset is shown on which B outperforms A either."
    )
    one_way = SWAPPED.drop(columns="p_reverse")
    for sided in ("one", "unknown"):
        asked = replace(comparison("dependent"), sided=sided)
        assert report.other_direction(asked, one_way, 0.05) == (
            "B has the higher score on 5 of 6 datasets; p-values of “A is not better” show nothing "
            "for B."
        )
    # p = .03 is enough at .05 and too much at .025
    almost = SWAPPED.assign(p_reverse=[0.03 / 6, 1, 1, 1, 1, 1])
    assert "either" in report.other_direction(comparison("dependent"), almost, 0.05)


def test_the_other_direction_is_silent_where_it_has_nothing_to_say():
    asked = comparison("dependent")
    half = SWAPPED.assign(score_b=[2, 2, 2, 0.5, 0.5, 0.5], p_reverse=0.3)
    assert report.other_direction(asked, half, 0.05) == ""
    ahead = SWAPPED.assign(p_value=[0.001, *SWAPPED["p_value"][1:]], p_reverse=0.3)
    assert report.other_direction(asked, ahead, 0.05) == ""
    without = SWAPPED.drop(columns=["p_reverse", "score_a", "score_b"])
    assert report.other_direction(asked, without, 0.05) == ""


def test_both_systems_may_be_better_somewhere():
    table = SWAPPED.assign(p_value=[0.9, 0.9, 0.9, 0.9, 0.9, 0.001])
    said = report.sentences(comparison("dependent"), table, (0.05, 0.01))
    assert [text.partition(" on ")[0] for text in said] == [
        "A outperforms B", "A outperforms B", "B has the higher score"
    ]  # fmt: skip
    assert said[2].endswith(
        "B outperforms A on at least 2 of 6 datasets (partial conjunction, Bonferroni, alpha = "
        "0.025); Holm's procedure identifies p and r, under the same guarantee."
    )
    assert len(report.sentences(comparison("dependent"), TABLE, (0.05,))) == 1


def test_what_is_compared_is_described_in_one_or_more():
    table = TABLE.head(1).assign(n=1)
    assert "on 1 dataset, 1 instance:" in report.describe(comparison("dependent"), table)
    assert "on 6 datasets, 1,200 instances:" in report.describe(
        comparison("dependent"), TABLE.assign(n=200)
    )


def test_printed_counts_stand_beside_those_of_the_same_comparison_and_level():
    counts = report.counts([report.find(comparison("independent"), TABLE, a) for a in (0.05, 0.01)])
    printed = pd.DataFrame(
        [["A-B", "0.01", "1", "0", "9"], ["a-b", "0.05", "5", "5", "5"]],
        columns=["comparison", "alpha", "k_count", "k_bonferroni", "k_simes"],
    )
    found = report.with_printed(counts, printed)
    pd.testing.assert_frame_equal(
        found, counts.assign(printed_count=[np.nan, 1], printed_bonferroni=[np.nan, 0])
    )
