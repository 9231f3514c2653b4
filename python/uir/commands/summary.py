"""The rows about a compiled program: its functions, kernels, constants and memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tschema.runtime import map as mapped
from uir_nodes.arith import Analyzer
from uir_nodes.ir import BaseFunc, IntImm, IRModule, PrimExpr, TensorType, TupleType
from uir_nodes.relay import Function
from uir_nodes.tir import PrimFunc, SizeVar

from ..relay.type_text import type_text
from ..transform import InferType
from .table import size_text

__all__ = ["summary"]

# Longer expressions of dimensions are shown for an example.
LONGEST = 24

# The sizes of an example: of first axes, of those of images, and of others.
ROWS, PIXELS, ELEMENTS = 1, 224, 128


class Example:
    """Sizes of the symbolic dimensions of functions, for which the rows show expressions.

    Parameters
    ----------
    functions
        The functions on tensors.
    """

    def __init__(self, functions: Iterable[Function]) -> None:
        self.sizes: dict[str, int] = {}
        for param in (param for func in functions for param in func.params):
            shape = param.checked_type.shape if isinstance(param.checked_type, TensorType) else ()
            for axis, dim in enumerate(shape):
                if isinstance(dim, SizeVar):
                    size = ROWS if axis == 0 else PIXELS if len(shape) > 3 else ELEMENTS
                    self.sizes.setdefault(str(dim.name), size)

    def __str__(self) -> str:
        """Return the sizes as text."""
        return ", ".join(f"{name} = {size}" for name, size in self.sizes.items())

    def value(self, expr: object) -> int | None:
        """Return an expression of sizes for the example; None if it has other variables."""
        if not isinstance(expr, PrimExpr):
            return expr if isinstance(expr, int) else None
        found = Analyzer().simplify(mapped(expr, self._size))
        return int(found.value) if isinstance(found, IntImm) else None

    def _size(self, node: object) -> PrimExpr | None:
        if not isinstance(node, SizeVar) or str(node.name) not in self.sizes:
            return None
        return IntImm(node.dtype, self.sizes[str(node.name)])

    def type_text(self, type: object) -> str:
        """Return a type; one whose dimensions are long expressions has those of the example."""
        if not isinstance(type, TensorType):
            return type_text(type)
        if all(len(str(dim)) <= LONGEST for dim in type.shape):
            return type_text(type)
        values = [self.value(dim) for dim in type.shape]
        shape = ", ".join("?" if one is None else str(one) for one in values)
        return f"{type.dtype} ({shape}) for {self}"

    def bytes_text(self, count: object) -> str:
        """Return a number of bytes, which may depend on symbolic dimensions."""
        value = self.value(getattr(count, "value", count))
        return f"({count}) B" if value is None else size_text(value)


def summary(source: IRModule, lowered: IRModule) -> Iterator[tuple[str, str]]:
    """Yield the rows about a program.

    Parameters
    ----------
    source
        The program.
    lowered
        The program after all passes.
    """
    typed = InferType()(source).functions
    public = {
        str(variable.name_hint): func
        for variable, func in typed.items()
        if func.get_attr("global_symbol") is not None
    }
    example = Example(func for func in public.values() if isinstance(func, Function))
    for name, func in public.items():
        yield "function", name
        yield from signature(func, example)
    prims = {
        str(variable.name_hint): func
        for variable, func in lowered.functions.items()
        if isinstance(func, PrimFunc)
    }
    yield from kernels(prims.values(), example)
    constants = lowered.get_attr("constants") or []
    sizes = [tensor_bytes(one) for one in constants]
    yield "constants", f"{len(sizes)}, {size_text(sum(sizes))}"
    yield from memory(prims, example)


def signature(func: BaseFunc, example: Example) -> Iterator[tuple[str, str]]:
    """Yield the rows about the parameters and the results of a function."""
    if not isinstance(func, Function):
        return
    inputs = func.get_attr("input_names") or [param.name for param in func.params]
    for name, param in zip(inputs, func.params, strict=True):
        yield "  input", f"{name}: {type_text(param.checked_type)}"
    result = func.ret_type
    types = list(result.fields) if isinstance(result, TupleType) else [result]
    outputs = func.get_attr("output_names") or [""] * len(types)
    for name, one in zip(outputs, types, strict=True):
        text = example.type_text(one)
        yield "  output", f"{name}: {text}" if name else text


def kernels(functions: Iterable[PrimFunc], example: Example) -> Iterator[tuple[str, str]]:
    """Yield the rows about the kernels, and about those whose sizes vary."""
    every = [func for func in functions if func.get_attr("flops") is not None]
    varying = [func for func in every if has_sizes(func)]
    if not varying or not example.sizes:
        yield "kernels", str(len(every))
        return
    names = ", ".join(example.sizes)
    yield "kernels", f"{len(every)}, {len(varying)} of which take any {names}"
    name = list(example.sizes)[-1]
    yield "sizes", f"code that knows them is faster: `--dim {name}=N` or `--dim {name}=N,N,...`"


def has_sizes(func: PrimFunc) -> bool:
    """Return whether the shape of a buffer has a symbolic dimension."""
    buffers = func.buffer_map.values()
    return any(not isinstance(dim, IntImm) for buffer in buffers for dim in buffer.shape)


def memory(functions: dict[str, PrimFunc], example: Example) -> Iterator[tuple[str, str]]:
    """Yield the rows about the memory of functions that need some, with names if several do."""
    found = {
        name: (func.get_attr("arena_bytes"), func.get_attr("live_bytes"))
        for name, func in functions.items()
    }
    stated = {name: both for name, both in found.items() if None not in both}
    for place, (name, (arena, live)) in enumerate(stated.items()):
        texts = [example.bytes_text(one) for one in (arena, live)]
        text = f"{texts[0]} of one call, at least {texts[1]} are in use at once"
        varies = not all(isinstance(getattr(one, "value", one), int) for one in (arena, live))
        text += f", for {example}" if varies and example.sizes else ""
        yield "" if place else "memory", text if len(stated) == 1 else f"{name}: {text}"


def tensor_bytes(tensor: Any) -> int:
    """Return the size of the elements of a tensor of tvm-ffi."""
    count = 1
    for dim in tensor.shape:
        count *= int(dim)
    return count * int((tensor.dtype.bits * tensor.dtype.lanes + 7) // 8)
