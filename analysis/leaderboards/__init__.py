"""Benchmarks of 2018 to 2025, from raw answers: what their leaderboards cannot say."""
