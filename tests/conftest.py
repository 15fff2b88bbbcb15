"""Shared fixtures, and the lines that tell a person what was checked."""

from collections import Counter

import pytest


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
