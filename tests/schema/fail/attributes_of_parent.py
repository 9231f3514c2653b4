"""Nodes."""

from tschema import Object, declare


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    a
        A field.
    """

    type_key = "toy.A"
    final = False
    a: int


@declare
class BNode(ANode):
    """A node.

    Attributes
    ----------
    a
        A field.
    """

    type_key = "toy.B"
