"""Uses the compiled package `kiln`: its operators from three languages, in script, typed, run.

Run by `test_compiled_operators.py` in a process of its own; the arguments are the libraries in C++
and Rust.
"""

from __future__ import annotations

import sys

import numpy as np
import tvm_ffi
from kiln_nodes import clay, glaze

import uir
from uir import ir, relay, tir
from uir.relay import Tensor, reference

cpp, rust = (tvm_ffi.load_module(path) for path in sys.argv[1:])
rust.init()


def same(found: list[ir.BaseExpr], expected: list[ir.BaseExpr]) -> None:
    """Compare calls from another language with those of Python."""
    for one, other in zip(found, expected, strict=True):
        assert ir.structural_equal(one, other), ir.first_mismatch(one, other)


# Scalars: data, a node of its own, and a function whose body is in C++.
x = tir.Var("x", "float32")
fired = clay.fire(x)
assert clay.fire(fired).same_as(fired)
scalars = [clay.bake(x, 3), clay.blend(x, x), clay.count([x, x]), clay.join(x, x), fired]
for library in (cpp, rust):
    same(library.clay_calls(x), scalars)

# Tensors: data, and a relation in C++.
n = tir.SizeVar("n", "int64")
rb = relay.builder()
pot = rb.param("pot", Tensor((2, n, n)))
tensors = [
    glaze.soften(pot, 0, twice=True),
    glaze.fuse(pot, pot),
    glaze.fold(pot, [0, 1], [2]),
    glaze.where(pot),
    glaze.template(pot),
]
for library in (cpp, rust):
    same(library.glaze_calls(pot), tensors)
soft = rb.emit(tensors[0], "soft")
fused = rb.emit(glaze.fuse(soft, pot), "fused")
folded = rb.emit(glaze.fold(fused, [0, 1], [2]), "folded")
module = ir.IRModule({ir.GlobalVar("main"): rb.make_func(folded)})
text = uir.script.print(module)
print(text)
assert ir.structural_equal(uir.script.parse(text), module)
assert ir.structural_equal(ir.load_json(ir.save_json(module)), module)
assert ir.structural_equal(ir.load_binary(ir.save_binary(module)), module)


@reference.register("glaze.soften")
def soften(x: np.ndarray, axis: int = -1, *, twice: bool = False) -> np.ndarray:
    once = reference.softmax(x, axis)
    return reference.softmax(once, axis) if twice else once


@reference.register("glaze.shape.fold")
def fold(x: np.ndarray, axes: list[int], keep: list[int]) -> np.ndarray:
    return x.transpose(*axes, *keep).reshape(-1, *(x.shape[axis] for axis in keep))


value = np.random.default_rng(0).normal(size=(2, 3, 3)).astype("float32")
expected = np.matmul(soften(value, 0, twice=True), value).reshape(6, 3)
assert np.allclose(relay.evaluate(module, value), expected, rtol=1e-5)

for wrong in (
    lambda: glaze.fuse(pot, relay.Var("lid", Tensor((2, 4, 3), "float16"))),
    lambda: glaze.fuse(relay.Var("base", Tensor((2, 5))), relay.Var("lid", Tensor((4, 3)))),
    lambda: glaze.fold(pot, [0], [2]),
    lambda: clay.blend(tir.Var("i", "int32"), 1),
):
    try:
        wrong()
    except (TypeError, ValueError) as error:
        print(error)
