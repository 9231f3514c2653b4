"""Print the figures of creation and of the engines with releases of tvm-ffi.

    python -m tests.ffi_range.figures RELEASE...

In: releases of `apache-tvm-ffi`. Out: for each, the lines of `tests/bench/objects.py --short` and
`tests/bench/object_walk.py`; the peer is that release. Optimized libraries are built in
`build/fast-groups`, which takes as long as the checkout's own, and left in `build/lib/<group>`.

Run `make native` first.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from scripts.ffi_releases import ROOT, environment_of, install
from tschema.ffi_groups import ffi_group

from . import libraries

BENCHMARKS = (("objects.py", "--short"), ("object_walk.py",))


def main(releases: Sequence[str]) -> int:
    """Build and measure; return the exit status."""
    for release in releases:
        install(release)
        libraries.build(ffi_group(release), "uir_publish", is_optimized=True)
        print(f"apache-tvm-ffi {release}", flush=True)
        for name, *options in BENCHMARKS:
            command = [sys.executable, ROOT / "tests/bench" / name, *options]
            subprocess.run(command, cwd=ROOT, env=environment_of(release), check=True)
    return 0


sys.exit(main(sys.argv[1:]))
