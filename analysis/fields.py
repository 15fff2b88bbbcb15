"""Fields: comments in prose that say what a number or a word is; `analysis.prose` computes them."""

import re

from analysis import verdicts

_PHRASES = "|".join(word.replace(" ", r"\s+") for word in verdicts.WORDS if " " in word)

FIELD = re.compile(
    rf"(?P<said>\$[^$]+\$|(?<!\w)(?i:{_PHRASES})|[^\s$]{{0,60}}[^\s>])<!-- (?P<field>.*?) -->",
    re.DOTALL,
)
"""What is said, without a blank, in mathematics or a phrase of judgement, and the field behind."""


def plain(text):
    """Return a text without its fields."""
    return FIELD.sub(lambda found: found["said"], text)
