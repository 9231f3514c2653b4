"""What `import uir` costs against `import tvm`, in fresh processes, in turns.

Prints `import.time` in seconds, measured in the process, and `import.rss` in bytes: the most memory
that the process had until then.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from peer_tvm import peer_python
from report import report

ROUNDS = 9
PROBE = """
import time
start = time.perf_counter()
import {module}
elapsed = time.perf_counter() - start
status = open("/proc/self/status").read()
print(elapsed, status.split("VmHWM:")[1].split()[0])
"""


class Cost(NamedTuple):
    """Seconds, and bytes."""

    time: float
    memory: int


def cost(python: str | Path, module: str) -> Cost:
    """Import a module in a process of its own."""
    command = [python, "-c", PROBE.format(module=module)]
    # Byte code is kept, as it is for users; that of an installed package comes with it.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    seconds, kibibytes = subprocess.check_output(command, text=True, env=environment).split()
    return Cost(float(seconds), int(kibibytes) * 1024)


def main() -> None:
    """Print the figures."""
    sides = ((sys.executable, "uir"), (peer_python(), "tvm"))
    # The first import of each compiles its modules to byte code, and fills the cache of files.
    for python, module in sides:
        cost(python, module)
    costs = [[cost(python, module) for python, module in sides] for _ in range(ROUNDS)]
    ours, peer = zip(*costs, strict=True)
    seconds = [statistics.median(one.time for one in side) for side in (ours, peer)]
    memory = [statistics.median(one.memory for one in side) for side in (ours, peer)]
    report("import.time", *seconds, "s")
    report("import.rss", *memory, "bytes")


if __name__ == "__main__":
    main()
