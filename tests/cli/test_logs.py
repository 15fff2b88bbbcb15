import io
import json
import shutil

import numpy as np
import pandas as pd
import pytest

from replicability.cli import layout, main, new


@pytest.fixture
def asked(capsys):
    """Return a function that runs a command and returns its answer."""

    def asked(*arguments):
        assert main([*map(str, arguments), "--json"]) == 0, capsys.readouterr().err
        return json.loads(capsys.readouterr().out)

    return asked


@pytest.fixture
def refused(capsys):
    """Return a function that runs a command that is refused, and returns the message."""

    def refused(*arguments):
        assert main([str(argument) for argument in arguments]) == 1
        return capsys.readouterr().err

    return refused


def seeds(runs, p, n=30, seed=1, **more):
    """Return a table with one row for each item and run, in no order."""
    rng = np.random.default_rng(seed)
    rows = [(f"q{i}", r, int(rng.random() < p)) for i in range(n) for r in range(runs)]
    frame = pd.DataFrame(rows, columns=["instance", "seed", "score"]).assign(**more)
    return frame.sample(frac=1, random_state=seed)


def test_two_files_with_runs(asked, write):
    a, b = seeds(3, 0.8), seeds(2, 0.4, seed=2)
    files = [write(f"{k}.csv", t.to_csv(index=False)) for k, t in (("a", a), ("b", b))]
    answer = asked("compare", *files, "--run", "seed")
    (row,) = answer["datasets"]
    means = [t.groupby("seed")["score"].mean() for t in (a, b)]
    assert (row["n"], row["runs_a"], row["runs_b"]) == (30, 3, 2)
    for side, of_runs in zip("ab", means, strict=True):
        assert row[f"score_{side}"] == pytest.approx(of_runs.mean())
        assert row[f"spread_{side}"] == pytest.approx(of_runs.std(ddof=1))
    assert any("Scores are means over runs: 3 runs of A" in note for note in answer["notes"])
    assert answer["test"] == "mean_difference"


def test_runs_in_two_datasets_are_laid_out_and_averaged_with_sizes(write, capsys, monkeypatch):
    monkeypatch.setattr(layout, "WIDTH", 1000)
    a, b = (
        pd.concat([seeds(runs, p, seed=s, dataset=d, size=2) for d, s in (("x", 1), ("y", 2))])
        for runs, p in ((3, 0.8), (1, 0.3))
    )
    files = [str(write(f"{k}.csv", t.to_csv(index=False))) for k, t in (("a", a), ("b", b))]
    assert main(["compare", *files, "--run", "seed", "--size", "size"]) == 0
    text = capsys.readouterr().out
    frame = pd.read_csv(
        io.StringIO("\n".join(line for line in text.splitlines() if line[:2] in ("x ", "y "))),
        sep=r"\s+",
        header=None,
    )
    assert frame[2].tolist() == ["3/1", "3/1"]
    assert "SD of runs" in text
    shares = a[a["dataset"] == "x"]["score"].mean() / 2
    assert f"{shares:.3f}" in text


@pytest.mark.parametrize(
    ("change", "arguments", "message"),
    [
        (lambda t: t, (), "specify the column that identifies the runs with --run"),
        (lambda t: t, ("--run", "sed"), "column 'sed' is not one of instance, seed, score"),
        (lambda t: t, ("--run", "score"), "cannot hold both the runs and the scores"),
        (lambda t: t[1:], ("--run", "seed"), "(for example, 'q"),
        (lambda t: pd.concat([t, t[:1]]), ("--run", "seed"), "more than once in the run"),
        (lambda t: t.assign(seed=""), ("--run", "seed"), "line 2: the run is empty"),
        (
            lambda t: t.assign(u=range(len(t))),
            ("--run", "seed", "--unit", "u"),
            "belongs to the unit '9' in one row and to '10' in another",
        ),
    ],
)
def test_bad_runs_by_message(refused, write, change, arguments, message):
    a, b = change(seeds(3, 0.8)), seeds(2, 0.4).assign(u=0)
    files = [write(f"{k}.csv", t.to_csv(index=False)) for k, t in (("a", a), ("b", b))]
    assert message in refused("compare", *files, *arguments)


def test_an_empty_run_of_a_relative_path_is_a_sentence(refused, write, monkeypatch):
    place = write("a.csv", seeds(2, 0.8).assign(seed="").to_csv(index=False)).parent
    write("b.csv", seeds(2, 0.4).to_csv(index=False))
    monkeypatch.chdir(place)
    said = refused("compare", "a.csv", "b.csv", "--run", "seed")
    assert said.startswith("a.csv, line 2: the run is empty")


