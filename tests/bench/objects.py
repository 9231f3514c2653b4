"""The engines of the object runtime against tvm-ffi's, in turns in one process.

Both sides work on the same binary trees of 1k, 131k and 1M nodes, the larger ones also with their
nodes at random places of the heap (`.shuffled`); figures are nanoseconds a node.  Where hooks that
we register would speed the peer up (`walk.cpp`, `map.cpp`, `deepcopy`, `destroy`), the peer works
on the same tree of classes that it knows by reflection only; `walk.hooks` is its walk with our
hooks.  tvm-ffi has no binary form: the peer of `binary.*` is its JSON.  The peer of `walk.rust` is
tvm-ffi's walk in Rust.  `create.declared` makes a node of a loaded type, against
`py_class`.  `depth.<engine>` is the depth of a chain that an engine passes on an 8 MB stack, the
peer's on the reflected classes.  The peer of `visitor.python.*` is a hand-written `match` on types,
that of `create.python.*` the `__init__` which `c_class` derives.

`--short` leaves out the largest trees, depths and Rust.  It runs with every supported release of
tvm-ffi, of which 0.1.12 lacks the walk, and 0.1.13 the map.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import tvm_ffi
from create import report_create
from declared import report_declared
from report import report
from rust_walk import report_rust_walk
from visitors import report_visitors

import uir.ir  # noqa: F401  (loads libuir)

SOURCE = Path(__file__).resolve().parent / "objects_native" / "engines.cc"
ENGINES = (
    "equal", "hash", "json.save", "json.load", "binary.save", "binary.load", "walk.cpp",
    "walk.hooks", "map.cpp", "deepcopy", "destroy",
)  # fmt: skip
SIZES = {
    "1k": (9, False, 200),
    "131k": (16, False, 7),
    "131k.shuffled": (16, True, 7),
    "1m": (19, False, 3),
    "1m.shuffled": (19, True, 3),
}
"""Depth of the tree, whether its nodes are shuffled, rounds."""
SHORT = ("1k", "131k")
DEPTH = 1_000_000
STACK = 8 << 20
DEEP_ENGINES = ("equal", "hash", "json", "binary", "walk", "map", "deepcopy", "repr", "destroy")
PEER_DEPTHS = (300_000, 100_000, 30_000, 10_000, 3_000, 1_000)
"""Tried in this order; the first that passes is tvm-ffi's."""


def build(folder: Path) -> Path:
    """Compile the side in C++."""
    library = folder / "libengines.so"
    arguments = [
        subprocess.run(
            [sys.executable, "-m", "tschema", command], check=True, capture_output=True, text=True
        ).stdout.split()
        for command in ("cxx-args", "link-args")
    ]
    command = ["g++", *arguments[0], "-O2", "-fPIC", "-shared", str(SOURCE), "-o", str(library)]
    subprocess.run([*command, *arguments[1]], check=True)
    return library


def main() -> None:
    """Measure everything and print."""
    is_short = "--short" in sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        library = build(Path(folder))
        tvm_ffi.load_module(str(library))
        for size in SHORT if is_short else SIZES:
            report_engines(size)
        report("binary.size", *tvm_ffi.get_global_func("bench.size")(16), "bytes/node")
        if not is_short:
            report_rust_walk()
        report_visitors()
        report_create()
        report_declared()
        for engine in () if is_short else DEEP_ENGINES:
            report_depth(engine, library)


def report_engines(size: str) -> None:
    """Print the time of each engine that the release of tvm-ffi has, on trees of one size."""
    time = tvm_ffi.get_global_func("bench.time")
    has_peer = tvm_ffi.get_global_func("bench.has_peer")
    depth, shuffled, rounds = SIZES[size]
    for engine in filter(has_peer, ENGINES):
        report(f"{engine}.{size}", *time(engine, depth, shuffled, rounds), "ns/node")


def report_depth(engine: str, library: Path) -> None:
    """Print the depth of the chain that an engine passes on a stack of 8 MB."""
    ours = DEPTH if passes("bench.deep", engine, DEPTH, library) else 0
    reached = (one for one in PEER_DEPTHS if passes("bench.deep_peer", engine, one, library))
    report(f"depth.{engine}", ours, next(reached, 0) or 1, "levels", more_is_better=True)


def passes(function: str, engine: str, depth: int, library: Path) -> bool:
    """Run an engine in a process of its own; return whether it comes to its end."""
    program = (
        "import tvm_ffi, uir.ir\n"
        f"tvm_ffi.load_module({str(library)!r})\n"
        f"tvm_ffi.get_global_func({function!r})({engine!r}, {depth})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (STACK, STACK)),
    )
    return done.returncode == 0


if __name__ == "__main__":
    main()
