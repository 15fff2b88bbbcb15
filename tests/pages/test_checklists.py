"""Lists that a compendium is judged by: REUSE, CFF, CodeMeta, CODECHECK, RO-Crate, Snakemake."""

import importlib
import json
import re
import shutil
import subprocess
import sys
import tomllib

import jsonschema
import pandas as pd
import pytest
import yaml
from checkouts import committed

from analysis import items, paths
from analysis.studies import read_study
from replicability import checks
from replicability.io import delimited
from replicability.io.provenance import digest

CITATION = yaml.safe_load((paths.ROOT / "CITATION.cff").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((paths.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SCHEMA = paths.ROOT / "tests/pages/schemas/cff-1.2.0.json"
"""The official schema of CITATION.cff; cffconvert needs a jsonschema of 2019."""


@pytest.fixture
def scripts(monkeypatch):
    """Return scripts by their names."""
    monkeypatch.syspath_prepend(paths.ROOT / "scripts")
    return importlib.import_module


def run(*command):
    return subprocess.run(command, cwd=paths.ROOT, capture_output=True, text=True, check=False)


# -- licences --------------------------------------------------------------------------------------


def test_every_file_has_a_licence():
    pytest.importorskip("reuse", reason="reuse is not installed")
    if run("git", "ls-files", "--error-unmatch", "REUSE.toml").returncode:
        pytest.skip("not a git checkout, so that nobody says which files are of the project")
    found = run(sys.executable, "-m", "reuse", "lint")
    assert found.returncode == 0, found.stdout


def test_the_licence_is_the_same_in_every_place():
    text = (paths.ROOT / "LICENSE").read_text(encoding="utf-8")
    assert (paths.ROOT / "LICENSES/MIT.txt").read_text(encoding="utf-8") == text
    terms = tomllib.loads((paths.ROOT / "REUSE.toml").read_text(encoding="utf-8"))
    ours, *_ = terms["annotations"]
    assert ours["path"] == "**"
    assert ours["SPDX-License-Identifier"] == PROJECT["license"] == CITATION["license"]
    assert f"Copyright (c) {ours['SPDX-FileCopyrightText']}" in text
    assert ours["SPDX-FileCopyrightText"].endswith(CITATION["authors"][0]["name"])


OUTCOMES = paths.ROOT / "data" / "outcomes"


def stated():
    """Return the licence that data/outcomes/README.md states of each file."""
    table = (OUTCOMES / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| `")]
    return {name: licence for files, *_, licence in rows for name in re.findall("`(.+?)`", files)}


def test_every_column_of_our_own_data_is_described():
    data = paths.ROOT / "data"
    said = delimited.read_table(data / "columns.csv").groupby("file")["column"]
    tables = [*OUTCOMES.glob("*.[cp]*"), *(data / "simulations").glob("*.csv")]
    assert set(said.groups) == {path.relative_to(data).as_posix() for path in tables}
    for name, listed in said:
        read = pd.read_parquet if name.endswith(".parquet") else pd.read_csv
        columns, described = set(read(data / name).columns), set(listed) - {"*"}
        assert described <= columns, name
        assert (described < columns) == ("*" in set(listed)), name


def test_every_outcome_has_the_licence_that_its_readme_states():
    terms = tomllib.loads((paths.ROOT / "REUSE.toml").read_text(encoding="utf-8"))
    entries = [
        (path, entry["SPDX-License-Identifier"])
        for entry in terms["annotations"]
        for path in ([entry["path"]] if isinstance(entry["path"], str) else entry["path"])
        if path.startswith("data/outcomes/")
    ]
    licences = {path.removeprefix("data/outcomes/"): licence for path, licence in entries}
    assert len(licences) == len(entries)
    assert licences == stated()
    assert {path.name for path in OUTCOMES.iterdir()} == {*licences, "README.md"}
    assert licences["swe_bench.parquet"] == "CC-BY-NC-4.0"
    used = {word for entry in terms["annotations"] for word in
            re.findall(r"[\w.-]+", entry["SPDX-License-Identifier"]) if word != "AND"}  # fmt: skip
    assert used == {path.stem for path in (paths.ROOT / "LICENSES").iterdir()}


GOLD = {"gold", "word"}
"""Names of columns that may hold what a corpus says of a word."""

NAMES = {"dataset", "system", "domain", "variant"}
"""Columns of names, which may have blanks; no other text may."""


@pytest.mark.parametrize("name", sorted(stated()))
def test_no_outcome_holds_a_text_or_the_gold_labels_of_sentences(name):
    if name.endswith(".json"):  # results as the library writes them, which hold no items
        keys = re.findall(r'"([^"]+)":', (OUTCOMES / name).read_text(encoding="utf-8"))
        assert GOLD.isdisjoint(keys)
        return
    read = pd.read_parquet if name.endswith(".parquet") else pd.read_csv
    table = read(OUTCOMES / name)
    texts = table.select_dtypes(exclude=["number", "bool"]).drop(columns=NAMES, errors="ignore")
    for column in texts:
        assert not texts[column].str.contains(r"\s", na=False).any(), column
    found = GOLD & {*table}
    if name == "word_similarity.parquet":  # ranks of ratings, whose set is known
        assert found == {"gold"}
        return
    assert found == (GOLD if name == "splits_tags.parquet" else set())
    if found:
        labelled = (
            table["gold"].notna().groupby([table["dataset"], table["instance"]]).agg(["sum", "all"])
        )
        assert labelled.loc[labelled["all"], "sum"].max() == 1


# -- citation and description ----------------------------------------------------------------------


def problems(citation):
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return [error.message for error in jsonschema.Draft7Validator(schema).iter_errors(citation)]


def test_the_citation_follows_its_schema():
    assert problems(CITATION) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"cff-version": "1.1.0"}, "'1.1.0' does not match"),
        ({"authors": []}, "[] should be non-empty"),
        ({"doi": "https://doi.org/10.1162/tacl_a_00074"}, "tacl_a_00074' does not match"),
        ({"journal": "TACL"}, "Additional properties are not allowed"),
    ],
)
def test_the_schema_sees_a_faulty_citation(changed, said):
    assert any(said in problem for problem in problems(CITATION | changed))


def test_the_citation_is_of_this_version():
    assert CITATION["version"] == PROJECT["version"]


def test_the_descriptions_are_those_of_their_sources(scripts):
    describe = scripts("describe")
    for name in ("codemeta", "codecheck"):
        (file,) = paths.ROOT.glob(f"{name}.[jy]*")
        written = file.read_text(encoding="utf-8")
        assert getattr(describe, name)() == written, "python scripts/describe.py writes it again"


def test_codemeta_says_what_its_sources_say():
    said = json.loads((paths.ROOT / "codemeta.json").read_text(encoding="utf-8"))
    assert said["@context"] == "https://w3id.org/codemeta/3.0"
    assert said["version"] == PROJECT["version"]
    assert said["softwareRequirements"] == PROJECT["dependencies"]
    assert said["author"] == [{"type": "Organization", "name": CITATION["authors"][0]["name"]}]
    authors = [author["familyName"] for author in said["referencePublication"]["author"]]
    assert authors == ["Dror", "Baumer", "Bogomolov", "Reichart"]


# -- CODECHECK -------------------------------------------------------------------------------------


def test_the_manifest_of_the_check_is_the_list_of_items():
    text = (paths.ROOT / "codecheck.yml").read_text(encoding="utf-8")
    assert text.startswith("---\n")
    said = yaml.safe_load(text)
    assert said["version"] == "https://codecheck.org.uk/spec/config/1.0/"
    assert said["paper"]["reference"].startswith("https://doi.org/10.")
    assert all(author["name"] for author in said["paper"]["authors"])
    files = [entry["file"] for entry in said["manifest"]]
    assert len(files) == len(set(files))
    assert all((paths.ROOT / file).is_file() for file in files)
    studies = [(read_study(f"config/{name}.yaml"), at) for name, at in items.FOLDERS.items()]
    listed = {
        f"{item.kind}/{folder}{item.stem}"
        for notebook in items.read_notebooks()
        for study, folder in studies
        if notebook.runs(study)
        for item in notebook.items(study)
    }
    assert {file.rpartition(".")[0] for file in files} == listed
    there = {
        path.relative_to(paths.ROOT).as_posix()
        for kind, (ending, *_) in items.PUBLISHED.items()
        for path in committed(kind, f"*.{ending}")
    }
    assert set(files) == there


# -- RO-Crate --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def crate(tmp_path_factory):
    """Lay out the crate twice; return its folder."""
    folder = tmp_path_factory.mktemp("crates") / "crate"
    for _ in range(2):
        made = run(sys.executable, "scripts/crate.py", folder)
        assert made.returncode == 0, made.stderr
    return folder


@pytest.fixture(scope="module")
def graph(crate):
    """Return the entities of the crate by their identifiers."""
    said = json.loads((crate / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    found = {entity["@id"]: entity for entity in said["@graph"]}
    assert len(found) == len(said["@graph"])
    return found


def referred(value):
    """List the identifiers that a property refers to."""
    values = value if isinstance(value, list) else [value]
    return [v["@id"] for v in values if isinstance(v, dict)]


def test_the_crate_is_described_as_the_specification_asks(crate, graph):
    descriptor, root = graph["ro-crate-metadata.json"], graph["./"]
    assert referred(descriptor["conformsTo"]) == ["https://w3id.org/ro/crate/1.1"]
    assert referred(descriptor["about"]) == ["./"]
    assert {"name", "description", "datePublished", "license"} <= root.keys()
    assert re.fullmatch(r"\d{4}(-\d\d-\d\d)?", root["datePublished"])
    for entity in graph.values():
        assert entity["@type"]
        for key, value in entity.items():
            for name in referred(value) if key != "@id" else []:
                outside = name.startswith(("https://w3id.org/ro/crate/", "http://schema.org/"))
                assert outside or name in graph, f"{entity['@id']}: {key} names {name}"
    parts = {p.relative_to(crate).as_posix() for p in crate.rglob("*") if p.is_file()}
    assert parts - {"ro-crate-metadata.json"} == set(referred(root["hasPart"]))


def test_the_crate_says_of_each_run_what_its_record_says(crate, graph):
    actions = {name: e for name, e in graph.items() if e["@type"] == "CreateAction"}
    records = committed("tables", "provenance/*.json")
    assert set(actions) == {f"#{path.relative_to(paths.ROOT).as_posix()}" for path in records}
    for path in records:
        run_ = json.loads(path.read_text(encoding="utf-8"))
        action = actions[f"#{path.relative_to(paths.ROOT).as_posix()}"]
        assert referred(action["instrument"]) == [run_["notebook"]]
        assert referred(graph[run_["notebook"]].get("isBasedOn", [])) == run_.get("made_from", [])
        for key, files in (("object", run_["data"]), ("result", run_["outputs"])):
            kept = {file: sha for file, sha in files.items() if not file.startswith("results/")}
            assert referred(action[key]) == list(kept)
            for file, sha in kept.items():
                assert graph[file]["sha256"] == sha == digest(crate / file), file


@pytest.mark.long
def test_the_crate_passes_its_validator(crate):
    """The validator pins packages that the lock has in other versions: it is found, or skipped."""
    program = shutil.which("rocrate-validator")
    if program is None:
        pytest.skip(
            "no rocrate-validator (pip install roc-validator, in an environment of its own)"
        )
    found = run(program, "validate", "--no-paging", "--requirement-severity", "required", crate)
    if "context" in found.stdout and "Unable to retrieve" in found.stdout:
        pytest.skip("rocrate-validator cannot fetch the contexts of JSON-LD without a network")
    assert found.returncode == 0, found.stdout


def test_a_folder_that_holds_something_else_stays(scripts, tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    assert scripts("crate").main([str(tmp_path)]) == 1
    assert "exists and is not a crate; choose another folder." in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_an_output_that_is_not_the_recorded_one_is_refused(scripts, monkeypatch):
    crate = scripts("crate")
    monkeypatch.setattr(crate, "digest", lambda path: "0")
    with pytest.raises(checks.InputError, match=r"The content of .* differs from what .* records"):
        crate.records()


def test_a_notebook_that_is_not_the_recorded_one_is_refused(scripts, monkeypatch, tmp_path):
    crate = scripts("crate")
    runs = crate.records()
    next(run for run in runs.values() if len(run.get("made_from", ())) == 2)["sha256"] = "0"
    monkeypatch.setattr(crate, "records", lambda: runs)
    with pytest.raises(checks.InputError, match=r"task_section\.md and scripts/task_se.* make now"):
        crate.write(tmp_path / "crate")
    assert not (tmp_path / "crate").exists()


# -- Snakemake -------------------------------------------------------------------------------------


def test_the_workflow_meets_the_conditions_of_the_catalogue():
    """All of "generic" workflows; "standardized usage" also asks for a folder ``workflow/``."""
    readme = (paths.ROOT / "README.md").read_text(encoding="utf-8").lower()
    assert "snakemake" in readme
    assert "workflow" in readme
    assert (paths.ROOT / "Snakefile").is_file()
    assert list((paths.ROOT / "rules").glob("*.smk"))
    assert (paths.ROOT / "config/README.md").is_file()
    said = yaml.safe_load((paths.ROOT / ".snakemake-workflow-catalog.yml").read_text("utf-8"))
    usage = said["usage"]
    assert usage["mandatory-flags"].keys() == {"desc", "flags"}
    deployment = usage["software-stack-deployment"]
    assert deployment.keys() == {"conda", "apptainer", "apptainer+conda", "report"}
    assert all(isinstance(value, bool) for value in deployment.values())


LEFT = {
    r"Environment variable PYTHONPATH used but not asserted .*": (
        "the Snakefile sets it, for its jobs"
    ),
    r'Absolute path "/.*" in .*line \d+': "a part of a path that begins with a folder",
    r"Mixed rules and functions in same snakefile\.": (
        "functions of a few lines that only the rules below them call"
    ),
    r"Shell command directly uses variable sys from outside of the rule": (
        "the Python that runs Snakemake runs its jobs"
    ),
    r"Shell command directly uses variable [A-Z_]+ from outside of the rule": (
        "the name of a file or folder of settings, which is an input besides"
    ),
    r"Specify a conda environment or container for each rule\.": (
        "requirements.lock is one environment for all rules"
    ),
}
"""What `snakemake --lint` says and stays as it is -> why."""


@pytest.mark.long
def test_snakemake_finds_nothing_else_to_say():
    found = run(sys.executable, "-m", "snakemake", "--lint")
    said = re.findall(r"^    \* (.*):$", found.stdout + found.stderr, re.MULTILINE)
    assert said
    new = [line for line in said if not any(re.fullmatch(pattern, line) for pattern in LEFT)]
    assert new == []
    gone = [pattern for pattern in LEFT if not any(re.fullmatch(pattern, line) for line in said)]
    assert gone == [], "no longer said; take the exception out"
