"""The library by itself: a wheel, used in a folder that has nothing to do with the compendium."""

import subprocess
import sys
import zipfile

import pytest
from flit_core import buildapi

from replicability.io import paths


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return a function that runs a module of the wheel in an empty folder."""
    folder = tmp_path_factory.mktemp("wheel")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(paths.ROOT)
        wheel = folder / buildapi.build_wheel(str(folder))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    here = tmp_path_factory.mktemp("here")

    def run(*arguments):
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=here,
            env={"PYTHONPATH": str(folder / "site"), "PATH": ""},
            capture_output=True,
            text=True,
            check=False,
        )

    run.site, run.here = folder / "site", here
    return run


def test_it_holds_the_library_with_its_files_and_nothing_of_the_compendium(installed):
    folders = {path.name for path in installed.site.iterdir() if path.suffix != ".dist-info"}
    assert folders == {"replicability"}
    library = installed.site / "replicability"
    for name in ("io/schema.yaml", "show/html_report.html.jinja", "cli/example/pvalues.txt"):
        assert (library / name).is_file()
    (scripts,) = installed.site.glob("*.dist-info/entry_points.txt")
    assert "replicability=replicability.cli:main" in scripts.read_text().replace(" ", "")


def test_it_answers_in_any_folder_and_writes_nothing(installed):
    where = installed("-c", "import replicability; print(replicability.__file__)")
    assert where.stdout.startswith(str(installed.site))
    table = installed.here / "p.csv"
    table.write_text("dataset,p\nnews,0.001\nmail,0.2\n", encoding="utf-8")
    found = installed("-m", "replicability", "pvalues", "p.csv")
    assert found.stdout.startswith("A outperforms B on at least 1 of 2 datasets"), found.stderr
    assert [path.name for path in installed.here.iterdir()] == ["p.csv"]


def test_what_needs_the_compendium_is_refused(installed):
    found = installed("-m", "replicability", "new", "mine")
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr.endswith("here, use compare or pvalues.\n")
    assert not (installed.here / "config").exists()
    assert not (installed.site / "config").exists()
