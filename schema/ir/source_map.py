"""Texts that programs were written in, for messages that show them."""

from tschema import Object, declare, field, function, method, ty


@declare
class SourceMapNode(Object):
    """
    Texts of sources by their names.

    Spans name their sources only, so that a program does not hold on to its text.

    See Also
    --------
    SourceMap
    Span

    Attributes
    ----------
    sources
        The text of each source, by the `name` of its `SourceName`.
    """

    type_key = "uir.ir.SourceMap"
    mutable = True
    sources: ty.Map[ty.String, ty.String] = field(default_factory=dict, repr=False)

    @method
    def add(self, name: ty.String, text: ty.String) -> None:
        """
        Add a source, or replace the text of one.

        Parameters
        ----------
        name
            The source's name, such as a file's path.
        text
            All of its text.
        """
        ...

    @method
    def line(self, name: ty.String, number: ty.int64_t) -> ty.Optional[ty.String]:
        """
        Return a line of a source.

        Parameters
        ----------
        name
            The source's name.
        number
            The line, 1-based.

        Returns
        -------
        text
            The line, without its end; None where the source or the line is not known.
        """
        ...


@function
def source_map() -> SourceMapNode:
    """
    Return the sources of the process, which diagnostics look into.

    Returns
    -------
    source_map
        The one map; whoever reads programs from text adds it there.
    """
    ...
