"""Fields: comments in prose that say what a number is; `analysis.prose` computes them."""

import re

FIELD = re.compile(r"(?P<said>\$[^$]+\$|[^\s$]{0,60}[^\s>])<!-- (?P<field>.*?) -->", re.DOTALL)
"""What is said, without a blank or in mathematics, and the field behind it."""


def plain(text):
    """Return a text without its fields."""
    return FIELD.sub(lambda found: found["said"], text)
