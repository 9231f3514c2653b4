"""Linear equations, and bounds of variables from conditions."""

from schema.arith.int_set import IntSetNode
from schema.ir.expr import PrimExprNode
from schema.tir.var import VarNode
from tschema import function, ty


@function(api=True)
def detect_linear_equation(expr: PrimExprNode, vars: ty.Array[VarNode]) -> ty.Array[PrimExprNode]:
    """
    Write an expression as `coeffs[0] * vars[0] + coeffs[1] * vars[1] + ... + rest`.

    Parameters
    ----------
    expr
        A scalar integer.
    vars
        The variables, each once.

    Returns
    -------
    parts
        The coefficients, which may be expressions without these variables, and the rest; empty
        if the expression is not linear in the variables.

    Raises
    ------
    TypeError
        If `expr` is not a scalar integer.

    Examples
    --------
    >>> from uir import arith, tir
    >>> i, n = tir.Var("i"), tir.Var("n")
    >>> print(*arith.detect_linear_equation((i + 2) * n, [i]))
    n n * 2
    """
    ...


@function(api=True)
def deduce_bound(
    var: VarNode,
    condition: PrimExprNode,
    hints: ty.Map[VarNode, IntSetNode],
    relaxed: ty.Map[VarNode, IntSetNode],
) -> IntSetNode:
    """
    Return values of a variable for which a condition holds.

    Parameters
    ----------
    var
        The variable.
    condition
        A comparison of `int32` or `int64`, or several that are joined by `and`.
    hints
        The sets of the values of other variables, which give the signs of factors.
    relaxed
        The sets of the values of variables; the condition must hold for all of these; they are
        not part of the result.

    Returns
    -------
    set
        A set whose values all satisfy the condition; the empty set if none is found.

    Raises
    ------
    TypeError
        If `condition` is not a scalar boolean, or a set differs from its variable in the data
        type.

    Examples
    --------
    >>> from uir import arith, tir
    >>> i, n = tir.Var("i"), tir.Var("n")
    >>> print(arith.deduce_bound(i, i * 4 + 3 < n, {}, {}).max_value)
    n // 4 - 1
    """
    ...


@function(api=True)
def detect_clip_bound(condition: PrimExprNode, vars: ty.Array[VarNode]) -> ty.Array[IntSetNode]:
    """
    Write a condition as one set for each variable.

    Parameters
    ----------
    condition
        Comparisons of `int32` or `int64` that are joined by `and`, each with one of the
        variables.
    vars
        The variables, each once.

    Returns
    -------
    sets
        The sets of the variables: the condition holds exactly if each variable is in its set.
        Empty if the condition cannot be written so.

    Raises
    ------
    TypeError
        If `condition` is not a scalar boolean.
    """
    ...
