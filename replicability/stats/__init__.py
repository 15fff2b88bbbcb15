"""Counting, naming and tests: nothing here reads a file or draws."""
