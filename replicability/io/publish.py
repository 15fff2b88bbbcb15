"""Folders that are replaced whole or not at all, at whatever moment a run is stopped."""

import contextlib
import os
import shutil
import sys
from pathlib import Path

from replicability.checks import InputError
from replicability.io import files, provenance

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]  # Windows has no such locks


def refuse(folder):
    """Refuse a folder that cannot be replaced as a whole.

    `folder`: where something is going to be published.

    Raises `InputError`: if it is a file, holds the current folder or is a file system of its own.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; give a folder for the report.")
    real = folder.resolve()
    if Path.cwd().is_relative_to(real) or real.is_mount():
        what = "is a separate file system" if real.is_mount() else "contains the current folder"
        raise InputError(
            f"{folder} {what}, but a report replaces its whole folder; give a folder that holds "
            f"nothing but the report, such as {folder / 'report'}."
        )


@contextlib.contextmanager
def replacing(folder, record):
    """Give an empty folder, which takes the place of another one where the block ends.

    `folder`: the folder that is replaced, if there is one. `record`: file in it that says what was
    made before, as `provenance.record_report` writes it. What it names goes, unless somebody has
    changed it. All other files stay.

    Yields Path. The empty folder.

    Raises `InputError`: if `refuse` does, or the system: the folder is then as it was.

    Notes
    -----
    The new folder is complete before the old one is renamed away and the new one renamed into its
    place. A run that is killed between the two leaves the old one in ``.NAME.part`` beside it. The
    next run puts it back and removes what the killed one has left.
    """
    refuse(folder)
    place = folder.resolve()
    work = place.with_name(f".{place.name}.part")
    new, old = work / "new", work / "old"

    def clear():
        if new.exists() and old.exists() and not place.exists():
            old.rename(place)
        shutil.rmtree(work, ignore_errors=True)

    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with _alone(place.with_name(f".{place.name}.lock"), folder):
            clear()
            try:
                new.mkdir(parents=True)
                yield new
                if place.exists():
                    _keep(place, new, provenance.made_before(place / record))
                    place.rename(old)
                new.rename(place)
            finally:
                clear()
    except OSError as error:
        raise files.unwritten(folder, error) from None


@contextlib.contextmanager
def _alone(path, folder):
    """Hold a lock, which ends with the process; say so if another run has it, and wait."""
    alone = False
    while not alone:
        with path.open("wb") as lock:
            if fcntl:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    print(f"Another run is writing {folder}; waiting for it.", file=sys.stderr)
                    fcntl.flock(lock, fcntl.LOCK_EX)
            alone = not fcntl or os.fstat(lock.fileno()).st_nlink > 0  # else it was of that run
            if alone:
                try:
                    yield
                finally:
                    path.unlink(missing_ok=True)


def _keep(folder, new, made):
    """Link into the new folder what is in the old one and nobody has made, or somebody changed."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        place = new / name
        if path.is_dir() and not path.is_symlink():
            place.mkdir(exist_ok=True)
        elif not (place.is_file() or _unchanged(path, made.get(name.as_posix()))):
            try:
                os.link(path, place, follow_symlinks=False)
            except FileExistsError:
                raise
            except OSError:  # a file system without links
                shutil.copy2(path, place, follow_symlinks=False)


def _unchanged(path, digest):
    """Tell whether a file is as it was made."""
    return digest is not None and path.is_file() and provenance.digest(path) == digest
