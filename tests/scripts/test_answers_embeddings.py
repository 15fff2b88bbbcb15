"""Outcomes of embedding models: what is read and chosen, and what is refused."""

import io
import json
import re
import sys
import tarfile

import pandas as pd
import pytest

from analysis import paths

sys.path.insert(0, str(paths.ROOT / "scripts" / "leaderboards"))
import answers
import embeddings


def result(task="PoemClassification", revision="r1", score=0.5, subset="default", **more):
    """Return the content of a file: ten experiments, with accuracies from a score upwards."""
    each = [{"accuracy": score + k / 1000} for k in range(more.pop("experiments", 10))]
    row = {"hf_subset": subset, "accuracy": score, "scores_per_experiment": each} | more
    scores = {"test": [row], "validation": [row | {"hf_subset": "other"}]}
    return {"task_name": task, "dataset_revision": revision, "scores": scores}


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """Return a function that writes (model, content) into an archive; three tasks are enough."""
    monkeypatch.setattr(embeddings, "TASKS", 3)

    def write(*files):
        path = tmp_path / "results.tar.xz"
        with tarfile.open(path, "w:xz") as opened:
            for place, (model, content) in enumerate(files):
                data = json.dumps(content).encode()
                info = tarfile.TarInfo(f"results/org__{model}/{place}/{content['task_name']}.json")
                info.size = len(data)
                opened.addfile(info, io.BytesIO(data))
        return path

    return write


def run(path, output):
    return answers.run(embeddings.outcomes, "", [str(path), "--output", str(output)])


def of(model, **more):
    tasks = ("PoemClassification", "NewsClassification", "DalajClassification")
    return [(model, result(task, **more)) for task in tasks]


def test_models_with_all_tasks_are_chosen(archive, tmp_path):
    files = [*of("one"), *of("two", score=0.25), *of("baseline-random-encoder")]
    files += [("three", result()), ("three", result("RareClassification"))]
    assert run(archive(*files), tmp_path / "o.parquet") == 0
    made = pd.read_parquet(tmp_path / "o.parquet")
    assert list(made.columns) == ["dataset", "experiment", "one", "two"]
    assert list(made["dataset"].unique()) == ["Dalaj", "News", "Poem"]
    assert made["experiment"].tolist() == [*range(10)] * 3
    assert made["one"][3] == 0.503
    assert (made["one"] - made["two"]).round(9).eq(0.25).all()


def test_tasks_whose_data_were_revised_are_left_out(archive, tmp_path):
    files = [*of("one"), *of("two")[:2], ("two", result("DalajClassification", revision="r2"))]
    assert run(archive(*files), tmp_path / "o.parquet") == 0
    made = pd.read_parquet(tmp_path / "o.parquet")
    assert list(made["dataset"].unique()) == ["News", "Poem"]


def test_languages_are_datasets_and_other_parts_are_not_read(archive, tmp_path):
    rows = [result(subset=name) for name in ("de", "fr", "it")]
    content = rows[0]
    content["scores"]["test"] = [row["scores"]["test"][0] for row in rows]
    assert run(archive(("one", content)), tmp_path / "o.parquet") == 0
    made = pd.read_parquet(tmp_path / "o.parquet")
    assert list(made["dataset"].unique()) == ["Poem (de)", "Poem (fr)", "Poem (it)"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([("one", result(score=1.5))], "1.5 is not an accuracy between 0 and 1"),
        (
            [("one", result()), ("one", result())],
            "'one' has 'Poem' twice; it is unclear which one counts",
        ),
        ([("one", result(experiments=3))], "no model has all 3 tasks"),
        ([("one", result()), ("two", result("NewsClassification"))], "no model has all 3 tasks"),
        ([("one", {"task_name": "X"})], "has no 'scores'; the layout has changed"),
    ],
)
def test_results_that_do_not_fit_are_refused(archive, tmp_path, capsys, files, message):
    assert run(archive(*files), tmp_path / "o.parquet") == 1
    assert re.search(message, capsys.readouterr().err)
    assert not (tmp_path / "o.parquet").exists()


def test_a_file_that_is_no_archive_is_refused(tmp_path, capsys):
    (tmp_path / "broken.tar.xz").write_bytes(b"no archive")
    assert run(tmp_path / "broken.tar.xz", tmp_path / "o.parquet") == 1
    assert "is not a complete archive of JSON files" in capsys.readouterr().err
    assert run(tmp_path / "none.tar.xz", tmp_path / "o.parquet") == 1
