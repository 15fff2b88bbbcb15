"""What the tests of the papers' audits share: one run of the notebook, and its prose."""

import contextlib
import io

import nbformat
import pytest

from replicability.io import paths


@pytest.fixture(scope="session")
def verdicts(tmp_path_factory):
    """The table of verdicts that the notebook makes now, and the folder that it wrote to."""
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
    """Prose of the notebook, of its cells together, on one line."""
    source = nbformat.read(paths.ROOT / "notebooks" / "audit.ipynb", as_version=4)
    cells = [cell.source for cell in source.cells if cell.cell_type == "markdown"]
    return " ".join("\n".join(cells).split())


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
