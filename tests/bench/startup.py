"""What `import uir` costs against `import tvm`, in fresh processes, in turns.

Prints `import.time` in seconds, measured in the process, and `import.rss` in bytes: the most memory
that the process had until then.  Each side has what it depends on.  TVM depends on numpy; uir does
not, so the numpy that its tests install is hidden from it.  tvm-ffi imports numpy where there is
one: `import.time_beside_numpy` and `import.rss_beside_numpy` are the same where it is not hidden.
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
HIDE_NUMPY = "import sys; sys.modules['numpy'] = None"
PROBE = """
{before}
import time
start = time.perf_counter()
import {module}
elapsed = time.perf_counter() - start
status = open("/proc/self/status").read()
print(elapsed, status.split("VmHWM:")[1].split()[0])
"""


class Side(NamedTuple):
    """What is imported, by which interpreter, and what is done before."""

    python: str | Path
    module: str
    before: str = ""


class Cost(NamedTuple):
    """Seconds, and bytes."""

    time: float
    memory: int


def cost(side: Side) -> Cost:
    """Import a module in a process of its own."""
    command = [side.python, "-c", PROBE.format(before=side.before, module=side.module)]
    # Byte code is kept, as it is for users; that of an installed package comes with it.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    seconds, kibibytes = subprocess.check_output(command, text=True, env=environment).split()
    return Cost(float(seconds), int(kibibytes) * 1024)


def main() -> None:
    """Print the figures."""
    sides = (
        Side(sys.executable, "uir", HIDE_NUMPY),
        Side(sys.executable, "uir"),
        Side(peer_python(), "tvm"),
    )
    # The first import of each compiles its modules to byte code, and fills the cache of files.
    for side in sides:
        cost(side)
    ours, beside_numpy, peer = zip(*[map(cost, sides) for _ in range(ROUNDS)], strict=True)
    for name, costs in (("", ours), ("_beside_numpy", beside_numpy)):
        # The fastest: what else runs on a machine makes an import slower, and nothing faster.
        seconds = [min(one.time for one in side) for side in (costs, peer)]
        memory = [statistics.median(one.memory for one in side) for side in (costs, peer)]
        report(f"import.time{name}", *seconds, "s")
        report(f"import.rss{name}", *memory, "bytes")


if __name__ == "__main__":
    main()
