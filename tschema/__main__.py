"""`python -m tschema` is the command `tschema`."""

import sys

from tschema.start import main

if __name__ == "__main__":
    sys.exit(main())
