"""`python -m tschema` is the command `tschema`."""

import sys

from tschema.cli.entry import main

if __name__ == "__main__":
    sys.exit(main())
