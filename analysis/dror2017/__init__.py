"""Dror et al. (2017)."""
