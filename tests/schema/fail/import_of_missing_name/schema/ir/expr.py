"""Nodes."""

from tschema import Object, declare


@declare
class ExprNode(Object):
    """A node."""

    type_key = "toy.ir.Expr"
