"""Weights as parameters of a function that are packed as `PackWeights` packs constants.

Weights of `torch.compile` are inputs, which may change between calls. For the passes that choose
layouts, each weight is a constant whose elements are codes of their places. The codes in a packed
constant tell its layout, and the packed constant becomes a parameter.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import tvm_ffi

from uir_nodes.ir import IRModule
from uir_nodes.tir import Bind, Buffer, Call, DeclBuffer, PrimFunc, SeqStmt, Stmt, StmtMutator, Var
from uir_nodes.transform import Pass, PassContext

from .... import ir, tir, transform
from .codes import Codes
from .layout import Layout

__all__ = ["Panels"]


class Panels:
    """Lets `main` of one module take weights as panels.

    Parameters
    ----------
    places
        The parameters of `main` that are weights, of constant shapes, whose data types have codes.
    """

    def __init__(self, places: Sequence[int]) -> None:
        self._places = places
        self._params: list[Var] = []
        self._weights: list[Buffer] = []
        self._constants: list[tvm_ffi.Tensor] = []
        self._codes = Codes()
        #: When the passes have run: the places of the parameters that are left.
        self.kept: list[int] = []
        #: Those that follow: the places of their weights, and the layouts.
        self.packed: list[tuple[int, Layout]] = []

    def added_to(self, pipeline: Sequence[Pass]) -> list[Pass]:
        """Return the default passes with those that give weights codes and take them away."""
        passes = []
        for one in pipeline:
            passes.append(one)
            if one.pass_info.name == "LowerEntry":
                passes.append(transform.module_pass(name="EncodeWeights")(self._encode))
            elif one.pass_info.name == "PackWeights":
                passes.append(transform.module_pass(name="DecodeWeights")(self._decode))
        return passes

    def _encode(self, module: IRModule, _: PassContext) -> IRModule:
        """Make weights constants, and the elements of all constants codes."""
        main: Any = module["main"]
        self._params = list(main.params)
        self._weights = [main.buffer_map[self._params[place]] for place in self._places]
        self._constants = constants_of(main)
        constants = list(map(self._codes.of, self._constants))
        declared: list[Stmt] = []
        for buffer in self._weights:
            declared.append(Bind(buffer.data, tir.constant_data(len(constants))))
            declared.append(DeclBuffer(buffer))
            constants.append(self._codes.like(buffer.shape, buffer.dtype))
        params = [one for place, one in enumerate(self._params) if place not in self._places]
        body = tir.flatten_seq([*declared, main.body])
        return with_main(module, with_params(main, params, {}, body, constants))

    def _decode(self, module: IRModule, _: PassContext) -> IRModule:
        """Make weights parameters, packed or not, and put the other constants back."""
        main: Any = module["main"]
        weights = dict(enumerate(self._weights, len(self._constants)))
        constants, panels = list(self._constants), {}
        addresses: dict[int, Any] = {}
        end = len(constants) + len(weights)
        for index, packed in enumerate(constants_of(main)[end:], end):
            found = self._codes.decoded(packed)
            if found is not None and found[0] in weights:
                buffer = self._panel(*found)
                panels[Var(buffer.name, "handle")] = buffer
                addresses[index] = buffer.data
            else:
                addresses[index] = tir.constant_data(len(constants))
                constants.append(packed if found is None else repacked(constants, *found))
        plain = WithoutCodes(weights, addresses)
        body = plain.visit(main.body)
        inputs = len(self._params) - int(main.get_attr("num_outputs"))
        kept = self._kept({weights[index] for index in plain.used}, inputs)
        self.kept = list(kept)
        params = [*kept.values(), *panels, *self._params[inputs:]]
        buffers = dict(zip(map(self._params.__getitem__, self._places), self._weights, strict=True))
        func = with_params(main, params, {**buffers, **panels}, body, constants)
        return with_main(module, func)

    def _panel(self, source: int, layout: Layout) -> Buffer:
        """Return the buffer of a packed weight, by the index of its constant."""
        index = source - len(self._constants)
        self.packed.append((self._places[index], layout))
        weight = self._weights[index]
        return tir.decl_buffer(layout.shape, weight.dtype, f"{weight.name}_packed")

    def _kept(self, used: set[Buffer], inputs: int) -> dict[int, Var]:
        """Return the inputs without unused weights, by their places."""
        unused = {
            place
            for place, buffer in zip(self._places, self._weights, strict=True)
            if buffer not in used
        }
        return {place: self._params[place] for place in range(inputs) if place not in unused}


class WithoutCodes(StmtMutator):
    """Replaces the addresses of packed constants, and drops the declarations of weights.

    Parameters
    ----------
    weights
        The weights, by the indices of their constants.
    addresses
        What replaces the addresses of packed constants, by their indices.
    """

    def __init__(self, weights: dict[int, Buffer], addresses: dict[int, Any]) -> None:
        self._addresses = addresses
        self._indices = {buffer.data: index for index, buffer in weights.items()}
        #: The constants of weights that are used as they are.
        self.used: set[int] = set()

    def visit_bind(self, node: Bind, /) -> Stmt:
        if node.var in self._indices:
            self.used.add(self._indices[node.var])
            return SeqStmt([])
        return super().visit_bind(node)

    def visit_decl_buffer(self, node: DeclBuffer, /) -> Stmt:
        return SeqStmt([]) if node.buffer.data in self._indices else node

    def visit_seq_stmt(self, node: SeqStmt, /) -> Stmt:
        return tir.flatten_seq([self.visit(one) for one in node.seq])

    def visit_call(self, node: Call, /) -> Any:
        index = index_of_constant(node)
        if index is not None and index in self._addresses:
            return self._addresses[index]
        return super().visit_call(node)


def repacked(constants: Sequence[tvm_ffi.Tensor], source: int, layout: Layout) -> tvm_ffi.Tensor:
    """Return one of several constants in a layout."""
    tensor = importlib.import_module("torch").from_dlpack(constants[source])
    return tvm_ffi.from_dlpack(layout.packed(tensor))


def index_of_constant(call: Call) -> int | None:
    """Return the index of the constant whose address a call is."""
    index = call.args[0] if len(call.args) == 1 else None
    is_address = isinstance(call.op, ir.Op) and call.op.name == "tir.constant_data"
    return index.value if is_address and isinstance(index, ir.IntImm) else None


def constants_of(func: PrimFunc) -> list[tvm_ffi.Tensor]:
    """Return the constants of a function."""
    return list(func.get_attr("constants") or [])


def with_params(
    func: PrimFunc,
    params: Sequence[Var],
    buffers: dict[Var, Buffer],
    body: Stmt,
    constants: Sequence[tvm_ffi.Tensor],
) -> PrimFunc:
    """Return a function with other parameters, more buffers, another body and other constants."""
    known = {**dict(func.buffer_map), **buffers}
    used = {param: known[param] for param in params if param in known}
    made = PrimFunc(params, body, used, func.ret_type, func.attrs, span=func.span)
    return ir.with_attr(made, "constants", list(constants))


def with_main(module: IRModule, main: PrimFunc) -> IRModule:
    """Return a module with another function `main`."""
    functions = {
        var: main if var.name_hint == "main" else func for var, func in module.functions.items()
    }
    return IRModule(functions, module.attrs)
