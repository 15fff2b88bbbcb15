"""Run a study with Snakemake: one run at a time, resuming one that was killed."""

import fcntl
import subprocess
import sys

from analysis import checks, data, paths


def main(study="config/paper.yaml", *arguments):
    """Run Snakemake under a lock of this checkout; return its exit status."""
    try:
        data.read_study(study)
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    results = paths.ROOT / "results"
    results.mkdir(exist_ok=True)
    with (results / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            print(
                "Another run is at work in this checkout; wait for it or stop it.", file=sys.stderr
            )
            return 1
        snakemake = [sys.executable, "-m", "snakemake"]
        # Nobody else runs, so that a lock of Snakemake's own is left from a run that was killed.
        subprocess.run([*snakemake, "--unlock"], cwd=paths.ROOT, capture_output=True, check=False)
        run = [*snakemake, f"--configfile={study}", *arguments]
        return subprocess.run(run, cwd=paths.ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
