"""Counting, naming and tests: numpy and scipy only."""
