"""The command `uir`, as `python -m uir`."""

import sys

from .commands import main

if __name__ == "__main__":
    sys.exit(main())
