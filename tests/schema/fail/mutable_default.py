"""Nodes."""

from tschema import Object, declare, field


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    a, b, c
        A field.
    """

    type_key = "toy.A"
    a: list[int] = []
    b: dict[str, int] = {}
    c: list[int] = field(default=[])
