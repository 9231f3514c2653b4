"""From programs of `torch.export` to functions of relay."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from uir_nodes.ir import BaseFunc, GlobalVar, IRModule, RelayExpr, SourceName, Span, with_attr
from uir_nodes.relay import Constant, Tuple

from ... import relay
from ..errors import Refused, Unsupported, UnsupportedModelError
from ..tensors import size_tensor
from .node import Node, check_type, data_type
from .operators import CONVERTERS
from .refused import REFUSED
from .symbols import Symbols, real

__all__ = ["default_decompositions", "from_exported_program"]

# Operators that relay has as a whole, which are not taken apart.
WHOLE = ("linear", "scaled_dot_product_attention")

# Operators of core ATen that are taken apart, because relay has them in parts only.
TAKEN_APART = ("col2im", "grid_sampler_2d")

FAILED = (Refused, TypeError, ValueError, ArithmeticError, LookupError)


def from_exported_program(
    program: Any, *, decompose: bool = True, decompositions: Mapping[Any, Any] | None = None
) -> IRModule:
    """Import a program that `torch.export.export` has captured as a module with `main`.

    The parameters of `main` are the inputs of the program, in their order; its value is the
    output, or a tuple of several ones. Parameters and buffers become constants, dynamic dimensions
    variables of shapes, and the name of a node the source of what it becomes. The attributes
    `input_names` and `output_names` of `main` hold the names of the program.

    Parameters
    ----------
    program
        A `torch.export.ExportedProgram`.
    decompose
        Whether operators are taken apart into others first.
    decompositions
        What is taken apart: a function for each operator, as `run_decompositions` of the program
        takes them. By default `default_decompositions()`.

    Returns
    -------
    IRModule
        The module.

    Raises
    ------
    UnsupportedModelError
        If nodes are not supported; the error has all of them, with their names and the reasons.
    """
    if decompose:
        table = default_decompositions() if decompositions is None else dict(decompositions)
        program = program.run_decompositions(table)
    return Importer(program).module()


def default_decompositions() -> dict[Any, Any]:
    """Return the functions that take operators apart into those that are imported.

    They are PyTorch's for all operators beyond core ATen, but for those that `relay` has as a
    whole, and for some of core ATen.

    Returns
    -------
    dict
        A function for each operator. Change it to have others taken apart, or to keep some.
    """
    torch = importlib.import_module("torch")
    table = dict(torch.export.default_decompositions().items())
    for name in WHOLE:
        table.pop(getattr(torch.ops.aten, name).default, None)
    apart = [getattr(torch.ops.aten, name).default for name in TAKEN_APART]
    return {**table, **importlib.import_module("torch._decomp").get_decompositions(apart)}


def needed(graph: Any) -> set[Any]:
    """Return the nodes that the outputs depend on, or that change their operands.

    The others are checks, whose assumptions the types of a module state or which only look at
    elements, and calculations for them.
    """
    found: set[Any] = set()
    for node in reversed(graph.nodes):
        if node in found or node.op == "output" or not is_pure(node.target):
            found.update([node, *node.all_input_nodes])
    return found


def is_pure(target: Any) -> bool:
    """Return whether a call has no effect but its results."""
    schema = getattr(target, "_schema", None)
    if schema is None:
        return getattr(target, "__module__", "") in ("_operator", "math", "torch")
    return not schema.is_mutable


class Importer:
    """Converts the nodes of one program."""

    def __init__(self, program: Any) -> None:
        self.program = program
        self.builder = relay.builder()
        self.symbols = Symbols()
        self.values: dict[Any, Any] = {}
        self.problems: list[Unsupported] = []

    def module(self) -> IRModule:
        """Return the module of the program."""
        graph = self.program.graph
        inputs = list(self.inputs(graph))
        self.symbols.close()
        results: list[RelayExpr] = []
        names: list[str] = []
        kept = needed(graph)
        for node in graph.nodes:
            try:
                if node.op == "call_function" and node in kept:
                    self.convert(node)
                elif node.op == "output":
                    results, names = self.outputs(node)
            except FAILED as error:
                self.problems.append(Unsupported(node.name, str(node.target), str(error)))
        if self.problems:
            raise UnsupportedModelError("from_exported_program", self.problems)
        func: BaseFunc = self.builder.make_func(results[0] if len(results) == 1 else Tuple(results))
        func = with_attr(func, "global_symbol", "main")
        func = with_attr(func, "input_names", inputs)
        func = with_attr(func, "output_names", names)
        return IRModule({GlobalVar("main"): func})

    def inputs(self, graph: Any) -> Iterator[str]:
        """Define the inputs, parameters and buffers; yield the names of the inputs."""
        specs = {spec.arg.name: spec for spec in self.program.graph_signature.input_specs}
        for node in graph.nodes:
            if node.op != "placeholder":
                continue
            try:
                spec = specs[node.name]
                if hasattr(spec.arg, "value"):
                    # A number, a string or None, which the program has been captured for.
                    self.values[node] = spec.arg.value
                elif spec.kind.name == "USER_INPUT":
                    self.values[node] = self.param(node)
                    yield node.name
                else:
                    self.values[node] = self.constant(spec.target)
            except Refused as refused:
                self.problems.append(Unsupported(node.name, "input", str(refused)))

    def param(self, node: Any) -> RelayExpr:
        """Return the parameter of an input."""
        value = node.meta.get("val")
        if not hasattr(value, "shape"):
            is_size = type(value).__name__ == "SymInt"
            raise Refused("an integer that varies" if is_size else f"a {type(value).__name__}")
        shape = [self.symbols.dim(size) for size in value.shape]
        return self.builder.param(node.name, relay.Tensor(shape, data_type(value.dtype)))

    def constant(self, target: str) -> RelayExpr:
        """Return a parameter or a buffer of the program."""
        tensor = self.program.state_dict.get(target)
        if tensor is None:
            tensor = self.program.constants[target]
        data_type(tensor.dtype)
        return relay.const(np.asarray(tensor.detach().cpu().contiguous().numpy()))

    def outputs(self, node: Any) -> tuple[list[RelayExpr], list[str]]:
        """Return the results of the program, and their names."""
        specs = self.program.graph_signature.output_specs
        results, names = [], []
        for spec, value in zip(specs, node.args[0], strict=True):
            if spec.kind.name != "USER_OUTPUT":
                raise Refused(f"an output of kind {spec.kind.name}")
            if value is None:
                continue
            if not hasattr(value, "meta"):
                raise Refused(f"an output that is the constant {value!r}")
            if value not in self.values:
                continue  # A node that it depends on has failed.
            result = self.values[value]
            results.append(result if isinstance(result, RelayExpr) else size_tensor(result))
            names.append(spec.arg.name)
        return results, names

    def convert(self, node: Any) -> None:
        """Convert a node, unless one that it depends on has failed."""
        operator, described = str(node.target), node.meta.get("val")
        is_size = isinstance(described, int) or hasattr(described, "node")
        is_plain = getattr(node.target, "__module__", "") == "_operator"
        is_known = is_size or is_plain or operator in CONVERTERS
        if operator in REFUSED or not is_known:
            raise Refused(REFUSED.get(operator, "no such operator in relay"))
        if any(one not in self.values for one in node.all_input_nodes):
            return
        args = self.resolved(node.args)
        if is_size:
            is_real = type(described).__name__ == "SymFloat"
            self.values[node] = real(node.target, args) if is_real else self.symbols.dim(described)
            return
        if is_plain:
            # An item of several results.
            self.values[node] = node.target(*args)
            return
        span = Span(SourceName(node.name), 0, 0)

        def bind(expr: RelayExpr) -> RelayExpr:
            return self.builder.emit(expr, "", span)

        outputs = CONVERTERS[operator](Node(node, args, self.resolved(node.kwargs), bind))
        if isinstance(outputs, RelayExpr):
            self.values[node] = self.result(outputs, described, node.name, span)
            return
        self.values[node] = [
            None if one is None else self.result(one, tensor, f"{node.name}_{place}", span)
            for place, (one, tensor) in enumerate(zip(outputs, described, strict=True))
        ]

    def result(self, output: RelayExpr, described: Any, name: str, span: Span) -> RelayExpr:
        """Return a result, bound to a variable, if its type is that of the program."""
        check_type(output, described)
        # Operators may ask for the elements of a constant.
        return output if isinstance(output, Constant) else self.builder.emit(output, name, span)

    def resolved(self, value: Any) -> Any:
        """Return arguments with the values of nodes in their places."""
        if isinstance(value, (list, tuple)):
            return [self.resolved(one) for one in value]
        if isinstance(value, dict):
            return {name: self.resolved(one) for name, one in value.items()}
        return self.values[value] if value.__hash__ and value in self.values else value
