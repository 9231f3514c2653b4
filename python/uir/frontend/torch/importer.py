"""From programs of `torch.export` to functions of relay."""

from __future__ import annotations

import copy
import importlib
from collections.abc import Mapping
from typing import Any

from uir_nodes.ir import BaseFunc, GlobalVar, IRModule, RelayExpr, SourceName, Span, with_attr
from uir_nodes.relay import Constant, Tuple

from ... import relay
from ..errors import Refused, Unsupported, UnsupportedModelError, only_refusals
from ..refusals import reason_of
from ..tensors import dims
from .capture import check_program
from .node import Node, check_type
from .operators import CONVERTERS
from .refusals import HELP, REFUSED, UNKNOWN, plain_name
from .signature import Inputs, Outputs, outputs_of
from .source import source_of
from .symbols import real

__all__ = ["default_decompositions", "from_exported_program"]

# Operators that are imported as a whole. PyTorch would make `index_put` of `index_add` and
# `index_copy`, which counts negative indices from the end, and round places otherwise when it takes
# `upsample_nearest1d` apart than when it runs it. It makes a comparison of `one_hot`, which
# accepts numbers beyond the classes.
WHOLE = (
    *("index_add.default", "index_copy.default", "index_fill.int_Scalar", "index_fill.int_Tensor"),
    *("linear.default", "one_hot.default", "scaled_dot_product_attention.default"),
    *("upsample_nearest1d.vec", "upsample_nearest3d.vec"),
)

# Operators of core ATen that are taken apart, because relay has them in parts only.
TAKEN_APART = ("col2im", "grid_sampler_2d")


def from_exported_program(
    program: Any, *, decompose: bool = True, decompositions: Mapping[Any, Any] | None = None
) -> IRModule:
    """Import a program that `torch.export.export` has captured as a module with `main`.

    The parameters of `main` are the inputs of the program, in their order; its value is the output,
    or a tuple of several outputs. Parameters and buffers become constants, dynamic dimensions
    variables of shapes, and the name of a node the source of its expressions. The attributes
    `input_names` and `output_names` of `main` hold the names of the program, `output_tree` the
    structure of its outputs.

    Parameters
    ----------
    program
        A `torch.export.ExportedProgram`.
    decompose
        Whether operators are taken apart into others first.
    decompositions
        The operators to take apart: a function for each one, as `run_decompositions` of the program
        takes them. By default `default_decompositions()`.

    Returns
    -------
    IRModule
        The module.

    Raises
    ------
    ImportError
        If PyTorch is not installed.
    TypeError
        If `program` is not an `ExportedProgram`; the message says how to capture a module.
    UnsupportedModelError
        If nodes are not supported; the error has all of them, with their names and the reasons.
    """
    check_program(program)
    if decompose:
        table = default_decompositions() if decompositions is None else dict(decompositions)
        program = without_guards(program).run_decompositions(table)
    return Importer(program).module()


def default_decompositions() -> dict[Any, Any]:
    """Return the functions that take operators apart into those that are imported.

    They are PyTorch's for all operators beyond core ATen except those that are imported as a whole,
    and for some of core ATen.

    Returns
    -------
    dict
        A function for each operator. Change it to have others taken apart, or to keep some.
    """
    torch = importlib.import_module("torch")
    table = dict(torch.export.default_decompositions().items())
    for name in WHOLE:
        packet, overload = name.split(".")
        table.pop(getattr(getattr(torch.ops.aten, packet), overload), None)
    apart = [getattr(torch.ops.aten, name).default for name in TAKEN_APART]
    return {**table, **importlib.import_module("torch._decomp").get_decompositions(apart)}


def without_guards(program: Any) -> Any:
    """Return a program without the guards of its inputs.

    The types of `main` have them, as calls check. PyTorch, which runs guards while it takes
    operators apart, cannot run those of tensors in caches.
    """
    copied = copy.copy(program)
    copied._guards_code = []
    return copied


