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
    a: int
    a: str
