"""Templates of the pages, and the environment that fills them."""

import functools
from pathlib import Path

import jinja2

from replicability.show.html_elements import csv_link

FOLDER = Path(__file__).parent


@functools.cache
def environment():
    """Return the environment of the templates, in which whatever is no markup is escaped."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    made.filters["csv"] = lambda shown: csv_link(shown.frame)
    return made
