"""Copies of the project that a test may change, and the commands that a user runs in them."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis import items, paths

HANGS = 3600
"""Seconds that nothing takes, on a machine however busy, unless it hangs."""


needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")

# So that kills meet files on their way to their places, which takes microseconds otherwise.
SLOWLY = """

def _slowly(self, target, replace=Path.replace):
    import time

    time.sleep(0.05)
    return replace(self, target)


Path.replace = _slowly
"""


PAIRS = """\
name: small
scores: [scores.csv]
arguments: [--dependent, --test, sign_flip]
n_blocks: 3
"""
"""Settings of all pairs of four systems in blocks."""


def run(checkout, *arguments):
    """Run a command of the checkout with its own copy of `analysis`."""
    environment = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        timeout=HANGS,
        check=False,
    )


def snakemake(checkout, *arguments):
    return run(checkout, "-m", "snakemake", *arguments)


def append(path, text="\n# edited\n"):
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def copy(target):
    """Copy the project, without what runs have made, so that a test may change it.

    What is compiled goes along, but not what is being written, so that no process of the copy has
    to compile the whole library.
    """
    ignore = shutil.ignore_patterns(
        ".git", ".venv", "results", ".snakemake", "*.pyc.*", ".*_cache", "tests", "benchmarks"
    )
    return shutil.copytree(paths.ROOT, target / "checkout", ignore=ignore)


def with_pairs(checkout):
    """Give a copy of the project `PAIRS` and scores for them.

    Return the copy and the arguments of the command that compares them on one machine.
    """
    rng = np.random.default_rng(7)
    scores = {f"m{k}": rng.integers(0, 2 + k, 60) for k in range(4)}
    table = pd.DataFrame({"dataset": ["news", "law"] * 30, "instance": range(60), **scores})
    table.to_csv(checkout / "scores.csv", index=False)
    (checkout / "config" / "small.yaml").write_text(PAIRS, encoding="utf-8")
    return checkout, ["family", "scores.csv", "--dependent", "--test", "sign_flip", "--json"]


def committed(kind, pattern="*.*"):
    """List the project's own files in ``figures`` or ``tables``, not those that users keep."""
    top, users = paths.ROOT / kind, items.kept()
    found = (path for path in top.rglob(pattern) if path.is_file())
    return sorted(path for path in found if path.relative_to(top).parts[0] not in users)


def wait_for(condition, seconds=HANGS):
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)


def at_work(folder):
    """Return the processes whose working directory is a folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "cwd").resolve(strict=True) == folder.resolve():
                found.append(entry.name)
        except OSError:
            continue
    return found


class Run:
    """A command of make in a checkout, all of whose processes can be killed at once."""

    def __init__(self, checkout, *arguments):
        dropped = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "STUDY", "mirror")
        environment = {key: value for key, value in os.environ.items() if key not in dropped}
        self.start = time.monotonic()
        self.checkout = checkout
        self.said = checkout.parent / "said.txt"
        with self.said.open("w") as said:
            self.process = subprocess.Popen(
                ["make", "--old-file", ".venv/ready", *arguments],
                cwd=checkout,
                env={**environment, "PYTHONPATH": str(checkout)},
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def finish(self):
        """Let it end; return the seconds that it took."""
        assert not self.kill(lambda: False)
        return time.monotonic() - self.start

    def released(self):
        """Return whether no process that was killed holds the lock of the checkout any more."""
        try:
            with (self.checkout / "results" / ".lock").open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, FileNotFoundError) as error:
            return isinstance(error, FileNotFoundError)
        return True

    def kill(self, moment):
        """Kill its processes after so many seconds, or when a condition holds.

        Return whether they were at work then.
        """
        due = moment if callable(moment) else lambda: time.monotonic() - self.start >= moment
        try:
            wait_for(lambda: due() or self.process.poll() is not None)
        finally:
            killed = self.process.poll() is None
            if killed:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
                wait_for(self.released)
        assert killed or self.process.returncode == 0, self.said.read_text(encoding="utf-8")
        return killed


def prepare(checkout):
    """Give a copy of the project the environment, and slow renames."""
    (checkout / ".venv").symlink_to(sys.prefix)
    append(checkout / "replicability" / "io" / "files.py", SLOWLY)
    return checkout


def results(checkout, *folders):
    """Return the bytes of everything that lies under its final name."""
    return {
        str(path.relative_to(checkout)): path.read_bytes()
        for folder in folders
        for path in sorted((checkout / folder).rglob("*"))
        if path.is_file()
        and "logs" not in path.parts
        and path.suffix != ".part"
        and not any(part.endswith(".staging") for part in path.parts)
        and not (folder == "results/raw" and path.name.startswith("tmp"))
    }
