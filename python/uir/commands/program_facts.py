"""The facts about a compiled program: its functions, kernels, constants and memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from uir_nodes.ir import BaseFunc, IntImm, IRModule, TupleType
from uir_nodes.relay import Function
from uir_nodes.tir import PrimFunc

from ..transform import InferType
from .json_output import json_size, json_type

__all__ = ["FunctionMemory", "ProgramFacts", "Signature", "Value", "program_facts"]


class Value(NamedTuple):
    """An input or an output; outputs without names have empty ones."""

    name: str
    type: object

    def to_json(self) -> dict[str, Any]:
        """Return the name and the type as values of JSON."""
        return {"name": self.name, **json_type(self.type)}


class Signature(NamedTuple):
    """A public function; one that is already lowered has no inputs and outputs here."""

    name: str
    inputs: list[Value]
    outputs: list[Value]

    def to_json(self) -> dict[str, Any]:
        """Return the function as values of JSON."""
        inputs, outputs = ([one.to_json() for one in side] for side in (self.inputs, self.outputs))
        return {"name": self.name, "inputs": inputs, "outputs": outputs}


class FunctionMemory(NamedTuple):
    """The memory of a function for intermediate tensors, and that in use at once, in bytes."""

    function: str
    arena: object
    live: object

    def to_json(self) -> dict[str, Any]:
        """Return the sizes as values of JSON."""
        sizes = {"arena_bytes": json_size(self.arena), "live_bytes": json_size(self.live)}
        return {"function": self.function, **sizes}


class ProgramFacts(NamedTuple):
    """A compiled program."""

    functions: list[Signature]
    kernels: int
    varying_kernels: int
    constants: int
    constant_bytes: int
    memory: list[FunctionMemory]

    def to_json(self) -> dict[str, Any]:
        """Return the facts as values of JSON."""
        return {
            "functions": [one.to_json() for one in self.functions],
            "kernel_count": self.kernels,
            "varying_kernel_count": self.varying_kernels,
            "constant_count": self.constants,
            "constant_bytes": self.constant_bytes,
            "memory": [one.to_json() for one in self.memory],
        }


def program_facts(source: IRModule, lowered: IRModule) -> ProgramFacts:
    """Return the facts about a program.

    Parameters
    ----------
    source
        The program.
    lowered
        The program after all passes.
    """
    functions = [
        signature(str(variable.name_hint), func)
        for variable, func in InferType()(source).functions.items()
        if func.get_attr("global_symbol") is not None
    ]
    prims = {
        str(variable.name_hint): func
        for variable, func in lowered.functions.items()
        if isinstance(func, PrimFunc)
    }
    kernels = [func for func in prims.values() if func.get_attr("flops") is not None]
    varying = sum(map(has_sizes, kernels))
    sizes = [tensor_bytes(one) for one in lowered.get_attr("constants") or []]
    return ProgramFacts(
        functions, len(kernels), varying, len(sizes), sum(sizes), list(memory(prims))
    )


def signature(name: str, func: BaseFunc) -> Signature:
    """Return the inputs and the outputs of a function on tensors."""
    if not isinstance(func, Function):
        return Signature(name, [], [])
    inputs = func.get_attr("input_names") or [param.name for param in func.params]
    result = func.ret_type
    types = list(result.fields) if isinstance(result, TupleType) else [result]
    outputs = func.get_attr("output_names") or [""] * len(types)
    return Signature(
        name,
        [
            Value(str(one), param.checked_type)
            for one, param in zip(inputs, func.params, strict=True)
        ],
        [Value(str(one), type) for one, type in zip(outputs, types, strict=True)],
    )


def has_sizes(func: PrimFunc) -> bool:
    """Return whether the shape of a buffer has a symbolic dimension."""
    buffers = func.buffer_map.values()
    return any(not isinstance(dim, IntImm) for buffer in buffers for dim in buffer.shape)


def memory(functions: dict[str, PrimFunc]) -> Iterator[FunctionMemory]:
    """Yield the memory of the functions that need some."""
    for name, func in functions.items():
        arena, live = func.get_attr("arena_bytes"), func.get_attr("live_bytes")
        if arena is not None and live is not None:
            yield FunctionMemory(name, arena, live)


def tensor_bytes(tensor: Any) -> int:
    """Return the size of the elements of a tensor of tvm-ffi."""
    count = 1
    for dim in tensor.shape:
        count *= int(dim)
    return count * int((tensor.dtype.bits * tensor.dtype.lanes + 7) // 8)
