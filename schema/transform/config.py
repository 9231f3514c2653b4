"""Options of passes: what may stand in the configuration of a context."""

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
