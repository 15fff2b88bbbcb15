"""Claims for the tests of checks."""

from replicability import forensics


def claim(published, text="c", item="t"):
    """Make a claim of a paper "p", of which a test says what matters."""
    return forensics.Claim("p", item, text, published)
