"""Check that installed wheels work: objects, the generator, a file, and threads side by side.

In: the Python that runs this, with `tschema` and `uir` installed. Out: one line that says on what
it ran; an error where something fails. On free-threaded CPython, no import may have turned the GIL
on.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from uir import tir
from uir.ir import PrimExpr, load_json, save_json, structural_equal, structural_hash

THREADS = 8
NODES = 300


def main() -> None:
    """Run the checks."""
    shared = _sum(NODES)
    start = Barrier(THREADS)

    def work(_index: int) -> int:
        start.wait()
        mine = _sum(NODES)
        assert structural_equal(mine, shared) and not mine.same_as(shared)
        assert structural_equal(load_json(save_json(shared)), mine)
        return structural_hash(mine)

    with ThreadPoolExecutor(THREADS) as pool:
        hashes = set(pool.map(work, range(THREADS)))
    assert hashes == {structural_hash(shared)}, hashes
    print(f"Python {sys.version.split()[0]}, {_lock()}: {THREADS} threads x {NODES} nodes")


def _sum(count: int) -> PrimExpr:
    variable = tir.Var("x", "int32")
    total: PrimExpr = variable
    for _ in range(count):
        total = tir.Add(total, variable)
    return tir.Let(variable, tir.const(1, "int32"), total)


def _lock() -> str:
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        return "with the GIL"
    is_gil_enabled: Callable[[], bool] = vars(sys)["_is_gil_enabled"]
    assert not is_gil_enabled(), "an imported module turned the GIL on"
    return "free-threaded"


if __name__ == "__main__":
    main()
