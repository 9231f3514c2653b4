"""Nodes."""

from tschema import Object, declare, ty


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    a, b, c, d
        A field.
    """

    type_key = "toy.A"
    a: ty.Optional[ty.Optional[int]]
    b: ty.Optional[ty.Any]
    c: ty.Optional[int] | None
    d: ty.Any | None
