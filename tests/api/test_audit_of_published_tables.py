"""`rep.audit` on tables of papers and leaderboards, as they are printed."""

import math

import pandas as pd
import pytest
from scipy import stats

import replicability as rep
from analysis import living
from analysis.published import read_published
from replicability import cli, forensics

DROR = "data/published/dror2017"


def verdicts(found):
    return {v.claim: v.verdict for v in found.verdicts}


def test_the_sentiment_table_is_two_sided_and_cut_off():
    found = rep.audit(
        f"{DROR}/table4.csv",
        dataset="setup",
        scores=["AE-SCL-SR", "MSDA"],
        p_value="p-value",
        stars="mark",
        items=2000,
        test="mcnemar",
        claimed=10,
        k_hat=6,
    )
    said = verdicts(found)
    assert found.disputed == ()
    assert [claim for claim, v in said.items() if v == forensics.DEPENDS] == [
        "p-value of B → K",
        "p-value of D → B",
        "datasets marked as significant at 0.05",  # by Holm's procedure, not each by itself
    ]
    assert said["k-hat"] == forensics.AGREES
    assert (found.supports.k, found.both.bounds["two-sided"].a) == (10, 6)
    text = str(found)
    assert "We read the p-values as two-sided: 1 of 12 exceeds 1/2, which is impossible" in text
    assert (
        "mid-p, two-sided, with digits cut off. This form could have given 10 of the 12 p-values "
        "(7.8 expected by chance)." in text
    )
    assert "Bonferroni's method gives a k-hat of 6. Fisher's method gives a k-hat of 9" in text


def test_the_tagging_table_does_not_support_what_it_was_read_for():
    found = rep.audit(
        f"{DROR}/table3.csv",
        dataset="language",
        scores=["MIMICK", "Char→Tag"],
        p_value="p-value",
        test="wilcoxon",
        k_hat=16,
        dependence="independent",
    )
    assert verdicts(found)["k-hat"] == forensics.DEPENDS
    text = str(found)
    assert "at least 16" not in text
    assert (
        "Both ways: MIMICK and Char→Tag differ on at least 9 of 23 datasets (16 if the p-values are"
        in text
    )


def test_the_table_of_word_vectors_has_correlations():
    table = read_published("dror2017", "table5").assign(
        n=read_published("dror2017", "dataset_sizes").query("table == '5'")["n"].to_numpy()
    )
    found = rep.audit(
        table, scores=["W2V", "GLOVE"], p_value="p-val.", items="n", test="steiger", claimed=8
    )
    assert [v.claim for v in found.disputed] == [
        f"p-value of {name}" for name in ("WS353-REL", "RW", "MEN")
    ]
    assert (found.supports.k, found.both.bounds["two-sided"].b) == (5, 1)


def test_big_bench_hard_has_accuracies_that_no_answers_give():
    # Suzgun et al. (2023), Table 3: 250 questions a task; 146 and 187 in the others named here
    table = read_published("suzgun2023", "table3")
    sizes = {"Causal Judgement": 187, "Penguins in a Table": 146, "Snarks": 178}
    asked = table[~table["task"].str.contains(r"\(avg\)")].copy()
    asked["n"] = asked["task"].map(sizes).fillna(250).astype(int).astype(str)
    found = rep.audit(asked, dataset="task", scores=["Codex CoT", "Codex answer-only"], items="n")
    assert {v.verdict for v in found.verdicts} <= {forensics.UNCHECKED, forensics.IMPOSSIBLE}
    wrong = {v.claim.partition(" on ")[2] for v in found.disputed}
    # of several subtasks the mean is printed, of 750 questions; no others are impossible
    assert {name for name in wrong if "objects" not in name.lower()} == set()
    altered = asked.assign(**{"Codex CoT": ["92.9", *asked["Codex CoT"][1:]]})
    again = rep.audit(altered, dataset="task", scores=["Codex CoT", "Codex answer-only"], items="n")
    assert len(again.disputed) == len(found.disputed) + 1


def test_function_calling_accuracies_are_shares_of_their_items():
    table = read_published("patil2025", "scores")
    wide = table.pivot_table(
        index=["category", "total"], columns="model", values="accuracy", aggfunc="first"
    ).reset_index()
    models = list(wide.columns[2:4])
    found = rep.audit(wide, dataset="category", scores=models, items="total")
    assert len(found.verdicts) == 24
    assert found.disputed == ()
    wide.loc[0, models[0]] = "0.123456"
    assert len(rep.audit(wide, dataset="category", scores=models, items="total").disputed) == 1


