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
        The nodes to underline, each where it stands first; one that does not occur is told at the
        end.
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
