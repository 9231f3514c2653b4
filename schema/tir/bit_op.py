"""Operations on bits."""

from schema.ir.expr import PrimExprNode
from tschema import operand, operator


@operator(name="shift_left", kind="elementwise", custom=True)
def left_shift(
    a: PrimExprNode = operand(dtype="T: int"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return `a << b`.

    Returns
    -------
    result
        The expression, of the operands' common data type. Constants are folded.

    Raises
    ------
    TypeError
        If an operand is not an integer.
    ValueError
        If `b` is a constant below 0, or not less than the number of bits.
    """
    ...


@operator(name="shift_right", kind="elementwise", custom=True)
def right_shift(
    a: PrimExprNode = operand(dtype="T: int"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return `a >> b`, an arithmetic shift for signed integers.

    Returns
    -------
    result
        The expression, of the operands' common data type. Constants are folded.

    Raises
    ------
    TypeError
        If an operand is not an integer.
    ValueError
        If `b` is a constant below 0, or not less than the number of bits.
    """
    ...


@operator(kind="elementwise", custom=True)
def bitwise_and(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return `a & b`; of booleans, the logical and.

    Returns
    -------
    result
        The expression, of the operands' common data type. Constants are folded.

    Raises
    ------
    TypeError
        If the operands are neither integers nor booleans.
    """
    ...


@operator(kind="elementwise", custom=True)
def bitwise_or(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return `a | b`; of booleans, the logical or.

    Returns
    -------
    result
        The expression, of the operands' common data type. Constants are folded.

    Raises
    ------
    TypeError
        If the operands are neither integers nor booleans.
    """
    ...


@operator(kind="elementwise", custom=True)
def bitwise_xor(
    a: PrimExprNode = operand(dtype="T: any"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return `a ^ b`; of booleans, `a != b`.

    Returns
    -------
    result
        The expression, of the operands' common data type. Constants are folded.

    Raises
    ------
    TypeError
        If the operands are neither integers nor booleans.
    """
    ...


@operator(kind="elementwise", custom=True)
def bitwise_not(a: PrimExprNode = operand(dtype="T: any")) -> PrimExprNode:
    """
    Return `~a`; of a boolean, the logical not.

    Returns
    -------
    result
        The expression, of the data type of `a`. A constant is folded.

    Raises
    ------
    TypeError
        If `a` is neither an integer nor a boolean.
    """
    ...
