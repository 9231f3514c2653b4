"""Compiled kernels on one thread, against NumPy and against C that is written by hand.

Prints `matmul.<n>`, the product of two `n x n` matrices of float32, `matmul.odd`, the worst of nine
products of other shapes, and `add.1m`, the sum of two tensors of 2^20 elements, against NumPy, in
milliseconds: as it chooses its kernels itself, and as `<name>.haswell` with its kernels for AVX2,
which `OPENBLAS_CORETYPE` chooses in some environments. `matmul.avx2.haswell` is our `matmul.512`
for `x86-64-v3` against these. `emitted.vs.handwritten` is `matmul.512` against
`kernels_peer/matmul.c`, with the same flags.

Each choice of kernels has a process of its own, in which the sides are timed in turns. Before a row
is timed, both sides compute the same.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROUNDS, CALLS = 21, 4
# Products of a call that takes long enough to be timed.
WORK = 1 << 24
ELEMENTS = 1 << 20
# Rows, columns and products of each sum.
ODD = (
    (100, 100, 100),
    (127, 127, 127),
    (255, 257, 256),
    (33, 65, 129),
    (17, 333, 511),
    (16, 1000, 512),
    (1000, 10, 1000),
    (3, 1000, 700),
    (1, 1024, 1024),
)
HERE = Path(__file__).parent
FLAGS = ("-O2", "-ffp-contract=fast", "-fwrapv", "-fno-strict-aliasing", "-march=native")


def compiled(make: Callable[[Any], Any], isa: str = "native") -> Callable[..., None]:
    """Return the function of a module of one function that `make` makes with te."""
    import uir
    from uir import ir, te

    module = ir.IRModule({ir.GlobalVar("main"): make(te)})
    return uir.build(module, uir.target.Target("c", isa))["main"]


def matmul(m: int, n: int, sums: int, isa: str = "native") -> Callable[..., None]:
    """Return our product of two matrices, `(m, sums)` and `(sums, n)`."""

    def make(te: Any) -> Any:
        a = te.placeholder((m, sums), "float32", "a")
        b = te.placeholder((sums, n), "float32", "b")
        k = te.reduce_axis((0, sums), name="k")
        product = te.compute((m, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=[k]), "c")
        return te.create_prim_func([a, b, product])

    return compiled(make, isa)


def add() -> Callable[..., None]:
    """Return our sum of two tensors."""

    def make(te: Any) -> Any:
        a, b = (te.placeholder((ELEMENTS,), "float32", name) for name in "ab")
        return te.create_prim_func([a, b, te.compute((ELEMENTS,), lambda i: a[i] + b[i], "c")])

    return compiled(make)


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

    def times(ours: Any, peer: Any, shapes: Sequence[tuple[int, ...]]) -> tuple[float, float]:
        a, b = (numbers.standard_normal(shape, np.float32) for shape in shapes[:2])
        found, expected = (np.empty(shapes[2], np.float32) for _ in range(2))
        args = [tvm_ffi.from_dlpack(one) for one in (a, b, found)]
        ours(*args)
        peer(a, b, expected)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-3)
        work = np.prod(shapes[0]) * (shapes[1][-1] if len(shapes[1]) > 1 else 1)
        ours_ns, peer_ns = interleaved(
            lambda: ours(*args),
            lambda: peer(a, b, expected),
            rounds=ROUNDS,
            calls=max(CALLS, int(CALLS * WORK / work)),
        )
        return ours_ns / 1e6, peer_ns / 1e6

    def products(m: int, n: int, sums: int, isa: str = "native") -> tuple[float, float]:
        return times(matmul(m, n, sums, isa), np.matmul, [(m, sums), (sums, n), (m, n)])

    for n in (512, 1024):
        report(f"matmul.{n}{suffix}", *products(n, n, n), "ms")
    if suffix:
        return report(f"matmul.avx2{suffix}", *products(512, 512, 512, "x86-64-v3"), "ms")
    found = [(products(*shape), shape) for shape in ODD]
    for (ours, peer), shape in found:
        print(f"# {' x '.join(map(str, shape))}: {peer / ours:.3f}", file=sys.stderr)
    report("matmul.odd", *max(found, key=lambda one: one[0][0] / one[0][1])[0], "ms")
    report("add.1m", *times(add(), np.add, [(ELEMENTS,)] * 3), "ms")
    with tempfile.TemporaryDirectory() as folder:
        written = handwritten(Path(folder))

        def call(*args: Any) -> None:
            written(*(ctypes.c_void_p(one.ctypes.data) for one in args))

        figures = times(matmul(512, 512, 512), call, [(512, 512)] * 3)
        report("emitted.vs.handwritten", *figures, "ms")


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
