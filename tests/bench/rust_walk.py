"""The walk in Rust: ours, which calls the engine of libtschema, against that of tvm-ffi's crate.

The trees are built from their leaves up, as programs build them, so that a node lies behind all
that is below it: a walk from the root waits for memory at each first child.  Beyond the caches
that wait is most of both sides' time, and the ratio falls from 7 at 1k nodes to 2 at 131k and 1M.
In C++ the same tree takes as long as here, 75 to 260 ns a node on the machine where this was
written, and a tree whose nodes lie in the order of `objects.py` takes 5.
"""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path

import tvm_ffi
from report import report

__all__ = ["report_rust_walk"]

ROOT = Path(__file__).resolve().parents[2]
SIZES = {"1k": (9, 200), "131k": (16, 7), "1m": (19, 3)}
"""Depth of the tree, rounds."""


def report_rust_walk() -> None:
    """Build the side in Rust, optimised, and print `walk.rust.*` in nanoseconds a node."""
    command = ["cargo", "build", "--quiet", "--release", "--locked", "--package", "uir-interop"]
    # Build scripts ask the environment's `tvm-ffi-config`.
    path = os.pathsep.join((sysconfig.get_path("scripts"), os.environ["PATH"]))
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, "PATH": path})
    library = tvm_ffi.load_module(str(ROOT / "build/cargo/release/libuir_interop.so"))
    library.init()
    for size, (depth, rounds) in SIZES.items():
        times = library.time_walk(depth, rounds)
        report(f"walk.rust.{size}", times[0], times[1], "ns/node")
