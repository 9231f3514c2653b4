"""Nodes."""

from tschema import Object, declare


@declare
class ExprNode(Object):
    """A node."""

    type_key = "toy.Expr"
    final = False


@declare
class AddNode(ExpNode):
    """A node."""

    type_key = "toy.Add"


@declare
class SubNode(Any):
    """A node."""

    type_key = "toy.Sub"


@declare
class MulNode(3):
    """A node."""

    type_key = "toy.Mul"
