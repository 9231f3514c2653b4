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
    Return a pass that merges equal private functions.

    Two functions are equal if they are structurally: the names of variables do not matter,
    attributes do. The first one stays, and its calls replace those of the others; functions
    that are equal only after that are merged too. Recursive functions stay.

    Returns
    -------
    made
        The pass, of level 0.
    """
    ...


@function(makes_pass=True)
def MultiversionFunctions(isas: ty.Array[ty.String]) -> PassNode:
    """
    Return a pass that makes a version of each function for each instruction set.

    The functions stay, as the version for every machine of the kind: their attribute `isa` is
    `generic`. Each one gets private copies with other values of `isa`. Their names end in that
    of the instruction set (`main_v4`), and they call each other. The attribute `version_of` of
    such a copy is the `global_symbol` of the function, if it has one.

    Recipes such as `ScheduleContraction` take the instruction set of a function from its
    attribute. The code generator emits the versions into one text. When the library is loaded,
    it selects those that the processor can run.

    Parameters
    ----------
    isas
        The instruction sets, the newest first, without `generic`: `x86-64-v4`, `x86-64-v3`.

    Returns
    -------
    made
        The pass, of level 0. Other functions than those of `tir` have no versions; a module
        whose functions have some already does not change.

    Examples
    --------
    >>> import uir
    >>> from uir import te
    >>> x = te.placeholder((8,), "float32", name="x")
    >>> y = te.compute((8,), lambda i: x[i] + 1.0, name="y")
    >>> module = uir.lower([x, y], uir.target.Target("c", "x86-64"))
    >>> sorted(var.name_hint for var in module.functions)
    ['main', 'main_v3', 'main_v4']
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
