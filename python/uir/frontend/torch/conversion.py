"""The nodes of a graph of ATen as expressions of relay.

In: nodes, and the values of those before them.  Out: their values.  It knows neither where a graph
comes from nor its signature.
"""

from __future__ import annotations

from operator import le
from typing import Any

from uir_nodes.ir import PrimExpr, RelayExpr, Span
from uir_nodes.relay import Builder, Constant
from uir_nodes.tir import SizeVar

from ... import relay, tir
from ...ir import structural_equal
from ..errors import Refused, Unsupported
from ..refusals import reason_of
from ..selection import bound_size
from ..tensors import Dim, dims, in_type
from .complex_pairs import Complex, of_parts, touches_complex
from .node import Node, check_type
from .operators import CONVERTERS
from .operators.complex_numbers import ON_COMPLEX
from .refusals import COMPLEX, HELP, REFUSED, UNKNOWN, plain_name
from .source import source_of, span_of
from .symbols import Symbols, real, sign_is_known

__all__ = ["ELEMENT", "Conversion", "is_size", "unsupported"]


def unsupported(node: Any, refused: Refused) -> Unsupported:
    """Return the report on a refused node: operator, reason, source and help."""
    reason = str(refused)
    todo = refused.help or HELP.get(reason, "")
    return Unsupported(node.name, str(node.target), reason, source_of(node), todo)


def is_size(described: Any) -> bool:
    """Return whether the value of a node is a number: a constant one, or one made of sizes."""
    return isinstance(described, int) or hasattr(described, "node")


# What returns the element of a tensor as a number, and the data types of numbers.
ELEMENT = "aten._local_scalar_dense.default"
ELEMENTS = {"SymBool": "bool", "SymFloat": "float64", "SymInt": "int64"}


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
        #: The sizes that the last node has bound.
        self.bound: list[SizeVar] = []

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
        if operator == ELEMENT:
            self.values[node] = self.element(args[0], described, span_of(node))
            return
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

        call = Node(node, args, self.resolved(node.kwargs), bind)
        outputs = converters[operator](call)
        self.bound = call.found
        if isinstance(outputs, (RelayExpr, Complex)):
            self.values[node] = self.result(outputs, described, node.name, span)
            return
        self.values[node] = [
            None if one is None else self.result(one, tensor, f"{node.name}_{place}", span)
            for place, (one, tensor) in enumerate(zip(outputs, node.meta["val"], strict=True))
        ]

    def element(self, x: RelayExpr, described: Any, span: Span) -> Any:
        """Return the element of a tensor: as a bound size, or as a tensor of rank 0.

        PyTorch knows of sizes that they are not negative.
        """
        kind = type(described).__name__
        x = relay.reshape(x, [])
        if kind != "SymInt" or not sign_is_known(described):
            return self.builder.emit(in_type(x, ELEMENTS[kind]), "", span)

        def bind(expr: RelayExpr) -> RelayExpr:
            return self.builder.emit(expr, "", span)

        size = bound_size(bind, in_type(x, "int64"), SizeVar(str(described)))
        self.bound = [size]
        return self.learned(described, size, span)

    def learned(self, size: Any, found: Dim, span: Span) -> Dim:
        """Return a size of a result as the program knows it, whose symbol may be new.

        If it knows that a size that depends on elements is another one, calls check that.
        """
        self.symbols.learn(size, found)
        known = self.symbols.dim(size)
        is_bound = isinstance(found, SizeVar) and any(map(found.same_as, self.bound))
        if is_bound and isinstance(known, PrimExpr) and not structural_equal(known, found):
            self.builder.emit(relay.require([tir.equal(found, known)]), "checked", span)
        return known

    def check(self, node: Any) -> None:
        """Convert a check of a condition on sizes that are bound; types state the others."""
        condition = node.args[0]
        if not hasattr(condition, "meta") or is_assumption(condition):
            return
        conditions = self.symbols.conditions(condition.meta["val"])
        if conditions:
            self.builder.emit(relay.require(conditions), "checked", span_of(node))

    def result(self, output: Any, described: Any, name: str, span: Span) -> Any:
        """Return a result, bound to a variable, if its type is that of the program."""
        if isinstance(output, Complex):
            parts = (output.real, output.imaginary)
            described = of_parts(described)
            return Complex(*(self.result(one, described, name, span) for one in parts))
        check_type(output, described)
        # Operators may ask for the elements of a constant.
        is_constant = isinstance(output, Constant)
        found = output if is_constant else self.builder.emit(output, name, span)
        for size, found_size in zip(described.shape, dims(output), strict=True):
            if self.bound:
                self.learned(size, found_size, span)
            else:
                self.symbols.learn(size, found_size)
        if is_constant:
            return output
        known = as_described(found, described)
        return found if known is None else self.builder.emit(known, "", span)

    def resolved(self, value: Any) -> Any:
        """Return arguments with the values of nodes in their places."""
        if isinstance(value, (list, tuple)):
            return [self.resolved(one) for one in value]
        if isinstance(value, dict):
            return {name: self.resolved(one) for name, one in value.items()}
        return self.values[value] if value.__hash__ and value in self.values else value


def is_assumption(condition: Any) -> bool:
    """Return whether a condition is PyTorch's own on the size of a result, which may be wrong.

    It takes the results of other packages' operators to have 2 elements at least, and those of
    `masked_select` at most as many as the first operand, which may be broadcast.
    """
    size = condition.args[0]
    if str(getattr(size, "target", "")) != "aten.sym_size.int":
        return False
    source = size.args[0]
    if not str(source.target).startswith("aten."):
        return True
    most = condition.args[1]
    if condition.target is not le or not isinstance(most, int):
        return False
    given = source.all_input_nodes[0].meta["val"]
    return isinstance(given.numel(), int) and given.numel() == most


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
