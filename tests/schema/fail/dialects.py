"""Dialects that are wrong or missing."""

from tschema import Object, declare, dialect, function, operand, operator, ty


@declare
class ExprNode(Object):
    """An expression."""

    type_key = "toy.Expr"


@function
def make_call(op: Object, operands: ty.Array[ty.Any], attributes: ty.Array[ty.Any]) -> ExprNode:
    """Make a call."""
    ...


@dialect
class KilnDialect:
    """
    Operators.

    Attributes
    ----------
    hot
        Whether it is hot.
    """

    operand = Expr
    make = "toy.make_cal"
    number = 3
    prefx = "kiln"
    prefix = "a-b"
    shapes = 1
    tests = 2
    hot: ty.Array[ty.bool]
    cold: ty.bool = 3


@dialect
class Other:
    """Another one."""

    operand = ExprNode
