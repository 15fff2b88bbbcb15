"""Confidence intervals."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class ConfidenceInterval:
    """Two-sided interval for the effect.

    Attributes
    ----------
    low, high : float or ndarray
        The limits.
    confidence_level : float
        Coverage it is made for, in (0, 1).
    """

    low: np.ndarray
    high: np.ndarray
    confidence_level: float
