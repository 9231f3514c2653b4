"""Source locations."""

from tschema import Object, declare, field, ty


@declare
class SourceNameNode(Object):
    """
    Name of a source: a file path, or a placeholder such as `<stdin>`.

    See Also
    --------
    SourceName

    Attributes
    ----------
    name
        The name, as messages show it.
    """

    type_key = "uir.ir.SourceName"
    name: ty.String


@declare
class SpanNode(Object):
    """
    Range of text in a source, up to the character after its last one.

    Lines and columns are 1-based; 0 means unknown.

    See Also
    --------
    Span

    Attributes
    ----------
    source_name
        The source.
    line
        First line, 1-based.
    column
        Column of the first character, 1-based.
    end_line
        Last line, 1-based; at least `line`.
    end_column
        Column after the last character, 1-based; at least `column` on a single line.
    """

    type_key = "uir.ir.Span"
    post_init = True
    source_name: SourceNameNode
    line: ty.int32_t
    column: ty.int32_t
    end_line: ty.int32_t = field(default=0)
    end_column: ty.int32_t = field(default=0)
