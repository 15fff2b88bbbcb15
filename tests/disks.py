"""A disk that can be full or read-only."""

import contextlib
import os
import shutil
import subprocess

import pytest


class Disk:
    """A small file system of its own, or a folder, that can be full or read-only.

    Attributes
    ----------
    folder : Path
        Where it is.
    fault : {"full", "read-only"}
        What it will be.
    """

    def __init__(self, folder, fault):
        self.folder, self.fault = folder, fault
        self.mounted = os.geteuid() == 0 and shutil.which("mount") is not None
        folder.mkdir()
        if self.mounted:
            command = ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", folder]
            self.mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
        if not self.mounted and (fault == "full" or os.geteuid() == 0):
            pytest.skip("a small file system takes the superuser and mount")

    def close(self):
        """Fill it, or make it read-only."""
        if self.fault == "full":
            filler = (self.folder / "filler").open("wb", buffering=0)
            with filler, contextlib.suppress(OSError):
                while filler.write(bytes(4096)):
                    pass
        else:
            self._permit("ro", 0o555)

    def open(self):
        """Undo it."""
        if self.fault == "full":
            (self.folder / "filler").unlink(missing_ok=True)
        else:
            self._permit("rw", 0o755)

    def remove(self):
        self.open()
        if self.mounted:
            # A library may hold a file that it could not write until its error is forgotten.
            subprocess.run(["umount", "--lazy", self.folder], check=True)

    def _permit(self, option, mode):
        if self.mounted:
            subprocess.run(["mount", "-o", f"remount,{option}", self.folder], check=True)
        else:
            for path in (self.folder, *self.folder.rglob("*")):
                path.chmod(mode if path.is_dir() else mode & 0o666)

    def files(self):
        """Return the bytes of its files."""
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and path.name != "filler"
        }
