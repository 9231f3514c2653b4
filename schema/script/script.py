"""The text form of modules: Python syntax, printed and read."""

from tschema import function, ty


@function
def print(value: ty.Any, meta: ty.bool = True, declarations: ty.bool = True) -> ty.String:
    """
    Return a value as script.

    Parameters
    ----------
    value
        A module, a function, a statement, an expression, or any other value.
    meta
        Whether to define `metadata` at the end, where the text mentions it.
    declarations
        Whether to declare in front what the value uses and does not bind.

    Returns
    -------
    text
        The script; it ends without a line break.
    """
    ...


@function
def parse(
    text: ty.String,
    file: ty.String = "<text>",
    line: ty.int64_t = 1,
    resolve: ty.Optional[ty.Function] = None,
) -> ty.Any:
    """
    Read a script; all that is wrong with it is one error of the kind `ScriptError`.

    Parameters
    ----------
    text
        The script.
    file
        What errors and spans call the text.
    line
        The line of `file` that the text starts at, 1-based.
    resolve
        Called with a dotted name that the text does not bind; returns a value, or None.

    Returns
    -------
    value
        What the text says: a module, a function, a statement or an expression.
    """
    ...


@function
def underline(
    root: ty.Object, nodes: ty.Array[ty.Object], messages: ty.Array[ty.String]
) -> ty.String:
    """
    Return the script of an object with some of its nodes underlined.

    Parameters
    ----------
    root
        What to print.
    nodes
        The nodes to underline, each where it stands first; one that does not occur is told
        at the end.
    messages
        What to write beside each underline, as many as `nodes`.

    Returns
    -------
    text
        The script; of a long one the lines around the nodes.
    """
    ...


@function
def register_printer(type_key: ty.String, printer: ty.Function) -> None:
    """
    Give a type a form of its own; a second one is an error.

    Parameters
    ----------
    type_key
        The type's key.
    printer
        Called with a node and a function that prints a part of it; returns the text.
    """
    ...


@function
def register_syntax(name: ty.String, parser: ty.Function) -> None:
    """
    Give a call by a dotted name a meaning; a second one is an error.

    Parameters
    ----------
    name
        The dotted name: `toy.clamp`.
    parser
        Called with the arguments, a list, and the keyword arguments, a map; returns the value.
    """
    ...
