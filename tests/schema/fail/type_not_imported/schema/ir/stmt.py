"""Nodes."""

from tschema import Object, declare


@declare
class StmtNode(Object):
    """A node.

    Attributes
    ----------
    value
        A field.
    """

    type_key = "toy.ir.Stmt"
    value: ExprNode


@declare
class LetNode(ExprNode):
    """A node."""

    type_key = "toy.ir.Let"