def test_human_judgements_of_translations_mark_the_better_system():
    # Kocmi et al. (2024): a system is marked where its range of ranks lies above that of the other
    table = read_published("kocmi2024", "human_ranking")
    a, b = "Claude-3.5", "GPT-4"
    both = {name: part.set_index("dataset") for name, part in table.groupby("system")}
    wide = pd.concat({name: both[name]["human"] for name in (a, b)}, axis=1).dropna().reset_index()
    ends = {name: both[name]["rank"].str.split("-") for name in (a, b)}
    wide["better"] = [
        "*" if int(ends[a][name][-1]) < int(ends[b][name][0]) else "" for name in wide["dataset"]
    ]
    assert wide["better"].eq("*").any()
    found = rep.audit(
        wide, scores=[a, b], stars="better", sided="one", claimed=int(wide["better"].eq("*").sum())
    )
    assert {v.verdict for v in found.verdicts} == {forensics.AGREES}
    assert "the exact p-values may support a higher bound." in str(found)
    at_the_level = [0.05 if mark else 1.0 for mark in wide["better"]]
    assert found.supports.k == rep.count(at_the_level).k


MARKED = {
    "dataset": ["x", "y", "z"],
    "ours": ["91", "92", "93"],
    "base": ["90", "91", "92.5"],
    "stars": ["*", "*", "*"],
}


@pytest.mark.parametrize(
    "dependence, sided, k",
    [
        ("dependent", "unknown", 0),  # Bonferroni takes twice the level
        ("dependent", "two", 2),  # twice half the level
        ("positive", "unknown", 2),  # Simes takes the level itself
    ],
)
def test_stars_support_what_p_values_at_their_level_support(dependence, sided, k):
    table, scores = pd.DataFrame(MARKED).head(2), ["ours", "base"]
    found = rep.audit(table, scores=scores, stars="stars", sided=sided, dependence=dependence)
    level = 0.025 if sided == "two" else 0.05
    assert found.supports.k == rep.count([level] * 2, dependence=dependence).k == k


def test_stars_of_the_system_that_scores_lower_support_nothing():
    table = pd.DataFrame(MARKED).rename(columns={"ours": "base", "base": "ours"})
    found = rep.audit(table, scores=["ours", "base"], stars="stars", dependence="positive")
    assert found.supports.k == 0


def test_a_p_value_that_is_not_significant_lies_above_the_level():
    table = pd.DataFrame(MARKED).assign(p=["<0.001", "n.s.", "NS"]).drop(columns="stars")
    found = rep.audit(table, scores=["ours", "base"], claimed=1)
    assert found.supports.k == 1 and not found.disputed
    assert rep.audit(table, scores=["ours", "base"], claimed=2).disputed


def test_a_p_value_that_is_missing_is_never_left_out():
    table = pd.DataFrame(MARKED).assign(p=["0.001", "", "0.02"]).drop(columns="stars")
    with pytest.raises(rep.InputError, match='Write "<1" for a p-value that is not printed'):
        rep.audit(table, scores=["ours", "base"])
    found = rep.audit(table.replace("", "<1"), scores=["ours", "base"])
    assert found.supports.k == 2


def test_a_leaderboard_prints_percentages_of_another_total():
    printed = read_published("jimenez2024", "bash_only").set_index("model")["resolved"]
    models = ["GPT-4.1 (2025-04-14)", "o4-mini (2025-04-16)"]
    table = pd.DataFrame({"dataset": ["all issues"], **{m: [printed[m]] for m in models}})
    found = rep.audit(table, scores=models, items=500)
    assert [v.claim for v in found.disputed] == [f"{models[0]} on all issues"]
    assert rep.audit(table, scores=models[::-1], items=480).disputed == ()


def test_accuracies_of_thousands_of_questions_decide_little():
    printed = read_published("wang2024", "leaderboard").set_index("model")["accuracy"]
    a, b = "Llama-3-70B", "Qwen1.5-72B-Chat"
    table = pd.DataFrame(
        {"dataset": ["MMLU-Pro"], a: [printed[a]], b: [printed[b]], "p": ["0.0001"]}
    )
    found = rep.audit(table, scores=[a, b], items=12032, test="mcnemar")
    assert found.disputed == ()
    assert verdicts(found)["p-value of MMLU-Pro"] == forensics.UNCHECKED
    tie = rep.audit(
        table.assign(p="0.99999"), scores=[a, b], items=12032, test="mcnemar", sided="two"
    )
    assert verdicts(tie)["p-value of MMLU-Pro"] == forensics.IMPOSSIBLE


