"""The walk-through of docs/adapt.md, from its first line to its last."""

import re
import shutil
import subprocess
import sys

import nbformat
import pandas as pd
import pytest
from checkouts import HANGS, copy, needs_make

from analysis import paths

PAGE = (paths.ROOT / "docs" / "adapt.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
MAKE = 'set -e\nmake() { command make --silent --old-file .venv/ready "$@"; }\n'


def carry_out(checkout, kind, name, text):
    """Do what a block of the page says; return what it printed."""
    if name:
        (checkout / name).write_text(text, encoding="utf-8")
        return ""
    call = [sys.executable, "-c", text] if kind == "python" else ["bash", "-c", MAKE + text]
    path = f"{checkout / '.venv' / 'bin'}:/usr/bin:/bin"
    environment = {"PATH": path, "PYTHONPATH": str(checkout), "HOME": str(checkout.parent)}
    found = subprocess.run(
        call, cwd=checkout, env=environment, capture_output=True, text=True,
        timeout=HANGS, check=False,
    )  # fmt: skip
    assert found.returncode == 0, f"{text}\n{found.stdout}\n{found.stderr}"
    return found.stdout


def test_every_block_is_a_command_or_a_file():
    assert {kind for kind, _, _ in BLOCKS} == {"python", "sh", "yaml"}
    assert [name for kind, name, _ in BLOCKS if kind == "yaml"] == ["config/mine.yaml"]


@needs_make
@pytest.mark.long
def test_the_walk_through_runs_from_the_first_line_to_the_last(tmp_path):
    checkout = copy(tmp_path)
    for folder in ("tests", "benchmarks"):
        shutil.copytree(paths.ROOT / folder, checkout / folder)
    (checkout / ".venv").symlink_to(sys.prefix)
    subprocess.run(["git", "init", "-q"], cwd=checkout, check=True)
    said = [carry_out(checkout, *block) for block in BLOCKS]
    runs = [out for (_, _, text), out in zip(BLOCKS, said, strict=True) if "make study" in text]
    assert "large against small" in runs[0].lower()
    assert "config/mine/entities.ipynb" in runs[1]
    assert "The template has not changed for this section." in runs[1]
    assert re.search(r"large against tiny +4 +4, ", runs[2].lower())
    table = pd.read_csv(checkout / "tables/mine/table8_reading.csv")
    assert "Finnish" in table.to_string()
    executed = nbformat.read(checkout / "results/mine/notebooks/entities.ipynb", as_version=4)
    text = "".join(cell.source for cell in executed.cells)
    assert "We annotated all texts ourselves." in text
    assert "alphas: list = [0.1]" in text
    for name in ("entities", "posts", "reading"):
        page = (checkout / f"results/mine/notebooks/{name}.ipynb").read_text(encoding="utf-8")
        assert not re.search(r"Section 6\.2|Equation 1|printed p-values|orange", page)
    page = (checkout / "results/book/config/mine/entities.html").read_text(encoding="utf-8")
    assert "We annotated all texts ourselves." in page
    assert "Table 6, mine." in page
    assert "Figure to Table 6, mine" in page
    assert "Large against tiny. The panels show each dataset" in page
    assert "The study mine" in (checkout / "results/book/map.html").read_text(encoding="utf-8")
    report = (checkout / "results/report_mine.html").read_text(encoding="utf-8")
    assert "The study mine" in report
    assert "Dror et al. (2017)" not in report
    assert not list(checkout.rglob("*.staging"))
    changed = subprocess.run(
        ["git", "diff", "--cached", "--name-only"], cwd=checkout, capture_output=True, text=True,
        check=True,
    ).stdout.splitlines()  # fmt: skip
    places = {"config/mine.yaml"} | {
        f"{kind}/mine" for kind in ("config", "data", "figures", "tables")
    }
    assert {name if name in places else "/".join(name.split("/")[:2]) for name in changed} == places
