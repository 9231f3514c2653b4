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
    a: ty.int8_t = 128
    b: ty.uint8_t = -1
    c: ty.uint64_t = 9223372036854775808
    d: ty.int64_t = -9223372036854775809
    e: ty.float32 = 1e39
    f: float = 1e999
    g: ty.Any = 9223372036854775808
