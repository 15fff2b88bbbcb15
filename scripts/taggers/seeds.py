"""Seeds of the generators that packages draw from."""

import contextlib
import random

import numpy as np


def word32(seed):
    """Turn a seed into one of 32 bits."""
    return int(np.random.SeedSequence(seed).generate_state(1)[0])


@contextlib.contextmanager
def seeded(seed):
    """Seed the generators of the modules `random` and `numpy.random`, and put them back after."""
    states = random.getstate(), np.random.get_state()  # noqa: NPY002
    random.seed(word32(seed))
    np.random.seed(word32(seed))  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])  # noqa: NPY002
