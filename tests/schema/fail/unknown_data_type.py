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
    a: ty.DataType = "int0"
    b: ty.DataType = "int33"
    c: ty.DataType = "float31"
    d: ty.DataType = "float8_e9m9"
