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
    a: ty.Union[int]
    b: ty.int8_t | int
    c: int | ty.Any
    d: str | ty.Optional[int]
    e: ty.Union[None]
    f: None | None
    g: ty.float32 | ty.float64
