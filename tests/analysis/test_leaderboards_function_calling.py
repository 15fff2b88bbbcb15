"""The function-calling leaderboard: what is quoted of it, again from the raw files, another way.

The second route reads no outcomes and uses none of the project's statistics: failed items come from
the raw files, p-values from `scipy.stats.binomtest`, counts from the closed procedure by all sets
of categories.
"""

import ast
import itertools
import json
import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import replicability as rep
from analysis import paths
from analysis.leaderboards import boards, function_calling, function_calling_fences
from analysis.studies import host
from replicability import forensics

TABLES = paths.ROOT / "tables" / "leaderboards"
GPT = "gpt-4o-2024-08-06"
STUDY = rep.read_study("config/leaderboards.yaml", host=host())
LABELS = STUDY.section("function_calling").families[0].family.labels


def table(name):
    return pd.read_csv(TABLES / f"bfcl_{name}.csv")


@pytest.fixture(scope="module")
def raw(request):
    """Model -> category -> numbers of failed items; category -> size; all failed records."""
    mirror = request.getfixturevalue("mirror")("function_calling")
    failed, sizes, records = {}, {}, []
    for path in mirror.glob("HuanzhiMao/BFCL-Result/*/2024-08-11/score/*/*.json"):
        head, *lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        category = path.name.removesuffix("_score.json")
        sizes[category] = head["total_count"]
        failed.setdefault(LABELS[path.parent.name.replace("_", "/")], {})[category] = {
            line["id"] for line in lines
        }
        records += lines
        assert len(lines) == head["total_count"] - head["correct_count"]
    return failed, sizes, records


def pvalue(own, other):
    """One-sided exact McNemar test that the owner of the first failures is better."""
    wins, losses = len(other - own), len(own - other)
    if wins + losses == 0:
        return 1.0
    return stats.binomtest(wins, wins + losses, alternative="greater").pvalue


def hommel(pvalues, alpha):
    """Bound by Simes's test of all sets: categories less the largest set that is not rejected."""
    n = len(pvalues)
    for size in range(n, 0, -1):  # the largest p-values of a size are the hardest to reject
        ordered = np.sort(pvalues)[n - size :]
        if (ordered > alpha * np.arange(1, size + 1) / size).all():
            return n - size
    return n


@pytest.fixture(scope="module")
def plane(raw):
    """Models in rank order, and on how many categories each is better than each, jointly.

    Then the same of neighbours in rank as a family of their own.
    """
    failed, _, _ = raw
    listed = [*LABELS.values()]  # as in the data: by name
    order = sorted(failed, key=lambda m: (sum(map(len, failed[m].values())), listed.index(m)))
    level, of_steps = 0.05 / (len(order) * (len(order) - 1)), 0.05 / (2 * (len(order) - 1))
    counts, steps = np.zeros((2, len(order), len(order)), int)
    known = {}  # most tests have the same wins and losses as another
    for i, j in itertools.permutations(range(len(order)), 2):
        a, b = failed[order[i]], failed[order[j]]
        found = []
        for c in a:
            key = (len(b[c] - a[c]), len(a[c] - b[c]))
            if key not in known:
                known[key] = pvalue(a[c], b[c])
            found.append(known[key])
        counts[i, j] = hommel(found, level)
        if abs(i - j) == 1:
            steps[i, j] = hommel(found, of_steps)
    return order, counts, steps


def test_ranks_and_categories(raw):
    failed, sizes, _ = raw
    assert (len(failed), len(sizes), sum(sizes.values())) == (71, 12, 1700)
    models = table("models")
    for row in models.itertuples():
        wrong = sum(map(len, failed[row.model].values()))
        assert row.accuracy == round(100 * (1 - wrong / 1700), 2)
        assert row.rank == 1 + sum(
            sum(map(len, other.values())) < wrong for other in failed.values()
        )


