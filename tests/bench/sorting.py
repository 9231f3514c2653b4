"""Compiled `topk` on one thread, against NumPy, and against PyTorch where it is installed.

Prints `sort.<dtype>.<n>`, the ascending order of all elements of rows, and `topk<k>.<dtype>.<n>`,
the `k` greatest ones, in milliseconds; `.columns` along the first axis. Peers are `argsort` of
NumPy with `kind="stable"` and its take, and its `argpartition` with a sort of what that chooses;
rows with `.torch` are against `torch.sort(stable=True)` and `torch.topk`. Tensors have enough rows
that the processor does not learn their branches. `make test-torch` installs PyTorch, in `build/`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BUILD = Path(__file__).resolve().parents[2] / "build"
ROUNDS = 9
# Elements of a timing, which takes long enough.
WORK = 1 << 20


@dataclass(frozen=True)
class Case:
    """
    A call of `topk`.

    Attributes
    ----------
    dtype
        The data type of the elements; those of floating-point types have some NaN.
    shape
        The shape of the tensor, of two dimensions.
    k
        How many of the greatest elements; 0 for the ascending order of all.
    axis
        The axis.
    """

    dtype: str
    shape: tuple[int, int]
    k: int = 0
    axis: int = 1

    @property
    def name(self) -> str:
        kind = f"topk{self.k}" if self.k else "sort"
        return f"{kind}.{self.dtype}.{self.shape[self.axis]}" + (".columns", "")[self.axis]

    def script(self, index: int) -> str:
        """Return our function, whose name ends with an index."""
        k, largest = self.k or self.shape[self.axis], self.k > 0
        return f"""
    @relay.function
    def case{index}(x: relay.Tensor({self.shape}, "{self.dtype}")):
        return relay.topk(x, {k}, axis={self.axis}, largest={largest})
"""


CASES = [
    *(Case("float32", shape) for shape in ((2000, 100), (200, 1000), (10, 50257), (1, 1_000_000))),
    *(Case("int64", shape) for shape in ((2000, 100), (200, 1000), (10, 50257), (1, 1_000_000))),
    *(Case(dtype, (200, 1000)) for dtype in ("float64", "float16", "int32", "int16", "uint8")),
    *(Case(dtype, (1, 1_000_000)) for dtype in ("float64", "int32", "uint8")),
    *(Case(dtype, (1000, 200), axis=0) for dtype in ("float32", "int64")),
    *(Case("float32", (2000, 100), k) for k in (1, 10, 50)),
    *(Case("float32", (20, 50257), k) for k in (1, 50, 5000)),
    *(Case("float32", (1, 1_000_000), k) for k in (50, 50_000)),
    *(Case("int64", (200, 1000), k) for k in (1, 50)),
    *(Case("int64", (20, 50257), k) for k in (50, 5000)),
    *(Case("float32", (1000, 200), k, axis=0) for k in (10,)),
]


def numbers(case: Case) -> Any:
    """Return the tensor of a case."""
    import numpy as np

    random, kind = np.random.default_rng(0), np.dtype(case.dtype)
    if kind.kind == "f":
        drawn = random.standard_normal(case.shape).astype(kind)
        drawn[random.random(case.shape) < 0.001] = np.nan
        return drawn
    limits = np.iinfo(kind)
    return random.integers(limits.min, limits.max, case.shape, kind, endpoint=True)


def numpy_sort(x: Any, axis: int) -> Any:
    import numpy as np

    order = np.argsort(x, axis=axis, kind="stable")
    return np.take_along_axis(x, order, axis)


def numpy_topk(x: Any, k: int, axis: int) -> Any:
    """Return the greatest elements: a partition, then the order of these."""
    import numpy as np

    chosen = np.argpartition(x, -k, axis=axis)
    chosen = np.take(chosen, range(x.shape[axis] - k, x.shape[axis]), axis=axis)
    values = np.take_along_axis(x, chosen, axis)
    order = np.flip(np.argsort(values, axis=axis, kind="stable"), axis)
    return np.take_along_axis(values, order, axis)


def peers(case: Case, x: Any) -> dict[str, Callable[[], Any]]:
    """Return what computes the same values, by the end of the names of rows."""
    found: dict[str, Callable[[], Any]] = {}
    if case.k:
        found[""] = lambda: numpy_topk(x, case.k, case.axis)
    else:
        found[""] = lambda: numpy_sort(x, case.axis)
    try:
        import torch
    except ModuleNotFoundError:
        return found
    tensor = torch.from_numpy(x)
    if case.k:
        found[".torch"] = lambda: torch.topk(tensor, case.k, dim=case.axis)[0]
    else:
        found[".torch"] = lambda: torch.sort(tensor, dim=case.axis, stable=True)[0]
    return found


def measure() -> None:
    """Print the rows, in a process of one thread."""
    import numpy as np
    from report import interleaved, report

    import uir

    functions = "".join(case.script(index) for index, case in enumerate(CASES))
    program = f"@uir.script.ir_module\nclass Module:\n{functions}"
    library = uir.build(uir.script.parse(program))
    for index, case in enumerate(CASES):
        x, function = numbers(case), library[f"case{index}"]
        for suffix, peer in peers(case, x).items():
            found, expected = np.from_dlpack(function(x)[0]), np.asarray(peer())
            np.testing.assert_array_equal(found, expected, case.name)
            calls = max(1, WORK // x.size)
            times = interleaved(lambda f=function, x=x: f(x), peer, rounds=ROUNDS, calls=calls)
            report(case.name + suffix, *(time / 1e6 for time in times), "ms")


def main() -> None:
    """Run in a process whose libraries use one thread, with PyTorch where it is installed."""
    names = ("UIR_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    folders = [*map(str, sorted(BUILD.glob("torch-*"))), os.environ.get("PYTHONPATH", "")]
    path = os.pathsep.join(folder for folder in folders if folder)
    environment = {**os.environ, **dict.fromkeys(names, "1"), "PYTHONPATH": path}
    subprocess.run([sys.executable, __file__, "measure"], check=True, env=environment)


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure()
    else:
        main()
