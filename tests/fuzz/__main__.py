"""Run the fuzzer for long: `python -m tests.fuzz [CASES] [SEED]`."""

from __future__ import annotations

import sys
import time

from .worlds import PROPERTIES, fuzz


def main() -> None:
    """Run every property, and say what was done."""
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    for name, share in PROPERTIES.items():
        started = time.perf_counter()
        count = max(1, int(cases * share))
        fuzz(name, count, seed)
        print(f"fuzz.{name}: {count} cases in {time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
