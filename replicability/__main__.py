"""``python -m replicability``, and the console script `replicability`: see `replicability.cli`."""

import contextlib
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
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) == signal.SIG_DFL:  # nohup ignores it
            signal.signal(number, _stop)
    if sys.stdout is None:
        return _unprinted("standard output is closed")
    sys.stdout.reconfigure(errors="backslashreplace")  # a terminal that knows ASCII only
    try:
        try:
            status = main()
        except SystemExit as stop:
            status = stop.code
        sys.stdout.flush()
    except KeyboardInterrupt as stop:
        number = stop.args[0] if stop.args else signal.SIGINT
        signal.signal(number, signal.SIG_DFL)
        with contextlib.suppress(OSError):  # the terminal may be closed
            print("Stopped. No partly written file was left behind.", file=sys.stderr, flush=True)
        signal.raise_signal(number)
        return 128 + number  # the first process of a container lives on
    except OSError as error:
        if error.filename is not None:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or it is tried again
        return _unprinted(error.strerror)
    return status


def _stop(number, frame):
    """End like Ctrl-C, so that what is half done is undone."""
    raise KeyboardInterrupt(number)


def _unprinted(reason):
    print(f"The result could not be printed: {reason}.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(run())
