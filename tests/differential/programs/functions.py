"""Random well-formed functions, whose meaning the interpreter defines.

`random_func(seed)` is the same function for the same seed, and `arguments(func, seed)` are values
to run it on.  A run of it is defined: no access leaves its buffer, nothing is read before it is
written, no divisor is 0 and no signed integer of 32 bits or more overflows.  So a pass that is
right leaves the results as they are.  It has loops of every kind and of 64 bits, launches of
threads, conditions (some of them likely), blocks, predicates, local buffers with and without
strides, bindings and sub-expressions that are shared, some as one object and some as equal ones.
The blocks of `random_matching_module` match buffers too.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from uir import tir
from uir.ir import GlobalVar, IntImm, IRModule, with_attr

from .blocks import BlockMaker
from .exprs import Scope

__all__ = ["arguments", "random_func", "random_matching_module", "random_module", "same_results"]


def arguments(func: tir.PrimFunc, seed: int) -> list[Any]:
    """Return arguments for a function: small numbers, and arrays filled with such."""
    source = np.random.default_rng(seed)
    values: list[Any] = []
    for param in func.params:
        buffer = func.buffer_map.get(param)
        if buffer is None:
            values.append(int(source.integers(0, 5)))
            continue
        shape = [extent.value for extent in buffer.shape if isinstance(extent, IntImm)]
        numbers = source.integers(-9, 10, size=shape)
        scale = 0.25 if buffer.dtype.startswith("float") else 1
        values.append((numbers * scale).astype(str(buffer.dtype)))
    return values


def same_results(one: list[Any], other: list[Any]) -> bool:
    """Return whether two lists of arguments are equal after a run."""
    pairs = zip(one, other, strict=True)
    return all(np.array_equal(a, b, equal_nan=_is_float(a)) for a, b in pairs)


def _is_float(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def random_func(seed: int, size: int = 12) -> tir.PrimFunc:
    """Return a public function `main` of about `size` stores."""
    func = _Maker(Random(seed), size).function()
    return with_attr(func, "global_symbol", "main")


def random_module(seed: int, size: int = 12) -> IRModule:
    """Return a module of a public `main` and of private functions, some of which it calls.

    `update` writes a buffer of its caller's, `scaled` returns a number, `unused` is never called.
    """
    maker, main = _Maker(Random(seed + 1), 4), random_func(seed, size)
    update, scaled, unused = (GlobalVar(name) for name in ("update", "scaled", "unused"))
    x = tir.Var("x", "int32")
    result = tir.Evaluate(tir.call_intrin("void", "tir.ret", [x * 2 + 1]))
    return IRModule(
        {
            GlobalVar("main"): _calling(maker, main, update, scaled),
            update: maker.callee(_outputs(main)[0]),
            scaled: tir.PrimFunc([x], result),
            unused: maker.callee(_outputs(main)[0]),
        }
    )


def random_matching_module(seed: int, size: int = 12) -> IRModule:
    """Return a module of a public `main`, with blocks that match regions of buffers."""
    maker = _Maker(Random(seed), size)
    maker.kinds += [maker.match, maker.match, maker.block]
    return IRModule({GlobalVar("main"): with_attr(maker.function(), "global_symbol", "main")})


def _outputs(func: tir.PrimFunc) -> list[tir.Buffer]:
    return [buffer for buffer in func.buffer_map.values() if buffer.name.startswith("out")]


def _calling(
    maker: _Maker, main: tir.PrimFunc, update: GlobalVar, scaled: GlobalVar
) -> tir.PrimFunc:
    """Return a function that goes on with calls of two others, in a loop."""
    output = _outputs(main)[0]
    variable = maker.variable("call")
    number = tir.Call("int32", scaled, [variable])
    call = tir.Evaluate(tir.Call("void", update, [output.data, tir.floormod(number, 3)]))
    loop = tir.For(variable, tir.const(0), tir.const(2), tir.ForKind.SERIAL, call)
    body = tir.flatten_seq([main.body, loop])
    return tir.PrimFunc(main.params, body, buffer_map=main.buffer_map, attrs=main.attrs)


def _increment(buffer: tir.Buffer) -> tir.Stmt:
    """Return a statement that changes the first element of a buffer."""
    first = [tir.const(0) for _ in buffer.shape]
    return tir.BufferStore(buffer, tir.BufferLoad(buffer, first) + 1, first)


class _Maker(BlockMaker):
    """Makes functions."""

    def function(self) -> tir.PrimFunc:
        inputs = [self.buffer("in", dtype) for dtype in ("int32", "float32", "int8")]
        outputs = [self.buffer("out", dtype) for dtype in ("int32", "float32")]
        scalar = tir.Var("n", "int32")
        self.scope = Scope({scalar: 5}, [*inputs, *outputs], outputs)
        handles = [tir.Var(f"{buffer.name}_handle", "handle") for buffer in (*inputs, *outputs)]
        body = tir.flatten_seq([self.sequence(depth=0), _increment(outputs[0])])
        buffers = dict(zip(handles, (*inputs, *outputs), strict=True))
        return tir.PrimFunc([*handles, scalar], body, buffer_map=buffers)

    def callee(self, like: tir.Buffer) -> tir.PrimFunc:
        """Return a private function of a buffer such as `like`, and of a number below 3."""
        buffer, scalar = tir.decl_buffer(like.shape, like.dtype, "part"), self.variable("n")
        handle = self.variable("part_handle", "handle")
        self.scope = Scope({scalar: 3}, [buffer], [buffer])
        body = self.sequence(depth=2)
        return tir.PrimFunc([handle, scalar], body, buffer_map={handle: buffer})
