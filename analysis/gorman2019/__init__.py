"""Gorman and Bedrick (2019)."""
