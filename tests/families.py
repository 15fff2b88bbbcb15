"""Families of p-values on which rounding would show."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

ALPHAS = [0.05, 0.01, 0.1, 1 / 16, 1 / 32]


@st.composite
def ties(draw):
    """A batch whose p-values lie on the boundaries of a level, or next to them, and the level."""
    alpha = draw(st.sampled_from(ALPHAS))
    families, n = draw(st.integers(1, 3)), draw(st.integers(1, 23))
    ranks, sizes = (
        draw(hnp.arrays(float, (families, n), elements=st.integers(1, n))) for _ in range(2)
    )
    steps = draw(hnp.arrays(float, (families, n), elements=st.sampled_from([-1, 0, 0, 1, 9])))
    values = np.minimum(alpha / (np.maximum(ranks, sizes) / np.minimum(ranks, sizes)), 1)
    near = np.nextafter(values, np.where(steps < 0, 0, 1))
    return np.where(steps == 0, values, np.where(steps == 9, 1 - values, near)), alpha
