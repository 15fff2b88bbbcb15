"""The command line on workbooks, Arrow, JSON, logs of evaluations and lists, and their options."""

import json
import re

import pandas as pd
import pyarrow as pa
import pytest
import workbook

import replicability
from replicability import cli
from replicability.cli import new
from replicability.io import formats

EXAMPLES = new.EXAMPLES


@pytest.fixture
def asked(tmp_path, monkeypatch, capsys):
    """Return a function that asks in an empty folder, and returns the answer."""
    monkeypatch.chdir(tmp_path)

    def asked(*arguments):
        code = cli.main([*map(str, arguments), "--json"])
        said = capsys.readouterr()
        assert code == 0, said.err
        return json.loads(said.out)

    return asked


@pytest.fixture
def refused(tmp_path, monkeypatch, capsys):
    """Return a function that asks what is refused, and returns the sentence."""
    monkeypatch.chdir(tmp_path)

    def refused(*arguments):
        assert cli.main(list(map(str, arguments))) == 1
        return capsys.readouterr().err.rstrip()

    return refused


def rounded(answer):
    return [(d["dataset"], round(d["p_value"], 12)) for d in answer["datasets"]]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["helm", "every_eval_ever", "nemo_evaluator", "ids"])
def test_what_is_recognised_is_said(asked, capsys, kind):
    items = ["--items", "14"] if kind == "ids" else []
    name = "/news.json" if kind == "ids" else ""
    ours, theirs = (f"{EXAMPLES / kind / side}{name}" for side in ("ours", "baseline"))
    given = ["compare", ours, theirs, "--independent", *items, "--json"]
    for told in ([], ["--format", kind]):
        assert cli.main([*given, *told]) == 0
        found = capsys.readouterr()
        said = f"Read {ours} and {theirs} as {kind}: {formats.get(kind).title}: A is "
        assert found.err == "" if told else found.err.startswith(said)
    answer = json.loads(found.out)
    assert asked(*given)["datasets"] == answer["datasets"]
    # the examples hold the same outcomes in every format
    tasks = asked("compare", *(EXAMPLES / "lm_eval" / side for side in ("ours", "baseline")))
    wanted = [pair for pair in rounded(tasks) if kind != "ids" or pair[0] == "news"]
    assert [pair[1] for pair in rounded(answer)] == [pair[1] for pair in wanted]


def test_spans_are_recognised_beside_gold(asked, refused, tmp_path):
    gold, ours, theirs = (EXAMPLES / "spans" / side for side in ("gold", "ours", "baseline"))
    told = asked("compare", ours, theirs, "--gold", gold, "--format", "spans")
    assert rounded(asked("compare", ours, theirs, "--gold", gold)) == rounded(told)
    news = [side / "news.tsv" for side in (ours, theirs, gold)]
    (found,) = rounded(asked("compare", *news[:2], "--gold", news[2]))
    assert found in rounded(told)
    assert "The format 'spans' holds outputs, which must be compared with gold files" in refused(
        "compare", ours, theirs
    )
    for name, text in {"grades.tsv": "d1\tB\nd2\tO\n", "t.tsv": "id\ttag\nx\tB-PER\n"}.items():
        (tmp_path / name).write_text(text)
        assert formats.guess(tmp_path / name) == "table"


def test_how_many_instances_there_are(asked, refused, tmp_path):
    (tmp_path / "a.txt").write_text("x1\nx2\n")
    (tmp_path / "b.txt").write_text("x1\n")
    (tmp_path / "all.txt").write_text("x1\tnews\nx2\tmail\nx3\tmail\n")
    files = ["compare", "a.txt", "b.txt", "--format", "ids"]
    (whole,) = asked(*files, "--items", 3)["datasets"]
    assert (whole["n"], whole["score_a"], whole["score_b"]) == (3, 2 / 3, 1 / 3)
    parts = asked(*files, "--items", "all.txt", "--independent")["datasets"]
    assert [(d["dataset"], d["n"]) for d in parts] == [("news", 1), ("mail", 2)]
    (mail,) = asked(*files, "--items", "all.txt", "--datasets", "mail")["datasets"]
    assert mail["score_a"] == 1 / 2
    (turned,) = asked(*files, "--items", 3, "--lists", "wrong")["datasets"]
    assert (turned["score_a"], turned["score_b"]) == (1 / 3, 2 / 3)
    assert "set --items to the total number of items, or to a file" in refused(*files)


def test_parts_and_matching_by_place(asked, refused, tmp_path):
    spans = EXAMPLES / "spans"
    files = [spans / side / "news.tsv" for side in ("ours", "baseline")]
    gold = ["--gold", spans / "gold" / "news.tsv", "--format", "spans", "--test", "wilcoxon"]
    types = asked("compare", *files, *gold, "--by", "type")["datasets"]
    assert len(types) > 1
    changed = tmp_path / "ours.tsv"
    changed.write_text(files[0].read_text(encoding="utf-8").replace("described", "describd"))
    told = asked("compare", changed, files[1], *gold, "--match", "place")
    assert any("has 'describd' instead of 'described'" in note for note in told["notes"])
    assert re.search(
        "match words by position with --match", refused("compare", changed, files[1], *gold)
    )


