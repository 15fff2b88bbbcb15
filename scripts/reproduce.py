"""Run a study with Snakemake: one run at a time, resuming one that was killed.

    python scripts/reproduce.py                        list the studies
    python scripts/reproduce.py STUDY.yaml             run it, and say what was made and found
    python scripts/reproduce.py STUDY.yaml ARGUMENTS   run Snakemake with more arguments

A notebook runs again if the content of anything that it depends on has changed.
"""

import contextlib
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import environment

ROOT = environment.ROOT

ROOM = 2**24
"""Bytes that must be free where a run starts, for its results and the files of Snakemake."""

SMALL = 2**22
"""Bytes up to which the files of a comparison are read before anything runs."""

RUNNING = "Running "
"""How the line begins in which `run_notebook` says that a notebook runs."""

ASIDES = ("Assuming ", "Building DAG", "Using workflow specific profile", '  File "')
"""How lines of Snakemake begin that do not help to find a mistake."""

STOP = 10
"""Seconds until Snakemake is told to stop, in case Ctrl-C has not reached it."""

LISTED = """Which study? Name its file:   make study STUDY=config/example.yaml

  {}

make reproduce runs the studies paper, open and leaderboards; to start one of your own:
.venv/bin/python -m replicability new mystudy"""


def main(study=None, *arguments):
    """Run a study, or list all; return the exit status."""
    if not study:
        files = sorted((ROOT / "config").glob("*.yaml"))
        studies = [p for p in files if re.search("^study:", p.read_text("utf-8"), re.MULTILINE)]
        print(LISTED.format("\n  ".join(f"config/{p.name}" for p in studies)), file=sys.stderr)
        return 2
    try:
        return locked(study, arguments)
    except KeyboardInterrupt:
        print(
            "Stopped. What is finished is kept; the same command goes on from there.",
            file=sys.stderr,
        )
        return 128 + signal.SIGINT


def locked(study, arguments):
    """Check a study and run it, unless another run is at work; return the exit status."""
    # Imported here, so that Ctrl-C is answered from the first moment on.
    from analysis.studies import read_study
    from replicability import checks
    from replicability.io import files

    path = ROOT / "results" / ".lock"
    try:
        path.parent.mkdir(exist_ok=True)
        with path.open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            try:
                path.write_bytes(bytes(ROOM))  # fails where the disk is full
            finally:
                os.truncate(path, 0)
            found = read_study(study)
            check(found)
            # No other run is at work: a lock of Snakemake's is left from one that was killed.
            shutil.rmtree(ROOT / ".snakemake" / "locks", ignore_errors=True)
            if arguments:
                return snakemake(lock, study, *arguments).wait()
            return run(lock, study, found)
    except BlockingIOError:
        print("Another run is at work in this checkout; wait for it or stop it.", file=sys.stderr)
    except checks.InputError as error:
        print(error, file=sys.stderr)
    except OSError as error:
        print(files.unwritten(path, error), file=sys.stderr)
    return 1


def check(study):
    """Check the headers of a study's files, and every row of the small ones."""
    from analysis import workflow
    from replicability.io import formats, pvalues, several

    for block in (*study.comparisons, *study.families):
        pvalues.check_comparison(block)
        size = sum((ROOT / file).stat().st_size for file in workflow.files_below(block.paths))
        if block.level == "instances" and size <= SMALL:
            (several if block in study.families else formats).read(block)


def snakemake(lock, study, *arguments, **streams):
    """Start Snakemake; it inherits the lock, in case this process alone is killed."""
    return subprocess.Popen(
        [sys.executable, "-m", "snakemake", f"--configfile={study}", *arguments],
        cwd=ROOT,
        env=environment.neutral(),
        pass_fds=(lock.fileno(),),
        encoding="utf-8",
        errors="replace",
        **streams,
    )


def run(lock, study, found):
    """Run the notebooks of a study; say what was made and found, or what went wrong."""
    started, said = 0, []
    with tempfile.TemporaryFile() as stream:
        process = snakemake(lock, study, stdout=subprocess.PIPE, stderr=stream)
        try:
            for line in process.stdout:
                if line.startswith(RUNNING):
                    started += 1
                    jobs = re.findall(r"^total +(\d+)$", chatter(stream), re.MULTILINE)
                    of = f" of {int(jobs[-1]) - 1}" if jobs else ""  # the last job asks for them
                    print(f"[{started}{of}] {line.removeprefix(RUNNING)}", end="", flush=True)
                else:
                    said.append(line)
            status = process.wait()
        except KeyboardInterrupt:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=STOP)
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                process.communicate()
            raise
        # What jobs say is meant for people; if none said a word, Snakemake has to.
        lines = chatter(stream).splitlines(keepends=True)
        words = said or [line for line in lines if not line.startswith(ASIDES)]
    if status:
        print("".join(words).strip(), file=sys.stderr)
        return status
    import summary

    if not started:
        print(f"{study}: nothing has changed since it ran.")
    print("".join(said) + "\n".join(summary.lines(found)))
    return 0


def chatter(stream):
    """Return what Snakemake has said, without moving the place where it goes on to write."""
    return os.pread(stream.fileno(), 2**24, 0).decode("utf-8", "replace")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
