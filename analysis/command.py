"""Command lines of scripts."""

import functools
import sys

from replicability import checks


def status(main):
    """Make a function return the exit status of a command: 1 if a mistake of the user ends it.

    What is wrong is then printed in one sentence.
    """

    @functools.wraps(main)
    def ended(*arguments, **options):
        try:
            main(*arguments, **options)
        except checks.InputError as error:
            print(error, file=sys.stderr)
            return 1
        return 0

    return ended