def test_who_is_better_somewhere(plane):
    order, counts, steps = plane
    assert order == list(table("models")["model"])
    upper = np.triu_indices(71, 1)
    everyone = (counts[upper] > 0, counts.T[upper] > 0)
    beside = (np.diagonal(steps, 1) > 0, np.diagonal(steps, -1) > 0)
    rows = table("directions").query("alpha == .05 and claims == 'jointly' and categories == 'all'")
    for which, (h, w) in (("all", everyone), ("neighbours", beside)):
        expected = [len(h), sum(h & ~w), sum(w & ~h), sum(h & w), sum(~h & ~w)]
        found = rows.query(f"models == {which!r}")[["pairs", "higher", "lower", "both", "neither"]]
        assert found.to_numpy().tolist() == [expected]
    next_to = table("neighbours")
    assert list(next_to["higher better on"]) == list(np.diagonal(steps, 1))
    assert list(next_to["lower better on"]) == list(np.diagonal(steps, -1))
    models = table("models")
    assert list(models["beats"]) == list((counts > 0).sum(axis=1))
    assert list(models["beaten by"]) == list((counts > 0).sum(axis=0))
    assert list(models["lower-ranked"]) == [(counts[i + 1 :, i] > 0).sum() for i in range(71)]


def test_ties_are_ties_and_as_large_as_they_can_be(plane):
    order, counts, _ = plane
    apart = (counts > 0) | (counts.T > 0)
    place = {model: i for i, model in enumerate(order)}
    for row in table("ties").itertuples():
        chosen = [place[model] for model in row.which.split(", ")]
        assert len(chosen) == row.models
        assert not apart[np.ix_(chosen, chosen)].any()
        others = [i for i in range(71) if i not in chosen]
        assert apart[np.ix_(others, chosen)].any(axis=1).all()


def test_named_pairs(raw):
    failed, _, _ = raw
    sonnet = "Claude 3.5 Sonnet"
    for other, expected in (("Functionary Medium 3.1 (FC)", 0), (f"{sonnet} (FC)", 4)):
        found = [pvalue(failed[sonnet][c], failed[other][c]) for c in failed[sonnet]]
        assert hommel(found, 0.05) == expected
    back = [pvalue(failed[other][c], failed[sonnet][c]) for c in failed[sonnet]]
    assert hommel(back, 0.025) == 0


def test_questions_that_stand_in_two_categories(raw):
    _, _, records = raw
    asked = {}
    for r in records:
        if "prompt" in r:
            asked.setdefault(r["test_category"], {})[r["id"]] = r["prompt"]["question"]
    simple = set(asked["simple"].values())
    assert sum(question in simple for question in asked["multiple_function"].values()) == 100
    others = [set(own.values()) for name, own in asked.items() if name != "multiple_function"]
    assert all(not a & b for a, b in itertools.combinations(others, 2))


def test_fences(raw):
    failed, sizes, records = raw
    own = [r for r in records if r["model_name"] == GPT and "decoder_failed" in r["error_type"]]
    bare = [r for r in own if str(r["model_result_raw"]).strip().startswith("```")]
    assert (len(own), len(bare)) == (1238, 1237)
    simple = [r for r in bare if r["test_category"] == "simple"]
    assert (len(failed[LABELS[GPT]]["simple"]), len(simple), sizes["simple"]) == (340, 335, 400)
    assert sum(r["model_result_raw"].strip().startswith("```json") for r in bare) == 839
    shown = table("fences").query(f"model == {LABELS[GPT]!r}").set_index("category")
    assert dict(shown["fenced"][lambda n: n > 0]) == Counter(
        r["test_category"].replace("_function", "").replace("_", " ") for r in bare
    )
    right = 0
    for r in simple:
        text = re.sub(r"^\s*```\w*\s*|\s*```\s*$", "", r["model_result_raw"]).strip(" []\n")
        ((name, possible),) = r["possible_answer"].items()
        try:
            call = ast.parse(text, mode="eval").body
            given = {k.arg: ast.unparse(k.value) for k in call.keywords}  # a bare word is text
            given |= {
                k.arg: ast.literal_eval(k.value)
                for k in call.keywords
                if not isinstance(k.value, ast.Name)
            }
        except (SyntaxError, ValueError, AttributeError):
            continue
        right += ast.unparse(call.func) == name and all(
            json.dumps(given.get(key, "")) in map(json.dumps, values)
            for key, values in possible.items()
        )
    assert right == shown.loc["simple", "match"]


