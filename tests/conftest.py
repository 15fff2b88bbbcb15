"""Shared fixtures, and the lines that tell a person what was checked."""

import subprocess
import sys
from collections import Counter

import pytest

from analysis import paths


@pytest.fixture(autouse=True, scope="session")
def _not_the_inline_backend():
    import matplotlib

    matplotlib.use("agg")


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


@pytest.fixture(scope="session")
def mirror(tmp_path_factory):
    """Return a function that unpacks upstream files and returns the folder that holds them.

    `mirror("conll2018_en_gum", ...)` unpacks the files whose row in the list of upstream files
    contains one of the strings, laid out as owner/repository/commit/path; without those files
    beside the checkout the test is skipped.
    """
    destination = tmp_path_factory.mktemp("mirror")
    unpacked = set()

    def mirror(*substrings):
        program = paths.ROOT.parent / "shared" / "data" / "unpack.py"
        if not program.is_file():
            pytest.skip("raw upstream files are not beside the checkout (../shared/data)")
        wanted = set(substrings) - unpacked
        if wanted:
            subprocess.run(
                [sys.executable, program, destination, *sorted(wanted)],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            unpacked.update(wanted)
        return destination

    return mirror


def pytest_terminal_summary(terminalreporter):
    """Say how many checks of each kind passed."""
    kinds = Counter()
    for report in terminalreporter.getreports("passed"):
        name = report.nodeid.partition("::")[0]
        kinds[
            "cells of the committed notebooks give what they show"
            if name.endswith(".ipynb")
            else "worked examples in docstrings hold"
            if name.startswith("analysis")
            else "tests pass"
        ] += 1
    terminalreporter.section("what was checked")
    for kind, number in kinds.items():
        terminalreporter.line(f"{number:5d} {kind}")
