"""The simplification rules of high-level expressions."""

from schema.ir.module import IRModuleNode
from tschema import function, ty


@function
def relay_rewrite_rules() -> ty.Array[ty.Array[ty.String]]:
    """
    List the rewrite rules of `SimplifyExpr`.

    Returns
    -------
    rules
        Four strings for each rule, in Python syntax: the domain (`any`, `number`, `float`,
        `int`, `signed`, `unsigned`, `bool`), the pattern, the result, and the condition, which
        may be empty.
    """
    ...


@function
def apply_relay_rewrite_rule(index: ty.int64_t, module: IRModuleNode) -> IRModuleNode:
    """
    Simplify the high-level functions of a module by a single rule.

    Parameters
    ----------
    index
        The index of the rule in `relay_rewrite_rules()`, from 0.
    module
        The module, in A-normal form with types.

    Returns
    -------
    simplified
        The module with the results of the rule; `module` itself if it does not apply.

    Raises
    ------
    IndexError
        If there is no such rule.
    """
    ...
