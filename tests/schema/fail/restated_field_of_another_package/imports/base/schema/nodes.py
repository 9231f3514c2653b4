"""Nodes."""

from tschema import Object, declare


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    x
        A field.
    """

    type_key = "base.A"
    final = False
    x: int
