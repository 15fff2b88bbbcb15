"""Run a command beside a Slurm of one node that lives as long as the command.

    python scripts/slurm_sandbox.py COMMAND [ARGUMENT ...]

Slurm is that of Debian and Ubuntu: apt-get install slurm-wlm munge. It runs in mount and process
namespaces of its own: its /etc/slurm is a folder that no other process sees, state, sockets and
logs are in a temporary folder, and the kernel ends every daemon and job when the command ends,
however that happens. A Slurm that runs on the machine already is not touched. Only root can do
this; a container must have been given the right to mount (SYS_ADMIN).
"""

import argparse
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from replicability import checks

PARTITION = "sandbox"
"""Name of the only partition."""

PROGRAMS = ("munged", "nsenter", "sbatch", "scancel", "sinfo", "slurmctld", "slurmd", "unshare")

SETTINGS = Path("/etc/slurm")
"""Where Debian's Slurm reads its settings; job steps read them there whatever SLURM_CONF says."""

START = 600
"""Seconds after which a Slurm that has no idle node has failed."""

UNSHARE = ("unshare", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child")

SLURM_CONF = """\
ClusterName=sandbox
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=2
MinJobAge=300
KillWait=2
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory} State=UNKNOWN
PartitionName={partition} Nodes={host} Default=YES MaxTime=UNLIMITED State=UP
"""


def main(arguments=None):
    """Run the command line; return the exit status of its command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the command and its arguments")
    command = parser.parse_args(arguments).command
    if not command:
        parser.error("name a command, such as bash")
    try:
        with sandbox() as enter:
            return subprocess.run([*enter, *command], check=False).returncode
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1


def obstacle():
    """Say what keeps a sandbox from being started here.

    Returns str. A sentence; empty if nothing does.
    """
    missing = [name for name in PROGRAMS if _which(name) is None]
    if missing:
        return (
            f"Slurm's sandbox needs {', '.join(missing)}; on Debian or Ubuntu, run "
            "apt-get install slurm-wlm munge."
        )
    if os.geteuid() != 0 or subprocess.run([*UNSHARE, "true"], capture_output=True).returncode:
        return (
            "Slurm's sandbox needs root and, in a container, the right to mount (SYS_ADMIN); "
            "run it with sudo, or in a container with that right."
        )
    return ""


@contextlib.contextmanager
def sandbox(workdir=None, cpus=None):
    """Start a Slurm of one node; stop it and everything in it at the end.

    `workdir`: working directory of the commands, the current one by default. `cpus`: processors
    that the node offers, the machine's by default; they may be more than those.

    Yields list of str. What to put before a command to run it next to this Slurm.

    Raises `InputError`: if it cannot be started here, or its node is not idle after `START`
    seconds.
    """
    reason = obstacle()
    if reason:
        raise checks.InputError(reason)
    with tempfile.TemporaryDirectory(prefix="slurm-") as name:
        folder = Path(name)
        _write_settings(folder, cpus or os.cpu_count())
        server = subprocess.Popen(
            [*UNSHARE, sys.executable, __file__, "--serve", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            if server.stdout.readline() != "idle\n":
                raise checks.InputError(f"Slurm did not start:\n{_last_lines(folder)}")
            namespaces = f"/proc/{server.pid}/ns"
            yield [
                "nsenter",
                f"--mount={namespaces}/mnt",
                f"--pid={namespaces}/pid_for_children",
                "env",
                f"--chdir={workdir or Path.cwd()}",  # entering a namespace leads to its root
            ]
        finally:
            server.stdin.close()  # the server ends, and with it its namespace
            server.wait()
            server.stdout.close()


def serve(folder):
    """Start the daemons, print "idle" and wait for the end of the standard input.

    `folder`: folder with the settings; the caller is process 1 of the sandbox.
    """
    subprocess.run(["mount", "--bind", folder / "etc", SETTINGS], check=True)
    daemons = [
        _start(folder, "munged", "--foreground", *_munge_options(folder)),
        _start(folder, "slurmctld", "-D", "-c"),
        _start(folder, "slurmd", "-D", "-c"),
    ]
    end = time.monotonic() + START
    while _states() != ["idle"]:
        if time.monotonic() > end or any(daemon.poll() is not None for daemon in daemons):
            return
        time.sleep(0.1)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # process 1 inherits the orphans of the jobs
    print("idle", flush=True)
    sys.stdin.read()


def _write_settings(folder, cpus):
    """Write keys and settings, and make the folders that they name."""
    folder.chmod(0o711)  # munged wants its socket within everybody's reach
    for name in ("etc", "state", "spool"):
        (folder / name).mkdir()
    key = folder / "munge.key"
    key.touch(mode=0o600)
    key.write_bytes(os.urandom(128))
    settings = SLURM_CONF.format(
        folder=folder,
        host=socket.gethostname().partition(".")[0],
        ports=_free_ports(2),
        cpus=cpus,
        memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20,
        partition=PARTITION,
    )
    (folder / "etc" / "slurm.conf").write_text(settings, encoding="utf-8")
    (folder / "etc" / "cgroup.conf").write_text("ConstrainCores=no\n", encoding="utf-8")


def _free_ports(number):
    """Return ports at which nobody listens."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(number)]
        for free in sockets:
            free.bind(("127.0.0.1", 0))
        return [free.getsockname()[1] for free in sockets]


def _munge_options(folder):
    files = [f"--{name}-file={folder}/munge.{name}" for name in ("key", "log", "pid", "seed")]
    return [f"--socket={folder}/munge.socket", *files]


def _start(folder, name, *options):
    """Start a daemon in the foreground; its log is a file of the folder."""
    with (folder / f"{name}.log").open("w") as log:
        return subprocess.Popen(
            [_which(name), *options], stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )


def _states():
    """Return the states of the nodes."""
    command = ["sinfo", "--noheader", "--format=%T"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()


def _last_lines(folder, number=5):
    """Return the end of every log."""
    logs = sorted(folder.glob("*.log"))
    lines = {log.stem: log.read_text(errors="replace").splitlines()[-number:] for log in logs}
    return "\n".join(f"{name}: {line}" for name, last in lines.items() for line in last)


def _which(name):
    """Return where a program is; daemons are often outside the search path."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(Path(sys.argv[2]))
    else:
        sys.exit(main(sys.argv[1:]))
