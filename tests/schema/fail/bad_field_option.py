"""Nodes."""

from tschema import Object, declare, field


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    a, b, c, d, e, f, g
        A field.
    """

    type_key = "toy.A"
    a: int = field(defualt=1)
    b: int = field(kw_only=1)
    c: int = field(structural="defs")
    d: int = field(doc=3)
    e: int = field(3)
    f: int = field(init="no")
    g: list[int] = field(default=None, default_factory=list)
