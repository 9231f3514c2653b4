"""Nodes."""

from tschema import Object, declare, field


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    a
        A field.
    """

    type_key = "toy.A"
    a: int = field(structural="def")
