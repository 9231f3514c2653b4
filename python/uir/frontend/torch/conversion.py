"""The nodes of a graph of ATen as expressions of relay.

In: nodes, and the values of those before them.  Out: their values.  It knows neither where a graph
comes from nor its signature.
"""

from __future__ import annotations

from typing import Any

from uir_nodes.ir import RelayExpr, Span
from uir_nodes.relay import Builder, Constant

from ... import relay
from ..errors import Refused, Unsupported
from ..refusals import reason_of
from ..tensors import dims
from .complex_pairs import Complex, of_parts, touches_complex
from .node import Node, check_type
from .operators import CONVERTERS
from .operators.complex_numbers import ON_COMPLEX
from .refusals import COMPLEX, HELP, REFUSED, UNKNOWN, plain_name
from .source import source_of, span_of
from .symbols import Symbols, real

__all__ = ["Conversion", "is_size", "unsupported"]


def unsupported(node: Any, refused: Refused) -> Unsupported:
    """Return the report on a refused node: operator, reason, source and help."""
    reason = str(refused)
    todo = refused.help or HELP.get(reason, "")
    return Unsupported(node.name, str(node.target), reason, source_of(node), todo)


def is_size(described: Any) -> bool:
    """Return whether the value of a node is a number: a constant one, or one made of sizes."""
    return isinstance(described, int) or hasattr(described, "node")


class Conversion:
    """Converts nodes of one graph.

    Parameters
    ----------
    builder
        What makes the function.
    symbols
        The symbols of the graph.
    values
        The values of nodes: expressions, numbers or sequences. Conversion adds to them.
    """

    def __init__(self, builder: Builder, symbols: Symbols, values: dict[Any, Any]) -> None:
        self.builder = builder
        self.symbols = symbols
        self.values = values

    def convert(self, node: Any) -> None:
        """Convert a node, unless one that it depends on has failed."""
        operator, described = str(node.target), node.meta.get("val")
        is_plain = getattr(node.target, "__module__", "") == "_operator"
        has_pairs = not is_plain and touches_complex(node)
        converters = ON_COMPLEX if has_pairs else CONVERTERS
        is_known = is_size(described) or is_plain or operator in converters
        reason = reason_of(plain_name(operator), REFUSED)
        if reason is not None or not is_known:
            raise Refused(reason or (COMPLEX if has_pairs else UNKNOWN))
        if any(one not in self.values for one in node.all_input_nodes):
            return
        args = self.resolved(node.args)
        if is_size(described):
            is_real = type(described).__name__ == "SymFloat"
            self.values[node] = real(node.target, args) if is_real else self.symbols.dim(described)
            return
        if is_plain:
            # An item of several results.
            self.values[node] = node.target(*args)
            if self.values[node] is None:
                raise Refused("a result that relay does not compute")
            return
        span = span_of(node)

        def bind(expr: RelayExpr) -> RelayExpr:
            return self.builder.emit(expr, "", span)

        outputs = converters[operator](Node(node, args, self.resolved(node.kwargs), bind))
        if isinstance(outputs, (RelayExpr, Complex)):
            self.values[node] = self.result(outputs, described, node.name, span)
            return
        self.values[node] = [
            None if one is None else self.result(one, tensor, f"{node.name}_{place}", span)
            for place, (one, tensor) in enumerate(zip(outputs, node.meta["val"], strict=True))
        ]

    def result(self, output: Any, described: Any, name: str, span: Span) -> Any:
        """Return a result, bound to a variable, if its type is that of the program."""
        if isinstance(output, Complex):
            parts = (output.real, output.imaginary)
            described = of_parts(described)
            return Complex(*(self.result(one, described, name, span) for one in parts))
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
