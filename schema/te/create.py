"""Making graphs of tensor expressions, and functions of them."""

from schema.ir.expr import PrimExprNode
from schema.te.operation import OperationNode, TensorNode
from schema.tir.function import PrimFuncNode
from schema.tir.reduce import CommReducerNode, IterVarNode
from tschema import declare, function, ty


@declare
class ReduceKind(ty.IntEnum):
    """
    The reductions that have names.

    Attributes
    ----------
    SUM
        The sum, which starts from 0.
    PROD
        The product, which starts from 1.
    MIN
        The least value, which starts from the greatest one there is.
    MAX
        The greatest value, which starts from the least one there is.
    """

    SUM = 0
    PROD = 1
    MIN = 2
    MAX = 3


@function
def combiner(kind: ReduceKind, dtype: ty.DataType) -> CommReducerNode:
    """
    Make the operation of a reduction.

    Parameters
    ----------
    kind
        The reduction.
    dtype
        The data type of its values.

    Returns
    -------
    combiner
        The operation.
    """
    ...


@function
def reduce(
    combiner: CommReducerNode,
    sources: ty.Array[PrimExprNode],
    axis: ty.Array[IterVarNode],
    condition: ty.Optional[PrimExprNode] = None,
    init: ty.Optional[ty.Array[PrimExprNode]] = None,
) -> ty.Array[PrimExprNode]:
    """
    Make the values that remain when tuples are combined over all iterations of some axes.

    Parameters
    ----------
    combiner
        The operation.
    sources
        The tuple of each iteration.
    axis
        The axes.
    condition
        A scalar boolean: iterations where it does not hold are left out; None for none of them.
    init
        The tuple to start from; None for the identity of `combiner`.

    Returns
    -------
    values
        A `Reduce` for each value of the tuple.
    """
    ...


@function
def output(op: OperationNode, index: ty.int32_t = 0) -> TensorNode:
    """
    Return a result of an operation.

    Parameters
    ----------
    op
        The operation.
    index
        Which of its results.

    Returns
    -------
    tensor
        The tensor.
    """
    ...


@function
def num_outputs(op: OperationNode) -> ty.int64_t:
    """
    Return how many results an operation has.

    Parameters
    ----------
    op
        The operation.

    Returns
    -------
    count
        The number of results.
    """
    ...


@function
def input_tensors(op: OperationNode) -> ty.Array[TensorNode]:
    """
    Return the tensors that an operation reads.

    Parameters
    ----------
    op
        The operation.

    Returns
    -------
    tensors
        The tensors, each once, in the order in which they are read first.
    """
    ...


@function
def create_prim_func(args: ty.Array[ty.Object], name: ty.String = "main") -> PrimFuncNode:
    """
    Make a function that computes tensors.

    Each operation becomes a nest of loops, a reduction one that starts with its identity; what
    is computed on the way is allocated in the function.

    Parameters
    ----------
    args
        What the parameters are, in order: tensors and variables. All placeholders that are read
        must be among them.
    name
        The symbol that the function exports.

    Returns
    -------
    func
        The function.
    """
    ...
