"""Operations on the bits of integers, with the data types of the operands matched first."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import function, ty


@function
def left_shift(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Make `a << b`.

    Parameters
    ----------
    a
        The left operand, an integer.
    b
        The right operand, an integer.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def right_shift(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Make `a >> b`; signed numbers keep their sign.

    Parameters
    ----------
    a
        The left operand, an integer.
    b
        The right operand, an integer.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def bitwise_and(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Make `a & b`; of booleans it is `a and b`.

    Parameters
    ----------
    a
        The left operand, an integer or a boolean.
    b
        The right operand, an integer or a boolean.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def bitwise_or(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Make `a | b`; of booleans it is `a or b`.

    Parameters
    ----------
    a
        The left operand, an integer or a boolean.
    b
        The right operand, an integer or a boolean.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def bitwise_xor(
    a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Make `a ^ b`; of booleans it is `a != b`.

    Parameters
    ----------
    a
        The left operand, an integer or a boolean.
    b
        The right operand, an integer or a boolean.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def bitwise_not(a: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make `~a`; of a boolean it is `not a`.

    Parameters
    ----------
    a
        The operand, an integer or a boolean.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...
