"""Check random texts for long: `python -m tests.fuzz_script [SECONDS] [SEED]`."""

from __future__ import annotations

import sys

from .texts import fuzz


def main() -> None:
    """Check texts, and say how many."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    print(f"fuzz_script: {fuzz(seconds, seed)} texts, seed {seed}")


if __name__ == "__main__":
    main()
