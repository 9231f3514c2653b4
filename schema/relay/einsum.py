"""Sums of products along named axes."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator, ty


@operator(kind="contraction", relation="custom", onnx="Einsum@12", torch="aten.einsum.default")
def einsum(
    tensors: ty.Array[RelayExprNode] = operand(dtype="T: number"),
    equation: ty.String = ...,
) -> RelayExprNode:
    """
    Add up products of elements in Einstein's notation.

    `einsum([a, b], "ij,jk->ik")` multiplies matrices. Integers wrap around; float16 is summed
    in float32.

    Parameters
    ----------
    tensors
        Tensors of shape `(*axes)`, at least one; numbers.
    equation
        For each tensor a term of letters, one for each axis, separated by commas; then `->` and
        the letters of the result. Axes of the same letter have the same dimension, also in one
        term, which takes the diagonal. Axes that the result lacks are summed. In each term
        `...` matches any number of axes, which broadcast. Without `->`, the result has the axes
        of `...`, then the letters that occur once, in alphabetical order.

    Returns
    -------
    y
        Tensor of shape `(*result)`, the dimensions of the letters of the result, of the
        data type of the operands: `(2, 3)` becomes `(3, 2)` by `ij->ji`.

    Raises
    ------
    TypeError
        If the data types differ, or a rank or a dimension is not as in the equation.
    ValueError
        If the equation is malformed, or has another number of terms than there are tensors.
    """
    ...
