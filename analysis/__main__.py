"""``python -m analysis``: says where its commands went."""

import shlex
import sys

if __name__ == "__main__":
    arguments = shlex.join(sys.argv[1:]) or "--help"
    sys.exit(f"The commands have moved to the library; run python -m replicability {arguments}")
