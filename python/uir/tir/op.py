"""Constants, conversions and calls of intrinsics.

In: expressions or plain numbers. Out: expressions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from uir_nodes.ir import PrimExpr, Span

from . import _ffi_api

if TYPE_CHECKING:
    from tvm_ffi import dtype as DataType

__all__ = ["Operand", "as_expr", "as_operands", "call_intrin", "const"]

Operand: TypeAlias = PrimExpr | float
"""An expression, or a boolean or number, which is converted to a constant."""


def const(value: float, dtype: DataType | str | None = None, span: Span | None = None) -> PrimExpr:
    """Make a constant.

    Parameters
    ----------
    value
        A boolean, an integer or a floating-point number.
    dtype
        The data type; a vector type gives a broadcast. None for `bool`, `int32` (`int64` if the
        value does not fit) or `float32`.
    span
        Source location.

    Returns
    -------
    PrimExpr
        An `IntImm` or a `FloatImm`, or a `Broadcast` of one.

    Raises
    ------
    TypeError
        If `value` is neither a boolean nor a number, or `dtype` cannot represent its kind.
    ValueError
        If `value` is out of the range of `dtype`.

    Examples
    --------
    >>> const(1).dtype
    dtype('int32')
    """
    return _ffi_api.make_const(value, dtype, span)


def as_expr(value: Operand, like: PrimExpr | None = None) -> PrimExpr:
    """Convert an operand to an expression.

    Parameters
    ----------
    value
        The operand.
    like
        The other operand, whose data type a number takes if it can represent its kind; None for the
        default data type of `const`.

    Returns
    -------
    PrimExpr
        The expression.

    Raises
    ------
    TypeError
        If `value` is neither an expression nor a boolean nor a number.
    ValueError
        If a number is out of the range of the data type.
    """
    if isinstance(value, PrimExpr):
        return value
    return _ffi_api.as_expr(value, like)


def as_operands(a: Operand, b: Operand) -> tuple[PrimExpr, PrimExpr]:
    """Convert two operands to expressions; a number takes the data type of the other operand.

    Parameters
    ----------
    a
        The left operand.
    b
        The right operand.

    Returns
    -------
    tuple[PrimExpr, PrimExpr]
        The two expressions; their data types may still differ.
    """
    if isinstance(a, PrimExpr):
        return a, as_expr(b, a)
    right = as_expr(b)
    return as_expr(a, right), right


def call_intrin(
    dtype: DataType | str, name: str, args: Sequence[Operand], span: Span | None = None
) -> PrimExpr:
    """Make a call of a registered operator.

    Parameters
    ----------
    dtype
        The data type of the result.
    name
        The operator's name, such as `tir.exp`.
    args
        The arguments.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The call.

    Raises
    ------
    ValueError
        If there is no such operator, or the number of arguments is wrong.
    """
    return _ffi_api.call_intrin(dtype, name, [as_expr(arg) for arg in args], span)
