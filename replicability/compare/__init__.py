"""One comparison or family, from instances to findings."""