def of_the_living_list(name, items):
    """A table that was transcribed twice for `data/claims`, with its numbers of items."""
    printed = living.read("first").query("table == @name", local_dict={"name": name})
    sizes = living.read("items").query("items == @of", local_dict={"of": items})
    return printed.merge(sizes, on="dataset")[["dataset", "a", "b", "n"]]


def test_medians_of_runs_are_no_shares_of_items():
    # ELECTRA, README, "Expected Results": medians over a large number of random seeds
    table = of_the_living_list("electra_small_owt", "GLUE dev")
    found = rep.audit(table, scores=["a", "b"], items="n")
    # of 408 items 356 are 87.25% and 357 are 87.50%; of 277 items 185 are 66.79%
    assert [(v.claim, v.published) for v in found.disputed] == [("b on MRPC", "87.4%")]
    depends = [v for v in found.verdicts if v.verdict == forensics.DEPENDS]
    assert [v.claim for v in depends] == ["a on RTE", "b on RTE"]
    assert {v.readings for v in depends} == {"rounded: impossible; cut off: possible"}
    assert "or a mean or median over several runs" in str(found)


def test_accuracies_with_digits_of_their_own_depend_on_the_reading():
    # XLNet, README: RACE 72.0 and 81.75, of 4,934 questions; 3,552 of them are 71.99%
    table = of_the_living_list("xlnet_reading", "reading comprehension")
    found = rep.audit(table, scores=["a", "b"], items="n")
    assert found.disputed == () and "several runs" not in str(found)
    said = {v.claim: v.readings for v in found.verdicts if v.verdict == forensics.DEPENDS}
    assert said == {
        "a on RACE": "rounded: impossible; cut off: possible",
        "b on RACE": "rounded: impossible; cut off: impossible; rounded to the digits that it "
        "shows: possible",
    }
    assert found.between == (2, 3)


@pytest.mark.parametrize(
    ("name", "items", "between"),
    [
        ("xlmr_xl_large", "XNLI test", (6, 15)),
        ("bert_baseline", "XNLI test", (6, 6)),
        ("fasttext", "text classification", (2, 8)),
        ("xlnet_glue", "GLUE dev", (3, 6)),
    ],
)
def test_accuracies_of_tables_on_model_pages_leave_a_range(name, items, between):
    # k-hat for disagreements on as many items as the accuracies allow, recounted below
    table = of_the_living_list(name, items)
    found = rep.audit(table, scores=["a", "b"], items="n")
    assert found.disputed == () and found.between == between
    unit = 10.0 ** -max(len(text.partition(".")[2]) for text in [*table["a"], *table["b"]])
    whole = 1 if table["a"].astype(float).max() < 1 else 100
    least = []
    for row in table.itertuples():
        n = int(row.n)
        right_a = math.ceil((float(row.a) - unit / 2) / whole * n)
        right_b = math.floor((float(row.b) + unit / 2) / whole * n)
        lost = min(right_b, n - right_a)  # B alone is right on these, and A alone on `won`
        won = right_a - right_b + lost
        least.append(stats.binomtest(won, won + lost, alternative="greater").pvalue)
    steps = [p <= 0.05 / (len(least) - i) for i, p in enumerate(sorted(least))]
    assert [*steps, False].index(False) == between[0]


def test_one_sided_values_that_the_scores_exclude_are_said():
    table = pd.DataFrame(
        {"dataset": list("xyz"), "a": ["0.9", "0.8", "0.7"], "b": ["0.8", "0.9", "0.6"]}
    ).assign(p=["0.9", "0.01", "0.02"])
    found = rep.audit(table, scores=["a", "b"], sided="one", test="mcnemar")
    assert "Not all p-values can be one-sided for a: 2 of 3 are above 1/2 where a" in str(found)


def test_the_command_takes_k_hat(capsys):
    asked = ["audit", f"{DROR}/table3.csv", "--dataset", "language", "--scores", "MIMICK"]
    asked += ["Char→Tag", "--p-value", "p-value", "--test", "wilcoxon", "--k-hat", "16"]
    assert cli.main([*asked, "--dependence", "independent"]) == 0
    assert "depends on the reading" in capsys.readouterr().out


@pytest.mark.parametrize("k_hat", [-1, 1.5])
def test_a_claimed_k_hat_is_a_number(k_hat):
    with pytest.raises(rep.InputError, match="k_hat"):
        rep.audit(f"{DROR}/table2.csv", dataset="domain", p_value="p-val (Mate,SpaCy)", k_hat=k_hat)
