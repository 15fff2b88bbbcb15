"""The command line."""

from replicability.cli.parser import main

__all__ = ["main"]
