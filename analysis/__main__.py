"""``python -m analysis``: see `analysis.command`."""

import signal
import sys

from analysis.command import main

if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it, without a traceback
    sys.exit(main())
