"""Diagnostics about programs, and how an object looks in messages."""

from schema.ir.source_map import SourceMapNode
from schema.ir.span import SpanNode
from tschema import Object, declare, field, function, ty


@declare
class Severity(ty.IntEnum):
    """
    How bad something is that a diagnostic says.

    Attributes
    ----------
    ERROR
        The program is wrong; nothing further is done with it.
    WARNING
        The program may be wrong.
    NOTE
        The program is well; something about it may be of use.
    """

    ERROR = 0
    WARNING = 1
    NOTE = 2


@declare
class NoteNode(Object):
    """
    What belongs to a diagnostic and is about another place.

    See Also
    --------
    Note
    Diagnostic

    Attributes
    ----------
    message
        What there is to say about the place: lower case, no full stop.
    span
        The text that it is about, None where there is none; that of `node` is taken then.
    node
        The node that it is about, below `root` of the diagnostic; None for no node.
    """

    type_key = "uir.ir.Note"
    message: ty.String
    span: ty.Optional[SpanNode] = field(default=None, kw_only=True)
    node: ty.Optional[ty.Object] = field(default=None, kw_only=True)


@declare
class DiagnosticNode(Object):
    """
    What there is to say about one place of a program.

    The place is text (`span`), or a node of a program that nobody has written as text (`node`).

    See Also
    --------
    Diagnostic
    SourceMap

    Attributes
    ----------
    message
        What was found and what was expected: lower case, no full stop.
    severity
        How bad it is.
    span
        The text that it is about, None where there is none; that of `node` is taken then.
    node
        The node that it is about.
    root
        What `node` stands in, a function or a module, which is shown around it; None shows `node`
        alone.
    notes
        What belongs to it and is about other places.
    help
        What to do about it; empty where nothing is known.
    """

    type_key = "uir.ir.Diagnostic"
    message: ty.String
    severity: Severity = field(default=Severity.ERROR)
    span: ty.Optional[SpanNode] = field(default=None, kw_only=True)
    node: ty.Optional[ty.Object] = field(default=None, kw_only=True)
    root: ty.Optional[ty.Object] = field(default=None, kw_only=True, repr=False)
    notes: ty.Array[NoteNode] = field(default_factory=list, kw_only=True)
    help: ty.String = field(default="", kw_only=True)


@function
def render_diagnostics(
    diagnostics: ty.Array[DiagnosticNode], source_map: ty.Optional[SourceMapNode] = None
) -> ty.String:
    """
    Return diagnostics as text, each with the place that it is about underlined.

    Where there is a span and its source is known, that is a line of the source; else it is the
    script at the node, through the function `uir.script.underline`, where that is registered.

    Parameters
    ----------
    diagnostics
        The diagnostics; those about nodes of one root are shown in one script.
    source_map
        The sources; None for those of the process.

    Returns
    -------
    text
        The text, without a line feed at its end; empty for no diagnostics.
    """
    ...


@function
def object_address(obj: ty.Object) -> ty.int64_t:
    """
    Return the address at which C++ sees an object.

    Every language sees the same object, so all of them report the same address.

    Parameters
    ----------
    obj
        The object.

    Returns
    -------
    address
        Address of the object's header, in bytes.
    """
    ...


@function
def describe(value: ty.Any) -> ty.String:
    """
    Return a short text for messages: deep parts and long lists are cut off.

    Parameters
    ----------
    value
        A node or any other value.

    Returns
    -------
    text
        At most a few hundred characters, on one line.
    """
    ...
