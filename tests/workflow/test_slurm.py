"""The queue: the workflow through a real Slurm, killed on the way, beside a local run."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time

import pytest
import yaml
from checkouts import HANGS, copy, run, snakemake, with_pairs

from analysis import paths
from replicability import checks, cli

sys.path.insert(0, str(paths.ROOT / "scripts"))

import slurm_sandbox

DOCUMENT = paths.ROOT / "docs" / "queue.md"
PROFILE = paths.ROOT / "profiles" / "slurm" / "config.yaml"
OBSTACLE = slurm_sandbox.obstacle()
needs_slurm = pytest.mark.skipif(OBSTACLE != "", reason=OBSTACLE)

SHARDS = 3
SIMULATIONS = f"""\
name: queue
n_families: 12288
n_shards: {SHARDS}
seed: 2017
alpha: 0.05
estimators: [count, bonferroni, fisher]
examples:
  independent: [[100, 0.0]]
"""
OUTCOMES = "results/outcomes/low_resource/da_perceptron.parquet"


@pytest.fixture(scope="module")
def targets(request):
    """Return what is made: a sharded simulation and, where there are raw files, outcomes."""
    try:
        pytest.importorskip("nltk")
        upstream = request.getfixturevalue("mirror")("UD_Danish-DDT")
    except pytest.skip.Exception:
        return ["simulations"]
    return ["simulations", OUTCOMES, "--config", f"mirror={upstream}"]


def small(target):
    """Return a copy of the checkout with a small simulation."""
    checkout = copy(target)
    (checkout / "config" / "simulations.yaml").write_text(SIMULATIONS, encoding="utf-8")
    return checkout


def edit_profile(checkout):
    """Make the edit that a user makes."""
    profile = checkout / PROFILE.relative_to(paths.ROOT)
    text = profile.read_text(encoding="utf-8")
    for key in ("account", "partition"):
        assert text.count(f'"your_{key}"') == 1
        text = text.replace(f'"your_{key}"', slurm_sandbox.PARTITION)
    profile.write_text(text, encoding="utf-8")


def made(checkout):
    """Return the bytes of every file that is made, but for logs."""
    found = sorted(path for path in (checkout / "results").rglob("*") if path.is_file())
    names = [path.relative_to(checkout / "results") for path in found]
    return {
        str(name): path.read_bytes()
        for name, path in zip(names, found, strict=True)
        if "logs" not in name.parts and name.name != ".lock"
    }


def documented(start):
    """Return the command of the document that starts so."""
    text = DOCUMENT.read_text(encoding="utf-8")
    [command] = re.findall(rf"^{start}(?:.*\\\n)*.*$", text, re.MULTILINE)
    return command


class Queue:
    """Slurm's commands, and a run of the workflow that submits to it."""

    def __init__(self, enter, checkout):
        self.enter = enter
        self.checkout = checkout
        self.log = checkout / "queue.log"
        self.process = None

    def tell(self, *command):
        """Run a command beside Slurm and return what it says."""
        found = subprocess.run(
            [*self.enter, *command], capture_output=True, text=True, timeout=HANGS, check=True
        )
        return found.stdout

    def jobs(self, *states):
        """Return the numbers of the jobs in one of the states, by comment."""
        lines = self.tell("squeue", "--noheader", "--states=all", "--format=%T %A %k").splitlines()
        found = [line.split(maxsplit=2) for line in lines]
        return {comment: job for state, job, comment in found if state in states}

    def at_work(self):
        """Return the jobs that wait or run, or have not quite ended."""
        return self.jobs("PENDING", "RUNNING", "COMPLETING")

    def start(self, targets, *program):
        """Start the workflow, as `scripts/reproduce.py` or another program runs it."""
        program = program or ("scripts/reproduce.py", "config/paper.yaml")
        command = [*self.enter, sys.executable, *program]
        command += ["--workflow-profile", "profiles/slurm", *targets]
        command += ["--slurm-init-seconds-before-status-checks", "2"]
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.checkout),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                command,
                env=environment,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def kill(self):
        """Kill the workflow, if it runs, and not its jobs."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def said(self):
        """Return what the workflow has printed."""
        return self.log.read_text(encoding="utf-8")

    def wait_for(self, what, condition, seconds=HANGS):
        """Wait until a condition holds; return its value."""
        end = time.monotonic() + seconds
        while not (value := condition()):
            assert time.monotonic() < end, f"waited {seconds} s for {what}\n{self.said()}"
            time.sleep(0.2)
        return value

    def wait_while_running(self, what, condition):
        """Wait until a condition holds, while the workflow runs."""

        def holds():
            value = condition()
            assert value or self.process.poll() is None, f"no {what}\n{self.said()}"
            return value

        return self.wait_for(what, holds)


@contextlib.contextmanager
def slurm(checkout):
    """Start a Slurm for a checkout; stop it and the workflow at the end."""
    with slurm_sandbox.sandbox(workdir=checkout, cpus=3) as enter:
        queue = Queue(enter, checkout)
        try:
            yield queue
        finally:
            queue.kill()


@needs_slurm
@pytest.mark.long
def test_the_queue_gives_the_bytes_of_a_local_run(targets, tmp_path):
    local = small(tmp_path / "local")
    found = snakemake(local, *targets)
    assert found.returncode == 0, found.stderr

    checkout = small(tmp_path / "queue")
    edit_profile(checkout)
    with slurm(checkout) as queue:
        queue.start(targets)

        def running():
            return [job for rule, job in queue.jobs("RUNNING").items() if "shard" in rule]

        def finished():
            return queue.said().count("(Rule: simulation_shard)")

        job, *_ = queue.wait_while_running("running shard", running)
        queue.tell("scancel", job)
        queue.wait_while_running("end of the job", lambda: job in queue.jobs("CANCELLED").values())
        queue.wait_while_running("second submission", lambda: "Trying to restart" in queue.said())

        queue.wait_while_running("finished shard", finished)
        queue.wait_while_running("job at work", lambda: queue.jobs("RUNNING"))
        queue.kill()
        kept = finished()
        assert queue.at_work(), "the jobs of a killed workflow stay on the queue"
        queue.tell("sh", "-c", documented("squeue --me"))
        queue.wait_for("an empty queue", lambda: not queue.at_work())

        queue.start(targets)
        queue.wait_for("the end of the workflow", lambda: queue.process.poll() is not None)
        assert queue.process.returncode == 0, queue.said()
        assert finished() <= SHARDS - kept

    expected, found = made(local), made(checkout)
    assert len(expected) > len(targets)
    assert found.keys() == expected.keys()
    assert [name for name in expected if found[name] != expected[name]] == []
    again = snakemake(checkout, "--dry-run", *targets)
    assert "Nothing to be done" in again.stdout + again.stderr


@needs_slurm
@pytest.mark.long
def test_blocks_of_pairs_on_the_queue_give_the_bytes_of_one_command(tmp_path, monkeypatch, capsys):
    checkout, command = with_pairs(copy(tmp_path))
    edit_profile(checkout)
    with slurm(checkout) as queue:
        queue.start(["pairs", "--config", "pairs=config/small.yaml"], "-m", "snakemake")
        queue.wait_for("the end of the workflow", lambda: queue.process.poll() is not None)
        assert queue.process.returncode == 0, queue.said()
        ended = sorted(name.partition("_wildcards_")[0] for name in queue.jobs("COMPLETED"))
    assert ended == ["rule_pairs", *["rule_pairs_block"] * 3]
    monkeypatch.chdir(checkout)
    assert cli.main(command) == 0
    answer = checkout / "results" / "pairs" / "small" / "family.json"
    assert answer.read_text(encoding="utf-8") == capsys.readouterr().out


@needs_slurm
@pytest.mark.long
def test_the_sandbox_has_the_status_of_its_command_and_leaves_nothing():
    script = (
        "srun printenv SLURM_JOB_PARTITION"
        " && scontrol show config | awk '/^StateSaveLocation/ {print $3}'"
        "; sleep 60 & exit 3"
    )
    before = {*slurm_sandbox.SETTINGS.iterdir()}
    found = run(paths.ROOT, "scripts/slurm_sandbox.py", "sh", "-c", script)
    assert found.returncode == 3, found.stderr
    partition, state = found.stdout.split()
    assert partition == slurm_sandbox.PARTITION
    assert not paths.Path(state).exists()
    assert {*slurm_sandbox.SETTINGS.iterdir()} == before
    assert started_with(paths.Path(state).parent) == []


@needs_slurm
@pytest.mark.long
def test_a_slurm_that_does_not_start_shows_the_end_of_its_logs(monkeypatch, capsys):
    monkeypatch.setattr(slurm_sandbox, "SLURM_CONF", "ClusterName=sandbox\n")
    assert slurm_sandbox.main(["true"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("Slurm did not start:\n")
    assert "slurmctld: " in said


def started_with(folder):
    """Return the command lines of processes that name a folder."""
    found = []
    for path in paths.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            found.append(path.read_bytes())
    return [line for line in found if bytes(folder) in line]


def test_without_slurm_the_sandbox_says_what_is_needed(monkeypatch, capsys):
    monkeypatch.setattr(slurm_sandbox, "PROGRAMS", ("sbatch-of-nowhere", "sh"))
    assert slurm_sandbox.main(["true"]) == 1
    assert capsys.readouterr().err == (
        "Slurm's sandbox needs sbatch-of-nowhere; on Debian or Ubuntu, run "
        "apt-get install slurm-wlm munge.\n"
    )
    monkeypatch.setattr(slurm_sandbox, "PROGRAMS", ())
    monkeypatch.setattr(slurm_sandbox, "UNSHARE", ("false",))
    with (
        pytest.raises(checks.InputError, match="needs root and, in a container, the right"),
        slurm_sandbox.sandbox(),
    ):
        pass


# --- what the document says


def stated():
    """Return memory (MB) and time (minutes; the constant part) that the rules state."""
    found = {}
    for path in (paths.ROOT / "rules").glob("*.smk"):
        text = path.read_text(encoding="utf-8")
        for rule, body in re.findall(r"^rule (\w+):\n(.*?)(?=^\S|\Z)", text, re.M | re.S):
            numbers = re.findall(r"^        (?:mem_mb|runtime)=(\d+)", body, re.M)
            if numbers:
                memory, minutes = map(int, numbers)
                found[rule] = (memory, minutes)
    return found


def test_the_document_has_what_each_rule_asks_for():
    rows = re.findall(
        r"^\| (.+) \| (\d+) \| (\d+).*? \|$", DOCUMENT.read_text(encoding="utf-8"), re.M
    )
    table = {
        rule: (int(memory), int(minutes))
        for rules, memory, minutes in rows
        for rule in re.findall(r"`(\w+)`", rules) or [rules.partition(":")[0]]
    }
    defaults = yaml.safe_load(PROFILE.read_text(encoding="utf-8"))["default-resources"]
    assert table.pop("every other rule") == (defaults["mem_mb"], defaults["runtime"])
    assert table == stated()


def test_the_profile_is_edited_in_two_lines():
    profile = yaml.safe_load(PROFILE.read_text(encoding="utf-8"))
    assert profile["executor"] == "slurm"
    yours = [value for value in profile["default-resources"].values() if "your" in str(value)]
    assert yours == ["your_account", "your_partition"]
