"""Nodes."""

from tschema import Object, declare, ty


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    a, b, c, d, e, f, g, h, i, j
        A field.
    """

    type_key = "toy.A"
    a: int = "x"
    b: str = 1
    c: bool = 1
    d: int = True
    e: float = "x"
    f: bytes = "x"
    g: ty.DataType = "in32"
    h: int = 1.0
    i: ty.Device = "cpu"
    j: str | int = 1.5
