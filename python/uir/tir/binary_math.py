"""Floating-point functions of two operands."""

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
    """Return `a` raised to the power of `b`.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If neither operand is floating-point, or they have no common data type.
    """
    return _ffi_api.pow(*as_operands(a, b), span)


def atan2(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return the angle of the point `(b, a)`, in radians.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If neither operand is floating-point, or they have no common data type.
    """
    return _ffi_api.atan2(*as_operands(a, b), span)


def hypot(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return the Euclidean norm of `(a, b)`.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If neither operand is floating-point, or they have no common data type.
    """
    return _ffi_api.hypot(*as_operands(a, b), span)


def copysign(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return the magnitude of `a` with the sign of `b`.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If neither operand is floating-point, or they have no common data type.
    """
    return _ffi_api.copysign(*as_operands(a, b), span)


def fmod(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return the remainder of `a / b`, with the sign of `a`.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If neither operand is floating-point, or they have no common data type.
    """
    return _ffi_api.fmod(*as_operands(a, b), span)


def nextafter(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return the next representable number after `a` towards `b`.

    Parameters
    ----------
    a
        The left operand, a floating-point number.
    b
        The right operand, a floating-point number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression, of the operands' common data type.

    Raises
    ------
    TypeError
        If neither operand is floating-point, or they have no common data type.
    """
    return _ffi_api.nextafter(*as_operands(a, b), span)
