"""A study's whole report by one command: the files of the notebook, all or nothing."""

# ruff: noqa: E501 - a row of the table of faults is a line
import hashlib
import importlib.util
import io
import itertools
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import nbformat
import pandas as pd
import pytest
import yaml

from analysis import paths
from replicability import cli
from replicability.core import evaluation
from replicability.io import progress, provenance
from replicability.io.study import read_study
from replicability.show import html_made, html_report

EXAMPLE = "config/example.yaml"


def contents(folder):
    """Return the files of a folder at any depth: relative path -> bytes."""
    found = (path for path in sorted(Path(folder).rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """Run the example; return the folder of its report."""
    folder = tmp_path_factory.mktemp("run") / "report"
    assert cli.main(["run", str(paths.ROOT / EXAMPLE), "--into", str(folder)]) == 0
    return folder


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Write a study of p-values and return a function that runs it in its folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("dataset,p\none,0.001\ntwo,0.3\n", encoding="utf-8")

    def small(*arguments, status=0, **changes):
        block = {"name": "ours", "systems": ["A", "B"], "dependence": "independent",
                 "file": "p.csv", "columns": {"dataset": "dataset", "p_value": "p"}}  # fmt: skip
        study = {"study": "mine", "alphas": [0.05], "comparisons": [block | changes]}
        Path("mine.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")
        assert cli.main(["run", "mine.yaml", *arguments]) == status
        return contents(".")

    return small


@pytest.mark.long
def test_the_files_are_those_of_the_notebook_to_the_byte(example, tmp_path, monkeypatch):
    monkeypatch.chdir(paths.ROOT / "notebooks")
    names = {"display": lambda shown: None}
    for cell in nbformat.read("your_comparison.ipynb", as_version=4).cells:
        if cell.cell_type == "code" and "nbval-ignore-output" not in cell.metadata.get("tags", []):
            exec(compile(cell.source, "cell", "exec"), names)
            if "parameters" in cell.metadata.get("tags", []):
                assert names["study"] == EXAMPLE
                names["outputs"] = str(tmp_path)
    by_notebook, by_run = contents(tmp_path), contents(example)
    page = by_notebook["report/report.html"]
    commands = [
        f'id="command">{call}'.encode()
        for call in (f"make study STUDY={EXAMPLE}", f"replicability run {EXAMPLE}")
    ]
    assert page.count(commands[0]) == 1
    by_notebook["report/report.html"] = page.replace(*commands)
    assert {"report/report.html", "figures/three_parsers.png", "tables/counts.csv"} <= set(
        by_notebook
    )
    assert {name: by_run.get(name) for name in by_notebook} == by_notebook
    endings = {"tables": ("csv", "md", "tex", "html"), "figures": ("png", "svg")}
    family = {
        f"{kind}/three_parsers{end}.{ending}"
        for kind, end in (("tables", ""), ("tables", "_jointly"), ("figures", "_layers"))
        for ending in endings[kind]
    }
    assert set(by_run) - set(by_notebook) == family | {"provenance.json"}


@pytest.mark.slow
def test_tables_are_in_full_precision_and_have_the_matrix_of_a_family(example):
    study = read_study(EXAMPLE)
    expected = evaluation.evaluate(study.comparisons[0])
    table = pd.read_csv(example / "tables" / "stanford_uppsala.csv")
    for column in ("p_value", "p_reverse", "difference", "low", "high"):
        assert table[column].tolist() == expected[column].tolist()
    assert {"named", "named at 0.01"} <= set(table)
    matrix = pd.read_csv(example / "tables" / "three_parsers.csv", index_col="A")
    assert set(matrix.index) == set(study.families[0].systems) == set(matrix)
    assert matrix.loc["Stanford", "baseline"] > matrix.loc["baseline", "Stanford"] == 0
    assert "the number of datasets (of 15) on which the row's system is better" in (
        (example / "tables" / "three_parsers.tex").read_text(encoding="utf-8")
    )


@pytest.mark.slow
def test_the_record_says_what_made_every_file(example):
    record = json.loads((example / "provenance.json").read_text(encoding="utf-8"))
    made = contents(example)
    del made["provenance.json"]
    assert record["outputs"] == {
        name: hashlib.sha256(content).hexdigest() for name, content in made.items()
    }
    assert list(record["data"]) == [EXAMPLE, "data/outcomes/parsing.parquet"]
    assert (record["study"], record["alphas"]) == ("example", [0.05, 0.01])


@pytest.mark.long
def test_the_answer_names_sentences_and_places(capsys, tmp_path, monkeypatch):
    for name in ("config", "data", "replicability"):
        (tmp_path / name).symlink_to(paths.ROOT / name)
    monkeypatch.chdir(tmp_path)
    for arguments in (["--help"], ["run", "--help"]):
        with pytest.raises(SystemExit) as stop:
            cli.main(arguments)
        assert stop.value.code == 0
        text = capsys.readouterr().out.partition("examples:")[2].partition("\nkeys of --json")[0]
        blocks = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
        assert len(blocks) == (3 if arguments == ["--help"] else 2)
        for block in blocks:
            line, _, output = block.partition("\n")
            output = " ".join(output.partition("\nEach command")[0].split())
            assert cli.main(shlex.split(line)[3:]) == 0
            printed = " ".join(capsys.readouterr().out.split())
            assert printed.startswith(output.removesuffix(" ...")), line
            assert output.endswith(" ...") or printed == output
    assert (tmp_path / "results" / "example" / "report" / "report.html").is_file()


def test_without_arguments_the_help_is_the_answer(capsys):
    assert cli.main([]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.count("\n$ python -m replicability ") == 3


FAMILIES = """\
study: mine
alphas: [0.05]
families:
  - name: everyone
    file: s.csv
    columns: &c {dataset: dataset, instance: item, scores: [new, base, old]}
    dependence: dependent
  - {name: checkpoints, file: s.csv, columns: *c, dependence: dependent, against: base}
"""


@pytest.mark.slow
def test_families_are_told_and_drawn_by_what_they_ask(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [(d, k, k % d > 0, k % 5 == 0, k % 2) for d in (4, 5, 7) for k in range(90)]
    table = pd.DataFrame(rows, columns=["dataset", "item", "new", "base", "old"])
    table.astype(int).to_csv("s.csv", index=False)
    Path("mine.yaml").write_text(FAMILIES, encoding="utf-8")
    assert cli.main(["run", "mine.yaml"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "3 of 3 pairs of systems differ significantly on at least one of 3 datasets" in said
    assert "2 of 2 systems are significantly better than base" in said
    drawn = {path.stem for path in Path("results/mine/figures").glob("*.png")}
    assert drawn == {"everyone", "everyone_layers", "checkpoints", "checkpoints_forest"}


@pytest.mark.slow
def test_a_report_lies_in_the_current_folder(small, capsys):
    made = small()
    assert {name for name in made if name.startswith("results/mine/")} >= {
        "results/mine/report/report.html",
        "results/mine/tables/ours.csv",
        "results/mine/figures/ours.svg",
        "results/mine/provenance.json",
    }
    assert "A outperforms B on at least 1 of 2 datasets" in capsys.readouterr().out
    page = made["results/mine/report/report.html"].decode()
    assert "replicability run mine.yaml" in page
    assert "make study" not in page
    assert "study: mine" in page  # the file as it is written
    assert set(small("--into", "else/where")) > set(made)


@pytest.mark.slow
def test_what_is_not_made_any_more_goes_unless_somebody_changed_it(small):
    small()
    Path("results/mine/tables/ours.md").write_text("mine", encoding="utf-8")
    Path("results/mine/notes.txt").write_text("mine", encoding="utf-8")
    made = small(name="theirs")
    assert "results/mine/tables/theirs.csv" in made
    left = {name for name in made if "/ours." in name}
    assert left == {"results/mine/tables/ours.md"}
    assert made["results/mine/notes.txt"] == b"mine"


@pytest.mark.slow
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_run_that_fails_overwrites_nothing(small, monkeypatch, capsys, error):
    before = small()
    Path("p.csv").write_text("dataset,p\none,0.9\ntwo,0.8\n", encoding="utf-8")

    def fail(*arguments, **options):
        raise error

    monkeypatch.setattr(html_report, "save", fail)  # after all tables and figures
    if isinstance(error, OSError):
        small(status=1)
        assert re.search(
            r"results/mine could not be written: no space left .* free some space and run again",
            capsys.readouterr().err,
        )
    else:
        with pytest.raises(KeyboardInterrupt):
            small()
    after = contents(".")
    assert {n: c for n, c in after.items() if n != "p.csv"} == {
        n: c for n, c in before.items() if n != "p.csv"
    }


def test_a_record_that_is_none_is_no_reason_to_remove(tmp_path):
    for content in ("", "[]", '{"outputs": 3}', "{}"):
        (tmp_path / "provenance.json").write_text(content, encoding="utf-8")
        assert provenance.made_before(tmp_path / "provenance.json") == {}


# name, changes of the block, arguments, the message
REFUSED = [
    ("a file for a folder", {}, ["--into", "p.csv"], r"^p\.csv is a file; give a folder for the report\.$"),
    ("a name of every report", {"name": "counts"}, [], r"The name 'counts' is reserved for a table or figure of the report; give the comparison another name\."),
    ("a missing file", {"file": "q.csv"}, [], r"^q\.csv does not exist; did you mean 'p\.csv'\?$"),
    ("a p-value above 1", {"file": "two.csv"}, [], r"^two\.csv, line 2, column 'p': the value is '2'"),
    ("an unknown key", {"fille": "p.csv"}, [], r"^mine\.yaml: .*'fille'"),
    ("an unknown test", {"test": "mcnemmar"}, [], r"^mine\.yaml: .*'mcnemmar'.*did you mean 'mcnemar'"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "arguments", "message"), [row[1:] for row in REFUSED],
                         ids=[row[0] for row in REFUSED])  # fmt: skip
def test_a_fault_of_a_study_is_one_sentence(small, capsys, changes, arguments, message):
    Path("two.csv").write_text("dataset,p\none,2\n", encoding="utf-8")
    made = small(*arguments, status=1, **changes)
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert re.search(message, said.err.rstrip())
    assert set(made) == {"p.csv", "two.csv", "mine.yaml"}


def test_nothing_to_report_is_a_sentence(capsys, tmp_path):
    study = tmp_path / "mine.yaml"
    study.write_text("study: mine\nalphas: [0.05]\ntest_sizes: {}\n", encoding="utf-8")
    status = cli.main(["run", str(study), "--into", str(tmp_path / "out")])
    said = capsys.readouterr().err
    assert status == 1
    assert "has no comparisons or families" in said or "test_sizes" in said
    assert not (tmp_path / "out").exists()


def test_what_draws_is_missing(small, monkeypatch, capsys):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name, *a: None if name == "jinja2" else find(name, *a)
    )
    small(status=1)
    assert re.fullmatch(
        r"A report needs jinja2; install the extra 'report' with: .*\n",
        capsys.readouterr().err,
    )


@pytest.mark.slow
def test_a_family_alone_is_a_report(example, tmp_path, capsys):
    study = yaml.safe_load((paths.ROOT / EXAMPLE).read_text(encoding="utf-8"))
    del study["comparisons"]
    (tmp_path / "family.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")
    folder = tmp_path / "out"
    assert cli.main(["run", str(tmp_path / "family.yaml"), "--into", str(folder)]) == 0
    assert "Wrote" in capsys.readouterr().out
    tables = {name for name in contents(folder) if name.startswith("tables/")}
    matrices = {"three_parsers", "three_parsers_jointly"}
    assert {Path(name).stem for name in tables} == {"families", *matrices}


def test_references_are_those_of_the_citation_file():
    cited = yaml.safe_load((paths.ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    paper, (method, software) = cited["preferred-citation"], dict(html_made.CITATIONS).values()
    for author in paper["authors"]:
        assert f"{author['given-names']} {author['family-names']}" in method
    end = (
        f"{paper['title']}. {paper['journal']} {paper['volume']}, {paper['start']}–{paper['end']}."
    )
    assert method.endswith(f"({paper['year']}). {end}")
    assert software == (
        f"{cited['authors'][0]['name']}. {cited['title']}. Version {cited['version']}, "
        f"{cited['license']} licence."
    )


# --- progress ------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "step", "shown"),
    [(Terminal, 0.6, True), (Terminal, 0.001, False), (io.StringIO, 0.6, False)],
)
def test_a_bar_is_on_terminals_alone_and_after_a_second(monkeypatch, stream, step, shown):
    clock = itertools.count(0, step)
    monkeypatch.setattr("tqdm.std.time", lambda: next(clock))
    monkeypatch.setattr("sys.stderr", stream())
    assert list(progress.watched(range(5), "datasets")) == list(range(5))
    said = sys.stderr.getvalue()
    assert ("datasets" in said and "/5" in said) == shown
    if shown:
        assert said.endswith("\r")  # the line is wiped
    else:
        assert said == ""


# --- what `compare` writes ------------------------------------------------------------------------

WIDE = paths.ROOT / "replicability" / "cli" / "example" / "wide" / "scores.csv"


def compared(capsys, *arguments):
    assert cli.main(["compare", *map(str, arguments), "--independent", "--json"]) == 0
    said = capsys.readouterr()
    return json.loads(said.out), said.err


@pytest.mark.slow
def test_one_table_answers_like_two_files(capsys, tmp_path):
    scores = [WIDE.parents[1] / "scores" / f"{name}.csv" for name in ("ours", "baseline")]
    two, said = compared(capsys, *scores)
    assert said == ""
    wide, said = compared(capsys, WIDE)
    assert said.startswith("Read ")
    assert "a column for each system: A is 'ours', B is 'baseline'." in said
    table = pd.read_csv(WIDE).melt(["dataset", "instance"], var_name="Model", value_name="score")
    table.to_csv(tmp_path / "long.csv", index=False)
    long, said = compared(capsys, tmp_path / "long.csv")
    assert "named in its column 'Model': A is 'ours', B is 'baseline'." in said
    bare = pd.read_csv(WIDE).drop(columns="instance")
    bare.to_parquet(tmp_path / "bare.parquet")
    unnamed, said = compared(capsys, tmp_path / "bare.parquet")
    assert "Items have no identifiers and are matched by their order." in said
    for answer in (wide, long, unnamed):
        assert answer["datasets"] == two["datasets"]
        assert answer["findings"] == two["findings"]
    turned, _ = compared(capsys, tmp_path / "long.csv", "--systems", "baseline", "ours")
    assert [row["p_value"] for row in turned["datasets"]] > [0.5] * 3
    one, _ = compared(capsys, tmp_path / "long.csv", "--datasets", "news")
    (row,), news = one["datasets"], two["datasets"][0]
    assert {key: row[key] for key in row if key != "adjusted_p_value"} == {
        key: news[key] for key in news if key != "adjusted_p_value"
    }


def test_ratings_in_one_table_have_their_gold(capsys, tmp_path):
    rows = "".join(f"{i},{i + 2.25 * (i % 2)},{i + 2.5 * (i % 3)},{i}\n" for i in range(1, 13))
    (tmp_path / "r.csv").write_text("instance,ours,base,gold\n" + rows, encoding="utf-8")
    answer, _ = compared(capsys, tmp_path / "r.csv", "--gold", "gold")
    assert answer["test"] == "correlation_jackknife"


@pytest.mark.long
def test_a_table_comes_through_a_pipe(tmp_path):
    call = [sys.executable, "-m", "replicability", "compare", "-", "--json"]
    found = subprocess.run(call, input=WIDE.read_bytes(), capture_output=True, cwd=paths.ROOT)
    assert found.returncode == 0
    assert found.stderr.startswith(b"Read standard input as a table with a column for each system")
    answer = json.loads(found.stdout)
    assert answer["systems"] == ["ours", "baseline"]
    assert len(answer["datasets"]) == 3
    beside = WIDE.parents[1] / "scores"
    content = (beside / "ours.csv").read_bytes()
    found = subprocess.run(
        [*call[:-1], str(beside / "baseline.csv"), "--json"],
        input=content, capture_output=True, cwd=paths.ROOT,
    )  # fmt: skip
    assert json.loads(found.stdout)["systems"] == ["standard input", "baseline"]


@pytest.mark.long
def test_a_page_a_table_and_a_figure(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["replicability", "compare", "scores.csv", "--html", "a b"])
    places = {name: tmp_path / name for name in ("page.html", "t.tex", "f.svg", "f.png", "f.pdf")}
    flags = [
        ["--html", places["page.html"], "--latex", places["t.tex"], "--figure", places["f.svg"]],
        ["--figure", places["f.png"]],
        ["--figure", places["f.pdf"]],
    ]
    said = [compared(capsys, WIDE, *given)[0] for given in flags]
    assert said[0]["command"]["written"] == {
        "html": str(places["page.html"]), "latex": str(places["t.tex"]),
        "figure": str(places["f.svg"]),
    }  # fmt: skip
    assert said[0]["command"]["notes"][-1].startswith("Wrote ")
    page = places["page.html"].read_text(encoding="utf-8")
    assert "ours outperforms baseline on at least 1 of 3 datasets" in page
    assert "replicability compare scores.csv --html &#39;a b&#39;" in page
    assert hashlib.sha256(WIDE.read_bytes()).hexdigest() in page
    assert "The study, written out" not in page
    latex = places["t.tex"].read_text(encoding="utf-8")
    assert latex.startswith("\\begin{table}")
    assert re.search(r"news & 24 & 0\.875 & 0\.458 & \+0\.417 \(.*\) & 11/12/1 & 0\.0032 ", latex)
    starts = {"f.svg": b"<?xml", "f.png": b"\x89PNG", "f.pdf": b"%PDF"}
    for name, start in starts.items():
        assert places[name].read_bytes().startswith(start)
    before = contents(tmp_path)
    for given in flags:
        compared(capsys, WIDE, *given)
    assert contents(tmp_path) == before


@pytest.mark.long
def test_p_values_have_a_page_a_table_and_a_figure(capsys, tmp_path, monkeypatch):
    file = tmp_path / "p.csv"
    file.write_text("dataset,p\nnews,.001\nweb,.2\n", encoding="utf-8")
    places = {name: tmp_path / name for name in ("page.html", "t.tex", "f.svg")}
    flags = [
        f"--{k}={v}" for k, v in zip(("html", "latex", "figure"), places.values(), strict=True)
    ]
    for given in ([str(file)], [".001", ".2"]):
        monkeypatch.setattr("sys.argv", ["replicability", "pvalues", *given])
        assert cli.main(["pvalues", *given, "--independent", *flags]) == 0
        printed = capsys.readouterr().out
        assert f"Wrote {', '.join(map(str, places.values()))}." in " ".join(printed.split())
        page = places["page.html"].read_text(encoding="utf-8")
        assert "A outperforms B on at least 1 of 2 datasets" in page
        assert f"replicability pvalues {' '.join(given)}" in page
        assert places["t.tex"].read_text(encoding="utf-8").startswith("\\begin{table}")
    assert cli.main(["pvalues", str(file), "--html", str(file)]) == 1
    assert file.read_text(encoding="utf-8").startswith("dataset,p")
    assert cli.main(["pvalues", str(file), "--column", "p", "--html", "x.html"]) == 1
    assert "leave out --html" in capsys.readouterr().err


def test_nothing_is_written_of_a_comparison_that_fails(tmp_path, capsys):
    place = tmp_path / "page.html"
    place.write_text("old", encoding="utf-8")
    arguments = ["compare", str(WIDE), "--html", str(place), "--test", "steiger"]
    assert cli.main(arguments) == 1
    assert place.read_text(encoding="utf-8") == "old"
    assert set(contents(tmp_path)) == {"page.html"}
