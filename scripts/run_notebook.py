"""Run a notebook with papermill and publish what it made, all or nothing.

    python scripts/run_notebook.py notebooks/NAME.ipynb --executed FILE [--parameters JSON]
                                   [--inputs FILE ...] [--outputs FILE ...]
                                   [--provenance FILE] [--made-from FILE ...]

The notebook runs in its own folder and writes to a staging folder beside the executed copy. Only
when it has succeeded are the declared outputs moved to their places, one atomic rename each; after
a failure the places hold what they held before, and the executed copy with its traceback lies near
them. A parameter that the notebook does not declare is refused. The provenance says what made the
outputs: the notebook, all its parameters, its data files and the versions of packages.
"""

import argparse
import ast
import contextlib
import itertools
import json
import logging
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

import environment
import nbformat
import papermill
import psutil
import traitlets.config

from analysis import paths
from replicability import checks
from replicability.io import files
from replicability.io.provenance import record

ANSWER = 180
"""Seconds within which a kernel must answer at its start and end; a cell may take any time."""

IDLE = 60
"""Seconds after which a kernel that computes nothing has lost a message, and is started anew."""

STARTS = 3
"""Kernels that a notebook gets at most."""

SOCKET = 90
"""Letters that a path may have for sockets beside it; systems allow 104 to 108 with their names."""

WIDGET = "application/vnd.jupyter.widget-view+json"


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("notebook", type=Path, help="the notebook")
    parser.add_argument("--executed", type=Path, required=True, help="file for the executed copy")
    parser.add_argument("--parameters", type=json.loads, default={}, help="JSON mapping")
    parser.add_argument(
        "--inputs", type=Path, nargs="*", default=[], help="files that the notebook reads"
    )
    parser.add_argument(
        "--outputs", type=Path, nargs="*", default=[], help="files that the notebook must make"
    )
    parser.add_argument("--provenance", type=Path, help="JSON file for the record of inputs")
    made_from = "files from which the notebook itself is made"
    parser.add_argument("--made-from", type=Path, nargs="*", default=[], help=made_from)
    options = parser.parse_args(arguments)
    print(f"Running {options.notebook}", flush=True)
    try:
        run(**vars(options))
    except KeyboardInterrupt:
        print(f"{options.notebook} was stopped; its results are discarded.", file=sys.stderr)
        return 128 + signal.SIGINT
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(files.unwritten(options.executed, error), file=sys.stderr)
        return 1
    return 0


def run(notebook, executed, parameters, outputs=(), inputs=(), provenance=None, made_from=()):
    """Execute a notebook; publish its outputs and its executed copy if it succeeds.

    Parameters
    ----------
    notebook, executed : Path
        Source and executed copy.
    parameters : dict
        Name -> value; every name must be declared in the notebook's parameters cell.
    outputs : sequence of Path
        Files to publish; the notebook makes each in a folder of the staging folder.
    inputs : sequence of Path
        Files that the notebook depends on, for the provenance.
    provenance : Path, optional
        Where to say what made the outputs, see `replicability.io.provenance.record`.
    made_from : sequence of Path
        Files that the notebook itself is made from, for the provenance.

    Raises
    ------
    InputError
        If a parameter is unknown, a cell fails, a declared output was not made or a file cannot be
        written.
    """
    used = check_parameters(notebook, parameters, outputs)
    stem = executed.with_suffix("")
    failed = stem.with_suffix(".failed.ipynb")
    stem.parent.mkdir(parents=True, exist_ok=True)
    for left in stem.parent.glob(f"{stem.name}.*staging"):
        shutil.rmtree(left, ignore_errors=True)
    # A folder of its own: the kernel of a run that was killed may still write to the last one.
    staging = Path(tempfile.mkdtemp(".staging", f"{stem.name}.", stem.parent))
    failed.unlink(missing_ok=True)
    place = os.path.relpath(staging, paths.ROOT)
    given = {**parameters, "outputs": place} if outputs else parameters
    try:
        copy = staging / executed.name
        with environment.of_a_kernel() as home:
            _execute(notebook, copy, given, failed, home)
        made = {path.name: path for path in staging.rglob("*") if path.parent != staging}
        missing = [path.name for path in outputs if path.name not in made]
        if missing:
            raise checks.InputError(f"{notebook} did not make {', '.join(missing)}.")
        clean(copy, parameters)
        text = copy.read_text(encoding="utf-8")
        copy.write_text(text.replace(place, "results/lab"), encoding="utf-8")
        places = {path: made[path.name] for path in outputs}
        if provenance:
            text = record(notebook, used, inputs, places, made_from)
            places[provenance] = staging / provenance.name
            places[provenance].write_text(text, encoding="utf-8")
        with contextlib.ExitStack() as stack:
            for path, place in ({executed: copy} | places).items():
                shutil.move(place, stack.enter_context(files.replacing(path)))
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _execute(notebook, copy, parameters, failed, home):
    """Execute into `copy`; move it to `failed` and say where if a cell fails."""
    # A port that is free when it is chosen may be taken when the kernel binds it.
    sockets = {"transport": "ipc", "ip": f"{home}/kernel"} if len(home) < SOCKET else {}
    config = traitlets.config.Config({"KernelManager": sockets})
    logging.getLogger("papermill").setLevel(logging.CRITICAL)
    for start in range(1, STARTS + 1):
        try:
            with _watch() as lost:
                papermill.execute_notebook(
                    notebook,
                    copy,
                    parameters=parameters,
                    cwd=notebook.parent,
                    kernel_name="python3",
                    progress_bar=False,
                    start_timeout=ANSWER,
                    iopub_timeout=ANSWER,
                    execution_timeout=ANSWER,
                    timeout_func=lambda cell: None,
                    coalesce_streams=True,
                    extra_arguments=["--log-level=CRITICAL"],
                    config=config,
                )
            return
        except papermill.PapermillExecutionError as error:
            copy.replace(failed)
            raise checks.InputError(
                f"The executed copy with the traceback is {failed}.\n"
                f"{notebook} failed in cell {error.exec_count}: {error.ename}: {error.evalue}"
            ) from None
        except (AssertionError, RuntimeError, TimeoutError) as error:  # the first has no text
            if lost.is_set() and start < STARTS:
                continue
            reason = str(error).partition("\n")[0].rstrip(".") or f"not for {ANSWER} seconds"
            raise checks.InputError(
                f"{notebook}: the kernel did not answer or has ended ({reason}); run it again, "
                "with fewer cores if the machine is busy or short of memory."
            ) from None


