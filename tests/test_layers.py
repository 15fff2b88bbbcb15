"""The contracts in pyproject.toml, which `make lint` holds imports to, name all that there is."""

import tomllib

from analysis import paths

PYPROJECT = tomllib.loads((paths.ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_wing_is_held_apart_from_the_others_and_from_the_methods_that_they_share():
    contracts = {c["id"]: c for c in PYPROJECT["tool"]["importlinter"]["contracts"]}
    found = {f"analysis.{path.parent.name}" for path in paths.ROOT.glob("analysis/*/__init__.py")}
    methods, wings = contracts["methods"], set(contracts["wings"]["modules"])
    above = {"analysis.numbers"}  # of every paper, for the documents
    assert found - wings - above == set(methods["source_modules"])
    assert wings == set(methods["forbidden_modules"])


def test_no_state_lies_in_the_attributes_of_a_frame():
    folders = ("replicability", "analysis", "notebooks", "scripts")
    files = [path for folder in folders for path in (paths.ROOT / folder).rglob("*")]
    texts = {p: p.read_text(encoding="utf-8") for p in files if p.suffix in (".py", ".ipynb")}
    assert [path for path, text in texts.items() if ".attrs" in text] == []
