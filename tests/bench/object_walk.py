"""A compiled function that walks a list of `toy` nodes, against C++ and Python.

Prints, in nanoseconds for each element, `walk.sum` against a loop of compiled C++ over the same
objects, and `walk.sum.python` against the same loop in Python.  The calls are part of it; a list
of a thousand elements lies in the cache.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tvm_ffi
from report import in_turns, interleaved, report, timed

import uir
from tschema.runtime import load_types

ROOT = Path(__file__).resolve().parents[2]
ELEMENTS, ROUNDS, CALLS = 1000, 15, 200
PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def sum_values(first: tir.handle("toy.List", nullable=True)) -> tir.int64:
        rest = tir.alloc_buffer((1,), "handle")
        total = tir.alloc_buffer((1,), "int64")
        rest[0] = first
        total[0] = tir.int64(0)
        while not tir.isnullptr(rest[0]):
            link: tir.handle("toy.Link") = rest[0]
            total[0] = total[0] + link.value
            rest[0] = link.next
        tir.ret(total[0])
"""


def build_toy(folder: Path) -> Any:
    """Build the library of the package, and load its types."""
    shutil.copytree(ROOT / "tests" / "packages" / "toy", folder, dirs_exist_ok=True)
    for command in (["gen"], ["build", "-o", "libtoy.so", "--source", "src"]):
        subprocess.run([sys.executable, "-m", "tschema", *command], cwd=folder, check=True)
    return load_types(folder / "generated" / "schema.json", library=folder / "libtoy.so")


def python_sum(first: Any) -> int:
    """Add the values of a list in Python."""
    total = 0
    while first is not None:
        total += first.value
        first = first.next
    return total


def per_element(function: Callable[[Any], int], first: Any) -> Callable[[int], float]:
    """Return what measures a number of calls, in nanoseconds for each element."""
    return lambda calls: timed(lambda: function(first), calls) / ELEMENTS


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        toy = build_toy(Path(folder))
        cpp_sum = tvm_ffi.get_global_func("toy.sum_values")
        first = None
        for value in range(ELEMENTS):
            first = toy.Link(value, next=first)
        compiled = uir.build(uir.script.parse(PROGRAM)).sum_values
        expected = ELEMENTS * (ELEMENTS - 1) // 2
        assert compiled(first) == cpp_sum(first) == python_sum(first) == expected
        ours, peer = in_turns(
            per_element(compiled, first),
            per_element(cpp_sum, first),
            rounds=ROUNDS,
            calls=CALLS,
        )
        report("walk.sum", ours, peer, "ns")
        ours, peer = interleaved(
            lambda: compiled(first), lambda: python_sum(first), rounds=ROUNDS, calls=2
        )
        report("walk.sum.python", ours / ELEMENTS, peer / ELEMENTS, "ns")


if __name__ == "__main__":
    main()
