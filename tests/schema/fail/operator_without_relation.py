"""An operator without a relation, in a dialect with shapes."""

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
    """Operators."""

    operand = ExprNode
    make = "toy.make_call"
    shapes = True


@operator()
def bake(x: ExprNode = operand()) -> ExprNode:
    """Do something."""
    ...
