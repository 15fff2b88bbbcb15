"""Results of NeMo Evaluator."""

import json

import pytest

import replicability as rep
from replicability.io import formats


@pytest.fixture
def run(tmp_path):
    """Return a function that stores the records of a system, and returns its folder."""

    def run(system, rewards, bench="gsm8k", repeats=1, **more):
        place = tmp_path / system / bench
        place.mkdir(parents=True)
        rows = [
            {"problem_idx": n, "repeat": r, "reward": reward, "expected_answer": f"x{n}"} | more
            for r in range(repeats)
            for n, reward in enumerate(rewards)
        ]
        (place / "results.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        return tmp_path / system

    return run


def test_folders_and_files(run):
    a, b = run("a", [1, 1, 1, 0, 1, 1]), run("b", [0, 0, 0, 0, 1, 0])
    assert formats.guess(a) == formats.guess(a / "gsm8k" / "results.jsonl") == "nemo_evaluator"
    (found,) = rep.Scores.read(a, b).datasets
    assert (found.name, found.a.tolist()) == ("gsm8k", [1, 1, 1, 0, 1, 1])
    files = [side / "gsm8k" / "results.jsonl" for side in (a, b)]
    assert rep.Scores.read(*files).datasets[0].b.tolist() == found.b.tolist()
    for file in files:
        (file.parent / "eval-20260225T143012Z-gsm8k_cot.json").write_text("{}")
    assert [d.name for d in rep.Scores.read(a, b).datasets] == ["gsm8k_cot"]


def test_repeats_are_runs(run):
    a, b = run("a", [1, 1, 1, 0], repeats=3), run("b", [0, 0, 1, 0], repeats=2)
    found = rep.compare(a, b).table
    assert (found["runs_a"].tolist(), found["runs_b"].tolist()) == ([3], [2])


def test_bad_results(run, tmp_path):
    a = run("a", [1, 1, 1, 0])
    with pytest.raises(rep.InputError, match="has the expected answer 'y', but 'x0'"):
        rep.compare(a, run("other", [1, 0, 0, 0], expected_answer="y"))
    with pytest.raises(rep.InputError, match=r"line 2: 'reward' is None"):
        rep.compare(a, run("failed", [1, None, 0, 0]))
    failed = rep.compare(a, tmp_path / "failed", missing="wrong").table
    assert failed["score_b"].tolist() == [0.25]
    with pytest.raises(rep.InputError, match=r"line 1: 'problem_idx' is 0\.5"):
        rep.compare(a, run("half", [1, 0, 0, 0], problem_idx=0.5))
    sums = tmp_path / "sums"
    sums.mkdir()
    (sums / "results.yml").write_text("results: {}\n")
    with pytest.raises(
        rep.InputError, match=r"contains no results\.jsonl\. Its results\.yml has only aggregates"
    ):
        rep.compare(sums, a)


FAILED = {
    "infra": {"error": "no GPU", "error_category": "infra_error", "method": "infra_error"},
    "system": {"error": "no GPU", "error_category": "system", "retries_exhausted": 3},
    "judge": {"judge": {"error": "no GPU", "total": None}, "needs_judge": False},
}


@pytest.mark.parametrize("kind", FAILED)
def test_a_reward_of_an_error_is_no_score(run, tmp_path, kind):
    """The evaluator writes 0 where the machine or the judge failed, not only where a model did."""
    a, b = run("a", [1, 1, 1, 0]), run("b", [1, 0, 0, 0])
    file = b / "gsm8k" / "results.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    rows[1]["scoring_details"] = {"error_category": "graceful", "error": "no answer in time"}
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert rep.compare(a, b).table["n"].tolist() == [4]
    rows[2]["scoring_details"] = FAILED[kind]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(rep.InputError, match=r"line 3: the run ended in an error \('no GPU'\), so"):
        rep.compare(a, b)
    assert rep.compare(a, b, missing="drop").table["n"].tolist() == [3]


def test_repeats_that_are_numbered_as_problems_are_refused(run):
    sides = run("a", [1, 1, 1, 0]), run("b", [1, 0, 0, 0])
    bundles = [side / "gsm8k" / "eval-20260225T143012Z-gsm8k.json" for side in sides]
    for said in ({"benchmark": {"repeats": 1}}, {}, []):
        for bundle in bundles:
            bundle.write_text(json.dumps(said))
        assert rep.compare(*sides).table["n"].tolist() == [4]
    bundles[1].write_text(json.dumps({"benchmark": {"repeats": 2}}))
    with pytest.raises(rep.InputError, match=r"was run 2 times, but the records of .* one run"):
        rep.compare(*sides)
