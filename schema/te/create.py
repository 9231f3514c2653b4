"""Construction of tensor expressions, and their lowering to functions."""

from schema.ir.expr import PrimExprNode
from schema.te.operation import OperationNode, TensorNode
from schema.tir.function import PrimFuncNode
from schema.tir.reduce import CommReducerNode, IterVarNode
from tschema import declare, function, ty


@declare
class ReduceKind(ty.IntEnum):
    """
    The predefined reductions.

    Attributes
    ----------
    SUM
        The sum, with identity 0.
    PROD
        The product, with identity 1.
    MIN
        The minimum, with the greatest value of the data type as identity.
    MAX
        The maximum, with the least value of the data type as identity.
    """

    SUM = 0
    PROD = 1
    MIN = 2
    MAX = 3


@function
def combiner(kind: ReduceKind, dtype: ty.DataType) -> CommReducerNode:
    """
    Make the combiner of a predefined reduction.

    Parameters
    ----------
    kind
        The reduction.
    dtype
        The data type of the values.

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
    Make a reduction of tuples over axes.

    Parameters
    ----------
    combiner
        The operation.
    sources
        The tuple of each iteration.
    axis
        The axes. Without axes, `sources` are combined once with the initial tuple.
    condition
        A scalar boolean that selects iterations; None for all.
    init
        The initial tuple; None for the identity of `combiner`.

    Returns
    -------
    values
        A `Reduce` for each value of the tuple.

    Raises
    ------
    TypeError
        If a source or an initial value has another data type than `combiner`.
    ValueError
        If an axis is not of `IterVarType.COMM_REDUCE`, or a tuple has another length.
    """
    ...


@function
def output(op: OperationNode, index: ty.int32_t = 0) -> TensorNode:
    """
    Return an output of an operation.

    Parameters
    ----------
    op
        The operation.
    index
        The index of the output, from 0.

    Returns
    -------
    tensor
        The tensor.
    """
    ...


@function
def num_outputs(op: OperationNode) -> ty.int64_t:
    """
    Return the number of outputs of an operation.

    Parameters
    ----------
    op
        The operation.

    Returns
    -------
    count
        The number of outputs.
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
        The tensors without duplicates, in the order of the first read.
    """
    ...


@function
def create_prim_func(args: ty.Array[ty.Object], name: ty.String = "main") -> PrimFuncNode:
    """
    Lower tensor expressions to a function.

    Each operation becomes a loop nest; a reduction first stores its identity. The function
    allocates the intermediate tensors.

    Parameters
    ----------
    args
        The parameters, in order: tensors and variables, which must include all placeholders
        that are read.
    name
        The symbol that the function exports.

    Returns
    -------
    func
        The function.

    Raises
    ------
    TypeError
        If an argument is neither a tensor nor a variable.
    ValueError
        If a tensor occurs twice in `args`, or a placeholder is missing from it.
    """
    ...