def test_a_column_that_parts_a_table(asked, refused, tmp_path):
    for side, shift in (("a", 1), ("b", 0)):
        rows = [f"{i},{'xy'[i % 2]},{(i + shift) % 3 > 0:d}\n" for i in range(12)]
        (tmp_path / f"{side}.csv").write_text("".join(["instance,part,score\n", *rows]))
    by = asked("compare", "a.csv", "b.csv", "--by", "part")
    assert by["datasets"] == asked("compare", "a.csv", "b.csv", "--dataset", "part")["datasets"]
    assert len(by["datasets"]) == 2
    both = ["--by", "part", "--dataset", "part"]
    assert "use only one of them" in refused("compare", "a.csv", "b.csv", *both)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["xlsx", "jsonl", "json", "feather", "parquet"])
def test_p_values_and_scores_however_they_are_stored(asked, tmp_path, ending):
    ps = pd.DataFrame({"dataset": ["one", "two"], "p": [0.001, 0.02]})
    scores = pd.DataFrame({"instance": [f"i{n}" for n in range(9)], "score": [1.0] * 6 + [0.0] * 3})
    tables = {"p": ps, "a": scores, "b": scores.assign(score=1 - scores["score"])}
    for name, table in tables.items():
        path = tmp_path / f"{name}.{ending}"
        table.to_csv(tmp_path / f"{name}.csv", index=False)
        if ending == "xlsx":
            workbook.write(path, [list(table), *table.astype(object).to_numpy().tolist()])
        elif ending.startswith("json"):
            table.to_json(path, orient="records", lines=ending == "jsonl")
        else:
            getattr(table, f"to_{ending}")(path)
    for arguments in (["pvalues", "p.{}"], ["compare", "a.{}", "b.{}"]):
        found, plain = (asked(*(a.format(e) for a in arguments)) for e in (ending, "csv"))
        assert found["datasets"] == plain["datasets"]
        assert found["systems"] == plain["systems"]


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        (
            {"results.json": {"results": {}, "configs": {}}},
            "aggregated results of lm-evaluation-harness",
        ),
        ({"stats.json": [{"name": {"name": "em"}, "count": 1}]}, "holds HELM's stats.json"),
        ({"arc.json": {"mteb_version": "1", "scores": {}}}, "holds an MTEB result"),
    ],
)
def test_what_is_summed_up_is_refused_in_files_and_folders(refused, tmp_path, files, sentence):
    for side in ("a", "b"):
        for name, content in files.items():
            path = tmp_path / side / "model" / name
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(content))
    (name,) = files
    for paths in (["a", "b"], [f"a/model/{name}", f"b/model/{name}"]):
        message = refused("compare", *paths)
        assert sentence in message
        assert "P-values cannot be computed from one number" in message


def test_arrow_without_its_ending_is_named(refused, tmp_path):
    table = pa.table({"dataset": ["one"], "p": [0.01]})
    with pa.ipc.new_file(tmp_path / "p.csv", table.schema) as writer:
        writer.write_table(table)
    assert "give it a name that ends in .arrow or .feather" in refused("pvalues", "p.csv")


def test_a_row_for_each_system_and_a_column_for_each_item(capsys, asked, refused, tmp_path):
    path = EXAMPLES / "matrix" / "scores.csv"
    assert cli.main(["compare", str(path), "--independent", "--json"]) == 0
    said = capsys.readouterr()
    assert (
        "as a table with a row for each system and a column for each item, systems named in its "
        "column 'model': A is 'ours', B is 'baseline'. There are "
    ) in said.err
    matrix = json.loads(said.out)
    tasks = asked("compare", *(EXAMPLES / "lm_eval" / side for side in ("ours", "baseline")))
    assert sorted(rounded(matrix)) == rounded(tasks)  # the same outcomes
    frame = pd.read_csv(path)
    result = replicability.compare(frame, dependence="independent")
    assert result.table["p_value"].tolist() == [d["p_value"] for d in matrix["datasets"]]
    frame.assign(model="ours").to_csv(tmp_path / "one.csv", index=False)
    assert "has 1 system in its column 'model' ('ours')" in refused("compare", "one.csv")


def test_the_number_of_flips(asked, refused, tmp_path):
    for side, shift in (("a", 1), ("b", 0)):
        rows = [
            f"{d},{i},{(3 * i + shift * (i % 4 > 0)) % 5 / 4}\n" for d in "xy" for i in range(40)
        ]
        (tmp_path / f"{side}.csv").write_text("".join(["dataset,instance,score\n", *rows]))
    files = ["compare", "a.csv", "b.csv"]
    few = asked(*files, "--shared", "--flips", 200)
    assert any("200 joint sign flips" in note for note in few["notes"])
    assert asked(*files, "--shared", "--flips", 10000) == asked(*files, "--shared")
    assert "--flips is 5, but the number of flips must be a whole number from 20" in refused(
        *files, "--shared", "--flips", 5
    )
    assert "leave it out, or declare shared units with --shared" in refused(*files, "--flips", 200)
