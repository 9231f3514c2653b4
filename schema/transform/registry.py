"""Passes by name: how pipelines, configurations and other languages refer to them."""

from schema.transform.passes import PassNode
from tschema import function, ty


@function
def register_pass(name: ty.String, factory: ty.Function, place: ty.String) -> None:
    """
    Add a pass to the registry; a second one of a name is an error that names both places.

    Parameters
    ----------
    name
        The pass's name; one that belongs to a package begins with it: `toy.Simplify`.
    factory
        Makes the pass: `(...) -> Pass`.
    place
        Where the registration stands: `toy/simplify.py:12`.
    """
    ...


@function
def make_pass(name: ty.String, arguments: ty.Array[ty.Any]) -> PassNode:
    """
    Make a registered pass; a name that there is not is an error with the names there are.

    Parameters
    ----------
    name
        The name that the pass is registered by.
    arguments
        What its factory takes, in order.

    Returns
    -------
    made
        The pass.
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
