"""Nodes."""

from tschema import Object, declare, ty


@declare
class ForNode(Object):
    """A node.

    Attributes
    ----------
    extent, body, kind, other, callback
        A field.
    """

    type_key = "toy.For"
    extent: ty.int46_t
    body: StmtNode
    kind: Sting
    other: ty.Array[For]
    callback: Callable
