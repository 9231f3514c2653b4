"""Edited lists of primitives against the recipe: one edit costs little.

Prints `list.<nest>.<edit>` in milliseconds on one thread; the peer is the untouched recipe. Edits
are those of `schedule.lists`: sums of 6 rows for 8, panels of twice as many vectors, no packing,
and the outermost axis in steps of 64 with all other loops left to the recipe. They fit the lists
for AVX-512. The chain is elementwise.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

ROUNDS = 21

Edit = Callable[[list[str]], list[str]]


def product() -> Iterator[tuple[str, Edit]]:
    """Yield the edits of a product of matrices."""
    by_six = {
        "row_block": 'tile("i", 192, "row_block", tail="min")',
        '"group"': 'tile("i", 6, "group", tail="powers")',
    }
    yield "rows_6", lambda steps: replaced(steps, by_six)
    yield "vectors_4", lambda steps: [step.replace("32", "64") for step in steps]
    yield "not_packed", lambda steps: [step for step in steps if "cache" not in step]
    yield "outermost_64", lambda steps: ['tile("i", 64)']
    yield "open", lambda steps: []


def convolution() -> Iterator[tuple[str, Edit]]:
    """Yield the edits of a convolution whose channels lie in blocks of 32."""
    yield "pixels_7", lambda steps: replaced(steps, {'"group"': 'tile("j", 7, "group")'})
    yield (
        "vectors_1",
        lambda steps: replaced(steps, {'"panel"': 'tile("p", 16, "panel", tail="pad", lanes=16)'}),
    )
    yield "outermost_8", lambda steps: ['tile("i", 8)']


def chain() -> Iterator[tuple[str, Edit]]:
    """Yield the edits of an elementwise nest."""
    yield "outermost_64", lambda steps: ['tile("i", 64)']
    yield "lanes_8", lambda steps: [step.replace(", 16,", ", 8,") for step in steps]
    yield "not_flat", lambda steps: []


def replaced(steps: list[str], by: dict[str, str]) -> list[str]:
    """Return a list with other loops: those that have a word."""
    for word, step in by.items():
        place = next(i for i, one in enumerate(steps) if "tile(" in one and word in one)
        steps = [*steps[:place], step, *steps[place + 1 :]]
    return steps


def measure() -> None:
    """Print the rows, in a process of one thread."""
    import numpy as np
    from report import interleaved, report

    import uir
    from uir import schedule, te, tir
    from uir.ir import PrimExpr

    def matmul() -> tir.PrimFunc:
        a, b = (te.placeholder((512, 512), "float32", name) for name in "ab")
        k = te.reduce_axis((0, 512), "k")
        c = te.compute((512, 512), lambda i, j: te.sum(a[i, k] * b[k, j], axis=[k]), "c")
        return te.create_prim_func([a, b, c])

    def conv() -> tir.PrimFunc:
        x = te.placeholder((2, 58, 58, 32), "float32", "x")
        w = te.placeholder((2, 3, 3, 64, 32), "float32", "w")
        q = te.reduce_axis((0, 64), "q")
        r, s = (te.reduce_axis((0, 3), name) for name in "rs")

        def element(o: tir.Var, i: tir.Var, j: tir.Var, p: tir.Var) -> PrimExpr:
            pixel = x[q.var // 32, i + r.var, j + s.var, q.var % 32]
            return te.sum(pixel * w[o, r, s, q, p], axis=[q, r, s])

        return te.create_prim_func([x, w, te.compute((2, 56, 56, 32), element, "c")])

    def elements() -> tir.PrimFunc:
        x = te.placeholder((1024, 1024), "float32", "x")
        h = te.compute((1024, 1024), lambda i, j: tir.max(x[i, j] * 2.0, 0.0), "h")
        return te.create_prim_func([x, te.compute((1024, 1024), lambda i, j: h[i, j] + 1.0, "c")])

    for name, func, edits in (
        ("matmul_512", matmul(), product()),
        ("conv_3x3", conv(), convolution()),
        ("chain", elements(), chain()),
    ):
        shapes = [tuple(int(size) for size in func.buffer_map[one].shape) for one in func.params]
        arrays = [np.random.default_rng(0).random(shape, np.float32) for shape in shapes]
        recipe, steps = uir.build(func), schedule.lists(func)["c"]
        recipe(*arrays)
        expected = arrays[-1].copy()
        for edit, change in edits:
            edited = uir.build(schedule.with_lists(func, {"c": change(steps)}))
            edited(*arrays)
            np.testing.assert_array_equal(arrays[-1], expected, f"{name} {edit}")
            times = interleaved(lambda f=edited, a=arrays: f(*a), lambda f=recipe, a=arrays: f(*a),
                                rounds=ROUNDS, calls=3)  # fmt: skip
            report(f"list.{name}.{edit}", *(time / 1e6 for time in times), "ms")


def main() -> None:
    """Run in a process of one thread."""
    subprocess.run(
        [sys.executable, __file__, "measure"],
        check=True,
        env={**os.environ, "UIR_NUM_THREADS": "1"},
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure()
    else:
        main()
