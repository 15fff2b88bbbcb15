"""Progress of a long computation, shown on a terminal only."""

from tqdm import tqdm

DELAY = 1.0
"""Seconds before progress is shown; most answers arrive earlier."""


def watched(items, what):
    """Iterate, with a bar on standard error where it is a terminal and the work takes longer.

    `items` (sized iterable): what is worked on. `what`: what they are, for the terminal.

    Returns iterable. The same items; a pipe or file never gets a bar, and what is shown is removed
    at the end.
    """
    return tqdm(items, desc=what, delay=DELAY, disable=None, leave=False, file=None)
