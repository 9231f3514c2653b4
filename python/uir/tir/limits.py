"""Limits of data types, as constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uir_nodes.ir import PrimExpr, Span

from . import _ffi_api

if TYPE_CHECKING:
    from tvm_ffi import dtype as DataType

__all__ = [
    "infinity",
    "max_value",
    "min_value",
]


def min_value(dtype: DataType | str, span: Span | None = None) -> PrimExpr:
    """Return the least finite value of a data type.

    Parameters
    ----------
    dtype
        The data type, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The constant.

    Raises
    ------
    TypeError
        If the data type is not a scalar number.
    """
    return _ffi_api.min_value(dtype, span)


def max_value(dtype: DataType | str, span: Span | None = None) -> PrimExpr:
    """Return the greatest finite value of a data type.

    Parameters
    ----------
    dtype
        The data type, a number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The constant.

    Raises
    ------
    TypeError
        If the data type is not a scalar number.
    ValueError
        If `dtype` is `uint64`: constants reach 2^63 - 1 only.
    """
    return _ffi_api.max_value(dtype, span)


def infinity(dtype: DataType | str, span: Span | None = None) -> PrimExpr:
    """Return positive infinity.

    Parameters
    ----------
    dtype
        The data type, a floating-point number.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The constant.

    Raises
    ------
    TypeError
        If the data type is not a scalar floating-point type with an infinity.
    """
    return _ffi_api.infinity(dtype, span)
