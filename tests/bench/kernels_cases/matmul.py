"""Products of matrices: `matmul.*` and `emitted.vs.handwritten`.

With two threads, `matmul.<n>.2threads` is against NumPy with as many, `matmul.<n>.gain.2threads`
against our own function that uses one.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from uir import te

from .case import Case, Tuned, from_te

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
SOURCE = Path(__file__).parent.parent / "kernels_peer/matmul.c"
FLAGS = ("-O2", "-ffp-contract=fast", "-fwrapv", "-fno-strict-aliasing", "-fno-math-errno")
FLAGS += ("-fno-trapping-math", "-march=native")


def measure(case: Case) -> None:
    """Print the rows of this family."""

    def products(
        name: str, m: int, n: int, sums: int, isa: str = "native", peer: Any = np.matmul
    ) -> tuple[float, float]:
        shapes = [(m, sums), (sums, n), (m, n)]
        return case.times(name, matmul(m, n, sums, isa), peer, shapes, m * n * sums)

    if case.threads > 1:
        return measure_threads(case)
    for n in (512, 1024, 2048):
        case.report(f"matmul.{n}", products(f"matmul.{n}", n, n, n))
    if case.suffix:
        case.report("matmul.avx2", products("matmul.avx2", 512, 512, 512, "x86-64-v3"))
        return
    found = [(products("matmul.odd", *shape), shape) for shape in ODD]
    for (ours, peer), shape in found:
        print(f"# {' x '.join(map(str, shape))}: {peer / ours:.3f}", file=sys.stderr)
    case.report("matmul.odd", max(found, key=lambda one: one[0][0] / one[0][1])[0])
    with tempfile.TemporaryDirectory() as folder:
        name = "emitted.vs.handwritten"
        case.report(name, products(name, 512, 512, 512, peer=handwritten(Path(folder))))


def measure_threads(case: Case) -> None:
    """Print the rows of several threads."""
    serial = [{"recipe": "contraction", "parallel_work": 1 << 60}]
    for n in (512, 1024):
        shapes, ours = [(n, n)] * 3, matmul(n, n, n)
        case.report(f"matmul.{n}", case.times(f"matmul.{n}", ours, np.matmul, shapes, n**3))
        name, alone = f"matmul.{n}.gain", matmul(n, n, n, tuned=serial)
        case.report(name, case.times(name, ours, alone, shapes, n**3))


def matmul(m: int, n: int, sums: int, isa: str = "native", tuned: Tuned = ()) -> Callable[..., Any]:
    """Return our product of two matrices, `(m, sums)` and `(sums, n)`."""
    a = te.placeholder((m, sums), "float32", "a")
    b = te.placeholder((sums, n), "float32", "b")
    k = te.reduce_axis((0, sums), name="k")
    product = te.compute((m, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=[k]), "c")
    return from_te(a, b, product, isa=isa, tuned=tuned)


def handwritten(folder: Path) -> Callable[..., None]:
    """Return the function of C that is written by hand, of two matrices and their product."""
    library = folder / "matmul.so"
    subprocess.run(["cc", *FLAGS, "-fPIC", "-shared", SOURCE, "-o", library], check=True)
    function = ctypes.CDLL(str(library)).matmul

    def call(*args: Any) -> None:
        function(*(ctypes.c_void_p(one.ctypes.data) for one in args))

    return call
