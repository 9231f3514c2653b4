"""Nodes."""

from tschema import Object, declare, field


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    a, b, c, d
        A field.
    """

    type_key = "toy.A"
    a: list[int] = field(default_factory=dict)
    b: int = field(default_factory=list)
    c: list[int] = field(default_factory=set)
    d: list[int] = field(default_factory=lambda: [])
