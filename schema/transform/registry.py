"""The registry of passes by name."""

from schema.transform.passes import PassNode
from tschema import function, ty


@function
def register_pass(name: ty.String, factory: ty.Function, place: ty.String) -> None:
    """
    Register a pass.

    Parameters
    ----------
    name
        The pass's name; a package's pass starts with the package: `toy.Simplify`.
    factory
        Makes the pass: `(...) -> Pass`.
    place
        The location of the registration: `toy/simplify.py:12`.

    Raises
    ------
    ValueError
        If a pass of that name is registered, which the message locates, or `name` is empty.
    """
    ...


@function
def make_pass(name: ty.String, arguments: ty.Array[ty.Any]) -> PassNode:
    """
    Make a registered pass.

    Parameters
    ----------
    name
        The registered name.
    arguments
        The arguments of its factory, in order.

    Returns
    -------
    made
        The pass.

    Raises
    ------
    ValueError
        If there is no such pass; the message lists the names.
    TypeError
        If the factory does not return a pass.
    """
    ...


@function
def list_pass_names() -> ty.Array[ty.String]:
    """
    Return the names of all registered passes.

    Returns
    -------
    names
        The names, sorted.
    """
    ...
