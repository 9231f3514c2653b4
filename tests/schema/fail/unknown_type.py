"""Nodes."""

from tschema import Object, declare, ty


@declare
class ForNode(Object):
    """A node.

    Attributes
    ----------
    extent
        A field.
    body
        A field.
    kind
        A field.
    other
        A field.
    callback
        A field.
    """

    type_key = "toy.For"
    extent: ty.int46_t
    body: StmtNode
    kind: Sting
    other: ty.Array[For]
    callback: Callable
