"""Nodes."""

from tschema import Object, declare, ty


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    a
        A field.
    """

    type_key = "toy.A"
    abstact = True
    a: ty.int46_t


@declare
class BNode(ExprNode):
    """A node.

    Attributes
    ----------
    b, delete
        A field.
    """

    type_key = "toy.B"
    b: int = "x"
    same_as: int
