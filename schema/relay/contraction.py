"""Products of matrices."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator


@operator(
    kind="contraction",
    compute="y[*b, m, n] += a[*b, m, k] * b[*b, k, n]",
    onnx="MatMul@1",
    torch="aten.matmul.default",
)
def matmul(
    a: RelayExprNode = operand(dtype="T: number"),
    b: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Multiply matrices, or stacks of them.

    Integers wrap around; float16 is summed in float32. To multiply by a transposed matrix,
    transpose it first.

    Parameters
    ----------
    a
        Matrices of shape `(*b, m, k)`; numbers.
    b
        Matrices of shape `(*b, k, n)`.

    Returns
    -------
    y
        Matrices of shape `(*b, m, n)` and the data type of `a`, where `*b` is the broadcast
        shape of the leading dimensions.

    Raises
    ------
    TypeError
        If the data types differ, an operand has rank less than 2, the leading dimensions do
        not broadcast, or `k` differs.
    """
    ...


@operator(
    kind="contraction",
    relation="(*b, m, k), (*b, k, n) -> (*b, m, n)",
    result="int32",
)
def integer_matmul(
    a: RelayExprNode = operand(dtype="A: int"),
    b: RelayExprNode = operand(dtype="B: int"),
) -> RelayExprNode:
    """
    Multiply matrices of integers, or stacks of them, and add the products up as int32.

    Elements are converted to int32 before they are multiplied, and sums wrap around. For uint8 and
    int8, a machine with instructions for four products at once uses them.

    Parameters
    ----------
    a
        Matrices of shape `(*b, m, k)`; integers.
    b
        Matrices of shape `(*b, k, n)`; integers, perhaps of another data type.

    Returns
    -------
    y
        Matrices of shape `(*b, m, n)` and the data type int32, where `*b` is the broadcast shape
        of the leading dimensions.

    Raises
    ------
    TypeError
        If an operand has rank less than 2 or no integers, the leading dimensions do not
        broadcast, or `k` differs.
    """
    ...