def test_relevance(raw):
    failed, sizes, _ = raw
    wrong = {model: len(own["relevance"]) for model, own in failed.items()}
    last = set(table("models")["model"][-2:])
    assert {model for model, n in wrong.items() if n == min(wrong.values())} == last
    assert {model for model, n in wrong.items() if n == sizes["relevance"]} == {
        model for model in failed if model.endswith("(FC-Any)")
    }


def test_printed_accuracies_as_typed(mirror):
    (folder,) = mirror("function_calling").glob("HuanzhiMao/BFCL-Result/*/2024-08-11/score")
    typed = pd.read_csv(paths.PUBLISHED / "patil2025" / "scores.csv", dtype=str)
    for row in typed.itertuples():
        names = {
            path.name.removesuffix("_score.json").replace("_function", "").replace("_", " "): path
            for path in (folder / row.model.replace("/", "_")).iterdir()
        }
        first = names[row.category].read_text(encoding="utf-8").partition("\n")[0]
        assert re.findall(r"[\d.]+", first) == [row.accuracy, row.correct, row.total]


def test_every_printed_accuracy_is_judged():
    found = function_calling.audit()
    assert len(found) == 71 * 12
    assert {verdict.verdict for verdict in found} == {forensics.AGREES}


def test_a_wrong_accuracy_is_contradicted(monkeypatch):
    typed = function_calling.read_published("patil2025", "scores").head(3)
    typed.loc[1, "accuracy"] = "0.5"
    monkeypatch.setattr(function_calling, "read_published", lambda *of: typed)
    verdicts = [verdict.verdict for verdict in function_calling.audit()]
    assert verdicts == [forensics.AGREES, forensics.CONTRADICTED, forensics.AGREES]


@pytest.fixture(scope="module")
def board():
    (family,) = STUDY.section("function_calling").families
    return boards.read(family)


def test_tables_are_those_of_the_outcomes(board):
    answers = function_calling.read(labels=LABELS)
    assert list(board.systems) == answers.models
    models = board.ranking().round({"mean": 2}).drop(columns="beats on half")
    made = {
        "categories": function_calling.categories(answers),
        "directions": function_calling.directions(board, [0.05, 0.01]),
        "by_category": board.by_dataset().rename(columns={"dataset": "category"}),
        "by_method": function_calling.by_method(board.pairs, 0.05),
        "neighbours": board.neighbours(),
        "ties": function_calling.ties(board, 0.05),
        "layers": function_calling.layers(board.pairs, 0.05),
        "models": models.rename(columns={"system": "model", "mean": "accuracy"}),
        "modes": function_calling.modes(board),
    }
    chosen = function_calling_fences.most_fenced(answers, 2)
    made["fences"] = function_calling_fences.fenced(answers, chosen)
    made["unfenced"] = function_calling_fences.unfenced(answers, chosen, 0.05)
    for name, found in made.items():
        path = TABLES / f"bfcl_{name}.csv"
        assert found.to_csv(index=False) == path.read_text(encoding="utf-8"), name


def test_reading_a_model_without_fences_changes_its_undecoded_answers_alone():
    board = function_calling.read()
    for what in ("match", "fenced"):
        after = board.read_as(GPT, what)
        changed = board.items[after != board.right[GPT]][["dataset", "instance"]]
        own = board.fences.query(f"system == @GPT and {what} == 1")[["dataset", "instance"]]
        assert set(map(tuple, changed.to_numpy())) == set(map(tuple, own.to_numpy()))
        assert (after >= board.right[GPT]).all()
