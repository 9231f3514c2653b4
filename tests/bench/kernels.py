"""Compiled kernels on one thread, against NumPy and against C that is written by hand.

Prints `matmul.<n>`, the product of two `n x n` matrices of float32, and `add.1m`, the sum of two
tensors of 2^20 elements, against NumPy, in milliseconds: as it chooses its kernels itself, and as
`<name>.haswell` with its kernels for AVX2, which `OPENBLAS_CORETYPE` chooses in some environments.
`emitted.vs.handwritten` is `matmul.512` against `kernels_peer/matmul.c`, with the same flags.

Each choice of kernels has a process of its own, in which the sides are timed in turns. Before a row
is timed, both sides compute the same.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROUNDS, CALLS = 21, 4
ELEMENTS = 1 << 20
HERE = Path(__file__).parent
FLAGS = ("-O2", "-ffp-contract=fast", "-fwrapv", "-fno-strict-aliasing", "-march=native")


def compiled(*, make: Callable[[Any], Any]) -> Callable[..., None]:
    """Return the function of a module of one function that `make` makes with te."""
    import uir
    from uir import ir, te

    return uir.build(ir.IRModule({ir.GlobalVar("main"): make(te)}))["main"]


def matmul(n: int) -> Callable[..., None]:
    """Return our product of two matrices."""

    def make(te: Any) -> Any:
        a, b = (te.placeholder((n, n), "float32", name) for name in "ab")
        k = te.reduce_axis((0, n), name="k")
        product = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=[k]), "c")
        return te.create_prim_func([a, b, product])

    return compiled(make=make)


def add() -> Callable[..., None]:
    """Return our sum of two tensors."""

    def make(te: Any) -> Any:
        a, b = (te.placeholder((ELEMENTS,), "float32", name) for name in "ab")
        return te.create_prim_func([a, b, te.compute((ELEMENTS,), lambda i: a[i] + b[i], "c")])

    return compiled(make=make)


def handwritten(folder: Path) -> Any:
    """Return the function of C that is written by hand."""
    library = folder / "matmul.so"
    command = ["cc", *FLAGS, "-fPIC", "-shared", HERE / "kernels_peer/matmul.c", "-o", library]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(library)).matmul


def measure(suffix: str) -> None:
    """Print the rows for the kernels that NumPy uses in this process."""
    import numpy as np
    import tvm_ffi
    from report import interleaved, report

    numbers = np.random.default_rng(0)

    def compare(name: str, ours: Any, peer: Any, shape: tuple[int, ...]) -> None:
        a, b = (numbers.standard_normal(shape, np.float32) for _ in range(2))
        found, expected = np.empty(shape, np.float32), np.empty(shape, np.float32)
        args = [tvm_ffi.from_dlpack(one) for one in (a, b, found)]
        ours(*args)
        peer(a, b, expected)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-3)
        times = interleaved(
            lambda: ours(*args), lambda: peer(a, b, expected), rounds=ROUNDS, calls=CALLS
        )
        report(name, *(time / 1e6 for time in times), "ms")

    for n in (512, 1024):
        compare(f"matmul.{n}{suffix}", matmul(n), np.matmul, (n, n))
    if suffix:
        return
    compare("add.1m", add(), np.add, (ELEMENTS,))
    with tempfile.TemporaryDirectory() as folder:
        written = handwritten(Path(folder))

        def call(*args: Any) -> None:
            written(*(ctypes.c_void_p(one.ctypes.data) for one in args))

        compare("emitted.vs.handwritten", matmul(512), call, (512, 512))


def main() -> None:
    """Print the figures, each choice of kernels in a process of its own."""
    for suffix, core_type in (("", None), (".haswell", "Haswell")):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "UIR_NUM_THREADS": "1"}
        environment.pop("OPENBLAS_CORETYPE", None)
        if core_type is not None:
            environment["OPENBLAS_CORETYPE"] = core_type
        command = [sys.executable, __file__, "measure", suffix]
        subprocess.run(command, check=True, env=environment)


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure(sys.argv[2])
    else:
        main()
