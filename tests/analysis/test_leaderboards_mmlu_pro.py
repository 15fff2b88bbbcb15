"""MMLU-Pro: tables by hand, the config's groups, and every quoted number again from raw files."""

import json
import re
import zipfile
from collections import Counter, defaultdict

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis import paths
from analysis.leaderboards import boards, mmlu_pro, mmlu_pro_guesses
from analysis.studies import read_study
from replicability import forensics
from replicability.core.all_pairs import Pairs

STUDY = read_study("config/leaderboards.yaml")
MODELS = [*mmlu_pro_guesses.read_answers().columns[4:]]
NAMES = {STUDY.section("mmlu_pro")[0].called(model): model for model in MODELS}
RAW = "TIGER-AI-Lab/MMLU-Pro/f418b116db00b065c2aea046518d8fcf74d39872/eval_results"


@pytest.fixture
def answers():
    """Return four answers of two models in two disciplines; x fails twice."""
    return pd.DataFrame(
        {
            "dataset": ["law", "law", "math", "math"],
            "instance": list("1234"),
            "source": ["ori_mmlu", "ori_mmlu", "ori_mmlu", "stemez"],
            "left_out": ["", "copy", "", ""],
            "x": [1, -4, -2, 0],
            "y": [1.0, 0.0, 1.0, np.nan],
        }
    )


def test_both_rules_by_hand(answers):
    wrong, guessed, sd = mmlu_pro_guesses.rules(answers["x"])
    assert wrong == 25
    assert guessed == pytest.approx(100 * (1 + 1 / 4 + 1 / 2) / 4)
    assert sd == pytest.approx(100 * np.sqrt(3 / 16 + 1 / 4) / 4)
    assert mmlu_pro_guesses.rules(answers["y"].dropna())[0] == pytest.approx(200 / 3)


def test_questions_are_counted_once(answers):
    table = mmlu_pro.questions(answers).set_index("discipline")
    assert table.loc["all", "questions"] == 4
    assert table.loc["law", ["compared", "copies"]].tolist() == [1, 1]
    assert table.loc["math", ["from MMLU", "added"]].tolist() == [1, 1]


def test_guesses_are_right_as_often_as_there_are_options():
    """One model fails always among two options, the other is always wrong: wins are binomial."""
    made = pd.DataFrame({"dataset": "law", "instance": range(40), "source": "", "left_out": ""})
    made = made.assign(x=-2, y=0)
    pvalues = mmlu_pro_guesses.guessed_pvalues(made, 500, 1)[:, 0, 1, 0]
    wins = -np.log2(pvalues)  # McNemar's p-value of w wins and no losses is 2^-w
    assert wins.mean() == pytest.approx(20, abs=4 * np.sqrt(10 / 500))
    assert wins.var() == pytest.approx(10, rel=0.3)
    again = mmlu_pro_guesses.guessed_pvalues(made, 500, 1)[:, 0, 1, 0]
    np.testing.assert_array_equal(pvalues, again)


def test_questions_that_are_left_out_are_not_drawn(answers):
    answers["y"] = answers["y"].fillna(0)
    pvalues = mmlu_pro_guesses.guessed_pvalues(answers, 50, 1)
    assert pvalues.shape == (50, 2, 2, 2)
    assert (pvalues[:, 0, 1, 0] == 1).all()
    assert set(np.unique(pvalues[:, 1, 0, 1])) == {0.5, 1}


@pytest.fixture
def board():
    scores, pvalues = np.array([[60, 40.0], [50, 45]]), np.ones((2, 2, 2))
    pvalues[0, 1, 0] = pvalues[1, 0, 1] = 1e-9
    return boards.lay_out(
        Pairs(("x", "y"), ("law", "math"), scores, pvalues, method="fisher"), 0.05
    )


