"""Run a study with Snakemake: one run at a time, resuming one that was killed."""

import errno
import fcntl
import os
import shutil
import subprocess
import sys

from analysis import checks, data, files, paths

ROOM = 2**24
"""Bytes that must be free where a run starts, for its results and the files of Snakemake."""


def main(study="config/paper.yaml", *arguments):
    """Run Snakemake under a lock of this checkout; return its exit status."""
    try:
        data.read_study(study)
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    path = paths.ROOT / "results" / ".lock"
    try:
        path.parent.mkdir(exist_ok=True)
        with path.open("wb", buffering=0) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            fill(lock)
            # Nobody else runs, so that a lock of Snakemake's is left from a run that was killed.
            shutil.rmtree(paths.ROOT / ".snakemake" / "locks", ignore_errors=True)
            run = [sys.executable, "-m", "snakemake", f"--configfile={study}", *arguments]
            # Snakemake inherits the lock, in case that this process alone is killed.
            shared = (lock.fileno(),)
            return subprocess.run(run, cwd=paths.ROOT, pass_fds=shared, check=False).returncode
    except BlockingIOError:
        print("Another run is at work in this checkout; wait for it or stop it.", file=sys.stderr)
    except OSError as error:
        print(files.unwritten(path, error), file=sys.stderr)
    return 1


def fill(file):
    """Find out whether there is `ROOM`, by filling a file and emptying it.

    Parameters
    ----------
    file : binary file without a buffer
        Where to write.

    Raises
    ------
    OSError
        If there is no room.
    """
    try:
        if file.write(bytes(ROOM)) < ROOM:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        file.truncate(0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
