"""Diagnostics about programs, and how an object looks in messages."""

from schema.ir.source_map import SourceMapNode
from schema.ir.span import SpanNode
from tschema import Object, declare, field, function, ty


@declare
class Severity(ty.IntEnum):
    """
    Severity of a diagnostic.

    Attributes
    ----------
    ERROR
        The program is invalid; compilation stops.
    WARNING
        The program is valid, but probably wrong.
    NOTE
        Additional information.
    """

    ERROR = 0
    WARNING = 1
    NOTE = 2


@declare
class NoteNode(Object):
    """
    A remark of a diagnostic about another location.

    See Also
    --------
    Note
    Diagnostic

    Attributes
    ----------
    message
        The message, in lower case, without a full stop.
    span
        The source range; None for that of `node`.
    node
        The node concerned, inside `root` of the diagnostic, if any.
    """

    type_key = "uir.ir.Note"
    message: ty.String
    span: ty.Optional[SpanNode] = field(default=None, kw_only=True)
    node: ty.Optional[ty.Object] = field(default=None, kw_only=True)


@declare
class DiagnosticNode(Object):
    """
    A message about one location of a program, with its severity, notes and help.

    The location is a range of source text (`span`), or a node of a program without source
    (`node`).

    See Also
    --------
    Diagnostic
    SourceMap

    Attributes
    ----------
    message
        The fault and the expected value, in lower case, without a full stop.
    severity
        The severity.
    span
        The source range; None for that of `node`.
    node
        The node concerned, if any.
    root
        The function or module to print around `node`; None prints only `node`.
    notes
        Remarks about other locations.
    help
        How to fix the error; may be empty.
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
    Render diagnostics as text, with the location of each underlined.

    A diagnostic whose span has a known source shows that source line. Any other shows the
    script of its node, if the function `uir.script.underline` is registered.

    Parameters
    ----------
    diagnostics
        The diagnostics; those with the same root share one script.
    source_map
        The sources; None for `uir.ir.source_map()`.

    Returns
    -------
    text
        The text, without a final newline; empty if there are no diagnostics.
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
    Return a short description of a value for messages, with deep or long parts elided.

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
