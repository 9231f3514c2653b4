"""Another package that calls itself uir, with a type of a key that is taken."""

from tschema import Object, declare, ty


@declare
class SpanNode(Object):
    """
    A span in bytes.

    Attributes
    ----------
    begin
        The first byte.
    end
        The byte after the last.
    """

    type_key = "uir.ir.Span"
    begin: ty.int64_t
    end: ty.int64_t


@declare
class MarkNode(Object):
    """
    A type of a key that is free.

    Attributes
    ----------
    at
        The byte.
    """

    type_key = "uir.ir.Mark"
    at: ty.int64_t
