"""Source texts of programs, for diagnostics."""

from tschema import Object, declare, field, function, method, ty


@declare
class SourceMapNode(Object):
    """
    Source texts, by name.

    A span refers to its source by name only, so that a program does not keep its text alive.

    See Also
    --------
    SourceMap
    Span

    Attributes
    ----------
    sources
        The texts, by the `name` of their `SourceName`.
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
            The complete text.
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
            The line, without its line break; None if the source or the line does not exist.
        """
        ...


@function
def source_map() -> SourceMapNode:
    """
    Return the source map of the process, which diagnostics use by default.

    Returns
    -------
    source_map
        The source map; a parser adds the texts that it reads.
    """
    ...
