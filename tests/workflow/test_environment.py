"""The environment of the user: whatever it holds, a study gives the same bytes."""

import os
import shutil
import subprocess
import sys
import sysconfig

import pytest
from checkouts import copy, needs_make, results, run

from analysis import paths

MATPLOTLIBRC = "font.size: 30\nsavefig.dpi: 50\naxes.facecolor: red\n"
KERNEL = "c.InlineBackend.figure_formats = {'svg'}\nc.InteractiveShellApp.exec_lines = ['1 / 0']\n"
FOREIGN = "raise RuntimeError('foreign')\n"
UNPRIVILEGED = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
"""Takes from root what an ordinary user has not, such as writing into folders of others."""


def make(checkout, *arguments, before=(), **variables):
    """Run make as a user does, with nothing in the environment but what is given."""
    environment = {"PATH": os.environ["PATH"], **{k: str(v) for k, v in variables.items()}}
    return subprocess.run(
        [*before, "make", *arguments],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def prepare(checkout):
    """Give a copy of the project a study and an environment of its own, at no cost."""
    run(checkout, "-m", "replicability", "new", "small")
    command = [sys.executable, "-m", "venv", "--without-pip", checkout / ".venv"]
    subprocess.run(command, check=True)
    (place,) = (checkout / ".venv").glob("lib/python3.*/site-packages")
    (place / "packages.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    (checkout / ".venv" / "ready").touch()
    return checkout


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """Return a copy of the project in a folder whose name has blanks, accents and a quote."""
    return prepare(copy(tmp_path_factory.mktemp("d'un côté, Größe é")))


@needs_make
@pytest.mark.long
def test_a_hostile_environment_gives_the_same_bytes(odd, tmp_path):
    foreign, settings = tmp_path / "foreign", tmp_path / "settings"
    for file, text in {
        foreign / "analysis" / "__init__.py": FOREIGN,
        foreign / "environment.py": FOREIGN,
        foreign / "sitecustomize.py": FOREIGN,
        settings / "matplotlibrc": MATPLOTLIBRC,
        settings / "matplotlib" / "matplotlibrc": MATPLOTLIBRC,
        settings / "profile_default" / "ipython_kernel_config.py": KERNEL,
        settings / "profile_default" / "startup" / "00.py": FOREIGN,
    }.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    plain = prepare(copy(tmp_path / "plain"))
    home = tmp_path / "home"
    home.mkdir()
    found = make(plain, "study", "STUDY=config/small.yaml", HOME=home)
    assert found.returncode == 0, found.stderr

    before = ["sh", "-c", 'umask 077; exec "$@"', "sh"]
    if os.geteuid() == 0 and not subprocess.run([*UNPRIVILEGED, "true"], check=False).returncode:
        before += UNPRIVILEGED
    hostile = make(
        odd,
        "study",
        "STUDY=config/small.yaml",
        before=before,
        HOME="/dev/null",
        LC_ALL="C",
        TZ="Asia/Kathmandu",
        PYTHONPATH=foreign,
        PYTHONHOME=foreign,
        PYTHONSAFEPATH="1",
        PYTHONOPTIMIZE="2",
        PYTHONWARNINGS="error",
        MPLBACKEND="TkAgg",
        MATPLOTLIBRC=settings,
        MPLCONFIGDIR=settings / "matplotlib",
        XDG_CONFIG_HOME=settings,
        XDG_CACHE_HOME="/dev/null",
        IPYTHONDIR=settings,
        JUPYTER_CONFIG_DIR=settings,
        JUPYTER_PATH=foreign,
        JUPYTER_DATA_DIR="/dev/null",
        JUPYTER_RUNTIME_DIR="/dev/null",
    )
    assert hostile.returncode == 0, hostile.stdout + hostile.stderr
    expected, made = results(plain, "results/small"), results(odd, "results/small")
    assert any(name.endswith(".png") for name in expected)
    assert made.keys() == expected.keys()
    assert [name for name in expected if made[name] != expected[name]] == []
    assert hostile.stdout == found.stdout


@needs_make
def test_the_path_of_a_checkout_is_read_in_every_locale(odd, tmp_path):
    said = make(odd, "--dry-run", "--always-make", ".venv/ready").stdout.splitlines()
    (line,) = [line for line in said if ".pth" in line]
    subprocess.run(["sh", "-c", line], cwd=odd, check=True)
    for locale in ("C", "C.UTF-8", "POSIX"):
        found = subprocess.run(
            [odd / ".venv" / "bin" / "python", "-c", "import analysis; print(analysis.__file__)"],
            cwd=tmp_path,
            env={"LC_ALL": locale},
            capture_output=True,
            check=False,
        )
        assert found.stderr == b""
        assert found.stdout.strip() == os.fsencode(odd / "analysis" / "__init__.py")


@needs_make
@pytest.mark.long
def test_snakemake_by_itself_takes_this_analysis(odd, tmp_path):
    (tmp_path / "analysis").mkdir()
    (tmp_path / "analysis" / "__init__.py").write_text(FOREIGN, encoding="utf-8")
    shutil.rmtree(odd / "results" / "small", ignore_errors=True)
    found = subprocess.run(
        [odd / ".venv" / "bin" / "python", "-m", "snakemake", "--configfile=config/small.yaml"],
        cwd=odd,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr


# --- the versions of Python


PRETENDS = """#!/bin/sh
exec "{python}" -c "import sys; sys.version_info = {version}; exec(sys.argv[1])" "$2"
"""


@needs_make
@pytest.mark.parametrize("version", [(3, 10, 12), (3, 14, 0), (3, 15, 1)])
def test_a_python_that_cannot_work_is_refused_with_a_sentence(tmp_path, version):
    shutil.copy(paths.ROOT / "Makefile", tmp_path)
    (tmp_path / "requirements.lock").touch()
    (tmp_path / "pyproject.toml").touch()
    python = tmp_path / "any python"
    python.write_text(PRETENDS.format(python=sys.executable, version=version), encoding="utf-8")
    python.chmod(0o755)
    found = subprocess.run(
        ["make", f"PYTHON={python}", "reproduce"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 2
    assert found.stdout == (
        "Python 3.11, 3.12 or 3.13 is needed (for newer ones, gensim has no wheels yet): "
        "make PYTHON=/path/to/python3.13 ...\n"
    )
    assert not (tmp_path / ".venv").exists()
