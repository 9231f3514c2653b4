"""Nodes."""

from tschema import Object, declare, method


@declare
class SpanNode(Object):
    """A node."""

    type_key = "toy.Span"


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    span, Span
        A field.
    """

    type_key = "toy.A"
    span: SpanNode
    Span: int

    @method
    def buffer(self) -> int:
        """Return one."""
        ...


@declare
class BufferNode(Object):
    """A node."""

    type_key = "toy.Buffer"
