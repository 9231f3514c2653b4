"""Products of matrices."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator, ty


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


@operator(
    kind="opaque",
    relation="(*b, k), (p, g, w, 16), (p, g, 16), (p, g, 16)? -> (*b, columns)",
    require="(bits == 2 or bits == 4 or bits == 8) and columns >= 0 and columns <= 16 * p",
    result="T",
)
def matmul_n_bits(
    x: RelayExprNode = operand(dtype="T: float"),
    words: RelayExprNode = operand(dtype="W: int"),
    scales: RelayExprNode = operand(dtype="S: float"),
    zeros: ty.Optional[RelayExprNode] = operand(dtype="Z: number", default=None),
    *,
    bits: ty.int64_t = 4,
    columns: ty.int64_t = ...,
) -> RelayExprNode:
    """
    Multiply rows by a matrix of small integers, which are scaled in blocks.

    `y[*b, j] = sum(scale * (sum(x[*b, i] * n[i, j]) - zero * sum(x[*b, i])))`: the inner sums are
    over the terms of a block, and the outer one over the blocks. The matrix `n` lies in panels of
    16 columns. A word has as many numbers as fit, the first one in its lowest bits: if `f` fit,
    number `i` of column `j` is number `i % f` of
    `words[j // 16, i // (f * w), i // f % w, j % 16]`, and its scale and its zero point are at
    `[j // 16, i // (f * w), j % 16]`. Terms beyond the numbers count as 0, and numbers beyond the
    terms are ignored. The numbers are expanded in registers: one row takes the time to read the
    words.

    float16 is computed in float32. Terms below `2**-98` are rounded to multiples of `2**-149`
    before they are multiplied.

    Parameters
    ----------
    x
        Rows of shape `(*b, k)`; floating-point.
    words
        The numbers, of shape `(p, g, w, 16)`: panels, blocks, words of a block, columns; integers
        of 32 bits are the fastest.
    scales
        The factor of each block, of shape `(p, g, 16)`; floating-point.
    zeros
        The zero point of each block: numbers of shape `(p, g, 16)`; None for `2**(bits - 1)`.
    bits
        The bits of a number: 2, 4 or 8. A number has no sign.
    columns
        The number of columns, at most `16 * p`.

    Returns
    -------
    y
        Tensor of shape `(*b, columns)` and the data type of `x`.

    Raises
    ------
    TypeError
        If shapes or data types do not fit.
    ValueError
        If `bits` or `columns` is out of range.
    """
    ...
