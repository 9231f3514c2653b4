"""Options of passes: what may stand in the configuration of a context."""

from schema.transform.context import PassContextNode
from tschema import function, ty


@function
def register_option(name: ty.String, type_name: ty.String, place: ty.String) -> None:
    """
    Allow an option in contexts; a second one of a name is an error that names both places.

    Parameters
    ----------
    name
        The option's name, that of its pass first: `UnrollLoop.max_step`.
    type_name
        `bool`, `int`, `float`, `str`, or the type key of an object: `toy.UnrollOptions`.
    place
        Where the registration stands: `toy/unroll.py:12`.
    """
    ...


@function
def list_options() -> ty.Map[ty.String, ty.String]:
    """
    Return all options that contexts may have.

    Returns
    -------
    options
        The name of each option's type by the option's name.
    """
    ...


@function
def find_option(context: PassContextNode, name: ty.String) -> ty.Any:
    """
    Return an option as a context sets it; a name that there is not is an error.

    Parameters
    ----------
    context
        The context that a pass is run with.
    name
        The option's name.

    Returns
    -------
    value
        The value, of the option's registered type; None where the context does not set it.
    """
    ...