def unsupported(node: Any, refused: Refused) -> Unsupported:
    """Return the report on a refused node: operator, reason, source and help."""
    reason = str(refused)
    todo = refused.help or HELP.get(reason, "")
    return Unsupported(node.name, str(node.target), reason, source_of(node), todo)


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
        self.values: dict[Any, Any] = {}
        self.problems: list[Unsupported] = []

    def module(self) -> IRModule:
        """Return the module of the program."""
        inputs = Inputs(self.program, self.builder)
        inputs.define()
        self.values, self.problems, self.symbols = inputs.values, inputs.problems, inputs.symbols
        outputs = Outputs([], [], "")
        kept = needed(self.program.graph)
        for node in self.program.graph.nodes:
            try:
                with only_refusals("from_exported_program", str(node.target), node.name):
                    if node.op == "call_function" and node in kept:
                        self.convert(node)
                    elif node.op == "output":
                        outputs = outputs_of(self.program, node, self.values)
            except Refused as refused:
                self.problems.append(unsupported(node, refused))
        if self.problems:
            raise UnsupportedModelError("from_exported_program", self.problems)
        results = outputs.results
        func: BaseFunc = self.builder.make_func(results[0] if len(results) == 1 else Tuple(results))
        func = with_attr(func, "global_symbol", "main")
        func = with_attr(func, "input_names", inputs.names)
        func = with_attr(func, "output_names", outputs.names)
        func = with_attr(func, "output_tree", outputs.structure)
        return IRModule({GlobalVar("main"): func})

    def convert(self, node: Any) -> None:
        """Convert a node, unless one that it depends on has failed."""
        operator, described = str(node.target), node.meta.get("val")
        is_size = isinstance(described, int) or hasattr(described, "node")
        is_plain = getattr(node.target, "__module__", "") == "_operator"
        is_known = is_size or is_plain or operator in CONVERTERS
        reason = reason_of(plain_name(operator), REFUSED)
        if reason is not None or not is_known:
            raise Refused(reason or UNKNOWN)
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
            if self.values[node] is None:
                raise Refused("a result that relay does not compute")
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
            for place, (one, tensor) in enumerate(zip(outputs, node.meta["val"], strict=True))
        ]

    def result(self, output: RelayExpr, described: Any, name: str, span: Span) -> RelayExpr:
        """Return a result, bound to a variable, if its type is that of the program."""
        check_type(output, described)
        for size, found_size in zip(described.shape, dims(output), strict=True):
            self.symbols.learn(size, found_size)
        if isinstance(output, Constant):
            return output  # Operators may ask for its elements.
        found = self.builder.emit(output, name, span)
        known = as_described(found, described)
        return found if known is None else self.builder.emit(known, "", span)

    def resolved(self, value: Any) -> Any:
        """Return arguments with the values of nodes in their places."""
        if isinstance(value, (list, tuple)):
            return [self.resolved(one) for one in value]
        if isinstance(value, dict):
            return {name: self.resolved(one) for name, one in value.items()}
        return self.values[value] if value.__hash__ and value in self.values else value


def as_described(x: RelayExpr, described: Any) -> RelayExpr | None:
    """Return a tensor with the sizes that the program knows and its type does not.

    The program may know how large its dimensions are at least, so that `x[-1:]` has one element.
    Unproved sizes are checked when the function is called. None if the type has all of them.
    """
    own = dims(x)
    known = [known_size(size) for size in described.shape]
    pairs = list(zip(own, known, strict=True))
    if all(isinstance(a, int) or b is None for a, b in pairs):
        return None
    return relay.reshape(x, [a if b is None else b for a, b in pairs], allowzero=True)


def known_size(size: Any) -> int | None:
    """Return a size if it is a number in all calls."""
    if isinstance(size, int):
        return size
    return int(size.node.expr) if size.node.expr.is_Integer else None
