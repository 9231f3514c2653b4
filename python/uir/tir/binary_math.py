"""Functions of two floating-point numbers."""

from __future__ import annotations

from uir_nodes.ir import PrimExpr, Span

from . import _ffi_api
from .op import Operand, as_operands

__all__ = [
    "atan2",
    "copysign",
    "fmod",
    "hypot",
    "nextafter",
    "pow",
]


def pow(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make `a` to the power of `b`.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If no operand is a floating-point number, or they have no common data type.
    """
    return _ffi_api.pow(*as_operands(a, b), span)


def atan2(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make the angle, in radians, of the point `(b, a)`.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If no operand is a floating-point number, or they have no common data type.
    """
    return _ffi_api.atan2(*as_operands(a, b), span)


def hypot(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make the distance of the point `(a, b)` from the origin.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If no operand is a floating-point number, or they have no common data type.
    """
    return _ffi_api.hypot(*as_operands(a, b), span)


def copysign(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make the magnitude of `a` with the sign of `b`.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If no operand is a floating-point number, or they have no common data type.
    """
    return _ffi_api.copysign(*as_operands(a, b), span)


def fmod(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make the remainder of `a / b` rounded towards zero.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If no operand is a floating-point number, or they have no common data type.
    """
    return _ffi_api.fmod(*as_operands(a, b), span)


def nextafter(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make the number next to `a` on the way to `b`.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If no operand is a floating-point number, or they have no common data type.
    """
    return _ffi_api.nextafter(*as_operands(a, b), span)
