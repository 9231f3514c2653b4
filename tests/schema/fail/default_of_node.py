"""Nodes."""

from tschema import Object, declare, field, ty


@declare
class ANode(Object):
    """A node."""

    type_key = "toy.A"


@declare
class BNode(Object):
    """A node.

    Attributes
    ----------
    a, b, c, d
        A field.
    """

    type_key = "toy.B"
    a: ANode = None
    b: ANode = 3
    c: ANode = field(default=make())
    d: ty.Array[int] = None
