"""The promises that files of the project make about each other."""

import ast
import importlib
import itertools
import json
import re
import subprocess
import sys
import tomllib

import pandas as pd
import pytest
import yaml
from checkouts import committed
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

import replicability
from analysis import items, paths
from analysis.studies import read_study

PYPROJECT = tomllib.loads((paths.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
README = (paths.ROOT / "README.md").read_text(encoding="utf-8")
RULES = sorted((paths.ROOT / "rules").glob("*.smk"))
CONDA_NAMES = {"matplotlib-base": "matplotlib", "snakemake-minimal": "snakemake"}


@pytest.fixture
def map_items(monkeypatch):
    monkeypatch.syspath_prepend(paths.ROOT / "scripts")
    return importlib.import_module("map_items")


def direct():
    """Return the direct dependencies: name -> specifiers."""
    project = PYPROJECT["project"]
    extras, own = project["optional-dependencies"], PYPROJECT["dependency-groups"]
    groups = [project["dependencies"], *extras.values(), *own.values()]
    found = [Requirement(line) for group in groups for line in group]
    return {canonicalize_name(r.name): r.specifier for r in found}


def locked():
    """Return the locked packages: name -> (version, lines of hashes)."""
    text = (paths.ROOT / "requirements.lock").read_text(encoding="utf-8")
    blocks = re.findall(r"^([a-z0-9._-]+)==(\S+)[^\n]*\n((?:    .*\n?)*)", text, re.MULTILINE)
    return {canonicalize_name(name): (version, rest) for name, version, rest in blocks}


def test_the_lock_satisfies_the_project_and_hashes_everything():
    packages = locked()
    for name, specifier in direct().items():
        assert specifier.contains(packages[name][0]), name
    for name, (_, rest) in packages.items():
        assert "--hash=sha256:" in rest, name


def test_the_lock_names_no_index():
    text = (paths.ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in text
    assert "index-url" not in text


def test_environment_yml_agrees_with_the_lock():
    packages, environment = locked(), yaml.safe_load((paths.ROOT / "environment.yml").read_text())
    specs = [line for line in environment["dependencies"] if isinstance(line, str)]
    (by_pip,) = (line["pip"] for line in environment["dependencies"] if isinstance(line, dict))
    specs += [line.replace("==", "=").removesuffix(".*") for line in by_pip]
    pinned = dict(line.split("=", 1) for line in specs if "=" in line and " " not in line)
    pinned = {canonicalize_name(CONDA_NAMES.get(k, k)): v for k, v in pinned.items()}
    assert pinned.keys() == direct().keys()
    for name, version in pinned.items():
        assert SpecifierSet(f"=={version}.*").contains(packages[name][0]), name


def test_every_place_names_the_same_versions_of_python():
    makefile = (paths.ROOT / "Makefile").read_text(encoding="utf-8")
    bounds = re.search(r"\(3, (\d+)\) <= sys\.version_info < \(3, (\d+)\)", makefile)
    first, beyond = map(int, bounds.groups())
    environment = (paths.ROOT / "environment.yml").read_text(encoding="utf-8")
    assert f"- python >=3.{first},<3.{beyond}\n" in environment
    # The package itself has no upper bound: what has no wheels yet belongs to an extra.
    assert PYPROJECT["project"]["requires-python"] == f">=3.{first}"
    *others, last = [f"3.{minor}" for minor in range(first, beyond)]
    for text in (README, makefile):
        assert f"Python {', '.join(others)} or {last}" in text


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_every_path_in_a_command_is_quoted(path):
    text = path.read_text(encoding="utf-8")
    assert "{sys.executable:q}" in text
    commands = re.findall(r"^ +shell:\n((?: +[\"f].*\n)+)", text, re.MULTILINE)
    assert len(commands) == text.count("shell:\n")
    for command in commands:
        found = re.findall(r"\{((?:sys\.executable|input|output|log|wildcards)\b[^}]*)\}", command)
        assert found
        assert [place for place in found if not place.endswith(":q")] == []


def test_the_map_has_every_figure_and_table(map_items):
    page = (paths.ROOT / "docs/map.md").read_text(encoding="utf-8")
    assert map_items.page() == page, "run scripts/map_items.py"
    for kind, (ending, *_) in items.PUBLISHED.items():
        for path in committed(kind, f"*.{ending}"):
            assert f"`{path.relative_to(paths.ROOT).as_posix()}`" in page


def test_the_map_has_a_section_for_each_study_and_each_part(map_items):
    page = map_items.page()
    studies = re.findall(r"^## The study `config/(\w+)\.yaml`$", page, re.MULTILINE)
    assert studies == list(items.FOLDERS)
    parts = re.findall(r"^### (.*)$", page, re.MULTILINE)
    makes = {n.part for n in items.read_notebooks() if n.tables or n.figures}
    assert set(parts) >= makes - {"Your own comparison"}


def test_of_a_folder_few_files_are_named(map_items):
    files = ["a/1", "b/1", "b/2", "b/3", "b/4", "c/1", "c/2"]
    assert map_items.few(files) == ["a/1", "b/", "c/1", "c/2"]


def test_the_alternative_texts_of_the_readme_say_the_findings(monkeypatch):
    monkeypatch.syspath_prepend(paths.ROOT / "book")
    finding_of = importlib.import_module("holds").finding_of
    shown = {}
    for study in items.FOLDERS:
        for row in items.rows(read_study(f"config/{study}.yaml"), items.read_notebooks()):
            for file, item in zip(row.files, row.items, strict=True):
                shown[file[:-4]] = items.plain(finding_of(item, file, row))
    images = re.findall(r"!\[([^\]]*)\]\(([^)]+)\.png\)", README)
    assert images
    for said, file in images:
        assert said == shown[file]


def test_the_readme_shows_files_and_targets_that_exist():
    for name in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README):
        assert (paths.ROOT / name).is_file(), name
    targets = re.findall(r"^([a-z]+):", (paths.ROOT / "Makefile").read_text(), re.MULTILINE)
    for target in set(re.findall(r"\bmake ([a-z]+)", README)):
        assert target in targets, target


def test_the_workflows_of_the_code_host_call_targets_that_exist():
    targets = re.findall(r"^([a-z-]+):", (paths.ROOT / "Makefile").read_text(), re.MULTILINE)
    called = {}
    for file in (paths.ROOT / ".github/workflows").glob("*.yml"):
        jobs = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"].values()
        runs = " ; ".join(step.get("run", "") for job in jobs for step in job["steps"])
        called[file.stem] = re.findall(r"\bmake ([a-z-]+)", runs)
    assert called == {
        "test": ["test", "test-long", "reproduce", "reproduce", "test"],
        "book": ["paper", "book"],
    }
    assert set(called["test"] + called["book"]) <= set(targets)


def test_the_example_of_the_library_gives_what_it_says():
    page = (paths.ROOT / "docs/own.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names = {}
    exec(code, names)
    calls = (ast.unparse(node) for node in ast.parse(code).body if isinstance(node, ast.Expr))
    one, of_all, names_of_all, of_three = (eval(call, names) for call in calls)
    assert [one, of_all, of_three] == [1 / 16, 2, 1]
    assert names_of_all.tolist() == [False] * 5 + [True]


def test_importing_analysis_loads_nothing_heavy():
    code = "import sys, analysis; print(sorted({'numpy', 'pandas', 'scipy'} & set(sys.modules)))"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=paths.ROOT, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("arguments", "said"), [([], "--help"), (["compare", "my a.csv"], "compare 'my a.csv'")]
)
def test_analysis_says_where_its_commands_went(arguments, said):
    call = [sys.executable, "-m", "analysis", *arguments]
    found = subprocess.run(call, cwd=paths.ROOT, capture_output=True, text=True, check=False)
    sentence = f"The commands have moved to the library; run python -m replicability {said}\n"
    assert (found.returncode, found.stdout, found.stderr) == (1, "", sentence)


def tracked():
    """List the files that the repository holds."""
    asked = ["git", "ls-files", "-z"]
    found = subprocess.run(asked, cwd=paths.ROOT, capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.skip("not a git checkout")
    return [name for name in found.stdout.split("\0") if name]


def test_every_folder_that_is_committed_is_explained():
    text = (paths.ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    folders = {name.partition("/")[0] for name in tracked() if "/" in name}
    assert folders - {".ci", ".devcontainer", ".github", "LICENSES"} <= set(
        re.findall(r"`(\w+)/", text)
    )


@pytest.mark.parametrize(
    "pattern", [r"\bTODO\b", r"/home/\w", r"/root/", r"/Users/\w", r"/work/\w"]
)
def test_no_committed_text_holds(pattern):
    for name in tracked():
        path = paths.ROOT / name
        if path.suffix in {".png", ".svg", ".ipynb", ".parquet"} or path.name.startswith("test_"):
            continue
        assert not re.search(pattern, path.read_text(encoding="utf-8")), name


def test_no_zero_has_a_sign_where_results_are_written():
    signed = re.compile(r"(?<![\w.,–/-])[-−+]0(?:\.0+)?(?![\w.%/])")
    places = committed("tables"), (paths.ROOT / "notebooks").glob("*.ipynb")
    found = {
        path.name: match[0]
        for path in itertools.chain(*places)
        if path.suffix in {".csv", ".md", ".tex", ".ipynb"}
        for line in path.read_text(encoding="utf-8").splitlines()
        if "image/png" not in line and (match := signed.search(line))
    }
    assert not found


# -- version 1.0 -----------------------------------------------------------------------------------


def test_the_page_on_the_interface_lists_every_public_name_and_no_other():
    page = (paths.ROOT / "docs/api.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`(\w+)`", page.partition("\n## ")[0].partition("| --- |")[2]))
    layers = {path.parent.name for path in paths.ROOT.glob("replicability/*/__init__.py")}
    assert listed == set(replicability.__all__) - layers - {"checks"}
    outside = page.partition("## What may change?")[2]
    assert layers | {"checks"} <= set(re.findall(r"`(\w+)`", outside))


def test_one_version_stands_in_every_place():
    citation = yaml.safe_load((paths.ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    codemeta = json.loads((paths.ROOT / "codemeta.json").read_text(encoding="utf-8"))
    changes = (paths.ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version = PYPROJECT["project"]["version"]
    assert citation["version"] == codemeta["version"] == replicability.__version__ == version
    assert re.search(r"^## (\S+)$", changes, re.MULTILINE).group(1) == version


def test_versions_of_python_are_declared_and_tested():
    steps = yaml.safe_load((paths.ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    tested = steps["jobs"]["package"]["strategy"]["matrix"]["python"]
    declared = re.findall(r"Python :: (3\.\d+)", "\n".join(PYPROJECT["project"]["classifiers"]))
    assert declared == tested == ["3.11", "3.12", "3.13", "3.14"]


def test_the_container_is_pinned_and_installs_the_lock():
    folder = paths.ROOT / ".devcontainer"
    text = (folder / "Dockerfile").read_text(encoding="utf-8")
    assert re.search(r"^FROM python:3\.\d+-\S+@sha256:[0-9a-f]{64}$", text, re.MULTILINE)
    assert "make .venv/ready" in text and "pip install" not in text
    development = json.loads((folder / "devcontainer.json").read_text(encoding="utf-8"))
    assert (folder / development["build"]["dockerfile"]).samefile(folder / "Dockerfile")
    for command in ("make reproduce", "make test"):
        assert f"docker run --rm compendium {command}" in text


def test_the_article_for_a_journal_of_software_cites_what_exists():
    text = (paths.ROOT / "paper/paper.md").read_text(encoding="utf-8")
    front = yaml.safe_load(text.split("---\n")[1])
    book = (paths.ROOT / "paper" / front["bibliography"]).read_text(encoding="utf-8")
    cited = set(re.findall(r"@([a-z]+\d{4})", text))
    assert cited and cited <= set(re.findall(r"^@\w+\{(\w+),", book, re.MULTILINE))
    assert "# Statement of need" in text and "# Summary" in text


# -- the history of speed --------------------------------------------------------------------------


@pytest.fixture
def history(monkeypatch):
    monkeypatch.syspath_prepend(paths.ROOT / "benchmarks")
    return importlib.import_module("history")


def test_the_history_has_a_row_for_each_operation_of_this_version(history):
    rows = pd.read_csv(history.HISTORY)
    assert tuple(rows.columns) == history.HEADERS
    assert {*history.OPERATIONS, "import"} <= set(
        rows.loc[rows["version"] == replicability.__version__, "operation"]
    )
    assert (rows["ratio"] >= 0).all()


def test_a_regression_ends_with_an_exit_status(history, monkeypatch, tmp_path, capsys):
    file = tmp_path / "history.csv"
    monkeypatch.setattr(history, "HISTORY", file)
    monkeypatch.setattr(
        history, "last", lambda: pd.read_csv(file).groupby("operation")["ratio"].last().to_dict()
    )
    monkeypatch.setattr(history, "measured", lambda: {"a": 1.0, "b": 2.0})
    assert history.main(["--append"]) == 0
    monkeypatch.setattr(history, "measured", lambda: {"a": 1.9, "b": 4.1})
    assert history.main(["--check", "--append"]) == 1
    assert capsys.readouterr().err == "b takes more than 2 times as long as before\n"
    assert len(file.read_text().splitlines()) == 5
