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
    a: 3
    b: ty.Array[1:2]
    c: None
    d: "list["
    e: ...
    f: f()[int]
    g: lambda x: x
