"""What the Snakefile needs to know: which study runs, and which modules a notebook uses."""

import ast
import functools
import os
from pathlib import Path

import grimp
import nbformat

from analysis import checks, data, paths

AUDIT_TOY = ("n_families_large", "independent", "dependent", "seed")
"""Parameters of the toy simulations that the audit shares."""


def study_file(configfiles, overrides=()):
    """Choose the study of a run.

    Parameters
    ----------
    configfiles : sequence of Path
        Files given by ``--configfile``; none means the published study.
    overrides : collection
        Keys that ``--config`` gave; only "mirror" is a question of the machine and not of the
        study.

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
    if set(overrides) - {"mirror"}:
        raise checks.InputError(
            "--config is not read but for mirror=DIR; copy config/paper.yaml, edit the copy and "
            "pass it as --configfile, so that the study is written down."
        )
    if len(configfiles) > 1:
        names = ", ".join(map(str, configfiles))
        raise checks.InputError(f"A run has one study, but --configfile names {names}.")
    path = Path(configfiles[0] if configfiles else paths.CONFIG / "paper.yaml").absolute()
    return str(path.relative_to(paths.ROOT) if path.is_relative_to(paths.ROOT) else path)


def outcome_choices(path="config/outcomes.yaml"):
    """Read what the outcomes stage rebuilds, and with which seeds.

    Parameters
    ----------
    path : str or Path
        YAML file; a relative path starts at the checkout.

    Returns
    -------
    dict
        Keys ``seed``, ``treebanks``, ``low_resource``, ``sentiment``, ``word_similarity``.

    Raises
    ------
    InputError
        If the file is missing, is not YAML, or a key is missing or unknown.
    """
    content = data.load_yaml(path)
    if not isinstance(content, dict):
        raise checks.InputError(
            f"{path} is not a mapping of keys; see the copy under version control."
        )
    known = ("seed", "treebanks", "low_resource", "sentiment", "word_similarity")
    for key in content:
        checks.choice(f"{path}: key", key, known)
    for key in known:
        if key not in content:
            raise checks.InputError(f"{path}: the key {key!r} is missing.")
    return content


def common_folder(files):
    """Return the folder that holds all files, at any depth.

    Parameters
    ----------
    files : sequence of str
        Paths below the checkout.

    Returns
    -------
    str
        The deepest common folder; one level up if the files are in folders of their own.
    """
    return os.path.commonpath([Path(file).parent for file in files])


def files_below(places):
    """List files, and the files in folders.

    Parameters
    ----------
    places : iterable of str
        Files and folders; a relative path starts at the checkout.

    Returns
    -------
    list of str
        Sorted, each once, as they were given.
    """
    files = set()
    for place in places:
        top = paths.ROOT / place
        below = [f for f in top.rglob("*") if f.is_file()] if top.is_dir() else [top]
        files |= {str(Path(place) / f.relative_to(top)) for f in below}
    return sorted(files)


def folder(study, kind):
    """Return where the figures or tables of a study go.

    Parameters
    ----------
    study : str
        Name of a study.
    kind : {"figures", "tables"}
        What goes there.

    Returns
    -------
    str
        A folder below the checkout: a committed one for the studies of the repository, one below
        ``results`` for any other.
    """
    return {"paper": kind, "open": f"{kind}/open"}.get(study, f"results/{study}/{kind}")


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