def test_runs_of_ratings_are_refused(refused, write):
    a = write("a.csv", seeds(2, 0.5).to_csv(index=False))
    b = write("b.csv", seeds(2, 0.4).to_csv(index=False))
    gold = write("g.csv", seeds(1, 0.4).to_csv(index=False))
    message = "Ratings are compared with gold ratings item by item and are not averaged over runs"
    assert message in refused("compare", a, b, "--gold", gold, "--run", "seed")


def test_epochs_of_inspect_and_the_names_of_its_models(asked, tmp_path):
    folder = tmp_path / "logs"
    shutil.copytree(new.EXAMPLES / "inspect_ai", folder)
    for side, name in (("ours", "org/ours-1.5"), ("baseline", "org/baseline-1.0")):
        for path in (folder / side).iterdir():
            text = path.read_text(encoding="utf-8").replace(f'"{side}"', f'"{name}"')
            path.write_text(text, encoding="utf-8")
    answer = asked("compare", folder / "ours", folder / "baseline", "--independent")
    assert answer["systems"] == ["org/ours-1.5", "org/baseline-1.0"]
    assert [row["runs_a"] for row in answer["datasets"]] == [2, 2, 2]
    assert {row["metric"] for row in answer["datasets"]} == {"match"}
    assert f"org/ours-1.5 is read from {folder / 'ours'}." in answer["command"]["notes"][0]
    assert "The metric read from the files is match." in answer["notes"]


def log(rng, names=("acc", "acc_norm"), n=20):
    lines = [
        {"doc_id": i, "filter": "none", **{name: float(rng.random() < 0.5) for name in names}}
        for i in range(n)
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_a_metric_for_each_task(asked, refused, tmp_path):
    rng = np.random.default_rng(1)
    for side in ("org__m-3.1-8B", "org__m-3.2-3B"):
        (tmp_path / side).mkdir()
        for task, names in (("arc", ("acc", "acc_norm")), ("gsm8k", ("exact_match",))):
            (tmp_path / side / f"samples_{task}.jsonl").write_text(log(rng, names), "utf-8")
    files = "compare", tmp_path / "org__m-3.1-8B", tmp_path / "org__m-3.2-3B"
    answer = asked(*files, "--metric", "arc=acc_norm")
    assert answer["systems"] == ["org__m-3.1-8B", "org__m-3.2-3B"]
    assert [row["metric"] for row in answer["datasets"]] == ["acc_norm", "exact_match"]
    assert (
        "The metrics read from the files are acc_norm on 'arc'; exact_match on 'gsm8k'."
        in answer["notes"]
    )
    assert "task or group 'ark' is not one of arc, gsm8k" in refused(*files, "--metric", "ark=acc")
    assert "has the part 'acc', which is not of the form dataset=name" in refused(
        *files, "--metric", "arc=acc,acc"
    )
    assert "has no 'acc_norm'" in refused(*files, "--metric", "acc_norm")
    message = (
        "You can also use --datasets to choose the tasks that have this metric, or --metric to "
        "choose a metric for each task."
    )
    assert message in refused(*files, "--metric", "acc_norm")


def test_groups_of_tasks_are_bounded(asked, tmp_path):
    rng = np.random.default_rng(3)
    for side in "ab":
        (tmp_path / side).mkdir()
        for task in ("law", "logic", "piqa"):
            (tmp_path / side / f"samples_{task}.jsonl").write_text(log(rng), encoding="utf-8")
    results = {"group_subtasks": {"mmlu": ["law", "logic"]}, "model_name": "org/a-1.5"}
    (tmp_path / "a" / "results_1.json").write_text(json.dumps(results), encoding="utf-8")
    answer = asked("compare", tmp_path / "a", tmp_path / "b")
    (group,) = answer["findings"][0]["groups"]
    assert (group["group"], group["datasets"]) == ("mmlu", ["law", "logic"])
    assert answer["systems"] == ["a", "b"]  # of which only one names its model
    few = asked("compare", tmp_path / "a", tmp_path / "b", "--datasets", "law", "logic")
    assert few["findings"][0]["groups"] == []  # of all datasets the sentence speaks anyway


def test_files_are_runs_where_the_command_says_so(asked, refused, tmp_path):
    rng = np.random.default_rng(2)
    for side, runs in (("a", 2), ("b", 3)):
        for run in range(runs):
            place = tmp_path / side / f"seed{run}"
            place.mkdir(parents=True)
            (place / "samples_arc.jsonl").write_text(log(rng), encoding="utf-8")
    files = "compare", tmp_path / "a", tmp_path / "b"
    assert "set --run to file" in refused(*files)
    (row,) = asked(*files, "--run", "file")["datasets"]
    assert (row["runs_a"], row["runs_b"], row["metric"]) == (2, 3, "acc")
    assert "--run is 'seed', but logs have no columns" in refused(*files, "--run", "seed")
