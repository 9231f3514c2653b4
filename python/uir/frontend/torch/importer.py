"""From programs of `torch.export` to functions of relay."""

from __future__ import annotations

import copy
import importlib
from collections.abc import Mapping
from typing import Any

from uir_nodes.ir import BaseFunc, GlobalVar, IRModule, with_attr
from uir_nodes.relay import Tuple

from ... import relay
from ..errors import Refused, UnsupportedModelError, only_refusals
from .capture import check_program
from .conversion import Conversion, unsupported
from .decompositions import decompositions as composed
from .fast_paths import fast_paths
from .operators.quantization import parts_of_others
from .signature import Inputs, Outputs, outputs_of

__all__ = ["default_decompositions", "from_exported_program"]

# Operators that are imported as a whole. PyTorch would make `index_put` of `index_add` and
# `index_copy`, which counts negative indices from the end, and round places otherwise when it takes
# `upsample_nearest1d` apart than when it runs it. It makes a comparison of `one_hot`, which
# accepts numbers beyond the classes, and returns the weights of attention in place of its sums.
WHOLE = (
    "_scaled_dot_product_flash_attention_for_cpu.default",
    *("index_add.default", "index_copy.default", "index_fill.int_Scalar", "index_fill.int_Tensor"),
    *("linear.default", "one_hot.default", "scaled_dot_product_attention.default"),
    *("upsample_nearest1d.vec", "upsample_nearest3d.vec"),
)

# What checks a condition on sizes.
CHECK = "aten._assert_scalar.default"

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
    return module_of(program)


def default_decompositions() -> dict[Any, Any]:
    """Return the functions that take operators apart into those that are imported.

    They are PyTorch's for all operators beyond core ATen except those that are imported as a whole,
    and for some of core ATen. Those of whole layers of transformers, and of operators that PyTorch
    does not take apart, are uir's.

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
    return {
        **table,
        **importlib.import_module("torch._decomp").get_decompositions(apart),
        **composed(),
        **fast_paths(),
        **parts_of_others(),
    }


def without_guards(program: Any) -> Any:
    """Return a program without the guards of its inputs.

    The types of `main` have them, as calls check. PyTorch, which runs guards while it takes
    operators apart, cannot run those of tensors in caches.
    """
    copied = copy.copy(program)
    copied._guards_code = []
    return copied


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


def module_of(program: Any) -> IRModule:
    """Return the module of a program whose operators are taken apart."""
    builder = relay.builder()
    inputs = Inputs(program, builder)
    inputs.define()
    conversion = Conversion(builder, inputs.symbols, inputs.values)
    outputs, problems = Outputs([], [], ""), inputs.problems
    kept = needed(program.graph)
    for node in program.graph.nodes:
        try:
            with only_refusals("from_exported_program", str(node.target), node.name):
                if node.op == "call_function" and node in kept:
                    conversion.convert(node)
                elif str(node.target) == CHECK:
                    conversion.check(node)
                elif node.op == "output":
                    outputs = outputs_of(program, node, conversion.values)
        except Refused as refused:
            problems.append(unsupported(node, refused))
    if problems:
        raise UnsupportedModelError("from_exported_program", problems)
    results = outputs.results
    func: BaseFunc = builder.make_func(results[0] if len(results) == 1 else Tuple(results))
    func = with_attr(func, "global_symbol", "main")
    func = with_attr(func, "input_names", inputs.names)
    func = with_attr(func, "output_names", outputs.names)
    func = with_attr(func, "output_tree", outputs.structure)
    return IRModule({GlobalVar("main"): func})
