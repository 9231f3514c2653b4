"""Iteration variables, and reductions over them."""

from schema.ir.expr import PrimExprNode
from schema.ir.range import RangeNode
from schema.ir.span import SpanNode
from schema.tir.var import VarNode
from tschema import Object, declare, field, ty


@declare
class IterVarType(ty.IntEnum):
    """
    What may be done with the iterations of an axis.

    Attributes
    ----------
    DATA_PAR
        They are independent: any order, any number at once.
    THREAD_INDEX
        They are the threads of a launch; the axis has no loop of its own.
    COMM_REDUCE
        They combine by a commutative and associative operation: any order.
    ORDERED
        They follow one another.
    OPAQUE
        Nothing is known.
    UNROLLED
        They are written out one after the other.
    VECTORIZED
        They are the lanes of a vector.
    PARALLELIZED
        They run on the threads of a pool.
    TENSORIZED
        They are replaced by an intrinsic of the hardware.
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
    Variable that takes each value of a range, and what may be done with its iterations.

    See Also
    --------
    IterVar

    Attributes
    ----------
    var
        The variable; it is bound here.
    dom
        The values that the variable takes, None where they are not known yet.
    iter_type
        What may be done with the iterations.
    thread_tag
        Which index of a launch the variable is, such as `threadIdx.x`; empty for none.
    span
        Where the variable was written; structural equality ignores it.
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
    Commutative and associative operation on tuples of values.

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
        The tuple that changes nothing it is combined with.
    span
        Where the operation was written; structural equality ignores it.
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
    One value of the tuple that remains when tuples are combined over all iterations.

    See Also
    --------
    Reduce

    Attributes
    ----------
    combiner
        The operation that combines two tuples.
    axis
        The iterations; their variables are bound in `source` and `condition`.
    source
        The tuple of each iteration.
    condition
        A scalar boolean: iterations where it does not hold are left out.
    value_index
        Which value of the tuple the expression is, from 0.
    init
        The tuple to start from; empty for the identity of `combiner`.
    dtype
        The data type of that value.
    """

    type_key = "uir.tir.Reduce"
    post_init = True
    combiner: CommReducerNode
    axis: ty.Array[IterVarNode]
    source: ty.Array[PrimExprNode]
    condition: PrimExprNode
    value_index: ty.int32_t = field(default=0)
    init: ty.Array[PrimExprNode] = field(default_factory=list)
    dtype: ty.DataType = field(init=False)
