"""Nodes."""

from tschema import Object, declare, ty


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    a, b, c, d, e, f, g
        A field.
    """

    type_key = "toy.A"
    a: ty.Array
    b: ty.Array[int, str]
    c: ty.Map[int]
    d: ty.String[int]
    e: ty.Optional
    f: dict[list[int], str]
    g: ty.Map[ty.Optional[ty.Map[int, int]], int]
