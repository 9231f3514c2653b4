"""Which nodes of a graph are supported: each one is converted by itself."""

from __future__ import annotations

import importlib
from typing import Any

from .... import relay
from ...errors import InternalError, Refused, Unsupported, only_refusals
from ..complex_pairs import flat, is_complex
from ..conversion import Conversion, is_size, unsupported
from ..refusals import COMPLEX
from ..signature import tensor_param
from ..symbols import Symbols, sign_is_known
from .graph import is_tensor

__all__ = ["SupportedNodes"]


class SupportedNodes:
    """Converts the nodes of a graph, and goes on behind those that are refused.

    Parameters
    ----------
    module
        A `torch.fx.GraphModule` of operators of ATen, whose nodes have descriptions.
    """

    def __init__(self, module: Any) -> None:
        self._builder = relay.builder()
        self._conversion = Conversion(self._builder, Symbols(), {})
        #: The supported nodes.
        self.nodes: set[Any] = set()
        #: Why the others are not.
        self.problems: list[Unsupported] = []
        for node in module.graph.nodes:
            if node.op == "call_function":
                self._try(node)
            elif node.op in ("placeholder", "get_attr"):
                self._assume(node)

    def _try(self, node: Any) -> None:
        """Convert a node; a refused one becomes an input of the nodes behind it."""
        try:
            with only_refusals("torch.compile", str(node.target), node.name):
                check_place(node)
                self._conversion.convert(node)
                if node not in self._conversion.values:
                    raise Refused("an operand that relay does not have")
        except (Refused, InternalError) as error:
            if has_results(node) and not is_size(node.meta.get("val")):
                reason = error if isinstance(error, Refused) else Refused(str(error))
                self.problems.append(unsupported(node, reason)._replace(help=""))
        if node in self._conversion.values:
            self.nodes.add(node)
        else:
            self._assume(node)

    def _assume(self, node: Any) -> None:
        """Take the value of a node as it is described, unless relay does not have such values."""
        try:
            with only_refusals("torch.compile", str(node.target), node.name):
                self._conversion.values[node] = self._described(node.name, node.meta.get("val"))
        except Refused:
            pass

    def _described(self, name: str, value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return [self._described(name, one) for one in value]
        if is_tensor(value):
            return tensor_param(self._builder, self._conversion.symbols, name, value)
        if isinstance(value, int | float | None):
            return value
        if type(value).__name__ == "SymFloat":
            return self._builder.param(name, relay.Tensor([], "float64"))
        if type(value).__name__ == "SymInt" and sign_is_known(value):
            symbols = self._conversion.symbols
            return symbols.opaque(value) if symbols.is_opaque(value) else symbols.dim(value)
        raise Refused("a value that relay does not have")


def has_results(node: Any) -> bool:
    """Return whether a node is more than a check."""
    schema = getattr(node.target, "_schema", None)
    return schema is None or bool(schema.returns)


def check_place(node: Any) -> None:
    """Check that the operands and results of a node are plain, real tensors on the CPU.

    Raises
    ------
    Refused
        If one is not.
    """
    strided = importlib.import_module("torch").strided
    for one in (node, *node.all_input_nodes):
        for value in flat(one.meta.get("val")):
            if is_tensor(value) and (value.device.type != "cpu" or value.layout != strided):
                raise Refused(f"a tensor on {value.device.type} of layout {value.layout}")
            if is_complex(value):
                raise Refused(COMPLEX)
