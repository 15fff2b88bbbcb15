"""Run a study with Snakemake: one run at a time, resuming one that was killed.

    python scripts/reproduce.py                        list the studies
    python scripts/reproduce.py STUDY.yaml             run it, and say what was made and found
    python scripts/reproduce.py STUDY.yaml ARGUMENTS   run Snakemake with more arguments

A notebook runs again if the content of anything that it depends on has changed.
"""

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from environment import ROOT, neutral

ROOM = 2**24  # bytes that must be free where a run starts, for results and files of Snakemake
RUNNING = "Running "  # how the line begins in which `run_notebook` says that a notebook runs

ASIDES = ("Assuming ", "Building DAG", "Using workflow specific profile", '  File "')
"""How lines of Snakemake begin that do not help to find a mistake."""

LISTED = """Name the file of a study:   make study STUDY=config/example.yaml

  {}

make reproduce runs the studies paper, open and leaderboards. To start your own study:
.venv/bin/python -m replicability new mystudy"""


def main(study=None, *arguments):
    """Run a study, or list all; return the exit status."""
    if not study:
        files = sorted((ROOT / "config").glob("*.yaml"))
        studies = [p for p in files if re.search("^study:", p.read_text("utf-8"), re.MULTILINE)]
        print(LISTED.format("\n  ".join(f"config/{p.name}" for p in studies)), file=sys.stderr)
        return 2
    path, status = ROOT / "results" / ".lock", 1
    try:
        # Imported here, so that Ctrl-C is answered from the first moment on.
        from analysis import assembly, studies, workflow
        from replicability import checks
        from replicability.io import files

        path.parent.mkdir(exist_ok=True)
        with path.open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            try:
                path.write_bytes(bytes(ROOM))  # fails where the disk is full
            finally:
                os.truncate(path, 0)
            found = studies.read_study(study)
            workflow.check_name(found.name, study)
            workflow.check_inputs(found)
            assembly.check_remarks(found, study)
            workflow.check_own(assembly.asked(found))
            # No other run is at work: a lock of Snakemake's is left from one that was killed.
            shutil.rmtree(ROOT / ".snakemake" / "locks", ignore_errors=True)
            if arguments:
                return snakemake(lock, study, *arguments).wait()
            return run(lock, study, found)
    except KeyboardInterrupt:
        said = "Stopped. Finished files are kept; run the same command to continue."
        status = 128 + signal.SIGINT
    except BlockingIOError:
        said = "Another run is active in this checkout; wait for it or stop it."
    except checks.InputError as error:
        said = error
    except OSError as error:
        said = files.unwritten(path, error)
    print(said, file=sys.stderr)
    return status


def snakemake(lock, study, *arguments, **streams):
    """Start Snakemake; it inherits the lock, in case this process alone is killed."""
    command = [sys.executable, "-m", "snakemake", f"--configfile={study}", *arguments]
    where = {"cwd": ROOT, "env": neutral(), "pass_fds": (lock.fileno(),)}
    return subprocess.Popen(command, **where, encoding="utf-8", errors="replace", **streams)


def run(lock, study, found):
    """Run the notebooks of a study; say what was made and found, or what went wrong."""
    started, said = 0, []
    with tempfile.NamedTemporaryFile() as stream:
        chatter = Path(stream.name)
        process = snakemake(lock, study, stdout=subprocess.PIPE, stderr=stream)
        try:
            for line in process.stdout:
                if line.startswith(RUNNING):
                    started += 1
                    jobs = re.findall(r"(?m)^total +(\d+)$", chatter.read_text("utf-8", "replace"))
                    of = f" of {int(jobs[-1]) - 1}" if jobs else ""  # the last job asks for them
                    print(f"[{started}{of}] {line.removeprefix(RUNNING)}", end="", flush=True)
                else:
                    said.append(line)
            status = process.wait()
        except KeyboardInterrupt:
            try:
                process.communicate(timeout=10)
            except subprocess.TimeoutExpired:  # Ctrl-C has not reached it
                process.send_signal(signal.SIGINT)
                process.communicate()
            raise
        lines = chatter.read_text("utf-8", "replace").splitlines(keepends=True)
    if status:  # what jobs say is meant for people; if none said a word, Snakemake has to
        words = said or [line for line in lines if not line.startswith(ASIDES)]
        print("".join(words).strip(), file=sys.stderr)
        return status
    import summary

    if not started:
        print(f"{study}: nothing has changed since the last run.")
    print("".join(said) + "\n".join(summary.lines(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
