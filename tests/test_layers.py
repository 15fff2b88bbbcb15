"""The contracts in pyproject.toml, which `make lint` holds imports to, name all that there is."""

import tomllib

from replicability.io import paths

PYPROJECT = tomllib.loads((paths.ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_wing_is_held_apart_from_the_others():
    contracts = {c["id"]: c for c in PYPROJECT["tool"]["importlinter"]["contracts"]}
    wings = {f"analysis.{path.parent.name}" for path in paths.ROOT.glob("analysis/*/__init__.py")}
    assert set(contracts["wings"]["modules"]) == wings


def test_no_state_lies_in_the_attributes_of_a_frame():
    folders = ("replicability", "analysis", "notebooks", "scripts")
    files = [path for folder in folders for path in (paths.ROOT / folder).rglob("*")]
    texts = {p: p.read_text(encoding="utf-8") for p in files if p.suffix in (".py", ".ipynb")}
    assert [path for path, text in texts.items() if ".attrs" in text] == []
