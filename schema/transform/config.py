"""Options of passes, which a context sets."""

from schema.transform.context import PassContextNode
from tschema import function, ty


@function
def register_option(name: ty.String, type_name: ty.String, place: ty.String) -> None:
    """
    Register an option.

    Parameters
    ----------
    name
        The option's name, which starts with that of its pass: `UnrollLoop.max_step`.
    type_name
        `bool`, `int`, `float`, `str`, or the type key of an object: `toy.UnrollOptions`.
    place
        The location of the registration: `toy/unroll.py:12`.

    Raises
    ------
    ValueError
        If an option of that name is registered, which the message locates, or `type_name` is
        not one of these.
    """
    ...


@function
def list_options() -> ty.Map[ty.String, ty.String]:
    """
    Return all registered options.

    Returns
    -------
    options
        The type name of each option, by option name.
    """
    ...


@function
def find_option(context: PassContextNode, name: ty.String) -> ty.Any:
    """
    Return the value of an option in a context.

    Parameters
    ----------
    context
        The context.
    name
        The option's name.

    Returns
    -------
    value
        The value, of the option's registered type; None if the context does not set it.

    Raises
    ------
    ValueError
        If no such option is registered.
    """
    ...
