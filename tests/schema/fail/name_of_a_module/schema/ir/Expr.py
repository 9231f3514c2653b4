"""Nodes."""

from tschema import Object, declare, function


@declare
class ExprNode(Object):
    """A node."""

    type_key = "toy.ir.Expr"
