"""The indices that a region covers while variables take all values of their ranges."""

from schema.arith.analyzer import AnalyzerNode
from schema.arith.int_set import IntSetNode
from schema.ir.expr import PrimExprNode
from schema.ir.range import RangeNode
from schema.tir.var import VarNode
from tschema import function, ty


@function(api=True)
def estimate_region_upper_bound(
    region: ty.Array[RangeNode],
    domains: ty.Map[VarNode, RangeNode],
    predicate: PrimExprNode,
    analyzer: ty.Optional[AnalyzerNode] = None,
) -> ty.Array[IntSetNode]:
    """
    Return for each dimension a set that contains the indices that a region covers.

    Parameters
    ----------
    region
        The region for one value of each variable.
    domains
        The ranges of the variables.
    predicate
        A condition on the variables; the region is that of the values for which it holds.
    analyzer
        The facts about other variables, which the call does not change; None for no facts.

    Returns
    -------
    sets
        A set for each dimension.

    Raises
    ------
    TypeError
        If `predicate` is not a scalar boolean, or a range differs from its variable in the
        data type.
    """
    ...


@function(api=True)
def estimate_region_lower_bound(
    region: ty.Array[RangeNode],
    domains: ty.Map[VarNode, RangeNode],
    predicate: PrimExprNode,
    analyzer: ty.Optional[AnalyzerNode] = None,
) -> ty.Optional[ty.Array[IntSetNode]]:
    """
    Return for each dimension a set, such that a region covers all combinations of their values.

    Parameters
    ----------
    region
        The region for one value of each variable.
    domains
        The ranges of the variables, which are not empty.
    predicate
        A condition on the variables; the region is that of the values for which it holds.
    analyzer
        The facts about other variables, which the call does not change; None for no facts.

    Returns
    -------
    sets
        A set for each dimension: all that is covered, or the first range where ranges leave
        gaps. None if the starts of the region are not an iterator map.

    Raises
    ------
    TypeError
        If the start of a range is not a scalar of `int32` or `int64`.
    """
    ...


@function(api=True)
def estimate_region_strict_bound(
    region: ty.Array[RangeNode],
    domains: ty.Map[VarNode, RangeNode],
    predicate: PrimExprNode,
    analyzer: ty.Optional[AnalyzerNode] = None,
) -> ty.Optional[ty.Array[IntSetNode]]:
    """
    Return for each dimension a set, such that the region covers exactly their product.

    Parameters
    ----------
    region, domains, predicate, analyzer
        As `estimate_region_lower_bound` takes them.

    Returns
    -------
    sets
        A set for each dimension; None if the starts of the region are not an iterator map, or
        the region leaves gaps.

    Raises
    ------
    TypeError
        If the start of a range is not a scalar of `int32` or `int64`.
    """
    ...
