"""Iterator maps: index expressions as splits and fusions of iterators."""

from schema.arith.analyzer import AnalyzerNode
from schema.ir.expr import PrimExprNode
from schema.ir.range import RangeNode
from schema.tir.var import VarNode
from tschema import Object, declare, function, ty


@declare
class IterMarkNode(Object):
    """
    An iterator, whose values are integers from 0.

    See Also
    --------
    IterMark
    detect_iter_map

    Attributes
    ----------
    source
        Its value: an expression of an input variable, or the `IterSumExpr` that it fuses.
    extent
        The number that all values are below.
    """

    type_key = "uir.arith.IterMark"
    post_init = True
    source: ty.Object
    extent: PrimExprNode


@declare
class IterSplitExprNode(Object):
    """
    Some digits of an iterator: `source // lower_factor % extent * scale`.

    See Also
    --------
    IterSplitExpr
    detect_iter_map

    Attributes
    ----------
    source
        The iterator.
    lower_factor
        The number that the digits below take.
    extent
        The number of values of the digits.
    scale
        The factor of the digits.
    """

    type_key = "uir.arith.IterSplitExpr"
    source: IterMarkNode
    lower_factor: PrimExprNode
    extent: PrimExprNode
    scale: PrimExprNode


@declare
class IterSumExprNode(Object):
    """
    A sum of digits of iterators.

    See Also
    --------
    IterSumExpr
    detect_iter_map

    Attributes
    ----------
    args
        The digits, from the largest scale to the smallest.
    base
        The summand.
    """

    type_key = "uir.arith.IterSumExpr"
    args: ty.Array[IterSplitExprNode]
    base: PrimExprNode


@declare
class IterMapResultNode(Object):
    """
    What `detect_iter_map` finds.

    See Also
    --------
    IterMapResult
    detect_iter_map

    Attributes
    ----------
    indices
        A sum of at most one term for each index; empty if the indices are not such a map.
    errors
        Why they are not.
    """

    type_key = "uir.arith.IterMapResult"
    indices: ty.Array[IterSumExprNode]
    errors: ty.Array[ty.String]


@declare
class SubspaceDivisionNode(Object):
    """
    What `subspace_divide` finds: index k is `outer[k] * inner[k].extent + inner[k]`.

    See Also
    --------
    SubspaceDivision
    subspace_divide

    Attributes
    ----------
    outer
        For each index a sum of digits of the other iterators; empty if there is no division.
    inner
        For each index a sum of digits of the inner iterators, plus the start of the index.
    outer_predicate
        The part of the predicate on the other iterators.
    inner_predicate
        The part of the predicate on the inner iterators.
    errors
        Why there is no division.
    """

    type_key = "uir.arith.SubspaceDivision"
    outer: ty.Array[IterMarkNode]
    inner: ty.Array[IterMarkNode]
    outer_predicate: PrimExprNode
    inner_predicate: PrimExprNode
    errors: ty.Array[ty.String]


@function(api=True)
def detect_iter_map(
    indices: ty.Array[PrimExprNode],
    domains: ty.Map[VarNode, RangeNode],
    predicate: ty.Optional[PrimExprNode] = None,
    check_level: ty.String = "surjective",
    simplify_trivial_iterators: ty.bool = True,
    analyzer: ty.Optional[AnalyzerNode] = None,
) -> IterMapResultNode:
    """
    Write indices as independent iterators, each made of splits and fusions of variables.

    Parameters
    ----------
    indices
        Scalars of `int32` or `int64`.
    domains
        The ranges of the input variables; other variables are constants.
    predicate
        Comparisons on the input variables, joined by `and`; None for no condition.
    check_level
        `"surjective"`: the indices take each combination of their values; `"bijective"`: each
        for one value of the input variables; `"none"`: only the form is checked.
    simplify_trivial_iterators
        Whether variables with one value are replaced by it.
    analyzer
        The facts about other variables; None for no facts.

    Returns
    -------
    result
        The map: index k takes the values `base + scale * i` for i from 0 to `extent - 1` of
        its only term, or `base` without a term.

    Raises
    ------
    TypeError
        If an index is not a scalar of `int32` or `int64`.
    ValueError
        If `check_level` is another text.

    Examples
    --------
    >>> from uir import arith, ir, tir
    >>> i = tir.Var("i")
    >>> ranges = {i: ir.Range(tir.const(0), tir.const(24))}
    >>> found = arith.detect_iter_map([i // 6, i % 6], ranges, check_level="bijective")
    >>> [str(index.args[0].extent) for index in found.indices]
    ['4', '6']
    """
    ...


