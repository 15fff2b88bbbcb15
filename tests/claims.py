"""Claims for the tests of checks."""

from replicability import audit


def claim(published, text="c", item="t"):
    """Make a claim of a paper "p", of which a test says what matters."""
    return audit.Claim("p", item, text, published)
