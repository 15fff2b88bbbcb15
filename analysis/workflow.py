"""What the Snakefile needs to know: which study runs, and which modules a notebook uses."""

import ast
import functools
from pathlib import Path

import grimp
import nbformat

from analysis import checks, paths

AUDIT_TOY = ("n_families_large", "independent", "dependent", "seed")
"""Parameters of the toy simulations that the audit shares."""


def study_file(configfiles, overrides=()):
    """Choose the study of a run.

    Parameters
    ----------
    configfiles : sequence of Path
        Files given by ``--configfile``; none means the published study.
    overrides : collection
        What ``--config`` gave.

    Returns
    -------
    str
        The study's file, relative to the checkout where it lies in it.

    Raises
    ------
    InputError
        If there is more than one file, or a single key is overridden: Snakemake would merge them
        silently.
    """
    if overrides:
        raise checks.InputError(
            "--config is not read; copy config/paper.yaml, edit the copy and pass it as "
            "--configfile, so that the study is written down."
        )
    if len(configfiles) > 1:
        names = ", ".join(map(str, configfiles))
        raise checks.InputError(f"A run has one study, but --configfile names {names}.")
    path = Path(configfiles[0] if configfiles else paths.CONFIG / "paper.yaml").absolute()
    return str(path.relative_to(paths.ROOT) if path.is_relative_to(paths.ROOT) else path)


def modules(notebook):
    """List the source files of `analysis` that a notebook uses, directly or not.

    Parameters
    ----------
    notebook : str or Path
        A notebook whose code imports by ``from analysis import ...``; relative to the checkout.

    Returns
    -------
    list of str
        Files relative to the checkout, sorted: the notebook's inputs beside its data.
    """
    graph = _import_graph()
    used = {"analysis"}
    for name in _imports(paths.ROOT / notebook):
        used |= {name} | graph.find_upstream_modules(name)
    return sorted(
        "analysis/__init__.py" if name == "analysis" else f"{name.replace('.', '/')}.py"
        for name in used
    )


def _imports(path):
    """Return the names of the modules of `analysis` that the code cells import."""
    notebook = nbformat.read(path, as_version=4)
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    return {
        f"analysis.{alias.name}"
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.ImportFrom) and node.module == "analysis"
        for alias in node.names
    }


@functools.cache
def _import_graph():
    return grimp.build_graph("analysis", cache_dir=None)
