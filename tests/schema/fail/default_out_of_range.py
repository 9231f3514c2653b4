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
    a: ty.int8_t = 128
    b: ty.uint8_t = -1
    c: ty.uint64_t = 9223372036854775808
    d: ty.int64_t = -9223372036854775809
    e: ty.float32 = 1e39
    f: float = 1e999
    g: ty.Any = 9223372036854775808