def test_pairs_that_disagree_are_listed_with_what_is_named(board):
    drawn = np.stack([board.pairs.pvalues, np.ones((2, 2, 2))])
    table = mmlu_pro.disagreeing(board, ["x", "y"], drawn)
    (row,) = table.to_dict("records")
    assert (row["higher"], row["lower"], row["lead"]) == ("x", "y", 2.5)
    assert (row["named"], row["named for it"], row["in draws"]) == ("law", "math", 1)
    found = mmlu_pro_guesses.by_rule(board, ["x", "y"], drawn).set_index("shown")
    both = found.loc["each is better on at least one discipline"]
    assert both[["wrong", "fewest", "most"]].tolist() == [1, 0, 1]
    assert found["wrong"].sum() == 1


def test_models_in_another_order_are_found(board):
    drawn = board.pairs.pvalues[None, ::-1, ::-1].copy()
    drawn[:, :, :, 1] = 1  # only x, now the second, is shown better
    above, below = mmlu_pro_guesses.shown_in_draws(board, ["y", "x"], drawn)
    assert above.all() and not below.any()


def test_the_figure_frames_what_is_named(board):
    table = mmlu_pro.disagreeing(board, ["x", "y"], board.pairs.pvalues[None])
    figure = mmlu_pro.draw_disagreeing(table, board, {"a": ["math"], "b": ["law"]})
    axis = figure.axes[0]
    try:
        assert [text.get_text() for text in axis.texts] == ["−5", "+10", "a", "b"]
        assert len(axis.patches) == 2
    finally:
        plt.close(figure)


def test_headings_are_those_of_the_study():
    for comparison in STUDY.section("mmlu_pro"):
        groups = list(map(set, comparison.groups.values()))
        assert groups[:4] == list(map(set, mmlu_pro.HEADINGS.values()))
        assert set().union(*groups[4:]) == set().union(*groups[:4])
        answers = mmlu_pro_guesses.read_answers()
        added = set(answers.loc[answers["source"] != mmlu_pro.ORIGINAL, "dataset"])
        assert set(comparison.groups["with added questions"]) == added


def test_a_guess_too_good_is_contradicted():
    codes = pd.Series([1.0] * 500 + [0.0] * 300 + [-10.0] * 200)
    claim = forensics.Claim("a paper", "a table", "an accuracy", "52.0")
    assert mmlu_pro._judge_guesses(claim, codes).verdict == forensics.AGREES
    for far in ("50.0", "54.5", "70.1"):
        claim = forensics.Claim("a paper", "a table", "an accuracy", far)
        assert mmlu_pro._judge_guesses(claim, codes).verdict == forensics.CONTRADICTED


def test_every_printed_accuracy_has_a_verdict():
    verdicts = forensics.table(mmlu_pro.audit())
    checked = verdicts[verdicts["verdict"] != forensics.UNCHECKED]
    assert verdicts["claim"].is_unique
    assert len(verdicts) == len(mmlu_pro.printed_accuracies()) + 5
    by_claim = verdicts.set_index("claim")
    assert by_claim.loc["accuracy of Llama-3-70B", "readings"] == (
        "failed extractions count as wrong: contradicted; failed extractions are guessed: agrees"
    )
    assert checked["claim"].str.contains("Gemini").sum() == 0


# --- the same numbers from raw files, without the project's readers


SAME = ("question", "options", "answer")


def printed(name):
    """Read a table of the notebook."""
    return pd.read_csv(paths.ROOT / f"tables/leaderboards/mmlu_pro_{name}.csv")


@pytest.fixture(scope="module")
def raw(mirror):
    """Return the answers of every model: short name -> number of the question -> record."""
    files = sorted((mirror("MMLU-Pro/eval_results") / RAW).glob("*.zip"))
    found = {}
    for file in files:
        with zipfile.ZipFile(file) as archive:
            (name,) = (n for n in archive.namelist() if n.endswith("json") and "MACOSX" not in n)
            records = [r for r in json.loads(archive.read(name)) if isinstance(r, dict)]
        model = file.name[14:-11].removeprefix("Meta-").removesuffix("-hf").replace("3_1", "3.1")
        keep = ("question", "options", "answer", "pred", "category", "src")
        found[model] = {
            r["question_id"]: {k: r[k] for k in keep}
            | {"said": r.get("generated_text", r.get("model_outputs")) or ""}
            for r in records
        }
    return found


