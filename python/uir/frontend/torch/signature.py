"""The signature of a captured program: its inputs, its state and its outputs.

In: the signature, the placeholders and the node of the outputs.  Out: parameters and constants of
relay, and the results.  It does not know operators.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import tvm_ffi

from uir_nodes.ir import PrimExpr, RelayExpr
from uir_nodes.relay import Builder

from ... import relay
from ...ir import structural_equal
from ..errors import Refused, Unsupported, only_refusals
from ..tensors import size_tensor
from .complex_pairs import Complex
from .node import data_type
from .output_tree import Leaf, structure_of
from .refusals import COMPLEX
from .symbols import Symbols

__all__ = ["Inputs", "Outputs", "as_tensor", "outputs_of", "tensor_param"]

# New values of the tensors that the program changes.
MUTATIONS = ("BUFFER_MUTATION", "PARAMETER_MUTATION", "USER_INPUT_MUTATION")


class Inputs:
    """The placeholders of a program: parameters of a function, and constants.

    Parameters
    ----------
    program
        The program.
    builder
        What makes the function.
    """

    def __init__(self, program: Any, builder: Builder) -> None:
        self._program = program
        self._builder = builder
        #: The symbols of their shapes.
        self.symbols = Symbols()
        self._constants: dict[Any, RelayExpr] = {}
        #: What placeholders are: expressions, numbers or None.
        self.values: dict[Any, Any] = {}
        #: The names of the parameters, in their order.
        self.names: list[str] = []
        #: Inputs that are not supported.
        self.problems: list[Unsupported] = []

    def define(self) -> None:
        """Define all placeholders; the state that the program changes follows its inputs."""
        specs = {spec.arg.name: spec for spec in self._program.graph_signature.input_specs}
        nodes = [node for node in self._program.graph.nodes if node.op == "placeholder"]
        changed = self._changed()
        for node in nodes:
            for size in getattr(node.meta.get("val"), "shape", ()):
                self.symbols.find(size)
        for node in sorted(nodes, key=lambda one: specs[one.name].target in changed):
            spec = specs[node.name]
            try:
                with only_refusals("from_exported_program", "input", node.name):
                    self.values[node] = self._value(node, spec, changed)
            except Refused as refused:
                self.problems.append(Unsupported(node.name, "input", str(refused)))
        self.symbols.close()

    def _changed(self) -> set[str]:
        """Return the names of the parameters and buffers that the program changes."""
        specs = self._program.graph_signature.output_specs
        return {one.target for one in specs if one.kind.name in MUTATIONS[:2]}

    def _value(self, node: Any, spec: Any, changed: set[str]) -> Any:
        kind = spec.kind.name
        if kind == "USER_INPUT":
            return self._input(node, spec)
        if kind in ("CUSTOM_OBJ", "TOKEN"):
            raise Refused(f"an input of kind {kind}")
        if spec.target in changed:
            return self._param(node, spec.target)
        return self._constant(spec.target)

    def _input(self, node: Any, spec: Any) -> Any:
        """Return the parameter of an input, or a value that the program has been captured for."""
        if hasattr(spec.arg, "value"):
            return spec.arg.value  # A number, a string or None.
        return self._param(node, node.name)

    def _param(self, node: Any, name: str) -> RelayExpr:
        value = node.meta.get("val")
        if not hasattr(value, "shape"):
            is_size = type(value).__name__ == "SymInt"
            raise Refused("an integer that varies" if is_size else f"a {type(value).__name__}")
        param = tensor_param(self._builder, self.symbols, node.name, value)
        self.names.append(name)
        return param

    def _constant(self, target: str) -> RelayExpr | Complex:
        """Return a parameter or a buffer of the program; those that share memory are one."""
        tensor = self._program.state_dict.get(target)
        if tensor is None:
            tensor = self._program.constants[target]
        if tensor.is_complex():
            return Complex(*(self._elements(part) for part in (tensor.real, tensor.imag)))
        return self._elements(tensor)

    def _elements(self, tensor: Any) -> RelayExpr:
        """Return a tensor as a constant."""
        dtype = data_type(tensor.dtype)
        tensor = tensor.detach()
        layout = tuple(tensor.shape), tensor.stride(), tensor.is_neg(), tensor.is_conj()
        memory = (tensor.data_ptr(), dtype, *layout)
        if memory not in self._constants:
            # A copy: later changes of the tensor do not change the module.
            copied = tensor.cpu().resolve_conj().resolve_neg().contiguous().clone()
            self._constants[memory] = relay.const(tvm_ffi.from_dlpack(copied))
        return self._constants[memory]


def tensor_param(builder: Builder, symbols: Symbols, name: str, described: Any) -> RelayExpr:
    """Return a new parameter as a graph uses it.

    Parameters
    ----------
    builder
        What makes the function.
    symbols
        The symbols of the graph, which have those of the parameter afterwards.
    name
        The name of the parameter.
    described
        Its shape and data type: a tensor, as the graph describes it.

    Raises
    ------
    Refused
        If `relay` does not have the data type, or a size.
    """
    dtype = data_type(described.dtype)
    shape = [symbols.dim_of_input(size) for size in described.shape]
    param = builder.param(name, relay.Tensor(shape, dtype))
    known = [symbols.dim(size) for size in described.shape]
    if structural_equal(param.checked_type, relay.Tensor(known, dtype)):
        return param
    # Calls check that the sizes are those multiples.
    return builder.emit(relay.reshape(param, known, allowzero=True), name)


class Outputs(NamedTuple):
    """The results of a program, their names, and the structure of the outputs among them."""

    results: list[RelayExpr]
    names: list[str]
    structure: str


def outputs_of(program: Any, node: Any, values: Mapping[Any, Any]) -> Outputs:
    """Return the results of a program.

    The outputs come first, without those that are None or text, then the new values of buffers,
    parameters and inputs that the program changes, each by the name of the changed tensor.

    Parameters
    ----------
    program
        The program.
    node
        The node of its outputs.
    values
        The values of nodes. One that is missing has failed, or depends on one that has.

    Raises
    ------
    Refused
        If an output is neither a tensor, a number, text nor None, or all are text or None.
    """
    given: list[tuple[RelayExpr, str]] = []
    changed: list[tuple[RelayExpr, str]] = []
    leaves: list[Leaf] = []
    for spec, value in zip(program.graph_signature.output_specs, node.args[0], strict=True):
        kind = spec.kind.name
        if kind != "USER_OUTPUT" and kind not in MUTATIONS:
            raise Refused(f"an output of kind {kind}")
        if hasattr(value, "op") and value not in values:
            continue
        found = values[value] if hasattr(value, "op") else value
        if kind != "USER_OUTPUT":
            changed.append((as_tensor(found), spec.target))
            continue
        leaves.append(leaf_of(found, spec))
        if not isinstance(found, str | None):
            given.append((as_tensor(found), spec.arg.name))
    both = [*given, *changed]
    if not both and len(leaves) == len(node.args[0]):
        raise Refused("no output is a tensor or a number")
    structure = structure_of(program.call_spec.out_spec, leaves)
    return Outputs([value for value, _ in both], [name for _, name in both], structure)


def leaf_of(found: Any, spec: Any) -> Leaf:
    """Return the kind of an output."""
    if isinstance(found, str | None):
        return {"value": found}
    if isinstance(found, bool | int | float):
        return {"number": found}
    return "tensor" if type(spec.arg).__name__ == "TensorArgument" else "number"


def as_tensor(value: Any) -> RelayExpr:
    """Return an output as a tensor: that of a number has rank 0, as `torch.tensor` makes it."""
    if isinstance(value, RelayExpr):
        return value
    if isinstance(value, Complex):
        raise Refused(COMPLEX)
    if isinstance(value, PrimExpr):
        return size_tensor(value)
    if isinstance(value, (bool, int, float)):
        kind = {bool: "bool", int: "int64", float: "float32"}[type(value)]
        return relay.const(value, kind)
    raise Refused(f"an output of type {type(value).__name__}")
