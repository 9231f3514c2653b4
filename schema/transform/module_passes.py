"""Passes over whole modules."""

from schema.transform.passes import PassNode
from tschema import function, ty


@function(makes_pass=True)
def ConvertSSA() -> PassNode:
    """
    Return a pass that gives each binding in a module its own variable or buffer.

    The second binding of a variable, in the same function or another one, gets a new variable
    of the same name in its scope.

    Returns
    -------
    made
        The pass, of level 0.
    """
    ...


@function(makes_pass=True)
def DeadCodeElimination(entries: ty.Array[ty.String] = ()) -> PassNode:
    """
    Return a pass that removes unreachable private functions.

    The roots are the functions with a `global_symbol`, the external functions and `entries`. A
    module without roots does not change.

    Parameters
    ----------
    entries
        Names of additional roots.

    Returns
    -------
    made
        The pass, of level 0. It raises ValueError for an entry that the module does not have.
    """
    ...


@function(makes_pass=True)
def DeduplicateFunctions() -> PassNode:
    """
    Return a pass that makes one function of private functions that are equal.

    Two functions are equal if they are structurally: the names of variables do not matter,
    attributes do. The first one stays and is called in the place of the others; functions that
    are equal only after that become one too. Recursive functions stay.

    Returns
    -------
    made
        The pass, of level 0.
    """
    ...


@function(makes_pass=True)
def InlinePrivateFunctions() -> PassNode:
    """
    Return a pass that inlines private functions.

    A function without a `global_symbol` is private. A function without result is inlined in
    statement position, and one that only returns an expression is inlined everywhere. Recursive
    functions are not inlined. Functions without remaining calls are removed.

    Returns
    -------
    made
        The pass, of level 0.
    """
    ...


@function(makes_pass=True)
def VerifyWellFormed() -> PassNode:
    """
    Return a pass that raises an error if `uir.ir.verify` finds violations.

    Returns
    -------
    made
        The pass, of level 0; it returns its input, or raises ValueError.
    """
    ...