@function(api=True)
def normalize_iter_map_to_expr(sum: IterSumExprNode) -> PrimExprNode:
    """
    Return the expression of a sum of digits of iterators.

    Parameters
    ----------
    sum
        The sum.

    Returns
    -------
    expr
        The expression of the input variables.
    """
    ...


@function(api=True)
def normalize_to_iter_sum(
    index: PrimExprNode,
    domains: ty.Map[VarNode, RangeNode],
    analyzer: ty.Optional[AnalyzerNode] = None,
) -> IterSumExprNode:
    """
    Write an index as a sum of digits of iterators, which need not be independent.

    Parameters
    ----------
    index
        A scalar of `int32` or `int64`.
    domains
        The ranges of the input variables; other variables are constants.
    analyzer
        The facts about other variables; None for no facts.

    Returns
    -------
    sum
        The sum, the largest scales first: by their numbers, then by their number of factors.
        Terms of another form are part of the base.

    Raises
    ------
    TypeError
        If `index` is not a scalar of `int32` or `int64`.
    """
    ...


@function(api=True)
def iter_map_simplify(
    indices: ty.Array[PrimExprNode],
    domains: ty.Map[VarNode, RangeNode],
    predicate: ty.Optional[PrimExprNode] = None,
    check_level: ty.String = "surjective",
    simplify_trivial_iterators: ty.bool = True,
    analyzer: ty.Optional[AnalyzerNode] = None,
) -> ty.Array[PrimExprNode]:
    """
    Simplify indices by the iterator map that they are.

    Parameters
    ----------
    indices, domains, predicate, check_level, simplify_trivial_iterators, analyzer
        As `detect_iter_map` takes them.

    Returns
    -------
    indices
        Indices of the same values; those that were given, simplified, if they are not such a
        map.

    Raises
    ------
    TypeError
        If an index is not a scalar of `int32` or `int64`.
    ValueError
        If `check_level` is another text.
    """
    ...


@function(api=True)
def inverse_affine_iter_map(
    indices: ty.Array[IterSumExprNode], outputs: ty.Array[PrimExprNode]
) -> ty.Map[VarNode, PrimExprNode]:
    """
    Return the input variables of a bijective iterator map as expressions of its outputs.

    Parameters
    ----------
    indices
        The sums of a bijective map, as `detect_iter_map` returns them.
    outputs
        The value of each index.

    Returns
    -------
    inputs
        The value of each input variable that the map depends on.

    Raises
    ------
    ValueError
        If there are more or fewer outputs than indices, or a sum has several terms.
    """
    ...


@function(api=True)
def subspace_divide(
    indices: ty.Array[PrimExprNode],
    domains: ty.Map[VarNode, RangeNode],
    inner_vars: ty.Array[VarNode],
    predicate: ty.Optional[PrimExprNode] = None,
    check_level: ty.String = "surjective",
    simplify_trivial_iterators: ty.bool = True,
    analyzer: ty.Optional[AnalyzerNode] = None,
) -> SubspaceDivisionNode:
    """
    Divide the indices of an iterator map into those of outer and those of inner variables.

    A loop nest is tensorized so: the loops of `inner_vars` become a block of its own, the
    others stay around it.

    Parameters
    ----------
    indices, domains, predicate, check_level, simplify_trivial_iterators, analyzer
        As `detect_iter_map` takes them.
    inner_vars
        The input variables of the inner space; each has a range.

    Returns
    -------
    division
        The two maps, each of its own variables.

    Raises
    ------
    TypeError
        If an index is not a scalar of `int32` or `int64`.
    ValueError
        If `check_level` is another text, or a variable of `inner_vars` has no range.

    Examples
    --------
    >>> from uir import arith, ir, tir
    >>> i, j = tir.Var("i"), tir.Var("j")
    >>> ranges = {var: ir.Range(tir.const(0), tir.const(8)) for var in (i, j)}
    >>> found = arith.subspace_divide([i * 8 + j], ranges, [j])
    >>> print(found.outer[0].extent, found.inner[0].extent)
    8 8
    """
    ...
