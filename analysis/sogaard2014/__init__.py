"""Søgaard et al. (2014)."""
