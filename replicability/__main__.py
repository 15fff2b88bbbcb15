"""``python -m replicability``, and the console script `replicability`: see `replicability.cli`."""

import os
import signal
import sys

from replicability.cli import main


def run():
    """Run the command line as a process that ends without a traceback, whatever its surroundings.

    Returns
    -------
    int
        Its exit status.
    """
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it
    if sys.stdout is None:
        return _unprinted("standard output is closed")
    sys.stdout.reconfigure(errors="backslashreplace")  # a terminal that knows ASCII only
    try:
        try:
            status = main()
        except SystemExit as stop:
            status = stop.code
        sys.stdout.flush()
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.raise_signal(signal.SIGINT)
    except OSError as error:
        if error.filename is not None:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or it is tried again
        return _unprinted(error.strerror)
    return status


def _unprinted(reason):
    print(f"The answer could not be printed: {reason}.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(run())
