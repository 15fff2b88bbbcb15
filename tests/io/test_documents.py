"""JSON documents: scores in nested objects, and results of promptfoo, LeRobot and DeepEval."""

import json
import re
import time

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import replicability as rep
from replicability import cli
from replicability.core import evaluation
from replicability.io.study import read_study

ITEMS = [f"q{n}" for n in range(20)]
RNG = np.random.default_rng(5)
SCORES = {
    system: {
        dataset: dict(zip(ITEMS, map(int, RNG.random(20) < p), strict=True))
        for dataset in ("news", "law")
    }
    for system, p in (("ours", 0.9), ("base", 0.3))
}
AB = {"a": "ours", "b": "base"}


@pytest.fixture
def stored(tmp_path):
    """Return a function that stores JSON under a name, and returns the path."""

    def stored(name, content):
        path = tmp_path / name
        path.write_text(json.dumps(content), encoding="utf-8")
        return path

    return stored


def read(scores):
    return {
        dataset.name: [
            dict(zip(dataset.identifiers.to_pylist(), side.tolist(), strict=True))
            for side in (dataset.a, dataset.b)
        ]
        for dataset in scores.datasets
    }


TRUE = {name: [SCORES[system][name] for system in AB.values()] for name in ("news", "law")}


# --- nested objects ------------------------------------------------------------------------------


def test_every_way_to_nest_scores(stored):
    ours, base = (stored(f"{name}.json", SCORES[name]) for name in AB.values())
    turned = {name: {system: SCORES[system][name] for system in SCORES} for name in TRUE}
    whole = stored("both.json", SCORES)
    ways = [
        rep.Scores.read(ours, base),
        rep.Scores.read(whole, **AB),
        rep.Scores.read(whole, **AB, system="key 1"),
        rep.Scores.read(stored("turned.json", turned), **AB),
        rep.Scores.read(stored("turned.json", turned), **AB, system="key 2"),
        rep.compare(SCORES["ours"], SCORES["base"], **AB),
        rep.compare(SCORES, **AB),
    ]
    for way in ways:
        if isinstance(way, rep.Scores):
            assert read(way) == TRUE
    said = {str(rep.compare(way) if isinstance(way, rep.Scores) else way) for way in ways}
    assert len(said) == 1
    alone = {system: SCORES[system]["news"] for system in SCORES}
    assert read(rep.Scores.read(stored("alone.json", alone), **AB)) == {"all": TRUE["news"]}
    truth = {key: bool(value) for key, value in SCORES["ours"]["law"].items()}
    other = {key: bool(value) for key, value in SCORES["base"]["law"].items()}
    right = rep.Scores.read(stored("x.json", truth), stored("y.json", other))
    assert read(right) == {"all": TRUE["law"]}


def test_lists_are_matched_by_place(stored):
    lists = {s: {d: [*of.values()] for d, of in SCORES[s].items()} for s in SCORES}
    by_place = {
        name: [dict(zip(map(str, range(1, 21)), side.values(), strict=True)) for side in sides]
        for name, sides in TRUE.items()
    }
    assert read(rep.Scores.read(stored("lists.json", lists), **AB)) == by_place
    sides = [stored(f"{name}.json", lists[name]) for name in AB.values()]
    scores = rep.Scores.read(*sides)
    assert read(scores) == by_place
    assert all(dataset.placed for dataset in scores.datasets)
    arrays = {s: {d: np.array(of) for d, of in lists[s].items()} for s in lists}
    assert str(rep.compare(arrays, **AB)) == str(rep.compare(stored("lists.json", lists), **AB))
    third = {"other": lists["ours"]}
    assert rep.all_pairs(lists | third, system="key 1").systems
    with pytest.raises(rep.InputError, match="holds values that are not scores"):
        rep.compare({"ours": {"news": ["x"]}, "base": {"news": {"a": 1}}})
    lists["base"]["news"].pop()
    with pytest.raises(rep.InputError, match="'20' of 'news' is missing for base"):
        rep.compare(lists, **AB)
    with pytest.raises(rep.InputError, match="it is unclear which items are missing"):
        rep.compare(lists, **AB, missing="drop")


