"""Nodes."""

from tschema import Object, declare


@declare
class AddNode(ExprNode):
    """A node."""

    type_key = "toy.Add"


@declare
class ExprNode(Object):
    """A node."""

    type_key = "toy.Expr"
