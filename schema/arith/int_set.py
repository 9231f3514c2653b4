"""Sets of integers between symbolic ends, and the sets of values that expressions take."""

from schema.arith.analyzer import AnalyzerNode
from schema.ir.expr import PrimExprNode
from schema.ir.range import RangeNode
from schema.tir.var import VarNode
from tschema import Object, declare, function, method, ty


@declare
class IntSetNode(Object):
    """
    Set of all integers from one end to another, both included.

    A set is empty if its ends are constant and the lower one is larger. Ends are integers: an
    end that no value attains need not fit its data type, so a program may compute it only if it
    is proved to fit (docs/compiler/semantics.md).

    See Also
    --------
    IntSet
    eval_set
    interval

    Attributes
    ----------
    min_value
        The least integer, a scalar integer or boolean; None if there is none.
    max_value
        The greatest integer, of the data type of `min_value`; None if there is none.
    """

    type_key = "uir.arith.IntSet"
    post_init = True
    min_value: ty.Optional[PrimExprNode]
    max_value: ty.Optional[PrimExprNode]

    @method
    def is_nothing(self) -> ty.bool:
        """
        Return whether the set is known to be empty.

        Returns
        -------
        is_nothing
            True if both ends are constants, and the lower one is larger.
        """
        ...

    @method
    def is_everything(self) -> ty.bool:
        """
        Return whether the set has no end.

        Returns
        -------
        is_everything
            True if it has neither a least nor a greatest integer.
        """
        ...

    @method
    def is_single_point(self) -> ty.bool:
        """
        Return whether the set is known to have one element.

        Returns
        -------
        is_single_point
            True if both ends are the same expression.
        """
        ...


@function(api=True)
def nothing() -> IntSetNode:
    """
    Return the empty set.

    Returns
    -------
    set
        The set, with the ends 1 and 0.
    """
    ...


@function(api=True)
def everything() -> IntSetNode:
    """
    Return the set of all integers.

    Returns
    -------
    set
        The set, without ends.
    """
    ...


@function(api=True)
def single_point(value: PrimExprNode) -> IntSetNode:
    """
    Return the set of one integer.

    Parameters
    ----------
    value
        The integer, a scalar integer or boolean.

    Returns
    -------
    set
        The set.

    Raises
    ------
    TypeError
        If `value` is not a scalar integer or boolean.
    """
    ...


@function(api=True)
def set_of_range(range: RangeNode) -> IntSetNode:
    """
    Return the set of the integers of a range.

    Parameters
    ----------
    range
        The range.

    Returns
    -------
    set
        The set from `range.min` to `range.min + range.extent - 1`.
    """
    ...


@function(api=True)
def set_of_vector(value: PrimExprNode) -> IntSetNode:
    """
    Return a set that contains the lanes of a vector.

    Parameters
    ----------
    value
        A vector or scalar of integers or booleans.

    Returns
    -------
    set
        The smallest interval that is known to contain all lanes.

    Raises
    ------
    TypeError
        If `value` is neither an integer nor a boolean.
    """
    ...


@function(api=True)
def union_sets(
    sets: ty.Array[IntSetNode], analyzer: ty.Optional[AnalyzerNode] = None
) -> IntSetNode:
    """
    Return the smallest interval that is known to contain all given sets.

    Parameters
    ----------
    sets
        The sets, with ends of the same data type.
    analyzer
        The facts about the variables of the ends; None for no facts.

    Returns
    -------
    set
        The interval; the empty set if there are no sets.

    Raises
    ------
    TypeError
        If ends differ in their data types.
    """
    ...


@function(api=True)
def intersect_sets(
    sets: ty.Array[IntSetNode], analyzer: ty.Optional[AnalyzerNode] = None
) -> IntSetNode:
    """
    Return the intersection of the given sets.

    Parameters
    ----------
    sets
        The sets, with ends of the same data type.
    analyzer
        The facts about the variables of the ends; None for no facts.

    Returns
    -------
    set
        The intersection; the set of all integers if there are no sets.

    Raises
    ------
    TypeError
        If ends differ in their data types.
    """
    ...


@function(api=True)
def eval_set(
    expr: PrimExprNode,
    domains: ty.Map[VarNode, IntSetNode],
    analyzer: ty.Optional[AnalyzerNode] = None,
) -> IntSetNode:
    """
    Return a set that contains each value of an expression over the domains of variables.

    Other variables keep their value, and may be part of the ends of the result. The ends of a
    domain may depend on other variables that have a domain. Where arithmetic on data may wrap
    around, the result has no ends but those of the data type.

    Parameters
    ----------
    expr
        An integer or a boolean; for a vector all its lanes are in the set.
    domains
        The set of the values of each variable.
    analyzer
        The facts about other variables, which the call does not change; None for no facts.

    Returns
    -------
    set
        The set, empty if a domain is empty.

    Raises
    ------
    TypeError
        If `expr` is neither an integer nor a boolean, or a domain differs from its variable
        in the data type.

    Examples
    --------
    >>> from uir import arith, tir
    >>> i, n = tir.Var("i"), tir.SizeVar("n")
    >>> values = arith.eval_set(i * 4 + n, {i: arith.interval(0, 7)})
    >>> print(values.min_value, values.max_value)
    n n + 28
    """
    ...