def test_a_study_and_the_command_line(stored, capsys):
    whole = stored("both.json", SCORES)
    columns = {"system": "key 1", "dataset": "key 2", "instance": "key 3", "score": "score"}
    block = {"name": "c", "systems": [*AB.values()], "dependence": "dependent"}
    block |= {"file": str(whole), "columns": columns}
    study = whole.with_suffix(".yaml")
    study.write_text(yaml.safe_dump({"study": "s", "alphas": [0.05], "comparisons": [block]}))
    (declared,) = read_study(study).comparisons
    table = evaluation.evaluate(declared)
    found = rep.compare(whole, **AB)
    assert table["p_value"].tolist() == found.table["p_value"].tolist()
    assert cli.main(["compare", str(whole), "--systems", *AB.values(), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["datasets"] == found.to_dict()["datasets"]
    sides = [str(stored(f"{name}.json", SCORES[name])) for name in AB.values()]
    assert cli.main(["compare", *sides, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["datasets"] == said["datasets"]


def test_a_family_in_one_file(stored):
    other = {name: dict.fromkeys(ITEMS, 1) for name in TRUE}
    whole = stored("all.json", SCORES | {"other": other})
    family = rep.all_pairs(whole, system="key 1")
    assert set(family.systems) == {"ours", "base", "other"}
    assert str(rep.all_pairs(SCORES | {"other": other}, system="key 1")) == str(family)


BAD = {
    "the outer or the inner keys": (
        SCORES,
        r"the outer keys, 'key 1' \(ours, base\), or .*system='key 1' or system='key 2'",
    ),
    "benchmarks": (
        {"gsm8k": SCORES["ours"]["law"], "arc": SCORES["base"]["law"]},
        "of only one system",
    ),
    "items of one system": (
        SCORES["ours"]["law"],
        "of only one system, because its keys are items",
    ),
    "means": ({"ours": {"acc": 0.5, "f1": 0.4}, "base": {"acc": 0.6, "f1": 0.1}}, "only 2 numbers"),
    "seeds": ({"ours": {"arc": [0.1, 0.2]}, "base": {"arc": [0.2, 0.2]}}, "only 2 numbers under"),
    "depths": ({"ours": {"arc": {"q1": 1}}, "base": {"q1": 1}}, "too deeply or in different ways"),
    "numbers beside objects": ({"ours": {"q1": 1}, "base": 1}, "too deeply or in different ways"),
    "too deep": ({"s": {"d": {"e": {"q1": 1}}}}, "too deeply or in different ways"),
    "text": ({"ours": {"q1": "yes"}}, "is one JSON object, but a table"),
    "a list that is empty": ({"ours": {"arc": []}, "base": {"arc": []}}, "is one JSON object"),
    "a number beyond all": ({"a": {"q1": 10**400}, "b": {"q1": 1}}, "a score is a longer number"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_nests(stored, name):
    content, message = BAD[name]
    with pytest.raises(rep.InputError) as caught:
        rep.compare(stored("bad.json", content))
    said = caught.value.spelled("{}=".format)
    assert re.search(message, said), said


def test_several_systems_beside_another_file(stored):
    with pytest.raises(rep.InputError, match="holds the scores of several systems"):
        rep.compare(stored("both.json", SCORES), stored("o.json", SCORES["ours"]))


def test_a_key_twice(tmp_path, stored):
    path = tmp_path / "twice.json"
    path.write_text('{"q1": 1, "q2": 0, "q1": 0}')
    with pytest.raises(rep.InputError, match=r"twice\.json: an object has the key 'q1' twice"):
        rep.compare(path, stored("o.json", {"q1": 1, "q2": 1}))


@given(st.permutations(ITEMS), st.permutations(["news", "law"]))
@settings(max_examples=20, deadline=None)
def test_the_order_of_keys_does_not_matter(items, datasets):
    turned = {name: {item: SCORES["base"][name][item] for item in items} for name in datasets}
    assert str(rep.compare(SCORES["ours"], turned)) == str(
        rep.compare(SCORES["ours"], SCORES["base"])
    )


# --- promptfoo -----------------------------------------------------------------------------------


COLUMNS = ("gpt", "mini")


def result(provider, n, success, *, prompt="{{q}}", score=None, **more):
    """Return a result as promptfoo writes it, with what is read of it and a little more."""
    return {
        "promptIdx": COLUMNS.index(provider), "testIdx": n, "promptId": "a1",
        "provider": {"id": f"openai:{provider}", "label": provider},
        "prompt": {"raw": prompt.replace("{{q}}", f"What is {n}?"), "label": prompt},
        "vars": {"q": f"What is {n}?"}, "testCase": {"vars": {"q": f"What is {n}?"}, "assert": []},
        "response": {"output": "x"}, "success": success,
        "score": float(success) if score is None else score, "namedScores": {},
        "failureReason": 0 if success else 1, "latencyMs": 3,
    } | more  # fmt: skip


def promptfoo(results):
    return {"evalId": "eval-1", "results": {"version": 3, "results": results, "stats": {}}}


def answers(**more):
    return [
        result(provider, n, bool(SCORES[side]["law"][f"q{n}"]), **more)
        for n in range(20)
        for provider, side in zip(COLUMNS, ("ours", "base"), strict=True)
    ]


def test_promptfoo(stored):
    path = stored("results.json", promptfoo(answers()))
    (found,) = rep.Scores.read(path, a="gpt", b="mini").datasets
    assert found.a.tolist() == [*SCORES["ours"]["law"].values()]
    assert found.b.tolist() == [*SCORES["base"]["law"].values()]
    assert found.identifiers.to_pylist()[:2] == ["What is 0?", "What is 1?"]
    older = {"version": 2, "results": answers(), "stats": {}}
    assert str(rep.compare(stored("o.json", older))) == str(rep.compare(path))
    lines = path.with_suffix(".jsonl")
    lines.write_text("".join(json.dumps(one) + "\n" for one in answers()))
    assert str(rep.compare(lines)) == str(rep.compare(path))
    sides = [
        stored(f"{name}.json", promptfoo([r for r in answers() if r["provider"]["label"] == name]))
        for name in ("gpt", "mini")
    ]
    assert str(rep.compare(*sides)) == str(rep.compare(path, a="gpt", b="mini"))


def test_scores_of_promptfoo_beside_success(stored):
    graded = [one | {"score": 0.5, "namedScores": {"tone": 0.25}} for one in answers()]
    path = stored("results.json", promptfoo(graded))
    with pytest.raises(rep.InputError, match=r"'score'.*score='success' or .*score='tone'"):
        rep.compare(path, a="gpt", b="mini")
    (found,) = rep.Scores.read(path, a="gpt", b="mini", score="success").datasets
    assert found.a.tolist() == [*SCORES["ours"]["law"].values()]
    (tone,) = rep.Scores.read(path, a="gpt", b="mini", score="tone").datasets
    assert set(tone.a) == {0.25}


def test_repeats_and_errors_of_promptfoo(stored):
    twice = stored("twice.json", promptfoo(answers() + answers()))
    with pytest.raises(rep.InputError, match="specify the column that identifies the runs with"):
        rep.compare(twice)
    assert rep.compare(twice, run="repeat").table["runs_a"].tolist() == [2]
    failed = answers()
    failed[4] |= {"failureReason": 2, "error": "429", "success": False}
    path = stored("failed.json", promptfoo(failed))
    with pytest.raises(rep.InputError, match=r"result 5.*score"):
        rep.compare(path)
    assert rep.compare(path, missing="drop").table["n"].tolist() == [19]


def test_prompts_and_providers_of_promptfoo(stored):
    short, long = ([one | {"prompt": {"label": p}} for one in answers()] for p in ("short", "long"))
    path = stored("results.json", promptfoo(short + long))
    prompts = {"a": "gpt", "b": "mini", "system": "provider", "dataset": "prompt"}
    assert set(rep.compare(path, **prompts).table["dataset"]) == {"short", "long"}
    with pytest.raises(rep.InputError, match="system"):
        rep.compare(path)
    alone = [one for one in short + long if one["provider"]["label"] == "gpt"]
    found = rep.Scores.read(stored("one.json", promptfoo(alone)), a="short", b="long")
    assert found.sizes == {"tests": 20}


def test_tests_of_promptfoo_that_differ_in_asserts(stored):
    first = answers()
    second = answers(testCase={"assert": [{"type": "contains"}]})
    found = rep.Scores.read(stored("r.json", promptfoo(first + second)), a="gpt", b="mini")
    assert found.sizes == {"tests": 40}


def test_tests_of_promptfoo_that_share_variables_are_matched_by_asserts(stored):
    """Not by their order, which is another where calls end in another order."""

    def of(provider, kinds):
        return [
            one | {"testCase": one["testCase"] | {"assert": [{"type": kind}]}}
            for kind in kinds
            for one in answers()
            if one["provider"]["label"] == provider
        ]

    a, b = of("gpt", ("contains", "cost")), of("mini", ("cost", "contains"))
    for one in a + b:
        one |= {"success": one["testCase"]["assert"][0]["type"] == "cost", "score": 1.0}
        one |= {"score": float(one["success"])}
    scores = rep.Scores.read(stored("a.json", promptfoo(a)), stored("b.json", promptfoo(b)))
    (found,) = scores.datasets
    assert found.a.tolist() == found.b.tolist()
    assert sorted(found.a) == [0] * 20 + [1] * 20


def test_versions_of_promptfoo(stored, tmp_path):
    """The first had no provider, and JSON Lines have variables to which outputs were added."""
    path = stored("results.json", promptfoo(answers()))
    first = [
        {"prompt": {"raw": f"What is {n}?", "display": f"[{one['provider']['label']}] {{{{q}}}}"}}
        | {key: one[key] for key in ("vars", "success", "score")}
        for n, one in enumerate(answers())
    ]
    first = stored("first.json", {"version": 1, "results": first, "stats": {}, "table": {}})
    names = {"a": "[gpt] {{q}}", "b": "[mini] {{q}}"}
    expected = read(rep.Scores.read(path, a="gpt", b="mini"))
    assert read(rep.Scores.read(first, **names)) == expected
    lines = answers()
    for n, one in enumerate(lines):
        one["vars"] = one["vars"] | {"stored": f"output {n}", "_conversation": [n]}
    again = lines[6] | {"failureReason": 2, "success": False, "score": 0, "error": "429"}
    file = tmp_path / "results.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in [again, *reversed(lines)]))
    assert read(rep.Scores.read(file, a="gpt", b="mini")) == expected
    batches = [{k: v for k, v in one.items() if k != "vars"} for one in lines]
    assert (
        read(rep.Scores.read(stored("e.json", {"results": batches}), a="gpt", b="mini")) == expected
    )


def test_errors_of_promptfoo_without_a_reason(stored):
    """An assertion that failed has an error, too, but a call that failed has no output."""
    older = [{k: v for k, v in one.items() if k != "failureReason"} for one in answers()]
    older = [one if one["success"] else one | {"error": "Expected x"} for one in older]
    older[4] |= {"success": False, "error": "429", "response": {"error": "429"}}
    found = rep.Scores.read(stored("r.json", promptfoo(older)), a="gpt", b="mini", missing="drop")
    assert found.sizes == {"tests": 19}


def test_providers_of_promptfoo_that_have_one_name(stored):
    alike = [one | {"provider": {"id": "openai:gpt", "label": ""}} for one in answers()]
    with pytest.raises(rep.InputError, match=r"same name, 'openai:gpt' with the prompt.*a.*label"):
        rep.compare(stored("r.json", promptfoo(alike)))


def test_tests_of_promptfoo_without_variables_are_matched_by_prompt(stored):
    stripped = [one | {"vars": {}, "testCase": {"assert": []}} for one in answers()]
    found = rep.Scores.read(stored("r.json", promptfoo(stripped)), a="gpt", b="mini")
    assert found.sizes == {"tests": 20}


def test_variables_of_promptfoo_that_are_called_as_columns(stored):
    named = [
        one | {"testCase": {"vars": {"q": n // 2, "score": 3, "system": "s", "dataset": "d"}}}
        for n, one in enumerate(answers())
    ]
    named = [one | {"namedScores": {"success": 0.5, "score": 0.25}} for one in named]
    path = stored("r.json", promptfoo(named))
    (found,) = rep.Scores.read(path, a="gpt", b="mini").datasets
    assert found.a.tolist() == [*SCORES["ours"]["law"].values()]


def test_many_tests_of_promptfoo(stored):
    """Naming the tests takes time in proportion to their number."""
    many = [result(COLUMNS[n % 2], n // 2, n % 3 > 0) for n in range(20_000)]
    start = time.process_time()
    assert rep.Scores.read(stored("r.json", promptfoo(many)), a="gpt", b="mini").sizes
    assert time.process_time() - start < 20


def test_a_table_with_providers_is_not_of_promptfoo(tmp_path):
    rows = [
        {"provider": provider, "item": item, "success": bool(right)}
        for provider, side in (("gpt", "ours"), ("mini", "base"))
        for item, right in SCORES[side]["law"].items()
    ]
    path = tmp_path / "table.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    columns = {"system": "provider", "instance": "item", "score": "success"}
    (found,) = rep.Scores.read(path, a="gpt", b="mini", **columns).datasets
    assert found.a.tolist() == [*SCORES["ours"]["law"].values()]


def test_promptfoo_that_is_broken(stored):
    broken = promptfoo([*answers(), {"provider": "gpt"}])
    with pytest.raises(rep.InputError, match="result 41 does not say whether it succeeded"):
        rep.compare(stored("r.json", broken))


# --- LeRobot -------------------------------------------------------------------------------------


def evaluation_of(side):
    return {
        "per_task": [
            {
                "task_group": "libero_10", "task_id": number,
                "metrics": {
                    "successes": [bool(x) for x in SCORES[side][name].values()],
                    "sum_rewards": [1.0] * 20, "max_rewards": [1.0] * 20, "video_paths": [],
                },
            }
            for number, name in enumerate(TRUE)
        ],
        "overall": {"pc_success": 50.0, "n_episodes": 40},
    }  # fmt: skip


def test_lerobot(stored):
    a, b = (stored(f"{name}.json", evaluation_of(name)) for name in AB.values())
    scores = rep.Scores.read(a, b)
    assert [dataset.name for dataset in scores.datasets] == ["libero_10 / 0", "libero_10 / 1"]
    for dataset, name in zip(scores.datasets, TRUE, strict=True):
        assert dataset.a.tolist() == [*SCORES["ours"][name].values()]
    rewards = rep.Scores.read(a, b, score="sum_reward").datasets[0]
    assert set(rewards.a) == {1}
    lacks = evaluation_of("base")
    del lacks["per_task"][1]["metrics"]["successes"]
    with pytest.raises(
        rep.InputError, match="'libero_10 / 1' does not list which of its episodes succeeded"
    ):
        rep.compare(a, stored("c.json", lacks))


def test_lerobot_of_one_task_is_matched_by_seed(stored):
    def one(side, seeds):
        of = {seed: bool(x) for seed, x in enumerate(SCORES[side]["law"].values())}
        episodes = [{"episode_ix": i, "seed": s, "success": of[s]} for i, s in enumerate(seeds)]
        return {"per_episode": episodes, "aggregated": {"pc_success": 50.0}}

    a = stored("a.json", one("ours", range(20)))
    b = stored("b.json", one("base", reversed(range(20))))
    (found,) = rep.Scores.read(a, b).datasets
    assert found.b.tolist() == [*SCORES["base"]["law"].values()]


def test_lerobot_without_seeds_and_with_tasks_that_differ(stored):
    def one(side):
        episodes = [
            {"episode_ix": n, "seed": None, "success": bool(x), "sum_reward": 1.0}
            for n, x in enumerate(SCORES[side]["law"].values())
        ]
        return stored(f"{side}.json", {"per_episode": episodes, "aggregated": {}})

    (found,) = rep.Scores.read(one("ours"), one("base")).datasets
    assert found.identifiers.to_pylist() == [str(n) for n in range(20)]
    a, b = (evaluation_of(name) for name in AB.values())
    a["per_task"], b["per_task"] = a["per_task"][:1], b["per_task"][1:]
    with pytest.raises(rep.InputError, match="libero_10 / 1"):
        rep.compare(stored("a.json", a), stored("b.json", b))
    b["per_task"][0]["task_id"] = 0
    (found,) = rep.Scores.read(stored("a.json", a), stored("b.json", b)).datasets
    assert found.name == "libero_10"


# --- DeepEval ------------------------------------------------------------------------------------


def run_of(side, **more):
    return {
        "testCases": [
            {
                "name": f"test_case_{n}", "input": f"question {item}", "success": bool(right),
                "metricsData": [
                    {"name": "Correctness", "score": right * 0.75, "success": bool(right)}
                ],
            }
            | more
            for n, (item, right) in enumerate(SCORES[side]["law"].items())
        ],
        "metricsScores": [],
    }  # fmt: skip


def test_deepeval(stored):
    a, b = (stored(f"{name}.json", run_of(name)) for name in AB.values())
    (found,) = rep.Scores.read(a, b, score="success").datasets
    assert found.a.tolist() == [*SCORES["ours"]["law"].values()]
    (found,) = rep.Scores.read(a, b, score="Correctness").datasets
    assert found.b.tolist() == [0.75 * x for x in SCORES["base"]["law"].values()]
    with pytest.raises(rep.InputError, match=r"'score'.*success, Correctness"):
        rep.compare(a, b)
    with pytest.raises(rep.InputError, match="test case 1 has no list of metrics, or does not say"):
        rep.compare(a, stored("c.json", run_of("base", success=None)), score="success")


def test_versions_of_deepeval(stored):
    a, b = (run_of(name) for name in AB.values())
    expected = read(rep.Scores.read(stored("a.json", a), stored("b.json", b), score="success"))
    latest = [{"testRunData": side} for side in (a, b)]
    spoken = [
        {
            "testCases": [],
            "conversationalTestCases": [
                {k: v for k, v in case.items() if k != "input"} | {"scenario": case["input"]}
                for case in side["testCases"]
            ],
        }
        for side in (a, b)
    ]
    older = json.loads(json.dumps([a, b]).replace("metricsData", "metricsMetadata"))
    for case in [case for side in older for case in side["testCases"]]:
        case["metricsMetadata"][0]["metric"] = case["metricsMetadata"][0].pop("name")
    for sides in (latest, spoken, older):
        files = [stored(f"{n}.json", side) for n, side in enumerate(sides)]
        assert read(rep.Scores.read(*files, score="success")) == expected
        assert rep.Scores.read(*files, score="Correctness").sizes == {"tests": 20}


def test_metrics_of_deepeval_that_failed_or_have_one_name(stored):
    a, b = (run_of(name) for name in AB.values())
    for case in a["testCases"]:
        case["metricsData"] += [{"name": "Correctness", "score": 0.5, "success": True}]
    case = b["testCases"][3]
    case["metricsData"] = [{"name": "Correctness", "success": False, "error": "429"}]
    case["success"] = False
    files = stored("a.json", a), stored("b.json", b)
    with pytest.raises(rep.InputError, match="missing"):
        rep.compare(*files, score="success")
    assert rep.Scores.read(*files, score="success", missing="drop").sizes == {"tests": 19}
    case["metricsData"] += [{"name": "Tone", "success": False, "score": 0.1}]
    files = files[0], stored("b.json", b)
    assert rep.Scores.read(*files, score="success").sizes == {"tests": 20}
    case["metricsData"][1]["flaky"] = True
    with pytest.raises(rep.InputError, match="missing"):
        rep.compare(files[0], stored("b.json", b), score="success")


# --- what is none --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        {"per_episode": [3], "aggregated": {}},
        {"per_task": [{"task_group": "g", "metrics": {}}, 3]},
        {"testCases": [{"success": True, "metricsData": [3]}]},
        {"results": [{"success": True, "prompt": {}, "vars": "text"}]},
    ],
)
def test_documents_that_are_broken(stored, content):
    path, other = stored("a.json", content), stored("b.json", {"q1": 1})
    with pytest.raises(rep.InputError, match=r"has an unexpected form|does not list"):
        rep.compare(path, other)


def test_numbers_and_deep_nests(stored):
    deep = 1
    for _ in range(300):
        deep = {"a": deep}
    with pytest.raises(rep.InputError, match="is one JSON object"):
        rep.compare(stored("deep.json", deep))
    with pytest.raises(rep.InputError, match="holds values that are not scores"):
        rep.compare(deep)
    with pytest.raises(rep.InputError, match="each line of the file must be a JSON object"):
        rep.compare(stored("number.json", 3), stored("b.json", {"q1": 1}))