@pytest.fixture(scope="module")
def alike(raw):
    """Return the questions that all models but DeepSeek-Coder-V2 were asked alike, copies once."""
    models = [m for m in raw if m != "DeepSeek-Coder-V2"]
    seen, chosen = set(), []
    for number in sorted(raw["Llama-3-70B"]):
        asked = {
            json.dumps([raw[m].get(number, {}).get(k) for k in ("question", "options", "answer")])
            for m in models
        }
        q = raw["Llama-3-70B"][number]
        text = q["question"], tuple(sorted(q["options"]))
        if len(asked) == 1 and text not in seen:
            chosen.append(number)
        seen.add(text)
    return models, chosen


def counted(raw, chosen, a, b):
    """Return one-sided exact p-values of McNemar's test for each discipline."""
    wins, losses = Counter(), Counter()
    for n in chosen:
        of_a, of_b = (raw[m][n]["pred"] == raw[m][n]["answer"] for m in (a, b))
        wins[raw[a][n]["category"]] += of_a > of_b
        losses[raw[a][n]["category"]] += of_a < of_b
    return {
        d: stats.binomtest(w, w + losses[d], alternative="greater").pvalue for d, w in wins.items()
    }


def fisher(pvalues, alpha):
    """Return k-hat: the last u for which Fisher's combination of all but the u - 1 smallest is."""
    p = sorted(pvalues)
    k = 0
    for u in range(1, len(p) + 1):
        if stats.combine_pvalues(p[u - 1 :]).pvalue > alpha:
            break
        k = u
    return k


def test_raw_outcomes(raw, alike):
    models, chosen = alike
    outcomes = pd.read_parquet(paths.ROOT / "data" / "outcomes" / "mmlu_pro.parquet")
    assert outcomes["instance"].tolist() == list(map(str, chosen))
    assert set(outcomes.columns[2:]) == set(models)
    for model in models:
        right = [int(raw[model][n]["pred"] == raw[model][n]["answer"]) for n in chosen]
        assert outcomes[model].tolist() == right, model
    assert len(raw["DeepSeek-Coder-V2"]) == 10_351


def test_raw_problems_that_two_disciplines_share(raw, alike):
    places = defaultdict(list)
    for n in alike[1]:
        asked = raw["Llama-3-70B"][n]
        if len(asked["question"]) > 50:
            words = frozenset(re.findall(r"[a-z]{3,}", asked["question"].lower()))
            places[words].append((asked["category"], tuple(sorted(asked["options"]))))
    shared = [own for own in places.values() if len({category for category, _ in own}) > 1]
    assert [sorted(category for category, _ in own) for own in shared] == 4 * [
        ["chemistry", "engineering"]
    ]
    assert all(len(set(options)) == 2 for options in ([o for _, o in own] for own in shared))


def test_raw_accuracies_by_both_rules(raw):
    table = pd.read_csv(paths.ROOT / "tables/leaderboards/mmlu_pro_accuracies.csv").set_index(
        "model"
    )
    for model, row in table.iterrows():
        records = raw[NAMES[model]].values()
        right = sum(r["pred"] == r["answer"] for r in records)
        chance = np.array([1 / len(r["options"]) for r in records if r["pred"] is None])
        assert row["wrong"] == pytest.approx(100 * right / len(records), abs=0.0051)
        assert row["guessed"] == pytest.approx(
            100 * (right + chance.sum()) / len(records), abs=0.0051
        )
        assert row["sd"] == pytest.approx(
            100 * np.sqrt((chance * (1 - chance)).sum()) / len(records), abs=0.0051
        )
        assert (row["failed"], row["questions"]) == (len(chance), len(records))


