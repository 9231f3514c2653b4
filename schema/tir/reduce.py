"""Iteration variables, and reductions over them."""

from schema.ir.expr import PrimExprNode
from schema.ir.range import RangeNode
from schema.ir.span import SpanNode
from schema.tir.var import VarNode
from tschema import Object, declare, field, ty


@declare
class IterVarType(ty.IntEnum):
    """
    Kind of an axis: how its iterations may run.

    Attributes
    ----------
    DATA_PAR
        Independent iterations, in any order and in parallel.
    THREAD_INDEX
        The threads of a launch, without a loop.
    COMM_REDUCE
        Reduction by a commutative and associative operation, in any order.
    ORDERED
        Sequential iterations.
    OPAQUE
        Unknown.
    UNROLLED
        Unrolled iterations.
    VECTORIZED
        The lanes of a vector.
    PARALLELIZED
        Iterations on the threads of a pool.
    TENSORIZED
        Iterations that a hardware intrinsic replaces.
    """

    DATA_PAR = 0
    THREAD_INDEX = 1
    COMM_REDUCE = 2
    ORDERED = 3
    OPAQUE = 4
    UNROLLED = 5
    VECTORIZED = 6
    PARALLELIZED = 7
    TENSORIZED = 8


@declare
class IterVarNode(Object):
    """
    Iteration variable over a range, with the kind of its axis.

    See Also
    --------
    IterVar

    Attributes
    ----------
    var
        The variable, bound here.
    dom
        The range; None if not yet known.
    iter_type
        The kind of the axis.
    thread_tag
        The thread index of a launch, such as `threadIdx.x`; empty for none.
    span
        Source location of the variable; structural equality ignores it.
    """

    type_key = "uir.tir.IterVar"
    post_init = True
    var: VarNode = field(structural="def")
    dom: ty.Optional[RangeNode]
    iter_type: IterVarType
    thread_tag: ty.String = field(default="")
    span: ty.Optional[SpanNode] = field(default=None, kw_only=True, structural="ignore", repr=False)


@declare
class CommReducerNode(Object):
    """
    Commutative and associative operation on tuples.

    See Also
    --------
    CommReducer
    Reduce

    Attributes
    ----------
    lhs
        Variables for the left tuple, bound in `result`.
    rhs
        Variables for the right tuple, as many as `lhs`, bound in `result`.
    result
        The combined tuple, as an expression over `lhs` and `rhs`.
    identity_element
        The identity tuple of the operation.
    span
        Source location of the operation; structural equality ignores it.
    """

    type_key = "uir.tir.CommReducer"
    post_init = True
    lhs: ty.Array[VarNode] = field(structural="def")
    rhs: ty.Array[VarNode] = field(structural="def")
    result: ty.Array[PrimExprNode]
    identity_element: ty.Array[PrimExprNode]
    span: ty.Optional[SpanNode] = field(default=None, kw_only=True, structural="ignore", repr=False)


@declare
class ReduceNode(PrimExprNode):
    """
    One component of a reduction of tuples over axes.

    See Also
    --------
    Reduce

    Attributes
    ----------
    combiner
        The operation that combines two tuples.
    axis
        The axes, whose variables are bound in `source` and `condition`.
    source
        The tuple of each iteration.
    condition
        A scalar boolean that selects iterations.
    value_index
        The component of the tuple, from 0.
    init
        The initial tuple; empty for the identity of `combiner`.
    dtype
        The data type of the component.
    """

    type_key = "uir.tir.Reduce"
    script = "tir.Reduce({combiner}, {axis}, {source}, {condition}, {value_index}, {init})"
    post_init = True
    combiner: CommReducerNode
    axis: ty.Array[IterVarNode]
    source: ty.Array[PrimExprNode]
    condition: PrimExprNode
    value_index: ty.int32_t = field(default=0)
    init: ty.Array[PrimExprNode] = field(default_factory=list)
    dtype: ty.DataType = field(init=False)
