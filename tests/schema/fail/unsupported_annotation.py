"""Nodes."""

from tschema import Object, declare, ty


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    a
        A field.
    b
        A field.
    c
        A field.
    d
        A field.
    e
        A field.
    f
        A field.
    g
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
