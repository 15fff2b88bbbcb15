"""Shared fixtures, and the lines that tell a person what was checked."""

import contextlib
import io
import json
import os
import signal
import sys
import tempfile
from collections import Counter

import nbformat
import nbval.kernel
import pytest
from browsing import CHROMIUM, Browser
from disks import Disk
from hypothesis import HealthCheck, settings

from analysis import fields, paths

sys.path.insert(0, str(paths.ROOT / "scripts"))
import environment

# Nothing depends on the user's environment, on chance or on how fast or busy the machine is.
for name in (*environment.FOREIGN, "MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
    os.environ.pop(name, None)
os.environ.update(environment.neutral())
# A shell without job control ignores Ctrl-C in what it runs in the background, and so would every
# process that a test starts and interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
settings.register_profile(
    "project", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("project")


class Kernel(nbval.kernel.KernelManager):
    """A kernel with sockets of its own: a port that was free may be taken when it starts."""

    def __init__(self, **settings):
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        super().__init__(transport="ipc", ip=f"{self._folder.name}/kernel", **settings)


nbval.kernel.KernelManager = Kernel


@pytest.fixture(autouse=True, scope="session")
def _not_the_inline_backend():
    import matplotlib

    matplotlib.use("agg")


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """Return a browser without a window."""
    if CHROMIUM is None:
        pytest.skip("no chromium to read pages with")
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.socket.close()
    browser.process.terminate()
    browser.process.wait()


@pytest.fixture(params=["full", "read-only"])
def disk(request, tmp_path):
    """Return a disk that will have a fault."""
    disk = Disk(tmp_path / "disk", request.param)
    yield disk
    disk.remove()


@pytest.fixture
def store(tmp_path):
    """Return a function that stores files in folders, and returns the folder."""

    def store(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        return tmp_path

    return store


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a text file and returns its path."""

    def write(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def payloads():
    """Return what a name may hold that some format would take for markup or code."""
    return [
        "<script>alert(1)</script>",
        "</title><img src=x onerror=alert(1)>",
        "\"'><svg onload=alert(1)>",
        "--><b>x</b>",
        "]]>",
        "<!-- x",
        "[x](javascript:alert(1))",
        "![x](javascript:alert(1))",
        "<javascript:alert(1)>",
        "[x]: javascript:alert(1)",
        "`code` and ``",
        "**b** _i_ ~~s~~ __u__",
        "a|b \\| c",
        "&lt;script&gt; &#60;b&#62; &amp",
        "{{ 7*7 }} {% raw %}",
        '=HYPERLINK("x")',
        "=cmd|' /C calc'!A0",
        "+1+cmd()",
        "-2+3",
        "@SUM(A1)",
        "＝1+A1",
        "\t=1+A1",
        "\r=1+A1",
        " =1+A1",
        'a,"=1+A1"',
        "\\input{/etc/passwd}",
        "$x^2$ and $\\frac$",
        "100% #1 {a} ~b ^c a_b_c & d\\",
        "[2pt]",
        "*",
        "1. one",
        "# head",
        "two\n\nlines",
        "≤ → k̂ − ± α ρ † ‡",
    ]


LONG = {"browser", "mirror", "site", "verdicts"}
"""Fixtures, all of whose tests are long: Chromium, raw files, the built book, and the audit."""


LARGE = {
    "audit.ipynb",
    "benchmark_suites.ipynb",
    "conll2018.ipynb",
    "dependent_datasets.ipynb",
    "embeddings.ipynb",
    "function_calling.ipynb",
    "how_many_benchmarks.ipynb",
    "mmlu_pro.ipynb",
    "open_study.ipynb",
    "sogaard_real_outputs.ipynb",
    "sogaard_toy_examples.ipynb",
    "swe_bench.ipynb",
    "test_sizes.ipynb",
    "time_series.ipynb",
    "toy_simulations.ipynb",
    "translation.ipynb",
}
"""Notebooks that compute for six seconds or more: all their cells are long."""


FIRST = {"notebooks", "pages", "workflow"}
"""Folders whose files take longest: they go first, so that no process ends with one alone."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Leave `LONG` and `LARGE` to `make test-long`; put the slowest files first."""
    for item in items:
        asked = LONG.intersection(getattr(item, "fixturenames", ()))
        if asked or item.path.name in LARGE:
            item.add_marker("long")
    items.sort(key=lambda item: item.path.parent.name not in FIRST)


@pytest.fixture(scope="session")
def mirror(pytestconfig):
    """Return a function that returns the folder of the raw upstream files.

    `mirror("conll2018_en_gum", ...)` says which are needed; where no folder is given, laid out like
    the column `path` of data/sources.csv, the test is skipped with a reason that names them.
    """

    def mirror(*needed):
        folder = pytestconfig.getoption("--mirror")
        if not folder:
            pytest.skip(f"needs upstream files ({', '.join(needed)}): make test-long mirror=DIR")
        return paths.Path(folder).resolve(strict=True)

    return mirror


@pytest.fixture(scope="session")
def verdicts(tmp_path_factory):
    """Return the verdicts that the audit makes now, and the folder that it wrote to."""
    folder = tmp_path_factory.mktemp("audit")
    source = nbformat.read(paths.ROOT / "notebooks" / "audit.ipynb", as_version=4)
    scope = {}
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()):
        patch.chdir(paths.ROOT / "notebooks")
        for cell in source.cells:
            if cell.cell_type == "code":
                exec(cell.source, scope)
                if "parameters" in cell.metadata.get("tags", ()):
                    scope["outputs"] = str(folder)
    return scope["verdicts"], folder


@pytest.fixture(scope="session")
def prose():
    """Return the prose of the audit, of its cells together, on one line."""
    source = nbformat.read(paths.ROOT / "notebooks" / "audit.ipynb", as_version=4)
    cells = [cell.source for cell in source.cells if cell.cell_type == "markdown"]
    return " ".join(fields.plain("\n".join(cells)).split())


@pytest.fixture
def altered(monkeypatch):
    """Return a function that puts another number into what the audit of a paper reads."""

    def alter(module, item, where, column, printed):
        read = module.read_published

        def read_altered(paper, name):
            table = read(paper, name)
            if name == item:
                rows = (table[list(where)] == list(where.values())).all(axis=1)
                assert rows.sum() == 1
                table.loc[rows, column] = printed
            return table

        monkeypatch.setattr(module, "read_published", read_altered)

    return alter


def pytest_addoption(parser):
    """Take the folders of what the repository may not hold."""
    parser.addoption("--mirror", help="folder of upstream files, as for make outcomes mirror=DIR")
    parser.addoption(
        "--papers", help="folder with the texts of the papers, named in test_published"
    )


def pytest_terminal_summary(terminalreporter):
    """Say how many checks of each kind passed."""
    kinds = Counter()
    for report in terminalreporter.getreports("passed"):
        name = report.nodeid.partition("::")[0]
        kinds[
            "cells of the committed notebooks give what they show"
            if name.endswith(".ipynb")
            else "worked examples in docstrings hold"
            if name.startswith(("analysis", "replicability"))
            else "tests pass"
        ] += 1
    terminalreporter.section("what was checked")
    for kind, number in kinds.items():
        terminalreporter.line(f"{number:5d} {kind}")
