"""A dialect, to which the tests of tools that edit schema files add operators."""

DIALECT = '''\
"""Operators."""

from tschema import Object, declare, dialect, function, operand, operator, ty


@declare
class ExprNode(Object):
    """An expression."""

    type_key = "toy.ir.Expr"


@function
def make(op: Object, operands: ty.Array[ty.Any], attributes: ty.Array[ty.Any]) -> ExprNode:
    """Make a call."""
    ...


@dialect
class Toy:
    """Operators."""

    operand = ExprNode
    make = "toy.ir.make"
'''