@contextlib.contextmanager
def _watch():
    """End the kernel if it computes nothing for `IDLE` seconds.

    Yields threading.Event. Set if it was ended. A message between client and kernel can get lost on
    a busy machine, and each then waits for the other for ever.
    """
    lost, ended = threading.Event(), threading.Event()

    def look():
        used, since = -1.0, time.monotonic()
        while not ended.wait(min(IDLE / 10, 5)):
            kernels = psutil.Process().children(recursive=True)
            now = 0.0
            for kernel in kernels:
                with contextlib.suppress(psutil.Error):
                    now += sum(kernel.cpu_times()[:2])
            if not kernels or now > used + 0.05:
                used, since = now, time.monotonic()
            elif time.monotonic() - since > IDLE:
                lost.set()
                for kernel in kernels:
                    with contextlib.suppress(psutil.Error):
                        kernel.kill()
                return

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield lost
    finally:
        ended.set()
        watcher.join()


def check_parameters(notebook, parameters, outputs=()):
    """Refuse parameters that the notebook does not declare; fill in those that are not given.

    `notebook`: the notebook. `parameters`: name -> value. `outputs` (sequence of Path): files that
    it must make, for which it needs the parameter ``outputs``.

    Returns dict. Name -> value of every parameter but ``outputs``, the folder of a run.

    Raises `InputError`: if a name is not in the notebook's parameters cell, with the nearest; or if
    ``outputs`` is needed and not there.
    """
    if not notebook.is_file():
        raise checks.InputError(f"{notebook} does not exist.")
    declared = papermill.inspect_notebook(notebook)
    if outputs and "outputs" not in declared:
        raise checks.InputError(
            f"{notebook} does not declare a folder for its figures and tables; add a cell with the "
            'tag parameters and the line outputs: str = "results/lab".'
        )
    for name in parameters:
        checks.choice(f"{notebook}: parameter", name, declared)
    defaults = {name: ast.literal_eval(about["default"]) for name, about in declared.items()}
    return {name: value for name, value in (defaults | parameters).items() if name != "outputs"}


def clean(path, parameters):
    """Remove from an executed notebook what differs between runs or machines.

    `path`: the notebook, rewritten in place. `parameters`: name -> value: they take the places of
    the defaults, and that of the cell that papermill adds. So the copy runs again by itself, and
    then writes to the folder that its source names.
    """
    notebook = nbformat.read(path, as_version=4)
    added = [c for c in notebook.cells if "injected-parameters" in c.metadata.get("tags", [])]
    notebook.cells = [cell for cell in notebook.cells if cell not in added]
    for cell in notebook.cells:
        if "parameters" in cell.metadata.get("tags", []):
            cell.source = with_values(cell.source, parameters)
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    counts = itertools.count(1)
    for number, cell in enumerate(notebook.cells):
        tags = cell.metadata.get("tags", [])
        cell.metadata = {"tags": tags} if tags else {}
        cell.id = f"cell-{number:02d}"
        if cell.cell_type == "code" and cell.execution_count:
            cell.execution_count = next(counts)
        for output in cell.get("outputs", []):
            if output.get("execution_count"):
                output.execution_count = cell.execution_count
            output.get("data", {}).pop(WIDGET, None)  # its model lives in the kernel alone
    nbformat.write(notebook, path)


def with_values(source, parameters):
    """Write other values into the assignments of a cell.

    `source`: code that assigns literals. `parameters`: name -> value.

    Returns str. The code; its comments stay.
    """
    lines = source.splitlines()
    for node in reversed(ast.parse(source).body):
        (target,) = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
        if target.id in parameters:
            value, first, last = node.value, node.value.lineno - 1, node.value.end_lineno - 1
            before = lines[first].encode()[: value.col_offset].decode()
            after = lines[last].encode()[value.end_col_offset :].decode()
            given = parameters[target.id]
            text = isinstance(given, str)
            written = json.dumps(given, ensure_ascii=False) if text else repr(given)
            lines[first : last + 1] = [f"{before}{written}{after}"]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