def test_raw_counts_of_the_named_pairs(raw, alike):
    expected = {
        "llama3_qwen15": 9,
        "llama31_llama3": 1,
        "llama31_instruct": 14,
        "gemini_pro_flash": 11,
    }
    for comparison in STUDY.section("mmlu_pro"):
        found = counted(raw, alike[1], *comparison.systems)
        assert fisher(found.values(), 0.05) == expected[comparison.name]
    back = counted(raw, alike[1], "gemini-1.5-flash-002", "gemini-1.5-pro-002")
    assert fisher(back.values(), 0.025) == 1 and min(back, key=back.get) == "math"


def test_raw_counts_of_all_pairs(raw, alike):
    models, chosen = alike
    level = 0.05 / (len(models) * (len(models) - 1))
    k = {
        (a, b): fisher(counted(raw, chosen, a, b).values(), level)
        for a in models
        for b in models
        if a != b
    }
    some = {frozenset(pair) for pair, count in k.items() if count}
    both = {frozenset((a, b)) for a, b in k if k[a, b] and k[b, a]}
    table = pd.read_csv(paths.ROOT / "tables/leaderboards/mmlu_pro_all_pairs.csv")
    row = table.query("alpha == .05 and claims == 'jointly'").iloc[0]
    assert (len(some), sum(count == 14 for count in k.values())) == (
        row["somewhere"],
        row["everywhere"],
    )
    apart = pd.read_csv(paths.ROOT / "tables/leaderboards/mmlu_pro_disagreeing.csv").replace(NAMES)
    assert both == {frozenset(pair) for pair in zip(apart["higher"], apart["lower"], strict=True)}
    assert all(
        k[r.higher, r.lower] == r.above and k[r.lower, r.higher] == r.below
        for r in apart.itertuples()
    )


def test_raw_letters_of_the_larger_gemini(raw):
    found = defaultdict(list)
    for r in raw["gemini-1.5-pro-002"].values():
        if r["category"] == "math":
            said = re.findall(r"answer is \(?([A-J])\)?", r["said"])
            found[len(said) > 1].append((said[0] == r["answer"], said[-1] == r["answer"]))
            found["six"].append(len(said) == 6)
    assert (len(found[True]), sum(found["six"])) == (1188, 1144)
    shares = [100 * np.mean(column) for column in zip(*found[True], strict=True)]
    assert [round(share, 1) for share in shares] == [48.5, 63.1]
    assert round(100 * np.mean([one for one, _ in found[False]]), 1) == 75.5


def test_raw_letters_where_nothing_was_found(raw):
    table = pd.read_csv(paths.ROOT / "tables/leaderboards/mmlu_pro_otherwise.csv")
    for row in table.itertuples(index=False):
        silent = [
            r["pred"]
            for r in raw[NAMES[row.model]].values()
            if not re.search(r"answer is \(?[A-J]", r["said"])
        ]
        commonest = Counter(filter(None, silent)).most_common(1)
        assert (len(silent), *commonest) == (row[1], (row.commonest, row.times))


def test_raw_mini_leaderboard(mirror):
    text = (mirror("MMLU-Pro/README.md") / RAW).with_name("README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w.-]+) +\| +(\d\d\.\d\d) +\|", text, re.MULTILINE)
    assert dict(rows) == mmlu_pro.printed_accuracies()


@pytest.mark.parametrize("discipline", ["math", "physics", "engineering"])
def test_raw_outputs_of_jamba_are_hardly_more_than_a_letter(raw, discipline):
    records = raw["jamba-1.5-large"].values()
    said = [len(r["said"]) for r in records if r["category"] == discipline]
    assert np.median(said) <= len("The answer is (A).") + 2
