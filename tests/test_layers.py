"""The contracts in pyproject.toml, which `make lint` holds imports to, name all that there is."""

import tomllib

from replicability.io import paths

PYPROJECT = tomllib.loads((paths.ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_wing_is_held_apart_from_the_others():
    contracts = {c["id"]: c for c in PYPROJECT["tool"]["importlinter"]["contracts"]}
    wings = {f"analysis.{path.parent.name}" for path in paths.ROOT.glob("analysis/*/__init__.py")}
    assert set(contracts["wings"]["modules"]) == wings
