"""One comparison or family, from scores to what is found."""
