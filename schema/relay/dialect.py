"""The common properties of the operators of relay."""

from schema.ir.attrs import AttrsNode
from schema.ir.expr import RelayExprNode
from schema.ir.span import SpanNode
from tschema import dialect


@dialect
class RelayDialect:
    """
    Operators on tensors.

    Each one has a relation, from which the type of its result follows.
    """

    operand = RelayExprNode
    make = "uir.relay.make_call"
    number = "uir.relay.as_operand"
    attributes = AttrsNode
    span = SpanNode
    shapes = True
    tests = "tests/python/uir/relay/test_operator_*.py -k [{operator}]"
