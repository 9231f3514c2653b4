"""Script, the text form of modules in Python syntax: the printer and the parser."""

from schema.ir.diagnostics import DiagnosticNode
from tschema import function, ty


@function
def print(value: ty.Any, meta: ty.bool = True, declarations: ty.bool = True) -> ty.String:
    """
    Print a value as script.

    Parameters
    ----------
    value
        A module, a function, a statement, an expression, or any other value.
    meta
        Whether to define `metadata` at the end of a text that refers to it.
    declarations
        Whether to declare free variables first.

    Returns
    -------
    text
        The script, without a final newline.
    """
    ...


@function
def parse(
    text: ty.String,
    file: ty.String = "<text>",
    line: ty.int64_t = 1,
    resolve: ty.Optional[ty.Function] = None,
    aliases: ty.Optional[ty.Map[ty.String, ty.String]] = None,
) -> ty.Any:
    """
    Parse a script.

    Parameters
    ----------
    text
        The script.
    file
        The name of the text in errors and spans.
    line
        The first line of the text in `file`, 1-based.
    resolve
        Called with a free dotted name; returns its value, or None.
    aliases
        The meanings of names in the text, besides its imports: `{"T": "uir.tir"}`.

    Returns
    -------
    value
        The module, function, statement or expression.

    Raises
    ------
    ScriptError
        If the text is malformed; the message lists all errors.
    """
    ...


@function
def diagnose(
    text: ty.String, file: ty.String = "<text>", line: ty.int64_t = 1
) -> ty.Array[DiagnosticNode]:
    """
    Return the errors for which `parse` refuses a script, in the order of the text.

    Parameters
    ----------
    text
        The script.
    file
        The name of the text in spans.
    line
        The first line of the text in `file`, 1-based.

    Returns
    -------
    diagnostics
        The errors, with the spans that messages underline; empty if `parse` returns a value. A
        note without a span follows if parsing stopped before the end of the text.
    """
    ...


@function
def underline(
    root: ty.Object, nodes: ty.Array[ty.Object], messages: ty.Array[ty.String]
) -> ty.String:
    """
    Print an object as script, with some of its nodes underlined.

    Parameters
    ----------
    root
        The object to print.
    nodes
        The nodes to underline, each at its first occurrence; missing nodes are listed at the
        end.
    messages
        The message for each underlined node, as many as `nodes`.

    Returns
    -------
    text
        The script; if it is long, only the lines around the nodes. Other lines of more than 500
        characters, such as the elements of constants, are cut.
    """
    ...


@function
def line_ranges(
    root: ty.Object, nodes: ty.Array[ty.Object], meta: ty.bool = True
) -> ty.Array[ty.Array[ty.int64_t]]:
    """
    Return the lines that nodes take in the script of an object.

    Parameters
    ----------
    root
        The object to print.
    nodes
        The nodes to find, each at its first occurrence.
    meta
        Whether the script defines `metadata`, as for `print`.

    Returns
    -------
    ranges
        The first and the last line of each node, 1-based; empty for a node that the script does
        not contain.
    """
    ...


@function
def register_printer(type_key: ty.String, printer: ty.Function) -> None:
    """
    Register a printer for a type.

    Parameters
    ----------
    type_key
        The type key.
    printer
        Called with a node and a function that prints a child; returns the text.

    Raises
    ------
    ValueError
        If the type has a printer.
    """
    ...


@function
def register_syntax(name: ty.String, parser: ty.Function) -> None:
    """
    Register a parser for calls of a dotted name.

    Parameters
    ----------
    name
        The dotted name, such as `toy.clamp`.
    parser
        Called with the list of arguments and the map of keyword arguments; returns the value.

    Raises
    ------
    ValueError
        If the name has a parser.
    """
    ...
