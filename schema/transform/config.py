"""Options of passes, which a context sets."""

from schema.transform.context import PassContextNode
from tschema import Object, declare, function, ty


@declare
class PassOptionsNode(Object):
    """
    Base of the options of passes.

    Each field of a subclass is an option of contexts: `UnrollLoopOptions.auto_max_step`
    declares `UnrollLoop.auto_max_step`. In a package of its own the name starts with the
    package: the field `strict` of `toy.LowerClampOptions` declares `toy.LowerClamp.strict`. A
    context that sets options of a pass sets all those without a default.

    See Also
    --------
    PassOptions
    PassContext
    """

    type_key = "uir.transform.PassOptions"
    abstract = True
    final = False


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
        The value, of the option's registered type; if the context does not set it, the declared
        default, or None for an option without a declaration.

    Raises
    ------
    ValueError
        If no such option is registered.
    """
    ...


@function
def options_of(context: PassContextNode, type_key: ty.String) -> PassOptionsNode:
    """
    Return the options of a pass in a context.

    Parameters
    ----------
    context
        The context.
    type_key
        The type key of the options: `uir.transform.UnrollLoopOptions`.

    Returns
    -------
    options
        The options; options that the context does not set have their defaults.

    Raises
    ------
    TypeError
        If `type_key` is not that of a subclass of `PassOptions`, or if a value is of another
        type.
    ValueError
        If a value is out of range, or a check of the options refuses them.
    """
    ...
