"""Where a piece of a program was written."""

from tschema import Object, declare, field, ty


@declare
class SourceNameNode(Object):
    """
    Name of a source: a file's path, or a made-up name such as `<stdin>`.

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
    Range of text in a source, from its first character to the one after its last.

    Lines and columns count from 1; 0 stands for unknown.

    See Also
    --------
    Span

    Attributes
    ----------
    source_name
        The source that holds the text.
    line
        First line, 1-based.
    column
        Column of the first character, 1-based.
    end_line
        Last line, 1-based; at least `line`.
    end_column
        Column after the last character, 1-based; beyond `column` or equal to it on a single line.
    """

    type_key = "uir.ir.Span"
    post_init = True
    source_name: SourceNameNode
    line: ty.int32_t
    column: ty.int32_t
    end_line: ty.int32_t = field(default=0)
    end_column: ty.int32_t = field(default=0)
