"""The greatest and smallest elements, in order."""

from schema.ir.expr import PrimExprNode, RelayExprNode
from tschema import operand, operator, ty


@operator(kind="opaque", relation="custom", onnx="TopK@1", torch="aten.topk.default")
def topk(
    x: RelayExprNode = operand(dtype="T: number"),
    k: ty.Union[ty.int64_t, PrimExprNode] = ...,
    *,
    axis: ty.int64_t = -1,
    largest: ty.bool = True,
    sorted: ty.bool = True,
) -> RelayExprNode:
    """
    Return the greatest or smallest elements along an axis.

    Of equal elements the one of the lower index comes first; NaN is greater than all others.

    Parameters
    ----------
    x
        Tensor of shape `(*a, dim, *b)`, where `dim` is dimension `axis`; numbers.
    k
        How many elements: from 0 to the dimension of the axis.
    axis
        The axis, from `-rank` to `rank - 1`.
    largest
        Whether the greatest elements are returned, and not the smallest.
    sorted
        Whether the elements are in order.

    Returns
    -------
    outputs
        Tuple of the elements and of their indices (`int64`), both of shape `(*a, k, *b)`.

    Raises
    ------
    TypeError
        If `x` is not a tensor of numbers.
    ValueError
        If `axis` is out of range, or `k` is greater than its dimension.
    """
    ...
