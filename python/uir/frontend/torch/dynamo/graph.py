"""A graph of ATen as a function of relay: its arguments, and its results."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from uir_nodes.ir import BaseFunc, GlobalVar, IRModule, RelayExpr, with_attr
from uir_nodes.relay import Builder, Tuple

from .... import relay
from ...errors import Refused, only_refusals
from ..conversion import Conversion
from ..operators.strides import memory_order
from ..signature import as_tensor, tensor_param
from ..symbols import Symbols, sign_is_known

__all__ = ["Argument", "Imported", "Result", "import_graph", "is_tensor"]


class Argument(NamedTuple):
    """An argument of a function: an input of the graph, and its kind.

    The kind is "tensor", "size" for an integer, which a tensor of shape (size, 0) carries, or
    "real" for a number that a float64 tensor of rank 0 carries.
    """

    place: int
    kind: str


# A result: the axes to permute those of the tensor by, which are none if they have their order, or
# None for a number, which is a tensor of rank 0.
Result: TypeAlias = "list[int] | None"


class Imported(NamedTuple):
    """A module with `main`, its arguments, and its results."""

    module: IRModule
    arguments: list[Argument]
    results: list[Result]


def is_tensor(value: Any) -> bool:
    """Return whether a description is that of a tensor."""
    return hasattr(value, "stride")


def import_graph(graph: Any) -> Imported:
    """Import a graph without side effects.

    Parameters
    ----------
    graph
        A `torch.fx.Graph` of operators of ATen, whose nodes have descriptions.

    Returns
    -------
    Imported
        The function.

    Raises
    ------
    Refused
        If it has an input or a node that is not supported.
    InternalError
        If a conversion fails.
    """
    builder, symbols = relay.builder(), Symbols()
    values: dict[Any, Any] = {}
    arguments = define_inputs(graph, builder, symbols, values)
    symbols.close()
    conversion = Conversion(builder, symbols, values)
    results: list[tuple[RelayExpr, Result]] = []
    for node in graph.nodes:
        with only_refusals("torch.compile", str(node.target), node.name):
            if node.op == "call_function":
                conversion.convert(node)
            elif node.op == "output":
                results = [result_of(one, values[one]) for one in node.all_input_nodes]
    tensors = [tensor for tensor, _ in results]
    func: BaseFunc = builder.make_func(tensors[0] if len(tensors) == 1 else Tuple(tensors))
    func = with_attr(func, "global_symbol", "main")
    return Imported(IRModule({GlobalVar("main"): func}), arguments, [one for _, one in results])


def define_inputs(
    graph: Any, builder: Builder, symbols: Symbols, values: dict[Any, Any]
) -> list[Argument]:
    """Define the inputs of a graph: tensors first, then the sizes that no tensor has."""
    nodes = [node for node in graph.nodes if node.op == "placeholder"]
    described = [node.meta["val"] for node in nodes]
    for value in described:
        for size in value.shape if is_tensor(value) else ():
            symbols.find(size)
    arguments = []
    for place in sorted(range(len(nodes)), key=lambda one: not is_tensor(described[one])):
        node, value = nodes[place], described[place]
        with only_refusals("torch.compile", "input", node.name):
            kind, values[node] = defined(node.name, value, builder, symbols)
        if kind:
            arguments.append(Argument(place, kind))
    return arguments


def defined(name: str, value: Any, builder: Builder, symbols: Symbols) -> tuple[str, Any]:
    """Return the kind of argument of an input, or "" if it needs none, and its value."""
    if is_tensor(value):
        return "tensor", tensor_param(builder, symbols, name, value)
    if isinstance(value, int | float | None):
        return "", value
    kind = type(value).__name__
    if kind == "SymFloat":
        return "real", builder.param(name, relay.Tensor([], "float64"))
    if kind != "SymInt" or not sign_is_known(value):
        raise Refused("an integer that may be negative" if kind == "SymInt" else f"a {kind}")
    if symbols.is_opaque(value):
        builder.param(name, relay.Tensor([symbols.opaque(value), 0], "bool"))
        return "size", symbols.dim(value)
    if symbols.is_found(value):
        return "", symbols.dim(value)
    builder.param(name, relay.Tensor([symbols.dim_of_input(value), 0], "bool"))
    if not symbols.is_found(value):
        raise Refused(f"a size `{value}` whose symbols no input has")
    return "size", symbols.dim(value)


def result_of(node: Any, value: Any) -> tuple[RelayExpr, Result]:
    """Return a result as a tensor without gaps, and how the axes of the graph's tensor follow."""
    described = node.meta["val"]
    if not is_tensor(described):
        return as_tensor(value), None
    order = memory_order(described)
    if order == list(range(len(order))):
        return value, []
    return relay.transpose(value, order), [order.index(axis) for axis in range(len(order))]
