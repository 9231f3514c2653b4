"""An operator in a namespace without a dialect."""

from tschema import Object, declare, operand, operator


@declare
class ExprNode(Object):
    """An expression."""

    type_key = "toy.Expr"


@operator()
def bake(x: ExprNode = operand()) -> ExprNode:
    """Do something."""
    ...
